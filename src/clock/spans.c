#include "clock/spans.h"

#include "clock/ticks.h"

#include <math.h>

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
