/* SPDX-License-Identifier: MIT */
/* The functions of the stub, once: their numbers, their names, and the tables that give them
 * out. */
#ifndef VULKAN_STUB_ENTRY_POINTS_H
#define VULKAN_STUB_ENTRY_POINTS_H

#include <vulkan/vulkan_core.h>

/* Given out without an instance. */
#define GLOBAL_ENTRIES(X)                     \
    X(vkCreateInstance)                       \
    X(vkEnumerateInstanceVersion)             \
    X(vkEnumerateInstanceExtensionProperties) \
    X(vkGetInstanceProcAddr)

/* Of instances and physical devices. */
#define INSTANCE_ENTRIES(X)                           \
    X(vkDestroyInstance)                              \
    X(vkEnumeratePhysicalDevices)                     \
    X(vkGetPhysicalDeviceProperties)                  \
    X(vkGetPhysicalDeviceProperties2)                 \
    X(vkGetPhysicalDeviceFeatures)                    \
    X(vkGetPhysicalDeviceFeatures2)                   \
    X(vkGetPhysicalDeviceMemoryProperties)            \
    X(vkGetPhysicalDeviceFormatProperties)            \
    X(vkGetPhysicalDeviceImageFormatProperties)       \
    X(vkGetPhysicalDeviceSparseImageFormatProperties) \
    X(vkGetPhysicalDeviceQueueFamilyProperties)       \
    X(vkEnumerateDeviceExtensionProperties)           \
    X(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT) \
    X(vkGetPhysicalDeviceCalibrateableTimeDomainsKHR) \
    X(vkCreateDevice)                                 \
    X(vkGetDeviceProcAddr)

/* Of devices, queues and command buffers. */
#define DEVICE_ENTRIES(X)                  \
    X(vkDestroyDevice)                     \
    X(vkGetDeviceQueue)                    \
    X(vkDeviceWaitIdle)                    \
    X(vkQueueWaitIdle)                     \
    X(vkQueueSubmit)                       \
    X(vkQueueBindSparse)                   \
    X(vkCreateBuffer)                      \
    X(vkDestroyBuffer)                     \
    X(vkGetBufferMemoryRequirements)       \
    X(vkAllocateMemory)                    \
    X(vkFreeMemory)                        \
    X(vkBindBufferMemory)                  \
    X(vkMapMemory)                         \
    X(vkUnmapMemory)                       \
    X(vkFlushMappedMemoryRanges)           \
    X(vkInvalidateMappedMemoryRanges)      \
    X(vkCreateShaderModule)                \
    X(vkDestroyShaderModule)               \
    X(vkCreateDescriptorSetLayout)         \
    X(vkDestroyDescriptorSetLayout)        \
    X(vkCreatePipelineLayout)              \
    X(vkDestroyPipelineLayout)             \
    X(vkCreateComputePipelines)            \
    X(vkDestroyPipeline)                   \
    X(vkCreateDescriptorPool)              \
    X(vkDestroyDescriptorPool)             \
    X(vkAllocateDescriptorSets)            \
    X(vkUpdateDescriptorSets)              \
    X(vkCreateCommandPool)                 \
    X(vkResetCommandPool)                  \
    X(vkDestroyCommandPool)                \
    X(vkAllocateCommandBuffers)            \
    X(vkBeginCommandBuffer)                \
    X(vkEndCommandBuffer)                  \
    X(vkCreateFence)                       \
    X(vkDestroyFence)                      \
    X(vkResetFences)                       \
    X(vkGetFenceStatus)                    \
    X(vkWaitForFences)                     \
    X(vkCreateQueryPool)                   \
    X(vkDestroyQueryPool)                  \
    X(vkGetQueryPoolResults)               \
    X(vkResetQueryPool)                    \
    X(vkCmdResetQueryPool)                 \
    X(vkCmdWriteTimestamp)                 \
    X(vkCmdPipelineBarrier)                \
    X(vkCmdCopyBuffer)                     \
    X(vkCmdBindPipeline)                   \
    X(vkCmdBindDescriptorSets)             \
    X(vkCmdPushConstants)                  \
    X(vkCmdDispatch)                       \
    X(vkGetCalibratedTimestampsEXT)        \
    X(vkGetMemoryHostPointerPropertiesEXT) \
    X(vkGetCalibratedTimestampsKHR)

/* Not of Vulkan: what a test does to the device. Given out without an instance, never counted. */
#define CONTROL_ENTRIES(X) \
    X(vkStubExecute)       \
    X(vkStubAdvance)

#define ALL_ENTRIES(X)  \
    GLOBAL_ENTRIES(X)   \
    INSTANCE_ENTRIES(X) \
    DEVICE_ENTRIES(X)   \
    CONTROL_ENTRIES(X)

enum entry {
#define ENTRY_ID(name) ENTRY_##name,
    ALL_ENTRIES(ENTRY_ID)
#undef ENTRY_ID
        ENTRY_COUNT
};

/* Not in headers before 1.3.274; the structs are those of EXT under other names. */
VKAPI_ATTR VkResult VKAPI_CALL vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(
    VkPhysicalDevice physical, uint32_t *count, VkTimeDomainEXT *domains);
VKAPI_ATTR VkResult VKAPI_CALL vkGetCalibratedTimestampsKHR(
    VkDevice device, uint32_t count, const VkCalibratedTimestampInfoEXT *infos,
    uint64_t *timestamps, uint64_t *max_deviation);

/* Executes up to `commands` of what was submitted to a queue and waits there (commands=held); how
 * many are left. Any thread. */
VKAPI_ATTR uint64_t VKAPI_CALL vkStubExecute(VkQueue queue, uint64_t commands);
/* The simulated clock moves on. Any thread. */
VKAPI_ATTR void VKAPI_CALL vkStubAdvance(uint64_t ticks);

#endif
