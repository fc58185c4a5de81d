/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers in the program's own Vulkan command buffers.
 *
 * Any Vulkan header, or none, may be included beside it.
 */
#ifndef KERNTIME_TIMER_CONTEXT_VULKAN_H
#define KERNTIME_TIMER_CONTEXT_VULKAN_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Targets of Vulkan's handles. */
struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkCommandBuffer_T;

/** What to import. Zero everything for the defaults but `size` and the handles. */
typedef struct kt_vulkan_import {
    size_t size;                                /**< sizeof(kt_vulkan_import) */
    struct VkInstance_T *instance;              /**< instance */
    struct VkPhysicalDevice_T *physical_device; /**< physical device */
    struct VkDevice_T *device;                  /**< device */
    uint32_t queue_family; /**< family of the queues that the command buffers are submitted to */
    uint32_t spans_max;    /**< spans pending at once, recorded or in flight; 0: KT_SPANS_DEFAULT */
    /** 1: the device was made with the feature hostQueryReset. Then queries can safely be read
     * before their first run. */
    int host_query_reset;
    /** vkGetInstanceProcAddr of the program's loader; NULL: that of the system's loader
     * (KERNTIME_LIB_VULKAN names another one). */
    void (*get_instance_proc_addr)(void);
} kt_vulkan_import;

/**
 * Imports a device and a family of its queues.
 *
 * - Both timestamps of a span are written when all commands before them have finished: a span is
 *   the time that its work adds to what came before.
 * - The import creates query pools as needed, and no queue, memory or submission.
 *
 * @param desc what to import
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: no loader
 * - KT_INVALID: a handle is missing, or there is no such family
 * - KT_UNSUPPORTED: the family gives no timestamps, or can only copy: Vulkan does not reset queries
 *   there
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_timer_context_import_vulkan(const kt_vulkan_import *desc,
                                                kt_timer_context **out);

/**
 * Begins a recording in a command buffer.
 *
 * - When: right after vkBeginCommandBuffer(), outside of any render pass.
 * - The queries are reset there, so each submission of the command buffer writes new timestamps.
 * - It forgets what was recorded before, as kt_recording_reset() does.
 *
 * @param recording the recording
 * @param commands the command buffer
 * @param usage flags that the command buffer was begun with
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `recording` is NULL
 * - KT_UNSUPPORTED: VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, since one query holds one
 *   timestamp
 * - KT_INVALID: no command buffer, a recording of another API, or the timer context was closed
 * - another status of kt_recording_reset()
 */
KT_API kt_status kt_recording_begin_vulkan(kt_recording *recording,
                                           struct VkCommandBuffer_T *commands, uint32_t usage);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_VULKAN_
#include <kerntime/compiled_out.h>
#endif

#endif
