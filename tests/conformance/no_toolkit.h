/* SPDX-License-Identifier: MIT */
/* no_toolkit.h - what the headers of CUDA and HIP would declare, so that clang alone compiles
 * kernels. */
#ifndef NO_TOOLKIT_H
#define NO_TOOLKIT_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

struct no_toolkit_index {
    unsigned x, y, z;
};

extern const __device__ __attribute__((weak)) no_toolkit_index threadIdx, blockIdx, blockDim,
    gridDim;

extern "C" __device__ unsigned atomicAdd(unsigned *at, unsigned number);
extern "C" __device__ unsigned atomicOr(unsigned *at, unsigned bits);
extern "C" __device__ unsigned atomicExch(unsigned *at, unsigned value);
extern "C" __device__ int __popc(unsigned word);

#ifdef __HIP__ /* clang knows CUDA's by itself */
extern "C" __device__ void __syncthreads();
#endif

#endif
