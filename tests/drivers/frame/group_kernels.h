/* SPDX-License-Identifier: MIT */
/*
 * group_kernels.h - the kernels of workloads whose work depends on how many groups there are: stub
 * drivers run their C functions, group by group. Their arguments are memories of 4-byte elements,
 * then uint32_t's, of which n is the first.
 */
#ifndef FRAME_GROUP_KERNELS_H
#define FRAME_GROUP_KERNELS_H

#include "workloads/loop/loop.h"
#include "workloads/reduce/reduce.h"
#include "workloads/scan/scan.h"
#include "workloads/sort/sort.h"

#include <string.h>

#define GROUP_KERNEL_MEMORIES_MAX 8
#define GROUP_KERNEL_NUMBERS_MAX  2

typedef struct group_kernel {
    const char *name;
    /* that each memory has at least: n, its s(quare), one for each g(roup), a digit (LOOP_ITEMS),
     * or sort's t(able) or o(ffsets) */
    const char *elements;
    unsigned numbers; /* after the memories */
    unsigned written; /* which memory it writes */
    kt_c_kernel function;
} group_kernel;

enum {
    REDUCE_PARTIAL,
    REDUCE_FINAL,
    SCAN_BLOCK_SUMS,
    SCAN_OFFSETS,
    SCAN_BLOCKS,
    SORT_HISTOGRAM,
    SORT_SCAN,
    SORT_SCATTER,
    LOOP_ROUNDS
};

static const group_kernel group_kernels[] = {
    [REDUCE_PARTIAL] = {"reduce_partial", "ng", 1, 1, reduce_partial_c},
    [REDUCE_FINAL] = {"reduce_final", "n1", 1, 1, reduce_final_c},
    [SCAN_BLOCK_SUMS] = {"scan_block_sums", "ng", 1, 1, scan_block_sums_c},
    [SCAN_OFFSETS] = {"scan_offsets", "nn", 1, 1, scan_offsets_c},
    [SCAN_BLOCKS] = {"scan_blocks", "nng", 1, 1, scan_blocks_c},
    [SORT_HISTOGRAM] = {"sort_histogram", "nt", 2, 1, sort_histogram_c},
    [SORT_SCAN] = {"sort_scan", "to", 1, 1, sort_scan_c},
    [SORT_SCATTER] = {"sort_scatter", "nno", 2, 1, sort_scatter_c},
    [LOOP_ROUNDS] = {"loop_rounds", "4", 1, 0, loop_rounds_c},
};

/* The least elements of a memory. */
static inline uint64_t group_kernel_elements(const group_kernel *kernel, unsigned memory,
                                             uint32_t n, uint32_t groups)
{
    uint64_t table = n ? (uint64_t)sort_blocks(n) * SORT_DIGITS : 0;
    switch (kernel->elements[memory]) {
    case 'n': return n;
    case 's': return (uint64_t)n * n;
    case 'g': return groups;
    case 't': return table;
    case 'o': return table + SORT_DIGITS;
    default: return (uint64_t)(kernel->elements[memory] - '0');
    }
}

/* `args` as a C function takes them. */
static inline void group_kernel_run_3d(const group_kernel *kernel, void *const *args,
                                       const uint32_t groups[3], const uint32_t group_size[3])
{
    kt_c_group group = {.groups = {groups[0], groups[1], groups[2]},
                        .group_size = {group_size[0], group_size[1], group_size[2]}};
    uint32_t *at = group.group;
    for (at[2] = 0; at[2] < groups[2]; at[2]++)
        for (at[1] = 0; at[1] < groups[1]; at[1]++)
            for (at[0] = 0; at[0] < groups[0]; at[0]++)
                kernel->function(&group, args);
}

static inline void group_kernel_run(const group_kernel *kernel, void *const *args, uint32_t groups,
                                    uint32_t group_size)
{
    const uint32_t all[3] = {groups, 1, 1}, size[3] = {group_size, 1, 1};
    group_kernel_run_3d(kernel, args, all, size);
}

#endif
