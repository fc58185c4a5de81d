/* SPDX-License-Identifier: MIT */
/*
 * A rocprofiler-sdk over the HIP stub: a record of each kernel and copy that runs while a context
 * wants them. README.md has the keys of KT_STUB_ROCPROFILER.
 */
#define _POSIX_C_SOURCE 200809L
#include "tracers/hip/rocprofiler.h"
#include "tools.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

enum { DONE = 0, FAILED = 1, INVALID = 18, FINALIZED = 20 };
enum { CONTEXTS = 4, RECORDS_MAX = 1024, KERNELS = 64, GPUS = 8, NAME_BYTES = 80 };
enum { CPU_AGENT = 100, FIRST_GPU_AGENT = 200 }; /* handles */

/* A record as it lies in a buffer. */
typedef union record {
    rocprofiler_dispatch dispatch;
    rocprofiler_copy copy;
} record;

/* A callback's record before 1.0, and since. */
typedef struct call_before_1 {
    uint64_t context, thread, internal, external;
    int32_t kind, operation, phase;
    void *payload;
} call_before_1;
typedef struct call_since_1 {
    uint64_t context, thread, internal, external, ancestor;
    int32_t kind, operation, phase;
    void *payload;
} call_since_1;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static bool active[CONTEXTS + 1];
static uint64_t contexts; /* made */
static uint64_t code_context, kernels_context, copies_context;
static void *on_code;
static rocprofiler_on_records *on_records;
static record records[RECORDS_MAX];
static size_t record_count;
static uint64_t dropped, seen;
static char names[KERNELS][NAME_BYTES]; /* of kernels, by their number */
static rocprofiler_tool *tool;
static int finalized; /* as rocprofiler-sdk has it: -1 while it happens */

/* The value of "key=value" in KT_STUB_ROCPROFILER. */
static long key(const char *name, long otherwise)
{
    const char *script = getenv("KT_STUB_ROCPROFILER");
    size_t bytes = strlen(name);
    for (const char *at = script; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, bytes) == 0 && at[bytes] == '=')
            return strtol(at + bytes + 1, NULL, 10);
    return otherwise;
}

EXPORT int rocprofiler_create_context(rocprofiler_id *context);
EXPORT int rocprofiler_start_context(rocprofiler_id context);
EXPORT int rocprofiler_stop_context(rocprofiler_id context);
EXPORT int rocprofiler_create_buffer(rocprofiler_id context, size_t bytes, size_t watermark,
                                     int policy, rocprofiler_on_records *function, void *user,
                                     rocprofiler_id *buffer);
EXPORT int rocprofiler_flush_buffer(rocprofiler_id buffer);
EXPORT int rocprofiler_configure_buffer_tracing_service(rocprofiler_id context, int kind,
                                                        const int32_t *operations, size_t count,
                                                        rocprofiler_id buffer);
EXPORT int rocprofiler_configure_callback_tracing_service(rocprofiler_id context, int kind,
                                                          const int32_t *operations, size_t count,
                                                          rocprofiler_on_call *function,
                                                          void *user);
EXPORT int rocprofiler_query_available_agents(int version, rocprofiler_on_agents *function,
                                              size_t bytes, void *user);
EXPORT int rocprofiler_get_timestamp(uint64_t *ns);
EXPORT const char *rocprofiler_get_status_string(int status);
EXPORT void ktStubRocprofiler(void (*observe)(stub_observer *));

/* Makes the file that the variable names, or removes it: for tests that wait for it. */
static void mark(const char *variable, bool is_there)
{
    const char *path = getenv(variable);
    if (!path)
        return;
    if (!is_there)
        remove(path);
    FILE *file = is_there ? fopen(path, "w") : NULL;
    if (file)
        fclose(file);
}

/* ---- what runs ---- */

static void tell_name(uint64_t kernel)
{
    char symbol[NAME_BYTES + 4];
    struct {
        rocprofiler_kernel_symbol known;
        uint64_t more[8];
    } data = {.known = {sizeof data, kernel, 7, symbol}};
    snprintf(symbol, sizeof symbol, "%s.kd", names[kernel]);
    if (key("version", 10100) < 10000) {
        const call_before_1 call = {
            code_context,     1,    2, 3, ROCPROFILER_CODE_OBJECT, ROCPROFILER_KERNEL_SYMBOL,
            ROCPROFILER_LOAD, &data};
        void (*function)(call_before_1, void *, void *);
        memcpy(&function, &on_code, sizeof function);
        function(call, NULL, NULL);
    } else {
        const call_since_1 call = {
            code_context,     1,    2, 3, 4, ROCPROFILER_CODE_OBJECT, ROCPROFILER_KERNEL_SYMBOL,
            ROCPROFILER_LOAD, &data};
        void (*function)(call_since_1, void *, void *);
        memcpy(&function, &on_code, sizeof function);
        function(call, NULL, NULL);
    }
}

/* The kernel's number, from 1; a new one is told as if its code had been loaded. */
static uint64_t number_of(const char *name)
{
    uint64_t i = 1;
    while (i < KERNELS - 1 && names[i][0] && strcmp(names[i], name) != 0)
        i++;
    if (!names[i][0]) {
        snprintf(names[i], sizeof names[i], "%s", name);
        if (on_code && active[code_context] && !key("nameless", 0))
            tell_name(i);
    }
    return i;
}

/* A full buffer is delivered before anything else. */
static void put(const record *new)
{
    pthread_mutex_lock(&mutex);
    bool is_full = record_count == RECORDS_MAX;
    pthread_mutex_unlock(&mutex);
    if (is_full)
        rocprofiler_flush_buffer((rocprofiler_id){1});
    pthread_mutex_lock(&mutex);
    bool is_lost = key("drop", 0) && ++seen % (uint64_t)key("drop", 0) == 0;
    if (is_lost)
        dropped++;
    else
        records[record_count++] = *new;
    pthread_mutex_unlock(&mutex);
}

static rocprofiler_id agent_of(int device)
{
    return (rocprofiler_id){(uint64_t)(FIRST_GPU_AGENT + device)};
}

static void add_kernel(const stub_work *work)
{
    record new = {.dispatch = {.size = sizeof new.dispatch,
                               .kind = ROCPROFILER_DISPATCH,
                               .start_ns = (uint64_t)work->begin_ns,
                               .end_ns = (uint64_t)work->end_ns,
                               .agent = agent_of(work->device),
                               .queue = {work->stream},
                               .kernel = number_of(work->name)}};
    for (int i = 0; i < 3; i++) {
        new.dispatch.group_size[i] = work->group_size[i];
        new.dispatch.items[i] = work->group_size[i] * work->groups[i];
    }
    put(&new);
}

static void add_copy(const stub_work *work)
{
    const rocprofiler_id host = {CPU_AGENT}, device = agent_of(work->device);
    record new = {.copy = {.size = sizeof new.copy,
                           .kind = ROCPROFILER_COPY,
                           .start_ns = (uint64_t)work->begin_ns,
                           .end_ns = (uint64_t)work->end_ns,
                           .from = work->from_device ? device : host,
                           .to = work->to_device ? device : host,
                           .bytes = work->bytes}};
    new.copy.direction = work->from_device ? work->to_device ? ROCPROFILER_DEVICE_TO_DEVICE
                                                             : ROCPROFILER_DEVICE_TO_HOST
                         : work->to_device ? ROCPROFILER_HOST_TO_DEVICE
                                           : ROCPROFILER_HOST_TO_HOST;
    put(&new);
}

/* HIP fills by kernels of its own. */
static void add(const stub_work *work)
{
    stub_work fill = *work;
    fill.name = "__amd_rocclr_fillBufferAligned";
    for (int i = 0; i < 3; i++)
        fill.groups[i] = fill.group_size[i] = 1;
    if (work->kind == STUB_COPY && copies_context && active[copies_context])
        add_copy(work);
    else if (work->kind != STUB_COPY && kernels_context && active[kernels_context])
        add_kernel(work->kind == STUB_FILL ? &fill : work);
}

/* ---- functions ---- */

int rocprofiler_create_context(rocprofiler_id *context)
{
    if (context->handle != 0 || contexts == CONTEXTS)
        return INVALID;
    context->handle = ++contexts;
    return DONE;
}

int rocprofiler_start_context(rocprofiler_id context)
{
    if (key("start", DONE) != DONE)
        return (int)key("start", DONE);
    if (context.handle == 0 || context.handle > contexts)
        return INVALID;
    active[context.handle] = true;
    if (context.handle == kernels_context)
        mark("KT_STUB_ENABLED", true);
    return DONE;
}

int rocprofiler_stop_context(rocprofiler_id context)
{
    if (context.handle == 0 || context.handle > contexts)
        return INVALID;
    active[context.handle] = false;
    if (context.handle == kernels_context)
        mark("KT_STUB_ENABLED", false);
    return DONE;
}

int rocprofiler_create_buffer(rocprofiler_id context, size_t bytes, size_t watermark, int policy,
                              rocprofiler_on_records *function, void *user, rocprofiler_id *buffer)
{
    if (context.handle == 0 || context.handle > contexts || watermark > bytes ||
        policy != ROCPROFILER_LOSSLESS)
        return INVALID;
    on_records = function;
    buffer->handle = 1;
    return DONE;
}

int rocprofiler_flush_buffer(rocprofiler_id buffer)
{
    record *copies;
    rocprofiler_header *headers, **list;
    if (buffer.handle != 1)
        return INVALID;
    if (finalized > 0)
        return FINALIZED;
    pthread_mutex_lock(&mutex);
    size_t count = record_count;
    uint64_t lost = dropped;
    copies = calloc(count + 1, sizeof *copies);
    headers = calloc(count + 1, sizeof *headers);
    list = calloc(count + 1, sizeof *list);
    if (!copies || !headers || !list)
        abort();
    memcpy(copies, records, count * sizeof *copies);
    record_count = 0;
    pthread_mutex_unlock(&mutex);
    for (size_t i = 0; i < count; i++) {
        list[i] = &headers[i];
        headers[i] = (rocprofiler_header){ROCPROFILER_TRACING, copies[i].dispatch.kind, &copies[i]};
    }
    if (count > 0)
        on_records((rocprofiler_id){2}, buffer, list, count, NULL, lost);
    if (count > 0)
        mark("KT_STUB_DELIVERED", true);
    free(list);
    free(headers);
    free(copies);
    return DONE;
}

int rocprofiler_configure_buffer_tracing_service(rocprofiler_id context, int kind,
                                                 const int32_t *operations, size_t count,
                                                 rocprofiler_id buffer)
{
    if (buffer.handle != 1 || (kind != ROCPROFILER_COPY && kind != ROCPROFILER_DISPATCH))
        return INVALID;
    if (kind == ROCPROFILER_COPY)
        copies_context = context.handle;
    else
        kernels_context = context.handle;
    return DONE;
}

int rocprofiler_configure_callback_tracing_service(rocprofiler_id context, int kind,
                                                   const int32_t *operations, size_t count,
                                                   rocprofiler_on_call *function, void *user)
{
    if (kind != ROCPROFILER_CODE_OBJECT)
        return INVALID;
    code_context = context.handle;
    memcpy(&on_code, &function, sizeof on_code);
    return DONE;
}

int rocprofiler_query_available_agents(int version, rocprofiler_on_agents *function, size_t bytes,
                                       void *user)
{
    static rocprofiler_agent agents[GPUS + 1];
    static char texts[GPUS][32];
    const void *list[GPUS + 1];
    if (version != ROCPROFILER_AGENTS_V0 || bytes > sizeof agents[0])
        return INVALID;
    for (int i = 0; i <= GPUS; i++) {
        bool is_gpu = i > 0;
        agents[i] =
            (rocprofiler_agent){.size = sizeof agents[i],
                                .id = is_gpu ? agent_of(i - 1) : (rocprofiler_id){CPU_AGENT},
                                .type = is_gpu ? ROCPROFILER_GPU : ROCPROFILER_GPU - 1,
                                .name = is_gpu ? "gfx90a" : "cpu",
                                .product_name = is_gpu ? texts[i - 1] : "CPU",
                                .node = (uint32_t)i,
                                .logical_node = i,
                                .logical_of_type = is_gpu ? i - 1 : 0};
        if (is_gpu)
            snprintf(texts[i - 1], sizeof texts[i - 1], "HIP stub %d", i - 1);
        list[i] = &agents[i];
    }
    return function(version, list, GPUS + 1, user);
}

int rocprofiler_get_timestamp(uint64_t *ns)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *ns = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    return DONE;
}

const char *rocprofiler_get_status_string(int status)
{
    return status == FAILED ? "Generalized error" : "An error of the stub";
}

/* ---- tools ---- */

static void finalize(void)
{
    finalized = -1;
    if (tool && tool->finalize)
        tool->finalize(tool->user);
    finalized = 1;
}

static void load_tool(const char *path)
{
    struct {
        uint64_t size;
        const char *name;
        uint32_t handle;
    } client = {sizeof client, NULL, 0};
    void *library = dlopen(path, RTLD_LOCAL | RTLD_LAZY);
    void *address = library ? dlsym(library, "rocprofiler_configure") : NULL;
    rocprofiler_tool *(*configure)(uint32_t, const char *, uint32_t, void *);
    if (!library) /* as rocprofiler-sdk does */
        abort();
    memcpy(&configure, &address, sizeof configure);
    rocprofiler_tool *made =
        address ? configure((uint32_t)key("version", 10100), "stub", 0, &client) : NULL;
    if (made)
        tool = made;
}

/* What is behind the last ':' is left out, if there is one, as in rocprofiler-sdk 0.4 to 1.1. */
void ktStubRocprofiler(void (*observe)(stub_observer *))
{
    const char *list = getenv("ROCP_TOOL_LIBRARIES");
    char *paths = strdup(list ? list : "");
    if (!paths)
        abort();
    char *at = paths, *colon = strchr(paths, ':');
    if (!colon && *at)
        load_tool(at);
    for (; colon; at = colon + 1, colon = strchr(at, ':')) {
        *colon = 0;
        if (*at)
            load_tool(at);
    }
    free(paths);
    if (!tool)
        return;
    observe(add);
    atexit(finalize);
    if (tool->initialize(NULL, tool->user) != 0)
        observe(NULL);
}
