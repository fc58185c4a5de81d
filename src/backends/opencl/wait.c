/* SPDX-License-Identifier: MIT */
/*
 * wait.c - waits for an event with a time limit; clFinish, clWaitForEvents and blocking transfers
 * have none.
 *
 * On a device that runs on the host's cores the driver calls back, since a polling thread would
 * take a core from the kernel. On other devices the event is polled, which is quicker than a
 * callback. Transfers for set-up and checks wait in the same way, within the time limit of the
 * kt_context.
 */
#include "backends/opencl/internal.h"

kt_status kt_opencl_waiter_init(opencl_waiter *waiter)
{
    return kt_signal_create(&waiter->completed);
}

void kt_opencl_waiter_fini(opencl_waiter *waiter)
{
    kt_signal_destroy(waiter->completed);
}

static void CL_CALLBACK tell_completed(cl_event event, cl_int code, void *user)
{
    (void)event;
    opencl_waiter *waiter = user;
    waiter->code = code;
    kt_signal_raise(waiter->completed, waiter->number);
}

kt_status kt_opencl_ask(const opencl_api *api, cl_event event)
{
    cl_int state = CL_QUEUED;
    cl_int code = CL_CODE(api, clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                          sizeof state, &state, NULL);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clGetEventInfo", code);
    if (state < 0)
        return kt_opencl_fail("the submitted command", state);
    return state == CL_COMPLETE ? KT_OK : KT_NOT_READY;
}

static kt_status wait_by_callback(const opencl_device *device, opencl_waiter *waiter,
                                  cl_event event, int64_t timeout_ns)
{
    waiter->number++;
    cl_int code =
        CL_CODE(device->api, clSetEventCallback, event, CL_COMPLETE, tell_completed, waiter);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clSetEventCallback", code);
    if (!kt_signal_wait(waiter->completed, waiter->number, timeout_ns))
        return KT_TIMEOUT;
    return waiter->code >= CL_COMPLETE ? KT_OK
                                       : kt_opencl_fail("the submitted command", waiter->code);
}

static kt_status wait_by_asking(const opencl_device *device, cl_event event, int64_t timeout_ns)
{
    int64_t begin_ns = kt_host_now_ns();
    for (;;) {
        kt_status status = kt_opencl_ask(device->api, event);
        if (status != KT_NOT_READY)
            return status;
        if (kt_host_now_ns() - begin_ns >= timeout_ns)
            return KT_TIMEOUT;
    }
}

kt_status kt_opencl_wait(const opencl_device *device, opencl_waiter *waiter, cl_event event,
                         int64_t timeout_ns)
{
    bool on_host = device->type & CL_DEVICE_TYPE_CPU;
    /* Poll first: Oclgrind 21.10 does not call back for an event that has already completed. */
    kt_status status = kt_opencl_ask(device->api, event);
    if (status == KT_NOT_READY)
        status = on_host ? wait_by_callback(device, waiter, event, timeout_ns)
                         : wait_by_asking(device, event, timeout_ns);
    if (status == KT_TIMEOUT)
        return kt_fail_timeout(timeout_ns);
    return status;
}
