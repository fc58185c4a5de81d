#include "backends/flush.h"

/* Cache size of a device that reports none: the largest of graphics cards and of Macs in 2023. */
#define CACHE_BYTES_UNKNOWN (UINT64_C(96) << 20)
#define CACHE_BYTES_MIN     (UINT64_C(8) << 20)

/* A limit of 0 is unknown. */
static uint64_t at_most(uint64_t bytes, uint64_t limit)
{
    return limit && limit < bytes ? limit : bytes;
}

size_t kt_flush_bytes(const kt_device_info *info, uint64_t cache_bytes, size_t line_bytes)
{
    uint64_t cache = cache_bytes ? cache_bytes : CACHE_BYTES_UNKNOWN;
    /* Twice the cache, because not every cache evicts its oldest line first. */
    uint64_t bytes = 2 * (cache > CACHE_BYTES_MIN ? cache : CACHE_BYTES_MIN);
    bytes = at_most(bytes, info->memory_bytes / 4);
    bytes = at_most(bytes, info->max_memory_bytes);
    bytes = at_most(bytes, info->max_argument_bytes);
    return bytes < line_bytes ? line_bytes : (size_t)(bytes - bytes % line_bytes);
}
