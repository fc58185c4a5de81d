/* SPDX-License-Identifier: MIT */
#include "scan.h"

const char scan_sequential_flags[] = FLAGS;

void scan_sequential(void *problem)
{
    const scan_problem *p = problem;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        p->output[i] = sum;
        sum += p->input[i];
    }
}
