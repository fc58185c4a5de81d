/* SPDX-License-Identifier: MIT */
/* vulkan_timer.c - do all numbers end in 4, 2, 1?  A program that owns its Vulkan queue. */
#include <kerntime/snapshot.h>
#include <kerntime/timer/vulkan.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

enum { N = 1 << 16, GROUP = 64, FRAMES = 20, BYTES = N * 4 };

static const uint32_t shader[] = {
#include "vulkan_timer.inc"
};

static VkInstance instance;
static VkPhysicalDevice gpu;
static VkDevice device;
static VkBuffer from, to;
static VkDeviceMemory memories[2];
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkShaderModule module;
static VkPipeline pipeline;
static VkDescriptorPool sets;
static VkDescriptorSet set;
static VkCommandPool pool;

static void must(VkResult result)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "vulkan_timer: Vulkan answers %d\n", result);
        exit(1);
    }
}

static int find_gpu(void)
{
    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                             .apiVersion = VK_API_VERSION_1_0};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &app};
    uint32_t count = 1;
    return vkCreateInstance(&info, NULL, &instance) == VK_SUCCESS &&
           vkEnumeratePhysicalDevices(instance, &count, &gpu) >= VK_SUCCESS && count > 0;
}

static uint32_t find_family(void)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16, family = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu, &count, families);
    while (family < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        family++;
    return family;
}

static void make_device(uint32_t family)
{
    const float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue_info};
    must(vkCreateDevice(gpu, &info, NULL, &device));
}

/* A buffer, and where the host sees it. */
static uint32_t *make_buffer(VkBuffer *buffer, VkDeviceMemory *memory)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = BYTES,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    must(vkCreateBuffer(device, &info, NULL, buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, *buffer, &needs);
    VkPhysicalDeviceMemoryProperties has;
    vkGetPhysicalDeviceMemoryProperties(gpu, &has);
    const VkMemoryPropertyFlags seen =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) ||
           (has.memoryTypes[type].propertyFlags & seen) != seen)
        type++;
    VkMemoryAllocateInfo room = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = type};
    void *host;
    must(vkAllocateMemory(device, &room, NULL, memory));
    must(vkBindBufferMemory(device, *buffer, *memory, 0));
    must(vkMapMemory(device, *memory, 0, BYTES, 0, &host));
    return host;
}

static void make_pipeline(void)
{
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .descriptorCount = 1,
                                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    must(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = 1,
                                              .pSetLayouts = &set_layout};
    must(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = sizeof shader,
                                            .pCode = shader};
    must(vkCreateShaderModule(device, &module_info, NULL, &module));
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout};
    must(vkCreateComputePipelines(device, NULL, 1, &info, NULL, &pipeline));
}

static void make_set(void)
{
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = 1,
                                            .poolSizeCount = 1,
                                            .pPoolSizes = &size};
    must(vkCreateDescriptorPool(device, &pool_info, NULL, &sets));
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = sets,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &set_layout};
    must(vkAllocateDescriptorSets(device, &info, &set));
    VkDescriptorBufferInfo whole = {from, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &whole};
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

static VkCommandBuffer make_commands(uint32_t family)
{
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = family};
    must(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    VkCommandBuffer commands;
    must(vkAllocateCommandBuffers(device, &info, &commands));
    return commands;
}

static int count_ended(const uint32_t *numbers)
{
    int count = 0;
    for (int i = 0; i < N; i++)
        count += numbers[i] == 4 || numbers[i] == 2 || numbers[i] == 1;
    return count;
}

static void destroy_all(void)
{
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyDescriptorPool(device, sets, NULL);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyShaderModule(device, module, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
    vkDestroyBuffer(device, from, NULL);
    vkDestroyBuffer(device, to, NULL);
    vkFreeMemory(device, memories[0], NULL);
    vkFreeMemory(device, memories[1], NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
}

static void barrier(VkCommandBuffer commands, VkPipelineStageFlags before, VkAccessFlags written,
                    VkPipelineStageFlags after, VkAccessFlags read)
{
    VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = read};
    vkCmdPipelineBarrier(commands, before, after, 0, 1, &memory, 0, NULL, 0, NULL);
}

int main(void)
{
    if (!find_gpu()) {
        fprintf(stderr, "vulkan_timer: there is no Vulkan device here\n");
        return 0;
    }
    const uint32_t family = find_family();
    make_device(family);

    kt_vulkan_import import = {.size = sizeof import,
                               .instance = instance,
                               .physical_device = gpu,
                               .device = device,
                               .queue_family = family};
    kt_timer_context *context = NULL;
    kt_timer *stepping = NULL, *copying = NULL;
    kt_recording *recording = NULL;
    if (kt_timer_context_import_vulkan(&import, &context) != KT_OK)
        fprintf(stderr, "vulkan_timer: not timed: %s\n", kt_error_text());
    kt_timer_create(context, "step", &stepping);
    kt_timer_create(context, "copy", &copying);
    kt_recording_create(context, NULL, &recording);

    uint32_t *numbers = make_buffer(&from, &memories[0]);
    const uint32_t *copy = make_buffer(&to, &memories[1]);
    for (uint32_t i = 0; i < N; i++)
        numbers[i] = i + 1;
    make_pipeline();
    make_set();
    VkCommandBuffer commands = make_commands(family);

    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(vkBeginCommandBuffer(commands, &begin));
    kt_recording_begin_vulkan(recording, commands, begin.flags);
    kt_recording_start(recording, stepping);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, N / GROUP, 1, 1);
    kt_recording_stop(recording, stepping);
    barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    kt_recording_start(recording, copying);
    vkCmdCopyBuffer(commands, from, to, 1, &(VkBufferCopy){0, 0, BYTES});
    kt_recording_stop(recording, copying);
    barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    must(vkEndCommandBuffer(commands));

    VkQueue queue;
    vkGetDeviceQueue(device, family, 0, &queue);
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    must(vkCreateFence(device, &fence_info, NULL, &fence));
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &commands};
    for (int frame = 0; frame < FRAMES; frame++) {
        kt_recording_submit(recording);
        must(vkQueueSubmit(queue, 1, &submit, fence));
        must(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
        must(vkResetFences(device, 1, &fence));
        kt_collect(context);
    }

    printf("%d of %d numbers ended in 4, 2, 1\n", count_ended(copy), N);

    kt_registry_print(stdout);
    kt_recording_destroy(&recording);
    kt_timer_destroy(&stepping);
    kt_timer_destroy(&copying);
    kt_timer_context_close(&context);

    vkDestroyFence(device, fence, NULL);
    destroy_all();
    return 0;
}
