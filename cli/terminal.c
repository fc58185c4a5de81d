#define _POSIX_C_SOURCE 200809L /* isatty, fileno */
#include "terminal.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    static const char text[] = "\nstopping after what is under way; Ctrl-C again ends at once\n";
    interrupted = 1;
    signal(number, SIG_DFL);
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        return; /* nobody to tell */
}

bool terminal_watched(void)
{
    return isatty(fileno(stderr)) == 1;
}

void terminal_catch_interrupt(void)
{
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt); /* what time limits send */
}

bool terminal_interrupted(void)
{
    return interrupted != 0;
}
