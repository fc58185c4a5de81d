#include "internal.h"

#include <stdio.h>
#include <string.h>

#define VENDOR_NVIDIA 0x10de
#define VENDOR_AMD    0x1002

/* CUDA's version is 12040 for 12.4, HIP's 50221153 for 5.2.21153. Without its compiler a HIP device takes no kernels. */
static void tell_driver(const cuda_lib *lib, kt_device_info *info)
{
    const cuda_api *api = &lib->api;
    bool is_hip = api->kind == CUDA_KIND_HIP;
    int version = 0;
    if (CUDA_CODE(api, cuDriverGetVersion, &version) != CUDA_OK || version <= 0)
        snprintf(info->driver, sizeof info->driver, "%s", is_hip ? "HIP" : "CUDA");
    else if (is_hip)
        snprintf(info->driver, sizeof info->driver, "HIP %d.%d.%d", version / 10000000,
                 version / 100000 % 100, version % 100000);
    else
        snprintf(info->driver, sizeof info->driver, "CUDA %d.%d", version / 1000,
                 version / 10 % 100);
    size_t length = strlen(info->driver);
    if (is_hip && !lib->compiler.is_here)
        snprintf(info->driver + length, sizeof info->driver - length,
                 ", without hiprtc, which compiles kernels");
}

static void offer_memory(const cuda_api *api, cuda_ordinal ordinal, kt_device_info *info)
{
    info->memory_kinds = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_HOST | 1u << KT_MEMORY_DEVICE;
    if (api->cuMemAllocManaged &&
        cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MANAGED_MEMORY)))
        info->memory_kinds |= 1u << KT_MEMORY_SHARED;
    kt_offer_all_copies(info);
    /* Between two memories of the host the driver would copy by itself, on the calling thread, beside the stream. */
    static const uint32_t of_host = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_HOST;
    info->copies[KT_MEMORY_HEAP] &= ~of_host;
    info->copies[KT_MEMORY_HOST] &= ~of_host;
}

static void offer_languages(const cuda_lib *lib, kt_device_info *info)
{
    info->languages = lib->api.kind == CUDA_KIND_CUDA ? KT_LANGUAGE_PTX : 0;
    if (lib->compiler.is_here)
        info->languages |= KT_LANGUAGE_CUDA_C;
}

kt_status cuda_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info)
{
    (void)scenario;
    const cuda_lib *l = lib;
    const cuda_api *api = &l->api;
    bool is_hip = api->kind == CUDA_KIND_HIP;
    cuda_ordinal ordinal = 0;
    kt_status status = CUDA_DO(api, cuDeviceGet, &ordinal, (int)index);
    if (status != KT_OK)
        return status;
    if (CUDA_CODE(api, cuDeviceGetName, info->name, (int)sizeof info->name - 1, ordinal) != CUDA_OK)
        info->name[0] = '\0';
    info->name[sizeof info->name - 1] = '\0';
    size_t total_bytes = 0;
    if (CUDA_CODE(api, cuDeviceTotalMem, &total_bytes, ordinal) != CUDA_OK)
        total_bytes = 0;
    snprintf(info->vendor, sizeof info->vendor, "%s",
             is_hip ? "Advanced Micro Devices, Inc." : "NVIDIA Corporation");
    info->vendor_id = is_hip ? VENDOR_AMD : VENDOR_NVIDIA;
    tell_driver(l, info);
    info->type = KT_DEVICE_GPU;
    info->compute_units =
        (uint32_t)cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MULTIPROCESSOR_COUNT));
    info->max_group_size =
        (uint32_t)cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MAX_THREADS_PER_BLOCK));
    info->local_memory_bytes =
        cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MAX_SHARED_MEMORY_PER_BLOCK));
    info->memory_bytes = total_bytes;
    info->max_memory_bytes = total_bytes;
    offer_languages(l, info);
    offer_memory(api, ordinal, info);
    info->clocks[info->clock_count++] = cuda_clock(false);
    if (!is_hip)
        info->clocks[info->clock_count++] = cuda_clock(true);
    return KT_OK;
}

/* The primary context is the one that the runtime API uses, too. */
static kt_status retain_context(cuda_device *d)
{
    return d->api->kind == CUDA_KIND_HIP
               ? KT_OK
               : CUDA_DO(d->api, cuDevicePrimaryCtxRetain, &d->context, d->ordinal);
}

static void release_context(cuda_device *d)
{
    if (!d->context)
        return;
    if (d->api->cuDevicePrimaryCtxRelease_v2)
        d->api->cuDevicePrimaryCtxRelease_v2(d->ordinal);
    else
        d->api->cuDevicePrimaryCtxRelease(d->ordinal);
}

static kt_status make_stream(cuda_device *d)
{
    cuda_scope scope;
    kt_status status = cuda_device_enter(d, &scope);
    if (status == KT_OK)
        status = CUDA_DO(d->api, cuStreamCreate, &d->stream, CUDA_STREAM_NON_BLOCKING);
    cuda_leave(&scope);
    return status;
}

kt_status cuda_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                           const kt_device_info *info, const kt_host_clock *host)
{
    (void)scenario, (void)host;
    cuda_device *d = device;
    const cuda_lib *l = lib;
    d->api = &l->api;
    d->compiler = &l->compiler;
    d->info = info;
    kt_status status = CUDA_DO(d->api, cuDeviceGet, &d->ordinal, (int)index);
    if (status == KT_OK)
        status = retain_context(d);
    if (status == KT_OK)
        status = make_stream(d);
    if (status == KT_OK)
        status = cuda_pool_init(&d->events, d->api);
    if (status == KT_OK)
        status = cuda_caches_init(&d->caches);
    if (status == KT_OK)
        status = cuda_hold_init(&d->hold);
    if (status != KT_OK)
        return status;
    d->grid_max[0] =
        (uint32_t)cuda_attribute_of(d->api, d->ordinal, CUDA_ATTRIBUTE(d->api, MAX_GRID_DIM_X));
    d->grid_max[1] =
        (uint32_t)cuda_attribute_of(d->api, d->ordinal, CUDA_ATTRIBUTE(d->api, MAX_GRID_DIM_Y));
    d->grid_max[2] =
        (uint32_t)cuda_attribute_of(d->api, d->ordinal, CUDA_ATTRIBUTE(d->api, MAX_GRID_DIM_Z));
    return KT_OK;
}

void cuda_device_fini(void *device)
{
    cuda_device *d = device;
    cuda_scope scope = {0};
    if (d->stream) /* the first that is made in the context */
        cuda_device_enter_to_end(d, &scope);
    cuda_hold_fini(&d->hold, d->api);
    cuda_caches_fini(&d->caches, d->api);
    cuda_pool_fini(&d->events);
    if (d->stream)
        d->api->cuStreamDestroy(d->stream);
    cuda_leave(&scope);
    release_context(d);
}
