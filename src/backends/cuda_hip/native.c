/*
 * Timers in streams of the program: two events per span, from a pool. Nothing here waits but the
 * check of the event times during import.
 *
 * Events are the only timestamps: cuEventElapsedTime gives the time between two of them as a float
 * of ms, which is passed on unchanged. The calling thread's current context is put back after each
 * call.
 *
 * An event that is recorded in a capturing stream is no timestamp (cuEventQuery answers 907). So a
 * start or stop asks cuStreamIsCapturing first and refuses. A capture that begins between the two
 * costs the span, which counts as an error.
 *
 * A stream is checked when it is added: its context on CUDA, its device on HIP (5.6 or later). A
 * context that was reset keeps its handle, so its id is compared before events are destroyed
 * (cuCtxGetId, CUDA 12.0).
 *
 * A CUDA graph is no recording yet. The second of two launches overwrites the events of the first,
 * and two elapsed times cannot show that they are of different launches. Each launch would need
 * events of its own (cuGraphExecEventRecordNodeSetEvent), for which the contract has no slot.
 */
#include "backends/cuda_hip/internal.h"
#include "support/host_clock.h"

#include <kerntime/native/cuda.h>
#include <kerntime/native/hip.h>

#define READY_EVENTS 128              /* made while importing, so that the first spans need not */
#define APART_NS     INT64_C(1000000) /* of two events that any true clock tells apart */
#define PAUSE_NS     INT64_C(20000)   /* between two questions */
#define PROBE_NS     INT64_C(1000000000) /* at most, for an event in a stream of our own */

/* The native's context is the thread's until cuda_leave(). */
static kt_status enter(const cuda_native *n, cuda_scope *scope)
{
    return cuda_enter(&n->api, n->context, n->ordinal, scope);
}

/* ---- events ---- */

static kt_status record(const cuda_native *n, void *stream, cuda_event event)
{
    return CUDA_DO(&n->api, cuEventRecord, event, stream);
}

/* KT_NOT_READY without a sentence: it has not come yet, or cannot be asked at this moment. */
static kt_status ask(const cuda_native *n, cuda_event event)
{
    cuda_code code = CUDA_CODE(&n->api, cuEventQuery, event);
    switch (code) {
    case CUDA_OK: return KT_OK;
    case CUDA_NOT_READY:
    /* Runtimes of HIP before February 2026 answer this while another thread captures in the global
     * mode, whatever the asking thread's mode is (ROCm/rocm-systems, pull request 3176). */
    case CUDA_CAPTURE_UNSUPPORTED: return KT_NOT_READY;
    default: return cuda_fail(&n->api, CUDA_CALL_cuEventQuery, code);
    }
}

/* ---- whether times are to be believed ---- */

/* Records an event; KT_NOT_READY: it has not come within PROBE_NS. */
static kt_status record_and_await(const cuda_native *n, cuda_stream stream, cuda_event event)
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

/*
 * The first event has come before the host sleeps, and the second one is recorded afterwards: so
 * the two are at least that far apart, and no further than the host saw. Half and twice are for
 * clocks that are not the host's.
 */
static kt_status check_distance(const cuda_native *n, cuda_stream stream, cuda_event events[2])
{
    float elapsed_ms = NAN;
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = record_and_await(n, stream, events[0]);
    if (status == KT_OK) {
        kt_system_clock.sleep(kt_system_clock.user, APART_NS);
        status = record_and_await(n, stream, events[1]);
    }
    if (status == KT_NOT_READY) /* nothing was learned */
        return KT_OK;
    if (status != KT_OK)
        return status;
    kt_stamp_state state = cuda_elapsed(&n->api, events[0], events[1], &elapsed_ms);
    double most_ms = (double)(kt_host_now_ns() - begin_ns) * 1e-6;
    if (state != KT_STAMP_OK)
        return kt_fail(KT_DRIVER_ERROR, "%s has no distance of two events that have come: %s",
                       cuda_call_name(&n->api, CUDA_CALL_cuEventElapsedTime),
                       kt_stamp_state_name(state));
    if (elapsed_ms >= APART_NS * 0.5e-6 && elapsed_ms <= most_ms * 2)
        return KT_OK;
    return kt_fail(KT_UNSUPPORTED,
                   "this driver's times are made up: two events that were recorded a millisecond "
                   "apart are %g ms apart",
                   (double)elapsed_ms);
}

/* The program's streams may be busy, or held up, so it is done in another one, which waits for none
 * of them. */
static kt_status check_times(cuda_native *n)
{
    cuda_stream stream = NULL;
    cuda_event events[READY_EVENTS] = {NULL};
    kt_status status = CUDA_DO(&n->api, cuStreamCreate, &stream, CUDA_STREAM_NON_BLOCKING);
    if (status != KT_OK)
        return status;
    status = cuda_pool_take(&n->pool, events, READY_EVENTS);
    if (status == KT_OK)
        status = check_distance(n, stream, events);
    cuda_pool_give(&n->pool, events, READY_EVENTS);
    n->api.cuStreamDestroy(stream);
    return status;
}

/* ---- contexts and streams ---- */

/* All that is left when its context is known. */
static kt_status init(cuda_native *n, kt_clock_info *clocks)
{
    cuda_scope scope;
    kt_status status = cuda_pool_init(&n->pool, &n->api);
    if (status != KT_OK)
        return status;
    status = enter(n, &scope);
    if (status == KT_OK && n->api.cuCtxGetId)
        status = CUDA_DO(&n->api, cuCtxGetId, n->context, &n->context_id);
    if (status == KT_OK)
        status = check_times(n);
    cuda_leave(&scope);
    clocks[0] = cuda_clock(false);
    return status;
}

kt_status cuda_native_init(void *native, const void *desc, kt_clock_info *clocks)
{
    cuda_native *n = native;
    kt_status status = cuda_open(&n->api, CUDA_KIND_CUDA);
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

kt_status hip_native_init(void *native, const void *desc, kt_clock_info *clocks)
{
    cuda_native *n = native;
    (void)desc; /* the device is the thread's */
    kt_status status = cuda_open(&n->api, CUDA_KIND_HIP);
    if (status != KT_OK)
        return status;
    uint32_t count = 0;
    status = cuda_count_devices(&n->api, &count);
    if (status == KT_OK)
        status = CUDA_DO(&n->api, hipGetDevice, &n->ordinal);
    return status == KT_OK ? init(n, clocks) : status;
}

/* A context that the program has destroyed, or reset, has taken its events along, and may answer
 * that it is gone. */
static bool is_there(const cuda_native *n, cuda_scope *scope)
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

void cuda_native_fini(void *native)
{
    cuda_native *n = native;
    cuda_scope scope;
    if (!n->pool.api) /* there was no driver */
        return;
    if (!is_there(n, &scope))
        n->pool.all_count = 0;
    cuda_pool_fini(&n->pool);
    cuda_leave(&scope);
}

/* What the driver answers of a stream: of HIP 709 is one that there is not. */
static kt_status check_answer(const cuda_native *n, cuda_call which, cuda_code code)
{
    if (n->api.kind == CUDA_KIND_HIP &&
        (code == CUDA_CONTEXT_IS_DESTROYED || code == CUDA_INVALID_HANDLE))
        return kt_fail(KT_INVALID, "there is no such stream: %s answers %s (%d)",
                       cuda_call_name(&n->api, which), cuda_code_name(&n->api, code), (int)code);
    return cuda_check(&n->api, which, code);
}

/* NULL is the default stream of the device that the thread is on. Before HIP 5.6 the device of a
 * stream is not told. */
static kt_status check_hip_stream(const cuda_native *n, void *stream)
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

static kt_status check_stream(const cuda_native *n, void *stream)
{
    cuda_context context = n->context;
    if (n->api.kind == CUDA_KIND_HIP)
        return check_hip_stream(n, stream);
    if (n->api.cuStreamGetCtx) {
        kt_status status = CUDA_DO(&n->api, cuStreamGetCtx, stream, &context);
        if (status != KT_OK)
            return status;
    }
    return context == n->context
               ? KT_OK
               : kt_fail(KT_INVALID, "the stream belongs to another context than the one imported");
}

kt_status cuda_stream_init(void *native, void *stream, bool *in_order)
{
    const cuda_native *n = native;
    cuda_scope scope;
    kt_status status = enter(n, &scope);
    if (status == KT_OK)
        status = check_stream(n, stream);
    cuda_leave(&scope);
    *in_order = true;
    return status;
}

/* ---- marks ---- */

/* An event that is recorded in a stream which is being captured becomes part of the graph, and is
 * no stamp. */
static kt_status check_capture(const cuda_native *n, void *stream)
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
        return cuda_fail(&n->api, CUDA_CALL_cuStreamIsCapturing, code);
    if (capture == CUDA_CAPTURE_NONE)
        return KT_OK;
    return kt_fail(KT_UNSUPPORTED,
                   "this stream is being captured into a graph: an event recorded there is no "
                   "stamp, so time the launch of the graph");
}

kt_status cuda_mark_start(void *native, void *stream, void *mark)
{
    cuda_native *n = native;
    cuda_mark *m = mark;
    cuda_scope scope;
    kt_status status = enter(n, &scope);
    if (status == KT_OK)
        status = check_capture(n, stream);
    if (status == KT_OK)
        status = cuda_pool_take(&n->pool, m->events, 2);
    if (status == KT_OK)
        status = record(n, stream, m->events[0]);
    cuda_leave(&scope);
    return status;
}

kt_status cuda_mark_stop(void *native, void *stream, void *mark)
{
    const cuda_native *n = native;
    const cuda_mark *m = mark;
    cuda_scope scope;
    kt_status status = enter(n, &scope);
    if (status == KT_OK)
        status = check_capture(n, stream);
    if (status == KT_OK)
        status = record(n, stream, m->events[1]);
    cuda_leave(&scope);
    return status;
}

kt_status cuda_mark_read(void *native, void *mark, kt_stamp *stamp)
{
    const cuda_native *n = native;
    const cuda_mark *m = mark;
    cuda_scope scope;
    kt_status status = enter(n, &scope);
    if (status == KT_OK)
        status = ask(n, m->events[1]); /* the first one has come before it */
    if (status == KT_OK)
        stamp->state = cuda_elapsed(&n->api, m->events[0], m->events[1], &stamp->elapsed_ms);
    cuda_leave(&scope);
    return status;
}

void cuda_mark_fini(void *native, void *mark)
{
    cuda_native *n = native;
    cuda_pool_give(&n->pool, ((cuda_mark *)mark)->events, 2);
}
