/* SPDX-License-Identifier: MIT */
/* selftest LIBRARY: a run that uses the stub rightly, and a case for each kind of misuse of Level
 * Zero. */
#include "entry_points.h"
#include "fill_spirv.h"
#include "tests/drivers/frame/cases.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The stub is opened at run time, as kerntime opens a loader. */
static struct api {
#define API_MEMBER(name)               ze_pfn##name##_t name;
#define LATER_MEMBER(name, parameters) ze_result_t(*name) parameters;
    ENTRIES(API_MEMBER)
    LATER_ENTRIES(LATER_MEMBER)
    void (*ktStubSetCounters)(uint64_t global_ticks, uint64_t kernel_ticks);
} ze;

enum { BYTES = 4096, WORDS = BYTES / 4, FOREVER_NS = 1000000000, FILLED = 0x12345678 };

#define GOOD(call)    CHECK((call) == ZE_RESULT_SUCCESS)
#define REFUSED(call) CHECK((call) != ZE_RESULT_SUCCESS)

static struct {
    ze_driver_handle_t driver;
    ze_device_handle_t devices[2];
    ze_context_handle_t context;
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list, immediate;
    ze_event_pool_handle_t pool;
    ze_event_handle_t events[2];
    ze_module_handle_t module;
    ze_kernel_handle_t fill;
    uint32_t *a, *b; /* of the device and of the host */
    uint64_t *timestamps;
} w;

/* ---- the world ---- */

static ze_context_handle_t make_context(void)
{
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context = NULL;
    GOOD(ze.ContextCreate(w.driver, &desc, &context));
    return context;
}

static ze_command_list_handle_t make_list(ze_context_handle_t context, uint32_t ordinal)
{
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .commandQueueGroupOrdinal = ordinal};
    ze_command_list_handle_t list = NULL;
    GOOD(ze.CommandListCreate(context, w.devices[0], &desc, &list));
    return list;
}

static ze_event_pool_handle_t make_pool(ze_device_handle_t device, ze_event_pool_flags_t flags)
{
    const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                       .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | flags,
                                       .count = 2};
    ze_event_pool_handle_t pool = NULL;
    GOOD(ze.EventPoolCreate(w.context, &desc, 1, &device, &pool));
    return pool;
}

static ze_event_handle_t make_event(ze_event_pool_handle_t pool, uint32_t index,
                                    ze_event_scope_flags_t signal)
{
    const ze_event_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = index, .signal = signal};
    ze_event_handle_t event = NULL;
    GOOD(ze.EventCreate(pool, &desc, &event));
    return event;
}

static void make_kernel(void)
{
    const uint32_t n = WORDS;
    const ze_module_desc_t module = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                     .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                     .inputSize = sizeof fill_spirv,
                                     .pInputModule = (const uint8_t *)fill_spirv};
    const ze_kernel_desc_t kernel = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "fill"};
    GOOD(ze.ModuleCreate(w.context, w.devices[0], &module, &w.module, NULL));
    GOOD(ze.KernelCreate(w.module, &kernel, &w.fill));
    GOOD(ze.KernelSetGroupSize(w.fill, 256, 1, 1));
    GOOD(ze.KernelSetArgumentValue(w.fill, 0, sizeof(void *), &w.a));
    GOOD(ze.KernelSetArgumentValue(w.fill, 1, sizeof n, &n));
}

static void world_open(void)
{
    uint32_t one = 1, two = 2;
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    GOOD(ze.Init(0));
    GOOD(ze.DriverGet(&one, &w.driver));
    GOOD(ze.DeviceGet(w.driver, &two, w.devices));
    w.context = make_context();
    GOOD(ze.CommandQueueCreate(w.context, w.devices[0], &queue, &w.queue));
    w.list = make_list(w.context, 0);
    GOOD(ze.CommandListCreateImmediate(w.context, w.devices[0], &queue, &w.immediate));
    GOOD(ze.MemAllocDevice(w.context, &device, BYTES, 64, w.devices[0], (void **)&w.a));
    GOOD(ze.MemAllocHost(w.context, &host, BYTES, 0, (void **)&w.b));
    GOOD(ze.MemAllocHost(w.context, &host, 128, 64, (void **)&w.timestamps));
    w.pool = make_pool(w.devices[0], ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    for (uint32_t i = 0; i < 2; i++)
        w.events[i] = make_event(w.pool, i, ZE_EVENT_SCOPE_FLAG_HOST);
    make_kernel();
}

static void world_close(void)
{
    GOOD(ze.CommandListDestroy(w.list));
    GOOD(ze.CommandListDestroy(w.immediate));
    GOOD(ze.CommandQueueDestroy(w.queue));
    GOOD(ze.KernelDestroy(w.fill));
    GOOD(ze.ModuleDestroy(w.module));
    for (int i = 0; i < 2; i++)
        GOOD(ze.EventDestroy(w.events[i]));
    GOOD(ze.EventPoolDestroy(w.pool));
    GOOD(ze.MemFree(w.context, w.a));
    GOOD(ze.MemFree(w.context, w.b));
    GOOD(ze.MemFree(w.context, w.timestamps));
    GOOD(ze.ContextDestroy(w.context));
}

static ze_result_t launch(ze_command_list_handle_t list, ze_event_handle_t event)
{
    const ze_group_count_t groups = {WORDS / 256, 1, 1};
    return ze.CommandListAppendLaunchKernel(list, w.fill, &groups, event, 0, NULL);
}

static ze_result_t copy(ze_command_list_handle_t list, ze_event_handle_t event)
{
    return ze.CommandListAppendMemoryCopy(list, w.b, w.a, BYTES, event, 0, NULL);
}

static void barrier(void)
{
    GOOD(ze.CommandListAppendBarrier(w.list, NULL, 0, NULL));
}

static void timestamp(uint64_t *to, ze_event_handle_t behind)
{
    GOOD(ze.CommandListAppendWriteGlobalTimestamp(w.list, to, NULL, behind != NULL,
                                                  behind ? &behind : NULL));
}

static ze_result_t query(ze_command_list_handle_t list, void *to)
{
    return ze.CommandListAppendQueryKernelTimestamps(list, 1, w.events, to, NULL, NULL, 1,
                                                     w.events);
}

static ze_result_t submit(void)
{
    return ze.CommandQueueExecuteCommandLists(w.queue, 1, &w.list, NULL);
}

static void execute(void)
{
    GOOD(ze.CommandListClose(w.list));
    GOOD(submit());
    GOOD(ze.CommandQueueSynchronize(w.queue, FOREVER_NS));
}

/* ---- what is right ---- */

static uint64_t length_of(ze_kernel_timestamp_data_t span)
{
    return (span.kernelEnd - span.kernelStart) & UINT32_MAX;
}

/* A kernel of 10 ms and a copy of 5 ms at 12 MHz, of which half is the context's, across the ends
 * of both counters. */
static void list_in_order(void)
{
    ze_kernel_timestamp_result_t *in_list = (void *)&w.timestamps[4], kernel, copied;
    ze.ktStubSetCounters((UINT64_C(1) << 36) - 1000, UINT32_MAX - 1000);
    timestamp(&w.timestamps[0], NULL);
    barrier();
    GOOD(launch(w.list, w.events[0]));
    GOOD(query(w.list, in_list));
    barrier();
    GOOD(copy(w.list, w.events[1]));
    timestamp(&w.timestamps[1], w.events[1]);
    execute();
    CHECK(w.b[0] == FILLED && w.b[WORDS - 1] == FILLED);
    GOOD(ze.EventQueryKernelTimestamp(w.events[0], &kernel));
    GOOD(ze.EventQueryKernelTimestamp(w.events[1], &copied));
    CHECK(length_of(kernel.global) == 120000 && length_of(kernel.context) == 60000);
    CHECK(length_of(copied.global) == 60000 && length_of(copied.context) == 30000);
    CHECK(memcmp(in_list, &kernel, sizeof kernel) == 0);
    CHECK(kernel.global.kernelEnd < kernel.global.kernelStart &&
          copied.global.kernelStart >= kernel.global.kernelEnd);
    uint64_t span = (w.timestamps[1] - w.timestamps[0]) & ((UINT64_C(1) << 36) - 1);
    CHECK(w.timestamps[1] < w.timestamps[0] && span >= 180000 && span < 180000 + 20);
}

/* Nothing is there before somebody has waited. */
static void works_late(void)
{
    GOOD(ze.EventHostReset(w.events[0]));
    GOOD(ze.CommandListReset(w.list));
    GOOD(launch(w.list, w.events[0]));
    GOOD(ze.CommandListClose(w.list));
    w.a[0] = 0;
    GOOD(submit());
    CHECK(ze.EventQueryStatus(w.events[0]) == ZE_RESULT_NOT_READY && w.a[0] == 0);
    GOOD(ze.EventQueryStatus(w.events[0]));
    CHECK(w.a[0] == FILLED);
}

static void used_rightly(void)
{
    static const uint16_t pattern = 0x0102;
    list_in_order();
    works_late();
    GOOD(ze.CommandListAppendMemoryFill(w.immediate, w.b, &pattern, 2, 8, NULL, 0, NULL));
    GOOD(ze.CommandListHostSynchronize(w.immediate, FOREVER_NS));
    CHECK(w.b[1] == 0x01020102 && w.b[2] == FILLED);
    world_close();
}

/* ---- keys that other tests would not miss ---- */

static void told_late(void)
{
    uint64_t host = 0, ticks = 0;
    GOOD(ze.DeviceGetGlobalTimestamps(w.devices[0], &host, &ticks));
    CHECK(ticks >> 36 != 0);
    GOOD(launch(w.list, w.events[0]));
    GOOD(ze.CommandListClose(w.list));
    GOOD(submit());
    for (int i = 0; i < 2; i++)
        CHECK(ze.EventQueryStatus(w.events[0]) == ZE_RESULT_NOT_READY);
    GOOD(ze.EventQueryStatus(w.events[0]));
    GOOD(ze.CommandListReset(w.list));
    GOOD(ze.CommandListAppendEventReset(w.list, w.events[0]));
    execute();
    GOOD(ze.EventQueryStatus(w.events[0]));
    GOOD(ze.EventHostReset(w.events[0]));
    CHECK(ze.EventQueryStatus(w.events[0]) == ZE_RESULT_NOT_READY);
    world_close();
}

/* ---- misuse ---- */

static void before_init(void)
{
    CHECK(ze.DriverGet(&(uint32_t){0}, NULL) == ZE_RESULT_ERROR_UNINITIALIZED);
}

static void states_of_lists(void)
{
    GOOD(launch(w.list, w.events[0]));
    REFUSED(submit());
    GOOD(ze.CommandListClose(w.list));
    REFUSED(launch(w.list, NULL));
    GOOD(submit());
    ze.CommandListReset(w.list);
    ze.EventDestroy(w.events[0]);
    ze.MemFree(w.context, w.a);
    GOOD(ze.CommandListAppendMemoryFill(w.list, w.b, "", 1, BYTES, NULL, 0, NULL));
    GOOD(ze.CommandListClose(w.list));
    GOOD(ze.MemFree(w.context, w.b));
    REFUSED(submit());
}

static void without_order(void)
{
    GOOD(launch(w.list, NULL));
    timestamp(&w.timestamps[0], NULL);
    barrier();
    timestamp(&w.timestamps[1], NULL);
    GOOD(launch(w.list, w.events[1]));
    barrier();
    GOOD(launch(w.list, w.events[1]));
    GOOD(launch(w.list, NULL));
    barrier();
    GOOD(ze.CommandListAppendEventReset(w.list, w.events[0]));
    GOOD(launch(w.list, w.events[0]));
    execute();
}

static void events(void)
{
    ze_kernel_timestamp_result_t out;
    const ze_event_desc_t no_type = {.index = 0};
    ze_event_handle_t event = NULL, plain, unseen, elsewhere;
    ze_event_pool_handle_t pool = make_pool(w.devices[0], 0);
    plain = make_event(pool, 0, ZE_EVENT_SCOPE_FLAG_HOST);
    unseen = make_event(pool, 1, ZE_EVENT_SCOPE_FLAG_DEVICE);
    elsewhere = make_event(make_pool(w.devices[1], 0), 0, ZE_EVENT_SCOPE_FLAG_HOST);
    REFUSED(ze.EventCreate(w.pool, &no_type, &event));
    REFUSED(ze.EventQueryKernelTimestamp(plain, &out));
    REFUSED(ze.EventQueryStatus(unseen));
    REFUSED(ze.EventHostSignal(plain));
    REFUSED(ze.CommandListAppendBarrier(w.list, elsewhere, 0, NULL));
    REFUSED(ze.CommandListAppendBarrier(make_list(make_context(), 0), plain, 0, NULL));
    REFUSED(query(w.list, &w.timestamps[1]));
}

/* The first group computes alone, the second one copies. */
static void kinds_of_engines(void)
{
    ze_command_list_handle_t copies = make_list(w.context, 1);
    REFUSED(copy(w.list, NULL));
    REFUSED(launch(copies, NULL));
    REFUSED(query(copies, w.timestamps));
}

static void never_ends(void)
{
    GOOD(launch(w.list, NULL));
    GOOD(ze.CommandListClose(w.list));
    GOOD(submit());
    CHECK(ze.CommandQueueSynchronize(w.queue, FOREVER_NS) == ZE_RESULT_NOT_READY);
    REFUSED(ze.CommandQueueSynchronize(w.queue, UINT64_MAX));
}

static void parents_first(void)
{
    GOOD(ze.ModuleDestroy(w.module));
    GOOD(ze.EventPoolDestroy(w.pool));
    GOOD(ze.ContextDestroy(w.context));
}

/* ---- the runner ---- */

struct test_case {
    const char *script;
    void (*run)(void);
    const char *report; /* lines that follow each other in it; NULL: neither leak nor misuse */
};

#define EXACT            "hz=12000000,kernel_ns=10000000,copy_ns=5000000,context_percent=50"
#define MISUSE(sentence) "misuse 1 " sentence

static const struct test_case cases[] = {
    {EXACT, used_rightly, NULL},
    {EXACT, used_rightly, "kernel fill 2"},
    {EXACT, used_rightly, "zeCommandListAppendMemoryCopy 1"},
    {"garbage=1,late=1,signalled=cached", told_late, NULL},
    {"", before_init, MISUSE("zeDriverGet: before zeInit")},
    {"", states_of_lists,
     MISUSE("zeCommandQueueExecuteCommandLists: the list is not closed\n")
         MISUSE("zeCommandListAppendLaunchKernel: the list is closed\n")
             MISUSE("zeCommandListReset: the list is being executed\n") MISUSE(
                 "zeEventDestroy: the event is in use\n") MISUSE("zeMemFree: memory is in use\n")
                 MISUSE("zeCommandQueueExecuteCommandLists: memory was freed")},
    {"", without_order,
     MISUSE("zeCommandQueueExecuteCommandLists: a global timestamp is not ordered behind the work "
            "before it\n")
         MISUSE(
             "zeCommandQueueExecuteCommandLists: work is not ordered behind the global timestamp "
             "before it\n")
             MISUSE("zeCommandQueueExecuteCommandLists: commands that are not ordered use the same "
                    "memory\n") MISUSE("zeCommandQueueExecuteCommandLists: commands that are not "
                                       "ordered change the same "
                                       "event\n")
                 MISUSE("zeCommandQueueSynchronize: an event was signalled again without a reset")},
    {"devices=2", events,
     MISUSE("zeEventCreate: stype is not ZE_STRUCTURE_TYPE_EVENT_DESC\n")
         MISUSE("zeEventQueryKernelTimestamp: the pool is without timestamps\n") MISUSE(
             "zeEventQueryStatus: the host asks an event whose signal is not for it\n")
             MISUSE("zeEventHostSignal: the host signals an event for which nobody waits for it\n")
                 MISUSE("zeCommandListAppendBarrier: an event that is not for the list's device\n")
                     MISUSE("zeCommandListAppendBarrier: an event of another context\n")
                         MISUSE("zeCommandListAppendQueryKernelTimestamps: the timestamps' place "
                                "is not aligned")},
    {"groups=apart", kinds_of_engines,
     MISUSE("zeCommandListAppendMemoryCopy: a copy or filling on an engine that does not copy\n")
         MISUSE("zeCommandListAppendLaunchKernel: a kernel on an engine that only copies\n")
             MISUSE("zeCommandListAppendQueryKernelTimestamps: timestamps are asked on an engine "
                    "that only "
                    "copies")},
    {"hang=1", never_ends, MISUSE("zeCommandQueueSynchronize: waits for ever for what never ends")},
    {"", parents_first,
     MISUSE("zeModuleDestroy: a kernel of the module is there\n")
         MISUSE("zeEventPoolDestroy: an event of the pool is there\n")
             MISUSE("zeContextDestroy: queue of the context is there")},
};

static void load_api(void *library)
{
    static const struct {
        const char *symbol;
        size_t offset;
    } rows[] = {
#define ROW(name)                  {"ze" #name, offsetof(struct api, name)},
#define LATER_ROW(name, arguments) ROW(name)
        ENTRIES(ROW)
            LATER_ENTRIES(LATER_ROW){"ktStubSetCounters", offsetof(struct api, ktStubSetCounters)}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *symbol = dlsym(library, rows[i].symbol);
        CHECK(symbol != NULL);
        memcpy((char *)&ze + rows[i].offset, &symbol, sizeof symbol);
    }
}

static void run_test(const struct test_case *test, void *library)
{
    load_api(library);
    if (test->run != before_init)
        world_open();
    test->run();
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_LEVEL_ZERO", "KT_STUB_LEVEL_ZERO_COUNTS", run_test};
    bool good = true;
    if (argc != 2) {
        fprintf(stderr, "usage: selftest LIBRARY\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        good &= stub_case_run(&stub, argv[1], cases[i].script, cases[i].report, &cases[i]);
    return good ? 0 : 1;
}
