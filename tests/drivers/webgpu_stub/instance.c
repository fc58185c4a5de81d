/* SPDX-License-Identifier: MIT */
/* Instances, adapters, and what they tell; devices are made here. */
#include "stub.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the library ---- */

/* A function that webgpu.h declares and the stub lacks is an error of the linker. */
WGPUProc wgpuGetProcAddress(WGPUStringView view)
{
#define ENTRY_ROW(result, name, parameters) {#name, (WGPUProc)(name)},
    static const struct {
        const char *name;
        WGPUProc function;
    } entries[] = {
        DECLARED_ENTRIES(ENTRY_ROW){"wgpuInstanceProcessEvents",
                                    (WGPUProc)wgpuInstanceProcessEvents},
#if STUB_EARLY
        {"wgpuGetInstanceCapabilities", (WGPUProc)wgpuGetInstanceCapabilities},
#else
        {"wgpuHasInstanceFeature", (WGPUProc)wgpuHasInstanceFeature},
#endif
#if STUB_NATIVE
        {"wgpuDevicePoll", (WGPUProc)wgpuDevicePoll},
#endif
        {"wgpuGetProcAddress", (WGPUProc)wgpuGetProcAddress}
    };
    char name[NAME_MAX_BYTES];
    ENTER(wgpuGetProcAddress, NULL);
    view_copy(view, name, sizeof name);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (strcmp(entries[i].name, name) == 0)
            return entries[i].function;
    return NULL;
}

#if STUB_EARLY
WGPUStatus wgpuGetInstanceCapabilities(void *capabilities)
{
    (void)capabilities;
    return WGPUStatus_Success;
}

static bool wants_limit(const void *descriptor)
{
    const WGPUEarlyInstanceDescriptor *d = descriptor;
    EXPECT_USE(!d->nextInChain && !d->capabilities.nextInChain, "something is chained");
    EXPECT_USE(d->capabilities.timedWaitAnyEnable <= 1, "no bool");
    return d->capabilities.timedWaitAnyEnable;
}
#else
WGPUBool wgpuHasInstanceFeature(WGPUInstanceFeatureName feature)
{
    return feature == WGPUInstanceFeatureName_TimedWaitAny && script.timed_wait;
}

static bool wants_limit(const void *descriptor)
{
    const WGPUInstanceDescriptor *d = descriptor;
    bool wanted = false;
    EXPECT_USE(!d->nextInChain && !d->requiredLimits, "something is chained");
    EXPECT_USE(d->requiredFeatureCount <= 1, "many features");
    for (size_t i = 0; i < d->requiredFeatureCount && i < 8; i++)
        wanted = wanted || d->requiredFeatures[i] == WGPUInstanceFeatureName_TimedWaitAny;
    return wanted;
}
#endif

#if STUB_NATIVE
uint32_t wgpuGetVersion(void)
{
    return 0x1B000000;
}

WGPUBool wgpuDevicePoll(WGPUDevice device, WGPUBool wait, const uint64_t *submission)
{
    (void)device, (void)wait, (void)submission;
    return 1;
}
#endif

WGPUInstance wgpuCreateInstance(const void *descriptor)
{
    ENTER(wgpuCreateInstance, NULL);
    bool limit = descriptor && wants_limit(descriptor);
    if (fails || (limit && !script.timed_wait))
        return NULL;
    struct WGPUInstanceImpl *instance = counted_create(KIND_INSTANCE, sizeof *instance, NULL);
    instance->waits_with_limit = limit;
    return instance;
}

void wgpuInstanceRelease(WGPUInstance instance)
{
    ENTER(wgpuInstanceRelease, NULL);
    if (!object_use(instance, KIND_INSTANCE))
        return;
    if (instance->base.counted.refs == 1)
        events_cancel(instance);
    counted_release(instance);
}

/* ---- adapters ---- */

static int find_adapter(uint64_t kind)
{
    for (uint64_t i = 0; i < script.adapters.count; i++)
        if (script.adapters.items[i] == kind)
            return (int)i;
    return -1;
}

static int choose_adapter(const WGPURequestAdapterOptions *options)
{
    if (options && options->forceFallbackAdapter)
        return find_adapter(ADAPTER_CPU);
    bool low = options && options->powerPreference == WGPUPowerPreference_LowPower;
    int index = find_adapter(low ? ADAPTER_INTEGRATED : ADAPTER_GPU);
    if (index < 0)
        index = find_adapter(low ? ADAPTER_GPU : ADAPTER_INTEGRATED);
    if (index < 0)
        index = find_adapter(ADAPTER_CPU);
    return index < 0 ? find_adapter(ADAPTER_NULL) : index;
}

static bool is_of_backend(int index, WGPUBackendType wanted)
{
    WGPUBackendType type = script.adapters.items[index] == ADAPTER_NULL ? WGPUBackendType_Null
                                                                        : WGPUBackendType_Vulkan;
    return wanted == WGPUBackendType_Undefined || wanted == type;
}

static struct WGPUAdapterImpl *make_adapter(struct WGPUInstanceImpl *instance, int index)
{
    struct WGPUAdapterImpl *adapter = counted_create(KIND_ADAPTER, sizeof *adapter, instance);
    adapter->instance = instance;
    adapter->index = (uint32_t)index;
    adapter->kind = script.adapters.items[index];
    return adapter;
}

WGPUFuture wgpuInstanceRequestAdapter(WGPUInstance handle, const WGPURequestAdapterOptions *options,
                                      WGPURequestAdapterCallbackInfo info)
{
    ENTER(wgpuInstanceRequestAdapter, NULL);
    struct WGPUInstanceImpl *instance = object_use(handle, KIND_INSTANCE);
    if (!instance)
        return (WGPUFuture){0};
    struct event *event = event_create(instance, EVENT_ADAPTER, &info);
    int index = choose_adapter(options);
    if (index >= 0 && options && !is_of_backend(index, options->backendType))
        index = -1;
    event->status = fails       ? WGPURequestAdapterStatus_Error
                    : index < 0 ? WGPURequestAdapterStatus_Unavailable
                                : WGPURequestAdapterStatus_Success;
    if (!fails && index >= 0)
        event->object = make_adapter(instance, index);
    else
        event->message = strdup(fails ? "the script wants it to fail" : "there is no adapter");
    return event_post(event);
}

/* Without a terminating zero, as the API allows. */
static WGPUStringView text_of(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length ? length : 1);
    if (!copy)
        abort();
    for (size_t i = 0; i < length; i++)
        copy[i] = text[i];
    report_infos(1);
    return (WGPUStringView){copy, length};
}

WGPUStatus wgpuAdapterGetInfo(WGPUAdapter handle, WGPUAdapterInfo *info)
{
    static const char *const names[] = {"Stub GPU", "Stub integrated GPU", "Stub CPU",
                                        "Null backend"};
    static const WGPUAdapterType types[] = {WGPUAdapterType_DiscreteGPU,
                                            WGPUAdapterType_IntegratedGPU, WGPUAdapterType_CPU,
                                            WGPUAdapterType_CPU};
    ENTER(wgpuAdapterGetInfo, NULL);
    const struct WGPUAdapterImpl *adapter = object_use(handle, KIND_ADAPTER);
    if (!adapter || fails)
        return WGPUStatus_Error;
    EXPECT_USE(!info->nextInChain, "something is chained");
    info->vendor = text_of("stub vendor");
    info->architecture = text_of("stub architecture");
    info->device = text_of(names[adapter->kind]);
    info->description = text_of("webgpu stub 1.0");
    info->backendType =
        adapter->kind == ADAPTER_NULL ? WGPUBackendType_Null : WGPUBackendType_Vulkan;
    info->adapterType = types[adapter->kind];
    info->vendorID = 0x4B54;
    info->deviceID = (uint32_t)adapter->kind + 1;
    info->subgroupMinSize = info->subgroupMaxSize = 4;
    return WGPUStatus_Success;
}

void wgpuAdapterInfoFreeMembers(WGPUAdapterInfo info)
{
    ENTER(wgpuAdapterInfoFreeMembers, NULL);
    const WGPUStringView texts[] = {info.vendor, info.architecture, info.device, info.description};
    for (int i = 0; i < 4; i++) {
        free((void *)texts[i].data);
        report_infos(texts[i].data ? -1 : 0);
    }
}

/* ---- what they can ---- */

WGPUStatus wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits *limits)
{
    ENTER(wgpuAdapterGetLimits, NULL);
    if (!object_use(adapter, KIND_ADAPTER) || fails)
        return WGPUStatus_Error;
    EXPECT_USE(!limits->nextInChain, "something is chained");
    limits_of_adapter(limits);
    return WGPUStatus_Success;
}

bool adapter_has(WGPUFeatureName feature)
{
    return (feature == FEATURE_TIMESTAMPS && script.timestamp_query) ||
           (feature == WGPUFeatureName_ImplicitDeviceSynchronization && script.synchronises);
}

WGPUBool wgpuAdapterHasFeature(WGPUAdapter adapter, WGPUFeatureName feature)
{
    ENTER(wgpuAdapterHasFeature, NULL);
    return object_use(adapter, KIND_ADAPTER) && adapter_has(feature) && !fails;
}

RELEASES(wgpuAdapterRelease, WGPUAdapter, KIND_ADAPTER)
