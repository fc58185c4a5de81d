/* What a queue does with recorded commands, one by one. */
#include "stub.h"

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
    struct dispatch dispatch = {
        .push = command->push, .kernel = kernel, .groups = command->groups[0]};
    if (!kernel) {
        report_unknown_kernel();
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

void execute(const struct command *command, struct queue *queue, bool *worked)
{
    switch (command->op) {
    case OP_COPY: run_copy(command, queue); break;
    case OP_DISPATCH: run_dispatch(command, queue); break;
    case OP_BARRIER: run_barrier(command, queue); break;
    case OP_RESET: reset_queries(command->queries, command->first, command->count); break;
    case OP_TIMESTAMP: write_timestamp(command, queue, *worked); break;
    }
    if (command->op == OP_TIMESTAMP)
        *worked = false;
    if (command->op == OP_COPY || command->op == OP_DISPATCH) {
        clock_advance(script.kernel_ticks);
        *worked = true;
    }
}
