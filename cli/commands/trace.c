/* SPDX-License-Identifier: MIT */
/* trace.c - the command `trace`: runs a program, and times all its kernels and copies. */
#include "cli/commands/commands.h"

#if HAVE_TRACERS
#include "cli/trace/command.h"

int cmd_trace(const cli_options *options)
{
    return trace_run_command(options);
}
#else
#include <stdio.h>

int cmd_trace(const cli_options *options)
{
    (void)options;
    fprintf(stderr, "kerntime trace: programs can be traced on Linux alone\n");
    return TRACE_EXIT_FAILED;
}
#endif
