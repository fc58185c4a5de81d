/* SPDX-License-Identifier: MIT */
/*
 * api.h - lists the Vulkan functions that the backend uses. The pointer tables and the loader's
 * entries come from these lists. Function types come from the official header, so no test compares
 * them.
 */
#ifndef KT_VULKAN_API_H
#define KT_VULKAN_API_H

#define VK_NO_PROTOTYPES /* linking a prototype by mistake fails to compile */
#include <vulkan/vulkan.h>

#include "support/dl.h"
#include "support/fault.h"

/* Functions that are loaded without an instance. */
#define VULKAN_GLOBAL(X)                      \
    X(vkEnumerateInstanceExtensionProperties) \
    X(vkCreateInstance)

/* Functions that are loaded from an instance. */
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

/* Functions that are loaded from a device: instance-level pointers would go through the loader's
 * dispatch. */
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

/* Function of VK_EXT_external_memory_host. NULL if the device lacks it. */
#define VULKAN_DEVICE_OPTIONAL(X) X(vkGetMemoryHostPointerPropertiesEXT)

/* Function of Vulkan 1.1. NULL if the loader lacks it. */
#define VULKAN_GLOBAL_OPTIONAL(X) X(vkEnumerateInstanceVersion)
#define VULKAN_INSTANCE_OPTIONAL(X)   \
    X(vkGetPhysicalDeviceProperties2) \
    X(vkGetPhysicalDeviceFeatures2)

/* Functions that timers in the program's command buffers load from its device. */
#define VULKAN_TIMER_CONTEXT(X) \
    X(vkCreateQueryPool)        \
    X(vkDestroyQueryPool)       \
    X(vkGetQueryPoolResults)    \
    X(vkCmdResetQueryPool)      \
    X(vkCmdWriteTimestamp)
/* Function of Vulkan 1.2 or VK_EXT_host_query_reset. NULL if the device lacks it. */
#define VULKAN_TIMER_CONTEXT_OPTIONAL(X) X(vkResetQueryPool)

/* Names of functions for kt_dl_fill(). */
#define VULKAN_NAME(name)          KT_DL_NAME(#name)
#define VULKAN_NAME_OPTIONAL(name) KT_DL_OPTIONAL(#name)

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

typedef struct vulkan_timer_context_api {
    VULKAN_TIMER_CONTEXT(VULKAN_POINTER)
    VULKAN_TIMER_CONTEXT_OPTIONAL(VULKAN_POINTER)
} vulkan_timer_context_api;

/* Calibrated-timestamp functions. The driver exports them with suffix KHR or EXT (timer.c). */
typedef struct vulkan_timer_api {
    VULKAN_POINTER(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)
    VULKAN_POINTER(vkGetCalibratedTimestampsEXT)
} vulkan_timer_api;
#undef VULKAN_POINTER

/* Result of a call that a test makes fail: any function that returns a VkResult may return it. */
#define VULKAN_FAULT VK_ERROR_OUT_OF_HOST_MEMORY

/* Calls a function that returns a VkResult. */
#define VK_CALL(api, function, ...) KT_CALL(api, function, VULKAN_FAULT, __VA_ARGS__)

#endif
