/* SPDX-License-Identifier: MIT */
#include "clock/device/clocks.h"

#include "support/options.h"

#include <math.h>

static kt_status read_pair(void *owner, uint32_t clock, kt_clock_pair *out)
{
    return kt_device_clock_pair(owner, clock, out);
}

kt_clocked kt_clocked_device(kt_device *device)
{
    return (kt_clocked){.name = device->info.id,
                        .mutex = device->mutex,
                        .infos = device->info.clocks,
                        .steps = device->clock_steps,
                        .host = &device->host,
                        .pair = read_pair,
                        .owner = device,
                        .device = device};
}

static bool gives_pairs(kt_device *device, uint32_t index)
{
    kt_clock_pair pair;
    return kt_device_clock_pair(device, index, &pair) == KT_OK;
}

/*
 * If this clock's period is unknown and it has no calibrated timestamps, finds a clock with the
 * same timer that has them. Bracketed submissions would find the period later and less exactly.
 * Returns KT_CLOCKS_MAX if there is no such clock.
 */
static uint32_t better_clock_for_period(kt_device *device, uint32_t index)
{
    kt_clock_info clocks[KT_CLOCKS_MAX];
    kt_device_copy_clocks(device, clocks);
    const kt_clock_info *info = &clocks[index];
    if (!isnan(info->period_ns) || !info->timer || gives_pairs(device, index))
        return KT_CLOCKS_MAX;
    for (uint32_t i = 0; i < device->info.clock_count; i++)
        if (i != index && kt_is_same_timer(info, &clocks[i]) && kt_clock_has_place(&clocks[i]) &&
            gives_pairs(device, i))
            return i;
    return KT_CLOCKS_MAX;
}

/* A clock that cannot be calibrated is no failure when all clocks of a device are opened. */
static kt_status unless_unknown(kt_status status)
{
    return status == KT_UNSUPPORTED || status == KT_NOT_READY ? KT_OK : status;
}

static kt_status open_clock(kt_device *device, uint32_t index, const kt_clock_options *options,
                            void *job_state, int64_t timeout_ns, kt_clock **out)
{
    static const kt_clock_options defaults = {.size = sizeof defaults};
    const kt_clocked of = kt_clocked_device(device);
    uint32_t better = better_clock_for_period(device, index);
    kt_clock *other = NULL;
    kt_status status = KT_OK;
    if (kt_clock_has_place(&device->info.clocks[index]) && better < KT_CLOCKS_MAX)
        status =
            unless_unknown(kt_clock_open_alone(&of, better, &defaults, NULL, timeout_ns, &other));
    kt_clock_close(&other);
    return status == KT_OK ? kt_clock_open_alone(&of, index, options, job_state, timeout_ns, out)
                           : status;
}

kt_status kt_clock_open(kt_device *device, uint32_t index, const kt_clock_options *options,
                        kt_clock **out)
{
    KT_NEED(device);
    KT_NEED(out);
    kt_clock_options given;
    kt_status status = kt_take_options(&given, sizeof given, options, "kt_clock_options");
    if (status == KT_OK)
        status = kt_device_check_clock(device, index);
    if (status == KT_OK && given.interval_ns < 0)
        status = kt_fail(KT_INVALID, "a time below 0 between two calibrated timestamps");
    return status == KT_OK ? open_clock(device, index, &given, NULL, device->timeout_ns, out)
                           : status;
}

/* ---- All clocks of a device ---- */

kt_status kt_clocks_open(kt_device *device, const kt_clock_options *options, void *job_state,
                         int64_t timeout_ns, kt_clock *clocks[KT_CLOCKS_MAX])
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < device->info.clock_count && status == KT_OK; i++)
        status = unless_unknown(open_clock(device, i, options, job_state, timeout_ns, &clocks[i]));
    return status;
}

static kt_status call_for_all(kt_clock *clocks[KT_CLOCKS_MAX], kt_status (*call)(kt_clock *clock))
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < KT_CLOCKS_MAX && status == KT_OK; i++)
        if (clocks[i])
            status = unless_unknown(call(clocks[i]));
    return status;
}

kt_status kt_clocks_update(kt_clock *clocks[KT_CLOCKS_MAX])
{
    return call_for_all(clocks, kt_clock_update);
}

kt_status kt_clocks_renew(kt_clock *clocks[KT_CLOCKS_MAX])
{
    return call_for_all(clocks, kt_clock_renew);
}

void kt_clocks_close(kt_clock *clocks[KT_CLOCKS_MAX])
{
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++)
        kt_clock_close(&clocks[i]);
}

kt_status kt_device_find_clocks(kt_device *device)
{
    KT_NEED(device);
    kt_clock *clocks[KT_CLOCKS_MAX] = {NULL};
    const kt_clock_options defaults = {.size = sizeof defaults};
    kt_status status = kt_clocks_open(device, &defaults, NULL, device->timeout_ns, clocks);
    kt_clocks_close(clocks);
    return status;
}
