/* SPDX-License-Identifier: MIT */
/* timer.c - queries the unit and width of a device's timer, and reads the counter of global
 * timestamps. */
#include "backends/level_zero/internal.h"

#define TRIES_MAX 4    /* readings of the timer for one clock pair: the thread may be interrupted */
#define QUICK_NS  5000 /* a reading that took no longer than this was not interrupted */

/* Queries a device's properties. With the structure of API 1.2, drivers report cycles per second.
 * Older drivers report whole ns with either structure, or refuse the newer one. */
kt_status kt_level_zero_properties(const ze_api *api, ze_device_handle_t device,
                                   ze_device_properties_t *out)
{
    *out = (ze_device_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
    ze_result_t code = ZE_CODE(api, zeDeviceGetProperties, device, out);
    if ((unsigned)code >= ZE_RESULT_ERROR_UNINITIALIZED) { /* the structure is refused */
        *out = (ze_device_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        code = ZE_CODE(api, zeDeviceGetProperties, device, out);
    }
    return level_zero_check("zeDeviceGetProperties", code);
}

kt_status kt_level_zero_read_global(const ze_api *api, ze_device_handle_t device,
                                    const kt_host_clock *host, kt_clock_pair *out)
{
    ze_result_t code = ZE_RESULT_SUCCESS;
    bool found = false;
    if (!api->zeDeviceGetGlobalTimestamps)
        return kt_fail(KT_UNSUPPORTED,
                       "it has no zeDeviceGetGlobalTimestamps, which came with Level Zero 1.1");
    for (int i = 0; i < TRIES_MAX; i++) {
        uint64_t host_ns = 0, ticks = 0;
        kt_clock_pair pair = {.host_before_ns = host->now(host->user)};
        ze_result_t answer = ZE_CODE(api, zeDeviceGetGlobalTimestamps, device, &host_ns, &ticks);
        pair.host_after_ns = host->now(host->user);
        pair.ticks = ticks;
        int64_t width_ns = pair.host_after_ns - pair.host_before_ns;
        if (answer != ZE_RESULT_SUCCESS || ticks == 0) {
            code = answer;
            continue;
        }
        if (!found || width_ns < out->host_after_ns - out->host_before_ns)
            *out = pair;
        found = true;
        if (width_ns <= QUICK_NS)
            break;
    }
    if (found)
        return KT_OK;
    return code == ZE_RESULT_SUCCESS
               ? kt_fail(KT_UNSUPPORTED,
                         "zeDeviceGetGlobalTimestamps answers success and tells no time")
               : kt_fail(KT_UNSUPPORTED, "zeDeviceGetGlobalTimestamps failed: %s (0x%x)",
                         kt_level_zero_code_name(code), (unsigned)code);
}

/* After TRIES_MAX failures in a row, zeDeviceGetGlobalTimestamps is not called again. */
kt_status kt_level_zero_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    level_zero_device *d = device;
    if (clock != LEVEL_ZERO_GLOBAL)
        return kt_fail(
            KT_UNSUPPORTED,
            "Level Zero reads both clocks at once for \"global\" alone; this one is \"%s\"",
            d->info->clocks[clock].name);
    if (atomic_load(&d->timer_fails))
        return kt_fail(KT_UNSUPPORTED, "zeDeviceGetGlobalTimestamps of %s has failed before",
                       d->info->id);
    kt_status status = kt_level_zero_read_global(d->base.api, d->base.device, &d->host, pair);
    if (status != KT_OK)
        atomic_store(&d->timer_fails, true);
    return status;
}
