/* timer.h - a name on a native, and the span that it has under way. */
#ifndef KT_TIMER_TIMER_H
#define KT_TIMER_TIMER_H

#include "timer/native.h"

struct kt_timer {
    kt_native *native;
    kt_timer *next; /* of the native */
    kt_site site;
    char *name;
    _Atomic(kt_slot *) running; /* between start and stop in a stream; else NULL */
    void *stream;               /* where that is */
    uint32_t skipped; /* starts that made no span, so that as many stops have nothing to do */
    _Atomic(int64_t) begin_ns; /* of a CPU timer that runs; else INT64_MIN */
    uint64_t awaited;          /* spans stopped or submitted, not taken in yet */
    uint64_t slots;            /* that name this timer */
    bool destroyed;            /* freed when no slot names it */
    bool has_newest;
    kt_stamp_state newest_state;
    double newest_ns;
};

/* KT_OK, or KT_INVALID with a sentence if its native was closed, or is none of that backend. */
kt_status kt_timer_check_api(const kt_timer *timer, const kt_backend *backend);

/* A span of it is awaited; the native's mutex is held. */
static inline void kt_timer_await(kt_timer *timer)
{
    timer->awaited++;
    timer->native->awaited++;
}

/* What a timer's newest span was; the native's mutex is held. */
void kt_timer_settle(kt_timer *timer, kt_stamp_state state, double span_ns);
/* A slot less names the timer, which may have waited for that; the native's mutex is held. */
void kt_timer_let_go(kt_timer *timer);

#endif
