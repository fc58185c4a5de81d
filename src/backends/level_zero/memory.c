/* SPDX-License-Identifier: MIT */
#include "backends/level_zero/internal.h"
#include "backends/transfer.h"
#include "support/alloc.h"

#include <string.h>

#define ALIGNMENT_BYTES 64
/* Size of the pieces in which device memory is transferred to and from the host. */
#define STAGING_BYTES ((size_t)4 << 20)

static const ze_host_mem_alloc_desc_t of_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
static const ze_device_mem_alloc_desc_t of_device = {.stype =
                                                         ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};

static kt_status take(kt_status status, kt_memory_kind kind, size_t bytes, void *memory, void **out)
{
    if (status == KT_OK && !memory)
        return kt_fail(KT_DRIVER_ERROR, "allocating %zu bytes of %s memory succeeded and gave none",
                       bytes, kt_memory_kind_name(kind));
    if (status == KT_OK)
        *out = memory;
    return status;
}

kt_status kt_level_zero_host_alloc(const level_zero_base *base, size_t bytes, void **out)
{
    void *memory = NULL;
    kt_status status =
        ZE_DO(base->api, zeMemAllocHost, base->context, &of_host, bytes, ALIGNMENT_BYTES, &memory);
    return take(status, KT_MEMORY_HOST, bytes, memory, out);
}

kt_status kt_level_zero_memory_allocate(const level_zero_device *device, kt_memory_kind kind,
                                        size_t bytes, void **out)
{
    const level_zero_base *base = &device->base;
    void *memory = NULL;
    kt_status status = KT_OK;
    if (kind != KT_MEMORY_DEVICE && kind != KT_MEMORY_SHARED)
        return kt_level_zero_host_alloc(base, bytes, out);
    if (kind == KT_MEMORY_DEVICE)
        status = ZE_DO(base->api, zeMemAllocDevice, base->context, &of_device, bytes,
                       ALIGNMENT_BYTES, base->device, &memory);
    else
        status = ZE_DO(base->api, zeMemAllocShared, base->context, &of_device, &of_host, bytes,
                       ALIGNMENT_BYTES, base->device, &memory);
    return take(status, kind, bytes, memory, out);
}

void kt_level_zero_free(const level_zero_base *base, void *memory)
{
    if (memory)
        base->api->zeMemFree(base->context, memory);
}

kt_status kt_level_zero_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    level_zero_memory *m = memory;
    m->device = device;
    m->kind = kind;
    if (kind != KT_MEMORY_HEAP)
        return kt_level_zero_memory_allocate(device, kind, bytes, &m->address);
    m->address = kt_alloc_aligned(KT_HEAP_ALIGNMENT, bytes);
    return m->address ? KT_OK : KT_NO_MEMORY;
}

void kt_level_zero_memory_fini(void *memory)
{
    level_zero_memory *m = memory;
    if (m->kind == KT_MEMORY_HEAP)
        kt_free(m->address);
    else
        kt_level_zero_free(&m->device->base, m->address);
}

/* ---- reading and writing ---- */

static kt_status copy_piece(const void *memory, size_t offset, char *out, const char *in,
                            size_t bytes, int64_t timeout_ns)
{
    const level_zero_memory *m = memory;
    level_zero_device *d = m->device;
    char *address = (char *)m->address + offset, *staging = d->staging;
    if (in)
        memcpy(staging, in, bytes);
    kt_status status = kt_level_zero_copy_now(&d->base, &d->transfer, in ? address : staging,
                                              in ? staging : address, bytes, timeout_ns);
    if (status == KT_OK && out)
        memcpy(out, staging, bytes);
    return status;
}

static kt_status transfer(const level_zero_memory *m, size_t offset, char *out, const char *in,
                          size_t bytes, int64_t timeout_ns)
{
    static const kt_transfer pieces = {
        .piece_bytes = STAGING_BYTES, .word_bytes = 1, .copy = copy_piece};
    level_zero_device *d = m->device;
    kt_status status =
        d->staging ? KT_OK : kt_level_zero_host_alloc(&d->base, STAGING_BYTES, &d->staging);
    return status == KT_OK ? kt_transfer_run(&pieces, m, offset, out, in, bytes, timeout_ns)
                           : status;
}

kt_status kt_level_zero_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                                    int64_t timeout_ns)
{
    const level_zero_memory *m = memory;
    if (m->kind == KT_MEMORY_DEVICE)
        return transfer(m, offset, data, NULL, bytes, timeout_ns);
    memcpy(data, (const char *)m->address + offset, bytes);
    return KT_OK;
}

kt_status kt_level_zero_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                     int64_t timeout_ns)
{
    const level_zero_memory *m = memory;
    if (m->kind == KT_MEMORY_DEVICE)
        return transfer(m, offset, NULL, data, bytes, timeout_ns);
    memcpy((char *)m->address + offset, data, bytes);
    return KT_OK;
}
