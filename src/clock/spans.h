/* spans.h - the span of stamps, of either kind of clock: those that give ticks and those that give
 * distances. */
#ifndef KT_CLOCK_SPANS_H
#define KT_CLOCK_SPANS_H

#include "backend.h"

/* What the host's clock says of a span. The lower bound tells how often a narrow counter wrapped;
 * 0: unknown. */
typedef struct kt_span_bounds {
    double least_ns, most_ns;
} kt_span_bounds;

/* How long a span within a submission can be, by its wall time and the step of the device's clock
 * (NaN: unknown). */
double kt_span_most_ns(double wall_ns, double grid_ns);

/* From a step's start to its end, in KT_STAMP_OK, or why it has none; then span_ns stays as it
 * is. */
kt_stamp_state kt_stamp_span(const kt_clock_info *clock, const kt_stamp *stamp, kt_span_bounds host,
                             double *span_ns);

/*
 * The same step by the clock that pauses, of a stamp that has_context. That clock may have stood
 * still for any part of what the host saw, so of how often it wrapped only the longest time says
 * something.
 */
kt_stamp_state kt_stamp_context_span(const kt_clock_info *clocks, const kt_stamp *stamp,
                                     double most_ns, double *span_ns);

/* From the end of the step before it to its start; only of a clock that gives distances. Of the
 * first step 0. */
kt_stamp_state kt_stamp_gap(const kt_stamp *stamp, double most_ns, double *gap_ns);

/*
 * From the start of the first of `count` steps of a job to the end of the last, whose stamps are
 * all in KT_STAMP_OK. Of distances it is the sum of all of them, and `sum_ns`, that of the steps,
 * is a part of it to the last bit. `clocks` are the device's; there is no span across two of them.
 */
kt_stamp_state kt_stamps_span(const kt_clock_info *clocks, const kt_stamp *stamps, uint32_t count,
                              double sum_ns, double most_ns, double *span_ns);

#endif
