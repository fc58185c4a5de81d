/* SPDX-License-Identifier: MIT */
/* Submissions and fences: who uses what until somebody has seen that it is over. */
#include "stub.h"

#include <stdlib.h>

struct submission {
    struct submission *next, *later; /* of those open, and of those held */
    struct queue *queue;
    struct object **objects; /* that it uses */
    uint32_t count, room;
    const struct commands **list;        /* what it executes, */
    uint32_t list_count, at, command_at; /* and how far it is */
    bool worked, half_written, hung;
    struct fence *fence;
};

static struct queue *latest_queue;
static uint64_t submissions;

static bool is_lost(void)
{
    return script.lost && submissions >= script.lost;
}

/* ---- what a submission uses ---- */

static bool retain(struct submission *submission, void *handle, enum kind kind)
{
    struct object *object = object_use(handle, kind);
    if (!object)
        return false;
    if (submission->count == submission->room) {
        submission->room = submission->room ? 2 * submission->room : 16;
        submission->objects =
            realloc(submission->objects, submission->room * sizeof(struct object *));
        if (!submission->objects)
            abort();
    }
    submission->objects[submission->count++] = object;
    object->pending++;
    return true;
}

static bool retain_buffer(struct submission *submission, struct buffer *buffer)
{
    if (!retain(submission, buffer, KIND_BUFFER))
        return false;
    EXPECT_USE(buffer->memory, "a buffer has no memory");
    return buffer->memory && retain(submission, buffer->memory, KIND_MEMORY);
}

static bool retain_set(struct submission *submission, const struct command *command)
{
    if (!command->set)
        return command->pipeline->set_bindings == 0;
    if (!retain(submission, command->set, KIND_SET))
        return false;
    EXPECT_USE(command->set->version == command->set_version,
               "a descriptor set was changed after it was recorded");
    for (uint32_t i = 0; i < command->pipeline->set_bindings; i++) {
        struct buffer *buffer =
            i < command->set->count ? command->set->descriptors[i].buffer : NULL;
        EXPECT_USE(buffer, "binding %u has no buffer", i);
        if (!buffer || !retain_buffer(submission, buffer))
            return false;
    }
    return true;
}

/* False: running it would be undefined. */
static bool retain_command(struct submission *submission, const struct command *command)
{
    bool sound = true;
    if (command->src)
        sound = retain_buffer(submission, command->src) && sound;
    if (command->dst)
        sound = retain_buffer(submission, command->dst) && sound;
    if (command->queries)
        sound = retain(submission, command->queries, KIND_QUERIES) && sound;
    if (command->op == OP_DISPATCH)
        sound = retain(submission, command->pipeline, KIND_PIPELINE) &&
                retain_set(submission, command) && sound;
    return sound;
}

static bool retain_commands(struct submission *submission, VkCommandBuffer handle)
{
    struct commands *commands = USE(handle, KIND_COMMANDS);
    if (!commands)
        return false;
    EXPECT_USE(commands->state == COMMANDS_READY, "the recording has not ended");
    EXPECT_USE(commands->base.pending == 0 ||
                   commands->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
               "the command buffer is in use");
    EXPECT_USE(commands->pool->family == submission->queue->family, "family");
    bool sound = commands->state == COMMANDS_READY;
    retain(submission, commands, KIND_COMMANDS);
    for (uint32_t i = 0; i < commands->count; i++)
        sound = retain_command(submission, &commands->list[i]) && sound;
    if (commands->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
        commands->state = COMMANDS_INVALID;
    return sound;
}

/* Somebody has seen that it is over. */
static void close_submission(struct submission *submission)
{
    struct submission **at = &submission->queue->open;
    while (*at && *at != submission)
        at = &(*at)->next;
    if (*at)
        *at = submission->next;
    for (uint32_t i = 0; i < submission->count; i++) {
        struct object *object = submission->objects[i];
        object->pending--;
        if (object->kind == KIND_FENCE)
            ((struct fence *)(void *)object)->submission = NULL;
    }
    free(submission->list);
    free(submission->objects);
    free(submission);
}

/* ---- executing ---- */

/* True: at its end. */
static bool go_on(struct submission *submission, uint64_t *budget)
{
    while (submission->at < submission->list_count) {
        const struct commands *commands = submission->list[submission->at];
        /* What was destroyed meanwhile was told as misuse. */
        while (commands->base.alive && submission->command_at < commands->count) {
            if (*budget == 0)
                return false;
            --*budget;
            const struct command *command = &commands->list[submission->command_at];
            submission->half_written = script.writing == WRITING_SHOWN &&
                                       command->op == OP_TIMESTAMP && !submission->half_written;
            if (submission->half_written) {
                begin_timestamp(command);
                continue;
            }
            execute(&commands->list[submission->command_at++], submission->queue,
                    &submission->worked);
        }
        submission->at++;
        submission->command_at = 0;
        submission->worked = false;
    }
    return true;
}

static void execute_held(struct queue *queue, uint64_t budget)
{
    struct submission *submission;
    while ((submission = queue->held) && !submission->hung && go_on(submission, &budget)) {
        queue->held = submission->later;
        if (submission->fence) {
            submission->fence->late = script.late_fence;
            submission->fence->signalled = true;
        }
    }
}

static uint64_t commands_left(const struct queue *queue)
{
    uint64_t left = 0;
    for (const struct submission *held = queue->held; held; held = held->later)
        for (uint32_t i = held->at; i < held->list_count; i++)
            left += held->list[i]->count - (i == held->at ? held->command_at : 0);
    return left;
}

uint64_t vkStubExecute(VkQueue handle, uint64_t commands)
{
    struct queue *queue = OBJECT(handle);
    call_lock();
    execute_held(queue, commands);
    uint64_t left = commands_left(queue);
    call_unlock();
    return left;
}

void execute_meanwhile(uint64_t commands)
{
    if (latest_queue)
        execute_held(latest_queue, commands);
}

/* ---- submitting ---- */

static struct submission *open_submission(struct queue *queue, VkFence handle)
{
    struct submission *submission = calloc(1, sizeof *submission);
    if (!submission)
        abort();
    submission->queue = queue;
    struct fence *fence = handle ? USE(handle, KIND_FENCE) : NULL;
    if (!queue->open) { /* all before it was seen to be over */
        queue->order_epoch++;
        queue->write_epoch++;
    }
    submission->next = queue->open;
    queue->open = submission;
    if (fence) {
        EXPECT_USE(!fence->signalled, "the fence was not reset");
        EXPECT_USE(!fence->submission, "the fence is in use");
        retain(submission, fence, KIND_FENCE);
        fence->submission = submission;
        submission->fence = fence;
    }
    return submission;
}

static void hold(struct submission *submission)
{
    struct queue *queue = submission->queue;
    if (queue->held)
        queue->newest_held->later = submission;
    else
        queue->held = submission;
    queue->newest_held = submission;
    latest_queue = queue;
    if (script.commands == COMMANDS_AT_ONCE)
        execute_held(queue, UINT64_MAX);
}

static void add_commands(struct submission *submission, uint32_t count,
                         const VkCommandBuffer *handles)
{
    submission->list =
        realloc(submission->list, (submission->list_count + count + 1) * sizeof *submission->list);
    if (!submission->list)
        abort();
    for (uint32_t i = 0; i < count; i++)
        if (retain_commands(submission, handles[i]))
            submission->list[submission->list_count++] = OBJECT(handles[i]);
}

static VkResult submit(struct queue *queue, uint32_t count, const VkSubmitInfo *infos,
                       VkFence handle)
{
    uint64_t number = ++submissions;
    if (is_lost())
        return VK_ERROR_DEVICE_LOST;
    struct submission *submission = open_submission(queue, handle);
    if (number == script.hang) {
        queue->stuck = true;
        report_hang();
    }
    submission->hung = queue->stuck;
    for (uint32_t i = 0; i < count; i++) {
        EXPECT_TYPE(&infos[i], VK_STRUCTURE_TYPE_SUBMIT_INFO);
        EXPECT_USE(infos[i].waitSemaphoreCount == 0 && infos[i].signalSemaphoreCount == 0,
                   "the stub has no semaphores");
        add_commands(submission, infos[i].commandBufferCount, infos[i].pCommandBuffers);
    }
    hold(submission);
    return VK_SUCCESS;
}

VkResult vkQueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
    ENTER_ALONE(vkQueueSubmit, OBJECT(handle));
    struct queue *queue = USE(handle, KIND_QUEUE);
    return queue ? submit(queue, count, infos, fence) : VK_ERROR_DEVICE_LOST;
}

VkResult vkQueueBindSparse(VkQueue handle, uint32_t count, const VkBindSparseInfo *infos,
                           VkFence fence)
{
    (void)infos;
    ENTER_ALONE(vkQueueBindSparse, OBJECT(handle));
    USE(handle, KIND_QUEUE);
    EXPECT_USE(count == 0 && !fence, "the stub has no sparse resources");
    return VK_SUCCESS;
}

static VkResult wait_idle(struct queue *queue)
{
    while (queue->stuck)
        call_pause();
    execute_held(queue, UINT64_MAX);
    while (queue->open)
        close_submission(queue->open);
    return is_lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VkResult vkQueueWaitIdle(VkQueue handle)
{
    ENTER_ALONE(vkQueueWaitIdle, OBJECT(handle));
    struct queue *queue = USE(handle, KIND_QUEUE);
    return queue ? wait_idle(queue) : VK_ERROR_DEVICE_LOST;
}

/* Before the call has the lock. */
static const void *queue_of(VkDevice handle)
{
    const struct device *device = OBJECT(handle);
    return device && device->base.kind == KIND_DEVICE ? device->queue : NULL;
}

VkResult vkDeviceWaitIdle(VkDevice handle)
{
    ENTER_ALONE(vkDeviceWaitIdle, queue_of(handle));
    const struct device *device = USE(handle, KIND_DEVICE);
    return device ? wait_idle(device->queue) : VK_ERROR_DEVICE_LOST;
}

/* ---- fences ---- */

VkResult vkCreateFence(VkDevice device, const VkFenceCreateInfo *info,
                       const VkAllocationCallbacks *allocator, VkFence *out)
{
    ENTER(vkCreateFence);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    struct fence *fence = stub_create(device, KIND_FENCE, sizeof *fence);
    fence->signalled = (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
    *out = HANDLE(VkFence, fence);
    return VK_SUCCESS;
}

VkResult vkResetFences(VkDevice device, uint32_t count, const VkFence *fences)
{
    ENTER(vkResetFences);
    USE(device, KIND_DEVICE);
    for (uint32_t i = 0; i < count; i++) {
        struct fence *fence = USE(fences[i], KIND_FENCE);
        if (!fence)
            continue;
        EXPECT_USE(fence->base.pending == 0, "the fence is in use");
        fence->signalled = false;
    }
    return VK_SUCCESS;
}

/* VK_NOT_READY as long as it is not signalled; one more look. */
static VkResult look(struct fence *fence)
{
    if (is_lost())
        return VK_ERROR_DEVICE_LOST;
    if (!fence->signalled)
        return VK_NOT_READY;
    if (fence->late) {
        fence->late--;
        return VK_NOT_READY;
    }
    if (fence->submission)
        close_submission(fence->submission);
    return VK_SUCCESS;
}

VkResult vkGetFenceStatus(VkDevice device, VkFence handle)
{
    ENTER(vkGetFenceStatus);
    struct fence *fence = USE(handle, KIND_FENCE);
    return USE(device, KIND_DEVICE) && fence ? look(fence) : VK_ERROR_DEVICE_LOST;
}

VkResult vkWaitForFences(VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
                         uint64_t timeout_ns)
{
    ENTER(vkWaitForFences);
    USE(device, KIND_DEVICE);
    EXPECT_USE(count == 1 || all, "the stub waits for all");
    uint64_t begin = clock_host_ns(CLOCK_MONOTONIC);
    for (uint32_t i = 0; i < count; i++) {
        struct fence *fence = USE(fences[i], KIND_FENCE);
        if (!fence)
            return VK_ERROR_DEVICE_LOST;
        EXPECT_USE(fence->signalled || fence->base.pending, "nothing signals this fence");
        if (fence->submission) /* who waits gives the device the time that it takes */
            execute_held(fence->submission->queue, UINT64_MAX);
        VkResult code;
        while ((code = look(fence)) == VK_NOT_READY) {
            if (clock_host_ns(CLOCK_MONOTONIC) - begin >= timeout_ns)
                return VK_TIMEOUT;
            call_pause();
        }
        if (code != VK_SUCCESS)
            return code;
    }
    return VK_SUCCESS;
}
