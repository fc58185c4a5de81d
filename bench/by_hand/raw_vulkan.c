/* SPDX-License-Identifier: MIT */
#include "bench/by_hand/raw.h"
#include "empty.comp.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

/* The functions that the loader exports, by their own names, as a program linked to it has them. */
#define FUNCTIONS(X)                            \
    X(vkCreateInstance)                         \
    X(vkDestroyInstance)                        \
    X(vkEnumeratePhysicalDevices)               \
    X(vkGetPhysicalDeviceProperties)            \
    X(vkGetPhysicalDeviceQueueFamilyProperties) \
    X(vkCreateDevice)                           \
    X(vkDestroyDevice)                          \
    X(vkDeviceWaitIdle)                         \
    X(vkGetDeviceQueue)                         \
    X(vkCreateShaderModule)                     \
    X(vkDestroyShaderModule)                    \
    X(vkCreatePipelineLayout)                   \
    X(vkDestroyPipelineLayout)                  \
    X(vkCreateComputePipelines)                 \
    X(vkDestroyPipeline)                        \
    X(vkCreateQueryPool)                        \
    X(vkDestroyQueryPool)                       \
    X(vkCreateFence)                            \
    X(vkDestroyFence)                           \
    X(vkCreateCommandPool)                      \
    X(vkDestroyCommandPool)                     \
    X(vkAllocateCommandBuffers)                 \
    X(vkBeginCommandBuffer)                     \
    X(vkEndCommandBuffer)                       \
    X(vkCmdResetQueryPool)                      \
    X(vkCmdWriteTimestamp)                      \
    X(vkCmdBindPipeline)                        \
    X(vkCmdDispatch)                            \
    X(vkCmdCopyBuffer)                          \
    X(vkCmdPipelineBarrier)                     \
    X(vkGetPhysicalDeviceMemoryProperties)      \
    X(vkGetBufferMemoryRequirements)            \
    X(vkCreateBuffer)                           \
    X(vkDestroyBuffer)                          \
    X(vkAllocateMemory)                         \
    X(vkFreeMemory)                             \
    X(vkBindBufferMemory)                       \
    X(vkMapMemory)                              \
    X(vkResetFences)                            \
    X(vkQueueSubmit)                            \
    X(vkWaitForFences)                          \
    X(vkGetQueryPoolResults)

#define FAMILIES_MAX 16
#define TIMEOUT_NS   UINT64_C(10000000000)

typedef struct state {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
#undef POINTER
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    VkShaderModule shader;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkQueryPool queries;
    VkFence fence;
    VkCommandPool pool;
    VkCommandBuffer plain, timestamped, copying;
    VkBuffer buffers[2];
    VkDeviceMemory memories[2];
    float period_ns;
} state;

static bool load(state *raw, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    void *address;
#define LOAD(name)                                \
    address = dlsym(library, #name);              \
    memcpy(&raw->name, &address, sizeof address); \
    if (!address)                                 \
        return false;
    FUNCTIONS(LOAD)
#undef LOAD
    return true;
}

/* The first family of the device whose queues compute and timestamp. */
static bool find_family(const state *raw, uint32_t *family)
{
    VkQueueFamilyProperties families[FAMILIES_MAX];
    uint32_t count = FAMILIES_MAX;
    raw->vkGetPhysicalDeviceQueueFamilyProperties(raw->physical_device, &count, families);
    for (*family = 0; *family < count; ++*family)
        if ((families[*family].queueFlags & VK_QUEUE_COMPUTE_BIT) &&
            families[*family].timestampValidBits)
            return true;
    return false;
}

static bool make_device(state *raw, uint32_t *family)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_0};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                          .pApplicationInfo = &application};
    uint32_t count = 1;
    if (raw->vkCreateInstance(&instance_info, NULL, &raw->instance) != VK_SUCCESS ||
        raw->vkEnumeratePhysicalDevices(raw->instance, &count, &raw->physical_device) < 0 ||
        count == 0 || !find_family(raw, family))
        return false;
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = *family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue_info};
    if (raw->vkCreateDevice(raw->physical_device, &device_info, NULL, &raw->device) != VK_SUCCESS)
        return false;
    raw->vkGetDeviceQueue(raw->device, *family, 0, &raw->queue);
    return true;
}

static bool make_pipeline(state *raw)
{
    VkShaderModuleCreateInfo shader_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = empty_comp_bytes,
                                            .pCode = empty_comp};
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    if (raw->vkCreateShaderModule(raw->device, &shader_info, NULL, &raw->shader) != VK_SUCCESS ||
        raw->vkCreatePipelineLayout(raw->device, &layout_info, NULL, &raw->layout) != VK_SUCCESS)
        return false;
    VkComputePipelineCreateInfo pipeline_info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = raw->shader,
                  .pName = "main"},
        .layout = raw->layout};
    return raw->vkCreateComputePipelines(raw->device, VK_NULL_HANDLE, 1, &pipeline_info, NULL,
                                         &raw->pipeline) == VK_SUCCESS;
}

static bool record(const state *raw, VkCommandBuffer commands, bool timestamped)
{
    VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    if (raw->vkBeginCommandBuffer(commands, &begin_info) != VK_SUCCESS)
        return false;
    raw->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, raw->pipeline);
    if (timestamped) {
        raw->vkCmdResetQueryPool(commands, raw->queries, 0, 2);
        raw->vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, raw->queries, 0);
    }
    raw->vkCmdDispatch(commands, 1, 1, 1);
    if (timestamped)
        raw->vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, raw->queries, 1);
    return raw->vkEndCommandBuffer(commands) == VK_SUCCESS;
}

static bool make_commands(state *raw, uint32_t family)
{
    VkQueryPoolCreateInfo query_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = family};
    if (raw->vkCreateQueryPool(raw->device, &query_info, NULL, &raw->queries) != VK_SUCCESS ||
        raw->vkCreateFence(raw->device, &fence_info, NULL, &raw->fence) != VK_SUCCESS ||
        raw->vkCreateCommandPool(raw->device, &pool_info, NULL, &raw->pool) != VK_SUCCESS)
        return false;
    VkCommandBuffer buffers[3];
    VkCommandBufferAllocateInfo buffer_info = {.sType =
                                                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = raw->pool,
                                               .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                               .commandBufferCount = 3};
    if (raw->vkAllocateCommandBuffers(raw->device, &buffer_info, buffers) != VK_SUCCESS)
        return false;
    raw->plain = buffers[0];
    raw->timestamped = buffers[1];
    raw->copying = buffers[2];
    return record(raw, raw->plain, false) && record(raw, raw->timestamped, true);
}

static void raw_close(void *opened)
{
    state *raw = opened;
    if (raw->device) {
        raw->vkDeviceWaitIdle(raw->device);
        for (int i = 0; i < 2; i++) {
            raw->vkDestroyBuffer(raw->device, raw->buffers[i], NULL);
            raw->vkFreeMemory(raw->device, raw->memories[i], NULL);
        }
        raw->vkDestroyCommandPool(raw->device, raw->pool, NULL);
        raw->vkDestroyFence(raw->device, raw->fence, NULL);
        raw->vkDestroyQueryPool(raw->device, raw->queries, NULL);
        raw->vkDestroyPipeline(raw->device, raw->pipeline, NULL);
        raw->vkDestroyPipelineLayout(raw->device, raw->layout, NULL);
        raw->vkDestroyShaderModule(raw->device, raw->shader, NULL);
        raw->vkDestroyDevice(raw->device, NULL);
    }
    if (raw->instance)
        raw->vkDestroyInstance(raw->instance, NULL);
    free(raw);
}

static void *raw_open(const char *library)
{
    state *raw = calloc(1, sizeof *raw);
    uint32_t family;
    if (raw && load(raw, library) && make_device(raw, &family) && make_pipeline(raw) &&
        make_commands(raw, family))
        return raw;
    fprintf(stderr, "kerntime-bench: %s: no Vulkan device could be set up\n", library);
    if (raw)
        raw_close(raw);
    return NULL;
}

static bool submit(state *raw, const VkCommandBuffer *commands)
{
    VkSubmitInfo submit_info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = commands};
    return raw->vkResetFences(raw->device, 1, &raw->fence) == VK_SUCCESS &&
           raw->vkQueueSubmit(raw->queue, 1, &submit_info, raw->fence) == VK_SUCCESS &&
           raw->vkWaitForFences(raw->device, 1, &raw->fence, VK_TRUE, TIMEOUT_NS) == VK_SUCCESS;
}

/* What the two timestamps of a submission are apart. */
static bool submit_timestamped(state *raw, const VkCommandBuffer *commands, uint64_t *ticks)
{
    uint64_t both[2];
    if (!submit(raw, commands) ||
        raw->vkGetQueryPoolResults(raw->device, raw->queries, 0, 2, sizeof both, both,
                                   sizeof both[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
        return false;
    *ticks = both[1] - both[0];
    return true;
}

static bool raw_dispatch(void *opened, bool timestamped, uint32_t count)
{
    state *raw = opened;
    uint64_t ticks;
    for (uint32_t i = 0; i < count; i++)
        if (!(timestamped ? submit_timestamped(raw, &raw->timestamped, &ticks)
                          : submit(raw, &raw->plain)))
            return false;
    return true;
}

/* A type of memory that the host sees, of those in `allowed`. */
static bool find_type(const state *raw, uint32_t allowed, uint32_t *type)
{
    VkPhysicalDeviceMemoryProperties memory;
    raw->vkGetPhysicalDeviceMemoryProperties(raw->physical_device, &memory);
    for (*type = 0; *type < memory.memoryTypeCount; ++*type)
        if ((allowed & 1u << *type) &&
            (memory.memoryTypes[*type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
            return true;
    return false;
}

/* Every page of it is written to by the host. */
static bool make_buffer(state *raw, size_t bytes, VkBuffer *buffer, VkDeviceMemory *memory)
{
    VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = bytes,
                                      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkMemoryRequirements needs;
    void *host;
    if (raw->vkCreateBuffer(raw->device, &buffer_info, NULL, buffer) != VK_SUCCESS)
        return false;
    raw->vkGetBufferMemoryRequirements(raw->device, *buffer, &needs);
    memory_info.allocationSize = needs.size;
    if (!find_type(raw, needs.memoryTypeBits, &memory_info.memoryTypeIndex) ||
        raw->vkAllocateMemory(raw->device, &memory_info, NULL, memory) != VK_SUCCESS ||
        raw->vkBindBufferMemory(raw->device, *buffer, *memory, 0) != VK_SUCCESS ||
        raw->vkMapMemory(raw->device, *memory, 0, VK_WHOLE_SIZE, 0, &host) != VK_SUCCESS)
        return false;
    memset(host, 1, bytes);
    return true;
}

static bool raw_make_copy(void *opened, size_t bytes)
{
    state *raw = opened;
    VkPhysicalDeviceProperties properties;
    VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask =
                                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    VkBufferCopy region = {.size = bytes};
    raw->vkGetPhysicalDeviceProperties(raw->physical_device, &properties);
    raw->period_ns = properties.limits.timestampPeriod;
    for (int i = 0; i < 2; i++)
        if (!make_buffer(raw, bytes, &raw->buffers[i], &raw->memories[i]))
            return false;
    if (raw->vkBeginCommandBuffer(raw->copying, &begin_info) != VK_SUCCESS)
        return false;
    raw->vkCmdResetQueryPool(raw->copying, raw->queries, 0, 2);
    raw->vkCmdPipelineBarrier(raw->copying, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                              VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    raw->vkCmdWriteTimestamp(raw->copying, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, raw->queries, 0);
    raw->vkCmdCopyBuffer(raw->copying, raw->buffers[0], raw->buffers[1], 1, &region);
    raw->vkCmdWriteTimestamp(raw->copying, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, raw->queries, 1);
    return raw->vkEndCommandBuffer(raw->copying) == VK_SUCCESS;
}

static bool raw_copy(void *opened, double *duration_ns)
{
    state *raw = opened;
    uint64_t ticks = 0;
    bool works = submit_timestamped(raw, &raw->copying, &ticks);
    *duration_ns = (double)ticks * raw->period_ns;
    return works;
}

const raw_api raw_vulkan = {raw_open, raw_close, raw_dispatch, raw_make_copy, raw_copy};
