/* SPDX-License-Identifier: MIT */
/*
 * timer_context.c - timers of passes that the program encodes. Never waits: it polls each future
 * with wgpuInstanceWaitAny() and timeout 0. That runs the callback of this future only, and of the
 * program's callbacks only those that may run at any time.
 *
 * A timed encoder has a frame: a query set and two buffers, reused once its marks are finished,
 * unless their contents are unknown. The core keeps an encoder's slots until its commands are
 * submitted, and awaits them only then. Dawn lets two passes use the same pair of queries; the
 * timestamps reveal that in most cases, not in all.
 */
#include "backends/webgpu/internal.h"
#include "support/alloc.h"
#include "support/common_divisor.h"

#include <kerntime/timer/webgpu.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_MAX 1024
#define PASSES_MAX 2048 /* most passes of a frame: a query set has at most 4,096 queries */
#define PAIR_BYTES (2 * sizeof(uint64_t))

/* Timestamps are rounded down to multiples of one of these: by Dawn, unless the program switches
 * that off, and by browsers, in which a program cannot. */
static const uint64_t quanta_ns[] = {65536, 100000};
/* Minimum length of a rounded span, in such multiples: with shorter spans left out, a span is at
 * most a third too long. */
#define QUANTA_MIN 4

/* A call without a result; an error scope reports its failure. */
#define TIMER_CONTEXT_DO(n, function, ...)                           \
    (kt_fault(KT_FAULT_DRIVER, #function) ? note_fault(n, #function) \
                                          : (n)->api.function(__VA_ARGS__))

static void note_fault(webgpu_timer_context *n, const char *function)
{
    n->caught->status = WGPUErrorType_Internal;
    snprintf(n->caught->message, sizeof n->caught->message, "%s has failed", function);
}

/* ---- devices ---- */

#define NAME(result, name, parameters) KT_DL_NAME(#name)
static const char names[] = WGPU_FUNCTIONS_OF_FUTURES(NAME) WGPU_FUNCTIONS_OF_TIMESTAMPS(NAME)
    WGPU_FUNCTIONS_OF_TIMERS(NAME);

typedef WGPUProc (*find_function)(WGPUStringView name);

static kt_dl_function ask_for(const void *find, const char *name)
{
    return (*(const find_function *)find)(webgpu_view(name));
}

static kt_status load_found(find_function find, webgpu_timer_context_api *api)
{
    if (find(webgpu_view("wgpuDevicePoll")))
        return webgpu_fail_wgpu_native();
    const char *missing = kt_dl_fill(ask_for, &find, names, api);
    if (missing)
        return kt_fail(KT_UNAVAILABLE, "wgpuGetProcAddress finds no %s", missing);
    return KT_OK;
}

static kt_status load(const kt_webgpu_import *given, webgpu_timer_context_api *api, bool *early)
{
    void *library = NULL;
    if (given->get_proc_address) {
        find_function find = (find_function)given->get_proc_address;
        *early = find(webgpu_view("wgpuGetInstanceCapabilities")) != NULL;
        return load_found(find, api);
    }
    kt_status status = kt_webgpu_open_library(&library, early);
    return status == KT_OK ? kt_dl_load(library, names, api) : status;
}

kt_status kt_webgpu_timer_context_init(void *context, const void *desc, kt_clock_info *clocks)
{
    webgpu_timer_context *n = context;
    const kt_webgpu_import *given = desc;
    bool early = false;
    n->frames_max = given->frames_max ? given->frames_max : KT_WEBGPU_FRAMES_DEFAULT;
    n->passes_max = given->passes_max ? given->passes_max : KT_WEBGPU_PASSES_DEFAULT;
    if (n->frames_max > FRAMES_MAX || n->passes_max > PASSES_MAX)
        return kt_fail(KT_INVALID, "%u frames of %u passes: %d and %d are the most", n->frames_max,
                       n->passes_max, FRAMES_MAX, PASSES_MAX);
    kt_status status = load(given, &n->api, &early);
    if (status != KT_OK)
        return status;
    if (!n->api.wgpuDeviceHasFeature(given->device, early ? WGPU_EARLY_FEATURE_TIMESTAMP_QUERY
                                                          : WGPUFeatureName_TimestampQuery))
        return kt_fail(KT_UNSUPPORTED, "the device was made without the feature timestamp-query");
    n->instance = given->instance;
    n->device = given->device;
    clocks[0] = webgpu_clock();
    status = kt_mutex_create(&n->mutex);
    if (status != KT_OK)
        return status;
    n->caught = kt_alloc(1, sizeof *n->caught);
    n->frames = kt_alloc(n->frames_max, sizeof *n->frames);
    return n->caught && n->frames ? KT_OK : KT_NO_MEMORY;
}

/* ---- asynchronous answers ---- */

/* Polls a future. KT_NOT_READY, without an error text, if it has no answer yet. */
static kt_status ask(webgpu_timer_context *n, WGPUFuture future)
{
    WGPUFutureWaitInfo info = {.future = future};
    WGPUWaitStatus status =
        KT_CALL(&n->api, wgpuInstanceWaitAny, WGPUWaitStatus_Error, n->instance, 1, &info, 0);
    if (status == WGPUWaitStatus_TimedOut)
        return KT_NOT_READY;
    return status == WGPUWaitStatus_Success
               ? KT_OK
               : kt_fail(KT_DRIVER_ERROR, "wgpuInstanceWaitAny has failed (%d)", (int)status);
}

static void take_caught(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                        void *answer, void *unused)
{
    (void)unused;
    webgpu_answer *a = answer;
    if (status != WGPUPopErrorScopeStatus_Success || type == WGPUErrorType_NoError)
        return;
    a->status = type;
    kt_webgpu_copy_text(a->message, sizeof a->message, message);
}

/* Begins to catch errors: those of kerntime's own calls stay hidden from the program. */
static void catch_errors(webgpu_timer_context *n)
{
    n->caught->status = 0;
    n->caught->message[0] = '\0';
    n->api.wgpuDevicePushErrorScope(n->device, WGPUErrorFilter_OutOfMemory);
    n->api.wgpuDevicePushErrorScope(n->device, WGPUErrorFilter_Validation);
}

static kt_status caught(webgpu_timer_context *n, const char *what)
{
    kt_status status = KT_OK;
    for (int i = 0; i < 2; i++) {
        WGPUFuture future = n->api.wgpuDevicePopErrorScope(
            n->device, (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                       .callback = take_caught,
                                                       .userdata1 = n->caught});
        kt_status asked = ask(n, future); /* libraries answer error scopes at once */
        if (asked == KT_OK)
            continue;
        n->unanswered = true;
        status = asked == KT_NOT_READY
                     ? kt_fail(KT_DRIVER_ERROR, "wgpuDevicePopErrorScope does not answer at once")
                     : asked;
    }
    if (status != KT_OK || !n->caught->status)
        return status;
    return kt_fail(n->caught->status == WGPUErrorType_OutOfMemory ? KT_NO_MEMORY : KT_DRIVER_ERROR,
                   "%s: %s", what, n->caught->message);
}

/* ---- frames ---- */

static void destroy_objects(webgpu_timer_context *n, webgpu_frame *frame)
{
    if (frame->readable)
        n->api.wgpuBufferRelease(frame->readable);
    if (frame->resolved)
        n->api.wgpuBufferRelease(frame->resolved);
    if (frame->queries)
        n->api.wgpuQuerySetRelease(frame->queries);
    frame->readable = frame->resolved = NULL;
    frame->queries = NULL;
    frame->newest_ticks = 0;
}

static WGPUBuffer create_buffer(webgpu_timer_context *n, WGPUFlags usage)
{
    const WGPUBufferDescriptor desc = {
        .label = webgpu_view("kerntime"), .usage = usage, .size = n->passes_max * PAIR_BYTES};
    return KT_CALL(&n->api, wgpuDeviceCreateBuffer, NULL, n->device, &desc);
}

static kt_status create_objects(webgpu_timer_context *n, webgpu_frame *frame)
{
    const WGPUQuerySetDescriptor desc = {.label = webgpu_view("kerntime"),
                                         .type = WGPUQueryType_Timestamp,
                                         .count = 2 * n->passes_max};
    if (!frame->timestamps)
        frame->timestamps = kt_alloc(n->passes_max, sizeof *frame->timestamps);
    if (!frame->timestamps)
        return KT_NO_MEMORY;
    catch_errors(n);
    frame->queries = KT_CALL(&n->api, wgpuDeviceCreateQuerySet, NULL, n->device, &desc);
    frame->resolved = create_buffer(n, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc);
    frame->readable = create_buffer(n, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    kt_status status = caught(n, "making room for timestamps");
    if (status == KT_OK && (!frame->queries || !frame->resolved || !frame->readable))
        status = kt_fail(KT_DRIVER_ERROR, "%s gives none",
                         frame->queries ? "wgpuDeviceCreateBuffer" : "wgpuDeviceCreateQuerySet");
    if (status != KT_OK)
        destroy_objects(n, frame);
    return status;
}

/* Returns the frame of an encoder. For NULL, a free frame: those that have objects come first. */
static webgpu_frame *find_frame(webgpu_timer_context *n, const void *commands)
{
    for (uint32_t i = 0; i < n->frames_max; i++)
        if (n->frames[i].commands == commands)
            return &n->frames[i];
    return NULL;
}

static kt_status open_frame(webgpu_timer_context *n, void *commands, webgpu_frame **out)
{
    webgpu_frame *frame = find_frame(n, NULL);
    if (!frame)
        return kt_fail(
            KT_LIMIT,
            "%u encoders with passes that are timed are pending, as many as may be: call "
            "kt_collect() more often, or import with a larger frames_max",
            n->frames_max);
    kt_status status = frame->queries ? KT_OK : create_objects(n, frame);
    if (status != KT_OK)
        return status;
    n->api.wgpuCommandEncoderAddRef(commands);
    frame->phase = WEBGPU_FRAME_OPEN;
    frame->commands = commands;
    frame->failure = KT_OK;
    frame->is_spoilt = false;
    frame->pair_count = frame->mark_count = 0;
    *out = frame;
    return KT_OK;
}

static void give_back(webgpu_timer_context *n, webgpu_frame *frame)
{
    n->api.wgpuCommandEncoderRelease(frame->commands);
    frame->commands = NULL;
    frame->phase = WEBGPU_FRAME_FREE;
    if (frame->is_spoilt)
        destroy_objects(n, frame);
}

/* ---- marks ---- */

/* Adds a timed pass to the encoder's frame. The caller holds the mutex. */
static kt_status fill(webgpu_timer_context *n, void *commands, WGPUPassTimestampWrites *writes,
                      webgpu_mark *mark)
{
    webgpu_frame *frame = find_frame(n, commands);
    kt_status status = frame ? KT_OK : open_frame(n, commands, &frame);
    if (status != KT_OK)
        return status;
    if (frame->phase != WEBGPU_FRAME_OPEN)
        return kt_fail(KT_INVALID, "the timestamps of this encoder were resolved already");
    if (frame->pair_count == n->passes_max)
        return kt_fail(KT_LIMIT,
                       "%u passes of this encoder are timed, as many as may be: import with a "
                       "larger passes_max",
                       n->passes_max);
    mark->frame = frame;
    mark->pair = frame->pair_count++;
    frame->mark_count++;
    *writes = (WGPUPassTimestampWrites){.querySet = frame->queries,
                                        .beginningOfPassWriteIndex = 2 * mark->pair,
                                        .endOfPassWriteIndex = 2 * mark->pair + 1};
    return KT_OK;
}

kt_status kt_webgpu_mark_fill(void *context, void *commands, void *descriptor, void *mark)
{
    webgpu_timer_context *n = context;
    kt_mutex_lock(n->mutex);
    kt_status status = fill(n, commands, descriptor, mark);
    kt_mutex_unlock(n->mutex);
    return status;
}

/* Resolves only queries used by a pass, since others have undefined contents. The buffer offset is
 * a multiple of WEBGPU_RESOLVE_BYTES. */
static kt_status resolve(webgpu_timer_context *n, webgpu_frame *frame)
{
    if (frame->phase != WEBGPU_FRAME_OPEN)
        return kt_fail(KT_INVALID, "the timestamps of this encoder were resolved already");
    catch_errors(n);
    TIMER_CONTEXT_DO(n, wgpuCommandEncoderResolveQuerySet, frame->commands, frame->queries, 0,
                     2 * frame->pair_count, frame->resolved, 0);
    TIMER_CONTEXT_DO(n, wgpuCommandEncoderCopyBufferToBuffer, frame->commands, frame->resolved, 0,
                     frame->readable, 0, frame->pair_count * PAIR_BYTES);
    kt_status status = caught(n, "resolving timestamps");
    frame->is_spoilt = status != KT_OK;
    if (status == KT_OK)
        frame->phase = WEBGPU_FRAME_RESOLVED;
    return status;
}

kt_status kt_webgpu_commands_resolve(void *context, void *commands)
{
    webgpu_timer_context *n = context;
    kt_mutex_lock(n->mutex);
    webgpu_frame *frame = find_frame(n, commands);
    kt_status status = frame ? resolve(n, frame) : KT_OK;
    kt_mutex_unlock(n->mutex);
    return status;
}

static void take_map(WGPUMapAsyncStatus status, WGPUStringView message, void *answer, void *unused)
{
    (void)unused;
    webgpu_answer *a = answer;
    a->status = status;
    kt_webgpu_copy_text(a->message, sizeof a->message, message);
}

static kt_status begin_mapping(webgpu_timer_context *n, webgpu_frame *frame)
{
    if (frame->phase == WEBGPU_FRAME_OPEN)
        return kt_fail(KT_INVALID,
                       "the timestamps of this encoder were not resolved: say "
                       "kt_timer_context_resolve_webgpu() before wgpuCommandEncoderFinish()");
    if (frame->phase != WEBGPU_FRAME_RESOLVED)
        return kt_fail(KT_INVALID, "this encoder was said to be submitted already");
    frame->answer.status = 0;
    frame->future = KT_CALL(&n->api, wgpuBufferMapAsync, (WGPUFuture){0}, frame->readable,
                            WGPUMapMode_Read, 0, frame->pair_count * PAIR_BYTES,
                            (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                        .callback = take_map,
                                                        .userdata1 = &frame->answer});
    frame->phase = WEBGPU_FRAME_SUBMITTED;
    return KT_OK;
}

kt_status kt_webgpu_commands_submitted(void *context, void *commands)
{
    webgpu_timer_context *n = context;
    kt_mutex_lock(n->mutex);
    webgpu_frame *frame = find_frame(n, commands);
    kt_status status = frame ? begin_mapping(n, frame) : KT_OK;
    kt_mutex_unlock(n->mutex);
    return status;
}

/* ---- evaluating timestamps ---- */

/* Returns to what timestamps with this common divisor are rounded, 1 if to nothing. Two timestamps
 * of an unrounded clock have such a divisor with a chance of one in four billion. */
static uint64_t quantum_of(uint64_t divisor)
{
    for (size_t i = 0; i < sizeof quanta_ns / sizeof quanta_ns[0]; i++)
        if (divisor % quanta_ns[i] == 0)
            return quanta_ns[i];
    return 1;
}

/*
 * An unwritten query holds 0 or a value from the frame's previous use, older than every timestamp
 * of this use; the frame then gets new queries. A pair used by two passes holds the later pass's
 * timestamps, which lie after those of pairs taken later: OVERWRITTEN.
 */
static void judge(webgpu_timer_context *n, webgpu_frame *frame, const uint64_t *ticks)
{
    uint64_t newest = frame->newest_ticks, first_end = UINT64_MAX;
    for (uint32_t i = frame->pair_count; i-- > 0;) {
        kt_timestamp *timestamp = &frame->timestamps[i];
        uint64_t start = ticks[2 * i], end = ticks[2 * i + 1];
        *timestamp = (kt_timestamp){.start_ticks = start, .end_ticks = end};
        if (start == 0 || end == 0 || start < frame->newest_ticks) {
            timestamp->state = KT_TIMESTAMP_ZERO;
            frame->is_spoilt |= start != 0;
            continue;
        }
        n->divisor = kt_common_divisor(kt_common_divisor(start, n->divisor), end);
        newest = start > newest ? start : newest;
        newest = end > newest ? end : newest;
        if (start >= first_end && end > first_end)
            timestamp->state = KT_TIMESTAMP_OVERWRITTEN;
        else if (end >= start) /* a pair with its end before its start bounds no other pair */
            first_end = end < first_end ? end : first_end;
    }
    frame->newest_ticks = newest;
    uint64_t quantum = quantum_of(n->divisor);
    for (uint32_t i = 0; i < frame->pair_count && quantum > 1; i++) {
        kt_timestamp *timestamp = &frame->timestamps[i];
        if (timestamp->state == KT_TIMESTAMP_OK && timestamp->end_ticks >= timestamp->start_ticks &&
            timestamp->end_ticks - timestamp->start_ticks < QUANTA_MIN * quantum)
            timestamp->state = KT_TIMESTAMP_BELOW_MIN_SPAN;
    }
}

/* WGPUMapAsyncStatus_Aborted means that the device was lost: this file aborts no mapping that it
 * still reads. */
static kt_status fail_mapping(const webgpu_answer *answer)
{
    return kt_fail(answer->status == WGPUMapAsyncStatus_Aborted ? KT_DEVICE_LOST : KT_DRIVER_ERROR,
                   "wgpuBufferMapAsync has failed (%u): %s", answer->status, answer->message);
}

static kt_status take_timestamps(webgpu_timer_context *n, webgpu_frame *frame)
{
    if (frame->answer.status != WGPUMapAsyncStatus_Success)
        return fail_mapping(&frame->answer);
    const void *ticks = KT_CALL(&n->api, wgpuBufferGetConstMappedRange, NULL, frame->readable, 0,
                                frame->pair_count * PAIR_BYTES);
    if (!ticks)
        return kt_fail(KT_DRIVER_ERROR, "wgpuBufferGetConstMappedRange gives nothing");
    judge(n, frame, ticks);
    n->api.wgpuBufferUnmap(frame->readable);
    return KT_OK;
}

/* Aborts the mapping of a frame, so that its answer arrives now. */
static void abort_mapping(webgpu_timer_context *n, webgpu_frame *frame)
{
    WGPUFutureWaitInfo info = {.future = frame->future};
    bool is_pending = frame->future.id != 0 && frame->answer.status == 0;
    if (is_pending || frame->answer.status == WGPUMapAsyncStatus_Success)
        n->api.wgpuBufferUnmap(frame->readable);
    if (is_pending &&
        n->api.wgpuInstanceWaitAny(n->instance, 1, &info, 0) != WGPUWaitStatus_Success)
        n->unanswered = true;
}

static kt_status read_frame(webgpu_timer_context *n, webgpu_frame *frame)
{
    kt_status status = frame->future.id ? ask(n, frame->future)
                                        : kt_fail(KT_DRIVER_ERROR, "wgpuBufferMapAsync has failed");
    if (status == KT_NOT_READY)
        return status;
    if (status == KT_OK)
        status = take_timestamps(n, frame);
    if (status != KT_OK) {
        abort_mapping(n, frame);
        frame->is_spoilt = true;
        snprintf(frame->answer.message, sizeof frame->answer.message, "%s", kt_error_text());
    }
    kt_mutex_lock(n->mutex);
    frame->failure = status;
    frame->phase = WEBGPU_FRAME_READ;
    kt_mutex_unlock(n->mutex);
    return status;
}

kt_status kt_webgpu_mark_read(void *context, void *mark, kt_timestamp *timestamp)
{
    webgpu_timer_context *n = context;
    const webgpu_mark *m = mark;
    webgpu_frame *frame = m->frame;
    kt_mutex_lock(n->mutex);
    webgpu_frame_phase phase = frame->phase;
    kt_mutex_unlock(n->mutex);
    kt_status status = phase == WEBGPU_FRAME_READ        ? frame->failure
                       : phase == WEBGPU_FRAME_SUBMITTED ? read_frame(n, frame)
                                                         : KT_NOT_READY;
    if (status == KT_OK)
        *timestamp = frame->timestamps[m->pair];
    else if (phase == WEBGPU_FRAME_READ)
        return kt_fail(status, "%s", frame->answer.message);
    return status;
}

void kt_webgpu_mark_fini(void *context, void *mark)
{
    webgpu_timer_context *n = context;
    webgpu_frame *frame = ((webgpu_mark *)mark)->frame;
    if (!frame)
        return;
    kt_mutex_lock(n->mutex);
    if (--frame->mark_count == 0 && frame->phase != WEBGPU_FRAME_SUBMITTED)
        give_back(n, frame);
    kt_mutex_unlock(n->mutex);
}

void kt_webgpu_timer_context_fini(void *context)
{
    webgpu_timer_context *n = context;
    for (uint32_t i = 0; n->frames && i < n->frames_max; i++) {
        webgpu_frame *frame = &n->frames[i];
        if (frame->phase == WEBGPU_FRAME_SUBMITTED)
            abort_mapping(n, frame);
        if (frame->commands)
            give_back(n, frame);
        destroy_objects(n, frame);
        kt_free(frame->timestamps);
    }
    void (*let_go)(void *memory) = n->unanswered ? kt_abandon : kt_free;
    let_go(n->frames);
    let_go(n->caught);
    kt_mutex_destroy(n->mutex);
}
