/* SPDX-License-Identifier: MIT */
#include "tests/unit/backends/vulkan/vulkan_user.h"

#include <dlfcn.h>

#define EXPECT_CALL(call) assert_int_equal((call), VK_SUCCESS)

/* ---- the device ---- */

static bool load(user *u, const char *loader)
{
    void *library = dlopen(loader, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
    if (!symbol)
        return false;
    memcpy(&u->vk.vkGetInstanceProcAddr, &symbol, sizeof symbol);
    u->vk.vkCreateInstance =
        (PFN_vkCreateInstance)u->vk.vkGetInstanceProcAddr(NULL, "vkCreateInstance");
    PFN_vkVoidFunction execute = u->vk.vkGetInstanceProcAddr(NULL, "vkStubExecute"),
                       advance = u->vk.vkGetInstanceProcAddr(NULL, "vkStubAdvance");
    memcpy(&u->vk.vkStubExecute, &execute, sizeof execute);
    memcpy(&u->vk.vkStubAdvance, &advance, sizeof advance);
    return u->vk.vkCreateInstance != NULL;
}

static bool open_instance(user *u)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    uint32_t count = 1;
    if (u->vk.vkCreateInstance(&info, NULL, &u->instance) != VK_SUCCESS)
        return false;
#define USER_LOAD(name)                                                       \
    u->vk.name = (PFN_##name)u->vk.vkGetInstanceProcAddr(u->instance, #name); \
    assert_true(u->vk.name != NULL);
    USER_FUNCTIONS(USER_LOAD)
#undef USER_LOAD
    return u->vk.vkEnumeratePhysicalDevices(u->instance, &count, &u->physical) >= 0 && count > 0;
}

bool user_open(user *u, const char *loader, uint32_t family, bool resets_queries)
{
    const float priority = 1;
    if (!load(u, loader) || !open_instance(u))
        return false;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceHostQueryResetFeatures resets = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
        .hostQueryReset = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = resets_queries ? &resets : NULL,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    EXPECT_CALL(u->vk.vkCreateDevice(u->physical, &info, NULL, &u->device));
    u->vk.vkGetDeviceQueue(u->device, family, 0, &u->queue);
    u->family = family;
    u->resets_queries = resets_queries;
    u->bytes = u->bytes ? u->bytes : 1024;
    return true;
}

void user_close(user *u)
{
    if (u->device)
        u->vk.vkDestroyDevice(u->device, NULL);
    if (u->instance)
        u->vk.vkDestroyInstance(u->instance, NULL);
    u->device = VK_NULL_HANDLE;
    u->instance = VK_NULL_HANDLE;
}

kt_vulkan_import user_describe(const user *u)
{
    return (kt_vulkan_import){.size = sizeof(kt_vulkan_import),
                              .instance = u->instance,
                              .physical_device = u->physical,
                              .device = u->device,
                              .queue_family = u->family,
                              .host_query_reset = u->resets_queries,
                              .get_instance_proc_addr =
                                  (void (*)(void))u->vk.vkGetInstanceProcAddr};
}

kt_timer_context *user_import(const user *u, uint32_t spans_max)
{
    kt_timer_context *timer_context = NULL;
    kt_vulkan_import desc = user_describe(u);
    desc.spans_max = spans_max;
    EXPECT_OK(kt_timer_context_import_vulkan(&desc, &timer_context));
    return timer_context;
}

/* ---- work ---- */

static void open_buffer(const user *u, VkBuffer *buffer, VkDeviceMemory *memory)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = u->bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needed;
    VkMemoryAllocateInfo room = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    EXPECT_CALL(u->vk.vkCreateBuffer(u->device, &info, NULL, buffer));
    u->vk.vkGetBufferMemoryRequirements(u->device, *buffer, &needed);
    while (!(needed.memoryTypeBits >> room.memoryTypeIndex & 1))
        room.memoryTypeIndex++;
    room.allocationSize = needed.size;
    EXPECT_CALL(u->vk.vkAllocateMemory(u->device, &room, NULL, memory));
    EXPECT_CALL(u->vk.vkBindBufferMemory(u->device, *buffer, *memory, 0));
}

void work_open(const user *u, work *w)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = u->family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    EXPECT_CALL(u->vk.vkCreateCommandPool(u->device, &pool, NULL, &w->pool));
    const VkCommandBufferAllocateInfo buffer = {.sType =
                                                    VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = w->pool,
                                                .commandBufferCount = 1};
    EXPECT_CALL(u->vk.vkAllocateCommandBuffers(u->device, &buffer, &w->buffer));
    EXPECT_CALL(u->vk.vkCreateFence(u->device, &fence, NULL, &w->fence));
    open_buffer(u, &w->src, &w->src_memory);
    open_buffer(u, &w->dst, &w->dst_memory);
}

void work_close(const user *u, work *w)
{
    u->vk.vkDestroyFence(u->device, w->fence, NULL);
    u->vk.vkDestroyCommandPool(u->device, w->pool, NULL);
    u->vk.vkDestroyBuffer(u->device, w->src, NULL);
    u->vk.vkDestroyBuffer(u->device, w->dst, NULL);
    u->vk.vkFreeMemory(u->device, w->src_memory, NULL);
    u->vk.vkFreeMemory(u->device, w->dst_memory, NULL);
    *w = (work){0};
}

void work_begin(const user *u, const work *w, VkCommandBufferUsageFlags usage)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = usage};
    EXPECT_CALL(u->vk.vkBeginCommandBuffer(w->buffer, &info));
}

void work_copy(const user *u, const work *w)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    u->vk.vkCmdCopyBuffer(w->buffer, w->src, w->dst, 1, &(const VkBufferCopy){.size = u->bytes});
    u->vk.vkCmdPipelineBarrier(w->buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                               VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0, NULL);
}

void work_end(const user *u, const work *w)
{
    EXPECT_CALL(u->vk.vkEndCommandBuffer(w->buffer));
}

void work_submit(const user *u, const work *w)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &w->buffer};
    EXPECT_CALL(u->vk.vkResetFences(u->device, 1, &w->fence));
    EXPECT_CALL(u->vk.vkQueueSubmit(u->queue, 1, &info, w->fence));
}

bool work_has_ended(const user *u, const work *w)
{
    VkResult code = u->vk.vkGetFenceStatus(u->device, w->fence);
    if (code != VK_SUCCESS)
        assert_int_equal(code, VK_NOT_READY);
    return code == VK_SUCCESS;
}
