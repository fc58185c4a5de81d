/* SPDX-License-Identifier: MIT */
/* opencl.c - entry points of OpenCL: timers in queues of the program, or by its events. */
#include "support/options.h"
#include "timer/events.h"

#include <kerntime/timer/opencl.h>

kt_status kt_timer_context_import_opencl(const kt_opencl_import *desc, kt_timer_context **out)
{
    kt_opencl_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_opencl_import");
    if (status != KT_OK)
        return status;
    if (!given.queue)
        return kt_fail(KT_INVALID, "no queue to import");
    return kt_timer_context_import_stream(&kt_backend_opencl, KT_BACKEND_OPENCL, &given,
                                          given.spans_max, given.queue, out);
}

kt_status kt_timer_context_add_opencl_queue(kt_timer_context *context,
                                            struct _cl_command_queue *queue)
{
    if (context && !queue)
        return kt_fail(KT_INVALID, "no queue to import");
    return kt_timer_context_add_stream(&kt_backend_opencl, context, queue);
}

struct _cl_event **kt_timer_event_opencl(kt_timer *timer)
{
    if (!timer || kt_timer_check_api(timer, &kt_backend_opencl) != KT_OK || !kt_is_enabled())
        return NULL;
    return kt_timer_lend(timer);
}

kt_status kt_timer_add_opencl_event(kt_timer *timer, struct _cl_event *event)
{
    if (!timer)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_check_api(timer, &kt_backend_opencl);
    if (status != KT_OK)
        return status;
    if (!event)
        return kt_fail(KT_INVALID, "timer \"%s\": no event", timer->name);
    return kt_is_enabled() ? kt_timer_add_event(timer, event) : KT_OK;
}
