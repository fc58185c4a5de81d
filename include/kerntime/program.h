/* program.h - a kernel, in a language that the device takes. */
#ifndef KERNTIME_PROGRAM_H
#define KERNTIME_PROGRAM_H

#include <kerntime/api.h>
#include <kerntime/device.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kt_program kt_program;

/** Where in a dispatch a C kernel is called. */
typedef struct kt_c_group {
    uint32_t group[3];      /**< which group this is */
    uint32_t groups[3];     /**< how many groups there are */
    uint32_t group_size[3]; /**< work-items of a group; the function itself loops over them */
} kt_c_group;

/**
 * A kernel as a C function: does the work of one whole group. Called for different groups at once
 * on different threads. `args[i]` is the address of the memory's first byte, or of the value.
 */
typedef void (*kt_c_kernel)(const kt_c_group *group, void *const *args);

/*
 * How arguments reach a kernel in SPIR-V for shaders (KT_LANGUAGE_SPIRV_SHADER), where they have no
 * order by themselves:
 *  - memories are storage buffers of descriptor set 0, at the bindings 0, 1, 2 ... in the order of
 *    the arguments;
 *  - values are push constants, in the same order, each at the next multiple of its own size: 1, 2,
 *    4, 8 or 16 bytes;
 *  - the group size is that of the specialisation constants 0, 1 and 2, where the kernel uses them:
 *    `layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;`
 *    A kernel of a fixed group size takes just that.
 * It is refused where it wants more than that: uniform buffers, images, arrays of buffers, more
 * push constants than there are values, capabilities that the device lacks or that are not enabled.
 * A device of Vulkan 1.0 takes SPIR-V 1.0, one of 1.1 takes 1.3, later ones 1.5: what is compiled
 * for Vulkan 1.0 (`glslc --target-env=vulkan1.0`) runs everywhere.
 */

/*
 * How arguments reach a kernel in WGSL (KT_LANGUAGE_WGSL):
 *  - memories are storage buffers of group 0, at the bindings 0, 1, 2 ... in the order of the
 *    arguments;
 *  - values are the members of one uniform structure at the binding after the last memory, in the
 *    same order, each at the next multiple of its own size: 4, 8 or 16 bytes;
 *  - the group size is that of the overridable constants kt_group_x, kt_group_y and kt_group_z,
 *    which every text has without declaring them: `@compute @workgroup_size(kt_group_x, kt_group_y,
 *    kt_group_z)`. A kernel of a fixed group size takes just that. Steps of another one are refused
 *    where it is written as numbers, of which one that is left out is 1; where it is a name or an
 *    expression nobody looks, and the kernel runs in groups of its own.
 * A kernel uses all its arguments: to WebGPU, one that is not used is not there.
 */

/*
 * How arguments reach a kernel in PTX (KT_LANGUAGE_PTX) and in CUDA C (KT_LANGUAGE_CUDA_C):
 *  - they are the kernel's parameters, in their order: memories as pointers to global memory, of 64
 *    bits, values as they are;
 *  - the entry is the name that stands in the PTX: in CUDA C the kernel is `extern "C" __global__`,
 *    or its name is the mangled one;
 *  - the group size is that of the step. Shared memory is as much as the text declares: none is
 *    added.
 * PTX is a text up to a terminating zero. One of `.target sm_50` runs on every device from there
 * on, in every driver that knows its `.version`. CUDA C is compiled for the very device, by NVRTC
 * or hiprtc with `build_flags`, so it finds no headers but theirs.
 */

/*
 * How arguments reach a kernel in SPIR-V of OpenCL (KT_LANGUAGE_SPIRV_KERNEL): they are the
 * kernel's parameters, in their order, memories as pointers to global memory, of 64 bits, values as
 * they are. The group size is that of the step, unless the kernel requires one. SPIR-V 1.0 with the
 * capabilities Kernel, Addresses and Linkage, and what OpenCL 1.2 has, runs on every device; `clang
 * -x cl --target=spir64` and `llvm-spirv` make such of OpenCL C.
 */

/*
 * How arguments reach a kernel in Metal's shading language (KT_LANGUAGE_MSL): they are the buffers
 * 0, 1, 2 ... in their order, memories as pointers to `device`, values as references to `constant`:
 *     kernel void scale(device float *x [[buffer(0)]], constant uint &n [[buffer(1)]],
 *                       uint i [[thread_position_in_grid]])
 * The group size is that of the step. Threadgroup memory is as much as the text declares: none is
 * added. The device compiles the text itself, without the liberties of fast mathematics.
 */

/**
 * One kernel, as a text, a C function, or both: a device that does not take the text's language
 * gets the function if it takes that. The strings and the source need to live only during the call.
 */
typedef struct kt_program_desc {
    size_t size;             /**< sizeof(kt_program_desc) */
    kt_language language;    /**< of the text; KT_LANGUAGE_C_FUNCTION: there is none */
    const char *entry;       /**< name of the kernel in the source; of C functions, for messages */
    const char *source;      /**< the text, or the words of SPIR-V */
    size_t source_bytes;     /**< 0: up to the terminating zero; SPIR-V has none */
    const char *build_flags; /**< "-DTILE=16"; NULL: none. Of OpenCL and CUDA C; else ignored */
    kt_c_kernel function;    /**< the same as a C function; NULL: there is none */
} kt_program_desc;

/**
 * Builds a kernel. KT_UNSUPPORTED: not a language of this device; KT_BUILD_FAILED: the text of the
 * error holds the compiler's log; KT_INVALID: no kernel of that name in it.
 */
KT_API kt_status kt_program_create(kt_device *device, const kt_program_desc *desc,
                                   kt_program **out);
KT_API void kt_program_destroy(kt_program **program);

#ifdef __cplusplus
}
#endif

#endif
