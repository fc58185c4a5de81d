/* SPDX-License-Identifier: MIT */
#include "timer/slots.h"

#include "clock/ticks.h"
#include "registry/registry.h"
#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/keep.h"
#include "timer/events.h"
#include "timer/recording.h"

#include <kerntime/cycles.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define CHUNK_MIN 64 /* slots in the first chunk; each later chunk doubles the number of slots */
#define BATCH     64 /* slots collected before the mutex is locked again */

#define LATE_MIN_NS 20000.0 /* least time from a start to a late stop */
#define WATCH       16      /* spans without sleep after which a timer is watched no more */

/* ---- slots ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

/* Takes an unused slot. New slots are used one by one, since touching a large chunk takes ms. */
static kt_slot *unused_slot(kt_timer_context *context)
{
    kt_slot *slot = context->free_slots;
    if (slot) {
        context->free_slots = slot->next;
        return slot;
    }
    if (context->fresh_count == 0) {
        size_t count = context->slot_count ? context->slot_count : CHUNK_MIN;
        context->slot_bytes = aligned(sizeof *slot) + aligned(context->calls->mark_size);
        context->fresh_slots =
            kt_keep(&context->chunks, &context->chunk_count, kt_alloc(count, context->slot_bytes));
        if (!context->fresh_slots)
            return NULL;
        context->fresh_count = count;
        context->slot_count += count;
    }
    slot = (kt_slot *)(void *)context->fresh_slots;
    slot->mark = context->fresh_slots + aligned(sizeof *slot);
    context->fresh_slots += context->slot_bytes;
    context->fresh_count--;
    return slot;
}

static kt_status count_in(kt_timer_context *context, kt_timer *timer)
{
    if (context->counts.pending >= context->spans_max) {
        context->counts.refused++;
        return KT_LIMIT;
    }
    context->counts.pending++;
    timer->slots++;
    return KT_OK;
}

static void count_out(kt_timer *timer)
{
    timer->context->counts.pending--;
    kt_timer_let_go(timer);
}

static kt_status fail_limit(const kt_timer_context *context)
{
    return kt_fail(KT_LIMIT,
                   "%llu spans are pending, as many as may be: call kt_collect() more often, or "
                   "import with a larger spans_max",
                   (unsigned long long)context->spans_max);
}

kt_status kt_slot_reserve(kt_timer_context *context, kt_timer *timer)
{
    kt_mutex_lock(context->mutex);
    kt_status status = count_in(context, timer);
    kt_mutex_unlock(context->mutex);
    return status == KT_OK ? KT_OK : fail_limit(context);
}

kt_status kt_slot_take(kt_timer_context *context, kt_timer *timer, kt_slot **out)
{
    kt_slot *slot = NULL;
    kt_mutex_lock(context->mutex);
    kt_status status = count_in(context, timer);
    if (status == KT_OK) {
        slot = unused_slot(context);
        if (!slot)
            count_out(timer);
    }
    kt_mutex_unlock(context->mutex);
    if (status != KT_OK)
        return fail_limit(context);
    if (!slot)
        return KT_NO_MEMORY;
    slot->next = NULL;
    slot->timer = timer;
    slot->begin_ns = INT64_MIN;
    slot->commands = NULL;
    slot->resolved = false;
    slot->sleep = KT_SLEEP_UNKNOWN;
    memset(slot->mark, 0, context->calls->mark_size);
    *out = slot;
    return KT_OK;
}

/* The slot's mark is finished, and the mutex is held. */
static void free_slot(kt_slot *slot)
{
    kt_timer_context *context = slot->timer->context;
    slot->next = context->free_slots;
    context->free_slots = slot;
    count_out(slot->timer);
}

void kt_slot_give(kt_slot *slot)
{
    kt_timer_context *context = slot->timer->context;
    context->calls->mark_fini(context->state, slot->mark);
    kt_mutex_lock(context->mutex);
    free_slot(slot);
    kt_mutex_unlock(context->mutex);
}

void kt_slot_drop(kt_slot *slot, kt_timestamp_state state)
{
    kt_timer_context *context = slot->timer->context;
    context->calls->mark_fini(context->state, slot->mark);
    kt_registry_discard(&slot->timer->site, state);
    kt_mutex_lock(context->mutex);
    context->counts.discarded[state]++;
    free_slot(slot);
    kt_mutex_unlock(context->mutex);
}

void kt_slot_refuse(kt_slot *slot)
{
    kt_timer_context *context = slot->timer->context;
    kt_mutex_lock(context->mutex);
    context->counts.refused++;
    kt_mutex_unlock(context->mutex);
    kt_slot_give(slot);
}

void kt_slot_let_go(kt_slot *slot, kt_status status)
{
    if (status == KT_LIMIT)
        kt_slot_refuse(slot);
    else
        kt_slot_give(slot);
}

kt_status kt_slot_mark(kt_timer *timer, kt_slot_marking *marking, void *commands, void *object,
                       kt_slot **out)
{
    kt_timer_context *context = timer->context;
    kt_slot *slot = NULL;
    kt_status status = kt_slot_take(context, timer, &slot);
    if (status != KT_OK)
        return status;
    slot->begin_ns = kt_timer_context_begin_ns(context);
    status = marking(context->state, commands, object, slot->mark);
    if (status == KT_OK)
        *out = slot;
    else
        kt_slot_let_go(slot, status);
    return status;
}

static void append(kt_slot_queue *queue, kt_slot *slot)
{
    slot->next = NULL;
    if (queue->last)
        queue->last->next = slot;
    else
        queue->first = slot;
    queue->last = slot;
}

/* Puts the slots of `before` back at the front of the queue. */
static void put_back(kt_slot_queue *queue, const kt_slot_queue *before)
{
    if (!before->first)
        return;
    before->last->next = queue->first;
    queue->first = before->first;
    if (!queue->last)
        queue->last = before->last;
}

static kt_slot *pop(kt_slot_queue *queue)
{
    kt_slot *slot = queue->first;
    queue->first = slot->next;
    if (!queue->first)
        queue->last = NULL;
    return slot;
}

void kt_slot_append(kt_slot *slot, kt_slot_queue *queue)
{
    append(queue, slot);
    kt_timer_await(slot->timer);
}

void kt_slot_await(kt_slot *slot, kt_slot_queue *queue)
{
    kt_timer_context *context = slot->timer->context;
    kt_mutex_lock(context->mutex);
    kt_slot_append(slot, queue);
    kt_mutex_unlock(context->mutex);
}

static void count_settled(kt_timer *timer)
{
    timer->awaited--;
    timer->context->awaited--;
}

/* ---- passes, until their commands are submitted ---- */

void kt_slot_retain(kt_slot *slot, void *commands)
{
    kt_timer_context *context = slot->timer->context;
    slot->commands = commands;
    kt_mutex_lock(context->mutex);
    append(&context->filled, slot);
    kt_mutex_unlock(context->mutex);
}

void kt_slots_set_resolved(kt_timer_context *context, const void *commands)
{
    kt_mutex_lock(context->mutex);
    for (kt_slot *slot = context->filled.first; slot; slot = slot->next)
        slot->resolved |= slot->commands == commands;
    kt_mutex_unlock(context->mutex);
}

void *kt_slots_find_resolved(kt_timer_context *context)
{
    kt_mutex_lock(context->mutex);
    kt_slot *slot = context->filled.first;
    while (slot && !slot->resolved)
        slot = slot->next;
    void *commands = slot ? slot->commands : NULL;
    kt_mutex_unlock(context->mutex);
    return commands;
}

/* Removes the slots of `commands` from a queue, in its order. The mutex is held. */
static kt_slot_queue take_out(kt_slot_queue *queue, const void *commands)
{
    kt_slot_queue all = *queue, taken = {0};
    *queue = (kt_slot_queue){0};
    while (all.first) {
        kt_slot *slot = pop(&all);
        append(slot->commands == commands ? &taken : queue, slot);
    }
    return taken;
}

void kt_slots_await_commands(kt_timer_context *context, const void *commands)
{
    kt_mutex_lock(context->mutex);
    kt_slot_queue taken = take_out(&context->filled, commands);
    while (taken.first) {
        kt_slot *slot = pop(&taken);
        append(&context->handed_out, slot);
        kt_timer_await(slot->timer);
    }
    kt_mutex_unlock(context->mutex);
}

void kt_slots_drop_commands(kt_timer_context *context, const void *commands,
                            kt_timestamp_state state)
{
    kt_mutex_lock(context->mutex);
    kt_slot_queue taken = take_out(&context->filled, commands);
    kt_mutex_unlock(context->mutex);
    while (taken.first) {
        kt_slot *slot = pop(&taken);
        if (state == KT_TIMESTAMP_OK)
            kt_slot_give(slot);
        else
            kt_slot_drop(slot, state);
    }
}

void kt_slots_withdraw_commands(kt_timer_context *context, const void *commands)
{
    kt_mutex_lock(context->collecting); /* a running collection has taken the spans out */
    kt_mutex_lock(context->mutex);
    kt_slot_queue taken = take_out(&context->handed_out, commands);
    for (const kt_slot *slot = taken.first; slot; slot = slot->next)
        count_settled(slot->timer);
    kt_mutex_unlock(context->mutex);
    while (taken.first)
        kt_slot_give(pop(&taken));
    kt_mutex_unlock(context->collecting);
}

/* ---- from timestamps to durations ---- */

/* Present infos of the context's clocks; copied to `room` if any clock is followed. */
static const kt_clock_info *known_clocks(kt_timer_context *context,
                                         kt_clock_info room[KT_CLOCKS_MAX])
{
    if (!context->follows)
        return context->clocks;
    kt_mutex_lock(context->mutex);
    memcpy(room, context->clocks, sizeof context->clocks);
    kt_mutex_unlock(context->mutex);
    return room;
}

/* The counter's width if it is known, else as many bits as the timestamp needs. */
static uint32_t bits_at_least(const kt_clock_info *clock, uint64_t ticks)
{
    uint32_t bits = clock->valid_bits ? clock->valid_bits : clock->valid_bits_min;
    while (clock->valid_bits == 0 && bits < 64 && ticks >> bits)
        bits++;
    return bits;
}

/* The longest possible span by the host's clock, with a margin for a device clock of another
 * rate. */
static double longest_ns(const kt_clock_info *clock, const kt_timestamp *timestamp,
                         int64_t begin_ns, int64_t end_ns)
{
    bool unknown = begin_ns == INT64_MIN;
    if (unknown && kt_method_is_elapsed_only(clock->method))
        return INFINITY; /* elapsed times never wrap, and a negative one is recognised */
    if (unknown)         /* half the range of the counter, so that a negative span is recognised */
        return ldexp(clock->period_ns, (int)bits_at_least(clock, timestamp->end_ticks) - 1);
    return (double)(end_ns - begin_ns) * 1.001 + 1000;
}

/* Converts a span to ns and records it in the registry, in the statistics of its site. */
static void record(const kt_clock_info *clocks, kt_timer *timer, int64_t begin_ns, int64_t end_ns,
                   kt_timestamp *timestamp, double *span_ns)
{
    const kt_clock_info *clock = &clocks[timestamp->clock];
    const kt_span_bounds host = {.most_ns = longest_ns(clock, timestamp, begin_ns, end_ns)};
    timestamp->state = kt_timestamp_span(clock, timestamp, host, span_ns);
    if (timestamp->state == KT_TIMESTAMP_OK && *span_ns == 0)
        timestamp->state = KT_TIMESTAMP_BELOW_MIN_SPAN; /* the clock did not advance */
    if (timestamp->state == KT_TIMESTAMP_OK)
        kt_record(&timer->site, *span_ns);
    else
        kt_registry_discard(&timer->site, timestamp->state);
}

/* Counts an awaited span as done. The mutex is held. */
static void settle(kt_timer_context *context, kt_timer *timer, kt_timestamp_state state,
                   double span_ns)
{
    if (state == KT_TIMESTAMP_OK)
        context->counts.recorded++;
    else
        context->counts.discarded[state]++;
    count_settled(timer);
    kt_timer_settle(timer, state, span_ns);
}

/* ---- streams ---- */

/* Whether the queue was idle when a span was stopped, most of it being over. */
static bool is_stopped_idle(kt_timer_context *context, const kt_clock_info *clocks,
                            const kt_slot *slot)
{
    kt_timestamp wait = slot->timestamp; /* from the enqueueing of the stop until it had run */
    double wait_ns = 0;
    if (wait.state != KT_TIMESTAMP_OK || slot->span_ns < LATE_MIN_NS ||
        !context->calls->mark_stopped_at_once || slot->timer->watched < 0 ||
        !context->calls->mark_stopped_at_once(context->state, slot->mark, &wait))
        return false;
    wait.start_ticks = wait.queued_ticks;
    kt_span_bounds within = {.most_ns = slot->span_ns};
    return kt_timestamp_span(&clocks[wait.clock], &wait, within, &wait_ns) == KT_TIMESTAMP_OK &&
           slot->span_ns - wait_ns >= fmax(LATE_MIN_NS, wait_ns);
}

/*
 * Counts a late stop: the queue was idle, and the thread had slept since the start, as blocking
 * calls do. Either alone is no proof: a queue is idle, too, when commands take as long as
 * enqueueing them. Asking for sleep costs a system call, so only timers whose queue was seen idle
 * are asked.
 */
static void count_late(kt_timer_context *context, const kt_clock_info *clocks, const kt_slot *slot)
{
    kt_timer *timer = slot->timer;
    if (!is_stopped_idle(context, clocks, slot))
        return;
    if (slot->sleep == KT_SLEEP_SEEN)
        kt_registry_count_late(&timer->site);
    if (slot->sleep == KT_SLEEP_SEEN || timer->watched == 0)
        timer->watched = WATCH;
    else if (slot->sleep == KT_SLEEP_NONE && --timer->watched == 0)
        timer->watched = -1;
}

static void take_in(kt_timer_context *context, kt_slot_queue *ended)
{
    if (!ended->first)
        return;
    int64_t now_ns = kt_host_now_ns(); /* read after all these spans have ended */
    kt_clock_info room[KT_CLOCKS_MAX];
    const kt_clock_info *clocks = known_clocks(context, room);
    for (kt_slot *slot = ended->first; slot; slot = slot->next) {
        record(clocks, slot->timer, slot->begin_ns, now_ns, &slot->timestamp, &slot->span_ns);
        count_late(context, clocks, slot);
        context->calls->mark_fini(context->state, slot->mark);
    }
    kt_mutex_lock(context->mutex);
    while (ended->first) {
        kt_slot *slot = pop(ended);
        settle(context, slot->timer, slot->timestamp.state, slot->span_ns);
        free_slot(slot);
    }
    kt_mutex_unlock(context->mutex);
}

/* Collects the spans of a queue that have ended. `in_order`: they end in the order of the queue. */
static kt_status collect_queue(kt_timer_context *context, kt_slot_queue *queue, bool in_order)
{
    kt_status last = KT_OK;
    kt_slot_queue awaited, ended = {0}, rest = {0};
    kt_mutex_lock(context->mutex);
    awaited = *queue;
    *queue = (kt_slot_queue){0};
    kt_mutex_unlock(context->mutex);
    bool is_reading = awaited.first && context->calls->reading_begin;
    if (is_reading)
        context->calls->reading_begin(context->state);
    for (uint32_t count = 0; awaited.first;) {
        kt_slot *slot = awaited.first;
        slot->timestamp = (kt_timestamp){0};
        kt_status status = context->calls->mark_read(context->state, slot->mark, &slot->timestamp);
        if (status == KT_NOT_READY && in_order)
            break;
        pop(&awaited);
        if (status == KT_NOT_READY) {
            append(&rest, slot);
            continue;
        }
        if (status != KT_OK) {
            slot->timestamp.state = KT_TIMESTAMP_ERROR;
            last = status;
        }
        append(&ended, slot);
        if (++count % BATCH == 0)
            take_in(context, &ended);
    }
    if (is_reading)
        context->calls->reading_end(context->state);
    take_in(context, &ended);
    kt_mutex_lock(context->mutex);
    put_back(queue, in_order ? &awaited : &rest);
    kt_mutex_unlock(context->mutex);
    return last;
}

static void clear_queue(kt_slot_queue *queue)
{
    while (queue->first) {
        kt_slot *slot = pop(queue);
        kt_mutex *mutex = slot->timer->context->mutex;
        kt_mutex_lock(mutex); /* other threads may wait for this span */
        count_settled(slot->timer);
        kt_mutex_unlock(mutex);
        kt_slot_drop(slot, KT_TIMESTAMP_LOST);
    }
}

void kt_slots_clear_streams(kt_timer_context *context)
{
    for (uint32_t i = 0; i < context->stream_count; i++)
        clear_queue(&context->streams[i].stopped);
    clear_queue(&context->handed_out);
    while (context->filled.first)
        kt_slot_drop(pop(&context->filled), KT_TIMESTAMP_LOST);
    for (kt_timer *timer = context->timers; timer; timer = timer->next) {
        if (timer->running)
            kt_slot_drop(timer->running, KT_TIMESTAMP_LOST);
        timer->running = NULL;
    }
}

/* ---- recordings ---- */

/* Whether a span's queries may still show an earlier run, because their reset has not been
 * executed. The two timestamps are not read in one moment, so one alone may be old. Ticks of two
 * runs are never equal. Elapsed times may be, so for those the backend has to know. */
static bool is_stale(const kt_timer_context *context, const kt_recorded *span,
                     const kt_timestamp *timestamp)
{
    return span->seen && !kt_method_is_elapsed_only(context->clocks[timestamp->clock].method) &&
           (timestamp->start_ticks == span->start_ticks || timestamp->end_ticks == span->end_ticks);
}

/* Collects a span if its queries show the awaited run. */
static void take_in_recorded(kt_recording *recording, const kt_clock_info *clocks,
                             kt_recorded *span, kt_timestamp *timestamp, int64_t now_ns)
{
    kt_timer_context *context = recording->context;
    double span_ns = NAN;
    if (timestamp->state == KT_TIMESTAMP_OK) {
        if (is_stale(context, span, timestamp))
            return;
        span->seen = true;
        span->start_ticks = timestamp->start_ticks;
        span->end_ticks = timestamp->end_ticks;
    }
    if (!span->awaited)
        return;
    record(clocks, span->timer, recording->submitted_ns, now_ns, timestamp, &span_ns);
    span->awaited = false;
    recording->awaited_count--;
    kt_mutex_lock(context->mutex);
    settle(context, span->timer, timestamp->state, span_ns);
    kt_mutex_unlock(context->mutex);
}

kt_status kt_slots_collect_recording(kt_recording *recording, bool beside)
{
    kt_status status = recording->context->calls->recording_read(
        recording->state, recording->span_count, beside, recording->timestamps);
    int64_t now_ns = kt_host_now_ns();
    kt_clock_info room[KT_CLOCKS_MAX];
    const kt_clock_info *clocks = known_clocks(recording->context, room);
    for (uint32_t i = 0; i < recording->span_count; i++) {
        kt_timestamp timestamp = recording->timestamps[i];
        if (status != KT_OK || recording->spans[i].failed)
            timestamp.state = KT_TIMESTAMP_ERROR;
        if (timestamp.state != KT_TIMESTAMP_NOT_READY)
            take_in_recorded(recording, clocks, &recording->spans[i], &timestamp, now_ns);
    }
    return status;
}

void kt_slots_drop_run(kt_recording *recording, kt_timestamp_state state)
{
    for (uint32_t i = 0; i < recording->span_count; i++) {
        kt_recorded *span = &recording->spans[i];
        if (!span->awaited)
            continue;
        span->awaited = false;
        kt_registry_discard(&span->timer->site, state);
        kt_mutex_lock(recording->context->mutex);
        settle(recording->context, span->timer, state, NAN);
        kt_mutex_unlock(recording->context->mutex);
    }
    recording->awaited_count = 0;
}

void kt_slots_clear_recording(kt_recording *recording)
{
    kt_mutex_lock(recording->context->mutex);
    for (uint32_t i = 0; i < recording->span_count; i++)
        count_out(recording->spans[i].timer);
    kt_mutex_unlock(recording->context->mutex);
    recording->span_count = 0;
    recording->open = NULL;
}

/* ---- streams and recordings ---- */

static _Thread_local char this_thread; /* its address identifies the thread */

const void *kt_slots_this_thread(void)
{
    return &this_thread;
}

void kt_slots_note_submitter(kt_recording *recording)
{
    recording->submitter = &this_thread;
}

kt_status kt_slots_collect(kt_timer_context *context, bool waits)
{
    kt_status last = KT_OK;
    uint32_t stream_count = context->stream_count;
    for (uint32_t i = 0; i < stream_count; i++) {
        kt_status status = collect_queue(context, &context->streams[i].stopped, true);
        last = status == KT_OK ? last : status;
    }
    if (context->calls->mark_take || context->calls->mark_hand_out || context->calls->mark_fill) {
        bool in_order = context->calls->commands_submitted != NULL;
        kt_status status = collect_queue(context, &context->handed_out, in_order);
        last = status == KT_OK ? last : status;
    }
    for (kt_recording *recording = context->recordings; recording; recording = recording->next) {
        kt_mutex_lock(recording->mutex);
        bool beside = !waits && recording->submitter != &this_thread;
        kt_status status =
            recording->awaited_count ? kt_slots_collect_recording(recording, beside) : KT_OK;
        kt_mutex_unlock(recording->mutex);
        last = status == KT_OK ? last : status;
    }
    return last;
}

kt_status kt_slots_try_collect(kt_timer_context *context, bool waits)
{
    if (!context->backend || !kt_mutex_try_lock(context->collecting))
        return KT_OK;
    kt_status status = kt_slots_collect(context, waits);
    kt_mutex_unlock(context->collecting);
    return status;
}

kt_status kt_collect(kt_timer_context *context)
{
    if (!context)
        return KT_UNAVAILABLE;
    kt_cycles_update();
    kt_status taken = kt_timers_take(context, NULL, false);
    kt_status status = kt_slots_try_collect(context, false);
    return status == KT_OK ? taken : status;
}
