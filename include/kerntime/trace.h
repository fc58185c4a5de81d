/* trace.h - what happened when, on the host's time line: events, written as a file that trace
 * viewers open. */
#ifndef KERNTIME_TRACE_H
#define KERNTIME_TRACE_H

#include <kerntime/api.h>
#include <kerntime/result.h>
#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Collects events of host and devices. Any thread may add to it, also while others do. */
typedef struct kt_trace kt_trace;

/** What events_max means where it is 0. */
#define KT_TRACE_EVENTS_DEFAULT 1048576
/** Most arguments that one event may have. */
#define KT_TRACE_ARGS_MAX 16

/** Options of a trace. Zero everything but `size` for the defaults. */
typedef struct kt_trace_options {
    size_t size;         /**< sizeof(kt_trace_options) */
    uint32_t events_max; /**< kept; those that come later are only counted, as lost; 0: 1048576 */
} kt_trace_options;

/** Something to be known of an event: a text, or a whole number. */
typedef struct kt_trace_arg {
    const char *name; /**< no two of an event alike, and none of them "uncertainty_ns" */
    const char *text; /**< NULL: it is the number */
    int64_t number;   /**< beyond 2^53 most viewers round it */
} kt_trace_arg;

/** Something that lasted from one moment of a host clock to another. All texts are copied. */
typedef struct kt_trace_event {
    const char *timeline; /**< name of the host clock that its moments are on; NULL: the system's
                               own, that of kt_host_now_ns() */
    const char *process;  /**< group of tracks: "opencl:0" */
    /** row within it: "submit and wait". What overlaps is drawn in several rows */
    const char *track;
    const char *name;      /**< what it is: "matmul/512" */
    const char *category;  /**< what kind of thing it is: "kernel", "copy", "submit", "wait" */
    int64_t begin_ns;      /**< on the host clock, whose zero may be anywhere */
    int64_t end_ns;        /**< no earlier than begin_ns */
    double uncertainty_ns; /**< of both moments; NaN: unknown */
    const kt_trace_arg *args;
    uint32_t arg_count;
} kt_trace_event;

/** Makes an empty trace. KT_NO_MEMORY. */
KT_API kt_status kt_trace_create(kt_trace **out, const kt_trace_options *options);
KT_API void kt_trace_destroy(kt_trace **trace);

/**
 * Adds an event; allocates and locks, so not between two readings of a clock that are to be close.
 * One that comes when the trace is full is counted as lost, and the answer is KT_OK. KT_INVALID: it
 * ends before it begins, a text is missing, or its arguments are not as they must be; then it is
 * neither kept nor counted. KT_NO_MEMORY.
 */
KT_API kt_status kt_trace_add(kt_trace *trace, const kt_trace_event *event);

/**
 * Counts an event that there should be and is not, since nothing tells when it was: `reason`
 * ("not_ready") and the count stand in the file. KT_INVALID, KT_NO_MEMORY.
 */
KT_API kt_status kt_trace_omit(kt_trace *trace, const char *reason);

/** What a trace holds. */
typedef struct kt_trace_counts {
    uint32_t events;  /**< kept */
    uint64_t lost;    /**< added when it was full */
    uint64_t omitted; /**< by kt_trace_omit(), for all reasons together */
} kt_trace_counts;

KT_API void kt_trace_get_counts(const kt_trace *trace, kt_trace_counts *out);

/**
 * Writes what it holds as JSON in Chrome's trace event format (docs/trace.md), which
 * ui.perfetto.dev and chrome://tracing open. It may be added to and written again afterwards.
 * Others that add meanwhile wait, so the sink may not use the trace.
 * KT_IO_ERROR: the sink refused. KT_NO_MEMORY.
 */
KT_API kt_status kt_trace_write(kt_trace *trace, const kt_sink *sink);

/** The same to a file, in the way of kt_report_write_file(). KT_IO_ERROR with the reason. */
KT_API kt_status kt_trace_write_file(kt_trace *trace, const char *path);

#ifdef __cplusplus
}
#endif

#endif
