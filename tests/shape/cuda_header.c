/*
 * Our own declarations of CUDA's driver API beside those of <cuda.h>: each function of api.h has there, under the symbol that
 * is opened, just these parameters, and each number is that of the vendor. Compiling is the test. With -DWRONG one type
 * is another, which has to be seen.
 */
#define __CUDA_API_VERSION_INTERNAL /* symbols by their own names, in place of the newest version of each */
#include <cuda.h>

#if CUDA_VERSION < 12080
#error "this cuda.h is older than 12.8, and lacks the newest functions that are used"
#endif

#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define HAS_COMPILER
#else
typedef int nvrtcResult;
typedef struct nvrtc_program *nvrtcProgram;
#endif

#define KT_CUDA_TYPES_GIVEN
typedef CUresult cuda_code;
typedef CUdevice cuda_ordinal;
typedef CUdevice_attribute cuda_attribute;
typedef CUfunction_attribute cuda_function_attribute;
typedef CUjit_option cuda_jit_option;
typedef CUstreamCaptureStatus cuda_capture_status;
typedef CUstreamCaptureMode cuda_capture_mode;
typedef CUdeviceptr cuda_address;
typedef CUcontext cuda_context;
#ifdef WRONG
typedef CUevent cuda_stream;
#else
typedef CUstream cuda_stream;
#endif
typedef CUevent cuda_event;
typedef CUmodule cuda_module;
typedef CUfunction cuda_function;
typedef nvrtcResult cuda_compiler_code;
typedef nvrtcProgram cuda_source;
#include "backends/cuda_hip/api.h"

/* ---- functions ---- */

#define SAME(answer, symbol, parameters) \
    _Static_assert(_Generic(&symbol, answer(*) parameters : 1, default : 0), #symbol);
#define OF_BOTH(name, symbol, hip, parameters) SAME(cuda_code, symbol, parameters)
#define ALONE(name, symbol, parameters)        SAME(cuda_code, symbol, parameters)
CUDA_FUNCTIONS(OF_BOTH)
CUDA_OPTIONAL(OF_BOTH)
CUDA_ALONE(ALONE)
CUDA_ALONE_OPTIONAL(ALONE)

#ifdef HAS_COMPILER
#define COMPILER(name, symbol, hip, parameters) SAME(cuda_compiler_code, symbol, parameters)
#define OPTIONAL(name, symbol, parameters)      SAME(cuda_compiler_code, symbol, parameters)
#define TEXT(name, symbol, hip, parameters)     SAME(const char *, symbol, parameters)
CUDA_COMPILER(COMPILER)
CUDA_COMPILER_OPTIONAL(OPTIONAL)
CUDA_COMPILER_TEXTS(TEXT)
_Static_assert(CUDA_COMPILATION == (int)NVRTC_ERROR_COMPILATION, "CUDA_COMPILATION");
_Static_assert(CUDA_COMPILER_FAULT == (int)NVRTC_ERROR_INTERNAL_ERROR, "CUDA_COMPILER_FAULT");
#endif

/* ---- what our own types are in place of theirs ---- */

_Static_assert(sizeof(int) == sizeof(cuda_code), "codes are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_ordinal), "devices are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_attribute), "attributes are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_function_attribute), "attributes are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_jit_option), "options are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_capture_status), "captures are as wide as int");
_Static_assert(sizeof(int) == sizeof(cuda_capture_mode), "captures are as wide as int");
_Static_assert(sizeof(uintptr_t) == sizeof(cuda_address), "addresses are as wide as pointers");

/* ---- numbers ---- */

#define VALUE(own, theirs) _Static_assert((int)own == (int)theirs, #own);
VALUE(CUDA_OK, CUDA_SUCCESS)
VALUE(CUDA_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY)
VALUE(CUDA_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY)
VALUE(CUDA_NO_DEVICE, CUDA_ERROR_NO_DEVICE)
VALUE(CUDA_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE)
VALUE(CUDA_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE)
VALUE(CUDA_NOT_FOUND, CUDA_ERROR_NOT_FOUND)
VALUE(CUDA_NOT_READY, CUDA_ERROR_NOT_READY)
VALUE(CUDA_CAPTURE_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
VALUE(CUDA_CAPTURED_EVENT, CUDA_ERROR_CAPTURED_EVENT)
VALUE(CUDA_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE)
VALUE(CUDA_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE)
VALUE(CUDA_NO_BINARY_FOR_DEVICE, CUDA_ERROR_NO_BINARY_FOR_GPU)
VALUE(CUDA_ECC_UNCORRECTABLE, CUDA_ERROR_ECC_UNCORRECTABLE)
VALUE(CUDA_INVALID_PTX, CUDA_ERROR_INVALID_PTX)
VALUE(CUDA_NVLINK_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE)
VALUE(CUDA_JIT_COMPILER_NOT_FOUND, CUDA_ERROR_JIT_COMPILER_NOT_FOUND)
VALUE(CUDA_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
VALUE(CUDA_JIT_COMPILATION_DISABLED, CUDA_ERROR_JIT_COMPILATION_DISABLED)
VALUE(CUDA_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS)
VALUE(CUDA_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT)
VALUE(CUDA_CONTEXT_IS_DESTROYED, CUDA_ERROR_CONTEXT_IS_DESTROYED)
VALUE(CUDA_ASSERT, CUDA_ERROR_ASSERT)
VALUE(CUDA_HARDWARE_STACK_ERROR, CUDA_ERROR_HARDWARE_STACK_ERROR)
VALUE(CUDA_ILLEGAL_INSTRUCTION, CUDA_ERROR_ILLEGAL_INSTRUCTION)
VALUE(CUDA_MISALIGNED_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS)
VALUE(CUDA_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_ADDRESS_SPACE)
VALUE(CUDA_INVALID_PC, CUDA_ERROR_INVALID_PC)
VALUE(CUDA_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED)
#if CUDA_VERSION >= 13000
VALUE(CUDA_CONTAINED, CUDA_ERROR_CONTAINED)
VALUE(CUDA_TENSOR_MEMORY_LEAK, CUDA_ERROR_TENSOR_MEMORY_LEAK)
#endif
VALUE(CUDA_MPS_CLIENT_TERMINATED, CUDA_ERROR_MPS_CLIENT_TERMINATED)
VALUE(CUDA_CAPTURE_IMPLICIT, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
VALUE(CUDA_UNKNOWN, CUDA_ERROR_UNKNOWN)
VALUE(CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING)
VALUE(CUDA_HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE)
VALUE(CUDA_HOST_MAPPED, CU_MEMHOSTALLOC_DEVICEMAP)
VALUE(CUDA_ATTACH_GLOBAL, CU_MEM_ATTACH_GLOBAL)
VALUE(CUDA_CAPTURE_NONE, CU_STREAM_CAPTURE_STATUS_NONE)
VALUE(CUDA_CAPTURE_MODE_RELAXED, CU_STREAM_CAPTURE_MODE_RELAXED)
VALUE(CUDA_FUNCTION_MAX_THREADS, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
VALUE(CUDA_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER)
VALUE(CUDA_JIT_ERROR_LOG_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)

#define ATTRIBUTE(name, cuda, hip) \
    _Static_assert(cuda == (int)CU_DEVICE_ATTRIBUTE_##name, "attribute " #name);
CUDA_ATTRIBUTES(ATTRIBUTE)
