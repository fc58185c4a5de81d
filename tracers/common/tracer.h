/* SPDX-License-Identifier: MIT */
/*
 * tracer.h - what a tracer of any API calls to record: rows, spans, reasons and costs.
 *
 * A tracer is a shared library in someone else's process: it never prints, exits, or ends the
 * process, and the program goes on whatever happens to it. All functions may be called from any
 * thread, and do nothing when the tracer is off.
 *
 * On the way of each call of the program, only tracer_is_on(), tracer_wants_kernel() and
 * tracer_enqueued() are needed: no lock, no allocation, no system call. tracer_record() takes one
 * lock for a batch of spans.
 *
 * After fork() the child records into a file of its own; all pointers stay valid. Calls in a signal
 * handler that interrupted one of these functions are counted as lost. errno is kept.
 */
#ifndef TRACERS_COMMON_TRACER_H
#define TRACERS_COMMON_TRACER_H

#include "tracers/common/process_file.h"
#include "tracers/common/settings.h"

#include <stddef.h>

typedef struct trace_row trace_row;       /* name, kind and device of calls */
typedef struct trace_device trace_device; /* a device of the program */

/* Opens the process file, once per process and tracer. False: the process is not to be traced, and
 * the tracer should pass everything through. */
bool tracer_open(trace_api api);

/* ---- of tracers/common alone ---- */
enum { TRACER_OFF, TRACER_ON, TRACER_FORKED };
typedef struct tracer_shared {
    _Atomic(uint32_t) mode;
    trace_settings *settings; /* valid unless TRACER_OFF */
    trace_file_head *head;    /* valid in TRACER_ON */
} tracer_shared;
extern tracer_shared tracer_state;
bool tracer_reopen(void); /* in a child of fork() */

/* Whether calls are to be recorded now: opened, not paused, and not given up. */
static inline bool tracer_is_on(void)
{
    uint32_t mode = atomic_load_explicit(&tracer_state.mode, memory_order_acquire);
    if (mode != TRACER_ON && (mode == TRACER_OFF || !tracer_reopen()))
        return false;
    return !atomic_load_explicit(&tracer_state.settings->paused, memory_order_relaxed);
}
/* Whether the next kernel is to be recorded, by --skip and --count. Counts it. */
bool tracer_wants_kernel(void);
/* Whether events of the time line are kept: then spans need the host's times of their calls. */
bool tracer_keeps_events(void);
/* Whether rows are split by size. */
bool tracer_splits_by_size(void);
/* Vulkan: whether barriers go around each command. */
bool tracer_is_exact(void);

/* Adds a device, which lives as long as the process, or finds the one of this id and name: its
 * spans are then on the same clock. `id`: as the command names devices; without a number at its
 * end, the device is always a new one. NULL: no room, or the tracer is off. */
trace_device *tracer_add_device(const char *id, const char *name, double resolution_ns);
/* The relation of the device's clock to the host's monotonic clock (process_file.h). May be called
 * again when it is known better. */
void tracer_set_offset(trace_device *device, double offset_ns, double uncertainty_ns);

/*
 * Finds or adds the row of a name. NULL: the name is not wanted, or no memory. Takes a lock: keep
 * the pointer, which lives as long as the process. Copies the texts. `size`: of the launch, as
 * "1024x1024 / 16x16"; NULL: unknown; ignored unless rows are split by size.
 */
trace_row *tracer_row(trace_device *device, trace_kind kind, const char *name, const char *size);

/* Counts calls that will be settled by tracer_record() or tracer_untimed(). */
void tracer_enqueued(uint64_t count);

#define TRACE_BYTES_UNKNOWN UINT64_MAX

/* A call whose timestamps were read, in ns of the device's clock. */
typedef struct trace_span {
    trace_row *row;
    int64_t begin_ns, end_ns;
    uint64_t bytes;                     /* TRACE_BYTES_UNKNOWN, as for kernels */
    int64_t call_begin_ns, call_end_ns; /* tracer_now_ns(); end 0: unknown */
    uint32_t thread, queue;             /* for lanes of the time line */
    bool overlapped;                    /* it may contain work of neighbours */
} trace_span;

/* Records spans of one device, in any order, and settles them. A span that ends before it begins is
 * counted as untrusted. */
void tracer_record(trace_device *device, const trace_span *spans, size_t count);
/* Settles calls without a time. */
void tracer_untimed(trace_row *row, trace_reason reason, uint64_t count);
/* Notes a function that is not traced. `calls`: further ones; 0: they cannot be seen. */
void tracer_gap(const char *clause, uint64_t calls);
/* The tracer gives up, for good. The program goes on. */
void tracer_stop(const char *sentence);

/* Number of the calling thread, from 0. */
uint32_t tracer_thread(void);

/* The host's monotonic clock. */
int64_t tracer_now_ns(void);

/*
 * Cost. Of each call that is recorded:
 *
 *     trace_timing timing = tracer_begin();
 *     ... own work ...
 *     tracer_pause(&timing);   // before the driver's call
 *     ... the driver's call ...
 *     tracer_resume(&timing);  // after it
 *     ... own work ...
 *     tracer_end(&timing);
 *
 * One call of many is timed: the other ones cost a counter. With tracer_keeps_events(), the clock
 * is read at each pause and resume, and call_begin_ns and call_end_ns are the span's.
 */
typedef struct trace_timing {
    bool is_timed, reads_clock;
    int64_t begin_ns, call_begin_ns, call_end_ns;
} trace_timing;

void tracer_start(trace_timing *timing);
static inline trace_timing tracer_begin(void)
{
    trace_timing timing;
    tracer_start(&timing);
    return timing;
}
void tracer_add_timed(const trace_timing *timing); /* of tracer_end() */

static inline void tracer_pause(trace_timing *timing)
{
    if (timing->reads_clock)
        timing->call_begin_ns = tracer_now_ns();
}

static inline void tracer_resume(trace_timing *timing)
{
    if (timing->reads_clock)
        timing->call_end_ns = tracer_now_ns();
}

static inline void tracer_end(const trace_timing *timing)
{
    if (timing->is_timed)
        tracer_add_timed(timing);
}

/*
 * Cost of reading timestamps and recording them, in CPU time of the thread: without waits for locks
 * or for other threads. Around each reading:
 *
 *     trace_reading reading = tracer_begin_reading(commands);
 *     ... read and record ...
 *     tracer_pause_reading(&reading);  // what is not to be counted
 *     tracer_resume_reading(&reading);
 *     tracer_end_reading(&reading);
 *
 * The CPU clock is a system call, so all large readings are timed, and of small ones a few, which
 * stand for the others. `commands`: that may be read, as far as known; UINT64_MAX: many.
 */
typedef struct trace_reading {
    uint32_t weight; /* 0: it is not timed, or has ended */
    int64_t begin_ns, paused_ns;
} trace_reading;
trace_reading tracer_begin_reading(uint64_t commands);
void tracer_pause_reading(trace_reading *reading);
void tracer_resume_reading(trace_reading *reading);
void tracer_end_reading(trace_reading *reading);

#endif
