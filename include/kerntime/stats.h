/* SPDX-License-Identifier: MIT */
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

/*
 * The statistics, in the order of the result file. X(member, unit, least, group, part, n_min,
 * warning, since, meaning): see kt_summary_field, which has them with the suffix of the unit.
 * Struct, JSON, CSV, reader, schema and docs/result-statistics.md are made of these rows.
 */
#define KT_SUMMARY_FIELDS_(X)                                                                      \
    X(min, NS, 0, "", "", 1, 0, "0.1", "smallest sample")                                          \
    X(median, NS, 0, "", "", 1, 0, "0.1",                                                          \
      "median; of an even number of samples the mean of the middle two")                           \
    X(mean, NS, 0, "", "", 1, 0, "0.1", "mean")                                                    \
    X(max, NS, 0, "", "", 1, 0, "0.1", "largest sample")                                           \
    X(stddev, NS, 0, "", "", 2, 0, "0.1", "standard deviation, divisor n - 1")                     \
    X(mad, NS, 0, "", "", 1, 0, "0.1", "median of the distances from the median, not scaled")      \
    X(p95, NS, 0, "", "", 1, 0, "0.1", "95th percentile (Hyndman and Fan 1996, type 7)")           \
    X(ci95_low, NS, -INFINITY, "ci95_ns", "", 6, 0, "0.1",                                         \
      "lower end of the 95 % interval of the median")                                              \
    X(ci95_high, NS, -INFINITY, "ci95_ns", "", 6, 0, "0.1", "upper end of that interval")          \
    X(p95_ci95_low, NS, -INFINITY, "p95_ci95_ns", "", 72, 0, "0.1",                                \
      "lower end of the 95 % interval of p95")                                                     \
    X(p95_ci95_high, NS, -INFINITY, "p95_ci95_ns", "", 72, 0, "0.1", "upper end of that interval") \
    X(p99, NS, 0, "", "", 1, 0, "0.1", "99th percentile (Hyndman and Fan 1996, type 7)")           \
    X(p99_ci95_low, NS, -INFINITY, "p99_ci95_ns", "", 368, 0, "0.1",                               \
      "lower end of the 95 % interval of p99")                                                     \
    X(p99_ci95_high, NS, -INFINITY, "p99_ci95_ns", "", 368, 0, "0.1",                              \
      "upper end of that interval")                                                                \
    X(robust_stddev, NS, 0, "", "", 2, 0, "0.1",                                                   \
      "sqrt((1.4826 mad)^2 + resolution^2 / 12): about stddev without outliers")                   \
    X(resolution, NS, DBL_TRUE_MIN, "", "", 0, 0, "0.1",                                           \
      "clock resolution that the samples show; 0 or null: none visible")                           \
    X(outliers_low, COUNT, 0, "outliers", "low", 1, 0, "0.1", "samples far below the others")      \
    X(outliers_high, COUNT, 0, "outliers", "high", 1, 0, "0.1", "samples far above the others")    \
    X(inflation, RATIO, 0, "", "", 20, 0, "0.1",                                                   \
      "variance of the median over that of independent samples, at least 1")                       \
    X(drift, RATIO, -INFINITY, "", "", 30, KT_WARNING_DRIFT, "0.1",                                \
      "change from the first sample to the last, over the median")                                 \
    X(cluster_low, NS, 0, "clusters", "low_ns", 20, KT_WARNING_BIMODAL, "0.1",                     \
      "median of the lower cluster")                                                               \
    X(cluster_high, NS, 0, "clusters", "high_ns", 20, KT_WARNING_BIMODAL, "0.1",                   \
      "median of the upper cluster")                                                               \
    X(cluster_high_share, SHARE, 0, "clusters", "high_share", 20, KT_WARNING_BIMODAL, "0.1",       \
      "share of the upper cluster")

#define KT_SUMMARY_MEMBER_(member, unit, least, group, part, n_min, warning, since, meaning) \
    double member;

/**
 * Summary of n samples, in the unit of the samples. Each member is NaN below the `n` of its row, or
 * without its sample warning.
 *
 * - Interval of a quantile: order statistics at binomial ranks, interpolated (Nyblom 1992; for the
 *   median Hettmansperger and Sheather 1986), for any distribution. The distance of their ranks
 *   from that of the quantile is multiplied by sqrt(inflation). Half a `resolution` is added at
 *   both ends, but not below 0 if no sample is below 0. NaN also with a trend, or with two clusters
 *   that switch seldom.
 * - Outliers lie beyond Tukey's outer fences: 3 interquartile ranges, or 3 steps of the clock if
 *   longer, from the quartiles. Of two clusters, the quartiles are those of the nearer one.
 *   Outliers stay in all other members.
 */
typedef struct kt_summary {
    size_t n; /**< number of samples */
    KT_SUMMARY_FIELDS_(KT_SUMMARY_MEMBER_)
    unsigned warnings; /**< bit mask of kt_sample_warning */
} kt_summary;

/** A statistic of kt_summary: its names in result files and what its value can be. */
typedef struct kt_summary_field {
    const char *column; /**< column of CSV, such as "ci95_low_ns"; without group also its key */
    const char *group;  /**< key of the JSON array or object that it is in; "": it stands alone */
    const char *part;   /**< key in the group; "": the group is an array of its fields */
    const char *unit;   /**< "ns", "count", "ratio", or "share" (0 to 1) */
    double least;       /**< lowest value in result files; if it is above 0, they have null for 0 */
    unsigned n_min;     /**< least n; 0: a known n does not suffice */
    unsigned warning;   /**< sample warning that it belongs to; 0: none */
    const char *since;  /**< first version with it; files of older ones lack it */
    const char *meaning; /**< what it is */
    size_t offset;       /**< of the double in kt_summary */
} kt_summary_field;

/**
 * Fields of kt_summary but `n` and `warnings`, in the order of the result file.
 *
 * @param index number of the field, from 0
 * @return static field, or NULL past the last
 */
KT_API const kt_summary_field *kt_summary_get_field(size_t index);

/**
 * Value of a field as result files have it.
 *
 * @param summary any summary
 * @param field field
 * @return value; NaN: unknown, which is null in JSON and empty in CSV
 */
KT_API double kt_summary_get(const kt_summary *summary, const kt_summary_field *field);

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
