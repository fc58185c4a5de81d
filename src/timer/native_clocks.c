/*
 * Clocks of the program's own devices whose ticks no driver reports. They are found during import
 * and followed by kt_native_calibrate(). What is known is copied under the mutex of the timer
 * context, so each span becomes ns by what is known when it is taken in.
 */
#include "timer/native_clocks.h"

#include "clock/clocks.h"
#include "timer/native.h"

#include <math.h>

static kt_status read_pair(void *owner, uint32_t clock, kt_clock_pair *pair)
{
    kt_native *native = owner;
    return native->calls->native_clock_pair(native->state, clock, pair);
}

static kt_clocked clocked(kt_native *native)
{
    return (kt_clocked){.name = native->backend->title,
                        .mutex = native->mutex,
                        .infos = native->clocks,
                        .steps = native->clock_steps,
                        .host = &kt_system_clock,
                        .pair = read_pair,
                        .owner = native};
}

/* The backend reads it, and says nothing of its period. */
static bool is_to_be_followed(const kt_native *native, uint32_t index)
{
    const kt_clock_info *info = &native->clocks[index];
    return native->calls->native_clock_pair && info->name[0] && kt_clock_has_place(info) &&
           isnan(info->period_ns);
}

static void publish_state(kt_native *native, uint32_t index)
{
    kt_clock_state state;
    kt_clock_get_state(native->followed[index], &state);
    kt_mutex_lock(native->mutex);
    native->clock_states[index] = state;
    kt_mutex_unlock(native->mutex);
}

kt_status kt_native_open_clocks(kt_native *native)
{
    static const kt_clock_options defaults = {.size = sizeof defaults};
    const kt_clocked of = clocked(native);
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++) {
        if (!is_to_be_followed(native, i))
            continue;
        kt_status status = kt_clock_open_alone(&of, i, &defaults, NULL, 0, &native->followed[i]);
        if (status != KT_OK)
            return status;
        native->follows = true;
        publish_state(native, i);
    }
    return KT_OK;
}

void kt_native_close_clocks(kt_native *native)
{
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++)
        kt_clock_close(&native->followed[i]);
}

/* All of them, also if one gives no more pairs. */
static kt_status calibrate(kt_native *native)
{
    kt_status last = KT_OK;
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++) {
        if (!native->followed[i])
            continue;
        kt_status status = kt_clock_update_infos(native->followed[i]);
        if (status == KT_OK)
            publish_state(native, i);
        last = status == KT_OK ? last : status;
    }
    return last;
}

kt_status kt_native_calibrate(kt_native *native)
{
    if (!native)
        return KT_UNAVAILABLE;
    kt_status status = kt_native_check(native);
    if (status != KT_OK || !native->follows || !kt_mutex_try_lock(native->calibrating))
        return status;
    status = calibrate(native);
    kt_mutex_unlock(native->calibrating);
    return status;
}

kt_status kt_native_get_clock_state(const kt_native *native, uint32_t index, kt_clock_state *out)
{
    if (!native)
        return KT_UNAVAILABLE;
    kt_status status = kt_native_check(native);
    if (status != KT_OK)
        return status;
    const kt_clock_info *info = kt_native_get_clock(native, index);
    if (!info)
        return kt_fail(KT_INVALID, "this device has no clock with number %u", index);
    if (!native->followed[index])
        return kt_fail(KT_UNSUPPORTED, "the clock \"%s\" is not followed", info->name);
    kt_mutex_lock(native->mutex);
    *out = native->clock_states[index];
    kt_mutex_unlock(native->mutex);
    return KT_OK;
}
