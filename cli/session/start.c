/* SPDX-License-Identifier: MIT */
#include "cli/session/start.h"

#include "cli/options/select.h"
#include "cli/terminal/together.h"

#include <stdio.h>

#define LIMIT_NS INT64_C(60000000000)

static int refuse(const cli_options *options, const char *reason)
{
    fprintf(stderr, "kerntime %s: --start-together %s: %s\n", options->command,
            options->start_folder, reason);
    return EXIT_USAGE;
}

int start_check(const cli_options *options)
{
    kt_launch place;
    char reason[160];
    if (!options->start_folder)
        return EXIT_DONE;
    if (!selection_read_launch(options, &place))
        return refuse(options, "no launcher has set a rank; set RANK and WORLD_SIZE");
    if (place.size == KT_LAUNCH_UNKNOWN) {
        snprintf(reason, sizeof reason, "%s comes without a size; set RANK and WORLD_SIZE",
                 place.variable);
        return refuse(options, reason);
    }
    const char *refusal = together_refuses(options->start_folder);
    return refusal ? refuse(options, refusal) : EXIT_DONE;
}

void start_wait(const cli_options *options)
{
    kt_launch place;
    if (options->start_folder && kt_launch_read(options->rank_variable, &place) == KT_OK)
        together_wait(options->start_folder, &place,
                      options->start_limit_ns ? options->start_limit_ns : LIMIT_NS, options->quiet);
}
