/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers in the program's own Level Zero command lists.
 *
 * Any Level Zero header, or none, may be included beside it.
 */
#ifndef KERNTIME_TIMER_CONTEXT_LEVEL_ZERO_H
#define KERNTIME_TIMER_CONTEXT_LEVEL_ZERO_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Targets of Level Zero's handles. */
struct _ze_context_handle_t;
struct _ze_device_handle_t;
struct _ze_command_list_handle_t;
struct _ze_event_handle_t;

/** What to import. Zero everything for the defaults but `size` and the handles. */
typedef struct kt_level_zero_import {
    size_t size;                          /**< sizeof(kt_level_zero_import) */
    struct _ze_context_handle_t *context; /**< context that the program has made for the device */
    struct _ze_device_handle_t *device;   /**< device */
    /** Spans pending at once, recorded, running or in flight; 0: KT_SPANS_DEFAULT. */
    uint32_t spans_max;
} kt_level_zero_import;

/**
 * Imports a device and a context.
 *
 * Clocks and period:
 *
 * - Timestamps are of two clocks (kt_timer_context_get_clock()): 0 is "kernel", that of events; 1
 *   is "global", that of timers in lists. They may differ in width, and no timestamp of one is
 *   compared with one of the other.
 * - A driver that reports its timer in whole ns only (Level Zero before 1.2) is up to 0.4 % off.
 *   kerntime then measures the length of a tick to within 10 ppm, which takes 50 ms to a second.
 * - If the driver splits kernels over the tiles of a device, an event's span lasts from the first
 *   tile's start to the last one's end, if the driver has ZE_experimental_event_query_timestamps.
 *   Else it is what the driver returns, which may be one tile's time.
 *
 * Resources:
 *
 * - Event pools, and host memory for timestamps, are kerntime's own. They are made in the context
 *   as needed, used again, and destroyed by kt_timer_context_close().
 * - After kt_timer_context_close() nothing with a timestamp or an event of kerntime's may run.
 * - Events and memory whose command was not seen to end are not freed, since the driver may still
 *   write there. That includes an event that was handed out and that no command has signalled.
 * - Context and device must live until kt_timer_context_close().
 *
 * Loader: calls go to the one that the system finds; KERNTIME_LIB_LEVEL_ZERO names another one. The
 * program has called zeInit().
 *
 * @param desc what to import
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: no loader, or no driver
 * - KT_INVALID: a handle is missing
 * - KT_UNSUPPORTED: the device has no timestamps
 * - KT_UNSUPPORTED: the driver reports its timer in whole ns, and its clock cannot be read, or not
 *   well enough for 10 ppm
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: the device stopped working
 */
KT_API kt_status kt_timer_context_import_level_zero(const kt_level_zero_import *desc,
                                                    kt_timer_context **out);

/**
 * Imports an immediate list, whose commands run as they are appended, synchronously or not.
 *
 * - kt_timer_start() and kt_timer_stop() take the list and append one timestamp each, between
 *   barriers, since commands of a list have no order.
 * - So a span lasts from the end of all work appended before its start to the end of all work
 *   appended before its stop, and nothing after it begins earlier.
 * - Threads: these calls append in the calling thread, and only one thread at a time may append to
 *   a list. The program's locking has to cover these calls, too.
 * - Lifetime: as long as timers are started and stopped there. Remove it before it is destroyed,
 *   since another list may get its address.
 *
 * @param timer_context the timer context
 * @param immediate the list
 * @return KT_OK, also if it was imported before, or
 * - KT_UNAVAILABLE: `timer_context` is NULL
 * - KT_INVALID: no list, or the timer context is of another API
 * - KT_INVALID: a regular list, or one of another context or device, if the loader can tell (API
 *   1.9). Before 1.9 such a list is accepted, and its spans may never finish, or be wrong
 * - KT_LIMIT: 64 lists were imported
 */
KT_API kt_status kt_timer_context_add_level_zero_list(kt_timer_context *timer_context,
                                                      struct _ze_command_list_handle_t *immediate);

/**
 * Forgets an immediate list.
 *
 * Threads: no other thread may start or stop a timer there meanwhile.
 *
 * @param timer_context the timer context
 * @param immediate the list
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer_context` is NULL
 * - KT_INVALID: the list was not imported, the timer context is of another API, or it was closed
 * - KT_INVALID: spans of it are not collected; stop them and call kt_timer_context_wait()
 */
KT_API kt_status kt_timer_context_remove_level_zero_list(
    kt_timer_context *timer_context, struct _ze_command_list_handle_t *immediate);

/**
 * Hands out an event for the program's next command to signal, and makes that command a span.
 *
 * @code{.c}
 * zeCommandListAppendLaunchKernel(list, kernel, &groups, kt_timer_event_level_zero(blur), 0, NULL);
 * @endcode
 *
 * Use of the event:
 *
 * - The list may be of any kind, of the imported device. Events are of one device, so not of
 *   another device nor of a tile that was not imported itself.
 * - The event is for one command that runs once. For a list that runs often use
 *   kt_recording_event_level_zero().
 * - It is kerntime's own, reset when its span is collected, and then handed out again. Do not reset
 *   or destroy it, and let no second command signal it.
 * - Let nothing wait for it, neither host nor command, since that might wait for ever. If something
 *   waits for the command, let a barrier after it signal an event of yours.
 * - A command has one event to signal. To time one that signals an event of yours already, use such
 *   a barrier, or kt_timer_start() and kt_timer_stop() around it.
 *
 * Misuse:
 *
 * - Detected: an event that is signalled after its span was collected and before it is handed out
 *   again. It is never handed out again. The call that would have got it is refused, and counted as
 *   refused.
 * - Not detected: a second command that ends before the span is collected (the span is that
 *   command's), or after the event was handed out again (then that span is).
 * - An event that no command signals stays pending until the timer context is closed, and counts as
 *   lost.
 *
 * @param timer the timer
 * @return the event, owned by kerntime, or NULL, which signals nothing, if the command is not
 * timed:
 * - `timer` is NULL
 * - the registry is disabled
 * - as many spans are pending as may be; counted as refused; kt_error_text() has the reason
 * - an event was used again; counted as refused; kt_error_text() has the reason
 * - the device's events have no timestamps; kt_error_text() has the reason
 * - the timer is not of Level Zero, or its timer context was closed; kt_error_text() has the reason
 * - no memory is left; kt_error_text() has the reason
 */
KT_API struct _ze_event_handle_t *kt_timer_event_level_zero(kt_timer *timer);

/**
 * Begins a recording in a regular list that was just created or reset.
 *
 * - When: no run of what was recorded before is in flight. That is forgotten, as by
 *   kt_recording_reset().
 * - kt_recording_start() and kt_recording_stop() append one timestamp each, between barriers.
 *   Before the first one stands the reset of an event, so each run writes new timestamps.
 * - Threads: all of these calls append in the calling thread, and only one thread at a time may
 *   append to a list.
 * - The list must not run any more once its recording is begun elsewhere or destroyed.
 *
 * @param recording the recording
 * @param list the list
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `recording` is NULL
 * - KT_INVALID: no list, a recording of another API, or the timer context was closed
 * - KT_INVALID: an immediate list, or one of another context or device, if the loader can tell (API
 *   1.9)
 * - KT_UNSUPPORTED: as of kt_recording_create()
 * - another status of kt_recording_reset()
 */
KT_API kt_status kt_recording_begin_level_zero(kt_recording *recording,
                                               struct _ze_command_list_handle_t *list);

/**
 * Hands out an event for the next command appended to a recording's list, instead of
 * kt_recording_start().
 *
 * - The command's own time becomes the span.
 * - kt_recording_stop(), anywhere after it, appends a barrier that signals another event. Then the
 *   host reads the event handed out.
 * - The list itself resets the event, at the place of this call. Commands between the two may wait
 *   for it. Do not signal it with a second command, reset it or destroy it.
 * - If no command signals it, the run of the span counts as `zero`.
 * - After NULL stop the span all the same, unless the timer was started already: that stop is of
 *   the span before.
 * - Each run of a span without an event counts as an error. Counted as refused is only a span
 *   beyond spans_max of the timer context.
 *
 * @param recording the recording
 * @param timer the timer
 * @return the event, owned by kerntime, or NULL; kt_error_text() has the reason:
 * - kt_recording_start() would fail
 * - the device's events have no timestamps
 * - an event was used again
 */
KT_API struct _ze_event_handle_t *kt_recording_event_level_zero(kt_recording *recording,
                                                                kt_timer *timer);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_LEVEL_ZERO_
#include <kerntime/compiled_out.h>
#endif

#endif
