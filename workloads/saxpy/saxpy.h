/* SPDX-License-Identifier: MIT */
/* saxpy.h - y = a x + y for vectors of f32, in place. */
#ifndef WORKLOAD_SAXPY_H
#define WORKLOAD_SAXPY_H

#include "../workload.h"
#include "factor.h"

/*
 * The inputs are small whole numbers, as is a: every product and sum is exact in f32, with and
 * without fused multiply-add, so the right result is the same to the last bit, and any other one is
 * wrong.
 */
typedef struct saxpy_problem {
    uint32_t n;
    float *x, *y;
    float *output; /* a copy of y that baselines work on */
} saxpy_problem;

/* The textbook loop on one core, one element at a time. */
void saxpy_sequential(void *problem);
extern const char saxpy_sequential_flags[];
/* Vectorised, on one core and on all. */
void saxpy_best_serial(void *problem);
void saxpy_best_parallel(void *problem);
extern const char saxpy_best_flags[];

/* The kernel for devices that run C functions; arguments x, y, n. */
void saxpy_c(const kt_c_group *group, void *const *args);

#endif
