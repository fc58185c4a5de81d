/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers in the program's own OpenCL queues.
 *
 * Any OpenCL header, or none, may be included beside it.
 */
#ifndef KERNTIME_TIMER_CONTEXT_OPENCL_H
#define KERNTIME_TIMER_CONTEXT_OPENCL_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _cl_command_queue; /* target of a cl_command_queue */
struct _cl_event;         /* target of a cl_event */

/** What to import. Zero everything but `size` and `queue` for the defaults. */
typedef struct kt_opencl_import {
    size_t size;                     /**< sizeof(kt_opencl_import) */
    struct _cl_command_queue *queue; /**< made with CL_QUEUE_PROFILING_ENABLE; retained */
    uint32_t spans_max; /**< spans pending at once, running or in flight; 0: KT_SPANS_DEFAULT */
} kt_opencl_import;

/**
 * Imports a queue, with its device and context.
 *
 * - kt_timer_start() and kt_timer_stop() enqueue one marker each. A span lasts from the end of all
 *   work enqueued before its start to the end of all work enqueued before its stop.
 * - The program flushes the queue as usual.
 * - A stop after a blocking call comes late: the span contains the time that the host takes to wake
 *   up. kt_row.stop_late counts such spans where it can. Use kt_timer_event_opencl() there.
 * - The import puts two markers and a fill of 16 MiB into a queue of its own, 1 ms apart, to check
 *   that the driver's timestamps advance and that markers wait for the work before them. It gives
 *   up if one has not finished after 1 s.
 * - Where markers do not wait, kt_timer_start() and kt_timer_stop() enqueue a fill of 4 bytes each
 *   instead, whose time is in the span, and the clock's name is "fill" instead of "kernel".
 * - Calls go to the OpenCL library that the system's loader finds; KERNTIME_LIB_OPENCL names
 *   another one.
 *
 * @param desc what to import
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: no OpenCL library
 * - KT_INVALID: no queue, or one without profiling
 * - KT_UNSUPPORTED: the driver's timestamps are untrusted, or OpenCL is older than 1.2
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: the device stopped working
 */
KT_API kt_status kt_timer_context_import_opencl(const kt_opencl_import *desc,
                                                kt_timer_context **out);

/**
 * Imports another queue of the same context and device.
 *
 * @param context the timer context
 * @param queue the queue, made with CL_QUEUE_PROFILING_ENABLE; retained
 * @return KT_OK, also if it was imported before, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: no queue, one of another context or device, one without profiling, or the timer
 *   context is of another API
 * - KT_LIMIT: 64 queues were imported
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_timer_context_add_opencl_queue(kt_timer_context *context,
                                                   struct _cl_command_queue *queue);

/**
 * Hands out the place for a command's event, and makes that command a span, from its start to its
 * end.
 *
 * @code{.c}
 * clEnqueueReadBuffer(queue, image, CL_TRUE, 0, bytes, out, 0, NULL, kt_timer_event_opencl(fetch));
 * @endcode
 *
 * - For any command of a queue with profiling, and for blocking calls above all: kt_timer_start()
 *   and kt_timer_stop() around one also time how long the host takes to wake up.
 * - Lifetime: for one command, until the timer's next kt_timer_event_opencl(), its destruction, or
 *   kt_timer_context_close(), after which kerntime releases the event. To wait for the event use it
 *   before that, or retain it. Do not release it.
 * - When it is a span: at the next kt_timer_event_opencl() of the timer, and at kt_collect() of the
 *   same thread, kt_timer_wait() for the timer, kt_timer_context_wait() and
 *   kt_timer_context_close(). Until then it counts as pending, not as in flight.
 * - If the call fails and so writes no event, there is no span, and nothing is counted.
 * - An event of a queue of another context or device, or without profiling, counts as error, and
 *   kt_collect() or the wait returns KT_INVALID.
 * - Threads: one per timer. On other threads call kt_timer_wait() and kt_timer_context_wait() after
 *   the command's call has returned.
 * - The timer need not be started, and may run meanwhile.
 *
 * @param timer the timer
 * @return where the call writes the event, owned by kerntime, or NULL, which asks for none, if the
 * command is not timed:
 * - `timer` is NULL
 * - the registry is disabled
 * - as many spans are pending as may be; counted as refused; kt_error_text() has the reason
 * - the timer is not of OpenCL, or its timer context was closed; kt_error_text() has the reason
 * - no memory is left; kt_error_text() has the reason
 */
KT_API struct _cl_event **kt_timer_event_opencl(kt_timer *timer);

/**
 * Makes the command of an event a span of the timer, from its start to its end.
 *
 * - It needs no markers, so it also times one command of many in an out-of-order queue.
 * - The timer need not be started, and may run meanwhile.
 *
 * @param timer the timer
 * @param event event of the command, from a queue with profiling; retained
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_INVALID: no event, one of a queue of another context or device or without profiling, one
 *   that no command made, a timer of another API, or the timer context was closed
 * - KT_LIMIT: as many spans are pending as may be; collect more often
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
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
