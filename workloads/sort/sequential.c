/* SPDX-License-Identifier: MIT */
#include "sort.h"

const char sort_sequential_flags[] = FLAGS;

static void move(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t shift)
{
    uint32_t next[SORT_DIGITS] = {0}, smaller = 0;
    for (uint32_t i = 0; i < n; i++)
        next[from[i] >> shift & (SORT_DIGITS - 1)]++;
    for (uint32_t digit = 0; digit < SORT_DIGITS; digit++) {
        uint32_t count = next[digit];
        next[digit] = smaller;
        smaller += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[next[from[i] >> shift & (SORT_DIGITS - 1)]++] = from[i];
}

void sort_sequential(void *problem)
{
    const sort_problem *p = problem;
    const uint32_t *from = p->keys;
    for (uint32_t pass = 0; pass < SORT_PASSES; pass++) {
        uint32_t *to = pass % 2 ? p->output : p->scratch;
        move(from, to, p->n, pass * SORT_BITS);
        from = to;
    }
}
