/* transfer.h - what the times of copies of several sizes say of the way between two memories. Pure functions: no
 * state, any thread. */
#ifndef KERNTIME_TRANSFER_H
#define KERNTIME_TRANSFER_H

#include <kerntime/api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How long one copy of a size takes. */
typedef struct kt_transfer_point {
    double bytes; /**< above 0 */
    double
        time_ns; /**< mean of the samples, but for outliers: of skewed noise the median would be off */
    double error_ns; /**< standard error of time_ns; 0: none is known */
} kt_transfer_point;

/**
 * The point of a size, of n samples in the order in which they were taken, in ns: their mean without what lies beyond
 * Tukey's outer fences, and its standard error, multiplied by sqrt(inflation) as in kt_summary. All NaN for n = 0.
 * `scratch` has room for n values.
 */
KT_API kt_transfer_point kt_transfer_point_of(double bytes, const double *samples_ns, size_t n,
                                              double *scratch);

/** What came of kt_transfer_fit(). */
typedef enum kt_transfer_state {
    KT_TRANSFER_NONE = 0, /**< fewer than KT_TRANSFER_POINTS_MIN sizes: no model */
    KT_TRANSFER_OK,       /**< a model, for the sizes from_bytes to to_bytes */
    KT_TRANSFER_ZERO_COPY, /**< the time does not grow with the size: nothing is copied, so there is no bandwidth */
    KT_TRANSFER_NO_LINE /**< no so many neighbouring sizes lie on one line */
} kt_transfer_state;

#define KT_TRANSFER_POINTS_MIN 4

/** Names as in the result file: "ok". Never NULL. */
KT_API const char *kt_transfer_state_name(kt_transfer_state state);

/**
 * t = latency + bytes / bandwidth. All NaN where there is none. Intervals are of 95 %; what is not told of them is NaN.
 * A bandwidth in bytes per ns is one in GB/s, of 1e9 bytes a second.
 */
typedef struct kt_transfer_model {
    kt_transfer_state state;
    double latency_ns, latency_low_ns, latency_high_ns; /**< not below 0 */
    double gb_per_s, gb_per_s_low, gb_per_s_high;
    double half_bytes; /**< latency times bandwidth: a copy of that size has half the bandwidth */
    double from_bytes, to_bytes; /**< the smallest and the largest size that the line holds for */
    size_t points;               /**< sizes from there to there */
    /** Time over what the line says, less 1, where that is most off: of the sizes below from_bytes and above to_bytes.
     * 0.5: half as long again; -0.5: half as long. NaN: there are none. */
    double below, above;
} kt_transfer_model;

/**
 * Fits a line through the times of one direction, robustly: through the longest run of neighbouring sizes that lie on
 * one (within 10 % each, or its own error where that is more), of equally long ones that of the larger sizes. Each size weighs by its
 * relative error, so small ones tell the latency and large ones the bandwidth. `points` are in ascending order of bytes; what is NaN is left
 * out. `most_gb_per_s`: no memory on this way is faster, and what is faster is no copy; NaN: not known, then 100 TB/s.
 */
KT_API void kt_transfer_fit(const kt_transfer_point *points, size_t count, double most_gb_per_s,
                            kt_transfer_model *out);

#ifdef __cplusplus
}
#endif

#endif
