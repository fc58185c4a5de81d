/* SPDX-License-Identifier: MIT */
#include "backends/flush.h"

/* The least size assumed of a GPU's caches: AMD's MI300X has a last cache of 256 MiB, which no driver
 * reports. */
#define CACHE_BYTES_GPU   (UINT64_C(256) << 20)
#define CACHE_BYTES_OTHER (UINT64_C(96) << 20) /* if another device reports none */
#define CACHE_BYTES_MIN   (UINT64_C(8) << 20)

/* A limit of 0 is unknown. */
static uint64_t at_most(uint64_t bytes, uint64_t limit)
{
    return limit && limit < bytes ? limit : bytes;
}

size_t kt_flush_bytes(const kt_device_info *info, uint64_t cache_bytes, size_t line_bytes)
{
    uint64_t cache = cache_bytes ? cache_bytes : CACHE_BYTES_OTHER;
    uint64_t least = info->type == KT_DEVICE_GPU ? CACHE_BYTES_GPU : CACHE_BYTES_MIN;
    cache = cache < least ? least : cache;
    uint64_t bytes = 2 * cache; /* not every cache evicts its oldest line first */
    bytes = at_most(bytes, info->memory_bytes / 4);
    bytes = at_most(bytes, info->max_memory_bytes);
    bytes = at_most(bytes, info->max_argument_bytes);
    return bytes < line_bytes ? line_bytes : (size_t)(bytes - bytes % line_bytes);
}
