/* transfer.h - what the times of copies of several sizes say of the way between two memories. Pure
 * functions: no state, any thread; nothing is allocated but what the C library's qsort() takes. */
#ifndef KERNTIME_TRANSFER_H
#define KERNTIME_TRANSFER_H

#include <kerntime/api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How long one copy of a size takes. */
typedef struct kt_transfer_point {
    double bytes;    /**< above 0 */
    double time_ns;  /**< above 0; a mean, since the medians of skewed noise lie on no line */
    double error_ns; /**< standard error of time_ns; 0: none is known */
} kt_transfer_point;

/**
 * The point of a size, of n samples in the order in which they were taken, in ns: their mean
 * without outliers, and its standard error, multiplied by sqrt(inflation) as in kt_summary.
 * Outliers lie more than 9 times as far from the median as the quartile on their side, or as half a
 * step of a coarse clock: of a normal law that is a little beyond Tukey's outer fences, and skewed
 * noise keeps its tail, without which its mean would be lower. n = 0: a time of NaN. n = 1, or all
 * samples alike: no error is known. `scratch` has room for n values.
 */
KT_API kt_transfer_point kt_transfer_point_of(double bytes, const double *samples_ns, size_t n,
                                              double *scratch);

/** What came of kt_transfer_fit(). */
typedef enum kt_transfer_state {
    KT_TRANSFER_NONE = 0,  /**< fewer than KT_TRANSFER_SIZES_MIN sizes: no model */
    KT_TRANSFER_OK,        /**< a model, for the sizes from_bytes to to_bytes */
    KT_TRANSFER_ZERO_COPY, /**< no memory is as fast: nothing is copied, so there is no bandwidth */
    KT_TRANSFER_NO_LINE,   /**< so many neighbouring sizes lie on no line that tells a bandwidth */
    KT_TRANSFER_FLAT /**< one time whatever the size so far: larger sizes tell the bandwidth */
} kt_transfer_state;

#define KT_TRANSFER_SIZES_MIN 4
#define KT_TRANSFER_SIZES_MAX 64
#define KT_TRANSFER_LINES_MAX 3

/** Names as in the result file: "ok". Never NULL. */
KT_API const char *kt_transfer_state_name(kt_transfer_state state);

/**
 * t = latency + bytes / bandwidth. All NaN where there is none. Intervals are of 95 %; an upper end
 * that cannot be told is NaN. A bandwidth in bytes per ns is one in GB/s, of 1e9 bytes a second. Of
 * KT_TRANSFER_FLAT there is the latency, which is the one time, and the sizes.
 */
typedef struct kt_transfer_model {
    kt_transfer_state state;
    double latency_ns, latency_low_ns, latency_high_ns; /**< not below 0 */
    double gb_per_s, gb_per_s_low, gb_per_s_high;
    double half_bytes; /**< latency times bandwidth: a copy of that size has half the bandwidth */
    double from_bytes, to_bytes; /**< the smallest and the largest size that the line holds for */
    size_t points;               /**< sizes that it holds for, from there to there */
    /** Time over what the line says, less 1, where that is most off: of the sizes below from_bytes
     * and above to_bytes. 0.5: half as long again; -0.5: half as long. NaN: there are none. */
    double below, above;
} kt_transfer_model;

/**
 * Fits a line through the times of one direction: the one that holds for the most neighbouring
 * sizes, of equally many for larger ones. It holds for a size whose time is within 10 % of it, or
 * within 3 standard errors where these are more. It holds for the first two of them and for the
 * last two. Between these, single sizes for which it does not are passed over, one for each four
 * for which it does at most.
 *
 * `points` may be in any order; several of one size (of several runs) are one: their mean, with an
 * error of no less than their scatter. Left out are those with a number that is NaN, infinite, 0 or
 * below (of errors: these count as not known), and further sizes once there are
 * KT_TRANSFER_SIZES_MAX.
 *
 * Each size weighs by its error relative to the line, 2 % at least, so that small ones tell the
 * latency and large ones the bandwidth; and the more it is off the less, down to nothing where the
 * line ceases to hold (the biweight: Beaton and Tukey, Technometrics 16 (1974)). The intervals are
 * the wider ones of two: by the errors of the points, and by their scatter around the line (Huber,
 * Robust Statistics (1981), 7.6), with Student's t of points - 2 degrees of freedom. A latency that
 * would be below 0 is 0, with the bandwidth that goes with it; the widths of the intervals remain.
 *
 * `most_gb_per_s`: of the fastest memory on this way; NaN where it is not known, or where caches at
 * both ends may be many times as fast. What is more than 10 times as fast (100 TB/s if it is not
 * known) is no copy, even if times were 10 % and 3 standard errors longer: two of the largest three
 * sizes by their bytes over their time (of fewer than KT_TRANSFER_SIZES_MIN the largest); or what
 * lies between the smallest size and the largest, and between the next ones, by the growth of the
 * time, if the larger one's own time is too short for that memory, too.
 *
 * KT_TRANSFER_FLAT: each size is within 10 %, or 3 standard errors, of one time, their weighted
 * mean, and there is no line, or one whose bandwidth has no upper end.
 */
KT_API void kt_transfer_fit(const kt_transfer_point *points, size_t count, double most_gb_per_s,
                            kt_transfer_model *out);

/**
 * That model, and beside a line those of the sizes below from_bytes and of those above to_bytes,
 * fitted in the same way, if they are lines, too: by ascending size. `below` and `above` of each
 * are about all sizes. Returns how many there are, 1 at least; `out` has room for
 * KT_TRANSFER_LINES_MAX.
 */
KT_API size_t kt_transfer_fit_lines(const kt_transfer_point *points, size_t count,
                                    double most_gb_per_s, kt_transfer_model *out);

#ifdef __cplusplus
}
#endif

#endif
