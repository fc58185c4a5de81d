/* SPDX-License-Identifier: MIT */
/* What is appended to lists. */
#include "stub.h"

#include <stdlib.h>
#include <string.h>

/* ---- checks ---- */

static ze_result_t check_event(ze_command_list_handle_t list, ze_event_handle_t event)
{
    USE(event, event, KIND_EVENT);
    REQUIRE(event->base.context == list->base.context, ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "an event of another context");
    REQUIRE(event_is_for(event, list->device), ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "an event that is not for the list's device");
    return ZE_RESULT_SUCCESS;
}

static ze_result_t take_events(ze_command_list_handle_t list, struct command *command,
                               uint32_t wait_count, ze_event_handle_t *waits)
{
    REQUIRE(!wait_count == !waits, ZE_RESULT_ERROR_INVALID_SIZE, "a number without events");
    REQUIRE(wait_count <= EVENTS_MAX, ZE_RESULT_ERROR_INVALID_SIZE, "too many events");
    ze_result_t code = ZE_RESULT_SUCCESS;
    if (command->signal)
        code = check_event(list, command->signal);
    for (uint32_t i = 0; i < command->event_count && code == ZE_RESULT_SUCCESS; i++)
        code = check_event(list, command->events[i]);
    for (uint32_t i = 0; i < wait_count && code == ZE_RESULT_SUCCESS; i++) {
        code = check_event(list, waits[i]);
        command->waits[command->wait_count++] = waits[i];
    }
    return code;
}

/* Memory that is not the stub's is the process's. */
static ze_result_t take_range(ze_command_list_handle_t list, struct command *command,
                              const void *address, size_t bytes, bool written)
{
    struct block *block = memory_find(address);
    REQUIRE(address, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    if (block) {
        REQUIRE(memory_behind(address) >= bytes, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                "beyond the end of the memory");
        REQUIRE(block->context == list->base.context, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                "memory of another context");
        command->blocks[command->block_count++] = block;
    }
    command->ranges[command->range_count++] = (struct range){
        .begin = address, .end = (const unsigned char *)address + bytes, .written = written};
    return ZE_RESULT_SUCCESS;
}

static void push(ze_command_list_handle_t list, const struct command *command)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->commands = realloc(list->commands, list->room * sizeof *list->commands);
        if (!list->commands)
            abort();
    }
    list->commands[list->count++] = *command;
    if (!list->in_order)
        return;
    static const struct command barrier = {.op = OP_BARRIER};
    list->in_order = false;
    push(list, &barrier);
    list->in_order = true;
}

/* With what the command needs already in it. */
static ze_result_t append(ze_command_list_handle_t list, struct command *command,
                          uint32_t wait_count, ze_event_handle_t *waits)
{
    REQUIRE(!list->closed, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is closed");
    ze_result_t code = take_events(list, command, wait_count, waits);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    if (command->signal)
        command->signal->cached = false;
    if (!list->immediate) {
        push(list, command);
        return ZE_RESULT_SUCCESS;
    }
    engines_settle();
    return engine_submitted(&list->engine, engine_add(&list->engine, command, counter_now()));
}

/* ---- commands ---- */

ze_result_t stub_CommandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t event,
                                          uint32_t wait_count, ze_event_handle_t *waits)
{
    ENTER(CommandListAppendBarrier, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    return append(list, &(struct command){.op = OP_BARRIER, .signal = event}, wait_count, waits);
}

static ze_result_t check_launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                const ze_group_count_t *groups)
{
    REQUIRE(list->kinds & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE,
            ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, "a kernel on an engine that only copies");
    REQUIRE(kernel->base.context == list->base.context, ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "a kernel of another context");
    REQUIRE(groups && groups->groupCountX && groups->groupCountY && groups->groupCountZ,
            ZE_RESULT_ERROR_INVALID_ARGUMENT, "no groups");
    REQUIRE(kernel->group_size[0], ZE_RESULT_ERROR_INVALID_ARGUMENT, "no size of a group");
    for (unsigned i = 0; i < kernel->entry->count; i++)
        REQUIRE(kernel->set[i], ZE_RESULT_ERROR_INVALID_ARGUMENT, "an argument was not set");
    return ZE_RESULT_SUCCESS;
}

static ze_result_t launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                          const ze_group_count_t *groups, ze_event_handle_t event,
                          uint32_t wait_count, ze_event_handle_t *waits)
{
    USE(list, list, KIND_LIST);
    USE(kernel, kernel, KIND_KERNEL);
    ze_result_t code = check_launch(list, kernel, groups);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    struct command command = {
        .op = OP_LAUNCH,
        .signal = event,
        .kernel = kernel,
        .groups = {groups->groupCountX, groups->groupCountY, groups->groupCountZ}};
    memcpy(command.group_size, kernel->group_size, sizeof command.group_size);
    report_kernel(kernel->entry->name, kernel->known);
    REQUIRE(kernel_take(kernel, &command), ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "%s: a memory is too small, or none", kernel->entry->name);
    for (uint32_t i = 0; i < command.block_count; i++)
        REQUIRE(command.blocks[i]->context == list->base.context, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                "memory of another context");
    return append(list, &command, wait_count, waits);
}

ze_result_t stub_CommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                               ze_kernel_handle_t kernel,
                                               const ze_group_count_t *groups,
                                               ze_event_handle_t event, uint32_t wait_count,
                                               ze_event_handle_t *waits)
{
    ENTER(CommandListAppendLaunchKernel, NEEDS_INIT);
    return launch(list, kernel, groups, event, wait_count, waits);
}

ze_result_t stub_CommandListAppendLaunchCooperativeKernel(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t *groups,
    ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    ENTER(CommandListAppendLaunchCooperativeKernel, NEEDS_INIT);
    return launch(list, kernel, groups, event, wait_count, waits);
}

static ze_result_t check_copies(const struct _ze_command_list_handle_t *list)
{
    REQUIRE(list->kinds & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY,
            ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            "a copy or filling on an engine that does not copy");
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_CommandListAppendMemoryCopy(ze_command_list_handle_t list, void *dst,
                                             const void *src, size_t bytes, ze_event_handle_t event,
                                             uint32_t wait_count, ze_event_handle_t *waits)
{
    ENTER(CommandListAppendMemoryCopy, NEEDS_INIT);
    struct command command = {
        .op = OP_COPY, .signal = event, .dst = dst, .src = src, .bytes = bytes};
    USE(list, list, KIND_LIST);
    REQUIRE(bytes, ZE_RESULT_ERROR_INVALID_SIZE, "no bytes");
    ze_result_t code = check_copies(list);
    if (code == ZE_RESULT_SUCCESS)
        code = take_range(list, &command, dst, bytes, true);
    if (code == ZE_RESULT_SUCCESS)
        code = take_range(list, &command, src, bytes, false);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    REQUIRE(command.dst + bytes <= command.src || command.src + bytes <= command.dst,
            ZE_RESULT_ERROR_OVERLAPPING_REGIONS, "the regions overlap");
    return append(list, &command, wait_count, waits);
}

ze_result_t stub_CommandListAppendMemoryFill(ze_command_list_handle_t list, void *dst,
                                             const void *pattern, size_t pattern_bytes,
                                             size_t bytes, ze_event_handle_t event,
                                             uint32_t wait_count, ze_event_handle_t *waits)
{
    ENTER(CommandListAppendMemoryFill, NEEDS_INIT);
    struct command command = {
        .op = OP_FILL, .signal = event, .dst = dst, .bytes = bytes, .pattern_bytes = pattern_bytes};
    USE(list, list, KIND_LIST);
    REQUIRE(pattern, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    REQUIRE(pattern_bytes && (pattern_bytes & (pattern_bytes - 1)) == 0 &&
                pattern_bytes <= PATTERN_MAX && bytes && bytes % pattern_bytes == 0,
            ZE_RESULT_ERROR_INVALID_SIZE, "a pattern of %zu bytes", pattern_bytes);
    ze_result_t code = check_copies(list);
    if (code == ZE_RESULT_SUCCESS)
        code = take_range(list, &command, dst, bytes, true);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    memcpy(command.pattern, pattern, pattern_bytes);
    return append(list, &command, wait_count, waits);
}

ze_result_t stub_CommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list, uint64_t *dst,
                                                       ze_event_handle_t event, uint32_t wait_count,
                                                       ze_event_handle_t *waits)
{
    ENTER(CommandListAppendWriteGlobalTimestamp, NEEDS_INIT);
    struct command command = {.op = OP_TIMESTAMP, .signal = event, .dst = (unsigned char *)dst};
    USE(list, list, KIND_LIST);
    REQUIRE((uintptr_t)dst % sizeof *dst == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
            "the timestamp's place is not aligned");
    REQUIRE(memory_find(dst), ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "the timestamp's place is no memory");
    ze_result_t code = take_range(list, &command, dst, sizeof *dst, true);
    return code == ZE_RESULT_SUCCESS ? append(list, &command, wait_count, waits) : code;
}

/* Lists hold commands by value, and events may be many: what a command names stays. */
static const ze_event_handle_t *keep_events(uint32_t count, const ze_event_handle_t *events)
{
    static struct kept {
        struct kept *older;
        ze_event_handle_t events[];
    } * newest;
    struct kept *kept = malloc(sizeof *kept + count * sizeof *events);
    if (!kept)
        abort();
    kept->older = newest;
    newest = kept;
    memcpy(kept->events, events, count * sizeof *events);
    return kept->events;
}

/* Intel's driver appends a kernel for it, and aborts where the list is for a group that only copies
 * (22.43). */
ze_result_t stub_CommandListAppendQueryKernelTimestamps(
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events, void *dst,
    const size_t *offsets, ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    ENTER(CommandListAppendQueryKernelTimestamps, NEEDS_INIT);
    struct command command = {.op = OP_QUERY, .signal = event, .dst = dst};
    USE(list, list, KIND_LIST);
    REQUIRE(list->kinds & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE,
            ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            "timestamps are asked on an engine that only copies");
    REQUIRE(count && events, ZE_RESULT_ERROR_INVALID_SIZE, "no events");
    REQUIRE(!offsets, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "offsets");
    REQUIRE((uintptr_t)dst % sizeof(ze_kernel_timestamp_result_t) == 0,
            ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "the timestamps' place is not aligned");
    REQUIRE(memory_find(dst), ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "the timestamps' place is no memory");
    for (uint32_t i = 0; i < count; i++) {
        if (!object_use(events[i], KIND_EVENT))
            return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
        REQUIRE(events[i]->pool->flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pool is without timestamps");
    }
    command.events = keep_events(count, events);
    command.event_count = count;
    ze_result_t code =
        take_range(list, &command, dst, count * sizeof(ze_kernel_timestamp_result_t), true);
    return code == ZE_RESULT_SUCCESS ? append(list, &command, wait_count, waits) : code;
}

ze_result_t stub_CommandListAppendEventReset(ze_command_list_handle_t list, ze_event_handle_t event)
{
    ENTER(CommandListAppendEventReset, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    struct command command = {.op = OP_RESET, .events = keep_events(1, &event), .event_count = 1};
    return append(list, &command, 0, NULL);
}

ze_result_t stub_CommandListAppendSignalEvent(ze_command_list_handle_t list,
                                              ze_event_handle_t event)
{
    ENTER(CommandListAppendSignalEvent, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    USE(event, event, KIND_EVENT);
    return append(list, &(struct command){.op = OP_SIGNAL, .signal = event}, 0, NULL);
}

ze_result_t stub_CommandListAppendWaitOnEvents(ze_command_list_handle_t list, uint32_t count,
                                               ze_event_handle_t *events)
{
    ENTER(CommandListAppendWaitOnEvents, NEEDS_INIT);
    USE(list, list, KIND_LIST);
    REQUIRE(count && events, ZE_RESULT_ERROR_INVALID_SIZE, "no events");
    return append(list, &(struct command){.op = OP_BARRIER}, count, events);
}
