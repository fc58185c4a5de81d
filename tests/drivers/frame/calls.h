/* SPDX-License-Identifier: MIT */
/*
 * calls.h - entering and leaving a stub's functions. Calls are counted, and run one at a time under
 * the stub's lock. A stub's ENTER() declares a variable with `cleanup`, so that each return leaves.
 */
#ifndef FRAME_CALLS_H
#define FRAME_CALLS_H

#include <stdbool.h>

/* Counts the call and takes the lock. Misuse speaks in its name. True: the script wants it to
 * fail. */
bool call_enter(int entry);
/* The same for a call that uses an object which no two threads may use at once. `met`: another
 * thread is in a call on that object. */
bool call_enter_alone(int entry, const void *object, bool *met);
void call_leave(void);

/* Lets other threads in for 20 us. */
void call_pause(void);

/* Around what no function of the API did, such as the report. */
void call_lock(void);
void call_unlock(void);

#endif
