/* SPDX-License-Identifier: MIT */
/* vulkan_user.h - a Vulkan program as users write it: its own device, command buffers and fences,
 * and timers in them. */
#ifndef VULKAN_USER_H
#define VULKAN_USER_H

#include "tests/unit/testing.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <kerntime/kerntime.h>
#include <kerntime/timer/vulkan.h>

#define USER_FUNCTIONS(X)                       \
    X(vkDestroyInstance)                        \
    X(vkEnumeratePhysicalDevices)               \
    X(vkGetPhysicalDeviceProperties)            \
    X(vkGetPhysicalDeviceQueueFamilyProperties) \
    X(vkGetPhysicalDeviceMemoryProperties)      \
    X(vkCreateDevice)                           \
    X(vkDestroyDevice)                          \
    X(vkGetDeviceQueue)                         \
    X(vkQueueSubmit)                            \
    X(vkCreateBuffer)                           \
    X(vkDestroyBuffer)                          \
    X(vkGetBufferMemoryRequirements)            \
    X(vkAllocateMemory)                         \
    X(vkFreeMemory)                             \
    X(vkBindBufferMemory)                       \
    X(vkCreateFence)                            \
    X(vkDestroyFence)                           \
    X(vkResetFences)                            \
    X(vkGetFenceStatus)                         \
    X(vkCreateCommandPool)                      \
    X(vkDestroyCommandPool)                     \
    X(vkAllocateCommandBuffers)                 \
    X(vkBeginCommandBuffer)                     \
    X(vkEndCommandBuffer)                       \
    X(vkCmdPipelineBarrier)                     \
    X(vkCmdCopyBuffer)

typedef struct user_api {
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
    PFN_vkCreateInstance vkCreateInstance;
#define USER_POINTER(name) PFN_##name name;
    USER_FUNCTIONS(USER_POINTER)
#undef USER_POINTER
    /* Of the stub alone, else NULL: up to so many commands are executed, and how many are left; the
     * clock moves on. */
    uint64_t (*vkStubExecute)(VkQueue queue, uint64_t commands);
    void (*vkStubAdvance)(uint64_t ticks);
} user_api;

/* What a program has; `vk` is filled by user_open(). */
typedef struct user {
    user_api vk;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    bool resets_queries; /* made with the feature hostQueryReset */
    VkDeviceSize bytes;
} user;

/* Commands with a pool, a fence and memories of their own, so that any thread may have some. */
typedef struct work {
    VkCommandPool pool;
    VkCommandBuffer buffer;
    VkFence fence;
    VkBuffer src, dst;
    VkDeviceMemory src_memory, dst_memory;
} work;

/* False: there is no loader at that path, or no device. */
bool user_open(user *u, const char *loader, uint32_t family, bool resets_queries);
void user_close(user *u);
/* What kerntime is told of it. */
kt_vulkan_import user_describe(const user *u);
kt_timer_context *user_import(const user *u, uint32_t spans_max);

void work_open(const user *u, work *w);
void work_close(const user *u, work *w);
void work_begin(const user *u, const work *w, VkCommandBufferUsageFlags usage);
/* Copies all of the memory, and a barrier behind it. */
void work_copy(const user *u, const work *w);
void work_end(const user *u, const work *w);
void work_submit(const user *u, const work *w);
/* Whether what was submitted has ended. */
bool work_has_ended(const user *u, const work *w);

#endif
