/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANON */
#include "support/alloc.h"

#include "support/error.h"
#include "support/fault.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasi__
#include <sys/mman.h>
#endif

/* Smallest capacity of a growing list. */
#define ROOM_MIN 16

static void *out_of_memory(size_t count, size_t bytes)
{
    kt_fail(KT_NO_MEMORY, "out of memory: %zu times %zu bytes", count, bytes);
    return NULL;
}

void *kt_alloc(size_t count, size_t bytes)
{
    if (kt_fault(KT_FAULT_ALLOC, "calloc"))
        return out_of_memory(count, bytes);
    void *memory = calloc(count ? count : 1, bytes ? bytes : 1);
    return memory ? memory : out_of_memory(count, bytes);
}

void *kt_alloc_aligned(size_t alignment, size_t bytes)
{
    if (kt_fault(KT_FAULT_ALLOC, "aligned_alloc") || bytes > SIZE_MAX - alignment)
        return out_of_memory(1, bytes);
    size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, whole ? whole : alignment);
    return memory ? memory : out_of_memory(1, bytes);
}

#ifdef __wasi__ /* has no mmap() */

#define PAGE_BYTES 65536

void *kt_alloc_pages(size_t bytes)
{
    void *memory = kt_alloc_aligned(PAGE_BYTES, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void kt_free_pages(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

#else

void *kt_alloc_pages(size_t bytes)
{
    if (kt_fault(KT_FAULT_ALLOC, "mmap"))
        return out_of_memory(1, bytes);
    void *memory =
        mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return memory != MAP_FAILED ? memory : out_of_memory(1, bytes);
}

void kt_free_pages(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes ? bytes : 1);
}

#endif

void *kt_grow(void *old, size_t count, size_t bytes)
{
    if (kt_fault(KT_FAULT_ALLOC, "realloc") || (bytes && count > SIZE_MAX / bytes))
        return out_of_memory(count, bytes);
    size_t total = count * bytes;
    void *memory = realloc(old, total ? total : 1);
    return memory ? memory : out_of_memory(count, bytes);
}

void *kt_make_room(void *old, size_t *room, size_t needed, size_t bytes)
{
    if (*room && needed <= *room)
        return old;
    size_t wanted = *room <= SIZE_MAX / 2 ? 2 * *room : SIZE_MAX;
    wanted = wanted < ROOM_MIN ? ROOM_MIN : wanted;
    wanted = wanted < needed ? needed : wanted;
    void *longer = kt_grow(old, wanted, bytes);
    if (longer)
        *room = wanted;
    return longer;
}

char *kt_copy_text(const char *text)
{
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = kt_alloc(bytes, 1);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

void kt_free(void *memory)
{
    free(memory);
}

/* Abandoned allocations, kept reachable for leak checkers. */
typedef struct abandoned {
    struct abandoned *next;
    void *memory;
} abandoned;

static _Atomic(abandoned *) graveyard;

void kt_abandon(void *memory)
{
    abandoned *entry = malloc(sizeof *entry);
    if (!entry)
        return;
    entry->memory = memory;
    entry->next = atomic_load(&graveyard);
    while (!atomic_compare_exchange_weak(&graveyard, &entry->next, entry))
        ;
}
