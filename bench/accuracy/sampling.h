/* SPDX-License-Identifier: MIT */
/* sampling.h - kerntime's rules on made-up noise: the real statistics and the real rule of
 * stopping, without a device or a clock. */
#ifndef BENCH_SAMPLING_H
#define BENCH_SAMPLING_H

#include "bench/calibrate/noise.h"

#include <kerntime/result.h>
#include <kerntime/stats.h>

#define SAMPLING_MAX 1000 /* kerntime's default */

/* Samples until the rule says enough, time having no end. Returns why it ended. */
kt_stop sampling_adaptive(noise_run *run, double rel_err, kt_summary *summary);

/* n <= SAMPLING_MAX samples; if `samples` is not NULL, they are written there. */
void sampling_fixed(noise_run *run, size_t n, double *samples, kt_summary *summary);

/* Whether the interval is there, and holds the value. */
int sampling_given(const kt_summary *summary);
int sampling_covers(const kt_summary *summary, double value);

#endif
