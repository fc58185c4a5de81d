/* SPDX-License-Identifier: MIT */
#include "backends/cuda_hip/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VENDOR_NVIDIA 0x10de
#define VENDOR_AMD    0x1002

__attribute__((format(printf, 2, 3))) static void append(kt_device_info *info, const char *format,
                                                         ...)
{
    size_t length = strlen(info->driver);
    va_list list;
    va_start(list, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    vsnprintf(info->driver + length, sizeof info->driver - length, format, list);
    va_end(list);
}

/* CUDA's version, 12040 for 12.4, is that of the API: all builds of a driver branch report the
 * same. */
static void tell_cuda_version(const cuda_lib *lib, int version, kt_device_info *info)
{
    char cuda[32] = "CUDA";
    bool is_known = lib->driver_version[0] != '\0';
    if (version > 0)
        snprintf(cuda, sizeof cuda, "CUDA %d.%d", version / 1000, version / 10 % 100);
    if (is_known)
        append(info, "NVIDIA %s (%s)", lib->driver_version, cuda);
    else
        append(info, "driver for %s", cuda);
}

/* HIP's version is 50221153 for 5.2.21153. */
static void tell_hip_version(int version, kt_device_info *info)
{
    append(info, "HIP");
    if (version > 0)
        append(info, " %d.%d.%d", version / 10000000, version / 100000 % 100, version % 100000);
}

/* Reports the architecture that code is compiled for: "sm_90", "gfx90a:sramecc+:xnack-". */
static kt_status tell_target(const cuda_api *api, cuda_ordinal ordinal, kt_device_info *info)
{
    char arch[64];
    if (api->kind == CUDA_KIND_HIP) {
        kt_status status = kt_cuda_hip_arch(api, ordinal, arch, sizeof arch);
        append(info, "%s%s", arch[0] ? ", " : "", arch);
        return status;
    }
    int major =
        (int)kt_cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, COMPUTE_CAPABILITY_MAJOR));
    int minor =
        (int)kt_cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, COMPUTE_CAPABILITY_MINOR));
    if (major > 0)
        append(info, ", sm_%d%d", major, minor);
    return KT_OK;
}

/* Reports NVRTC's version. hiprtc's is left out, because the hiprtc of HIP 5.2 reports 9.0. */
static void tell_compiler(const cuda_compiler *c, kt_device_info *info)
{
    int major = 0, minor = 0;
    const char *name = c->kind == CUDA_KIND_HIP ? "hiprtc" : "NVRTC";
    if (!c->is_here)
        append(info, ", without %s%s%s%s%s", name,
               c->kind == CUDA_KIND_HIP ? ", which compiles kernels" : "", c->reason[0] ? " (" : "",
               c->reason, c->reason[0] ? ")" : "");
    else if (c->kind == CUDA_KIND_HIP || COMPILER_CODE(c, rtcVersion, &major, &minor) != 0)
        append(info, ", %s", name);
    else
        append(info, ", %s %d.%d", name, major, minor);
}

static kt_status tell_driver(const cuda_lib *lib, cuda_ordinal ordinal, kt_device_info *info)
{
    int version = 0;
    if (CUDA_CODE(&lib->api, cuDriverGetVersion, &version) != CUDA_OK)
        version = 0;
    info->driver[0] = '\0';
    if (lib->api.kind == CUDA_KIND_HIP)
        tell_hip_version(version, info);
    else
        tell_cuda_version(lib, version, info);
    kt_status status = tell_target(&lib->api, ordinal, info);
    tell_compiler(&lib->compiler, info);
    return status;
}

/* "0000:3B:00.0" */
static bool read_pci_address(const char *text, uint32_t numbers[4])
{
    static const char behind[] = {':', ':', '.', '\0'};
    for (int i = 0; i < 4; i++) {
        char *end;
        numbers[i] = (uint32_t)strtoul(text, &end, 16);
        if (end == text || *end != behind[i])
            return false;
        text = end + 1;
    }
    return true;
}

/* HIP's bytes are the 16 digits of the GPU's number as text (read in the source of 6.x). */
static void tell_identity(const cuda_api *api, cuda_ordinal ordinal, kt_device_info *info)
{
    char text[32] = "";
    uint32_t pci[4];
    cuda_uuid uuid = {{0}};
    if (api->cuDeviceGetPCIBusId &&
        CUDA_CODE(api, cuDeviceGetPCIBusId, text, (int)sizeof text - 1, ordinal) == CUDA_OK &&
        read_pci_address(text, pci))
        kt_tell_pci_address(info, pci[0], pci[1], pci[2], pci[3]);
    if (api->cuDeviceGetUuid_v2) {
        if (CUDA_CODE(api, cuDeviceGetUuid_v2, &uuid, ordinal) == CUDA_OK)
            kt_tell_uuid(info, &uuid);
    } else if (api->cuDeviceGetUuid && CUDA_CODE(api, cuDeviceGetUuid, &uuid, ordinal) == CUDA_OK) {
        kt_tell_uuid(info, &uuid);
    }
}

static void offer_memory(const cuda_api *api, cuda_ordinal ordinal, kt_device_info *info)
{
    info->memory_kinds = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_HOST | 1u << KT_MEMORY_DEVICE;
    if (api->cuMemAllocManaged &&
        kt_cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MANAGED_MEMORY)))
        info->memory_kinds |= 1u << KT_MEMORY_SHARED;
    kt_offer_all_copies(info);
    /* The driver copies between two host memories on the calling thread, outside the stream. */
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

kt_status kt_cuda_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info)
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
    status = tell_driver(l, ordinal, info);
    if (status != KT_OK)
        return status;
    tell_identity(api, ordinal, info);
    info->type = KT_DEVICE_GPU;
    info->compute_units =
        (uint32_t)kt_cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MULTIPROCESSOR_COUNT));
    info->max_group_size =
        (uint32_t)kt_cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MAX_THREADS_PER_BLOCK));
    info->local_memory_bytes =
        kt_cuda_attribute_of(api, ordinal, CUDA_ATTRIBUTE(api, MAX_SHARED_MEMORY_PER_BLOCK));
    info->memory_bytes = total_bytes;
    info->max_memory_bytes = total_bytes;
    offer_languages(l, info);
    offer_memory(api, ordinal, info);
    info->clocks[info->clock_count++] = cuda_clock(false);
    if (!is_hip)
        info->clocks[info->clock_count++] = cuda_clock(true);
    return KT_OK;
}

/* Retains the primary context, which the runtime API uses, too. */
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
    kt_cuda_leave(&scope);
    return status;
}

/* HIP's runtime limits a grid's y and z dimensions to this number of groups, but its attributes do
 * not report the limit (read in the source of HIP 6.x). */
#define HIP_GROUPS_Y_Z_MAX 65536

/* CUDA gives a kernel more shared memory than usual if it is told so: see raise_shared(). */
static void find_shared(cuda_device *d)
{
    uint64_t more =
        d->api->cuFuncSetAttribute
            ? kt_cuda_attribute_of(d->api, d->ordinal,
                                   CUDA_ATTRIBUTE(d->api, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))
            : 0;
    d->shared_max = d->info->local_memory_bytes ? d->info->local_memory_bytes : UINT32_MAX;
    if (more > d->shared_max)
        d->shared_max = more;
}

static void find_limits(cuda_device *d)
{
    const cuda_api *api = d->api;
    find_shared(d);
    const cuda_attribute groups[3] = {CUDA_ATTRIBUTE(api, MAX_GRID_DIM_X),
                                      CUDA_ATTRIBUTE(api, MAX_GRID_DIM_Y),
                                      CUDA_ATTRIBUTE(api, MAX_GRID_DIM_Z)};
    const cuda_attribute items[3] = {CUDA_ATTRIBUTE(api, MAX_BLOCK_DIM_X),
                                     CUDA_ATTRIBUTE(api, MAX_BLOCK_DIM_Y),
                                     CUDA_ATTRIBUTE(api, MAX_BLOCK_DIM_Z)};
    for (int i = 0; i < 3; i++) {
        d->grid_max[i] = (uint32_t)kt_cuda_attribute_of(api, d->ordinal, groups[i]);
        d->group_max[i] = (uint32_t)kt_cuda_attribute_of(api, d->ordinal, items[i]);
        if (api->kind == CUDA_KIND_HIP && i > 0 &&
            (d->grid_max[i] == 0 || d->grid_max[i] > HIP_GROUPS_Y_Z_MAX))
            d->grid_max[i] = HIP_GROUPS_Y_Z_MAX;
    }
}

kt_status kt_cuda_device_init(void *device, void *lib, uint32_t index, const char *scenario,
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
        status = kt_cuda_pool_init(&d->events, d->api);
    if (status == KT_OK)
        status = kt_cuda_caches_init(&d->caches);
    if (status == KT_OK)
        status = kt_cuda_blocking_init(&d->blocking);
    if (status != KT_OK)
        return status;
    find_limits(d);
    return KT_OK;
}

void kt_cuda_device_fini(void *device)
{
    cuda_device *d = device;
    cuda_scope scope = {0};
    if (d->stream) /* the stream is the first object created in the context */
        cuda_device_enter_to_end(d, &scope);
    kt_cuda_clock_probe_fini(&d->clock_probe, d->api);
    kt_cuda_blocking_fini(&d->blocking, d->api);
    kt_cuda_caches_fini(&d->caches, d->api);
    kt_cuda_staging_fini(d);
    kt_cuda_pool_fini(&d->events);
    if (d->stream)
        d->api->cuStreamDestroy(d->stream);
    kt_cuda_leave(&scope);
    release_context(d);
}
