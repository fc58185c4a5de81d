/* Kernels known by their names and run as their C functions: the workloads', and those of the conformance suite. */
#include "stub.h"

#include "tests/conformance/own_kernels.h"
#include "workloads/fill/fill.h"
#include "workloads/matmul/matmul.h"
#include "workloads/saxpy/saxpy.h"

#include <string.h>

/* Beside those of group_kernels.h. Of memory that is said to be of i there is an element for each item. */
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

/* The least elements of a memory. The loop's grows with its groups. */
static uint64_t least_elements(const struct command *command, unsigned memory, uint64_t groups)
{
    const group_kernel *kernel = command->kernel;
    const uint32_t *size = command->group_size;
    if (kernel == &group_kernels[LOOP_ROUNDS])
        return groups * LOOP_ITEMS;
    if (kernel->elements[memory] == 'i')
        return groups * size[0] * size[1] * size[2];
    return group_kernel_elements(kernel, memory, command->numbers[0].word, (uint32_t)groups);
}

bool kernel_take(const size_t *bytes, void *const *parameters, struct command *command)
{
    const group_kernel *kernel = command->kernel;
    size_t memories = memories_of(kernel);
    uint64_t groups = (uint64_t)command->groups[0] * command->groups[1] * command->groups[2];
    if (groups * LOOP_ITEMS > UINT32_MAX)
        return false;
    for (size_t i = 0; i < memories; i++)
        memcpy(&command->memories[i], parameters[i], sizeof command->memories[i]);
    for (size_t i = 0; i < kernel->numbers; i++) {
        if (bytes[memories + i] == sizeof command->numbers[i].wide)
            memcpy(&command->numbers[i].wide, parameters[memories + i],
                   sizeof command->numbers[i].wide);
        else
            memcpy(&command->numbers[i].word, parameters[memories + i],
                   sizeof command->numbers[i].word);
    }
    for (unsigned i = 0; i < memories; i++)
        if (memory_behind(command->memories[i], NULL) / sizeof(uint32_t) <
            least_elements(command, i, groups))
            return false;
    return true;
}

void kernel_run(const struct command *command)
{
    const group_kernel *kernel = command->kernel;
    void *args[GROUP_KERNEL_MEMORIES_MAX + NUMBERS_MAX] = {0};
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
