/* SPDX-License-Identifier: MIT */
#include "bench/hw/cupti.h"

#include "bench/hw/cupti_types.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES (1024 * 1024)
#define BUFFER_ALIGN 8

typedef void request_callback(uint8_t **buffer, size_t *bytes, size_t *records_max);
typedef void complete_callback(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                               size_t valid_bytes);

/* X(name, (parameters)); each answers a code, of which 0 is success. */
#define FUNCTIONS(X)                                                             \
    X(cuptiGetVersion, (uint32_t *))                                             \
    X(cuptiActivityRegisterCallbacks, (request_callback *, complete_callback *)) \
    X(cuptiActivityEnable, (int))                                                \
    X(cuptiActivityDisable, (int))                                               \
    X(cuptiActivityFlushAll, (uint32_t))                                         \
    X(cuptiActivityGetNextRecord, (uint8_t *, size_t, cupti_record **))

typedef struct interval {
    uint64_t start_ns, end_ns;
} interval;

static struct {
#define POINTER(name, parameters) int(*name) parameters;
    FUNCTIONS(POINTER)
#undef POINTER
    bool registered;
    uint32_t version;
    char reason[256];
    pthread_mutex_t mutex; /* CUPTI calls back on threads of its own */
    const char *name;
    interval kept[CUPTI_KEPT]; /* the latest, by when they began */
    uint64_t count;
} cupti = {.mutex = PTHREAD_MUTEX_INITIALIZER};

const char *cupti_reason(void)
{
    return cupti.reason;
}

uint32_t cupti_version(void)
{
    return cupti.version;
}

static bool fail(const char *function, int code)
{
    snprintf(cupti.reason, sizeof cupti.reason, "CUPTI: %s answered %d", function, code);
    return false;
}

/* Newest first: an older one knows no newer device. */
static void *open_library(const char *library)
{
    static const char *const names[] = {"libcupti.so.13",   "libcupti.so.12",   "libcupti.so.11.8",
                                        "libcupti.so.11.7", "libcupti.so.11.4", "libcupti.so.11.2",
                                        "libcupti.so.11.0", "libcupti.so.10.2", "libcupti.so"};
    if (library)
        return dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *opened = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !opened; i++)
        opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return opened;
}

bool cupti_open(const char *library)
{
    void *opened = open_library(library);
    if (!opened) {
        snprintf(cupti.reason, sizeof cupti.reason, "CUPTI is not here: %s",
                 library ? library : "libcupti.so.13 and older ones are not found");
        return false;
    }
    void *address;
#define LOAD(function, parameters)                                                             \
    address = dlsym(opened, #function);                                                        \
    memcpy(&cupti.function, &address, sizeof address);                                         \
    if (!address) {                                                                            \
        snprintf(cupti.reason, sizeof cupti.reason, "CUPTI: the library lacks %s", #function); \
        return false;                                                                          \
    }
    FUNCTIONS(LOAD)
#undef LOAD
    if (cupti.cuptiGetVersion(&cupti.version) != 0)
        cupti.version = 0;
    return true;
}

/* ---- buffers, on threads of CUPTI's ---- */

static void request(uint8_t **buffer, size_t *bytes, size_t *records_max)
{
    *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    *bytes = *buffer ? BUFFER_BYTES : 0;
    *records_max = 0;
}

/* CUPTI promises no order of records across its buffers, but a stream's kernels begin in the order
 * of their launches. */
static void keep(interval new)
{
    uint64_t at = cupti.count < CUPTI_KEPT ? cupti.count : CUPTI_KEPT;
    cupti.count++;
    if (at == CUPTI_KEPT) {
        if (new.start_ns < cupti.kept[0].start_ns)
            return;
        memmove(cupti.kept, cupti.kept + 1, (CUPTI_KEPT - 1) * sizeof new);
        at--;
    }
    for (; at > 0 && cupti.kept[at - 1].start_ns > new.start_ns; at--)
        cupti.kept[at] = cupti.kept[at - 1];
    cupti.kept[at] = new;
}

/* One without times has no place, and is missed when they are counted. */
static void add(const cupti_record *record)
{
    const cupti_kernel *kernel = (const cupti_kernel *)record;
    if (record->kind != CUPTI_CONCURRENT_KERNEL || !cupti.name || !kernel->name ||
        strncmp(kernel->name, cupti.name, strlen(cupti.name)) != 0)
        return;
    if (kernel->start_ns != 0 && kernel->end_ns >= kernel->start_ns)
        keep((interval){kernel->start_ns, kernel->end_ns});
}

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                     size_t valid_bytes)
{
    cupti_record *record = NULL;
    (void)context;
    (void)stream;
    (void)bytes;
    pthread_mutex_lock(&cupti.mutex);
    while (valid_bytes && cupti.cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == 0)
        add(record);
    pthread_mutex_unlock(&cupti.mutex);
    free(buffer);
}

/* ---- recording ---- */

bool cupti_begin(const char *name)
{
    int code = 0;
    if (!cupti.registered && (code = cupti.cuptiActivityRegisterCallbacks(request, complete)) != 0)
        return fail("cuptiActivityRegisterCallbacks", code);
    cupti.registered = true;
    pthread_mutex_lock(&cupti.mutex);
    cupti.name = name;
    cupti.count = 0;
    pthread_mutex_unlock(&cupti.mutex);
    code = cupti.cuptiActivityEnable(CUPTI_CONCURRENT_KERNEL);
    return code == 0 || fail("cuptiActivityEnable", code);
}

bool cupti_end(uint64_t *count)
{
    int code = cupti.cuptiActivityFlushAll(CUPTI_FLUSH_FORCED);
    int disabled = cupti.cuptiActivityDisable(CUPTI_CONCURRENT_KERNEL);
    pthread_mutex_lock(&cupti.mutex);
    *count = cupti.count;
    cupti.name = NULL;
    pthread_mutex_unlock(&cupti.mutex);
    if (code != 0)
        return fail("cuptiActivityFlushAll", code);
    return disabled == 0 || fail("cuptiActivityDisable", disabled);
}

double cupti_back_ns(uint64_t launches_back)
{
    pthread_mutex_lock(&cupti.mutex);
    uint64_t kept = cupti.count < CUPTI_KEPT ? cupti.count : CUPTI_KEPT;
    double ns = NAN;
    if (launches_back < kept) {
        const interval *of = &cupti.kept[kept - 1 - launches_back];
        ns = (double)(of->end_ns - of->start_ns);
    }
    pthread_mutex_unlock(&cupti.mutex);
    return ns;
}
