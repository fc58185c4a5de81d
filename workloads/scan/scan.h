/* SPDX-License-Identifier: MIT */
/* scan.h - the exclusive prefix sum of an array of u32, in three kernels. */
#ifndef WORKLOAD_SCAN_H
#define WORKLOAD_SCAN_H

#include "../workload.h"
#include "tile.h"

/* Blocks at most, a group each: enough for any device, and their sums are less than a tile. */
#define SCAN_BLOCKS_MAX 1024

/* Sums are modulo 2^32: whatever the order of the additions, the right result is the same. */
typedef struct scan_problem {
    uint32_t n;
    uint32_t *input;
    uint32_t *output;     /* of the latest baseline */
    uint32_t *piece_sums; /* of `best` */
} scan_problem;

/* The textbook loop on one core. */
void scan_sequential(void *problem);
extern const char scan_sequential_flags[];
/* The same loop with more optimisation. On all cores: the sum of each piece, then each piece from
 * where it begins. */
void scan_best_serial(void *problem);
void scan_best_parallel(void *problem);
extern const char scan_best_flags[];

/* The kernels for devices that run C functions; arguments: input, block sums, n; block sums,
 * offsets, their number; input, output, offsets, n. */
void scan_block_sums_c(const kt_c_group *group, void *const *args);
void scan_offsets_c(const kt_c_group *group, void *const *args);
void scan_blocks_c(const kt_c_group *group, void *const *args);

#endif
