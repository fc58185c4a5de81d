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
