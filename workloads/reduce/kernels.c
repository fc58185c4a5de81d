/* SPDX-License-Identifier: MIT */
/* The kernels for devices that run C functions: the same groups and strides as in reduce.cl. */
#include "reduce.h"

#define GROUP REDUCE_GROUP

static uint32_t sum_of_group(const uint32_t *restrict input, uint32_t n, uint32_t begin,
                             uint32_t stride)
{
    uint32_t sums[GROUP] = {0}, sum = 0; /* of each item, and of all */
    for (; begin < n; begin += stride) {
        uint32_t items = n - begin < GROUP ? n - begin : GROUP;
        for (uint32_t item = 0; item < items; item++)
            sums[item] += input[begin + item];
    }
    for (uint32_t item = 0; item < GROUP; item++)
        sum += sums[item];
    return sum;
}

void reduce_partial_c(const kt_c_group *group, void *const *args)
{
    uint32_t *partials = args[1];
    uint32_t n = *(const uint32_t *)args[2], index = group->group[0];
    partials[index] = sum_of_group(args[0], n, index * GROUP, group->groups[0] * GROUP);
}

void reduce_final_c(const kt_c_group *group, void *const *args)
{
    uint32_t *sum = args[1];
    (void)group;
    *sum = sum_of_group(args[0], *(const uint32_t *)args[2], 0, GROUP);
}
