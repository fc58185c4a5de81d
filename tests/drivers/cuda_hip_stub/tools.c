/* SPDX-License-Identifier: MIT */
/* Tools that look on: they are loaded as the drivers load them, and told what runs. */
#include "stub.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static stub_observer *observer;
static stub_watcher *watcher;

void ktStubObserve(stub_observer *who)
{
    observer = who;
}

void ktStubWatchContexts(stub_watcher *who)
{
    watcher = who;
}

void tools_tell_context(int is_made)
{
    if (watcher)
        watcher(is_made);
}

static bool is_of_device(const void *address)
{
    const struct block *block = memory_find(address);
    return block && block->kind != MEMORY_PINNED;
}

void observe(cuda_stream stream, const struct command *command, int64_t begin_ns, int64_t end_ns)
{
    static const enum stub_work_kind kinds[] = {[OP_LAUNCH] = STUB_KERNEL,
                                                [OP_BLOCKING] = STUB_KERNEL,
                                                [OP_COPY] = STUB_COPY,
                                                [OP_SET] = STUB_FILL};
    if (!observer || command->op >= OP_FENCE)
        return;
    const struct cuda_context_opaque *context = stream->base.context;
    stub_work work = {.kind = kinds[command->op],
                      .name = command->name,
                      .device = context->device,
                      .context = (uint32_t)context->id,
                      .stream = stream->number,
                      .bytes = command->bytes,
                      .begin_ns = begin_ns,
                      .end_ns = end_ns};
    memcpy(work.groups, command->groups, sizeof work.groups);
    memcpy(work.group_size, command->group_size, sizeof work.group_size);
    if (command->op == OP_COPY) {
        work.from_device = is_of_device(command->src);
        work.to_device = is_of_device(command->dst);
    }
    observer(&work);
}

#if STUB_HIP
/* As rocprofiler-register does: it loads rocprofiler-sdk, which loads the tools. */
static void load(void)
{
    if (!getenv("ROCP_TOOL_LIBRARIES"))
        return;
    void *library = dlopen("librocprofiler-sdk.so.1", RTLD_LAZY | RTLD_GLOBAL);
    void *address = library ? dlsym(library, "ktStubRocprofiler") : NULL;
    void (*begin)(void (*observe)(stub_observer *));
    memcpy(&begin, &address, sizeof begin);
    if (address)
        begin(ktStubObserve);
}
#else
/* A library that cannot be loaded is ignored. */
static void load(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    void *address = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*begin)(void);
    memcpy(&begin, &address, sizeof begin);
    if (address)
        (void)begin();
}
#endif

void tools_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}
