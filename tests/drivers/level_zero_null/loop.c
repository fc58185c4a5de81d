/* SPDX-License-Identifier: MIT */
/* level_zero_loop DISPATCHES: prints what a dispatch of an empty kernel takes, in ns of the
 * thread's CPU time. It opens the loader itself. */
#include <level_zero/ze_api.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCH = 10000, WARM = 50000 };

/* clang-format off */ /* it moves the list at each run */
#define FUNCTIONS(X)                   \
    X(zeInit)                          \
    X(zeDriverGet)                     \
    X(zeDeviceGet)                     \
    X(zeContextCreate)                 \
    X(zeModuleCreate)                  \
    X(zeKernelCreate)                  \
    X(zeCommandListCreateImmediate)    \
    X(zeCommandListAppendLaunchKernel) \
    X(zeCommandListAppendBarrier)      \
    X(zeEventPoolCreate)               \
    X(zeEventCreate)                   \
    X(zeEventHostSynchronize)          \
    X(zeEventHostReset)
/* clang-format on */

static struct {
#define MEMBER(name) __typeof__(&(name)) name;
    FUNCTIONS(MEMBER)
} ze;

static ze_command_list_handle_t list;
static ze_kernel_handle_t kernel;
static ze_event_handle_t event;

static void open_loader(void)
{
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW);
    if (!loader) {
        fprintf(stderr, "%s\n", dlerror());
        exit(77);
    }
#define LOAD(name) *(void **)&ze.name = dlsym(loader, #name);
    FUNCTIONS(LOAD)
}

static void finish(void)
{
    ze.zeCommandListAppendBarrier(list, event, 0, NULL);
    ze.zeEventHostSynchronize(event, UINT64_MAX);
    ze.zeEventHostReset(event);
}

static double run(long dispatches)
{
    const ze_group_count_t groups = {1, 1, 1};
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (long i = 1; i <= dispatches; i++) {
        ze.zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
        if (i % BATCH == 0)
            finish();
    }
    finish();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
           (double)dispatches;
}

int main(int argc, char **argv)
{
    long dispatches = argc > 1 ? strtol(argv[1], NULL, 10) : 200000;
    ze_driver_handle_t driver = NULL;
    ze_device_handle_t device = NULL;
    ze_context_handle_t context = NULL;
    ze_module_handle_t module = NULL;
    ze_event_pool_handle_t pool = NULL;
    const ze_context_desc_t context_desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC};
    const ze_kernel_desc_t kernel_desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                          .pKernelName = "nothing"};
    const ze_command_queue_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                               .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                            .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                            .count = 1};
    const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                        .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    uint32_t one = 1;
    open_loader();
    if (ze.zeInit(0) || ze.zeDriverGet(&one, &driver) || ze.zeDeviceGet(driver, &one, &device) ||
        ze.zeContextCreate(driver, &context_desc, &context) ||
        ze.zeModuleCreate(context, device, &module_desc, &module, NULL) ||
        ze.zeKernelCreate(module, &kernel_desc, &kernel) ||
        ze.zeCommandListCreateImmediate(context, device, &list_desc, &list) ||
        ze.zeEventPoolCreate(context, &pool_desc, 1, &device, &pool) ||
        ze.zeEventCreate(pool, &event_desc, &event))
        return 77;
    run(WARM);
    printf("%.3f\n", run(dispatches));
    return 0;
}
