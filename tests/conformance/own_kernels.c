/* SPDX-License-Identifier: MIT */
#include "own_kernels.h"

/* The index of item `item` of this group in dimension x. */
static uint32_t global_x(const kt_c_group *group, uint32_t item)
{
    return group->group[0] * group->group_size[0] + item;
}

void scale_c(const kt_c_group *group, void *const *args)
{
    const int32_t *in = args[0];
    int32_t *out = args[1];
    uint32_t n = *(const uint32_t *)args[2];
    int32_t factor = *(const int32_t *)args[3];
    int64_t add = *(const int64_t *)args[4];
    for (uint32_t item = 0; item < group->group_size[0]; item++) {
        uint32_t i = global_x(group, item);
        if (i < n)
            out[3 + i] = in[i] * factor + (int32_t)add;
    }
}

void place_c(const kt_c_group *group, void *const *args)
{
    int32_t *out = args[0];
    uint32_t width = group->groups[0] * group->group_size[0];
    uint32_t height = group->groups[1] * group->group_size[1];
    for (uint32_t z = 0; z < group->group_size[2]; z++)
        for (uint32_t y = 0; y < group->group_size[1]; y++)
            for (uint32_t x = 0; x < group->group_size[0]; x++) {
                uint32_t at[3] = {global_x(group, x), group->group[1] * group->group_size[1] + y,
                                  group->group[2] * group->group_size[2] + z};
                out[(at[2] * height + at[1]) * width + at[0]] =
                    (int32_t)(at[0] + 100 * at[1] + 10000 * at[2]);
            }
}

void twice_c(const kt_c_group *group, void *const *args)
{
    for (uint32_t item = 0; item < group->group_size[0]; item++) {
        uint32_t i = global_x(group, item);
        ((int32_t *)args[1])[i] = 2 * ((const int32_t *)args[0])[i];
    }
}

void plus_one_c(const kt_c_group *group, void *const *args)
{
    for (uint32_t item = 0; item < group->group_size[0]; item++) {
        uint32_t i = global_x(group, item);
        ((int32_t *)args[1])[i] = 1 + ((const int32_t *)args[0])[i];
    }
}

void reverse_c(const kt_c_group *group, void *const *args)
{
    uint32_t items = group->group_size[0];
    for (uint32_t item = 0; item < items; item++)
        ((int32_t *)args[1])[global_x(group, item)] =
            ((const int32_t *)args[0])[global_x(group, items - 1 - item)];
}
