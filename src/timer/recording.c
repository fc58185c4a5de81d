/* SPDX-License-Identifier: MIT */
/*
 * recording.c - begins, submits and collects recordings.
 *
 * Vulkan's queries have the previous run's values until the device executes their reset. So each
 * submission reads and remembers the values that are there. A remembered timestamp is never taken
 * for one of the new run, nor is a pair with one such timestamp.
 */
#include "timer/recording.h"

#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/options.h"

#define SPANS_MAX 65536

/* ---- life ---- */

static void free_recording(kt_recording *recording)
{
    kt_timer_context *context = recording->context;
    if (recording->state) {
        context->calls->recording_fini(recording->state);
        kt_free(recording->state);
    }
    kt_mutex_destroy(recording->mutex);
    kt_free(recording->spans);
    kt_free(recording->timestamps);
    kt_free(recording);
    kt_timer_context_release(context);
}

static kt_status create(kt_timer_context *context, uint32_t spans_max, kt_recording **out)
{
    kt_recording *recording = kt_alloc(1, sizeof *recording);
    if (!recording)
        return KT_NO_MEMORY;
    kt_mutex_lock(context->mutex);
    context->references++;
    kt_mutex_unlock(context->mutex);
    recording->context = context;
    recording->spans_max = spans_max;
    recording->spans = kt_alloc(spans_max, sizeof *recording->spans);
    recording->timestamps = kt_alloc(spans_max, sizeof *recording->timestamps);
    kt_status status = kt_mutex_create(&recording->mutex);
    if (!recording->spans || !recording->timestamps)
        status = KT_NO_MEMORY;
    if (status == KT_OK) {
        recording->state = kt_alloc(1, context->calls->recording_size);
        status = recording->state
                     ? context->calls->recording_init(recording->state, context->state, spans_max)
                     : KT_NO_MEMORY;
    }
    if (status == KT_OK)
        *out = recording;
    else
        free_recording(recording);
    return status;
}

kt_status kt_recording_create(kt_timer_context *context, const kt_recording_options *options,
                              kt_recording **out)
{
    KT_NEED(out);
    if (!context) {
        *out = NULL;
        return KT_UNAVAILABLE;
    }
    kt_recording_options given;
    kt_recording *recording = NULL;
    kt_status status = kt_take_options(&given, sizeof given, options, "kt_recording_options");
    if (status == KT_OK)
        status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    if (!context->backend || !context->calls->recording_init)
        return kt_fail(
            KT_UNSUPPORTED, "%s has nothing to record: %s", kt_backend_id_name(context->id),
            context->backend && context->calls->mark_encode ? "time its passes and encoders"
            : context->backend && context->calls->mark_fill ? "fill the descriptors of passes"
                                                            : "call kt_timer_start()");
    uint32_t spans_max = given.spans_max ? given.spans_max : KT_RECORDING_SPANS_DEFAULT;
    if (spans_max > SPANS_MAX)
        return kt_fail(KT_LIMIT, "%u spans in one recording: %d are the most", spans_max,
                       SPANS_MAX);
    status = create(context, spans_max, &recording);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(context->collecting);
    recording->next = context->recordings;
    context->recordings = recording;
    kt_mutex_unlock(context->collecting);
    *out = recording;
    return KT_OK;
}

/* Collects the rest of the previous run and gives all spans back. The mutex is held. */
static kt_status clear(kt_recording *recording)
{
    kt_status status =
        recording->awaited_count ? kt_slots_collect_recording(recording, false) : KT_OK;
    kt_slots_drop_run(recording, KT_TIMESTAMP_LOST);
    kt_slots_clear_recording(recording);
    recording->phase = KT_RECORDING_EMPTY;
    return status;
}

void kt_recording_destroy(kt_recording **recording)
{
    kt_recording *r = recording ? *recording : NULL;
    if (!r)
        return;
    *recording = NULL;
    kt_timer_context *context = r->context;
    kt_mutex_lock(context->collecting); /* no collection may use the recording meanwhile */
    kt_recording **link = &context->recordings;
    while (*link && *link != r)
        link = &(*link)->next;
    if (*link) /* NULL if the context was closed */
        *link = r->next;
    kt_mutex_unlock(context->collecting);
    clear(r);
    free_recording(r);
}

static kt_status act(kt_recording *recording, kt_status (*action)(kt_recording *recording))
{
    if (!recording)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_context_check(recording->context);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(recording->mutex);
    status = action(recording);
    kt_mutex_unlock(recording->mutex);
    return status;
}

static kt_status reset(kt_recording *recording)
{
    kt_status status = clear(recording);
    if (recording->context->calls->recording_reset)
        recording->context->calls->recording_reset(recording->state);
    return status;
}

kt_status kt_recording_reset(kt_recording *recording)
{
    return act(recording, reset);
}

/* ---- recording ---- */

static kt_status begin(kt_recording *recording, void *commands, uint32_t usage)
{
    kt_status status = kt_recording_reset(recording);
    if (status != KT_OK)
        return status;
    if (!commands)
        return kt_fail(KT_INVALID, "no commands to record in");
    status = recording->context->calls->recording_begin(recording->state, commands, usage);
    if (status == KT_OK)
        recording->phase = KT_RECORDING_BEGUN;
    return status;
}

/* Checks that the recording is of this API. */
static kt_status check_api(const kt_recording *recording, const kt_backend *backend)
{
    if (recording->context->backend != backend)
        return kt_fail(KT_INVALID, "this is no recording of %s", backend->title);
    return KT_OK;
}

kt_status kt_recording_begin(kt_recording *recording, const kt_backend *backend, void *commands,
                             uint32_t usage)
{
    if (!recording)
        return KT_UNAVAILABLE;
    kt_status status = check_api(recording, backend);
    return status == KT_OK ? begin(recording, commands, usage) : status;
}

/* The link to the open span of a timer, one that was started and not stopped; a link to NULL if
 * there is none. */
static kt_recorded **find_open(kt_recording *recording, const kt_timer *timer)
{
    kt_recorded **link = &recording->open;
    while (*link && (*link)->timer != timer)
        link = &(*link)->older_open;
    return link;
}

static kt_status check(const kt_recording *recording, const kt_timer *timer)
{
    kt_status status = kt_timer_context_check(recording->context);
    if (status != KT_OK)
        return status;
    if (timer->context != recording->context)
        return kt_fail(KT_INVALID, "timer \"%s\" is of another device than the recording",
                       timer->name);
    if (recording->phase != KT_RECORDING_BEGUN)
        return kt_fail(KT_INVALID, "timer \"%s\": the recording was not begun%s", timer->name,
                       recording->phase == KT_RECORDING_SUBMITTED ? " anew" : "");
    return KT_OK;
}

/* Adds a span: records its first timestamp or, with `object`, hands out an object that leaves
 * both. */
static kt_status add_span(kt_recording *recording, kt_timer *timer, void **object)
{
    const kt_instrumentation *calls = recording->context->calls;
    if (*find_open(recording, timer))
        return kt_fail(KT_INVALID, "timer \"%s\" was started already: stop it first", timer->name);
    timer->skipped++; /* set back once a span exists */
    if (recording->span_count == recording->spans_max)
        return kt_fail(KT_LIMIT,
                       "the recording has %u spans, as many as may be: make it with a "
                       "larger spans_max",
                       recording->spans_max);
    kt_status status = kt_slot_reserve(recording->context, timer);
    if (status != KT_OK)
        return status;
    uint32_t number = recording->span_count++;
    kt_recorded *span = &recording->spans[number];
    span->timer = timer;
    span->awaited = false;
    span->older_open = recording->open;
    recording->open = span;
    status = object ? calls->recording_hand_out(recording->state, number, object)
                    : calls->recording_timestamp(recording->state, number, false);
    span->failed = status != KT_OK;
    timer->skipped--;
    return status;
}

static kt_status start(kt_recording *recording, kt_timer *timer, void **object)
{
    kt_status status = check(recording, timer);
    if (status != KT_OK)
        return status;
    if (!kt_is_enabled()) {
        timer->skipped++;
        return KT_OK;
    }
    kt_mutex_lock(recording->mutex);
    status = add_span(recording, timer, object);
    kt_mutex_unlock(recording->mutex);
    return status;
}

kt_status kt_recording_start(kt_recording *recording, kt_timer *timer)
{
    return recording && timer ? start(recording, timer, NULL) : KT_UNAVAILABLE;
}

void *kt_recording_hand_out(kt_recording *recording, const kt_backend *backend, kt_timer *timer)
{
    void *object = NULL;
    if (!recording || !timer || check_api(recording, backend) != KT_OK)
        return NULL;
    return start(recording, timer, &object) == KT_OK ? object : NULL;
}

kt_status kt_recording_stop(kt_recording *recording, kt_timer *timer)
{
    if (!recording || !timer)
        return KT_UNAVAILABLE;
    kt_status status = check(recording, timer);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(recording->mutex);
    kt_recorded **link = find_open(recording, timer), *span = *link;
    if (span) {
        status = recording->context->calls->recording_timestamp(
            recording->state, (uint32_t)(span - recording->spans), true);
        span->failed |= status != KT_OK;
        *link = span->older_open;
    } else if (timer->skipped) {
        /* Of this recording or another one: several may be recorded at once. */
        timer->skipped--;
    } else {
        status = kt_fail(KT_INVALID, "timer \"%s\" was not started in this recording", timer->name);
    }
    kt_mutex_unlock(recording->mutex);
    return status;
}

/* ---- running ---- */

static kt_status check_complete(const kt_recording *recording)
{
    if (recording->phase == KT_RECORDING_EMPTY)
        return kt_fail(KT_INVALID, "nothing was recorded: begin the recording first");
    if (recording->open)
        return kt_fail(KT_INVALID, "timer \"%s\" was not stopped in this recording",
                       recording->open->timer->name);
    return KT_OK;
}

static kt_status submit(kt_recording *recording)
{
    kt_status status = check_complete(recording);
    bool has_run = recording->has_run;
    if (recording->phase != KT_RECORDING_EMPTY)
        recording->has_run = true; /* even if this fails: the program may submit anyway */
    if (status != KT_OK)
        return status;
    /* Read even if nothing is awaited: timestamps of an untimed run must not be taken for this
     * run's. Before the first run, the queries may not be readable. */
    if (has_run && recording->span_count)
        status = kt_slots_collect_recording(recording, false);
    if (status != KT_OK)
        return status;
    if (recording->awaited_count) {
        kt_slots_drop_run(recording, KT_TIMESTAMP_OVERWRITTEN);
        return kt_fail(KT_INVALID,
                       "the commands were submitted before and have not ended: two runs at "
                       "once would share their timestamps, so neither is timed");
    }
    kt_timer_context *context = recording->context;
    if (context->calls->recording_submit)
        status = context->calls->recording_submit(recording->state);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(context->mutex);
    for (uint32_t i = 0; i < recording->span_count; i++) {
        recording->spans[i].awaited = true;
        kt_timer_await(recording->spans[i].timer);
    }
    kt_mutex_unlock(context->mutex);
    recording->awaited_count = recording->span_count;
    recording->phase = KT_RECORDING_SUBMITTED;
    kt_slots_note_submitter(recording);
    recording->submitted_ns = kt_host_now_ns();
    return KT_OK;
}

kt_status kt_recording_submit(kt_recording *recording)
{
    return act(recording, submit);
}
