/* Waiting for events and asking them. */
#include "event_pool.h"
#include "objects.h"
#include "script.h"

/* In order, what came before it has ended, too. */
static void end_event(struct event *event)
{
    if (queue_is_out_of_order(event->queue))
        atomic_store(&event->asks, ASKS_ENDED);
    else
        queue_has_ended(event->queue, event->ordinal);
}

static bool is_asked_enough(struct event *event)
{
    unsigned char left = atomic_load(&event->asks);
    while (left > 0 && left < ASKS_ENDED)
        if (atomic_compare_exchange_weak(&event->asks, &left, (unsigned char)(left - 1)))
            return false;
    return true;
}

/* Asks once. */
static cl_int event_status(struct event *event)
{
    if (event->fate > CL_COMPLETE || !script_is_late() ||
        event->ordinal <= atomic_load(&event->queue->ended) ||
        atomic_load(&event->asks) == ASKS_ENDED)
        return event->fate;
    uint64_t later = atomic_load_explicit(&clock_commands, memory_order_relaxed) - event->ordinal;
    if (!is_asked_enough(event) || later < script.lag)
        return CL_SUBMITTED;
    end_event(event);
    return event->fate;
}

cl_int clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    ENTER(clWaitForEvents);
    if (num_events == 0 || !event_list)
        return CL_INVALID_VALUE;
    bool endless = false;
    bool failed = false;
    cl_context context = NULL;
    for (cl_uint i = 0; i < num_events; i++) {
        struct event *event = event_find(event_list[i]);
        if (!event)
            return misused(CL_INVALID_EVENT);
        if (context && context != event->queue->context)
            return CL_INVALID_CONTEXT;
        context = event->queue->context;
        endless |= event->fate > CL_COMPLETE;
        failed |= event->fate < CL_COMPLETE;
    }
    if (device_is_lost())
        return CL_OUT_OF_RESOURCES;
    if (endless)
        stub_sleep_forever();
    for (cl_uint i = 0; i < num_events; i++)
        end_event(event_find(event_list[i]));
    return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                      void *param_value, size_t *param_value_size_ret)
{
    ENTER(clGetEventInfo);
    struct event *slot = event_find(event);
    if (!slot)
        return misused(CL_INVALID_EVENT);
    const cl_uint references = atomic_load(&slot->link);
    const cl_command_type type = slot->type;
    const cl_command_queue its_queue = type == CL_COMMAND_USER ? NULL : slot->queue;
    cl_int status = CL_COMPLETE;
    const void *data = NULL;
    size_t bytes = sizeof(cl_uint);
    switch (param_name) {
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        status = event_status(slot);
        data = &status;
        break;
    case CL_EVENT_COMMAND_TYPE: data = &type; break;
    case CL_EVENT_REFERENCE_COUNT: data = &references; break;
    case CL_EVENT_COMMAND_QUEUE:
        data = &its_queue;
        bytes = sizeof(cl_command_queue);
        break;
    case CL_EVENT_CONTEXT:
        data = &slot->queue->context;
        bytes = sizeof(cl_context);
        break;
    default: return CL_INVALID_VALUE;
    }
    return reply(data, bytes, param_value_size, param_value, param_value_size_ret);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret)
{
    ENTER(clGetEventProfilingInfo);
    struct event *slot = event_find(event);
    if (!slot)
        return misused(CL_INVALID_EVENT);
    if (!queue_is_profiled(slot->queue) || event_status(slot) != CL_COMPLETE ||
        script.no_profiling_info)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    cl_ulong timestamp = 0;
    switch (param_name) {
    case CL_PROFILING_COMMAND_QUEUED: timestamp = slot->timestamps.queued; break;
    case CL_PROFILING_COMMAND_SUBMIT: timestamp = slot->timestamps.submit; break;
    case CL_PROFILING_COMMAND_START: timestamp = slot->timestamps.start; break;
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE: timestamp = slot->timestamps.end; break;
    default: return CL_INVALID_VALUE;
    }
    return reply(&timestamp, sizeof timestamp, param_value_size, param_value, param_value_size_ret);
}

cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                          void(CL_CALLBACK *pfn_notify)(cl_event event, cl_int event_command_status,
                                                        void *user_data),
                          void *user_data)
{
    ENTER(clSetEventCallback);
    struct event *slot = event_find(event);
    if (!slot)
        return misused(CL_INVALID_EVENT);
    cl_int type = command_exec_callback_type;
    if (!pfn_notify || (type != CL_COMPLETE && type != CL_RUNNING && type != CL_SUBMITTED))
        return CL_INVALID_VALUE;
    /* A status that has been reached is told at once, on this thread, which the standard allows;
     * one that has not been reached never will be. What is late ends now. slot is not used after
     * the call: the callback may release the event. */
    end_event(slot);
    if (slot->fate < 0)
        pfn_notify(event, slot->fate, user_data);
    else if (slot->fate <= type)
        pfn_notify(event, type, user_data);
    return CL_SUCCESS;
}

cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    ENTER(clCreateUserEvent);
    if (!object_ok(context, KIND_CONTEXT))
        return refuse(errcode_ret, misused(CL_INVALID_CONTEXT));
    const struct event contents = {
        .queue = &context->user_events, .type = CL_COMMAND_USER, .fate = CL_SUBMITTED};
    cl_event event = event_create(&contents);
    if (!event)
        return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    return accept_object(errcode_ret, event);
}

/* What was enqueued to wait for it stays stuck: nothing runs but inside its enqueue. */
cl_int clSetUserEventStatus(cl_event event, cl_int execution_status)
{
    ENTER(clSetUserEventStatus);
    struct event *slot = event_find(event);
    if (!slot || slot->type != CL_COMMAND_USER)
        return misused(CL_INVALID_EVENT);
    if (execution_status > CL_COMPLETE || execution_status < INT8_MIN)
        return CL_INVALID_VALUE;
    if (slot->fate <= CL_COMPLETE)
        return CL_INVALID_OPERATION;
    slot->fate = (int8_t)execution_status;
    return CL_SUCCESS;
}

cl_int clRetainEvent(cl_event event)
{
    ENTER(clRetainEvent);
    return event_retain(event) ? CL_SUCCESS : misused(CL_INVALID_EVENT);
}

cl_int clReleaseEvent(cl_event event)
{
    ENTER(clReleaseEvent);
    return event_release(event) ? CL_SUCCESS : misused(CL_INVALID_EVENT);
}
