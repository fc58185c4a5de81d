/* SPDX-License-Identifier: MIT */
/*
 * ticks.h - converts ticks and elapsed times to ns, and computes spans of timestamps. No other file
 * converts ticks to ns. Pure functions.
 *
 * Room clock: from raw ticks to ns: wrap, period, relation to the host clock, and uncertainties.
 * May know: support, statistics, backends.
 */
#ifndef KT_CLOCK_TICKS_H
#define KT_CLOCK_TICKS_H

#include "backend.h"

/* Mask of the low `valid_bits` (1..64) bits; all 64 if the width is unknown (0). */
uint64_t kt_ticks_mask(uint32_t valid_bits);

/* Ticks from `start` to `end` of a counter with `valid_bits` bits that wrapped at most once, or not
 * at all if the width is unknown. */
uint64_t kt_ticks_delta(uint64_t start, uint64_t end, uint32_t valid_bits);

/* Ticks between two timestamps in either order, the shorter way around. 0 if a counter of unknown
 * width may have wrapped. */
uint64_t kt_ticks_distance(uint64_t a, uint64_t b, uint32_t valid_bits);

/* ns until the counter wraps; infinite for 64 bits, which outlast every run, and for unknown
 * width. */
double kt_ticks_wrap_ns(const kt_clock_info *clock);

/*
 * Span between two timestamps, in ns. The host clock limits it to span_max_ns, and for a counter
 * that wraps within that, to at least span_min_ns. KT_TIMESTAMP_OK, or why there is no span: an
 * unknown period (NaN), or a possible wrap at an unknown width.
 */
kt_timestamp_state kt_ticks_span(const kt_clock_info *clock, uint64_t start, uint64_t end,
                                 double span_min_ns, double span_max_ns, double *span_ns);

/* ---- Elapsed-only clocks (kt_method_is_elapsed_only()): a float of ms ---- */

/* Converts a driver's float of ms to ns. Drivers divide whole ns, so a time within one float step
 * of whole ns becomes whole. */
double kt_elapsed_ns(float ms);

/* Resolution in ns of a float of ms: the distance to the next larger float. 0 if below 1 ns, that
 * is, below 16 ms, and if `ms` is not a time. */
double kt_elapsed_step_ns(float ms);

/* Converts a float of ms to a span in ns. KT_TIMESTAMP_OK, or why there is no span: NaN means that
 * the driver wrote nothing, and a span above span_max_ns contradicts the host clock. */
kt_timestamp_state kt_elapsed_span(float ms, double span_max_ns, double *span_ns);

/* ---- Timestamps, of clocks with ticks and of elapsed-only clocks ---- */

/* Bounds of a span by the host clock. The lower bound tells how often a narrow counter wrapped; 0:
 * unknown. */
typedef struct kt_span_bounds {
    double least_ns, most_ns;
} kt_span_bounds;

/* Upper bound of a span within a submission, from its wall time and the clock resolution (NaN:
 * unknown). */
double kt_span_most_ns(double wall_ns, double resolution_ns);

/* Span from a step's start to its end. KT_TIMESTAMP_OK, or the reason why there is none; span_ns is
 * then unchanged. */
kt_timestamp_state kt_timestamp_span(const kt_clock_info *clock, const kt_timestamp *timestamp,
                                     kt_span_bounds host, double *span_ns);

/* Span of the same step by its context clock, for timestamps with has_context. A context clock may
 * pause at any time, so only an upper bound limits how often it wrapped. */
kt_timestamp_state kt_timestamp_context_span(const kt_clock_info *clocks,
                                             const kt_timestamp *timestamp, double most_ns,
                                             double *span_ns);

/* Gap from the end of the previous step to the start of this one, 0 for the first step. For
 * elapsed-only clocks. */
kt_timestamp_state kt_timestamp_gap(const kt_timestamp *timestamp, double most_ns, double *gap_ns);

/*
 * Span from the start of the first of `count` steps to the end of the last; all timestamps must be
 * KT_TIMESTAMP_OK. Elapsed-only clocks: `sum_ns`, the sum of the steps, plus all gaps. There is no
 * span across two clocks of `clocks`, which are the device's.
 */
kt_timestamp_state kt_timestamps_span(const kt_clock_info *clocks, const kt_timestamp *timestamps,
                                      uint32_t count, double sum_ns, double most_ns,
                                      double *span_ns);

#endif
