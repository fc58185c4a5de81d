/* SPDX-License-Identifier: MIT */
/*
 * slots.h - spans from their start until they are collected.
 *
 * Room timer: timers and recordings of programs on their own devices, with a file NAME.c for the
 * entry points of each API. May know: support, backends, clock, clock/device, registry.
 *
 * A slot belongs to one span. In streams, kt_timer_start() takes a slot and kt_timer_stop() queues
 * it. In recordings, a span has its slot for as long as it is recorded. A pass keeps its slot until
 * its commands have been submitted, unless the API can be asked for that. Collecting removes the
 * queued slots from the context, queries the driver without any lock that a start or stop would
 * wait for, and puts back the slots that have not ended.
 *
 * Order of locks: context->collecting, recording->mutex, context->mutex. context->calibrating is
 * locked before context->mutex only.
 */
#ifndef KT_TIMER_SLOTS_H
#define KT_TIMER_SLOTS_H

#include "backend.h"

#include <kerntime/timer.h>

/* Whether the thread slept between start and stop. */
typedef enum kt_sleep { KT_SLEEP_UNKNOWN = 0, KT_SLEEP_NONE, KT_SLEEP_SEEN } kt_sleep;

typedef struct kt_slot {
    struct kt_slot *next;
    kt_timer *timer;
    int64_t begin_ns; /* host time at or before the span's start; INT64_MIN: unknown */
    void *mark;       /* the backend's private state */
    void *commands;   /* API commands that contain the span's timestamps, or NULL */
    bool resolved;    /* `commands` make the timestamps readable */
    kt_sleep sleep;
    uint64_t sleeps; /* kt_thread_sleeps() at the start, if the timer is watched */
    /* Result of the span, set when the mark is read. */
    kt_timestamp timestamp;
    double span_ns; /* valid if timestamp.state is KT_TIMESTAMP_OK */
} kt_slot;

/* Linked list of slots, first in, first out. */
typedef struct kt_slot_queue {
    kt_slot *first, *last;
} kt_slot_queue;

/* Counts a span of a recording. KT_LIMIT: the context has too many spans. */
kt_status kt_slot_reserve(kt_timer_context *context, kt_timer *timer);
/* Counts a span and takes a slot with a zeroed mark. KT_LIMIT, KT_NO_MEMORY. */
kt_status kt_slot_take(kt_timer_context *context, kt_timer *timer, kt_slot **out);
/* Gives back a slot that never became a span. */
void kt_slot_give(kt_slot *slot);
/* Gives back a slot whose span has no duration, and counts it as discarded. */
void kt_slot_drop(kt_slot *slot, kt_timestamp_state state);
/* Queues a slot; its span counts as awaited. */
void kt_slot_await(kt_slot *slot, kt_slot_queue *queue);
/* As kt_slot_await(), while the mutex is held. */
void kt_slot_append(kt_slot *slot, kt_slot_queue *queue);

/* Gives back a slot whose span the backend has no room for, and counts it as refused. */
void kt_slot_refuse(kt_slot *slot);
/* Gives back a slot whose mark could not be made; KT_LIMIT counts it as refused. */
void kt_slot_let_go(kt_slot *slot, kt_status status);
/* A backend's function that makes a mark among `commands`: mark_fill in a descriptor, mark_encode
 * in an encoder. */
typedef kt_status kt_slot_marking(void *context, void *commands, void *object, void *mark);
/* Takes a slot and makes its mark in `object`. The caller owns the slot. */
kt_status kt_slot_mark(kt_timer *timer, kt_slot_marking *marking, void *commands, void *object,
                       kt_slot **out);

/* Keeps the slot of a pass until `commands` are submitted. */
void kt_slot_retain(kt_slot *slot, void *commands);
/* Marks the kept slots of `commands` as resolved. */
void kt_slots_set_resolved(kt_timer_context *context, const void *commands);
/* Any commands with kept slots that are resolved; NULL: there are none. */
void *kt_slots_find_resolved(kt_timer_context *context);
/* The kept slots of `commands` are awaited from now on. */
void kt_slots_await_commands(kt_timer_context *context, const void *commands);
/* Gives back the kept slots of `commands`, counted as `state` unless that is KT_TIMESTAMP_OK. */
void kt_slots_drop_commands(kt_timer_context *context, const void *commands,
                            kt_timestamp_state state);

/* Gives back the awaited slots of `commands`, and counts nothing. */
void kt_slots_withdraw_commands(kt_timer_context *context, const void *commands);

/* Implements kt_collect(); context->collecting is held. `waits`: the program waits for the result,
 * and so submits nothing meanwhile. */
kt_status kt_slots_collect(kt_timer_context *context, bool waits);
/* As kt_slots_collect(), but does nothing if another thread is collecting. */
kt_status kt_slots_try_collect(kt_timer_context *context, bool waits);
/* Collects spans of a recording's run that have ended, and remembers what its other queries show.
 * The recording has run, and has spans; its mutex is held. `beside`: as in recording_read. */
kt_status kt_slots_collect_recording(kt_recording *recording, bool beside);
/* Identifies the calling thread. */
const void *kt_slots_this_thread(void);
/* Notes that the calling thread submits the recording, whose mutex is held. */
void kt_slots_note_submitter(kt_recording *recording);
/* Counts the awaited spans of a recording's run as `state`. Its mutex is held. */
void kt_slots_drop_run(kt_recording *recording, kt_timestamp_state state);
/* Gives all spans of a recording back. Its mutex is held. */
void kt_slots_clear_recording(kt_recording *recording);
/* Counts all spans of streams that are in flight as lost. */
void kt_slots_clear_streams(kt_timer_context *context);

#endif
