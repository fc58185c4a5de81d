/* SPDX-License-Identifier: MIT */
/* stage_run.h - what the files of the first process share: the fate of each configuration. */
#ifndef CLI_RUN_STAGE_RUN_H
#define CLI_RUN_STAGE_RUN_H

#include "cli/options/select.h"
#include "cli/run/answer.h"
#include "cli/run/stage_parts.h"
#include "cli/terminal/progress.h"

/* What became of a configuration. */
typedef struct run_fate {
    launch_outcome outcome;
    char *reason; /* a sentence; NULL: none */
    char *log;    /* the compiler's text; NULL: none */
    bool is_checked, is_dropped, is_told;
    double build_ns, first_use_ns;
} run_fate;

typedef struct run_state {
    const cli_options *options;
    const char **words; /* the command line of a stage; the texts below are in it */
    char stage_word[FOLDER_BYTES + 64], run_word[64];
    char folder[FOLDER_BYTES]; /* empty: there is none */
    cli_selection selected;
    run_plan *plan;
    run_fate *fates;              /* by number of a configuration */
    bool *chosen;                 /* likewise: still to do in this stage */
    bool *has_reference;          /* by contest */
    bool *noted;                  /* by subject */
    kt_report **races, **results; /* what stages handed over */
    size_t race_count, result_count;
    cli_progress progress;
    progress_part part;
    size_t done, total; /* configurations that were checked, and all */
    int64_t begin_ns;
    size_t told, logs_told; /* sentences about failures, and texts of compilers, so far */
    bool has_broken;        /* a stage could not do its work */
    FILE *trace;            /* what a stage left for standard output */
    kt_report *report;
    answer_contest *contests;
} run_state;

/* Checks, races and measures (stage_processes.c). Returns an exit code. */
int run_check(run_state *r);
int run_races(run_state *r);
int run_measure(run_state *r);

/* Prints a sentence about a configuration on standard error, and the compiler's text if it is new
 * (stage_messages.c). */
void run_tell_failure(run_state *r, size_t number);
/* Whether that was said of this configuration, or the same of another one. */
bool run_is_told(const run_state *r, size_t number);
void run_tell(run_state *r, size_t number, const char *text);
void run_tell_notes(run_state *r, size_t number, const char *text);

/* Makes the rows and the answers, and writes all outputs (stage_rows.c). Returns an exit code. */
int run_write(run_state *r);

#endif
