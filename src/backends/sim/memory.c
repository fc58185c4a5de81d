/* SPDX-License-Identifier: MIT */
#include "backends/sim/internal.h"
#include "support/alloc.h"

#include <string.h>

kt_status kt_sim_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    (void)kind;
    sim_memory *m = memory;
    m->device = device;
    m->size = bytes;
    kt_status status = kt_sim_call(m->device, "allocating memory");
    if (status != KT_OK)
        return status;
    m->bytes = kt_alloc(bytes, 1);
    return m->bytes ? KT_OK : KT_NO_MEMORY;
}

void kt_sim_memory_fini(void *memory)
{
    sim_memory *m = memory;
    kt_free(m->bytes);
}

kt_status kt_sim_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns)
{
    (void)timeout_ns; /* a memcpy needs no time limit */
    sim_memory *m = memory;
    kt_mutex_lock(m->device->mutex);
    kt_status status = kt_sim_call(m->device, "reading memory");
    if (status == KT_OK)
        memcpy(data, m->bytes + offset, bytes);
    /* wrong=N corrupts the bytes read, not the memory, which later submissions use. */
    if (status == KT_OK && m->device->result_wrong)
        *(unsigned char *)data ^= 0x55;
    kt_mutex_unlock(m->device->mutex);
    return status;
}

kt_status kt_sim_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns)
{
    (void)timeout_ns; /* a memcpy needs no time limit */
    sim_memory *m = memory;
    kt_mutex_lock(m->device->mutex);
    kt_status status = kt_sim_call(m->device, "writing memory");
    if (status == KT_OK) {
        memcpy(m->bytes + offset, data, bytes);
        m->device->contents++;
    }
    kt_mutex_unlock(m->device->mutex);
    return status;
}
