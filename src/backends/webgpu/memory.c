#include "backends/webgpu/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Transfers use pieces of this size, so that a large memory needs no staging buffer as large. */
#define PIECE_BYTES ((size_t)16 << 20)

kt_status webgpu_buffer_create(webgpu_device *device, WGPUFlags usage, uint64_t bytes,
                               WGPUBuffer *out)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage, .size = bytes};
    webgpu_catch(device);
    WGPUBuffer buffer =
        WEBGPU_CALL(device->api, wgpuDeviceCreateBuffer, NULL, device->device, &descriptor);
    kt_status status = webgpu_caught(device, KT_DRIVER_ERROR, "wgpuDeviceCreateBuffer failed");
    if (status == KT_OK && !buffer)
        status = kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateBuffer gives nothing");
    if (status == KT_OK)
        *out = buffer;
    else if (buffer)
        device->api->wgpuBufferRelease(buffer);
    return status;
}

kt_status webgpu_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
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
    kt_status status = webgpu_buffer_create(
        d, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, whole,
        &m->buffer);
    kt_mutex_unlock(d->mutex);
    return status;
}

void webgpu_memory_fini(void *memory)
{
    webgpu_memory *m = memory;
    if (m->buffer) {
        kt_mutex_lock(m->device->mutex);
        m->device->api->wgpuBufferRelease(m->buffer);
        kt_mutex_unlock(m->device->mutex);
    }
    kt_free(m->heap);
}

/* ---- whole words ---- */

kt_status webgpu_submit(webgpu_device *device, WGPUCommandEncoder encoder)
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
    kt_status status = webgpu_submit(device, encoder);
    api->wgpuCommandEncoderRelease(encoder);
    return status;
}

kt_status webgpu_read_words(webgpu_device *device, WGPUBuffer buffer, size_t offset, void *data,
                            size_t bytes, int64_t timeout_ns)
{
    kt_status status = KT_OK;
    if (!device->staging)
        status = webgpu_buffer_create(device, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                      PIECE_BYTES, &device->staging);
    for (size_t done = 0; done < bytes && status == KT_OK;) {
        size_t piece = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        const void *content = NULL;
        status = stage(device, buffer, offset + done, piece);
        if (status == KT_OK)
            status =
                webgpu_map(device, device->staging, piece, device->answer, timeout_ns, &content);
        if (status == KT_OK)
            memcpy((char *)data + done, content, piece);
        if (status != KT_TIMEOUT)
            device->api->wgpuBufferUnmap(device->staging);
        done += piece;
    }
    return status;
}

kt_status webgpu_write_words(webgpu_device *device, WGPUBuffer buffer, size_t offset,
                             const void *data, size_t bytes, int64_t timeout_ns)
{
    kt_status status = KT_OK;
    for (size_t done = 0; done < bytes && status == KT_OK;) {
        size_t piece = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        WEBGPU_DO(device, wgpuQueueWriteBuffer, device->queue, buffer, offset + done,
                  (const char *)data + done, piece);
        status = webgpu_wait_for_work(device, webgpu_work_done(device), timeout_ns);
        done += piece;
    }
    return status;
}

/* ---- any bytes ---- */

/* Part of a transfer: bytes within one word, or whole words. */
typedef struct part {
    size_t word;  /* byte offset of the part's first word */
    size_t skip;  /* number of bytes to skip in the first word */
    size_t bytes; /* number of bytes after the skipped ones */
    bool whole;   /* the part consists of whole words */
} part;

static part next_part(size_t offset, size_t bytes)
{
    part p = {.word = offset / WEBGPU_WORD * WEBGPU_WORD, .skip = offset % WEBGPU_WORD};
    p.whole = p.skip == 0 && bytes >= WEBGPU_WORD;
    if (p.whole)
        p.bytes = bytes / WEBGPU_WORD * WEBGPU_WORD;
    else
        p.bytes = bytes < WEBGPU_WORD - p.skip ? bytes : WEBGPU_WORD - p.skip;
    return p;
}

static kt_status read_part(const webgpu_memory *m, const part *p, char *data, int64_t timeout_ns)
{
    char word[WEBGPU_WORD];
    if (p->whole)
        return webgpu_read_words(m->device, m->buffer, p->word, data, p->bytes, timeout_ns);
    kt_status status =
        webgpu_read_words(m->device, m->buffer, p->word, word, sizeof word, timeout_ns);
    if (status == KT_OK)
        memcpy(data, word + p->skip, p->bytes);
    return status;
}

/* Writes one part, and keeps the other bytes of a partly written word. */
static kt_status write_part(const webgpu_memory *m, const part *p, const char *data,
                            int64_t timeout_ns)
{
    char word[WEBGPU_WORD];
    if (p->whole)
        return webgpu_write_words(m->device, m->buffer, p->word, data, p->bytes, timeout_ns);
    kt_status status =
        webgpu_read_words(m->device, m->buffer, p->word, word, sizeof word, timeout_ns);
    if (status != KT_OK)
        return status;
    memcpy(word + p->skip, data, p->bytes);
    return webgpu_write_words(m->device, m->buffer, p->word, word, sizeof word, timeout_ns);
}

kt_status webgpu_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns)
{
    const webgpu_memory *m = memory;
    kt_status status = KT_OK;
    if (m->heap) {
        memcpy(data, (const char *)m->heap + offset, bytes);
        return KT_OK;
    }
    kt_mutex_lock(m->device->mutex);
    for (size_t done = 0; done < bytes && status == KT_OK;) {
        part p = next_part(offset + done, bytes - done);
        status = read_part(m, &p, (char *)data + done, timeout_ns);
        done += p.bytes;
    }
    kt_mutex_unlock(m->device->mutex);
    return status;
}

kt_status webgpu_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns)
{
    const webgpu_memory *m = memory;
    kt_status status = KT_OK;
    if (m->heap) {
        memcpy((char *)m->heap + offset, data, bytes);
        return KT_OK;
    }
    kt_mutex_lock(m->device->mutex);
    for (size_t done = 0; done < bytes && status == KT_OK;) {
        part p = next_part(offset + done, bytes - done);
        status = write_part(m, &p, (const char *)data + done, timeout_ns);
        done += p.bytes;
    }
    kt_mutex_unlock(m->device->mutex);
    return status;
}
