#include "timer/slots.h"

#include "clock/spans.h"
#include "registry/registry.h"
#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/keep.h"
#include "timer/recording.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define CHUNK_MIN 64 /* slots; each chunk after the first doubles their number */
#define BATCH     64 /* slots taken in between two holds of the lock */

/* ---- slots ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

/* Slots that were never used are handed out one by one, since touching a large chunk takes ms. */
static kt_slot *unused_slot(kt_native *native)
{
    kt_slot *slot = native->free_slots;
    if (slot) {
        native->free_slots = slot->next;
        return slot;
    }
    if (native->fresh_count == 0) {
        size_t count = native->slot_count ? native->slot_count : CHUNK_MIN;
        native->slot_bytes = aligned(sizeof *slot) + aligned(native->calls->mark_size);
        native->fresh_slots =
            kt_keep(&native->chunks, &native->chunk_count, kt_alloc(count, native->slot_bytes));
        if (!native->fresh_slots)
            return NULL;
        native->fresh_count = count;
        native->slot_count += count;
    }
    slot = (kt_slot *)(void *)native->fresh_slots;
    slot->mark = native->fresh_slots + aligned(sizeof *slot);
    native->fresh_slots += native->slot_bytes;
    native->fresh_count--;
    return slot;
}

static kt_status count_in(kt_native *native, kt_timer *timer)
{
    if (native->counts.held >= native->spans_max) {
        native->counts.refused++;
        return KT_LIMIT;
    }
    native->counts.held++;
    timer->slots++;
    return KT_OK;
}

static void count_out(kt_timer *timer)
{
    timer->native->counts.held--;
    kt_timer_let_go(timer);
}

static kt_status fail_limit(const kt_native *native)
{
    return kt_fail(KT_LIMIT,
                   "%llu spans are held, as many as may be: call kt_collect() more often, or "
                   "import with a larger spans_max",
                   (unsigned long long)native->spans_max);
}

kt_status kt_slot_reserve(kt_native *native, kt_timer *timer)
{
    kt_mutex_lock(native->mutex);
    kt_status status = count_in(native, timer);
    kt_mutex_unlock(native->mutex);
    return status == KT_OK ? KT_OK : fail_limit(native);
}

kt_status kt_slot_take(kt_native *native, kt_timer *timer, kt_slot **out)
{
    kt_slot *slot = NULL;
    kt_mutex_lock(native->mutex);
    kt_status status = count_in(native, timer);
    if (status == KT_OK) {
        slot = unused_slot(native);
        if (!slot)
            count_out(timer);
    }
    kt_mutex_unlock(native->mutex);
    if (status != KT_OK)
        return fail_limit(native);
    if (!slot)
        return KT_NO_MEMORY;
    slot->next = NULL;
    slot->timer = timer;
    slot->begin_ns = INT64_MIN;
    slot->commands = NULL;
    slot->resolved = false;
    memset(slot->mark, 0, native->calls->mark_size);
    *out = slot;
    return KT_OK;
}

/* Its mark is done with, and the mutex is held. */
static void free_slot(kt_slot *slot)
{
    kt_native *native = slot->timer->native;
    slot->next = native->free_slots;
    native->free_slots = slot;
    count_out(slot->timer);
}

void kt_slot_give(kt_slot *slot)
{
    kt_native *native = slot->timer->native;
    native->calls->mark_fini(native->state, slot->mark);
    kt_mutex_lock(native->mutex);
    free_slot(slot);
    kt_mutex_unlock(native->mutex);
}

void kt_slot_drop(kt_slot *slot, kt_stamp_state state)
{
    kt_native *native = slot->timer->native;
    native->calls->mark_fini(native->state, slot->mark);
    kt_registry_discard(&slot->timer->site, state);
    kt_mutex_lock(native->mutex);
    native->counts.discarded[state]++;
    free_slot(slot);
    kt_mutex_unlock(native->mutex);
}

void kt_slot_refuse(kt_slot *slot)
{
    kt_native *native = slot->timer->native;
    kt_mutex_lock(native->mutex);
    native->counts.refused++;
    kt_mutex_unlock(native->mutex);
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
    kt_native *native = timer->native;
    kt_slot *slot = NULL;
    kt_status status = kt_slot_take(native, timer, &slot);
    if (status != KT_OK)
        return status;
    slot->begin_ns = kt_native_begin_ns(native);
    status = marking(native->state, commands, object, slot->mark);
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

/* What came meanwhile stands behind what was there before. */
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

void kt_slot_await(kt_slot *slot, kt_slot_queue *queue)
{
    kt_native *native = slot->timer->native;
    kt_mutex_lock(native->mutex);
    append(queue, slot);
    kt_timer_await(slot->timer);
    kt_mutex_unlock(native->mutex);
}

static void count_settled(kt_timer *timer)
{
    timer->awaited--;
    timer->native->awaited--;
}

/* ---- passes, until their commands are submitted ---- */

void kt_slot_hold(kt_slot *slot, void *commands)
{
    kt_native *native = slot->timer->native;
    slot->commands = commands;
    kt_mutex_lock(native->mutex);
    append(&native->filled, slot);
    kt_mutex_unlock(native->mutex);
}

void kt_slots_set_resolved(kt_native *native, const void *commands)
{
    kt_mutex_lock(native->mutex);
    for (kt_slot *slot = native->filled.first; slot; slot = slot->next)
        slot->resolved |= slot->commands == commands;
    kt_mutex_unlock(native->mutex);
}

void *kt_slots_find_resolved(kt_native *native)
{
    kt_mutex_lock(native->mutex);
    kt_slot *slot = native->filled.first;
    while (slot && !slot->resolved)
        slot = slot->next;
    void *commands = slot ? slot->commands : NULL;
    kt_mutex_unlock(native->mutex);
    return commands;
}

/* Takes what is of `commands` out of a queue, in its order; the mutex is held. */
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

void kt_slots_await_commands(kt_native *native, const void *commands)
{
    kt_mutex_lock(native->mutex);
    kt_slot_queue taken = take_out(&native->filled, commands);
    while (taken.first) {
        kt_slot *slot = pop(&taken);
        append(&native->handed_out, slot);
        kt_timer_await(slot->timer);
    }
    kt_mutex_unlock(native->mutex);
}

void kt_slots_drop_commands(kt_native *native, const void *commands, kt_stamp_state state)
{
    kt_mutex_lock(native->mutex);
    kt_slot_queue taken = take_out(&native->filled, commands);
    kt_mutex_unlock(native->mutex);
    while (taken.first) {
        kt_slot *slot = pop(&taken);
        if (state == KT_STAMP_OK)
            kt_slot_give(slot);
        else
            kt_slot_drop(slot, state);
    }
}

void kt_slots_withdraw_commands(kt_native *native, const void *commands)
{
    kt_mutex_lock(native->collecting); /* who is at it has the spans in hand */
    kt_mutex_lock(native->mutex);
    kt_slot_queue taken = take_out(&native->handed_out, commands);
    for (const kt_slot *slot = taken.first; slot; slot = slot->next)
        count_settled(slot->timer);
    kt_mutex_unlock(native->mutex);
    while (taken.first)
        kt_slot_give(pop(&taken));
    kt_mutex_unlock(native->collecting);
}

/* ---- from stamps to durations ---- */

/* What is known of the clocks at this moment. */
static const kt_clock_info *known_clocks(kt_native *native, kt_clock_info room[KT_CLOCKS_MAX])
{
    if (!native->follows)
        return native->clocks;
    kt_mutex_lock(native->mutex);
    memcpy(room, native->clocks, sizeof native->clocks);
    kt_mutex_unlock(native->mutex);
    return room;
}

/* Of the counter: what is known, or else as many as the stamp takes. */
static uint32_t bits_at_least(const kt_clock_info *clock, uint64_t ticks)
{
    uint32_t bits = clock->valid_bits ? clock->valid_bits : clock->valid_bits_min;
    while (clock->valid_bits == 0 && bits < 64 && ticks >> bits)
        bits++;
    return bits;
}

/* The longest that a span can have been: by the host's clock, whose rate the device's need not
 * quite have. */
static double longest_ns(const kt_clock_info *clock, const kt_stamp *stamp, int64_t begin_ns,
                         int64_t end_ns)
{
    bool unknown = begin_ns == INT64_MIN;
    if (unknown && kt_method_gives_distances(clock->method))
        return INFINITY; /* they have no turn, and a sign */
    if (unknown)         /* half a turn, which tells forwards from backwards */
        return ldexp(clock->period_ns, (int)bits_at_least(clock, stamp->end_ticks) - 1);
    return (double)(end_ns - begin_ns) * 1.001 + 1000;
}

/* What a span says, into the registry and the statistics of its site. */
static void record(const kt_clock_info *clocks, kt_timer *timer, int64_t begin_ns, int64_t end_ns,
                   kt_stamp *stamp, double *span_ns)
{
    const kt_clock_info *clock = &clocks[stamp->clock];
    const kt_span_bounds host = {.most_ns = longest_ns(clock, stamp, begin_ns, end_ns)};
    stamp->state = kt_stamp_span(clock, stamp, host, span_ns);
    if (stamp->state == KT_STAMP_OK && *span_ns == 0)
        stamp->state = KT_STAMP_BELOW_FLOOR; /* the clock did not move meanwhile */
    if (stamp->state == KT_STAMP_OK)
        kt_record(&timer->site, *span_ns);
    else
        kt_registry_discard(&timer->site, stamp->state);
}

/* One awaited span less; the mutex is held. */
static void settle(kt_native *native, kt_timer *timer, kt_stamp_state state, double span_ns)
{
    if (state == KT_STAMP_OK)
        native->counts.recorded++;
    else
        native->counts.discarded[state]++;
    count_settled(timer);
    kt_timer_settle(timer, state, span_ns);
}

/* ---- streams ---- */

static void take_in(kt_native *native, kt_slot_queue *ended)
{
    if (!ended->first)
        return;
    int64_t now_ns = kt_host_now_ns(); /* after the last of them was seen to have ended */
    kt_clock_info room[KT_CLOCKS_MAX];
    const kt_clock_info *clocks = known_clocks(native, room);
    for (kt_slot *slot = ended->first; slot; slot = slot->next) {
        record(clocks, slot->timer, slot->begin_ns, now_ns, &slot->stamp, &slot->span_ns);
        native->calls->mark_fini(native->state, slot->mark);
    }
    kt_mutex_lock(native->mutex);
    while (ended->first) {
        kt_slot *slot = pop(ended);
        settle(native, slot->timer, slot->stamp.state, slot->span_ns);
        free_slot(slot);
    }
    kt_mutex_unlock(native->mutex);
}

/* `in_order`: nothing ends before what stands in front of it. */
static kt_status collect_queue(kt_native *native, kt_slot_queue *queue, bool in_order)
{
    kt_status last = KT_OK;
    kt_slot_queue awaited, ended = {0}, rest = {0};
    kt_mutex_lock(native->mutex);
    awaited = *queue;
    *queue = (kt_slot_queue){0};
    kt_mutex_unlock(native->mutex);
    for (uint32_t count = 0; awaited.first;) {
        kt_slot *slot = awaited.first;
        slot->stamp = (kt_stamp){0};
        kt_status status = native->calls->mark_read(native->state, slot->mark, &slot->stamp);
        if (status == KT_NOT_READY && in_order)
            break;
        pop(&awaited);
        if (status == KT_NOT_READY) {
            append(&rest, slot);
            continue;
        }
        if (status != KT_OK) {
            slot->stamp.state = KT_STAMP_ERROR;
            last = status;
        }
        append(&ended, slot);
        if (++count % BATCH == 0)
            take_in(native, &ended);
    }
    take_in(native, &ended);
    kt_mutex_lock(native->mutex);
    put_back(queue, in_order ? &awaited : &rest);
    kt_mutex_unlock(native->mutex);
    return last;
}

static void clear_queue(kt_slot_queue *queue)
{
    while (queue->first) {
        kt_slot *slot = pop(queue);
        kt_mutex *mutex = slot->timer->native->mutex;
        kt_mutex_lock(mutex); /* others may wait for it to be taken in */
        count_settled(slot->timer);
        kt_mutex_unlock(mutex);
        kt_slot_drop(slot, KT_STAMP_LOST);
    }
}

void kt_slots_clear_streams(kt_native *native)
{
    for (uint32_t i = 0; i < native->stream_count; i++)
        clear_queue(&native->streams[i].stopped);
    clear_queue(&native->handed_out);
    while (native->filled.first)
        kt_slot_drop(pop(&native->filled), KT_STAMP_LOST);
    for (kt_timer *timer = native->timers; timer; timer = timer->next) {
        if (timer->running)
            kt_slot_drop(timer->running, KT_STAMP_LOST);
        timer->running = NULL;
    }
}

/* ---- recordings ---- */

/*
 * Whether the queries of a span may still show what they did in an earlier run, whose reset lies
 * ahead. Reading both is not one moment, so one of them alone may: ticks of two runs are never
 * alike. Distances may be, so there the backend has to know.
 */
static bool is_stale(const kt_native *native, const kt_recorded *span, const kt_stamp *stamp)
{
    return span->seen && !kt_method_gives_distances(native->clocks[stamp->clock].method) &&
           (stamp->start_ticks == span->start_ticks || stamp->end_ticks == span->end_ticks);
}

/* What the queries of a span show, taken in if the run that is awaited has left it. */
static void take_in_recorded(kt_recording *recording, const kt_clock_info *clocks,
                             kt_recorded *span, kt_stamp *stamp, int64_t now_ns)
{
    kt_native *native = recording->native;
    double span_ns = NAN;
    if (stamp->state == KT_STAMP_OK) {
        if (is_stale(native, span, stamp))
            return;
        span->seen = true;
        span->start_ticks = stamp->start_ticks;
        span->end_ticks = stamp->end_ticks;
    }
    if (!span->awaited)
        return;
    record(clocks, span->timer, recording->submitted_ns, now_ns, stamp, &span_ns);
    span->awaited = false;
    recording->awaited_count--;
    kt_mutex_lock(native->mutex);
    settle(native, span->timer, stamp->state, span_ns);
    kt_mutex_unlock(native->mutex);
}

kt_status kt_slots_collect_recording(kt_recording *recording, bool beside)
{
    kt_status status = recording->native->calls->recording_read(
        recording->state, recording->span_count, beside, recording->stamps);
    int64_t now_ns = kt_host_now_ns();
    kt_clock_info room[KT_CLOCKS_MAX];
    const kt_clock_info *clocks = known_clocks(recording->native, room);
    for (uint32_t i = 0; i < recording->span_count; i++) {
        kt_stamp stamp = recording->stamps[i];
        if (status != KT_OK || recording->spans[i].failed)
            stamp.state = KT_STAMP_ERROR;
        if (stamp.state != KT_STAMP_NOT_READY)
            take_in_recorded(recording, clocks, &recording->spans[i], &stamp, now_ns);
    }
    return status;
}

void kt_slots_drop_run(kt_recording *recording, kt_stamp_state state)
{
    for (uint32_t i = 0; i < recording->span_count; i++) {
        kt_recorded *span = &recording->spans[i];
        if (!span->awaited)
            continue;
        span->awaited = false;
        kt_registry_discard(&span->timer->site, state);
        kt_mutex_lock(recording->native->mutex);
        settle(recording->native, span->timer, state, NAN);
        kt_mutex_unlock(recording->native->mutex);
    }
    recording->awaited_count = 0;
}

void kt_slots_clear_recording(kt_recording *recording)
{
    kt_mutex_lock(recording->native->mutex);
    for (uint32_t i = 0; i < recording->span_count; i++)
        count_out(recording->spans[i].timer);
    kt_mutex_unlock(recording->native->mutex);
    recording->span_count = 0;
    recording->open = NULL;
}

/* ---- all of them ---- */

static _Thread_local char this_thread; /* whose address tells threads apart */

void kt_slots_note_submitter(kt_recording *recording)
{
    recording->submitter = &this_thread;
}

kt_status kt_slots_collect(kt_native *native, bool waits)
{
    kt_status last = KT_OK;
    uint32_t stream_count = native->stream_count;
    for (uint32_t i = 0; i < stream_count; i++) {
        kt_status status = collect_queue(native, &native->streams[i].stopped, true);
        last = status == KT_OK ? last : status;
    }
    if (native->calls->mark_take || native->calls->mark_hand_out || native->calls->mark_fill) {
        bool in_order = native->calls->commands_submitted != NULL;
        kt_status status = collect_queue(native, &native->handed_out, in_order);
        last = status == KT_OK ? last : status;
    }
    for (kt_recording *recording = native->recordings; recording; recording = recording->next) {
        kt_mutex_lock(recording->mutex);
        bool beside = !waits && recording->submitter != &this_thread;
        kt_status status =
            recording->awaited_count ? kt_slots_collect_recording(recording, beside) : KT_OK;
        kt_mutex_unlock(recording->mutex);
        last = status == KT_OK ? last : status;
    }
    return last;
}

kt_status kt_slots_try_collect(kt_native *native, bool waits)
{
    if (!native->backend || !kt_mutex_try_lock(native->collecting))
        return KT_OK;
    kt_status status = kt_slots_collect(native, waits);
    kt_mutex_unlock(native->collecting);
    return status;
}

kt_status kt_collect(kt_native *native)
{
    return native ? kt_slots_try_collect(native, false) : KT_UNAVAILABLE;
}
