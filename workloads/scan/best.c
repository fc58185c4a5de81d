/* SPDX-License-Identifier: MIT */
#include "scan.h"

const char scan_best_flags[] = FLAGS;

static uint32_t add(const uint32_t *input, int64_t n)
{
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += input[i];
    return sum;
}

static void scan(const uint32_t *restrict input, uint32_t *restrict output, int64_t n, uint32_t sum)
{
    for (int64_t i = 0; i < n; i++) {
        output[i] = sum;
        sum += input[i];
    }
}

void scan_best_serial(void *problem)
{
    const scan_problem *p = problem;
    scan(p->input, p->output, p->n, 0);
}

void scan_best_parallel(void *problem)
{
    const scan_problem *p = problem;
    int64_t n = p->n, pieces = (n + WORKLOAD_PIECE - 1) / WORKLOAD_PIECE;
    uint32_t *sums = p->piece_sums, sum = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t piece = 0; piece < pieces - 1; piece++)
        sums[piece] = add(p->input + piece * WORKLOAD_PIECE, WORKLOAD_PIECE);
    for (int64_t piece = 0; piece < pieces; piece++) {
        uint32_t own = piece < pieces - 1 ? sums[piece] : 0;
        sums[piece] = sum;
        sum += own;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t piece = 0; piece < pieces; piece++) {
        int64_t at = piece * WORKLOAD_PIECE, left = n - at;
        scan(p->input + at, p->output + at, left < WORKLOAD_PIECE ? left : WORKLOAD_PIECE,
             sums[piece]);
    }
}
