/* SPDX-License-Identifier: MIT */
/*
 * api.h - lists each function of CUDA's driver API and of HIP that is used, once. These lists
 * generate the tables of pointers, the loader's symbols, the names in error texts, the stub
 * drivers' exports (tests/drivers/cuda_hip_stub) and the check against the vendors' headers.
 *
 * Functions have CUDA's names, and CUDA's symbol is listed beside the name: cuda.h maps cuMemAlloc
 * to cuMemAlloc_v2, because the symbol without a suffix is that of CUDA 2, with 32-bit addresses.
 */
#ifndef KT_CUDA_API_H
#define KT_CUDA_API_H

#include "backends/cuda_hip/types.h"

/* Functions of both APIs: X(name, CUDA's symbol, HIP's symbol, (parameters)). Each returns a
 * cuda_code. */
#define CUDA_FUNCTIONS(X)                                                                   \
    X(cuInit, cuInit, hipInit, (unsigned))                                                  \
    X(cuDriverGetVersion, cuDriverGetVersion, hipDriverGetVersion, (int *))                 \
    X(cuDeviceGetCount, cuDeviceGetCount, hipGetDeviceCount, (int *))                       \
    X(cuDeviceGet, cuDeviceGet, hipDeviceGet, (cuda_ordinal *, int))                        \
    X(cuDeviceGetName, cuDeviceGetName, hipDeviceGetName, (char *, int, cuda_ordinal))      \
    X(cuDeviceTotalMem, cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t *, cuda_ordinal))   \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute, hipDeviceGetAttribute,                    \
      (int *, cuda_attribute, cuda_ordinal))                                                \
    X(cuMemGetInfo, cuMemGetInfo_v2, hipMemGetInfo, (size_t *, size_t *))                   \
    X(cuMemAlloc, cuMemAlloc_v2, hipMalloc, (cuda_address *, size_t))                       \
    X(cuMemFree, cuMemFree_v2, hipFree, (cuda_address))                                     \
    X(cuMemHostAlloc, cuMemHostAlloc, hipHostMalloc, (void **, size_t, unsigned))           \
    X(cuMemFreeHost, cuMemFreeHost, hipHostFree, (void *))                                  \
    X(cuMemsetD8Async, cuMemsetD8Async, hipMemsetD8Async,                                   \
      (cuda_address, unsigned char, size_t, cuda_stream))                                   \
    X(cuStreamCreate, cuStreamCreate, hipStreamCreateWithFlags, (cuda_stream *, unsigned))  \
    X(cuStreamDestroy, cuStreamDestroy_v2, hipStreamDestroy, (cuda_stream))                 \
    X(cuStreamQuery, cuStreamQuery, hipStreamQuery, (cuda_stream))                          \
    X(cuEventCreate, cuEventCreate, hipEventCreateWithFlags, (cuda_event *, unsigned))      \
    X(cuEventRecord, cuEventRecord, hipEventRecord, (cuda_event, cuda_stream))              \
    X(cuEventQuery, cuEventQuery, hipEventQuery, (cuda_event))                              \
    X(cuEventElapsedTime, cuEventElapsedTime, hipEventElapsedTime,                          \
      (float *, cuda_event, cuda_event))                                                    \
    X(cuEventDestroy, cuEventDestroy_v2, hipEventDestroy, (cuda_event))                     \
    X(cuModuleLoadDataEx, cuModuleLoadDataEx, hipModuleLoadDataEx,                          \
      (cuda_module *, const void *, unsigned, cuda_jit_option *, void **))                  \
    X(cuModuleUnload, cuModuleUnload, hipModuleUnload, (cuda_module))                       \
    X(cuModuleGetFunction, cuModuleGetFunction, hipModuleGetFunction,                       \
      (cuda_function *, cuda_module, const char *))                                         \
    X(cuFuncGetAttribute, cuFuncGetAttribute, hipFuncGetAttribute,                          \
      (int *, cuda_function_attribute, cuda_function))                                      \
    X(cuLaunchKernel, cuLaunchKernel, hipModuleLaunchKernel,                                \
      (cuda_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
       cuda_stream, void **, void **))

/* Functions that older drivers lack: managed memory (CUDA 6; some HIP systems never have it),
 * stream captures (10.0 and 10.1), and UUIDs (11.4, where that of a MIG instance is its own). */
#define CUDA_OPTIONAL(X)                                                                           \
    X(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, hipDeviceGetPCIBusId, (char *, int, cuda_ordinal)) \
    X(cuDeviceGetUuid_v2, cuDeviceGetUuid_v2, hipDeviceGetUuid, (cuda_uuid *, cuda_ordinal))       \
    X(cuMemAllocManaged, cuMemAllocManaged, hipMallocManaged, (cuda_address *, size_t, unsigned))  \
    X(cuStreamIsCapturing, cuStreamIsCapturing, hipStreamIsCapturing,                              \
      (cuda_stream, cuda_capture_status *))                                                        \
    X(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode,                        \
      hipThreadExchangeStreamCaptureMode, (cuda_capture_mode *))

/* Functions called on CUDA only: X(name, symbol, (parameters)). */
#define CUDA_ALONE(X)                                                                     \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (cuda_context *, cuda_ordinal)) \
    X(cuCtxPushCurrent, cuCtxPushCurrent_v2, (cuda_context))                              \
    X(cuCtxPopCurrent, cuCtxPopCurrent_v2, (cuda_context *))                              \
    X(cuCtxGetCurrent, cuCtxGetCurrent, (cuda_context *))                                 \
    X(cuCtxGetDevice, cuCtxGetDevice, (cuda_ordinal *))                                   \
    X(cuMemcpyAsync, cuMemcpyAsync, (cuda_address, cuda_address, size_t, cuda_stream))    \
    X(cuGetErrorName, cuGetErrorName, (cuda_code, const char **))                         \
    X(cuGetErrorString, cuGetErrorString, (cuda_code, const char **))

/* Functions that some CUDA drivers lack. Each driver has at least one of the two
 * cuDevicePrimaryCtxRelease, before CUDA 11 only the first. cuEventElapsedTime_v2 came with CUDA
 * 12.8, cuDeviceGetUuid with 9.2, cuStreamGetCtx_v2 with 12.5, cuFuncGetParamInfo with 12.4, cuCtxGetId with 12.0, and
 * cuFuncSetAttribute with 9.0. */
#define CUDA_ALONE_OPTIONAL(X)                                                                   \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, (cuda_ordinal))                      \
    X(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease_v2, (cuda_ordinal))                \
    X(cuDeviceGetUuid, cuDeviceGetUuid, (cuda_uuid *, cuda_ordinal))                             \
    X(cuEventElapsedTime_v2, cuEventElapsedTime_v2, (float *, cuda_event, cuda_event))           \
    X(cuStreamGetCtx, cuStreamGetCtx, (cuda_stream, cuda_context *))                             \
    X(cuStreamGetCtx_v2, cuStreamGetCtx_v2, (cuda_stream, cuda_context *, cuda_green_context *)) \
    X(cuCtxGetId, cuCtxGetId, (cuda_context, unsigned long long *))                              \
    X(cuFuncGetParamInfo, cuFuncGetParamInfo, (cuda_function, size_t, size_t *, size_t *))       \
    X(cuFuncSetAttribute, cuFuncSetAttribute, (cuda_function, cuda_function_attribute, int))

/* HIP's contexts are its devices, and popping a context leaves the thread on the pushed device
 * (seen in the source of 6.x). So the thread's device is read, set and restored. */
#define HIP_ALONE(X)                                \
    X(hipGetDevice, hipGetDevice, (cuda_ordinal *)) \
    X(hipSetDevice, hipSetDevice, (cuda_ordinal))   \
    X(hipMemcpyAsync, hipMemcpyAsync, (void *, const void *, size_t, cuda_copy_kind, cuda_stream))

/* The two hipGetDeviceProperties calls fill different structures, which are searched only for the
 * architecture's name (compiler.c). The call without R0600 is that of HIP versions before 6.
 * hipStreamGetDevice came with HIP 5.6. */
#define HIP_ALONE_OPTIONAL(X)                                                           \
    X(hipStreamGetDevice, hipStreamGetDevice, (cuda_stream, cuda_ordinal *))            \
    X(hipGetDevicePropertiesR0600, hipGetDevicePropertiesR0600, (void *, cuda_ordinal)) \
    X(hipGetDeviceProperties, hipGetDeviceProperties, (void *, cuda_ordinal))

/* Functions of HIP that return a text. */
#define HIP_TEXTS(X)                                 \
    X(hipGetErrorName, hipGetErrorName, (cuda_code)) \
    X(hipGetErrorString, hipGetErrorString, (cuda_code))

/* The compilers of CUDA C, X(name, NVRTC's symbol, hiprtc's symbol, (parameters)); each returns a
 * cuda_compiler_code. */
#define CUDA_COMPILER(X)                                                                          \
    X(rtcVersion, nvrtcVersion, hiprtcVersion, (int *, int *))                                    \
    X(rtcCreateProgram, nvrtcCreateProgram, hiprtcCreateProgram,                                  \
      (cuda_source *, const char *, const char *, int, const char *const *, const char *const *)) \
    X(rtcAddNameExpression, nvrtcAddNameExpression, hiprtcAddNameExpression,                      \
      (cuda_source, const char *))                                                                \
    X(rtcCompileProgram, nvrtcCompileProgram, hiprtcCompileProgram,                               \
      (cuda_source, int, const char *const *))                                                    \
    X(rtcGetLoweredName, nvrtcGetLoweredName, hiprtcGetLoweredName,                               \
      (cuda_source, const char *, const char **))                                                 \
    X(rtcGetProgramLogSize, nvrtcGetProgramLogSize, hiprtcGetProgramLogSize,                      \
      (cuda_source, size_t *))                                                                    \
    X(rtcGetProgramLog, nvrtcGetProgramLog, hiprtcGetProgramLog, (cuda_source, char *))           \
    X(rtcGetCodeSize, nvrtcGetPTXSize, hiprtcGetCodeSize, (cuda_source, size_t *))                \
    X(rtcGetCode, nvrtcGetPTX, hiprtcGetCode, (cuda_source, char *))                              \
    X(rtcDestroyProgram, nvrtcDestroyProgram, hiprtcDestroyProgram, (cuda_source *))

/* Functions of NVRTC that came with CUDA 11.1 or 11.2: X(name, symbol, (parameters)). */
#define CUDA_COMPILER_OPTIONAL(X)                                    \
    X(nvrtcGetCUBINSize, nvrtcGetCUBINSize, (cuda_source, size_t *)) \
    X(nvrtcGetCUBIN, nvrtcGetCUBIN, (cuda_source, char *))           \
    X(nvrtcGetNumSupportedArchs, nvrtcGetNumSupportedArchs, (int *)) \
    X(nvrtcGetSupportedArchs, nvrtcGetSupportedArchs, (int *))

/* Functions of NVML: X(name, symbol, (parameters)). Each returns an nvml_code (nvml.c).
 * nvmlInitWithFlags came with the drivers of 2017. */
#define CUDA_NVML(X)                                                              \
    X(nvmlInitWithFlags, nvmlInitWithFlags, (unsigned))                           \
    X(nvmlSystemGetDriverVersion, nvmlSystemGetDriverVersion, (char *, unsigned)) \
    X(nvmlShutdown, nvmlShutdown, (void))

/* Compiler functions that return a text: X(name, NVRTC's symbol, hiprtc's symbol, (parameters)). */
#define CUDA_COMPILER_TEXTS(X) \
    X(rtcGetErrorString, nvrtcGetErrorString, hiprtcGetErrorString, (cuda_compiler_code))

#endif
