/* SPDX-License-Identifier: MIT */
/* timer_context.c - times spans in OpenCL queues of the program, by markers, by small fills where
 * markers do not wait, or by the events of its own commands. Only import waits, for the check of
 * timestamps. */
#include "backends/opencl/internal.h"
#include "support/alloc.h"
#include "support/host_clock.h"

#include <kerntime/timer/opencl.h>
#include <stdio.h>

#define MOVING_NS    INT64_C(1000000)    /* sleep between the check's two markers */
#define PAUSE_NS     INT64_C(20000)      /* sleep between two polls of an event */
#define PROBE_NS     INT64_C(1000000000) /* longest wait for a marker of the check */
#define FILL_BYTES   ((size_t)16 << 20)  /* what a fill of the check takes some us for */
#define FILLED_BYTES sizeof(cl_uint)
#define AT_ONCE_MAX  ((cl_ulong)50000) /* longest delay of a marker in an idle queue, ns */

/* ---- whether timestamps can be trusted ---- */

static kt_status put_fill(const opencl_timer_context *n, cl_command_queue queue, cl_mem buffer,
                          size_t bytes, cl_event *event)
{
    static const cl_uint zero = 0;
    cl_int code = CL_CODE(&n->api, clEnqueueFillBuffer, queue, buffer, &zero, sizeof zero, 0, bytes,
                          0, NULL, event);
    return code == CL_SUCCESS ? KT_OK : kt_opencl_fail("clEnqueueFillBuffer", code);
}

static kt_status put_timestamp(const opencl_timer_context *n, cl_command_queue queue,
                               cl_event *event)
{
    if (n->filled)
        return put_fill(n, queue, n->filled, FILLED_BYTES, event);
    cl_int code = CL_CODE(&n->api, clEnqueueMarkerWithWaitList, queue, 0, NULL, event);
    return code == CL_SUCCESS ? KT_OK : kt_opencl_fail("clEnqueueMarkerWithWaitList", code);
}

static kt_status read_end(const opencl_timer_context *n, cl_event event, cl_ulong *end)
{
    cl_int code = CL_CODE(&n->api, clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END,
                          sizeof *end, end, NULL);
    return code == CL_SUCCESS ? KT_OK : kt_opencl_fail("clGetEventProfilingInfo", code);
}

/* When the host enqueued the command; 0: unknown. */
static cl_ulong read_queued(const opencl_timer_context *n, cl_event event)
{
    cl_ulong queued = 0;
    cl_int code = CL_CODE(&n->api, clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_QUEUED,
                          sizeof queued, &queued, NULL);
    return code == CL_SUCCESS ? queued : 0;
}

/* Times of a timestamp of the check, and of the fill before it. */
typedef struct opencl_probe {
    cl_ulong fill_end, queued, end;
} opencl_probe;

/* Enqueues a timestamp, behind a fill of `before` unless that is NULL, and returns their times.
 * KT_NOT_READY: the timestamp did not complete within PROBE_NS. */
static kt_status timestamp_once(const opencl_timer_context *n, cl_command_queue queue,
                                cl_mem before, opencl_probe *out)
{
    cl_event fill = NULL, event = NULL;
    kt_status status = before ? put_fill(n, queue, before, FILL_BYTES, &fill) : KT_OK;
    if (status == KT_OK)
        status = put_timestamp(n, queue, &event);
    cl_int code = status == KT_OK ? CL_CODE(&n->api, clFlush, queue) : CL_SUCCESS;
    if (code != CL_SUCCESS)
        status = kt_opencl_fail("clFlush", code);
    else if (status == KT_OK)
        status = KT_NOT_READY;
    int64_t begin_ns = kt_host_now_ns();
    while (status == KT_NOT_READY && kt_host_now_ns() - begin_ns < PROBE_NS) {
        status = kt_opencl_ask(&n->api, event);
        if (status == KT_OK && fill) /* the one may be complete before the other */
            status = kt_opencl_ask(&n->api, fill);
        if (status == KT_NOT_READY) /* sleep, since the device may run on this core */
            kt_system_clock.sleep(kt_system_clock.user, PAUSE_NS);
    }
    if (status == KT_OK)
        status = read_end(n, event, &out->end);
    if (status == KT_OK)
        out->queued = read_queued(n, event);
    if (status == KT_OK && fill)
        status = read_end(n, fill, &out->fill_end);
    if (event)
        n->api.clReleaseEvent(event);
    if (fill)
        n->api.clReleaseEvent(fill);
    return status;
}

static kt_status create_buffer(const opencl_timer_context *n, size_t bytes, cl_mem *out)
{
    cl_int code = OPENCL_FAULT;
    *out = CL_OBJECT(&n->api, clCreateBuffer, n->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    return *out ? KT_OK : kt_opencl_fail("clCreateBuffer", code);
}

/* Rusticl of Mesa 22.3 returns 0, 1, 2 and 3 for every event. Two markers some time apart that end
 * at the same tick show such timestamps. */
static kt_status check_advance(const opencl_timer_context *n, cl_command_queue queue, cl_mem buffer,
                               opencl_probe *idle, opencl_probe *behind)
{
    kt_status status = timestamp_once(n, queue, NULL, idle);
    if (status != KT_OK)
        return status;
    kt_system_clock.sleep(kt_system_clock.user, MOVING_NS);
    status = timestamp_once(n, queue, buffer, behind);
    if (status == KT_OK && behind->end == idle->end)
        return kt_fail(KT_UNSUPPORTED,
                       "untrusted timestamps: two markers a millisecond apart both ended "
                       "at tick %llu",
                       (unsigned long long)behind->end);
    return status;
}

/* How soon a marker ends that finds the queue idle, and half as much again. A marker that was
 * queued while the fill before it ran shows that the driver notes when the host enqueues. */
static cl_ulong longest_at_once(const opencl_probe *idle, const opencl_probe *behind)
{
    if (!idle->queued || idle->queued > idle->end || behind->queued >= behind->fill_end)
        return 0;
    cl_ulong delay = (idle->end - idle->queued) / 2 * 3;
    return delay < AT_ONCE_MAX ? delay : AT_ONCE_MAX;
}

/* Checks the timestamps in a queue of their own, since the program's may be busy or blocked. On
 * some GPUs of Intel a marker ends before the work in front of it
 * (https://github.com/intel/llvm/pull/22641), so a fill that takes a while goes before one. */
static kt_status check_timestamps(opencl_timer_context *n)
{
    opencl_probe idle = {0}, behind = {0};
    cl_mem buffer = NULL;
    cl_int code = OPENCL_FAULT;
    cl_command_queue queue = CL_OBJECT(&n->api, clCreateCommandQueue, n->context, n->device,
                                       CL_QUEUE_PROFILING_ENABLE, &code);
    if (!queue)
        return kt_opencl_fail("clCreateCommandQueue", code);
    kt_status status = create_buffer(n, FILL_BYTES, &buffer);
    if (status == KT_OK)
        status = check_advance(n, queue, buffer, &idle, &behind);
    if (status == KT_OK)
        n->at_once_ticks = longest_at_once(&idle, &behind);
    if (status == KT_OK && behind.end < behind.fill_end)
        status = create_buffer(n, FILLED_BYTES, &n->filled);
    if (buffer)
        n->api.clReleaseMemObject(buffer);
    n->api.clReleaseCommandQueue(queue);
    return status == KT_NOT_READY ? KT_OK : status; /* a late marker decides nothing */
}

/* ---- devices and queues ---- */

static kt_status queue_info(const opencl_timer_context *n, cl_command_queue queue,
                            cl_command_queue_info what, size_t bytes, void *out)
{
    cl_int code = CL_CODE(&n->api, clGetCommandQueueInfo, queue, what, bytes, out, NULL);
    return code == CL_SUCCESS ? KT_OK : kt_opencl_fail("clGetCommandQueueInfo", code);
}

kt_status kt_opencl_timer_context_init(void *timer_context, const void *desc, kt_clock_info *clocks)
{
    opencl_timer_context *n = timer_context;
    cl_command_queue queue = ((const kt_opencl_import *)desc)->queue;
    kt_status status = kt_opencl_open(&n->api);
    if (status != KT_OK)
        return status;
    const opencl_api *api = &n->api;
    if (!api->clGetCommandQueueInfo || !api->clRetainCommandQueue || !api->clRetainEvent ||
        !api->clEnqueueMarkerWithWaitList || !api->clEnqueueFillBuffer)
        return kt_fail(KT_UNSUPPORTED, "the OpenCL library is older than version 1.2");
    status = queue_info(n, queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &n->context);
    if (status == KT_OK)
        status = queue_info(n, queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &n->device);
    if (status != KT_OK)
        return status;
    if (!kt_opencl_is_since(api, n->device, 1, 2))
        return kt_fail(KT_UNSUPPORTED, "the device's OpenCL is older than version 1.2");
    clocks[0] = opencl_clock();
    clocks[0].period_source = KT_SOURCE_REPORTED;
    status = check_timestamps(n);
    if (n->filled)
        snprintf(clocks[0].name, sizeof clocks[0].name, "fill");
    return status;
}

void kt_opencl_timer_context_fini(void *timer_context)
{
    opencl_timer_context *n = timer_context;
    for (size_t i = 0; i < n->queue_count; i++)
        n->api.clReleaseCommandQueue(n->queues[i]);
    if (n->filled)
        n->api.clReleaseMemObject(n->filled);
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

kt_status kt_opencl_stream_init(void *timer_context, void *stream, bool *in_order)
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
        return kt_opencl_fail("clRetainCommandQueue", code);
    n->queues[n->queue_count++] = stream;
    *in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    return KT_OK;
}

/* ---- marks ---- */

kt_status kt_opencl_mark_start(void *timer_context, void *stream, void *mark)
{
    return put_timestamp(timer_context, stream, &((opencl_mark *)mark)->first);
}

kt_status kt_opencl_mark_stop(void *timer_context, void *stream, void *mark)
{
    return put_timestamp(timer_context, stream, &((opencl_mark *)mark)->last);
}

kt_status kt_opencl_mark_take(void *timer_context, void *object, void *mark)
{
    const opencl_timer_context *n = timer_context;
    opencl_mark *m = mark;
    cl_command_queue queue = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code = CL_CODE(&n->api, clGetEventInfo, object, CL_EVENT_COMMAND_QUEUE,
                          sizeof(cl_command_queue), &queue, NULL);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clGetEventInfo", code);
    if (!queue)
        return kt_fail(KT_INVALID, "an event that the program made itself has no timestamps");
    kt_status status = check_queue(n, queue, &properties);
    if (status != KT_OK)
        return status;
    code = CL_CODE(&n->api, clRetainEvent, object);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clRetainEvent", code);
    m->first = m->last = object;
    m->is_command = true;
    return KT_OK;
}

void kt_opencl_object_release(void *timer_context, void *object)
{
    ((const opencl_timer_context *)timer_context)->api.clReleaseEvent(object);
}

/* Reads the end of a timestamp, which is when all commands before it had ended. */
static kt_timestamp_state read_timestamp(const opencl_api *api, cl_event event, uint64_t *ticks)
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

kt_status kt_opencl_mark_read(void *timer_context, void *mark, kt_timestamp *timestamp)
{
    const opencl_timer_context *n = timer_context;
    const opencl_mark *m = mark;
    kt_status status = kt_opencl_ask(&n->api, m->last);
    if (status != KT_OK)
        return status;
    if (m->is_command) {
        cl_ulong ticks[4];
        timestamp->state = kt_opencl_read_event(&n->api, m->last, ticks);
        timestamp->start_ticks = ticks[2];
        timestamp->end_ticks = ticks[3];
        return KT_OK;
    }
    timestamp->state = read_timestamp(&n->api, m->first, &timestamp->start_ticks);
    if (timestamp->state == KT_TIMESTAMP_OK)
        timestamp->state = read_timestamp(&n->api, m->last, &timestamp->end_ticks);
    return KT_OK;
}

bool kt_opencl_mark_stopped_at_once(void *timer_context, const void *mark, kt_timestamp *timestamp)
{
    const opencl_timer_context *n = timer_context;
    const opencl_mark *m = mark;
    if (m->is_command || !n->at_once_ticks)
        return false;
    cl_ulong queued = read_queued(n, m->last);
    timestamp->queued_ticks = queued;
    return queued && queued < timestamp->end_ticks &&
           timestamp->end_ticks - queued <= n->at_once_ticks;
}

void kt_opencl_mark_fini(void *timer_context, void *mark)
{
    const opencl_timer_context *n = timer_context;
    const opencl_mark *m = mark;
    if (m->first)
        n->api.clReleaseEvent(m->first);
    if (m->last && m->last != m->first)
        n->api.clReleaseEvent(m->last);
}
