/* SPDX-License-Identifier: MIT */
/* run.c - the command `run`: times the kernels of files, see cli/run/stage.h. */
#include "cli/commands/commands.h"
#include "cli/run/list.h"
#include "cli/run/stage.h"

int cmd_run(const cli_options *options)
{
    return options->list ? run_list(options) : stage_run(options);
}
