/* Lifetimes, misuse, counts of calls, and the report at exit. */
#include "stub.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define OBJECT_MAGIC UINT32_C(0x4b54564b)

enum { MISUSES_MAX = 64, SENTENCE_MAX = 128 };

atomic_ullong unknown_dispatches;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *all;
static char *report_path;
static atomic_ullong calls[ENTRY_COUNT], calls_of_all;

static struct {
    char sentence[SENTENCE_MAX];
    unsigned long long count;
} misuses[MISUSES_MAX + 1]; /* the last one is for all that found no room */

static const char *const entry_names[ENTRY_COUNT] = {
#define ENTRY_NAME(name) #name,
    ALL_ENTRIES(ENTRY_NAME)
#undef ENTRY_NAME
};

static const char *const kind_names[KIND_COUNT] = {
    "instance",     "physical device", "device",          "queue",     "memory",          "buffer",
    "shader",       "set layout",      "pipeline layout", "pipeline",  "descriptor pool", "set",
    "command pool", "command buffer",  "fence",           "query pool"};

/* ---- calls ---- */

static void read_environment(void)
{
    script_read();
    const char *path = getenv("KT_STUB_VULKAN_COUNTS");
    if (path && *path)
        report_path = strdup(path);
}

int entry_find(const char *name)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (strcmp(entry_names[i], name) == 0)
            return i;
    return FAIL_NONE;
}

const char *entry_name(enum entry entry)
{
    return entry_names[entry];
}

VkResult stub_enter(enum entry entry)
{
    static const VkResult errors[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                      VK_ERROR_DEVICE_LOST, VK_ERROR_INITIALIZATION_FAILED};
    pthread_once(&once, read_environment);
    uint64_t call = atomic_fetch_add(&calls[entry], 1) + 1;
    uint64_t any = atomic_fetch_add(&calls_of_all, 1) + 1;
    if (script.fail != FAIL_ANY && script.fail != (int)entry)
        return VK_SUCCESS;
    uint64_t nth = script.fail == FAIL_ANY ? any : call;
    return script.fail_nth == 0 || script.fail_nth == nth ? errors[script.error] : VK_SUCCESS;
}

void misuse(const char *format, ...)
{
    char sentence[SENTENCE_MAX];
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    if (script.strict) {
        fprintf(stderr, "vulkan_stub: misuse: %s\n", sentence);
        abort();
    }
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MISUSES_MAX && misuses[i].count != 0 && strcmp(misuses[i].sentence, sentence) != 0)
        i++;
    snprintf(misuses[i].sentence, SENTENCE_MAX, "%s", i < MISUSES_MAX ? sentence : "others");
    misuses[i].count++;
    pthread_mutex_unlock(&lock);
}

/* ---- objects ---- */

void *object_create(enum kind kind, size_t bytes, void *parent)
{
    struct object *object = calloc(1, bytes);
    if (!object)
        return NULL;
    object->loader = 0x01CDC0DE; /* ICD_LOADER_MAGIC, for who comes through the loader */
    object->magic = OBJECT_MAGIC;
    object->kind = kind;
    object->parent = parent;
    atomic_store(&object->alive, true);
    if (parent)
        atomic_fetch_add(&object->parent->children, 1);
    pthread_mutex_lock(&lock);
    object->next = all;
    all = object;
    if (parent) {
        object->sibling = object->parent->newest_child;
        object->parent->newest_child = object;
    }
    pthread_mutex_unlock(&lock);
    return object;
}

void *object_use(void *handle, enum kind kind, const char *caller)
{
    struct object *object = handle;
    if (!object || object->magic != OBJECT_MAGIC || object->kind != kind) {
        misuse("%s: no %s", caller, kind_names[kind]);
        return NULL;
    }
    if (atomic_load(&object->alive))
        return object;
    misuse("%s: %s was destroyed", caller, kind_names[kind]);
    return NULL;
}

static void bury(struct object *object, const char *caller)
{
    EXPECT_USE(atomic_load(&object->pending) == 0, "%s: %s is in use by a submission", caller,
               kind_names[object->kind]);
    /* Two threads that destroy it at once: one of them is wrong. */
    EXPECT_USE(atomic_exchange(&object->alive, false), "%s: %s was destroyed", caller,
               kind_names[object->kind]);
    if (object->parent)
        atomic_fetch_sub(&object->parent->children, 1);
    for (size_t i = 0; i < sizeof object->owned / sizeof object->owned[0]; i++) {
        free(object->owned[i]);
        object->owned[i] = NULL;
    }
}

void object_destroy(void *handle, enum kind kind, const char *caller)
{
    struct object *object = handle ? object_use(handle, kind, caller) : NULL;
    if (!object)
        return;
    EXPECT_USE(atomic_load(&object->children) == 0, "%s: %u objects of this %s are left", caller,
               atomic_load(&object->children), kind_names[kind]);
    bury(object, caller);
}

void objects_destroy_children(void *parent, const char *caller)
{
    pthread_mutex_lock(&lock);
    /* The list only ever grows at its head. */
    struct object *newest = ((struct object *)parent)->newest_child;
    pthread_mutex_unlock(&lock);
    for (struct object *object = newest; object; object = object->sibling)
        if (atomic_load(&object->alive))
            bury(object, caller);
}

void object_lock(void *handle, const char *caller)
{
    struct object *object = handle;
    EXPECT_USE(!atomic_exchange(&object->busy, true), "%s: %s is used by two threads at once",
               caller, kind_names[object->kind]);
}

void object_unlock(void *handle)
{
    atomic_store(&((struct object *)handle)->busy, false);
}

/* ---- the report ---- */

static void write_leaks(FILE *file)
{
    unsigned long long alive[KIND_COUNT] = {0};
    for (const struct object *object = all; object; object = object->next)
        alive[object->kind] += atomic_load(&object->alive);
    /* Those go with their owners. */
    alive[KIND_PHYSICAL] = alive[KIND_QUEUE] = 0;
    for (int i = 0; i < KIND_COUNT; i++)
        if (alive[i])
            fprintf(file, "leak %s %llu\n", kind_names[i], alive[i]);
}

static void write_report(FILE *file)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (atomic_load(&calls[i]))
            fprintf(file, "%s %llu\n", entry_names[i], atomic_load(&calls[i]));
    if (atomic_load(&unknown_dispatches))
        fprintf(file, "unknown kernels %llu\n", atomic_load(&unknown_dispatches));
    write_leaks(file);
    for (int i = 0; i <= MISUSES_MAX; i++)
        if (misuses[i].count)
            fprintf(file, "misuse %llu %s\n", misuses[i].count, misuses[i].sentence);
}

/* Also for a library that nobody called: an empty report says "loaded, never used". */
__attribute__((destructor)) static void leave(void)
{
    pthread_once(&once, read_environment);
    if (!report_path)
        return;
    pthread_mutex_lock(&lock);
    FILE *file = fopen(report_path, "w");
    if (file)
        write_report(file);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "vulkan_stub: cannot write '%s'\n", report_path);
    pthread_mutex_unlock(&lock);
}
