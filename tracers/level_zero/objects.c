/* SPDX-License-Identifier: MIT */
#include "tracers/level_zero/objects.h"

#include "support/alloc.h"

#include <stdatomic.h>
#include <stdint.h>

#define BUCKETS 1024

/* Nodes are never freed, so that a reader may stand on any. An unused one has no handle and is used
 * again in its bucket. */
typedef struct node {
    struct node *next;
    _Atomic(const void *) handle;
    void *_Atomic object;
} node;

static node *_Atomic buckets[OBJECT_KIND_COUNT][BUCKETS];

static node *_Atomic *bucket_of(object_kind kind, const void *handle)
{
    uint64_t hash = ((uint64_t)(uintptr_t)handle >> 4) * UINT64_C(0x9e3779b97f4a7c15);
    return &buckets[kind][hash >> 54];
}

static node *find_node(object_kind kind, const void *handle)
{
    node *at = atomic_load_explicit(bucket_of(kind, handle), memory_order_acquire);
    while (at && atomic_load_explicit(&at->handle, memory_order_acquire) != handle)
        at = at->next;
    return at;
}

void *object_find(object_kind kind, const void *handle)
{
    node *found = handle ? find_node(kind, handle) : NULL;
    return found ? atomic_load_explicit(&found->object, memory_order_relaxed) : NULL;
}

bool object_add(object_kind kind, const void *handle, void *object)
{
    node *_Atomic *bucket = bucket_of(kind, handle);
    node *place = find_node(kind, handle);
    if (!place) /* an unused one of this bucket */
        for (place = atomic_load(bucket); place && atomic_load(&place->handle);)
            place = place->next;
    if (place) {
        atomic_store_explicit(&place->object, object, memory_order_relaxed);
        atomic_store_explicit(&place->handle, handle, memory_order_release);
        return true;
    }
    node *added = kt_alloc(1, sizeof *added);
    if (!added)
        return false;
    added->next = atomic_load(bucket);
    atomic_init(&added->object, object);
    atomic_init(&added->handle, handle);
    atomic_store_explicit(bucket, added, memory_order_release);
    return true;
}

void object_remove(object_kind kind, const void *handle, const void *object)
{
    node *found = object ? find_node(kind, handle) : NULL;
    if (found && atomic_load(&found->object) == object)
        atomic_store_explicit(&found->handle, NULL, memory_order_release);
}

void object_each(object_kind kind, void (*visit)(void *object))
{
    for (unsigned i = 0; i < BUCKETS; i++)
        for (node *at = atomic_load(&buckets[kind][i]); at; at = at->next)
            if (atomic_load(&at->handle))
                visit(atomic_load(&at->object));
}
