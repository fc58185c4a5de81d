/* native/cuda.h - timers in the program's own CUDA streams, of the driver API or beside the runtime
 * API. Any CUDA header, or none, may stand beside it. */
#ifndef KERNTIME_NATIVE_CUDA_H
#define KERNTIME_NATIVE_CUDA_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct CUctx_st;    /* what a CUcontext points to */
struct CUstream_st; /* what a CUstream, or a cudaStream_t, points to */

/** What is imported. Zero everything but `size` for the defaults. */
typedef struct kt_cuda_import {
    size_t size; /**< sizeof(kt_cuda_import) */
    /** NULL: the calling thread's current one, which after any call of the runtime API that works
     * on a device is that of the device chosen there. */
    struct CUctx_st *context;
    struct CUstream_st *stream; /**< a first one; NULL: the default stream */
    uint32_t spans_max;         /**< held at once, running or in flight; 0: KT_SPANS_DEFAULT */
} kt_cuda_import;

/**
 * Tells kerntime of a context and a stream of it. kt_timer_start() and kt_timer_stop() record an
 * event each: a span lasts from the end of all that was put into the stream before its start to the
 * end of all that was before its stop. All calls may be made with any context current, or none, and
 * leave it so. The events are kerntime's own, made as they are needed and used again.
 *
 * NULL and CU_STREAM_LEGACY are two names of the default stream that the whole context shares;
 * start and stop by the same one. The default stream of a thread has the name CU_STREAM_PER_THREAD
 * (cudaStreamPerThread), also in programs that are compiled to have it for NULL; the thread that
 * starts a timer there stops it. A stream that is being captured into a graph is refused with
 * KT_UNSUPPORTED by kt_timer_start(), and by kt_timer_stop(), whose span then counts as discarded;
 * the capture stays good.
 *
 * Importing records two events in a stream of its own, 1 ms apart, to see that the driver's times
 * are times; it gives up on one that has not ended after 1 s. Calls go to the driver's library that
 * the system's loader finds (KERNTIME_LIB_CUDA names another). The context must live until
 * kt_native_close(), a stream as long as timers are started and stopped there.
 *
 * KT_UNAVAILABLE: there is no driver, or no device. KT_INVALID: no context, or a stream of another
 * one. KT_UNSUPPORTED: the driver's times are made up. KT_NO_MEMORY, KT_DRIVER_ERROR;
 * KT_DEVICE_LOST: nothing but a new process can use it.
 */
KT_API kt_status kt_native_import_cuda(const kt_cuda_import *desc, kt_native **out);

/** Tells of another stream of the same context; NULL: the default stream. KT_INVALID: of another;
 * KT_LIMIT: there are 64. */
KT_API kt_status kt_native_add_cuda_stream(kt_native *native, struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_CUDA_
#include <kerntime/compiled_out.h>
#endif

#endif
