/* SPDX-License-Identifier: MIT */
/* fleet.c - the command `fleet`: merges the result files of many processes, and tells which devices
 * are slow. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/fleet.h"

#include "cli/commands/commands.h"
#include "cli/output/output.h"
#include "cli/terminal/terminal.h"

#include <stdlib.h>
#include <string.h>

#define MIN_EFFECT 0.03
#define ALPHA      0.01

static const struct {
    int format;
    const char *option;
    bool (*print)(const fleet *of, FILE *file);
} documents[] = {{KT_FORMAT_JSON, "--json", fleet_print_json},
                 {KT_FORMAT_CSV, "--csv", fleet_print_csv},
                 {KT_FORMAT_MARKDOWN, "--markdown", fleet_print_markdown}};

#define DOCUMENTS (sizeof documents / sizeof documents[0])

static int refuse(const char *what, const char *reason)
{
    fprintf(stderr, "kerntime: %s: %s\n", what, reason);
    return EXIT_FAILED;
}

/* To a file, which is complete or is not there. */
static int write_file(const fleet *of, size_t number, const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    bool complete = file && documents[number].print(of, file) && !ferror(file);
    complete = file && fclose(file) == 0 && complete;
    int code = EXIT_DONE;
    if (!complete)
        code = refuse(documents[number].option, "out of memory");
    else if (kt_path_write(path, text, bytes) != KT_OK)
        code = refuse(documents[number].option, kt_error_text());
    free(text);
    return code;
}

static bool print_table(const fleet *of)
{
    const cli_options *o = of->options;
    unsigned width = terminal_width();
    bool color =
        o->color == COLOR_ALWAYS || (o->color == COLOR_AUTO && width && !terminal_is_plain());
    return fleet_print_table(of, stdout, o->wide ? 0 : width, color);
}

/* Standard output has a document, commands for a shell, or the table. */
static bool print_output(const fleet *of)
{
    const cli_options *o = of->options;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        const char *path = o->files[documents[i].format];
        if (path && strcmp(path, "-") == 0)
            return documents[i].print(of, stdout);
    }
    bool has_commands = o->fleet.slurm || o->fleet.again;
    if (!has_commands)
        return print_table(of);
    return (!o->fleet.slurm || fleet_print_slurm(of, stdout)) &&
           (!o->fleet.again || fleet_print_again(of, stdout));
}

/* The results stay as they are. */
static int check_kept(const fleet *of)
{
    const cli_options *o = of->options;
    for (int output = 0; output < OUTPUT_COUNT; output++)
        for (size_t i = 0; o->files[output] && i < of->file_count; i++)
            if (!of->files[i].is_fleet && kt_path_is_same(o->files[output], of->files[i].path)) {
                fprintf(stderr, "kerntime fleet: %s would be written over, and it is read\n",
                        o->files[output]);
                return EXIT_USAGE;
            }
    return EXIT_DONE;
}

/* Files first: the reader of standard output may end early. */
static int write_all(const fleet *of)
{
    const cli_options *o = of->options;
    int code = EXIT_DONE;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        const char *path = o->files[documents[i].format];
        if (path && strcmp(path, "-") != 0 && write_file(of, i, path) != EXIT_DONE)
            code = EXIT_FAILED;
    }
    if (o->plot && fleet_plot(of) != EXIT_DONE)
        code = EXIT_FAILED;
    if (!print_output(of))
        code = refuse("standard output", "out of memory");
    return code;
}

int cmd_fleet(const cli_options *options)
{
    fleet of = {.options = options,
                .min_effect =
                    options->compare.min_effect > 0 ? options->compare.min_effect : MIN_EFFECT,
                .alpha = options->compare.alpha > 0 ? options->compare.alpha : ALPHA};
    int code = EXIT_DONE;
    if (!options->operand_count) {
        fprintf(stderr, "kerntime fleet: it takes result files, or folders of them\n");
        code = EXIT_USAGE;
    }
    if (options->fleet.slurm && options->fleet.again) {
        fprintf(stderr, "kerntime fleet: --slurm and --again: one of them, since drained nodes "
                        "measure nothing\n");
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE)
        code = output_check(options);
    if (code == EXIT_DONE)
        code = fleet_read(&of);
    if (code == EXIT_DONE)
        code = check_kept(&of);
    if (code == EXIT_DONE)
        code = fleet_merge(&of);
    if (code == EXIT_DONE) {
        code = write_all(&of);
        fleet_advise(&of);
        code = code == EXIT_DONE ? fleet_exit_code(&of) : code;
    }
    fleet_free(&of);
    return code;
}
