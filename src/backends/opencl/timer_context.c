/* timer_context.c - times spans in OpenCL queues of the program, by markers or by the events of its
 * own commands. Only import waits, for the check of timestamps. */
#include "backends/opencl/internal.h"
#include "support/alloc.h"
#include "support/host_clock.h"

#include <kerntime/timer/opencl.h>

#define MOVING_NS INT64_C(1000000)    /* sleep between the check's two markers */
#define PAUSE_NS  INT64_C(20000)      /* sleep between two polls of an event */
#define PROBE_NS  INT64_C(1000000000) /* longest wait for a marker of the check */

/* ---- whether timestamps can be trusted ---- */

/* Enqueues a marker and returns its end. KT_NOT_READY: it did not complete within PROBE_NS. */
static kt_status timestamp_once(const opencl_timer_context *n, cl_command_queue queue,
                                cl_ulong *end)
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
        if (status == KT_NOT_READY) /* sleep, since the device may run on this core */
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

/* Rusticl of Mesa 22.3 returns 0, 1, 2 and 3 for every event. Two markers some time apart that end
 * at the same tick show such timestamps. They run in a queue of their own, since the program's
 * queue may be busy or blocked. */
static kt_status check_timestamps(const opencl_timer_context *n)
{
    cl_ulong before = 0, after = 0;
    cl_int code = OPENCL_FAULT;
    cl_command_queue queue = CL_OBJECT(&n->api, clCreateCommandQueue, n->context, n->device,
                                       CL_QUEUE_PROFILING_ENABLE, &code);
    if (!queue)
        return opencl_fail("clCreateCommandQueue", code);
    kt_status status = timestamp_once(n, queue, &before);
    if (status == KT_OK) {
        kt_system_clock.sleep(kt_system_clock.user, MOVING_NS);
        status = timestamp_once(n, queue, &after);
    }
    n->api.clReleaseCommandQueue(queue);
    if (status == KT_NOT_READY) /* a marker is late, so the check decides nothing */
        return KT_OK;
    if (status == KT_OK && before == after)
        return kt_fail(KT_UNSUPPORTED,
                       "untrusted timestamps: two markers a millisecond apart both ended "
                       "at tick %llu",
                       (unsigned long long)after);
    return status;
}

/* ---- devices and queues ---- */

static kt_status queue_info(const opencl_timer_context *n, cl_command_queue queue,
                            cl_command_queue_info what, size_t bytes, void *out)
{
    cl_int code = CL_CODE(&n->api, clGetCommandQueueInfo, queue, what, bytes, out, NULL);
    return code == CL_SUCCESS ? KT_OK : opencl_fail("clGetCommandQueueInfo", code);
}

kt_status opencl_timer_context_init(void *timer_context, const void *desc, kt_clock_info *clocks)
{
    opencl_timer_context *n = timer_context;
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
    clocks[0].period_source = KT_SOURCE_REPORTED;
    return check_timestamps(n);
}

void opencl_timer_context_fini(void *timer_context)
{
    opencl_timer_context *n = timer_context;
    for (size_t i = 0; i < n->queue_count; i++)
        n->api.clReleaseCommandQueue(n->queues[i]);
    kt_free(n->queues);
}

/* Checks that commands in this queue have timestamps of the timer context's clock. */
static kt_status check_queue(const opencl_timer_context *n, cl_command_queue queue,
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

kt_status opencl_stream_init(void *timer_context, void *stream, bool *in_order)
{
    opencl_timer_context *n = timer_context;
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

static kt_status put_marker(const opencl_timer_context *n, void *stream, cl_event *event)
{
    cl_int code = CL_CODE(&n->api, clEnqueueMarkerWithWaitList, stream, 0, NULL, event);
    return code == CL_SUCCESS ? KT_OK : opencl_fail("clEnqueueMarkerWithWaitList", code);
}

kt_status opencl_mark_start(void *timer_context, void *stream, void *mark)
{
    return put_marker(timer_context, stream, &((opencl_mark *)mark)->first);
}

kt_status opencl_mark_stop(void *timer_context, void *stream, void *mark)
{
    return put_marker(timer_context, stream, &((opencl_mark *)mark)->last);
}

kt_status opencl_mark_take(void *timer_context, void *object, void *mark)
{
    const opencl_timer_context *n = timer_context;
    opencl_mark *m = mark;
    cl_command_queue queue = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code = CL_CODE(&n->api, clGetEventInfo, object, CL_EVENT_COMMAND_QUEUE,
                          sizeof(cl_command_queue), &queue, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail("clGetEventInfo", code);
    if (!queue)
        return kt_fail(KT_INVALID, "an event that the program made itself has no timestamps");
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

/* Reads the end of a marker, which is when all commands before it had ended. */
static kt_timestamp_state read_marker(const opencl_api *api, cl_event event, uint64_t *ticks)
{
    cl_ulong end = 0; /* some drivers return success and write no time */
    cl_int code = CL_CODE(api, clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END, sizeof end,
                          &end, NULL);
    *ticks = end;
    if (code == CL_PROFILING_INFO_NOT_AVAILABLE)
        return KT_TIMESTAMP_NOT_READY;
    if (code != CL_SUCCESS)
        return KT_TIMESTAMP_ERROR;
    return end ? KT_TIMESTAMP_OK : KT_TIMESTAMP_ZERO;
}

kt_status opencl_mark_read(void *timer_context, void *mark, kt_timestamp *timestamp)
{
    const opencl_timer_context *n = timer_context;
    const opencl_mark *m = mark;
    kt_status status = opencl_ask(&n->api, m->last);
    if (status != KT_OK)
        return status;
    if (m->is_command) {
        cl_ulong ticks[4];
        timestamp->state = opencl_read_event(&n->api, m->last, ticks);
        timestamp->start_ticks = ticks[2];
        timestamp->end_ticks = ticks[3];
        return KT_OK;
    }
    timestamp->state = read_marker(&n->api, m->first, &timestamp->start_ticks);
    if (timestamp->state == KT_TIMESTAMP_OK)
        timestamp->state = read_marker(&n->api, m->last, &timestamp->end_ticks);
    return KT_OK;
}

void opencl_mark_fini(void *timer_context, void *mark)
{
    const opencl_timer_context *n = timer_context;
    const opencl_mark *m = mark;
    if (m->first)
        n->api.clReleaseEvent(m->first);
    if (m->last && m->last != m->first)
        n->api.clReleaseEvent(m->last);
}
