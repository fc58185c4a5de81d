/* SPDX-License-Identifier: MIT */
/* Queues, lists, and their execution. */
#include "stub.h"

#include <stdlib.h>

/* Of API 1.7, which the headers may not have yet. */
enum { QUEUE_FLAG_IN_ORDER = 2, LIST_FLAG_IN_ORDER = 8 };

static ze_result_t check_group(uint32_t ordinal, uint32_t index, uint32_t *kinds)
{
    unsigned count = 0;
    const ze_command_queue_group_properties_t *groups = device_groups(&count);
    REQUIRE(ordinal < count, ZE_RESULT_ERROR_INVALID_ARGUMENT, "no such group of queues");
    REQUIRE(index < groups[ordinal].numQueues, ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "no such queue of the group");
    *kinds = groups[ordinal].flags;
    return ZE_RESULT_SUCCESS;
}

/* ---- queues ---- */

static ze_result_t check_queue(ze_device_handle_t device, const ze_command_queue_desc_t *desc,
                               uint32_t *kinds)
{
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC);
    REQUIRE(desc->mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, ZE_RESULT_ERROR_INVALID_ENUMERATION,
            "mode %d", (int)desc->mode);
    REQUIRE((desc->flags & ~(ze_command_queue_flags_t)(ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY |
                                                       QUEUE_FLAG_IN_ORDER)) == 0,
            ZE_RESULT_ERROR_INVALID_ENUMERATION, "flags %u", desc->flags);
    if (!device_use(device))
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    return check_group(desc->ordinal, desc->index, kinds);
}

static void begin_engine(struct engine *engine, struct object *owner, ze_device_handle_t device,
                         const ze_command_queue_desc_t *desc)
{
    engine_begin(engine, owner, device);
    engine->in_order = desc->flags & QUEUE_FLAG_IN_ORDER;
    engine->synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
}

ze_result_t stub_CommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                                    const ze_command_queue_desc_t *desc,
                                    ze_command_queue_handle_t *out)
{
    ENTER(CommandQueueCreate, NEEDS_INIT);
    uint32_t kinds = 0;
    USE(context, context, KIND_CONTEXT);
    ze_result_t code = check_queue(device, desc, &kinds);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    ze_command_queue_handle_t queue = object_create(KIND_QUEUE, sizeof *queue, context);
    queue->group = desc->ordinal;
    begin_engine(&queue->engine, &queue->base, device, desc);
    *out = queue;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandQueueDestroy(ze_command_queue_handle_t queue)
{
    ENTER(CommandQueueDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(queue, queue, KIND_QUEUE);
    engines_settle();
    engine_end(&queue->engine);
    object_destroy(queue);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t check_list(ze_command_queue_handle_t queue, ze_command_list_handle_t list)
{
    USE(list, list, KIND_LIST);
    REQUIRE(!list->immediate, ZE_RESULT_ERROR_INVALID_ARGUMENT, "an immediate list is executed");
    REQUIRE(list->closed, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not closed");
    REQUIRE(list->base.context == queue->base.context && list->device == queue->engine.device,
            ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is of another context or device");
    REQUIRE(list->group == queue->group, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            "the list is for another group of queues");
    for (size_t i = 0; i < list->count; i++)
        if (!command_is_alive(&list->commands[i]))
            return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandQueueExecuteCommandLists(ze_command_queue_handle_t queue, uint32_t count,
                                                 ze_command_list_handle_t *lists,
                                                 ze_fence_handle_t fence)
{
    ENTER(CommandQueueExecuteCommandLists, NEEDS_INIT);
    struct pending *last = NULL;
    USE(queue, queue, KIND_QUEUE);
    REQUIRE(lists, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    REQUIRE(count, ZE_RESULT_ERROR_INVALID_SIZE, "no lists");
    if (fence) {
        USE(fence, fence, KIND_FENCE);
        REQUIRE(fence->queue == queue && !fence->given, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                "a fence of another queue, or in use");
        fence->given = true;
    }
    engines_settle();
    for (uint32_t i = 0; i < count; i++) {
        ze_result_t code = check_list(queue, lists[i]);
        if (code != ZE_RESULT_SUCCESS)
            return code;
    }
    uint64_t submitted_ticks = counter_now();
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < lists[i]->count; k++)
            last = engine_add(&queue->engine, &lists[i]->commands[k], submitted_ticks);
        if (last && lists[i]->count) {
            last->list = lists[i];
            lists[i]->in_flight++;
        }
    }
    return engine_submitted(&queue->engine, last);
}

static ze_result_t synchronize(struct engine *engine, uint64_t timeout_ns)
{
    ze_result_t code = engines_wait(engine_ended, engine, timeout_ns);
    if (code == ZE_RESULT_SUCCESS)
        engine_seen(engine);
    return code;
}

ze_result_t stub_CommandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout_ns)
{
    ENTER(CommandQueueSynchronize, NEEDS_INIT);
    USE(queue, queue, KIND_QUEUE);
    return synchronize(&queue->engine, timeout_ns);
}

/* ---- fences ---- */

ze_result_t stub_FenceCreate(ze_command_queue_handle_t queue, const ze_fence_desc_t *desc,
                             ze_fence_handle_t *out)
{
    ENTER(FenceCreate, NEEDS_INIT);
    USE(queue, queue, KIND_QUEUE);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_FENCE_DESC);
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    ze_fence_handle_t fence = object_create(KIND_FENCE, sizeof *fence, queue->base.context);
    fence->queue = queue;
    *out = fence;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_FenceDestroy(ze_fence_handle_t fence)
{
    ENTER(FenceDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(fence, fence, KIND_FENCE);
    object_destroy(fence);
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_FenceHostSynchronize(ze_fence_handle_t fence, uint64_t timeout_ns)
{
    ENTER(FenceHostSynchronize, NEEDS_INIT);
    USE(fence, fence, KIND_FENCE);
    REQUIRE(fence->given, ZE_RESULT_ERROR_INVALID_ARGUMENT, "a fence that no queue was given");
    return synchronize(&fence->queue->engine, timeout_ns);
}

ze_result_t stub_FenceQueryStatus(ze_fence_handle_t fence)
{
    ENTER(FenceQueryStatus, NEEDS_INIT);
    USE(fence, fence, KIND_FENCE);
    engines_settle();
    if (fence->given && engine_ended(&fence->queue->engine))
        return ZE_RESULT_SUCCESS;
    engines_poll();
    return ZE_RESULT_NOT_READY;
}

/* ---- lists ---- */

ze_result_t stub_CommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                                   const ze_command_list_desc_t *desc,
                                   ze_command_list_handle_t *out)
{
    ENTER(CommandListCreate, NEEDS_INIT);
    uint32_t kinds = 0;
    USE(context, context, KIND_CONTEXT);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC);
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    if (!device_use(device))
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    ze_result_t code = check_group(desc->commandQueueGroupOrdinal, 0, &kinds);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    ze_command_list_handle_t list = object_create(KIND_LIST, sizeof *list, context);
    list->device = device;
    list->group = desc->commandQueueGroupOrdinal;
    list->in_order = desc->flags & LIST_FLAG_IN_ORDER;
    list->kinds = kinds;
    *out = list;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                            const ze_command_queue_desc_t *desc,
                                            ze_command_list_handle_t *out)
{
    ENTER(CommandListCreateImmediate, NEEDS_INIT);
    uint32_t kinds = 0;
    USE(context, context, KIND_CONTEXT);
    ze_result_t code = check_queue(device, desc, &kinds);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    ze_command_list_handle_t list = object_create(KIND_LIST, sizeof *list, context);
    list->device = device;
    list->group = desc->ordinal;
    list->immediate = true;
    list->kinds = kinds;
    begin_engine(&list->engine, &list->base, device, desc);
    list->engine.synchronous |= script.immediate == IMMEDIATE_AT_ONCE;
    *out = list;
    return ZE_RESULT_SUCCESS;
}

static void forget(ze_command_list_handle_t list)
{
    engines_settle();
    if (list->in_flight)
        misuse("the list is being executed");
    free(list->commands);
    list->commands = NULL;
    list->count = list->room = 0;
}

ze_result_t stub_CommandListDestroy(ze_command_list_handle_t list)
{
    ENTER(CommandListDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(list, list, KIND_LIST);
    forget(list);
    if (list->immediate)
        engine_end(&list->engine);
    object_destroy(list);
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandListClose(ze_command_list_handle_t list)
{
    ENTER(CommandListClose, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    REQUIRE(!list->immediate, ZE_RESULT_ERROR_INVALID_ARGUMENT, "an immediate list is closed");
    REQUIRE(!list->closed, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is closed");
    list->closed = true;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandListReset(ze_command_list_handle_t list)
{
    ENTER(CommandListReset, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    REQUIRE(!list->immediate, ZE_RESULT_ERROR_INVALID_ARGUMENT, "an immediate list is reset");
    forget(list);
    list->closed = false;
    return ZE_RESULT_SUCCESS;
}

/* ---- of later APIs ---- */

ze_result_t stub_CommandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout_ns)
{
    ENTER(CommandListHostSynchronize, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    REQUIRE(list->immediate, ZE_RESULT_ERROR_INVALID_ARGUMENT, "a regular list");
    return synchronize(&list->engine, timeout_ns);
}

ze_result_t stub_CommandListIsImmediate(ze_command_list_handle_t list, ze_bool_t *out)
{
    ENTER(CommandListIsImmediate, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    *out = list->immediate;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandListGetContextHandle(ze_command_list_handle_t list,
                                             ze_context_handle_t *out)
{
    ENTER(CommandListGetContextHandle, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    *out = list->base.context;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandListGetDeviceHandle(ze_command_list_handle_t list, ze_device_handle_t *out)
{
    ENTER(CommandListGetDeviceHandle, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    *out = list->device;
    return ZE_RESULT_SUCCESS;
}
