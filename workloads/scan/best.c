#include "scan.h"

#ifdef _OPENMP
#include <omp.h>
#endif

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

/* Where there is nobody to share with, adding up first would only be more work. */
static int alone(int64_t n)
{
#ifdef _OPENMP
    return n < WORKLOAD_PARALLEL_MIN || omp_get_max_threads() == 1;
#else
    (void)n;
    return 1;
#endif
}

void scan_best(void *problem)
{
    const scan_problem *p = problem;
    int64_t n = p->n, pieces = (n + WORKLOAD_PIECE - 1) / WORKLOAD_PIECE;
    if (alone(n)) {
        scan(p->input, p->output, n, 0);
        return;
    }
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
