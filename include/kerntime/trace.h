/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Traces: events on the host's time line, written as a file for trace viewers.
 */
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

/** A collection of events of host and devices. Threads: any may add to it, also at once. */
typedef struct kt_trace kt_trace;

/** Events to keep if kt_trace_options.events_max is 0. */
#define KT_TRACE_EVENTS_DEFAULT 1048576
/** Largest number of arguments of one event. */
#define KT_TRACE_ARGS_MAX 16

/** Options of a trace. Zero everything but `size` for the defaults. */
typedef struct kt_trace_options {
    size_t size;         /**< sizeof(kt_trace_options) */
    uint32_t events_max; /**< events to keep; later ones are counted as lost; 0: 1048576 */
} kt_trace_options;

/** An argument of an event: a string or an integer. */
typedef struct kt_trace_arg {
    const char *name; /**< unique within the event, and not "uncertainty_ns" */
    const char *text; /**< the string; NULL: the integer */
    int64_t number;   /**< the integer; most viewers round it beyond 2^53 */
} kt_trace_arg;

/** An event: something that lasted from one moment of a host clock to another. All strings are
 * copied. */
typedef struct kt_trace_event {
    const char *timeline; /**< name of the host clock of its moments; NULL: the system's, that of
                               kt_host_now_ns() */
    const char *process;  /**< group of tracks: "opencl:0" */
    const char *track; /**< row within the group: "submit"; overlapping events get several rows */
    const char *name;  /**< name: "matmul/512" */
    const char *category;     /**< category: "kernel", "copy", "submit", "wait" */
    int64_t begin_ns;         /**< begin on the host clock, whose zero may be anywhere */
    int64_t end_ns;           /**< end on the host clock; not before begin_ns */
    double uncertainty_ns;    /**< of both moments, not below 0; NaN: unknown */
    const kt_trace_arg *args; /**< arg_count arguments */
    uint32_t arg_count;       /**< number of arguments, at most KT_TRACE_ARGS_MAX */
} kt_trace_event;

/**
 * Creates an empty trace.
 *
 * @param[out] out the trace; destroy it with kt_trace_destroy()
 * @param options NULL: the defaults
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_trace_create(kt_trace **out, const kt_trace_options *options);

/**
 * Frees a trace.
 *
 * @param trace address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_trace_destroy(kt_trace **trace);

/**
 * Adds an event.
 *
 * - It allocates and locks, so do not call it between two readings of a clock that must be close.
 * - If the trace is full, the event is counted as lost, and the call returns KT_OK.
 * - Threads: any.
 *
 * @param trace trace to add to
 * @param event the event, copied
 * @return KT_OK, or
 * - KT_INVALID: it ends before it begins, its uncertainty is below 0, a string is missing, or its
 *   arguments are wrong; it is neither kept nor counted
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_trace_add(kt_trace *trace, const kt_trace_event *event);

/** A value at a moment, such as the clock of a device. All strings are copied. */
typedef struct kt_trace_counter {
    const char *timeline; /**< name of the host clock of `moment_ns`; NULL: the system's */
    const char *process;  /**< group of tracks: "opencl:0" */
    const char *track;    /**< what is drawn: "core clock" */
    const char *name;     /**< name of the value in the track, its unit: "MHz" */
    int64_t moment_ns;    /**< moment on the host clock, whose zero may be anywhere */
    double value;         /**< finite; it holds until the next one of the track */
} kt_trace_counter;

/**
 * Adds a value of a counter, which viewers draw as a curve.
 *
 * - It counts as an event, and allocates and locks as kt_trace_add() does.
 * - Threads: any.
 *
 * @param trace trace to add to
 * @param counter the value, copied
 * @return KT_OK, or
 * - KT_INVALID: a string is missing, or the value is not finite; it is neither kept nor counted
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_trace_add_counter(kt_trace *trace, const kt_trace_counter *counter);

/**
 * Counts an event that is missing because its moment is unknown.
 *
 * - The file has each reason with its count.
 * - Threads: any.
 *
 * @param trace trace to count in
 * @param reason reason: "not_ready"; copied
 * @return KT_OK, or
 * - KT_INVALID: no reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_trace_omit(kt_trace *trace, const char *reason);

/** Numbers of events of a trace. */
typedef struct kt_trace_counts {
    uint32_t events;  /**< kept */
    uint64_t lost;    /**< added when it was full */
    uint64_t omitted; /**< counted by kt_trace_omit(), for all reasons */
} kt_trace_counts;

/**
 * Numbers of events of a trace.
 *
 * Threads: any.
 *
 * @param trace any trace
 * @param[out] out the numbers; owned by the caller
 */
KT_API void kt_trace_get_counts(const kt_trace *trace, kt_trace_counts *out);

/**
 * Writes a trace as JSON in Chrome's trace event format (docs/trace.md).
 *
 * - ui.perfetto.dev and chrome://tracing open it.
 * - The trace may be added to and written again afterwards.
 * - Threads: any. Threads that add meanwhile wait, so the sink must not use the trace.
 *
 * @param trace any trace
 * @param sink where the bytes go
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_IO_ERROR: the sink refused
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_trace_write(kt_trace *trace, const kt_sink *sink);

/**
 * Writes a trace to a file, as kt_report_write_file() does.
 *
 * @param trace any trace
 * @param path the file
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_IO_ERROR: the file could not be written; the error text has the reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_trace_write_file(kt_trace *trace, const char *path);

#ifdef __cplusplus
}
#endif

#endif
