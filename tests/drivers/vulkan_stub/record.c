/* Command pools, command buffers, and what is recorded into them. */
#include "stub.h"

#include <stdlib.h>

/* ---- pools and buffers ---- */

VkResult vkCreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkCommandPool *out)
{
    ENTER(vkCreateCommandPool);
    (void)allocator;
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    const struct device *device = USE(handle, KIND_DEVICE);
    EXPECT_USE(device && device->family == info->queueFamilyIndex, "%s: family", __func__);
    struct command_pool *pool =
        device ? object_create(KIND_COMMAND_POOL, sizeof *pool, OBJECT(handle)) : NULL;
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pool->family = info->queueFamilyIndex;
    pool->flags = info->flags;
    *out = HANDLE(VkCommandPool, pool);
    return VK_SUCCESS;
}

void vkDestroyCommandPool(VkDevice device, VkCommandPool handle,
                          const VkAllocationCallbacks *allocator)
{
    stub_enter(ENTRY_vkDestroyCommandPool);
    (void)allocator;
    USE(device, KIND_DEVICE);
    struct command_pool *pool = handle ? USE(handle, KIND_COMMAND_POOL) : NULL;
    if (pool)
        objects_destroy_children(pool, __func__);
    object_destroy(pool, KIND_COMMAND_POOL, __func__);
}

static void reset(struct commands *commands, const char *caller)
{
    EXPECT_USE(atomic_load(&commands->base.pending) == 0, "%s: the command buffer is in use",
               caller);
    commands->state = COMMANDS_INITIAL;
    commands->count = 0;
}

VkResult vkResetCommandPool(VkDevice device, VkCommandPool handle, VkCommandPoolResetFlags flags)
{
    ENTER(vkResetCommandPool);
    (void)flags;
    struct command_pool *pool = USE(handle, KIND_COMMAND_POOL);
    if (!USE(device, KIND_DEVICE) || !pool)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    object_lock(pool, __func__);
    for (struct commands *commands = pool->newest; commands; commands = commands->older)
        reset(commands, __func__);
    object_unlock(pool);
    return VK_SUCCESS;
}

VkResult vkAllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *info,
                                  VkCommandBuffer *out)
{
    ENTER(vkAllocateCommandBuffers);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    EXPECT_USE(info->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY, "%s: level", __func__);
    struct command_pool *pool = USE(info->commandPool, KIND_COMMAND_POOL);
    if (!USE(device, KIND_DEVICE) || !pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    object_lock(pool, __func__);
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        struct commands *commands = object_create(KIND_COMMANDS, sizeof *commands, pool);
        if (commands) {
            commands->pool = pool;
            commands->older = pool->newest;
            pool->newest = commands;
        }
        out[i] = HANDLE(VkCommandBuffer, commands);
    }
    object_unlock(pool);
    return VK_SUCCESS;
}

VkResult vkBeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
    ENTER(vkBeginCommandBuffer);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    struct commands *commands = USE(handle, KIND_COMMANDS);
    if (!commands)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_USE(commands->state != COMMANDS_RECORDING, "%s: is being recorded", __func__);
    if (commands->state != COMMANDS_INITIAL) {
        EXPECT_USE(commands->pool->flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                   "%s: the pool lets no command buffer be reset", __func__);
        reset(commands, __func__);
    }
    commands->state = COMMANDS_RECORDING;
    commands->flags = info->flags;
    commands->bound = (struct command){.op = OP_DISPATCH};
    return VK_SUCCESS;
}

VkResult vkEndCommandBuffer(VkCommandBuffer handle)
{
    ENTER(vkEndCommandBuffer);
    struct commands *commands = USE(handle, KIND_COMMANDS);
    if (!commands)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_USE(commands->state == COMMANDS_RECORDING, "%s: is not being recorded", __func__);
    commands->state = COMMANDS_READY;
    return VK_SUCCESS;
}

/* ---- recording ---- */

static struct commands *recording(VkCommandBuffer handle, const char *caller)
{
    struct commands *commands = object_use(OBJECT(handle), KIND_COMMANDS, caller);
    if (!commands)
        return NULL;
    EXPECT_USE(commands->state == COMMANDS_RECORDING, "%s: is not being recorded", caller);
    return commands->state == COMMANDS_RECORDING ? commands : NULL;
}

static void append(struct commands *commands, const struct command *command, const char *caller)
{
    object_lock(commands->pool, caller);
    if (commands->count == commands->room) {
        uint32_t room = commands->room ? 2 * commands->room : 8;
        struct command *list = realloc(commands->list, room * sizeof *list);
        if (!list)
            abort();
        commands->list = commands->base.owned[0] = list;
        commands->room = room;
    }
    commands->list[commands->count++] = *command;
    object_unlock(commands->pool);
}

static bool inside_buffer(const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize bytes)
{
    return offset <= buffer->bytes && bytes > 0 && bytes <= buffer->bytes - offset;
}

void vkCmdCopyBuffer(VkCommandBuffer handle, VkBuffer src_handle, VkBuffer dst_handle,
                     uint32_t count, const VkBufferCopy *regions)
{
    stub_enter(ENTRY_vkCmdCopyBuffer);
    struct commands *commands = recording(handle, __func__);
    struct buffer *src = USE(src_handle, KIND_BUFFER), *dst = USE(dst_handle, KIND_BUFFER);
    if (!commands || !src || !dst)
        return;
    EXPECT_USE(src->usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT &&
                   dst->usage & VK_BUFFER_USAGE_TRANSFER_DST_BIT,
               "%s: usage", __func__);
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize from = regions[i].srcOffset, to = regions[i].dstOffset, size = regions[i].size;
        bool inside = inside_buffer(src, from, size) && inside_buffer(dst, to, size);
        EXPECT_USE(inside, "%s: beyond the end", __func__);
        EXPECT_USE(src != dst || from + size <= to || to + size <= from, "%s: overlaps", __func__);
        if (inside)
            append(commands,
                   &(struct command){.op = OP_COPY,
                                     .src = src,
                                     .dst = dst,
                                     .src_offset = from,
                                     .dst_offset = to,
                                     .bytes = size},
                   __func__);
    }
}

void vkCmdPipelineBarrier(VkCommandBuffer handle, VkPipelineStageFlags from,
                          VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t memory_count,
                          const VkMemoryBarrier *memory, uint32_t buffer_count,
                          const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                          const VkImageMemoryBarrier *images)
{
    stub_enter(ENTRY_vkCmdPipelineBarrier);
    (void)flags, (void)buffers, (void)images;
    struct commands *commands = recording(handle, __func__);
    if (!commands)
        return;
    EXPECT_USE(from && to, "%s: no stages", __func__);
    EXPECT_USE(buffer_count == 0 && image_count == 0, "%s: the stub knows barriers of all memory",
               __func__);
    struct command command = {.op = OP_BARRIER};
    for (uint32_t i = 0; i < memory_count; i++) {
        EXPECT_TYPE(&memory[i], VK_STRUCTURE_TYPE_MEMORY_BARRIER);
        bool shader = memory[i].srcAccessMask & VK_ACCESS_SHADER_WRITE_BIT &&
                      from & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        bool transfer = memory[i].srcAccessMask & VK_ACCESS_TRANSFER_WRITE_BIT &&
                        from & VK_PIPELINE_STAGE_TRANSFER_BIT;
        bool all = memory[i].srcAccessMask & VK_ACCESS_MEMORY_WRITE_BIT &&
                   from & VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        VkAccessFlags reads =
            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
        bool written = (shader && transfer) || all;
        command.visible |= written && memory[i].dstAccessMask & reads;
        command.to_host |= written && memory[i].dstAccessMask & VK_ACCESS_HOST_READ_BIT &&
                           to & VK_PIPELINE_STAGE_HOST_BIT;
    }
    append(commands, &command, __func__);
}

static void append_queries(VkCommandBuffer handle, VkQueryPool pool, struct command command,
                           const char *caller)
{
    struct commands *commands = recording(handle, caller);
    command.queries = object_use(OBJECT(pool), KIND_QUERIES, caller);
    if (!commands || !command.queries)
        return;
    bool inside = command.first < command.queries->count && command.count > 0 &&
                  command.count <= command.queries->count - command.first;
    EXPECT_USE(inside, "%s: beyond the end", caller);
    if (inside)
        append(commands, &command, caller);
}

void vkCmdResetQueryPool(VkCommandBuffer handle, VkQueryPool pool, uint32_t first, uint32_t count)
{
    stub_enter(ENTRY_vkCmdResetQueryPool);
    const struct commands *commands = recording(handle, __func__);
    EXPECT_USE(!commands || family_flags(commands->pool->family) &
                                (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT),
               "%s: in commands of a family that only copies", __func__);
    append_queries(handle, pool, (struct command){.op = OP_RESET, .first = first, .count = count},
                   __func__);
}

void vkCmdWriteTimestamp(VkCommandBuffer handle, VkPipelineStageFlagBits stage, VkQueryPool pool,
                         uint32_t query)
{
    stub_enter(ENTRY_vkCmdWriteTimestamp);
    EXPECT_USE(stage && (stage & (stage - 1)) == 0, "%s: not one stage", __func__);
    append_queries(
        handle, pool,
        (struct command){
            .op = OP_TIMESTAMP, .first = query, .count = 1, .stage = (VkPipelineStageFlags)stage},
        __func__);
}

void vkCmdBindPipeline(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline)
{
    stub_enter(ENTRY_vkCmdBindPipeline);
    struct commands *commands = recording(handle, __func__);
    EXPECT_USE(point == VK_PIPELINE_BIND_POINT_COMPUTE, "%s: no compute pipeline", __func__);
    if (commands)
        commands->bound.pipeline = USE(pipeline, KIND_PIPELINE);
}

void vkCmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point,
                             VkPipelineLayout layout, uint32_t first, uint32_t count,
                             const VkDescriptorSet *sets, uint32_t offset_count,
                             const uint32_t *offsets)
{
    stub_enter(ENTRY_vkCmdBindDescriptorSets);
    (void)offsets;
    struct commands *commands = recording(handle, __func__);
    USE(layout, KIND_LAYOUT);
    EXPECT_USE(point == VK_PIPELINE_BIND_POINT_COMPUTE && first == 0 && count == 1 &&
                   offset_count == 0,
               "%s: the stub knows set 0 alone", __func__);
    struct set *set = USE(sets[0], KIND_SET);
    if (!commands || !set)
        return;
    commands->bound.set = set;
    commands->bound.set_version = set->version;
}

void vkCmdPushConstants(VkCommandBuffer handle, VkPipelineLayout layout_handle,
                        VkShaderStageFlags stages, uint32_t offset, uint32_t bytes,
                        const void *values)
{
    stub_enter(ENTRY_vkCmdPushConstants);
    struct commands *commands = recording(handle, __func__);
    const struct layout *layout = USE(layout_handle, KIND_LAYOUT);
    if (!commands || !layout)
        return;
    bool inside = bytes > 0 && offset <= layout->push_bytes && bytes <= layout->push_bytes - offset;
    EXPECT_USE(inside && stages == VK_SHADER_STAGE_COMPUTE_BIT && bytes % 4 == 0 && offset % 4 == 0,
               "%s: beyond the layout's range", __func__);
    if (!inside)
        return;
    memcpy(commands->bound.push + offset, values, bytes);
    if (commands->bound.push_bytes < offset + bytes)
        commands->bound.push_bytes = offset + bytes;
}

void vkCmdDispatch(VkCommandBuffer handle, uint32_t x, uint32_t y, uint32_t z)
{
    stub_enter(ENTRY_vkCmdDispatch);
    struct commands *commands = recording(handle, __func__);
    if (!commands)
        return;
    EXPECT_USE(x <= script.max_groups && y <= script.max_groups && z <= script.max_groups,
               "%s: over maxComputeWorkGroupCount", __func__);
    const struct command *bound = &commands->bound;
    EXPECT_USE(bound->pipeline, "%s: no pipeline", __func__);
    if (!bound->pipeline)
        return;
    EXPECT_USE(bound->pipeline->set_bindings == 0 ||
                   (bound->set && bound->set->count >= bound->pipeline->set_bindings),
               "%s: no descriptor set", __func__);
    EXPECT_USE(bound->push_bytes >= bound->pipeline->push_bytes, "%s: no push constants", __func__);
    struct command command = *bound;
    memcpy(command.groups, (uint32_t[]){x, y, z}, sizeof command.groups);
    append(commands, &command, __func__);
}
