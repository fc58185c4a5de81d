#define _POSIX_C_SOURCE 200809L /* isatty, fileno */
#include "cli/terminal/terminal.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* timeout(1) sends two signals, to us and to our group, and so may whoever stands between us and a
 * terminal: so soon after the first it is the same Ctrl-C, which nobody can press twice as fast. */
#define SAME_NS 300000000

static volatile sig_atomic_t interrupted, other_process;
static atomic_llong interrupted_ns; /* 0: not yet */

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a signal handler writes it");

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
    if (again) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        return; /* nobody to tell */
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

/* nohup(1) has it ignored, and it stays so. */
static void handle_hangup(void (*handler)(int number))
{
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        handle(SIGHUP, handler);
}

bool terminal_watched(void)
{
    return isatty(fileno(stderr)) == 1;
}

void terminal_catch_interrupt(void)
{
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt); /* what time limits send */
    handle_hangup(on_interrupt);   /* what a terminal sends that goes away */
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
    if (process && interrupted) /* before it was known */
        kill(process, SIGTERM);
}

bool terminal_interrupted(void)
{
    return interrupted != 0;
}
