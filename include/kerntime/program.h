/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Programs: one kernel each, in a language of the device.
 *
 * How arguments reach a kernel depends on the language.
 *
 * SPIR-V for shaders (KT_LANGUAGE_SPIRV_SHADER), where arguments have no order by themselves:
 *
 * - By order (KT_PLACE_ORDER), memories are storage buffers of descriptor set 0, at the bindings 0,
 *   1, 2 ... in the order of the arguments. Values are push constants in the same order, each at
 *   the next multiple of its own size: 1, 2, 4, 8 or 16 bytes.
 * - By place (KT_PLACE_BINDING, KT_PLACE_PUSH), a memory is a storage buffer in any set, at any
 *   binding below 1024. A value is the content of a uniform buffer, which the job makes, or a part
 *   of the push constants, of any size. Push constants between values are 0.
 * - Steps set the specialisation constants that are the kernel's group size, whatever their ids:
 *   `layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;`
 *   A kernel with a fixed group size needs steps of just that size. A size that is an expression of
 *   constants is not checked.
 * - All other specialisation constants have the value of the kt_constant with their id, or their
 *   default. The module must have the id, with as many bytes; a truth value has 4.
 * - Refused are kernels that crash drivers: images, arrays of buffers, more than 128 buffers,
 *   buffers without an argument, uniform buffers that are given a memory and storage buffers that
 *   are given a value, push constants without values, capabilities that the device lacks or that
 *   are not enabled. Sizes of values and of shared memory are not checked.
 * - A Vulkan 1.0 device accepts SPIR-V 1.0, a 1.1 device 1.3, later ones 1.5. What is compiled for
 *   Vulkan 1.0 (`glslc --target-env=vulkan1.0`) runs everywhere.
 *
 * WGSL (KT_LANGUAGE_WGSL):
 *
 * - By order (KT_PLACE_ORDER), memories are storage buffers of group 0, at the bindings 0, 1, 2 ...
 *   in the order of the arguments. Values are members of one uniform structure at the binding after
 *   the last memory, in the same order, each at the next multiple of its own size: 4, 8 or 16
 *   bytes.
 * - By place (KT_PLACE_BINDING), a memory is a storage buffer in any group, at any binding, and a
 *   value is the content of a uniform buffer, which the job makes.
 * - Each kt_constant is the override of that name, or of that number in decimal if it has an `@id`.
 * - The group size is that of the overridable constants kt_group_x, kt_group_y and kt_group_z,
 *   which every text has without declaring them: `@compute @workgroup_size(kt_group_x, kt_group_y,
 *   kt_group_z)`
 * - A kernel with a fixed group size needs steps of just that size. Other steps are refused if the
 *   size is written as numbers; a missing number counts as 1. A size written as a name or an
 *   expression is not checked, and the kernel runs in groups of that size.
 * - A kernel uses all its arguments: to WebGPU an unused one does not exist.
 *
 * OpenCL C (KT_LANGUAGE_OPENCL_C):
 *
 * - Arguments are the kernel's parameters, in their order: memories for `__global` and `__constant`
 *   pointers, local memory for `__local` pointers, values as they are. A value of sizeof(cl_mem)
 *   zeros is a pointer to nothing. Images and samplers cannot be given.
 * - The group size is that of the step, unless the kernel requires one.
 *
 * PTX (KT_LANGUAGE_PTX) and CUDA C (KT_LANGUAGE_CUDA_C):
 *
 * - Arguments are the kernel's parameters, in their order: memories as 64-bit pointers to global
 *   memory, values as they are. Local memory is no parameter: a launch gets the sum of all as
 *   dynamic shared memory, `extern __shared__`.
 * - The entry is the name in the PTX. In CUDA C it is what C++ calls the kernel: "axpy",
 *   "space::axpy", or "axpy<float, 4>", which makes that instance of a template. Parameters choose
 *   among overloads: "(void (*)(float *))axpy". A mangled name, "_Z4axpyPf", is taken, too.
 * - The group size is that of the step.
 * - PTX is text up to a terminating zero. PTX of `.target sm_50` runs on every later device, in
 *   every driver that knows its `.version`.
 * - CUDA C is compiled for the device at hand, by NVRTC or hiprtc with `build_flags`, so it finds
 *   only their headers.
 *
 * SPIR-V of OpenCL (KT_LANGUAGE_SPIRV_KERNEL):
 *
 * - Arguments are the kernel's parameters, in their order: memories as 64-bit pointers to global
 *   memory, local memory for pointers to Workgroup, values as they are.
 * - The group size is that of the step, unless the kernel requires one.
 * - SPIR-V 1.0 with the capabilities Kernel, Addresses and Linkage, and those of OpenCL 1.2, runs
 *   on every device. `clang -x cl --target=spir64` and `llvm-spirv` make it of OpenCL C.
 *
 * Metal's shading language (KT_LANGUAGE_MSL):
 *
 * - Memories and values are the buffers 0, 1, 2 ... in their order: memories as pointers to
 *   `device`, values as references to `constant`. Local memory has indices of its own, 0, 1, 2 ...
 *   in its order, and its size is rounded up to a multiple of 16 bytes:
 * @code{.cpp}
 * kernel void scale(device float *x [[buffer(0)]], threadgroup float *tile [[threadgroup(0)]],
 *                   constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]])
 * @endcode
 * - The group size is that of the step.
 * - The device compiles the text itself, without fast math.
 */
#ifndef KERNTIME_PROGRAM_H
#define KERNTIME_PROGRAM_H

#include <kerntime/api.h>
#include <kerntime/device.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A built kernel on one device. Destroy it before its device is closed. */
typedef struct kt_program kt_program;

/** Place within a dispatch at which a C kernel is called. */
typedef struct kt_c_group {
    uint32_t group[3];      /**< index of this group in x, y, z */
    uint32_t groups[3];     /**< number of groups in x, y, z */
    uint32_t group_size[3]; /**< work-items of a group in x, y, z; the function loops over them */
} kt_c_group;

/**
 * A kernel as a C function: does the work of one whole group.
 *
 * Threads: it is called for different groups at once, on different threads.
 *
 * @param group the group to work on
 * @param args address of each argument, in order: the memory's first byte, or the value
 */
typedef void (*kt_c_kernel)(const kt_c_group *group, void *const *args);

/** The value of a constant that is fixed when a program is built. */
typedef struct kt_constant {
    /** WGSL: name of the override, or its number in decimal if it has an `@id`; else ignored */
    const char *name;
    uint32_t id;       /**< SPIR-V for shaders: its SpecId; else ignored */
    double number;     /**< WGSL: the value */
    const void *data;  /**< SPIR-V for shaders: the value, data_bytes bytes */
    size_t data_bytes; /**< 1, 2, 4 or 8 */
} kt_constant;

/**
 * One kernel, as text, as a C function, or both.
 *
 * - A device that does not accept the language of the text gets the function, if it accepts that.
 * - Strings and source need to live only during the call.
 */
typedef struct kt_program_desc {
    size_t size;             /**< sizeof(kt_program_desc) */
    kt_language language;    /**< language of the text; KT_LANGUAGE_C_FUNCTION: there is no text */
    const char *entry;       /**< name of the kernel, as above; of a C function, for messages */
    const char *source;      /**< the text, or the words of SPIR-V */
    size_t source_bytes;     /**< 0: up to the terminating zero, which SPIR-V does not have */
    const char *build_flags; /**< OpenCL C and CUDA C: "-DTILE=16", NULL: none; else ignored */
    kt_c_kernel function;    /**< the kernel as a C function; NULL: there is none */
    /** constant_count specialisation constants or overrides. Those of the group size may be among
     * them, and then count instead of the step's. */
    const kt_constant *constants;
    uint32_t constant_count; /**< number of constants */
} kt_program_desc;

/** Kind of a kernel's parameter. */
typedef enum kt_parameter_kind {
    KT_PARAMETER_UNKNOWN = 0, /**< the driver does not say */
    KT_PARAMETER_BUFFER,      /**< a pointer to memory of the device */
    KT_PARAMETER_VALUE,       /**< a value */
    KT_PARAMETER_LOCAL,       /**< a pointer to local memory, whose size the host sets */
    KT_PARAMETER_IMAGE,       /**< an image or texture */
    KT_PARAMETER_SAMPLER      /**< a sampler */
} kt_parameter_kind;

/** A parameter of a kernel, as the driver describes it. */
typedef struct kt_parameter {
    const char *name;       /**< name in the source; NULL: unknown */
    const char *type;       /**< type in the source: "float4*"; NULL: unknown */
    kt_parameter_kind kind; /**< kind */
    int is_read_only;       /**< 1: the kernel only reads a buffer or image; 0: else, or unknown */
    size_t bytes; /**< CUDA: size in bytes; Metal: size of what a buffer points to; 0: unknown */
} kt_parameter;

/** What a driver says of a built kernel. Owned by the program. */
typedef struct kt_program_info {
    const kt_parameter *parameters; /**< parameter_count parameters, in the kernel's order */
    uint32_t parameter_count;       /**< number of parameters; 0: none, or unknown */
    int has_parameters;             /**< 1: the number of parameters is known */
    uint32_t group_size[3];         /**< group size that the kernel requires; 0: none, or unknown */
    uint32_t group_multiple;        /**< group sizes are best a multiple of this; 0: unknown */
    uint32_t max_group_size;        /**< most work-items of a group of this kernel; 0: unknown */
    uint64_t local_bytes; /**< local memory that the kernel declares; 0: none, or unknown */
} kt_program_info;

/**
 * Builds a kernel.
 *
 * Threads: one at a time per context.
 *
 * @param device device to build for; must outlive the program
 * @param desc description; not kept
 * @param[out] out the program; destroy it with kt_program_destroy()
 * @return KT_OK, or
 * - KT_INVALID: the source has no kernel of that name; the name, the source or its size is missing;
 *   a constant is not in the SPIR-V, has another size there, is given twice, has no name in WGSL,
 *   or makes a group size of 0; a count without `constants`
 * - KT_UNSUPPORTED: the device does not accept the language, or the language has no such constants
 * - KT_BUILD_FAILED: the kernel does not compile, or WGSL has no such override; the error text has
 *   the compiler's log
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DEVICE_LOST: the device hung or stopped working before
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_program_create(kt_device *device, const kt_program_desc *desc,
                                   kt_program **out);

/**
 * Describes a built kernel by what the driver says of it.
 *
 * - OpenCL: all members, from OpenCL 1.2 on; sizes of values are unknown. Before, no names, types
 *   and kinds.
 * - CUDA: sizes of the parameters, from drivers for CUDA 12.4 on. Neither names nor kinds. HIP: no
 *   parameters.
 * - Level Zero: the number of parameters.
 * - Metal: all but types, if the indices of buffers, of threadgroup memory and of textures are 0,
 *   1, 2 ... in the order of the parameters; else no parameters. A value is a buffer that is only
 *   read.
 * - Threads: one at a time per context.
 *
 * @param program the program
 * @param[out] out what is known; lives as long as the program
 * @return KT_OK, or
 * - KT_INVALID: a pointer is NULL
 * - KT_UNSUPPORTED: the backend describes no kernels
 * - KT_NO_MEMORY: the host is out of memory
 * - KT_DEVICE_LOST: the device hung or stopped working before
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_program_reflect(kt_program *program, const kt_program_info **out);

/**
 * Destroys a program. Destroy its jobs first.
 *
 * - Of a device that hung nothing is freed, since the driver may still use it.
 * - Threads: one at a time per context.
 *
 * @param program address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_program_destroy(kt_program **program);

#ifdef __cplusplus
}
#endif

#endif
