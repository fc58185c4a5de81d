/* SPDX-License-Identifier: MIT */
#include "bench/by_hand/copies.h"

#include "bench/bench.h"

#define SAMPLES 4 /* of each way, in each direction */
#define TRIALS  8 /* copies in a row in each of them */

/* How many of the samples have a time: a busy host may lose some. 0: it failed. */
static size_t kerntime_samples(subject *s, double *samples_ns)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .timing = KT_TIMING_DEVICE,
                                        .trials = TRIALS,
                                        .max_time_ns = 1, /* samples_min beats it */
                                        .samples_min = SAMPLES,
                                        .samples_max = SAMPLES};
    kt_result *result = NULL;
    kt_status status = kt_measure(s->run.job, &options, &result);
    const kt_series *series = status == KT_OK ? kt_result_find(result, "copy") : NULL;
    size_t n = series ? series->summary.n : 0;
    for (size_t i = 0; i < n; i++)
        samples_ns[i] = series->samples_ns[i];
    if (n == 0)
        subject_fail(s, false, status == KT_OK ? "a copy has no duration" : kt_error_text());
    kt_result_destroy(&result);
    return n;
}

/* The first one is a warm-up; kerntime's own is no shorter. */
static size_t raw_samples(subject *s, double *samples_ns)
{
    bool works = true;
    for (int i = -1; i < SAMPLES && works; i++) {
        double sum_ns = 0, ns;
        for (int k = 0; k < TRIALS && works; k++) {
            works = s->api->copy(s->raw, &ns);
            sum_ns += ns;
        }
        if (i >= 0)
            samples_ns[i] = sum_ns / TRIALS;
    }
    if (!works)
        subject_fail(s, true, "a copy failed");
    return works ? SAMPLES : 0;
}

int copies_compare(subject *s, double round_ns[COPIES_WAYS])
{
    double samples_ns[COPIES_WAYS][2 * SAMPLES];
    size_t counts[COPIES_WAYS] = {0}, n = 1;
    for (int i = 0; i < 2 * COPIES_WAYS && n > 0; i++) {
        int way = i < COPIES_WAYS ? i : 2 * COPIES_WAYS - 1 - i;
        double *to = &samples_ns[way][counts[way]];
        n = way == COPIES_KERNTIME ? kerntime_samples(s, to) : raw_samples(s, to);
        counts[way] += n;
    }
    for (int way = 0; way < COPIES_WAYS && n > 0; way++)
        round_ns[way] = bench_median(samples_ns[way], counts[way]);
    return n == 0;
}
