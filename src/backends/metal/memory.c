/* SPDX-License-Identifier: MIT */
#include "backends/metal/internal.h"
#include "backends/transfer.h"
#include "support/alloc.h"

#include <string.h>

/* Private memory is read and written through a staging buffer of this size. */
#define STAGING_BYTES ((size_t)4 << 20)

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

kt_status kt_metal_buffer_create(const metal_device *device, size_t bytes, size_t options,
                                 objc_id *out)
{
    *out = metal_new_buffer(device->api, device->device, round_up(bytes, METAL_WORD), options);
    return *out ? KT_OK
                : kt_fail(KT_NO_MEMORY, "newBufferWithLength:options: gives none of %zu bytes",
                          bytes);
}

/* Metal takes only whole pages of one mapping, so malloc() memory does not fit. */
static kt_status wrap_heap(metal_memory *m, size_t bytes)
{
    const metal_device *d = m->device;
    size_t whole = round_up(bytes, METAL_PAGE);
    m->heap = kt_alloc_pages(whole);
    m->heap_bytes = whole;
    if (!m->heap)
        return KT_NO_MEMORY;
    m->buffer =
        metal_new_buffer_over(d->api, d->device, m->heap, whole, METAL_STORAGE_SHARED, NULL);
    m->address = m->heap;
    return m->buffer
               ? KT_OK
               : kt_fail(
                     KT_NO_MEMORY,
                     "newBufferWithBytesNoCopy:length:options:deallocator: gives none of %zu bytes",
                     whole);
}

static kt_status create(metal_memory *m, size_t bytes)
{
    if (m->kind == KT_MEMORY_HEAP)
        return wrap_heap(m, bytes);
    bool is_private = m->kind == KT_MEMORY_DEVICE;
    kt_status status = kt_metal_buffer_create(
        m->device, bytes, is_private ? METAL_STORAGE_PRIVATE : METAL_STORAGE_SHARED, &m->buffer);
    if (status != KT_OK || is_private)
        return status;
    m->address = metal_contents(m->device->api, m->buffer);
    return m->address ? KT_OK : kt_fail(KT_DRIVER_ERROR, "a buffer of Metal has no contents");
}

kt_status kt_metal_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    metal_memory *m = memory;
    kt_status status;
    m->device = device;
    m->kind = kind;
    METAL_WITHIN_POOL(m->device->api, status, create(m, bytes));
    return status;
}

void kt_metal_memory_fini(void *memory)
{
    metal_memory *m = memory;
    const metal_api *api = m->device->api;
    void *pool = metal_pool_push(api);
    metal_release(api, m->buffer);
    metal_pool_pop(api, pool);
    kt_free_pages(m->heap, m->heap_bytes);
}

/* ---- reading and writing ---- */

static kt_status copy_now(metal_device *d, objc_id src, size_t src_offset, objc_id dst,
                          size_t dst_offset, size_t bytes, int64_t timeout_ns)
{
    const metal_timestamps none = {.strategy = METAL_BY_COMMANDS};
    metal_single single;
    kt_status status = kt_metal_single_begin(&d->work, true, &none, &single);
    if (status == KT_OK) {
        metal_copy_buffer(d->api, single.encoder, src, src_offset, dst, dst_offset, bytes);
        status = kt_metal_single_run(&d->work, &none, &single, timeout_ns);
    }
    kt_metal_single_fini(&d->work, &single, status);
    return status;
}

/* Private memory is copied in whole words. */
static kt_status copy_piece(const void *memory, size_t offset, char *out, const char *in,
                            size_t bytes, int64_t timeout_ns)
{
    const metal_memory *m = memory;
    metal_device *d = m->device;
    void *pool = metal_pool_push(d->api);
    char *staged = metal_contents(d->api, d->staging);
    kt_status status =
        staged ? KT_OK : kt_fail(KT_DRIVER_ERROR, "a buffer of Metal has no contents");
    if (status == KT_OK && in) {
        memcpy(staged, in, bytes);
        status = copy_now(d, d->staging, 0, m->buffer, offset, bytes, timeout_ns);
    } else if (status == KT_OK) {
        status = copy_now(d, m->buffer, offset, d->staging, 0, bytes, timeout_ns);
    }
    if (status == KT_OK && out)
        memcpy(out, staged, bytes);
    metal_pool_pop(d->api, pool);
    return status;
}

static kt_status transfer(const metal_memory *m, size_t offset, char *out, const char *in,
                          size_t bytes, int64_t timeout_ns)
{
    static const kt_transfer pieces = {
        .piece_bytes = STAGING_BYTES, .word_bytes = METAL_WORD, .copy = copy_piece};
    metal_device *d = m->device;
    kt_status status = KT_OK;
    if (!d->staging)
        METAL_WITHIN_POOL(
            d->api, status,
            kt_metal_buffer_create(d, STAGING_BYTES, METAL_STORAGE_SHARED, &d->staging));
    return status == KT_OK ? kt_transfer_run(&pieces, m, offset, out, in, bytes, timeout_ns)
                           : status;
}

kt_status kt_metal_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                               int64_t timeout_ns)
{
    const metal_memory *m = memory;
    if (!m->address)
        return transfer(m, offset, data, NULL, bytes, timeout_ns);
    memcpy(data, m->address + offset, bytes);
    return KT_OK;
}

kt_status kt_metal_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                int64_t timeout_ns)
{
    const metal_memory *m = memory;
    if (!m->address)
        return transfer(m, offset, NULL, data, bytes, timeout_ns);
    memcpy(m->address + offset, data, bytes);
    return KT_OK;
}
