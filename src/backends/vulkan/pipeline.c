/* pipeline.c - creates a kernel's pipeline for its group size and binds its memories. */
#include "backends/vulkan/internal.h"
#include "support/alloc.h"

static kt_status create_set_layout(vulkan_device *d, uint32_t count, VkDescriptorSetLayout *out)
{
    VkDescriptorSetLayoutBinding *bindings = kt_alloc(count, sizeof *bindings);
    if (!bindings)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreateDescriptorSetLayout, d->device, &info, NULL, &layout);
    kt_free(bindings);
    if (code != VK_SUCCESS)
        return vulkan_fail("vkCreateDescriptorSetLayout", code);
    *out = layout;
    return KT_OK;
}

static void write_set(vulkan_device *d, VkDescriptorSet set, const vulkan_buffer *const *buffers,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const VkDescriptorBufferInfo range = {.buffer = buffers[i]->buffer, .range = VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = set,
                                            .dstBinding = i,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &range};
        d->api.vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
    }
}

static kt_status create_set(vulkan_device *d, const vulkan_pipeline_desc *desc,
                            vulkan_pipeline *out)
{
    const VkDescriptorPoolSize size = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .descriptorCount = desc->buffer_count};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreateDescriptorPool, d->device, &pool_info, NULL, &pool);
    if (code != VK_SUCCESS)
        return vulkan_fail("vkCreateDescriptorPool", code);
    out->pool = pool;
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &out->set_layout};
    code = VK_CALL(&d->api, vkAllocateDescriptorSets, d->device, &set_info, &set);
    if (code != VK_SUCCESS)
        return vulkan_fail("vkAllocateDescriptorSets", code);
    out->set = set;
    write_set(d, set, desc->buffers, desc->buffer_count);
    return KT_OK;
}

static kt_status create_layout(vulkan_device *d, const vulkan_pipeline_desc *desc,
                               vulkan_pipeline *out)
{
    const VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                      .size = (desc->push_bytes + 3) / 4 * 4};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = desc->buffer_count ? 1 : 0,
                                             .pSetLayouts = &out->set_layout,
                                             .pushConstantRangeCount = desc->push_bytes ? 1 : 0,
                                             .pPushConstantRanges = &push};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreatePipelineLayout, d->device, &info, NULL, &layout);
    if (code != VK_SUCCESS)
        return vulkan_fail("vkCreatePipelineLayout", code);
    out->layout = layout;
    out->push_bytes = push.size;
    return KT_OK;
}

static kt_status compile(vulkan_device *d, const vulkan_pipeline_desc *desc, vulkan_pipeline *out)
{
    VkSpecializationMapEntry entries[3];
    for (uint32_t i = 0; i < 3; i++)
        entries[i] = (VkSpecializationMapEntry){
            .constantID = i, .offset = i * (uint32_t)sizeof(uint32_t), .size = sizeof(uint32_t)};
    const VkSpecializationInfo constants = {.mapEntryCount = 3,
                                            .pMapEntries = entries,
                                            .dataSize = 3 * sizeof(uint32_t),
                                            .pData = desc->group_size};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = desc->module,
                  .pName = desc->entry,
                  .pSpecializationInfo = &constants},
        .layout = out->layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreateComputePipelines, d->device, VK_NULL_HANDLE, 1, &info,
                            NULL, &pipeline);
    if (code != VK_SUCCESS)
        return vulkan_fail("vkCreateComputePipelines", code);
    out->pipeline = pipeline;
    return KT_OK;
}

kt_status vulkan_pipeline_create(vulkan_device *device, const vulkan_pipeline_desc *desc,
                                 vulkan_pipeline *out)
{
    kt_status status = KT_OK;
    if (desc->buffer_count)
        status = create_set_layout(device, desc->buffer_count, &out->set_layout);
    if (status == KT_OK && desc->buffer_count)
        status = create_set(device, desc, out);
    if (status == KT_OK)
        status = create_layout(device, desc, out);
    return status == KT_OK ? compile(device, desc, out) : status;
}

void vulkan_pipeline_destroy(vulkan_device *device, vulkan_pipeline *pipeline)
{
    const vulkan_device_api *api = &device->api;
    api->vkDestroyPipeline(device->device, pipeline->pipeline, NULL);
    api->vkDestroyPipelineLayout(device->device, pipeline->layout, NULL);
    api->vkDestroyDescriptorPool(device->device, pipeline->pool, NULL);
    api->vkDestroyDescriptorSetLayout(device->device, pipeline->set_layout, NULL);
    *pipeline = (vulkan_pipeline){0};
}

void vulkan_pipeline_bind(const vulkan_device *device, VkCommandBuffer buffer,
                          const vulkan_pipeline *pipeline, const void *push)
{
    const vulkan_device_api *api = &device->api;
    api->vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    if (pipeline->set)
        api->vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0, 1,
                                     &pipeline->set, 0, NULL);
    if (pipeline->push_bytes)
        api->vkCmdPushConstants(buffer, pipeline->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                pipeline->push_bytes, push);
}
