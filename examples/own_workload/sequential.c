/* SPDX-License-Identifier: MIT */
/* Files of this name are compiled with flags of their own, which go into every result. */
#include "triad.h"

const char triad_sequential_flags[] = FLAGS;

void triad_sequential(void *problem)
{
    const triad_problem *p = problem;
    for (uint32_t i = 0; i < p->n; i++)
        p->output[i] = p->b[i] + TRIAD_S * p->c[i];
}
