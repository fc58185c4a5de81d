/* SPDX-License-Identifier: MIT */
/* state.c - checks the state of the device before it works. */
#include "cli/doctor/judge.h"

#include <stdlib.h>

kt_status doctor_check_state(doctor *d)
{
    kt_device_state state;
    kt_status status = kt_device_get_state(d->device, &state);
    if (status != KT_OK)
        return status;
    doctor_diagnostics *found = calloc(1, sizeof *found);
    if (!found)
        return doctor_no_memory(d);
    doctor_judge_state(d->info, &state, found);
    status = doctor_add_all(d, found);
    free(found);
    return status == KT_OK ? kt_report_set_device_state(d->report, d->info->id, &state) : status;
}
