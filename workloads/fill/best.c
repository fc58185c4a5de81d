/* SPDX-License-Identifier: MIT */
#include "fill.h"

const char fill_best_flags[] = FLAGS;

static void set(uint32_t *output, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        output[i] = FILL_VALUE;
}

void fill_best_serial(void *problem)
{
    const fill_problem *p = problem;
    set(p->output, p->n);
}

void fill_best_parallel(void *problem)
{
    const fill_problem *p = problem;
    int64_t n = p->n;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t at = 0; at < n; at += WORKLOAD_PIECE)
        set(p->output + at, n - at < WORKLOAD_PIECE ? n - at : WORKLOAD_PIECE);
}
