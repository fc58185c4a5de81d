/* Events: preallocated, lock-free to take and to give back, and never confused with a former event
 * of the same slot, because the handle holds a generation. */
#ifndef OPENCL_STUB_EVENT_POOL_H
#define OPENCL_STUB_EVENT_POOL_H

#include "clock.h"
#include "stub.h"

struct event {
    atomic_uintptr_t id; /* generation above the slot's index; an odd generation is alive */
    atomic_uint link;    /* while it is free the next free slot, while it is alive its references */
    uint16_t type;       /* cl_command_type, whose values fit */
    int8_t fate; /* the status it will stay in: known at once, since commands run when enqueued */
    atomic_uchar asks; /* so often it is still said to have been submitted, with script.late */
    uint64_t ordinal;  /* of its command */
    cl_command_queue queue;
    struct timestamps timestamps;
};

/* filled in and published at once; NULL when four million events are alive. */
cl_event event_create(const struct event *contents);

/* NULL, a released event, or never an event: NULL. The caller says whether that is a misuse. */
struct event *event_find(cl_event handle);

/* False when it was not alive. */
bool event_retain(cl_event handle);
bool event_release(cl_event handle);

unsigned long long events_alive(void);

#endif
