/* lines.h - the rows and devices of all runs of a trace, merged for people: a line for each name,
 * size, kind and device. */
#ifndef CLI_TRACE_LINES_H
#define CLI_TRACE_LINES_H

#include "cli/trace/trace.h"

/* A row in one run. */
typedef struct trace_line_run {
    const trace_total *row;
    const char *device;
    size_t run;
} trace_line_run;

/*
 * Texts are of the document. Of several runs: total, calls and bytes are means over all runs (none
 * in a run that lacks the row); median, p95 and p99 are medians of those of the runs; minimum and
 * maximum are of all calls; untimed and overlapped calls are sums.
 */
typedef struct trace_line {
    const char *name, *size, *device; /* size NULL: not split by size */
    trace_kind kind;
    const trace_line_run *runs; /* run_count of them: those that have the row */
    uint32_t run_count;
    double calls;
    uint64_t timed; /* of all runs */
    uint64_t untimed[TRACE_REASON_COUNT], untimed_sum, overlapped;
    double total_ns; /* NaN: no call has a time */
    double share;    /* of the totals of all lines but maps; NaN: a map, or no time */
    double bytes, gb_per_s;
    double median_ns, min_ns, max_ns, mean_ns, p95_ns, p99_ns;
    double low_ns, high_ns; /* 95 % interval of the median; of several runs by their medians */
} trace_line;

/* A device. Times are means over the runs that used it. */
typedef struct trace_line_device {
    const char *id, *name;
    trace_api api;
    uint32_t run_count, process_count;
    double busy_ns, span_ns, idle_ns, overlap_ns;
    uint64_t late;
} trace_line_device;

typedef struct trace_lines {
    trace_line *lines; /* by kind, then by total, the largest first */
    size_t line_count;
    trace_line_run *line_runs;  /* that the lines point to */
    trace_line_device *devices; /* in the order of the first run that has them */
    size_t device_count;
    uint64_t calls, in_flight, lost_events;    /* of all runs */
    double cost_per_call_ns, cost_ns, wall_ns; /* of all runs; NaN: unknown */
    uint32_t process_count; /* of all runs; a process with two tracers counts once */
    uint32_t thread_count;  /* of the run with the most: that called or read, of all processes */
} trace_lines;

/* Returns false if memory ran out. Free it in any case. */
bool trace_merge(const trace_document *document, trace_lines *out);
void trace_free_lines(trace_lines *lines);

/* In 1e9 bytes/s; NaN: unknown, or a map, which copies nothing on many devices. */
double trace_rate(const trace_total *row);

/* How the times of an API are obtained. */
kt_method trace_method(trace_api api);

/* The name of a reason as in files: "no_timestamps". */
#define TRACE_KEY_BYTES 32
const char *trace_reason_key(trace_reason reason, char out[TRACE_KEY_BYTES]);

#endif
