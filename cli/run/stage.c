#include "cli/run/stage.h"

#include <stdio.h>

int stage_run(const cli_options *options)
{
    if (!options->operand_count) {
        fprintf(stderr, "kerntime run: which file? Try \"kerntime run saxpy.cl\".\n");
        return EXIT_USAGE;
    }
    fprintf(stderr, "kerntime run: %s: not yet\n", options->operands[0]);
    return EXIT_FAILED;
}
