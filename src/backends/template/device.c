/* SPDX-License-Identifier: MIT */
#include "backends/template/internal.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>

/* Query the driver without opening the device: no queue, no kernel. Leave 0 in fields that the
 * driver does not report. Check every claim about its clocks against the vendor's documents. */
kt_status kt_template_device_info(void *lib, uint32_t index, const char *scenario,
                                  kt_device_info *info)
{
    (void)lib, (void)index, (void)scenario;
    kt_host host;
    kt_host_describe(&host);
    snprintf(info->name, sizeof info->name, "template device");
    snprintf(info->driver, sizeof info->driver, "C functions, one thread");
    info->type = KT_DEVICE_CPU;
    /* domain: the host clock with the same zero and rate; empty unless that is certain. */
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
    info->compute_units = 1;
    info->memory_bytes = info->max_memory_bytes = host.memory_bytes;
    return KT_OK;
}

/* Create the context and the queue for set-up and checking. After a failure just return:
 * device_fini is called anyway. */
kt_status kt_template_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                                  const kt_device_info *info, const kt_host_clock *host)
{
    (void)lib, (void)index, (void)scenario, (void)info;
    ((template_device *)device)->host = *host;
    return KT_OK;
}

/* Call the driver's function for calibrated timestamps, with nothing else between the readings.
 * Omit the slot if the API has no such call. Return KT_UNSUPPORTED if this driver's call does not
 * work. */
kt_status kt_template_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    (void)clock;
    const kt_host_clock *host = &((template_device *)device)->host;
    pair->host_before_ns = host->now(host->user);
    pair->ticks = (uint64_t)host->now(host->user);
    pair->host_after_ns = host->now(host->user);
    return KT_OK;
}
