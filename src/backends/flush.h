/* SPDX-License-Identifier: MIT */
/* flush.h - the size of the buffer that flushes the caches of a device. */
#ifndef KT_BACKENDS_FLUSH_H
#define KT_BACKENDS_FLUSH_H

#include "backend.h"

/*
 * Returns the bytes that a flush reads or writes, a multiple of `line_bytes` and never 0: twice the
 * caches, but not more than a quarter of the device's memory and the limits of one memory and one
 * argument. `cache_bytes` is what the driver reports; 0: nothing. A GPU gets at least 512 MiB.
 */
size_t kt_flush_bytes(const kt_device_info *info, uint64_t cache_bytes, size_t line_bytes);

#endif
