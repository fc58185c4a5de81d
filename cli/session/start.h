/* SPDX-License-Identifier: MIT */
/* start.h - --start-together: when measuring begins. */
#ifndef CLI_START_H
#define CLI_START_H

#include "cli/options/options.h"

/* Before work: whether ranks can wait for each other. Returns an exit code. */
int start_check(const cli_options *options);
/* Waits for the others, if the user asked for it. */
void start_wait(const cli_options *options);

#endif
