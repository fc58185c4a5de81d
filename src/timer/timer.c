/* SPDX-License-Identifier: MIT */
#include "timer/events.h"

#include "registry/registry.h"
#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/options.h"

#include <kerntime/cycles.h>
#include <math.h>

#define WAIT_MIN_NS INT64_C(20000)
#define WAIT_MAX_NS INT64_C(1000000)

/* ---- life ---- */

kt_status kt_timer_create(kt_timer_context *context, const char *name, kt_timer **out)
{
    KT_NEED(out);
    if (!context) {
        *out = NULL;
        return KT_UNAVAILABLE;
    }
    if (!name || !name[0])
        return kt_fail(KT_INVALID, "a timer needs a name");
    kt_status status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    kt_timer *timer = kt_alloc(1, sizeof *timer);
    if (!timer)
        return KT_NO_MEMORY;
    timer->name = kt_copy_text(name);
    if (!timer->name) {
        kt_free(timer);
        return KT_NO_MEMORY;
    }
    timer->context = context;
    timer->site = (kt_site){.name = timer->name, .backend = context->id};
    kt_mutex_lock(context->mutex);
    timer->next = context->timers;
    context->timers = timer;
    context->references++;
    kt_mutex_unlock(context->mutex);
    *out = timer;
    return KT_OK;
}

static void free_timer(kt_timer *timer)
{
    kt_free(timer->name);
    kt_free(timer);
}

void kt_timer_let_go(kt_timer *timer)
{
    if (--timer->slots > 0 || !timer->destroyed)
        return;
    timer->context->references--; /* never the last one: the caller has one, too */
    free_timer(timer);
}

void kt_timer_destroy(kt_timer **timer)
{
    kt_timer *t = timer ? *timer : NULL;
    if (!t)
        return;
    *timer = NULL;
    kt_timer_context *context = t->context;
    if (t->running)
        kt_slot_drop(t->running, KT_TIMESTAMP_LOST);
    kt_timer_reclaim(t);
    kt_mutex_lock(context->mutex);
    kt_timer **link = &context->timers;
    while (*link != t)
        link = &(*link)->next;
    *link = t->next;
    t->destroyed = true;
    bool unused = t->slots == 0;
    kt_mutex_unlock(context->mutex);
    if (!unused)
        return; /* collecting the last slot frees the timer */
    free_timer(t);
    kt_timer_context_release(context);
}

kt_status kt_timer_check_api(const kt_timer *timer, const kt_backend *backend)
{
    kt_status status = kt_timer_context_check(timer->context);
    if (status == KT_OK && timer->context->backend != backend)
        status = kt_fail(KT_INVALID, "timer \"%s\" is not of %s", timer->name, backend->title);
    return status;
}

void kt_timer_settle(kt_timer *timer, kt_timestamp_state state, double span_ns)
{
    timer->has_newest = true;
    timer->newest_state = state;
    timer->newest_ns = span_ns;
}

/* ---- start and stop ---- */

/* Whether the timer was started and not stopped, in a stream or on the CPU. */
static bool is_running(const kt_timer *timer)
{
    return timer->running || timer->begin != 0;
}

/* Fails for an API whose work is not timed in queues, but by calls of its own. */
static kt_status fail_encoded(const kt_timer *timer)
{
    const kt_backend *backend = timer->context->backend;
    return kt_fail(KT_UNSUPPORTED,
                   "timer \"%s\": work of %s is timed by kt_timer_pass_%s(), or by "
                   "kt_timer_start_%s() and kt_timer_stop_%s()",
                   timer->name, backend->title, backend->name, backend->name, backend->name);
}

static kt_status check_stream(const kt_timer *timer, const kt_stream *stream)
{
    if (timer->context->calls->mark_encode)
        return fail_encoded(timer);
    if (timer->context->calls->mark_fill)
        return kt_fail(KT_UNSUPPORTED,
                       "timer \"%s\": work of %s is timed by passes, so fill their descriptors",
                       timer->name, timer->context->backend->title);
    if (!timer->context->calls->mark_start)
        return kt_fail(KT_UNSUPPORTED,
                       "timer \"%s\": work of %s is recorded, so start it in a kt_recording",
                       timer->name, timer->context->backend->title);
    if (!stream)
        return kt_fail(KT_INVALID, "timer \"%s\": this queue or list was not imported",
                       timer->name);
    if (!stream->in_order)
        return kt_fail(
            KT_UNSUPPORTED,
            "timer \"%s\": in an out-of-order queue no marker keeps its place: hand over "
            "the events of its commands",
            timer->name);
    return KT_OK;
}

static kt_status start_in_stream(kt_timer *timer, void *handle)
{
    kt_timer_context *context = timer->context;
    kt_slot *slot = NULL;
    kt_status status = check_stream(timer, kt_stream_find(context, handle));
    if (status != KT_OK)
        return status;
    timer->skipped = 1; /* set back once a span exists */
    status = kt_slot_take(context, timer, &slot);
    if (status != KT_OK)
        return status;
    slot->begin_ns = kt_timer_context_begin_ns(context);
    if (timer->watched > 0) {
        slot->sleeps = kt_thread_sleeps();
        slot->sleep = KT_SLEEP_NONE;
    }
    status = context->calls->mark_start(context->state, handle, slot->mark);
    if (status != KT_OK) {
        kt_slot_give(slot);
        return status;
    }
    timer->stream = handle;
    timer->running = slot; /* set last: a reader of `running` may read `stream` */
    timer->skipped = 0;
    return KT_OK;
}

kt_status kt_timer_start(kt_timer *timer, void *stream)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_context_check(timer->context);
    if (status != KT_OK)
        return status;
    if (is_running(timer))
        return kt_fail(KT_INVALID, "timer \"%s\" was started already: stop it first", timer->name);
    timer->skipped = kt_is_enabled() ? 0 : 1;
    if (timer->skipped)
        return KT_OK;
    if (timer->context->backend)
        return start_in_stream(timer, stream);
    if (stream)
        return kt_fail(KT_INVALID, "timer \"%s\": the CPU has no queues", timer->name);
    timer->begin = kt_cycles_now();
    return KT_OK;
}

static kt_status stop_in_stream(kt_timer *timer, void *handle)
{
    kt_timer_context *context = timer->context;
    kt_slot *slot = timer->running;
    if (handle != timer->stream)
        return kt_fail(KT_INVALID, "timer \"%s\" was started in another queue", timer->name);
    kt_status status = context->calls->mark_stop(context->state, handle, slot->mark);
    timer->running = NULL;
    if (slot->sleep == KT_SLEEP_NONE && kt_thread_sleeps() > slot->sleeps)
        slot->sleep = KT_SLEEP_SEEN;
    if (status == KT_OK)
        kt_slot_await(slot, &kt_stream_find(context, handle)->stopped);
    else
        kt_slot_drop(slot, KT_TIMESTAMP_ERROR);
    return status;
}

static void stop_cpu(kt_timer *timer, uint64_t end)
{
    uint64_t begin = timer->begin;
    double span_ns = kt_cycles_span_ns(begin, end, NULL);
    kt_timestamp_state state = isnan(span_ns) ? KT_TIMESTAMP_AMBIGUOUS /* the clock changed */
                               : span_ns < 0  ? KT_TIMESTAMP_NEGATIVE  /* on two cores */
                                              : KT_TIMESTAMP_OK;
    if (state == KT_TIMESTAMP_OK)
        kt_record_cycles(&timer->site, begin, end);
    else
        kt_registry_discard(&timer->site, state);
    kt_mutex_lock(timer->context->mutex);
    if (state == KT_TIMESTAMP_OK)
        timer->context->counts.recorded++;
    else
        timer->context->counts.discarded[state]++;
    kt_timer_settle(timer, state, span_ns);
    timer->begin = 0;
    kt_mutex_unlock(timer->context->mutex);
}

kt_status kt_timer_stop(kt_timer *timer, void *stream)
{
    if (!timer)
        return KT_UNAVAILABLE;
    bool is_cpu = !timer->context->backend;
    uint64_t end = is_cpu ? kt_cycles_now() : 0;
    kt_status status = kt_timer_context_check(timer->context);
    if (status != KT_OK)
        return status;
    if (timer->skipped) {
        timer->skipped = 0;
        return KT_OK;
    }
    if (!is_cpu && timer->context->calls->mark_encode)
        return fail_encoded(timer);
    if (!is_running(timer))
        return kt_fail(KT_INVALID, "timer \"%s\" was not started", timer->name);
    if (!is_cpu)
        return stop_in_stream(timer, stream);
    if (stream)
        return kt_fail(KT_INVALID, "timer \"%s\": the CPU has no queues", timer->name);
    stop_cpu(timer, end);
    return KT_OK;
}

/* ---- results ---- */

kt_status kt_timer_elapsed(const kt_timer *timer, double *elapsed_ns)
{
    if (!timer)
        return KT_UNAVAILABLE;
    KT_NEED(elapsed_ns);
    kt_timer_context *context = timer->context;
    kt_status status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    /* Read `begin` once, and before the clock: another thread may stop the timer meanwhile. The
     * processor reads the counter in order only if asked to. */
    uint64_t begin = timer->begin;
    if (begin) {
        double span_ns = kt_cycles_span_ns(begin, kt_cycles_now_ordered(), NULL);
        if (isnan(span_ns))
            return kt_fail(KT_NOT_READY, "the host's clock changed since timer \"%s\" was started",
                           timer->name);
        *elapsed_ns = span_ns;
        return KT_OK;
    }
    if (timer->running)
        return kt_fail(KT_NOT_READY, "timer \"%s\" is running", timer->name);
    kt_mutex_lock(context->mutex);
    bool has_newest = timer->has_newest;
    kt_timestamp_state state = timer->newest_state;
    double newest_ns = timer->newest_ns;
    kt_mutex_unlock(context->mutex);
    if (!has_newest)
        return kt_fail(KT_NOT_READY, "no span of timer \"%s\" has been taken in yet", timer->name);
    if (state != KT_TIMESTAMP_OK)
        return kt_fail(KT_DRIVER_ERROR, "the newest span of timer \"%s\" has no duration: %s",
                       timer->name, kt_timestamp_state_name(state));
    *elapsed_ns = newest_ns;
    return KT_OK;
}

/* Number of awaited spans of a timer, or of all timers if it is NULL. */
static uint64_t awaited_spans(const kt_timer_context *context, const kt_timer *timer)
{
    kt_mutex_lock(context->mutex);
    uint64_t count = timer ? timer->awaited : context->awaited;
    kt_mutex_unlock(context->mutex);
    return count;
}

static kt_status wait_for_spans(kt_timer_context *context, const kt_timer *timer,
                                int64_t timeout_ns)
{
    if (timeout_ns < 0)
        return kt_fail(KT_INVALID, "a time limit below 0");
    kt_status status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    status = kt_timers_take(context, timer, !timer);
    if (status != KT_OK)
        return status;
    int64_t limit_ns = timeout_ns ? timeout_ns : KT_TIMEOUT_DEFAULT_NS;
    int64_t begin_ns = kt_host_now_ns(), sleep_ns = WAIT_MIN_NS;
    for (;;) {
        status = kt_slots_try_collect(context, true);
        if (status != KT_OK || awaited_spans(context, timer) == 0)
            return status;
        if (kt_host_now_ns() - begin_ns >= limit_ns)
            return kt_fail_timeout(limit_ns);
        kt_system_clock.sleep(kt_system_clock.user, sleep_ns);
        sleep_ns = sleep_ns < WAIT_MAX_NS ? 2 * sleep_ns : WAIT_MAX_NS;
    }
}

kt_status kt_timer_wait(kt_timer *timer, int64_t timeout_ns)
{
    return timer ? wait_for_spans(timer->context, timer, timeout_ns) : KT_UNAVAILABLE;
}

kt_status kt_timer_context_wait(kt_timer_context *context, int64_t timeout_ns)
{
    return context ? wait_for_spans(context, NULL, timeout_ns) : KT_UNAVAILABLE;
}
