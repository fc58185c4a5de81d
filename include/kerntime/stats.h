/* stats.h - what a list of durations says. Pure functions: no state, any thread; nothing is
 * allocated but what the C library's qsort() takes. */
#ifndef KERNTIME_STATS_H
#define KERNTIME_STATS_H

#include <kerntime/api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What may be noticed about a list of samples; kt_summary.patterns holds a set of these.
 * docs/statistics.md says how, docs/validation.md how often rightly. */
typedef enum kt_pattern {
    /** Each sample resembles the one before it: `inflation` is above 1 + 10 / sqrt(n). n >= 20. */
    KT_PATTERN_AUTOCORRELATED = 1 << 0,
    /** The times grow or shrink from the first sample to the last, by more than 0.5 % and more than
     * chance explains: there is no one time to enclose, so no interval is given. n >= 30, of times
     * above 0. */
    KT_PATTERN_DRIFT = 1 << 1,
    /** The times keep to two levels. Where they switch so seldom that the share of each is left to
     * chance, no interval is given. n >= 20. */
    KT_PATTERN_LEVELS = 1 << 2,
    /** The step in which the clock moves, more than 0.1 % of the median, is what makes the interval
     * as wide as it is: more samples do not help, longer ones do. n >= 6. */
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
    double robust_stddev; /**< n >= 2; about what `stddev` would be without outliers:
                               sqrt((1.4826 mad)^2 + grid^2 / 12) */
    double p95; /**< n >= 1; linear between order statistics (Hyndman and Fan 1996, type 7) */
    /** 95 % interval of the median, of any distribution: between order statistics at binomial
     * ranks, interpolated (Hettmansperger and Sheather 1986), the distance of the ranks from the
     * median's multiplied by sqrt(inflation), and half a `grid` further out at both ends, but not
     * below 0 where no sample is. NaN for n < 6, with drift, and between two levels that switch
     * seldom. */
    double ci95_low, ci95_high;
    double p95_ci95_low,
        p95_ci95_high; /**< n >= 72; of the 95th percentile, likewise (Nyblom 1992) */
    double grid;       /**< n >= 1; step that the samples move in; 0: none to be seen */
    /** n >= 1; beyond Tukey's outer fences, 3 interquartile ranges (or steps of the grid, if those
     * are longer) from the quartiles, of two levels from those of the nearer one. They are kept. */
    size_t outliers_low, outliers_high;
    double inflation; /**< n >= 20; variance of the median over that of independent samples, >= 1 */
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

#ifdef __cplusplus
}
#endif

#endif
