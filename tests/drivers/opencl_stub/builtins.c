/* The work itself, as plain C. */
#include "program.h"

/* The first `count` arguments are buffers of at least so many elements of 4 bytes. */
static cl_int check_buffers(cl_kernel kernel, unsigned count, size_t elements)
{
    for (unsigned i = 0; i < count; i++) {
        cl_mem buffer = kernel->args[i].buffer;
        if (!object_ok(buffer, KIND_BUFFER)) /* released since it was set */
            return misused(CL_INVALID_MEM_OBJECT);
        if (buffer->size / sizeof(cl_float) < elements)
            return CL_INVALID_KERNEL_ARGS;
    }
    return CL_SUCCESS;
}

static cl_int check_matmul(cl_kernel kernel)
{
    size_t n = kernel->args[3].number;
    return check_buffers(kernel, 3, n * n);
}

static cl_int check_saxpy(cl_kernel kernel)
{
    return check_buffers(kernel, 2, kernel->args[2].number);
}

static cl_int check_fill(cl_kernel kernel)
{
    return check_buffers(kernel, 1, kernel->args[1].number);
}

/* The device tells a cache of 1 MiB: less than twice that would not empty it. */
static cl_int check_flush(cl_kernel kernel)
{
    return check_buffers(kernel, 1, 2 * (1 << 20) / sizeof(cl_float));
}

/* Sums over k in order, so the result is the textbook loop's to the bit. */
static void multiply(const cl_float *a, const cl_float *b, cl_float *c, size_t n)
{
    for (size_t row = 0; row < n; row++) {
        cl_float *out = c + row * n;
        memset(out, 0, n * sizeof *out);
        for (size_t k = 0; k < n; k++) {
            cl_float factor = a[row * n + k];
            for (size_t column = 0; column < n; column++)
                out[column] += factor * b[k * n + column];
        }
    }
}

static void run_matmul(cl_kernel kernel, bool wrong)
{
    size_t n = kernel->args[3].number;
    const cl_float *a = (const cl_float *)(const void *)kernel->args[0].buffer->data;
    const cl_float *b = (const cl_float *)(const void *)kernel->args[1].buffer->data;
    cl_float *c = (cl_float *)(void *)kernel->args[2].buffer->data;
    multiply(a, b, c, n);
    if (wrong && n > 0) { /* one element, far from the first: a check of a few is not enough */
        cl_float *last = &c[n * n - 1];
        *last += *last < 0 ? 1.0F - *last : 1.0F + *last;
    }
}

static void run_saxpy(cl_kernel kernel, bool wrong)
{
    size_t n = kernel->args[2].number;
    const cl_float *x = (const cl_float *)(const void *)kernel->args[0].buffer->data;
    cl_float *y = (cl_float *)(void *)kernel->args[1].buffer->data;
    for (size_t i = 0; i < n; i++)
        y[i] += (cl_float)kernel->macro * x[i];
    if (wrong && n > 0)
        y[n - 1] += 1.0F;
}

static void run_fill(cl_kernel kernel, bool wrong)
{
    size_t n = kernel->args[1].number;
    cl_uint *array = (cl_uint *)(void *)kernel->args[0].buffer->data;
    for (size_t i = 0; i < n; i++)
        array[i] = kernel->macro;
    if (wrong && n > 0)
        array[n - 1]++;
}

cl_int builtin_check_groups(cl_kernel kernel, cl_uint groups)
{
    const group_kernel *by_groups = kernel->builtin->by_groups;
    unsigned count = (unsigned)strlen(by_groups->elements);
    for (unsigned i = 0; i < count; i++) {
        cl_mem buffer = kernel->args[i].buffer;
        if (!object_ok(buffer, KIND_BUFFER)) /* released since it was set */
            return misused(CL_INVALID_MEM_OBJECT);
        if (buffer->size / sizeof(cl_uint) <
            group_kernel_elements(by_groups, i, kernel->args[count].number, groups))
            return CL_INVALID_KERNEL_ARGS;
    }
    return CL_SUCCESS;
}

void builtin_run_groups(cl_kernel kernel, cl_uint groups, cl_uint group_size, bool wrong)
{
    const group_kernel *by_groups = kernel->builtin->by_groups;
    unsigned count = (unsigned)strlen(by_groups->elements);
    void *args[GROUP_KERNEL_MEMORIES_MAX + GROUP_KERNEL_NUMBERS_MAX];
    for (unsigned i = 0; i < count; i++)
        args[i] = kernel->args[i].buffer->data;
    for (unsigned i = count; i < count + by_groups->numbers; i++)
        args[i] = &kernel->args[i].number;
    group_kernel_run(by_groups, args, groups, group_size);
    if (wrong)
        ((cl_uint *)args[by_groups->written])[0]++;
}

static const struct builtin table[] = {
    {"matmul_naive", "bbbu", false, NULL, check_matmul, run_matmul, NULL},
    {"matmul_tiled", "bbbu", false, NULL, check_matmul, run_matmul, NULL},
    {"saxpy", "bbu", false, "SAXPY_A", check_saxpy, run_saxpy, NULL},
    {"fill", "bu", false, "FILL_VALUE", check_fill, run_fill, NULL},
    {"reduce_partial", "bbu", false, NULL, NULL, NULL, &group_kernels[REDUCE_PARTIAL]},
    {"reduce_final", "bbu", false, NULL, NULL, NULL, &group_kernels[REDUCE_FINAL]},
    {"scan_block_sums", "bbu", false, NULL, NULL, NULL, &group_kernels[SCAN_BLOCK_SUMS]},
    {"scan_offsets", "bbu", false, NULL, NULL, NULL, &group_kernels[SCAN_OFFSETS]},
    {"scan_blocks", "bbbu", false, NULL, NULL, NULL, &group_kernels[SCAN_BLOCKS]},
    {"sort_histogram", "bbuu", false, NULL, NULL, NULL, &group_kernels[SORT_HISTOGRAM]},
    {"sort_scan", "bbu", false, NULL, NULL, NULL, &group_kernels[SORT_SCAN]},
    {"sort_scatter", "bbbuu", false, NULL, NULL, NULL, &group_kernels[SORT_SCATTER]},
    {"loop_rounds", "bu", false, NULL, NULL, NULL, &group_kernels[LOOP_ROUNDS]},
    {"kt_flush", "b", false, NULL, check_flush, NULL, NULL},
};

/* kerntime's own kernel for finding the floor has a prefix, so "empty" anywhere in a name
 * counts. */
static const struct builtin empty = {"empty", NULL, true, NULL, NULL, NULL, NULL};

static const struct builtin unknown = {"", NULL, false, NULL, NULL, NULL, NULL};

const struct builtin *builtin_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(name, table[i].name) == 0)
            return &table[i];
    }
    return strstr(name, empty.name) ? &empty : &unknown;
}
