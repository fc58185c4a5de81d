/* SPDX-License-Identifier: MIT */
/* output.h - writes results to files and to standard output. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/options/options.h"

/* The option of a document, such as "--json". */
const char *output_option(int output);

/* Before measuring: checks that all files can be written. Returns an exit code. */
int output_check(const cli_options *options);

/* Writes the files, and the table to standard output unless a document goes there. `trace` is NULL
 * unless requested. Returns an exit code. */
int output_write(const cli_options *options, const kt_report *report, kt_trace *trace);

/* As output_write(), with another report in the table; NULL: no table. Leaves figure and trace to
 * the caller. */
int output_write_parts(const cli_options *options, const kt_report *report, const kt_report *shown);

/* Writes the trace to its file, or to `instead` if it goes to standard output, and says so. Returns an
 * exit code. */
int output_write_trace(const cli_options *options, kt_trace *trace, const char *instead);

/* Whether nothing but errors is said: a rank of several with --quiet, whose --json FILE has it all. */
bool output_is_silent(const cli_options *options);

/* Whether standard output has the table: no document goes there, and this process is not silent. */
bool output_has_table(const cli_options *options);

/* Writes the files and the table of a comparison. Returns an exit code. */
int output_write_comparison(const cli_options *options, const kt_report_comparison *comparison);

/* Writes only the result file, to standard output, for the process that started this run. Returns
 * an exit code. */
int output_hand_over(const kt_report *report);

/* Describes a report of this command line. */
kt_report_desc output_describe(const cli_options *options, const char *document);

#endif
