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
    X(saxpy)

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

/* The kernel of a variant, NULL if there is no such variant. */
static const workload_kernel *find_kernel(const workload *which, const char *variant)
{
    if (!which->variants || !variant)
        return which->kernels;
    for (size_t i = 0; which->variants[i]; i++)
        if (strcmp(which->variants[i], variant) == 0)
            return &which->kernels[i];
    return NULL;
}

/* The languages that the kernel is given in. */
static uint32_t languages_of(const workload_kernel *kernel)
{
    return (kernel->source ? KT_LANGUAGE_OPENCL_C : 0u) |
           (kernel->spirv ? KT_LANGUAGE_SPIRV_SHADER : 0u) |
           (kernel->function ? KT_LANGUAGE_C_FUNCTION : 0u);
}

/* The first language of the device that the kernel is given in; else one that the device takes, so that
 * the library says what is missing. */
static kt_language choose_language(const workload_kernel *kernel, uint32_t taken)
{
    uint32_t both = languages_of(kernel) & taken;
    if (both & KT_LANGUAGE_OPENCL_C)
        return KT_LANGUAGE_OPENCL_C;
    if (both & KT_LANGUAGE_SPIRV_SHADER)
        return KT_LANGUAGE_SPIRV_SHADER;
    if (taken & KT_LANGUAGE_C_FUNCTION)
        return KT_LANGUAGE_C_FUNCTION;
    return taken & KT_LANGUAGE_SPIRV_SHADER ? KT_LANGUAGE_SPIRV_SHADER : KT_LANGUAGE_OPENCL_C;
}

const char *workload_lacks(const workload *which, const char *variant, uint32_t languages)
{
    const workload_kernel *kernel = find_kernel(which, variant);
    if (!kernel || (languages_of(kernel) & languages))
        return NULL;
    if (!HAVE_GLSLC && (languages & KT_LANGUAGE_SPIRV_SHADER))
        return "its kernels are in SPIR-V, and kerntime was built without glslc, which makes it";
    return "the kernel is not there in a language of this device";
}

static kt_program_desc describe_program(const workload_kernel *kernel, uint32_t taken)
{
    kt_program_desc desc = {.size = sizeof desc,
                            .language = choose_language(kernel, taken),
                            .entry = kernel->entry,
                            .source = kernel->source,
                            .build_flags = kernel->build_flags,
                            .function = kernel->function};
    if (desc.language == KT_LANGUAGE_SPIRV_SHADER) {
        desc.source = (const char *)kernel->spirv;
        desc.source_bytes = kernel->spirv_bytes;
        desc.build_flags = NULL;
        if (kernel->spirv)
            desc.entry = "main";
    }
    return desc;
}

kt_status workload_open(workload_run *run, const workload *which, const void *problem,
                        kt_device *device, uint64_t size, kt_job_desc *desc)
{
    run->workload = which;
    run->problem = problem;
    const workload_kernel *kernel = find_kernel(which, desc->variant);
    if (!kernel)
        return KT_INVALID;
    const kt_program_desc program = describe_program(kernel, kt_device_get_info(device)->languages);
    kt_status status = kt_program_create(device, &program, &run->program);
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
    kt_program_destroy(&run->program);
    free(run->output);
    run->output = NULL;
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
    complete.program = run->program;
    complete.bytes = w->bytes(size);
    complete.flops = w->flops(size);
    desc->steps = &complete;
    desc->step_count = 1;
    return kt_job_create(device, desc, &run->job);
}

kt_status workload_add_output(workload_run *run, kt_device *device, int index, const void *content,
                              size_t bytes)
{
    run->output = malloc(bytes);
    if (!run->output)
        return KT_NO_MEMORY;
    run->output_bytes = bytes;
    kt_status status = workload_add_memory(run, device, index, content, bytes);
    run->output_memory = run->memories[index];
    return status;
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
static kt_status end_transfer(workload_run *run, kt_status status, char *why, size_t why_bytes)
{
    if (status != KT_OK)
        snprintf(why, why_bytes, "%s", kt_error_text());
    if (status == KT_TIMEOUT)
        abandon_output(run);
    return status;
}

kt_status workload_write_output(workload_run *run, const void *content, char *why, size_t why_bytes)
{
    kt_status status = kt_memory_write(run->output_memory, 0, content, run->output_bytes);
    return end_transfer(run, status, why, why_bytes);
}

kt_status workload_spoil_output(void *user, char *why, size_t why_bytes)
{
    workload_run *run = user;
    memset(run->output, 0xFF, run->output_bytes);
    return workload_write_output(run, run->output, why, why_bytes);
}

kt_status workload_read_output(workload_run *run, char *why, size_t why_bytes)
{
    kt_status status = kt_memory_read(run->output_memory, 0, run->output, run->output_bytes);
    return end_transfer(run, status, why, why_bytes);
}

void workload_end_threads(void)
{
#if defined(_OPENMP) && (__GNUC__ >= 9 || defined(__clang__)) /* of OpenMP 5.0 */
    omp_pause_resource_all(omp_pause_soft);
#endif
}
