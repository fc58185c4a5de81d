/* SPDX-License-Identifier: MIT */
#include "tests/drivers/frame/objects.h"

#include "tests/drivers/frame/report.h"

#include <stdlib.h>

#define OBJECT_MAGIC UINT32_C(0x4b54534f)

enum { KINDS_MAX = 24, KEPT_MAX = 20000 };

static struct object *newest[KINDS_MAX];
static struct object *kept[KEPT_MAX];
static size_t kept_count;

const void *objects_table;

void *object_create(unsigned kind, size_t bytes, void *context)
{
    struct object *object = calloc(1, bytes);
    if (!object || kind >= KINDS_MAX)
        abort();
    object->table = objects_table;
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

void *object_use(void *handle, unsigned kind)
{
    struct object *object = handle;
    if (!object || object->magic != OBJECT_MAGIC || object->kind != kind) {
        misuse("no %s", kind_names[kind]);
        return NULL;
    }
    if (object->alive)
        return object;
    misuse("%s was destroyed", kind_names[kind]);
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
    if (object->end)
        object->end(object);
    if (object->newer)
        object->newer->older = object->older;
    else
        newest[object->kind] = object->older;
    if (object->older)
        object->older->newer = object->newer;
}

static unsigned count_parts(const void *context)
{
    unsigned parts = 0;
    for (unsigned kind = 0; kind_names[kind]; kind++)
        for (const struct object *o = NULL; (o = object_next(kind, o)) != NULL;)
            parts += o->context == context;
    return parts;
}

void object_end(void *handle, unsigned kind)
{
    struct object *object = handle ? object_use(handle, kind) : NULL;
    if (!object)
        return;
    unsigned parts = count_parts(object);
    EXPECT_USE(parts == 0, "%u objects of this %s are left", parts, kind_names[kind]);
    EXPECT_USE(object->pending == 0, "%s is in use by a submission", kind_names[kind]);
    object_destroy(object);
}

unsigned objects_drop(unsigned kind, const void *context)
{
    unsigned dropped = 0;
    for (struct object *o = object_next(kind, NULL), *older; o; o = older) {
        older = o->older;
        if (o->context != context)
            continue;
        EXPECT_USE(o->pending == 0, "%s is in use by a submission", kind_names[kind]);
        dropped += !o->implicit;
        object_destroy(o);
    }
    return dropped;
}

void *object_next(unsigned kind, const void *previous)
{
    return previous ? ((const struct object *)previous)->older : newest[kind];
}

void objects_report(FILE *file)
{
    for (unsigned kind = 0; kind_names[kind]; kind++) {
        unsigned long long alive = 0;
        for (const struct object *o = NULL; (o = object_next(kind, o)) != NULL;)
            alive += !o->implicit;
        report_leak(file, kind_names[kind], alive);
    }
}
