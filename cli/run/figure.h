/* SPDX-License-Identifier: MIT */
/* figure.h - draws times by configuration with 95 % intervals, the indistinguishable set marked. */
#ifndef CLI_RUN_FIGURE_H
#define CLI_RUN_FIGURE_H

#include "cli/options/options.h"
#include "cli/run/answer.h"

typedef struct figure_source {
    const cli_options *options;     /* those of --plot */
    const kt_report *report;        /* it has the devices, and the origin */
    const answer_contest *contests; /* judged */
    size_t contest_count;
} figure_source;

/* Draws contests as plot_draw() does, once plot_check() has checked the file. If no contest has
 * several configurations, draws the report's own figure, of times by n. Returns an exit code, after
 * a message if it is not EXIT_DONE. */
int figure_write(const cli_options *options, const kt_report *report,
                 const answer_contest *contests, size_t count);
/* Writes the script of the figure of contests, or its values as CSV. */
kt_status figure_write_script(const figure_source *from, bool points, const kt_sink *sink);

#endif
