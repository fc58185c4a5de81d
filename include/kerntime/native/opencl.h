/* native/opencl.h - timers in the program's own OpenCL queues. Any OpenCL header, or none, may
 * stand beside it. */
#ifndef KERNTIME_NATIVE_OPENCL_H
#define KERNTIME_NATIVE_OPENCL_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _cl_command_queue; /* what a cl_command_queue points to */
struct _cl_event;         /* what a cl_event points to */

/** What is imported. Zero everything but `size` and `queue` for the defaults. */
typedef struct kt_opencl_import {
    size_t size;                     /**< sizeof(kt_opencl_import) */
    struct _cl_command_queue *queue; /**< made with CL_QUEUE_PROFILING_ENABLE; retained */
    uint32_t spans_max;              /**< held at once, running or in flight; 0: KT_SPANS_DEFAULT */
} kt_opencl_import;

/**
 * Tells kerntime of a queue, and of its device and context. kt_timer_start() and kt_timer_stop()
 * enqueue a marker each: a span lasts from the end of all that was enqueued before its start to the
 * end of all that was before its stop, and the program flushes as ever. Importing puts two markers
 * into a queue of its own, 1 ms apart, to see that the driver's stamps move; it gives up on one
 * that has not ended after 1 s. Calls go to the OpenCL library that the system's loader finds
 * (KERNTIME_LIB_OPENCL names another). KT_UNAVAILABLE: there is none. KT_INVALID: no queue, or one
 * without profiling. KT_UNSUPPORTED: the driver's stamps are made up, or OpenCL is older than 1.2.
 * KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST.
 */
KT_API kt_status kt_native_import_opencl(const kt_opencl_import *desc, kt_native **out);

/** Tells of another queue of the same context and device. KT_INVALID: of another, or without
 * profiling; KT_LIMIT: there are 64. */
KT_API kt_status kt_native_add_opencl_queue(kt_native *native, struct _cl_command_queue *queue);

/**
 * A span of the timer is what the command of this event takes, from its start to its end: without
 * markers, so also for one command of many in an out-of-order queue. Retains the event, of a queue
 * with profiling. The timer need not be started, and may run meanwhile. KT_INVALID: a queue of
 * another context or device, or without profiling, or an event that no command made. KT_LIMIT,
 * KT_NO_MEMORY, KT_DRIVER_ERROR.
 */
KT_API kt_status kt_timer_add_opencl_event(kt_timer *timer, struct _cl_event *event);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_OPENCL_
#include <kerntime/compiled_out.h>
#endif

#endif
