/* SPDX-License-Identifier: MIT */
/* action.h - the array that github-action-benchmark reads for customSmallerIsBetter (its README.md). */
#ifndef CLI_ACTION_H
#define CLI_ACTION_H

#include "cli/options/options.h"

#include <stdio.h>

/* Writes the times of a report, and says on standard error what has none. Returns false if memory
 * ran out. */
bool action_write(const kt_report *report, const cli_options *options, FILE *file);

#endif
