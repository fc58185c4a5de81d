#include "matmul.h"

#include <string.h>

const char matmul_best_flags[] = FLAGS;

void matmul_best(void *problem)
{
    const matmul_problem *p = problem;
    int64_t n = p->n;
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t i = 0; i < n; i++) {
        float *restrict c = p->output + i * n;
        memset(c, 0, (size_t)n * sizeof *c);
        for (int64_t k = 0; k < n; k++) {
            const float a = p->a[i * n + k];
            const float *restrict b = p->b + k * n;
            for (int64_t j = 0; j < n; j++)
                c[j] += a * b[j];
        }
    }
}
