/* SPDX-License-Identifier: MIT */
#include "cli/doctor/empty.h"

#define STEP "empty"

kt_status doctor_empty_create(doctor *d, kt_job **out)
{
    static const kt_step step = {.name = STEP, .kind = KT_STEP_EMPTY};
    static const kt_job_desc desc = {
        .size = sizeof desc, .name = STEP, .steps = &step, .step_count = 1};
    return kt_job_create(d->device, &desc, out);
}

kt_status doctor_empty_measure(doctor *d, kt_job *job, uint32_t samples,
                               const kt_measure_options *rest, kt_result **out)
{
    kt_measure_options options = rest ? *rest : d->measure;
    options.size = sizeof options;
    options.timeout_ns = d->measure.timeout_ns;
    options.trials = 1;
    options.samples_min = options.samples_max = samples;
    options.max_time_ns = 1; /* takes samples_min samples, however long they take */
    options.keep_raw = 1;
    return kt_measure(job, &options, out);
}

uint32_t doctor_clock_of(const kt_device_info *info, const kt_result *result)
{
    const kt_series *series = kt_result_find(result, STEP);
    const kt_clock_info *clock = series ? kt_series_clock(series, info) : NULL;
    return clock ? (uint32_t)(clock - info->clocks) : 0;
}
