/* tally.h - the numbers of a set of durations, and of two sets together. Pure. */
#ifndef KT_STATISTICS_TALLY_H
#define KT_STATISTICS_TALLY_H

#include "statistics/histogram.h"

/* Without a count the rest means nothing. */
typedef struct kt_tally {
    uint64_t count; /* the sum of the histogram's */
    double total;
    double mean;
    double squares; /* sum of squared distances from the mean */
    double min, max, last;
    kt_histogram histogram;
} kt_tally;

/* Adds `part` to `all`; its last duration is the newer one. */
void kt_tally_add(kt_tally *all, const kt_tally *part);

/* Divisor count - 1; NaN below 2. */
double kt_tally_stddev(const kt_tally *tally);

#endif
