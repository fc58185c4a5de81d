/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the memory that a stub driver gives out, with a border on either side that shows
 * who wrote beyond its ends. Under the stub's lock.
 */
#ifndef FRAME_MEMORY_H
#define FRAME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* What was freed is kept, without its bytes. */
struct block {
    struct block *next;
    unsigned kind; /* as the stub numbers them */
    bool alive;
    const void *context;
    size_t bytes;
    unsigned char *data; /* behind its border */
    void *all;
};

/* NULL: out of memory. */
struct block *memory_create(unsigned kind, const void *context, size_t bytes, size_t alignment);
void memory_end(struct block *block);

/* That which holds this address, or NULL: none of the stub's. */
struct block *memory_find(const void *address);
/* How many bytes there are from this address on; 0: none of the stub's. */
size_t memory_behind(const void *address);
/* One of the context's, or NULL. */
struct block *memory_of_context(const void *context);
unsigned memory_alive(unsigned kind);
void memory_check_all(void);

#endif
