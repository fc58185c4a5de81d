/* SPDX-License-Identifier: MIT */
/* What commands do when they are executed. */
#include "stub.h"

#include <string.h>

static void write_timestamp(const struct pending *pending)
{
    static uint64_t timestamps;
    uint64_t ticks = counter_global(pending->end_ticks);
    bool bad = script.timestamps != TIMESTAMPS_GOOD && ++timestamps % script.every == 0;
    if (bad && script.timestamps == TIMESTAMPS_UNWRITTEN)
        return;
    if (bad && script.timestamps == TIMESTAMPS_ZERO)
        ticks = 0;
    if (bad && script.timestamps == TIMESTAMPS_BACKWARDS)
        ticks = counter_global(pending->end_ticks - 100000 * (timestamps / script.every));
    memcpy(pending->command.dst, &ticks, sizeof ticks);
}

static void fill(const struct command *command)
{
    if (command->pattern_bytes == 1)
        memset(command->dst, command->pattern[0], command->bytes);
    else
        for (size_t i = 0; i < command->bytes; i += command->pattern_bytes)
            memcpy(command->dst + i, command->pattern, command->pattern_bytes);
}

static void query(const struct command *command)
{
    for (uint32_t i = 0; i < command->event_count; i++) {
        if (!command->events[i]->signalled)
            misuse("timestamps are asked of an event that was not signalled");
        else
            event_timestamps(command->events[i],
                             (ze_kernel_timestamp_result_t *)(void *)command->dst + i);
    }
}

void command_run(const struct pending *pending)
{
    const struct command *command = &pending->command;
    switch (command->op) {
    case OP_LAUNCH: kernel_run(pending); break;
    case OP_COPY: memcpy(command->dst, command->src, command->bytes); break;
    case OP_FILL: fill(command); break;
    case OP_TIMESTAMP: write_timestamp(pending); break;
    case OP_QUERY: query(command); break;
    case OP_RESET:
        for (uint32_t i = 0; i < command->event_count; i++)
            command->events[i]->signalled = false;
        break;
    case OP_BARRIER:
    case OP_SIGNAL: break;
    }
}
