/*
 * group_kernels.h - the kernels of workloads whose work depends on how many groups there are: stub drivers run their C
 * functions, group by group. Their arguments are memories of 4-byte elements, then one uint32_t, n.
 */
#ifndef GROUP_KERNELS_H
#define GROUP_KERNELS_H

#include "workloads/reduce/reduce.h"
#include "workloads/scan/scan.h"

#define GROUP_KERNEL_MEMORIES_MAX 8

typedef struct group_kernel {
    const char *name;
    const char *elements; /* that each memory has at least: n, one for each g(roup), or a digit */
    unsigned written;     /* which memory it writes */
    kt_c_kernel function;
} group_kernel;

enum { REDUCE_PARTIAL, REDUCE_FINAL, SCAN_BLOCK_SUMS, SCAN_OFFSETS, SCAN_BLOCKS };

static const group_kernel group_kernels[] = {
    [REDUCE_PARTIAL] = {"reduce_partial", "ng", 1, reduce_partial_c},
    [REDUCE_FINAL] = {"reduce_final", "n1", 1, reduce_final_c},
    [SCAN_BLOCK_SUMS] = {"scan_block_sums", "ng", 1, scan_block_sums_c},
    [SCAN_OFFSETS] = {"scan_offsets", "nn", 1, scan_offsets_c},
    [SCAN_BLOCKS] = {"scan_blocks", "nng", 1, scan_blocks_c},
};

/* The least elements of a memory. */
static inline uint64_t group_kernel_elements(const group_kernel *kernel, unsigned memory,
                                             uint32_t n, uint32_t groups)
{
    char what = kernel->elements[memory];
    return what == 'n' ? n : what == 'g' ? groups : (uint64_t)(what - '0');
}

/* `args` as a C function takes them. */
static inline void group_kernel_run(const group_kernel *kernel, void *const *args, uint32_t groups,
                                    uint32_t group_size)
{
    kt_c_group group = {.groups = {groups, 1, 1}, .group_size = {group_size, 1, 1}};
    for (group.group[0] = 0; group.group[0] < groups; group.group[0]++)
        kernel->function(&group, args);
}

#endif
