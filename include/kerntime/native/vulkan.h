/* native/vulkan.h - timers in the program's own Vulkan command buffers. Any Vulkan header, or none,
 * may stand beside it. */
#ifndef KERNTIME_NATIVE_VULKAN_H
#define KERNTIME_NATIVE_VULKAN_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What Vulkan's handles point to. */
struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkCommandBuffer_T;

/** What is imported. Zero everything for the defaults but `size` and the handles. */
typedef struct kt_vulkan_import {
    size_t size; /**< sizeof(kt_vulkan_import) */
    struct VkInstance_T *instance;
    struct VkPhysicalDevice_T *physical_device;
    struct VkDevice_T *device;
    uint32_t queue_family; /**< of the queues that the command buffers go to */
    uint32_t spans_max;    /**< held at once, recorded or in flight; 0: KT_SPANS_DEFAULT */
    /** 1: the device was made with the feature hostQueryReset, which lets queries be asked before
     * their first run with nothing left to chance */
    int host_query_reset;
    /** vkGetInstanceProcAddr of the loader that the program uses; NULL: that of the system's
     * (KERNTIME_LIB_VULKAN names another) */
    void (*get_instance_proc_addr)(void);
} kt_vulkan_import;

/**
 * Tells kerntime of a device and a family of its queues. Both stamps of a span are written when all
 * commands before them have come to their end: a span is the time that its work adds to what came
 * before. Makes query pools, and no queue, memory or submission. KT_UNAVAILABLE: no loader.
 * KT_INVALID: a handle is missing, or there is no such family. KT_UNSUPPORTED: the family gives no
 * stamps, or does nothing but copies, among which Vulkan lets no queries be reset. KT_NO_MEMORY,
 * KT_DRIVER_ERROR.
 */
KT_API kt_status kt_native_import_vulkan(const kt_vulkan_import *desc, kt_native **out);

/**
 * Begins a recording in a command buffer that vkBeginCommandBuffer() was just called for, outside
 * of any render pass: the queries are reset there, so each submission of it stamps anew. `usage`
 * are the flags that it was begun with. What was recorded before is forgotten as by
 * kt_recording_reset(). KT_UNSUPPORTED: VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, since one
 * query holds one stamp. KT_INVALID.
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
