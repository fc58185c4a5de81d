/* SPDX-License-Identifier: MIT */
/* The kernel for devices that run C functions: the same groups and strides as in fill.cl. */
#include "fill.h"

void fill_c(const kt_c_group *group, void *const *args)
{
    uint32_t *array = args[0];
    uint32_t n = *(const uint32_t *)args[1];
    uint32_t items = group->group_size[0], stride = group->groups[0] * items;
    for (uint32_t begin = group->group[0] * items; begin < n; begin += stride) {
        uint32_t end = begin + items < n ? begin + items : n;
        for (uint32_t i = begin; i < end; i++)
            array[i] = FILL_VALUE;
    }
}
