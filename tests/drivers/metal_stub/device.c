/* SPDX-License-Identifier: MIT */
/* Devices, and what they are asked. */
#include "stub.h"

#include <stdio.h>
#include <string.h>

static struct device *devices[DEVICES_MAX];

/* Made when somebody asks, and there for ever. */
static struct device *device_at(unsigned ordinal)
{
    struct device *device = devices[ordinal];
    if (device)
        return device;
    device = devices[ordinal] = thing_create(KIND_DEVICE, 0, sizeof *device, NULL);
    device->thing.base.implicit = true;
    device->ordinal = ordinal;
    if (script.sampling != SAMPLING_NONE) {
        device->timestamps = thing_create(KIND_COUNTER_SET, 0, sizeof *device->timestamps, NULL);
        device->timestamps->thing.base.implicit = true;
    }
    return device;
}

id MTLCopyAllDevices(void);
id MTLCreateSystemDefaultDevice(void);

__attribute__((visibility("default"))) id MTLCopyAllDevices(void)
{
    struct thing *all[DEVICES_MAX];
    LEAVES bool goes = stub_enter_call(ENTRY_MTLCopyAllDevices);
    if (!goes)
        return NULL;
    for (unsigned i = 0; i < script.devices; i++)
        all[i] = &device_at(i)->thing;
    return thing_id(array_create(all, script.unlisted ? 0 : script.devices));
}

__attribute__((visibility("default"))) id MTLCreateSystemDefaultDevice(void)
{
    LEAVES bool goes = stub_enter_call(ENTRY_MTLCreateSystemDefaultDevice) && script.devices;
    return goes ? thing_id(thing_retain(device_at(0))) : NULL;
}

bool device_samples_at(ns_uint point)
{
    switch (script.sampling) {
    case SAMPLING_APPLE: return point == AT_STAGE;
    case SAMPLING_NONE: return false;
    default: return point == AT_DRAW || point == AT_DISPATCH || (point == AT_BLIT && script.blits);
    }
}

/* What waits for others ends after them, so the order of the commits is that of what is done: by
 * one moment, for the clock goes on meanwhile. */
static void settle(struct device *device)
{
    int64_t now_ns = clock_now();
    struct commands **at = &device->first;
    device->last = NULL;
    for (struct commands *c; (c = *at) != NULL;) {
        if (c->hangs || c->end_ns > now_ns) {
            device->last = c;
            at = &c->next;
            continue;
        }
        commands_execute(c);
        *at = c->next;
        c->queue->alive--;
        thing_drop(c);
    }
}

void devices_settle(void)
{
    for (int i = 0; i < DEVICES_MAX; i++)
        if (devices[i])
            settle(devices[i]);
}

/* ---- what it tells ---- */

static id device_name(id self, SEL selector)
{
    static const char *const names[] = {"Apple M2", "AMD Radeon Pro 5500M",
                                        "Intel(R) UHD Graphics 630", "Apple A8"};
    char text[64];
    ENTER(const struct device, device, name, KIND_DEVICE);
    if (device)
        snprintf(text, sizeof text, device->ordinal ? "%s #%u" : "%s", names[script.sampling],
                 device->ordinal + 1);
    if (script.name)
        snprintf(text, sizeof text, "%s", script.name);
    return device ? thing_leave(string_create(text)) : NULL;
}

static uint64_t device_registry_id(id self, SEL selector)
{
    ANSWER(uint64_t, registryID, struct device, KIND_DEVICE, 0x100000247U + it->ordinal);
}

static ns_bool device_low_power(id self, SEL selector)
{
    ANSWER(ns_bool, isLowPower, struct device, KIND_DEVICE, script.low_power);
}

static ns_bool device_removable(id self, SEL selector)
{
    ANSWER(ns_bool, isRemovable, struct device, KIND_DEVICE, 0);
}

static ns_bool device_headless(id self, SEL selector)
{
    ANSWER(ns_bool, isHeadless, struct device, KIND_DEVICE, 0);
}

static ns_bool device_unified(id self, SEL selector)
{
    ANSWER(ns_bool, hasUnifiedMemory, struct device, KIND_DEVICE, script.sampling != SAMPLING_AMD);
}

static uint64_t device_working_set(id self, SEL selector)
{
    ANSWER(uint64_t, recommendedMaxWorkingSetSize, struct device, KIND_DEVICE, UINT64_C(3) << 30);
}

static ns_uint device_max_buffer(id self, SEL selector)
{
    ANSWER(ns_uint, maxBufferLength, struct device, KIND_DEVICE, script.max_buffer);
}

static ns_uint device_max_group_memory(id self, SEL selector)
{
    ANSWER(ns_uint, maxThreadgroupMemoryLength, struct device, KIND_DEVICE, GROUP_MEMORY_BYTES);
}

static ns_bool device_supports_sampling(id self, SEL selector, ns_uint point)
{
    ANSWER(ns_bool, supportsCounterSampling, struct device, KIND_DEVICE, device_samples_at(point));
}

static id device_counter_sets(id self, SEL selector)
{
    ENTER(const struct device, device, counterSets, KIND_DEVICE);
    struct thing *set = device ? (struct thing *)device->timestamps : NULL;
    return set ? thing_leave(array_create(&set, 1)) : NULL;
}

static void device_sample(id self, SEL selector, uint64_t *host, uint64_t *gpu)
{
    ENTER(const struct device, device, sampleTimestamps, KIND_DEVICE);
    if (!host || !gpu)
        misuse("NULL");
    else if (device)
        clock_pair(host, gpu);
}

/* ---- what it makes ---- */

static id device_new_samples(id self, SEL selector, id descriptor, id *error)
{
    ENTER(struct device, device, newCounterSampleBuffer, KIND_DEVICE);
    struct samples *made = device ? samples_create(device, descriptor, error) : NULL;
    if (!device)
        error_tell(error, IN_COUNTERS, NOT_VALID, "the script wants it to fail");
    return thing_id(made);
}

static id device_new_queue(id self, SEL selector)
{
    ENTER(struct device, device, newCommandQueue, KIND_DEVICE);
    struct queue *made = device ? queue_create(device, COMMANDS_ALIVE) : NULL;
    return thing_id(made);
}

static id device_new_queue_of(id self, SEL selector, ns_uint count)
{
    ENTER(struct device, device, newCommandQueueWithMaxCommandBufferCount, KIND_DEVICE);
    EXPECT_USE(count > 0, "a queue for no command buffer");
    struct queue *made = device && count ? queue_create(device, count) : NULL;
    return thing_id(made);
}

static id device_new_fence(id self, SEL selector)
{
    ENTER(struct device, device, newFence, KIND_DEVICE);
    struct fence *made = device ? fence_create(device) : NULL;
    return thing_id(made);
}

static id device_new_buffer(id self, SEL selector, ns_uint bytes, ns_uint options)
{
    ENTER(struct device, device, newBufferWithLength, KIND_DEVICE);
    struct buffer *made = device ? buffer_create(device, bytes, options, NULL) : NULL;
    return thing_id(made);
}

static id device_new_buffer_over(id self, SEL selector, void *memory, ns_uint bytes,
                                 ns_uint options, const void *deallocator)
{
    ENTER(struct device, device, newBufferWithBytesNoCopy, KIND_DEVICE);
    EXPECT_USE(!deallocator, "a deallocator, which is a block");
    EXPECT_USE(memory, "NULL");
    struct buffer *made = device && memory ? buffer_create(device, bytes, options, memory) : NULL;
    return thing_id(made);
}

static id device_new_library(id self, SEL selector, id source, id options, id *error)
{
    ENTER(const struct device, device, newLibraryWithSource, KIND_DEVICE);
    struct library *made = device ? library_create(source, options, error) : NULL;
    if (!device)
        error_tell(error, IN_LIBRARIES, NOT_COMPILED, "the script wants it to fail");
    return thing_id(made);
}

static id device_new_pipeline(id self, SEL selector, id function, id *error)
{
    ENTER(const struct device, device, newComputePipelineState, KIND_DEVICE);
    struct pipeline *made = device ? pipeline_create(function, error) : NULL;
    if (!device)
        error_tell(error, IN_LIBRARIES, NOT_COMPILED, "the script wants it to fail");
    return thing_id(made);
}

static id device_new_reflected(id self, SEL selector, id function, ns_uint options, id *reflection,
                               id *error)
{
    ENTER(const struct device, device, newReflectedPipelineState, KIND_DEVICE);
    struct pipeline *made = device ? pipeline_create(function, error) : NULL;
    EXPECT_USE(options == (REFLECT_ARGUMENTS | REFLECT_TYPES), "options %lu", options);
    if (!device)
        error_tell(error, IN_LIBRARIES, NOT_COMPILED, "the script wants it to fail");
    if (made && reflection)
        *reflection = reflection_create(function);
    return thing_id(made);
}

const struct method device_methods[] = {
    METHOD(name, device_name, "@@:"),
    METHOD(registryID, device_registry_id, "Q@:"),
    METHOD(isLowPower, device_low_power, "B@:"),
    METHOD(isRemovable, device_removable, "B@:"),
    METHOD(isHeadless, device_headless, "B@:"),
    METHOD(hasUnifiedMemory, device_unified, "B@:"),
    METHOD(recommendedMaxWorkingSetSize, device_working_set, "Q@:"),
    METHOD(maxBufferLength, device_max_buffer, "Q@:"),
    METHOD(maxThreadgroupMemoryLength, device_max_group_memory, "Q@:"),
    METHOD(supportsCounterSampling, device_supports_sampling, "B@:Q"),
    METHOD(counterSets, device_counter_sets, "@@:"),
    METHOD(sampleTimestamps, device_sample, "v@:^Q^Q"),
    METHOD(newCounterSampleBuffer, device_new_samples, "@@:@^@"),
    METHOD(newCommandQueue, device_new_queue, "@@:"),
    METHOD(newCommandQueueWithMaxCommandBufferCount, device_new_queue_of, "@@:Q"),
    METHOD(newFence, device_new_fence, "@@:"),
    METHOD(newBufferWithLength, device_new_buffer, "@@:QQ"),
    METHOD(newBufferWithBytesNoCopy, device_new_buffer_over, "@@:^vQQ@?"),
    METHOD(newLibraryWithSource, device_new_library, "@@:@@^@"),
    METHOD(newComputePipelineState, device_new_pipeline, "@@:@^@"),
    METHOD(newReflectedPipelineState, device_new_reflected, "@@:@Q^@^@"),
    METHODS_END,
};
