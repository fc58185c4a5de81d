/* SPDX-License-Identifier: MIT */
/* Command pools, command buffers, and what is recorded into them. */
#include "stub.h"

#include <stdlib.h>

/* ---- pools and buffers ---- */

VkResult vkCreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkCommandPool *out)
{
    ENTER(vkCreateCommandPool);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    const struct device *device = USE(handle, KIND_DEVICE);
    EXPECT_USE(device && device->family == info->queueFamilyIndex, "family");
    if (!device)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct command_pool *pool = object_create(KIND_COMMAND_POOL, sizeof *pool, OBJECT(handle));
    pool->family = info->queueFamilyIndex;
    pool->flags = info->flags;
    *out = HANDLE(VkCommandPool, pool);
    return VK_SUCCESS;
}

static void reset(struct commands *commands)
{
    EXPECT_USE(commands->base.pending == 0, "the command buffer is in use");
    commands->state = COMMANDS_INITIAL;
    commands->count = 0;
}

VkResult vkResetCommandPool(VkDevice device, VkCommandPool handle, VkCommandPoolResetFlags flags)
{
    ENTER_ALONE(vkResetCommandPool, OBJECT(handle));
    struct command_pool *pool = USE(handle, KIND_COMMAND_POOL);
    if (!USE(device, KIND_DEVICE) || !pool)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (struct commands *c = NULL; (c = object_next(KIND_COMMANDS, c)) != NULL;)
        if (c->pool == pool)
            reset(c);
    return VK_SUCCESS;
}

static void end_commands(void *commands)
{
    free(((struct commands *)commands)->list);
}

VkResult vkAllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *info,
                                  VkCommandBuffer *out)
{
    ENTER_ALONE(vkAllocateCommandBuffers, OBJECT(info->commandPool));
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    EXPECT_USE(info->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY, "level");
    struct command_pool *pool = USE(info->commandPool, KIND_COMMAND_POOL);
    if (!USE(device, KIND_DEVICE) || !pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        struct commands *commands = object_create(KIND_COMMANDS, sizeof *commands, pool);
        commands->base.end = end_commands;
        commands->pool = pool;
        out[i] = HANDLE(VkCommandBuffer, commands);
    }
    return VK_SUCCESS;
}

VkResult vkBeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
    ENTER(vkBeginCommandBuffer);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    struct commands *commands = USE(handle, KIND_COMMANDS);
    if (!commands)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_USE(commands->state != COMMANDS_RECORDING, "is being recorded");
    if (commands->state != COMMANDS_INITIAL) {
        EXPECT_USE(commands->pool->flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                   "the pool lets no command buffer be reset");
        reset(commands);
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
    EXPECT_USE(commands->state == COMMANDS_RECORDING, "is not being recorded");
    commands->state = COMMANDS_READY;
    return VK_SUCCESS;
}

/* ---- recording ---- */

static struct commands *recording(VkCommandBuffer handle)
{
    struct commands *commands = USE(handle, KIND_COMMANDS);
    if (!commands)
        return NULL;
    EXPECT_USE(commands->state == COMMANDS_RECORDING, "is not being recorded");
    return commands->state == COMMANDS_RECORDING ? commands : NULL;
}

/* Before the call has the lock. */
static const void *pool_of(VkCommandBuffer handle)
{
    const struct commands *commands = OBJECT(handle);
    return commands && commands->base.kind == KIND_COMMANDS ? commands->pool : NULL;
}

/* A pool's command buffers are recorded by one thread at a time. */
#define RECORD(name)                               \
    ENTER_VOID(name, pool_of(handle));             \
    struct commands *commands = recording(handle); \
    if (!commands)                                 \
    return

static void append(struct commands *commands, const struct command *command)
{
    if (commands->count == commands->room) {
        commands->room = commands->room ? 2 * commands->room : 8;
        commands->list = realloc(commands->list, commands->room * sizeof *commands->list);
        if (!commands->list)
            abort();
    }
    commands->list[commands->count++] = *command;
}

static bool inside_buffer(const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize bytes)
{
    return offset <= buffer->bytes && bytes > 0 && bytes <= buffer->bytes - offset;
}

void vkCmdCopyBuffer(VkCommandBuffer handle, VkBuffer src_handle, VkBuffer dst_handle,
                     uint32_t count, const VkBufferCopy *regions)
{
    RECORD(vkCmdCopyBuffer);
    struct buffer *src = USE(src_handle, KIND_BUFFER), *dst = USE(dst_handle, KIND_BUFFER);
    if (!src || !dst)
        return;
    EXPECT_USE(src->usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT &&
                   dst->usage & VK_BUFFER_USAGE_TRANSFER_DST_BIT,
               "usage");
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize from = regions[i].srcOffset, to = regions[i].dstOffset, size = regions[i].size;
        bool inside = inside_buffer(src, from, size) && inside_buffer(dst, to, size);
        EXPECT_USE(inside, "beyond the end");
        EXPECT_USE(src != dst || from + size <= to || to + size <= from, "overlaps");
        if (inside)
            append(commands, &(struct command){.op = OP_COPY,
                                               .src = src,
                                               .dst = dst,
                                               .src_offset = from,
                                               .dst_offset = to,
                                               .bytes = size});
    }
}

void vkCmdPipelineBarrier(VkCommandBuffer handle, VkPipelineStageFlags from,
                          VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t memory_count,
                          const VkMemoryBarrier *memory, uint32_t buffer_count,
                          const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                          const VkImageMemoryBarrier *images)
{
    RECORD(vkCmdPipelineBarrier);
    EXPECT_USE(from && to, "no stages");
    EXPECT_USE(buffer_count == 0 && image_count == 0, "the stub knows barriers of all memory");
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
    append(commands, &command);
}

static void append_queries(struct commands *commands, VkQueryPool pool, struct command command)
{
    command.queries = USE(pool, KIND_QUERIES);
    if (!command.queries)
        return;
    bool inside = command.first < command.queries->count && command.count > 0 &&
                  command.count <= command.queries->count - command.first;
    EXPECT_USE(inside, "beyond the end");
    if (inside)
        append(commands, &command);
}

void vkCmdResetQueryPool(VkCommandBuffer handle, VkQueryPool pool, uint32_t first, uint32_t count)
{
    RECORD(vkCmdResetQueryPool);
    EXPECT_USE(family_flags(commands->pool->family) &
                   (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT),
               "in commands of a family that only copies");
    append_queries(commands, pool,
                   (struct command){.op = OP_RESET, .first = first, .count = count});
}

void vkCmdWriteTimestamp(VkCommandBuffer handle, VkPipelineStageFlagBits stage, VkQueryPool pool,
                         uint32_t query)
{
    RECORD(vkCmdWriteTimestamp);
    EXPECT_USE(stage && (stage & (stage - 1)) == 0, "not one stage");
    append_queries(
        commands, pool,
        (struct command){
            .op = OP_TIMESTAMP, .first = query, .count = 1, .stage = (VkPipelineStageFlags)stage});
}

void vkCmdBindPipeline(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline)
{
    RECORD(vkCmdBindPipeline);
    EXPECT_USE(point == VK_PIPELINE_BIND_POINT_COMPUTE, "no compute pipeline");
    commands->bound.pipeline = USE(pipeline, KIND_PIPELINE);
}

void vkCmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point,
                             VkPipelineLayout layout, uint32_t first, uint32_t count,
                             const VkDescriptorSet *sets, uint32_t offset_count,
                             const uint32_t *offsets)
{
    RECORD(vkCmdBindDescriptorSets);
    USE(layout, KIND_LAYOUT);
    EXPECT_USE(point == VK_PIPELINE_BIND_POINT_COMPUTE && first == 0 && count <= SETS_MAX &&
                   offset_count == 0,
               "the stub binds all sets at once");
    for (uint32_t i = 1; i < count; i++) /* no kernel of the stub uses them */
        USE(sets[i], KIND_SET);
    struct set *set = USE(sets[0], KIND_SET);
    if (!set)
        return;
    commands->bound.set = set;
    commands->bound.set_version = set->version;
}

void vkCmdPushConstants(VkCommandBuffer handle, VkPipelineLayout layout_handle,
                        VkShaderStageFlags stages, uint32_t offset, uint32_t bytes,
                        const void *values)
{
    RECORD(vkCmdPushConstants);
    const struct layout *layout = USE(layout_handle, KIND_LAYOUT);
    if (!layout)
        return;
    bool inside = bytes > 0 && offset <= layout->push_bytes && bytes <= layout->push_bytes - offset;
    EXPECT_USE(inside && stages == VK_SHADER_STAGE_COMPUTE_BIT && bytes % 4 == 0 && offset % 4 == 0,
               "beyond the layout's range");
    if (!inside)
        return;
    memcpy(commands->bound.push + offset, values, bytes);
    if (commands->bound.push_bytes < offset + bytes)
        commands->bound.push_bytes = offset + bytes;
}

void vkCmdDispatch(VkCommandBuffer handle, uint32_t x, uint32_t y, uint32_t z)
{
    RECORD(vkCmdDispatch);
    EXPECT_USE(x <= script.max_groups && y <= script.max_groups && z <= script.max_groups,
               "over maxComputeWorkGroupCount");
    const struct command *bound = &commands->bound;
    EXPECT_USE(bound->pipeline, "no pipeline");
    if (!bound->pipeline)
        return;
    EXPECT_USE(bound->pipeline->set_bindings == 0 ||
                   (bound->set && bound->set->count >= bound->pipeline->set_bindings),
               "no descriptor set");
    EXPECT_USE(bound->push_bytes >= bound->pipeline->push_bytes, "no push constants");
    struct command command = *bound;
    memcpy(command.groups, (uint32_t[]){x, y, z}, sizeof command.groups);
    append(commands, &command);
}
