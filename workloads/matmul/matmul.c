/* SPDX-License-Identifier: MIT */
#include "matmul.h"

#include "matmul.cl.h"
#include "matmul.ptx.h"
#include "matmul.spv.h"
#include "matmul.wgsl.h"
#include "matmul_naive.comp.h"
#include "matmul_tiled.comp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t matrix_bytes(uint64_t n)
{
    return (size_t)(n * n) * sizeof(float);
}

static double flops(uint64_t n)
{
    return 2.0 * (double)n * (double)n * (double)n;
}

static uint64_t bytes(uint64_t n)
{
    return 3 * (uint64_t)matrix_bytes(n);
}

static uint64_t largest_bytes(uint64_t n)
{
    return matrix_bytes(n);
}

/* ---- the problem ---- */

static void problem_destroy(void *problem)
{
    matmul_problem *p = problem;
    if (!p)
        return;
    free(p->a);
    free(p->b);
    free(p->reference);
    free(p->output);
    free(p);
}

static kt_status problem_create(uint64_t n, void **out)
{
    matmul_problem *p = calloc(1, sizeof *p);
    if (!p)
        return KT_NO_MEMORY;
    p->n = (uint32_t)n;
    float **matrices[] = {&p->a, &p->b, &p->reference, &p->output};
    for (int i = 0; i < 4; i++) {
        *matrices[i] = malloc(matrix_bytes(n));
        if (!*matrices[i]) {
            problem_destroy(p);
            return KT_NO_MEMORY;
        }
    }
    workload_make_numbers(p->a, (size_t)(n * n), 1);
    workload_make_numbers(p->b, (size_t)(n * n), 2);
    matmul_best_parallel(p);
    workload_end_threads();
    memcpy(p->reference, p->output, matrix_bytes(n));
    *out = p;
    return KT_OK;
}

/* One element is enough: if a baseline runs at all, it writes them all. */
static void problem_reset(void *problem)
{
    const matmul_problem *p = problem;
    p->output[0] = NAN;
}

static int problem_check(const void *problem)
{
    const matmul_problem *p = problem;
    return memcmp(p->output, p->reference, matrix_bytes(p->n)) == 0;
}

static const workload_baseline baselines[] = {
    WORKLOAD_BASELINES(matmul),
};

/* ---- on a device ---- */

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    const matmul_problem *p = run->problem;
    kt_status status = workload_read_output(run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const float *output = run->output;
    if (memcmp(output, p->reference, matrix_bytes(p->n)) == 0)
        return KT_OK;
    for (size_t i = 0; i < (size_t)p->n * p->n; i++)
        if (!(output[i] == p->reference[i])) {
            snprintf(reason, reason_bytes, "C[%zu][%zu] is %.9g, not %.9g", i / p->n, i % p->n,
                     output[i], p->reference[i]);
            return KT_WRONG_RESULT;
        }
    return KT_OK; /* -0 for 0 */
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    const matmul_problem *p = run->problem;
    kt_status status = workload_add_memory(run, device, 0, p->a, matrix_bytes(size));
    if (status == KT_OK)
        status = workload_add_memory(run, device, 1, p->b, matrix_bytes(size));
    if (status == KT_OK)
        status = workload_add_output(run, device, 2, NULL, matrix_bytes(size));
    if (status != KT_OK)
        return status;
    const kt_arg args[] = {{.memory = run->memories[0]},
                           {.memory = run->memories[1]},
                           {.memory = run->memories[2]},
                           {.value = &p->n, .value_bytes = sizeof p->n}};
    uint32_t groups = (p->n + MATMUL_TILE - 1) / MATMUL_TILE;
    const kt_step step = {.args = args,
                          .arg_count = 4,
                          .groups = {groups, groups, 1},
                          .group_size = {MATMUL_TILE, MATMUL_TILE, 1}};
    return workload_create_job(run, device, size, &step, desc);
}

static const char *const variants[] = {"naive", "tiled", NULL};

static const workload_kernel kernels[] = {
    WORKLOAD_KERNEL(matmul, matmul_naive),
    WORKLOAD_KERNEL(matmul, matmul_tiled),
};

const workload workload_matmul = {
    .name = "matmul",
    .summary = "C = A B, square matrices of f32",
    .param = "size",
    .param_help = "rows and columns of each matrix",
    .unit = "rows",
    .sizes = "32..1024",
    .size_max = 16384,
    .targets =
        WORKLOAD_C_FUNCTION | WORKLOAD_DIALECT | WORKLOAD_GLSL(matmul_naive_comp) | WORKLOAD_WGSL,
    .variants = variants,
    .kernels = kernels,
    .baselines = baselines,
    .baseline_count = sizeof baselines / sizeof baselines[0],
    .calibration_size = 128,
    .flops = flops,
    .bytes = bytes,
    .memory_bytes = bytes,
    .largest_bytes = largest_bytes,
    .problem_create = problem_create,
    .problem_destroy = problem_destroy,
    .problem_reset = problem_reset,
    .problem_check = problem_check,
    .open = open,
    .reset = workload_spoil_output,
    .verify = verify,
};
