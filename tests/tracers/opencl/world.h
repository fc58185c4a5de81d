/* SPDX-License-Identifier: MIT */
/* world.h - a program of OpenCL, which opens the loader itself and knows nothing of tracing. */
#ifndef TESTS_TRACERS_OPENCL_WORLD_H
#define TESTS_TRACERS_OPENCL_WORLD_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#define WORLD_FUNCTIONS(X)                \
    X(clGetPlatformIDs)                   \
    X(clGetDeviceIDs)                     \
    X(clCreateContext)                    \
    X(clReleaseContext)                   \
    X(clGetContextInfo)                   \
    X(clCreateCommandQueue)               \
    X(clCreateCommandQueueWithProperties) \
    X(clGetCommandQueueInfo)              \
    X(clRetainCommandQueue)               \
    X(clReleaseCommandQueue)              \
    X(clCreateProgramWithSource)          \
    X(clBuildProgram)                     \
    X(clReleaseProgram)                   \
    X(clCreateKernel)                     \
    X(clReleaseKernel)                    \
    X(clSetKernelArg)                     \
    X(clCreateBuffer)                     \
    X(clCreateSubBuffer)                  \
    X(clReleaseMemObject)                 \
    X(clCreateImage)                      \
    X(clSVMAlloc)                         \
    X(clSVMFree)                          \
    X(clEnqueueNDRangeKernel)             \
    X(clEnqueueTask)                      \
    X(clEnqueueNativeKernel)              \
    X(clEnqueueReadBuffer)                \
    X(clEnqueueWriteBuffer)               \
    X(clEnqueueReadBufferRect)            \
    X(clEnqueueWriteBufferRect)           \
    X(clEnqueueCopyBuffer)                \
    X(clEnqueueCopyBufferRect)            \
    X(clEnqueueReadImage)                 \
    X(clEnqueueWriteImage)                \
    X(clEnqueueCopyImage)                 \
    X(clEnqueueCopyImageToBuffer)         \
    X(clEnqueueCopyBufferToImage)         \
    X(clEnqueueFillBuffer)                \
    X(clEnqueueFillImage)                 \
    X(clEnqueueMapBuffer)                 \
    X(clEnqueueMapImage)                  \
    X(clEnqueueUnmapMemObject)            \
    X(clEnqueueMigrateMemObjects)         \
    X(clEnqueueSVMMemcpy)                 \
    X(clEnqueueSVMMemFill)                \
    X(clEnqueueSVMMap)                    \
    X(clEnqueueSVMUnmap)                  \
    X(clEnqueueSVMMigrateMem)             \
    X(clFinish)                           \
    X(clFlush)                            \
    X(clWaitForEvents)                    \
    X(clGetEventInfo)                     \
    X(clGetEventProfilingInfo)            \
    X(clRetainEvent)                      \
    X(clReleaseEvent)                     \
    X(clCreateUserEvent)                  \
    X(clSetUserEventStatus)               \
    X(clSetEventCallback)                 \
    X(clSetCommandQueueProperty)          \
    X(clGetExtensionFunctionAddressForPlatform)

typedef struct world {
#define WORLD_MEMBER(name) __typeof__(&(name)) name;
    WORLD_FUNCTIONS(WORLD_MEMBER)
    void *loader; /* of dlopen() */
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, without profiling */
    cl_program program;
} world;

/* Opens the loader and a device, and builds the source; exits with 77 if there is none. */
void world_open(world *w, const char *source);
void world_close(const world *w);
cl_kernel world_kernel(const world *w, const char *name);
/* One dispatch of 64 work-items in groups of 16. */
void world_dispatch(const world *w, cl_command_queue queue, cl_kernel kernel, cl_event *event);

/* Exits if it does not hold. */
#define EXPECT(condition) world_expect(condition, __FILE__, __LINE__, #condition)
void world_expect(bool condition, const char *file, int line, const char *text);

#endif
