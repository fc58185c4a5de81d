/* OpenCL: timers in the program's own queues, or by its events. */
#include "support/options.h"
#include "timer/events.h"

#include <kerntime/native/opencl.h>

kt_status kt_native_import_opencl(const kt_opencl_import *desc, kt_native **out)
{
    kt_opencl_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_opencl_import");
    if (status != KT_OK)
        return status;
    if (!given.queue)
        return kt_fail(KT_INVALID, "no queue to import");
    return kt_native_import_stream(&kt_backend_opencl, KT_BACKEND_OPENCL, &given, given.spans_max,
                                   given.queue, out);
}

kt_status kt_native_add_opencl_queue(kt_native *native, struct _cl_command_queue *queue)
{
    if (native && !queue)
        return kt_fail(KT_INVALID, "no queue to import");
    return kt_native_add_stream(&kt_backend_opencl, native, queue);
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
