/* SPDX-License-Identifier: MIT */
#include "backends/metal/internal.h"

#include <stdio.h>
#include <string.h>

/*
 * The most work-items per group on any GPU. A pipeline reports a lower limit of its device or
 * kernel, except on Intel's UHD Graphics 630: the device takes 256, pipelines report 1,024
 * (MoltenVK issue 735), and the device's own limit is a structure, which objc.h cannot receive.
 */
#define GROUP_MAX       1024
#define GROUP_MAX_INTEL 256
#define INTEL           0x8086
/* Memory limits that every Mac meets, used before macOS 10.14, where no call reports them. */
#define BUFFER_BYTES_MIN (UINT64_C(256) << 20)
#define LOCAL_BYTES_MIN  32768

/* ---- device description ---- */

/* Metal reports no vendor. The device name contains the vendor's name or product line. */
static const struct {
    const char *word, *name;
    uint32_t id; /* PCI id of the vendor, as other APIs report it */
} vendors[] = {{"Apple", "Apple", 0x106b},   {"AMD", "AMD", 0x1002},
               {"Radeon", "AMD", 0x1002},    {"Intel", "Intel", INTEL},
               {"NVIDIA", "NVIDIA", 0x10de}, {"GeForce", "NVIDIA", 0x10de}};

static void describe_vendor(kt_device_info *info)
{
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++) {
        if (!strstr(info->name, vendors[i].word))
            continue;
        snprintf(info->vendor, sizeof info->vendor, "%s", vendors[i].name);
        info->vendor_id = vendors[i].id;
        return;
    }
}

bool kt_metal_is_unified(const metal_api *api, objc_id device)
{
    if (METAL_KNOWS(api, device, has_unified_memory))
        return metal_has_unified_memory(api, device) != 0;
    const char *name = metal_utf8(api, metal_name(api, device));
    return metal_is_low_power(api, device) ||
           (name && strncmp(name, "Apple", strlen("Apple")) == 0);
}

/* The driver is part of macOS. Registry IDs distinguish two GPUs of the same name. */
static void describe_driver(const metal_api *api, objc_id device, kt_device_info *info)
{
    objc_id process = metal_process_info(api, api->process_class);
    const char *version = metal_utf8(api, metal_version_string(api, process));
    snprintf(info->driver, sizeof info->driver, "macOS %.150s, %s GPU, registry ID %llu",
             version ? version : "of an unknown version",
             kt_metal_is_unified(api, device) ? "integrated" : "discrete",
             (unsigned long long)metal_registry_id(api, device));
}

/* Private memory always belongs to the GPU. Memory visible to the host is shared on a unified GPU,
 * else it lies in host memory. */
static void describe_memory(const metal_api *api, objc_id device, kt_device_info *info)
{
    kt_memory_kind seen = kt_metal_is_unified(api, device) ? KT_MEMORY_SHARED : KT_MEMORY_HOST;
    info->memory_kinds = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_DEVICE | 1u << seen;
    kt_offer_all_copies(info);
    info->memory_bytes =
        METAL_KNOWS(api, device, recommended_memory) ? metal_recommended_memory(api, device) : 0;
    info->max_memory_bytes = METAL_KNOWS(api, device, max_buffer_length)
                                 ? metal_max_buffer_length(api, device)
                                 : BUFFER_BYTES_MIN;
    info->max_memory_bytes -=
        info->max_memory_bytes % METAL_PAGE; /* lengths are rounded up to whole pages */
    info->local_memory_bytes = METAL_KNOWS(api, device, max_threadgroup_memory)
                                   ? metal_max_threadgroup_memory(api, device)
                                   : LOCAL_BYTES_MIN;
}

/* Metal has no UUID. The registry ID is that of the GPU until the Mac starts anew. */
static void describe_identity(const metal_api *api, objc_id device, kt_device_info *info)
{
    unsigned long long id = metal_registry_id(api, device);
    if (id)
        snprintf(info->uuid, sizeof info->uuid, "registry-0x%016llx", id);
}

static void describe_clocks(kt_device_info *info, bool has_samples, bool has_times)
{
    info->clock_count = 0;
    memset(info->clocks, 0, sizeof info->clocks);
    if (has_samples)
        info->clocks[info->clock_count++] = metal_gpu_clock();
    if (has_times)
        info->clocks[info->clock_count++] = metal_commands_clock();
}

static void describe(const metal_api *api, objc_id device, kt_device_info *info)
{
    const char *name = metal_utf8(api, metal_name(api, device));
    snprintf(info->name, sizeof info->name, "%s", name ? name : "a GPU without a name");
    describe_vendor(info);
    describe_driver(api, device, info);
    describe_identity(api, device, info);
    describe_memory(api, device, info);
    info->type = KT_DEVICE_GPU;
    info->languages = KT_LANGUAGE_MSL;
    info->max_group_size = info->vendor_id == INTEL ? GROUP_MAX_INTEL : GROUP_MAX;
    describe_clocks(info, kt_metal_ask_strategy(api, device) != METAL_BY_COMMANDS, true);
}

kt_status kt_metal_device_info(void *lib, uint32_t index, const char *scenario,
                               kt_device_info *info)
{
    metal_lib *l = lib;
    (void)scenario;
    void *pool = metal_pool_push(&l->api);
    describe(&l->api, l->devices[index], info);
    metal_pool_pop(&l->api, pool);
    return KT_OK;
}

/* ---- opening ---- */

static kt_status open_device(metal_device *d)
{
    kt_status status = kt_metal_work_init(&d->work, d->api, d->device);
    if (status == KT_OK)
        status = kt_metal_pairs_init(&d->pairs, d->api, d->device, &d->host);
    if (status == KT_OK)
        status = kt_metal_caches_init(&d->caches);
    if (status == KT_OK)
        status = kt_metal_try_samples(&d->work, &d->pairs, &d->sampling);
    d->is_hung = status == KT_TIMEOUT;
    if (status == KT_OK && d->sampling.strategy != METAL_BY_COMMANDS)
        status = kt_metal_samples_init(&d->samples, d->api, d->device, d->sampling.counter_set);
    return status;
}

kt_status kt_metal_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                               const kt_device_info *info, const kt_host_clock *host)
{
    metal_device *d = device;
    metal_lib *l = lib;
    kt_status status;
    (void)scenario;
    d->api = &l->api;
    d->device = l->devices[index];
    d->info = info;
    d->host = *host;
    METAL_WITHIN_POOL(d->api, status, open_device(d));
    return status;
}

void kt_metal_device_fini(void *device)
{
    metal_device *d = device;
    if (!d->api || d->is_hung)
        return;
    void *pool = metal_pool_push(d->api);
    kt_metal_caches_fini(d->api, &d->caches);
    metal_release(d->api, d->staging);
    kt_metal_samples_fini(&d->samples);
    kt_metal_sampling_fini(d->api, &d->sampling);
    kt_metal_pairs_fini(&d->pairs);
    kt_metal_work_fini(&d->work);
    metal_pool_pop(d->api, pool);
}

/* Sets the group limit. The empty kernel uses no registers, so its limit is the device's. */
static void limit_groups(const metal_device *d, kt_device_info *info)
{
    void *pool = metal_pool_push(d->api);
    size_t most = metal_max_threads(d->api, d->work.empty);
    metal_pool_pop(d->api, pool);
    if (most > 0 && most < info->max_group_size)
        info->max_group_size = (uint32_t)most;
}

/* Corrects the device's clocks: only the trial shows which clocks the device really has. */
void kt_metal_device_found(void *device, kt_device_info *info)
{
    const metal_device *d = device;
    limit_groups(d, info);
    describe_clocks(info, d->sampling.strategy != METAL_BY_COMMANDS, d->sampling.has_times);
    const char *what =
        d->sampling.strategy == METAL_BY_COMMANDS ? "the times" : "the times of jobs with copies";
    if (d->sampling.reason[0])
        snprintf(info->quirk, sizeof info->quirk, "%.140s, so command buffers tell %s",
                 d->sampling.reason, what);
}

uint32_t kt_metal_commands_index(const metal_device *device)
{
    return device->sampling.strategy == METAL_BY_COMMANDS ? 0 : METAL_GPU_CLOCK + 1;
}

kt_status kt_metal_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    metal_device *d = device;
    if (clock != kt_metal_commands_index(d))
        return kt_metal_pairs_take(&d->pairs, pair);
    kt_metal_uptime_pair(d->api, &d->host, pair);
    return KT_OK;
}
