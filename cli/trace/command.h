/* SPDX-License-Identifier: MIT */
/* command.h - runs `kerntime trace`. */
#ifndef CLI_TRACE_COMMAND_H
#define CLI_TRACE_COMMAND_H

#include "cli/options/options.h"

/* Returns the exit code of the program, or one of its own. */
int trace_run_command(const cli_options *options);

#endif
