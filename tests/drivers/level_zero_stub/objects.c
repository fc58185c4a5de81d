/* The lifetimes of objects. Under the stub's lock. */
#include "stub.h"

#include <stdlib.h>

#define OBJECT_MAGIC UINT32_C(0x4b545a45)

static struct object *newest[KIND_COUNT], *destroyed;

const char *kind_name(enum kind kind)
{
    static const char *const names[KIND_COUNT] = {"context", "queue",  "list",   "event pool",
                                                  "event",   "module", "kernel", "build log"};
    return names[kind];
}

void *object_create(enum kind kind, size_t bytes, ze_context_handle_t context)
{
    struct object *object = calloc(1, bytes);
    if (!object)
        abort();
    object->magic = OBJECT_MAGIC;
    object->kind = kind;
    object->alive = true;
    object->context = context;
    object->older = newest[kind];
    if (newest[kind])
        newest[kind]->newer = object;
    newest[kind] = object;
    return object;
}

void *object_use(void *handle, enum kind kind)
{
    struct object *object = handle;
    if (!object || object->magic != OBJECT_MAGIC || object->kind != kind) {
        misuse("no %s", kind_name(kind));
        return NULL;
    }
    if (object->alive)
        return object;
    misuse("%s was destroyed", kind_name(kind));
    return NULL;
}

void object_destroy(void *handle)
{
    struct object *object = handle;
    object->alive = false;
    if (object->newer)
        object->newer->older = object->older;
    else
        newest[object->kind] = object->older;
    if (object->older)
        object->older->newer = object->newer;
    object->older = destroyed;
    destroyed = object;
}

void *object_next(enum kind kind, const void *previous)
{
    return previous ? ((const struct object *)previous)->older : newest[kind];
}

unsigned long long objects_alive(enum kind kind)
{
    unsigned long long alive = 0;
    for (const struct object *o = NULL; (o = object_next(kind, o)) != NULL;)
        alive++;
    return alive;
}
