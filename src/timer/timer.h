/* SPDX-License-Identifier: MIT */
/* timer.h - a timer: a name in a timer context, and its running span. */
#ifndef KT_TIMER_TIMER_H
#define KT_TIMER_TIMER_H

#include "timer/context.h"

struct kt_timer {
    kt_timer_context *context;
    kt_timer *next; /* next timer of the context */
    kt_site site;
    char *name;
    _Atomic(kt_slot *) running; /* the span between start and stop in a stream; else NULL */
    void *stream;               /* the stream of `running` */
    /* Spans left in which to look whether the thread sleeps; 0: no span gave reason to; below 0: it
     * did not. Written by who collects. */
    _Atomic(int) watched;
    uint32_t skipped;        /* starts that made no span; as many stops do nothing */
    _Atomic(uint64_t) begin; /* kt_cycles_now() at the start of a running CPU timer; else 0 */
    /*
     * Where a call of the program writes the object that it makes (kt_timer_lend()): a reference
     * that is released when the timer's thread is known to have left that call. Read by memcpy(),
     * since the API writes a pointer of its own type.
     */
    void *cell;
    kt_slot *lent;       /* the span of that call; NULL once its object was taken */
    const void *lent_to; /* the thread that makes the call */
    uint64_t awaited;    /* spans stopped or submitted, not collected yet */
    uint64_t slots;      /* slots of this timer */
    bool destroyed;      /* freed with its last slot */
    bool has_newest;
    kt_timestamp_state newest_state;
    double newest_ns;
};

/* KT_INVALID with an error text if the timer's context was closed, or is not of that backend. */
kt_status kt_timer_check_api(const kt_timer *timer, const kt_backend *backend);

/* Counts a span as awaited. The context's mutex is held. */
static inline void kt_timer_await(kt_timer *timer)
{
    timer->awaited++;
    timer->context->awaited++;
}

/* Stores the result of a timer's newest span. The context's mutex is held. */
void kt_timer_settle(kt_timer *timer, kt_timestamp_state state, double span_ns);
/* Counts one slot less; frees a destroyed timer with its last slot. The context's mutex is held. */
void kt_timer_let_go(kt_timer *timer);

#endif
