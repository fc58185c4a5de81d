#include "submission.h"

kt_status kt_submit_and_wait(kt_device *device, void *job_state, uint32_t trials,
                             int64_t timeout_ns, kt_stamp *stamps, kt_submission *out)
{
    const kt_backend *backend = device->backend;
    *out = (kt_submission){0};
    kt_status status = kt_device_check(device);
    if (status != KT_OK)
        return status;
    out->host_before_ns = kt_device_now(device);
    status = backend->job_submit(job_state, stamps != NULL, trials);
    if (status == KT_OK)
        status = backend->job_wait(job_state, timeout_ns);
    out->host_after_ns = kt_device_now(device);
    if (status == KT_TIMEOUT)
        device->hung = true;
    if (status == KT_OK && stamps)
        status = backend->job_read(job_state, stamps);
    return status;
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
