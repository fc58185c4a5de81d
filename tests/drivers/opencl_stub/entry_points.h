/* SPDX-License-Identifier: MIT */
/* The whole surface of the stub, once: the counters, the report and the selftest all come from this
 * list. */
#ifndef OPENCL_STUB_ENTRY_POINTS_H
#define OPENCL_STUB_ENTRY_POINTS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
/* Deprecated: clCreateCommandQueue is still what a 1.2 host calls. */
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS /* clSetCommandQueueProperty */
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS /* clGetExtensionFunctionAddress, for loaders */
#endif

/* Built with hidden visibility: only what the official header declares is seen from outside. */
#pragma GCC visibility push(default)
#include <CL/cl.h>
#include <CL/cl_ext.h>
#pragma GCC visibility pop

#define ENTRY_POINTS(X)            \
    X(clGetPlatformIDs)            \
    X(clGetPlatformInfo)           \
    X(clGetDeviceIDs)              \
    X(clGetDeviceInfo)             \
    X(clCreateContext)             \
    X(clReleaseContext)            \
    X(clCreateCommandQueue)        \
    X(clGetCommandQueueInfo)       \
    X(clSetCommandQueueProperty)   \
    X(clRetainCommandQueue)        \
    X(clReleaseCommandQueue)       \
    X(clCreateBuffer)              \
    X(clCreateSubBuffer)           \
    X(clReleaseMemObject)          \
    X(clEnqueueReadBuffer)         \
    X(clEnqueueWriteBuffer)        \
    X(clEnqueueCopyBuffer)         \
    X(clEnqueueFillBuffer)         \
    X(clEnqueueMapBuffer)          \
    X(clEnqueueUnmapMemObject)     \
    X(clCreateProgramWithSource)   \
    X(clBuildProgram)              \
    X(clGetProgramBuildInfo)       \
    X(clReleaseProgram)            \
    X(clCreateKernel)              \
    X(clReleaseKernel)             \
    X(clSetKernelArg)              \
    X(clGetKernelInfo)             \
    X(clGetKernelWorkGroupInfo)    \
    X(clGetKernelArgInfo)          \
    X(clEnqueueNDRangeKernel)      \
    X(clEnqueueMarkerWithWaitList) \
    X(clFlush)                     \
    X(clFinish)                    \
    X(clWaitForEvents)             \
    X(clGetEventInfo)              \
    X(clGetEventProfilingInfo)     \
    X(clSetEventCallback)          \
    X(clCreateUserEvent)           \
    X(clSetUserEventStatus)        \
    X(clRetainEvent)               \
    X(clReleaseEvent)              \
    X(clSVMAlloc)                  \
    X(clSVMFree)                   \
    X(clEnqueueSVMMemcpy)          \
    X(clSetKernelArgSVMPointer)    \
    X(clGetDeviceAndHostTimer)

#endif
