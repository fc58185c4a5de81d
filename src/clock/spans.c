#include "clock/spans.h"

#include "clock/ticks.h"

#include <math.h>

/* How much the device's clock may run ahead of the host's before a span counts as impossible. */
#define CLOCK_RATE_SLACK 0.01

double kt_span_most_ns(double wall_ns, double grid_ns)
{
    return wall_ns * (1 + CLOCK_RATE_SLACK) + fmax(0, 2 * grid_ns); /* of NaN 0 */
}

kt_stamp_state kt_stamp_span(const kt_clock_info *clock, const kt_stamp *stamp, kt_span_bounds host,
                             double *span_ns)
{
    if (stamp->state != KT_STAMP_OK)
        return stamp->state;
    if (kt_method_gives_distances(clock->method))
        return kt_elapsed_span(stamp->elapsed_ms, host.most_ns, span_ns);
    return kt_ticks_span(clock, stamp->start_ticks, stamp->end_ticks, host.least_ns, host.most_ns,
                         span_ns);
}

kt_stamp_state kt_stamp_context_span(const kt_clock_info *clocks, const kt_stamp *stamp,
                                     double most_ns, double *span_ns)
{
    if (stamp->state != KT_STAMP_OK)
        return stamp->state;
    return kt_ticks_span(&clocks[stamp->context_clock], stamp->context_start_ticks,
                         stamp->context_end_ticks, 0, most_ns, span_ns);
}

kt_stamp_state kt_stamp_gap(const kt_stamp *stamp, double most_ns, double *gap_ns)
{
    return kt_elapsed_span(stamp->gap_ms, most_ns, gap_ns);
}

static kt_stamp_state sum_of_distances(const kt_stamp *stamps, uint32_t count, double sum_ns,
                                       double most_ns, double *span_ns)
{
    double gaps_ns = 0;
    for (uint32_t i = 1; i < count; i++) {
        double gap_ns = 0;
        if (stamps[i].clock != stamps[0].clock)
            return KT_STAMP_AMBIGUOUS;
        kt_stamp_state state = kt_stamp_gap(&stamps[i], most_ns, &gap_ns);
        if (state != KT_STAMP_OK)
            return state;
        gaps_ns += gap_ns;
    }
    if (!(sum_ns + gaps_ns <= most_ns))
        return KT_STAMP_AMBIGUOUS;
    *span_ns = sum_ns + gaps_ns;
    return KT_STAMP_OK;
}

kt_stamp_state kt_stamps_span(const kt_clock_info *clocks, const kt_stamp *stamps, uint32_t count,
                              double sum_ns, double most_ns, double *span_ns)
{
    const kt_stamp *first = &stamps[0], *last = &stamps[count - 1];
    if (first->clock != last->clock)
        return KT_STAMP_AMBIGUOUS;
    if (kt_method_gives_distances(clocks[first->clock].method))
        return sum_of_distances(stamps, count, sum_ns, most_ns, span_ns);
    return kt_ticks_span(&clocks[first->clock], first->start_ticks, last->end_ticks, 0, most_ns,
                         span_ns);
}
