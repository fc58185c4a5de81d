#include "cli/trace/trace.h"
#include "cli/trace/command.h"

#include <stdlib.h>

int trace_run_command(const cli_options *options)
{
    cli_options own = *options;
    if (!options->operand_count) {
        fprintf(stderr, "kerntime trace: no program is named; kerntime trace -- PROGRAM ARG...\n");
        return TRACE_EXIT_FAILED;
    }
    own.trace.program = options->operands;
    trace_run run;
    int code = trace_launch(&own, &run);
    if (code)
        return code;
    const trace_document document = {.options = &own, .runs = &run, .run_count = 1};
    if (run.problem[0])
        fprintf(stderr, "kerntime trace: %s\n", run.problem);
    trace_print_table(&document, stderr, 80, false);
    trace_free(&run.totals);
    return run.code;
}
