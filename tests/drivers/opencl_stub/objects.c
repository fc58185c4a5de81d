#include "objects.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *all;

void *object_create(enum kind kind, size_t bytes, void (*drop)(struct object *self))
{
    struct object *object = calloc(1, bytes);
    if (!object)
        return NULL;
    object->magic = OBJECT_MAGIC;
    object->kind = kind;
    object->drop = drop;
    atomic_init(&object->refs, 1);
    pthread_mutex_lock(&lock);
    object->next = all;
    all = object;
    pthread_mutex_unlock(&lock);
    return object;
}

void object_retain(void *handle)
{
    struct object *object = handle;
    atomic_fetch_add(&object->refs, 1);
}

void object_release(void *handle)
{
    struct object *object = handle;
    unsigned refs = atomic_load(&object->refs);
    while (refs != 0) {
        if (!atomic_compare_exchange_weak(&object->refs, &refs, refs - 1))
            continue;
        if (refs == 1 && object->drop)
            object->drop(object);
        return;
    }
    stub_misuse(); /* two threads released it at once */
}

unsigned long long objects_alive(enum kind kind)
{
    unsigned long long alive = 0;
    pthread_mutex_lock(&lock);
    for (const struct object *object = all; object; object = object->next) {
        if (object->kind == kind && atomic_load(&object->refs) != 0)
            alive++;
    }
    pthread_mutex_unlock(&lock);
    return alive;
}
