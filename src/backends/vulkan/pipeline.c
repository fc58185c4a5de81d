/* SPDX-License-Identifier: MIT */
/* pipeline.c - creates a kernel's pipeline for its group size and binds its memories. */
#include "backends/vulkan/internal.h"
#include "support/alloc.h"

#include <string.h>

/* The layout of one set, of the bindings that are in it. */
static kt_status create_set_layout(vulkan_device *d, const vulkan_pipeline_desc *desc, uint32_t set,
                                   VkDescriptorSetLayout *out)
{
    VkDescriptorSetLayoutBinding *bindings = kt_alloc(desc->binding_count, sizeof *bindings);
    uint32_t count = 0;
    if (!bindings)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < desc->binding_count; i++)
        if (desc->bindings[i].set == set)
            bindings[count++] =
                (VkDescriptorSetLayoutBinding){.binding = desc->bindings[i].binding,
                                               .descriptorType = desc->bindings[i].type,
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
        return kt_vulkan_fail("vkCreateDescriptorSetLayout", code);
    *out = layout;
    return KT_OK;
}

static kt_status create_set_layouts(vulkan_device *d, const vulkan_pipeline_desc *desc,
                                    vulkan_pipeline *out)
{
    kt_status status = KT_OK;
    uint32_t count = 0;
    for (uint32_t i = 0; i < desc->binding_count; i++)
        if (desc->bindings[i].set >= count)
            count = desc->bindings[i].set + 1;
    for (uint32_t i = 0; i < count && status == KT_OK; i++) {
        status = create_set_layout(d, desc, i, &out->set_layouts[i]);
        out->set_count = i + 1;
    }
    return status;
}

static void write_sets(vulkan_device *d, const vulkan_pipeline_desc *desc,
                       const vulkan_pipeline *out)
{
    for (uint32_t i = 0; i < desc->binding_count; i++) {
        const vulkan_binding *binding = &desc->bindings[i];
        const VkDescriptorBufferInfo range = {.buffer = binding->buffer,
                                              .offset = binding->offset,
                                              .range =
                                                  binding->bytes ? binding->bytes : VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = out->sets[binding->set],
                                            .dstBinding = binding->binding,
                                            .descriptorCount = 1,
                                            .descriptorType = binding->type,
                                            .pBufferInfo = &range};
        d->api.vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
    }
}

static kt_status create_sets(vulkan_device *d, const vulkan_pipeline_desc *desc,
                             vulkan_pipeline *out)
{
    /* Enough of both kinds: a size of 0 is not allowed. */
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, desc->binding_count},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, desc->binding_count}};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = out->set_count,
                                                  .poolSizeCount = 2,
                                                  .pPoolSizes = sizes};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreateDescriptorPool, d->device, &pool_info, NULL, &pool);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateDescriptorPool", code);
    out->pool = pool;
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = out->set_count,
        .pSetLayouts = out->set_layouts};
    code = VK_CALL(&d->api, vkAllocateDescriptorSets, d->device, &set_info, out->sets);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkAllocateDescriptorSets", code);
    write_sets(d, desc, out);
    return KT_OK;
}

static kt_status create_layout(vulkan_device *d, const vulkan_pipeline_desc *desc,
                               vulkan_pipeline *out)
{
    const VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                      .size = (desc->push_bytes + 3) / 4 * 4};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = out->set_count,
                                             .pSetLayouts = out->set_layouts,
                                             .pushConstantRangeCount = desc->push_bytes ? 1 : 0,
                                             .pPushConstantRanges = &push};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreatePipelineLayout, d->device, &info, NULL, &layout);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreatePipelineLayout", code);
    out->layout = layout;
    out->push_bytes = push.size;
    return KT_OK;
}

/* The program's constants, then those of the group's size that are not among them. Two dimensions
 * may be one constant. */
static uint32_t list_constants(const vulkan_pipeline_desc *desc, vulkan_constant *constants)
{
    const vulkan_program *program = desc->program;
    const uint32_t *ids = program->kernel.size_ids;
    uint32_t count = program->constant_count;
    memcpy(constants, program->constants, count * sizeof *constants);
    for (int i = 0; i < 3; i++) {
        bool is_taken = program->group_size[i] || ids[i] == SPIRV_NO_ID;
        for (int k = 0; k < i; k++)
            is_taken |= ids[k] == ids[i];
        if (is_taken)
            continue;
        constants[count] = (vulkan_constant){.id = ids[i], .bytes = sizeof desc->group_size[i]};
        memcpy(&constants[count++].data, &desc->group_size[i], sizeof desc->group_size[i]);
    }
    return count;
}

static kt_status create_pipeline(vulkan_device *d, const vulkan_pipeline_desc *desc,
                                 const VkSpecializationInfo *constants, vulkan_pipeline *out)
{
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = desc->program->module,
                  .pName = desc->program->entry,
                  .pSpecializationInfo = constants},
        .layout = out->layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreateComputePipelines, d->device, VK_NULL_HANDLE, 1, &info,
                            NULL, &pipeline);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateComputePipelines", code);
    out->pipeline = pipeline;
    return KT_OK;
}

static kt_status compile(vulkan_device *d, const vulkan_pipeline_desc *desc, vulkan_pipeline *out)
{
    size_t room = (size_t)desc->program->constant_count + 3;
    vulkan_constant *constants = kt_alloc(room, sizeof *constants);
    VkSpecializationMapEntry *entries = kt_alloc(room, sizeof *entries);
    kt_status status = KT_NO_MEMORY;
    if (constants && entries) {
        uint32_t count = list_constants(desc, constants);
        for (uint32_t i = 0; i < count; i++)
            entries[i] = (VkSpecializationMapEntry){.constantID = constants[i].id,
                                                    .offset = i * (uint32_t)sizeof *constants +
                                                              offsetof(vulkan_constant, data),
                                                    .size = constants[i].bytes};
        const VkSpecializationInfo info = {.mapEntryCount = count,
                                           .pMapEntries = entries,
                                           .dataSize = count * sizeof *constants,
                                           .pData = constants};
        status = create_pipeline(d, desc, &info, out);
    }
    kt_free(constants);
    kt_free(entries);
    return status;
}

kt_status kt_vulkan_pipeline_create(vulkan_device *device, const vulkan_pipeline_desc *desc,
                                    vulkan_pipeline *out)
{
    kt_status status = create_set_layouts(device, desc, out);
    if (status == KT_OK && out->set_count)
        status = create_sets(device, desc, out);
    if (status == KT_OK)
        status = create_layout(device, desc, out);
    return status == KT_OK ? compile(device, desc, out) : status;
}

void kt_vulkan_pipeline_destroy(vulkan_device *device, vulkan_pipeline *pipeline)
{
    const vulkan_device_api *api = &device->api;
    api->vkDestroyPipeline(device->device, pipeline->pipeline, NULL);
    api->vkDestroyPipelineLayout(device->device, pipeline->layout, NULL);
    api->vkDestroyDescriptorPool(device->device, pipeline->pool, NULL);
    for (uint32_t i = 0; i < pipeline->set_count; i++)
        api->vkDestroyDescriptorSetLayout(device->device, pipeline->set_layouts[i], NULL);
    *pipeline = (vulkan_pipeline){0};
}

void kt_vulkan_pipeline_bind(const vulkan_device *device, VkCommandBuffer buffer,
                             const vulkan_pipeline *pipeline, const void *push)
{
    const vulkan_device_api *api = &device->api;
    api->vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    if (pipeline->set_count)
        api->vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0,
                                     pipeline->set_count, pipeline->sets, 0, NULL);
    if (pipeline->push_bytes)
        api->vkCmdPushConstants(buffer, pipeline->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                pipeline->push_bytes, push);
}
