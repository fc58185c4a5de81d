/* The lifetimes of objects. Under the stub's lock. */
#include "stub.h"

#include <stdlib.h>

#define OBJECT_MAGIC UINT32_C(0x4b544348)

/* Destroyed objects that are kept to find late uses; older ones are freed. */
enum { KEPT_MAX = 20000 };

static struct object *newest[KIND_COUNT];
static struct object *kept[KEPT_MAX];
static size_t kept_count;

const char *kind_name(enum kind kind)
{
    static const char *const names[KIND_COUNT] = {"context", "stream", "event", "module",
                                                  "program"};
    return names[kind];
}

void *object_create(enum kind kind, size_t bytes, cuda_context context)
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
    size_t at = kept_count++ % KEPT_MAX;
    if (kept[at]) {
        kept[at]->magic = 0;
        free(kept[at]);
    }
    kept[at] = object;
    object->alive = false;
    if (object->newer)
        object->newer->older = object->older;
    else
        newest[object->kind] = object->older;
    if (object->older)
        object->older->newer = object->newer;
}

void *object_next(enum kind kind, const void *previous)
{
    return previous ? ((const struct object *)previous)->older : newest[kind];
}
