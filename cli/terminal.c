#define _POSIX_C_SOURCE 200809L /* isatty, fileno */
#include "terminal.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
}

bool terminal_watched(void)
{
    return isatty(fileno(stderr)) == 1;
}

void terminal_catch_interrupt(void)
{
    signal(SIGINT, on_interrupt);
}

bool terminal_interrupted(void)
{
    return interrupted != 0;
}
