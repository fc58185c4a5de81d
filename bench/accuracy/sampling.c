/* SPDX-License-Identifier: MIT */
#include "bench/accuracy/sampling.h"

#include "measure/rules.h"

#include <math.h>

static double room[SAMPLING_MAX], scratch[SAMPLING_MAX];

kt_stop sampling_adaptive(noise_run *run, double rel_err, kt_summary *summary)
{
    kt_stopping rule = {.samples_min = 10,
                        .samples_max = SAMPLING_MAX,
                        .rel_err = rel_err,
                        .max_time_ns = INT64_MAX};
    kt_stop stop = KT_STOP_NONE;
    uint32_t n = 0;
    summary->n = 0;
    while (stop == KT_STOP_NONE) {
        room[n++] = noise_next(run);
        if (kt_stopping_looks(&rule, n)) {
            kt_summarize(room, n, run->resolution, scratch, summary);
            kt_stopping_add(&rule, summary);
        }
        stop = kt_stopping_check(&rule, n, 0);
    }
    if (summary->n != n) /* it did not end at a look */
        kt_summarize(room, n, run->resolution, scratch, summary);
    return stop;
}

void sampling_fixed(noise_run *run, size_t n, double *samples, kt_summary *summary)
{
    double *to = samples ? samples : room;
    for (size_t i = 0; i < n; i++)
        to[i] = noise_next(run);
    kt_summarize(to, n, run->resolution, scratch, summary);
}

int sampling_given(const kt_summary *summary)
{
    return !isnan(summary->ci95_low);
}

int sampling_covers(const kt_summary *summary, double value)
{
    return summary->ci95_low <= value && value <= summary->ci95_high;
}
