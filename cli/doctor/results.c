/* SPDX-License-Identifier: MIT */
/* results.c - checks whether the results of all kernels were right. */
#include "cli/doctor/kernels_judge.h"

kt_status doctor_check_results(doctor *d)
{
    if (d->kernels.results == 0)
        return KT_OK;
    doctor_diagnostic f = judge_results(&d->kernels);
    return doctor_add(d, &f);
}
