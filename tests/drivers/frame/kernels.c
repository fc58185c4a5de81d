/* SPDX-License-Identifier: MIT */
#include "tests/drivers/frame/kernels.h"

#include "tests/conformance/own_kernels.h"
#include "workloads/fill/fill.h"
#include "workloads/matmul/matmul.h"
#include "workloads/saxpy/saxpy.h"

#include <string.h>

/* Beside those of group_kernels.h. Of memory that is said to be of i there is an element for each
 * item. */
static const group_kernel others[] = {
    {"empty", "", 0, 0, NULL},
    {"fill", "n", 1, 0, fill_c},
    {"saxpy", "nn", 1, 1, saxpy_c},
    {"matmul_naive", "sss", 1, 2, matmul_naive_c},
    {"matmul_tiled", "sss", 1, 2, matmul_tiled_c},
    {"scale", "nn", 3, 1, scale_c},
    {"place", "i", 0, 0, place_c},
    {"twice", "ii", 0, 1, twice_c},
    {"plus_one", "ii", 0, 1, plus_one_c},
    {"reverse", "ii", 0, 1, reverse_c},
};

static const group_kernel *find_in(const group_kernel *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

const group_kernel *named_kernel_find(const char *name)
{
    const group_kernel *kernel = find_in(others, sizeof others / sizeof others[0], name);
    return kernel ? kernel
                  : find_in(group_kernels, sizeof group_kernels / sizeof group_kernels[0], name);
}

size_t named_kernel_memories(const group_kernel *kernel)
{
    return strlen(kernel->elements);
}

uint64_t named_kernel_elements(const group_kernel *kernel, unsigned memory, uint32_t n,
                               const uint32_t groups[3], const uint32_t group_size[3])
{
    uint64_t all = (uint64_t)groups[0] * groups[1] * groups[2];
    /* The loop's grows with its groups. */
    if (kernel == &group_kernels[LOOP_ROUNDS])
        return all * LOOP_ITEMS;
    if (kernel->elements[memory] == 'i')
        return all * group_size[0] * group_size[1] * group_size[2];
    return group_kernel_elements(kernel, memory, n, (uint32_t)all);
}

void named_kernel_run(const named_kernel_launch *launch)
{
    const group_kernel *kernel = launch->kernel;
    void *args[GROUP_KERNEL_MEMORIES_MAX + NAMED_KERNEL_NUMBERS_MAX] = {0};
    if (!kernel || !kernel->function)
        return;
    size_t memories = named_kernel_memories(kernel);
    for (size_t i = 0; i < memories; i++)
        args[i] = launch->memories[i];
    for (size_t i = 0; i < kernel->numbers; i++)
        args[memories + i] = (void *)&launch->numbers[i];
    group_kernel_run_3d(kernel, args, launch->groups, launch->group_size);
    /* Far from the first: a check of a few is not enough. */
    if (launch->wrong) {
        uint64_t elements = named_kernel_elements(kernel, kernel->written,
                                                  kernel->numbers ? launch->numbers[0].word : 0,
                                                  launch->groups, launch->group_size);
        ((uint32_t *)args[kernel->written])[elements ? elements - 1 : 0]++;
    }
}
