/* SPDX-License-Identifier: MIT */
#include "sort.h"

const char sort_best_flags[] = FLAGS;

#define PIECES 64 /* that cores take one after another */

static void count(const uint32_t *from, uint32_t n, uint32_t shift, uint32_t *bins)
{
    for (uint32_t digit = 0; digit < SORT_DIGITS; digit++)
        bins[digit] = 0;
    for (uint32_t i = 0; i < n; i++)
        bins[from[i] >> shift & (SORT_DIGITS - 1)]++;
}

static void move(const uint32_t *restrict from, uint32_t *restrict to, uint32_t n, uint32_t shift,
                 uint32_t *next)
{
    for (uint32_t i = 0; i < n; i++)
        to[next[from[i] >> shift & (SORT_DIGITS - 1)]++] = from[i];
}

/* From how often each piece has each digit to where its first key of that digit goes. */
static void add_up(uint32_t (*bins)[SORT_DIGITS], uint32_t pieces)
{
    uint32_t smaller = 0;
    for (uint32_t digit = 0; digit < SORT_DIGITS; digit++)
        for (uint32_t piece = 0; piece < pieces; piece++) {
            uint32_t own = bins[piece][digit];
            bins[piece][digit] = smaller;
            smaller += own;
        }
}

static void pass(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t shift)
{
    uint32_t bins[PIECES][SORT_DIGITS];
    uint32_t share = (n - 1) / PIECES + 1;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (uint32_t piece = 0; piece < PIECES; piece++) {
        uint32_t begin = piece * share < n ? piece * share : n;
        count(from + begin, n - begin < share ? n - begin : share, shift, bins[piece]);
    }
    add_up(bins, PIECES);
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (uint32_t piece = 0; piece < PIECES; piece++) {
        uint32_t begin = piece * share < n ? piece * share : n;
        move(from + begin, to, n - begin < share ? n - begin : share, shift, bins[piece]);
    }
}

/* How often each digit of each pass occurs does not depend on the order of keys: one loop counts. */
void sort_best_serial(void *problem)
{
    const sort_problem *p = problem;
    const uint32_t *from = p->keys;
    uint32_t bins[SORT_PASSES][1][SORT_DIGITS] = {{{0}}};
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t digit = 0; digit < SORT_PASSES; digit++)
            bins[digit][0][from[i] >> digit * SORT_BITS & (SORT_DIGITS - 1)]++;
    for (uint32_t digit = 0; digit < SORT_PASSES; digit++) {
        uint32_t *to = digit % 2 ? p->output : p->scratch;
        add_up(bins[digit], 1);
        move(from, to, p->n, digit * SORT_BITS, bins[digit][0]);
        from = to;
    }
}

void sort_best_parallel(void *problem)
{
    const sort_problem *p = problem;
    const uint32_t *from = p->keys;
    for (uint32_t digit = 0; digit < SORT_PASSES; digit++) {
        uint32_t *to = digit % 2 ? p->output : p->scratch;
        pass(from, to, p->n, digit * SORT_BITS);
        from = to;
    }
}
