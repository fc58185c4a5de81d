#include "cli/session/merge.h"

#include <stdbool.h>
#include <string.h>

static bool has_timer_limits(const kt_report *report, const char *id)
{
    for (uint32_t i = 0; i < kt_report_device_count(report); i++)
        if (strcmp(kt_report_device(report, i)->id, id) == 0)
            return kt_report_timer_limits(report, i) != NULL;
    return false;
}

kt_status merge_devices(kt_report *to, const kt_report *from)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < kt_report_device_count(from) && status == KT_OK; i++) {
        const kt_device_info *info = kt_report_device(from, i);
        if (!has_timer_limits(to, info->id))
            status = kt_report_add_device(to, info, kt_report_timer_limits(from, i));
    }
    return status;
}
