/* SPDX-License-Identifier: MIT */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "bench/by_hand/raw.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions by their own names, so that the loop below reads as it would in any program. */
#define FUNCTIONS(X)               \
    X(clGetPlatformIDs)            \
    X(clGetDeviceIDs)              \
    X(clCreateContext)             \
    X(clReleaseContext)            \
    X(clCreateCommandQueue)        \
    X(clReleaseCommandQueue)       \
    X(clCreateProgramWithSource)   \
    X(clBuildProgram)              \
    X(clReleaseProgram)            \
    X(clCreateKernel)              \
    X(clReleaseKernel)             \
    X(clEnqueueNDRangeKernel)      \
    X(clCreateBuffer)              \
    X(clReleaseMemObject)          \
    X(clEnqueueWriteBuffer)        \
    X(clEnqueueMarkerWithWaitList) \
    X(clFinish)                    \
    X(clWaitForEvents)             \
    X(clGetEventProfilingInfo)     \
    X(clReleaseEvent)

typedef struct state {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
#undef POINTER
    cl_context context;
    cl_command_queue queue, profiled_queue;
    cl_program program;
    cl_kernel kernel;
    cl_event spans[RAW_SPANS_MAX][2];
    cl_ulong span_ns; /* of all spans */
    void *heap;       /* what is copied */
    cl_mem buffer;    /* where it goes */
    size_t copy_bytes;
} state;

static bool load(state *raw, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    void *address;
#define LOAD(name)                                \
    address = dlsym(library, #name);              \
    memcpy(&raw->name, &address, sizeof address); \
    if (!address)                                 \
        return false;
    FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

static bool set_up(state *raw)
{
    static const char *source = "__kernel void empty(void) {}";
    cl_platform_id platform;
    cl_device_id device;
    if (raw->clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        raw->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return false;
    raw->context = raw->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (!raw->context)
        return false;
    raw->queue = raw->clCreateCommandQueue(raw->context, device, 0, NULL);
    raw->profiled_queue =
        raw->clCreateCommandQueue(raw->context, device, CL_QUEUE_PROFILING_ENABLE, NULL);
    raw->program = raw->clCreateProgramWithSource(raw->context, 1, &source, NULL, NULL);
    if (!raw->queue || !raw->profiled_queue || !raw->program ||
        raw->clBuildProgram(raw->program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        return false;
    raw->kernel = raw->clCreateKernel(raw->program, "empty", NULL);
    return raw->kernel != NULL;
}

static void *raw_open(const char *library)
{
    state *raw = calloc(1, sizeof *raw);
    if (raw && load(raw, library) && set_up(raw))
        return raw;
    fprintf(stderr, "kerntime-bench: %s: no OpenCL device could be set up\n", library);
    free(raw);
    return NULL;
}

static void raw_close(void *opened)
{
    state *raw = opened;
    if (raw->buffer)
        raw->clReleaseMemObject(raw->buffer);
    free(raw->heap);
    raw->clReleaseKernel(raw->kernel);
    raw->clReleaseProgram(raw->program);
    raw->clReleaseCommandQueue(raw->profiled_queue);
    raw->clReleaseCommandQueue(raw->queue);
    raw->clReleaseContext(raw->context);
    free(raw);
}

static bool dispatch_plain(state *raw)
{
    static const size_t size = 1;
    return raw->clEnqueueNDRangeKernel(raw->queue, raw->kernel, 1, NULL, &size, &size, 0, NULL,
                                       NULL) == CL_SUCCESS &&
           raw->clFinish(raw->queue) == CL_SUCCESS;
}

/* Waits for the command behind it. */
static bool finish(state *raw, cl_event event, cl_ulong *sum)
{
    cl_ulong start, end;
    if (raw->clWaitForEvents(1, &event) != CL_SUCCESS ||
        raw->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                     NULL) != CL_SUCCESS ||
        raw->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) !=
            CL_SUCCESS)
        return false;
    *sum += end - start;
    return raw->clReleaseEvent(event) == CL_SUCCESS;
}

static bool dispatch_profiled(state *raw, cl_ulong *sum)
{
    static const size_t size = 1;
    cl_event event;
    return raw->clEnqueueNDRangeKernel(raw->profiled_queue, raw->kernel, 1, NULL, &size, &size, 0,
                                       NULL, &event) == CL_SUCCESS &&
           finish(raw, event, sum);
}

static bool raw_dispatch(void *opened, bool timestamped, uint32_t count)
{
    state *raw = opened;
    cl_ulong sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!(timestamped ? dispatch_profiled(raw, &sum) : dispatch_plain(raw)))
            return false;
    return true;
}

void *raw_opencl_queue(void *opened)
{
    return ((state *)opened)->profiled_queue;
}

static bool read_span(state *raw, cl_event span[2])
{
    cl_ulong start, end;
    if (raw->clGetEventProfilingInfo(span[0], CL_PROFILING_COMMAND_END, sizeof start, &start,
                                     NULL) != CL_SUCCESS ||
        raw->clGetEventProfilingInfo(span[1], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) !=
            CL_SUCCESS)
        return false;
    raw->span_ns += end - start;
    return raw->clReleaseEvent(span[0]) == CL_SUCCESS && raw->clReleaseEvent(span[1]) == CL_SUCCESS;
}

bool raw_opencl_spans(void *opened, uint32_t count)
{
    state *raw = opened;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            if (raw->clEnqueueMarkerWithWaitList(raw->profiled_queue, 0, NULL, &raw->spans[i][k]) !=
                CL_SUCCESS)
                return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_span(raw, raw->spans[i]))
            return false;
    return true;
}

static bool raw_make_copy(void *opened, size_t bytes)
{
    state *raw = opened;
    double first_ns;
    raw->copy_bytes = bytes;
    raw->heap = aligned_alloc(RAW_PAGE_BYTES, bytes);
    raw->buffer = raw->clCreateBuffer(raw->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    if (!raw->heap || !raw->buffer)
        return false;
    memset(raw->heap, 1, bytes);
    return raw_opencl.copy(raw, &first_ns);
}

static bool raw_copy(void *opened, double *duration_ns)
{
    state *raw = opened;
    cl_event event;
    cl_ulong ns = 0;
    bool works =
        raw->clEnqueueWriteBuffer(raw->profiled_queue, raw->buffer, CL_FALSE, 0, raw->copy_bytes,
                                  raw->heap, 0, NULL, &event) == CL_SUCCESS &&
        finish(raw, event, &ns);
    *duration_ns = (double)ns;
    return works;
}

const raw_api raw_opencl = {raw_open, raw_close, raw_dispatch, raw_make_copy, raw_copy};
