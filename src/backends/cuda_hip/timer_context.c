/* SPDX-License-Identifier: MIT */
/*
 * timer_context.c - times spans in CUDA and HIP streams of the program: two events per span, from a
 * pool.
 *
 * Only import waits, for the check of event times. The time between two events (cuEventElapsedTime,
 * a float of ms) is passed on unchanged. Each call restores the calling thread's current context.
 *
 * An event that is recorded in a capturing stream is no timestamp (cuEventQuery returns 907). So a
 * start or stop calls cuStreamIsCapturing first and refuses. A capture that begins between the two
 * calls costs the span, which counts as an error.
 *
 * Adding a stream checks its context on CUDA and its device on HIP (5.6 or later). A context that
 * was reset keeps its handle, so its id is compared before events are destroyed (cuCtxGetId, CUDA
 * 12.0).
 *
 * CUDA graphs have no recordings yet. The second of two launches overwrites the events of the
 * first, and two elapsed times cannot show that they are of different launches. Each launch would
 * need events of its own (cuGraphExecEventRecordNodeSetEvent), for which kt_instrumentation has no
 * slot.
 */
#include "backends/cuda_hip/internal.h"
#include "support/host_clock.h"

#include <kerntime/timer/cuda.h>
#include <kerntime/timer/hip.h>

#define READY_EVENTS 128              /* events created during import, ahead of the first spans */
#define APART_NS     INT64_C(1000000) /* sleep between the check's two events */
#define PAUSE_NS     INT64_C(20000)   /* sleep between two polls of an event */
#define PROBE_NS     INT64_C(1000000000) /* longest wait for an event of the check */

/* Makes the imported context current on the calling thread until kt_cuda_leave(). */
static kt_status enter(const cuda_timer_context *n, cuda_scope *scope)
{
    return kt_cuda_enter(&n->api, n->context, n->ordinal, scope);
}

static kt_status enter_to_record(const cuda_timer_context *n, cuda_scope *scope)
{
    return kt_cuda_enter_to_record(&n->api, n->context, n->ordinal, scope);
}

/* ---- events ---- */

static kt_status record(const cuda_timer_context *n, void *stream, cuda_event event)
{
    return CUDA_DO(&n->api, cuEventRecord, event, stream);
}

/* Queries an event. KT_NOT_READY without an error text: the event has not completed, or cannot be
 * queried at this moment. */
static kt_status ask(const cuda_timer_context *n, cuda_event event)
{
    cuda_code code = CUDA_CODE(&n->api, cuEventQuery, event);
    switch (code) {
    case CUDA_OK: return KT_OK;
    case CUDA_NOT_READY:
    /* HIP runtimes before February 2026 return this while another thread captures in the global
     * mode, whatever the calling thread's mode is (ROCm/rocm-systems, pull request 3176). */
    case CUDA_CAPTURE_UNSUPPORTED: return KT_NOT_READY;
    default: return kt_cuda_fail(&n->api, CUDA_CALL_cuEventQuery, code);
    }
}

/* ---- whether event times can be trusted ---- */

/* Records an event and waits for it. KT_NOT_READY: it did not complete within PROBE_NS. */
static kt_status record_and_await(const cuda_timer_context *n, cuda_stream stream, cuda_event event)
{
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = record(n, stream, event);
    if (status != KT_OK)
        return status;
    do {
        status = ask(n, event);
        if (status == KT_NOT_READY)
            kt_system_clock.sleep(kt_system_clock.user, PAUSE_NS);
    } while (status == KT_NOT_READY && kt_host_now_ns() - begin_ns < PROBE_NS);
    return status;
}

/* Checks the elapsed time of two events. The first completes before the host sleeps, and the second
 * is recorded after the sleep. So the elapsed time is at least the sleep and at most the host's own
 * measurement. Factors of 1/2 and 2 allow for clocks that run at another rate than the host's. */
static kt_status check_distance(const cuda_timer_context *n, cuda_stream stream,
                                cuda_event events[2])
{
    float elapsed_ms = NAN;
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = record_and_await(n, stream, events[0]);
    if (status == KT_OK) {
        kt_system_clock.sleep(kt_system_clock.user, APART_NS);
        status = record_and_await(n, stream, events[1]);
    }
    if (status == KT_NOT_READY) /* an event is late, so the check decides nothing */
        return KT_OK;
    if (status != KT_OK)
        return status;
    kt_timestamp_state state = kt_cuda_elapsed(&n->api, events[0], events[1], &elapsed_ms);
    double most_ms = (double)(kt_host_now_ns() - begin_ns) * 1e-6;
    if (state != KT_TIMESTAMP_OK)
        return kt_fail(KT_DRIVER_ERROR, "%s has no distance of two events that have come: %s",
                       kt_cuda_call_name(&n->api, CUDA_CALL_cuEventElapsedTime),
                       kt_timestamp_state_name(state));
    if (elapsed_ms >= APART_NS * 0.5e-6 && elapsed_ms <= most_ms * 2)
        return KT_OK;
    return kt_fail(KT_UNSUPPORTED,
                   "untrusted timestamps: two events that were recorded a millisecond "
                   "apart are %g ms apart",
                   (double)elapsed_ms);
}

/* Checks event times in a new stream that waits for none of the program's streams, since those may
 * be busy or blocked. */
static kt_status check_times(cuda_timer_context *n)
{
    cuda_stream stream = NULL;
    cuda_event events[READY_EVENTS] = {NULL};
    kt_status status = CUDA_DO(&n->api, cuStreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
    if (status != KT_OK)
        return status;
    status = kt_cuda_pool_take(&n->pool, events, READY_EVENTS);
    if (status == KT_OK)
        status = check_distance(n, stream, events);
    kt_cuda_pool_give(&n->pool, events, READY_EVENTS);
    n->api.cuStreamDestroy(stream);
    return status;
}

/* ---- contexts and streams ---- */

/* Finishes the import, once the context is known. */
static kt_status init(cuda_timer_context *n, kt_clock_info *clocks)
{
    cuda_scope scope;
    kt_status status = kt_cuda_pool_init(&n->pool, &n->api);
    if (status != KT_OK)
        return status;
    status = enter(n, &scope);
    if (status == KT_OK && n->api.cuCtxGetId)
        status = CUDA_DO(&n->api, cuCtxGetId, n->context, &n->context_id);
    if (status == KT_OK)
        status = check_times(n);
    kt_cuda_leave(&scope);
    clocks[0] = cuda_clock(false);
    return status;
}

kt_status kt_cuda_timer_context_init(void *timer_context, const void *desc, kt_clock_info *clocks)
{
    cuda_timer_context *n = timer_context;
    kt_status status = kt_cuda_open(&n->api, CUDA_KIND_CUDA);
    if (status != KT_OK)
        return status;
    n->context = (cuda_context)((const kt_cuda_import *)desc)->context;
    if (!n->context)
        status = CUDA_DO(&n->api, cuCtxGetCurrent, &n->context);
    if (status != KT_OK)
        return status;
    if (!n->context)
        return kt_fail(KT_INVALID, "no context to import: none is current on this thread");
    return init(n, clocks);
}

kt_status kt_hip_timer_context_init(void *timer_context, const void *desc, kt_clock_info *clocks)
{
    cuda_timer_context *n = timer_context;
    (void)desc; /* HIP imports the thread's current device */
    kt_status status = kt_cuda_open(&n->api, CUDA_KIND_HIP);
    if (status != KT_OK)
        return status;
    uint32_t count = 0;
    status = kt_cuda_count_devices(&n->api, &count);
    if (status == KT_OK)
        status = CUDA_DO(&n->api, hipGetDevice, &n->ordinal);
    return status == KT_OK ? init(n, clocks) : status;
}

/* Whether the imported context still exists. A context that the program has destroyed or reset took
 * its events along, and may return errors. */
static bool is_there(const cuda_timer_context *n, cuda_scope *scope)
{
    cuda_ordinal ordinal;
    unsigned long long id = 0;
    if (enter(n, scope) != KT_OK)
        return false;
    if (n->api.kind == CUDA_KIND_HIP)
        return true;
    if (n->context_id && CUDA_CODE(&n->api, cuCtxGetId, n->context, &id) == CUDA_OK)
        return id == n->context_id;
    return CUDA_CODE(&n->api, cuCtxGetDevice, &ordinal) == CUDA_OK;
}

void kt_cuda_timer_context_fini(void *timer_context)
{
    cuda_timer_context *n = timer_context;
    cuda_scope scope;
    if (!n->pool.api) /* the driver was not opened */
        return;
    if (!is_there(n, &scope))
        n->pool.all_count = 0;
    kt_cuda_pool_fini(&n->pool);
    kt_cuda_leave(&scope);
}

/* Checks the code of a call about a stream. On HIP, code 709 means that the stream does not
 * exist. */
static kt_status check_answer(const cuda_timer_context *n, cuda_call which, cuda_code code)
{
    if (n->api.kind == CUDA_KIND_HIP &&
        (code == CUDA_CONTEXT_IS_DESTROYED || code == CUDA_INVALID_HANDLE))
        return kt_fail(KT_INVALID, "there is no such stream: %s answers %s (%d)",
                       kt_cuda_call_name(&n->api, which), kt_cuda_code_name(&n->api, code),
                       (int)code);
    return cuda_check(&n->api, which, code);
}

/* Checks a stream's device. NULL is the default stream of the thread's current device. HIP before
 * 5.6 does not report a stream's device. */
static kt_status check_hip_stream(const cuda_timer_context *n, void *stream)
{
    cuda_ordinal ordinal = n->ordinal;
    cuda_capture_status capture = CUDA_CAPTURE_NONE;
    kt_status status = KT_OK;
    if (stream && n->api.hipStreamGetDevice)
        status = check_answer(n, CUDA_CALL_hipStreamGetDevice,
                              CUDA_CODE(&n->api, hipStreamGetDevice, stream, &ordinal));
    else if (stream && n->api.cuStreamIsCapturing)
        status = check_answer(n, CUDA_CALL_cuStreamIsCapturing,
                              CUDA_CODE(&n->api, cuStreamIsCapturing, stream, &capture));
    if (status != KT_OK || ordinal == n->ordinal)
        return status;
    return kt_fail(KT_INVALID, "the stream belongs to device %d, not to the one imported, %d",
                   ordinal, n->ordinal);
}

static kt_status check_stream(const cuda_timer_context *n, void *stream)
{
    cuda_context context = n->context;
    if (n->api.kind == CUDA_KIND_HIP)
        return check_hip_stream(n, stream);
    if (n->api.cuStreamGetCtx) {
        kt_status status = CUDA_DO(&n->api, cuStreamGetCtx, stream, &context);
        if (status != KT_OK)
            return status;
    }
    /* For a stream of a green context, the first call returns the green context, and the second one
     * the device's primary context. Events of either work in the stream. */
    if (context != n->context && n->api.cuStreamGetCtx_v2) {
        cuda_green_context green = NULL;
        kt_status status = CUDA_DO(&n->api, cuStreamGetCtx_v2, stream, &context, &green);
        if (status != KT_OK)
            return status;
    }
    return context == n->context
               ? KT_OK
               : kt_fail(KT_INVALID, "the stream belongs to another context than the one "
                                     "imported: import its own context");
}

kt_status kt_cuda_stream_init(void *timer_context, void *stream, bool *in_order)
{
    const cuda_timer_context *n = timer_context;
    cuda_scope scope;
    kt_status status = enter(n, &scope);
    if (status == KT_OK)
        status = check_stream(n, stream);
    kt_cuda_leave(&scope);
    *in_order = true;
    return status;
}

/* ---- marks ---- */

/* Refuses a stream that is being captured: an event recorded in it becomes part of the graph and is
 * no timestamp. */
static kt_status check_capture(const cuda_timer_context *n, void *stream)
{
    cuda_capture_status capture = CUDA_CAPTURE_NONE;
    if (!n->api.cuStreamIsCapturing)
        return KT_OK;
    cuda_code code = CUDA_CODE(&n->api, cuStreamIsCapturing, stream, &capture);
    if (code == CUDA_CAPTURE_IMPLICIT)
        return kt_fail(KT_UNSUPPORTED,
                       "a stream that the default stream waits for is being captured into a graph: "
                       "an event recorded in the default stream now would spoil the capture");
    if (code != CUDA_OK)
        return kt_cuda_fail(&n->api, CUDA_CALL_cuStreamIsCapturing, code);
    if (capture == CUDA_CAPTURE_NONE)
        return KT_OK;
    return kt_fail(KT_UNSUPPORTED,
                   "this stream is being captured into a graph: an event recorded there is no "
                   "timestamp, so time the launch of the graph");
}

kt_status kt_cuda_mark_start(void *timer_context, void *stream, void *mark)
{
    cuda_timer_context *n = timer_context;
    cuda_mark *m = mark;
    cuda_scope scope;
    kt_status status = enter_to_record(n, &scope);
    if (status == KT_OK)
        status = check_capture(n, stream);
    if (status == KT_OK)
        status = kt_cuda_pool_take(&n->pool, m->events, 2);
    if (status == KT_OK)
        status = record(n, stream, m->events[0]);
    kt_cuda_leave(&scope);
    return status;
}

kt_status kt_cuda_mark_stop(void *timer_context, void *stream, void *mark)
{
    const cuda_timer_context *n = timer_context;
    const cuda_mark *m = mark;
    cuda_scope scope;
    kt_status status = enter_to_record(n, &scope);
    if (status == KT_OK)
        status = check_capture(n, stream);
    if (status == KT_OK)
        status = record(n, stream, m->events[1]);
    kt_cuda_leave(&scope);
    return status;
}

void kt_cuda_reading_begin(void *timer_context)
{
    cuda_timer_context *n = timer_context;
    n->reading_status = enter(n, &n->reading);
}

void kt_cuda_reading_end(void *timer_context)
{
    kt_cuda_leave(&((cuda_timer_context *)timer_context)->reading);
}

kt_status kt_cuda_mark_read(void *timer_context, void *mark, kt_timestamp *timestamp)
{
    const cuda_timer_context *n = timer_context;
    const cuda_mark *m = mark;
    kt_status status = n->reading_status;
    if (status == KT_OK)
        status = ask(n, m->events[1]); /* the start event completes before the stop event */
    if (status == KT_OK)
        timestamp->state =
            kt_cuda_elapsed(&n->api, m->events[0], m->events[1], &timestamp->elapsed_ms);
    return status;
}

void kt_cuda_mark_fini(void *timer_context, void *mark)
{
    cuda_timer_context *n = timer_context;
    kt_cuda_pool_give(&n->pool, ((cuda_mark *)mark)->events, 2);
}
