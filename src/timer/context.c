/* SPDX-License-Identifier: MIT */
/* context.c - creates, imports and closes timer contexts. */
#include "timer/context.h"

#include "clock/ticks.h"
#include "registry/registry.h"
#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/keep.h"
#include "support/options.h"
#include "timer/context_clocks.h"
#include "timer/events.h"
#include "timer/recording.h"
#include "timer/timer.h"

#include <math.h>

#define LOCK_TRIES    100
#define LOCK_PAUSE_NS 100000

void kt_timer_context_release(kt_timer_context *context)
{
    kt_mutex_lock(context->mutex);
    bool unused = --context->references == 0;
    kt_mutex_unlock(context->mutex);
    if (!unused)
        return;
    kt_free_kept(&context->chunks, &context->chunk_count);
    kt_mutex_destroy(context->calibrating);
    kt_mutex_destroy(context->collecting);
    kt_mutex_destroy(context->mutex);
    kt_free(context);
}

kt_status kt_timer_context_check(const kt_timer_context *context)
{
    return context->closed ? kt_fail(KT_INVALID, "the device was closed") : KT_OK;
}

kt_status kt_timer_context_check_api(const kt_timer_context *context, const kt_backend *backend)
{
    return context->backend == backend
               ? KT_OK
               : kt_fail(KT_INVALID, "this is no device of %s", backend->title);
}

int64_t kt_timer_context_begin_ns(const kt_timer_context *context)
{
    return context->wraps ? kt_host_now_ns() : context->opened_ns;
}

kt_status kt_timer_context_create(kt_backend_id id, uint32_t spans_max, kt_timer_context **out)
{
    kt_timer_context *context = kt_alloc(1, sizeof *context);
    if (!context)
        return KT_NO_MEMORY;
    context->id = id;
    context->references = 1;
    context->opened_ns = kt_host_now_ns();
    context->spans_max = spans_max ? spans_max : KT_SPANS_DEFAULT;
    kt_status status = kt_mutex_create(&context->mutex);
    if (status == KT_OK)
        status = kt_mutex_create(&context->collecting);
    if (status == KT_OK)
        status = kt_mutex_create(&context->calibrating);
    if (status == KT_OK) {
        *out = context;
        return KT_OK;
    }
    kt_mutex_destroy(context->collecting);
    kt_mutex_destroy(context->mutex);
    kt_free(context);
    return status;
}

/* Contexts of devices. Guarded by the library's mutex. */
static kt_timer_context *open_contexts;

/* `all`: also those of timers that count them as awaited themselves. */
static void lose_slots(const kt_slot_queue *queue, bool all)
{
    for (const kt_slot *slot = queue->first; slot; slot = slot->next)
        if (all || slot->timer->destroyed)
            kt_registry_discard_locked(&slot->timer->site, KT_TIMESTAMP_LOST, 1);
}

/* Counts spans of a context that nobody collected as lost. The library's mutex is held. */
static void lose_spans(kt_timer_context *context)
{
    for (int tries = 0; !kt_mutex_try_lock(context->mutex); tries++) {
        if (tries == LOCK_TRIES) /* a signal handler in the context exits */
            return;
        kt_system_clock.sleep(kt_system_clock.user, LOCK_PAUSE_NS);
    }
    lose_slots(&context->filled, true);
    lose_slots(&context->handed_out, false);
    for (uint32_t i = 0; i < context->stream_count; i++)
        lose_slots(&context->streams[i].stopped, false);
    for (kt_timer *timer = context->timers; timer; timer = timer->next)
        kt_registry_discard_locked(&timer->site, KT_TIMESTAMP_LOST,
                                   timer->awaited + (timer->running ? 1 : 0));
    kt_mutex_unlock(context->mutex);
}

/* Asks no driver: it may be gone when the process exits. */
static void lose_uncollected_spans(void)
{
    if (!kt_lock_library())
        return;
    for (kt_timer_context *context = open_contexts; context; context = context->next)
        lose_spans(context);
    kt_mutex_unlock(kt_mutex_of_library());
}

static void add_open(kt_timer_context *context)
{
    kt_mutex_lock(kt_mutex_of_library());
    context->next = open_contexts;
    open_contexts = context;
    kt_registry_before_report = lose_uncollected_spans;
    kt_mutex_unlock(kt_mutex_of_library());
}

static void remove_open(const kt_timer_context *context)
{
    kt_mutex_lock(kt_mutex_of_library());
    kt_timer_context **link = &open_contexts;
    while (*link && *link != context)
        link = &(*link)->next;
    if (*link)
        *link = context->next;
    kt_mutex_unlock(kt_mutex_of_library());
}

/* Whether the clock may wrap while the timer context lives. A clock of unknown width may. */
static bool wraps(const kt_clock_info *clock)
{
    bool counts = clock->name[0] && !kt_method_is_elapsed_only(clock->method);
    return counts && (clock->valid_bits == 0 || !isinf(kt_ticks_wrap_ns(clock)));
}

kt_status kt_timer_context_import(const kt_backend *backend, kt_backend_id id, const void *desc,
                                  uint32_t spans_max, kt_timer_context **out)
{
    KT_NEED(out);
    kt_timer_context *context = NULL;
    const kt_instrumentation *calls = backend->instrumentation;
    if (!calls)
        return kt_fail(KT_UNAVAILABLE, "kerntime was built without %s", backend->title);
    kt_status status = kt_timer_context_create(id, spans_max, &context);
    if (status != KT_OK)
        return status;
    context->state = kt_alloc(1, calls->timer_context_size);
    if (!context->state) {
        kt_timer_context_release(context);
        return KT_NO_MEMORY;
    }
    context->backend = backend;
    context->calls = calls;
    status = calls->timer_context_init(context->state, desc, context->clocks);
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++) {
        context->wraps |= wraps(&context->clocks[i]);
        context->clocks[i].period_uncertainty_ns = NAN; /* followed clocks set it later */
    }
    if (status == KT_OK)
        status = kt_timer_context_open_clocks(context);
    if (status == KT_OK) {
        add_open(context);
        *out = context;
    } else {
        kt_timer_context_close(&context);
    }
    return status;
}

static void close_recordings(kt_timer_context *context)
{
    for (kt_recording *recording = context->recordings; recording; recording = recording->next) {
        kt_mutex_lock(recording->mutex);
        kt_slots_drop_run(recording, KT_TIMESTAMP_LOST);
        kt_slots_clear_recording(recording);
        context->calls->recording_fini(recording->state);
        kt_free(recording->state);
        recording->state = NULL;
        recording->phase = KT_RECORDING_EMPTY;
        kt_mutex_unlock(recording->mutex);
    }
    context->recordings = NULL;
}

void kt_timer_context_close(kt_timer_context **context)
{
    kt_timer_context *n = context ? *context : NULL;
    if (!n)
        return;
    *context = NULL;
    if (n->backend) {
        remove_open(n);
        for (kt_timer *timer = n->timers; timer; timer = timer->next)
            kt_timer_reclaim(timer);
        kt_mutex_lock(
            n->collecting); /* a collection on another thread may have missed the newest spans */
        kt_slots_collect(n, true);
        n->closed = true;
        kt_slots_clear_streams(n);
        close_recordings(n);
        kt_mutex_unlock(n->collecting);
        kt_timer_context_close_clocks(n);
        if (n->calls->timer_context_fini)
            n->calls->timer_context_fini(n->state);
        kt_free(n->state);
        n->state = NULL;
    }
    n->closed = true;
    kt_timer_context_release(n);
}

const kt_clock_info *kt_timer_context_get_clock(const kt_timer_context *context, uint32_t index)
{
    bool is_there = context && index < KT_CLOCKS_MAX && context->clocks[index].name[0];
    return is_there ? &context->clocks[index] : NULL;
}

void kt_timer_context_get_counts(const kt_timer_context *context, kt_timer_context_counts *out)
{
    if (!out)
        return;
    *out = (kt_timer_context_counts){0};
    if (!context)
        return;
    kt_mutex_lock(context->mutex);
    *out = context->counts;
    out->in_flight = context->awaited;
    kt_mutex_unlock(context->mutex);
}
