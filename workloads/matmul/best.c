/* SPDX-License-Identifier: MIT */
#include "matmul.h"

#include <string.h>

const char matmul_best_flags[] = FLAGS;

static void multiply_row(const matmul_problem *p, int64_t n, int64_t i)
{
    float *restrict c = p->output + i * n;
    memset(c, 0, (size_t)n * sizeof *c);
    for (int64_t k = 0; k < n; k++) {
        const float a = p->a[i * n + k];
        const float *restrict b = p->b + k * n;
        for (int64_t j = 0; j < n; j++)
            c[j] += a * b[j];
    }
}

void matmul_best_serial(void *problem)
{
    const matmul_problem *p = problem;
    int64_t n = p->n;
    for (int64_t i = 0; i < n; i++)
        multiply_row(p, n, i);
}

void matmul_best_parallel(void *problem)
{
    const matmul_problem *p = problem;
    int64_t n = p->n;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t i = 0; i < n; i++)
        multiply_row(p, n, i);
}
