/*
 * slots.h - spans from their start until they have been taken in: natives, timers and recordings,
 * and how spans pass between them. For native.c, native_clocks.c, timer.c, events.c, passes.c,
 * encoded.c, recording.c and slots.c.
 *
 * A slot belongs to one span. In streams, kt_timer_start() takes one and kt_timer_stop() queues it;
 * in recordings a span has its slot for as long as it is recorded. That of a pass is held until its
 * commands have been submitted, unless the API is asked for that. Collecting takes what is queued
 * out of the native, asks the driver without any lock that a start or stop would wait for, and puts
 * back what has not ended.
 *
 * Locks, in this order: native->collecting, recording->mutex, native->mutex; native->calibrating
 * before the last alone.
 */
#ifndef KT_SLOTS_H
#define KT_SLOTS_H

#include "backend.h"
#include "support/thread.h"

#include <kerntime/timer.h>
#include <stdatomic.h>

#define KT_STREAMS_MAX 64

typedef struct kt_slot {
    struct kt_slot *next;
    kt_timer *timer;
    int64_t begin_ns; /* host clock, no later than the start; INT64_MIN: not known */
    void *mark;       /* the backend's */
    void *commands;   /* that its stamps are among; NULL: none */
    bool resolved;    /* those commands were */
    /* Once it was read: */
    kt_stamp stamp;
    double span_ns; /* if stamp.state is KT_STAMP_OK */
} kt_slot;

/* In the order in which they were put in. */
typedef struct kt_slot_queue {
    kt_slot *first, *last;
} kt_slot_queue;

/* A queue of the program. What was stopped there ends in that order. */
typedef struct kt_stream {
    _Atomic(void *) handle; /* kt_no_stream: it was removed */
    bool in_order;
    kt_slot_queue stopped;
} kt_stream;

extern char kt_no_stream; /* whose address is no queue's */

struct kt_native {
    const kt_backend *backend; /* NULL: the CPU */
    kt_backend_id id;
    void *state; /* the backend's */
    /* those that have a name; of those that are followed, guarded by the mutex */
    kt_clock_info clocks[KT_CLOCKS_MAX];
    bool wraps;                        /* one of them does, or may, while the native lives */
    bool follows;                      /* one of them is followed: */
    kt_clock *followed[KT_CLOCKS_MAX]; /* by who has this mutex: */
    kt_mutex *calibrating;
    int64_t opened_ns;
    uint64_t spans_max;
    atomic_bool closed;
    kt_mutex *collecting; /* by one thread at a time; guards the list of recordings, too */
    kt_mutex *mutex;      /* guards what follows, and what timers say of their spans */
    uint32_t references;  /* of the program, and of each timer and recording */
    kt_slot *free_slots;
    char *fresh_slots; /* of the newest chunk, never used yet */
    size_t fresh_count, slot_count, slot_bytes;
    void **chunks;
    uint32_t chunk_count;
    kt_stream streams[KT_STREAMS_MAX];
    atomic_uint stream_count; /* never shrinks, so that streams are found without a lock */
    kt_slot_queue filled;     /* of commands that were not submitted yet */
    kt_slot_queue handed_out; /* they end in any order, but passes in that of their commands */
    kt_timer *timers;
    kt_recording *recordings;
    uint64_t awaited; /* spans of all timers */
    kt_native_counts counts;
    /* of what is followed: kt_first_readings_step(), 0: not known, ... */
    uint64_t clock_steps[KT_CLOCKS_MAX];
    kt_clock_state clock_states[KT_CLOCKS_MAX]; /* ... and what is known of it */
};

struct kt_timer {
    kt_native *native;
    kt_timer *next; /* of the native */
    kt_site site;
    char *name;
    _Atomic(kt_slot *) running; /* between start and stop in a stream; else NULL */
    void *stream;               /* where that is */
    uint32_t skipped; /* starts that made no span, so that as many stops have nothing to do */
    _Atomic(int64_t) begin_ns; /* of a CPU timer that runs; else INT64_MIN */
    uint64_t awaited;          /* spans stopped or submitted, not taken in yet */
    uint64_t slots;            /* that name this timer */
    bool destroyed;            /* freed when no slot names it */
    bool has_newest;
    kt_stamp_state newest_state;
    double newest_ns;
};

/* A span of a recording. */
typedef struct kt_recorded {
    kt_timer *timer;
    struct kt_recorded *older_open;  /* as long as it was not stopped */
    bool failed;                     /* a stamp of it could not be put in: each run is an error */
    bool awaited;                    /* submitted, not taken in yet */
    bool seen;                       /* its queries have shown ... */
    uint64_t start_ticks, end_ticks; /* ... these in an earlier run */
} kt_recorded;

struct kt_recording {
    kt_native *native;
    kt_recording *next; /* of the native */
    void *state;        /* the backend's */
    kt_mutex *mutex;
    enum { KT_RECORDING_EMPTY = 0, KT_RECORDING_BEGUN, KT_RECORDING_SUBMITTED } phase;
    bool has_run; /* its queries may have been reset by the device, and stamped */
    uint32_t spans_max, span_count, awaited_count;
    kt_recorded *open;     /* the newest span that was not stopped */
    kt_recorded *spans;    /* what queries have shown is kept beyond resets */
    kt_stamp *stamps;      /* room for reading */
    int64_t submitted_ns;  /* host clock */
    const void *submitter; /* which thread did it */
};

/* KT_INVALID with a sentence if it was closed. */
kt_status kt_native_check(const kt_native *native);
/* Gives up a reference, and frees it with the last one. */
void kt_native_release(kt_native *native);

/* `desc` is that of native/X.h, with everything that the backend is told. */
kt_status kt_native_import(const kt_backend *backend, kt_backend_id id, const void *desc,
                           uint32_t spans_max, kt_native **out);
/* Opens the clocks whose periods the backend does not tell. kt_native_close_clocks() in any
 * case. */
kt_status kt_native_open_clocks(kt_native *native);
void kt_native_close_clocks(kt_native *native);

/* Counts a span in, for a recording: KT_LIMIT. */
kt_status kt_slot_reserve(kt_native *native, kt_timer *timer);
/* The same with a slot, whose mark is zeroed: also KT_NO_MEMORY. */
kt_status kt_slot_take(kt_native *native, kt_timer *timer, kt_slot **out);
/* Gives one back that never came to a span. */
void kt_slot_give(kt_slot *slot);
/* Gives one back whose span has no duration, which is counted. */
void kt_slot_drop(kt_slot *slot, kt_stamp_state state);
/* From now on it is awaited; its timer counts it. */
void kt_slot_await(kt_slot *slot, kt_slot_queue *queue);

/* Gives one back whose span the backend has no room for, which is counted as refused. */
void kt_slot_refuse(kt_slot *slot);
/* Gives one back whose mark could not be made: refused where there was no room (KT_LIMIT). */
void kt_slot_let_go(kt_slot *slot, kt_status status);
/* How a backend makes a mark among `commands`: mark_fill in a descriptor, mark_encode in an
 * encoder. */
typedef kt_status kt_slot_marking(void *native, void *commands, void *object, void *mark);
/* Takes one, and has its mark made in `object`. What is made of the slot then is the caller's. */
kt_status kt_slot_mark(kt_timer *timer, kt_slot_marking *marking, void *commands, void *object,
                       kt_slot **out);

/* It is of a pass among `commands`, which are to be submitted. */
void kt_slot_hold(kt_slot *slot, void *commands);
/* What is held of `commands` has been resolved. */
void kt_slots_set_resolved(kt_native *native, const void *commands);
/* Some commands of which something is held and has been resolved; NULL: there are none. */
void *kt_slots_find_resolved(kt_native *native);
/* What is held of `commands` is awaited from now on. */
void kt_slots_await_commands(kt_native *native, const void *commands);
/* Gives back what is held of `commands`: counted as `state`, unless that is KT_STAMP_OK. */
void kt_slots_drop_commands(kt_native *native, const void *commands, kt_stamp_state state);

/* Gives back what is awaited of `commands`, as if it had never been. */
void kt_slots_withdraw_commands(kt_native *native, const void *commands);

/* A moment of the host's clock before all that is put into a queue from now on. What cannot wrap
 * while the native lives needs no closer bound than its beginning. */
int64_t kt_native_begin_ns(const kt_native *native);

/* A span of it is awaited; the native's mutex is held. */
static inline void kt_timer_await(kt_timer *timer)
{
    timer->awaited++;
    timer->native->awaited++;
}

/* What a timer's newest span was; the native's mutex is held. */
void kt_timer_settle(kt_timer *timer, kt_stamp_state state, double span_ns);
/* A slot less names the timer, which may have waited for that; the native's mutex is held. */
void kt_timer_let_go(kt_timer *timer);

/* What kt_collect() does; native->collecting is held. `waits`: the program waits for it, and so
 * submits nothing meanwhile. */
kt_status kt_slots_collect(kt_native *native, bool waits);
/* The same, or nothing if another thread is at it. */
kt_status kt_slots_try_collect(kt_native *native, bool waits);
/* Takes in what has ended of a recording's run, and keeps in mind what else its queries show. It
 * has run, and has spans; its mutex is held. `beside`: as the backend's. */
kt_status kt_slots_collect_recording(kt_recording *recording, bool beside);
/* The calling thread submits it. Its mutex is held. */
void kt_slots_note_submitter(kt_recording *recording);
/* Counts the spans that are awaited as `state`. Its mutex is held. */
void kt_slots_drop_run(kt_recording *recording, kt_stamp_state state);
/* Gives all spans of a recording back. Its mutex is held. */
void kt_slots_clear_recording(kt_recording *recording);
/* All in streams that is in flight counts as lost. */
void kt_slots_clear_streams(kt_native *native);

#endif
