/* SPDX-License-Identifier: MIT */
/* progress_screen.h - where progress.c shows what it knows. progress_clear(), progress_say() and
 * progress_settle() of progress.h are of the same files. */
#ifndef CLI_PROGRESS_SCREEN_H
#define CLI_PROGRESS_SCREEN_H

#include "cli/terminal/progress.h"

/* Redraws rows that changed, and the bar with `label`. */
void progress_draw(cli_progress *progress, const char *label);
/* Joins the three texts of a row as progress_draw() and progress_say() take it. */
void progress_format_row(const cli_progress *progress, char row[PROGRESS_TEXT_BYTES],
                         const char *label, const char *who, const char *text);
/* Brings `share` up to date. Returns the expected time until all runs are over. */
double progress_left_ns(cli_progress *progress);

#endif
