/* SPDX-License-Identifier: MIT */
/* accumulator.h - summary of a set of durations, and merging of two summaries. Pure functions. */
#ifndef KT_STATISTICS_ACCUMULATOR_H
#define KT_STATISTICS_ACCUMULATOR_H

#include "statistics/histogram.h"

/* Summary of a set of durations. If count is 0, all other members are undefined. */
typedef struct kt_accumulator {
    uint64_t count; /* number of durations, also the total of the histogram */
    double total;
    double mean;
    double squares; /* sum of squared deviations from the mean */
    double min, max, last;
    double unit; /* of the histogram's buckets: 1, or what the durations were multiplied by since */
    kt_histogram histogram;
} kt_accumulator;

/* Adds `part` to `all`. The last duration of `part` becomes the last of both. Of two units, that of
 * `all` stays, and each bucket of `part` goes to the nearest one. */
void kt_accumulator_add(kt_accumulator *all, const kt_accumulator *part);

/* Multiplies all durations by `factor`. */
void kt_accumulator_scale(kt_accumulator *accumulator, double factor);

/* As kt_histogram_at_rank(), in the unit of the durations. */
double kt_accumulator_at_rank(const kt_accumulator *accumulator, uint64_t rank);

/* Sample standard deviation (divisor count - 1); NaN below 2 durations. */
double kt_accumulator_stddev(const kt_accumulator *accumulator);

#endif
