/* SPDX-License-Identifier: MIT */
/* The kernels for devices that run C functions: the same blocks as in sort.cl. */
#include "sort.h"

static uint32_t number(const void *arg)
{
    return *(const uint32_t *)arg;
}

/* The keys of a group's block, from `begin` to before `end`. */
typedef struct range {
    uint32_t begin, end;
} range;

static range block_of(const kt_c_group *group, uint32_t n)
{
    uint32_t keys = sort_tiles_per_block(n) * SORT_DIGITS, begin = group->group[0] * keys;
    return (range){begin, n - begin < keys ? n : begin + keys};
}

void sort_histogram_c(const kt_c_group *group, void *const *args)
{
    const uint32_t *restrict keys = args[0];
    uint32_t *restrict counts = args[1];
    uint32_t n = number(args[2]), shift = number(args[3]);
    uint32_t bins[SORT_DIGITS] = {0};
    range block = block_of(group, n);
    for (uint32_t i = block.begin; i < block.end; i++)
        bins[keys[i] >> shift & (SORT_DIGITS - 1)]++;
    for (uint32_t digit = 0; digit < SORT_DIGITS; digit++)
        counts[digit * group->groups[0] + group->group[0]] = bins[digit];
}

void sort_scan_c(const kt_c_group *group, void *const *args)
{
    uint32_t n = number(args[2]), blocks = sort_blocks(n), digit = group->group[0], sum = 0;
    const uint32_t *restrict counts = (const uint32_t *)args[0] + (size_t)digit * blocks;
    uint32_t *offsets = args[1];
    for (uint32_t block = 0; block < blocks; block++) {
        offsets[digit * blocks + block] = sum;
        sum += counts[block];
    }
    offsets[blocks * SORT_DIGITS + digit] = sum;
}

void sort_scatter_c(const kt_c_group *group, void *const *args)
{
    const uint32_t *restrict keys = args[0], *restrict offsets = args[2];
    uint32_t *restrict to = args[1];
    uint32_t n = number(args[3]), shift = number(args[4]), blocks = group->groups[0];
    uint32_t next[SORT_DIGITS], smaller = 0;
    for (uint32_t digit = 0; digit < SORT_DIGITS; digit++) {
        next[digit] = smaller + offsets[digit * blocks + group->group[0]];
        smaller += offsets[blocks * SORT_DIGITS + digit];
    }
    range block = block_of(group, n);
    for (uint32_t i = block.begin; i < block.end; i++) {
        uint32_t place = next[keys[i] >> shift & (SORT_DIGITS - 1)]++;
        if (place < n) /* else a kernel before this one was left out */
            to[place] = keys[i];
    }
}
