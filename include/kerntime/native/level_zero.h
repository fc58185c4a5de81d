/* native/level_zero.h - timers in the program's own Level Zero command lists. Any Level Zero
 * header, or none, may stand beside it. */
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
 * Tells kerntime of a device, and of the context that the program has made for it. Both must live
 * until kt_native_close(). Its stamps are of two clocks (kt_native_get_clock()): 0 is "kernel",
 * that of events, 1 is "global", that of timers in lists. The two may differ in width, and no stamp
 * of one is set against one of the other. Pools of events, and host memory for stamps, are
 * kerntime's own, made in that context as they are needed and used again. kt_native_close()
 * destroys them: nothing that was stamped or got an event may run after it. Those whose command has
 * not been seen to end are left to the driver all the same, undestroyed, since it may still write
 * there: also of an event that was handed out and that no command has signalled.
 *
 * Where the driver splits kernels over the tiles of a device, an event's span lasts from the first
 * tile's start to the last one's end, if the driver has ZE_experimental_event_query_timestamps;
 * else it is what the driver makes of it, which may be one tile's time.
 *
 * A driver that tells its timer in whole ns only (Level Zero before 1.2) tells it up to 0.4 %
 * wrong: there the true length of a tick is measured to within 10 ppm, which takes 50 ms to a
 * second. Calls go to the loader that the system finds (KERNTIME_LIB_LEVEL_ZERO names another); the
 * program has called zeInit().
 *
 * KT_UNAVAILABLE: there is no loader, or no driver. KT_INVALID: a handle is missing.
 * KT_UNSUPPORTED: the device has no stamps, or tells its timer in whole ns and cannot be asked for
 * its clock, or not that well. KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST.
 */
KT_API kt_status kt_native_import_level_zero(const kt_level_zero_import *desc, kt_native **out);

/**
 * Tells of an immediate list, whose commands run as they are appended, synchronously or not:
 * kt_timer_start() and kt_timer_stop() take it, and append a stamp each, between barriers, since
 * commands of a list have no order. So a span lasts from the end of all that was appended before
 * its start to the end of all that was appended before its stop, and nothing behind it begins
 * earlier. These calls append in the calling thread, and to a list of Level Zero one thread appends
 * at a time: what the program does to keep to that has to hold for them, too. The list must live as
 * long as timers are started and stopped there; remove it before it is destroyed, since another may
 * get its address. KT_INVALID: a regular list, or one of another context or device, where the
 * loader can tell (API 1.9; before, such a list is taken, and its spans may never come, or be
 * wrong); KT_LIMIT: there are 64 already.
 */
KT_API kt_status kt_native_add_level_zero_list(kt_native *native,
                                               struct _ze_command_list_handle_t *immediate);

/**
 * Forgets the list. Nobody starts or stops there meanwhile. KT_INVALID: it was not added, or has
 * spans that are not taken in yet: stop them and call kt_native_wait().
 */
KT_API kt_status kt_native_remove_level_zero_list(kt_native *native,
                                                  struct _ze_command_list_handle_t *immediate);

/**
 * Hands out an event for the next command of the program, as what it signals when done, in a list
 * of any kind of the imported device (events are of one device, so not in lists of another, nor of
 * a tile that was not imported itself):
 *
 *     zeCommandListAppendLaunchKernel(list, kernel, &groups, kt_timer_event_level_zero(blur),
 *                                     0, NULL);
 *
 * That command's own time becomes a span of the timer. The event is of one command that runs once:
 * for one in a list that runs often there is kt_recording_event_level_zero(). And it is kerntime's
 * own, reset as its span is taken in and then handed out anew: do not reset or destroy it, let no
 * second command signal it, and let nothing wait for it, host or command, which might wait for
 * ever. Where something waits for the command, let a barrier behind it signal an event of yours: a
 * command has one event to signal, so that is also how one is timed that signals one of yours
 * already; or kt_timer_start() and kt_timer_stop() around it.
 *
 * An event that was used anew is found when it is signalled after its span was taken in and before
 * it is handed out again: it never is then, and the call that would have got it is refused, and
 * counted so. Not found is an event whose second command ends before its span is taken in (the span
 * is that command's), or after it was handed out anew (then that span is). One that no command
 * signals is held until the native is closed, and counts as lost.
 *
 * NULL, which signals nothing, where it is not timed: the timer is NULL, the registry is disabled,
 * or there is an error, of which kt_error_text() tells: as many spans are held as may be; an event
 * was used anew (both are counted as refused); the device's events have no stamps; the timer is not
 * of Level Zero, or its native was closed; no memory is left.
 */
KT_API struct _ze_event_handle_t *kt_timer_event_level_zero(kt_timer *timer);

/**
 * Begins a recording in a regular list that was just created or reset, when what was recorded
 * before has no run in flight: that is forgotten as by kt_recording_reset(). kt_recording_start()
 * and kt_recording_stop() append a stamp each, between barriers; before the first there is the
 * reset of an event, so each run stamps anew. All of these calls append in the calling thread, as
 * above. The list must not run any more once its recording was begun elsewhere or destroyed.
 * KT_INVALID: an immediate list, or one of another context or device, where the loader can tell
 * (API 1.9). KT_UNSUPPORTED: see kt_recording_create().
 */
KT_API kt_status kt_recording_begin_level_zero(kt_recording *recording,
                                               struct _ze_command_list_handle_t *list);

/**
 * In place of kt_recording_start(): hands out an event for the next command that is appended to the
 * list, whose own time becomes the span. kt_recording_stop(), anywhere after it, appends a barrier
 * that signals another event: then the host reads what this one holds. The list itself resets the
 * event, at the place of this call: commands between the two may wait for it, but do not signal it
 * with a second one, reset or destroy it. If no command signals it, the run of the span counts as
 * `zero`. NULL, of which kt_error_text() tells, where kt_recording_start() would fail, and where
 * the device's events have no stamps or an event was used anew. As there, stop it all the same, but
 * of a timer that was started already: that stop is of the span before. Each run of a span that has
 * no event counts as an error; nothing is counted as refused but what the native has no room for.
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
