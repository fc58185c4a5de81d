/* events.h - timers of single commands, by their events. */
#ifndef KT_TIMER_EVENTS_H
#define KT_TIMER_EVENTS_H

#include "timer/timer.h"

/* A span by what the driver handed out for one command of the program. */
kt_status kt_timer_add_event(kt_timer *timer, void *event);
/* Hands out an object of the API for one command; NULL: there is none, for this timer. */
void *kt_timer_hand_out(kt_timer *timer);

#endif
