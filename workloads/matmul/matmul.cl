/* C = A B, f32, n by n, row by row in memory. One work-item makes one element of C. */

__kernel void matmul_naive(__global const float *a, __global const float *b, __global float *c,
                           uint n)
{
    uint column = get_global_id(0), row = get_global_id(1);
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

/* A group loads a tile of A and one of B into local memory and uses each element TILE times. */
__kernel void matmul_tiled(__global const float *a, __global const float *b, __global float *c,
                           uint n)
{
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    uint column = get_global_id(0), row = get_global_id(1);
    uint x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (uint k0 = 0; k0 < n; k0 += TILE) {
        /* Beyond the edge stands 0: it adds nothing, and every item reaches the barriers. */
        tile_a[y][x] = row < n && k0 + x < n ? a[row * n + k0 + x] : 0;
        tile_b[y][x] = k0 + y < n && column < n ? b[(k0 + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
