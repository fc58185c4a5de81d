/* SPDX-License-Identifier: MIT */
/* Events, and what they tell; captures, in which they tell nothing. */
#include "stub.h"

#include <math.h>

static _Thread_local cuda_capture_mode thread_mode; /* 0: global, as it is in the API */
static _Thread_local char thread_mark;              /* its address tells threads apart */

/* ---- captures ---- */

/* A capture of mode global forbids such calls to all threads, one of mode thread-local (1) to its
 * own; a thread that is relaxed itself may call. */
cuda_code capture_check(void)
{
    if (thread_mode == CUDA_CAPTURE_MODE_RELAXED)
        return CUDA_OK;
    for (cuda_stream s = NULL; (s = object_next(KIND_STREAM, s)) != NULL;) {
        bool mine = s->capture_thread == &thread_mark;
        if (s->capture != CAPTURE_ACTIVE || s->capture_mode == CUDA_CAPTURE_MODE_RELAXED)
            continue;
        if (!mine && (s->capture_mode != 0 || thread_mode != 0))
            continue;
        s->capture = CAPTURE_INVALIDATED;
        misuse("it spoils a capture");
        return CUDA_CAPTURE_UNSUPPORTED;
    }
    return CUDA_OK;
}

cuda_code stub_cuStreamBeginCapture(cuda_stream handle, cuda_capture_mode mode)
{
    ENTER(cuStreamBeginCapture, NEEDS_CONTEXT);
    cuda_stream stream = stream_use(handle);
    if (!stream || (stream->base.implicit && !stream->of_thread) ||
        stream->capture != CUDA_CAPTURE_NONE)
        return stream ? CUDA_CAPTURE_UNSUPPORTED : CUDA_INVALID_HANDLE;
    stream->capture = CAPTURE_ACTIVE;
    stream->capture_mode = mode;
    stream->capture_thread = &thread_mark;
    return CUDA_OK;
}

cuda_code stub_cuStreamEndCapture(cuda_stream handle, void **graph)
{
    ENTER(cuStreamEndCapture, NEEDS_CONTEXT);
    cuda_stream stream = stream_use(handle);
    if (!stream || stream->capture == CUDA_CAPTURE_NONE)
        return CUDA_INVALID_VALUE;
    bool good = stream->capture == CAPTURE_ACTIVE;
    stream->capture = CUDA_CAPTURE_NONE;
    *graph = NULL;
    return good ? CUDA_OK : CODE_CAPTURE_INVALIDATED;
}

cuda_code stub_cuStreamIsCapturing(cuda_stream handle, cuda_capture_status *out)
{
    ENTER(cuStreamIsCapturing, NEEDS_CONTEXT);
#if STUB_HIP
    if (!stream_find(handle))
        return CUDA_CONTEXT_IS_DESTROYED;
#endif
    cuda_stream stream = stream_use(handle);
    if (!stream)
        return CUDA_INVALID_HANDLE;
    *out = script.capturing ? CAPTURE_ACTIVE : stream->capture;
    return CUDA_OK;
}

cuda_code stub_cuThreadExchangeStreamCaptureMode(cuda_capture_mode *mode)
{
    ENTER(cuThreadExchangeStreamCaptureMode, NEEDS_INIT | NEEDS_NO_DEVICE);
    cuda_capture_mode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return CUDA_OK;
}

/* ---- events ---- */

enum { EVENT_BLOCKING = 1, EVENT_WITHOUT_TIMING = 2 };

void event_timestamp(cuda_event event, uint64_t serial, int64_t moment_ns)
{
    if (event->serial != serial) /* recorded again since */
        return;
    event->waiting = false;
    event->timestamp_ns = moment_ns;
}

void events_forget_stream(const struct cuda_stream_opaque *stream)
{
    for (cuda_event e = NULL; (e = object_next(KIND_EVENT, e)) != NULL;)
        if (e->stream == stream)
            e->stream = NULL;
}

static cuda_event use(cuda_event handle)
{
    return object_use(handle, KIND_EVENT);
}

cuda_code stub_cuEventCreate(cuda_event *out, unsigned flags)
{
    ENTER(cuEventCreate, NEEDS_CONTEXT);
    unsigned known =
        EVENT_BLOCKING | EVENT_WITHOUT_TIMING | (STUB_HIP ? HIP_EVENT_WITHOUT_FENCE : 0);
    EXPECT_USE((flags & ~known) == 0, "flags %u", flags);
    if ((flags & HIP_EVENT_WITHOUT_FENCE) && !script.fence_flag)
        return CUDA_INVALID_VALUE;
    *out = object_create(KIND_EVENT, sizeof **out, context_current());
    (*out)->without_timing = (flags & EVENT_WITHOUT_TIMING) != 0;
    (*out)->fences = STUB_HIP && (flags & HIP_EVENT_WITHOUT_FENCE) == 0;
    return CUDA_OK;
}

cuda_code stub_cuEventRecord(cuda_event handle, cuda_stream stream_handle)
{
    ENTER(cuEventRecord, NEEDS_CONTEXT);
    cuda_event event = use(handle);
    cuda_stream stream = event ? stream_use(stream_handle) : NULL;
    if (!stream)
        return CUDA_INVALID_HANDLE;
    if (!contexts_meet(event->base.context, stream->base.context)) {
        misuse("the event is of another context");
        return CUDA_INVALID_HANDLE;
    }
    event->recorded = true;
    event->captured = script.capturing || stream->capture != CUDA_CAPTURE_NONE;
    event->waiting = false;
    event->stream = NULL;
    event->serial = 0;
    if (event->captured)
        return CUDA_OK;
    event->stream = stream;
    event->waiting = true;
    event->late = script.late;
    if (event->fences && script.fence_ns)
        stream_add(stream,
                   &(struct command){.op = OP_FENCE, .duration_ns = (int64_t)script.fence_ns});
    stream_add(stream, &(struct command){.op = OP_RECORD,
                                         .duration_ns = (int64_t)script.record_ns,
                                         .event = event});
    return stub_lost();
}

/* Whether its record has been executed and has ended, whoever believes it. */
static bool ended(cuda_event event)
{
    if (event->stream)
        stream_settle(event->stream);
    return !event->waiting && event->timestamp_ns <= clock_now();
}

static bool seen(cuda_event event)
{
    return event->late == 0 || !event->stream || event->stream->done_serial >= event->serial;
}

cuda_code stub_cuEventQuery(cuda_event handle)
{
    ENTER(cuEventQuery, NEEDS_INIT);
    cuda_event event = use(handle);
    cuda_code spoils = capture_check();
    if (!event || spoils != CUDA_OK)
        return event ? spoils : CUDA_INVALID_HANDLE;
    if (event->captured)
        return CUDA_CAPTURED_EVENT;
    if (!event->recorded)
        return CUDA_OK;
    if (!ended(event)) {
        if (event->stream)
            stream_poll(event->stream);
        return CUDA_NOT_READY;
    }
    if (seen(event)) {
        if (event->stream && event->stream->done_serial < event->serial)
            event->stream->done_serial = event->serial; /* all before it has come, too */
        return stub_lost();
    }
    event->late--;
    return CUDA_NOT_READY;
}

/* What is behind it in the stream is waited for as well. */
cuda_code stub_cuEventSynchronize(cuda_event handle)
{
    ENTER(cuEventSynchronize, NEEDS_CONTEXT);
    cuda_event event = use(handle);
    if (!event)
        return CUDA_INVALID_HANDLE;
    if (event->captured)
        return CUDA_CAPTURED_EVENT;
    if (event->recorded && event->stream)
        stream_finish(event->stream);
    return stub_lost();
}

/* In whole steps of the device's clock, and ns of those. */
static int64_t reported_ns(const struct cuda_event_opaque *event)
{
    return event->timestamp_ns - event->timestamp_ns % (int64_t)script.step_ns;
}

/* What the script wants in place of the truth; CUDA_OK: nothing. */
static cuda_code spoilt(float *out, float ms)
{
    static uint64_t pairs;
    *out = ms;
    if (++pairs % script.every != 0)
        return CUDA_OK;
    switch ((enum script_elapsed)script.elapsed) {
    case ELAPSED_NOT_READY: return CUDA_NOT_READY;
    case ELAPSED_INVALID: return CUDA_INVALID_HANDLE;
    case ELAPSED_CAPTURED: return CUDA_CAPTURED_EVENT;
    case ELAPSED_NEGATIVE: *out = -ms - 0.001F; return CUDA_OK;
    case ELAPSED_NOTHING: *out = NAN; return CUDA_OK;
    case ELAPSED_GOOD: break;
    }
    return CUDA_OK;
}

static cuda_code elapsed(float *out, cuda_event begin_handle, cuda_event end_handle)
{
    cuda_event begin = use(begin_handle), end = use(end_handle);
    if (!begin || !end)
        return CUDA_INVALID_HANDLE;
    if (begin->captured || end->captured)
        return CUDA_CAPTURED_EVENT;
    if (!begin->recorded || !end->recorded || begin->without_timing || end->without_timing)
        return CUDA_INVALID_HANDLE;
    if (!ended(begin) || !ended(end) || !seen(begin) || !seen(end))
        return CUDA_NOT_READY;
    float reported = NAN;
    cuda_code code = spoilt(&reported, (float)((double)(reported_ns(end) - reported_ns(begin)) *
                                               (1 - (double)script.events_ppm / 1e6) / 1e6));
    if (code == CUDA_OK && !isnan(reported))
        *out = reported;
    return code;
}

cuda_code stub_cuEventElapsedTime(float *out, cuda_event begin, cuda_event end)
{
    ENTER(cuEventElapsedTime, NEEDS_CONTEXT);
    return elapsed(out, begin, end);
}

#if !STUB_HIP
cuda_code stub_cuEventElapsedTime_v2(float *out, cuda_event begin, cuda_event end)
{
    ENTER(cuEventElapsedTime_v2, NEEDS_CONTEXT);
    return elapsed(out, begin, end);
}
#endif

/* One that is still waited for may go: the driver keeps what it needs. Here nobody else would. */
cuda_code stub_cuEventDestroy(cuda_event handle)
{
    ENTER(cuEventDestroy, NEEDS_CONTEXT | NEEDS_NO_LUCK);
    cuda_event event = use(handle);
    if (!event)
        return CUDA_INVALID_HANDLE;
    if (event->stream && event->waiting)
        stream_finish(event->stream);
    object_destroy(event);
    return stub_lost();
}
