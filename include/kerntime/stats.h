/* stats.h - what a list of durations says. Pure functions: no state, no allocation, any thread. */
#ifndef KERNTIME_STATS_H
#define KERNTIME_STATS_H

#include <kerntime/api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A summary of n samples, in the unit of the samples. What n is too small for is NaN. */
typedef struct kt_summary {
    size_t n;
    double min, max; /**< n >= 1 */
    double mean;     /**< n >= 1 */
    double median;   /**< n >= 1; of even n the mean of the middle two */
    double stddev;   /**< n >= 2; divisor n - 1 */
    double mad;      /**< n >= 1; median of the distances from the median, not scaled */
    double p95;      /**< n >= 1; linear between order statistics (Hyndman and Fan 1996, type 7) */
    double ci95_low; /**< n >= 6; see kt_median_interval() */
    double ci95_high;
} kt_summary;

/** Sorts `samples` in place, ascending, and summarises them. NaN must not be among them. */
KT_API void kt_summarize(double *samples, size_t n, kt_summary *out);

/**
 * Ranks (from 0) of the two order statistics that enclose the median of any continuous distribution
 * with a probability of at least `confidence` (0 < confidence < 1): the narrowest symmetric pair,
 * by the binomial distribution with p = 1/2 (Hollander and Wolfe, Nonparametric Statistical
 * Methods, section 3.6). Returns 0, and writes nothing, where n is too small for that confidence.
 */
KT_API int kt_median_interval(size_t n, double confidence, size_t *low, size_t *high);

#ifdef __cplusplus
}
#endif

#endif
