/* SPDX-License-Identifier: MIT */
/* level_zero.c - entry points of Level Zero: timers in lists of the program, by recordings or
 * events. */
#include "support/options.h"
#include "timer/events.h"
#include "timer/recording.h"

#include <kerntime/timer/level_zero.h>

kt_status kt_timer_context_import_level_zero(const kt_level_zero_import *desc,
                                             kt_timer_context **out)
{
    kt_level_zero_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_level_zero_import");
    if (status != KT_OK)
        return status;
    if (!given.context || !given.device)
        return kt_fail(KT_INVALID, "no %s to import", given.context ? "device" : "context");
    return kt_timer_context_import(&kt_backend_level_zero, KT_BACKEND_LEVEL_ZERO, &given,
                                   given.spans_max, out);
}

kt_status kt_timer_context_add_level_zero_list(kt_timer_context *timer_context,
                                               struct _ze_command_list_handle_t *immediate)
{
    if (timer_context && !immediate)
        return kt_fail(KT_INVALID, "no list to import");
    return kt_timer_context_add_stream(&kt_backend_level_zero, timer_context, immediate);
}

kt_status kt_timer_context_remove_level_zero_list(kt_timer_context *timer_context,
                                                  struct _ze_command_list_handle_t *immediate)
{
    return kt_timer_context_remove_stream(&kt_backend_level_zero, timer_context, immediate);
}

struct _ze_event_handle_t *kt_timer_event_level_zero(kt_timer *timer)
{
    if (!timer || kt_timer_check_api(timer, &kt_backend_level_zero) != KT_OK || !kt_is_enabled())
        return NULL;
    return kt_timer_hand_out(timer);
}

kt_status kt_recording_begin_level_zero(kt_recording *recording,
                                        struct _ze_command_list_handle_t *list)
{
    return kt_recording_begin(recording, &kt_backend_level_zero, list, 0);
}

struct _ze_event_handle_t *kt_recording_event_level_zero(kt_recording *recording, kt_timer *timer)
{
    return kt_recording_hand_out(recording, &kt_backend_level_zero, timer);
}
