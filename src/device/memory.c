/* SPDX-License-Identifier: MIT */
#include "device/device.h"
#include "support/alloc.h"
#include "support/options.h"

/* The kind of memory on which kernels are fastest. */
static kt_memory_kind default_memory(const kt_device_info *info)
{
    static const kt_memory_kind fastest_first[] = {KT_MEMORY_DEVICE, KT_MEMORY_SHARED,
                                                   KT_MEMORY_HOST, KT_MEMORY_HEAP};
    for (size_t i = 0; i < sizeof fastest_first / sizeof fastest_first[0]; i++)
        if (info->memory_kinds & 1u << fastest_first[i])
            return fastest_first[i];
    return KT_MEMORY_DEFAULT;
}

static kt_status check(const kt_device *device, kt_memory_kind kind, size_t bytes)
{
    const kt_device_info *info = &device->info;
    if ((unsigned)kind >= KT_MEMORY_KIND_COUNT)
        return kt_fail(KT_INVALID, "there is no memory kind %d", (int)kind);
    if (!(info->memory_kinds & (1u << kind)))
        return kt_fail(KT_UNSUPPORTED, "%s has no %s memory", info->id, kt_memory_kind_name(kind));
    if (bytes == 0)
        return kt_fail(KT_INVALID, "a memory of 0 bytes");
    if (info->max_memory_bytes && bytes > info->max_memory_bytes)
        return kt_fail(KT_LIMIT, "%s gives at most %llu bytes in one piece, not %zu", info->id,
                       (unsigned long long)info->max_memory_bytes, bytes);
    return KT_OK;
}

kt_status kt_memory_create(kt_device *device, kt_memory_kind kind, size_t bytes, kt_memory **out)
{
    KT_NEED(device);
    KT_NEED(out);
    if (kind == KT_MEMORY_DEFAULT)
        kind = default_memory(&device->info);
    kt_status status = kt_device_check(device);
    if (status == KT_OK)
        status = check(device, kind, bytes);
    if (status != KT_OK)
        return status;
    kt_memory *memory = kt_alloc(1, sizeof *memory);
    if (!memory)
        return KT_NO_MEMORY;
    *memory = (kt_memory){.device = device, .kind = kind, .bytes = bytes};
    memory->state = kt_alloc(1, device->backend->memory_size);
    if (!memory->state) {
        status = KT_NO_MEMORY;
        goto fail;
    }
    kt_mutex_lock(device->mutex);
    status = device->backend->memory_init(memory->state, device->state, kind, bytes);
    kt_mutex_unlock(device->mutex);
    if (status != KT_OK)
        goto fail;
    *out = memory;
    return KT_OK;
fail:
    kt_memory_destroy(&memory);
    return status;
}

void kt_memory_destroy(kt_memory **memory)
{
    if (!memory || !*memory)
        return;
    if ((*memory)->device->hung) {
        kt_abandon(*memory);
        *memory = NULL;
        return;
    }
    kt_device *device = (*memory)->device;
    if ((*memory)->state && device->backend->memory_fini) {
        kt_mutex_lock(device->mutex);
        device->backend->memory_fini((*memory)->state);
        kt_mutex_unlock(device->mutex);
    }
    kt_free((*memory)->state);
    kt_free(*memory);
    *memory = NULL;
}

static kt_status check_range(const kt_memory *memory, size_t offset, size_t bytes)
{
    if (offset <= memory->bytes && bytes <= memory->bytes - offset)
        return KT_OK;
    return kt_fail(KT_INVALID, "bytes %zu to %zu of a memory of %zu bytes", offset, offset + bytes,
                   memory->bytes);
}

/* Locks the device, also on failure; end_transfer() unlocks it. A transfer of 0 bytes does not
 * check the device. */
static kt_status begin_transfer(kt_memory *memory, size_t offset, size_t bytes)
{
    kt_mutex_lock(memory->device->mutex);
    kt_status status = check_range(memory, offset, bytes);
    return status == KT_OK && bytes ? kt_device_check(memory->device) : status;
}

static kt_status end_transfer(kt_memory *memory, kt_status status)
{
    if (status == KT_TIMEOUT)
        memory->device->hung = true;
    kt_mutex_unlock(memory->device->mutex);
    return status;
}

kt_status kt_memory_write(kt_memory *memory, size_t offset_bytes, const void *data, size_t bytes)
{
    KT_NEED(memory);
    if (bytes)
        KT_NEED(data);
    const kt_device *device = memory->device;
    kt_status status = begin_transfer(memory, offset_bytes, bytes);
    if (status == KT_OK && bytes)
        status = device->backend->memory_write(memory->state, offset_bytes, data, bytes,
                                               device->timeout_ns);
    return end_transfer(memory, status);
}

kt_status kt_memory_read(kt_memory *memory, size_t offset_bytes, void *data, size_t bytes)
{
    KT_NEED(memory);
    if (bytes)
        KT_NEED(data);
    const kt_device *device = memory->device;
    kt_status status = begin_transfer(memory, offset_bytes, bytes);
    if (status == KT_OK && bytes)
        status = device->backend->memory_read(memory->state, offset_bytes, data, bytes,
                                              device->timeout_ns);
    return end_transfer(memory, status);
}

kt_memory_kind kt_memory_get_kind(const kt_memory *memory)
{
    if (!memory)
        return KT_MEMORY_DEFAULT;
    return memory->kind;
}
