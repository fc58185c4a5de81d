/* SPDX-License-Identifier: MIT */
/* Lifetimes: references, and the pools of each thread. */
#include "stub.h"

#include <stdlib.h>

struct pool {
    struct pool *outer;
    struct thing **things;
    size_t count, room;
};

static _Thread_local struct pool *innermost;
static unsigned open_pools;

id thing_id(void *thing)
{
    return thing ? &((struct thing *)thing)->isa : NULL;
}

static struct thing *thing_at(id object)
{
    return (struct thing *)(void *)((char *)object - offsetof(struct thing, isa));
}

void *thing_create(enum kind kind, unsigned which, size_t bytes, void (*end)(void *thing))
{
    struct thing *thing = object_create(kind, bytes, NULL);
    thing->isa = class_of(kind, which);
    thing->refs = 1;
    thing->end = end;
    return thing;
}

void *thing_use(id object, enum kind kind)
{
    return object ? object_use(thing_at(object), kind) : NULL;
}

void *thing_retain(void *thing)
{
    if (thing)
        ((struct thing *)thing)->refs++;
    return thing;
}

static void remove_association(struct association **at)
{
    struct association *gone = *at;
    *at = gone->next;
    thing_drop(gone->value);
    free(gone);
}

void thing_drop(void *of)
{
    struct thing *thing = of;
    if (!thing || --thing->refs > 0)
        return;
    if (thing->base.implicit) {
        misuse("%s was released more often than retained", kind_names[thing->base.kind]);
        thing->refs = 1;
        return;
    }
    if (thing->end)
        thing->end(thing);
    /* As the runtime has it: once the object's own dealloc has run. */
    while (thing->associations)
        remove_association(&thing->associations);
    object_destroy(thing);
}

id thing_leave(void *thing)
{
    struct pool *pool = innermost;
    if (!thing)
        return NULL;
    if (!pool) {
        misuse("autoreleased with no pool in place");
        return thing_id(thing);
    }
    if (pool->count == pool->room) {
        pool->room = pool->room * 2 + 16;
        pool->things = realloc(pool->things, pool->room * sizeof *pool->things);
        if (!pool->things)
            abort();
    }
    pool->things[pool->count++] = thing;
    return thing_id(thing);
}

unsigned pools_open(void)
{
    return open_pools;
}

/* ---- functions of the runtime that GNU's has not ---- */

/* Its name is one of an inline function in GNU's headers, hence the label. */
Class metal_object_get_class(id object) __asm__("object_getClass");
void *objc_autoreleasePoolPush(void);
void objc_autoreleasePoolPop(void *pool);
void objc_setAssociatedObject(id object, const void *key, id value, uintptr_t policy);

__attribute__((visibility("default"))) Class metal_object_get_class(id object)
{
    return object ? *(Class *)object : NULL;
}

__attribute__((visibility("default"))) void *objc_autoreleasePoolPush(void)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        abort();
    LEAVES bool goes = stub_enter_call(ENTRY_objc_autoreleasePoolPush);
    (void)goes;
    pool->outer = innermost;
    innermost = pool;
    open_pools++;
    return pool;
}

static void end_innermost(void)
{
    struct pool *pool = innermost;
    /* An object's end may leave another one to the pool. */
    for (size_t i = 0; i < pool->count; i++)
        thing_drop(pool->things[i]);
    innermost = pool->outer;
    open_pools--;
    free(pool->things);
    free(pool);
}

__attribute__((visibility("default"))) void objc_autoreleasePoolPop(void *pool)
{
    LEAVES bool goes = stub_enter_call(ENTRY_objc_autoreleasePoolPop);
    (void)goes;
    const struct pool *at = innermost;
    while (at && at != pool)
        at = at->outer;
    if (!at)
        misuse("no pool of this thread");
    else
        EXPECT_USE(innermost == pool, "there are pools within it");
    while (at && innermost != at)
        end_innermost();
    if (at)
        end_innermost();
}

static void associate(struct thing *owner, const void *key, struct thing *value)
{
    struct association **at = &owner->associations;
    thing_retain(value); /* may be what was there */
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    if (*at)
        remove_association(at);
    if (!value)
        return;
    struct association *added = calloc(1, sizeof *added);
    if (!added)
        abort();
    *added = (struct association){key, value, owner->associations};
    owner->associations = added;
}

__attribute__((visibility("default"))) void objc_setAssociatedObject(id object, const void *key,
                                                                     id value, uintptr_t policy)
{
    LEAVES bool goes = stub_enter_call(ENTRY_objc_setAssociatedObject);
    (void)goes;
    EXPECT_USE(object && key, "NULL");
    EXPECT_USE(policy == OBJC_ASSOCIATION_RETAIN, "policy 0x%lx", (unsigned long)policy);
    if (object)
        associate(thing_at(object), key, value ? thing_at(value) : NULL);
}
