/* SPDX-License-Identifier: MIT */
/* plot_file.h - draws figures with gnuplot: that of a report, whose script the library writes, and
 * others. */
#ifndef CLI_PLOT_FILE_H
#define CLI_PLOT_FILE_H

#include "cli/options/options.h"

/* Before measuring: checks that the files can be written and that gnuplot can draw the figure.
 * Returns an exit code, after an error message unless it is EXIT_DONE. */
int plot_check(const cli_options *options);
/* The name of a file beside the figure, with another end such as ".gp"; NULL: out of memory. Free
 * it. */
char *plot_file_beside(const char *path, const char *end);
/* Writes a gnuplot script, whose first line sets width and height in pixels of 1/96 inch, and
 * `lines`; or, with `points`, the values of the figure as CSV. */
typedef kt_status (*plot_writer)(const void *user, bool points, const kt_sink *sink);

/* Draws a figure into the file, and with --plot-data writes its script and values beside it.
 * Returns an exit code like plot_check(). */
int plot_draw(const cli_options *options, plot_writer write, const void *user);
/* Draws the figure of a report. */
int plot_write(const cli_options *options, const kt_report *report);

#endif
