/*
 * workload.h - work with known answers, to be timed on any device through the public API alone.
 *
 * A workload is a folder and a line in workload.c. For each size it makes a problem (input and
 * reference, on the host, shared by all devices), and for each device a run of it (programs,
 * memories, a job).
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <kerntime/kerntime.h>
#include <stddef.h>
#include <stdint.h>

#define WORKLOAD_MEMORIES_MAX 4

typedef struct workload workload;

/* One way to do the same work on the host without any device. */
typedef struct workload_baseline {
    const char *name;  /* "sequential" or "best" */
    const char *flags; /* that its file was compiled with */
    /* Runs it once; only what happens here is timed. */
    void (*run)(void *problem);
    /* Whether the latest run gave the right output. */
    int (*check)(const void *problem);
} workload_baseline;

/* A problem on one device. Zero it before workload_open(). */
typedef struct workload_run {
    const workload *workload;
    const void *problem;
    kt_program *program;
    kt_memory *memories[WORKLOAD_MEMORIES_MAX];
    void *output; /* room to read results back into; freed with the run */
    kt_job *job;
} workload_run;

struct workload {
    const char *name;
    const char *summary; /* one line for people */
    const char *param;   /* what --size sets: "size" */
    const char *param_help;
    const char *sizes; /* the usual ones, as --size takes them */
    uint64_t size_max;
    const char *const
        *variants;      /* NULL-terminated, the usual one first; NULL: there is but one way */
    int size_is_trials; /* the size is the number of dispatches in one submission */
    const workload_baseline *baselines;
    uint32_t baseline_count;

    /* Arithmetic of one dispatch, and the largest single memory that it needs. */
    double (*flops)(uint64_t size);
    uint64_t (*largest_bytes)(uint64_t size);
    /* Makes and frees a problem; NULL: there is none. */
    kt_status (*problem_create)(uint64_t size, void **problem);
    void (*problem_destroy)(void *problem);
    /* Fills in `run` and creates its job from `desc`, in which name, params and variant are set.
     * After a failure workload_close() cleans up. */
    kt_status (*open)(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc);
};

/* All workloads, NULL-terminated. */
extern const workload *const workloads[];

/* The workload of that name, or NULL. */
const workload *workload_find(const char *name);

/* Opens a problem on a device; `desc` as for `open` above. Close it in any case. */
kt_status workload_open(workload_run *run, const workload *which, const void *problem,
                        kt_device *device, uint64_t size, kt_job_desc *desc);
void workload_close(workload_run *run);

/* The kernel in whichever of the given languages the device takes. */
typedef struct workload_kernel {
    const char *entry;
    kt_c_kernel function;
    const char *opencl_source; /* NULL: not in this language */
    const char *build_flags;
} workload_kernel;

kt_status workload_build(kt_device *device, const workload_kernel *kernel, kt_program **out);

#endif
