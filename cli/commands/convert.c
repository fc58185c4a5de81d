/* SPDX-License-Identifier: MIT */
/* convert.c - the command `convert`: writes a result file that was made before in other formats. */
#include "cli/commands/commands.h"
#include "cli/output/output.h"
#include "cli/result_file/read_result.h"

#include <stdio.h>
#include <string.h>

static int refuse(const char *what, const char *sentence)
{
    fprintf(stderr, "kerntime convert: %s: %s\n", what, sentence);
    return EXIT_USAGE;
}

static int check_operands(const cli_options *options)
{
    if (options->operand_count == 0) {
        fprintf(stderr, "kerntime convert: which RESULT? It takes a file of --json\n");
        return EXIT_USAGE;
    }
    if (options->operand_count > 1)
        return refuse(options->operands[1], "it takes one file");
    if (strcmp(options->operands[0], "-") == 0)
        return refuse("-", "standard input is named /dev/stdin");
    return EXIT_DONE;
}

/* Refuses to write over the file that is read. */
static int check_kept(const cli_options *options)
{
    const char *from = options->operands[0];
    for (int i = 0; i < OUTPUT_COUNT; i++)
        if (options->files[i] && kt_path_is_same(options->files[i], from))
            return refuse(output_option(i), "it would write over RESULT");
    return EXIT_DONE;
}

/* The first option that asks for a format of times alone; NULL: none. */
static const char *times_option(const cli_options *options)
{
    static const int outputs[] = {KT_FORMAT_CSV, OUTPUT_GBENCH, OUTPUT_BMF, OUTPUT_ACTION};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (options->files[outputs[i]])
            return output_option(outputs[i]);
    return options->plot ? "--plot" : NULL;
}

/* Refuses what the document has not. */
static int check_document(const cli_options *options, const kt_report *report)
{
    const kt_report_desc *desc = kt_report_get_desc(report);
    const char *option = times_option(options);
    if (option && strcmp(desc->document, "result") != 0)
        return refuse(option, "RESULT is no result of measurements: it has no times");
    if (options->plot && desc->command_count && strcmp(desc->command[0], "run") == 0)
        return refuse("--plot", "figures of kerntime run are drawn when it runs");
    return EXIT_DONE;
}

static int convert(const cli_options *options)
{
    char reason[READ_REASON_BYTES];
    kt_report *report = NULL;
    int result = read_result_file(options->operands[0], &report, reason);
    if (result != READ_DONE) {
        refuse(options->operands[0], reason);
        return result == READ_NO_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    }
    int code = check_document(options, report);
    if (code == EXIT_DONE)
        code = output_write(options, report, NULL);
    kt_report_destroy(&report);
    return code;
}

int cmd_convert(const cli_options *options)
{
    int code = check_operands(options);
    if (code == EXIT_DONE)
        code = check_kept(options);
    if (code == EXIT_DONE)
        code = output_check(options);
    return code == EXIT_DONE ? convert(options) : code;
}
