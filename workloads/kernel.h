/*
 * kernel.h - kernels that are written once for all languages that look like C: OpenCL C, CUDA C and
 * HIP (nvcc, NVRTC, hipcc, hiprtc, clang), OpenCL C that clang compiles to PTX without a toolkit,
 * and Metal's language. Arguments are GLOBAL pointers, then values, each a VALUE: an `unsigned`
 * that stays as it is. In Metal the place of a work-item is an argument, too: a kernel that asks
 * for an ID or a SIZE has POSITIONS behind its last argument, without a comma. d is x, y or z. A
 * FUNCTION is for kernels to call; TO_LOCAL is a pointer to LOCAL memory, TO_OWN one to a variable.
 * The LOCAL_ATOMICs tell nothing of what was there.
 * Constants come from headers in the workload's folder, not from flags, so that they are the same
 * for all compilers. Another language: one more branch that defines the same names, and a row in
 * tests/conformance/targets.c.
 */
#ifndef KERNEL_H
#define KERNEL_H

#if defined(__METAL_VERSION__)
#include <metal_stdlib>
#define KERNEL         kernel
#define GLOBAL         device
#define VALUE_OF(type) constant type &
#define POSITIONS                                               \
    , metal::uint3 kt_local [[thread_position_in_threadgroup]], \
        metal::uint3 kt_group [[threadgroup_position_in_grid]], \
        metal::uint3 kt_global [[thread_position_in_grid]],     \
        metal::uint3 kt_items [[threads_per_grid]]
#define FUNCTION       static
#define LOCAL          threadgroup
#define TO_LOCAL       threadgroup
#define TO_OWN         thread
#define LOCAL_ID(d)    kt_local.d
#define GROUP_ID(d)    kt_group.d
#define GLOBAL_ID(d)   kt_global.d
#define GLOBAL_SIZE(d) kt_items.d
#define BARRIER()      metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup)
#define LOCAL_ATOMIC(change, at, number)                                 \
    ((void)metal::change((threadgroup metal::atomic_uint *)(at), number, \
                         metal::memory_order_relaxed))
#define LOCAL_ATOMIC_ADD(at, number) LOCAL_ATOMIC(atomic_fetch_add_explicit, at, number)
#define LOCAL_ATOMIC_OR(at, bits)    LOCAL_ATOMIC(atomic_fetch_or_explicit, at, bits)
#define LOCAL_ATOMIC_CLEAR(at)       LOCAL_ATOMIC(atomic_exchange_explicit, at, 0)
#define COUNT_BITS(word)             metal::popcount(word)
#elif !defined(__OPENCL_C_VERSION__) /* CUDA C, HIP */
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
#define LOCAL_ATOMIC_CLEAR(at)       ((void)atomicExch(at, 0u))
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
#define LOCAL_ATOMIC_CLEAR(at)       ((void)__sync_fetch_and_and(at, 0u))
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
#define LOCAL_ATOMIC_CLEAR(at)       ((void)atomic_xchg(at, 0u))
#define COUNT_BITS(word)             popcount(word)
#endif
#endif

#ifndef POSITIONS /* arguments are copies, and where a work-item is can be asked for anywhere */
#define VALUE_OF(type) type
#define POSITIONS
#define TO_OWN
#endif
#define VALUE VALUE_OF(unsigned)

#endif
