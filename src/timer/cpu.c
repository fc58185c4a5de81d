/* cpu.c - the CPU's timer context: timers on the host's clock. */
#include "support/host_clock.h"
#include "support/options.h"
#include "timer/context.h"

#include <kerntime/timer/cpu.h>
#include <math.h>
#include <stdio.h>

kt_status kt_timer_context_import_cpu(kt_timer_context **out)
{
    KT_NEED(out);
    kt_timer_context *context = NULL;
    kt_status status = kt_timer_context_create(KT_BACKEND_CPU, 0, &context);
    if (status != KT_OK)
        return status;
    context->clocks[0] = (kt_clock_info){.name = "host",
                                         .method = KT_METHOD_HOST_WALL,
                                         .period_ns = 1,
                                         .period_uncertainty_ns = NAN,
                                         .frequency_hz = NAN,
                                         .valid_bits = 64,
                                         .uncertainty_ns = 0,
                                         .period_source = KT_SOURCE_REPORTED,
                                         .relation_source = KT_SOURCE_REPORTED};
    snprintf(context->clocks[0].domain, sizeof context->clocks[0].domain, "%s",
             kt_system_clock_name());
    *out = context;
    return KT_OK;
}
