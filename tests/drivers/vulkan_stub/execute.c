/* SPDX-License-Identifier: MIT */
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
    const struct pipeline *pipeline = command->pipeline;
    const group_kernel *kernel = pipeline->kernel;
    named_kernel_number numbers[NAMED_KERNEL_NUMBERS_MAX] = {{0}};
    void *memories[GROUP_KERNEL_MEMORIES_MAX];
    bool fits = true;
    if (!kernel) {
        report_unknown_kernel();
        return;
    }
    for (uint32_t i = 0; i < kernel->numbers; i++)
        memcpy(&numbers[i].word, command->push + i * sizeof(uint32_t), sizeof(uint32_t));
    for (uint32_t i = 0; i < named_kernel_memories(kernel); i++) {
        const struct descriptor *descriptor = &command->set->descriptors[i];
        memories[i] = bytes_of(descriptor->buffer, descriptor->offset);
        fits = fits && descriptor->range / sizeof(uint32_t) >=
                           named_kernel_elements(kernel, i, numbers[0].word, command->groups,
                                                 pipeline->group_size);
        if (i != kernel->written)
            note_read(descriptor->buffer, queue);
    }
    EXPECT_USE(fits, "%s: a memory is too small", kernel->name);
    if (fits)
        named_kernel_run(&(named_kernel_launch){.kernel = kernel,
                                                .memories = memories,
                                                .numbers = numbers,
                                                .groups = command->groups,
                                                .group_size = pipeline->group_size});
    const struct descriptor *written = &command->set->descriptors[kernel->written];
    note_write(written->buffer, queue, written->offset, written->range);
}

static void run_barrier(const struct command *command, struct queue *queue)
{
    queue->order_epoch++;
    queue->write_epoch += command->visible;
    queue->host_epoch += command->to_host;
}

void execute(const struct command *command, struct queue *queue, bool *worked)
{
    const char *caller = report_caller;
    report_caller = NULL; /* it is the device that does this */
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
        clock_advance((int64_t)script.kernel_ticks);
        *worked = true;
    }
    report_caller = caller;
}
