#include "command.h"

#include "script.h"

/* The state that a command inherits from its wait list: CL_COMPLETE to go on, above it to wait
 * for ever, below it to fail. */
static cl_int wait_state(cl_command_queue queue, struct waits waits, cl_int *state)
{
    *state = CL_COMPLETE;
    if ((waits.count == 0) != (waits.list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < waits.count; i++) {
        const struct event *event = event_find(waits.list[i]);
        if (!event)
            return misused(CL_INVALID_EVENT_WAIT_LIST);
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
        atomic_store_explicit(&queue->stuck, true, memory_order_relaxed);
        return CL_RUNNING;
    }
    if (waited < 0)
        return waited;
    bool stuck = atomic_load_explicit(&queue->stuck, memory_order_relaxed);
    if (waited > CL_COMPLETE || (stuck && !queue_is_out_of_order(queue))) {
        atomic_store_explicit(&queue->stuck, true, memory_order_relaxed);
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
    uint64_t ordinal = clock_next_command();
    if (script.lost != 0 && ordinal >= script.lost)
        return CL_OUT_OF_RESOURCES;
    command->duration_ns = script.kernel_ns;
    struct event *event = &command->event;
    event->queue = queue;
    event->type = (uint16_t)type;
    event->fate = (int8_t)decide_fate(queue, ordinal, waited);
    event->ordinal = ordinal;
    timestamps_begin(&event->timestamps, ordinal);
    return CL_SUCCESS;
}

cl_int command_end(struct command *command, bool blocking, cl_event *event)
{
    if (event) {
        if (queue_is_profiled(command->event.queue))
            timestamps_end(&command->event.timestamps, command->duration_ns);
        *event = event_create(&command->event);
        if (!*event)
            return CL_OUT_OF_HOST_MEMORY;
    }
    if (!blocking)
        return CL_SUCCESS;
    if (command->event.fate > CL_COMPLETE)
        stub_sleep_forever();
    if (!queue_is_out_of_order(command->event.queue))
        queue_has_ended(command->event.queue, command->event.ordinal);
    return command->event.fate;
}
