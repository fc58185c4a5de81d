/* SPDX-License-Identifier: MIT */
/* Buffers, and how the host comes to what is in them. */
#include "stub.h"

#include <stdlib.h>

static bool usage_is_sound(WGPUFlags usage)
{
    const WGPUFlags reads = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
    const WGPUFlags writes = WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc;
    if (usage & WGPUBufferUsage_MapRead)
        return !(usage & ~reads);
    return usage != 0 && usage < 0x400 &&
           (!(usage & WGPUBufferUsage_MapWrite) || !(usage & ~writes));
}

static bool can_create(struct WGPUDeviceImpl *device, const WGPUBufferDescriptor *d)
{
    return REQUIRE(device, !d->nextInChain, "something is chained") &&
           REQUIRE(device, usage_is_sound(d->usage), "usage %#llx", (unsigned long long)d->usage) &&
           REQUIRE(device, d->size <= device->limits.maxBufferSize,
                   "larger than the device's limit") &&
           REQUIRE(device, !d->mappedAtCreation || d->size % 4 == 0, "mapped, of odd size");
}

static void end_buffer(void *object)
{
    struct WGPUBufferImpl *buffer = object;
    buffer->base.device->memory_bytes -= buffer->base.invalid ? 0 : buffer->bytes;
    free(buffer->data);
    free(buffer->mapping);
    buffer->data = buffer->mapping = NULL;
}

static bool fill_buffer(struct WGPUBufferImpl *buffer, const WGPUBufferDescriptor *d)
{
    struct WGPUDeviceImpl *device = buffer->base.device;
    if (!can_create(device, d))
        return false;
    if (device->memory_bytes > script.memory || d->size > script.memory - device->memory_bytes) {
        device_error(device, WGPUErrorType_OutOfMemory, "no memory left");
        return false;
    }
    buffer->usage = d->usage;
    buffer->bytes = d->size;
    buffer->data = calloc(1, d->size ? d->size : 1);
    device->memory_bytes += d->size;
    if (!buffer->data)
        abort();
    if (d->mappedAtCreation) {
        buffer->state = BUFFER_MAPPED;
        buffer->map_bytes = d->size;
        buffer->map_mode = WGPUMapMode_Write;
        buffer->mapping = calloc(1, d->size ? d->size : 1);
    }
    return true;
}

/* One that cannot be had is an error, or, mapped, nothing at all. */
WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *d)
{
    ENTER(wgpuDeviceCreateBuffer, device);
    if (!object_use(device, KIND_DEVICE))
        return NULL;
    WGPUBuffer buffer = create(KIND_BUFFER, sizeof *buffer, device, fails, end_buffer);
    if (buffer && !fails)
        buffer->base.invalid = !fill_buffer(buffer, d);
    if (!buffer || !buffer->base.invalid || !d->mappedAtCreation)
        return buffer;
    counted_release(buffer);
    return NULL;
}

/* ---- mapping ---- */

static bool can_map(struct WGPUBufferImpl *buffer, WGPUFlags mode, uint64_t offset, uint64_t bytes)
{
    struct WGPUDeviceImpl *device = buffer->base.device;
    return device_takes(device, buffer) &&
           REQUIRE(device, buffer->state == BUFFER_UNMAPPED, "it is mapped already") &&
           REQUIRE(device, mode == WGPUMapMode_Read || mode == WGPUMapMode_Write, "mode") &&
           REQUIRE(device, buffer->usage & mode, "not of that usage") &&
           REQUIRE(device, offset % MAP_ALIGN == 0 && bytes % 4 == 0, "alignment") &&
           REQUIRE(device, offset <= buffer->bytes && bytes <= buffer->bytes - offset,
                   "beyond the end");
}

WGPUFuture wgpuBufferMapAsync(WGPUBuffer buffer, WGPUFlags mode, size_t offset, size_t size,
                              WGPUBufferMapCallbackInfo info)
{
    ENTER(wgpuBufferMapAsync, buffer);
    if (!object_use(buffer, KIND_BUFFER))
        return (WGPUFuture){0};
    struct WGPUDeviceImpl *device = buffer->base.device;
    struct event *event = event_create(device->instance, EVENT_MAP, &info);
    uint64_t bytes = size == SIZE_MAX && offset <= buffer->bytes ? buffer->bytes - offset : size;
    event->buffer = buffer;
    event->status = WGPUMapAsyncStatus_Error;
    if (device->lost) {
        event->status = WGPUMapAsyncStatus_Aborted;
        event->message = strdup("the device is lost");
    } else if (fails) {
        event->message = strdup("the script wants it to fail");
        device_forced(device);
    } else if (!can_map(buffer, mode, offset, bytes)) {
        event->message = strdup("not to be mapped");
    } else {
        event->status = WGPUMapAsyncStatus_Success;
        event->device = device;
        event->serial = buffer->last_use;
        buffer->state = BUFFER_PENDING;
        buffer->pending = event;
        buffer->map_offset = offset;
        buffer->map_bytes = bytes;
        buffer->map_mode = mode;
    }
    return event_post(event);
}

void buffer_settle(struct WGPUBufferImpl *buffer, struct event *event)
{
    if (buffer->pending != event)
        return;
    buffer->pending = NULL;
    buffer->state = BUFFER_MAPPED;
    buffer->mapping = malloc(buffer->map_bytes ? buffer->map_bytes : 1);
    if (!buffer->mapping)
        abort();
    memcpy(buffer->mapping, buffer->data + buffer->map_offset, buffer->map_bytes);
}

/* What is read only is given to who asks for that alone. */
static void *range(WGPUBuffer buffer, size_t offset, size_t size, bool constant)
{
    if (!object_use(buffer, KIND_BUFFER) || buffer->base.invalid)
        return NULL;
    if (buffer->state != BUFFER_MAPPED || (!constant && buffer->map_mode != WGPUMapMode_Write)) {
        EXPECT_USE(buffer->base.device->lost, "it is not mapped so");
        return NULL;
    }
    uint64_t end = buffer->map_offset + buffer->map_bytes;
    uint64_t bytes = size == SIZE_MAX && offset <= end ? end - offset : size;
    bool inside = offset % MAP_ALIGN == 0 && bytes % 4 == 0 && offset >= buffer->map_offset &&
                  offset <= end && bytes <= end - offset;
    EXPECT_USE(inside, "not of what is mapped");
    return inside ? buffer->mapping + (offset - buffer->map_offset) : NULL;
}

void *wgpuBufferGetMappedRange(WGPUBuffer buffer, size_t offset, size_t size)
{
    ENTER(wgpuBufferGetMappedRange, buffer);
    return fails ? NULL : range(buffer, offset, size, false);
}

const void *wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size)
{
    ENTER(wgpuBufferGetConstMappedRange, buffer);
    return fails ? NULL : range(buffer, offset, size, true);
}

void wgpuBufferUnmap(WGPUBuffer handle)
{
    ENTER(wgpuBufferUnmap, handle);
    struct WGPUBufferImpl *buffer = object_use(handle, KIND_BUFFER);
    if (buffer && !buffer->base.invalid) {
        if (buffer->pending) {
            buffer->pending->status = WGPUMapAsyncStatus_Aborted;
            buffer->pending->message = strdup("it was unmapped");
            buffer->pending = NULL;
        }
        if (buffer->state == BUFFER_MAPPED && buffer->map_mode == WGPUMapMode_Write)
            memcpy(buffer->data + buffer->map_offset, buffer->mapping, buffer->map_bytes);
        free(buffer->mapping);
        buffer->mapping = NULL;
        buffer->state = BUFFER_UNMAPPED;
        events_look(buffer->base.device->instance);
    }
}

RELEASES(wgpuBufferRelease, WGPUBuffer, KIND_BUFFER)

/* ---- query sets ---- */

static void end_queries(void *object)
{
    struct WGPUQuerySetImpl *set = object;
    free(set->queries);
    set->queries = NULL;
}

static bool fill_queries(struct WGPUQuerySetImpl *set, const WGPUQuerySetDescriptor *d)
{
    struct WGPUDeviceImpl *device = set->base.device;
    if (!REQUIRE(device, !d->nextInChain, "something is chained") ||
        !REQUIRE(device, d->type == WGPUQueryType_Timestamp, "type") ||
        !REQUIRE(device, d->count > 0 && d->count <= QUERIES_MAX, "%u queries", d->count) ||
        !REQUIRE(device, device->has_timestamps, "the feature is not enabled"))
        return false;
    set->count = d->count;
    set->queries = calloc(set->count, sizeof *set->queries);
    return set->queries != NULL;
}

WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, const WGPUQuerySetDescriptor *d)
{
    ENTER(wgpuDeviceCreateQuerySet, device);
    if (!object_use(device, KIND_DEVICE))
        return NULL;
    WGPUQuerySet set = create(KIND_QUERIES, sizeof *set, device, fails, end_queries);
    if (set && !fails)
        set->base.invalid = !fill_queries(set, d);
    return set;
}

RELEASES(wgpuQuerySetRelease, WGPUQuerySet, KIND_QUERIES)
