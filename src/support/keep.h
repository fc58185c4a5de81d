/* keep.h - a list of allocations that are freed together. */
#ifndef KT_SUPPORT_KEEP_H
#define KT_SUPPORT_KEEP_H

#include <stdint.h>

/* Keeps `memory` in a list that is freed as a whole. NULL if it could not, then `memory` is freed;
 * NULL in, NULL out. */
void *kt_keep(void ***list, uint32_t *count, void *memory);
/* Frees such a list. */
void kt_free_kept(void ***list, uint32_t *count);

#endif
