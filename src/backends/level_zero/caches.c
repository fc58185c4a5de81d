/* SPDX-License-Identifier: MIT */
/* caches.c - flushes the caches by filling a buffer that is larger than all of them. On a queue
 * that runs kernels, drivers fill with a kernel, on the units that run user kernels. If that queue
 * cannot copy, a copy engine fills, which bypasses the caches of those units. */
#include "backends/flush.h"
#include "backends/level_zero/internal.h"

#define CACHES_MAX 16

kt_status kt_level_zero_caches_init(level_zero_caches *caches)
{
    return kt_mutex_create(&caches->mutex);
}

void kt_level_zero_caches_fini(const level_zero_base *base, level_zero_caches *caches)
{
    kt_level_zero_immediate_destroy(base, &caches->commands);
    kt_level_zero_free(base, caches->buffer);
    kt_mutex_destroy(caches->mutex);
}

static kt_status find_bytes(const level_zero_device *d, size_t *bytes)
{
    ze_device_cache_properties_t caches[CACHES_MAX];
    uint32_t count = 0;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < CACHES_MAX; i++)
        caches[i] =
            (ze_device_cache_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
    kt_status status = ZE_DO(d->base.api, zeDeviceGetCacheProperties, d->base.device, &count, NULL);
    count = count < CACHES_MAX ? count : CACHES_MAX;
    if (status == KT_OK && count > 0)
        status = ZE_DO(d->base.api, zeDeviceGetCacheProperties, d->base.device, &count, caches);
    for (uint32_t i = 0; i < count && status == KT_OK; i++)
        largest = caches[i].cacheSize > largest ? caches[i].cacheSize : largest;
    if (status == KT_OK)
        *bytes = kt_flush_bytes(d->info, largest, 1);
    return status;
}

/* Creates the missing objects of the flush; an earlier call may have failed half-way. */
static kt_status prepare(level_zero_device *d)
{
    level_zero_caches *c = &d->caches;
    kt_memory_kind kind =
        d->info->memory_kinds & 1u << KT_MEMORY_DEVICE ? KT_MEMORY_DEVICE : KT_MEMORY_SHARED;
    kt_status status = KT_OK;
    if (!c->commands.done.count) {
        kt_level_zero_immediate_destroy(&d->base, &c->commands);
        status = kt_level_zero_immediate_create(d, &c->commands);
    }
    if (status == KT_OK && c->bytes == 0)
        status = find_bytes(d, &c->bytes);
    if (status == KT_OK)
        status = kt_level_zero_memory_allocate(d, kind, c->bytes, &c->buffer);
    return status;
}

kt_status kt_level_zero_job_flush_caches(void *job, int64_t timeout_ns)
{
    level_zero_device *d = ((level_zero_job *)job)->device;
    level_zero_caches *c = &d->caches;
    kt_mutex_lock(c->mutex);
    kt_status status = c->buffer ? KT_OK : prepare(d);
    if (status == KT_OK) /* a new fill pattern, since equal data might not be written */
        status = kt_level_zero_fill_now(&d->base, &c->commands, c->buffer, ++c->pattern, c->bytes,
                                        timeout_ns);
    kt_mutex_unlock(c->mutex);
    return status;
}
