/* SPDX-License-Identifier: MIT */
/* scripted_counter.h - a counter and a system's clock that do what a test says. */
#ifndef SCRIPTED_COUNTER_H
#define SCRIPTED_COUNTER_H

#include "clock/host_counter.h"

#include <math.h>

typedef struct scripted_counter {
    int64_t now_ns;     /* of the system's clock; moves on with each reading */
    double ticks;       /* of the counter, then */
    double ticks_of_ns; /* its rate */
    int64_t width_ns;   /* of a bracket */
    double read_at;     /* share of the bracket at which the counter is read */
    int64_t step_ns;    /* resolution of the system's clock; 0: 1 ns */
    bool broken;        /* no reading succeeds */
    uint32_t count;     /* readings so far: no two take the same time */
} scripted_counter;

static inline void scripted_pass(scripted_counter *s, int64_t ns)
{
    s->now_ns += ns;
    s->ticks += (double)ns * s->ticks_of_ns;
}

static inline int64_t scripted_now(const scripted_counter *s)
{
    return s->step_ns ? s->now_ns / s->step_ns * s->step_ns : s->now_ns;
}

static inline bool scripted_pair(void *user, kt_clock_pair *out)
{
    scripted_counter *s = user;
    int64_t first_ns = (int64_t)((double)s->width_ns * s->read_at);
    scripted_pass(s, 900 + s->count++ * 7 % 31);
    if (s->broken)
        return false;
    out->host_before_ns = scripted_now(s);
    scripted_pass(s, first_ns);
    out->ticks = (uint64_t)floor(s->ticks);
    scripted_pass(s, s->width_ns - first_ns + s->count % 3);
    out->host_after_ns = scripted_now(s);
    return true;
}

#endif
