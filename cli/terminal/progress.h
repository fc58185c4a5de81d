/* SPDX-License-Identifier: MIT */
/*
 * progress.h - shows on standard error what is measured now, and how long it still takes.
 *
 * On a terminal its last lines are redrawn in place: a row for each part that has one, then a bar.
 * Rows of finished parts stay. Where standard error is no terminal, nothing is shown.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#define PROGRESS_TEXT_BYTES 256

struct progress_part;

typedef struct cli_progress {
    bool shown; /* standard error is a terminal, and --quiet is not given */
    int64_t begin_ns, last_ns;
    double planned_ns;        /* expected time of all parts, begun or not */
    double begun_ns;          /* the share of it of parts that have begun */
    double spent_ns, left_ns; /* time that these parts took, and still take as far as is known */
    double share;             /* completed share as last shown, 0..1: a bar never goes back */
    bool seen;                /* one round is over: the time that is left is known well enough */
    uint32_t run, runs; /* number of this run, from 0, and of all runs; runs 0: a single run */
    int label_width, who_width;         /* of all rows, in columns */
    struct progress_part *first, *last; /* parts whose rows are redrawn, in order */
    unsigned drawn;                     /* lines of rows above the bar */
    bool rows_changed, interrupted;
} cli_progress;

/* Part of the work. Several parts may overlap. */
typedef struct progress_part {
    cli_progress *progress; /* NULL: not begun */
    int64_t begin_ns;
    double planned_ns, spent_ns, left_ns;
    bool followed; /* its spent and remaining times are reported, not derived from a share */
    char label[96];
    char row[PROGRESS_TEXT_BYTES]; /* empty: the part has no row */
    bool is_final;                 /* the row stays as it is */
    struct progress_part *next;
} progress_part;

/* `planned_ns`: estimate for the whole work, or for this run of several. */
void progress_begin(cli_progress *progress, bool quiet, double planned_ns, uint32_t run,
                    uint32_t runs);
/* From now on the remaining time is shown: a round over all parts shows how long they take. */
void progress_round_over(cli_progress *progress);
/* Begins a part and redraws at once. */
void progress_part_begin(progress_part *part, cli_progress *progress, const char *label,
                         double planned_ns);
/* Sets the completed share, 0..1; redraws now and then. */
void progress_part_update(progress_part *part, double share);
/* Sets the time that the part took so far, and takes still; redraws now and then. */
void progress_part_follow(progress_part *part, double spent_ns, double left_ns);
/* Sets the part's row. It stays in memory until progress_settle(). Final: the part is finished. */
void progress_part_row(progress_part *part, const char *label, const char *who, const char *text,
                       bool is_final);
/* Completes the part. Does nothing if it was not begun. */
void progress_part_end(progress_part *part);
/* Ends the redrawing of all rows: those with a final text stay on the screen. */
void progress_settle(cli_progress *progress);
/* Removes what is redrawn; call it before any other output. */
void progress_clear(cli_progress *progress);
/* Prints a lasting line above what is redrawn; nothing if progress is not shown. */
void progress_say(cli_progress *progress, const char *text);
/* Prints a lasting row. */
void progress_say_row(cli_progress *progress, const char *label, const char *who, const char *text);

/* Formats a duration, for example "about 2 min"; `text` has 32 bytes. */
char *progress_format_time(char *text, double ns);
/* Formats a duration that was estimated before anything was seen: "usually under 2 min". */
char *progress_format_plan(char *text, double ns);

#endif
