/* SPDX-License-Identifier: MIT */
#include "reduce.h"

#include "reduce.cl.h"
#include "reduce.ptx.h"
#include "reduce.spv.h"
#include "reduce.wgsl.h"
#include "reduce_final.comp.h"
#include "reduce_partial.comp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t partial_count(uint64_t n)
{
    const uint64_t share = REDUCE_GROUP * REDUCE_ITEM_MIN;
    uint64_t groups = (n + share - 1) / share;
    return groups < REDUCE_PARTIALS_MAX ? (uint32_t)groups : REDUCE_PARTIALS_MAX;
}

static uint64_t partial_bytes(uint64_t n)
{
    return workload_array_bytes(n) + workload_array_bytes(partial_count(n));
}

static uint64_t final_bytes(uint64_t n)
{
    return workload_array_bytes(partial_count(n)) + sizeof(uint32_t);
}

static uint64_t bytes(uint64_t n)
{
    return partial_bytes(n) + final_bytes(n);
}

static uint64_t memory_bytes(uint64_t n)
{
    return workload_array_bytes(n) + final_bytes(n);
}

/* ---- the problem ---- */

static void problem_destroy(void *problem)
{
    reduce_problem *p = problem;
    if (!p)
        return;
    free(p->input);
    free(p);
}

static kt_status problem_create(uint64_t n, void **out)
{
    reduce_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->n = (uint32_t)n;
    p->input = malloc(workload_array_bytes(n));
    if (!p->input) {
        problem_destroy(p);
        return KT_NO_MEMORY;
    }
    workload_make_words(p->input, (size_t)n, 1);
    reduce_sequential(p);
    p->reference = p->output;
    *out = p;
    return KT_OK;
}

static void problem_reset(void *problem)
{
    reduce_problem *p = problem;
    p->output = ~p->reference;
}

static int problem_check(const void *problem)
{
    const reduce_problem *p = problem;
    return p->output == p->reference;
}

static const workload_baseline baselines[] = {
    WORKLOAD_BASELINES(reduce),
};

/* ---- on a device ---- */

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const reduce_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const uint32_t *sum = run->output;
    if (*sum == p->reference)
        return KT_OK;
    snprintf(reason, reason_bytes, "the sum is %u, not %u", *sum, p->reference);
    return KT_WRONG_RESULT;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const reduce_problem *p = run->problem;
    uint32_t groups = partial_count(size);
    kt_status status = workload_add_memory(run, device, 0, p->input, workload_array_bytes(size));
    if (status == KT_OK)
        status = workload_add_scratch(run, device, 1, workload_array_bytes(groups));
    if (status == KT_OK)
        status = workload_add_output(run, device, 2, NULL, sizeof(uint32_t));
    if (status != KT_OK)
        return status;
    const kt_arg partial_args[] = {{.memory = run->memories[0]},
                                   {.memory = run->memories[1]},
                                   {.value = &p->n, .value_bytes = sizeof p->n}};
    const kt_arg final_args[] = {{.memory = run->memories[1]},
                                 {.memory = run->memories[2]},
                                 {.value = &groups, .value_bytes = sizeof groups}};
    const kt_step steps[] = {{.name = "reduce_partial",
                              .program = run->programs[0],
                              .args = partial_args,
                              .arg_count = 3,
                              .groups = {groups},
                              .group_size = {REDUCE_GROUP},
                              .bytes = partial_bytes(size)},
                             {.name = "reduce_final",
                              .program = run->programs[1],
                              .args = final_args,
                              .arg_count = 3,
                              .group_size = {REDUCE_GROUP},
                              .bytes = final_bytes(size)}};
    return workload_create_steps(run, device, steps, 2, desc);
}

static const workload_kernel kernels[] = {
    WORKLOAD_KERNEL(reduce, reduce_partial),
    WORKLOAD_KERNEL(reduce, reduce_final),
};

const workload workload_reduce = {
    .name = "reduce",
    .summary = "sum of an array of u32, two kernels: a sum for each group, then theirs",
    .param = "size",
    .param_help = "elements of the array",
    .unit = "elements",
    .sizes = "65536,1048576,4194304,16777216",
    .size_max = UINT64_C(1) << 28, /* 1 GiB */
    .targets =
        WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(reduce_partial_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .kernel_count = 2,
    .baselines = baselines,
    .baseline_count = sizeof baselines / sizeof baselines[0],
    .calibration_size = UINT64_C(1) << 20,
    .flops = workload_no_flops,
    .bytes = bytes,
    .memory_bytes = memory_bytes,
    .largest_bytes = workload_array_bytes,
    .problem_create = problem_create,
    .problem_destroy = problem_destroy,
    .problem_reset = problem_reset,
    .problem_check = problem_check,
    .open = open,
    .reset = workload_spoil_output,
    .verify = verify,
};
