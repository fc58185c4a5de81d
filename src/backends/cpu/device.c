/* SPDX-License-Identifier: MIT */
#include "backends/cpu/internal.h"
#include "backends/flush.h"
#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/host_state.h"

#include <math.h>
#include <stdio.h>

#define LINE_BYTES 64 /* distance of two reads; longer cache lines are read twice */

kt_status kt_cpu_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info)
{
    (void)lib, (void)index, (void)scenario;
    kt_host host;
    kt_host_describe(&host);
    uint32_t threads = kt_cpu_thread_count();
    snprintf(info->name, sizeof info->name, "%s", host.cpu[0] ? host.cpu : "host CPU");
#ifdef _OPENMP
    snprintf(info->driver, sizeof info->driver, "C functions, OpenMP, %u thread%s", threads,
             threads == 1 ? "" : "s");
#else
    snprintf(info->driver, sizeof info->driver, "C functions, built without OpenMP, 1 thread");
#endif
    info->type = KT_DEVICE_CPU;
    info->clock_count = 1;
    info->clocks[0] = (kt_clock_info){.name = "host",
                                      .method = KT_METHOD_DEVICE_TIMESTAMP,
                                      .period_ns = 1,
                                      .frequency_hz = NAN,
                                      .valid_bits = 64,
                                      .uncertainty_ns = 0};
    snprintf(info->clocks[0].domain, sizeof info->clocks[0].domain, "%s", kt_system_clock_name());
    info->languages = KT_LANGUAGE_C_FUNCTION;
    info->memory_kinds = 1u << KT_MEMORY_HEAP;
    kt_offer_all_copies(info);
    info->compute_units = threads;
    info->memory_bytes = info->max_memory_bytes = host.memory_bytes;
    return KT_OK;
}

kt_status kt_cpu_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                             const kt_device_info *info, const kt_host_clock *host)
{
    (void)lib, (void)index, (void)scenario;
    cpu_device *d = device;
    d->info = info;
    d->host = *host;
    kt_status status = kt_mutex_create(&d->flush_mutex);
    return status == KT_OK ? kt_cpu_worker_init(&d->worker) : status;
}

void kt_cpu_device_fini(void *device)
{
    cpu_device *d = device;
    kt_cpu_worker_fini(&d->worker);
    kt_mutex_destroy(d->flush_mutex);
    kt_free(d->flush);
}

kt_status kt_cpu_prepare_flush(cpu_device *device)
{
    kt_mutex_lock(device->flush_mutex);
    if (!device->flush) {
        device->flush_bytes = kt_flush_bytes(device->info, kt_host_cache_bytes(), LINE_BYTES);
        device->flush = kt_alloc(device->flush_bytes, 1);
    }
    bool prepared = device->flush != NULL;
    kt_mutex_unlock(device->flush_mutex);
    return prepared ? KT_OK : KT_NO_MEMORY;
}

/* The worker alone uses the buffer. It may have 1 GiB, for whose lines the thread sanitizer would
 * take most of a minute. */
__attribute__((no_sanitize("thread"))) void kt_cpu_flush(const cpu_device *device)
{
    unsigned char *bytes = device->flush;
    int64_t count = (int64_t)device->flush_bytes;
#ifdef _OPENMP
#pragma omp parallel
#endif
    {
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
        for (int64_t i = 0; i < count; i += LINE_BYTES)
            bytes[i]++; /* a write gives each page memory of its own */
        /* Each thread reads the whole buffer, through its core's private and shared caches. */
        for (int64_t i = 0; i < count; i += LINE_BYTES)
            (void)*(volatile unsigned char *)&bytes[i];
    }
}

kt_status kt_cpu_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    (void)clock;
    const kt_host_clock *host = &((cpu_device *)device)->host;
    pair->host_before_ns = host->now(host->user);
    pair->ticks = (uint64_t)host->now(host->user);
    pair->host_after_ns = host->now(host->user);
    return KT_OK;
}
