/* A CUPTI over the CUDA stub: a record of each kernel that runs while records are wanted. */
#include "bench/hw/cupti_types.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The records of CUDA 13 are as long, those of older ones are shorter. */
enum { RECORD_BYTES = 216, LATE_NS = 100 };
enum { DONE = 0, INVALID_PARAMETER = 1, MAX_LIMIT_REACHED = 12, UNKNOWN = 999 };

typedef void observer(const char *name, int64_t begin_ns, int64_t end_ns);
typedef void request_callback(uint8_t **buffer, size_t *bytes, size_t *records_max);
typedef void complete_callback(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                               size_t valid_bytes);

static request_callback *request;
static complete_callback *complete;
static uint8_t *buffer;
static size_t buffer_bytes, used;

EXPORT int cuptiGetVersion(uint32_t *version);
EXPORT int cuptiActivityRegisterCallbacks(request_callback *requested,
                                          complete_callback *completed);
EXPORT int cuptiActivityEnable(int kind);
EXPORT int cuptiActivityDisable(int kind);
EXPORT int cuptiActivityFlushAll(uint32_t flag);
EXPORT int cuptiActivityGetNextRecord(uint8_t *from, size_t valid_bytes, cupti_record **record);

static void flush(void)
{
    if (buffer)
        complete(NULL, 0, buffer, buffer_bytes, used);
    buffer = NULL;
    used = 0;
}

static void add(const char *name, int64_t begin_ns, int64_t end_ns)
{
    const cupti_kernel kernel = {.kind = CUPTI_CONCURRENT_KERNEL,
                                 .start_ns = (uint64_t)begin_ns,
                                 .end_ns = (uint64_t)(end_ns + LATE_NS),
                                 .name = name};
    size_t records_max = 0;
    if (buffer && used + RECORD_BYTES > buffer_bytes)
        flush();
    if (!buffer)
        request(&buffer, &buffer_bytes, &records_max);
    if (!buffer || buffer_bytes < RECORD_BYTES)
        return;
    memset(buffer + used, 0, RECORD_BYTES);
    memcpy(buffer + used, &kernel, sizeof kernel);
    used += RECORD_BYTES;
}

static int observe(observer *who)
{
    const char *path = getenv("KERNTIME_LIB_CUDA");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    void *address = library ? dlsym(library, "ktStubObserve") : NULL;
    void (*set)(observer *);
    if (!address)
        return UNKNOWN;
    memcpy(&set, &address, sizeof set);
    set(who);
    return DONE;
}

int cuptiGetVersion(uint32_t *version)
{
    *version = 130001;
    return DONE;
}

int cuptiActivityRegisterCallbacks(request_callback *requested, complete_callback *completed)
{
    request = requested;
    complete = completed;
    return DONE;
}

int cuptiActivityEnable(int kind)
{
    return kind == CUPTI_CONCURRENT_KERNEL && request ? observe(add) : INVALID_PARAMETER;
}

int cuptiActivityDisable(int kind)
{
    return kind == CUPTI_CONCURRENT_KERNEL ? observe(NULL) : INVALID_PARAMETER;
}

int cuptiActivityFlushAll(uint32_t flag)
{
    flush();
    return DONE;
}

int cuptiActivityGetNextRecord(uint8_t *from, size_t valid_bytes, cupti_record **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + RECORD_BYTES : from;
    if (next + RECORD_BYTES > from + valid_bytes)
        return MAX_LIMIT_REACHED;
    *record = (cupti_record *)(void *)next;
    return DONE;
}
