/* SPDX-License-Identifier: MIT */
#include "fill.h"

#include "fill.cl.h"
#include "fill.comp.h"
#include "fill.ptx.h"
#include "fill.spv.h"
#include "fill.wgsl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bytes(uint64_t n)
{
    return n * sizeof(uint32_t);
}

/* ---- the problem ---- */

static void problem_destroy(void *problem)
{
    fill_problem *p = problem;
    if (!p)
        return;
    free(p->output);
    free(p);
}

static kt_status problem_create(uint64_t n, void **out)
{
    fill_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->n = (uint32_t)n;
    p->output = malloc(bytes(n));
    if (!p->output) {
        problem_destroy(p);
        return KT_NO_MEMORY;
    }
    *out = p;
    return KT_OK;
}

static void problem_reset(void *problem)
{
    const fill_problem *p = problem;
    memset(p->output, 0xFF, bytes(p->n));
}

/* The index of the first element that is wrong, or n. */
static uint32_t first_wrong(const fill_problem *p, const uint32_t *output)
{
    uint32_t i = 0;
    while (i < p->n && output[i] == FILL_VALUE)
        i++;
    return i;
}

static int problem_check(const void *problem)
{
    const fill_problem *p = problem;
    return first_wrong(p, p->output) == p->n;
}

static const workload_baseline baselines[] = {
    WORKLOAD_BASELINES(fill),
};

/* ---- on a device ---- */

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const fill_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const uint32_t *output = run->output;
    uint32_t i = first_wrong(p, output);
    if (i == p->n)
        return KT_OK;
    snprintf(reason, reason_bytes, "array[%u] is 0x%08x, not 0x%08x", i, output[i], FILL_VALUE);
    return KT_WRONG_RESULT;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const fill_problem *p = run->problem;
    kt_status status = workload_add_output(run, device, 0, NULL, bytes(size));
    if (status != KT_OK)
        return status;
    const kt_arg args[] = {{.memory = run->memories[0]},
                           {.value = &p->n, .value_bytes = sizeof p->n}};
    const kt_step step = {.args = args,
                          .arg_count = 2,
                          .groups = {workload_groups(size)},
                          .group_size = {WORKLOAD_GROUP}};
    return workload_create_job(run, device, size, &step, desc);
}

static const workload_kernel kernels[] = {
    WORKLOAD_KERNEL(fill, fill),
};

const workload workload_fill = {
    .name = "fill",
    .summary = "sets every element of an array of u32: bandwidth of writes",
    .param = "size",
    .param_help = "elements of the array",
    .unit = "elements",
    .bandwidth = 1,
    .sizes = "4096,65536,1048576,16777216",
    .size_max = UINT64_C(1) << 28, /* 1 GiB, a few times over */
    .targets = WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(fill_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .baselines = baselines,
    .baseline_count = sizeof baselines / sizeof baselines[0],
    .calibration_size = UINT64_C(1) << 20,
    .flops = workload_no_flops,
    .bytes = bytes,
    .memory_bytes = bytes,
    .largest_bytes = bytes,
    .problem_create = problem_create,
    .problem_destroy = problem_destroy,
    .problem_reset = problem_reset,
    .problem_check = problem_check,
    .open = open,
    .reset = workload_spoil_output,
    .verify = verify,
};
