/* native/hip.h - timers in the program's own HIP streams. Any HIP header, or none, may stand beside
 * it. */
#ifndef KERNTIME_NATIVE_HIP_H
#define KERNTIME_NATIVE_HIP_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ihipStream_t; /* what a hipStream_t points to */

/** What is imported. Zero everything but `size` for the defaults. */
typedef struct kt_hip_import {
    size_t size;                 /**< sizeof(kt_hip_import) */
    struct ihipStream_t *stream; /**< a first one; NULL: the default stream */
    uint32_t spans_max;          /**< held at once, running or in flight; 0: KT_SPANS_DEFAULT */
} kt_hip_import;

/**
 * Tells kerntime of a stream on the device that the calling thread has chosen (hipSetDevice()). All
 * else is as native/cuda.h tells of CUDA: two events of kerntime's own for a span; NULL for the
 * default stream, hipStreamPerThread for that of a thread; no stream that is being captured; two
 * events in a stream of its own to see that times are times. Threads may have any device chosen,
 * and keep it. Calls go to the runtime that the program has loaded, if that was under one of the
 * usual names (libamdhip64.so, .so.5, .so.6, .so.7), else to the first that the system's loader
 * finds. KERNTIME_LIB_HIP names another one.
 *
 * KT_UNAVAILABLE: there is no runtime, or no device. KT_INVALID: there is no such stream, or it is
 * of another device, which HIP tells from 5.6 on. KT_UNSUPPORTED: its times are made up.
 * KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST.
 */
KT_API kt_status kt_native_import_hip(const kt_hip_import *desc, kt_native **out);

/** Tells of another stream of the same device; NULL: the default stream. KT_INVALID: there is none,
 * or it is of another; KT_LIMIT: there are 64. */
KT_API kt_status kt_native_add_hip_stream(kt_native *native, struct ihipStream_t *stream);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_HIP_
#include <kerntime/compiled_out.h>
#endif

#endif
