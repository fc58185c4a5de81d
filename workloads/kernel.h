/*
 * kernel.h - kernels that are written once for all languages that look like C: OpenCL C, CUDA C and
 * HIP (nvcc, NVRTC, hipcc, hiprtc, clang), and OpenCL C that clang compiles to PTX without a toolkit.
 * Arguments are GLOBAL pointers, then values, each an `unsigned`. d is x, y or z. A FUNCTION is for kernels to call; TO_LOCAL is a
 * pointer to LOCAL memory. The LOCAL_ATOMICs tell nothing of what was there.
 * Constants come from headers in the workload's folder, not from flags, so that they are the same for all compilers.
 * Another language: one more branch that defines the same names, and a row in tests/conformance/targets.c.
 */
#if !defined(__OPENCL_C_VERSION__) /* CUDA C, HIP */
#define KERNEL extern "C" __global__
#define GLOBAL
#define FUNCTION static __device__
#define LOCAL    __shared__
#define TO_LOCAL
#define LOCAL_ID(d)                  threadIdx.d
#define GROUP_ID(d)                  blockIdx.d
#define GLOBAL_ID(d)                 (blockIdx.d * blockDim.d + threadIdx.d)
#define GLOBAL_SIZE(d)               (gridDim.d * blockDim.d)
#define BARRIER()                    __syncthreads()
#define LOCAL_ATOMIC_ADD(at, number) ((void)atomicAdd(at, number))
#define LOCAL_ATOMIC_OR(at, bits)    ((void)atomicOr(at, bits))
#define COUNT_BITS(word)             ((unsigned)__popc(word))
#else
#define KERNEL   __kernel
#define GLOBAL   __global
#define FUNCTION static
#define LOCAL    __local
#define TO_LOCAL __local
#if defined(__NVPTX__) /* there is no library that would know get_global_id() */
#define SREG(r, d)                   ((unsigned)__nvvm_read_ptx_sreg_##r##_##d())
#define LOCAL_ID(d)                  SREG(tid, d)
#define GROUP_ID(d)                  SREG(ctaid, d)
#define GLOBAL_ID(d)                 (SREG(ctaid, d) * SREG(ntid, d) + SREG(tid, d))
#define GLOBAL_SIZE(d)               (SREG(nctaid, d) * SREG(ntid, d))
#define BARRIER()                    __syncthreads()
#define LOCAL_ATOMIC_ADD(at, number) ((void)__sync_fetch_and_add(at, number))
#define LOCAL_ATOMIC_OR(at, bits)    ((void)__sync_fetch_and_or(at, bits))
#define COUNT_BITS(word)             ((unsigned)__builtin_popcount(word))
#else
#define DIMENSION_x                  0
#define DIMENSION_y                  1
#define DIMENSION_z                  2
#define LOCAL_ID(d)                  ((unsigned)get_local_id(DIMENSION_##d))
#define GROUP_ID(d)                  ((unsigned)get_group_id(DIMENSION_##d))
#define GLOBAL_ID(d)                 ((unsigned)get_global_id(DIMENSION_##d))
#define GLOBAL_SIZE(d)               ((unsigned)get_global_size(DIMENSION_##d))
#define BARRIER()                    barrier(CLK_LOCAL_MEM_FENCE)
#define LOCAL_ATOMIC_ADD(at, number) ((void)atomic_add(at, number))
#define LOCAL_ATOMIC_OR(at, bits)    ((void)atomic_or(at, bits))
#define COUNT_BITS(word)             popcount(word)
#endif
#endif
