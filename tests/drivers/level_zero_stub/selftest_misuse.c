/* What fails, and that misuse is seen, and what is near it is none. */
#include "selftest.h"

/* ---- what fails ---- */

static void third_event_fails(struct world *w)
{
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 0};
    GOOD(ze.EventDestroy(w->events[0]));
    CHECK(ze.EventCreate(w->pool, &desc, &w->events[0]) == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    GOOD(ze.EventCreate(w->pool, &desc, &w->events[0]));
}

static void no_module(struct world *w)
{
    const uint32_t words[] = {1, 2, 3, 4, 5, 6};
    GOOD(ze.KernelDestroy(w->fill));
    GOOD(ze.ModuleDestroy(w->module));
    CHECK(load(w, words, sizeof words) == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    w->module = NULL;
}

static void module_without_kernels(struct world *w)
{
    uint32_t one = 1;
    const uint32_t words[] = {1, 2, 3, 4, 5, 6};
    const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "fill"};
    GOOD(ze.Init(0));
    GOOD(ze.DriverGet(&one, &w->driver));
    GOOD(ze.DeviceGet(w->driver, &one, &w->device));
    GOOD(ze.ContextCreate(w->driver, &context, &w->context));
    GOOD(load(w, words, sizeof words));
    CHECK(ze.KernelCreate(w->module, &desc, &w->fill) == ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    GOOD(ze.ModuleDestroy(w->module));
    GOOD(ze.ContextDestroy(w->context));
}

static void memory_is_full(struct world *w)
{
    void *more = NULL;
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    CHECK(ze.MemAllocDevice(w->context, &desc, 10000 - BYTES + 1, 0, w->device, &more) ==
          ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK(ze.MemAllocDevice(w->context, &desc, 10001, 0, w->device, &more) ==
          ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

/* ---- misuse ---- */

static void before_init(struct world *w)
{
    uint32_t count = 0;
    (void)w;
    CHECK(ze.DriverGet(&count, NULL) == ZE_RESULT_ERROR_UNINITIALIZED);
}

static void leaked_event(struct world *w)
{
    (void)w;
}

static void wrong_type(struct world *w)
{
    const ze_event_desc_t desc = {.index = 0};
    ze_event_handle_t event = NULL;
    CHECK(ze.EventCreate(w->pool, &desc, &event) != ZE_RESULT_SUCCESS);
}

static void destroyed_twice(struct world *w)
{
    GOOD(ze.EventDestroy(w->events[0]));
    CHECK(ze.EventDestroy(w->events[0]) != ZE_RESULT_SUCCESS);
}

static void used_late(struct world *w)
{
    GOOD(ze.EventDestroy(w->events[0]));
    CHECK(ze.CommandListAppendBarrier(w->list, w->events[0], 0, NULL) != ZE_RESULT_SUCCESS);
}

static void open_list(struct world *w)
{
    append_fill(w, NULL);
    CHECK(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL) != ZE_RESULT_SUCCESS);
}

static void closed_list(struct world *w)
{
    GOOD(ze.CommandListClose(w->list));
    CHECK(ze.CommandListAppendBarrier(w->list, NULL, 0, NULL) != ZE_RESULT_SUCCESS);
}

static void list_in_flight(struct world *w)
{
    append_fill(w, NULL);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    ze.CommandListReset(w->list);
}

static void event_in_flight(struct world *w)
{
    append_fill(w, w->events[0]);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    ze.EventDestroy(w->events[0]);
}

static void memory_in_flight(struct world *w)
{
    append_fill(w, NULL);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    ze.MemFree(w->context, w->a);
}

static void memory_freed_before(struct world *w)
{
    append_fill(w, NULL);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.MemFree(w->context, w->a));
    CHECK(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL) != ZE_RESULT_SUCCESS);
}

static void written_beyond(struct world *w)
{
    w->b[WORDS] = 1;
    GOOD(ze.MemFree(w->context, w->b));
}

static void signalled_twice(struct world *w)
{
    append_fill(w, w->events[0]);
    GOOD(ze.CommandListClose(w->list));
    for (int i = 0; i < 2; i++) {
        GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
        GOOD(ze.CommandQueueSynchronize(w->queue, FOREVER_NS));
    }
}

static void reset_between(struct world *w)
{
    append_fill(w, w->events[0]);
    GOOD(ze.CommandListClose(w->list));
    for (int i = 0; i < 2; i++) {
        GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
        GOOD(ze.CommandQueueSynchronize(w->queue, FOREVER_NS));
        GOOD(ze.EventHostReset(w->events[0]));
    }
}

static void timestamp_without_barrier(struct world *w)
{
    append_fill(w, NULL);
    GOOD(ze.CommandListAppendWriteGlobalTimestamp(w->list, &w->timestamps[0], NULL, 0, NULL));
    execute(w);
}

static void work_without_barrier(struct world *w)
{
    GOOD(ze.CommandListAppendWriteGlobalTimestamp(w->list, &w->timestamps[0], NULL, 0, NULL));
    append_fill(w, NULL);
    execute(w);
}

static void timestamp_behind_event(struct world *w)
{
    append_fill(w, w->events[0]);
    GOOD(ze.CommandListAppendWriteGlobalTimestamp(w->list, &w->timestamps[0], NULL, 1,
                                                  &w->events[0]));
    execute(w);
}

static void kernels_without_barrier(struct world *w)
{
    append_fill(w, NULL);
    append_fill(w, NULL);
    execute(w);
}

static void lists_without_barrier(struct world *w)
{
    append_fill(w, NULL);
    GOOD(ze.CommandListClose(w->list));
    for (int i = 0; i < 2; i++)
        GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    GOOD(ze.CommandQueueSynchronize(w->queue, FOREVER_NS));
}

static void reset_without_barrier(struct world *w)
{
    GOOD(ze.CommandListAppendEventReset(w->list, w->events[0]));
    append_fill(w, w->events[0]);
    execute(w);
}

static void no_timestamps(struct world *w)
{
    const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                       .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                       .count = 1};
    const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                        .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_pool_handle_t pool = NULL;
    ze_event_handle_t event = NULL;
    ze_kernel_timestamp_result_t timestamps;
    GOOD(ze.EventPoolCreate(w->context, &desc, 0, NULL, &pool));
    GOOD(ze.EventCreate(pool, &event_desc, &event));
    append_fill(w, event);
    execute(w);
    CHECK(ze.EventQueryKernelTimestamp(event, &timestamps) != ZE_RESULT_SUCCESS);
}

static void other_context(struct world *w)
{
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_context_handle_t context = NULL;
    ze_command_list_handle_t list = NULL;
    GOOD(ze.ContextCreate(w->driver, &desc, &context));
    GOOD(ze.CommandListCreate(context, w->device, &list_desc, &list));
    CHECK(ze.CommandListAppendBarrier(list, w->events[0], 0, NULL) != ZE_RESULT_SUCCESS);
}

static void kernel_on_copy_engine(struct world *w)
{
    const ze_group_count_t groups = {1, 1, 1};
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .commandQueueGroupOrdinal = 1};
    ze_command_list_handle_t list = NULL;
    GOOD(ze.CommandListCreate(w->context, w->device, &desc, &list));
    CHECK(ze.CommandListAppendLaunchKernel(list, w->fill, &groups, NULL, 0, NULL) ==
          ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
}

static void copy_where_none_is(struct world *w)
{
    CHECK(ze.CommandListAppendMemoryCopy(w->list, w->b, w->a, BYTES, NULL, 0, NULL) ==
          ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
}

static void query_on_copy_engine(struct world *w)
{
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .commandQueueGroupOrdinal = 1};
    ze_command_list_handle_t list = NULL;
    GOOD(ze.CommandListCreate(w->context, w->device, &desc, &list));
    CHECK(ze.CommandListAppendQueryKernelTimestamps(list, 1, w->events, w->timestamps, NULL, NULL,
                                                    0, NULL) ==
          ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
}

static void query_not_aligned(struct world *w)
{
    CHECK(ze.CommandListAppendQueryKernelTimestamps(w->list, 1, w->events, &w->timestamps[2], NULL,
                                                    NULL, 0, NULL) != ZE_RESULT_SUCCESS);
}

/* An event of its own, made as said. */
static ze_event_handle_t make_event(struct world *w, ze_device_handle_t device,
                                    ze_event_scope_flags_t signal)
{
    const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                            .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                            .count = 1};
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = signal};
    ze_event_pool_handle_t pool = NULL;
    ze_event_handle_t event = NULL;
    GOOD(ze.EventPoolCreate(w->context, &pool_desc, 1, &device, &pool));
    GOOD(ze.EventCreate(pool, &desc, &event));
    return event;
}

static void event_of_another_device(struct world *w)
{
    uint32_t two = 2;
    ze_device_handle_t devices[2];
    GOOD(ze.DeviceGet(w->driver, &two, devices));
    ze_event_handle_t event = make_event(w, devices[1], ZE_EVENT_SCOPE_FLAG_HOST);
    CHECK(ze.CommandListAppendBarrier(w->list, event, 0, NULL) != ZE_RESULT_SUCCESS);
}

static void signal_not_for_the_host(struct world *w)
{
    ze_event_handle_t event = make_event(w, w->device, ZE_EVENT_SCOPE_FLAG_DEVICE);
    append_fill(w, event);
    execute(w);
    CHECK(ze.EventQueryStatus(event) != ZE_RESULT_SUCCESS);
}

static void host_signals_nobody(struct world *w)
{
    CHECK(ze.EventHostSignal(make_event(w, w->device, ZE_EVENT_SCOPE_FLAG_HOST)) !=
          ZE_RESULT_SUCCESS);
}

static void waits_for_ever(struct world *w)
{
    append_fill(w, NULL);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    ze.CommandQueueSynchronize(w->queue, UINT64_MAX);
}

static void context_too_early(struct world *w)
{
    GOOD(ze.ContextDestroy(w->context));
}

#define MISUSE(call, sentence) "misuse 1 " call ": " sentence

const struct test_case misuse_cases[] = {
    {"fail=zeEventCreate:4,error=host_memory", third_event_fails, NULL, false},
    {"", no_module, "leak queue 1", false},
    {"build=late", module_without_kernels, NULL, true},
    {"total_bytes=10000", memory_is_full, NULL, false},
    {"", reset_between, NULL, false},
    {"", timestamp_behind_event, NULL, false},
    {"", before_init, MISUSE("zeDriverGet", "before zeInit"), true},
    {"", leaked_event, "leak event 3", false},
    {"", leaked_event, "leak host memory 2", false},
    {"", wrong_type, MISUSE("zeEventCreate", "stype is not ZE_STRUCTURE_TYPE_EVENT_DESC"), false},
    {"", destroyed_twice, MISUSE("zeEventDestroy", "event was destroyed"), false},
    {"strict=1", destroyed_twice, "abort", false},
    {"", used_late, MISUSE("zeCommandListAppendBarrier", "event was destroyed"), false},
    {"", open_list, MISUSE("zeCommandQueueExecuteCommandLists", "the list is not closed"), false},
    {"", closed_list, MISUSE("zeCommandListAppendBarrier", "the list is closed"), false},
    {"", list_in_flight, MISUSE("zeCommandListReset", "the list is being executed"), false},
    {"", event_in_flight, MISUSE("zeEventDestroy", "the event is in use"), false},
    {"", memory_in_flight, MISUSE("zeMemFree", "memory is in use"), false},
    {"", memory_freed_before, MISUSE("zeCommandQueueExecuteCommandLists", "memory was freed"),
     false},
    {"", written_beyond, MISUSE("zeMemFree", "memory was written beyond its ends"), false},
    {"", signalled_twice,
     MISUSE("zeCommandQueueSynchronize", "an event was signalled again without a reset"), false},
    {"", timestamp_without_barrier,
     MISUSE("zeCommandQueueExecuteCommandLists",
            "a global timestamp is not ordered behind the work before it"),
     false},
    {"", work_without_barrier,
     MISUSE("zeCommandQueueExecuteCommandLists",
            "work is not ordered behind the global timestamp before it"),
     false},
    {"", kernels_without_barrier,
     MISUSE("zeCommandQueueExecuteCommandLists",
            "commands that are not ordered use the same memory"),
     false},
    {"", lists_without_barrier,
     MISUSE("zeCommandQueueExecuteCommandLists",
            "commands that are not ordered use the same memory"),
     false},
    {"", reset_without_barrier,
     MISUSE("zeCommandQueueExecuteCommandLists",
            "commands that are not ordered change the same event"),
     false},
    {"", no_timestamps, MISUSE("zeEventQueryKernelTimestamp", "the pool is without timestamps"),
     false},
    {"", other_context, MISUSE("zeCommandListAppendBarrier", "an event of another context"), false},
    {"groups=pvc", kernel_on_copy_engine,
     MISUSE("zeCommandListAppendLaunchKernel", "a kernel on an engine that only copies"), false},
    {"groups=apart", copy_where_none_is,
     MISUSE("zeCommandListAppendMemoryCopy", "a copy or filling on an engine that does not copy"),
     false},
    {"groups=pvc", query_on_copy_engine,
     MISUSE("zeCommandListAppendQueryKernelTimestamps",
            "timestamps are asked on an engine that only copies"),
     false},
    {"", query_not_aligned,
     MISUSE("zeCommandListAppendQueryKernelTimestamps", "the timestamps' place is not aligned"),
     false},
    {"devices=2", event_of_another_device,
     MISUSE("zeCommandListAppendBarrier", "an event that is not for the list's device"), false},
    {"", signal_not_for_the_host,
     MISUSE("zeEventQueryStatus", "the host asks an event whose signal is not for it"), false},
    {"", host_signals_nobody,
     MISUSE("zeEventHostSignal", "the host signals an event for which nobody waits for it"), false},
    {"hang=1", waits_for_ever,
     MISUSE("zeCommandQueueSynchronize", "waits for ever for what never ends"), false},
    {"", context_too_early, MISUSE("zeContextDestroy", "queue of the context is there"), false},
    {NULL, NULL, NULL, false},
};
