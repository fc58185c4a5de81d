/* SPDX-License-Identifier: MIT */
/*
 * stage.h - runs a plan: checks all configurations, races many, measures the survivors.
 *
 * The first process plans, and opens no device: a kernel may end the process that runs it. It
 * starts this program again for each stage (OPTION_STAGE), and reads from its pipe what begins and
 * how it ended. When such a process ends or hangs, that costs the configuration that had begun, and
 * another process goes on with the rest.
 */
#ifndef CLI_RUN_STAGE_H
#define CLI_RUN_STAGE_H

#include "cli/options/options.h"

/* The whole command, or a stage of it. Returns an exit code. */
int stage_run(const cli_options *options);

#endif
