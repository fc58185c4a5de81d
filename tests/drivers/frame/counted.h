/* SPDX-License-Identifier: MIT */
/*
 * counted.h - objects that a program retains and releases, over objects.h. What others
 * still hold lives on for them, but its use by the program is a misuse. Under the stub's lock.
 */
#ifndef FRAME_COUNTED_H
#define FRAME_COUNTED_H

#include "tests/drivers/frame/objects.h"

struct counted {
    struct object object; /* its context is a counted object, which it holds, or NULL */
    unsigned refs;        /* the program's */
    unsigned holds;       /* of other objects, and one for all refs */
};

/* Zeroed, with one reference. */
void *counted_create(unsigned kind, size_t bytes, void *context);
/* The program's references. The object is alive: object_use() has said so. */
void counted_retain(void *handle);
void counted_release(void *handle);
/* What another object was made with: the program has no reference of a new object any more, and
 * then one for each time that it asks. */
void counted_hide(void *handle);
void counted_lend(void *handle);
/* Those of other objects; NULL: nothing. */
void counted_hold(void *handle);
void counted_drop(void *handle);

#endif
