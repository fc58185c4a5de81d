/* SPDX-License-Identifier: MIT */
#include "sort.h"

#include "sort.cl.h"
#include "sort.ptx.h"
#include "sort.spv.h"
#include "sort.wgsl.h"
#include "sort_histogram.comp.h"
#include "sort_scan.comp.h"
#include "sort_scatter.comp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often each block has each digit. */
static uint64_t table_bytes(uint64_t n)
{
    return workload_array_bytes((uint64_t)sort_blocks((uint32_t)n) * SORT_DIGITS);
}

static uint64_t offsets_bytes(uint64_t n)
{
    return table_bytes(n) + workload_array_bytes(SORT_DIGITS);
}

/* ---- traffic ---- */

static uint64_t histogram_bytes(uint64_t n)
{
    return workload_array_bytes(n) + table_bytes(n);
}

static uint64_t scan_bytes(uint64_t n)
{
    return table_bytes(n) + offsets_bytes(n);
}

static uint64_t scatter_bytes(uint64_t n)
{
    return 2 * workload_array_bytes(n) + offsets_bytes(n);
}

static uint64_t bytes(uint64_t n)
{
    return SORT_PASSES * (histogram_bytes(n) + scan_bytes(n) + scatter_bytes(n));
}

static uint64_t memory_bytes(uint64_t n)
{
    return 3 * workload_array_bytes(n) + table_bytes(n) + offsets_bytes(n);
}

static uint64_t largest_bytes(uint64_t n)
{
    return workload_array_bytes(n) > offsets_bytes(n) ? workload_array_bytes(n) : offsets_bytes(n);
}

/* ---- the problem ---- */

static void problem_destroy(void *problem)
{
    sort_problem *p = problem;
    if (!p)
        return;
    free(p->keys);
    free(p->sorted);
    free(p->output);
    free(p->scratch);
    free(p);
}

/* Knuth's generator for MMIX; its high half. */
static uint32_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* One from each of n equal parts of u32, but every eighth is the one before it again. */
static void draw_sorted(uint32_t *sorted, uint32_t n, uint64_t *state)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t low = ((uint64_t)i << 32) / n, end = ((uint64_t)(i + 1) << 32) / n;
        uint32_t key = (uint32_t)(low + draw(state) % (end - low));
        sorted[i] = i > 0 && draw(state) % 8 == 0 ? sorted[i - 1] : key;
    }
}

/* Fisher and Yates 1938 as of Durstenfeld 1964. */
static void shuffle(uint32_t *keys, uint32_t n, uint64_t *state)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t other = (uint32_t)((uint64_t)draw(state) * i >> 32);
        uint32_t key = keys[i - 1];
        keys[i - 1] = keys[other];
        keys[other] = key;
    }
}

static kt_status problem_create(uint64_t n, void **out)
{
    sort_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->n = (uint32_t)n;
    uint32_t **arrays[] = {&p->keys, &p->sorted, &p->output, &p->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = malloc(workload_array_bytes(n));
        if (!*arrays[i]) {
            problem_destroy(p);
            return KT_NO_MEMORY;
        }
    }
    uint64_t state = 1;
    draw_sorted(p->sorted, p->n, &state);
    memcpy(p->keys, p->sorted, workload_array_bytes(n));
    shuffle(p->keys, p->n, &state);
    *out = p;
    return KT_OK;
}

static void problem_reset(void *problem)
{
    const sort_problem *p = problem;
    memset(p->output, 0xFF, workload_array_bytes(p->n));
}

/* The index of the first key that is not where it belongs, or n. */
static uint32_t first_wrong(const sort_problem *p, const uint32_t *output)
{
    uint32_t i = 0;
    while (i < p->n && output[i] == p->sorted[i])
        i++;
    return i;
}

static int problem_check(const void *problem)
{
    const sort_problem *p = problem;
    return first_wrong(p, p->output) == p->n;
}

static const workload_baseline baselines[] = {
    WORKLOAD_BASELINES(sort),
};

/* ---- on a device ---- */

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const sort_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const uint32_t *output = run->output;
    uint32_t i = first_wrong(p, output);
    if (i == p->n)
        return KT_OK;
    snprintf(reason, reason_bytes, "key %u is 0x%08x, not 0x%08x", i, output[i], p->sorted[i]);
    return KT_WRONG_RESULT;
}

enum { KEYS, COUNTS, OFFSETS, ODD, OUTPUT };

/* The keys stay as they are: the first pass reads them, and the others move between two memories,
 * so no step writes to what it reads, and each may be repeated. */
static kt_status add_memories(workload_run *run, kt_device *device, uint64_t n)
{
    const sort_problem *p = run->problem;
    kt_status status = workload_add_memory(run, device, KEYS, p->keys, workload_array_bytes(n));
    if (status == KT_OK)
        status = workload_add_scratch(run, device, COUNTS, table_bytes(n));
    if (status == KT_OK)
        status = workload_add_scratch(run, device, OFFSETS, offsets_bytes(n));
    if (status == KT_OK)
        status = workload_add_scratch(run, device, ODD, workload_array_bytes(n));
    return status == KT_OK ? workload_add_output(run, device, OUTPUT, NULL, workload_array_bytes(n))
                           : status;
}

enum { HISTOGRAM, SCAN, SCATTER, KERNELS };

#define ARGS_MAX 5

typedef struct all_steps {
    kt_step steps[SORT_PASSES * KERNELS];
    kt_arg args[SORT_PASSES * KERNELS][ARGS_MAX];
    uint32_t shifts[SORT_PASSES];
} all_steps;

/* The three steps of one pass. */
static void make_pass(const workload_run *run, uint32_t pass, const uint32_t *shift,
                      kt_arg (*args)[ARGS_MAX], kt_step *steps)
{
    static const char *const names[SORT_PASSES][KERNELS] = {
        {"histogram 0", "scan 0", "scatter 0"},
        {"histogram 1", "scan 1", "scatter 1"},
        {"histogram 2", "scan 2", "scatter 2"},
        {"histogram 3", "scan 3", "scatter 3"},
    };
    const sort_problem *p = run->problem;
    const kt_arg from = {.memory = run->memories[pass == 0  ? KEYS
                                                 : pass % 2 ? ODD
                                                            : OUTPUT]},
                 to = {.memory = run->memories[pass % 2 ? OUTPUT : ODD]},
                 counts = {.memory = run->memories[COUNTS]},
                 offsets = {.memory = run->memories[OFFSETS]},
                 n = {.value = &p->n, .value_bytes = sizeof p->n},
                 digit = {.value = shift, .value_bytes = sizeof *shift};
    const kt_arg all[KERNELS][ARGS_MAX] = {
        {from, counts, n, digit}, {counts, offsets, n}, {from, to, offsets, n, digit}};
    static const uint32_t arg_counts[KERNELS] = {4, 3, 5};
    const uint64_t traffic[KERNELS] = {histogram_bytes(p->n), scan_bytes(p->n),
                                       scatter_bytes(p->n)};
    for (int i = 0; i < KERNELS; i++) {
        memcpy(args[i], all[i], sizeof all[i]);
        steps[i] = (kt_step){.name = names[pass][i],
                             .program = run->programs[i],
                             .args = args[i],
                             .arg_count = arg_counts[i],
                             .groups = {i == SCAN ? SORT_DIGITS : sort_blocks(p->n)},
                             .group_size = {i == SCAN ? SORT_SCANNERS : SORT_DIGITS},
                             .bytes = traffic[i]};
    }
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    kt_status status = add_memories(run, device, size);
    if (status != KT_OK)
        return status;
    all_steps all;
    for (uint32_t pass = 0; pass < SORT_PASSES; pass++) {
        all.shifts[pass] = pass * SORT_BITS;
        make_pass(run, pass, &all.shifts[pass], all.args + (size_t)pass * KERNELS,
                  all.steps + (size_t)pass * KERNELS);
    }
    return workload_create_steps(run, device, all.steps, SORT_PASSES * KERNELS, desc);
}

static const workload_kernel kernels[KERNELS] = {
    WORKLOAD_KERNEL(sort, sort_histogram),
    WORKLOAD_KERNEL(sort, sort_scan),
    WORKLOAD_KERNEL(sort, sort_scatter),
};

const workload workload_sort = {
    .name = "sort",
    .summary = "radix sort of u32 keys: three kernels for each of four digits",
    .param = "size",
    .param_help = "keys",
    .unit = "keys",
    .sizes = "65536,1048576,4194304,16777216",
    .size_max = UINT64_C(1) << 28, /* 1 GiB, three times */
    .targets =
        WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(sort_scatter_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .kernel_count = KERNELS,
    .baselines = baselines,
    .baseline_count = sizeof baselines / sizeof baselines[0],
    .calibration_size = UINT64_C(1) << 17,
    .flops = workload_no_flops,
    .bytes = bytes,
    .memory_bytes = memory_bytes,
    .largest_bytes = largest_bytes,
    .problem_create = problem_create,
    .problem_destroy = problem_destroy,
    .problem_reset = problem_reset,
    .problem_check = problem_check,
    .open = open,
    .reset = workload_spoil_output,
    .verify = verify,
};
