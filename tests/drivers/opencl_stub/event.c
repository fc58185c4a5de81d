/* SPDX-License-Identifier: MIT */
/* Waiting for events and asking them. */
#include "stub.h"

RETAINS(clRetainEvent, cl_event, KIND_EVENT, CL_INVALID_EVENT)
RELEASES(clReleaseEvent, cl_event, KIND_EVENT, CL_INVALID_EVENT)

/* In order, what came before it has ended, too. */
static void end_event(cl_event event)
{
    event->ended = true;
    if (!queue_is_out_of_order(event->queue))
        queue_has_ended(event->queue, event->ordinal);
}

/* Asks once. */
static cl_int event_status(cl_event event)
{
    if (event->fate > CL_COMPLETE || event->ended || event->ordinal <= event->queue->ended)
        return event->fate;
    if (event->asks > 0) {
        event->asks--;
        return CL_SUBMITTED;
    }
    if (clock_commands - event->ordinal < script.lag)
        return CL_SUBMITTED;
    end_event(event);
    return event->fate;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *list)
{
    ENTER(clWaitForEvents);
    if (count == 0 || !list)
        return CL_INVALID_VALUE;
    bool endless = false, failed = false;
    for (cl_uint i = 0; i < count; i++) {
        const struct _cl_event *event = object_use(list[i], KIND_EVENT);
        if (!event)
            return CL_INVALID_EVENT;
        if (event->queue->context != list[0]->queue->context)
            return CL_INVALID_CONTEXT;
        endless |= event->fate > CL_COMPLETE;
        failed |= event->fate < CL_COMPLETE;
    }
    if (device_is_lost())
        return CL_OUT_OF_RESOURCES;
    if (endless)
        stub_sleep_forever();
    for (cl_uint i = 0; i < count; i++)
        end_event(list[i]);
    return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t bytes, void *out, size_t *used)
{
    ENTER(clGetEventInfo);
    const struct room room = {bytes, out, used};
    if (!object_use(event, KIND_EVENT))
        return CL_INVALID_EVENT;
    const cl_command_queue its_queue = event->type == CL_COMMAND_USER ? NULL : event->queue;
    cl_int status = CL_COMPLETE;
    switch (name) {
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        status = event_status(event);
        return reply(&status, sizeof status, room);
    case CL_EVENT_REFERENCE_COUNT: return reply(&event->base.refs, sizeof(cl_uint), room);
    case CL_EVENT_COMMAND_QUEUE: return reply(&its_queue, sizeof(cl_command_queue), room);
    default: return CL_INVALID_VALUE;
    }
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t bytes, void *out,
                               size_t *used)
{
    ENTER(clGetEventProfilingInfo);
    if (!object_use(event, KIND_EVENT))
        return CL_INVALID_EVENT;
    if (!queue_is_profiled(event->queue) || event_status(event) != CL_COMPLETE ||
        script.no_profiling_info)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    cl_ulong timestamp = 0;
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED: timestamp = event->timestamps.queued; break;
    case CL_PROFILING_COMMAND_SUBMIT: timestamp = event->timestamps.submit; break;
    case CL_PROFILING_COMMAND_START: timestamp = event->timestamps.start; break;
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE: timestamp = event->timestamps.end; break;
    default: return CL_INVALID_VALUE;
    }
    return reply(&timestamp, sizeof timestamp, (struct room){bytes, out, used});
}

/* A status that has been reached is told at once, on this thread, which the standard allows; one
 * that has not been reached never will be. What is late ends now. */
cl_int clSetEventCallback(cl_event event, cl_int type,
                          void(CL_CALLBACK *notify)(cl_event event, cl_int status, void *user),
                          void *user)
{
    ENTER(clSetEventCallback);
    if (!object_use(event, KIND_EVENT))
        return CL_INVALID_EVENT;
    if (!notify || (type != CL_COMPLETE && type != CL_RUNNING && type != CL_SUBMITTED))
        return CL_INVALID_VALUE;
    end_event(event);
    if (event->fate <= type) {
        cl_int status = event->fate < 0 ? event->fate : type;
        call_unlock();
        notify(event, status, user);
        call_lock();
    }
    return CL_SUCCESS;
}

/* Its queue is nobody's, and lives as long as the event. */
cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    ENTER(clCreateUserEvent);
    if (!object_use(context, KIND_CONTEXT))
        return refuse(errcode_ret, CL_INVALID_CONTEXT);
    cl_command_queue queue = queue_create(context, NULL, 0);
    cl_event event = counted_create(KIND_EVENT, sizeof *event, queue);
    counted_release(queue);
    event->queue = queue;
    event->type = CL_COMMAND_USER;
    event->fate = CL_SUBMITTED;
    event->asks = script.late;
    return answer(errcode_ret, CL_SUCCESS, event);
}

cl_int clSetUserEventStatus(cl_event event, cl_int status)
{
    ENTER(clSetUserEventStatus);
    if (!object_use(event, KIND_EVENT))
        return CL_INVALID_EVENT;
    REQUIRE(event->type == CL_COMMAND_USER, CL_INVALID_EVENT, "no user event");
    if (status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    if (event->fate <= CL_COMPLETE)
        return CL_INVALID_OPERATION;
    event->fate = status;
    return CL_SUCCESS;
}
