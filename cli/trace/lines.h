/* SPDX-License-Identifier: MIT */
/* lines.h - the rows and devices of all runs of a trace, merged for people: a line for each name,
 * size, kind and device. */
#ifndef CLI_TRACE_LINES_H
#define CLI_TRACE_LINES_H

#include "cli/trace/trace.h"

/* A row in one run. */
typedef struct trace_line_run {
    const trace_total *row;
    const trace_total_device *device;
    size_t run;
} trace_line_run;

/*
 * Texts are of the document. Of several runs: total, calls, untimed calls and bytes are means over
 * all runs (none in a run that lacks the row); median, p95 and p99 are medians of those of the runs;
 * minimum and maximum are of all calls.
 */
typedef struct trace_line {
    const char *name, *size; /* size NULL: not split by size */
    const trace_total_device *device;
    trace_kind kind;
    const trace_line_run *runs; /* run_count of them: those that have the row */
    uint32_t run_count;
    double calls, untimed;
    uint64_t timed, untimed_for[TRACE_REASON_COUNT], overlapped; /* of all runs */
    double total_ns;                                             /* NaN: no call has a time */
    double share; /* of the totals of all lines but maps; NaN: a map, or no time */
    double bytes, gb_per_s;
    double median_ns, min_ns, max_ns, mean_ns, p95_ns, p99_ns;
    double low_ns, high_ns; /* 95 % interval of the median; of several runs by their medians */
} trace_line;

/* A device. Times are means over the runs in which they are known. */
typedef struct trace_line_device {
    const trace_total_device *device; /* of the first run that has it */
    bool has_rows, has_times;
    uint32_t run_count, process_count; /* runs in which the times are known */
    double busy_ns, span_ns, idle_ns, overlap_ns;
    uint64_t late;
} trace_line_device;

typedef struct trace_lines {
    trace_line *lines; /* by kind, then by total, the largest first */
    size_t line_count;
    trace_line_run *line_runs;  /* that the lines point to */
    trace_line_device *devices; /* in the order of the first run that has them */
    size_t device_count;
    uint64_t calls, in_flight, lost_events;    /* of all runs; calls: see trace_calls() */
    bool is_memory_full;                       /* which is why events were lost */
    uint64_t cost_calls;                       /* calls that the cost is of */
    double cost_per_call_ns, cost_ns, wall_ns; /* of all runs; NaN: unknown */
    /* Processes with calls, of all runs; one with two tracers counts once. */
    uint32_t process_count;
    uint32_t thread_count; /* of the run with the most: that called or read, of all processes */
} trace_lines;

/* Returns false if memory ran out. Free it in any case. */
bool trace_merge(const trace_document *document, trace_lines *out);
void trace_free_lines(trace_lines *lines);

/* Calls of all rows, and those in flight at the end. */
uint64_t trace_calls(const trace_totals *totals);

/* "opencl:0", or "opencl:0 (NAME)" if the document has devices of other names with this id. */
#define TRACE_LABEL_BYTES (TRACE_NAME_BYTES + 24)
const char *trace_device_label(const trace_document *document, const trace_total_device *device,
                               char out[TRACE_LABEL_BYTES]);

/* In 1e9 bytes/s; NaN: unknown, or a map, which copies nothing on many devices. */
double trace_rate(const trace_total *row);

/* How the times of an API are obtained. */
kt_method trace_method(trace_api api);

/* The name of a reason as in files: "no_timestamps". */
#define TRACE_KEY_BYTES 32
const char *trace_reason_key(trace_reason reason, char out[TRACE_KEY_BYTES]);

#endif
