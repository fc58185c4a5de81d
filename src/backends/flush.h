/* flush.h - the size of the buffer that flushes the caches of a device. */
#ifndef KT_BACKENDS_FLUSH_H
#define KT_BACKENDS_FLUSH_H

#include "backend.h"

/*
 * Returns the bytes that a flush reads or writes, a multiple of `line_bytes` and never 0: twice
 * `cache_bytes`, which the driver reports or the backend knows of such devices; 0: unknown. Bounded
 * by the memory of the device and the limits of one memory and one argument.
 */
size_t kt_flush_bytes(const kt_device_info *info, uint64_t cache_bytes, size_t line_bytes);

#endif
