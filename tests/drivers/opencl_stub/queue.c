/* Contexts and queues. */
#include "command.h"
#include "objects.h"
#include "script.h"

static const cl_command_queue_properties KNOWN_PROPERTIES =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

bool context_has_device(cl_context context, cl_device_id device)
{
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (context->devices[i] == device)
            return true;
    }
    return false;
}

static cl_int check_context_properties(const cl_context_properties *properties)
{
    for (; properties && properties[0] != 0; properties += 2) {
        if (properties[0] != CL_CONTEXT_PLATFORM)
            return CL_INVALID_PROPERTY;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the API passes the handle as a number
        if (!object_ok((const void *)properties[1], KIND_PLATFORM))
            return misused(CL_INVALID_PLATFORM);
    }
    return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *pfn_notify)(const char *errinfo,
                                                         const void *private_info, size_t cb,
                                                         void *user_data),
                           void *user_data, cl_int *errcode_ret)
{
    ENTER(clCreateContext);
    cl_int error = check_context_properties(properties);
    if (error)
        return refuse(errcode_ret, error);
    if (num_devices == 0 || num_devices > MAX_DEVICES || !devices || (!pfn_notify && user_data))
        return refuse(errcode_ret, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_devices; i++) {
        if (!object_ok(devices[i], KIND_DEVICE))
            return refuse(errcode_ret, misused(CL_INVALID_DEVICE));
    }
    cl_context context = object_create(KIND_CONTEXT, sizeof *context, NULL);
    if (!context)
        return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    context->device_count = num_devices;
    memcpy(context->devices, devices, num_devices * sizeof(cl_device_id));
    context->user_events.context = context;
    return accept_object(errcode_ret, context);
}

cl_int clRetainContext(cl_context context)
{
    ENTER(clRetainContext);
    if (!object_ok(context, KIND_CONTEXT))
        return misused(CL_INVALID_CONTEXT);
    object_retain(context);
    return CL_SUCCESS;
}

cl_int clReleaseContext(cl_context context)
{
    ENTER(clReleaseContext);
    if (!object_ok(context, KIND_CONTEXT))
        return misused(CL_INVALID_CONTEXT);
    object_release(context);
    return CL_SUCCESS;
}

static cl_command_queue create_queue(cl_context context, cl_device_id device,
                                     cl_command_queue_properties properties, cl_int *errcode_ret)
{
    if (!object_ok(context, KIND_CONTEXT))
        return refuse(errcode_ret, misused(CL_INVALID_CONTEXT));
    if (!object_ok(device, KIND_DEVICE) || !context_has_device(context, device))
        return refuse(errcode_ret, misused(CL_INVALID_DEVICE));
    if (properties & ~KNOWN_PROPERTIES)
        return refuse(errcode_ret, CL_INVALID_QUEUE_PROPERTIES);
    cl_command_queue queue = object_create(KIND_QUEUE, sizeof *queue, NULL);
    if (!queue)
        return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    return accept_object(errcode_ret, queue);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *errcode_ret)
{
    ENTER(clCreateCommandQueue);
    return create_queue(context, device, properties, errcode_ret);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties,
                                                    cl_int *errcode_ret)
{
    ENTER(clCreateCommandQueueWithProperties);
    cl_command_queue_properties wanted = 0;
    for (; properties && properties[0] != 0; properties += 2) {
        if (properties[0] != CL_QUEUE_PROPERTIES)
            return refuse(errcode_ret, CL_INVALID_VALUE);
        wanted = properties[1];
    }
    return create_queue(context, device, wanted, errcode_ret);
}

cl_int clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret)
{
    ENTER(clGetCommandQueueInfo);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    const cl_uint references = atomic_load(&command_queue->base.refs);
    const void *data = NULL;
    size_t bytes = 0;
    switch (param_name) {
    case CL_QUEUE_CONTEXT:
        data = &command_queue->context;
        bytes = sizeof(cl_context);
        break;
    case CL_QUEUE_DEVICE:
        data = &command_queue->device;
        bytes = sizeof(cl_device_id);
        break;
    case CL_QUEUE_REFERENCE_COUNT:
        data = &references;
        bytes = sizeof references;
        break;
    case CL_QUEUE_PROPERTIES:
        data = &command_queue->properties;
        bytes = sizeof(cl_command_queue_properties);
        break;
    default: return CL_INVALID_VALUE;
    }
    return reply(data, bytes, param_value_size, param_value, param_value_size_ret);
}

cl_int clRetainCommandQueue(cl_command_queue command_queue)
{
    ENTER(clRetainCommandQueue);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    object_retain(command_queue);
    return CL_SUCCESS;
}

cl_int clReleaseCommandQueue(cl_command_queue command_queue)
{
    ENTER(clReleaseCommandQueue);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    object_release(command_queue);
    return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue command_queue)
{
    ENTER(clFlush);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    return device_is_lost() ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

cl_int clFinish(cl_command_queue command_queue)
{
    ENTER(clFinish);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    if (device_is_lost())
        return CL_OUT_OF_RESOURCES;
    if (atomic_load_explicit(&command_queue->stuck, memory_order_relaxed))
        stub_sleep_forever();
    queue_has_ended(command_queue, atomic_load_explicit(&clock_commands, memory_order_relaxed));
    return CL_SUCCESS;
}

static cl_int enqueue_marker(cl_command_queue queue, struct waits waits, cl_event *event)
{
    struct command command;
    cl_int error = command_begin(&command, queue, CL_COMMAND_MARKER, waits);
    return error ? error : command_end(&command, false, event);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                   const cl_event *event_wait_list, cl_event *event)
{
    ENTER(clEnqueueMarkerWithWaitList);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    if (!version_is_since(1, 2)) /* the loader looks for it where the driver's table has ended */
        return misused(CL_INVALID_OPERATION);
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    return enqueue_marker(command_queue, waits, event);
}

cl_int clEnqueueMarker(cl_command_queue command_queue, cl_event *event)
{
    ENTER(clEnqueueMarker);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    if (!event)
        return CL_INVALID_VALUE;
    return enqueue_marker(command_queue, (struct waits){0, NULL}, event);
}
