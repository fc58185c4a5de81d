/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Latency and bandwidth of copies, fitted to their times by size.
 *
 * Pure functions: no state, any thread. They allocate only what the C library's qsort() takes.
 */
#ifndef KERNTIME_TRANSFER_H
#define KERNTIME_TRANSFER_H

#include <kerntime/api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Time of one copy of one size. */
typedef struct kt_transfer_point {
    double bytes;    /**< size in bytes, above 0 */
    double time_ns;  /**< above 0; a mean, since medians of skewed noise lie on no line */
    double error_ns; /**< standard error of time_ns; 0: unknown */
} kt_transfer_point;

/**
 * Point of one size: mean of its samples without outliers, with the standard error of the mean.
 *
 * - The standard error is multiplied by sqrt(inflation), as in kt_summary.
 * - An outlier is more than 9 times as far from the median as the quartile on its side, or as half
 *   a step of a coarse clock. For normal noise that is slightly beyond Tukey's outer fences. Skewed
 *   noise keeps its tail, without which its mean would be lower.
 * - n = 0: time_ns is NaN. n = 1, or all samples alike: the error is unknown.
 *
 * @param bytes size of the copy in bytes
 * @param samples_ns `n` samples in ns, in the order taken
 * @param n number of samples
 * @param scratch room for `n` values
 * @return the point
 */
KT_API kt_transfer_point kt_transfer_point_of(double bytes, const double *samples_ns, size_t n,
                                              double *scratch);

/** Outcome of kt_transfer_fit(). */
typedef enum kt_transfer_state {
    KT_TRANSFER_NONE = 0,  /**< fewer than KT_TRANSFER_SIZES_MIN sizes: no model */
    KT_TRANSFER_OK,        /**< a model for the sizes from_bytes to to_bytes */
    KT_TRANSFER_ZERO_COPY, /**< faster than any memory: nothing is copied; no bandwidth */
    /** no KT_TRANSFER_SIZES_MIN neighbouring sizes lie on a line that gives a bandwidth */
    KT_TRANSFER_NO_LINE,
    KT_TRANSFER_FLAT /**< the same time for every size so far: larger sizes show the bandwidth */
} kt_transfer_state;

#define KT_TRANSFER_SIZES_MIN 4  /**< least number of sizes of a model */
#define KT_TRANSFER_SIZES_MAX 64 /**< largest number of sizes that a fit uses */
#define KT_TRANSFER_LINES_MAX 3  /**< largest number of lines of kt_transfer_fit_lines() */

/**
 * Name of an outcome as in the result file, such as "ok".
 *
 * @param state any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_transfer_state_name(kt_transfer_state state);

/**
 * A line: time = latency + bytes / bandwidth.
 *
 * - All numbers are NaN where there is no model.
 * - Intervals are of 95 %. An upper end that cannot be determined is NaN.
 * - Bytes per ns are GB/s, of 1e9 bytes per s.
 * - KT_TRANSFER_FLAT has the latency, which is the one time, and the sizes.
 */
typedef struct kt_transfer_model {
    kt_transfer_state state; /**< outcome of the fit */
    double latency_ns,       /**< latency, not below 0 */
        latency_low_ns,      /**< lower end of its interval, not below 0 */
        latency_high_ns;     /**< upper end of its interval, not below 0 */
    double gb_per_s,         /**< bandwidth */
        gb_per_s_low,        /**< lower end of its interval */
        gb_per_s_high;       /**< upper end of its interval */
    double half_bytes; /**< latency times bandwidth: a copy of this size has half the bandwidth */
    double from_bytes, /**< smallest size that the line holds for */
        to_bytes;      /**< largest size that the line holds for */
    size_t points;     /**< number of sizes that the line holds for, in that range */
    /** Largest deviation of a size below from_bytes: time over line, less 1. 0.5: half as long
     * again; -0.5: half as long. NaN: no such size. */
    double below, above; /**< largest deviation of a size above to_bytes, likewise */
} kt_transfer_model;

/**
 * Fits a line to the times of one direction.
 *
 * Choice of the line:
 *
 * - It is the line that holds for the most neighbouring sizes, of equally many for larger ones.
 * - It holds for a size whose time is within 10 % of it, or within 3 standard errors if these are
 *   more.
 * - It holds for the first two of its sizes and for the last two. Between these it may miss single
 *   sizes: at most one for every four it holds for.
 * - KT_TRANSFER_FLAT: each size is within 10 %, or 3 standard errors, of one time (their weighted
 *   mean), and there is no line, or one whose bandwidth has no upper end.
 *
 * Input:
 *
 * - Several points of one size (of several runs) count as one: their mean, with an error not below
 *   their scatter.
 * - Points with a number that is NaN, infinite, 0 or below are left out. Such an error counts as
 *   unknown.
 * - Sizes beyond KT_TRANSFER_SIZES_MAX are left out.
 *
 * Weights and intervals:
 *
 * - A size weighs by its error relative to the line, at least 2 %, so that small sizes determine
 *   the latency and large ones the bandwidth.
 * - The weight falls with the distance to the line, to 0 where the line ceases to hold (biweight:
 *   Beaton and Tukey, Technometrics 16 (1974)).
 * - The interval is the wider one of two: by the errors of the points, and by their scatter around
 *   the line (Huber, Robust Statistics (1981), 7.6), with Student's t of points - 2 degrees of
 *   freedom.
 * - A latency that would be below 0 is 0, with the bandwidth that goes with it. The widths of the
 *   intervals remain.
 *
 * Zero copy (KT_TRANSFER_ZERO_COPY): a rate above 10 times most_gb_per_s, or above 100 TB/s if that
 * is unknown, even if the times were 10 % and 3 standard errors longer. Either of:
 *
 * - two of the largest three sizes, by bytes over time (with fewer than KT_TRANSFER_SIZES_MIN
 *   sizes: the largest size)
 * - the growth of the time from the smallest size to the largest, and between the sizes next to
 *   them, if the larger one's own time is too short for the memory, too
 *
 * @param points `count` points in any order
 * @param count number of points
 * @param most_gb_per_s rate of the fastest memory on this way; NaN: unknown, or caches at both ends
 * may be many times as fast
 * @param[out] out the model; owned by the caller
 */
KT_API void kt_transfer_fit(const kt_transfer_point *points, size_t count, double most_gb_per_s,
                            kt_transfer_model *out);

/**
 * Fits the line of kt_transfer_fit(), and lines to the sizes below and above it.
 *
 * - A line below from_bytes and a line above to_bytes are fitted likewise, and kept if they are
 *   lines.
 * - `below` and `above` of each are about all sizes.
 *
 * @param points `count` points in any order
 * @param count number of points
 * @param most_gb_per_s as of kt_transfer_fit()
 * @param[out] out models by ascending size; room for KT_TRANSFER_LINES_MAX
 * @return number of models, at least 1
 */
KT_API size_t kt_transfer_fit_lines(const kt_transfer_point *points, size_t count,
                                    double most_gb_per_s, kt_transfer_model *out);

#ifdef __cplusplus
}
#endif

#endif
