/* Calls, lifetimes, and what is leaked. */
#include "stub.h"

#include <pthread.h>
#include <stdlib.h>

#define OBJECT_MAGIC UINT32_C(0x4b54564b)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *all;

static struct report_entry entries[ENTRY_COUNT] = {
#define ENTRY_NAME(name_) {.name = #name_},
    ALL_ENTRIES(ENTRY_NAME)
#undef ENTRY_NAME
};

const struct report_of report_of = {"vulkan_stub", "KT_STUB_VULKAN_COUNTS", entries, ENTRY_COUNT};

static const char *const kind_names[KIND_COUNT] = {
    "instance",     "physical device", "device",          "queue",     "memory",          "buffer",
    "shader",       "set layout",      "pipeline layout", "pipeline",  "descriptor pool", "set",
    "command pool", "command buffer",  "fence",           "query pool"};

VkResult stub_enter(enum entry entry)
{
    static const VkResult errors[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                      VK_ERROR_DEVICE_LOST, VK_ERROR_INITIALIZATION_FAILED};
    return report_call((int)entry) ? errors[script.error] : VK_SUCCESS;
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

void report_own(FILE *file)
{
    unsigned long long alive[KIND_COUNT] = {0};
    pthread_mutex_lock(&lock);
    for (const struct object *object = all; object; object = object->next)
        alive[object->kind] += atomic_load(&object->alive);
    pthread_mutex_unlock(&lock);
    /* Those go with their owners. */
    alive[KIND_PHYSICAL] = alive[KIND_QUEUE] = 0;
    for (int i = 0; i < KIND_COUNT; i++)
        report_leak(file, kind_names[i], alive[i]);
}
