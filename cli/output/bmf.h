/* SPDX-License-Identifier: MIT */
/* bmf.h - Bencher Metric Format, the JSON of bencher (bencher.dev/docs/reference/bencher-metric-format). */
#ifndef CLI_BMF_H
#define CLI_BMF_H

#include "cli/options/options.h"

#include <stdio.h>

/* Writes the times of a report, and says on standard error what has none. Returns false if memory
 * ran out. */
bool bmf_write(const kt_report *report, const cli_options *options, FILE *file);

#endif
