/* SPDX-License-Identifier: MIT */
/*
 * process_file.h - layout of a process file: what a tracer records of one process.
 *
 * The tracer maps the file and writes to it, and the launcher reads it once the process has ended,
 * however it ended. Places in the file are offsets from its begin; 0: none. Lists grow at their
 * head, whose store makes an item visible; so a killed process leaves whole lists.
 *
 * A tracer reserves disk space before it uses a page (posix_fallocate), so that a full disk cannot
 * end the process. Between its parts a file may have holes, which read as 0. Several tracers in one process have a file each.
 */
#ifndef TRACERS_COMMON_PROCESS_FILE_H
#define TRACERS_COMMON_PROCESS_FILE_H

#include "statistics/histogram.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_FILE_MAGIC   UINT64_C(0x32636f72702d746b) /* changes with the layout */
#define TRACE_FILE_PREFIX  "process-"
#define TRACE_DEVICES_MAX  64
#define TRACE_NAME_BYTES   128
#define TRACE_REASON_BYTES 160
#define TRACE_BATCHES      64 /* of a series of batches */
#define TRACE_THREADS      64 /* with counters of their own; the last ones are for all others */
#define TRACE_WINDOW_SPANS 32768
#define TRACE_WINDOW_FIRST 1024 /* that have disk space from the beginning */

typedef enum trace_api {
    TRACE_OPENCL,
    TRACE_VULKAN,
    TRACE_LEVEL_ZERO,
    TRACE_CUDA,
    TRACE_HIP,
    TRACE_API_COUNT
} trace_api;

/* What a row counts. */
typedef enum trace_kind {
    TRACE_KERNEL,
    TRACE_RENDER, /* a render pass, as a whole */
    TRACE_COPY,   /* also of images; named by its direction */
    TRACE_FILL,
    TRACE_MAP, /* maps and unmaps */
    TRACE_KIND_COUNT
} trace_kind;

/* Why a call has no time. Names and sentences are in reasons.c. */
typedef enum trace_reason {
    TRACE_NO_TIMESTAMPS, /* the queue gives none */
    TRACE_OVERWRITTEN,   /* commands were submitted again before their timestamps could be read */
    TRACE_FAILED,        /* the command ended with an error */
    TRACE_TOO_MANY,      /* too many commands in flight */
    TRACE_UNTRUSTED,     /* the driver's timestamps contradict themselves */
    TRACE_NO_MEMORY,     /* memory or disk space ran out */
    TRACE_DROPPED_BY_DRIVER, /* the driver's own buffers were full */
    TRACE_REASON_COUNT
} trace_reason;

typedef struct trace_interval {
    int64_t begin_ns, end_ns;
} trace_interval;

/* Union of the spans of a device, as far as they were folded in (busy.h). */
typedef struct trace_union {
    uint64_t spans;
    int64_t first_ns, last_ns; /* begin of the first and end of the last span; valid if spans > 0 */
    int64_t folded_ns;         /* begin of the newest span folded in */
    /* Time with at least one span, and with several (each further span counts). */
    double busy_ns, overlap_ns;
    uint64_t late; /* spans that began before folded_ns: busy and overlap are approximate then */
} trace_union;

/* Spans that wait to be sorted and folded in, so that batches of several queues mix. One of two is
 * current; the other one is made from it and then becomes it, so a killed process leaves whole
 * ones. */
typedef struct trace_window {
    _Atomic(uint32_t) current;
    uint32_t room; /* spans of each side that have disk space; 0: all */
    struct {
        trace_union folded;
        _Atomic(uint32_t) count;
        trace_interval spans[TRACE_WINDOW_SPANS]; /* in the order in which they were recorded */
    } sides[2];
} trace_window;

typedef struct trace_file_device {
    char id[16];                 /* as "opencl:0" */
    char name[TRACE_NAME_BYTES]; /* as the driver says */
    /* ns of the device's clock + offset = ns of the host's monotonic clock; valid if uncertainty_ns
     * is a number */
    double offset_ns, uncertainty_ns;
    double resolution_ns; /* of the device's timestamps; NaN: unknown */
    uint64_t spans;
    _Atomic(uint64_t) window; /* offset of the trace_window; 0: none, so busy times are unknown */
} trace_file_device;

/*
 * Series of batches of `length` consecutive times each, for the autocorrelation. `distances` are
 * means of the distance from the pivot, clipped to the limit; `sides` are means of its sign. The
 * first series holds single times: length 1, pivot 0, no limit.
 */
typedef struct trace_batches {
    uint64_t length, filled; /* times in each batch, and in the one that is being filled */
    uint32_t count;          /* of full batches */
    double pivot_ns, limit_ns;
    double distance_sum, side_sum; /* of the batch that is being filled */
    double squares, sided;         /* sums of squared distances and sides of all times */
    double distances[TRACE_BATCHES], sides[TRACE_BATCHES];
} trace_batches;

/* Statistics of the times of a row. */
typedef struct trace_statistics {
    uint64_t count;
    double total_ns, min_ns, max_ns;
    uint64_t bytes, bytes_count; /* of calls whose bytes are known, and the number of such calls */
    double bytes_ns;             /* total time of these calls */
    uint64_t
        overlapped; /* spans that contain work of other commands, since no barrier is between */
    /* A full series is kept, and the next one has batches of twice the length. */
    trace_batches last, batches;
    kt_histogram histogram;
} trace_statistics;

typedef struct trace_file_row {
    uint64_t next; /* offset of the next trace_file_row */
    uint64_t name; /* offset of the text */
    uint64_t size; /* offset of the text of the launch's size; 0: not split by size */
    uint32_t kind, device;
    uint32_t hash; /* of the tracer's own */
    _Atomic(uint64_t) untimed[TRACE_REASON_COUNT];
    trace_statistics statistics;
} trace_file_row;

/* An event of the time line: a command, and the call that enqueued it. */
typedef struct trace_event {
    int64_t begin_ns, end_ns;           /* device's clock */
    int64_t call_begin_ns, call_end_ns; /* host's clock; end 0: unknown */
    uint64_t row;                       /* offset of the trace_file_row */
    uint32_t thread, queue;             /* numbers, as the tracer counts them */
} trace_event;

#define TRACE_CHUNK_EVENTS 1024

/* Events in the order in which they were recorded. */
typedef struct trace_file_chunk {
    uint64_t next; /* offset of the chunk before this one */
    _Atomic(uint32_t) count;
    trace_event events[TRACE_CHUNK_EVENTS];
} trace_file_chunk;

/* A function that the tracer could not look into, with the number of calls if it could be seen. */
typedef struct trace_file_gap {
    uint64_t next;
    uint64_t text;  /* offset of a clause: "clEnqueueCommandBufferKHR is not traced" */
    uint64_t calls; /* 0: unknown */
} trace_file_gap;

/* What tracing cost this process, without the driver's part. Some calls are timed as a whole, less
 * the driver's call. */
typedef struct trace_file_cost {
    _Atomic(uint64_t) reading_ns; /* CPU time for reading timestamps and recording them */
    _Atomic(uint64_t) timed[KT_HISTOGRAM_BUCKETS]; /* calls by their time */
} trace_file_cost;

typedef enum trace_counter {
    TRACE_COUNTER_CALLS,    /* of tracer_begin() */
    TRACE_COUNTER_ENQUEUED, /* calls whose times come later */
    TRACE_COUNTER_SETTLED,  /* those of them that have a time or a reason; others are in flight */
    TRACE_COUNTER_COUNT
} trace_counter;

/* Counters of a thread, on a cache line of their own. */
typedef struct trace_file_thread {
    _Atomic(uint64_t) counters[TRACE_COUNTER_COUNT];
    uint64_t padding[8 - TRACE_COUNTER_COUNT];
} trace_file_thread;

typedef struct trace_file_head {
    _Atomic(uint64_t) magic; /* stored last */
    char version[32];        /* of kerntime */
    uint32_t api;
    int64_t process, parent; /* numbers */
    trace_file_thread threads[TRACE_THREADS];
    char program[TRACE_NAME_BYTES];
    char rank[64];          /* ""; unknown */
    _Atomic(uint64_t) used; /* bytes */
    _Atomic(uint32_t) device_count;
    trace_file_device devices[TRACE_DEVICES_MAX];
    _Atomic(uint64_t) rows, chunks, gaps; /* offsets of the newest item of each list */
    /* Calls whose row had no room: only counted. */
    _Atomic(uint64_t) unnamed[TRACE_KIND_COUNT];
    _Atomic(uint64_t) lost;           /* calls of signal handlers that interrupted the tracer */
    uint64_t lost_events;             /* of the time line, when its memory was full */
    char stopped[TRACE_REASON_BYTES]; /* why the tracer gave up, as a sentence; "": it did not */
    trace_file_cost cost;
} trace_file_head;

_Static_assert(offsetof(trace_file_head, threads) % 64 == 0, "begin of a cache line");

#endif
