/*
 * ticks.h - converts ticks and elapsed times to ns; no other file does. Pure functions.
 *
 * Room clock: from raw ticks to ns: wrap, period, relation to the host clock, and uncertainties.
 * May know: support, statistics, backends, device.
 */
#ifndef KT_CLOCK_TICKS_H
#define KT_CLOCK_TICKS_H

#include <kerntime/clock.h>
#include <kerntime/result.h>
#include <stdint.h>

/* Mask of the low `valid_bits` (1..64) bits; all 64 if the width is unknown (0). */
uint64_t kt_ticks_mask(uint32_t valid_bits);

/* Ticks from `start` to `end` of a counter with `valid_bits` bits that wrapped at most once, or not
 * at all if the width is unknown. */
uint64_t kt_ticks_delta(uint64_t start, uint64_t end, uint32_t valid_bits);

/* Ticks between two timestamps in either order, the shorter way around. 0 if a counter of unknown
 * width may have wrapped. */
uint64_t kt_ticks_distance(uint64_t a, uint64_t b, uint32_t valid_bits);

/* Greatest common divisor of two numbers; if one of them is 0, the other. */
uint64_t kt_common_divisor(uint64_t a, uint64_t b);

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

#endif
