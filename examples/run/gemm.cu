/*
 * C = A * B of n x n floats, row by row.
 *
 * kerntime: -n 1024 -a A='random x n*n' -a B='random x n*n' -a C='zeros x n*n' --flops '2*n^3'
 * kerntime naive: --global n,n --local 16,16
 * kerntime tiled: --global n/WPT,n --local TILE/WPT,TILE
 */
__global__ void naive(const float *A, const float *B, float *C, unsigned int n)
{
    unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += A[row * n + k] * B[k * n + column];
    C[row * n + column] = sum;
}

#ifdef TILE /* rows and columns of a tile, of which a thread computes WPT columns */
__global__ void tiled(const float *A, const float *B, float *C, unsigned int n)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const unsigned int lanes = TILE / WPT;
    unsigned int x = threadIdx.x, y = threadIdx.y;
    unsigned int row = blockIdx.y * TILE + y, first = blockIdx.x * TILE + x;
    float sums[WPT] = {0};
    for (unsigned int tile = 0; tile < n; tile += TILE) {
        for (unsigned int w = 0; w < WPT; w++) {
            a[y][x + w * lanes] = A[row * n + tile + x + w * lanes];
            b[y][x + w * lanes] = B[(tile + y) * n + first + w * lanes];
        }
        __syncthreads();
        for (unsigned int k = 0; k < TILE; k++)
            for (unsigned int w = 0; w < WPT; w++)
                sums[w] += a[y][k] * b[k][x + w * lanes];
        __syncthreads();
    }
    for (unsigned int w = 0; w < WPT; w++)
        C[row * n + first + w * lanes] = sums[w];
}
#endif
