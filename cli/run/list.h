/* SPDX-License-Identifier: MIT */
/* list.h - what `kerntime run FILE --list` prints. */
#ifndef CLI_RUN_LIST_H
#define CLI_RUN_LIST_H

#include "cli/options/options.h"

/* Prints the kernels of the files to standard output: what each takes, and what it would be given
 * if nothing else is said. Opens no device. Returns an exit code, after a message if it is not
 * EXIT_DONE. */
int run_list(const cli_options *options);

#endif
