/* SPDX-License-Identifier: MIT */
/* Shaders, layouts, pipelines and descriptors. */
#include "stub.h"

#include <stdlib.h>

enum { SPIRV_MAGIC = 0x07230203, SPIRV_HEADER = 5, OP_ENTRY_POINT = 15, MODEL_COMPUTE = 5 };

/* ---- shaders ---- */

static void end_shader(void *shader)
{
    free(((struct shader *)shader)->words);
}

VkResult vkCreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkShaderModule *out)
{
    ENTER(vkCreateShaderModule);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    bool sound = info->codeSize % 4 == 0 && info->codeSize >= 4 * SPIRV_HEADER &&
                 info->pCode[0] == SPIRV_MAGIC;
    EXPECT_USE(sound, "this is not SPIR-V");
    if (!sound)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct shader *shader = stub_create(device, KIND_SHADER, sizeof *shader);
    shader->base.end = end_shader;
    shader->words = malloc(info->codeSize);
    if (!shader->words)
        abort();
    memcpy(shader->words, info->pCode, info->codeSize);
    shader->count = info->codeSize / 4;
    shader->kernel = kernel_find(info->pCode, info->codeSize);
    *out = HANDLE(VkShaderModule, shader);
    return VK_SUCCESS;
}

static bool has_entry(const struct shader *shader, const char *name)
{
    size_t length = strlen(name) + 1;
    for (size_t at = SPIRV_HEADER; at < shader->count;) {
        uint32_t words = shader->words[at] >> 16;
        if (words == 0 || words > shader->count - at)
            return false;
        if ((shader->words[at] & 0xFFFF) == OP_ENTRY_POINT && words > 3 &&
            shader->words[at + 1] == MODEL_COMPUTE && length <= (words - 3) * sizeof(uint32_t) &&
            memcmp(&shader->words[at + 3], name, length) == 0)
            return true;
        at += words;
    }
    return false;
}

/* ---- layouts ---- */

static bool is_buffer(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

VkResult vkCreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                                     const VkAllocationCallbacks *allocator,
                                     VkDescriptorSetLayout *out)
{
    ENTER(vkCreateDescriptorSetLayout);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    bool fits = info->bindingCount <= BINDINGS_MAX;
    EXPECT_USE(fits, "more bindings than the limit");
    if (!fits)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct set_layout *layout = stub_create(device, KIND_SET_LAYOUT, sizeof *layout);
    layout->count = info->bindingCount;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        bool sound = binding->binding < BINDINGS_MAX && binding->descriptorCount == 1 &&
                     is_buffer(binding->descriptorType) && !layout->types[binding->binding] &&
                     binding->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT;
        EXPECT_USE(sound, "no buffer at a binding of its own");
        if (!sound)
            continue;
        layout->types[binding->binding] = binding->descriptorType;
        if (binding->binding >= layout->end)
            layout->end = binding->binding + 1;
    }
    *out = HANDLE(VkDescriptorSetLayout, layout);
    return VK_SUCCESS;
}

VkResult vkCreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkPipelineLayout *out)
{
    ENTER(vkCreatePipelineLayout);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    EXPECT_USE(info->setLayoutCount <= SETS_MAX, "more sets than the limit");
    EXPECT_USE(info->pushConstantRangeCount <= 1, "one range of push constants");
    struct layout *layout = stub_create(device, KIND_LAYOUT, sizeof *layout);
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        const struct set_layout *set = USE(info->pSetLayouts[i], KIND_SET_LAYOUT);
        if (i == 0)
            layout->set_bindings = set ? set->end : 0;
    }
    if (info->pushConstantRangeCount) {
        const VkPushConstantRange *range = info->pPushConstantRanges;
        layout->push_bytes = range->offset + range->size;
        EXPECT_USE(range->size > 0 && range->size % 4 == 0 && range->offset == 0 &&
                       range->stageFlags == VK_SHADER_STAGE_COMPUTE_BIT &&
                       layout->push_bytes <= script.max_push,
                   "push constants of %u bytes", layout->push_bytes);
    }
    *out = HANDLE(VkPipelineLayout, layout);
    return VK_SUCCESS;
}

/* ---- pipelines ---- */

/* The size of a group: specialisation constants 0, 1 and 2. */
static void read_group_size(const VkSpecializationInfo *info, uint32_t sizes[3])
{
    sizes[0] = sizes[1] = sizes[2] = 1;
    uint64_t all = 1;
    for (uint32_t i = 0; info && i < info->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
        uint32_t size = 0;
        bool inside = entry->size == sizeof size && entry->offset <= info->dataSize &&
                      info->dataSize - entry->offset >= sizeof size;
        EXPECT_USE(inside, "a constant is beyond the data");
        if (!inside || entry->constantID > 2)
            continue;
        memcpy(&size, (const char *)info->pData + entry->offset, sizeof size);
        all *= size;
        sizes[entry->constantID] = size;
        EXPECT_USE(size > 0 && size <= script.max_group_size &&
                       (entry->constantID < 2 || size <= 64),
                   "a group of %u in dimension %u", size, entry->constantID);
    }
    EXPECT_USE(all <= script.max_invocations, "a group of %llu", (unsigned long long)all);
}

static VkResult create_pipeline(VkDevice device, const VkComputePipelineCreateInfo *info,
                                VkPipeline *out)
{
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    EXPECT_TYPE(&info->stage, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    EXPECT_USE(info->stage.stage == VK_SHADER_STAGE_COMPUTE_BIT, "no compute stage");
    const struct shader *shader = USE(info->stage.module, KIND_SHADER);
    const struct layout *layout = USE(info->layout, KIND_LAYOUT);
    if (!shader || !layout)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_USE(has_entry(shader, info->stage.pName), "no entry point \"%s\"", info->stage.pName);
    const group_kernel *kernel = shader->kernel;
    EXPECT_USE(!kernel || (layout->set_bindings >= named_kernel_memories(kernel) &&
                           layout->push_bytes >= kernel->numbers * sizeof(uint32_t)),
               "the layout lacks what %s uses", kernel->name);
    struct pipeline *pipeline = object_create(KIND_PIPELINE, sizeof *pipeline, OBJECT(device));
    read_group_size(info->stage.pSpecializationInfo, pipeline->group_size);
    pipeline->kernel = kernel;
    pipeline->push_bytes = layout->push_bytes; /* the layout itself may go */
    pipeline->set_bindings = layout->set_bindings;
    *out = HANDLE(VkPipeline, pipeline);
    return VK_SUCCESS;
}

VkResult vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                  const VkComputePipelineCreateInfo *infos,
                                  const VkAllocationCallbacks *allocator, VkPipeline *out)
{
    ENTER(vkCreateComputePipelines);
    VkResult code = USE(device, KIND_DEVICE) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = VK_NULL_HANDLE;
        if (code == VK_SUCCESS)
            code = create_pipeline(device, &infos[i], &out[i]);
    }
    return code;
}

/* ---- descriptors ---- */

VkResult vkCreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkDescriptorPool *out)
{
    ENTER(vkCreateDescriptorPool);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    EXPECT_USE(info->maxSets > 0, "no sets");
    struct set_pool *pool = stub_create(device, KIND_SET_POOL, sizeof *pool);
    pool->sets_max = info->maxSets;
    for (uint32_t i = 0; i < info->poolSizeCount; i++) {
        EXPECT_USE(info->pPoolSizes[i].descriptorCount > 0, "a size of 0");
        if (is_buffer(info->pPoolSizes[i].type))
            pool->descriptors_max += info->pPoolSizes[i].descriptorCount;
    }
    *out = HANDLE(VkDescriptorPool, pool);
    return VK_SUCCESS;
}

static VkResult allocate_set(struct set_pool *pool, VkDescriptorSetLayout handle,
                             VkDescriptorSet *out)
{
    const struct set_layout *layout = USE(handle, KIND_SET_LAYOUT);
    if (!layout || pool->sets == pool->sets_max ||
        layout->count > pool->descriptors_max - pool->descriptors) {
        misuse("the pool is empty");
        return VK_ERROR_OUT_OF_POOL_MEMORY;
    }
    struct set *set = object_create(KIND_SET, sizeof *set, pool);
    set->count = layout->end;
    memcpy(set->types, layout->types, sizeof set->types);
    pool->sets++;
    pool->descriptors += layout->count;
    *out = HANDLE(VkDescriptorSet, set);
    return VK_SUCCESS;
}

VkResult vkAllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *info,
                                  VkDescriptorSet *out)
{
    ENTER_ALONE(vkAllocateDescriptorSets, OBJECT(info->descriptorPool));
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    struct set_pool *pool = USE(info->descriptorPool, KIND_SET_POOL);
    VkResult code = USE(device, KIND_DEVICE) && pool ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->descriptorSetCount && code == VK_SUCCESS; i++)
        code = allocate_set(pool, info->pSetLayouts[i], &out[i]);
    return code;
}

static void write_descriptor(struct set *set, uint32_t binding, const VkDescriptorBufferInfo *info)
{
    struct buffer *buffer = USE(info->buffer, KIND_BUFFER);
    if (!buffer)
        return;
    bool inside = info->offset < buffer->bytes &&
                  (info->range == VK_WHOLE_SIZE ||
                   (info->range > 0 && info->range <= buffer->bytes - info->offset));
    EXPECT_USE(inside, "beyond the end of the buffer");
    if (!inside)
        return;
    VkDeviceSize range = info->range == VK_WHOLE_SIZE ? buffer->bytes - info->offset : info->range;
    EXPECT_USE(buffer->usage & (set->types[binding] == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                    ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                                    : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               "a buffer of another usage");
    EXPECT_USE(info->offset % ATOM_BYTES == 0, "not aligned");
    EXPECT_USE(range <= script.max_range, "over maxStorageBufferRange");
    EXPECT_USE(buffer->memory, "the buffer has no memory");
    set->descriptors[binding] = (struct descriptor){buffer, info->offset, range};
}

void vkUpdateDescriptorSets(VkDevice device, uint32_t count, const VkWriteDescriptorSet *writes,
                            uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    ENTER_VOID(vkUpdateDescriptorSets, NULL);
    USE(device, KIND_DEVICE);
    EXPECT_USE(copy_count == 0, "the stub copies no descriptors");
    for (uint32_t i = 0; i < count; i++) {
        EXPECT_TYPE(&writes[i], VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        struct set *set = USE(writes[i].dstSet, KIND_SET);
        if (!set)
            continue;
        EXPECT_USE(set->base.pending == 0, "the set is in use");
        uint32_t first = writes[i].dstBinding, wanted = writes[i].descriptorCount;
        bool sound =
            first < set->count && wanted <= set->count - first && writes[i].dstArrayElement == 0;
        for (uint32_t k = 0; sound && k < wanted; k++)
            sound = is_buffer(set->types[first + k]) &&
                    set->types[first + k] == writes[i].descriptorType;
        EXPECT_USE(sound, "no such binding");
        for (uint32_t k = 0; sound && k < wanted; k++)
            write_descriptor(set, first + k, &writes[i].pBufferInfo[k]);
        set->version++;
    }
}
