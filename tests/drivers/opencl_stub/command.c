#include "stub.h"

/* The state that a command inherits from its wait list: CL_COMPLETE to go on, above it to wait
 * for ever, below it to fail. */
static cl_int wait_state(cl_command_queue queue, struct waits waits, cl_int *state)
{
    *state = CL_COMPLETE;
    if ((waits.count == 0) != (waits.list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < waits.count; i++) {
        const struct _cl_event *event = object_use(waits.list[i], KIND_EVENT);
        if (!event)
            return CL_INVALID_EVENT_WAIT_LIST;
        if (event->queue->context != queue->context)
            return CL_INVALID_CONTEXT;
        if (event->fate < 0)
            *state = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        else if (event->fate > CL_COMPLETE && *state == CL_COMPLETE)
            *state = CL_SUBMITTED;
    }
    return CL_SUCCESS;
}

static cl_int decide_fate(cl_command_queue queue, uint64_t ordinal, cl_int waited)
{
    if (ordinal == script.hang) {
        queue->stuck = true;
        return CL_RUNNING;
    }
    if (waited < 0)
        return waited;
    if (waited > CL_COMPLETE || (queue->stuck && !queue_is_out_of_order(queue))) {
        queue->stuck = true;
        return CL_SUBMITTED;
    }
    return ordinal == script.event_error ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
}

cl_int command_begin(struct command *command, cl_command_queue queue, cl_command_type type,
                     struct waits waits)
{
    cl_int waited = CL_COMPLETE;
    cl_int error = wait_state(queue, waits, &waited);
    if (error)
        return error;
    uint64_t ordinal = ++clock_commands;
    if (device_is_lost())
        return CL_OUT_OF_RESOURCES;
    command->duration_ns = script.kernel_ns;
    command->event = (struct _cl_event){.queue = queue,
                                        .type = type,
                                        .fate = decide_fate(queue, ordinal, waited),
                                        .asks = script.late,
                                        .ordinal = ordinal};
    timestamps_begin(&command->event.timestamps, ordinal);
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
