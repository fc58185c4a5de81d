/**
 * @file
 * Statistics of a list of durations.
 *
 * Pure functions: no state, any thread. They allocate only what the C library's qsort() takes.
 */
#ifndef KERNTIME_STATS_H
#define KERNTIME_STATS_H

#include <kerntime/api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sample warnings: properties of a list of samples; a bit mask in kt_summary.warnings.
 *
 * docs/statistics.md defines them, and docs/validation.md shows how often they are right.
 */
typedef enum kt_sample_warning {
    /** Autocorrelated: each sample resembles the one before it. `inflation` is above 1 + 10 /
     * sqrt(n). n >= 20. */
    KT_WARNING_AUTOCORRELATED = 1 << 0,
    /** Trend: from the first sample to the last the times change by more than 0.5 %, and by more
     * than chance explains. There is no single median, so no interval is given. n >= 30, of times
     * above 0. */
    KT_WARNING_DRIFT = 1 << 1,
    /** Bimodal: the times form two clusters. If they switch so seldom that the share of each is
     * left to chance, no interval is given. n >= 20. */
    KT_WARNING_BIMODAL = 1 << 2,
    /** Coarse clock: the clock resolution is above 0.1 % of the median, and makes the interval as
     * wide as it is. More samples do not help, longer ones do. n >= 6. */
    KT_WARNING_COARSE_CLOCK = 1 << 3
} kt_sample_warning;

/** Number of sample warnings: the bits from `1 << 0` on. */
#define KT_WARNING_COUNT 4

/**
 * Name of a sample warning as in the result file, such as "coarse_clock".
 *
 * @param warning one bit
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_sample_warning_name(kt_sample_warning warning);

/**
 * Summary of n samples, in the unit of the samples.
 *
 * Each member states the least n it needs. Below that, or without its sample warning, it is NaN.
 */
typedef struct kt_summary {
    size_t n;      /**< number of samples */
    double min,    /**< smallest sample; n >= 1 */
        max;       /**< largest sample; n >= 1 */
    double mean;   /**< mean; n >= 1 */
    double median; /**< median, for even n the mean of the middle two; n >= 1 */
    double stddev; /**< standard deviation, divisor n - 1; n >= 2 */
    double mad;    /**< median of the distances from the median, not scaled; n >= 1 */
    /** About `stddev` without outliers, sqrt((1.4826 mad)^2 + resolution^2 / 12); n >= 2. */
    double robust_stddev;
    /** 95th percentile, linear between order statistics (Hyndman and Fan 1996, type 7); n >= 1 */
    double p95;
    /** Lower end of the 95 % interval of the median, for any distribution. NaN: n < 6, a trend, or
     * two clusters that switch seldom.
     *
     * - Ends: order statistics at binomial ranks, interpolated (Hettmansperger and Sheather 1986).
     * - Their ranks' distance from that of the median is multiplied by sqrt(inflation).
     * - Half a `resolution` is added at both ends, but not below 0 if no sample is below 0. */
    double ci95_low, ci95_high; /**< upper end of that interval */
    double p95_ci95_low,        /**< lower end of the 95 % interval of p95 (Nyblom 1992); n >= 72 */
        p95_ci95_high;          /**< upper end of the 95 % interval of p95; n >= 72 */
    double resolution; /**< clock resolution that the samples show; 0: none visible; n >= 1 */
    /** Number of outliers below; n >= 1.
     *
     * - They lie beyond Tukey's outer fences: 3 interquartile ranges, or 3 steps of the clock if
     *   longer, from the quartiles. Of two clusters, the quartiles are those of the nearer one.
     * - They stay in all other members. */
    size_t outliers_low, outliers_high; /**< number of outliers above; n >= 1 */
    double inflation; /**< variance of the median over that of independent samples, >= 1; n >= 20 */
    /** with KT_WARNING_DRIFT: change from the first sample to the last, over the median */
    double drift;
    double cluster_low_ns,     /**< with KT_WARNING_BIMODAL: median of the lower cluster */
        cluster_high_ns;       /**< with KT_WARNING_BIMODAL: median of the upper cluster */
    double cluster_high_share; /**< with KT_WARNING_BIMODAL: share of the upper one, 0..1 */
    unsigned warnings;         /**< bit mask of kt_sample_warning */
} kt_summary;

/**
 * Summarises samples.
 *
 * @param samples `n` samples in the order taken; none is NaN
 * @param n number of samples
 * @param resolution known clock resolution of the samples; 0: to be found from the samples
 * @param scratch room for `n` values
 * @param[out] out summary; owned by the caller
 */
KT_API void kt_summarize(const double *samples, size_t n, double resolution, double *scratch,
                         kt_summary *out);

#ifdef __cplusplus
}
#endif

#endif
