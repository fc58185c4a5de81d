#include "backends/template/internal.h"
#include "support/alloc.h"

#include <string.h>

/* One case for each kind that device_info names. More than the driver gives, by a limit that it did
 * not tell before, is KT_LIMIT. */
kt_status template_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    (void)device, (void)kind;
    template_memory *m = memory;
    m->bytes = kt_alloc(bytes, 1);
    return m->bytes ? KT_OK : KT_NO_MEMORY;
}

/* Release what is there; after a failed init that may be nothing. */
void template_memory_fini(void *memory)
{
    kt_free(((template_memory *)memory)->bytes);
}

/* Copy by the device's own queue and return when the bytes are there. Never timed. */
kt_status template_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                               int64_t timeout_ns)
{
    (void)timeout_ns; /* nothing here can wait for long */
    memcpy(data, ((template_memory *)memory)->bytes + offset, bytes);
    return KT_OK;
}

kt_status template_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                int64_t timeout_ns)
{
    (void)timeout_ns; /* nothing here can wait for long */
    memcpy(((template_memory *)memory)->bytes + offset, data, bytes);
    return KT_OK;
}
