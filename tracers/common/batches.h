/* SPDX-License-Identifier: MIT */
/*
 * batches.h - autocorrelation of times, of which only batch means are kept (process_file.h).
 *
 * The inflation is the variance of batch means over that of independent times, which is their
 * variance over the length of a batch, times the inflation of the series of means, which are
 * correlated while batches are short (statistics/sample_warnings.h). As there, the larger of two
 * estimates counts: of the sides of the pivot and of clipped distances from it. The pivot is the
 * median of all earlier times. Pure functions.
 */
#ifndef TRACERS_COMMON_BATCHES_H
#define TRACERS_COMMON_BATCHES_H

#include "tracers/common/process_file.h"

/* Adds a time to batches, histogram and sums. */
void trace_statistics_add(trace_statistics *statistics, double duration_ns);
/* Inflation of the median, at least 1. NaN: too few times. */
double trace_inflation(const trace_statistics *statistics);

#endif
