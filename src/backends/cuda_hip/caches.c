/* SPDX-License-Identifier: MIT */
/* caches.c - flushes the device's caches by overwriting a buffer larger than the L2 cache. The
 * multiprocessors invalidate their own caches whenever a kernel begins. */
#include "backends/cuda_hip/internal.h"
#include "backends/flush.h"

kt_status kt_cuda_caches_init(cuda_caches *caches)
{
    return kt_mutex_create(&caches->mutex);
}

void kt_cuda_caches_fini(cuda_caches *caches, const cuda_api *api)
{
    if (caches->buffer)
        api->cuMemFree(caches->buffer);
    kt_mutex_destroy(caches->mutex);
}

static kt_status prepare(cuda_device *d)
{
    int reported = 0;
    kt_status status = CUDA_DO(d->api, cuDeviceGetAttribute, &reported,
                               CUDA_ATTRIBUTE(d->api, L2_CACHE_SIZE), d->ordinal);
    if (status != KT_OK)
        return status;
    size_t bytes = kt_flush_bytes(d->info, reported > 0 ? (uint64_t)reported : 0, 1);
    cuda_address buffer = 0;
    status = CUDA_DO(d->api, cuMemAlloc, &buffer, bytes);
    if (status != KT_OK)
        return status;
    d->caches.buffer = buffer;
    d->caches.bytes = bytes;
    return KT_OK;
}

kt_status kt_cuda_job_flush_caches(void *job, int64_t timeout_ns)
{
    cuda_job *j = job;
    cuda_device *d = j->device;
    cuda_scope scope;
    kt_mutex_lock(d->caches.mutex);
    kt_status status = cuda_device_enter(d, &scope);
    if (status == KT_OK && !d->caches.buffer)
        status = prepare(d);
    if (status == KT_OK) {
        j->in_flight = true;
        status = CUDA_DO(d->api, cuMemsetD8Async, d->caches.buffer, 0, d->caches.bytes, j->stream);
    }
    if (status == KT_OK)
        status = kt_cuda_wait(d->api, j->stream, timeout_ns);
    if (status == KT_OK)
        j->in_flight = false;
    kt_cuda_leave(&scope);
    kt_mutex_unlock(d->caches.mutex);
    return status;
}
