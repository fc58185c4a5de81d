/* SPDX-License-Identifier: MIT */
/*
 * types.h - the types and numbers of CUDA's driver API and of HIP that are used. They are defined
 * here, because no package installs the vendors' headers on every machine. HIP's values are CUDA's
 * unless noted. A check against the vendors' headers defines KT_CUDA_TYPES_GIVEN and declares the
 * types itself (tests/shape/cuda_header.c).
 */
#ifndef KT_CUDA_TYPES_H
#define KT_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifndef KT_CUDA_TYPES_GIVEN
typedef int cuda_code; /* an enum in cuda.h */
typedef int cuda_ordinal;
typedef int cuda_attribute;
typedef int cuda_function_attribute;
typedef int cuda_jit_option;
typedef int cuda_capture_status;
typedef int cuda_capture_mode;
typedef int cuda_copy_kind;
typedef uintptr_t cuda_address; /* an unsigned long long in CUDA, a void * in HIP */
typedef struct cuda_context_opaque *cuda_context;
typedef struct cuda_green_opaque *cuda_green_context;
typedef struct cuda_stream_opaque *cuda_stream;
typedef struct cuda_event_opaque *cuda_event;
typedef struct cuda_module_opaque *cuda_module;
typedef struct cuda_function_opaque *cuda_function;
typedef int cuda_compiler_code;
typedef struct cuda_uuid {
    char bytes[16];
} cuda_uuid;
typedef struct cuda_source_opaque *cuda_source;
#endif

enum {
    CUDA_OK = 0,
    CUDA_INVALID_VALUE = 1,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_STUB_LIBRARY = 34, /* the toolkit's stub library for linking, no driver */
    CUDA_NO_DEVICE = 100,
    CUDA_INVALID_DEVICE = 101, /* from HIP's init: no device */
    CUDA_INVALID_IMAGE = 200,
    CUDA_NO_BINARY_FOR_DEVICE = 209,
    CUDA_ECC_UNCORRECTABLE = 214,
    CUDA_INVALID_PTX = 218,
    CUDA_NVLINK_UNCORRECTABLE = 220,
    CUDA_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_JIT_COMPILATION_DISABLED = 223,
    CUDA_CONTAINED = 226,
    CUDA_INVALID_HANDLE = 400, /* elapsed time: an event was not recorded or has no timing */
    CUDA_NOT_FOUND = 500,
    CUDA_NOT_READY = 600,
    CUDA_ILLEGAL_ADDRESS = 700, /* 700 to 719: the context is unusable afterwards */
    CUDA_LAUNCH_TIMEOUT = 702,
    CUDA_CONTEXT_IS_DESTROYED = 709, /* on HIP: no such stream */
    CUDA_ASSERT = 710,
    CUDA_HARDWARE_STACK_ERROR = 714,
    CUDA_ILLEGAL_INSTRUCTION = 715,
    CUDA_MISALIGNED_ADDRESS = 716,
    CUDA_INVALID_ADDRESS_SPACE = 717,
    CUDA_INVALID_PC = 718,
    CUDA_LAUNCH_FAILED = 719,
    CUDA_TENSOR_MEMORY_LEAK = 721,
    CUDA_MPS_CLIENT_TERMINATED = 810,
    CUDA_CAPTURE_UNSUPPORTED = 900,
    CUDA_CAPTURE_IMPLICIT = 906, /* default stream, while a stream that it waits for is captured */
    CUDA_CAPTURED_EVENT = 907,
    CUDA_UNKNOWN = 999
};

enum { CUDA_STREAM_NON_BLOCKING = 1 };
enum { HIP_EVENT_WITHOUT_FENCE = 0x20000000 }; /* hipEventDisableSystemFence */
enum { CUDA_HOST_PORTABLE = 1, CUDA_HOST_MAPPED = 2 };
enum { CUDA_ATTACH_GLOBAL = 1 };
enum { CUDA_CAPTURE_NONE = 0 }; /* other values: stream is captured, or its capture is invalid */
enum { CUDA_CAPTURE_MODE_RELAXED = 2 };
enum {
    CUDA_FUNCTION_MAX_THREADS = 0,
    CUDA_FUNCTION_SHARED_BYTES = 1,      /* what the text declares */
    CUDA_FUNCTION_MAX_DYNAMIC_BYTES = 8, /* most that a launch may add to it */
};
enum { CUDA_JIT_ERROR_LOG = 5, CUDA_JIT_ERROR_LOG_BYTES = 6 };
enum { HIP_COPY_DEFAULT = 4 };
/* Codes of NVRTC and hiprtc: invalid option, compilation failed, no such name, internal error. */
enum {
    CUDA_COMPILER_OPTION = 5,
    CUDA_COMPILATION = 6,
    CUDA_COMPILER_NAME = 10,
    CUDA_COMPILER_FAULT = 11
};

/* Device attributes: X(name, CUDA's number, HIP's number). */
#define CUDA_ATTRIBUTES(X)                \
    X(MAX_THREADS_PER_BLOCK, 1, 56)       \
    X(MAX_BLOCK_DIM_X, 2, 26)             \
    X(MAX_BLOCK_DIM_Y, 3, 27)             \
    X(MAX_BLOCK_DIM_Z, 4, 28)             \
    X(MAX_GRID_DIM_X, 5, 29)              \
    X(MAX_GRID_DIM_Y, 6, 30)              \
    X(MAX_GRID_DIM_Z, 7, 31)              \
    X(MAX_SHARED_MEMORY_PER_BLOCK, 8, 74) \
    X(WARP_SIZE, 10, 87)                  \
    X(MULTIPROCESSOR_COUNT, 16, 63)       \
    X(L2_CACHE_SIZE, 38, 19)              \
    X(COMPUTE_CAPABILITY_MAJOR, 75, 23)   \
    X(COMPUTE_CAPABILITY_MINOR, 76, 61)   \
    X(MANAGED_MEMORY, 83, 24)             \
    X(CONCURRENT_MANAGED_ACCESS, 89, 9)   \
    X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97, 75)

#endif
