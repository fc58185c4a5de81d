/* SPDX-License-Identifier: MIT */
/* context.h - the timer context: a device of the program. */
#ifndef KT_TIMER_CONTEXT_H
#define KT_TIMER_CONTEXT_H

#include "support/thread.h"
#include "timer/streams.h"

struct kt_timer_context {
    const kt_backend *backend;       /* NULL for the CPU, which has no backend */
    const kt_instrumentation *calls; /* instrumentation functions of the backend */
    kt_backend_id id;
    kt_timer_context *next; /* next open context; guarded by the library's mutex */
    void *state;            /* the backend's private state */
    /* clocks that exist have a name; followed clocks are guarded by `mutex` */
    kt_clock_info clocks[KT_CLOCKS_MAX];
    bool wraps;                        /* a clock wraps, or may, while the context lives */
    bool follows;                      /* at least one clock is followed */
    kt_clock *followed[KT_CLOCKS_MAX]; /* guarded by `calibrating` */
    kt_mutex *calibrating;
    int64_t opened_ns;
    uint64_t spans_max;
    atomic_bool closed;
    kt_mutex *collecting; /* one thread collects at a time; also guards `recordings` */
    kt_mutex *mutex;      /* guards all members below, and the span counts of timers */
    uint32_t references;  /* 1 of the program, and 1 of each timer and recording */
    uint32_t lent;        /* timers with a lent slot */
    kt_slot *free_slots;
    char *fresh_slots; /* slots of the newest chunk that were never used */
    size_t fresh_count, slot_count, slot_bytes;
    void **chunks;
    uint32_t chunk_count;
    kt_stream streams[KT_STREAMS_MAX];
    atomic_uint stream_count; /* never decreases, so that a lookup needs no lock */
    kt_slot_queue filled;     /* slots of spans whose commands were not submitted yet */
    kt_slot_queue handed_out; /* end in any order; passes end in that of their commands */
    kt_timer *timers;
    kt_recording *recordings;
    uint64_t awaited; /* spans of all timers that were not collected yet */
    kt_timer_context_counts counts;
    /* resolution of each followed clock, see kt_first_readings_step(); 0: unknown */
    uint64_t clock_steps[KT_CLOCKS_MAX];
    kt_clock_state clock_states[KT_CLOCKS_MAX]; /* latest state of each followed clock */
};

/* KT_INVALID with an error text if the context was closed. */
kt_status kt_timer_context_check(const kt_timer_context *context);
/* KT_INVALID with an error text if the context belongs to another backend. */
kt_status kt_timer_context_check_api(const kt_timer_context *context, const kt_backend *backend);
/* Drops one reference to the context. Frees the context when no reference is left. */
void kt_timer_context_release(kt_timer_context *context);

/* `desc` is the import structure of <kerntime/timer/NAME.h>, with all its fields. */
kt_status kt_timer_context_import(const kt_backend *backend, kt_backend_id id, const void *desc,
                                  uint32_t spans_max, kt_timer_context **out);
/* Creates a context without streams, clocks and backend. */
kt_status kt_timer_context_create(kt_backend_id id, uint32_t spans_max, kt_timer_context **out);

/* A host time before everything that is enqueued from now on. Clocks that cannot wrap while the
 * context lives need no closer bound than its opening. */
int64_t kt_timer_context_begin_ns(const kt_timer_context *context);

#endif
