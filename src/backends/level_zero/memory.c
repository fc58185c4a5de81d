#include "backends/level_zero/internal.h"
#include "support/alloc.h"
#include "support/host_clock.h"

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

kt_status level_zero_host_alloc(const level_zero_base *base, size_t bytes, void **out)
{
    void *memory = NULL;
    kt_status status =
        ZE_DO(base->api, zeMemAllocHost, base->context, &of_host, bytes, ALIGNMENT_BYTES, &memory);
    return take(status, KT_MEMORY_HOST, bytes, memory, out);
}

kt_status level_zero_memory_allocate(const level_zero_device *device, kt_memory_kind kind,
                                     size_t bytes, void **out)
{
    const level_zero_base *base = &device->base;
    void *memory = NULL;
    kt_status status = KT_OK;
    if (kind != KT_MEMORY_DEVICE && kind != KT_MEMORY_SHARED)
        return level_zero_host_alloc(base, bytes, out);
    if (kind == KT_MEMORY_DEVICE)
        status = ZE_DO(base->api, zeMemAllocDevice, base->context, &of_device, bytes,
                       ALIGNMENT_BYTES, base->device, &memory);
    else
        status = ZE_DO(base->api, zeMemAllocShared, base->context, &of_device, &of_host, bytes,
                       ALIGNMENT_BYTES, base->device, &memory);
    return take(status, kind, bytes, memory, out);
}

void level_zero_free(const level_zero_base *base, void *memory)
{
    if (memory)
        base->api->zeMemFree(base->context, memory);
}

kt_status level_zero_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    level_zero_memory *m = memory;
    m->device = device;
    m->kind = kind;
    if (kind != KT_MEMORY_HEAP)
        return level_zero_memory_allocate(device, kind, bytes, &m->address);
    m->address = kt_alloc_aligned(KT_HEAP_ALIGNMENT, bytes);
    return m->address ? KT_OK : KT_NO_MEMORY;
}

void level_zero_memory_fini(void *memory)
{
    level_zero_memory *m = memory;
    if (m->kind == KT_MEMORY_HEAP)
        kt_free(m->address);
    else
        level_zero_free(&m->device->base, m->address);
}

/* ---- reading and writing ---- */

/* Transfers device memory in pieces that share one time limit. Either `out` or `in` is NULL. */
static kt_status transfer(level_zero_device *d, char *address, char *out, const char *in,
                          size_t bytes, int64_t timeout_ns)
{
    const level_zero_base *base = &d->base;
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = KT_OK;
    if (!d->staging)
        status = level_zero_host_alloc(base, STAGING_BYTES, &d->staging);
    for (size_t at = 0; at < bytes && status == KT_OK; at += STAGING_BYTES) {
        size_t piece = bytes - at < STAGING_BYTES ? bytes - at : STAGING_BYTES;
        int64_t left_ns = timeout_ns - (kt_host_now_ns() - begin_ns);
        if (left_ns <= 0)
            return kt_fail_timeout(timeout_ns);
        if (in)
            memcpy(d->staging, in + at, piece);
        status =
            in ? level_zero_copy_now(base, &d->transfer, address + at, d->staging, piece, left_ns)
               : level_zero_copy_now(base, &d->transfer, d->staging, address + at, piece, left_ns);
        if (status == KT_OK && out)
            memcpy(out + at, d->staging, piece);
    }
    return status == KT_TIMEOUT ? kt_fail_timeout(timeout_ns) : status;
}

kt_status level_zero_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                                 int64_t timeout_ns)
{
    const level_zero_memory *m = memory;
    char *address = (char *)m->address + offset;
    if (m->kind == KT_MEMORY_DEVICE)
        return transfer(m->device, address, data, NULL, bytes, timeout_ns);
    memcpy(data, address, bytes);
    return KT_OK;
}

kt_status level_zero_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                  int64_t timeout_ns)
{
    const level_zero_memory *m = memory;
    char *address = (char *)m->address + offset;
    if (m->kind == KT_MEMORY_DEVICE)
        return transfer(m->device, address, NULL, data, bytes, timeout_ns);
    memcpy(address, data, bytes);
    return KT_OK;
}
