/* alloc.h - the one allocation path. Memory is zeroed; a failure sets the error text. */
#ifndef KT_SUPPORT_ALLOC_H
#define KT_SUPPORT_ALLOC_H

#include <stddef.h>

/* count * bytes zeroed bytes, or NULL (also when the product overflows). Both 0 gives a valid
 * pointer. */
void *kt_alloc(size_t count, size_t bytes);

/* Grows `old` (may be NULL) to count * bytes; what is new is not zeroed. On NULL `old` is
 * untouched. */
void *kt_grow(void *old, size_t count, size_t bytes);

/* `old` (may be NULL) with room for at least `needed` items: itself if *room says so, else grown, and *room at least
 * doubled. On NULL both are untouched. */
void *kt_make_room(void *old, size_t *room, size_t needed, size_t bytes);

/* A copy of a string; NULL gives NULL, without an error. */
char *kt_copy_text(const char *text);

void kt_free(void *memory);

/* Never frees `memory`, on purpose: a driver that hangs may still use it. Leak checkers are not
 * alarmed. */
void kt_abandon(void *memory);

#endif
