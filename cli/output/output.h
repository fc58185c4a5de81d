/* output.h - where results go. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/options/options.h"

/* Before work starts: whether all files can be written. An exit code, EXIT_DONE if so. */
int output_check(const cli_options *options);

/* Writes the files, and the table to standard output unless a document goes there. `trace` is NULL
 * unless one is wanted. An exit code. */
int output_write(const cli_options *options, const kt_report *report, kt_trace *trace);

/* The same of a comparison. */
int output_write_comparison(const cli_options *options, const kt_report_comparison *comparison);

/* The result file to standard output alone, for the process that has asked for it. An exit code. */
int output_hand_over(const kt_report *report);

/* The description of a report with this command line. */
kt_report_desc output_describe(const cli_options *options, const char *document);

#endif
