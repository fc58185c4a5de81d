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
    static const char call[] = "wgpuDeviceCreateBuffer";
    return REQUIRE(device, !d->nextInChain, "%s: something is chained", call) &&
           REQUIRE(device, usage_is_sound(d->usage), "%s: usage %#llx", call,
                   (unsigned long long)d->usage) &&
           REQUIRE(device, d->size <= device->limits.maxBufferSize,
                   "%s: larger than the device's limit", call) &&
           REQUIRE(device, !d->mappedAtCreation || d->size % 4 == 0, "%s: mapped, of odd size",
                   call);
}

static void end_buffer(void *object)
{
    struct WGPUBufferImpl *buffer = object;
    buffer->base.device->memory_bytes -= buffer->base.invalid ? 0 : buffer->bytes;
    free(buffer->data);
    free(buffer->mapping);
    buffer->data = buffer->mapping = NULL;
}

/* One that cannot be had is an error, or, mapped, nothing at all. */
static struct WGPUBufferImpl *fill_buffer(struct WGPUBufferImpl *buffer,
                                          const WGPUBufferDescriptor *d, bool fails)
{
    struct WGPUDeviceImpl *device = buffer->base.device;
    buffer->base.invalid = true;
    if (fails) {
        device_forced(device, "wgpuDeviceCreateBuffer");
        return buffer;
    }
    if (!can_create(device, d))
        return buffer;
    if (d->size > script.memory - (device->memory_bytes < script.memory ? device->memory_bytes
                                                                        : script.memory)) {
        device_error(device, WGPUErrorType_OutOfMemory, "wgpuDeviceCreateBuffer: no memory left");
        return buffer;
    }
    buffer->base.invalid = false;
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
    return buffer;
}

WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice handle, const WGPUBufferDescriptor *descriptor)
{
    bool fails = ENTER(wgpuDeviceCreateBuffer, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct WGPUBufferImpl *buffer = NULL;
    if (device) {
        buffer = object_create(KIND_BUFFER, sizeof *buffer, device);
        buffer->base.end = end_buffer;
        fill_buffer(buffer, descriptor, fails);
        if (buffer->base.invalid &&
            (descriptor->mappedAtCreation || (fails && script.error == ERROR_NULL))) {
            object_release(buffer, KIND_BUFFER, __func__);
            buffer = NULL;
        }
    }
    stub_leave();
    return buffer;
}

/* ---- mapping ---- */

static bool can_map(struct WGPUBufferImpl *buffer, WGPUFlags mode, uint64_t offset, uint64_t bytes)
{
    static const char call[] = "wgpuBufferMapAsync";
    struct WGPUDeviceImpl *device = buffer->base.device;
    return device_takes(device, buffer, call) &&
           REQUIRE(device, buffer->state == BUFFER_UNMAPPED, "%s: it is mapped already", call) &&
           REQUIRE(device, mode == WGPUMapMode_Read || mode == WGPUMapMode_Write, "%s: mode",
                   call) &&
           REQUIRE(device, buffer->usage & mode, "%s: not of that usage", call) &&
           REQUIRE(device, offset % MAP_ALIGN == 0 && bytes % 4 == 0, "%s: alignment", call) &&
           REQUIRE(device, offset <= buffer->bytes && bytes <= buffer->bytes - offset,
                   "%s: beyond the end", call);
}

WGPUFuture wgpuBufferMapAsync(WGPUBuffer handle, WGPUFlags mode, size_t offset, size_t size,
                              WGPUBufferMapCallbackInfo info)
{
    bool fails = ENTER(wgpuBufferMapAsync, handle);
    WGPUFuture future = {0};
    struct WGPUBufferImpl *buffer = USE(handle, KIND_BUFFER);
    if (buffer) {
        struct WGPUDeviceImpl *device = buffer->base.device;
        struct event *event = event_create(device->instance, EVENT_MAP, &info, __func__);
        uint64_t bytes =
            size == SIZE_MAX && offset <= buffer->bytes ? buffer->bytes - offset : size;
        event->buffer = buffer;
        event->status = WGPUMapAsyncStatus_Error;
        if (device->lost) {
            event->status = WGPUMapAsyncStatus_Aborted;
            event->message = strdup("the device is lost");
        } else if (fails) {
            event->message = strdup("the script wants it to fail");
            device_forced(device, __func__);
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
        future = event_post(event);
    }
    stub_leave();
    return future;
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
static void *range(WGPUBuffer handle, size_t offset, size_t size, bool constant, const char *caller)
{
    struct WGPUBufferImpl *buffer = object_use(handle, KIND_BUFFER, caller);
    if (!buffer || buffer->base.invalid)
        return NULL;
    if (buffer->state != BUFFER_MAPPED || (!constant && buffer->map_mode != WGPUMapMode_Write)) {
        EXPECT_USE(buffer->base.device->lost, "%s: it is not mapped so", caller);
        return NULL;
    }
    uint64_t end = buffer->map_offset + buffer->map_bytes;
    uint64_t bytes = size == SIZE_MAX && offset <= end ? end - offset : size;
    bool inside = offset % MAP_ALIGN == 0 && bytes % 4 == 0 && offset >= buffer->map_offset &&
                  offset <= end && bytes <= end - offset;
    EXPECT_USE(inside, "%s: not of what is mapped", caller);
    return inside ? buffer->mapping + (offset - buffer->map_offset) : NULL;
}

void *wgpuBufferGetMappedRange(WGPUBuffer buffer, size_t offset, size_t size)
{
    bool fails = ENTER(wgpuBufferGetMappedRange, buffer);
    void *data = fails ? NULL : range(buffer, offset, size, false, __func__);
    stub_leave();
    return data;
}

const void *wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size)
{
    bool fails = ENTER(wgpuBufferGetConstMappedRange, buffer);
    const void *data = fails ? NULL : range(buffer, offset, size, true, __func__);
    stub_leave();
    return data;
}

void wgpuBufferUnmap(WGPUBuffer handle)
{
    ENTER(wgpuBufferUnmap, handle);
    struct WGPUBufferImpl *buffer = USE(handle, KIND_BUFFER);
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
    stub_leave();
}

void wgpuBufferRelease(WGPUBuffer buffer)
{
    ENTER(wgpuBufferRelease, buffer);
    object_release(buffer, KIND_BUFFER, __func__);
    stub_leave();
}

/* ---- query sets ---- */

static void end_queries(void *object)
{
    struct WGPUQuerySetImpl *set = object;
    free(set->queries);
    set->queries = NULL;
}

WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice handle, const WGPUQuerySetDescriptor *d)
{
    bool fails = ENTER(wgpuDeviceCreateQuerySet, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct WGPUQuerySetImpl *set = NULL;
    if (device) {
        set = object_create(KIND_QUERIES, sizeof *set, device);
        set->base.end = end_queries;
        if (fails)
            device_forced(device, __func__);
        set->base.invalid =
            fails || !REQUIRE(device, !d->nextInChain, "%s: something is chained", __func__) ||
            !REQUIRE(device, d->type == WGPUQueryType_Timestamp, "%s: type", __func__) ||
            !REQUIRE(device, d->count > 0 && d->count <= QUERIES_MAX, "%s: %u queries", __func__,
                     d->count) ||
            !REQUIRE(device, device->has_timestamps, "%s: the feature is not enabled", __func__);
        set->count = set->base.invalid ? 0 : d->count;
        set->queries = calloc(set->count + 1, sizeof *set->queries);
        if (fails && script.error == ERROR_NULL) {
            object_release(set, KIND_QUERIES, __func__);
            set = NULL;
        }
    }
    stub_leave();
    return set;
}

void wgpuQuerySetRelease(WGPUQuerySet set)
{
    ENTER(wgpuQuerySetRelease, set);
    object_release(set, KIND_QUERIES, __func__);
    stub_leave();
}
