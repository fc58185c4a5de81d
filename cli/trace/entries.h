/* entries.h - how each API lets a tracer into a program. */
#ifndef CLI_TRACE_ENTRIES_H
#define CLI_TRACE_ENTRIES_H

#include "cli/options/options.h"
#include "cli/terminal/program.h"
#include "tracers/common/process_file.h"

#define ENTRY_REASON_BYTES 160

/* What was done for each API. */
typedef struct trace_entries {
    bool is_set[TRACE_API_COUNT];
    /* Why it was not done: a clause; "": it was, or is not wanted. */
    char reasons[TRACE_API_COUNT][ENTRY_REASON_BYTES];
} trace_entries;

/* Adds the variables that let tracers in. Returns 0, or -1 if memory runs out. */
int entries_prepare(const cli_options *options, program_environment *environment,
                    trace_entries *out);

#endif
