#include "load.h"

#include "empty.h"

/* Enough to busy every unit of a device; for an interpreter, which tells of few units, each element is a lot. */
#define UNIT_ELEMENTS 1024
#define UNITS_MAX     256
#define UNITS_UNKNOWN 16

static uint64_t elements_for(const kt_device_info *info)
{
    uint32_t units = info->compute_units ? info->compute_units : UNITS_UNKNOWN;
    return UNIT_ELEMENTS * (uint64_t)(units < UNITS_MAX ? units : UNITS_MAX);
}

kt_status doctor_load_open(doctor *d, doctor_load *load)
{
    const workload *w = workload_find("fill");
    const kt_device_info *info = kt_device_get_info(d->device);
    uint64_t elements = elements_for(info);
    const char *variant = w && w->variants ? w->variants[0] : NULL;
    if (!w || workload_lacks(w, variant, info->languages)) {
        kt_status status = doctor_empty_create(d, &load->empty);
        load->job = load->empty;
        return status;
    }
    const kt_param param = {w->param, (int64_t)elements};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = w->name,
                        .variant = variant,
                        .params = &param,
                        .param_count = 1};
    kt_status status = KT_OK;
    load->workload = w;
    if (w->problem_create)
        status = w->problem_create(elements, &load->problem);
    if (status == KT_OK)
        status = workload_open(&load->run, w, load->problem, d->device, elements, &desc);
    load->job = load->run.job;
    return status;
}

void doctor_load_close(doctor_load *load)
{
    workload_close(&load->run);
    if (load->problem)
        load->workload->problem_destroy(load->problem);
    kt_job_destroy(&load->empty);
    *load = (doctor_load){0};
}
