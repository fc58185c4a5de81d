/* SPDX-License-Identifier: MIT */
/* agreement.c - checks whether device and wall times of increasingly long kernels agree. */
#include "cli/doctor/kernel.h"
#include "cli/doctor/kernels_judge.h"

#include <math.h>

#define SHORTEST_NS 1e4
#define LONGEST_NS  1e8
#define STEP        4.0
#define LONG_NS     2e7 /* kernels above this length get few samples */
#define SAMPLES     12
#define SAMPLES_FEW 3
/* Attempts at the longest kernel if the times disagree: other load on the host prolongs the wall
 * time. */
#define LOOKS_MAX 4

/* Plans kernel lengths, each a few times the previous one. */
static uint32_t plan(const doctor *d, kernel_length lengths[AGREEMENT_RUNGS_MAX])
{
    double longest_ns = fmin(LONGEST_NS, kernel_longest_ns(d));
    uint32_t count = 0;
    for (double wanted_ns = SHORTEST_NS; count < AGREEMENT_RUNGS_MAX; wanted_ns *= STEP) {
        kernel_length next = kernel_of_length(&d->kernels, fmin(wanted_ns, longest_ns));
        if (count == 0 || next.expected_ns > 1.5 * lengths[count - 1].expected_ns)
            lengths[count++] = next;
        if (wanted_ns >= longest_ns)
            break;
    }
    return count;
}

static kt_status measure_rung(doctor *d, const kernel_length *length, double from, double to,
                              agreement_rung *rung)
{
    doctor_kernel kernel = {0};
    kt_result *result = NULL;
    uint32_t samples = length->expected_ns < LONG_NS ? SAMPLES : SAMPLES_FEW;
    kt_status status = kernel_open(d, &workload_loop, length->iterations, &kernel);
    if (status == KT_OK)
        status = kernel_measure(&kernel,
                                (kt_measure_options){.trials = length->trials,
                                                     .samples_min = samples,
                                                     .samples_max = samples,
                                                     .max_time_ns = 1000000,
                                                     .timing = KT_TIMING_DEVICE,
                                                     .keep_raw = 1},
                                from, to, &result);
    if (status == KT_OK) {
        const kt_series *series = kt_result_find(result, workload_loop.name);
        agreement_look(rung, kt_series_clock(series, kt_device_get_info(d->device)), series);
    }
    kt_result_destroy(&result);
    kernel_close(&kernel);
    return status;
}

/* Repeats the measurement of a length, so that occasionally lost timestamps do not make a length
 * appear unusable. */
static kt_status measure_until_usable(doctor *d, const kernel_length *length, double from,
                                      double to, agreement_rung *rung)
{
    kt_status status = measure_rung(d, length, from, to, rung);
    for (int i = 1; i < LOOKS_MAX && status == KT_OK && isnan(rung->device_ns); i++)
        status = measure_rung(d, length, to, to, rung);
    return status;
}

static kt_status climb(doctor *d, const kernel_length *lengths, agreement_seen *seen)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < seen->count && status == KT_OK; i++) {
        double part = 1.0 / seen->count;
        seen->rungs[i] = (agreement_rung){.device_ns = NAN, .wall_ns = NAN};
        status = measure_until_usable(d, &lengths[i], i * part, (i + 1) * part, &seen->rungs[i]);
    }
    agreement_rung *last = &seen->rungs[seen->count - 1];
    for (int i = 1; i < LOOKS_MAX && status == KT_OK && agreement_is_doubtful(seen); i++)
        status =
            isnan(last->device_ns) ? KT_OK : measure_rung(d, &lengths[seen->count - 1], 1, 1, last);
    return status;
}

kt_status doctor_check_agreement(doctor *d)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(d->device);
    kernel_length lengths[AGREEMENT_RUNGS_MAX];
    if (d->kernels.missing)
        return KT_OK;
    agreement_seen seen = {.count = plan(d, lengths)};
    seen.shortest_ns = lengths[0].expected_ns;
    if (!limits || !limits->trusted)
        return KT_OK; /* no device times to compare with wall times */
    /* An unknown resolution (NaN) becomes 0. */
    seen.resolution_ns = fmax(0, limits->resolution_ns);
    kt_status status = climb(d, lengths, &seen);
    if (status != KT_OK)
        return status;
    doctor_diagnostic f = judge_agreement(&seen);
    return doctor_add(d, &f);
}
