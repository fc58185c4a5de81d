/* SPDX-License-Identifier: MIT */
/*
 * caches.c - empties the caches: a kernel modifies a buffer larger than all of them. A kernel does
 * it because kernels under test run on the same compute units.
 */
#include "backends/flush.h"
#include "backends/metal/internal.h"

#define LINE_BYTES 16
#define GROUPS     1024
#define GROUP_SIZE 256

/* Each work-item modifies part of a line, then moves on to its next line. */
static const char name[] = "kerntime_flush";
static const char text[] = "#include <metal_stdlib>\n"
                           "using namespace metal;\n"
                           "kernel void kerntime_flush(device uint4 *lines [[buffer(0)]], constant "
                           "uint &count [[buffer(1)]],\n"
                           "                           uint id [[thread_position_in_grid]], uint "
                           "all [[threads_per_grid]])\n"
                           "{\n"
                           "    for (uint i = id; i < count; i += all)\n"
                           "        lines[i] += uint4(1);\n"
                           "}\n";

kt_status kt_metal_caches_init(metal_caches *caches)
{
    return kt_mutex_create(&caches->mutex);
}

static void drop(const metal_api *api, metal_caches *caches)
{
    metal_release(api, caches->buffer);
    metal_release(api, caches->pipeline);
    caches->buffer = caches->pipeline = NULL;
}

void kt_metal_caches_fini(const metal_api *api, metal_caches *caches)
{
    drop(api, caches);
    kt_mutex_destroy(caches->mutex);
    *caches = (metal_caches){0};
}

static kt_status prepare(metal_device *d)
{
    metal_caches *c = &d->caches;
    objc_id library = NULL;
    size_t bytes = kt_flush_bytes(d->info, 0, LINE_BYTES); /* Metal reports no cache sizes */
    c->line_count = (uint32_t)(bytes / LINE_BYTES);
    kt_status status =
        kt_metal_library_create(d->api, d->device, text, sizeof text - 1, name, &library);
    if (status == KT_OK)
        status = kt_metal_pipeline_create(d->api, d->device, library, name, NULL, &c->pipeline);
    if (status == KT_OK)
        status = kt_metal_buffer_create(d, bytes, METAL_STORAGE_PRIVATE, &c->buffer);
    metal_release(d->api, library);
    if (status == KT_OK)
        return KT_OK;
    drop(d->api, c);
    return kt_metal_own_failure(status);
}

static kt_status flush(metal_device *d, int64_t timeout_ns)
{
    const metal_api *api = d->api;
    const metal_caches *c = &d->caches;
    const metal_timestamps none = {.strategy = METAL_BY_COMMANDS};
    const metal_size groups = {GROUPS, 1, 1}, group_size = {GROUP_SIZE, 1, 1};
    metal_single single;
    kt_status status = d->caches.buffer ? KT_OK : prepare(d);
    if (status != KT_OK)
        return status;
    status = kt_metal_single_begin(&d->work, false, &none, &single);
    if (status == KT_OK) {
        metal_set_pipeline(api, single.encoder, c->pipeline);
        metal_set_buffer(api, single.encoder, c->buffer, 0, 0);
        metal_set_bytes(api, single.encoder, &c->line_count, sizeof c->line_count, 1);
        metal_dispatch(api, single.encoder, groups, group_size);
        status = kt_metal_single_run(&d->work, &none, &single, timeout_ns);
    }
    kt_metal_single_fini(&d->work, &single, status);
    return status;
}

kt_status kt_metal_job_flush_caches(void *job, int64_t timeout_ns)
{
    metal_device *d = ((metal_job *)job)->device;
    kt_status status;
    kt_mutex_lock(d->caches.mutex);
    METAL_WITHIN_POOL(d->api, status, flush(d, timeout_ns));
    kt_mutex_unlock(d->caches.mutex);
    return status;
}
