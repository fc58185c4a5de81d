/* fault_calls.h - which calls of an API were made to fail, and which never were. */
#ifndef FAULT_CALLS_H
#define FAULT_CALLS_H

/* The call that has failed, as it stands in the table of functions. */
void fault_calls_note(const char *name);

/* Prints each function of the vulkan backend that could have failed and never did, or that did and could not
 * by what is said here. How many there are. Made for a driver that runs on the CPU. */
unsigned fault_calls_print_wrong(void);
/* The same of those that timers in the program's own commands take. */
unsigned fault_calls_print_wrong_of_timers(void);

#endif
