/* figure.h - draws times by configuration with 95 % intervals, the indistinguishable set marked. */
#ifndef CLI_RUN_FIGURE_H
#define CLI_RUN_FIGURE_H

#include "cli/options/options.h"
#include "cli/run/answer.h"

/* Draws judged contests into options->plot as plot_write() does, which plot_check() has checked.
 * Without a contest of several configurations, draws the report's own figure of times by n. Returns
 * an exit code, after a message if it is not EXIT_DONE. */
int figure_write(const cli_options *options, const kt_report *report,
                 const answer_contest *contests, size_t count);

#endif
