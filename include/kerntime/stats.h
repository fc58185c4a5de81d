/* stats.h - what a list of durations says. Pure functions: no state, no allocation, any thread. */
#ifndef KERNTIME_STATS_H
#define KERNTIME_STATS_H

#include <kerntime/api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What may be noticed about a list of samples; kt_summary.patterns holds a set of these. */
typedef enum kt_pattern {
    /** Each sample resembles the one before it. The intervals are wider by sqrt(inflation). */
    KT_PATTERN_AUTOCORRELATED = 1 << 0,
    /** The times grow or shrink from the first sample to the last: there is no one time to enclose,
     * so no interval is given. */
    KT_PATTERN_DRIFT = 1 << 1,
    /** The times keep to two levels. Where they switch so seldom that the share of each is left to
     * chance, no interval is given. */
    KT_PATTERN_LEVELS = 1 << 2,
    /** The step in which the clock moves is coarser than what the samples would tell otherwise: more
     * of them do not help, longer ones do. */
    KT_PATTERN_COARSE_GRID = 1 << 3
} kt_pattern;

/** How many there are: the bits from 1 << 0 on. */
#define KT_PATTERN_COUNT 4

/** Name of one, as in the result file: "coarse_grid". Never NULL. */
KT_API const char *kt_pattern_name(kt_pattern pattern);

/** A summary of n samples, in the unit of the samples. What n is too small for, and what was not
 * noticed, is NaN. */
typedef struct kt_summary {
    size_t n;
    double min, max;      /**< n >= 1 */
    double mean;          /**< n >= 1 */
    double median;        /**< n >= 1; of even n the mean of the middle two */
    double stddev;        /**< n >= 2; divisor n - 1 */
    double mad;           /**< n >= 1; median of the distances from the median, not scaled */
    double robust_stddev; /**< n >= 2; what `stddev` would be without outliers */
    double p95; /**< n >= 1; linear between order statistics (Hyndman and Fan 1996, type 7) */
    double ci95_low, ci95_high;         /**< 95 % interval of the median */
    double p95_ci95_low, p95_ci95_high; /**< 95 % interval of the 95th percentile */
    double grid;                        /**< step that the samples move in; 0: none to be seen */
    size_t outliers_low, outliers_high; /**< far from the others; kept among them */
    double inflation; /**< variance of the median over that of independent samples */
    double drift;     /**< noticed: change from the first sample to the last, over the median */
    double level_low, level_high; /**< noticed: medians of the two levels */
    double level_high_share;      /**< noticed: share of the samples on the higher one, 0..1 */
    unsigned patterns;            /**< of kt_pattern */
} kt_summary;

/**
 * Summarises samples that stand in the order in which they were taken; NaN must not be among them.
 * `grid` is the step that they are known to move in, 0 where it is to be found from themselves.
 * `scratch` has room for n values.
 */
KT_API void kt_summarize(const double *samples, size_t n, double grid, double *scratch,
                         kt_summary *out);

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
