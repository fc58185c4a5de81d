/* SPDX-License-Identifier: MIT */
/* entries.h - how the tracer of each API gets into a program, and why it may not have got in. */
#ifndef CLI_TRACE_ENTRIES_H
#define CLI_TRACE_ENTRIES_H

#include "cli/options/options.h"
#include "cli/terminal/program.h"
#include "tracers/common/process_file.h"

#define ENTRY_REASON_BYTES 160

/* What was done for each API. */
typedef struct trace_entries {
    program_kind kind;                /* of the program */
    bool is_missing[TRACE_API_COUNT]; /* kerntime was built without its tracer */
    /* Why its variables were not set: a clause; "": they were, or the API is not wanted. */
    char reasons[TRACE_API_COUNT][ENTRY_REASON_BYTES];
} trace_entries;

/* Adds the variables that make loaders load tracers. Returns 0, or -1 if memory runs out. */
int entries_prepare(const cli_options *options, program_environment *environment,
                    trace_entries *out);

/* Why no tracer at all got in: a clause about the program. Returns false if that does not tell. */
bool entries_explain_all(const cli_options *options, const trace_entries *entries,
                         char reason[ENTRY_REASON_BYTES]);
/* Why the tracer of an API did not get in: a clause. */
void entries_explain(trace_api api, const trace_entries *entries, char reason[ENTRY_REASON_BYTES]);
/* Whether the reason is more than that the program did not use the API. */
bool entries_has_cause(trace_api api, const trace_entries *entries);

#endif
