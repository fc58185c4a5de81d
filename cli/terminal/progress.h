/* progress.h - what is being done and how long it may still take, on standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
    bool shown; /* on a terminal, and not --quiet */
    int64_t begin_ns, last_ns;
    double total, done; /* in units of the plan's estimate */
    uint32_t run, runs; /* this is one run of several, from 0; runs 0: it is not */
} cli_progress;

/* A part of the work. Several may be under way at once. */
typedef struct progress_part {
    cli_progress *progress;
    double estimate_ns, fraction; /* how much of it is done, 0..1 */
    char label[96];
} progress_part;

/* `total_ns` is the estimate for everything, or for this run of several. */
void progress_begin(cli_progress *progress, bool quiet, double total_ns, uint32_t run,
                    uint32_t runs);
/* The line, whatever was shown before: this part is begun. */
void progress_part_begin(progress_part *part, cli_progress *progress, const char *label,
                         double estimate_ns);
/* How much of the part is done, 0..1; redraws now and then. */
void progress_part_update(progress_part *part, double fraction);
/* All of it. Nothing happens to a part that was not begun. */
void progress_part_end(progress_part *part);
/* Removes the line, before anything else is written. */
void progress_clear(cli_progress *progress);
/* A line of its own above, which stays; only where progress is shown. */
void progress_say(cli_progress *progress, const char *text);

/* "about 2 min", for people; `text` of 32 bytes. */
char *progress_format_time(char *text, double ns);

#endif
