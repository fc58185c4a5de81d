/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Jobs: work that kerntime runs and times, as a list of steps.
 */
#ifndef KERNTIME_JOB_H
#define KERNTIME_JOB_H

#include <kerntime/api.h>
#include <kerntime/device.h>
#include <kerntime/memory.h>
#include <kerntime/program.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A job on one device. Destroy it before its memories, programs and device. */
typedef struct kt_job kt_job;

/** Kind of a step. */
typedef enum kt_step_kind {
    KT_STEP_DISPATCH = 0, /**< runs a kernel */
    KT_STEP_COPY,         /**< copies between two memories */
    KT_STEP_EMPTY,        /**< the least that the API can timestamp; measures the timer limits */
    /**
     * Shows memory of the device to the host instead of copying it (kt_device_info.maps).
     *
     * - One of `src` and `dst` is that memory. The other one is of kind host, and stands for the
     *   host's view of it as long as the job lives.
     * - From host memory: the step unmaps, so that what was written goes back to the device.
     * - To host memory: the step maps for reading, and kt_memory_read() of `dst` then reads through
     *   the mapping.
     * - Offsets are those of the device's memory; the host memory's offset is 0.
     * - A job with a map has one trial, since a second map needs an unmap before it.
     */
    KT_STEP_MAP
} kt_step_kind;

/** How an argument reaches a kernel. The arguments of a step either all use KT_PLACE_ORDER, or each
 * uses one of the other two. */
typedef enum kt_arg_place {
    /** by its place among the arguments, as program.h says for the language */
    KT_PLACE_ORDER = 0,
    /** SPIR-V for shaders and WGSL: at `set` and `binding`. A memory is the storage buffer there. A
     * value is the whole content of the uniform buffer there. */
    KT_PLACE_BINDING,
    /** SPIR-V for shaders: a value in the push constants, from byte `offset` on. Of two that
     * overlap the later one counts. */
    KT_PLACE_PUSH
} kt_arg_place;

/** Every API accepts a part of a memory that begins at a multiple of this number of bytes. */
#define KT_ARG_ALIGNMENT 4096

/** One argument of a kernel: a memory, a value, or local memory of a group. */
typedef struct kt_arg {
    kt_memory *memory; /**< the memory; NULL: a value or local memory */
    /** value_bytes bytes; ignored if there is a memory. NULL: local memory of value_bytes bytes,
     * which OpenCL C, SPIR-V of OpenCL, CUDA C, PTX and MSL have. CUDA C and PTX get the sum of all
     * as dynamic shared memory, and no parameter. */
    const void *value;
    size_t value_bytes; /**< size of the value or of the local memory in bytes */
    kt_arg_place place; /**< how it reaches the kernel */
    uint32_t set,       /**< KT_PLACE_BINDING: descriptor set; WGSL: group */
        binding,        /**< KT_PLACE_BINDING: binding in the set */
        offset;         /**< KT_PLACE_PUSH: first byte in the push constants */
    /** First byte of the part of the memory that the kernel gets, a multiple of
     * KT_ARG_ALIGNMENT; ignored without a memory. */
    size_t memory_offset;
    /** Size of that part in bytes; 0: up to the end of the memory. An array of a shader ends
     * there. Other kernels are told no size. WebGPU: rounded up to a multiple of 4. */
    size_t memory_bytes;
} kt_arg;

/**
 * One step of a job. A member that its kind does not use is ignored.
 *
 * A dispatch with both `src` and `dst` has a kernel that copies copy_bytes between them, and the
 * result of a copy. Both must be among its arguments.
 */
typedef struct kt_step {
    /** Name, not total, gaps, span, wall or wall_timestamped; NULL: name of the job. */
    const char *name;
    kt_step_kind kind; /**< kind of the step */

    kt_program *program;    /**< kernel of a dispatch */
    const kt_arg *args;     /**< arg_count arguments of the kernel, in its order */
    uint32_t arg_count;     /**< number of arguments */
    uint32_t groups[3];     /**< groups in x, y, z; 0 counts as 1 */
    uint32_t group_size[3]; /**< work-items of a group in x, y, z; 0 counts as 1 */

    kt_memory *src,          /**< source of a copy or map */
        *dst;                /**< destination of a copy or map */
    size_t src_offset_bytes, /**< offset in the source, in bytes */
        dst_offset_bytes,    /**< offset in the destination, in bytes */
        copy_bytes;          /**< bytes to copy or map, at least 1 */

    uint64_t bytes; /**< least memory traffic of one dispatch, in bytes; 0: not given */
    double flops;   /**< arithmetic operations of one dispatch; 0: not given */
} kt_step;

/** A parameter of the work, shown beside its result. */
typedef struct kt_param {
    const char *name; /**< name: "size" */
    int64_t value;    /**< value */
} kt_param;

/**
 * Checks the output of a job, or resets its input.
 *
 * @param user kt_job_desc.user
 * @param[out] reason buffer for one sentence on a failure
 * @param reason_bytes size of the buffer in bytes
 * @return KT_OK or another status, which ends the measurement
 */
typedef kt_status (*kt_job_callback)(void *user, char *reason, size_t reason_bytes);

/** Description of a job. kt_job_create() copies all of it; memories and programs must outlive the
 * job. */
typedef struct kt_job_desc {
    size_t size;            /**< sizeof(kt_job_desc) */
    const char *name;       /**< name: "matmul/512" */
    const char *workload;   /**< workload: "matmul"; NULL: as the name */
    const char *variant;    /**< variant: "tiled"; NULL: there is only one */
    const kt_param *params; /**< param_count parameters */
    uint32_t param_count;   /**< number of parameters */
    const kt_step *steps;   /**< step_count steps, in the order they run */
    uint32_t step_count;    /**< number of steps, at least 1 */
    /** Largest number of trials. 1: a dispatch changes its own input; 0: any number of dispatches
     * may follow each other. */
    uint32_t trials_max;
    kt_job_callback reset;  /**< called before each submission, untimed; NULL: nothing to reset */
    kt_job_callback verify; /**< called after each submission, untimed; NULL: not verified */
    void *user;             /**< passed to both callbacks */
} kt_job_desc;

/**
 * Creates a job: checks, allocates and compiles everything, and runs nothing.
 *
 * @param device device to run on; must outlive the job
 * @param desc description, copied
 * @param[out] out the job; destroy it with kt_job_destroy()
 * @return KT_OK, or
 * - KT_INVALID: a name, step, argument or size is missing or wrong, or something belongs to another
 *   device; two arguments have one place, or only some have one; a part lies outside of its memory
 *   or begins at no multiple of KT_ARG_ALIGNMENT; a shader uses a place without an argument
 * - KT_UNSUPPORTED: the device cannot run a step, such as a copy between these kinds of memory; the
 *   language has no places, or no local memory as an argument
 * - KT_LIMIT: over a limit of the device, such as its group size, its sets and bindings, its
 *   uniform buffers, its push constants or its local memory
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DEVICE_LOST: the device hung or stopped working before
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_job_create(kt_device *device, const kt_job_desc *desc, kt_job **out);

/**
 * Destroys a job.
 *
 * If its device hangs, it does not wait, and does not free what the driver may still use.
 *
 * @param job address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_job_destroy(kt_job **job);

#ifdef __cplusplus
}
#endif

#endif
