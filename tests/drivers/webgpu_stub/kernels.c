/* The workloads' kernels, by the names that they have in WGSL: their C functions. */
#include "stub.h"

/* Another kernel is a word here, its function in workloads/NAME/kernels.c. */
#define KERNELS(X)     \
    X(fill)            \
    X(saxpy)           \
    X(matmul_naive)    \
    X(matmul_tiled)    \
    X(reduce_partial)  \
    X(reduce_final)    \
    X(scan_block_sums) \
    X(scan_offsets)    \
    X(scan_blocks)     \
    X(sort_histogram)  \
    X(sort_scan)       \
    X(sort_scatter)    \
    X(loop_rounds)

#define DECLARE_KERNEL(name) void name##_c(const kt_c_group *group, void *const *args);
KERNELS(DECLARE_KERNEL)
#undef DECLARE_KERNEL

static void nothing(const kt_c_group *group, void *const *args)
{
    (void)group, (void)args;
}

static const struct {
    const char *entry;
    kt_c_kernel function;
} kernels[] = {{"empty", nothing},
               {"flush", nothing}, /* of kerntime itself, to empty the caches */
#define KERNEL_ROW(name) {#name, name##_c},
               KERNELS(KERNEL_ROW)
#undef KERNEL_ROW
};

kt_c_kernel kernel_find(const char *entry)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].entry, entry) == 0)
            return kernels[i].function;
    return NULL;
}
