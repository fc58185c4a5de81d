/* SPDX-License-Identifier: MIT */
/* trace_setters.h - setters of the options of `trace` alone, for the table of all options. */
#ifndef CLI_TRACE_SETTERS_H
#define CLI_TRACE_SETTERS_H

#include "cli/options/options.h"

/* Each returns 0, or -1 with a message in `reason`, as cli_option.set does. */
typedef int trace_setter(cli_options *to, const char *value, char *reason);

trace_setter trace_set_apis, trace_set_output, trace_add_wanted, trace_add_unwanted,
    trace_set_by_size, trace_set_exact, trace_set_paused, trace_set_follow, trace_set_top,
    trace_set_skip, trace_set_count, trace_set_ranks, trace_set_memory;

#endif
