/* alloc.h - the one allocation path. Memory is zeroed if nothing else is said; a failure sets the
 * error text. */
#ifndef KT_SUPPORT_ALLOC_H
#define KT_SUPPORT_ALLOC_H

#include <stddef.h>

/* count * bytes zeroed bytes, or NULL (also when the product overflows). Both 0 gives a valid
 * pointer. */
void *kt_alloc(size_t count, size_t bytes);

/* At least `bytes` bytes that begin at a multiple of `alignment`, a power of two; not zeroed. Or
 * NULL. */
void *kt_alloc_aligned(size_t alignment, size_t bytes);

/* At least `bytes` zeroed bytes, in whole pages of the system that are this memory's alone, as GPUs
 * want what they map; or NULL. For kt_free_pages() with the same `bytes`. */
void *kt_alloc_pages(size_t bytes);
void kt_free_pages(void *memory, size_t bytes); /* NULL: nothing */

/*
 * Where memory that is copied begins: at a page, as programs that care have it. memcpy of glibc
 * (2.36) takes 30 times as long on Zen 3 if its destination begins up to 63 bytes further into a
 * page than its source, which malloc() makes likely.
 */
#define KT_HEAP_ALIGNMENT 4096

/* Grows `old` (may be NULL) to count * bytes; what is new is not zeroed. On NULL `old` is
 * untouched. */
void *kt_grow(void *old, size_t count, size_t bytes);

/* `old` (may be NULL) with room for at least `needed` items: itself if *room says so, else grown,
 * and *room at least doubled. On NULL both are untouched. */
void *kt_make_room(void *old, size_t *room, size_t needed, size_t bytes);

/* A copy of a string; NULL gives NULL, without an error. */
char *kt_copy_text(const char *text);

void kt_free(void *memory);

/* Never frees `memory`, on purpose: a driver that hangs may still use it. Leak checkers are not
 * alarmed. */
void kt_abandon(void *memory);

#endif
