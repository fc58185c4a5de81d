/* SPDX-License-Identifier: MIT */
/* events.h - timers of single commands, by events. */
#ifndef KT_TIMER_EVENTS_H
#define KT_TIMER_EVENTS_H

#include "timer/timer.h"

/* Adds a span from the object that the driver gave the program for one command. */
kt_status kt_timer_add_event(kt_timer *timer, void *event);
/*
 * Returns where a call of the program may write the object that it makes for one command. The
 * object becomes a span at the timer's next kt_timer_lend() and when kt_timers_take() may look. If
 * the call wrote none there is no span. NULL on failure.
 */
void *kt_timer_lend(kt_timer *timer);
/* Takes the objects of calls that have returned: those of the calling thread, and as the program
 * vouches for, that of `timer` or of `all`. The last failure to take one; its span is an error. */
kt_status kt_timers_take(kt_timer_context *context, const kt_timer *timer, bool all);
/* Takes a timer's object, and ends the lending. */
void kt_timer_reclaim(kt_timer *timer);
/* Returns an API object that times one command of the program, or NULL on failure. */
void *kt_timer_hand_out(kt_timer *timer);

#endif
