/* When things happened: a simulated clock that moves with the commands, or the host's. */
#ifndef OPENCL_STUB_CLOCK_H
#define OPENCL_STUB_CLOCK_H

#include "script.h"
#include "stub.h"

struct timestamps {
    cl_ulong queued;
    cl_ulong submit;
    cl_ulong start;
    cl_ulong end;
};

/* How many commands have been enqueued in this process, of any queue: the ordinal of the newest. */
extern _Atomic(uint64_t) clock_commands;

static inline uint64_t clock_next_command(void)
{
    return atomic_fetch_add_explicit(&clock_commands, 1, memory_order_relaxed) + 1;
}

/* From script.lost on, the device is gone. */
static inline bool device_is_lost(void)
{
    return script.lost != 0 &&
           atomic_load_explicit(&clock_commands, memory_order_relaxed) >= script.lost;
}

cl_ulong host_ns(void);

/* Whether platform and device are of this version of OpenCL or a later one. */
bool version_is_since(cl_uint major, cl_uint minor);

/* Whether shared virtual memory is supported. */
bool svm_works(void);

/* Whether clGetDeviceAndHostTimer is supported. */
bool timer_works(void);

/* begin before the command's work, end after it and only for an event that can be asked for them.
 * The simulated clock takes duration_ns for the work, the host's clock whatever it took. */
void timestamps_begin(struct timestamps *timestamps, uint64_t ordinal);
void timestamps_end(struct timestamps *timestamps, uint64_t duration_ns);

#endif
