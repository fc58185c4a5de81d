/* tracing.h - adds the submissions of a measurement to a trace. */
#ifndef KT_MEASURE_TRACING_H
#define KT_MEASURE_TRACING_H

#include "clock/spans.h"
#include "device/submission.h"

/* The clocks of a device while a trace follows them; shared by the jobs of the device that one
 * thread measures in turns. */
typedef struct kt_followed kt_followed;

/* A job's part of a trace. Zeroed: nothing is traced. */
typedef struct kt_tracing {
    kt_trace *trace;
    kt_job *job;
    kt_followed *followed;
} kt_tracing;

/* A submission to be added. */
typedef struct kt_traced {
    const char *phase; /* "first use", "warm-up" or "sample" */
    int64_t sample;    /* number of the sample; -1: of none */
    bool stamped;
    uint32_t trials;
    kt_status status; /* what became of it */
    const kt_submission *submission;
} kt_traced;

/* Takes part in what another job of the same device follows; before kt_tracing_begin(). */
void kt_tracing_share(kt_tracing *tracing, const kt_tracing *other);
/* `stamped`: there will be stamps, and the device has its ruler. Then it finds where its clocks
 * lie, unless another job has; where that cannot be known only the host is traced. Errors of
 * kt_clock_open(). */
kt_status kt_tracing_begin(kt_tracing *tracing, bool stamped);
void kt_tracing_fini(kt_tracing *tracing);

/* Adds what the host did, then brings the clocks up to date, if it is time: what the device did is
 * placed by that. */
kt_status kt_tracing_add_host(kt_tracing *tracing, const kt_traced *traced);
/* Adds the steps, one stamp each, of those `clocks` of the device; one that has no span is counted
 * as left out. */
kt_status kt_tracing_add_steps(kt_tracing *tracing, const kt_traced *traced,
                               const kt_clock_info *clocks, const kt_stamp *stamps,
                               kt_span_bounds host);
/* The same for what is not even looked at. */
kt_status kt_tracing_omit_steps(kt_tracing *tracing, const char *reason);

#endif
