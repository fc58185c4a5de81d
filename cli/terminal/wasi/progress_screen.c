/* SPDX-License-Identifier: MIT */
/* progress_screen.c - hands progress to JavaScript, which draws it. */
#include "cli/terminal/progress_screen.h"
#include "cli/terminal/wasi/imports.h"

#include <stdio.h>

/* JavaScript takes it apart at the tabs. */
void progress_format_row(const cli_progress *progress, char row[PROGRESS_TEXT_BYTES],
                         const char *label, const char *who, const char *text)
{
    (void)progress;
    snprintf(row, PROGRESS_TEXT_BYTES, "%.80s\t%.80s\t%.80s", label, who, text);
}

void progress_draw(cli_progress *progress, const char *label)
{
    char text[PROGRESS_TEXT_BYTES];
    double left_ns = progress_left_ns(progress), share = progress->share;
    if (progress->runs) {
        share = (progress->run + share) / progress->runs;
        snprintf(text, sizeof text, "run %u of %u, %s", progress->run + 1, progress->runs, label);
    } else {
        snprintf(text, sizeof text, "%s", label);
    }
    for (const progress_part *part = progress->first; part && progress->rows_changed;
         part = part->next)
        if (part->row[0])
            import_progress_row((uintptr_t)part, part->row, part->is_final);
    progress->rows_changed = false;
    import_progress_bar(share, progress->seen ? left_ns : -1, text);
}

void progress_clear(cli_progress *progress)
{
    (void)progress;
}

void progress_say(cli_progress *progress, const char *text)
{
    if (progress->shown)
        import_progress_row(0, text, 1);
}

void progress_settle(cli_progress *progress)
{
    for (const progress_part *part = progress->first; part && progress->shown; part = part->next)
        if (part->row[0])
            import_progress_row((uintptr_t)part, part->row, part->is_final);
    progress->first = progress->last = NULL;
}
