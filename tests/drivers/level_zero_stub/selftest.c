/* selftest LIBRARY: each case of selftest_cases.c and selftest_misuse.c over the stub, and what its
 * report says. */
#include "selftest.h"

#include "fill_spirv.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct api ze;

/* ---- the world ---- */

ze_result_t load(struct world *w, const void *words, size_t bytes)
{
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                   .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                   .inputSize = bytes,
                                   .pInputModule = words};
    return ze.ModuleCreate(w->context, w->device, &desc, &w->module, NULL);
}

static void make_kernel(struct world *w)
{
    uint32_t n = WORDS;
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "fill"};
    GOOD(load(w, fill_spirv, sizeof fill_spirv));
    GOOD(ze.KernelCreate(w->module, &desc, &w->fill));
    GOOD(ze.KernelSetGroupSize(w->fill, 256, 1, 1));
    GOOD(ze.KernelSetArgumentValue(w->fill, 0, sizeof(void *), &w->a));
    GOOD(ze.KernelSetArgumentValue(w->fill, 1, sizeof n, &n));
}

static void make_memory(struct world *w)
{
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    GOOD(ze.MemAllocDevice(w->context, &device, BYTES, 64, w->device, (void **)&w->a));
    GOOD(ze.MemAllocHost(w->context, &host, BYTES, 0, (void **)&w->b));
    GOOD(ze.MemAllocHost(w->context, &host, 64, 64, (void **)&w->timestamps));
}

static void make_events(struct world *w)
{
    const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                       .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
                                                ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                       .count = 3};
    GOOD(ze.EventPoolCreate(w->context, &pool, 1, &w->device, &w->pool));
    for (uint32_t i = 0; i < 3; i++) {
        const ze_event_desc_t event = {
            .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
        GOOD(ze.EventCreate(w->pool, &event, &w->events[i]));
    }
}

void world_open(struct world *w)
{
    uint32_t one = 1;
    const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    const ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    GOOD(ze.Init(0));
    GOOD(ze.DriverGet(&one, &w->driver));
    GOOD(ze.DeviceGet(w->driver, &one, &w->device));
    GOOD(ze.ContextCreate(w->driver, &context, &w->context));
    GOOD(ze.CommandQueueCreate(w->context, w->device, &queue, &w->queue));
    GOOD(ze.CommandListCreate(w->context, w->device, &list, &w->list));
    GOOD(ze.CommandListCreateImmediate(w->context, w->device, &queue, &w->immediate));
    make_memory(w);
    make_events(w);
    make_kernel(w);
}

void world_close(struct world *w)
{
    GOOD(ze.CommandListDestroy(w->list));
    GOOD(ze.CommandListDestroy(w->immediate));
    GOOD(ze.CommandQueueDestroy(w->queue));
    GOOD(ze.KernelDestroy(w->fill));
    GOOD(ze.ModuleDestroy(w->module));
    for (int i = 0; i < 3; i++)
        GOOD(ze.EventDestroy(w->events[i]));
    GOOD(ze.EventPoolDestroy(w->pool));
    GOOD(ze.MemFree(w->context, w->a));
    GOOD(ze.MemFree(w->context, w->b));
    GOOD(ze.MemFree(w->context, w->timestamps));
    GOOD(ze.ContextDestroy(w->context));
}

/* ---- what the cases do ---- */

void append_fill(struct world *w, ze_event_handle_t event)
{
    const ze_group_count_t groups = {WORDS / 256, 1, 1};
    GOOD(ze.CommandListAppendLaunchKernel(w->list, w->fill, &groups, event, 0, NULL));
}

void barrier(struct world *w, ze_event_handle_t event)
{
    GOOD(ze.CommandListAppendBarrier(w->list, event, 0, NULL));
}

void execute(struct world *w)
{
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    GOOD(ze.CommandQueueSynchronize(w->queue, FOREVER_NS));
}

/* ---- the runner ---- */

static void load_api(void *library)
{
    static const struct {
        const char *symbol;
        size_t offset;
    } rows[] = {
#define ROW(name)                  {"ze" #name, offsetof(struct api, name)},
#define LATER_ROW(name, arguments) ROW(name)
        ENTRIES(ROW) LATER_ENTRIES(LATER_ROW){"ktStubNow", offsetof(struct api, ktStubNow)},
        {"ktStubAdvance", offsetof(struct api, ktStubAdvance)},
        {"ktStubTake", offsetof(struct api, ktStubTake)},
        {"ktStubSetCounters", offsetof(struct api, ktStubSetCounters)}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *symbol = dlsym(library, rows[i].symbol);
        CHECK(symbol != NULL);
        memcpy((char *)&ze + rows[i].offset, &symbol, sizeof symbol);
    }
}

static void run_test(const struct test_case *test, void *library)
{
    struct world world = {0};
    load_api(library);
    if (!test->bare)
        world_open(&world);
    test->run(&world);
    if (!test->report && !test->bare)
        world_close(&world);
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_LEVEL_ZERO", "KT_STUB_LEVEL_ZERO_COUNTS", run_test};
    bool good = true;
    if (argc != 2) {
        fprintf(stderr, "usage: selftest LIBRARY\n");
        return 2;
    }
    const struct test_case *const lists[] = {cases, misuse_cases};
    for (int i = 0; i < 2; i++)
        for (const struct test_case *test = lists[i]; test->run; test++)
            good &= stub_case_run(&stub, argv[1], test->script, test->report, test);
    return good ? 0 : 1;
}
