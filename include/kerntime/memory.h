/* memory.h - memory that kernels and copies work on. */
#ifndef KERNTIME_MEMORY_H
#define KERNTIME_MEMORY_H

#include <kerntime/api.h>
#include <kerntime/device.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kt_memory kt_memory;

/**
 * Allocates `bytes` (at least 1) of memory of a kind; its content is undefined.
 * KT_UNSUPPORTED: the device has no such kind; KT_LIMIT: more than the device gives in one piece;
 * KT_NO_MEMORY: it has not that much left.
 */
KT_API kt_status kt_memory_create(kt_device *device, kt_memory_kind kind, size_t bytes,
                                  kt_memory **out);
KT_API void kt_memory_destroy(kt_memory **memory);

/**
 * Copy from and to memory for set-up and checking; they wait and are never timed. Not while a job
 * that uses the memory runs. KT_INVALID: beyond the end of the memory; KT_TIMEOUT: the device did
 * not answer within the context's limit; close it, and leave it `data`, which it may still use.
 */
KT_API kt_status kt_memory_write(kt_memory *memory, size_t offset_bytes, const void *data,
                                 size_t bytes);
KT_API kt_status kt_memory_read(kt_memory *memory, size_t offset_bytes, void *data, size_t bytes);

/** The kind it really has: never KT_MEMORY_DEFAULT. */
KT_API kt_memory_kind kt_memory_get_kind(const kt_memory *memory);

#ifdef __cplusplus
}
#endif

#endif
