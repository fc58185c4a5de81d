/* C = A B, f32, n by n, row by row in memory. One work-item makes one element of C. */
#include "../kernel.h"
#include "tile.h"

#define TILE MATMUL_TILE

KERNEL void matmul_naive(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c,
                         VALUE n POSITIONS)
{
    unsigned column = GLOBAL_ID(x), row = GLOBAL_ID(y);
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (unsigned k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* A group loads a tile of A and one of B into local memory and uses each element TILE times. */
KERNEL void matmul_tiled(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c,
                         VALUE n POSITIONS)
{
    LOCAL float tile_a[TILE][TILE], tile_b[TILE][TILE];
    unsigned column = GLOBAL_ID(x), row = GLOBAL_ID(y);
    unsigned x = LOCAL_ID(x), y = LOCAL_ID(y);
    float sum = 0;
    for (unsigned k0 = 0; k0 < n; k0 += TILE) {
        /* Beyond the edge stands 0: it adds nothing, and every item reaches the barriers. */
        tile_a[y][x] = row < n && k0 + x < n ? a[row * n + k0 + x] : 0;
        tile_b[y][x] = k0 + y < n && column < n ? b[(k0 + y) * n + column] : 0;
        BARRIER();
        for (unsigned k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        BARRIER();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
