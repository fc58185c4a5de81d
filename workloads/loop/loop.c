/* SPDX-License-Identifier: MIT */
#include "loop.h"

#include "loop.cl.h"
#include "loop.ptx.h"
#include "loop.spv.h"
#include "loop.wgsl.h"
#include "loop_rounds.comp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bytes(uint64_t iterations)
{
    (void)iterations;
    return LOOP_ITEMS * sizeof(uint32_t);
}

/* ---- the problem ---- */

static void problem_destroy(void *problem)
{
    free(problem);
}

static kt_status problem_create(uint64_t iterations, void **out)
{
    loop_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->iterations = (uint32_t)iterations;
    p->groups = 1;
    for (uint32_t i = 0; i < LOOP_ITEMS; i++) {
        p->expected[i] = i;
        for (uint32_t k = 0; k < p->iterations; k++)
            p->expected[i] = loop_next(p->expected[i], k);
    }
    *out = p;
    return KT_OK;
}

const uint32_t *loop_first_wrong(const loop_problem *problem, const uint32_t *states)
{
    for (uint32_t i = 0; i < problem->groups; i++, states += LOOP_ITEMS)
        if (memcmp(states, problem->expected, sizeof problem->expected) != 0)
            return states;
    return NULL;
}

uint32_t loop_iterations_done(const loop_problem *problem, const uint32_t *states)
{
    uint32_t at[LOOP_ITEMS], done = 0;
    for (uint32_t i = 0; i < LOOP_ITEMS; i++)
        at[i] = i;
    while (memcmp(at, states, sizeof at) != 0) {
        if (done == problem->iterations)
            return LOOP_DONE_UNKNOWN;
        for (uint32_t i = 0; i < LOOP_ITEMS; i++)
            at[i] = loop_next(at[i], done);
        done++;
    }
    return done;
}

/* ---- on a device ---- */

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const loop_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const uint32_t *states = loop_first_wrong(p, run->output);
    if (!states)
        return KT_OK;
    uint32_t i = 0;
    while (states[i] == p->expected[i])
        i++;
    uint32_t done = loop_iterations_done(p, states);
    int length = snprintf(reason, reason_bytes, "item %td is %" PRIu32 ", not %" PRIu32,
                          states + i - (uint32_t *)run->output, states[i], p->expected[i]);
    if (done != LOOP_DONE_UNKNOWN && length > 0 && (size_t)length < reason_bytes)
        snprintf(reason + length, reason_bytes - (size_t)length,
                 "; that is after %" PRIu32 " of %" PRIu32 " iterations", done, p->iterations);
    return KT_WRONG_RESULT;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const loop_problem *p = run->problem;
    kt_status status = workload_add_output(run, device, 0, NULL, p->groups * bytes(size));
    if (status != KT_OK)
        return status;
    const kt_arg args[] = {{.memory = run->memories[0]},
                           {.value = &p->iterations, .value_bytes = sizeof p->iterations}};
    const kt_step step = {
        .args = args, .arg_count = 2, .groups = {p->groups}, .group_size = {LOOP_ITEMS}};
    return workload_create_job(run, device, size, &step, desc);
}

static const workload_kernel kernels[] = {
    WORKLOAD_KERNEL(loop, loop_rounds),
};

const workload workload_loop = {
    .name = "loop",
    .summary = "rounds of arithmetic that need each other: how long a loop may be",
    .param = "iterations",
    .param_help = "rounds of each work-item",
    .sizes = "1000,100000",
    .size_max = UINT32_MAX >> 1,
    .targets =
        WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(loop_rounds_comp) | WORKLOAD_WGSL,
    .kernels = kernels,
    .flops = workload_no_flops,
    .bytes = bytes,
    .memory_bytes = bytes,
    .largest_bytes = bytes,
    .problem_create = problem_create,
    .problem_destroy = problem_destroy,
    .open = open,
    .reset = workload_spoil_output,
    .verify = verify,
};

/* ---- in other words ---- */

/* `standard` and `other` are equally long. */
static char *mark_text(const char *text, const char *standard, const char *other)
{
    char *copy = text ? malloc(strlen(text) + 1) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, text, strlen(text) + 1);
    char *at = strstr(copy, standard);
    if (at)
        memcpy(at, other, strlen(other));
    return copy;
}

#define DECIMAL_SIZE sizeof "-2147483648"

/* As clang writes it in PTX: as a signed number, of a mark a negative one, here with blanks before
 * it. */
static void write_decimal(char *text, uint32_t mark)
{
    snprintf(text, DECIMAL_SIZE, "%*" PRId64, (int)DECIMAL_SIZE - 1,
             (int64_t)mark - (INT64_C(1) << 32));
}

static char *mark_ptx(const char *ptx, uint32_t mark)
{
    char standard[DECIMAL_SIZE], other[DECIMAL_SIZE];
    write_decimal(standard, LOOP_MARK);
    write_decimal(other, mark);
    return mark_text(ptx, standard, other);
}

static uint32_t *mark_words(const uint32_t *words, size_t size, uint32_t mark)
{
    uint32_t *copy = malloc(size);
    for (size_t i = 0; copy && i < size / sizeof *copy; i++)
        copy[i] = words[i] == LOOP_MARK ? mark : words[i];
    return copy;
}

kt_status loop_mark(loop_marked *marked, uint32_t mark)
{
    const workload_kernel *plain = workload_loop.kernels;
    mark |= UINT32_C(1) << 31; /* no number of iterations */
    *marked = (loop_marked){.workload = workload_loop, .kernel = *plain};
    marked->workload.kernels = &marked->kernel;
    static const char standard[] = TEXT_OF(LOOP_MARK);
    char other[sizeof standard];
    snprintf(other, sizeof other, "0x%08" PRIx32 "u", mark);
    marked->kernel.source = marked->source = mark_text(plain->source, standard, other);
    marked->kernel.wgsl = marked->wgsl = mark_text(plain->wgsl, standard, other);
    marked->kernel.ptx = marked->ptx = mark_ptx(plain->ptx, mark);
    if (plain->spirv)
        marked->kernel.spirv = marked->spirv = mark_words(plain->spirv, plain->spirv_bytes, mark);
    if (plain->spirv_kernel)
        marked->kernel.spirv_kernel = marked->spirv_kernel =
            mark_words(plain->spirv_kernel, plain->spirv_kernel_bytes, mark);
    if (marked->source && marked->wgsl && (marked->ptx || !plain->ptx) &&
        (marked->spirv || !plain->spirv) && (marked->spirv_kernel || !plain->spirv_kernel))
        return KT_OK;
    loop_marked_free(marked);
    return KT_NO_MEMORY;
}

void loop_marked_free(loop_marked *marked)
{
    free(marked->source);
    free(marked->wgsl);
    free(marked->ptx);
    free(marked->spirv);
    free(marked->spirv_kernel);
    *marked = (loop_marked){0};
}
