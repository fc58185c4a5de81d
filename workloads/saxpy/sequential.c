/* SPDX-License-Identifier: MIT */
#include "saxpy.h"

const char saxpy_sequential_flags[] = FLAGS;

void saxpy_sequential(void *problem)
{
    const saxpy_problem *p = problem;
    for (uint32_t i = 0; i < p->n; i++)
        p->output[i] = SAXPY_A * p->x[i] + p->output[i];
}
