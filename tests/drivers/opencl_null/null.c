/* SPDX-License-Identifier: MIT */
/*
 * A driver of OpenCL for loaders that does nothing and checks nothing, so that what is between it
 * and a program shows: a dispatch takes a few ns. Command N of a process starts at 1 ms + 100 N ns
 * and ends 50 ns later. Events are taken in turn from a fixed set, and never freed.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#pragma GCC visibility push(default)
#include <CL/cl.h>
#include <CL/cl_ext.h>
#pragma GCC visibility pop
#include <CL/cl_icd.h>
#include <stdatomic.h>
#include <string.h>

enum { EVENTS = 1 << 16 };

extern const cl_icd_dispatch table;

/* All objects are alike. */
typedef struct object {
    const cl_icd_dispatch *table;
    cl_ulong number; /* of an event's command */
} object;

static object platform = {&table, 0}, device = {&table, 0}, context = {&table, 0},
              program = {&table, 0}, kernel = {&table, 0}, queue = {&table, 0}, events[EVENTS];
static _Atomic(cl_ulong) commands;

static cl_int reply(const void *data, size_t bytes, size_t room, void *out, size_t *used)
{
    if (out && room < bytes)
        return CL_INVALID_VALUE;
    if (out)
        memcpy(out, data, bytes);
    if (used)
        *used = bytes;
    return CL_SUCCESS;
}

#define REPLY(value)  reply(&(value), sizeof(value), bytes, out, used)
#define REPLY_TEXT(s) reply(s, sizeof(s), bytes, out, used)

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *count)
{
    if (out && room)
        *out = (cl_platform_id)&platform;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *out, cl_uint *count)
{
    return clGetPlatformIDs(room, out, count);
}

cl_int clGetPlatformInfo(cl_platform_id id, cl_platform_info name, size_t bytes, void *out,
                         size_t *used)
{
    return name == CL_PLATFORM_EXTENSIONS ? REPLY_TEXT("cl_khr_icd") : REPLY_TEXT("kerntime null");
}

void *clGetExtensionFunctionAddress(const char *name)
{
    return NULL;
}

cl_int clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint room, cl_device_id *out,
                      cl_uint *count)
{
    if (out && room)
        *out = (cl_device_id)&device;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id id, cl_device_info name, size_t bytes, void *out, size_t *used)
{
    static const size_t resolution = 1;
    static const cl_device_id no_parent;
    static const object *const its_platform = &platform;
    switch (name) {
    case CL_DEVICE_NAME: return REPLY_TEXT("null");
    case CL_DEVICE_VERSION: return REPLY_TEXT("OpenCL 1.2 null");
    case CL_DEVICE_PARENT_DEVICE: return REPLY(no_parent);
    case CL_DEVICE_PLATFORM: return REPLY(its_platform);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return REPLY(resolution);
    default: return CL_INVALID_VALUE;
    }
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *text, const void *info,
                                                     size_t bytes, void *user),
                           void *user, cl_int *code)
{
    return (cl_context)&context;
}

cl_command_queue clCreateCommandQueue(cl_context its_context, cl_device_id id,
                                      cl_command_queue_properties properties, cl_int *code)
{
    return (cl_command_queue)&queue;
}

cl_int clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t bytes,
                             void *out, size_t *used)
{
    static const object *const its_device = &device;
    return name == CL_QUEUE_DEVICE ? REPLY(its_device) : CL_INVALID_VALUE;
}

cl_program clCreateProgramWithSource(cl_context its_context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *code)
{
    return (cl_program)&program;
}

cl_kernel clCreateKernel(cl_program its_program, const char *name, cl_int *code)
{
    return (cl_kernel)&kernel;
}

cl_int clGetKernelInfo(cl_kernel handle, cl_kernel_info name, size_t bytes, void *out, size_t *used)
{
    return name == CL_KERNEL_FUNCTION_NAME ? REPLY_TEXT("nothing") : CL_INVALID_VALUE;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue handle, cl_kernel its_kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    if (event) {
        const cl_ulong number = atomic_fetch_add_explicit(&commands, 1, memory_order_relaxed);
        object *made = &events[number % EVENTS];
        *made = (object){&table, number};
        *event = (cl_event)made;
    }
    return CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t bytes, void *out, size_t *used)
{
    static const object *const its_queue = &queue;
    static const cl_int complete = CL_COMPLETE;
    static const cl_uint one = 1;
    return name == CL_EVENT_COMMAND_QUEUE     ? REPLY(its_queue)
           : name == CL_EVENT_REFERENCE_COUNT ? REPLY(one)
                                              : REPLY(complete);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t bytes, void *out,
                               size_t *used)
{
    const cl_ulong ns = 1000000 + 100 * ((const object *)event)->number +
                        (name >= CL_PROFILING_COMMAND_END ? 50 : 0);
    return REPLY(ns);
}

#define NOTHING(name, ...)   \
    cl_int name(__VA_ARGS__) \
    {                        \
        return CL_SUCCESS;   \
    }
NOTHING(clBuildProgram, cl_program handle, cl_uint count, const cl_device_id *devices,
        const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
NOTHING(clFinish, cl_command_queue handle)
NOTHING(clFlush, cl_command_queue handle)
NOTHING(clWaitForEvents, cl_uint count, const cl_event *list)
NOTHING(clRetainEvent, cl_event event)
NOTHING(clReleaseEvent, cl_event event)
NOTHING(clReleaseKernel, cl_kernel handle)
NOTHING(clReleaseProgram, cl_program handle)
NOTHING(clReleaseCommandQueue, cl_command_queue handle)
NOTHING(clReleaseContext, cl_context handle)

#define ENTRIES(X)                   \
    X(clGetPlatformIDs)              \
    X(clGetPlatformInfo)             \
    X(clGetExtensionFunctionAddress) \
    X(clGetDeviceIDs)                \
    X(clGetDeviceInfo)               \
    X(clCreateContext)               \
    X(clCreateCommandQueue)          \
    X(clGetCommandQueueInfo)         \
    X(clCreateProgramWithSource)     \
    X(clCreateKernel)                \
    X(clGetKernelInfo)               \
    X(clEnqueueNDRangeKernel)        \
    X(clGetEventInfo)                \
    X(clGetEventProfilingInfo)       \
    X(clBuildProgram)                \
    X(clFinish)                      \
    X(clFlush)                       \
    X(clWaitForEvents)               \
    X(clRetainEvent)                 \
    X(clReleaseEvent)                \
    X(clReleaseKernel)               \
    X(clReleaseProgram)              \
    X(clReleaseCommandQueue)         \
    X(clReleaseContext)

#define ENTRY(name) .name = name,
const cl_icd_dispatch table = {ENTRIES(ENTRY)};
