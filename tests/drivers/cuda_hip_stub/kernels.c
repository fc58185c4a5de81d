/* The workloads' kernels, known by their names and run as their C functions. */
#include "stub.h"

#include "workloads/fill/fill.h"
#include "workloads/matmul/matmul.h"
#include "workloads/saxpy/saxpy.h"

#include <string.h>

/* Beside those of group_kernels.h. */
static const group_kernel others[] = {
    {"empty", "", 0, 0, NULL},
    {"fill", "n", 1, 0, fill_c},
    {"saxpy", "nn", 1, 1, saxpy_c},
    {"matmul_naive", "sss", 1, 2, matmul_naive_c},
    {"matmul_tiled", "sss", 1, 2, matmul_tiled_c},
};

static const group_kernel *find_in(const group_kernel *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

const group_kernel *kernel_find(const char *name)
{
    const group_kernel *kernel = find_in(others, sizeof others / sizeof others[0], name);
    return kernel ? kernel
                  : find_in(group_kernels, sizeof group_kernels / sizeof group_kernels[0], name);
}

static size_t memories_of(const group_kernel *kernel)
{
    return strlen(kernel->elements);
}

bool kernel_take(void *const *parameters, struct command *command)
{
    const group_kernel *kernel = command->kernel;
    size_t memories = memories_of(kernel);
    uint64_t groups = (uint64_t)command->groups[0] * command->groups[1] * command->groups[2];
    if (groups * LOOP_ITEMS > UINT32_MAX)
        return false;
    for (size_t i = 0; i < memories; i++)
        memcpy(&command->memories[i], parameters[i], sizeof command->memories[i]);
    for (size_t i = 0; i < kernel->numbers; i++)
        memcpy(&command->numbers[i], parameters[memories + i], sizeof command->numbers[i]);
    for (unsigned i = 0; i < memories; i++) {
        /* The loop's memory grows with its groups. */
        uint64_t least =
            kernel == &group_kernels[LOOP_ROUNDS]
                ? groups * LOOP_ITEMS
                : group_kernel_elements(kernel, i, command->numbers[0], (uint32_t)groups);
        if (memory_behind(command->memories[i], NULL) / sizeof(uint32_t) < least)
            return false;
    }
    return true;
}

void kernel_run(const struct command *command)
{
    const group_kernel *kernel = command->kernel;
    void *args[GROUP_KERNEL_MEMORIES_MAX + GROUP_KERNEL_NUMBERS_MAX] = {0};
    if (!kernel || !kernel->function)
        return;
    size_t memories = memories_of(kernel);
    for (size_t i = 0; i < memories; i++)
        args[i] = command->memories[i];
    for (size_t i = 0; i < kernel->numbers; i++)
        args[memories + i] = (void *)&command->numbers[i];
    group_kernel_run_3d(kernel, args, command->groups, command->group_size);
    if (command->wrong)
        ((uint32_t *)args[kernel->written])[0]++;
}
