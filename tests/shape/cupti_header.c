/* SPDX-License-Identifier: MIT */
/*
 * Our own declarations of CUPTI (bench/hw/cupti_types.h) beside those of <cupti.h>: what is read of
 * a kernel's record lies there in each of its versions, and each function has these parameters.
 * Compiling is the test. With -DWRONG one member is looked for elsewhere, which has to be seen.
 */
#include <cupti.h>

#if CUPTI_API_VERSION < 19
#error "this cupti.h is older than that of CUDA 12, and lacks the newer records of kernels"
#endif

#include "../../bench/hw/cupti_types.h"
#include "../../tracers/cuda/cupti.h"

#include <stddef.h>

#ifdef WRONG
#define START end
#else
#define START start
#endif

#define IS_AT(version, ours, theirs)                                                             \
    _Static_assert(                                                                              \
        offsetof(cupti_kernel, ours) == offsetof(CUpti_ActivityKernel##version, theirs) &&       \
            sizeof((cupti_kernel){0}.ours) == sizeof((CUpti_ActivityKernel##version){0}.theirs), \
        "CUpti_ActivityKernel" #version "." #theirs);
#define IS_RECORD(version)                     \
    IS_AT(version, kind, kind)                 \
    IS_AT(version, start_ns, START)            \
    IS_AT(version, end_ns, end)                \
    IS_AT(version, completed_ns, completed)    \
    IS_AT(version, correlation, correlationId) \
    IS_AT(version, name, name)

IS_RECORD(3)
IS_RECORD(4)
IS_RECORD(5)
IS_RECORD(6)
IS_RECORD(7)
IS_RECORD(8)
IS_RECORD(9)
#if CUPTI_API_VERSION >= 130000
IS_RECORD(10)
#endif

_Static_assert(offsetof(CUpti_Activity, kind) == 0 &&
                   sizeof((cupti_record){0}.kind) == sizeof((CUpti_Activity){0}.kind),
               "CUpti_Activity");
_Static_assert(CUPTI_CONCURRENT_KERNEL == (int)CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "a kind");
_Static_assert(CUPTI_FLUSH_FORCED == (int)CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, "a flag");
_Static_assert(CUPTI_SUCCESS == 0, "success");

#define IS_FUNCTION(name, type) _Static_assert(_Generic(&name, type : 1, default : 0), #name);
IS_FUNCTION(cuptiGetVersion, CUptiResult(CUPTIAPI *)(uint32_t *))
IS_FUNCTION(cuptiActivityRegisterCallbacks,
            CUptiResult(CUPTIAPI *)(CUpti_BuffersCallbackRequestFunc,
                                    CUpti_BuffersCallbackCompleteFunc))
IS_FUNCTION(cuptiActivityEnable, CUptiResult(CUPTIAPI *)(CUpti_ActivityKind))
IS_FUNCTION(cuptiActivityDisable, CUptiResult(CUPTIAPI *)(CUpti_ActivityKind))
IS_FUNCTION(cuptiActivityFlushAll, CUptiResult(CUPTIAPI *)(uint32_t))
IS_FUNCTION(cuptiActivityGetNextRecord,
            CUptiResult(CUPTIAPI *)(uint8_t *, size_t, CUpti_Activity **))
_Static_assert(_Generic((CUpti_BuffersCallbackRequestFunc)0,
                        void (*)(uint8_t **, size_t *, size_t *) : 1, default : 0),
               "asking for a buffer");
_Static_assert(_Generic((CUpti_BuffersCallbackCompleteFunc)0,
                        void (*)(CUcontext, uint32_t, uint8_t *, size_t, size_t) : 1, default : 0),
               "a complete buffer");

/* ---- the tracer's own (tracers/cuda/cupti.h) ---- */

#define LIES(ours, member, theirs_type, theirs)                                     \
    _Static_assert(offsetof(ours, member) == offsetof(theirs_type, theirs) &&       \
                       sizeof((ours){0}.member) == sizeof((theirs_type){0}.theirs), \
                   #theirs_type "." #theirs);
#define BEGINS(ours, member, theirs_type, theirs) \
    _Static_assert(offsetof(ours, member) == offsetof(theirs_type, theirs), #theirs);

#define IS_TRACED_KERNEL(version)                                                  \
    LIES(cupti_kernel_activity, kind, CUpti_ActivityKernel##version, kind)         \
    LIES(cupti_kernel_activity, start_ns, CUpti_ActivityKernel##version, START)    \
    LIES(cupti_kernel_activity, end_ns, CUpti_ActivityKernel##version, end)        \
    LIES(cupti_kernel_activity, device, CUpti_ActivityKernel##version, deviceId)   \
    LIES(cupti_kernel_activity, context, CUpti_ActivityKernel##version, contextId) \
    LIES(cupti_kernel_activity, stream, CUpti_ActivityKernel##version, streamId)   \
    BEGINS(cupti_kernel_activity, grid, CUpti_ActivityKernel##version, gridX)      \
    BEGINS(cupti_kernel_activity, grid[2], CUpti_ActivityKernel##version, gridZ)   \
    BEGINS(cupti_kernel_activity, block, CUpti_ActivityKernel##version, blockX)    \
    BEGINS(cupti_kernel_activity, block[2], CUpti_ActivityKernel##version, blockZ) \
    LIES(cupti_kernel_activity, name, CUpti_ActivityKernel##version, name)
IS_TRACED_KERNEL(4)
IS_TRACED_KERNEL(5)
IS_TRACED_KERNEL(6)
IS_TRACED_KERNEL(7)
IS_TRACED_KERNEL(8)
IS_TRACED_KERNEL(9)
#if CUPTI_API_VERSION >= 130000
IS_TRACED_KERNEL(10)
#endif

#define IS_TRACED_COPY(type)                             \
    LIES(cupti_copy_activity, kind, type, kind)          \
    LIES(cupti_copy_activity, direction, type, copyKind) \
    LIES(cupti_copy_activity, from, type, srcKind)       \
    LIES(cupti_copy_activity, to, type, dstKind)         \
    LIES(cupti_copy_activity, bytes, type, bytes)        \
    LIES(cupti_copy_activity, start_ns, type, START)     \
    LIES(cupti_copy_activity, end_ns, type, end)         \
    LIES(cupti_copy_activity, device, type, deviceId)    \
    LIES(cupti_copy_activity, context, type, contextId)  \
    LIES(cupti_copy_activity, stream, type, streamId)
IS_TRACED_COPY(CUpti_ActivityMemcpy)
IS_TRACED_COPY(CUpti_ActivityMemcpy3)
IS_TRACED_COPY(CUpti_ActivityMemcpy4)
IS_TRACED_COPY(CUpti_ActivityMemcpy5)
IS_TRACED_COPY(CUpti_ActivityMemcpyPtoP)
IS_TRACED_COPY(CUpti_ActivityMemcpyPtoP2)
IS_TRACED_COPY(CUpti_ActivityMemcpyPtoP3)
IS_TRACED_COPY(CUpti_ActivityMemcpyPtoP4)

#define IS_TRACED_FILL(type)                            \
    LIES(cupti_fill_activity, kind, type, kind)         \
    LIES(cupti_fill_activity, bytes, type, bytes)       \
    LIES(cupti_fill_activity, start_ns, type, START)    \
    LIES(cupti_fill_activity, end_ns, type, end)        \
    LIES(cupti_fill_activity, device, type, deviceId)   \
    LIES(cupti_fill_activity, context, type, contextId) \
    LIES(cupti_fill_activity, stream, type, streamId)
IS_TRACED_FILL(CUpti_ActivityMemset)
IS_TRACED_FILL(CUpti_ActivityMemset2)
IS_TRACED_FILL(CUpti_ActivityMemset3)
IS_TRACED_FILL(CUpti_ActivityMemset4)
#if CUPTI_API_VERSION >= 130000
IS_TRACED_COPY(CUpti_ActivityMemcpy6)
_Static_assert(CUPTI_CONFIDENTIAL == (int)CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED,
               "a result");
#endif

_Static_assert(CUPTI_COPY == (int)CUPTI_ACTIVITY_KIND_MEMCPY &&
                   CUPTI_FILL == (int)CUPTI_ACTIVITY_KIND_MEMSET &&
                   CUPTI_KERNEL == (int)CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
                   CUPTI_PEER_COPY == (int)CUPTI_ACTIVITY_KIND_MEMCPY2,
               "kinds");
_Static_assert(CUPTI_FLUSH_ALL == (int)CUPTI_ACTIVITY_FLAG_FLUSH_FORCED, "a flag");
_Static_assert(CUPTI_RESOURCES == (int)CUPTI_CB_DOMAIN_RESOURCE &&
                   CUPTI_CONTEXT_CREATED == (int)CUPTI_CBID_RESOURCE_CONTEXT_CREATED &&
                   CUPTI_CONTEXT_ENDS == (int)CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING,
               "callbacks");
_Static_assert(CUPTI_HARDWARE_BUSY == (int)CUPTI_ERROR_HARDWARE_BUSY &&
                   CUPTI_VIRTUAL_DEVICE == (int)CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED &&
                   CUPTI_NO_PRIVILEGE == (int)CUPTI_ERROR_INSUFFICIENT_PRIVILEGES &&
                   CUPTI_OTHER_SUBSCRIBER == (int)CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED &&
                   CUPTI_VIRTUAL_DEVICE_NO_PRIVILEGE ==
                       (int)CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
               "results");
/* Directions of copies, as tracers/cuda/cuda.c numbers them. */
_Static_assert(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD == 1 && CUPTI_ACTIVITY_MEMCPY_KIND_DTOH == 2 &&
                   CUPTI_ACTIVITY_MEMCPY_KIND_HTOA == 3 && CUPTI_ACTIVITY_MEMCPY_KIND_ATOH == 4 &&
                   CUPTI_ACTIVITY_MEMCPY_KIND_ATOA == 5 && CUPTI_ACTIVITY_MEMCPY_KIND_ATOD == 6 &&
                   CUPTI_ACTIVITY_MEMCPY_KIND_DTOA == 7 && CUPTI_ACTIVITY_MEMCPY_KIND_DTOD == 8 &&
                   CUPTI_ACTIVITY_MEMCPY_KIND_HTOH == 9 && CUPTI_ACTIVITY_MEMCPY_KIND_PTOP == 10,
               "directions");

IS_FUNCTION(cuptiGetResultString, CUptiResult(CUPTIAPI *)(CUptiResult, const char **))
IS_FUNCTION(cuptiSubscribe,
            CUptiResult(CUPTIAPI *)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *))
IS_FUNCTION(cuptiUnsubscribe, CUptiResult(CUPTIAPI *)(CUpti_SubscriberHandle))
IS_FUNCTION(cuptiEnableCallback, CUptiResult(CUPTIAPI *)(uint32_t, CUpti_SubscriberHandle,
                                                         CUpti_CallbackDomain, CUpti_CallbackId))
IS_FUNCTION(cuptiActivityGetNumDroppedRecords,
            CUptiResult(CUPTIAPI *)(CUcontext, uint32_t, size_t *))
IS_FUNCTION(cuptiActivityRegisterTimestampCallback,
            CUptiResult(CUPTIAPI *)(CUpti_TimestampCallbackFunc))
_Static_assert(_Generic((CUpti_TimestampCallbackFunc)0, uint64_t (*)(void) : 1, default : 0),
               "a clock");
_Static_assert(_Generic((CUpti_CallbackFunc)0,
                        void (*)(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *) : 1,
                        default : 0),
               "a callback");
