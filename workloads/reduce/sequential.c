/* SPDX-License-Identifier: MIT */
#include "reduce.h"

const char reduce_sequential_flags[] = FLAGS;

void reduce_sequential(void *problem)
{
    reduce_problem *p = problem;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < p->n; i++)
        sum += p->input[i];
    p->output = sum;
}
