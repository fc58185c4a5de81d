/* SPDX-License-Identifier: MIT */
/* tracing.h - adds the submissions of a measurement to a trace. */
#ifndef KT_MEASURE_TRACING_H
#define KT_MEASURE_TRACING_H

#include "clock/ticks.h"
#include "device/submission.h"

/* Open clocks of a traced device, shared by the jobs of the device that one thread measures in
 * turns. */
typedef struct kt_followed kt_followed;

/* Tracing of one job. If zeroed, tracing is off. */
typedef struct kt_tracing {
    kt_trace *trace;
    kt_job *job;
    kt_followed *followed;
} kt_tracing;

/* A submission to add to the trace. */
typedef struct kt_traced {
    const char *phase; /* "first use", "warm-up" or "sample" */
    int64_t sample;    /* number of the sample; -1: the submission is not part of a sample */
    bool timestamped;
    uint32_t trials;
    kt_status status; /* outcome of the submission */
    const kt_submission *submission;
} kt_traced;

/* Shares the clocks of another job on the same device. Call before kt_tracing_begin(). */
void kt_tracing_share(kt_tracing *tracing, const kt_tracing *other);
/*
 * `timestamped`: there will be timestamps, and the device has its timer limits. Then opens the
 * clocks of the device, unless another job has. If a clock cannot be opened, its steps are omitted,
 * except for an elapsed-only clock. Errors of kt_clock_open().
 */
kt_status kt_tracing_begin(kt_tracing *tracing, bool timestamped);
void kt_tracing_fini(kt_tracing *tracing);

/* Adds the host's part of a submission, then updates the clocks if it is time, so that the device's
 * part is placed by the newest readings. */
kt_status kt_tracing_add_host(kt_tracing *tracing, const kt_traced *traced);
/* Adds the steps of a submission, with one timestamp each, by the device's `clocks`. Counts a step
 * without a span as omitted. */
kt_status kt_tracing_add_steps(kt_tracing *tracing, const kt_traced *traced,
                               const kt_clock_info *clocks, const kt_timestamp *timestamps,
                               kt_span_bounds host);
/* Counts all steps of a submission as omitted, for one reason. */
kt_status kt_tracing_omit_steps(kt_tracing *tracing, const char *reason);

/* Adds the known ones of core clock, power and temperature, at the moment of their reading. */
kt_status kt_tracing_add_state(kt_tracing *tracing, const kt_device_state *state);

#endif
