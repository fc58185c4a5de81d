/* terminal.h - what depends on the system: is somebody watching, and did they press Ctrl-C. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Whether standard error is a terminal. */
bool terminal_watched(void);

/* For one run of several, which the program has started itself: Ctrl-C is for that one, and what it
 * passes on sets the flag. */
void terminal_catch_passed_on(void);

/* The process that is to end, too: it is asked to by SIGTERM, and killed when Ctrl-C is pressed
 * again; 0: none. */
void terminal_pass_on_to(int process);

/* From now on Ctrl-C, a request to end or a terminal that goes away only sets a flag, so that what
 * has been measured can be written. Ctrl-C pressed after that ends the program as usual; further
 * requests change nothing. */
void terminal_catch_interrupt(void);
bool terminal_interrupted(void);

#endif
