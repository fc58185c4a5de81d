/* SPDX-License-Identifier: MIT */
/*
 * program.c - a program that uses Level Zero as its arguments say, and knows nothing of tracers. It
 * opens the loader itself, or is linked to it where LINKED is 1.
 *
 *     level_zero_program immediate kernel 4 up 2 finish
 *
 *   immediate, immediate-sync   a new immediate list; commands go there from now on
 *   list, list-sync             a new list and a new queue
 *   named NAME                  the kernels from now on
 *   kernel N, cooperative N, up N, down N, across N, fill N   N commands of 4 KiB
 *   event, event-timestamps, event-ipc   the next commands signal an event of the program
 *   no-event                    the next commands have none
 *   destroy-event               the event of the last commands
 *   wait, reset, ask            of that event: waits; resets; prints whether it has timestamps
 *   reset-in-list               the list resets the event
 *   barrier                     orders commands of the list
 *   close, execute, finish      of the list; the queue executes it; the host waits for all
 *   fence                       like execute and finish, by a fence
 *   reset-list                  it is empty and open again
 *   fork, kill, leave           a child ends at once; the program ends by SIGKILL, by _exit()
 *   threads N                   each of N threads: 500 kernels in a list of its own
 *   drop                        lists, queues, events and the context are destroyed
 *   close-loader                (not linked)
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/drivers/level_zero_stub/fill_spirv.h"

#include <level_zero/ze_api.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 4096, OBJECTS_MAX = 64 };

#if LINKED
#define ZE(name) name
static void close_loader(void) {}
#else
static void *library;

static void *find(const char *name)
{
    if (!library)
        library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
    void *address = library ? dlsym(library, name) : NULL;
    if (!address) {
        fprintf(stderr, "%s is missing\n", name);
        exit(1);
    }
    return address;
}

#define ZE(name) ((__typeof__(&name))(uintptr_t)find(#name))

static void close_loader(void)
{
    dlclose(library);
}
#endif

#define GOOD(name, ...)                                                 \
    do {                                                                \
        ze_result_t code_ = ZE(name)(__VA_ARGS__);                      \
        if (code_ != ZE_RESULT_SUCCESS) {                               \
            fprintf(stderr, #name " answered 0x%x\n", (unsigned)code_); \
            exit(1);                                                    \
        }                                                               \
    } while (0)

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;
static ze_module_handle_t module;
static ze_kernel_handle_t kernel;
static ze_command_list_handle_t lists[OBJECTS_MAX], list;
static ze_command_queue_handle_t queues[OBJECTS_MAX], queue;
static ze_event_pool_handle_t pools[OBJECTS_MAX];
static ze_event_handle_t events[OBJECTS_MAX], event, done;
static unsigned list_count, queue_count, pool_count;
static bool is_immediate;
static void *on_host, *on_device, *on_device_too;

static ze_event_handle_t make_event(ze_event_pool_flags_t flags)
{
    const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                       .flags = flags | ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                       .count = 1};
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                  .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    GOOD(zeEventPoolCreate, context, &pool, 1, &device, &pools[pool_count]);
    GOOD(zeEventCreate, pools[pool_count], &desc, &events[pool_count]);
    return events[pool_count++];
}

/* fill_spirv with another name, which begins at its word 13 and has 2 words. */
static void make_kernel(const char *name)
{
    enum { NAME = 13, REST = 15, WORDS_MAX = 512 };
    const uint32_t bytes = sizeof fill_spirv - REST * 4, words = BYTES / 4;
    const uint32_t length = (uint32_t)strlen(name) / 4 + 1;
    uint32_t spirv[WORDS_MAX] = {0};
    if (NAME + length + bytes / 4 > WORDS_MAX)
        exit(1);
    memcpy(spirv, fill_spirv, NAME * 4);
    spirv[NAME - 3] = (3 + length) << 16 | 0xf; /* OpEntryPoint */
    memcpy(spirv + NAME, name, strlen(name));
    memcpy(spirv + NAME + length, fill_spirv + REST, bytes);
    const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                          .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                          .inputSize = (NAME + length) * 4 + bytes,
                                          .pInputModule = (const uint8_t *)spirv};
    const ze_kernel_desc_t kernel_desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                          .pKernelName = name};
    GOOD(zeModuleCreate, context, device, &module_desc, &module, NULL);
    GOOD(zeKernelCreate, module, &kernel_desc, &kernel);
    GOOD(zeKernelSetGroupSize, kernel, 32, 1, 1);
    GOOD(zeKernelSetArgumentValue, kernel, 0, sizeof(void *), &on_device);
    GOOD(zeKernelSetArgumentValue, kernel, 1, sizeof words, &words);
}

static void begin(void)
{
    uint32_t one = 1, zero = 0;
    const ze_context_desc_t context_desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_device_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    GOOD(zeInit, 0);
    GOOD(zeDriverGet, &zero, NULL);
    GOOD(zeDriverGet, &one, &driver);
    GOOD(zeDeviceGet, driver, &one, &device);
    GOOD(zeContextCreate, driver, &context_desc, &context);
    GOOD(zeMemAllocDevice, context, &memory, BYTES, 64, device, &on_device);
    GOOD(zeMemAllocDevice, context, &memory, BYTES, 64, device, &on_device_too);
    GOOD(zeMemAllocHost, context, &host, BYTES, 64, &on_host);
    make_kernel("fill");
    done = make_event(0);
}

static void make_immediate(ze_command_queue_mode_t mode)
{
    const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .mode = mode};
    GOOD(zeCommandListCreateImmediate, context, device, &desc, &list);
    lists[list_count++] = list;
    is_immediate = true;
}

static void make_list(ze_command_queue_mode_t mode)
{
    const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .mode = mode};
    const ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    GOOD(zeCommandQueueCreate, context, device, &desc, &queue);
    GOOD(zeCommandListCreate, context, device, &list_desc, &list);
    lists[list_count++] = list;
    queues[queue_count++] = queue;
    is_immediate = false;
}

static void append(const char *what)
{
    const ze_group_count_t groups = {BYTES / 4 / 32, 1, 1};
    const uint32_t pattern = 7;
    if (strcmp(what, "kernel") == 0)
        GOOD(zeCommandListAppendLaunchKernel, list, kernel, &groups, event, 0, NULL);
    else if (strcmp(what, "cooperative") == 0)
        GOOD(zeCommandListAppendLaunchCooperativeKernel, list, kernel, &groups, event, 0, NULL);
    else if (strcmp(what, "up") == 0)
        GOOD(zeCommandListAppendMemoryCopy, list, on_device, on_host, BYTES, event, 0, NULL);
    else if (strcmp(what, "down") == 0)
        GOOD(zeCommandListAppendMemoryCopy, list, on_host, on_device, BYTES, event, 0, NULL);
    else if (strcmp(what, "across") == 0)
        GOOD(zeCommandListAppendMemoryCopy, list, on_device_too, on_device, BYTES, event, 0, NULL);
    else
        GOOD(zeCommandListAppendMemoryFill, list, on_device, &pattern, sizeof pattern, BYTES, event,
             0, NULL);
    GOOD(zeCommandListAppendBarrier, list, NULL, 0, NULL);
}

static void finish(void)
{
    if (!is_immediate) {
        GOOD(zeCommandQueueSynchronize, queue, UINT64_MAX);
        return;
    }
    GOOD(zeCommandListAppendBarrier, list, done, 0, NULL);
    GOOD(zeEventHostSynchronize, done, UINT64_MAX);
    GOOD(zeEventHostReset, done);
}

static void execute_with_fence(void)
{
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fence = NULL;
    GOOD(zeFenceCreate, queue, &desc, &fence);
    GOOD(zeCommandQueueExecuteCommandLists, queue, 1, &list, fence);
    GOOD(zeFenceHostSynchronize, fence, UINT64_MAX);
    GOOD(zeFenceDestroy, fence);
}

static void destroy_event(void)
{
    GOOD(zeEventDestroy, events[--pool_count]);
    GOOD(zeEventPoolDestroy, pools[pool_count]);
    event = NULL;
}

static void drop(void)
{
    while (list_count)
        GOOD(zeCommandListDestroy, lists[--list_count]);
    while (queue_count)
        GOOD(zeCommandQueueDestroy, queues[--queue_count]);
    while (pool_count)
        destroy_event();
    GOOD(zeMemFree, context, on_device);
    GOOD(zeMemFree, context, on_device_too);
    GOOD(zeMemFree, context, on_host);
    GOOD(zeKernelDestroy, kernel);
    GOOD(zeModuleDestroy, module);
    GOOD(zeContextDestroy, context);
}

/* True: the word has no number behind it. */
static bool do_alone(const char *word)
{
    ze_kernel_timestamp_result_t result = {0};
    if (strcmp(word, "immediate") == 0)
        make_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    else if (strcmp(word, "immediate-sync") == 0)
        make_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    else if (strcmp(word, "list") == 0)
        make_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    else if (strcmp(word, "list-sync") == 0)
        make_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    else if (strcmp(word, "event") == 0)
        event = make_event(0);
    else if (strcmp(word, "event-timestamps") == 0)
        event = make_event(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    else if (strcmp(word, "event-ipc") == 0)
        event = make_event(ZE_EVENT_POOL_FLAG_IPC);
    else if (strcmp(word, "no-event") == 0)
        event = NULL;
    else if (strcmp(word, "destroy-event") == 0)
        destroy_event();
    else if (strcmp(word, "wait") == 0)
        GOOD(zeEventHostSynchronize, event, UINT64_MAX);
    else if (strcmp(word, "reset") == 0)
        GOOD(zeEventHostReset, event);
    else if (strcmp(word, "ask") == 0)
        printf("0x%x\n", (unsigned)ZE(zeEventQueryKernelTimestamp)(event, &result));
    else if (strcmp(word, "reset-in-list") == 0)
        GOOD(zeCommandListAppendEventReset, list, event);
    else if (strcmp(word, "barrier") == 0)
        GOOD(zeCommandListAppendBarrier, list, NULL, 0, NULL);
    else if (strcmp(word, "close") == 0)
        GOOD(zeCommandListClose, list);
    else if (strcmp(word, "execute") == 0)
        GOOD(zeCommandQueueExecuteCommandLists, queue, 1, &list, NULL);
    else if (strcmp(word, "finish") == 0)
        finish();
    else if (strcmp(word, "fence") == 0)
        execute_with_fence();
    else if (strcmp(word, "reset-list") == 0)
        GOOD(zeCommandListReset, list);
    else if (strcmp(word, "drop") == 0)
        drop();
    else if (strcmp(word, "close-loader") == 0)
        close_loader();
    else if (strcmp(word, "kill") == 0)
        raise(SIGKILL);
    else if (strcmp(word, "leave") == 0)
        _exit(0);
    else
        return false;
    return true;
}

static void *work(void *unused)
{
    const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                            .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                            .count = 1};
    const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                        .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    const ze_group_count_t groups = {BYTES / 4 / 32, 1, 1};
    ze_command_list_handle_t own = NULL;
    ze_event_pool_handle_t pool = NULL;
    ze_event_handle_t end = NULL;
    (void)unused;
    GOOD(zeCommandListCreateImmediate, context, device, &desc, &own);
    GOOD(zeEventPoolCreate, context, &pool_desc, 1, &device, &pool);
    GOOD(zeEventCreate, pool, &event_desc, &end);
    for (int i = 0; i < 500; i++) {
        GOOD(zeCommandListAppendLaunchKernel, own, kernel, &groups, NULL, 0, NULL);
        GOOD(zeCommandListAppendBarrier, own, i % 50 == 49 ? end : NULL, 0, NULL);
        if (i % 50 == 49) {
            GOOD(zeEventHostSynchronize, end, UINT64_MAX);
            GOOD(zeEventHostReset, end);
        }
    }
    GOOD(zeEventDestroy, end);
    GOOD(zeEventPoolDestroy, pool);
    GOOD(zeCommandListDestroy, own);
    return NULL;
}

static void run_threads(long count)
{
    pthread_t threads[OBJECTS_MAX];
    for (long i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            exit(1);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* A child that does nothing more. */
static void fork_once(void)
{
    pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
}

int main(int count, char **words)
{
    begin();
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "fork") == 0) {
            fork_once();
        } else if (!do_alone(words[i])) {
            long number = i + 1 < count ? strtol(words[i + 1], NULL, 10) : 0;
            bool has_threads = strcmp(words[i], "threads") == 0;
            if (has_threads)
                run_threads(number);
            else if (strcmp(words[i], "named") == 0)
                make_kernel(words[i + 1]);
            for (long k = 0; k < number && !has_threads; k++)
                append(words[i]);
            i++;
        }
    }
    return 0;
}
