/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers in the program's own CUDA streams, of the driver API or beside the runtime API.
 *
 * Any CUDA header, or none, may be included beside it.
 */
#ifndef KERNTIME_TIMER_CONTEXT_CUDA_H
#define KERNTIME_TIMER_CONTEXT_CUDA_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct CUctx_st;    /* target of a CUcontext */
struct CUstream_st; /* target of a CUstream or a cudaStream_t */

/** What to import. Zero everything but `size` for the defaults. */
typedef struct kt_cuda_import {
    size_t size; /**< sizeof(kt_cuda_import) */
    /** Context. NULL: the current one of the calling thread; after any call of the runtime API that
     * works on a device, it is that of the device chosen there. */
    struct CUctx_st *context;
    struct CUstream_st *stream; /**< first stream; NULL: the default stream */
    uint32_t spans_max; /**< spans pending at once, running or in flight; 0: KT_SPANS_DEFAULT */
} kt_cuda_import;

/**
 * Imports a context and a stream of it.
 *
 * Spans:
 *
 * - kt_timer_start() and kt_timer_stop() record one event each. A span lasts from the end of all
 *   work put into the stream before its start to the end of all work put there before its stop.
 * - The events are kerntime's own, made as needed and used again.
 * - Calls may be made with any context current, or none, and keep it current.
 *
 * Streams:
 *
 * - NULL and CU_STREAM_LEGACY are two names of the default stream that the whole context shares.
 *   Start and stop by the same name.
 * - The default stream of a thread is CU_STREAM_PER_THREAD (cudaStreamPerThread), also in programs
 *   compiled to have it for NULL. The thread that starts a timer there stops it.
 * - A stream that is being captured into a graph is refused with KT_UNSUPPORTED, and the capture
 *   stays valid. If kt_timer_stop() refuses it, the span counts as discarded.
 * - A stream must live as long as timers are started and stopped there.
 *
 * Import:
 *
 * - It records two events in a stream of its own, 1 ms apart, to check that the driver's times are
 *   real. It gives up if one has not finished after 1 s.
 * - Calls go to the driver library that the system's loader finds; KERNTIME_LIB_CUDA names another
 *   one.
 * - The context must live until kt_timer_context_close().
 *
 * @param desc what to import; NULL: the defaults
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: no driver, or no device
 * - KT_INVALID: no context, or the stream is of another context
 * - KT_UNSUPPORTED: the driver's times are untrusted
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: only a new process can use the device
 */
KT_API kt_status kt_timer_context_import_cuda(const kt_cuda_import *desc, kt_timer_context **out);

/**
 * Imports another stream of the same context.
 *
 * @param timer_context the timer context
 * @param stream the stream; NULL: the default stream
 * @return KT_OK, also if it was imported before, or
 * - KT_UNAVAILABLE: `timer_context` is NULL
 * - KT_INVALID: the stream is of another context, or the timer context of another API
 * - KT_LIMIT: 64 streams were imported
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: only a new process can use the device
 */
KT_API kt_status kt_timer_context_add_cuda_stream(kt_timer_context *timer_context,
                                                  struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_CUDA_
#include <kerntime/compiled_out.h>
#endif

#endif
