/* SPDX-License-Identifier: MIT */
/* The kernels for devices that run C functions: the same blocks as in scan.cl; within one, a single
 * running sum does without barriers. */
#include "scan.h"

typedef struct block {
    uint32_t begin, end;
} block;

/* As in scan.cl. */
static block block_of(const kt_c_group *group, uint32_t n)
{
    uint32_t tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    uint32_t items = (tiles + group->groups[0] - 1) / group->groups[0] * SCAN_TILE;
    uint32_t begin = group->group[0] * items;
    if (begin > n)
        begin = n;
    return (block){begin, n - begin < items ? n : begin + items};
}

static void scan(const uint32_t *restrict input, uint32_t *restrict output, block b, uint32_t sum)
{
    for (uint32_t i = b.begin; i < b.end; i++) {
        output[i] = sum;
        sum += input[i];
    }
}

void scan_block_sums_c(const kt_c_group *group, void *const *args)
{
    const uint32_t *input = args[0];
    uint32_t *block_sums = args[1], sum = 0;
    block b = block_of(group, *(const uint32_t *)args[2]);
    for (uint32_t i = b.begin; i < b.end; i++)
        sum += input[i];
    block_sums[group->group[0]] = sum;
}

void scan_offsets_c(const kt_c_group *group, void *const *args)
{
    (void)group;
    scan(args[0], args[1], (block){0, *(const uint32_t *)args[2]}, 0);
}

void scan_blocks_c(const kt_c_group *group, void *const *args)
{
    const uint32_t *offsets = args[2];
    scan(args[0], args[1], block_of(group, *(const uint32_t *)args[3]), offsets[group->group[0]]);
}
