/* SPDX-License-Identifier: MIT */
/*
 * trace.h - `kerntime trace`: runs a program with tracers in it, and tells what its kernels and
 * copies took.
 *
 *   trace.c      checks, runs, writes
 *   launch.c     makes the trace folder and the environment, starts PROGRAM, passes signals on
 *   entries.c    how the tracer of each API gets in: library, variables, and why it may not have got in
 *   document.c   the totals of all runs, and what is said about them
 *   table.c json.c csv.c gbench.c timeline.c   one format each; table.c also Markdown
 */
#ifndef CLI_TRACE_TRACE_H
#define CLI_TRACE_TRACE_H

#include "cli/options/options.h"
#include "cli/trace/entries.h"
#include "tracers/common/collect.h"

#include <stdio.h>

/* ---- one run of PROGRAM ---- */

typedef struct trace_run {
    trace_totals totals;
    double wall_ns;    /* from its start to its end */
    int code;          /* exit code, or 128 + signal */
    int signal;        /* that ended it; 0: none */
    int64_t process;   /* its number */
    char problem[160]; /* why nothing was recorded; "": something could be */
    bool is_unwanted;  /* --ranks leaves this rank out: it ran without tracers */
    bool is_nested;    /* it ran another kerntime trace, which took its own program over */
    bool is_paused;    /* recording was paused at its end */
    int64_t outliving; /* number of a traced process that went on; 0: none */
    trace_entries entries;
} trace_run;

/*
 * Makes a private folder, starts PROGRAM with tracers, waits for it, and collects. Its standard
 * streams are ours. Returns 0, or an exit code of its own after a sentence on standard error.
 */
int trace_launch(const cli_options *options, trace_run *out);

/* ---- the document ---- */

typedef struct trace_document {
    const cli_options *options;
    const kt_report_origin *origin; /* host and version */
    trace_run *runs;
    size_t run_count;
    /* What was not seen or is doubtful, a sentence each, at most 100 columns. */
    char **notes;
    size_t note_count;
} trace_document;

/* Each writes the whole document. Returns false if memory ran out; other errors are the stream's.
 * `width`: columns; 0: unlimited. */
bool trace_print_table(const trace_document *document, FILE *file, int width, bool color);
bool trace_print_markdown(const trace_document *document, FILE *file);
bool trace_print_json(const trace_document *document, FILE *file);
bool trace_print_csv(const trace_document *document, FILE *file);
bool trace_print_gbench(const trace_document *document, FILE *file);
/* Memory of each process for the events of the time line; 0: there is none. */
uint64_t trace_events_bytes(const cli_options *options);
/* The time line of one run as a trace of the library. Returns an exit code. */
int trace_write_timeline(const trace_document *document, const char *path);

/* Notes what was not seen, and frees the notes. Each returns false if memory ran out. */
bool trace_note(trace_document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool trace_note_all(trace_document *document);
void trace_free_notes(trace_document *document);

#endif
