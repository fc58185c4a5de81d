/*
 * histogram.h - how often durations of about the same length came: what percentiles are found in.
 * Pure.
 *
 * Log-linear: 32 steps from each power of two to the next, from 2^-8 to 2^48 ns, and one bucket for
 * what is below and one for what is above. A double's exponent and the 5 highest bits of its
 * fraction are a bucket's number.
 */
#ifndef KT_STATISTICS_HISTOGRAM_H
#define KT_STATISTICS_HISTOGRAM_H

#include <stdint.h>
#include <string.h>

#define KT_HISTOGRAM_STEP_BITS 5  /* 32 steps to an octave */
#define KT_HISTOGRAM_LOW_LOG2  -8 /* ns */
#define KT_HISTOGRAM_HIGH_LOG2 48
#define KT_HISTOGRAM_STEPS \
    ((KT_HISTOGRAM_HIGH_LOG2 - KT_HISTOGRAM_LOW_LOG2) << KT_HISTOGRAM_STEP_BITS)
#define KT_HISTOGRAM_BUCKETS (KT_HISTOGRAM_STEPS + 2)

typedef struct kt_histogram {
    uint64_t counts[KT_HISTOGRAM_BUCKETS];
} kt_histogram;

/* The bits of a double of IEEE 754, whose order is that of the numbers from 0 up. */
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

/* The bucket of a duration >= 0, given as its bits, counted from the first step; of bits that are
 * no such duration, and of durations below or above all steps, KT_HISTOGRAM_STEPS or more. */
static inline uint64_t kt_histogram_step(uint64_t bits)
{
    /* The biased exponent and the highest bits of the fraction are one number. */
    return (bits >> (52 - KT_HISTOGRAM_STEP_BITS)) -
           ((uint64_t)(1023 + KT_HISTOGRAM_LOW_LOG2) << KT_HISTOGRAM_STEP_BITS);
}

/* The bucket of any duration >= 0. */
static inline uint32_t kt_histogram_bucket(double duration_ns)
{
    uint64_t step = kt_histogram_step(kt_bits_of(duration_ns));
    if (step < KT_HISTOGRAM_STEPS)
        return (uint32_t)step + 1;
    return duration_ns < 1 ? 0 : KT_HISTOGRAM_BUCKETS - 1;
}

/* What stands for the durations of a bucket: no further from any of them than 1/65 of it. 0 for
 * those below all steps, infinity for those above. */
double kt_histogram_value(uint32_t bucket);

uint64_t kt_histogram_count(const kt_histogram *histogram);

/* The value of the bucket that holds the duration of that rank, 1 .. kt_histogram_count(). */
double kt_histogram_at_rank(const kt_histogram *histogram, uint64_t rank);

#endif
