/* SPDX-License-Identifier: MIT */
#include "saxpy.h"

const char saxpy_best_flags[] = FLAGS;

static void add(const float *restrict x, float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = SAXPY_A * x[i] + y[i];
}

void saxpy_best_serial(void *problem)
{
    const saxpy_problem *p = problem;
    add(p->x, p->output, p->n);
}

void saxpy_best_parallel(void *problem)
{
    const saxpy_problem *p = problem;
    int64_t n = p->n;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t at = 0; at < n; at += WORKLOAD_PIECE)
        add(p->x + at, p->output + at, n - at < WORKLOAD_PIECE ? n - at : WORKLOAD_PIECE);
}
