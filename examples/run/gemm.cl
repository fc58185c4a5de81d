/*
 * C = A * B of n x n floats, row by row.
 *
 * kerntime: -n 512 -a A='random x n*n' -a B='random x n*n' -a C='zeros x n*n' --flops '2*n^3'
 * kerntime naive: --global n,n --local 8,8
 * kerntime tiled: --global n/WPT,n --local TILE/WPT,TILE
 */
__kernel void naive(__global const float *A, __global const float *B, __global float *C, uint n)
{
    size_t column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + column];
    C[row * n + column] = sum;
}

#ifdef TILE /* rows and columns of a tile, of which a work-item computes WPT columns */
__kernel void tiled(__global const float *A, __global const float *B, __global float *C, uint n)
{
    __local float a[TILE][TILE], b[TILE][TILE];
    const uint lanes = TILE / WPT;
    uint x = get_local_id(0), y = get_local_id(1);
    uint row = get_group_id(1) * TILE + y, first = get_group_id(0) * TILE + x;
    float sums[WPT] = {0};
    for (uint tile = 0; tile < n; tile += TILE) {
        for (uint w = 0; w < WPT; w++) {
            a[y][x + w * lanes] = A[row * n + tile + x + w * lanes];
            b[y][x + w * lanes] = B[(tile + y) * n + first + w * lanes];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            for (uint w = 0; w < WPT; w++)
                sums[w] += a[y][k] * b[k][x + w * lanes];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint w = 0; w < WPT; w++)
        C[row * n + first + w * lanes] = sums[w];
}
#endif
