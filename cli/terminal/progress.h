/* progress.h - shows the current work and the remaining time on standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
    bool shown; /* standard error is a terminal, and --quiet is not given */
    int64_t begin_ns, last_ns;
    double total, done; /* estimated ns of all work, and of the completed work */
    uint32_t run, runs; /* number of this run, from 0, and of all runs; runs 0: a single run */
} cli_progress;

/* Part of the work. Several parts may overlap. */
typedef struct progress_part {
    cli_progress *progress;
    double estimate_ns, fraction; /* fraction: completed share, 0..1 */
    char label[96];
} progress_part;

/* `total_ns`: estimate for the whole work, or for this run of several. */
void progress_begin(cli_progress *progress, bool quiet, double total_ns, uint32_t run,
                    uint32_t runs);
/* Begins a part and redraws the line at once. */
void progress_part_begin(progress_part *part, cli_progress *progress, const char *label,
                         double estimate_ns);
/* Sets the completed share, 0..1; redraws now and then. */
void progress_part_update(progress_part *part, double fraction);
/* Completes the part. Does nothing if it was not begun. */
void progress_part_end(progress_part *part);
/* Removes the progress line; call it before any other output. */
void progress_clear(cli_progress *progress);
/* Prints a lasting line above the progress line; nothing if progress is not shown. */
void progress_say(cli_progress *progress, const char *text);

/* Formats a duration, for example "about 2 min"; `text` has 32 bytes. */
char *progress_format_time(char *text, double ns);

#endif
