/* SPDX-License-Identifier: MIT */
#include "bench/by_hand/launches.h"

#include "bench/bench.h"

#define SLICES      100               /* of each way, in each direction */
#define MAX_TIME_NS INT64_C(20000000) /* kerntime warms up for a quarter of it, by hand as long */

/* ns of the host's clock per dispatch in each slice: from before its first submission to before the
 * one after its last. 0, or 1 after a sentence. */
static int kerntime_slices(subject *s, uint32_t slice, double *slices_ns)
{
    uint32_t count = SLICES * slice + 1;
    /* No measurement ends before samples_min, whatever max_time says. */
    kt_measure_options options = {.size = sizeof options,
                                  .timing = KT_TIMING_DEVICE,
                                  .max_time_ns = MAX_TIME_NS,
                                  .samples_min = count,
                                  .samples_max = count,
                                  .keep_raw = 1};
    kt_result *result = NULL;
    kt_status status = kt_measure(s->run.job, &options, &result);
    if (status == KT_OK) {
        const kt_raw *raw = kt_result_find(result, "wall_timestamped")->raw;
        for (int i = 0; i < SLICES; i++, raw += slice)
            slices_ns[i] = (double)(raw[slice].host_before_ns - raw[0].host_before_ns) / slice;
        const kt_series *kernels = kt_result_find(result, "empty");
        s->method = kernels ? kernels->method : KT_METHOD_NONE;
    } else {
        subject_fail(s, false, kt_error_text());
    }
    kt_result_destroy(&result);
    return status != KT_OK;
}

static int raw_slices(subject *s, bool timestamped, uint32_t slice, double *slices_ns)
{
    const raw_api *raw = s->api;
    bool works = true;
    int64_t begin_ns = kt_host_now_ns(), end_ns = begin_ns;
    for (; works && end_ns - begin_ns < MAX_TIME_NS / 4; end_ns = kt_host_now_ns())
        works = raw->dispatch(s->raw, timestamped, slice);
    for (int i = 0; works && i < SLICES; i++) {
        begin_ns = end_ns;
        works = raw->dispatch(s->raw, timestamped, slice);
        end_ns = kt_host_now_ns();
        slices_ns[i] = (double)(end_ns - begin_ns) / slice;
    }
    if (!works)
        subject_fail(s, true, "a dispatch failed");
    return !works;
}

int launches_compare(subject *s, uint32_t slice, int rounds,
                     double rounds_ns[LAUNCH_WAYS][LAUNCH_ROUNDS_MAX])
{
    double slices_ns[LAUNCH_WAYS][2 * SLICES];
    if (kerntime_slices(s, slice, slices_ns[LAUNCH_KERNTIME]) != 0) /* makes the timer limits */
        return 1;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 2 * LAUNCH_WAYS; i++) {
            int way = i < LAUNCH_WAYS ? i : 2 * LAUNCH_WAYS - 1 - i;
            double *to = slices_ns[way] + (i < LAUNCH_WAYS ? 0 : SLICES);
            if (way == LAUNCH_KERNTIME ? kerntime_slices(s, slice, to)
                                       : raw_slices(s, way == LAUNCH_TIMESTAMPED, slice, to))
                return 1;
        }
        for (int way = 0; way < LAUNCH_WAYS; way++)
            rounds_ns[way][round] = bench_median(slices_ns[way], 2 * (size_t)SLICES);
    }
    return 0;
}
