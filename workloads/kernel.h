/*
 * kernel.h - kernels that are written once for all languages that look like C: OpenCL C, CUDA C and
 * HIP (nvcc, NVRTC, hipcc, hiprtc, clang), and OpenCL C that clang compiles to PTX without a toolkit.
 * Arguments are GLOBAL pointers, then one `unsigned`. d is x, y or z. A FUNCTION is for kernels to call; TO_LOCAL is a
 * pointer to LOCAL memory.
 * Another language: one more branch that defines the same names, and a row in tests/conformance/targets.c.
 */
#if !defined(__OPENCL_C_VERSION__) /* CUDA C, HIP */
#define KERNEL extern "C" __global__
#define GLOBAL
#define FUNCTION static __device__
#define LOCAL    __shared__
#define TO_LOCAL
#define LOCAL_ID(d)    threadIdx.d
#define GROUP_ID(d)    blockIdx.d
#define GLOBAL_ID(d)   (blockIdx.d * blockDim.d + threadIdx.d)
#define GLOBAL_SIZE(d) (gridDim.d * blockDim.d)
#define BARRIER()      __syncthreads()
#else
#define KERNEL   __kernel
#define GLOBAL   __global
#define FUNCTION static
#define LOCAL    __local
#define TO_LOCAL __local
#if defined(__NVPTX__) /* there is no library that would know get_global_id() */
#define SREG(r, d)     ((unsigned)__nvvm_read_ptx_sreg_##r##_##d())
#define LOCAL_ID(d)    SREG(tid, d)
#define GROUP_ID(d)    SREG(ctaid, d)
#define GLOBAL_ID(d)   (SREG(ctaid, d) * SREG(ntid, d) + SREG(tid, d))
#define GLOBAL_SIZE(d) (SREG(nctaid, d) * SREG(ntid, d))
#define BARRIER()      __syncthreads()
#else
#define DIMENSION_x    0
#define DIMENSION_y    1
#define DIMENSION_z    2
#define LOCAL_ID(d)    ((unsigned)get_local_id(DIMENSION_##d))
#define GROUP_ID(d)    ((unsigned)get_group_id(DIMENSION_##d))
#define GLOBAL_ID(d)   ((unsigned)get_global_id(DIMENSION_##d))
#define GLOBAL_SIZE(d) ((unsigned)get_global_size(DIMENSION_##d))
#define BARRIER()      barrier(CLK_LOCAL_MEM_FENCE)
#endif
#endif
