/* run.c - the command `run`: times the kernels of files, see cli/run/stage.h. */
#include "cli/commands/commands.h"
#include "cli/run/stage.h"

int cmd_run(const cli_options *options)
{
    return stage_run(options);
}
