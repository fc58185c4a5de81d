/* Submissions and fences: who uses what until somebody has seen that it is over. */
#include "stub.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define FOREVER UINT64_MAX

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

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER;     /* around the lists of submissions, and execution */
static struct queue *latest_queue; /* the same */
static _Atomic(uint64_t) submissions;

static bool is_lost(void)
{
    return script.lost && atomic_load(&submissions) >= script.lost;
}

/* ---- what a submission uses ---- */

static bool retain(struct submission *submission, void *handle, enum kind kind)
{
    struct object *object = object_use(handle, kind, "vkQueueSubmit");
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
    atomic_fetch_add(&object->pending, 1);
    return true;
}

static bool retain_buffer(struct submission *submission, struct buffer *buffer)
{
    if (!retain(submission, buffer, KIND_BUFFER))
        return false;
    EXPECT_USE(buffer->memory, "vkQueueSubmit: a buffer has no memory");
    return buffer->memory && retain(submission, buffer->memory, KIND_MEMORY);
}

static bool retain_set(struct submission *submission, const struct command *command)
{
    if (!command->set)
        return command->pipeline->set_bindings == 0;
    if (!retain(submission, command->set, KIND_SET))
        return false;
    EXPECT_USE(command->set->version == command->set_version,
               "vkQueueSubmit: a descriptor set was changed after it was recorded");
    for (uint32_t i = 0; i < command->pipeline->set_bindings; i++) {
        struct buffer *buffer =
            i < command->set->count ? command->set->descriptors[i].buffer : NULL;
        EXPECT_USE(buffer, "vkQueueSubmit: binding %u has no buffer", i);
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
    struct commands *commands = object_use(OBJECT(handle), KIND_COMMANDS, "vkQueueSubmit");
    if (!commands)
        return false;
    EXPECT_USE(commands->state == COMMANDS_READY, "vkQueueSubmit: the recording has not ended");
    EXPECT_USE(atomic_load(&commands->base.pending) == 0 ||
                   commands->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
               "vkQueueSubmit: the command buffer is in use");
    EXPECT_USE(commands->pool->family == submission->queue->family, "vkQueueSubmit: family");
    bool sound = commands->state == COMMANDS_READY;
    retain(submission, commands, KIND_COMMANDS);
    for (uint32_t i = 0; i < commands->count; i++)
        sound = retain_command(submission, &commands->list[i]) && sound;
    if (commands->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
        commands->state = COMMANDS_INVALID;
    return sound;
}

/* Somebody has seen that it is over. Under the lock. */
static void close_submission(struct submission *submission)
{
    struct submission **at = &submission->queue->open;
    while (*at && *at != submission)
        at = &(*at)->next;
    if (*at)
        *at = submission->next;
    for (uint32_t i = 0; i < submission->count; i++) {
        struct object *object = submission->objects[i];
        atomic_fetch_sub(&object->pending, 1);
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
        while (atomic_load(&commands->base.alive) && submission->command_at < commands->count) {
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

/* Under the lock. */
static void execute_held(struct queue *queue, uint64_t budget)
{
    struct submission *submission;
    while ((submission = queue->held) && !submission->hung && go_on(submission, &budget)) {
        queue->held = submission->later;
        if (submission->fence) {
            atomic_store(&submission->fence->late, script.late_fence);
            atomic_store(&submission->fence->signalled, true);
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
    struct queue *queue = USE(handle, KIND_QUEUE);
    if (!queue)
        return 0;
    pthread_mutex_lock(&lock);
    execute_held(queue, commands);
    uint64_t left = commands_left(queue);
    pthread_mutex_unlock(&lock);
    return left;
}

void execute_meanwhile(uint64_t commands)
{
    pthread_mutex_lock(&lock);
    if (latest_queue)
        execute_held(latest_queue, commands);
    pthread_mutex_unlock(&lock);
}

/* ---- submitting ---- */

static struct submission *open_submission(struct queue *queue, VkFence handle)
{
    struct submission *submission = calloc(1, sizeof *submission);
    if (!submission)
        abort();
    submission->queue = queue;
    struct fence *fence = handle ? object_use(OBJECT(handle), KIND_FENCE, "vkQueueSubmit") : NULL;
    pthread_mutex_lock(&lock);
    if (!queue->open) { /* all before it was seen to be over */
        queue->order_epoch++;
        queue->write_epoch++;
    }
    submission->next = queue->open;
    queue->open = submission;
    if (fence) {
        EXPECT_USE(!atomic_load(&fence->signalled), "vkQueueSubmit: the fence was not reset");
        EXPECT_USE(!fence->submission, "vkQueueSubmit: the fence is in use");
        retain(submission, fence, KIND_FENCE);
        fence->submission = submission;
        submission->fence = fence;
    }
    pthread_mutex_unlock(&lock);
    return submission;
}

static void hold(struct submission *submission)
{
    struct queue *queue = submission->queue;
    pthread_mutex_lock(&lock);
    if (queue->held)
        queue->newest_held->later = submission;
    else
        queue->held = submission;
    queue->newest_held = submission;
    latest_queue = queue;
    if (script.commands == COMMANDS_AT_ONCE)
        execute_held(queue, UINT64_MAX);
    pthread_mutex_unlock(&lock);
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
    uint64_t number = atomic_fetch_add(&submissions, 1) + 1;
    if (is_lost())
        return VK_ERROR_DEVICE_LOST;
    struct submission *submission = open_submission(queue, handle);
    if (number == script.hang)
        atomic_store(&queue->stuck, true);
    submission->hung = atomic_load(&queue->stuck);
    for (uint32_t i = 0; i < count; i++) {
        EXPECT_TYPE(&infos[i], VK_STRUCTURE_TYPE_SUBMIT_INFO);
        EXPECT_USE(infos[i].waitSemaphoreCount == 0 && infos[i].signalSemaphoreCount == 0,
                   "vkQueueSubmit: the stub has no semaphores");
        add_commands(submission, infos[i].commandBufferCount, infos[i].pCommandBuffers);
    }
    hold(submission);
    return VK_SUCCESS;
}

VkResult vkQueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
    ENTER(vkQueueSubmit);
    struct queue *queue = USE(handle, KIND_QUEUE);
    if (!queue)
        return VK_ERROR_DEVICE_LOST;
    object_lock(queue, __func__);
    VkResult code = submit(queue, count, infos, fence);
    object_unlock(queue);
    return code;
}

static VkResult wait_idle(struct queue *queue, const char *caller)
{
    object_lock(queue, caller);
    while (atomic_load(&queue->stuck))
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    pthread_mutex_lock(&lock);
    execute_held(queue, UINT64_MAX);
    while (queue->open)
        close_submission(queue->open);
    pthread_mutex_unlock(&lock);
    object_unlock(queue);
    return is_lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VkResult vkQueueWaitIdle(VkQueue handle)
{
    ENTER(vkQueueWaitIdle);
    struct queue *queue = USE(handle, KIND_QUEUE);
    return queue ? wait_idle(queue, __func__) : VK_ERROR_DEVICE_LOST;
}

VkResult vkDeviceWaitIdle(VkDevice handle)
{
    ENTER(vkDeviceWaitIdle);
    const struct device *device = USE(handle, KIND_DEVICE);
    return device ? wait_idle(device->queue, __func__) : VK_ERROR_DEVICE_LOST;
}

/* ---- fences ---- */

VkResult vkCreateFence(VkDevice device, const VkFenceCreateInfo *info,
                       const VkAllocationCallbacks *allocator, VkFence *out)
{
    ENTER(vkCreateFence);
    (void)allocator;
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    struct fence *fence =
        USE(device, KIND_DEVICE) ? object_create(KIND_FENCE, sizeof *fence, OBJECT(device)) : NULL;
    if (!fence)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_store(&fence->signalled, (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0);
    *out = HANDLE(VkFence, fence);
    return VK_SUCCESS;
}

void vkDestroyFence(VkDevice device, VkFence handle, const VkAllocationCallbacks *allocator)
{
    stub_enter(ENTRY_vkDestroyFence);
    (void)allocator;
    USE(device, KIND_DEVICE);
    object_destroy(OBJECT(handle), KIND_FENCE, __func__);
}

VkResult vkResetFences(VkDevice device, uint32_t count, const VkFence *fences)
{
    ENTER(vkResetFences);
    USE(device, KIND_DEVICE);
    for (uint32_t i = 0; i < count; i++) {
        struct fence *fence = USE(fences[i], KIND_FENCE);
        if (!fence)
            continue;
        EXPECT_USE(atomic_load(&fence->base.pending) == 0, "%s: the fence is in use", __func__);
        atomic_store(&fence->signalled, false);
    }
    return VK_SUCCESS;
}

/* VK_NOT_READY as long as it is not signalled; one more look. */
static VkResult look(struct fence *fence)
{
    if (is_lost())
        return VK_ERROR_DEVICE_LOST;
    if (!atomic_load(&fence->signalled))
        return VK_NOT_READY;
    uint64_t late = atomic_load(&fence->late);
    if (late) {
        atomic_store(&fence->late, late - 1);
        return VK_NOT_READY;
    }
    pthread_mutex_lock(&lock);
    if (fence->submission)
        close_submission(fence->submission);
    pthread_mutex_unlock(&lock);
    return VK_SUCCESS;
}

/* Who waits gives the device the time that it takes. */
static void execute_before(const struct fence *fence)
{
    pthread_mutex_lock(&lock);
    if (fence->submission)
        execute_held(fence->submission->queue, UINT64_MAX);
    pthread_mutex_unlock(&lock);
}

VkResult vkGetFenceStatus(VkDevice device, VkFence handle)
{
    ENTER(vkGetFenceStatus);
    struct fence *fence = USE(handle, KIND_FENCE);
    return USE(device, KIND_DEVICE) && fence ? look(fence) : VK_ERROR_DEVICE_LOST;
}

static uint64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

VkResult vkWaitForFences(VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
                         uint64_t timeout_ns)
{
    ENTER(vkWaitForFences);
    USE(device, KIND_DEVICE);
    EXPECT_USE(count == 1 || all, "%s: the stub waits for all", __func__);
    uint64_t begin = now_ns();
    for (uint32_t i = 0; i < count; i++) {
        struct fence *fence = USE(fences[i], KIND_FENCE);
        if (!fence)
            return VK_ERROR_DEVICE_LOST;
        EXPECT_USE(atomic_load(&fence->signalled) || atomic_load(&fence->base.pending),
                   "%s: nothing signals this fence", __func__);
        execute_before(fence);
        for (;;) {
            VkResult code = look(fence);
            uint64_t passed = now_ns() - begin;
            if (code == VK_SUCCESS)
                break;
            if (code != VK_NOT_READY)
                return code;
            if (passed >= timeout_ns)
                return VK_TIMEOUT;
            uint64_t left = timeout_ns - passed;
            nanosleep(&(struct timespec){.tv_nsec = left < 1000000 ? (long)left : 1000000}, NULL);
        }
    }
    return VK_SUCCESS;
}
