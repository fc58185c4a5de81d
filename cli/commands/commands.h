/* SPDX-License-Identifier: MIT */
/* commands.h - the list of commands. Each has its own file in this folder. */
#ifndef CLI_COMMANDS_COMMANDS_H
#define CLI_COMMANDS_COMMANDS_H

#include "cli/options/options.h"

int cmd_devices(const cli_options *options);
int cmd_bench(const cli_options *options);
int cmd_copy(const cli_options *options);
int cmd_run(const cli_options *options);
int cmd_doctor(const cli_options *options);
int cmd_trace(const cli_options *options);
int cmd_compare(const cli_options *options);
int cmd_convert(const cli_options *options);
int cmd_fleet(const cli_options *options);

/* All commands; the last entry has no name. */
extern const cli_command commands[];

/* The command of that name, or NULL. */
const cli_command *command_find(const char *name);

#endif
