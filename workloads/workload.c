/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define GROUPS_MAX 65535 /* in one dimension, on every API */

/* The only list of workloads, in the order in which they are shown: NAME is a folder that defines
 * workload_NAME. */
#define WORKLOADS(X) \
    X(empty)         \
    X(fill)          \
    X(matmul)        \
    X(reduce)        \
    X(saxpy)         \
    X(scan)          \
    X(sort)

#define DECLARE(name) extern const workload workload_##name;
WORKLOADS(DECLARE)

#define ADDRESS(name) &workload_##name,
const workload *const workloads[] = {WORKLOADS(ADDRESS) NULL};

const workload *workload_find(const char *name)
{
    for (const workload *const *which = workloads; *which; which++)
        if (strcmp((*which)->name, name) == 0)
            return *which;
    return NULL;
}

static uint32_t kernel_count(const workload *which)
{
    return which->kernel_count ? which->kernel_count : 1;
}

/* The first kernel of a variant, NULL if there is no such variant. */
static const workload_kernel *find_kernels(const workload *which, const char *variant)
{
    if (!which->variants || !variant)
        return which->kernels;
    for (size_t i = 0; which->variants[i]; i++)
        if (strcmp(which->variants[i], variant) == 0)
            return &which->kernels[i * kernel_count(which)];
    return NULL;
}

/* The languages that all kernels of a variant are given in. */
static uint32_t languages_of(const workload *which, const workload_kernel *kernels)
{
    uint32_t all = UINT32_MAX;
    for (uint32_t i = 0; i < kernel_count(which); i++)
        all &=
            (kernels[i].source ? KT_LANGUAGE_OPENCL_C | KT_LANGUAGE_CUDA_C | KT_LANGUAGE_MSL : 0u) |
            (kernels[i].ptx ? KT_LANGUAGE_PTX : 0u) |
            (kernels[i].spirv_kernel ? KT_LANGUAGE_SPIRV_KERNEL : 0u) |
            (kernels[i].spirv ? KT_LANGUAGE_SPIRV_SHADER : 0u) |
            (kernels[i].wgsl ? KT_LANGUAGE_WGSL : 0u) |
            (kernels[i].function ? KT_LANGUAGE_C_FUNCTION : 0u);
    return all;
}

/* The first language of the device that the kernels are given in; else one that the device takes,
 * so that the library says what is missing. PTX is the same text on every machine: CUDA C is for
 * where it is not there. */
static kt_language choose_language(uint32_t given, uint32_t taken)
{
    static const kt_language languages[] = {KT_LANGUAGE_OPENCL_C,     KT_LANGUAGE_SPIRV_SHADER,
                                            KT_LANGUAGE_SPIRV_KERNEL, KT_LANGUAGE_WGSL,
                                            KT_LANGUAGE_PTX,          KT_LANGUAGE_CUDA_C,
                                            KT_LANGUAGE_MSL,          KT_LANGUAGE_C_FUNCTION};
    const size_t count = sizeof languages / sizeof languages[0];
    for (size_t i = 0; i < count; i++)
        if (given & taken & languages[i])
            return languages[i];
    if (taken & KT_LANGUAGE_C_FUNCTION)
        return KT_LANGUAGE_C_FUNCTION;
    for (size_t i = 0; i < count; i++)
        if (taken & languages[i])
            return languages[i];
    return KT_LANGUAGE_OPENCL_C;
}

const char *workload_lacks(const workload *which, const char *variant, uint32_t languages)
{
    const workload_kernel *kernels = find_kernels(which, variant);
    if (!kernels || (languages_of(which, kernels) & languages))
        return NULL;
    if (!HAVE_GLSLC && (languages & KT_LANGUAGE_SPIRV_SHADER))
        return "its kernels are in SPIR-V, and kerntime was built without glslc, which makes it";
    if (!HAVE_SPIRV_KERNEL && (languages & KT_LANGUAGE_SPIRV_KERNEL))
        return "its kernels are in SPIR-V of OpenCL, and kerntime was built without clang or "
               "llvm-spirv, which make it together";
    if (languages == 0)
        return "the device takes no kernels: hiprtc, which compiles them for HIP, is not here "
               "(KERNTIME_LIB_HIPRTC names its file; AMD's ROCm has it as libhiprtc.so)";
    return "the kernel is not there in a language of this device";
}

static kt_program_desc describe_program(const workload_kernel *kernel, kt_language language)
{
    kt_program_desc desc = {.size = sizeof desc,
                            .language = language,
                            .entry = kernel->entry,
                            .source = kernel->source,
                            .function = kernel->function};
    if (language == KT_LANGUAGE_SPIRV_SHADER) {
        desc.source = (const char *)kernel->spirv;
        desc.source_bytes = kernel->spirv_bytes;
        if (kernel->spirv)
            desc.entry = "main";
    } else if (language == KT_LANGUAGE_SPIRV_KERNEL) {
        desc.source = (const char *)kernel->spirv_kernel;
        desc.source_bytes = kernel->spirv_kernel_bytes;
    } else if (language == KT_LANGUAGE_WGSL) {
        desc.source = kernel->wgsl;
    } else if (language == KT_LANGUAGE_PTX) {
        desc.source = kernel->ptx;
    }
    return desc;
}

static kt_status build_kernels(workload_run *run, kt_device *device, const char *variant)
{
    const workload *which = run->workload;
    const workload_kernel *kernels = find_kernels(which, variant);
    if (!kernels || kernel_count(which) > WORKLOAD_KERNELS_MAX)
        return KT_INVALID;
    kt_language language =
        choose_language(languages_of(which, kernels), kt_device_get_info(device)->languages);
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < kernel_count(which) && status == KT_OK; i++) {
        const kt_program_desc program = describe_program(&kernels[i], language);
        status = kt_program_create(device, &program, &run->programs[i]);
    }
    return status;
}

kt_status workload_open(workload_run *run, const workload *which, const void *problem,
                        kt_device *device, uint64_t size, kt_job_desc *desc)
{
    run->workload = which;
    run->problem = problem;
    kt_status status = which->kernels ? build_kernels(run, device, desc->variant) : KT_OK;
    if (status != KT_OK)
        return status;
    desc->trials_max = which->trials_max;
    desc->reset = which->reset;
    desc->verify = which->verify;
    desc->user = run;
    return which->open(run, device, size, desc);
}

void workload_close(workload_run *run)
{
    kt_job_destroy(&run->job);
    for (int i = 0; i < WORKLOAD_MEMORIES_MAX; i++)
        kt_memory_destroy(&run->memories[i]);
    for (int i = 0; i < WORKLOAD_KERNELS_MAX; i++)
        kt_program_destroy(&run->programs[i]);
    free(run->output);
    run->output = NULL;
}

double workload_no_flops(uint64_t size)
{
    (void)size;
    return 0;
}

uint64_t workload_array_bytes(uint64_t elements)
{
    return elements * sizeof(uint32_t);
}

uint32_t workload_groups(uint64_t elements)
{
    uint64_t groups = (elements + WORKLOAD_GROUP - 1) / WORKLOAD_GROUP;
    return groups < GROUPS_MAX ? (uint32_t)groups : GROUPS_MAX;
}

void workload_make_numbers(float *numbers, size_t count, uint32_t seed)
{
    uint32_t state = seed;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' quick generator */
        numbers[i] = (float)((int32_t)((state >> 16) % 17u) - 8);
    }
}

void workload_make_words(uint32_t *words, size_t count, uint32_t seed)
{
    uint32_t state = seed;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        words[i] = state ^ state >> 16; /* its low bits alone repeat soon */
    }
}

kt_status workload_add_memory(workload_run *run, kt_device *device, int index, const void *content,
                              size_t bytes)
{
    kt_status status = kt_memory_create(device, KT_MEMORY_DEFAULT, bytes, &run->memories[index]);
    if (status == KT_OK && content)
        status = kt_memory_write(run->memories[index], 0, content, bytes);
    return status;
}

kt_status workload_create_job(workload_run *run, kt_device *device, uint64_t size,
                              const kt_step *step, kt_job_desc *desc)
{
    const workload *w = run->workload;
    kt_step complete = *step;
    complete.name = w->name;
    complete.program = run->programs[0];
    complete.bytes = w->bytes(size);
    complete.flops = w->flops(size);
    return workload_create_steps(run, device, &complete, 1, desc);
}

kt_status workload_create_steps(workload_run *run, kt_device *device, const kt_step *steps,
                                uint32_t count, kt_job_desc *desc)
{
    kt_job_desc whole = *desc; /* the steps may not outlive this call, the caller's `desc` does */
    whole.steps = steps;
    whole.step_count = count;
    return kt_job_create(device, &whole, &run->job);
}

/* Room for what is read back, or written before each submission. */
static kt_status make_room(workload_run *run, size_t bytes)
{
    if (bytes > run->room_bytes) {
        free(run->output);
        run->output = malloc(bytes);
        run->room_bytes = run->output ? bytes : 0;
    }
    return run->output ? KT_OK : KT_NO_MEMORY;
}

static kt_status add_written(workload_run *run, kt_device *device, int index, const void *content,
                             size_t bytes)
{
    kt_status status = make_room(run, bytes);
    if (status != KT_OK)
        return status;
    run->written_bytes[index] = bytes;
    return workload_add_memory(run, device, index, content, bytes);
}

kt_status workload_add_output(workload_run *run, kt_device *device, int index, const void *content,
                              size_t bytes)
{
    run->output_bytes = bytes;
    kt_status status = add_written(run, device, index, content, bytes);
    run->output_memory = run->memories[index];
    return status;
}

kt_status workload_add_scratch(workload_run *run, kt_device *device, int index, size_t bytes)
{
    return add_written(run, device, index, NULL, bytes);
}

/* What a driver may still use: never freed, but within reach, so that no leak checker takes it for
 * forgotten. */
typedef struct abandoned {
    void *memory;
    struct abandoned *next;
} abandoned;

static abandoned *graveyard;

static void abandon_output(workload_run *run)
{
    abandoned *entry = malloc(sizeof *entry);
    if (entry) {
        *entry = (abandoned){run->output, graveyard};
        graveyard = entry;
    }
    run->output = NULL;
}

/* Tells why a transfer failed. One that never ended may still need the host's side of it. */
static kt_status end_transfer(workload_run *run, kt_status status, char *reason,
                              size_t reason_bytes)
{
    if (status != KT_OK)
        snprintf(reason, reason_bytes, "%s", kt_error_text());
    if (status == KT_TIMEOUT)
        abandon_output(run);
    return status;
}

kt_status workload_write_output(workload_run *run, const void *content, char *reason,
                                size_t reason_bytes)
{
    kt_status status = kt_memory_write(run->output_memory, 0, content, run->output_bytes);
    return end_transfer(run, status, reason, reason_bytes);
}

kt_status workload_spoil_output(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    kt_status status = KT_OK;
    memset(run->output, 0xFF, run->room_bytes);
    for (int i = 0; i < WORKLOAD_MEMORIES_MAX && status == KT_OK; i++)
        if (run->written_bytes[i])
            status = kt_memory_write(run->memories[i], 0, run->output, run->written_bytes[i]);
    return end_transfer(run, status, reason, reason_bytes);
}

kt_status workload_read_output(workload_run *run, char *reason, size_t reason_bytes)
{
    kt_status status = kt_memory_read(run->output_memory, 0, run->output, run->output_bytes);
    return end_transfer(run, status, reason, reason_bytes);
}

kt_status workload_add_pieces(workload_run *run, uint64_t bytes, size_t piece_bytes)
{
    run->output_bytes = (size_t)bytes;
    return make_room(run, bytes < piece_bytes ? (size_t)bytes : piece_bytes);
}

kt_status workload_write_piece(workload_run *run, int index, uint64_t offset, size_t count,
                               char *reason, size_t reason_bytes)
{
    kt_status status = kt_memory_write(run->memories[index], (size_t)offset, run->output, count);
    return end_transfer(run, status, reason, reason_bytes);
}

kt_status workload_read_piece(workload_run *run, int index, uint64_t offset, size_t count,
                              char *reason, size_t reason_bytes)
{
    kt_status status = kt_memory_read(run->memories[index], (size_t)offset, run->output, count);
    return end_transfer(run, status, reason, reason_bytes);
}

uint32_t workload_threads(void)
{
#ifdef _OPENMP
    return (uint32_t)omp_get_max_threads();
#else
    return 1;
#endif
}

void workload_end_threads(void)
{
#if defined(_OPENMP) && (__GNUC__ >= 9 || defined(__clang__)) /* of OpenMP 5.0 */
    omp_pause_resource_all(omp_pause_soft);
#endif
}
