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
        EXPECT_USE(chained->sType == WGPUSType_DawnTogglesDescriptor,
                   "wgpuAdapterRequestDevice: %#x is chained", (unsigned)chained->sType);
        if (chained->sType != WGPUSType_DawnTogglesDescriptor)
            continue;
        EXPECT_USE(toggles->enabledToggleCount == 0,
                   "wgpuAdapterRequestDevice: toggles are enabled");
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
    object_drop(device->queue);
    object_drop(device->instance);
}

static struct WGPUDeviceImpl *make_device(struct WGPUInstanceImpl *instance,
                                          const WGPUDeviceDescriptor *d, bool has_timestamps,
                                          bool synchronised)
{
    struct WGPUDeviceImpl *device = object_create(KIND_DEVICE, sizeof *device, NULL);
    device->base.end = end_device;
    device->instance = instance;
    object_retain(instance);
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
                   "wgpuAdapterRequestDevice: the callback for a loss has no mode");
    }
    device->queue = object_create(KIND_QUEUE, sizeof *device->queue, device);
    object_drop(device); /* the two go together */
    device->queue->base.refs = 0;
    return device;
}

WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter handle, const WGPUDeviceDescriptor *descriptor,
                                    WGPURequestDeviceCallbackInfo info)
{
    bool fails = ENTER(wgpuAdapterRequestDevice, NULL), has_timestamps = false,
         synchronised = false;
    WGPUFuture future = {0};
    struct WGPUAdapterImpl *adapter = USE(handle, KIND_ADAPTER);
    if (adapter) {
        struct event *event = event_create(adapter->instance, EVENT_DEVICE, &info, __func__);
        const char *reason = fails ? "the script wants it to fail"
                                   : refusal(descriptor, &has_timestamps, &synchronised);
        event->status = reason ? WGPURequestDeviceStatus_Error : WGPURequestDeviceStatus_Success;
        if (reason)
            event->message = strdup(reason);
        else
            event->object =
                make_device(adapter->instance, descriptor, has_timestamps, synchronised);
        future = event_post(event);
    }
    stub_leave();
    return future;
}

WGPUQueue wgpuDeviceGetQueue(WGPUDevice handle)
{
    ENTER(wgpuDeviceGetQueue, handle);
    const struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct WGPUQueueImpl *queue = device ? device->queue : NULL;
    if (queue && queue->base.refs++ == 0)
        object_retain(queue->base.device);
    stub_leave();
    return queue;
}

void wgpuQueueRelease(WGPUQueue handle)
{
    ENTER(wgpuQueueRelease, handle);
    struct WGPUQueueImpl *queue = USE(handle, KIND_QUEUE);
    if (queue && --queue->base.refs == 0)
        object_drop(queue->base.device);
    stub_leave();
}

WGPUBool wgpuDeviceHasFeature(WGPUDevice handle, WGPUFeatureName feature)
{
    bool fails = ENTER(wgpuDeviceHasFeature, handle);
    const struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    bool has = device && feature == FEATURE_TIMESTAMPS && device->has_timestamps;
    stub_leave();
    return has && !fails;
}

void wgpuDeviceDestroy(WGPUDevice handle)
{
    ENTER(wgpuDeviceDestroy, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    if (device)
        device_lose(device, WGPUDeviceLostReason_Destroyed, "the device was destroyed");
    stub_leave();
}

/* With the last of it the device is lost, too, which is told. */
void wgpuDeviceRelease(WGPUDevice handle)
{
    ENTER(wgpuDeviceRelease, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    if (device && device->base.refs == 1)
        device_lose(device, WGPUDeviceLostReason_Destroyed, "the device was released");
    object_release(handle, KIND_DEVICE, __func__);
    stub_leave();
}
