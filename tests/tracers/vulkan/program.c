/* SPDX-License-Identifier: MIT */
/*
 * program.c - a Vulkan program that knows nothing of tracers: `vulkan_traced SCENARIO [COUNT]`, over
 * the loader and whatever driver it finds. Its buffer's bytes go to standard output as a sum, which
 * must be the same with and without a tracer. Exit code 77: there is no loader or no device.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "tests/tracers/vulkan/instance.h"

#include "saxpy.comp.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define INSTANCE_FUNCTIONS(X)                   \
    X(vkGetPhysicalDeviceMemoryProperties)      \
    X(vkGetPhysicalDeviceQueueFamilyProperties) \
    X(vkCreateDevice)                           \
    X(vkGetDeviceProcAddr)
#define DEVICE_FUNCTIONS(X)          \
    X(vkDestroyDevice)               \
    X(vkGetDeviceQueue)              \
    X(vkDeviceWaitIdle)              \
    X(vkQueueWaitIdle)               \
    X(vkQueueSubmit)                 \
    X(vkCreateBuffer)                \
    X(vkDestroyBuffer)               \
    X(vkGetBufferMemoryRequirements) \
    X(vkAllocateMemory)              \
    X(vkFreeMemory)                  \
    X(vkBindBufferMemory)            \
    X(vkMapMemory)                   \
    X(vkCreateShaderModule)          \
    X(vkDestroyShaderModule)         \
    X(vkCreateDescriptorSetLayout)   \
    X(vkDestroyDescriptorSetLayout)  \
    X(vkCreatePipelineLayout)        \
    X(vkDestroyPipelineLayout)       \
    X(vkCreateComputePipelines)      \
    X(vkDestroyPipeline)             \
    X(vkCreateDescriptorPool)        \
    X(vkDestroyDescriptorPool)       \
    X(vkAllocateDescriptorSets)      \
    X(vkUpdateDescriptorSets)        \
    X(vkCreateCommandPool)           \
    X(vkResetCommandPool)            \
    X(vkDestroyCommandPool)          \
    X(vkAllocateCommandBuffers)      \
    X(vkBeginCommandBuffer)          \
    X(vkEndCommandBuffer)            \
    X(vkCreateFence)                 \
    X(vkDestroyFence)                \
    X(vkResetFences)                 \
    X(vkGetFenceStatus)              \
    X(vkWaitForFences)               \
    X(vkCmdPipelineBarrier)          \
    X(vkCmdCopyBuffer)               \
    X(vkCmdBindPipeline)             \
    X(vkCmdBindDescriptorSets)       \
    X(vkCmdPushConstants)            \
    X(vkCmdDispatch)
/* NULL over the stub. */
#define MORE_FUNCTIONS(X)   \
    X(vkCmdFillBuffer)      \
    X(vkCmdUpdateBuffer)    \
    X(vkCmdExecuteCommands) \
    X(vkFreeCommandBuffers) \
    X(vkResetCommandBuffer) \
    X(vkQueueBindSparse)    \
    X(vkCreateSemaphore)    \
    X(vkSignalSemaphore)    \
    X(vkDestroySemaphore)

#define POINTER(name) static PFN_##name name;
INSTANCE_FUNCTIONS(POINTER)
DEVICE_FUNCTIONS(POINTER)
MORE_FUNCTIONS(POINTER)

enum { ELEMENTS = 4096, BYTES = 4 * ELEMENTS, GROUP = 64, THREADS_MAX = 64, DEVICES = 70 };

typedef struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *host; /* NULL: the host does not see it */
} buffer;

static VkDevice device;
static VkQueue queue;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static VkShaderModule shader;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkPipeline pipeline;
static VkBool32 uses_time_line;

/* What each thread has. */
typedef struct worker {
    buffer x, y, staging; /* y: of the device, if its memory is apart */
    VkDescriptorPool sets;
    VkDescriptorSet set;
    VkCommandPool pool;
    VkCommandBuffer commands[2], secondary;
    VkFence fence;
} worker;

/* ---- the device ---- */

static void open_device(void)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                .queueCount = 1,
                                                .pQueuePriorities = &priority};
    /* Behind another struct, and not enabled. */
    VkPhysicalDeviceVulkan12Features of_1_2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = uses_time_line};
    VkPhysicalDeviceVulkan11Features of_1_1 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &of_1_2};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &of_1_1,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue_info};
    EXPECT(vkCreateDevice(physical, &info, NULL, &device));
    expect(of_1_1.pNext == &of_1_2 && !of_1_2.hostQueryReset, "keeping the program's structs");
#define LOAD_OF_DEVICE(name) name = (PFN_##name)vkGetDeviceProcAddr(device, #name);
    DEVICE_FUNCTIONS(LOAD_OF_DEVICE)
    MORE_FUNCTIONS(LOAD_OF_DEVICE)
    vkGetDeviceQueue(device, 0, 0, &queue);
}

static void open_pipeline(void)
{
    const VkShaderModuleCreateInfo shader_info = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = sizeof saxpy_comp,
                                                  .pCode = saxpy_comp};
    EXPECT(vkCreateShaderModule(device, &shader_info, NULL, &shader));
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    EXPECT(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range};
    EXPECT(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    const uint32_t group[3] = {GROUP, 1, 1};
    const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo special = {3, entries, sizeof group, group};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader,
                  .pName = "main",
                  .pSpecializationInfo = &special},
        .layout = layout};
    EXPECT(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
}

static void name_pipeline(void)
{
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_PIPELINE,
        .objectHandle = (uint64_t)(uintptr_t)pipeline,
        .pObjectName = "by hand"};
    PFN_vkSetDebugUtilsObjectNameEXT set_name =
        (PFN_vkSetDebugUtilsObjectNameEXT)vkGetDeviceProcAddr(device,
                                                              "vkSetDebugUtilsObjectNameEXT");
    if (set_name || is_checked)
        EXPECT(set_name(device, &name));
}

static void close_device(void)
{
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
    vkDestroyShaderModule(device, shader, NULL);
    vkDestroyDevice(device, NULL);
}

/* ---- a thread's own ---- */

/* Of memory that the host sees, or of none that it does if there is such. */
static buffer make_buffer(bool is_host)
{
    buffer made = {0};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    VkPhysicalDeviceMemoryProperties memory;
    EXPECT(vkCreateBuffer(device, &info, NULL, &made.handle));
    vkGetBufferMemoryRequirements(device, made.handle, &needs);
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    uint32_t type = UINT32_MAX;
    bool sees = false;
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
        bool is_seen = flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
             is_coherent = flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        if (!(needs.memoryTypeBits & 1u << i) || (is_host && !(is_seen && is_coherent)))
            continue;
        if (type == UINT32_MAX || (!is_host && !is_seen)) {
            type = i;
            sees = is_seen;
        }
    }
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = type};
    EXPECT(vkAllocateMemory(device, &allocate, NULL, &made.memory));
    EXPECT(vkBindBufferMemory(device, made.handle, made.memory, 0));
    if (is_host && sees)
        EXPECT(vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &made.host));
    return made;
}

static void free_buffer(const buffer *freed)
{
    vkDestroyBuffer(device, freed->handle, NULL);
    vkFreeMemory(device, freed->memory, NULL);
}

static void open_worker(worker *w)
{
    w->x = make_buffer(true);
    w->y = make_buffer(false);
    w->staging = make_buffer(true);
    for (int i = 0; i < ELEMENTS; i++) {
        ((float *)w->x.host)[i] = (float)(i % 7);
        ((float *)w->staging.host)[i] = 1;
    }
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    EXPECT(vkCreateDescriptorPool(device, &pool_info, NULL, &w->sets));
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = w->sets,
        .descriptorSetCount = 1,
        .pSetLayouts = &set_layout};
    EXPECT(vkAllocateDescriptorSets(device, &set_info, &w->set));
    const VkDescriptorBufferInfo buffers[2] = {{w->x.handle, 0, BYTES}, {w->y.handle, 0, BYTES}};
    for (uint32_t i = 0; i < 2; i++) {
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = w->set,
                                            .dstBinding = i,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &buffers[i]};
        vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    }
    const VkCommandPoolCreateInfo commands_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    EXPECT(vkCreateCommandPool(device, &commands_info, NULL, &w->pool));
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = w->pool,
        .commandBufferCount = 2};
    EXPECT(vkAllocateCommandBuffers(device, &allocate, w->commands));
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    EXPECT(vkCreateFence(device, &fence_info, NULL, &w->fence));
}

static void close_worker(worker *w)
{
    vkDestroyFence(device, w->fence, NULL);
    vkDestroyCommandPool(device, w->pool, NULL);
    vkDestroyDescriptorPool(device, w->sets, NULL);
    free_buffer(&w->x);
    free_buffer(&w->y);
    free_buffer(&w->staging);
}

/* ---- commands ---- */

static void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags usage)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = usage};
    EXPECT(vkBeginCommandBuffer(commands, &info));
}

static void bind(const worker *w, VkCommandBuffer commands)
{
    const uint32_t n = ELEMENTS;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &w->set, 0,
                            NULL);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &n);
}

static void barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0, NULL);
}

static void dispatch(VkCommandBuffer commands)
{
    barrier(commands);
    vkCmdDispatch(commands, ELEMENTS / GROUP / 2, 1, 1);
}

static void copy(VkCommandBuffer commands, const buffer *src, const buffer *dst)
{
    const VkBufferCopy region = {.size = BYTES};
    barrier(commands);
    vkCmdCopyBuffer(commands, src->handle, dst->handle, 1, &region);
}

static void submit(VkCommandBuffer commands, VkFence fence)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    pthread_mutex_lock(&queue_lock);
    EXPECT(vkQueueSubmit(queue, 1, &info, fence));
    pthread_mutex_unlock(&queue_lock);
}

static void run(worker *w, VkCommandBuffer commands)
{
    submit(commands, w->fence);
    EXPECT(vkWaitForFences(device, 1, &w->fence, VK_TRUE, UINT64_MAX));
    EXPECT(vkResetFences(device, 1, &w->fence));
}

/* Records a copy of all to or from the device, and runs it. */
static void transfer(worker *w, const buffer *src, const buffer *dst)
{
    begin(w->commands[1], 0);
    copy(w->commands[1], src, dst);
    barrier(w->commands[1]);
    EXPECT(vkEndCommandBuffer(w->commands[1]));
    run(w, w->commands[1]);
}

static void record(worker *w, unsigned long count, VkCommandBufferUsageFlags usage)
{
    begin(w->commands[0], usage);
    bind(w, w->commands[0]);
    for (unsigned long i = 0; i < count; i++)
        dispatch(w->commands[0]);
    EXPECT(vkEndCommandBuffer(w->commands[0]));
}

/* ---- scenarios ---- */

/* One recording of `count` dispatches. */
static void scenario_dispatch(worker *w, unsigned long count)
{
    record(w, count, 0);
    run(w, w->commands[0]);
}

/* One dispatch that is submitted `count` times. */
static void scenario_resubmit(worker *w, unsigned long count)
{
    record(w, 1, 0);
    for (unsigned long i = 0; i < count; i++)
        run(w, w->commands[0]);
}

/* The same with 200 ms behind each. */
static void scenario_slow(worker *w, unsigned long count)
{
    record(w, 1, 0);
    for (unsigned long i = 0; i < count; i++) {
        run(w, w->commands[0]);
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
}

/* The same without waiting. */
static void scenario_simultaneous(worker *w, unsigned long count)
{
    record(w, 1, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    for (unsigned long i = 0; i < count; i++)
        submit(w->commands[0], VK_NULL_HANDLE);
    EXPECT(vkQueueWaitIdle(queue));
}

/* Two command buffers in turn, of which one is always under way: as programs draw frames. */
static void scenario_frames(worker *w, unsigned long count)
{
    VkFence fences[2] = {w->fence};
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    EXPECT(vkCreateFence(device, &info, NULL, &fences[1]));
    for (int i = 0; i < 2; i++) {
        begin(w->commands[i], VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
        bind(w, w->commands[i]);
        dispatch(w->commands[i]);
        EXPECT(vkEndCommandBuffer(w->commands[i]));
    }
    for (unsigned long i = 0; i < count; i++) {
        VkFence *fence = &fences[i % 2];
        if (i >= 2) {
            EXPECT(vkWaitForFences(device, 1, fence, VK_TRUE, UINT64_MAX));
            EXPECT(vkResetFences(device, 1, fence));
        }
        submit(w->commands[i % 2], *fence);
    }
    EXPECT(vkQueueWaitIdle(queue));
    EXPECT(vkResetFences(device, 2, fences));
    vkDestroyFence(device, fences[1], NULL);
}

/* A recording for each dispatch, in the same command buffer. */
static void scenario_rerecord(worker *w, unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        record(w, 1, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        submit(w->commands[0], w->fence);
        while (vkGetFenceStatus(device, w->fence) != VK_SUCCESS)
            sched_yield();
        EXPECT(vkResetFences(device, 1, &w->fence));
    }
}

/* Without barriers in between, `count` times. */
static void scenario_unordered(worker *w, unsigned long count)
{
    begin(w->commands[0], 0);
    barrier(w->commands[0]);
    const VkBufferCopy region = {.size = BYTES / 2};
    vkCmdCopyBuffer(w->commands[0], w->staging.handle, w->y.handle, 1, &region);
    barrier(w->commands[0]);
    for (unsigned long i = 0; i < count; i++) {
        const VkBufferCopy part = {.srcOffset = 4 * i, .dstOffset = BYTES / 2 + 4 * i, .size = 4};
        vkCmdCopyBuffer(w->commands[0], w->x.handle, w->y.handle, 1, &part);
    }
    EXPECT(vkEndCommandBuffer(w->commands[0]));
    run(w, w->commands[0]);
}

/* One dispatch in the midst of `count` batches of one call. */
static void scenario_batches(worker *w, unsigned long count)
{
    VkSubmitInfo *infos = calloc(count, sizeof *infos);
    expect(infos, "calloc");
    for (unsigned long i = 0; i < count; i++)
        infos[i].sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    infos[count / 2].commandBufferCount = 1;
    infos[count / 2].pCommandBuffers = w->commands;
    record(w, 1, 0);
    VkResult code = vkQueueSubmit(queue, (uint32_t)count, infos, VK_NULL_HANDLE);
    free(infos);
    EXPECT(code);
    EXPECT(vkQueueWaitIdle(queue));
}

/* To the device and back, `count` times in one recording. */
static void scenario_copies(worker *w, unsigned long count)
{
    begin(w->commands[0], 0);
    for (unsigned long i = 0; i < count; i++) {
        copy(w->commands[0], &w->staging, &w->y);
        copy(w->commands[0], &w->y, &w->x);
    }
    EXPECT(vkEndCommandBuffer(w->commands[0]));
    run(w, w->commands[0]);
}

/* Secondary command buffers, each executed once, and fills. Needs a real driver. */
static void scenario_secondary(worker *w, unsigned long count)
{
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = w->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1};
    const VkCommandBufferInheritanceInfo none = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .pInheritanceInfo = &none};
    EXPECT(vkAllocateCommandBuffers(device, &allocate, &w->secondary));
    EXPECT(vkBeginCommandBuffer(w->secondary, &info));
    bind(w, w->secondary);
    dispatch(w->secondary);
    dispatch(w->secondary);
    EXPECT(vkEndCommandBuffer(w->secondary));
    begin(w->commands[0], 0);
    barrier(w->commands[0]);
    vkCmdFillBuffer(w->commands[0], w->y.handle, 0, VK_WHOLE_SIZE, 0);
    vkCmdExecuteCommands(w->commands[0], 1, &w->secondary);
    EXPECT(vkEndCommandBuffer(w->commands[0]));
    for (unsigned long i = 0; i < count; i++)
        run(w, w->commands[0]);
    EXPECT(vkResetCommandBuffer(w->commands[0], 0));
    vkFreeCommandBuffers(device, w->pool, 1, &w->secondary);
}

/* With a device for each run; main() makes them. */
static void scenario_devices(worker *w, unsigned long count)
{
    scenario_dispatch(w, count);
}

static VkSemaphore make_semaphore(VkSemaphoreType type)
{
    const VkSemaphoreTypeCreateInfo type_info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = type};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type_info};
    VkSemaphore made = VK_NULL_HANDLE;
    EXPECT(vkCreateSemaphore(device, &info, NULL, &made));
    return made;
}

/* Two dispatches that nothing orders: the second waits for a semaphore of a third submission.
 * Needs a real driver, as all with semaphores. */
static void scenario_semaphore(worker *w, unsigned long count)
{
    (void)count;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSemaphore semaphore = make_semaphore(VK_SEMAPHORE_TYPE_BINARY);
    const VkSubmitInfo signals = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                  .signalSemaphoreCount = 1,
                                  .pSignalSemaphores = &semaphore};
    const VkSubmitInfo waits = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &semaphore,
                                .pWaitDstStageMask = &stage,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &w->commands[1]};
    record(w, 1, 0);
    begin(w->commands[1], 0);
    bind(w, w->commands[1]);
    vkCmdDispatch(w->commands[1], 0, 1, 1);
    EXPECT(vkEndCommandBuffer(w->commands[1]));
    EXPECT(vkQueueSubmit(queue, 1, &signals, VK_NULL_HANDLE));
    submit(w->commands[0], VK_NULL_HANDLE);
    EXPECT(vkQueueSubmit(queue, 1, &waits, VK_NULL_HANDLE));
    EXPECT(vkQueueWaitIdle(queue));
    vkDestroySemaphore(device, semaphore, NULL);
}

/* The host signals what the second submission waits for when the first has ended. Then the first
 * command buffer is recorded again, `count` - 1 times, before the semaphore is signalled. */
static void scenario_host_signal(worker *w, unsigned long count)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint64_t value = 1;
    VkSemaphore semaphore = make_semaphore(VK_SEMAPHORE_TYPE_TIMELINE);
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value};
    const VkSubmitInfo waits = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .pNext = &values,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &semaphore,
                                .pWaitDstStageMask = &stage,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &w->commands[1]};
    const VkSemaphoreSignalInfo signals = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    begin(w->commands[1], 0);
    bind(w, w->commands[1]);
    dispatch(w->commands[1]);
    EXPECT(vkEndCommandBuffer(w->commands[1]));
    record(w, 1, 0);
    submit(w->commands[0], w->fence);
    EXPECT(vkQueueSubmit(queue, 1, &waits, VK_NULL_HANDLE));
    EXPECT(vkWaitForFences(device, 1, &w->fence, VK_TRUE, UINT64_MAX));
    for (unsigned long i = 1; i < count; i++)
        record(w, 1, 0);
    EXPECT(vkSignalSemaphore(device, &signals));
    EXPECT(vkQueueWaitIdle(queue));
    EXPECT(vkResetFences(device, 1, &w->fence));
    vkDestroySemaphore(device, semaphore, NULL);
}

/* Binds nothing, `count` times. Needs the stub. */
static void scenario_sparse(worker *w, unsigned long count)
{
    (void)w;
    for (unsigned long i = 0; i < count; i++)
        EXPECT(vkQueueBindSparse(queue, 0, NULL, VK_NULL_HANDLE));
}

/* Ends without a word to the driver. */
static void scenario_killed(worker *w, unsigned long count)
{
    scenario_resubmit(w, count);
    raise(SIGKILL);
}

static void scenario_exit(worker *w, unsigned long count)
{
    scenario_resubmit(w, count);
    submit(w->commands[0], VK_NULL_HANDLE);
    _exit(3);
}

static const struct {
    const char *name;
    void (*run)(worker *w, unsigned long count);
} scenarios[] = {{"dispatch", scenario_dispatch},
                 {"resubmit", scenario_resubmit},
                 {"slow", scenario_slow},
                 {"simultaneous", scenario_simultaneous},
                 {"frames", scenario_frames},
                 {"rerecord", scenario_rerecord},
                 {"unordered", scenario_unordered},
                 {"batches", scenario_batches},
                 {"copies", scenario_copies},
                 {"secondary", scenario_secondary},
                 {"devices", scenario_devices},
                 {"semaphore", scenario_semaphore},
                 {"host_signal", scenario_host_signal},
                 {"sparse", scenario_sparse},
                 {"killed", scenario_killed},
                 {"exit", scenario_exit}};

static void (*scenario)(worker *w, unsigned long count);
static unsigned long scenario_count;

static void *work(void *sum)
{
    worker w = {0};
    open_worker(&w);
    transfer(&w, &w.staging, &w.y);
    scenario(&w, scenario_count);
    transfer(&w, &w.y, &w.staging);
    const uint32_t *words = w.staging.host;
    for (int i = 0; i < ELEMENTS; i++)
        *(uint32_t *)sum = *(uint32_t *)sum * 31 + words[i];
    close_worker(&w);
    return NULL;
}

int main(int argc, char **argv)
{
    scenario_count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    for (size_t i = 0; argc > 1 && i < sizeof scenarios / sizeof scenarios[0]; i++)
        if (strcmp(scenarios[i].name, argv[1]) == 0)
            scenario = scenarios[i].run;
    expect(scenario && count >= 1 && count <= THREADS_MAX, "SCENARIO [COUNT [THREADS]]");
    uses_time_line = scenario == scenario_host_signal;
    open_instance(VK_API_VERSION_1_2, argc > 4 && strcmp(argv[4], "checked") == 0);
#define LOAD_OF_INSTANCE(name) name = OF_INSTANCE(name);
    INSTANCE_FUNCTIONS(LOAD_OF_INSTANCE)
    open_device();
    open_pipeline();
    for (int i = 1; scenario == scenario_devices && i < DEVICES; i++) {
        uint32_t sum = 0;
        work(&sum);
        close_device();
        open_device();
        open_pipeline();
    }
    if (is_checked || (argc > 4 && strcmp(argv[4], "unasked") == 0))
        name_pipeline();
    pthread_t threads[THREADS_MAX];
    uint32_t sums[THREADS_MAX] = {0};
    for (unsigned long i = 0; i < count; i++)
        expect(pthread_create(&threads[i], NULL, work, &sums[i]) == 0, "pthread_create");
    for (unsigned long i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        printf("%08x\n", (unsigned)sums[i]);
    }
    close_device();
    if (argc > 4 && strcmp(argv[4], "again") == 0) { /* with what is left of the tracer */
        close_instance();
        open_instance(VK_API_VERSION_1_2, false);
    }
    close_instance();
    return tell_messages();
}
