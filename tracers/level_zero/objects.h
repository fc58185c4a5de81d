/* SPDX-License-Identifier: MIT */
/* objects.h - finds what is known of a handle. Finding takes no lock; any thread. */
#ifndef TRACERS_LEVEL_ZERO_OBJECTS_H
#define TRACERS_LEVEL_ZERO_OBJECTS_H

#include <stdbool.h>

typedef enum object_kind {
    OBJECT_QUEUE,
    OBJECT_FENCE,
    OBJECT_LIST,
    OBJECT_POOL,
    OBJECT_EVENT,
    OBJECT_KERNEL,
    OBJECT_KIND_COUNT
} object_kind;

/* NULL: unknown. The object lives until the program ends its handle. */
void *object_find(object_kind kind, const void *handle);

/* Both under layer_lock(). Adding replaces what was known of the handle. False: no memory. */
bool object_add(object_kind kind, const void *handle, void *object);
/* Forgets the handle of an object that the caller is about to free. After the driver's call another
 * thread may have the handle, for an object of its own that stays. */
void object_remove(object_kind kind, const void *handle, const void *object);

/* Calls `visit` for each object of the kind. Under layer_lock(). */
void object_each(object_kind kind, void (*visit)(void *object));

#endif
