/* What all enqueued commands have in common, around the work that each does itself. */
#ifndef OPENCL_STUB_COMMAND_H
#define OPENCL_STUB_COMMAND_H

#include "event_pool.h"
#include "objects.h"

struct command {
    struct event event;   /* what its event will hold */
    uint64_t duration_ns; /* on the simulated clock; may be changed between begin and end */
};

struct waits {
    cl_uint count;
    const cl_event *list;
};

/* Checks the wait list, gives the command its ordinal and decides its fate. The queue has been
 * checked. On CL_SUCCESS, do the work if command_runs(), then call command_end(). */
cl_int command_begin(struct command *command, cl_command_queue queue, cl_command_type type,
                     struct waits waits);

static inline bool command_runs(const struct command *command)
{
    return command->event.fate == CL_COMPLETE;
}

/* Hands out the event if one is wanted; a blocking command that never completes never returns. */
cl_int command_end(struct command *command, bool blocking, cl_event *event);

#endif
