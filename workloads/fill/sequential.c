/* SPDX-License-Identifier: MIT */
#include "fill.h"

const char fill_sequential_flags[] = FLAGS;

void fill_sequential(void *problem)
{
    const fill_problem *p = problem;
    for (uint32_t i = 0; i < p->n; i++)
        p->output[i] = FILL_VALUE;
}
