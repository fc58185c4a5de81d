/* SPDX-License-Identifier: MIT */
/* alloc.h - all memory allocation of the library. Failures set the error text. */
#ifndef KT_SUPPORT_ALLOC_H
#define KT_SUPPORT_ALLOC_H

#include <stddef.h>

/* Returns count * bytes zeroed bytes; NULL on failure, also if the product overflows. A size of 0
 * gives a valid pointer. */
void *kt_alloc(size_t count, size_t bytes);

/* Returns at least `bytes` bytes, not zeroed, at a multiple of `alignment` (a power of two), or
 * NULL. */
void *kt_alloc_aligned(size_t alignment, size_t bytes);

/* Returns at least `bytes` zeroed bytes in whole pages shared with no other allocation, as GPUs
 * need for mapping, or NULL. kt_free_pages() takes the same `bytes`. */
void *kt_alloc_pages(size_t bytes);
void kt_free_pages(void *memory, size_t bytes); /* accepts memory == NULL */

/*
 * Alignment of buffers that are copied: one page. memcpy of glibc 2.36 takes 30 times as long on
 * Zen 3 if the destination begins up to 63 bytes further into a page than the source, which
 * malloc() makes likely.
 */
#define KT_HEAP_ALIGNMENT 4096

/* Resizes `old` (may be NULL) to count * bytes. Added bytes are not zeroed. On NULL, `old` is
 * unchanged. */
void *kt_grow(void *old, size_t count, size_t bytes);

/* Makes room for `needed` items in `old` (may be NULL). Returns `old` if *room suffices; otherwise
 * reallocates and at least doubles *room. On NULL, `old` and *room are unchanged. */
void *kt_make_room(void *old, size_t *room, size_t needed, size_t bytes);

/* Copies a string. NULL gives NULL and sets no error. */
char *kt_copy_text(const char *text);

void kt_free(void *memory);

/* Leaks `memory` on purpose, because a hanging driver may still use it. Leak checkers stay
 * quiet. */
void kt_abandon(void *memory);

#endif
