/* native/level_zero.h - timers in the program's own Level Zero command lists. Any Level Zero header, or none, may stand beside it. */
#ifndef KERNTIME_NATIVE_LEVEL_ZERO_H
#define KERNTIME_NATIVE_LEVEL_ZERO_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What Level Zero's handles point to. */
struct _ze_context_handle_t;
struct _ze_device_handle_t;
struct _ze_command_list_handle_t;
struct _ze_event_handle_t;

/** What is imported. Zero everything for the defaults but `size` and the handles. */
typedef struct kt_level_zero_import {
    size_t size; /**< sizeof(kt_level_zero_import) */
    struct _ze_context_handle_t *context;
    struct _ze_device_handle_t *device;
    uint32_t spans_max; /**< held at once, recorded, running or in flight; 0: KT_SPANS_DEFAULT */
} kt_level_zero_import;

/**
 * Tells kerntime of a device, and of the context that the program has made for it. Its stamps are of two clocks: 0 is "kernel", that of
 * events, 1 is "global", that of timers in lists. KT_UNAVAILABLE: there is no loader, or no driver. KT_INVALID: a handle is
 * missing. KT_UNSUPPORTED: the device has no stamps. KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST.
 */
KT_API kt_status kt_native_import_level_zero(const kt_level_zero_import *desc, kt_native **out);

/**
 * Tells of an immediate list, whose commands run as they are appended: kt_timer_start() and kt_timer_stop() take it. KT_INVALID: a regular
 * list, or one of another context or device, where the driver can tell (API 1.9); KT_LIMIT: there are 64.
 */
KT_API kt_status kt_native_add_level_zero_list(kt_native *native,
                                               struct _ze_command_list_handle_t *immediate);

/**
 * Hands out an event for the next command of the program, as what it signals when done:
 *
 *     zeCommandListAppendLaunchKernel(list, kernel, &groups, kt_timer_event_level_zero(blur), 0, NULL);
 *
 * The kernel's own time becomes a span of the timer. The event is of one command that runs once, and kerntime's own: do not
 * reset, destroy or use it anew. NULL, which signals nothing, where it is not timed: the timer is NULL, the registry is
 * disabled, or there is an error, of which kt_error_text() tells: as many spans are held as may be, which is counted as refused; an
 * event was signalled again after its span was taken in; the timer is not of Level Zero, or its native was closed; no memory is left.
 */
KT_API struct _ze_event_handle_t *kt_timer_event_level_zero(kt_timer *timer);

/**
 * Begins a recording in a regular list that was just created or reset. What was recorded before is forgotten as by
 * kt_recording_reset(). kt_recording_start() and kt_recording_stop() append a stamp each. KT_INVALID: an immediate list, or one of another
 * context or device, where the driver can tell.
 */
KT_API kt_status kt_recording_begin_level_zero(kt_recording *recording,
                                               struct _ze_command_list_handle_t *list);

/**
 * In place of kt_recording_start(): hands out an event for the next command that is appended to the list, whose own time becomes the
 * span. kt_recording_stop() after it appends what reads the event's stamps. NULL as of kt_timer_event_level_zero(), and
 * where kt_recording_start() fails.
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
