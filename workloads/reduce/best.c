/* SPDX-License-Identifier: MIT */
#include "reduce.h"

const char reduce_best_flags[] = FLAGS;

static uint32_t add(const uint32_t *input, int64_t n)
{
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += input[i];
    return sum;
}

void reduce_best_serial(void *problem)
{
    reduce_problem *p = problem;
    p->output = add(p->input, p->n);
}

void reduce_best_parallel(void *problem)
{
    reduce_problem *p = problem;
    int64_t n = p->n;
    uint32_t sum = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(+ : sum)
#endif
    for (int64_t at = 0; at < n; at += WORKLOAD_PIECE)
        sum += add(p->input + at, n - at < WORKLOAD_PIECE ? n - at : WORKLOAD_PIECE);
    p->output = sum;
}
