/* SPDX-License-Identifier: MIT */
/* Submitting, executing, and waiting for what was submitted. */
#include "stub.h"

#include <stdlib.h>

/* Commands on their way. */
struct submission {
    struct submission *next;
    struct commands commands;
    bool hung;
};

static bool is_lost(const struct WGPUQueueImpl *queue)
{
    return queue->base.device->lost;
}

/* ---- executing ---- */

/* Buffers are the kernel's memories, and a uniform's words its numbers. */
static void run_dispatch(const struct command *command)
{
    const struct WGPUComputePipelineImpl *pipeline = command->pipeline;
    void *memories[BINDINGS_MAX];
    named_kernel_number numbers[NAMED_KERNEL_NUMBERS_MAX] = {{0}};
    size_t count = 0, words = 0;
    if (!pipeline->kernel) {
        report_unknown_kernel();
        return;
    }
    report_kernel(pipeline->entry, true);
    for (int i = 0; i < BINDINGS_MAX && pipeline->layout->bindings[i] != BINDING_NONE; i++) {
        const struct binding_entry *entry = &command->group->entries[i];
        const unsigned char *data = entry->buffer->data + entry->offset;
        if (pipeline->layout->bindings[i] != BINDING_UNIFORM)
            memories[count++] = entry->buffer->data + entry->offset;
        else
            for (uint64_t at = 0; at < entry->bytes && words < NAMED_KERNEL_NUMBERS_MAX; at += 4)
                memcpy(&numbers[words++].word, data + at, sizeof numbers->word);
    }
    const named_kernel_launch launch = {.kernel = pipeline->kernel,
                                        .memories = memories,
                                        .numbers = numbers,
                                        .groups = command->groups,
                                        .group_size = pipeline->group_size};
    if (REQUIRE(pipeline->base.device,
                !pipeline->kernel->function || count == named_kernel_memories(pipeline->kernel),
                "the kernel takes other buffers"))
        named_kernel_run(&launch);
}

static void write_timestamp(const struct command *command, bool is_empty,
                            const struct WGPUDeviceImpl *device)
{
    static uint64_t ends;
    bool begins = command->op == OP_BEGIN;
    if (!command->queries)
        return;
    uint64_t pair = (begins ? ends : ends++) + 1;
    bool bad = pair % script.every == 0;
    uint64_t ns = device_timestamp(device);
    if (bad && (script.timestamps == TIMESTAMPS_ZERO ||
                script.timestamps == (begins ? TIMESTAMPS_ZERO_BEGIN : TIMESTAMPS_ZERO_END)))
        ns = 0;
    if (is_empty && script.empty_passes == PASSES_ZERO)
        ns = 0;
    if (bad && script.timestamps == TIMESTAMPS_BACKWARDS && !begins)
        ns -= UINT64_C(1) << 20;
    command->queries->queries[command->first] = (struct query){ns, true};
}

static void run_resolve(const struct command *command)
{
    for (uint32_t i = 0; i < command->count; i++) {
        const struct query *query = &command->queries->queries[command->first + i];
        EXPECT_USE(query->written || script.lax, "a query that was never written is resolved");
        memcpy(command->dst->data + command->dst_offset + i * sizeof query->ns, &query->ns,
               sizeof query->ns);
    }
}

/* Of commands that write a buffer. */
static unsigned char *target(const struct command *c)
{
    return c->dst->data + c->dst_offset; // NOLINT(clang-analyzer-core.NullDereference)
}

/* A copy between two passes takes just its time: noise comes before a pass that follows no copy. */
void execute(const struct commands *commands, const struct WGPUDeviceImpl *device)
{
    enum op before = OP_END;
    for (uint32_t i = 0; i < commands->count; i++) {
        const struct command *c = &commands->list[i];
        switch (c->op) {
        case OP_BEGIN:
            if (before != OP_COPY) {
                clock_advance(1);
                clock_add_noise();
            }
            write_timestamp(c, c[1].op == OP_END, device); /* each pass has ended */
            break;
        case OP_END:
            if (before == OP_BEGIN)
                clock_advance((int64_t)script.empty_ns);
            write_timestamp(c, before == OP_BEGIN, device);
            break;
        case OP_DISPATCH:
            run_dispatch(c);
            clock_advance((int64_t)(strstr(c->pipeline->entry, "empty") ? script.empty_ns
                                                                        : script.kernel_ns));
            break;
        case OP_COPY:
            memcpy(target(c), c->src->data + c->src_offset, c->bytes); // NOLINT(clang-analyzer-*)
            clock_advance((int64_t)script.kernel_ns);
            break;
        case OP_RESOLVE: run_resolve(c); break;
        case OP_WRITE: memcpy(target(c), c->data, c->bytes); break;
        }
        before = c->op;
    }
}

static void end_submission(struct submission *submission)
{
    commands_end(&submission->commands);
    free(submission);
}

void queue_execute(struct WGPUQueueImpl *queue, uint64_t submissions)
{
    while (queue->held && !queue->held->hung && submissions-- > 0) {
        struct submission *submission = queue->held;
        queue->held = submission->next;
        execute(&submission->commands, queue->base.device);
        queue->completed++;
        end_submission(submission);
    }
    events_look(queue->base.device->instance);
}

void queue_forget(struct WGPUQueueImpl *queue)
{
    queue->completed = queue->submitted;
    while (queue->held) {
        struct submission *submission = queue->held;
        queue->held = submission->next;
        end_submission(submission);
    }
}

uint64_t wgpuStubExecute(WGPUQueue queue, uint64_t submissions)
{
    uint64_t left = 0;
    call_lock();
    report_caller = __func__;
    if (object_use(queue, KIND_QUEUE)) {
        queue_execute(queue, submissions);
        left = queue->submitted - queue->completed;
    }
    stub_leave(NULL);
    return left;
}

/* ---- submitting ---- */

/* From now on they are the queue's: what was in `commands` is gone. */
static void submit(struct WGPUQueueImpl *queue, struct commands *commands, bool counts)
{
    static uint64_t numbers;
    uint64_t number = counts ? ++numbers : numbers;
    struct submission *submission = calloc(1, sizeof *submission);
    if (!submission)
        abort();
    submission->commands = *commands;
    *commands = (struct commands){0};
    queue->submitted++;
    if (counts && number == script.hang)
        queue->stuck = true;
    submission->hung = queue->stuck;
    for (uint32_t i = 0; i < submission->commands.count; i++) {
        const struct command *c = &submission->commands.list[i];
        if (c->src)
            c->src->last_use = queue->submitted;
        if (c->dst)
            c->dst->last_use = queue->submitted;
        for (int b = 0; c->group && b < BINDINGS_MAX; b++)
            if (c->group->entries[b].buffer)
                c->group->entries[b].buffer->last_use = queue->submitted;
    }
    if (queue->held)
        queue->newest_held->next = submission;
    else
        queue->held = submission;
    queue->newest_held = submission;
    if (script.lost && number >= script.lost)
        device_lose(queue->base.device, WGPUDeviceLostReason_Unknown,
                    "the script wants the device to be lost");
    else if (script.commands == COMMANDS_AT_ONCE)
        queue_execute(queue, UINT64_MAX);
}

static bool is_free(struct WGPUDeviceImpl *device, const struct WGPUBufferImpl *buffer)
{
    return !buffer || REQUIRE(device, buffer->state == BUFFER_UNMAPPED, "a buffer is %s",
                              buffer->state == BUFFER_MAPPED ? "mapped" : "about to be mapped");
}

static bool can_submit(struct WGPUDeviceImpl *device, struct WGPUCommandBufferImpl *commands)
{
    if (!commands || !device_takes(device, commands) ||
        !REQUIRE(device, !commands->submitted, "the commands were submitted"))
        return false;
    for (uint32_t i = 0; i < commands->commands.count; i++) {
        const struct command *c = &commands->commands.list[i];
        if (!is_free(device, c->src) || !is_free(device, c->dst))
            return false;
        for (int b = 0; c->group && b < BINDINGS_MAX; b++)
            if (!is_free(device, c->group->entries[b].buffer))
                return false;
    }
    return true;
}

void wgpuQueueSubmit(WGPUQueue handle, size_t count, const WGPUCommandBuffer *list)
{
    ENTER(wgpuQueueSubmit, handle);
    struct WGPUQueueImpl *queue = object_use(handle, KIND_QUEUE);
    bool good = queue && !is_lost(queue) && !fails;
    if (queue && fails)
        device_forced(queue->base.device);
    for (size_t i = 0; queue && i < count; i++)
        good = can_submit(queue->base.device, object_use(list[i], KIND_COMMANDS)) && good;
    for (size_t i = 0; good && i < count; i++) {
        list[i]->submitted = true;
        submit(queue, &list[i]->commands, i == 0);
    }
}

static bool can_write(struct WGPUDeviceImpl *device, const struct WGPUBufferImpl *buffer,
                      uint64_t offset, uint64_t bytes)
{
    return device_takes(device, buffer) && is_free(device, buffer) &&
           REQUIRE(device, buffer->usage & WGPUBufferUsage_CopyDst, "usage") &&
           REQUIRE(device, (offset | bytes) % 4 == 0, "alignment") &&
           REQUIRE(device, bytes <= buffer->bytes && offset <= buffer->bytes - bytes,
                   "beyond the end");
}

void wgpuQueueWriteBuffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t offset, const void *data,
                          size_t bytes)
{
    ENTER(wgpuQueueWriteBuffer, queue);
    if (!object_use(queue, KIND_QUEUE) || !object_use(buffer, KIND_BUFFER))
        return;
    if (fails)
        device_forced(queue->base.device);
    if (fails || is_lost(queue) || !can_write(queue->base.device, buffer, offset, bytes))
        return;
    struct commands commands = {0};
    struct command write = {.op = OP_WRITE, .dst = buffer, .dst_offset = offset, .bytes = bytes};
    write.data = malloc(bytes ? bytes : 1);
    if (!write.data)
        abort();
    memcpy(write.data, data, bytes);
    commands_add(&commands, &write);
    submit(queue, &commands, false);
}

WGPUFuture wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo info)
{
    ENTER(wgpuQueueOnSubmittedWorkDone, queue);
    if (!object_use(queue, KIND_QUEUE))
        return (WGPUFuture){0};
    struct event *event = event_create(queue->base.device->instance, EVENT_DONE, &info);
    event->status = fails ? 3 : 1;
    event->device = queue->base.device;
    event->serial = queue->submitted;
    return event_post(event);
}
