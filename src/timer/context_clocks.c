/* SPDX-License-Identifier: MIT */
/*
 * context_clocks.c - follows clocks of timer contexts whose period no driver reports.
 *
 * Import measures such a clock, and kt_timer_context_calibrate() follows it. Its state is copied
 * under the context's mutex, so each span is converted to ns by the state when it is collected.
 */
#include "timer/context_clocks.h"

#include "clock/device/clocks.h"
#include "support/options.h"
#include "timer/context.h"

#include <math.h>

static kt_status read_pair(void *owner, uint32_t clock, kt_clock_pair *pair)
{
    kt_timer_context *context = owner;
    return context->calls->timer_context_clock_pair(context->state, clock, pair);
}

static kt_clocked clocked(kt_timer_context *context)
{
    return (kt_clocked){.name = context->backend->title,
                        .mutex = context->mutex,
                        .infos = context->clocks,
                        .steps = context->clock_steps,
                        .host = &kt_system_clock,
                        .pair = read_pair,
                        .owner = context};
}

/* Whether the backend can read the clock but does not report its period. */
static bool is_to_be_followed(const kt_timer_context *context, uint32_t index)
{
    const kt_clock_info *info = &context->clocks[index];
    return context->calls->timer_context_clock_pair && info->name[0] && kt_clock_has_place(info) &&
           isnan(info->period_ns);
}

static void publish_state(kt_timer_context *context, uint32_t index)
{
    kt_clock_state state;
    kt_clock_get_state(context->followed[index], &state);
    kt_mutex_lock(context->mutex);
    context->clock_states[index] = state;
    kt_mutex_unlock(context->mutex);
}

kt_status kt_timer_context_open_clocks(kt_timer_context *context)
{
    static const kt_clock_options defaults = {.size = sizeof defaults};
    const kt_clocked of = clocked(context);
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++) {
        if (!is_to_be_followed(context, i))
            continue;
        kt_status status = kt_clock_open_alone(&of, i, &defaults, NULL, 0, &context->followed[i]);
        if (status != KT_OK)
            return status;
        context->follows = true;
        publish_state(context, i);
    }
    return KT_OK;
}

void kt_timer_context_close_clocks(kt_timer_context *context)
{
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++)
        kt_clock_close(&context->followed[i]);
}

/* Updates all followed clocks, even if one of them gives no more clock pairs. */
static kt_status calibrate(kt_timer_context *context)
{
    kt_status last = KT_OK;
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++) {
        if (!context->followed[i])
            continue;
        kt_status status = kt_clock_update_infos(context->followed[i]);
        if (status == KT_OK)
            publish_state(context, i);
        last = status == KT_OK ? last : status;
    }
    return last;
}

kt_status kt_timer_context_calibrate(kt_timer_context *context)
{
    if (!context)
        return KT_UNAVAILABLE;
    kt_status status = kt_timer_context_check(context);
    if (status != KT_OK || !context->follows || !kt_mutex_try_lock(context->calibrating))
        return status;
    status = calibrate(context);
    kt_mutex_unlock(context->calibrating);
    return status;
}

kt_status kt_timer_context_get_clock_state(const kt_timer_context *context, uint32_t index,
                                           kt_clock_state *out)
{
    if (!context)
        return KT_UNAVAILABLE;
    KT_NEED(out);
    kt_status status = kt_timer_context_check(context);
    if (status != KT_OK)
        return status;
    const kt_clock_info *info = kt_timer_context_get_clock(context, index);
    if (!info)
        return kt_fail(KT_INVALID, "this device has no clock with number %u", index);
    if (!context->followed[index])
        return kt_fail(KT_UNSUPPORTED, "the clock \"%s\" is not followed", info->name);
    kt_mutex_lock(context->mutex);
    *out = context->clock_states[index];
    kt_mutex_unlock(context->mutex);
    return KT_OK;
}
