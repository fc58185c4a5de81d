/* SPDX-License-Identifier: MIT */
/* reduce.h - the sum of an array of u32, in two kernels. */
#ifndef WORKLOAD_REDUCE_H
#define WORKLOAD_REDUCE_H

#include "../workload.h"
#include "group.h"

/* Elements of a work-item at least, so that what a group does besides is little, and partial sums
 * at most: enough groups for any device, and few enough for one of them to add up. */
#define REDUCE_ITEM_MIN     16
#define REDUCE_PARTIALS_MAX 1024

/* Sums are modulo 2^32: whatever the order of the additions, the right result is the same. */
typedef struct reduce_problem {
    uint32_t n;
    uint32_t *input;
    uint32_t reference;
    uint32_t output; /* of the latest baseline */
} reduce_problem;

/* The textbook loop on one core, one element at a time. */
void reduce_sequential(void *problem);
extern const char reduce_sequential_flags[];
/* Vectorised, on one core and on all. */
void reduce_best_serial(void *problem);
void reduce_best_parallel(void *problem);
extern const char reduce_best_flags[];

/* The kernels for devices that run C functions; arguments: input, partials, n; partials, sum, their
 * number. */
void reduce_partial_c(const kt_c_group *group, void *const *args);
void reduce_final_c(const kt_c_group *group, void *const *args);

#endif
