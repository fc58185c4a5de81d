/* plot_file.h - draws the figure of a report: the library writes the script, gnuplot draws it. */
#ifndef CLI_PLOT_FILE_H
#define CLI_PLOT_FILE_H

#include "cli/options/options.h"

/* Before measuring: checks that the files can be written and that gnuplot can draw the figure.
 * Returns an exit code, after an error message unless it is EXIT_DONE. */
int plot_check(const cli_options *options);
/* The name of a file beside the figure, with another end such as ".gp"; NULL: out of memory. Free
 * it. */
char *plot_file_beside(const char *path, const char *end);
/* Draws the figure of a report into the file. Returns an exit code like plot_check(). */
int plot_write(const cli_options *options, const kt_report *report);

#endif
