/* SPDX-License-Identifier: MIT */
/* What all enqueued commands have in common, around the work that each does itself. */
#include "stub.h"

static cl_int decide_fate(cl_command_queue queue, uint64_t ordinal)
{
    if (ordinal == script.hang) {
        queue->stuck = true;
        report_hang();
        return CL_RUNNING;
    }
    if (queue->stuck && !queue_is_out_of_order(queue))
        return CL_SUBMITTED;
    return ordinal == script.event_error ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
}

cl_int command_begin(struct command *command, cl_command_queue queue, cl_command_type type,
                     struct waits waits)
{
    REQUIRE(waits.count == 0 && !waits.list, CL_INVALID_EVENT_WAIT_LIST, "there is a wait list");
    uint64_t ordinal = ++clock_commands;
    if (device_is_lost())
        return CL_OUT_OF_RESOURCES;
    command->duration_ns = script.kernel_ns;
    command->event = (struct _cl_event){.queue = queue,
                                        .type = type,
                                        .fate = decide_fate(queue, ordinal),
                                        .asks = script.late,
                                        .ordinal = ordinal};
    timestamps_begin(&command->event.timestamps, ordinal);
    if (type == CL_COMMAND_MARKER && script.markers == MARKERS_FRONT && queue->latest_start) {
        command->event.timestamps.start = queue->latest_start;
        command->duration_ns = 0;
    }
    queue->latest_start = command->event.timestamps.start;
    return CL_SUCCESS;
}

cl_int command_end(struct command *command, bool blocking, cl_event *event)
{
    cl_command_queue queue = command->event.queue;
    if (event) {
        if (queue_is_profiled(queue))
            timestamps_end(&command->event.timestamps, command->duration_ns);
        *event = counted_create(KIND_EVENT, sizeof **event, queue);
        command->event.base = (*event)->base;
        **event = command->event;
    }
    if (!blocking)
        return CL_SUCCESS;
    if (command->event.fate > CL_COMPLETE)
        stub_sleep_forever();
    if (!queue_is_out_of_order(queue))
        queue_has_ended(queue, command->event.ordinal);
    return command->event.fate;
}
