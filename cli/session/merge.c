/* SPDX-License-Identifier: MIT */
#include "cli/session/merge.h"

#include <string.h>

/* Number of the device; that of devices if there is none. */
static uint32_t find_device(const kt_report *report, const char *id)
{
    uint32_t i = 0;
    while (i < kt_report_device_count(report) && strcmp(kt_report_device(report, i)->id, id) != 0)
        i++;
    return i;
}

kt_status merge_devices(kt_report *to, const kt_report *from)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < kt_report_device_count(from) && status == KT_OK; i++) {
        const kt_device_info *info = kt_report_device(from, i);
        const kt_device_state *state = kt_report_device_state(from, i);
        uint32_t at = find_device(to, info->id);
        if (!kt_report_timer_limits(to, at))
            status = kt_report_add_device(to, info, kt_report_timer_limits(from, i));
        if (status == KT_OK && state && !kt_report_device_state(to, at))
            status = kt_report_set_device_state(to, info->id, state);
    }
    return status;
}
