/* SPDX-License-Identifier: MIT */
#include "device/submission.h"

#include "support/alloc.h"

kt_status kt_submit_and_wait(kt_device *device, void *job_state, uint32_t trials,
                             int64_t timeout_ns, kt_timestamp *timestamps, bool traced,
                             kt_submission *out)
{
    const kt_backend *backend = device->backend;
    *out = (kt_submission){0};
    kt_status status = kt_device_check(device);
    if (status != KT_OK)
        return status;
    out->host_before_ns = kt_device_now(device);
    status = backend->job_submit(job_state, timestamps != NULL, trials);
    if (traced) {
        out->host_submitted_ns = kt_device_now(device);
        out->submitted = status == KT_OK;
        out->traced = true;
    }
    if (status == KT_OK)
        status = backend->job_wait(job_state, timeout_ns);
    out->host_after_ns = kt_device_now(device);
    if (status == KT_TIMEOUT)
        device->hung = true;
    if (status == KT_OK && timestamps)
        status = backend->job_read(job_state, timestamps);
    return status;
}

kt_status kt_empty_job_init(kt_device *device, uint32_t clock, void **job_state)
{
    static const kt_backend_step empty = {
        .kind = KT_STEP_EMPTY, .groups = {1, 1, 1}, .group_size = {1, 1, 1}};
#define EMPTY_JOB(index)                                                       \
    {                                                                          \
        .steps = &empty, .step_count = 1, .repeatable = true, .clock = (index) \
    }
    static const kt_backend_job jobs[KT_CLOCKS_MAX] = {EMPTY_JOB(0), EMPTY_JOB(1), EMPTY_JOB(2),
                                                       EMPTY_JOB(3)};
    kt_status status = kt_device_check(device);
    if (status != KT_OK)
        return status;
    *job_state = kt_alloc(1, device->backend->job_size);
    if (!*job_state)
        return KT_NO_MEMORY;
    return device->backend->job_init(*job_state, device->state, &jobs[clock]);
}

void kt_empty_job_fini(kt_device *device, void **job_state)
{
    if (*job_state && device->hung) {
        kt_abandon(*job_state);
    } else if (*job_state) {
        if (device->backend->job_fini)
            device->backend->job_fini(*job_state);
        kt_free(*job_state);
    }
    *job_state = NULL;
}

kt_status kt_flush_caches(kt_device *device, void *job_state, int64_t timeout_ns)
{
    kt_status status = kt_device_check(device);
    if (status != KT_OK)
        return status;
    status = device->backend->job_flush_caches(job_state, timeout_ns);
    if (status == KT_TIMEOUT)
        device->hung = true;
    return status;
}
