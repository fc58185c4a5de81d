/* SPDX-License-Identifier: MIT */
#include "backends/webgpu/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Transfers use pieces of this size, so that a large memory needs no staging buffer as large. */
#define PIECE_BYTES ((size_t)16 << 20)

kt_status kt_webgpu_buffer_create(webgpu_device *device, WGPUFlags usage, uint64_t bytes,
                                  WGPUBuffer *out)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage, .size = bytes};
    kt_webgpu_catch(device);
    WGPUBuffer buffer =
        WEBGPU_CALL(device->api, wgpuDeviceCreateBuffer, NULL, device->device, &descriptor);
    kt_status status = kt_webgpu_caught(device, KT_DRIVER_ERROR, "wgpuDeviceCreateBuffer failed");
    if (status == KT_OK && !buffer)
        status = kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateBuffer gives nothing");
    if (status == KT_OK)
        *out = buffer;
    else if (buffer)
        device->api->wgpuBufferRelease(buffer);
    return status;
}

kt_status kt_webgpu_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    webgpu_memory *m = memory;
    webgpu_device *d = device;
    size_t whole = (bytes + WEBGPU_WORD - 1) / WEBGPU_WORD * WEBGPU_WORD;
    m->device = d;
    if (kind == KT_MEMORY_HEAP) {
        m->heap = kt_alloc_aligned(KT_HEAP_ALIGNMENT, whole);
        return m->heap ? KT_OK : KT_NO_MEMORY;
    }
    kt_mutex_lock(d->mutex);
    kt_status status = kt_webgpu_buffer_create(
        d, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, whole,
        &m->buffer);
    kt_mutex_unlock(d->mutex);
    return status;
}

void kt_webgpu_memory_fini(void *memory)
{
    webgpu_memory *m = memory;
    if (m->buffer) {
        kt_mutex_lock(m->device->mutex);
        m->device->api->wgpuBufferRelease(m->buffer);
        kt_mutex_unlock(m->device->mutex);
    }
    kt_free(m->heap);
}

/* ---- reading and writing ---- */

kt_status kt_webgpu_submit(webgpu_device *device, WGPUCommandEncoder encoder)
{
    const webgpu_api *api = device->api;
    WGPUCommandBuffer commands = WEBGPU_CALL(api, wgpuCommandEncoderFinish, NULL, encoder, NULL);
    if (!commands)
        return kt_fail(KT_DRIVER_ERROR, "wgpuCommandEncoderFinish gives nothing");
    WEBGPU_DO(device, wgpuQueueSubmit, device->queue, 1, &commands);
    api->wgpuCommandBufferRelease(commands);
    return KT_OK;
}

/* Copies a piece of a buffer to the staging buffer, which must exist. */
static kt_status stage(webgpu_device *device, WGPUBuffer buffer, size_t offset, size_t bytes)
{
    const webgpu_api *api = device->api;
    WGPUCommandEncoder encoder =
        WEBGPU_CALL(api, wgpuDeviceCreateCommandEncoder, NULL, device->device, NULL);
    if (!encoder)
        return kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateCommandEncoder gives nothing");
    WEBGPU_DO(device, wgpuCommandEncoderCopyBufferToBuffer, encoder, buffer, offset,
              device->staging, 0, bytes);
    kt_status status = kt_webgpu_submit(device, encoder);
    api->wgpuCommandEncoderRelease(encoder);
    return status;
}

static kt_status read_piece(webgpu_device *d, WGPUBuffer buffer, size_t offset, char *out,
                            size_t bytes, int64_t timeout_ns)
{
    const void *content = NULL;
    kt_status status = KT_OK;
    if (!d->staging)
        status = kt_webgpu_buffer_create(d, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                         PIECE_BYTES, &d->staging);
    if (!d->staging)
        return status;
    status = stage(d, buffer, offset, bytes);
    if (status == KT_OK)
        status = kt_webgpu_map(d, d->staging, bytes, d->answer, timeout_ns, &content);
    if (status == KT_OK)
        memcpy(out, content, bytes);
    if (status != KT_TIMEOUT)
        d->api->wgpuBufferUnmap(d->staging);
    return status;
}

static kt_status copy_piece(const void *memory, size_t offset, char *out, const char *in,
                            size_t bytes, int64_t timeout_ns)
{
    const webgpu_memory *m = memory;
    webgpu_device *d = m->device;
    if (out)
        return read_piece(d, m->buffer, offset, out, bytes, timeout_ns);
    WEBGPU_DO(d, wgpuQueueWriteBuffer, d->queue, m->buffer, offset, in, bytes);
    return kt_webgpu_wait_for_work(d, kt_webgpu_work_done(d), timeout_ns);
}

const kt_transfer kt_webgpu_pieces = {
    .piece_bytes = PIECE_BYTES, .word_bytes = WEBGPU_WORD, .copy = copy_piece};

kt_status kt_webgpu_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                                int64_t timeout_ns)
{
    const webgpu_memory *m = memory;
    if (m->heap) {
        memcpy(data, (const char *)m->heap + offset, bytes);
        return KT_OK;
    }
    kt_mutex_lock(m->device->mutex);
    kt_status status = kt_transfer_run(&kt_webgpu_pieces, m, offset, data, NULL, bytes, timeout_ns);
    kt_mutex_unlock(m->device->mutex);
    return status;
}

kt_status kt_webgpu_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                 int64_t timeout_ns)
{
    const webgpu_memory *m = memory;
    if (m->heap) {
        memcpy((char *)m->heap + offset, data, bytes);
        return KT_OK;
    }
    kt_mutex_lock(m->device->mutex);
    kt_status status = kt_transfer_run(&kt_webgpu_pieces, m, offset, NULL, data, bytes, timeout_ns);
    kt_mutex_unlock(m->device->mutex);
    return status;
}
