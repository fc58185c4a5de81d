#include "../../support/host_clock.h"
#include "internal.h"

#include <math.h>
#include <stdio.h>

kt_status cpu_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info)
{
    (void)lib, (void)index, (void)scenario;
    kt_host host;
    kt_host_describe(&host);
    uint32_t threads = cpu_thread_count();
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
    info->compute_units = threads;
    info->memory_bytes = info->max_memory_bytes = host.memory_bytes;
    return KT_OK;
}

kt_status cpu_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                          const kt_device_info *info, const kt_host_clock *host)
{
    (void)lib, (void)index, (void)scenario, (void)info;
    ((cpu_device *)device)->host = *host;
    return KT_OK;
}

kt_status cpu_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    (void)clock;
    const kt_host_clock *host = &((cpu_device *)device)->host;
    pair->host_before_ns = host->now(host->user);
    pair->ticks = (uint64_t)host->now(host->user);
    pair->host_after_ns = host->now(host->user);
    return KT_OK;
}
