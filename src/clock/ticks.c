/* SPDX-License-Identifier: MIT */
#include "clock/ticks.h"

#include <math.h>
#include <stdbool.h>

/* Counter widths without known wraps: 64 bits outlast every run; 0 is an unknown width. */
static bool has_known_wrap(uint32_t valid_bits)
{
    return valid_bits > 0 && valid_bits < 64;
}

uint64_t kt_ticks_mask(uint32_t valid_bits)
{
    /* C does not define a shift by the full width of 64. */
    return has_known_wrap(valid_bits) ? (UINT64_C(1) << valid_bits) - 1 : UINT64_MAX;
}

uint64_t kt_ticks_delta(uint64_t start, uint64_t end, uint32_t valid_bits)
{
    return (end - start) & kt_ticks_mask(valid_bits);
}

uint64_t kt_ticks_distance(uint64_t a, uint64_t b, uint32_t valid_bits)
{
    if (valid_bits == 0 && b < a)
        return 0;
    uint64_t forward = kt_ticks_delta(a, b, valid_bits), back = kt_ticks_delta(b, a, valid_bits);
    return forward < back ? forward : back;
}

double kt_ticks_wrap_ns(const kt_clock_info *clock)
{
    return has_known_wrap(clock->valid_bits) ? ldexp(clock->period_ns, (int)clock->valid_bits)
                                             : INFINITY;
}

/* Several numbers of wraps fit span_max_ns. The lower bound must leave exactly one. */
static kt_timestamp_state span_after_wraps(const kt_clock_info *clock, uint64_t ticks,
                                           double span_min_ns, double span_max_ns, double *span_ns)
{
    double wrap_ns = kt_ticks_wrap_ns(clock);
    double remainder_ns = (double)ticks * clock->period_ns;
    double most = floor((span_max_ns - remainder_ns) / wrap_ns);
    double least = fmax(0, ceil((span_min_ns - remainder_ns) / wrap_ns));
    if (least != most)
        return KT_TIMESTAMP_AMBIGUOUS;
    *span_ns = ((double)ticks + ldexp(most, (int)clock->valid_bits)) * clock->period_ns;
    return KT_TIMESTAMP_OK;
}

/* A counter of unknown width has at least the bits of `end`, which gives its shortest possible wrap
 * time. If the span may exceed the shown ticks by one such wrap, the span is ambiguous. */
static kt_timestamp_state span_of_unknown_width(const kt_clock_info *clock, uint64_t start,
                                                uint64_t end, double span_max_ns, double *span_ns)
{
    if (end < start)
        return KT_TIMESTAMP_AMBIGUOUS;
    double turn_ticks = ldexp(1, (int)clock->valid_bits_min);
    while (turn_ticks <= (double)end)
        turn_ticks *= 2;
    double ticks = (double)(end - start);
    if (ticks * clock->period_ns > span_max_ns ||
        (ticks + turn_ticks) * clock->period_ns <= span_max_ns)
        return KT_TIMESTAMP_AMBIGUOUS;
    *span_ns = ticks * clock->period_ns;
    return KT_TIMESTAMP_OK;
}

kt_timestamp_state kt_ticks_span(const kt_clock_info *clock, uint64_t start, uint64_t end,
                                 double span_min_ns, double span_max_ns, double *span_ns)
{
    if (start == 0 && end == 0)
        return KT_TIMESTAMP_ZERO;
    if (isnan(clock->period_ns))
        return KT_TIMESTAMP_AMBIGUOUS;
    if (clock->valid_bits == 0)
        return span_of_unknown_width(clock, start, end, span_max_ns, span_ns);
    uint64_t forward = kt_ticks_delta(start, end, clock->valid_bits);
    double forward_ns = (double)forward * clock->period_ns;
    if (forward_ns + kt_ticks_wrap_ns(clock) <= span_max_ns)
        return span_after_wraps(clock, forward, span_min_ns, span_max_ns, span_ns);
    if (forward_ns <= span_max_ns) {
        *span_ns = forward_ns;
        return KT_TIMESTAMP_OK;
    }
    /* Longer than the host clock's span: negative if the backward distance fits, else ambiguous. */
    uint64_t backward = kt_ticks_delta(end, start, clock->valid_bits);
    bool fits = (double)backward * clock->period_ns <= span_max_ns;
    bool surely_back = clock->valid_bits >= 64 && backward < forward;
    return fits || surely_back ? KT_TIMESTAMP_NEGATIVE : KT_TIMESTAMP_AMBIGUOUS;
}

/* Distance from a float to the next one away from 0; NaN or infinite if there is none. */
static double float_step_ns(float ms)
{
    float size = fabsf(ms);
    return ((double)nextafterf(size, INFINITY) - (double)size) * 1e6;
}

double kt_elapsed_ns(float ms)
{
    double ns = (double)ms * 1e6, whole_ns = nearbyint(ns);
    /* The driver rounds once if it divides, twice if it multiplies by a float near 1e-6. Both
     * errors are below one step. */
    return fabs(ns - whole_ns) <= float_step_ns(ms) ? whole_ns : ns;
}

double kt_elapsed_step_ns(float ms)
{
    double step_ns = float_step_ns(ms);
    return step_ns >= 1 && isfinite(step_ns) ? step_ns : 0;
}

kt_timestamp_state kt_elapsed_span(float ms, double span_max_ns, double *span_ns)
{
    if (isnan(ms))
        return KT_TIMESTAMP_ZERO;
    if (ms < 0)
        return KT_TIMESTAMP_NEGATIVE;
    double ns = kt_elapsed_ns(ms);
    if (isinf(ns) || !(ns <= span_max_ns))
        return KT_TIMESTAMP_AMBIGUOUS;
    *span_ns = ns;
    return KT_TIMESTAMP_OK;
}

/* ---- Timestamps ---- */

/* A span by the device clock is impossible if it exceeds the host's wall time by a larger share. */
#define CLOCK_RATE_SLACK 0.01

double kt_span_most_ns(double wall_ns, double resolution_ns)
{
    return wall_ns * (1 + CLOCK_RATE_SLACK) + fmax(0, 2 * resolution_ns); /* fmax(0, NaN) is 0 */
}

kt_timestamp_state kt_timestamp_span(const kt_clock_info *clock, const kt_timestamp *timestamp,
                                     kt_span_bounds host, double *span_ns)
{
    if (timestamp->state != KT_TIMESTAMP_OK)
        return timestamp->state;
    if (kt_method_is_elapsed_only(clock->method))
        return kt_elapsed_span(timestamp->elapsed_ms, host.most_ns, span_ns);
    return kt_ticks_span(clock, timestamp->start_ticks, timestamp->end_ticks, host.least_ns,
                         host.most_ns, span_ns);
}

kt_timestamp_state kt_timestamp_context_span(const kt_clock_info *clocks,
                                             const kt_timestamp *timestamp, double most_ns,
                                             double *span_ns)
{
    if (timestamp->state != KT_TIMESTAMP_OK)
        return timestamp->state;
    return kt_ticks_span(&clocks[timestamp->context_clock], timestamp->context_start_ticks,
                         timestamp->context_end_ticks, 0, most_ns, span_ns);
}

kt_timestamp_state kt_timestamp_gap(const kt_timestamp *timestamp, double most_ns, double *gap_ns)
{
    return kt_elapsed_span(timestamp->gap_ms, most_ns, gap_ns);
}

static kt_timestamp_state sum_of_elapsed(const kt_timestamp *timestamps, uint32_t count,
                                         double sum_ns, double most_ns, double *span_ns)
{
    double gaps_ns = 0;
    for (uint32_t i = 1; i < count; i++) {
        double gap_ns = 0;
        if (timestamps[i].clock != timestamps[0].clock)
            return KT_TIMESTAMP_AMBIGUOUS;
        kt_timestamp_state state = kt_timestamp_gap(&timestamps[i], most_ns, &gap_ns);
        if (state != KT_TIMESTAMP_OK)
            return state;
        gaps_ns += gap_ns;
    }
    if (!(sum_ns + gaps_ns <= most_ns))
        return KT_TIMESTAMP_AMBIGUOUS;
    *span_ns = sum_ns + gaps_ns;
    return KT_TIMESTAMP_OK;
}

kt_timestamp_state kt_timestamps_span(const kt_clock_info *clocks, const kt_timestamp *timestamps,
                                      uint32_t count, double sum_ns, double most_ns,
                                      double *span_ns)
{
    const kt_timestamp *first = &timestamps[0], *last = &timestamps[count - 1];
    if (first->clock != last->clock)
        return KT_TIMESTAMP_AMBIGUOUS;
    if (kt_method_is_elapsed_only(clocks[first->clock].method))
        return sum_of_elapsed(timestamps, count, sum_ns, most_ns, span_ns);
    return kt_ticks_span(&clocks[first->clock], first->start_ticks, last->end_ticks, 0, most_ns,
                         span_ns);
}
