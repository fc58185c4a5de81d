/* SPDX-License-Identifier: MIT */
/* The kernel for devices that run C functions: as loop.cl, without its mark. */
#include "loop.h"

void loop_rounds_c(const kt_c_group *group, void *const *args)
{
    uint32_t *states = args[0], iterations = *(const uint32_t *)args[1];
    uint32_t begin = group->group[0] * group->group_size[0];
    for (uint32_t i = begin; i < begin + group->group_size[0]; i++) {
        uint32_t state = i - begin;
        for (uint32_t k = 0; k < iterations; k++)
            state = loop_next(state, k);
        states[i] = state;
    }
}
