/* SPDX-License-Identifier: MIT */
/* cuda_user.h - a program that owns a context of CUDA, or a device of HIP, and streams, over the
 * stub driver that kerntime opens, too. */
#ifndef CUDA_USER_H
#define CUDA_USER_H

#include "backends/cuda_hip/api.h"
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <kerntime/timer/cpu.h>
#include <kerntime/timer/cuda.h>
#include <kerntime/timer/hip.h>

/* X(name, CUDA's symbol, HIP's symbol, (parameters)) */
#define USER_FUNCTIONS(X)                                                                          \
    X(init, cuInit, hipInit, (unsigned))                                                           \
    X(stream_create, cuStreamCreate, hipStreamCreateWithFlags, (cuda_stream *, unsigned))          \
    X(stream_destroy, cuStreamDestroy_v2, hipStreamDestroy, (cuda_stream))                         \
    X(alloc, cuMemAlloc_v2, hipMalloc, (cuda_address *, size_t))                                   \
    X(release, cuMemFree_v2, hipFree, (cuda_address))                                              \
    X(fill, cuMemsetD8Async, hipMemsetD8Async, (cuda_address, unsigned char, size_t, cuda_stream)) \
    X(begin_capture, cuStreamBeginCapture_v2, hipStreamBeginCapture,                               \
      (cuda_stream, cuda_capture_mode))                                                            \
    X(end_capture, cuStreamEndCapture, hipStreamEndCapture, (cuda_stream, void **))                \
    X(exchange_mode, cuThreadExchangeStreamCaptureMode, hipThreadExchangeStreamCaptureMode,        \
      (cuda_capture_mode *))

/* X(name, symbol, (parameters)): of one of the two alone */
#define USER_FUNCTIONS_CUDA(X)                                                                  \
    X(retain, cuDevicePrimaryCtxRetain, (cuda_context *, cuda_ordinal))                         \
    X(let_go, cuDevicePrimaryCtxRelease_v2, (cuda_ordinal))                                     \
    X(context_create, cuCtxCreate_v2, (cuda_context *, unsigned, cuda_ordinal))                 \
    X(context_destroy, cuCtxDestroy_v2, (cuda_context))                                         \
    X(set_context, cuCtxSetCurrent, (cuda_context))                                             \
    X(get_context, cuCtxGetCurrent, (cuda_context *))                                           \
    X(green_create, cuGreenCtxCreate, (cuda_green_context *, void *, cuda_ordinal, unsigned))   \
    X(green_destroy, cuGreenCtxDestroy, (cuda_green_context))                                   \
    X(green_stream, cuGreenCtxStreamCreate, (cuda_stream *, cuda_green_context, unsigned, int)) \
    X(green_context, cuCtxFromGreenCtx, (cuda_context *, cuda_green_context))                   \
    X(reset, cuDevicePrimaryCtxReset_v2, (cuda_ordinal))
#define USER_FUNCTIONS_HIP(X)                   \
    X(set_device, hipSetDevice, (cuda_ordinal)) \
    X(get_device, hipGetDevice, (cuda_ordinal *))

typedef struct user_api {
#define POINTER(name, cuda, hip, parameters) cuda_code(*name) parameters;
    USER_FUNCTIONS(POINTER)
#undef POINTER
#define POINTER(name, symbol, parameters) cuda_code(*name) parameters;
    USER_FUNCTIONS_CUDA(POINTER)
    USER_FUNCTIONS_HIP(POINTER)
#undef POINTER
} user_api;

extern user_api user;
extern bool is_hip;
extern kt_backend_id user_backend;
extern cuda_context user_context; /* CUDA's; current on the thread that opened the program */
extern cuda_stream streams[2];    /* that wait for nobody */

#define WORK_BYTES 64

/* "cuda" or "hip"; the library is that of KERNTIME_LIB_CUDA or KERNTIME_LIB_HIP, else one that the
 * loader finds. */
void user_load(const char *api);
void user_open(void);
void user_close(void);
/* Work of so many fillings, each of which takes copy_ns. */
void user_work(cuda_stream stream, int count);

/* The thread's context, the stream that is given first. */
kt_status user_import(cuda_stream stream, uint32_t spans_max, kt_timer_context **out);
kt_status user_add(kt_timer_context *timer_context, cuda_stream stream);

#endif
