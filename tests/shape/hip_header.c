/* SPDX-License-Identifier: MIT */
/* The same as cuda_header.c for HIP, beside <hip/hip_runtime_api.h>. */
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>

#define KT_CUDA_TYPES_GIVEN
typedef hipError_t cuda_code;
typedef hipDevice_t cuda_ordinal;
typedef hipDeviceAttribute_t cuda_attribute;
typedef hipFunction_attribute cuda_function_attribute;
typedef hipJitOption cuda_jit_option;
typedef hipStreamCaptureStatus cuda_capture_status;
typedef hipStreamCaptureMode cuda_capture_mode;
typedef hipUUID cuda_uuid;
typedef hipMemcpyKind cuda_copy_kind;
typedef hipDeviceptr_t cuda_address;
#ifdef WRONG
typedef hipEvent_t cuda_stream;
#else
typedef hipStream_t cuda_stream;
#endif
typedef hipEvent_t cuda_event;
typedef hipModule_t cuda_module;
typedef hipFunction_t cuda_function;
typedef int
    cuda_compiler_code; /* hiprtc's is not compared: its strings are const from some version on */
typedef struct hiprtc_program *cuda_source;
#include "vendor_types.h"

/* ---- functions ---- */

#define OF_BOTH(name, cuda, symbol, parameters) SAME(cuda_code, symbol, parameters)
#define ALONE(name, symbol, parameters)         SAME(cuda_code, symbol, parameters)
#define TEXT(name, symbol, parameters)          SAME(const char *, symbol, parameters)
CUDA_FUNCTIONS(OF_BOTH)
CUDA_OPTIONAL(OF_BOTH)
HIP_ALONE(ALONE)
HIP_TEXTS(TEXT)

_Static_assert(sizeof(int) == sizeof(cuda_copy_kind), "kinds are as wide as int");

/* ---- numbers ---- */

VALUE(CUDA_OK, hipSuccess)
VALUE(CUDA_OUT_OF_MEMORY, hipErrorOutOfMemory)
VALUE(CUDA_NO_DEVICE, hipErrorNoDevice)
VALUE(CUDA_INVALID_DEVICE, hipErrorInvalidDevice)
VALUE(CUDA_INVALID_HANDLE, hipErrorInvalidHandle)
VALUE(CUDA_NOT_FOUND, hipErrorNotFound)
VALUE(CUDA_NOT_READY, hipErrorNotReady)
VALUE(CUDA_CAPTURE_UNSUPPORTED, hipErrorStreamCaptureUnsupported)
VALUE(CUDA_CAPTURED_EVENT, hipErrorCapturedEvent)
VALUE(CUDA_INVALID_VALUE, hipErrorInvalidValue)
VALUE(CUDA_INVALID_IMAGE, hipErrorInvalidImage)
VALUE(CUDA_NO_BINARY_FOR_DEVICE, hipErrorNoBinaryForGpu)
VALUE(CUDA_ECC_UNCORRECTABLE, hipErrorECCNotCorrectable)
VALUE(CUDA_INVALID_PTX, hipErrorInvalidKernelFile)
VALUE(CUDA_ILLEGAL_ADDRESS, hipErrorIllegalAddress)
VALUE(CUDA_LAUNCH_TIMEOUT, hipErrorLaunchTimeOut)
VALUE(CUDA_CONTEXT_IS_DESTROYED, hipErrorContextIsDestroyed)
VALUE(CUDA_ASSERT, hipErrorAssert)
VALUE(CUDA_LAUNCH_FAILED, hipErrorLaunchFailure)
VALUE(CUDA_CAPTURE_IMPLICIT, hipErrorStreamCaptureImplicit)
VALUE(CUDA_UNKNOWN, hipErrorUnknown)
VALUE(CUDA_STREAM_NON_BLOCKING, hipStreamNonBlocking)
VALUE(CUDA_HOST_PORTABLE, hipHostMallocPortable)
VALUE(CUDA_HOST_MAPPED, hipHostMallocMapped)
VALUE(CUDA_ATTACH_GLOBAL, hipMemAttachGlobal)
VALUE(CUDA_CAPTURE_NONE, hipStreamCaptureStatusNone)
VALUE(CUDA_CAPTURE_MODE_RELAXED, hipStreamCaptureModeRelaxed)
VALUE(CUDA_FUNCTION_MAX_THREADS, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
VALUE(CUDA_FUNCTION_SHARED_BYTES, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
VALUE(CUDA_JIT_ERROR_LOG, hipJitOptionErrorLogBuffer)
VALUE(CUDA_JIT_ERROR_LOG_BYTES, hipJitOptionErrorLogBufferSizeBytes)
VALUE(HIP_COPY_DEFAULT, hipMemcpyDefault)

/* CUDA's names of what HIP spells in its own way. */
enum {
    HIP_MAX_THREADS_PER_BLOCK = hipDeviceAttributeMaxThreadsPerBlock,
    HIP_MAX_BLOCK_DIM_X = hipDeviceAttributeMaxBlockDimX,
    HIP_MAX_BLOCK_DIM_Y = hipDeviceAttributeMaxBlockDimY,
    HIP_MAX_BLOCK_DIM_Z = hipDeviceAttributeMaxBlockDimZ,
    HIP_MAX_GRID_DIM_X = hipDeviceAttributeMaxGridDimX,
    HIP_MAX_GRID_DIM_Y = hipDeviceAttributeMaxGridDimY,
    HIP_MAX_GRID_DIM_Z = hipDeviceAttributeMaxGridDimZ,
    HIP_MAX_SHARED_MEMORY_PER_BLOCK = hipDeviceAttributeMaxSharedMemoryPerBlock,
    HIP_MULTIPROCESSOR_COUNT = hipDeviceAttributeMultiprocessorCount,
    HIP_L2_CACHE_SIZE = hipDeviceAttributeL2CacheSize,
    HIP_COMPUTE_CAPABILITY_MAJOR = hipDeviceAttributeComputeCapabilityMajor,
    HIP_COMPUTE_CAPABILITY_MINOR = hipDeviceAttributeComputeCapabilityMinor,
    HIP_MANAGED_MEMORY = hipDeviceAttributeManagedMemory,
    HIP_WARP_SIZE = hipDeviceAttributeWarpSize,
    HIP_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = hipDeviceAttributeSharedMemPerBlockOptin,
    HIP_CONCURRENT_MANAGED_ACCESS = hipDeviceAttributeConcurrentManagedAccess
};
#define ATTRIBUTE(name, cuda, hip) _Static_assert(hip == (int)HIP_##name, "attribute " #name);
CUDA_ATTRIBUTES(ATTRIBUTE)
