/* SPDX-License-Identifier: MIT */
/* objects.c - what is known of a program's objects: names of pipelines, and the memory behind
 * buffers and images. An object that there is no memory to remember is unknown, no more. */
#include "tracers/vulkan/layer.h"

#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

/* ---- keeping ---- */

/* Takes `value` over, which may be NULL. */
static void keep(device *d, handle_map *map, uint64_t handle, void *value,
                 void (*drop)(void *value))
{
    if (!value)
        return;
    kt_mutex_lock(d->mutex);
    void *old = map_take(map, handle);
    bool is_kept = map_put(map, handle, value);
    kt_mutex_unlock(d->mutex);
    if (old)
        drop(old);
    if (!is_kept)
        drop(value);
}

static void forget(device *d, handle_map *map, uint64_t handle, void (*drop)(void *value))
{
    kt_mutex_lock(d->mutex);
    void *value = map_take(map, handle);
    kt_mutex_unlock(d->mutex);
    if (value)
        drop(value);
}

static void free_pipeline(void *freed)
{
    pipeline *p = freed;
    kt_free(p->name);
    kt_free(p->debug_name);
    kt_free(p);
}

void objects_end(device *d)
{
    map_clear(&d->memories, kt_free);
    map_clear(&d->buffers, kt_free);
    map_clear(&d->images, kt_free);
    map_clear(&d->shaders, shader_free);
    map_clear(&d->pipelines, free_pipeline);
}

/* Of a function that destroys one object. */
#define HOOK_DESTROY(name, type, map, free_value)                                           \
    void trace_##name(VkDevice handle, type object, const VkAllocationCallbacks *allocator) \
    {                                                                                       \
        device *d = device_of(handle);                                                      \
        forget(d, &d->map, NUMBER(object), free_value);                                     \
        d->next.name(handle, object, allocator);                                            \
    }

HOOK_DESTROY(vkFreeMemory, VkDeviceMemory, memories, kt_free)
HOOK_DESTROY(vkDestroyBuffer, VkBuffer, buffers, kt_free)
HOOK_DESTROY(vkDestroyImage, VkImage, images, kt_free)
HOOK_DESTROY(vkDestroyShaderModule, VkShaderModule, shaders, shader_free)
HOOK_DESTROY(vkDestroyPipeline, VkPipeline, pipelines, free_pipeline)

/* ---- memory ---- */

VkResult trace_vkAllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                const VkAllocationCallbacks *allocator, VkDeviceMemory *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkAllocateMemory(handle, info, allocator, out);
    if (code != VK_SUCCESS || info->memoryTypeIndex >= d->memory.memoryTypeCount)
        return code;
    VkMemoryPropertyFlags flags = d->memory.memoryTypes[info->memoryTypeIndex].propertyFlags;
    resource *memory = kt_alloc(1, sizeof *memory);
    if (memory)
        memory->is_host = flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT &&
                          !(flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    keep(d, &d->memories, NUMBER(*out), memory, kt_free);
    return code;
}

VkResult trace_vkCreateBuffer(VkDevice handle, const VkBufferCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBuffer *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkCreateBuffer(handle, info, allocator, out);
    if (code != VK_SUCCESS)
        return code;
    resource *buffer = kt_alloc(1, sizeof *buffer);
    if (buffer)
        buffer->bytes = info->size;
    keep(d, &d->buffers, NUMBER(*out), buffer, kt_free);
    return code;
}

/* Formats of one plane stand in runs of one size, of texels or of blocks. 0: unknown. */
static uint8_t block_bytes(VkFormat format)
{
    static const struct {
        uint8_t last, bytes;
    } runs[] = {{VK_FORMAT_UNDEFINED, 0},
                {VK_FORMAT_R4G4_UNORM_PACK8, 1},
                {VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2},
                {VK_FORMAT_R8_SRGB, 1},
                {VK_FORMAT_R8G8_SRGB, 2},
                {VK_FORMAT_B8G8R8_SRGB, 3},
                {VK_FORMAT_A2B10G10R10_SINT_PACK32, 4},
                {VK_FORMAT_R16_SFLOAT, 2},
                {VK_FORMAT_R16G16_SFLOAT, 4},
                {VK_FORMAT_R16G16B16_SFLOAT, 6},
                {VK_FORMAT_R16G16B16A16_SFLOAT, 8},
                {VK_FORMAT_R32_SFLOAT, 4},
                {VK_FORMAT_R32G32_SFLOAT, 8},
                {VK_FORMAT_R32G32B32_SFLOAT, 12},
                {VK_FORMAT_R32G32B32A32_SFLOAT, 16},
                {VK_FORMAT_R64_SFLOAT, 8},
                {VK_FORMAT_R64G64_SFLOAT, 16},
                {VK_FORMAT_R64G64B64_SFLOAT, 24},
                {VK_FORMAT_R64G64B64A64_SFLOAT, 32},
                {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4},
                {VK_FORMAT_D16_UNORM, 2},
                {VK_FORMAT_D32_SFLOAT, 4},
                {VK_FORMAT_S8_UINT, 1},
                {VK_FORMAT_D32_SFLOAT_S8_UINT, 0}, /* each copy takes one of two aspects */
                {VK_FORMAT_BC1_RGBA_SRGB_BLOCK, 8},
                {VK_FORMAT_BC3_SRGB_BLOCK, 16},
                {VK_FORMAT_BC4_SNORM_BLOCK, 8},
                {VK_FORMAT_BC7_SRGB_BLOCK, 16},
                {VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, 8},
                {VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, 16},
                {VK_FORMAT_EAC_R11_SNORM_BLOCK, 8},
                {VK_FORMAT_ASTC_12x12_SRGB_BLOCK, 16}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        if ((uint32_t)format <= runs[i].last)
            return runs[i].bytes;
    return 0;
}

static void set_block(resource *image, VkFormat format)
{
    static const uint8_t astc[14][2] = {{4, 4},  {5, 4},   {5, 5},   {6, 5},  {6, 6},
                                        {8, 5},  {8, 6},   {8, 8},   {10, 5}, {10, 6},
                                        {10, 8}, {10, 10}, {12, 10}, {12, 12}};
    bool is_astc =
        format >= VK_FORMAT_ASTC_4x4_UNORM_BLOCK && format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK;
    bool is_block = format >= VK_FORMAT_BC1_RGB_UNORM_BLOCK;
    for (int i = 0; i < 2; i++)
        image->block[i] = is_astc    ? astc[(format - VK_FORMAT_ASTC_4x4_UNORM_BLOCK) / 2][i]
                          : is_block ? 4
                                     : 1;
    image->block_bytes = block_bytes(format);
}

VkResult trace_vkCreateImage(VkDevice handle, const VkImageCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkImage *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkCreateImage(handle, info, allocator, out);
    if (code != VK_SUCCESS)
        return code;
    resource *image = kt_alloc(1, sizeof *image);
    if (image)
        set_block(image, info->format);
    keep(d, &d->images, NUMBER(*out), image, kt_free);
    return code;
}

static void bind(device *d, handle_map *resources, uint64_t handle, VkDeviceMemory memory_handle)
{
    resource *bound = map_find(resources, handle);
    const resource *memory = map_find(&d->memories, NUMBER(memory_handle));
    if (bound && memory)
        bound->is_host = memory->is_host;
}

#define HOOK_BIND(name, type, map)                                             \
    VkResult trace_##name(VkDevice handle, type object, VkDeviceMemory memory, \
                          VkDeviceSize offset)                                 \
    {                                                                          \
        device *d = device_of(handle);                                         \
        bind(d, &d->map, NUMBER(object), memory);                              \
        return d->next.name(handle, object, memory, offset);                   \
    }
#define HOOK_BIND_2(name, info_type, map, object)                                  \
    VkResult trace_##name(VkDevice handle, uint32_t count, const info_type *infos) \
    {                                                                              \
        device *d = device_of(handle);                                             \
        for (uint32_t i = 0; i < count; i++)                                       \
            bind(d, &d->map, NUMBER(infos[i].object), infos[i].memory);            \
        return d->next.name(handle, count, infos);                                 \
    }

HOOK_BIND(vkBindBufferMemory, VkBuffer, buffers)
HOOK_BIND(vkBindImageMemory, VkImage, images)
HOOK_BIND_2(vkBindBufferMemory2, VkBindBufferMemoryInfo, buffers, buffer)
HOOK_BIND_2(vkBindBufferMemory2KHR, VkBindBufferMemoryInfo, buffers, buffer)
HOOK_BIND_2(vkBindImageMemory2, VkBindImageMemoryInfo, images, image)
HOOK_BIND_2(vkBindImageMemory2KHR, VkBindImageMemoryInfo, images, image)

/* ---- pipelines ---- */

VkResult trace_vkCreateShaderModule(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                    const VkAllocationCallbacks *allocator, VkShaderModule *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkCreateShaderModule(handle, info, allocator, out);
    if (code == VK_SUCCESS)
        keep(d, &d->shaders, NUMBER(*out), shader_read(info), shader_free);
    return code;
}

static const void *find_in_chain(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *at = chain;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

static void add_pipeline(device *d, VkPipeline handle, const VkPipelineShaderStageCreateInfo *stage)
{
    static _Atomic(uint64_t) serials;
    pipeline *p = kt_alloc(1, sizeof *p);
    if (!p)
        return;
    p->serial = atomic_fetch_add(&serials, 1) + 1;
    shader *known = map_find(&d->shaders, NUMBER(stage->module)), *own = NULL;
    const VkShaderModuleCreateInfo *info =
        find_in_chain(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (!stage->module && info) /* the module is given in place */
        known = own = shader_read(info);
    const VkDebugUtilsObjectNameInfoEXT *name =
        find_in_chain(stage->pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    if (name)
        p->name = kt_copy_text(name->pObjectName);
    char *described = known ? shader_kernel(known, stage, p->group) : kt_copy_text(stage->pName);
    if (p->name)
        kt_free(described);
    else
        p->name = described;
    if (own)
        shader_free(own);
    keep(d, &d->pipelines, NUMBER(handle), p, free_pipeline);
}

VkResult trace_vkCreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                        const VkComputePipelineCreateInfo *infos,
                                        const VkAllocationCallbacks *allocator, VkPipeline *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkCreateComputePipelines(handle, cache, count, infos, allocator, out);
    for (uint32_t i = 0; code >= VK_SUCCESS && i < count; i++)
        if (out[i])
            add_pipeline(d, out[i], &infos[i].stage);
    return code;
}

VkResult trace_vkCreateRayTracingPipelinesKHR(VkDevice handle, VkDeferredOperationKHR operation,
                                              VkPipelineCache cache, uint32_t count,
                                              const VkRayTracingPipelineCreateInfoKHR *infos,
                                              const VkAllocationCallbacks *allocator,
                                              VkPipeline *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkCreateRayTracingPipelinesKHR(handle, operation, cache, count, infos,
                                                           allocator, out);
    /* A deferred operation writes the handles later, so its pipelines have no names. */
    for (uint32_t i = 0; code == VK_SUCCESS && !operation && i < count; i++)
        for (uint32_t k = 0; k < infos[i].stageCount; k++)
            if (infos[i].pStages[k].stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR) {
                add_pipeline(d, out[i], &infos[i].pStages[k]);
                break;
            }
    return code;
}

VkResult trace_vkSetDebugUtilsObjectNameEXT(VkDevice handle,
                                            const VkDebugUtilsObjectNameInfoEXT *info)
{
    device *d = device_of(handle);
    bool has_name = info->pObjectName && info->pObjectName[0]; /* else it is taken away */
    if (info->objectType == VK_OBJECT_TYPE_SHADER_MODULE) {
        shader *s = map_find(&d->shaders, info->objectHandle);
        if (s)
            shader_set_name(s, has_name ? info->pObjectName : NULL);
    }
    pipeline *p = info->objectType == VK_OBJECT_TYPE_PIPELINE
                      ? map_find(&d->pipelines, info->objectHandle)
                      : NULL;
    if (p) {
        kt_free(p->debug_name);
        p->debug_name = kt_copy_text(has_name ? info->pObjectName : NULL);
        atomic_store(&p->row.is_known, false);
    }
    /* Programs call it without having enabled the extension, and the loader then does nothing. */
    return d->next.vkSetDebugUtilsObjectNameEXT ? d->next.vkSetDebugUtilsObjectNameEXT(handle, info)
                                                : VK_SUCCESS;
}

/* As "1024x1024 / 16x16": work-items, and work-items of a group. Without trailing ones. */
static void print_size(char *text, size_t bytes, const uint32_t *groups, const uint32_t group[3])
{
    int used = 0;
    bool is_known = group[0] && group[1] && group[2];
    const uint32_t ones[3] = {1, 1, 1}, *size = is_known ? group : ones;
    int count = 3;
    while (count > 1 && groups[count - 1] == 1 && size[count - 1] == 1)
        count--;
    for (int i = 0; i < count; i++)
        used += snprintf(text + used, bytes - (size_t)used, "%s%llu", i ? "x" : "",
                         (unsigned long long)groups[i] * size[i]);
    if (!is_known) {
        snprintf(text + used, bytes - (size_t)used, " groups");
        return;
    }
    for (int i = 0; i < count; i++)
        used += snprintf(text + used, bytes - (size_t)used, "%s%u", i ? "x" : " / ", size[i]);
}

trace_row *pipeline_row(device *d, pipeline *p, const uint32_t *groups)
{
    bool splits = groups && tracer_splits_by_size();
    if (!splits && atomic_load_explicit(&p->row.is_known, memory_order_acquire))
        return atomic_load_explicit(&p->row.row, memory_order_relaxed);
    char size[128];
    if (splits)
        print_size(size, sizeof size, groups, p->group);
    const char *name = p->debug_name ? p->debug_name : p->name;
    trace_row *row =
        tracer_row(d->trace, TRACE_KERNEL, name ? name : "unnamed", splits ? size : NULL);
    if (!splits) {
        atomic_store(&p->row.row, row);
        atomic_store_explicit(&p->row.is_known, true, memory_order_release);
    }
    return row;
}
