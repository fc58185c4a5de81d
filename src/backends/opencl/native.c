/* Timers in queues of the program: markers, or the events of its own commands. Nothing here
 * waits. */
#include "backends/opencl/internal.h"
#include "support/alloc.h"
#include "support/host_clock.h"

#include <kerntime/native/opencl.h>

#define MOVING_NS INT64_C(1000000)    /* in which any clock that serves for stamps moves */
#define PAUSE_NS  INT64_C(20000)      /* between two questions */
#define PROBE_NS  INT64_C(1000000000) /* at most, for two markers in a queue of our own */

/* ---- whether stamps are to be believed ---- */

/* The end of a marker that is put into the queue now. KT_NOT_READY: it has not come to its end. */
static kt_status stamp_once(const opencl_native *n, cl_command_queue queue, cl_ulong *end)
{
    cl_event event = NULL;
    cl_int code = CL_CODE(&n->api, clEnqueueMarkerWithWaitList, queue, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return opencl_fail("clEnqueueMarkerWithWaitList", code);
    code = CL_CODE(&n->api, clFlush, queue);
    kt_status status = code == CL_SUCCESS ? KT_NOT_READY : opencl_fail("clFlush", code);
    int64_t begin_ns = kt_host_now_ns();
    while (status == KT_NOT_READY && kt_host_now_ns() - begin_ns < PROBE_NS) {
        status = opencl_ask(&n->api, event);
        if (status == KT_NOT_READY) /* a core may be what the device needs */
            kt_system_clock.sleep(kt_system_clock.user, PAUSE_NS);
    }
    if (status == KT_OK) {
        code = CL_CODE(&n->api, clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END,
                       sizeof *end, end, NULL);
        if (code != CL_SUCCESS)
            status = opencl_fail("clGetEventProfilingInfo", code);
    }
    n->api.clReleaseEvent(event);
    return status;
}

/*
 * Rusticl of Mesa 22.3 answers 0, 1, 2 and 3 for every event. Two markers that end at the same
 * tick, though a while apart, show such stamps. The program's queue may be busy, or held up, so
 * they go into another one of its context.
 */
static kt_status check_stamps(const opencl_native *n)
{
    cl_ulong before = 0, after = 0;
    cl_int code = OPENCL_FAULT;
    cl_command_queue queue = CL_OBJECT(&n->api, clCreateCommandQueue, n->context, n->device,
                                       CL_QUEUE_PROFILING_ENABLE, &code);
    if (!queue)
        return opencl_fail("clCreateCommandQueue", code);
    kt_status status = stamp_once(n, queue, &before);
    if (status == KT_OK) {
        kt_system_clock.sleep(kt_system_clock.user, MOVING_NS);
        status = stamp_once(n, queue, &after);
    }
    n->api.clReleaseCommandQueue(queue);
    if (status == KT_NOT_READY) /* nothing was learned */
        return KT_OK;
    if (status == KT_OK && before == after)
        return kt_fail(
            KT_UNSUPPORTED,
            "this driver's stamps are made up: two markers a millisecond apart both ended "
            "at tick %llu",
            (unsigned long long)after);
    return status;
}

/* ---- devices and queues ---- */

static kt_status queue_info(const opencl_native *n, cl_command_queue queue,
                            cl_command_queue_info what, size_t bytes, void *out)
{
    cl_int code = CL_CODE(&n->api, clGetCommandQueueInfo, queue, what, bytes, out, NULL);
    return code == CL_SUCCESS ? KT_OK : opencl_fail("clGetCommandQueueInfo", code);
}

kt_status opencl_native_init(void *native, const void *desc, kt_clock_info *clocks)
{
    opencl_native *n = native;
    cl_command_queue queue = ((const kt_opencl_import *)desc)->queue;
    kt_status status = opencl_open(&n->api);
    if (status != KT_OK)
        return status;
    const opencl_api *api = &n->api;
    if (!api->clGetCommandQueueInfo || !api->clRetainCommandQueue || !api->clRetainEvent ||
        !api->clEnqueueMarkerWithWaitList)
        return kt_fail(KT_UNSUPPORTED, "the OpenCL library is older than version 1.2");
    status = queue_info(n, queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &n->context);
    if (status == KT_OK)
        status = queue_info(n, queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &n->device);
    if (status != KT_OK)
        return status;
    if (!opencl_is_since(api, n->device, 1, 2))
        return kt_fail(KT_UNSUPPORTED, "the device's OpenCL is older than version 1.2");
    clocks[0] = opencl_clock();
    clocks[0].period_source = KT_SOURCE_TOLD;
    return check_stamps(n);
}

void opencl_native_fini(void *native)
{
    opencl_native *n = native;
    for (size_t i = 0; i < n->queue_count; i++)
        n->api.clReleaseCommandQueue(n->queues[i]);
    kt_free(n->queues);
}

/* Whether what is enqueued there has stamps of the native's clock. */
static kt_status check_queue(const opencl_native *n, cl_command_queue queue,
                             cl_command_queue_properties *properties)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    kt_status status = queue_info(n, queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context);
    if (status == KT_OK)
        status = queue_info(n, queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device);
    if (status == KT_OK)
        status = queue_info(n, queue, CL_QUEUE_PROPERTIES, sizeof *properties, properties);
    if (status != KT_OK)
        return status;
    if (context != n->context || device != n->device)
        return kt_fail(KT_INVALID, "the queue is of another %s than the one imported first",
                       context != n->context ? "context" : "device");
    if (!(*properties & CL_QUEUE_PROFILING_ENABLE))
        return kt_fail(KT_INVALID, "the queue has no profiling: make it with "
                                   "CL_QUEUE_PROFILING_ENABLE");
    return KT_OK;
}

kt_status opencl_stream_init(void *native, void *stream, bool *in_order)
{
    opencl_native *n = native;
    cl_command_queue_properties properties = 0;
    kt_status status = check_queue(n, stream, &properties);
    if (status != KT_OK)
        return status;
    cl_command_queue *queues =
        kt_make_room(n->queues, &n->queue_room, n->queue_count + 1, sizeof *queues);
    if (!queues)
        return KT_NO_MEMORY;
    n->queues = queues;
    cl_int code = CL_CODE(&n->api, clRetainCommandQueue, stream);
    if (code != CL_SUCCESS)
        return opencl_fail("clRetainCommandQueue", code);
    n->queues[n->queue_count++] = stream;
    *in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    return KT_OK;
}

/* ---- marks ---- */

static kt_status put_marker(const opencl_native *n, void *stream, cl_event *event)
{
    cl_int code = CL_CODE(&n->api, clEnqueueMarkerWithWaitList, stream, 0, NULL, event);
    return code == CL_SUCCESS ? KT_OK : opencl_fail("clEnqueueMarkerWithWaitList", code);
}

kt_status opencl_mark_start(void *native, void *stream, void *mark)
{
    return put_marker(native, stream, &((opencl_mark *)mark)->first);
}

kt_status opencl_mark_stop(void *native, void *stream, void *mark)
{
    return put_marker(native, stream, &((opencl_mark *)mark)->last);
}

kt_status opencl_mark_take(void *native, void *object, void *mark)
{
    const opencl_native *n = native;
    opencl_mark *m = mark;
    cl_command_queue queue = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code = CL_CODE(&n->api, clGetEventInfo, object, CL_EVENT_COMMAND_QUEUE,
                          sizeof(cl_command_queue), &queue, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail("clGetEventInfo", code);
    if (!queue)
        return kt_fail(KT_INVALID, "an event that the program made itself has no stamps");
    kt_status status = check_queue(n, queue, &properties);
    if (status != KT_OK)
        return status;
    code = CL_CODE(&n->api, clRetainEvent, object);
    if (code != CL_SUCCESS)
        return opencl_fail("clRetainEvent", code);
    m->first = m->last = object;
    m->is_command = true;
    return KT_OK;
}

/* When a marker came to its end, which is when all before it had. */
static kt_stamp_state read_marker(const opencl_api *api, cl_event event, uint64_t *ticks)
{
    cl_ulong end = 0; /* drivers are known to answer success and write nothing */
    cl_int code = CL_CODE(api, clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END, sizeof end,
                          &end, NULL);
    *ticks = end;
    if (code == CL_PROFILING_INFO_NOT_AVAILABLE)
        return KT_STAMP_NOT_READY;
    if (code != CL_SUCCESS)
        return KT_STAMP_ERROR;
    return end ? KT_STAMP_OK : KT_STAMP_ZERO;
}

kt_status opencl_mark_read(void *native, void *mark, kt_stamp *stamp)
{
    const opencl_native *n = native;
    const opencl_mark *m = mark;
    kt_status status = opencl_ask(&n->api, m->last);
    if (status != KT_OK)
        return status;
    if (m->is_command) {
        cl_ulong ticks[4];
        stamp->state = opencl_read_event(&n->api, m->last, ticks);
        stamp->start_ticks = ticks[2];
        stamp->end_ticks = ticks[3];
        return KT_OK;
    }
    stamp->state = read_marker(&n->api, m->first, &stamp->start_ticks);
    if (stamp->state == KT_STAMP_OK)
        stamp->state = read_marker(&n->api, m->last, &stamp->end_ticks);
    return KT_OK;
}

void opencl_mark_fini(void *native, void *mark)
{
    const opencl_native *n = native;
    const opencl_mark *m = mark;
    if (m->first)
        n->api.clReleaseEvent(m->first);
    if (m->last && m->last != m->first)
        n->api.clReleaseEvent(m->last);
}
