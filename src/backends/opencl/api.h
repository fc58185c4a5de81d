/* SPDX-License-Identifier: MIT */
/* api.h - lists each function of OpenCL that is used, once. The list generates the table of
 * pointers, the loader's symbols and the check against the official header. */
#ifndef KT_OPENCL_API_H
#define KT_OPENCL_API_H

#define CL_TARGET_OPENCL_VERSION 210
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "support/fault.h"

#ifndef CL_DEVICE_SVM_CAPABILITIES /* headers older than OpenCL 2.0 */
#define CL_DEVICE_SVM_CAPABILITIES        0x1053
#define CL_DEVICE_SVM_COARSE_GRAIN_BUFFER (1 << 0)
#endif

typedef void(CL_CALLBACK *opencl_event_callback)(cl_event event, cl_int status, void *user);

/* Functions of OpenCL 1.1: X(result, name, (parameters)). */
#define OPENCL_FUNCTIONS(X)                                                                        \
    X(cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                            \
    X(cl_int, clGetPlatformInfo, (cl_platform_id, cl_platform_info, size_t, void *, size_t *))     \
    X(cl_int, clGetDeviceIDs,                                                                      \
      (cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *))                        \
    X(cl_int, clGetDeviceInfo, (cl_device_id, cl_device_info, size_t, void *, size_t *))           \
    X(cl_context, clCreateContext,                                                                 \
      (const cl_context_properties *, cl_uint, const cl_device_id *,                               \
       void(CL_CALLBACK *)(const char *, const void *, size_t, void *), void *, cl_int *))         \
    X(cl_int, clReleaseContext, (cl_context))                                                      \
    X(cl_command_queue, clCreateCommandQueue,                                                      \
      (cl_context, cl_device_id, cl_command_queue_properties, cl_int *))                           \
    X(cl_int, clReleaseCommandQueue, (cl_command_queue))                                           \
    X(cl_mem, clCreateBuffer, (cl_context, cl_mem_flags, size_t, void *, cl_int *))                \
    X(cl_mem, clCreateSubBuffer,                                                                   \
      (cl_mem, cl_mem_flags, cl_buffer_create_type, const void *, cl_int *))                       \
    X(cl_int, clReleaseMemObject, (cl_mem))                                                        \
    X(cl_int, clEnqueueReadBuffer,                                                                 \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *,       \
       cl_event *))                                                                                \
    X(cl_int, clEnqueueWriteBuffer,                                                                \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, \
       cl_event *))                                                                                \
    X(cl_int, clEnqueueCopyBuffer,                                                                 \
      (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *,        \
       cl_event *))                                                                                \
    X(void *, clEnqueueMapBuffer,                                                                  \
      (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event *, \
       cl_event *, cl_int *))                                                                      \
    X(cl_int, clEnqueueUnmapMemObject,                                                             \
      (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *))                   \
    X(cl_program, clCreateProgramWithSource,                                                       \
      (cl_context, cl_uint, const char **, const size_t *, cl_int *))                              \
    X(cl_int, clBuildProgram,                                                                      \
      (cl_program, cl_uint, const cl_device_id *, const char *,                                    \
       void(CL_CALLBACK *)(cl_program, void *), void *))                                           \
    X(cl_int, clGetProgramBuildInfo,                                                               \
      (cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *))                 \
    X(cl_int, clReleaseProgram, (cl_program))                                                      \
    X(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *))                             \
    X(cl_int, clReleaseKernel, (cl_kernel))                                                        \
    X(cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                          \
    X(cl_int, clGetKernelInfo, (cl_kernel, cl_kernel_info, size_t, void *, size_t *))              \
    X(cl_int, clGetKernelWorkGroupInfo,                                                            \
      (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *))              \
    X(cl_int, clEnqueueNDRangeKernel,                                                              \
      (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,       \
       cl_uint, const cl_event *, cl_event *))                                                     \
    X(cl_int, clFlush, (cl_command_queue))                                                         \
    X(cl_int, clFinish, (cl_command_queue))                                                        \
    X(cl_int, clGetEventInfo, (cl_event, cl_event_info, size_t, void *, size_t *))                 \
    X(cl_int, clGetEventProfilingInfo, (cl_event, cl_profiling_info, size_t, void *, size_t *))    \
    X(cl_int, clSetEventCallback, (cl_event, cl_int, opencl_event_callback, void *))               \
    X(cl_int, clReleaseEvent, (cl_event))

/* Functions that a loader or driver may lack: OpenCL 2.0 and 2.1. */
#define OPENCL_OPTIONAL(X)                                                                 \
    X(cl_int, clGetDeviceAndHostTimer, (cl_device_id, cl_ulong *, cl_ulong *))             \
    X(void *, clSVMAlloc, (cl_context, cl_mem_flags, size_t, cl_uint))                     \
    X(void, clSVMFree, (cl_context, void *))                                               \
    X(cl_int, clSetKernelArgSVMPointer, (cl_kernel, cl_uint, const void *))                \
    X(cl_int, clEnqueueSVMMemcpy,                                                          \
      (cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *, \
       cl_event *))

/* Functions of OpenCL 1.2, for reflection. */
#define OPENCL_REFLECTION(X)      \
    X(cl_int, clGetKernelArgInfo, \
      (cl_kernel, cl_uint, cl_kernel_arg_info, size_t, void *, size_t *))

/* Functions for timers in queues of the program: OpenCL 1.2. */
#define OPENCL_TIMER_CONTEXT(X)                                                                   \
    X(cl_int, clGetCommandQueueInfo,                                                              \
      (cl_command_queue, cl_command_queue_info, size_t, void *, size_t *))                        \
    X(cl_int, clRetainCommandQueue, (cl_command_queue))                                           \
    X(cl_int, clRetainEvent, (cl_event))                                                          \
    X(cl_int, clEnqueueMarkerWithWaitList,                                                        \
      (cl_command_queue, cl_uint, const cl_event *, cl_event *))                                  \
    X(cl_int, clEnqueueFillBuffer,                                                                \
      (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *, \
       cl_event *))

typedef struct opencl_api {
#define OPENCL_POINTER(result, name, parameters) result(CL_API_CALL *name) parameters;
    OPENCL_FUNCTIONS(OPENCL_POINTER)
    OPENCL_OPTIONAL(OPENCL_POINTER)
    OPENCL_REFLECTION(OPENCL_POINTER)
    OPENCL_TIMER_CONTEXT(OPENCL_POINTER)
#undef OPENCL_POINTER
} opencl_api;

/* The code that a driver call returns when a test makes the call fail. */
#define OPENCL_FAULT CL_OUT_OF_RESOURCES

/* Makes a driver call and returns its cl_int code. */
#define CL_CODE(api, function, ...) KT_CALL(api, function, OPENCL_FAULT, __VA_ARGS__)
/* Makes a call that returns an object and writes its code elsewhere. The caller sets that code to
 * OPENCL_FAULT before. */
#define CL_OBJECT(api, function, ...) KT_CALL(api, function, NULL, __VA_ARGS__)

#endif
