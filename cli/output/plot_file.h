/* plot_file.h - draws the figure of a report: the library writes the script, gnuplot draws it. */
#ifndef CLI_PLOT_FILE_H
#define CLI_PLOT_FILE_H

#include <kerntime/kerntime.h>

/* Before measuring: checks that the file can be written and that gnuplot can draw it. Returns an
 * exit code, after an error message unless it is EXIT_DONE. */
int plot_check(const char *path);
/* Draws the figure of a report into the file. Returns an exit code like plot_check(). */
int plot_write(const char *path, const kt_report *report);

#endif
