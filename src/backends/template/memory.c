/* SPDX-License-Identifier: MIT */
#include "backends/template/internal.h"
#include "support/alloc.h"

#include <string.h>

/* One case for each kind that device_info offers. Return KT_LIMIT for a size beyond a limit that
 * the driver did not report. */
kt_status kt_template_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    (void)device, (void)kind;
    template_memory *m = memory;
    m->bytes = kt_alloc(bytes, 1);
    return m->bytes ? KT_OK : KT_NO_MEMORY;
}

/* Release the memory, which may be missing after a failed init. */
void kt_template_memory_fini(void *memory)
{
    kt_free(((template_memory *)memory)->bytes);
}

/* Copy through the device's own queue and return when the copy has ended. Never timed. */
kt_status kt_template_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                                  int64_t timeout_ns)
{
    (void)timeout_ns; /* a memcpy needs no time limit */
    memcpy(data, ((template_memory *)memory)->bytes + offset, bytes);
    return KT_OK;
}

kt_status kt_template_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                   int64_t timeout_ns)
{
    (void)timeout_ns; /* a memcpy needs no time limit */
    memcpy(((template_memory *)memory)->bytes + offset, data, bytes);
    return KT_OK;
}
