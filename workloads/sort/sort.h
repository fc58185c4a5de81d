/* SPDX-License-Identifier: MIT */
/* sort.h - keys of u32 in ascending order: a radix sort from the lowest digit to the highest. */
#ifndef WORKLOAD_SORT_H
#define WORKLOAD_SORT_H

#include "../workload.h"
#include "digits.h"

#define SORT_PASSES 4 /* digits of a key */

/*
 * The sorted keys come first, drawn one after another in ascending order, and the keys are a
 * shuffle of them: so the right result is known without sorting.
 */
typedef struct sort_problem {
    uint32_t n;
    uint32_t *keys, *sorted;
    uint32_t *output, *scratch; /* that baselines work on */
} sort_problem;

/* Blocks that a device shares n keys out to: whole numbers of tiles of SORT_DIGITS keys. */
static inline uint32_t sort_tiles_per_block(uint32_t n)
{
    return (n - 1) / SORT_DIGITS / SORT_BLOCKS + 1;
}

static inline uint32_t sort_blocks(uint32_t n)
{
    return (n - 1) / SORT_DIGITS / sort_tiles_per_block(n) + 1;
}

/* The textbook loop on one core: count, add up, move; a digit at a time. */
void sort_sequential(void *problem);
extern const char sort_sequential_flags[];
/* On one core, which counts once for all digits, and the textbook loop on all cores. */
void sort_best_serial(void *problem);
void sort_best_parallel(void *problem);
extern const char sort_best_flags[];

/*
 * The kernels for devices that run C functions. For each digit, `shift` bits from the right:
 * - histogram(keys, counts, n, shift): how often each block has each digit: counts[digit * blocks +
 *   block];
 * - scan(counts, offsets, n), a group for each digit: how often the blocks before have it, and
 *   behind all these how often it is there at all: offsets[blocks * SORT_DIGITS + digit];
 * - scatter(keys, to, offsets, n, shift): moves each key to where it belongs by that digit, equal
 *   ones in their order.
 */
void sort_histogram_c(const kt_c_group *group, void *const *args);
void sort_scan_c(const kt_c_group *group, void *const *args);
void sort_scatter_c(const kt_c_group *group, void *const *args);

#endif
