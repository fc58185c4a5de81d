/* SPDX-License-Identifier: MIT */
/*
 * objects.h - the lifetimes of a stub driver's objects, for one whose calls all run under one
 * lock. A destroyed object is kept for a good while, so that a late use is found rather than
 * undefined.
 */
#ifndef FRAME_OBJECTS_H
#define FRAME_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Each stub numbers its kinds, and names them here; ends with NULL. */
extern const char *const kind_names[];

struct object {
    const void *table; /* objects_table when it was made */
    uint32_t magic;
    unsigned kind;
    bool alive;
    bool implicit;             /* nobody made it, so nobody leaks it */
    unsigned pending;          /* pieces of work that use it and that nobody saw complete */
    void *context;             /* the object that it is part of; NULL: of none */
    void (*end)(void *object); /* frees what the object owns; or NULL */
    struct object *older, *newer;
};

/* What a loader expects first in a handle; NULL: nothing. */
extern const void *objects_table;

/* Zeroed. Aborts when out of memory. */
void *object_create(unsigned kind, size_t bytes, void *context);
/* The object if it is alive and of that kind, else NULL and a misuse. */
void *object_use(void *handle, unsigned kind);
void object_destroy(void *handle);
/* The same, if it is of that kind, no work uses it and nothing is part of it: all else is misuse.
 * NULL is nothing to destroy. */
void object_end(void *handle, unsigned kind);
/* What is part of it and of that kind goes; how many of them were made by somebody. */
unsigned objects_drop(unsigned kind, const void *context);
/* Each that is alive; `previous` NULL: the first. */
void *object_next(unsigned kind, const void *previous);
/* What is leaked, of each kind. */
void objects_report(FILE *file);

#endif
