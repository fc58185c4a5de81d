/* progress.h - what is being done and how long it may still take, on standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
    bool shown; /* on a terminal, and not --quiet */
    int64_t begin_ns, last_ns;
    double total, done, step; /* in units of the plan's estimate; `step` is the part under way */
    char label[96];
} cli_progress;

/* `total_ns` is the estimate for everything. */
void progress_begin(cli_progress *progress, bool quiet, double total_ns);
/* The next part, of which `estimate_ns` had been thought. */
void progress_step(cli_progress *progress, const char *label, double estimate_ns);
/* How much of the part is done, 0..1; redraws now and then. */
void progress_update(cli_progress *progress, double fraction);
/* Removes the line, before anything else is written. */
void progress_clear(cli_progress *progress);

/* "about 2 min", for people; `text` of 32 bytes. */
char *progress_format_time(char *text, double ns);

#endif
