#include "load.h"

#include "empty.h"

#define ELEMENTS \
    16384 /* many of them make work for any device, and one is little for an interpreter */

kt_status doctor_load_open(doctor *d, doctor_load *load)
{
    const workload *w = workload_find("fill");
    uint32_t languages = kt_device_get_info(d->device)->languages;
    const char *variant = w && w->variants ? w->variants[0] : NULL;
    if (!w || workload_lacks(w, variant, languages)) {
        kt_status status = doctor_empty_create(d, &load->empty);
        load->job = load->empty;
        return status;
    }
    const kt_param param = {w->param, ELEMENTS};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = w->name,
                        .variant = variant,
                        .params = &param,
                        .param_count = 1};
    kt_status status = KT_OK;
    load->workload = w;
    if (w->problem_create)
        status = w->problem_create(ELEMENTS, &load->problem);
    if (status == KT_OK)
        status = workload_open(&load->run, w, load->problem, d->device, ELEMENTS, &desc);
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
