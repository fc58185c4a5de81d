/* events.h - timers of single commands, by events. */
#ifndef KT_TIMER_EVENTS_H
#define KT_TIMER_EVENTS_H

#include "timer/timer.h"

/* Adds a span from the object that the driver gave the program for one command. */
kt_status kt_timer_add_event(kt_timer *timer, void *event);
/* Returns an API object that times one command of the program, or NULL on failure. */
void *kt_timer_hand_out(kt_timer *timer);

#endif
