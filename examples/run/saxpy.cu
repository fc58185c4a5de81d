// kerntime: --flops 2*n --bytes 12*n
template <typename T, int PER_THREAD>
__global__ void saxpy(T a, const T *x, T *y, unsigned int n)
{
    unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
    for (unsigned int i = first; i < first + PER_THREAD && i < n; i++)
        y[i] = a * x[i] + y[i];
}
