/* SPDX-License-Identifier: MIT */
/*
 * collect.h - reads the process files of a trace folder and merges them into one summary. For the
 * launcher. Refuses what is no process file, and takes what a killed process left.
 */
#ifndef TRACERS_COMMON_COLLECT_H
#define TRACERS_COMMON_COLLECT_H

#include "tracers/common/process_file.h"

#include <stddef.h>

/* A row over all processes. Missing numbers are NaN. */
typedef struct trace_total {
    const char *name, *size; /* size NULL: not split by size */
    trace_kind kind;
    uint32_t device; /* index in devices */
    uint64_t calls;  /* timed + untimed */
    uint64_t timed;  /* calls with a time */
    uint64_t untimed[TRACE_REASON_COUNT];
    uint64_t overlapped;
    double total_ns, mean_ns, min_ns, max_ns;
    double median_ns, p95_ns, p99_ns; /* of the histogram, within its bucket */
    /* 95 % interval of the median by order statistics, whose ranks are widened by the square root
     * of `inflation`; bounds are the outer edges of their buckets. NaN: too few calls. */
    double low_ns, high_ns;
    /* Variance of batch means over that of independent times, at least 1; NaN: too few batches. */
    double inflation;
    double bytes;    /* total; NaN: unknown */
    double gb_per_s; /* of the calls whose bytes are known */
    kt_histogram histogram;
} trace_total;

/* A device over all processes that used it. */
typedef struct trace_total_device {
    const char *id, *name;
    trace_api api;
    double resolution_ns;
    uint64_t spans;
    double busy_ns, span_ns, idle_ns, overlap_ns; /* summed over processes; NaN: no span */
    uint64_t late;
    /* Number of processes that used it. With more than one, the busy times of two may coincide. */
    uint32_t process_count;
} trace_total_device;

typedef struct trace_total_process {
    int64_t number, parent;
    const char *program, *rank;
    trace_api api;
    bool has_calls;      /* of what is traced */
    uint64_t in_flight;  /* calls without a time when it ended */
    uint32_t threads;    /* that called or read; those after TRACE_THREADS - 1 count as one */
    const char *stopped; /* why its tracer gave up; NULL: it did not */
} trace_total_process;

typedef struct trace_total_gap {
    const char *text;
    uint64_t calls; /* 0: unknown */
} trace_total_gap;

/* An event of the time line. Times of the device are on the host's clock if uncertainty_ns is a
 * number. */
typedef struct trace_total_event {
    uint32_t row, process; /* indices */
    uint32_t thread, queue;
    int64_t begin_ns, end_ns, call_begin_ns, call_end_ns; /* call_end_ns 0: unknown */
    double uncertainty_ns;
} trace_total_event;

typedef struct trace_totals {
    trace_total *rows; /* by total_ns, the largest first */
    size_t row_count;
    trace_total_device *devices;
    size_t device_count;
    trace_total_process *processes; /* a process with two tracers is in it twice */
    size_t process_count;
    trace_total_gap *gaps;
    size_t gap_count;
    bool hooked[TRACE_API_COUNT]; /* a tracer of this API was loaded by a process */
    uint32_t failures;            /* processes that could not be recorded; a gap says why */
    uint64_t calls, in_flight, lost_events;
    double cost_per_call_ns, cost_ns; /* NaN: of some API, no call was timed */
    void *owned;                      /* the collector */
} trace_totals;

/* Reads all files of the folder. Returns 0, or -1 with a sentence in `reason`. A file that cannot
 * be read becomes a gap. Free `out` in any case. */
int trace_collect(const char *folder, trace_totals *out, char *reason, size_t reason_bytes);
/* The same for the bytes of one process file. */
int trace_collect_bytes(const void *bytes, size_t count, trace_totals *out);
void trace_free(trace_totals *totals);

/* Calls `take` for each event of the time line, in no order. Stops when it returns false. */
void trace_each_event(const trace_totals *totals,
                      bool (*take)(void *user, const trace_total_event *event), void *user);

/* Names as "no timestamps", and sentences; static. */
const char *trace_reason_name(trace_reason reason);
const char *trace_reason_text(trace_reason reason);
const char *trace_kind_name(trace_kind kind); /* "kernel" */
const char *trace_api_name(trace_api api);    /* "opencl" */

#endif
