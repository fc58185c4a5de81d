/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Memory that kernels and copies work on.
 */
#ifndef KERNTIME_MEMORY_H
#define KERNTIME_MEMORY_H

#include <kerntime/api.h>
#include <kerntime/device.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A block of memory of one kind on one device. Destroy it before its device is closed. */
typedef struct kt_memory kt_memory;

/**
 * Allocates memory of one kind; its content is undefined.
 *
 * Threads: one at a time per context.
 *
 * @param device owner of the memory; must outlive it
 * @param kind kind of memory, of kt_device_info.memory_kinds; KT_MEMORY_DEFAULT chooses the kind
 * that kernels of the device work on fastest
 * @param bytes size in bytes, at least 1
 * @param[out] out the memory; destroy it with kt_memory_destroy()
 * @return KT_OK, or
 * - KT_INVALID: no such kind, or `bytes` is 0
 * - KT_UNSUPPORTED: the device has no memory of this kind
 * - KT_LIMIT: more than the device gives in one allocation
 * - KT_NO_MEMORY: the device or the host has not that much left
 * - KT_DEVICE_LOST: the device hung or stopped working before
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_memory_create(kt_device *device, kt_memory_kind kind, size_t bytes,
                                  kt_memory **out);

/**
 * Frees memory.
 *
 * - Of a device that hung nothing is freed, since the driver may still use it.
 * - Threads: one at a time per context.
 *
 * @param memory address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_memory_destroy(kt_memory **memory);

/**
 * Copies host data into memory, for set-up; waits, and is never timed.
 *
 * Do not call it while a job that uses the memory runs.
 *
 * @param memory destination
 * @param offset_bytes where in the memory to begin, in bytes
 * @param data source, of at least `bytes` bytes. After KT_TIMEOUT keep it: the device may still use
 * it
 * @param bytes how many bytes to copy; 0 copies nothing
 * @return KT_OK, or
 * - KT_INVALID: beyond the end of the memory
 * - KT_TIMEOUT: no answer within the time limit of the context; close the device
 * - KT_DEVICE_LOST: the device hung or stopped working
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_memory_write(kt_memory *memory, size_t offset_bytes, const void *data,
                                 size_t bytes);

/**
 * Copies memory to the host, for checking; waits, and is never timed.
 *
 * Do not call it while a job that uses the memory runs.
 *
 * @param memory source
 * @param offset_bytes where in the memory to begin, in bytes
 * @param[out] data destination, of at least `bytes` bytes. After KT_TIMEOUT keep it: the device may
 * still use it
 * @param bytes how many bytes to copy; 0 copies nothing
 * @return KT_OK, or a status of kt_memory_write()
 */
KT_API kt_status kt_memory_read(kt_memory *memory, size_t offset_bytes, void *data, size_t bytes);

/**
 * Kind of a memory.
 *
 * @param memory any memory
 * @return the kind it has; never KT_MEMORY_DEFAULT
 */
KT_API kt_memory_kind kt_memory_get_kind(const kt_memory *memory);

#ifdef __cplusplus
}
#endif

#endif
