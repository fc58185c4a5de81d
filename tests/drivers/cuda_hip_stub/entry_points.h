/* SPDX-License-Identifier: MIT */
/*
 * The functions of the stub, once: their numbers, their names and prototypes. A function has CUDA's
 * name here, with stub_ before it; its symbol is that of the API for which the stub is built.
 */
#ifndef CUDA_HIP_STUB_ENTRY_POINTS_H
#define CUDA_HIP_STUB_ENTRY_POINTS_H

#include "src/backends/cuda_hip/api.h"
#include "src/state/nvml_api.h"
#include "tools.h"

/* Of cuda.h, beside those of types.h. */
enum { CAPTURE_ACTIVE = 1, CAPTURE_INVALIDATED = 2 };

/* What programs of a user's own call beside what kerntime calls. X(name, CUDA's symbol, HIP's
 * symbol, (parameters)) */
#define USER_ENTRIES(X)                                                              \
    X(cuEventSynchronize, cuEventSynchronize, hipEventSynchronize, (cuda_event))     \
    X(cuStreamSynchronize, cuStreamSynchronize, hipStreamSynchronize, (cuda_stream)) \
    X(cuStreamBeginCapture, cuStreamBeginCapture_v2, hipStreamBeginCapture,          \
      (cuda_stream, cuda_capture_mode))                                              \
    X(cuStreamEndCapture, cuStreamEndCapture, hipStreamEndCapture, (cuda_stream, void **))

/* X(name, symbol, (parameters)) */
#define CUDA_USER_ENTRIES(X)                                                                      \
    X(cuCtxCreate, cuCtxCreate_v2, (cuda_context *, unsigned, cuda_ordinal))                      \
    X(cuCtxDestroy, cuCtxDestroy_v2, (cuda_context))                                              \
    X(cuCtxSetCurrent, cuCtxSetCurrent, (cuda_context))                                           \
    X(cuGreenCtxCreate, cuGreenCtxCreate, (cuda_green_context *, void *, cuda_ordinal, unsigned)) \
    X(cuGreenCtxDestroy, cuGreenCtxDestroy, (cuda_green_context))                                 \
    X(cuGreenCtxStreamCreate, cuGreenCtxStreamCreate,                                             \
      (cuda_stream *, cuda_green_context, unsigned, int))                                         \
    X(cuCtxFromGreenCtx, cuCtxFromGreenCtx, (cuda_context *, cuda_green_context))                 \
    X(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (cuda_ordinal))

#define SHARED_ENTRIES(X) \
    CUDA_FUNCTIONS(X)     \
    CUDA_OPTIONAL(X)      \
    USER_ENTRIES(X)       \
    CUDA_COMPILER(X)

#define CUDA_ENTRIES(X)      \
    CUDA_ALONE(X)            \
    CUDA_ALONE_OPTIONAL(X)   \
    CUDA_USER_ENTRIES(X)     \
    CUDA_NVML(X)             \
    NVML_FIND(X)             \
    NVML_DEVICE_FUNCTIONS(X) \
    CUDA_COMPILER_OPTIONAL(X)

#define HIP_ENTRIES(X) \
    HIP_ALONE(X)       \
    HIP_ALONE_OPTIONAL(X)

enum entry {
#define ENTRY_ID(name, ...) ENTRY_##name,
    SHARED_ENTRIES(ENTRY_ID) CUDA_COMPILER_TEXTS(ENTRY_ID) CUDA_ENTRIES(ENTRY_ID)
        HIP_ENTRIES(ENTRY_ID) HIP_TEXTS(ENTRY_ID)
#undef ENTRY_ID
            ENTRY_COUNT
};

#ifdef STUB_HIP
#define EXPORT __attribute__((visibility("default")))
#if STUB_HIP
#define SYMBOL(cuda, hip) #hip
#else
#define SYMBOL(cuda, hip) #cuda
#endif

#define SHARED_PROTOTYPE(name, cuda, hip, parameters) \
    EXPORT cuda_code stub_##name parameters __asm__(SYMBOL(cuda, hip));
#define PROTOTYPE(name, symbol, parameters) \
    EXPORT cuda_code stub_##name parameters __asm__(#symbol);
#define SHARED_TEXT_PROTOTYPE(name, cuda, hip, parameters) \
    EXPORT const char *stub_##name parameters __asm__(SYMBOL(cuda, hip));
#define TEXT_PROTOTYPE(name, symbol, parameters) \
    EXPORT const char *stub_##name parameters __asm__(#symbol);

SHARED_ENTRIES(SHARED_PROTOTYPE)
CUDA_COMPILER_TEXTS(SHARED_TEXT_PROTOTYPE)
#if STUB_HIP
HIP_ENTRIES(PROTOTYPE)
HIP_TEXTS(TEXT_PROTOTYPE)
#else
CUDA_ENTRIES(PROTOTYPE)
#endif

/* Not of either API: what a test does to the device. Never counted. Any thread. */

/* The clock of the stub's world, in ns: to be the host's clock of a test where the clock is a
 * simulated one. */
EXPORT int64_t ktStubNow(void);
/* The simulated clock moves on. */
EXPORT void ktStubAdvance(int64_t ns);
/* From now on each launch, copy and filling takes so long, whatever the script says. */
EXPORT void ktStubTake(int64_t ns);
#endif

#endif
