/* SPDX-License-Identifier: MIT */
/* signals.c - Ctrl-C, SIGTERM, and terminals and pipes that close. */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "cli/terminal/terminal.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* timeout(1) signals both this process and its group, and a process between this one and a terminal
 * may do so, too. A second signal this soon counts as the same Ctrl-C; nobody presses it twice as
 * fast. */
#define SAME_NS 300000000

/* Atomic, since a signal may come to any thread. */
static atomic_int interrupted, other_process, has_to_tidy, ended;
static atomic_llong interrupted_ns; /* time of the first Ctrl-C; 0: none so far */
static atomic_llong ended_ns;       /* of the second, if there is something to tidy */

_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2,
               "a signal handler writes them");

static long long now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec + 1;
}

static void on_interrupt(int number)
{
    static const char text[] = "\nstopping after what is under way; Ctrl-C again ends at once\n";
    long long first_ns = 0, at_ns = now_ns();
    bool again = !atomic_compare_exchange_strong(&interrupted_ns, &first_ns, at_ns);
    if (again && (number != SIGINT || at_ns - first_ns < SAME_NS))
        return;
    interrupted = 1;
    if (other_process)
        kill(other_process, again ? SIGKILL : SIGTERM);
    first_ns = 0;
    if (again && has_to_tidy) {
        ended = 1;
        again = !atomic_compare_exchange_strong(&ended_ns, &first_ns, at_ns) &&
                at_ns - first_ns >= SAME_NS;
        if (!again)
            return;
    }
    if (again) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        return; /* standard error is closed */
    }
}

static void on_passed_on(int number)
{
    (void)number;
    interrupted = 1;
}

static void handle(int number, void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Handles SIGHUP unless it is ignored, as under nohup(1). */
static void handle_hangup(void (*handler)(int number))
{
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        handle(SIGHUP, handler);
}

void terminal_catch_interrupt(void)
{
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt); /* time limits send SIGTERM */
    handle_hangup(on_interrupt);   /* a closing terminal sends SIGHUP */
}

void terminal_catch_passed_on(void)
{
    handle(SIGINT, SIG_IGN);
    handle(SIGTERM, on_passed_on);
    handle_hangup(on_passed_on);
}

void terminal_pass_on_to(int process)
{
    other_process = process;
    if (process && interrupted) /* interrupted before the process was known */
        kill(process, SIGTERM);
}

bool terminal_interrupted(void)
{
    return interrupted != 0;
}

static void on_closed_pipe(int number)
{
    (void)number;
    interrupted = ended = 1;
}

void terminal_has_to_tidy(bool has)
{
    has_to_tidy = has;
    handle(SIGPIPE, has ? on_closed_pipe : SIG_DFL);
}

bool terminal_ended(void)
{
    return ended != 0;
}
