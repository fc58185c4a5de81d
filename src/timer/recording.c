/*
 * Recordings: begun, submitted, and taken in.
 *
 * Vulkan's queries show the values of the run before until the device executes their reset. So each
 * submission looks at what is there and remembers it. A timestamp that was seen before is never
 * taken for one of the new run, nor is a pair with one such timestamp.
 */
#include "timer/recording.h"

#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/options.h"

#define SPANS_MAX 65536

/* ---- life ---- */

static void free_recording(kt_recording *recording)
{
    kt_native *native = recording->native;
    if (recording->state) {
        native->calls->recording_fini(recording->state);
        kt_free(recording->state);
    }
    kt_mutex_destroy(recording->mutex);
    kt_free(recording->spans);
    kt_free(recording->stamps);
    kt_free(recording);
    kt_native_release(native);
}

static kt_status create(kt_native *native, uint32_t spans_max, kt_recording **out)
{
    kt_recording *recording = kt_alloc(1, sizeof *recording);
    if (!recording)
        return KT_NO_MEMORY;
    kt_mutex_lock(native->mutex);
    native->references++;
    kt_mutex_unlock(native->mutex);
    recording->native = native;
    recording->spans_max = spans_max;
    recording->spans = kt_alloc(spans_max, sizeof *recording->spans);
    recording->stamps = kt_alloc(spans_max, sizeof *recording->stamps);
    kt_status status = kt_mutex_create(&recording->mutex);
    if (!recording->spans || !recording->stamps)
        status = KT_NO_MEMORY;
    if (status == KT_OK) {
        recording->state = kt_alloc(1, native->calls->recording_size);
        status = recording->state
                     ? native->calls->recording_init(recording->state, native->state, spans_max)
                     : KT_NO_MEMORY;
    }
    if (status == KT_OK)
        *out = recording;
    else
        free_recording(recording);
    return status;
}

kt_status kt_recording_create(kt_native *native, const kt_recording_options *options,
                              kt_recording **out)
{
    if (!native) {
        *out = NULL;
        return KT_UNAVAILABLE;
    }
    kt_recording_options given;
    kt_recording *recording = NULL;
    kt_status status = kt_take_options(&given, sizeof given, options, "kt_recording_options");
    if (status == KT_OK)
        status = kt_native_check(native);
    if (status != KT_OK)
        return status;
    if (!native->backend || !native->calls->recording_init)
        return kt_fail(
            KT_UNSUPPORTED, "%s has nothing to record: %s", kt_backend_id_name(native->id),
            native->backend && native->calls->mark_encode ? "time its passes and encoders"
            : native->backend && native->calls->mark_fill ? "fill the descriptors of passes"
                                                          : "call kt_timer_start()");
    uint32_t spans_max = given.spans_max ? given.spans_max : KT_RECORDING_SPANS_DEFAULT;
    if (spans_max > SPANS_MAX)
        return kt_fail(KT_LIMIT, "%u spans in one recording: %d are the most", spans_max,
                       SPANS_MAX);
    status = create(native, spans_max, &recording);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(native->collecting);
    recording->next = native->recordings;
    native->recordings = recording;
    kt_mutex_unlock(native->collecting);
    *out = recording;
    return KT_OK;
}

/* Takes in what is left of the run before, and gives all spans back. The mutex is held. */
static kt_status clear(kt_recording *recording)
{
    kt_status status =
        recording->awaited_count ? kt_slots_collect_recording(recording, false) : KT_OK;
    kt_slots_drop_run(recording, KT_STAMP_LOST);
    kt_slots_clear_recording(recording);
    recording->phase = KT_RECORDING_EMPTY;
    return status;
}

void kt_recording_destroy(kt_recording **recording)
{
    kt_recording *r = *recording;
    if (!r)
        return;
    *recording = NULL;
    kt_native *native = r->native;
    kt_mutex_lock(native->collecting); /* nobody asks for it meanwhile */
    kt_recording **link = &native->recordings;
    while (*link && *link != r)
        link = &(*link)->next;
    if (*link) /* else the native was closed */
        *link = r->next;
    kt_mutex_unlock(native->collecting);
    clear(r);
    free_recording(r);
}

static kt_status act(kt_recording *recording, kt_status (*action)(kt_recording *recording))
{
    if (!recording)
        return KT_UNAVAILABLE;
    kt_status status = kt_native_check(recording->native);
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
    if (recording->native->calls->recording_reset)
        recording->native->calls->recording_reset(recording->state);
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
    status = recording->native->calls->recording_begin(recording->state, commands, usage);
    if (status == KT_OK)
        recording->phase = KT_RECORDING_BEGUN;
    return status;
}

/* Whether it is one of this API. */
static kt_status check_api(const kt_recording *recording, const kt_backend *backend)
{
    if (recording->native->backend != backend)
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

/* What leads to the span of a timer that was started and not stopped; to NULL if there is none. */
static kt_recorded **find_open(kt_recording *recording, const kt_timer *timer)
{
    kt_recorded **link = &recording->open;
    while (*link && (*link)->timer != timer)
        link = &(*link)->older_open;
    return link;
}

static kt_status check(const kt_recording *recording, const kt_timer *timer)
{
    kt_status status = kt_native_check(recording->native);
    if (status != KT_OK)
        return status;
    if (timer->native != recording->native)
        return kt_fail(KT_INVALID, "timer \"%s\" is of another device than the recording",
                       timer->name);
    if (recording->phase != KT_RECORDING_BEGUN)
        return kt_fail(KT_INVALID, "timer \"%s\": the recording was not begun%s", timer->name,
                       recording->phase == KT_RECORDING_SUBMITTED ? " anew" : "");
    return KT_OK;
}

/* Its first stamp is put in, or with `object` something handed out that leaves both. */
static kt_status add_span(kt_recording *recording, kt_timer *timer, void **object)
{
    const kt_instrumentation *calls = recording->native->calls;
    if (*find_open(recording, timer))
        return kt_fail(KT_INVALID, "timer \"%s\" was started already: stop it first", timer->name);
    timer->skipped++; /* until there is a span */
    if (recording->span_count == recording->spans_max)
        return kt_fail(KT_LIMIT,
                       "the recording has %u spans, as many as may be: make it with a "
                       "larger spans_max",
                       recording->spans_max);
    kt_status status = kt_slot_reserve(recording->native, timer);
    if (status != KT_OK)
        return status;
    uint32_t number = recording->span_count++;
    kt_recorded *span = &recording->spans[number];
    span->timer = timer;
    span->awaited = false;
    span->older_open = recording->open;
    recording->open = span;
    status = object ? calls->recording_hand_out(recording->state, number, object)
                    : calls->recording_stamp(recording->state, number, false);
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
        status = recording->native->calls->recording_stamp(
            recording->state, (uint32_t)(span - recording->spans), true);
        span->failed |= status != KT_OK;
        *link = span->older_open;
    } else if (timer->skipped) {
        /* Here, or in another recording: there may be several at once. */
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
        recording->has_run = true; /* also if it is refused, which the program may not heed */
    if (status != KT_OK)
        return status;
    /* Also if nothing is awaited: what a run has left that was not timed is not to be taken for
     * this one's. Before the first run there may be nothing in the queries yet that may be asked
     * for. */
    if (has_run && recording->span_count)
        status = kt_slots_collect_recording(recording, false);
    if (status != KT_OK)
        return status;
    if (recording->awaited_count) {
        kt_slots_drop_run(recording, KT_STAMP_OVERWRITTEN);
        return kt_fail(KT_INVALID,
                       "the commands were submitted before and have not ended: two runs at "
                       "once would share their stamps, so neither is timed");
    }
    kt_native *native = recording->native;
    if (native->calls->recording_submit)
        status = native->calls->recording_submit(recording->state);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(native->mutex);
    for (uint32_t i = 0; i < recording->span_count; i++) {
        recording->spans[i].awaited = true;
        kt_timer_await(recording->spans[i].timer);
    }
    kt_mutex_unlock(native->mutex);
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
