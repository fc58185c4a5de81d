/* SPDX-License-Identifier: MIT */
/* The kernels that the stub runs: those that it knows by name, and that of bench/hw/spin.ptx, which
 * spins for as long as it is told, and whose threads write down when they began and ended. */
#include "stub.h"

#include <string.h>

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
        bool wide = bytes[memories + i] == sizeof command->numbers[i].wide;
        memcpy(&command->numbers[i], parameters[memories + i],
               wide ? sizeof command->numbers[i].wide : sizeof command->numbers[i].word);
    }
    for (unsigned i = 0; i < memories; i++)
        if (memory_behind(command->memories[i]) / sizeof(uint32_t) <
            named_kernel_elements(kernel, i, command->numbers[0].word, command->groups,
                                  command->group_size))
            return false;
    return true;
}

/* ---- the one that spins ---- */

/* In which %globaltimer moves. */
#define TIMER_STEP_NS INT64_C(32)

static uint64_t threads_of(const struct command *command)
{
    return (uint64_t)command->groups[0] * command->group_size[0];
}

/* (address of two u64 words for each thread, u64 duration in ns) */
bool spin_take(void *const *parameters, struct command *command)
{
    uint64_t duration_ns = 0;
    memcpy(&command->spin_timestamps, parameters[0], sizeof command->spin_timestamps);
    memcpy(&duration_ns, parameters[1], sizeof duration_ns);
    if (duration_ns > INT64_MAX / 4 ||
        memory_behind(command->spin_timestamps) < threads_of(command) * 2 * sizeof(uint64_t))
        return false;
    command->duration_ns = (int64_t)duration_ns;
    return true;
}

/* As the timer shows it: the spinning ends with the first step that is late enough. */
void spin_run(const struct command *command, int64_t begin_ns)
{
    int64_t first = begin_ns / TIMER_STEP_NS * TIMER_STEP_NS;
    int64_t steps = (command->duration_ns + TIMER_STEP_NS - 1) / TIMER_STEP_NS;
    for (uint64_t i = 0; i < threads_of(command); i++) {
        command->spin_timestamps[2 * i] = (uint64_t)first;
        command->spin_timestamps[2 * i + 1] = (uint64_t)(first + steps * TIMER_STEP_NS);
    }
}

/* ---- the one that measures the clock ---- */

/* (address of two u64 words) */
bool cycles_take(void *const *parameters, struct command *command)
{
    memcpy(&command->clock_words, parameters[0], sizeof command->clock_words);
    command->duration_ns = CLOCK_NS;
    command->hangs = script.clock_hangs;
    return memory_behind(command->clock_words) >= 2 * sizeof(uint64_t);
}

void cycles_run(const struct command *command)
{
    if (command->hangs)
        return;
    command->clock_words[0] = script.kernel_mhz * CLOCK_NS / 1000;
    command->clock_words[1] = CLOCK_NS;
}
