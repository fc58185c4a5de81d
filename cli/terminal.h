/* terminal.h - what depends on the system: is somebody watching, and did they press Ctrl-C. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Whether standard error is a terminal. */
bool terminal_watched(void);

/* From now on Ctrl-C, or a request to end, only sets a flag, so that what has been measured can be written; pressed
 * again, it ends the program as usual. */
void terminal_catch_interrupt(void);
bool terminal_interrupted(void);

#endif
