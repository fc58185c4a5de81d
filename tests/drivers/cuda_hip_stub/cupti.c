/* SPDX-License-Identifier: MIT */
/*
 * A CUPTI over the CUDA stub: a record of each kernel, copy and filling that runs while records of
 * its kind are wanted. README.md has the keys of KT_STUB_CUPTI.
 */
#define _POSIX_C_SOURCE 200809L
#include "tracers/cuda/cupti.h"
#include "entry_points.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* A kernel's record has its time a little later than the stub's events have it. */
enum { LATE_NS = 100, KINDS = 64 };
enum { DONE = 0, INVALID_PARAMETER = 1, MAX_LIMIT_REACHED = 12, UNKNOWN = 999 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static bool wanted[KINDS];
static cupti_request *request;
static cupti_complete *complete;
static cupti_callback *callback;
static bool has_subscriber, is_late; /* the clock came after the subscriber */
static uint8_t *buffer;
static size_t buffer_bytes, used;
static uint64_t seen, dropped;

EXPORT int cuptiGetVersion(uint32_t *version);
EXPORT int cuptiGetResultString(int result, const char **text);
EXPORT int cuptiSubscribe(void **subscriber, cupti_callback *function, void *user);
EXPORT int cuptiUnsubscribe(void *subscriber);
EXPORT int cuptiEnableCallback(uint32_t on, void *subscriber, int domain, uint32_t id);
EXPORT int cuptiActivityRegisterTimestampCallback(uint64_t (*function)(void));
EXPORT int cuptiActivityRegisterCallbacks(cupti_request *requested, cupti_complete *completed);
EXPORT int cuptiActivityEnable(int kind);
EXPORT int cuptiActivityDisable(int kind);
EXPORT int cuptiActivityFlushAll(uint32_t flag);
EXPORT int cuptiActivityGetNextRecord(uint8_t *from, size_t valid_bytes, cupti_activity **record);
EXPORT int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count);

/* The value of "key=value" in KT_STUB_CUPTI. */
static long key(const char *name, long otherwise)
{
    const char *script = getenv("KT_STUB_CUPTI");
    size_t bytes = strlen(name);
    for (const char *at = script; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, bytes) == 0 && at[bytes] == '=')
            return strtol(at + bytes + 1, NULL, 10);
    return otherwise;
}

/* Records as long as those of the version: of CUDA 11.0, 12.9 and 13. */
static size_t bytes_of(uint32_t kind)
{
    enum { OF_11, OF_12, OF_13, VERSIONS };
    static const size_t kernels[VERSIONS] = {160, 208, 216}, copies[VERSIONS] = {72, 88, 96},
                        peers[VERSIONS] = {72, 88, 96}, fills[VERSIONS] = {64, 80, 88};
    long version = key("version", 130001);
    int of = version < 19 ? OF_11 : version < 130000 ? OF_12 : OF_13;
    return kind == CUPTI_KERNEL      ? kernels[of]
           : kind == CUPTI_PEER_COPY ? peers[of]
           : kind == CUPTI_COPY      ? copies[of]
                                     : fills[of];
}

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

static void deliver(uint8_t *from, size_t bytes, size_t valid_bytes)
{
    if (!from)
        return;
    complete(NULL, 0, from, bytes, valid_bytes);
    mark("KT_STUB_DELIVERED", true);
}

/* What the clock of the records is ahead of the stub's. */
static uint64_t ahead_ns(void)
{
    struct timespec day;
    if (key("clock", 0) == 0 && !is_late)
        return 0;
    clock_gettime(CLOCK_REALTIME, &day);
    return (uint64_t)day.tv_sec * UINT64_C(1000000000);
}

static void put(const void *record, uint32_t kind, size_t known_bytes)
{
    uint8_t *full = NULL;
    size_t bytes = bytes_of(kind), full_bytes = 0, valid_bytes = 0, records_max = 0;
    pthread_mutex_lock(&mutex);
    if (buffer && used + bytes > buffer_bytes) {
        full = buffer;
        full_bytes = buffer_bytes;
        valid_bytes = used;
        buffer = NULL;
        used = 0;
    }
    bool is_dropped = key("drop", 0) && ++seen % (uint64_t)key("drop", 0) == 0;
    if (!buffer && !is_dropped)
        request(&buffer, &buffer_bytes, &records_max);
    if (is_dropped || !buffer || buffer_bytes < bytes) {
        dropped++;
    } else {
        memset(buffer + used, 0, bytes);
        memcpy(buffer + used, record, known_bytes);
        used += bytes;
    }
    pthread_mutex_unlock(&mutex);
    deliver(full, full_bytes, valid_bytes);
}

static void add_kernel(const stub_work *work, uint64_t ahead)
{
    static uint64_t kernels;
    cupti_kernel_activity kernel = {.kind = CUPTI_KERNEL,
                                    .start_ns = (uint64_t)work->begin_ns + ahead,
                                    .end_ns = (uint64_t)work->end_ns + LATE_NS + ahead,
                                    .device = (uint32_t)work->device,
                                    .context = work->context,
                                    .stream = work->stream,
                                    .name = work->name};
    memcpy(kernel.grid, work->groups, sizeof kernel.grid);
    memcpy(kernel.block, work->group_size, sizeof kernel.block);
    if (key("untimed", 0) && ++kernels % (uint64_t)key("untimed", 0) == 0)
        kernel.start_ns = kernel.end_ns = 0;
    put(&kernel, CUPTI_KERNEL, sizeof kernel);
}

static void add_copy(const stub_work *work, uint64_t ahead)
{
    enum { TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 8, ON_HOST = 9, TO_PEER = 10 };
    cupti_copy_activity copy = {.kind = CUPTI_COPY,
                                .bytes = work->bytes,
                                .start_ns = (uint64_t)work->begin_ns + ahead,
                                .end_ns = (uint64_t)work->end_ns + ahead,
                                .device = (uint32_t)work->device,
                                .context = work->context,
                                .stream = work->stream};
    copy.direction = (uint8_t)(work->from_device ? work->to_device ? ON_DEVICE : TO_HOST
                               : work->to_device ? TO_DEVICE
                                                 : ON_HOST);
    if (key("peers", 0) && copy.direction == ON_DEVICE) {
        copy.kind = CUPTI_PEER_COPY;
        copy.direction = TO_PEER;
    }
    copy.direction = (uint8_t)key("direction", copy.direction);
    if (wanted[copy.kind])
        put(&copy, copy.kind, sizeof copy);
}

static void add_fill(const stub_work *work, uint64_t ahead)
{
    put(&(cupti_fill_activity){.kind = CUPTI_FILL,
                               .bytes = work->bytes,
                               .start_ns = (uint64_t)work->begin_ns + ahead,
                               .end_ns = (uint64_t)work->end_ns + ahead,
                               .device = (uint32_t)work->device,
                               .context = work->context,
                               .stream = work->stream},
        CUPTI_FILL, sizeof(cupti_fill_activity));
}

static void add(const stub_work *work)
{
    uint64_t ahead = ahead_ns();
    if (work->kind == STUB_KERNEL && wanted[CUPTI_KERNEL])
        add_kernel(work, ahead);
    else if (work->kind == STUB_COPY)
        add_copy(work, ahead);
    else if (work->kind == STUB_FILL && wanted[CUPTI_FILL])
        add_fill(work, ahead);
}

static void *function_of_driver(const char *name)
{
    const char *path = getenv("KERNTIME_LIB_CUDA");
    void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

static int observe(stub_observer *who)
{
    void *address = function_of_driver("ktStubObserve");
    void (*set)(stub_observer *);
    memcpy(&set, &address, sizeof set);
    if (!address)
        return UNKNOWN;
    set(who);
    return DONE;
}

static void watch(int is_made)
{
    if (callback)
        callback(NULL, CUPTI_RESOURCES, is_made ? CUPTI_CONTEXT_CREATED : CUPTI_CONTEXT_ENDS, NULL);
}

int cuptiGetVersion(uint32_t *version)
{
    *version = (uint32_t)key("version", 130001);
    return DONE;
}

int cuptiGetResultString(int result, const char **text)
{
    *text = result == UNKNOWN ? "CUPTI_ERROR_UNKNOWN" : "CUPTI_ERROR_OF_THE_STUB";
    return DONE;
}

int cuptiSubscribe(void **subscriber, cupti_callback *function, void *user)
{
    static int it;
    int code = (int)key("subscribe", DONE);
    if (code != DONE)
        return code;
    if (has_subscriber)
        return CUPTI_OTHER_SUBSCRIBER;
    callback = function;
    has_subscriber = true;
    *subscriber = &it;
    return DONE;
}

int cuptiUnsubscribe(void *subscriber)
{
    has_subscriber = false;
    callback = NULL;
    return DONE;
}

int cuptiEnableCallback(uint32_t on, void *subscriber, int domain, uint32_t id)
{
    void *address = function_of_driver("ktStubWatchContexts");
    void (*set)(stub_watcher *);
    memcpy(&set, &address, sizeof set);
    if (!subscriber || !has_subscriber || domain != CUPTI_RESOURCES || !address)
        return INVALID_PARAMETER;
    set(watch);
    return DONE;
}

int cuptiActivityRegisterTimestampCallback(uint64_t (*function)(void))
{
    is_late = has_subscriber;
    return DONE;
}

int cuptiActivityRegisterCallbacks(cupti_request *requested, cupti_complete *completed)
{
    request = requested;
    complete = completed;
    return DONE;
}

int cuptiActivityEnable(int kind)
{
    int code = (int)key("enable", DONE);
    if (code != DONE)
        return code;
    if (kind < 0 || kind >= KINDS || !request)
        return INVALID_PARAMETER;
    wanted[kind] = true;
    if (kind == CUPTI_FILL) /* the last one of the tracer's */
        mark("KT_STUB_ENABLED", true);
    return observe(add);
}

int cuptiActivityDisable(int kind)
{
    if (kind < 0 || kind >= KINDS)
        return INVALID_PARAMETER;
    wanted[kind] = false;
    if (kind == CUPTI_FILL)
        mark("KT_STUB_ENABLED", false);
    return DONE;
}

int cuptiActivityFlushAll(uint32_t flag)
{
    pthread_mutex_lock(&mutex);
    uint8_t *full = buffer;
    size_t bytes = buffer_bytes, valid_bytes = used;
    buffer = NULL;
    used = 0;
    pthread_mutex_unlock(&mutex);
    deliver(full, bytes, valid_bytes);
    return DONE;
}

int cuptiActivityGetNextRecord(uint8_t *from, size_t valid_bytes, cupti_activity **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + bytes_of((*record)->kind) : from;
    if (next + sizeof(cupti_activity) > from + valid_bytes)
        return MAX_LIMIT_REACHED;
    *record = (cupti_activity *)(void *)next;
    return DONE;
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count)
{
    pthread_mutex_lock(&mutex);
    *count = dropped;
    dropped = 0;
    pthread_mutex_unlock(&mutex);
    return DONE;
}
