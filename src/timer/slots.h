/*
 * slots.h - spans from their start until they have been taken in.
 *
 * Room timer: timers and recordings of programs on their own devices, with a file NAME.c for the
 * entry points of each API. May know: support, backends, clock, registry.
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
#ifndef KT_TIMER_SLOTS_H
#define KT_TIMER_SLOTS_H

#include "backend.h"

#include <kerntime/timer.h>

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
