/* SPDX-License-Identifier: MIT */
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

#define WORKLOAD_MEMORIES_MAX 8
#define WORKLOAD_KERNELS_MAX  4 /* of one variant */

/* The value of a macro as text. */
#define TEXT_OF_(x) #x
#define TEXT_OF(x)  TEXT_OF_(x)

typedef struct workload workload;

/* What kernels can be made for; tests/conformance/targets.c proves each claim. */
typedef enum workload_target {
    WORKLOAD_C_FUNCTION = 1,
    WORKLOAD_OPENCL_C = 2,
    WORKLOAD_PTX = 4, /* in builds with clang */
    WORKLOAD_CUDA_C = 8,
    WORKLOAD_HIP = 16,
    WORKLOAD_SPIRV_SHADER = 32, /* in builds with glslc */
    WORKLOAD_WGSL = 64,
    WORKLOAD_SPIRV_KERNEL = 128, /* in builds with clang and llvm-spirv */
    WORKLOAD_MSL = 256,
    /* All that one text in the dialect of kernel.h serves. */
    WORKLOAD_DIALECT = WORKLOAD_OPENCL_C | WORKLOAD_PTX | WORKLOAD_CUDA_C | WORKLOAD_HIP |
                       WORKLOAD_SPIRV_KERNEL | WORKLOAD_MSL
} workload_target;

/* One kernel in all its languages. Its arguments are memories, then one uint32_t. */
typedef struct workload_kernel {
    const char *entry;
    kt_c_kernel function;
    const char *source; /* in the dialect of kernel.h; it is built without flags */
    const char *ptx;    /* that clang made of it */
    /* words that the build made of it, too; NULL: it had no llvm-spirv either */
    const uint32_t *spirv_kernel;
    size_t spirv_kernel_bytes;
    const uint32_t *spirv; /* of a shader of its own in GLSL, whose entry is "main" */
    size_t spirv_bytes;
    const char *wgsl; /* has the same entry */
} workload_kernel;

/* A kernel of the workload `folder`, of whose files the build makes these names; its shader is in
 * ENTRY.comp, its C function is ENTRY_c. */
#define WORKLOAD_KERNEL(folder, name)                                                     \
    {                                                                                     \
        .entry = #name, .function = name##_c, .source = folder##_cl, .ptx = folder##_ptx, \
        .spirv_kernel = folder##_spv, .spirv_kernel_bytes = folder##_spv_bytes,           \
        .spirv = name##_comp, .spirv_bytes = name##_comp_bytes, .wgsl = folder##_wgsl,    \
    }

/* One way to do the same work on the host without any device. Of several with one name, the fastest
 * counts. */
typedef struct workload_baseline {
    const char *name;  /* "sequential" or "best" */
    const char *flags; /* that its file was compiled with */
    /* Runs it once; only what happens here is timed. */
    void (*run)(void *problem);
    int parallel; /* it runs on workload_threads() threads; else on one */
} workload_baseline;

/* The baselines of a workload whose folder has sequential.c and best.c. */
#define WORKLOAD_BASELINES(folder)                                     \
    {"sequential", folder##_sequential_flags, folder##_sequential, 0}, \
        {"best", folder##_best_flags, folder##_best_serial, 0},        \
    {                                                                  \
        "best", folder##_best_flags, folder##_best_parallel, 1         \
    }

/* A problem on one device. Zero it before workload_open(). */
typedef struct workload_run {
    const workload *workload;
    const void *problem;
    kt_program *programs[WORKLOAD_KERNELS_MAX]; /* of the variant's kernels, in their order */
    kt_memory *memories[WORKLOAD_MEMORIES_MAX];
    /* of those that kernels write; 0: they only read it */
    size_t written_bytes[WORKLOAD_MEMORIES_MAX];
    kt_memory *output_memory; /* the one of them that has the result */
    void *output;             /* room to read it back into; freed with the run */
    size_t output_bytes, room_bytes;
    uint64_t submission; /* number of the latest one, where the input depends on it */
    kt_job *job;
} workload_run;

struct workload {
    const char *name;
    const char *summary; /* one line for people */
    const char *param;   /* what --size sets: "size" */
    const char *param_help;
    const char *unit;  /* what the size counts: "elements"; NULL: `param` says it */
    int bandwidth;     /* it is about bandwidth: figures show GB/s */
    const char *sizes; /* the usual ones, as --size takes them */
    uint64_t size_max;
    uint32_t targets; /* bits of workload_target: what every variant can be run on */
    const char *const
        *variants; /* NULL-terminated, the usual one first; NULL: there is but one way */
    /* Those of the first variant, then those of the next ...; NULL: there are none, and `open`
     * knows the variants. */
    const workload_kernel *kernels;
    uint32_t kernel_count; /* of each variant; 0 counts as 1 */
    int size_is_trials;    /* the size is the number of dispatches in one submission */
    uint32_t trials_max;   /* as in kt_job_desc: 1 if a dispatch changes its own input */
    const workload_baseline *baselines;
    uint32_t baseline_count;
    uint64_t calibration_size; /* of a problem whose sequential baseline takes about 1 ms */

    /* Arithmetic and least memory traffic of one run of all its steps. */
    double (*flops)(uint64_t size);
    uint64_t (*bytes)(uint64_t size);
    /* All memories that a run has, together, and the largest of them. */
    uint64_t (*memory_bytes)(uint64_t size);
    uint64_t (*largest_bytes)(uint64_t size);
    /* Makes and frees a problem; NULL: there is none. No thread that it was made by is left
     * (workload_end_threads()). */
    kt_status (*problem_create)(uint64_t size, void **problem);
    void (*problem_destroy)(void *problem);
    /* Around each run of a baseline, untimed: makes its input what it was and its output wrong;
     * tells whether the output is right. */
    void (*problem_reset)(void *problem);
    int (*problem_check)(const void *problem);
    /* Fills in memories and output of `run`, whose programs are built, and creates its job from
     * `desc`, in which all but the steps is set. After a failure workload_close() cleans up. */
    kt_status (*open)(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc);
    /* Around each submission, untimed; `user` is the run. */
    kt_job_callback reset, verify;
};

/* All workloads, NULL-terminated. */
extern const workload *const workloads[];

/* The workload of that name, or NULL. */
const workload *workload_find(const char *name);

/* Why there is no kernel of this variant for a device that takes these languages, or NULL. */
const char *workload_lacks(const workload *which, const char *variant, uint32_t languages);

/* Threads that a parallel baseline runs on. */
uint32_t workload_threads(void);

/* Ends the threads that a baseline has left for the next one: as long as they are there, libgomp
 * lets those of a device sleep between parallel regions, and waking them takes longer than many
 * kernels. Called by the thread that ran it. */
void workload_end_threads(void);

/* Opens a problem on a device; `desc` has name, params and variant. Close it in any case. */
kt_status workload_open(workload_run *run, const workload *which, const void *problem,
                        kt_device *device, uint64_t size, kt_job_desc *desc);
void workload_close(workload_run *run);

/* ---- for workloads ---- */

/* The `flops` of work that has no arithmetic to count. */
double workload_no_flops(uint64_t size);
/* Of an array of u32. */
uint64_t workload_array_bytes(uint64_t elements);

/* The target of a shader: NAME.comp, which the build makes NAME_comp and NAME_comp_bytes of. */
#define WORKLOAD_GLSL(name_comp) (name_comp##_bytes > 0 ? WORKLOAD_SPIRV_SHADER : 0)

/* Items of a group where arrays are worked on, and how many of these groups a dispatch gets. There
 * are never more than every API takes: a kernel's items stride over what is left. */
#define WORKLOAD_GROUP 256
uint32_t workload_groups(uint64_t elements);

/* Elements of the pieces in which threads share out an array. */
#define WORKLOAD_PIECE 16384

/* Whole numbers from -8 to 8 that repeat nowhere near the size of a row. */
void workload_make_numbers(float *numbers, size_t count, uint32_t seed);
/* Numbers from all of u32. */
void workload_make_words(uint32_t *words, size_t count, uint32_t seed);

/* Memory number `index` of the run, with this content; NULL: none yet. */
kt_status workload_add_memory(workload_run *run, kt_device *device, int index, const void *content,
                              size_t bytes);
/* The same for the memory that the result is in. */
kt_status workload_add_output(workload_run *run, kt_device *device, int index, const void *content,
                              size_t bytes);
/* The same for one that kernels write for those after them. */
kt_status workload_add_scratch(workload_run *run, kt_device *device, int index, size_t bytes);

/* The job of a workload that is one dispatch: `step` has arguments and groups. */
kt_status workload_create_job(workload_run *run, kt_device *device, uint64_t size,
                              const kt_step *step, kt_job_desc *desc);
/* The job of one that is several: each has its name, the one of run->programs, arguments, groups,
 * and what it needs of memory traffic and arithmetic. */
kt_status workload_create_steps(workload_run *run, kt_device *device, const kt_step *steps,
                                uint32_t count, kt_job_desc *desc);

/* A `reset`: every byte that kernels write becomes 0xFF, which is NaN as f32. A submission that the
 * driver left out, or did in part, is seen then; it would find the right output of the one
 * before. */
kt_status workload_spoil_output(void *user, char *reason, size_t reason_bytes);
/* The first half of a `verify`: reads the output back into run->output. */
kt_status workload_read_output(workload_run *run, char *reason, size_t reason_bytes);
/* For work on more bytes than the host is to hold a second time: of the `bytes` of its output there
 * is room for a piece in run->output, which is written to and read from memory number `index`. */
kt_status workload_add_pieces(workload_run *run, uint64_t bytes, size_t piece_bytes);
kt_status workload_write_piece(workload_run *run, int index, uint64_t offset, size_t count,
                               char *reason, size_t reason_bytes);
kt_status workload_read_piece(workload_run *run, int index, uint64_t offset, size_t count,
                              char *reason, size_t reason_bytes);

/* For a `reset` that gives the output memory a content of its own. */
kt_status workload_write_output(workload_run *run, const void *content, char *reason,
                                size_t reason_bytes);

#endif
