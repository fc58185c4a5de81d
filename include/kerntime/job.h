/* job.h - work that kerntime runs and times: a list of steps. */
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

typedef struct kt_job kt_job;

typedef enum kt_step_kind {
    KT_STEP_DISPATCH = 0, /**< run a kernel */
    KT_STEP_COPY,         /**< copy between two memories */
    KT_STEP_EMPTY,        /**< the least that the API can stamp: what the ruler is made with */
    /**
     * Memory of the device is shown to the host in place of copying it (kt_device_info.maps). One
     * of `src` and `dst` is that memory, the other one of kind host, which stands for what the host
     * sees of it as long as the job lives: from host memory, what was written to it is handed back
     * to the device (unmapped); to host memory, it is mapped for reading, and kt_memory_read() of
     * `dst` then reads through the mapping. Offsets are those of the device's memory; those of the
     * host's are 0. A job with a map has one trial, since what maps again must unmap between.
     */
    KT_STEP_MAP
} kt_step_kind;

/** One argument of a kernel: a memory, or a value of value_bytes bytes. */
typedef struct kt_arg {
    kt_memory *memory;
    const void *value;
    size_t value_bytes;
} kt_arg;

/** One step of a job. What its kind does not use is ignored. */
typedef struct kt_step {
    const char *name; /**< not total, gaps, span, wall or wall_stamped; NULL: the name of the job */
    kt_step_kind kind;

    kt_program *program; /**< of a dispatch */
    const kt_arg *args;
    uint32_t arg_count;
    uint32_t groups[3];     /**< groups in x, y, z; 0 counts as 1 */
    uint32_t group_size[3]; /**< work-items of a group in x, y, z; 0 counts as 1 */

    /** Of a copy or a map. Of a dispatch, if both are given: its kernel copies copy_bytes from one
     * to the other, so that its result is one of a copy; both must be among its arguments. */
    kt_memory *src, *dst;
    size_t src_offset_bytes, dst_offset_bytes, copy_bytes;

    uint64_t bytes; /**< memory traffic that one dispatch needs at least; 0: not told */
    double flops;   /**< arithmetic that one dispatch needs; 0: not told */
} kt_step;

/** A parameter of the work, as shown beside its result. */
typedef struct kt_param {
    const char *name;
    int64_t value;
} kt_param;

/** A check of the output, or a reset of the input: KT_OK, or a failure with a sentence in `why`. */
typedef kt_status (*kt_job_callback)(void *user, char *why, size_t why_bytes);

/** A job. Everything in it is copied; memories and programs must outlive the job. */
typedef struct kt_job_desc {
    size_t size;          /**< sizeof(kt_job_desc) */
    const char *name;     /**< "matmul/512" */
    const char *workload; /**< "matmul"; NULL: the name */
    const char *variant;  /**< "tiled"; NULL: there is but one */
    const kt_param *params;
    uint32_t param_count;
    const kt_step *steps;
    uint32_t step_count;
    /** 1: a dispatch changes its own input; 0: any number may follow each other */
    uint32_t trials_max;
    kt_job_callback reset;  /**< called before each submission, untimed; NULL: nothing to reset */
    kt_job_callback verify; /**< called after each submission, untimed; NULL: never verified */
    void *user;             /**< passed to both */
} kt_job_desc;

/**
 * Makes a job: everything is checked, allocated and compiled here, nothing is run.
 * KT_INVALID, KT_UNSUPPORTED, KT_LIMIT (over the device's group size, say), KT_DRIVER_ERROR.
 */
KT_API kt_status kt_job_create(kt_device *device, const kt_job_desc *desc, kt_job **out);

/** A job whose device hangs is let go without waiting: what the driver may still use is not
 * freed. */
KT_API void kt_job_destroy(kt_job **job);

#ifdef __cplusplus
}
#endif

#endif
