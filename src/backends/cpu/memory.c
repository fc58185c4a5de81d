/* SPDX-License-Identifier: MIT */
#include "backends/cpu/internal.h"
#include "support/alloc.h"

#include <string.h>

kt_status kt_cpu_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    (void)device, (void)kind;
    cpu_memory *m = memory;
    m->bytes = kt_alloc_aligned(KT_HEAP_ALIGNMENT, bytes);
    return m->bytes ? KT_OK : KT_NO_MEMORY;
}

void kt_cpu_memory_fini(void *memory)
{
    kt_free(((cpu_memory *)memory)->bytes);
}

kt_status kt_cpu_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns)
{
    (void)timeout_ns; /* a memcpy needs no time limit */
    memcpy(data, ((cpu_memory *)memory)->bytes + offset, bytes);
    return KT_OK;
}

kt_status kt_cpu_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns)
{
    (void)timeout_ns; /* a memcpy needs no time limit */
    memcpy(((cpu_memory *)memory)->bytes + offset, data, bytes);
    return KT_OK;
}
