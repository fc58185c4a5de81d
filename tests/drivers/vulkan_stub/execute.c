/* What a queue does with recorded commands: all of it within vkQueueSubmit. */
#include "stub.h"

#include <stdlib.h>

/* ---- hazards ---- */

static void note_read(struct buffer *buffer, const struct queue *queue)
{
    EXPECT_USE(buffer->write_epoch != queue->write_epoch, "no barrier between a write and a read");
    buffer->read_epoch = queue->order_epoch;
}

static void note_write(struct buffer *buffer, const struct queue *queue, VkDeviceSize offset,
                       VkDeviceSize bytes)
{
    EXPECT_USE(buffer->write_epoch != queue->write_epoch, "no barrier between two writes");
    EXPECT_USE(buffer->read_epoch != queue->order_epoch, "no barrier between a read and a write");
    buffer->write_epoch = queue->write_epoch;
    memory_written(buffer->memory, buffer->offset + offset, bytes, queue);
}

static unsigned char *bytes_of(const struct buffer *buffer, VkDeviceSize offset)
{
    return buffer->memory->data + buffer->offset + offset;
}

/* ---- one command each ---- */

static void run_copy(const struct command *command, const struct queue *queue)
{
    if (command->src != command->dst)
        note_read(command->src, queue);
    memmove(bytes_of(command->dst, command->dst_offset),
            bytes_of(command->src, command->src_offset), command->bytes);
    note_write(command->dst, queue, command->dst_offset, command->bytes);
}

static void run_dispatch(const struct command *command, const struct queue *queue)
{
    const struct kernel *kernel = command->pipeline->kernel;
    struct dispatch dispatch = {.push = command->push};
    if (!kernel) {
        atomic_fetch_add(&unknown_dispatches, 1);
        return;
    }
    for (uint32_t i = 0; i < kernel->bindings; i++) {
        const struct descriptor *descriptor = &command->set->descriptors[i];
        dispatch.memories[i] = bytes_of(descriptor->buffer, descriptor->offset);
        dispatch.bytes[i] = descriptor->range;
        if (!(kernel->written >> i & 1))
            note_read(descriptor->buffer, queue);
    }
    if (kernel->run)
        EXPECT_USE(kernel->run(&dispatch), "%s: a memory is too small", kernel->name);
    for (uint32_t i = 0; i < kernel->bindings; i++) {
        const struct descriptor *descriptor = &command->set->descriptors[i];
        if (kernel->written >> i & 1)
            note_write(descriptor->buffer, queue, descriptor->offset, descriptor->range);
    }
}

static void run_barrier(const struct command *command, struct queue *queue)
{
    queue->order_epoch++;
    queue->write_epoch += command->visible;
    if (command->to_host)
        atomic_fetch_add(&queue->host_epoch, 1);
}

static void run_reset(const struct command *command)
{
    for (uint32_t i = 0; i < command->count; i++)
        command->queries->queries[command->first + i] = (struct query){.state = QUERY_RESET};
}

static void run_stamp(const struct command *command, const struct queue *queue, bool worked)
{
    static _Atomic(uint64_t) ends;
    struct query *query = &command->queries->queries[command->first];
    bool begins = command->stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
    uint64_t pair = (begins ? atomic_load(&ends) : atomic_fetch_add(&ends, 1)) + 1;
    bool bad = pair % script.every == 0;
    EXPECT_USE(query->state == QUERY_RESET, "a query is written without having been reset");
    EXPECT_USE(family_bits(queue->family) > 0, "a stamp on a queue that has none");
    if (begins)
        clock_advance_noise();
    else if (!worked)
        clock_advance(script.empty_ticks);
    query->ticks = clock_now(family_bits(queue->family) ? family_bits(queue->family) : 64);
    if (script.stamps == STAMPS_ZERO && bad)
        query->ticks = 0;
    if (script.stamps == STAMPS_BACKWARDS && bad && !begins)
        query->ticks -= UINT64_C(1) << 20;
    query->never = script.availability == AVAILABLE_NEVER && bad;
    query->late = bad ? script.late : 0;
    query->state = QUERY_WRITTEN;
}

void execute(const struct commands *commands, struct queue *queue)
{
    bool worked = false;
    for (uint32_t i = 0; i < commands->count; i++) {
        const struct command *command = &commands->list[i];
        switch (command->op) {
        case OP_COPY: run_copy(command, queue); break;
        case OP_DISPATCH: run_dispatch(command, queue); break;
        case OP_BARRIER: run_barrier(command, queue); break;
        case OP_RESET: run_reset(command); break;
        case OP_STAMP: run_stamp(command, queue, worked); break;
        }
        if (command->op == OP_STAMP)
            worked = false;
        if (command->op == OP_COPY || command->op == OP_DISPATCH) {
            clock_advance(script.kernel_ticks);
            worked = true;
        }
    }
}

/* ---- queries ---- */

VkResult vkCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info,
                           const VkAllocationCallbacks *allocator, VkQueryPool *out)
{
    ENTER(vkCreateQueryPool);
    (void)allocator;
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    EXPECT_USE(info->queryType == VK_QUERY_TYPE_TIMESTAMP && info->queryCount > 0, "%s: type",
               __func__);
    struct queries *queries = USE(device, KIND_DEVICE) && info->queryCount > 0
                                  ? object_create(KIND_QUERIES, sizeof *queries, OBJECT(device))
                                  : NULL;
    if (!queries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    queries->count = info->queryCount;
    queries->queries = queries->base.owned[0] = calloc(info->queryCount, sizeof(struct query));
    if (!queries->queries) {
        object_destroy(queries, KIND_QUERIES, __func__);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    *out = HANDLE(VkQueryPool, queries);
    return VK_SUCCESS;
}

void vkDestroyQueryPool(VkDevice device, VkQueryPool queries,
                        const VkAllocationCallbacks *allocator)
{
    stub_enter(ENTRY_vkDestroyQueryPool);
    (void)allocator;
    USE(device, KIND_DEVICE);
    object_destroy(OBJECT(queries), KIND_QUERIES, __func__);
}

static bool is_available(struct query *query)
{
    if (query->state != QUERY_WRITTEN || query->never)
        return false;
    if (query->late == 0)
        return true;
    query->late--;
    return false;
}

VkResult vkGetQueryPoolResults(VkDevice device, VkQueryPool handle, uint32_t first, uint32_t count,
                               size_t bytes, void *data, VkDeviceSize stride,
                               VkQueryResultFlags flags)
{
    ENTER(vkGetQueryPoolResults);
    const struct queries *queries = USE(handle, KIND_QUERIES);
    bool told = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
    size_t each = (told ? 2 : 1) * sizeof(uint64_t);
    if (!USE(device, KIND_DEVICE) || !queries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_USE(flags & VK_QUERY_RESULT_64_BIT, "%s: 32 bits of a stamp", __func__);
    EXPECT_USE(!(flags & VK_QUERY_RESULT_WAIT_BIT), "%s: may wait for ever", __func__);
    bool inside = first < queries->count && count > 0 && count <= queries->count - first &&
                  bytes >= (count - 1) * stride + each && stride % sizeof(uint64_t) == 0;
    EXPECT_USE(inside, "%s: beyond the end", __func__);
    if (!inside)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult code = VK_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        struct query *query = &queries->queries[first + i];
        EXPECT_USE(query->state != QUERY_UNDEFINED, "%s: was never reset", __func__);
        uint64_t available = !is_available(query)                   ? 0
                             : script.availability == AVAILABLE_TWO ? 2
                                                                    : 1;
        char *at = (char *)data + i * stride;
        if (available)
            memcpy(at, &query->ticks, sizeof query->ticks);
        else
            code = VK_NOT_READY;
        if (told)
            memcpy(at + sizeof(uint64_t), &available, sizeof available);
    }
    return code;
}
