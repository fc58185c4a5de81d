/* The workloads' kernels, known by their words and run as C. */
#include "stub.h"

#include "fill/value.h"
#include "loop/mark.h"
#include "saxpy/factor.h"

#include "fill.comp.h"
#include "loop.comp.h"
#include "matmul_naive.comp.h"
#include "matmul_tiled.comp.h"
#include "reduce_final.comp.h"
#include "reduce_partial.comp.h"
#include "saxpy.comp.h"
#include "scan_block_sums.comp.h"
#include "scan_blocks.comp.h"
#include "scan_offsets.comp.h"
#include "sort_histogram.comp.h"
#include "sort_scan.comp.h"
#include "sort_scatter.comp.h"
#include "tests/drivers/frame/group_kernels.h"

static uint32_t number(const struct dispatch *dispatch)
{
    uint32_t n;
    memcpy(&n, dispatch->push, sizeof n);
    return n;
}

static bool run_fill(const struct dispatch *dispatch)
{
    uint32_t n = number(dispatch), *array = dispatch->memories[0];
    if (dispatch->bytes[0] / sizeof *array < n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        array[i] = FILL_VALUE;
    return true;
}

static bool run_saxpy(const struct dispatch *dispatch)
{
    uint32_t n = number(dispatch);
    const float *x = dispatch->memories[0];
    float *y = dispatch->memories[1];
    if (dispatch->bytes[0] / sizeof *x < n || dispatch->bytes[1] / sizeof *y < n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        y[i] += (float)SAXPY_A * x[i];
    return true;
}

/* Sums over k in order, so the result is the textbook loop's to the bit. */
static bool run_matmul(const struct dispatch *dispatch)
{
    size_t n = number(dispatch);
    const float *a = dispatch->memories[0], *b = dispatch->memories[1];
    float *c = dispatch->memories[2];
    for (int i = 0; i < 3; i++)
        if (dispatch->bytes[i] / sizeof *c < n * n)
            return false;
    for (size_t row = 0; row < n; row++) {
        memset(c + row * n, 0, n * sizeof *c);
        for (size_t k = 0; k < n; k++)
            for (size_t column = 0; column < n; column++)
                c[row * n + column] += a[row * n + k] * b[k * n + column];
    }
    return true;
}

static bool run_groups(const struct dispatch *dispatch)
{
    const group_kernel *kernel = dispatch->kernel->by_groups;
    uint32_t numbers[GROUP_KERNEL_NUMBERS_MAX] = {0}, count = dispatch->kernel->bindings;
    void *args[GROUP_KERNEL_MEMORIES_MAX + GROUP_KERNEL_NUMBERS_MAX];
    memcpy(numbers, dispatch->push, dispatch->kernel->push_bytes);
    for (uint32_t i = 0; i < count; i++) {
        args[i] = dispatch->memories[i];
        if (dispatch->bytes[i] / sizeof(uint32_t) <
            group_kernel_elements(kernel, i, numbers[0], dispatch->groups))
            return false;
    }
    for (uint32_t i = 0; i < kernel->numbers; i++)
        args[count + i] = &numbers[i];
    group_kernel_run(kernel, args, dispatch->groups, WORKLOAD_GROUP);
    return true;
}

/* Its groups are smaller than those of all others. */
static bool run_loop_rounds(const struct dispatch *dispatch)
{
    uint32_t iterations = number(dispatch);
    void *const args[] = {dispatch->memories[0], &iterations};
    if (dispatch->bytes[0] < (uint64_t)dispatch->groups * LOOP_ITEMS * sizeof(uint32_t))
        return false;
    group_kernel_run(&group_kernels[LOOP_ROUNDS], args, dispatch->groups, LOOP_ITEMS);
    return true;
}

#define BY_GROUPS(shader, bindings, numbers, index)                                                \
    {                                                                                              \
#shader, shader##_comp, shader##_comp_bytes, bindings, 4 * (numbers), 1u << 1, run_groups, \
            &group_kernels[index]                                                                  \
    }

const struct kernel kernels[] = {
    {"fill", fill_comp, fill_comp_bytes, 1, 4, 1u << 0, run_fill, NULL},
    {"saxpy", saxpy_comp, saxpy_comp_bytes, 2, 4, 1u << 1, run_saxpy, NULL},
    {"matmul_naive", matmul_naive_comp, matmul_naive_comp_bytes, 3, 4, 1u << 2, run_matmul, NULL},
    {"matmul_tiled", matmul_tiled_comp, matmul_tiled_comp_bytes, 3, 4, 1u << 2, run_matmul, NULL},
    BY_GROUPS(reduce_partial, 2, 1, REDUCE_PARTIAL),
    BY_GROUPS(reduce_final, 2, 1, REDUCE_FINAL),
    BY_GROUPS(scan_block_sums, 2, 1, SCAN_BLOCK_SUMS),
    BY_GROUPS(scan_offsets, 2, 1, SCAN_OFFSETS),
    BY_GROUPS(scan_blocks, 3, 1, SCAN_BLOCKS),
    BY_GROUPS(sort_histogram, 2, 2, SORT_HISTOGRAM),
    BY_GROUPS(sort_scan, 2, 1, SORT_SCAN),
    BY_GROUPS(sort_scatter, 3, 2, SORT_SCATTER),
    {"loop_rounds", loop_comp, loop_comp_bytes, 1, 4, 1u << 0, run_loop_rounds, NULL},
};

/* The loop's mark, which no other kernel has, may be any number: it is the same kernel. */
static bool same_words(const uint32_t *known, const uint32_t *words, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        if (known[i] != words[i] && known[i] != LOOP_MARK)
            return false;
    return true;
}

const struct kernel *kernel_find(const uint32_t *words, size_t bytes)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i].bytes == bytes && same_words(kernels[i].words, words, bytes))
            return &kernels[i];
    return NULL;
}
