/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - log-linear histogram of durations, for percentiles. Pure functions.
 *
 * 32 buckets per power of two cover 2^-8 to 2^48 ns, plus one bucket below and one above. The
 * bucket number is a double's exponent followed by the 5 highest bits of its fraction.
 */
#ifndef KT_STATISTICS_HISTOGRAM_H
#define KT_STATISTICS_HISTOGRAM_H

#include <stdint.h>
#include <string.h>

#define KT_HISTOGRAM_STEP_BITS 5  /* 32 buckets per octave */
#define KT_HISTOGRAM_LOW_LOG2  -8 /* log2 of the lower end of the range in ns */
#define KT_HISTOGRAM_HIGH_LOG2 48
#define KT_HISTOGRAM_STEPS \
    ((KT_HISTOGRAM_HIGH_LOG2 - KT_HISTOGRAM_LOW_LOG2) << KT_HISTOGRAM_STEP_BITS)
#define KT_HISTOGRAM_BUCKETS (KT_HISTOGRAM_STEPS + 2)

typedef struct kt_histogram {
    uint64_t counts[KT_HISTOGRAM_BUCKETS];
} kt_histogram;

/* Bits of an IEEE 754 double. For values >= 0 the bits have the order of the values. */
static inline uint64_t kt_bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double kt_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Bucket of a duration >= 0, given as its bits, counted from 2^-8 ns. KT_HISTOGRAM_STEPS or more if
 * the duration is outside the range or the bits are not a duration. */
static inline uint64_t kt_histogram_step(uint64_t bits)
{
    /* The biased exponent and the highest bits of the fraction form one number. */
    return (bits >> (52 - KT_HISTOGRAM_STEP_BITS)) -
           ((uint64_t)(1023 + KT_HISTOGRAM_LOW_LOG2) << KT_HISTOGRAM_STEP_BITS);
}

/* Bucket of any duration >= 0. */
static inline uint32_t kt_histogram_bucket(double duration_ns)
{
    uint64_t step = kt_histogram_step(kt_bits_of(duration_ns));
    if (step < KT_HISTOGRAM_STEPS)
        return (uint32_t)step + 1;
    return duration_ns < 1 ? 0 : KT_HISTOGRAM_BUCKETS - 1;
}

/* Representative duration of a bucket, within 1/65 of each duration in it. 0 for the bucket below
 * the range, infinity for the one above. */
double kt_histogram_value(uint32_t bucket);

uint64_t kt_histogram_count(const kt_histogram *histogram);

/* Value of the bucket that holds the duration of rank 1 .. kt_histogram_count(). */
double kt_histogram_at_rank(const kt_histogram *histogram, uint64_t rank);

#endif
