/* SPDX-License-Identifier: MIT */
#include "backends/webgpu/internal.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Time limit of a request for an adapter or a device, which may load a driver. */
#define ASK_NS INT64_C(30000000000)

/* ---- adapters ---- */

static void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
                         WGPUStringView message, void *answer, void *unused)
{
    (void)unused;
    webgpu_answer *a = answer;
    a->status = status;
    a->object = adapter;
    kt_webgpu_copy_text(a->message, sizeof a->message, message);
}

/* Requests an adapter. KT_OK with a NULL adapter: the library has no such adapter. */
static kt_status request_adapter(webgpu_lib *lib, WGPUPowerPreference preference, bool fallback,
                                 WGPUAdapter *out)
{
    const WGPURequestAdapterOptions options = {.featureLevel = WGPUFeatureLevel_Core,
                                               .powerPreference = preference,
                                               .forceFallbackAdapter = fallback};
    lib->answer = (webgpu_answer){0};
    WGPUFuture future =
        WEBGPU_CALL(&lib->api, wgpuInstanceRequestAdapter, (WGPUFuture){0}, lib->instance, &options,
                    (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                     .callback = take_adapter,
                                                     .userdata1 = &lib->answer});
    kt_status status =
        kt_webgpu_wait(&lib->api, lib->instance, future, ASK_NS, "wgpuInstanceRequestAdapter");
    *out = status == KT_OK && lib->answer.status == WGPURequestAdapterStatus_Success
               ? lib->answer.object
               : NULL;
    if (status == KT_OK && lib->answer.status == WGPURequestAdapterStatus_Error)
        return kt_fail(KT_DRIVER_ERROR, "wgpuInstanceRequestAdapter failed: %s",
                       lib->answer.message);
    return status;
}

/* Returns the library's number of the feature "timestamp-query", which changed once (webgpu.h). */
static WGPUFeatureName timestamp_query(const webgpu_lib *lib)
{
    return lib->early ? WGPU_EARLY_FEATURE_TIMESTAMP_QUERY : WGPUFeatureName_TimestampQuery;
}

static kt_status describe(const webgpu_lib *lib, WGPUAdapter adapter, webgpu_place *place)
{
    const webgpu_api *api = &lib->api;
    WGPUAdapterInfo info = {0};
    if (WEBGPU_CALL(api, wgpuAdapterGetInfo, WGPUStatus_Error, adapter, &info) !=
        WGPUStatus_Success)
        return kt_fail(KT_DRIVER_ERROR, "wgpuAdapterGetInfo has failed");
    place->backend = info.backendType;
    place->type = info.adapterType;
    place->vendor_id = info.vendorID;
    place->device_id = info.deviceID;
    kt_webgpu_copy_text(place->vendor, sizeof place->vendor, info.vendor);
    kt_webgpu_copy_text(place->name, sizeof place->name, info.device);
    kt_webgpu_copy_text(place->driver, sizeof place->driver, info.description);
    api->wgpuAdapterInfoFreeMembers(info);
    if (WEBGPU_CALL(api, wgpuAdapterGetLimits, WGPUStatus_Error, adapter, &place->limits) !=
        WGPUStatus_Success)
        return kt_fail(KT_DRIVER_ERROR, "wgpuAdapterGetLimits has failed");
    place->has_timestamps = api->wgpuAdapterHasFeature(adapter, timestamp_query(lib));
    place->synchronises =
        api->wgpuAdapterHasFeature(adapter, WGPUFeatureName_ImplicitDeviceSynchronization);
    return KT_OK;
}

/* Whether an adapter is listed already: requests with other options may return the same adapter. */
static bool is_listed(const webgpu_lib *lib, uint32_t count, const webgpu_place *place)
{
    for (uint32_t i = 0; i < count; i++) {
        const webgpu_place *other = &lib->places[i];
        if (other->vendor_id == place->vendor_id && other->device_id == place->device_id &&
            other->backend == place->backend && strcmp(other->name, place->name) == 0 &&
            strcmp(other->driver, place->driver) == 0)
            return true;
    }
    return false;
}

kt_status kt_webgpu_list_places(webgpu_lib *lib, uint32_t *count)
{
    static const struct {
        WGPUPowerPreference preference;
        bool fallback;
    } ways[WEBGPU_PLACES_MAX] = {{WGPUPowerPreference_HighPerformance, false},
                                 {WGPUPowerPreference_LowPower, false},
                                 {WGPUPowerPreference_Undefined, true}};
    bool null_backend = false;
    for (int i = 0; i < WEBGPU_PLACES_MAX; i++) {
        WGPUAdapter adapter = NULL;
        webgpu_place *place = &lib->places[*count];
        *place = (webgpu_place){.preference = ways[i].preference, .fallback = ways[i].fallback};
        kt_status status = request_adapter(lib, ways[i].preference, ways[i].fallback, &adapter);
        if (status == KT_OK && adapter)
            status = describe(lib, adapter, place);
        if (adapter)
            lib->api.wgpuAdapterRelease(adapter);
        if (status != KT_OK)
            return status;
        /* Dawn returns the null adapter if it has no other adapter. The null adapter runs nothing;
         * all its timestamps are 0. */
        null_backend |= adapter && place->backend == WGPUBackendType_Null;
        *count +=
            adapter && place->backend != WGPUBackendType_Null && !is_listed(lib, *count, place);
    }
    if (*count > 0)
        return KT_OK;
    return kt_fail(KT_UNAVAILABLE, "WebGPU finds no adapter%s; %s",
                   null_backend ? " but the null backend, which does nothing" : "",
                   KT_DL_BY_VARIABLE ? "install a driver that it can use: of Vulkan on Linux"
                                     : "see chrome://gpu or about:support");
}

/* ---- device description ---- */

static kt_device_type device_type(WGPUAdapterType type)
{
    return type == WGPUAdapterType_CPU ? KT_DEVICE_CPU
           : type == WGPUAdapterType_DiscreteGPU || type == WGPUAdapterType_IntegratedGPU
               ? KT_DEVICE_GPU
               : KT_DEVICE_OTHER;
}

static const char *backend_name(WGPUBackendType type)
{
    static const char *const names[] = {"undefined", "null",   "WebGPU", "D3D11",    "D3D12",
                                        "Metal",     "Vulkan", "OpenGL", "OpenGL ES"};
    return (size_t)type < sizeof names / sizeof names[0] ? names[type] : "unknown";
}

/*
 * By WebGPU's specification timestamps are 64 bits of ns. Copies from and to the heap are no
 * commands of a pass: the host's clock times them, from before the call until the data has arrived.
 */
static void describe_clocks(kt_device_info *info)
{
    info->clock_count = 2;
    info->clocks[0] = webgpu_clock();
    info->clocks[1] = info->clocks[0];
    info->clocks[1].method = KT_METHOD_HOST_WALL;
    snprintf(info->clocks[1].name, sizeof info->clocks[1].name, "host");
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

kt_status kt_webgpu_device_info(void *lib, uint32_t index, const char *scenario,
                                kt_device_info *info)
{
    (void)scenario;
    const webgpu_lib *l = lib;
    const webgpu_place *place = &l->places[index];
    const WGPULimits *limits = &place->limits;
    snprintf(info->name, sizeof info->name, "%s",
             place->name[0] ? place->name : backend_name(place->backend));
    snprintf(info->vendor, sizeof info->vendor, "%s", place->vendor);
    /* A browser is a library without a header. */
    snprintf(info->driver, sizeof info->driver, "%s%s%.200s%s", backend_name(place->backend),
             place->driver[0] ? ": " : "", place->driver,
             place->backend == WGPUBackendType_WebGPU ? ""
             : l->early                               ? " (webgpu.h of spring 2025)"
                                                      : " (webgpu.h of summer 2025 or later)");
    info->vendor_id = place->vendor_id;
    info->type = device_type(place->type);
    info->languages = KT_LANGUAGE_WGSL;
    info->memory_kinds = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_DEVICE;
    kt_offer_copy(info, KT_MEMORY_HEAP, KT_MEMORY_DEVICE);
    kt_offer_copy(info, KT_MEMORY_DEVICE, KT_MEMORY_HEAP);
    kt_offer_copy(info, KT_MEMORY_DEVICE, KT_MEMORY_DEVICE);
    info->max_group_size = limits->maxComputeInvocationsPerWorkgroup;
    info->local_memory_bytes = limits->maxComputeWorkgroupStorageSize;
    info->max_memory_bytes = limits->maxBufferSize / WEBGPU_WORD * WEBGPU_WORD;
    info->max_argument_bytes = smaller(limits->maxStorageBufferBindingSize, info->max_memory_bytes);
    if (place->has_timestamps)
        describe_clocks(info);
    return KT_OK;
}

/* ---- opening ---- */

static void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                        void *answer, void *unused)
{
    (void)unused;
    webgpu_answer *a = answer;
    a->status = status;
    a->object = device;
    a->open--;
    kt_webgpu_copy_text(a->message, sizeof a->message, message);
}

static void take_loss(const WGPUDevice *device, WGPUDeviceLostReason reason, WGPUStringView message,
                      void *user, void *unused)
{
    (void)device, (void)unused;
    webgpu_errors *errors = user;
    /* These reasons say that the device was destroyed or never created, not lost. */
    if (reason == WGPUDeviceLostReason_Destroyed ||
        reason == WGPUDeviceLostReason_CallbackCancelled ||
        reason == WGPUDeviceLostReason_FailedCreation)
        return;
    kt_mutex_lock(errors->mutex);
    errors->lost = true;
    kt_webgpu_copy_text(errors->loss, sizeof errors->loss, message);
    kt_mutex_unlock(errors->mutex);
}

static void take_uncaptured_error(const WGPUDevice *device, WGPUErrorType type,
                                  WGPUStringView message, void *user, void *unused)
{
    (void)device, (void)type, (void)unused;
    webgpu_errors *errors = user;
    kt_mutex_lock(errors->mutex);
    if (!errors->error[0])
        kt_webgpu_copy_text(errors->error, sizeof errors->error, message);
    kt_mutex_unlock(errors->mutex);
}

/*
 * Requests all limits of the adapter, and timestamps. Dawn rounds timestamps down to multiples of
 * 65,536 ns unless a toggle prevents it; other libraries ignore that structure.
 */
static kt_status request_device(webgpu_device *d, const webgpu_lib *lib, WGPUAdapter adapter)
{
    static const char *const off[] = {"timestamp_quantization"};
    WGPUDawnTogglesDescriptor toggles = {.chain = {.sType = WGPUSType_DawnTogglesDescriptor},
                                         .disabledToggleCount = 1,
                                         .disabledToggles = off};
    WGPULimits limits = d->place->limits;
    limits.nextInChain = NULL;
    WGPUFeatureName features[2];
    size_t feature_count = 0;
    if (d->place->has_timestamps)
        features[feature_count++] = timestamp_query(lib);
    if (d->place->synchronises)
        features[feature_count++] = WGPUFeatureName_ImplicitDeviceSynchronization;
    const WGPUDeviceDescriptor descriptor = {
        .nextInChain = &toggles.chain,
        .requiredFeatureCount = feature_count,
        .requiredFeatures = features,
        .requiredLimits = &limits,
        .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowSpontaneous,
                                   .callback = take_loss,
                                   .userdata1 = d->errors},
        .uncapturedErrorCallbackInfo = {.callback = take_uncaptured_error, .userdata1 = d->errors}};
    WGPUFuture future = WEBGPU_CALL(
        d->api, wgpuAdapterRequestDevice, (WGPUFuture){0}, adapter, &descriptor,
        (WGPURequestDeviceCallbackInfo){
            .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_device, .userdata1 = d->answer});
    d->answer->open += future.id != 0;
    kt_status status =
        kt_webgpu_wait(d->api, d->instance, future, ASK_NS, "wgpuAdapterRequestDevice");
    if (status != KT_OK)
        return status;
    if (d->answer->status != WGPURequestDeviceStatus_Success)
        return kt_fail(KT_DRIVER_ERROR, "wgpuAdapterRequestDevice failed: %s", d->answer->message);
    d->device = d->answer->object;
    d->queue = WEBGPU_CALL(d->api, wgpuDeviceGetQueue, NULL, d->device);
    return d->queue ? KT_OK : kt_fail(KT_DRIVER_ERROR, "wgpuDeviceGetQueue gives nothing");
}

kt_status kt_webgpu_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                                const kt_device_info *info, const kt_host_clock *host)
{
    (void)scenario;
    webgpu_device *d = device;
    webgpu_lib *l = lib;
    WGPUAdapter adapter = NULL;
    d->api = &l->api;
    d->instance = l->instance;
    d->info = info;
    d->place = &l->places[index];
    d->host = *host;
    d->answer = kt_webgpu_answer_create();
    d->errors = kt_webgpu_errors_create();
    if (!d->answer || !d->errors)
        return KT_NO_MEMORY;
    kt_status status = kt_mutex_create(&d->mutex);
    if (status == KT_OK)
        status = request_adapter(l, d->place->preference, d->place->fallback, &adapter);
    if (status == KT_OK && !adapter)
        status = kt_fail(KT_UNAVAILABLE, "the adapter of %s is not there any more", info->id);
    if (status == KT_OK)
        status = request_device(d, l, adapter);
    if (adapter)
        l->api.wgpuAdapterRelease(adapter);
    return status;
}

void kt_webgpu_device_fini(void *device)
{
    webgpu_device *d = device;
    kt_webgpu_caches_fini(d);
    kt_webgpu_empty_fini(d);
    if (d->staging)
        d->api->wgpuBufferRelease(d->staging);
    if (d->queue)
        d->api->wgpuQueueRelease(d->queue);
    if (d->device) {
        d->api->wgpuDeviceDestroy(d->device);
        d->api->wgpuDeviceRelease(d->device);
    }
    kt_webgpu_errors_destroy(d->errors, d->answer && d->answer->open);
    kt_webgpu_answer_destroy(d->answer);
    kt_mutex_destroy(d->mutex);
}

/* Reads the host's clock. WebGPU has no call that reads the device's clock. */
kt_status kt_webgpu_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    const webgpu_device *d = device;
    if (clock == 0)
        return kt_fail(KT_UNSUPPORTED, "WebGPU has no call that reads the clock of its timestamps");
    pair->host_before_ns = pair->host_after_ns = d->host.now(d->host.user);
    pair->ticks = (uint64_t)pair->host_before_ns;
    return KT_OK;
}
