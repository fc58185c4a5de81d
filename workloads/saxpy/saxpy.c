/* SPDX-License-Identifier: MIT */
#include "saxpy.h"

#include "saxpy.cl.h"
#include "saxpy.comp.h"
#include "saxpy.ptx.h"
#include "saxpy.spv.h"
#include "saxpy.wgsl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t vector_bytes(uint64_t n)
{
    return (size_t)n * sizeof(float);
}

static double flops(uint64_t n)
{
    return 2.0 * (double)n;
}

/* x and y are read, y is written. */
static uint64_t bytes(uint64_t n)
{
    return 3 * (uint64_t)vector_bytes(n);
}

static uint64_t memory_bytes(uint64_t n)
{
    return 2 * (uint64_t)vector_bytes(n);
}

static uint64_t largest_bytes(uint64_t n)
{
    return vector_bytes(n);
}

/* ---- the problem ---- */

static void problem_destroy(void *problem)
{
    saxpy_problem *p = problem;
    if (!p)
        return;
    free(p->x);
    free(p->y);
    free(p->output);
    free(p);
}

static kt_status problem_create(uint64_t n, void **out)
{
    saxpy_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->n = (uint32_t)n;
    float **vectors[] = {&p->x, &p->y, &p->output};
    for (int i = 0; i < 3; i++) {
        *vectors[i] = malloc(vector_bytes(n));
        if (!*vectors[i]) {
            problem_destroy(p);
            return KT_NO_MEMORY;
        }
    }
    workload_make_numbers(p->x, (size_t)n, 1);
    workload_make_numbers(p->y, (size_t)n, 2);
    *out = p;
    return KT_OK;
}

static void problem_reset(void *problem)
{
    const saxpy_problem *p = problem;
    memcpy(p->output, p->y, vector_bytes(p->n));
}

static float reference(const saxpy_problem *p, uint32_t i)
{
    return SAXPY_A * p->x[i] + p->y[i];
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The index of the first element that is not the reference to the last bit, or n. */
static uint32_t first_wrong(const saxpy_problem *p, const float *output)
{
    uint32_t i = 0;
    while (i < p->n && bits_of(output[i]) == bits_of(reference(p, i)))
        i++;
    return i;
}

static int problem_check(const void *problem)
{
    const saxpy_problem *p = problem;
    return first_wrong(p, p->output) == p->n;
}

static const workload_baseline baselines[] = {
    WORKLOAD_BASELINES(saxpy),
};

/* ---- on a device ---- */

/* A dispatch that is left out leaves y: a x is added to it but where x is 0. */
static kt_status reset(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const saxpy_problem *p = run->problem;
    return workload_write_output(run, p->y, reason, reason_bytes);
}

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const saxpy_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const float *output = run->output;
    uint32_t i = first_wrong(p, output);
    if (i == p->n)
        return KT_OK;
    snprintf(reason, reason_bytes, "y[%u] is %.9g, not %.9g", i, output[i], reference(p, i));
    return KT_WRONG_RESULT;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const saxpy_problem *p = run->problem;
    kt_status status = workload_add_memory(run, device, 0, p->x, vector_bytes(size));
    if (status == KT_OK)
        status = workload_add_output(run, device, 1, NULL, vector_bytes(size));
    if (status != KT_OK)
        return status;
    const kt_arg args[] = {{.memory = run->memories[0]},
                           {.memory = run->memories[1]},
                           {.value = &p->n, .value_bytes = sizeof p->n}};
    const kt_step step = {.args = args,
                          .arg_count = 3,
                          .groups = {workload_groups(size)},
                          .group_size = {WORKLOAD_GROUP}};
    return workload_create_job(run, device, size, &step, desc);
}

static const workload_kernel kernels[] = {
    WORKLOAD_KERNEL(saxpy, saxpy),
};

const workload workload_saxpy = {
    .name = "saxpy",
    .summary = "y = a x + y, vectors of f32, in place: bandwidth of reads and writes",
    .param = "size",
    .param_help = "elements of each vector",
    .unit = "elements",
    .bandwidth = 1,
    .sizes = "4096,65536,1048576,16777216",
    .size_max = UINT64_C(1) << 28, /* 1 GiB, a few times over */
    .targets = WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(saxpy_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .trials_max = 1,
    .baselines = baselines,
    .baseline_count = sizeof baselines / sizeof baselines[0],
    .calibration_size = UINT64_C(1) << 20,
    .flops = flops,
    .bytes = bytes,
    .memory_bytes = memory_bytes,
    .largest_bytes = largest_bytes,
    .problem_create = problem_create,
    .problem_destroy = problem_destroy,
    .problem_reset = problem_reset,
    .problem_check = problem_check,
    .open = open,
    .reset = reset,
    .verify = verify,
};
