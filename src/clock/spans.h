/* spans.h - computes spans of timestamps, for clocks with ticks and for elapsed-only clocks. */
#ifndef KT_CLOCK_SPANS_H
#define KT_CLOCK_SPANS_H

#include "backend.h"

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
