/* SPDX-License-Identifier: MIT */
#include "scan.h"

#include "scan.cl.h"
#include "scan.ptx.h"
#include "scan.spv.h"
#include "scan.wgsl.h"
#include "scan_block_sums.comp.h"
#include "scan_blocks.comp.h"
#include "scan_offsets.comp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t block_count(uint64_t n)
{
    uint64_t tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    return tiles < SCAN_BLOCKS_MAX ? (uint32_t)tiles : SCAN_BLOCKS_MAX;
}

static uint64_t block_sums_bytes(uint64_t n)
{
    return workload_array_bytes(n) + workload_array_bytes(block_count(n));
}

static uint64_t offsets_bytes(uint64_t n)
{
    return 2 * workload_array_bytes(block_count(n));
}

static uint64_t blocks_bytes(uint64_t n)
{
    return 2 * workload_array_bytes(n) + workload_array_bytes(block_count(n));
}

static uint64_t bytes(uint64_t n)
{
    return block_sums_bytes(n) + offsets_bytes(n) + blocks_bytes(n);
}

static uint64_t memory_bytes(uint64_t n)
{
    return 2 * workload_array_bytes(n) + offsets_bytes(n);
}

/* ---- the problem ---- */

static void problem_destroy(void *problem)
{
    scan_problem *p = problem;
    if (!p)
        return;
    free(p->input);
    free(p->output);
    free(p->piece_sums);
    free(p);
}

static kt_status problem_create(uint64_t n, void **out)
{
    scan_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->n = (uint32_t)n;
    p->input = malloc(workload_array_bytes(n));
    p->output = malloc(workload_array_bytes(n));
    p->piece_sums = malloc(workload_array_bytes((n + WORKLOAD_PIECE - 1) / WORKLOAD_PIECE));
    if (!p->input || !p->output || !p->piece_sums) {
        problem_destroy(p);
        return KT_NO_MEMORY;
    }
    workload_make_words(p->input, (size_t)n, 1);
    *out = p;
    return KT_OK;
}

static void problem_reset(void *problem)
{
    const scan_problem *p = problem;
    memset(p->output, 0xFF, workload_array_bytes(p->n));
}

/* The index of the first element that is wrong, or n; `right` is what it should be. */
static uint32_t first_wrong(const scan_problem *p, const uint32_t *output, uint32_t *right)
{
    uint32_t i = 0;
    for (*right = 0; i < p->n && output[i] == *right; i++)
        *right += p->input[i];
    return i;
}

static int problem_check(const void *problem)
{
    const scan_problem *p = problem;
    uint32_t right;
    return first_wrong(p, p->output, &right) == p->n;
}

static const workload_baseline baselines[] = {
    WORKLOAD_BASELINES(scan),
};

/* ---- on a device ---- */

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const scan_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const uint32_t *output = run->output;
    uint32_t right, i = first_wrong(p, output, &right);
    if (i == p->n)
        return KT_OK;
    snprintf(reason, reason_bytes, "sum %u is %u, not %u", i, output[i], right);
    return KT_WRONG_RESULT;
}

enum { INPUT, BLOCK_SUMS, OFFSETS, OUTPUT };

static kt_status add_memories(workload_run *run, kt_device *device, uint64_t n)
{
    const scan_problem *p = run->problem;
    kt_status status = workload_add_memory(run, device, INPUT, p->input, workload_array_bytes(n));
    if (status == KT_OK)
        status =
            workload_add_scratch(run, device, BLOCK_SUMS, workload_array_bytes(block_count(n)));
    if (status == KT_OK)
        status = workload_add_scratch(run, device, OFFSETS, workload_array_bytes(block_count(n)));
    return status == KT_OK ? workload_add_output(run, device, OUTPUT, NULL, workload_array_bytes(n))
                           : status;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const scan_problem *p = run->problem;
    kt_status status = add_memories(run, device, size);
    if (status != KT_OK)
        return status;
    uint32_t blocks = block_count(size);
    const kt_arg n = {.value = &p->n, .value_bytes = sizeof p->n};
    const kt_arg sums_args[] = {
        {.memory = run->memories[INPUT]}, {.memory = run->memories[BLOCK_SUMS]}, n};
    const kt_arg offsets_args[] = {{.memory = run->memories[BLOCK_SUMS]},
                                   {.memory = run->memories[OFFSETS]},
                                   {.value = &blocks, .value_bytes = sizeof blocks}};
    const kt_arg blocks_args[] = {{.memory = run->memories[INPUT]},
                                  {.memory = run->memories[OUTPUT]},
                                  {.memory = run->memories[OFFSETS]},
                                  n};
    kt_step steps[] = {{.name = "scan_block_sums",
                        .args = sums_args,
                        .arg_count = 3,
                        .groups = {blocks},
                        .bytes = block_sums_bytes(size)},
                       {.name = "scan_offsets",
                        .args = offsets_args,
                        .arg_count = 3,
                        .bytes = offsets_bytes(size)},
                       {.name = "scan_blocks",
                        .args = blocks_args,
                        .arg_count = 4,
                        .groups = {blocks},
                        .bytes = blocks_bytes(size)}};
    for (int i = 0; i < 3; i++) {
        steps[i].program = run->programs[i];
        steps[i].group_size[0] = SCAN_GROUP;
    }
    return workload_create_steps(run, device, steps, 3, desc);
}

static const workload_kernel kernels[] = {
    WORKLOAD_KERNEL(scan, scan_block_sums),
    WORKLOAD_KERNEL(scan, scan_offsets),
    WORKLOAD_KERNEL(scan, scan_blocks),
};

const workload workload_scan = {
    .name = "scan",
    .summary = "exclusive prefix sum of an array of u32: three kernels",
    .param = "size",
    .param_help = "elements of the array",
    .unit = "elements",
    .sizes = "65536,1048576,4194304,16777216",
    .size_max = UINT64_C(1) << 28, /* 1 GiB, twice */
    .targets =
        WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(scan_blocks_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .kernel_count = 3,
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
