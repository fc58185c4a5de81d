/* SPDX-License-Identifier: MIT */
/* Contexts and queues. */
#include "stub.h"

static const cl_command_queue_properties KNOWN_PROPERTIES =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

RELEASES(clReleaseContext, cl_context, KIND_CONTEXT, CL_INVALID_CONTEXT)
RETAINS(clRetainCommandQueue, cl_command_queue, KIND_QUEUE, CL_INVALID_COMMAND_QUEUE)
RELEASES(clReleaseCommandQueue, cl_command_queue, KIND_QUEUE, CL_INVALID_COMMAND_QUEUE)

bool context_has_device(cl_context context, cl_device_id device)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i] == device)
            return true;
    return false;
}

static cl_int check_context_properties(const cl_context_properties *properties)
{
    for (; properties && properties[0] != 0; properties += 2) {
        if (properties[0] != CL_CONTEXT_PLATFORM)
            return CL_INVALID_PROPERTY;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the API passes the handle as a number
        if (!platform_use((cl_platform_id)properties[1]))
            return CL_INVALID_PLATFORM;
    }
    return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *text, const void *info,
                                                     size_t bytes, void *user),
                           void *user, cl_int *errcode_ret)
{
    ENTER(clCreateContext);
    cl_int error = check_context_properties(properties);
    if (error)
        return refuse(errcode_ret, error);
    if (count == 0 || count > MAX_DEVICES || !devices || (!notify && user))
        return refuse(errcode_ret, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++)
        if (!device_use(devices[i]))
            return refuse(errcode_ret, CL_INVALID_DEVICE);
    cl_context context = counted_create(KIND_CONTEXT, sizeof *context, NULL);
    context->device_count = count;
    memcpy(context->devices, devices, count * sizeof(cl_device_id));
    return answer(errcode_ret, CL_SUCCESS, context);
}

cl_command_queue queue_create(cl_context context, cl_device_id device,
                              cl_command_queue_properties properties)
{
    cl_command_queue queue = counted_create(KIND_QUEUE, sizeof *queue, context);
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    return queue;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *errcode_ret)
{
    ENTER(clCreateCommandQueue);
    if (!object_use(context, KIND_CONTEXT))
        return refuse(errcode_ret, CL_INVALID_CONTEXT);
    if (!device_use(device) || !context_has_device(context, device))
        return refuse(errcode_ret, CL_INVALID_DEVICE);
    if (properties & ~KNOWN_PROPERTIES ||
        (properties & CL_QUEUE_PROFILING_ENABLE && !script.profiling))
        return refuse(errcode_ret, CL_INVALID_QUEUE_PROPERTIES);
    return answer(errcode_ret, CL_SUCCESS, queue_create(context, device, properties));
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t bytes,
                             void *out, size_t *used)
{
    ENTER(clGetCommandQueueInfo);
    const struct room room = {bytes, out, used};
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    switch (name) {
    case CL_QUEUE_CONTEXT: return reply(&queue->context, sizeof(cl_context), room);
    case CL_QUEUE_DEVICE: return reply(&queue->device, sizeof(cl_device_id), room);
    case CL_QUEUE_REFERENCE_COUNT: return reply(&queue->base.refs, sizeof(cl_uint), room);
    case CL_QUEUE_PROPERTIES: return reply(&queue->properties, sizeof queue->properties, room);
    default: return CL_INVALID_VALUE;
    }
}

/* Of OpenCL 1.0; few drivers still have it. */
cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                 cl_bool enable, cl_command_queue_properties *old)
{
    ENTER(clSetCommandQueueProperty);
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (properties & ~KNOWN_PROPERTIES)
        return CL_INVALID_QUEUE_PROPERTIES;
    if (old)
        *old = queue->properties;
    if (enable)
        queue->properties |= properties;
    else
        queue->properties &= ~properties;
    return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue queue)
{
    ENTER(clFlush);
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    return device_is_lost() ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    ENTER(clFinish);
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (device_is_lost())
        return CL_OUT_OF_RESOURCES;
    if (queue->stuck)
        stub_sleep_forever();
    queue_has_ended(queue, clock_commands);
    return CL_SUCCESS;
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                   const cl_event *wait_list, cl_event *event)
{
    ENTER(clEnqueueMarkerWithWaitList);
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    /* The loader would look for it where the driver's table has ended. */
    REQUIRE(version_is_since(1, 2), CL_INVALID_OPERATION, "not before OpenCL 1.2");
    struct command command;
    cl_int error =
        command_begin(&command, queue, CL_COMMAND_MARKER, (struct waits){wait_count, wait_list});
    return error ? error : command_end(&command, false, event);
}
