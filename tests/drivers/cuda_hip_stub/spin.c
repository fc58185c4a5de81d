/* The kernel of bench/hw/spin.ptx: it spins for as long as it is told, and each thread writes down
 * when it began and ended. */
#include "stub.h"

#include <string.h>

/* In which %globaltimer moves. */
#define TIMER_STEP_NS INT64_C(32)

/* (address of two u64 words for each thread, u64 duration in ns) */
bool spin_take(void *const *parameters, struct command *command)
{
    uint64_t duration_ns = 0;
    memcpy(&command->spin_timestamps, parameters[0], sizeof command->spin_timestamps);
    memcpy(&duration_ns, parameters[1], sizeof duration_ns);
    uint64_t threads = (uint64_t)command->groups[0] * command->group_size[0];
    if (duration_ns > INT64_MAX / 4 ||
        memory_behind(command->spin_timestamps) < threads * 2 * sizeof(uint64_t))
        return false;
    command->duration_ns = (int64_t)duration_ns;
    return true;
}

/* As the timer shows it: the spinning ends with the first step that is late enough. */
void spin_run(const struct command *command, int64_t begin_ns)
{
    uint64_t threads = (uint64_t)command->groups[0] * command->group_size[0];
    int64_t first = begin_ns / TIMER_STEP_NS * TIMER_STEP_NS;
    int64_t steps = (command->duration_ns + TIMER_STEP_NS - 1) / TIMER_STEP_NS;
    for (uint64_t i = 0; i < threads; i++) {
        command->spin_timestamps[2 * i] = (uint64_t)first;
        command->spin_timestamps[2 * i + 1] = (uint64_t)(first + steps * TIMER_STEP_NS);
    }
}
