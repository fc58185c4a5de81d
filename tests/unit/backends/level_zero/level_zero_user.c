/* SPDX-License-Identifier: MIT */
#include "tests/unit/backends/level_zero/level_zero_user.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { BYTES = 4096 };

#define EXPECT_CALL(call) assert_int_equal((call), ZE_RESULT_SUCCESS)

/* ---- the device ---- */

static void load(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(pointer, &symbol, sizeof symbol);
}

static void *open_loader(void)
{
    const char *path = getenv("KERNTIME_LIB_LEVEL_ZERO");
    return dlopen(path && *path ? path : "libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
}

bool user_has_loader(void)
{
    return open_loader() != NULL;
}

bool user_has_driver(void)
{
    ze_pfnInit_t init = NULL;
    void *loader = open_loader();
    if (!loader)
        return false;
    load(loader, "zeInit", &init);
    return init(0) == ZE_RESULT_SUCCESS;
}

static void load_all(user_api *api)
{
    const char *driver = getenv("KT_TEST_STUB");
    void *loader = open_loader();
    assert_non_null(loader);
#define USER_LOAD(name) load(loader, "ze" #name, &api->name);
    USER_FUNCTIONS(USER_LOAD)
#undef USER_LOAD
    if (!driver)
        return;
    void *stub = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(stub);
    load(stub, "ktStubAdvance", &api->advance);
    load(stub, "ktStubTake", &api->take);
    load(stub, "ktStubSetCounters", &api->set_counters);
    load(stub, "ktStubObserve", &api->observe);
}

void user_open(user *u)
{
    const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    const ze_host_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    ze_driver_handle_t driver;
    uint32_t count = 1;
    *u = (user){0};
    load_all(&u->ze);
    EXPECT_CALL(u->ze.Init(0));
    EXPECT_CALL(u->ze.DriverGet(&count, &driver));
    count = 1;
    EXPECT_CALL(u->ze.DeviceGet(driver, &count, &u->device));
    EXPECT_CALL(u->ze.ContextCreate(driver, &context, &u->context));
    EXPECT_CALL(u->ze.CommandQueueCreate(u->context, u->device, &queue, &u->queue));
    EXPECT_CALL(u->ze.MemAllocHost(u->context, &memory, BYTES, 64, &u->bytes));
}

void user_close(user *u)
{
    EXPECT_CALL(u->ze.MemFree(u->context, u->bytes));
    EXPECT_CALL(u->ze.CommandQueueDestroy(u->queue));
    EXPECT_CALL(u->ze.ContextDestroy(u->context));
    *u = (user){0};
}

kt_level_zero_import user_describe(const user *u)
{
    return (kt_level_zero_import){
        .size = sizeof(kt_level_zero_import), .context = u->context, .device = u->device};
}

/* ---- work ---- */

void work_open(const user *u, work *w)
{
    work_open_in(u, w, 0);
}

void work_open_in(const user *u, work *w, uint32_t group)
{
    const ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .commandQueueGroupOrdinal = group};
    *w = (work){0};
    EXPECT_CALL(u->ze.CommandListCreate(u->context, u->device, &list, &w->list));
}

void work_open_immediate(const user *u, work *w, ze_command_queue_mode_t mode)
{
    work_open_immediate_in(u, w, mode, 0);
}

void work_open_immediate_in(const user *u, work *w, ze_command_queue_mode_t mode, uint32_t group)
{
    const ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode, .ordinal = group};
    ze_device_handle_t device = u->device;
    const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                       .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                       .count = 1};
    const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                   .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                   .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    *w = (work){.immediate = true};
    EXPECT_CALL(u->ze.CommandListCreateImmediate(u->context, u->device, &queue, &w->list));
    EXPECT_CALL(u->ze.EventPoolCreate(u->context, &pool, 1, &device, &w->pool));
    EXPECT_CALL(u->ze.EventCreate(w->pool, &event, &w->done));
}

void work_close(const user *u, work *w)
{
    EXPECT_CALL(u->ze.CommandListDestroy(w->list));
    if (w->immediate) {
        EXPECT_CALL(u->ze.EventDestroy(w->done));
        EXPECT_CALL(u->ze.EventPoolDestroy(w->pool));
    }
    *w = (work){0};
}

void work_fill(const user *u, const work *w, ze_event_handle_t signal)
{
    const unsigned char pattern = 7;
    EXPECT_CALL(u->ze.CommandListAppendMemoryFill(w->list, u->bytes, &pattern, sizeof pattern,
                                                  BYTES, signal, 0, NULL));
    EXPECT_CALL(u->ze.CommandListAppendBarrier(w->list, NULL, 0, NULL));
}

void work_fill_part(const user *u, const work *w, unsigned part)
{
    const unsigned char pattern = 9;
    unsigned char *bytes = u->bytes;
    EXPECT_CALL(u->ze.CommandListAppendMemoryFill(w->list, bytes + part * (BYTES / WORK_PARTS),
                                                  &pattern, sizeof pattern, BYTES / WORK_PARTS,
                                                  NULL, 0, NULL));
}

void work_begin(const user *u, const work *w)
{
    EXPECT_CALL(u->ze.CommandListReset(w->list));
}

void work_end(const user *u, const work *w)
{
    EXPECT_CALL(u->ze.CommandListClose(w->list));
}

void work_submit(const user *u, const work *w)
{
    ze_command_list_handle_t list = w->list;
    EXPECT_CALL(u->ze.CommandQueueExecuteCommandLists(u->queue, 1, &list, NULL));
}

void work_wait(const user *u, const work *w)
{
    if (!w->immediate) {
        EXPECT_CALL(u->ze.CommandQueueSynchronize(u->queue, UINT64_MAX));
        return;
    }
    EXPECT_CALL(u->ze.CommandListAppendBarrier(w->list, w->done, 0, NULL));
    EXPECT_CALL(u->ze.EventHostSynchronize(w->done, UINT64_MAX));
    EXPECT_CALL(u->ze.EventHostReset(w->done));
}
