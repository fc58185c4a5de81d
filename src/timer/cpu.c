/* SPDX-License-Identifier: MIT */
/* cpu.c - the CPU's timer context: timers on the host's fastest clock. */
#include "clock/cycles.h"
#include "support/host_clock.h"
#include "support/options.h"
#include "timer/context.h"

#include <kerntime/timer/cpu.h>
#include <math.h>
#include <stdio.h>

/* The counter has a zero of its own, and so no domain. Its period is the one known now. */
static void describe_counter(kt_clock_info *info)
{
    snprintf(info->name, sizeof info->name, "counter");
    info->period_ns = kt_cycles_period_ns();
    info->period_uncertainty_ns = kt_cycles_period_uncertainty_ns();
    info->uncertainty_ns = NAN;
    info->period_source = KT_SOURCE_CALIBRATED_TIMESTAMPS;
    info->relation_source = KT_SOURCE_NONE;
    info->domain[0] = '\0';
}

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
    kt_cycles_now(); /* chooses the clock, so that no span has to */
    if (__atomic_load_n(&kt_cycles_counter, __ATOMIC_ACQUIRE))
        describe_counter(&context->clocks[0]);
    *out = context;
    return KT_OK;
}
