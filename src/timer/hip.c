/* SPDX-License-Identifier: MIT */
/* hip.c - entry points of HIP: timers in streams of the program. */
#include "support/options.h"
#include "timer/streams.h"

#include <kerntime/timer/hip.h>

kt_status kt_timer_context_import_hip(const kt_hip_import *desc, kt_timer_context **out)
{
    kt_hip_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_hip_import");
    if (status != KT_OK)
        return status;
    return kt_timer_context_import_stream(&kt_backend_hip, KT_BACKEND_HIP, &given, given.spans_max,
                                          given.stream, out);
}

kt_status kt_timer_context_add_hip_stream(kt_timer_context *context, struct ihipStream_t *stream)
{
    return kt_timer_context_add_stream(&kt_backend_hip, context, stream);
}
