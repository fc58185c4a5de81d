/* SPDX-License-Identifier: MIT */
#include "statistics/histogram.h"

#include <math.h>

/* Lower end, in ns, of bucket number >= 1. */
static double low_of(uint32_t bucket)
{
    uint32_t step = bucket - 1, steps = 1u << KT_HISTOGRAM_STEP_BITS;
    int octave = (int)(step / steps) + KT_HISTOGRAM_LOW_LOG2;
    return ldexp(1 + (double)(step % steps) / steps, octave);
}

double kt_histogram_value(uint32_t bucket)
{
    if (bucket == 0)
        return 0;
    if (bucket >= KT_HISTOGRAM_BUCKETS - 1)
        return INFINITY;
    /* The harmonic mean of the ends a and b has the same relative distance from both: (b - a) / (a
     * + b). The distance is largest, 1/65, in the first bucket of an octave (32 to 33). */
    double a = low_of(bucket), b = low_of(bucket + 1);
    return 2 * a * b / (a + b);
}

uint64_t kt_histogram_count(const kt_histogram *histogram)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++)
        count += histogram->counts[i];
    return count;
}

double kt_histogram_at_rank(const kt_histogram *histogram, uint64_t rank)
{
    uint32_t bucket = 0;
    uint64_t seen = histogram->counts[0];
    while (seen < rank && bucket < KT_HISTOGRAM_BUCKETS - 1)
        seen += histogram->counts[++bucket];
    return kt_histogram_value(bucket);
}
