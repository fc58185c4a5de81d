/*
 * api.h - the functions of Vulkan that are used, once: from this list come the tables of pointers
 * and the rows of the loader. Their types are the official header's, so nothing is left to check.
 */
#ifndef KT_VULKAN_API_H
#define KT_VULKAN_API_H

#define VK_NO_PROTOTYPES /* what is linked by mistake does not compile */
#include <vulkan/vulkan.h>

#include "support/fault.h"

/* Asked of no object. */
#define VULKAN_GLOBAL(X)                      \
    X(vkEnumerateInstanceExtensionProperties) \
    X(vkCreateInstance)

/* Asked of an instance. */
#define VULKAN_INSTANCE(X)                      \
    X(vkDestroyInstance)                        \
    X(vkEnumeratePhysicalDevices)               \
    X(vkGetPhysicalDeviceProperties)            \
    X(vkGetPhysicalDeviceFeatures)              \
    X(vkGetPhysicalDeviceQueueFamilyProperties) \
    X(vkGetPhysicalDeviceMemoryProperties)      \
    X(vkEnumerateDeviceExtensionProperties)     \
    X(vkCreateDevice)                           \
    X(vkGetDeviceProcAddr)

/* Asked of a device: without the loader's detour, which calls through an instance's pointer
 * take. */
#define VULKAN_DEVICE(X)              \
    X(vkDestroyDevice)                \
    X(vkGetDeviceQueue)               \
    X(vkQueueSubmit)                  \
    X(vkAllocateMemory)               \
    X(vkFreeMemory)                   \
    X(vkMapMemory)                    \
    X(vkFlushMappedMemoryRanges)      \
    X(vkInvalidateMappedMemoryRanges) \
    X(vkCreateBuffer)                 \
    X(vkDestroyBuffer)                \
    X(vkGetBufferMemoryRequirements)  \
    X(vkBindBufferMemory)             \
    X(vkCreateFence)                  \
    X(vkDestroyFence)                 \
    X(vkResetFences)                  \
    X(vkGetFenceStatus)               \
    X(vkWaitForFences)                \
    X(vkCreateQueryPool)              \
    X(vkDestroyQueryPool)             \
    X(vkGetQueryPoolResults)          \
    X(vkCreateShaderModule)           \
    X(vkDestroyShaderModule)          \
    X(vkCreateDescriptorSetLayout)    \
    X(vkDestroyDescriptorSetLayout)   \
    X(vkCreatePipelineLayout)         \
    X(vkDestroyPipelineLayout)        \
    X(vkCreateComputePipelines)       \
    X(vkDestroyPipeline)              \
    X(vkCreateDescriptorPool)         \
    X(vkDestroyDescriptorPool)        \
    X(vkAllocateDescriptorSets)       \
    X(vkUpdateDescriptorSets)         \
    X(vkCreateCommandPool)            \
    X(vkResetCommandPool)             \
    X(vkDestroyCommandPool)           \
    X(vkAllocateCommandBuffers)       \
    X(vkBeginCommandBuffer)           \
    X(vkEndCommandBuffer)             \
    X(vkCmdBindPipeline)              \
    X(vkCmdBindDescriptorSets)        \
    X(vkCmdPushConstants)             \
    X(vkCmdDispatch)                  \
    X(vkCmdCopyBuffer)                \
    X(vkCmdPipelineBarrier)           \
    X(vkCmdResetQueryPool)            \
    X(vkCmdWriteTimestamp)

/* Of VK_EXT_external_memory_host, which may be missing. */
#define VULKAN_DEVICE_OPTIONAL(X) X(vkGetMemoryHostPointerPropertiesEXT)

/* Those of 1.1, which may be missing. */
#define VULKAN_GLOBAL_OPTIONAL(X) X(vkEnumerateInstanceVersion)
#define VULKAN_INSTANCE_OPTIONAL(X)   \
    X(vkGetPhysicalDeviceProperties2) \
    X(vkGetPhysicalDeviceFeatures2)

/* What timers in command buffers of the program take of its device. */
#define VULKAN_NATIVE(X)     \
    X(vkCreateQueryPool)     \
    X(vkDestroyQueryPool)    \
    X(vkGetQueryPoolResults) \
    X(vkCmdResetQueryPool)   \
    X(vkCmdWriteTimestamp)
/* Of 1.2, or of VK_EXT_host_query_reset. */
#define VULKAN_NATIVE_OPTIONAL(X) X(vkResetQueryPool)

#define VULKAN_POINTER(name) PFN_##name name;
typedef struct vulkan_api {
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
    VULKAN_GLOBAL(VULKAN_POINTER)
    VULKAN_GLOBAL_OPTIONAL(VULKAN_POINTER)
    VULKAN_INSTANCE(VULKAN_POINTER)
    VULKAN_INSTANCE_OPTIONAL(VULKAN_POINTER)
} vulkan_api;

typedef struct vulkan_device_api {
    VULKAN_DEVICE(VULKAN_POINTER)
    VULKAN_DEVICE_OPTIONAL(VULKAN_POINTER)
} vulkan_device_api;

typedef struct vulkan_native_api {
    VULKAN_NATIVE(VULKAN_POINTER)
    VULKAN_NATIVE_OPTIONAL(VULKAN_POINTER)
} vulkan_native_api;

/* Of an extension, under one of its two names (timer.c). */
typedef struct vulkan_timer_api {
    VULKAN_POINTER(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)
    VULKAN_POINTER(vkGetCalibratedTimestampsEXT)
} vulkan_timer_api;
#undef VULKAN_POINTER

/* What a call answers when a test makes it fail: all that answer a code may answer this one. */
#define VULKAN_FAULT VK_ERROR_OUT_OF_HOST_MEMORY

/* A call that answers a code. */
#define VK_CALL(api, function, ...) KT_CALL(api, function, VULKAN_FAULT, __VA_ARGS__)

#endif
