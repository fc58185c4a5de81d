/* SPDX-License-Identifier: MIT */
/* keep.h - a list of allocations that are freed together. */
#ifndef KT_SUPPORT_KEEP_H
#define KT_SUPPORT_KEEP_H

#include <stdint.h>

/* Adds `memory` to the list and returns it. On failure frees `memory` and returns NULL. NULL in,
 * NULL out. */
void *kt_keep(void ***list, uint32_t *count, void *memory);
/* Frees the list and all its allocations. */
void kt_free_kept(void ***list, uint32_t *count);

#endif
