/* SPDX-License-Identifier: MIT */
/* signals.c - requests to stop, which JavaScript passes on. */
#include "cli/terminal/terminal.h"
#include "cli/terminal/wasi/imports.h"

#include <kerntime/clock.h>

#define YIELD_NS 100000000

static bool interrupted;
static int64_t yielded_ns;

__attribute__((export_name("kerntime_interrupt"))) void kerntime_interrupt(void);
void kerntime_interrupt(void)
{
    interrupted = true;
}

void terminal_catch_interrupt(void) {}

void terminal_catch_passed_on(void) {}

void terminal_pass_on_to(int process)
{
    (void)process;
}

/* Work that never waits for a device gives way here. */
static void yield_now_and_then(void)
{
    int64_t now_ns = kt_host_now_ns();
    if (now_ns - yielded_ns < YIELD_NS)
        return;
    import_yield();
    yielded_ns = now_ns;
}

bool terminal_interrupted(void)
{
    yield_now_and_then();
    return interrupted;
}

void terminal_has_to_tidy(bool has)
{
    (void)has;
}

bool terminal_ended(void)
{
    return false;
}
