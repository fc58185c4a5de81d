/* SPDX-License-Identifier: MIT */
/* matmul.h - C = A B for square matrices of f32, row by row in memory. */
#ifndef WORKLOAD_MATMUL_H
#define WORKLOAD_MATMUL_H

#include "../workload.h"
#include "tile.h"

/*
 * Input, reference and what the latest baseline gave. The inputs are small whole numbers, so that
 * every product and sum is exact in f32 (|sum| <= 64 n < 2^24 for n up to 16384): whatever the
 * order of the additions, the right result is the same to the last bit, and any other one is wrong.
 */
typedef struct matmul_problem {
    uint32_t n;
    float *a, *b;
    float *reference;
    float *output;
} matmul_problem;

/* The textbook loop i-j-k on one core. */
void matmul_sequential(void *problem);
extern const char matmul_sequential_flags[];
/* The loop i-k-j, which runs along the rows, vectorised, on one core and on all. */
void matmul_best_serial(void *problem);
void matmul_best_parallel(void *problem);
extern const char matmul_best_flags[];

/* Kernels for devices that run C functions; arguments a, b, c, n. */
void matmul_naive_c(const kt_c_group *group, void *const *args);
void matmul_tiled_c(const kt_c_group *group, void *const *args);

#endif
