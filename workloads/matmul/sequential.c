/* SPDX-License-Identifier: MIT */
#include "matmul.h"

const char matmul_sequential_flags[] = FLAGS;

void matmul_sequential(void *problem)
{
    const matmul_problem *p = problem;
    uint32_t n = p->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            float sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum += p->a[(size_t)i * n + k] * p->b[(size_t)k * n + j];
            p->output[(size_t)i * n + j] = sum;
        }
}
