/* SPDX-License-Identifier: MIT */
#include "support/keep.h"

#include "support/alloc.h"

void *kt_keep(void ***list, uint32_t *count, void *memory)
{
    if (!memory)
        return NULL;
    void **longer = kt_grow(*list, (size_t)*count + 1, sizeof *longer);
    if (!longer) {
        kt_free(memory);
        return NULL;
    }
    *list = longer;
    longer[(*count)++] = memory;
    return memory;
}

void kt_free_kept(void ***list, uint32_t *count)
{
    while (*count)
        kt_free((*list)[--*count]);
    kt_free(*list);
    *list = NULL;
}
