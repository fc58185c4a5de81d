/* SPDX-License-Identifier: MIT */
/* The two kernels for devices that run C functions: the same groups and the same idea as in
 * matmul.cl. */
#include "matmul.h"

#define TILE MATMUL_TILE

typedef struct arguments {
    const float *a, *b;
    float *c;
    uint32_t n;
} arguments;

static arguments unpack(void *const *args)
{
    return (arguments){args[0], args[1], args[2], *(const uint32_t *)args[3]};
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void matmul_naive_c(const kt_c_group *group, void *const *args)
{
    arguments m = unpack(args);
    uint32_t row_end = smaller((group->group[1] + 1) * TILE, m.n);
    uint32_t column_end = smaller((group->group[0] + 1) * TILE, m.n);
    for (uint32_t row = group->group[1] * TILE; row < row_end; row++)
        for (uint32_t column = group->group[0] * TILE; column < column_end; column++) {
            float sum = 0;
            for (uint32_t k = 0; k < m.n; k++)
                sum += m.a[(size_t)row * m.n + k] * m.b[(size_t)k * m.n + column];
            m.c[(size_t)row * m.n + column] = sum;
        }
}

/* Keeps one tile of C in registers and cache while rows of B stream past it. */
void matmul_tiled_c(const kt_c_group *group, void *const *args)
{
    arguments m = unpack(args);
    uint32_t row = group->group[1] * TILE, column = group->group[0] * TILE;
    uint32_t rows = smaller(TILE, m.n - row), columns = smaller(TILE, m.n - column);
    float sums[TILE][TILE] = {{0}};
    for (uint32_t k = 0; k < m.n; k++) {
        /* Beyond the edge of B stands 0, so that the inner loops have a fixed length. */
        float b[TILE] = {0};
        for (uint32_t j = 0; j < columns; j++)
            b[j] = m.b[(size_t)k * m.n + column + j];
        for (uint32_t i = 0; i < rows; i++) {
            const float a = m.a[(size_t)(row + i) * m.n + k];
            for (uint32_t j = 0; j < TILE; j++)
                sums[i][j] += a * b[j];
        }
    }
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            m.c[(size_t)(row + i) * m.n + column + j] = sums[i][j];
}
