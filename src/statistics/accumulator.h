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
    kt_histogram histogram;
} kt_accumulator;

/* Adds `part` to `all`. The last duration of `part` becomes the last of both. */
void kt_accumulator_add(kt_accumulator *all, const kt_accumulator *part);

/* Sample standard deviation (divisor count - 1); NaN below 2 durations. */
double kt_accumulator_stddev(const kt_accumulator *accumulator);

#endif
