/* plot_file.h - the figure of a report: the library writes the script, gnuplot draws it. */
#ifndef CLI_PLOT_FILE_H
#define CLI_PLOT_FILE_H

#include <kerntime/kerntime.h>

/* Before work starts: whether the file can be written, and gnuplot is here and can draw it. An exit
 * code, after a sentence if it is not EXIT_DONE. */
int plot_check(const char *path);
/* Draws the file. The same. */
int plot_write(const char *path, const kt_report *report);

#endif
