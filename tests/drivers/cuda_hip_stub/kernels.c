/* Kernels known by their names and run as their C functions. */
#include "stub.h"

#include <string.h>

const group_kernel *kernel_find(const char *name)
{
    return named_kernel_find(name);
}

bool kernel_take(const size_t *bytes, void *const *parameters, struct command *command)
{
    const group_kernel *kernel = command->kernel;
    size_t memories = named_kernel_memories(kernel);
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
        if (memory_behind(command->memories[i]) / sizeof(uint32_t) <
            named_kernel_elements(kernel, i, command->numbers[0].word, command->groups,
                                  command->group_size))
            return false;
    return true;
}

void kernel_run(const struct command *command)
{
    const named_kernel_launch launch = {.kernel = command->kernel,
                                        .memories = command->memories,
                                        .numbers = command->numbers,
                                        .groups = command->groups,
                                        .group_size = command->group_size,
                                        .wrong = command->wrong};
    named_kernel_run(&launch);
}
