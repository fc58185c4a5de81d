/* SPDX-License-Identifier: MIT */
#include "triad.h"

#include "triad.cl.h"   /* made of triad.cl by the build */
#include "triad.comp.h" /* and of triad.comp */
#include "triad.ptx.h"  /* of triad.cl, too */
#include "triad.spv.h"  /* and this */
#include "triad.wgsl.h" /* and of triad.wgsl */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t array_bytes(uint64_t n)
{
    return n * sizeof(float);
}

static uint64_t bytes(uint64_t n)
{
    return 3 * array_bytes(n);
}

static double flops(uint64_t n)
{
    return 2.0 * (double)n;
}

/* ---- the problem, on the host ---- */

static void problem_destroy(void *problem)
{
    triad_problem *p = problem;
    if (!p)
        return;
    free(p->b);
    free(p->c);
    free(p->reference);
    free(p->output);
    free(p);
}

static kt_status problem_create(uint64_t n, void **out)
{
    triad_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->n = (uint32_t)n;
    float **arrays[] = {&p->b, &p->c, &p->reference, &p->output};
    for (int i = 0; i < 4; i++)
        if (!(*arrays[i] = malloc(array_bytes(n)))) {
            problem_destroy(p);
            return KT_NO_MEMORY;
        }
    workload_make_numbers(p->b, (size_t)n, 1);
    workload_make_numbers(p->c, (size_t)n, 2);
    for (uint32_t i = 0; i < p->n; i++)
        p->reference[i] = p->b[i] + TRIAD_S * p->c[i];
    *out = p;
    return KT_OK;
}

/* Untimed, before each run of a baseline, and after it. */
static void problem_reset(void *problem)
{
    const triad_problem *p = problem;
    memset(p->output, 0xFF, array_bytes(p->n));
}

static int problem_check(const void *problem)
{
    const triad_problem *p = problem;
    return memcmp(p->output, p->reference, array_bytes(p->n)) == 0;
}

static const workload_baseline baselines[] = {
    {"sequential", triad_sequential_flags, triad_sequential},
};

/* ---- on a device ---- */

/* For devices that run C functions: the work of one group, as in triad.cl. */
static void triad_c(const kt_c_group *group, void *const *args)
{
    float *restrict a = args[0];
    const float *restrict b = args[1], *restrict c = args[2];
    uint32_t n = *(const uint32_t *)args[3];
    uint32_t items = group->group_size[0], stride = group->groups[0] * items;
    for (uint32_t begin = group->group[0] * items; begin < n; begin += stride)
        for (uint32_t i = begin; i < begin + items && i < n; i++)
            a[i] = b[i] + TRIAD_S * c[i];
}

/* Untimed, after each submission: its time counts only if the output is right. */
static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const triad_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    const float *a = run->output;
    for (uint32_t i = 0; status == KT_OK && i < p->n; i++)
        if (!(a[i] == p->reference[i])) {
            snprintf(reason, reason_bytes, "a[%u] is %.9g, not %.9g", i, a[i], p->reference[i]);
            return KT_WRONG_RESULT;
        }
    return status;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const triad_problem *p = run->problem;
    kt_status status = workload_add_output(run, device, 0, NULL, array_bytes(size));
    if (status == KT_OK)
        status = workload_add_memory(run, device, 1, p->b, array_bytes(size));
    if (status == KT_OK)
        status = workload_add_memory(run, device, 2, p->c, array_bytes(size));
    if (status != KT_OK)
        return status;
    const kt_arg args[] = {{.memory = run->memories[0]},
                           {.memory = run->memories[1]},
                           {.memory = run->memories[2]},
                           {.value = &p->n, .value_bytes = sizeof p->n}};
    const kt_step step = {.args = args,
                          .arg_count = 4,
                          .groups = {workload_groups(size)},
                          .group_size = {WORKLOAD_GROUP}};
    return workload_create_job(run, device, size, &step, desc);
}

static const workload_kernel kernels[] = {
    {.entry = "triad",
     .function = triad_c,
     .source = triad_cl,
     .ptx = triad_ptx,
     .spirv_kernel = triad_spv,
     .spirv_kernel_bytes = triad_spv_bytes,
     .spirv = triad_comp,
     .spirv_bytes = triad_comp_bytes,
     .wgsl = triad_wgsl},
};

const workload workload_triad = {
    .name = "triad",
    .summary = "a = b + s c, arrays of f32",
    .param = "size",
    .param_help = "elements of each array",
    .sizes = "4096,65536,1048576,16777216",
    .size_max = UINT64_C(1) << 28,
    .targets = WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(triad_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .baselines = baselines,
    .baseline_count = 1,
    .calibration_size = UINT64_C(1) << 20,
    .flops = flops,
    .bytes = bytes,
    .memory_bytes = bytes,
    .largest_bytes = array_bytes,
    .problem_create = problem_create,
    .problem_destroy = problem_destroy,
    .problem_reset = problem_reset,
    .problem_check = problem_check,
    .open = open,
    .reset = workload_spoil_output,
    .verify = verify,
};
