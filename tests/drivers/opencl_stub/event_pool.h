/* Events: preallocated, lock-free to take and to give back, and never confused with a former event
 * of the same slot, because the handle holds a generation. */
#ifndef OPENCL_STUB_EVENT_POOL_H
#define OPENCL_STUB_EVENT_POOL_H

#include "clock.h"
#include "stub.h"

struct event {
    atomic_uintptr_t id; /* generation above the slot's index; an odd generation is alive */
    atomic_uint next;    /* next free slot, meaningful while this one is free */
    cl_int status;       /* never changes after creation: commands run inside their enqueue */
    cl_command_type type;
    bool profiled;
    cl_command_queue queue;
    struct stamps stamps;
};

/* filled in and published at once; NULL when a million events are alive. */
cl_event event_create(const struct event *contents);

/* NULL, a released event, or never an event: NULL. The caller says whether that is a misuse. */
struct event *event_find(cl_event handle);

/* False when it was not alive. */
bool event_release(cl_event handle);

unsigned long long events_alive(void);

#endif
