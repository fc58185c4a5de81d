/*
 * ticks.h - from raw ticks, or distances, to ns. Pure, and the only place where that is done.
 *
 * Room clock: from raw ticks to ns: wrap, period, relation to the clock of the host, and how sure
 * each of these is. May know: support, statistics, backends, device.
 */
#ifndef KT_CLOCK_TICKS_H
#define KT_CLOCK_TICKS_H

#include <kerntime/clock.h>
#include <kerntime/result.h>
#include <stdint.h>

/* The low `valid_bits` (1..64) bits set; all 64 where the width is unknown (0). */
uint64_t kt_ticks_mask(uint32_t valid_bits);

/* Ticks from `start` to `end` on a counter of that width that wrapped at most once; of unknown
 * width: not at all. */
uint64_t kt_ticks_delta(uint64_t start, uint64_t end, uint32_t valid_bits);

/* Ticks between two stamps, whichever came first, the shorter way round; 0, which divides nothing,
 * where the counter may have wrapped at a width that is not known. */
uint64_t kt_ticks_distance(uint64_t a, uint64_t b, uint32_t valid_bits);

/* Greatest common divisor; of 0 and another the other. */
uint64_t kt_common_divisor(uint64_t a, uint64_t b);

/* ns until the counter is back where it was; infinite for 64 bits, which no run outlasts, and where
 * its width is unknown. */
double kt_ticks_wrap_ns(const kt_clock_info *clock);

/*
 * The span between two stamps of a clock, given what the host's clock says about it: that it is no
 * longer than span_max_ns and, if the counter wraps more often than that, no shorter than
 * span_min_ns. KT_STAMP_OK with the span in ns, or the state that tells why there is none. Of a
 * clock whose period is unknown (NaN) there is none; of one of unknown width, none across a wrap,
 * nor where it may have turned round more often than it shows.
 */
kt_stamp_state kt_ticks_span(const kt_clock_info *clock, uint64_t start, uint64_t end,
                             double span_min_ns, double span_max_ns, double *span_ns);

/* ---- clocks that give distances, as a float of ms (kt_method_gives_distances()) ---- */

/* Drivers divide whole ns: where the float cannot tell its time from a whole number of ns, it is
 * that number. */
double kt_elapsed_ns(float ms);

/* From one float to the next larger one, in ns: such a time is known no better. 0 where that is
 * less than 1 ns, which is below 16 ms, and of what is no time. */
double kt_elapsed_step_ns(float ms);

/* KT_STAMP_OK with the span, or the state that tells why there is none: NaN is what was there
 * before the driver was asked, and no span is longer than span_max_ns, which the host saw. */
kt_stamp_state kt_elapsed_span(float ms, double span_max_ns, double *span_ns);

#endif
