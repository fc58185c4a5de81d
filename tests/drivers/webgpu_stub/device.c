/* SPDX-License-Identifier: MIT */
/* Devices: what they are asked for, and their end. */
#include "stub.h"

#include <stdio.h>
#include <stdlib.h>

/* What is wanted, or why it is not to be had. */
static const char *refusal(const WGPUDeviceDescriptor *d, bool *has_timestamps, bool *synchronised)
{
    for (size_t i = 0; d && i < d->requiredFeatureCount; i++) {
        bool timestamps = d->requiredFeatures[i] == FEATURE_TIMESTAMPS;
        if (!adapter_has(d->requiredFeatures[i]))
            return "the adapter has not all features";
        *has_timestamps |= timestamps;
        *synchronised |= !timestamps;
    }
    return d && d->requiredLimits && !limits_are_there(d->requiredLimits)
               ? "a limit is beyond the adapter's"
               : NULL;
}

static bool disables(const WGPUDeviceDescriptor *d, const char *toggle)
{
    for (const WGPUChainedStruct *chained = d->nextInChain; chained; chained = chained->next) {
        const WGPUDawnTogglesDescriptor *toggles = (const void *)chained;
        EXPECT_USE(chained->sType == WGPUSType_DawnTogglesDescriptor, "%#x is chained",
                   (unsigned)chained->sType);
        if (chained->sType != WGPUSType_DawnTogglesDescriptor)
            continue;
        EXPECT_USE(toggles->enabledToggleCount == 0, "toggles are enabled");
        for (size_t i = 0; i < toggles->disabledToggleCount; i++)
            if (strcmp(toggles->disabledToggles[i], toggle) == 0)
                return true;
    }
    return false;
}

static void end_device(void *object)
{
    struct WGPUDeviceImpl *device = object;
    while (device->scopes) {
        struct scope *scope = device->scopes;
        misuse("a device ends within an error scope");
        device->scopes = scope->outer;
        free(scope->message);
        free(scope);
    }
    device->queue->base.device = NULL;
    counted_drop(device->queue);
}

static struct WGPUDeviceImpl *make_device(struct WGPUInstanceImpl *instance,
                                          const WGPUDeviceDescriptor *d, bool has_timestamps,
                                          bool synchronised)
{
    struct WGPUDeviceImpl *device = counted_create(KIND_DEVICE, sizeof *device, instance);
    device->base.counted.object.end = end_device;
    device->base.device = device;
    device->instance = instance;
    device->has_timestamps = has_timestamps;
    device->synchronised = synchronised;
    device->quantised = true;
    limits_of_device(d ? d->requiredLimits : NULL, &device->limits);
    if (d) {
        device->on_lost = d->deviceLostCallbackInfo;
        device->on_error = d->uncapturedErrorCallbackInfo;
        device->quantised =
            !disables(d, "timestamp_quantization") || script.toggle == TOGGLE_IGNORED;
        EXPECT_USE(!device->on_lost.callback || device->on_lost.mode,
                   "the callback for a loss has no mode");
    }
    /* The two go together. */
    device->queue = counted_create(KIND_QUEUE, sizeof *device->queue, NULL);
    device->queue->base.device = device;
    counted_hide(device->queue);
    return device;
}

WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter handle, const WGPUDeviceDescriptor *descriptor,
                                    WGPURequestDeviceCallbackInfo info)
{
    ENTER(wgpuAdapterRequestDevice, NULL);
    bool has_timestamps = false, synchronised = false;
    struct WGPUAdapterImpl *adapter = object_use(handle, KIND_ADAPTER);
    if (!adapter)
        return (WGPUFuture){0};
    struct event *event = event_create(adapter->instance, EVENT_DEVICE, &info);
    const char *reason =
        fails ? "the script wants it to fail" : refusal(descriptor, &has_timestamps, &synchronised);
    event->status = reason ? WGPURequestDeviceStatus_Error : WGPURequestDeviceStatus_Success;
    if (reason)
        event->message = strdup(reason);
    else
        event->object = make_device(adapter->instance, descriptor, has_timestamps, synchronised);
    return event_post(event);
}

WGPUQueue wgpuDeviceGetQueue(WGPUDevice handle)
{
    ENTER(wgpuDeviceGetQueue, handle);
    const struct WGPUDeviceImpl *device = object_use(handle, KIND_DEVICE);
    if (!device)
        return NULL;
    if (device->queue->base.counted.refs == 0)
        counted_hold(handle);
    counted_lend(device->queue);
    return device->queue;
}

void wgpuQueueRelease(WGPUQueue queue)
{
    ENTER(wgpuQueueRelease, queue);
    if (!object_use(queue, KIND_QUEUE))
        return;
    counted_release(queue);
    if (queue->base.counted.refs == 0)
        counted_drop(queue->base.device);
}

WGPUBool wgpuDeviceHasFeature(WGPUDevice handle, WGPUFeatureName feature)
{
    ENTER(wgpuDeviceHasFeature, handle);
    const struct WGPUDeviceImpl *device = object_use(handle, KIND_DEVICE);
    return device && !fails && feature == FEATURE_TIMESTAMPS && device->has_timestamps;
}

void wgpuDeviceDestroy(WGPUDevice handle)
{
    ENTER(wgpuDeviceDestroy, handle);
    struct WGPUDeviceImpl *device = object_use(handle, KIND_DEVICE);
    if (device)
        device_lose(device, WGPUDeviceLostReason_Destroyed, "the device was destroyed");
}

/* With the last of it the device is lost, too, which is told. */
void wgpuDeviceRelease(WGPUDevice device)
{
    ENTER(wgpuDeviceRelease, device);
    if (!object_use(device, KIND_DEVICE))
        return;
    if (device->base.counted.refs == 1)
        device_lose(device, WGPUDeviceLostReason_Destroyed, "the device was released");
    counted_release(device);
}
