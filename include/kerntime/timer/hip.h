/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers in the program's own HIP streams.
 *
 * Any HIP header, or none, may be included beside it.
 */
#ifndef KERNTIME_TIMER_CONTEXT_HIP_H
#define KERNTIME_TIMER_CONTEXT_HIP_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ihipStream_t; /* target of a hipStream_t */

/** What to import. Zero everything but `size` for the defaults. */
typedef struct kt_hip_import {
    size_t size;                 /**< sizeof(kt_hip_import) */
    struct ihipStream_t *stream; /**< first stream; NULL: the default stream */
    uint32_t spans_max; /**< spans pending at once, running or in flight; 0: KT_SPANS_DEFAULT */
} kt_hip_import;

/**
 * Imports a stream on the device that the calling thread has chosen (hipSetDevice()).
 *
 * - Spans, events and captured streams are as of CUDA (timer/cuda.h).
 * - NULL is the default stream, hipStreamPerThread that of a thread.
 * - The import records two events in a stream of its own to check that the driver's times are real.
 * - Threads may have any device chosen, and keep it.
 * - Calls go to the runtime that the program has loaded under one of the usual names
 *   (libamdhip64.so, .so.5, .so.6, .so.7), else to the first that the system's loader finds.
 *   KERNTIME_LIB_HIP names another one.
 *
 * @param desc what to import; NULL: the defaults
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: no runtime, or no device
 * - KT_INVALID: no such stream, or it is of another device, which HIP detects from 5.6 on
 * - KT_UNSUPPORTED: the driver's times are untrusted
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: the device stopped working
 */
KT_API kt_status kt_timer_context_import_hip(const kt_hip_import *desc, kt_timer_context **out);

/**
 * Imports another stream of the same device.
 *
 * @param context the timer context
 * @param stream the stream; NULL: the default stream
 * @return KT_OK, also if it was imported before, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: no such stream, it is of another device, or the timer context is of another API
 * - KT_LIMIT: 64 streams were imported
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: the device stopped working
 */
KT_API kt_status kt_timer_context_add_hip_stream(kt_timer_context *context,
                                                 struct ihipStream_t *stream);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_HIP_
#include <kerntime/compiled_out.h>
#endif

#endif
