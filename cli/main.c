/* SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/options/glossary.h"
#include "cli/options/suggest.h"
#include "cli/output/file_names.h"
#include "cli/terminal/process.h"
#include "cli/terminal/terminal.h"
#include "commit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_short_help(FILE *stream)
{
    fprintf(stream, "kerntime %s - how long kernels and copies take, on any compute API\n\n",
            kt_version());
    fprintf(stream, "Try first:  kerntime bench matmul --size 32..256 --max-time 300ms\n"
                    "            kerntime copy --direction heap-device --size 64KiB,1MiB,16MiB\n\n"
                    "Commands:\n");
    for (const cli_command *c = commands; c->name; c++)
        fprintf(stream, "  %-9s %s\n", c->name, c->summary);
    fprintf(stream,
            "\n\"kerntime COMMAND --help\" lists its options, \"kerntime help WORD\" explains a\n"
            "word of the output, \"kerntime --version\" or -V prints the version.\n");
}

/* `argv` starts with the command's name. */
static int run(const cli_command *command, const char *program, int argc, char **argv)
{
    /* A copy of the words in their original order for the result file, since getopt reorders
     * them. */
    const char **words = malloc((size_t)argc * sizeof *words);
    if (!words)
        return EXIT_FAILED;
    for (int i = 0; i < argc; i++)
        words[i] = argv[i];
    cli_options options;
    int code = options_parse(command, argc, argv, &options);
    options.program = program;
    options.words = words;
    options.word_count = (uint32_t)argc;
    file_names names = {{NULL}};
    if (code < 0 && command->bit != TRACE) /* it has names of its own: with PROGRAM's process */
        code = file_names_make(&options, &names) == EXIT_DONE ? -1 : EXIT_USAGE;
    if (code < 0)
        code = command->run(&options);
    file_names_free(&names);
    free(words);
    return code;
}

static suggestion suggest_command(const char *name)
{
    suggestion s = suggest_begin(name, strlen(name));
    for (const cli_command *c = commands; c->name; c++)
        suggest_consider(&s, c->name);
    return s;
}

#define MENTIONS_MAX 6

/* Names the entries that have the word in their text. False: there is none. */
static bool tell_mentions(const char *word)
{
    int count = 0;
    for (const cli_term *t = glossary; t->name && count < MENTIONS_MAX; t++)
        if (glossary_mentions(t, word))
            fprintf(stderr, "%s%s", count++ ? ", " : "it stands in the entries of: ", t->name);
    if (count)
        fprintf(stderr, "\n");
    return count > 0;
}

static void refuse_word(const char *word)
{
    suggestion s = suggest_command(word);
    for (const cli_term *t = glossary; t->name; t++)
        suggest_consider(&s, t->name);
    fprintf(stderr, "kerntime: \"%s\" is no command and no word of the output; ", word);
    if (s.word)
        fprintf(stderr, "did you mean \"%s\"?\n", s.word);
    else if (!tell_mentions(word))
        fprintf(stderr, "docs/glossary.md has all words\n");
}

static void refuse_command(const char *name)
{
    suggestion s = suggest_command(name);
    if (s.word)
        fprintf(stderr, "kerntime: there is no command \"%s\"; did you mean \"%s\"?\n", name,
                s.word);
    else
        fprintf(stderr, "kerntime: there is no command \"%s\"; try \"kerntime --help\"\n", name);
}

/* A command, or a word of the output. Returns an exit code. */
static int explain(const char *word)
{
    const cli_command *command = command_find(word);
    const cli_term *term = glossary_find(word);
    term = term ? term : glossary_guess(word);
    if (command)
        options_print_help(command);
    else if (term)
        terminal_print_text(term->name, term->meaning);
    else
        refuse_word(word);
    return command || term ? EXIT_DONE : EXIT_USAGE;
}

/* A word of the output may be several: "slow in". Returns an exit code. */
static int explain_all(int count, char **words)
{
    char all[64] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? " " : "", words[i]);
    return explain(glossary_find(all) ? all : words[0]);
}

/* Returns an exit code. */
static int run_words(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "--help";
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (help && argc <= 2) {
        print_short_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("kerntime %s%s\n", kt_version(), KT_COMMIT);
        return EXIT_DONE;
    }
    if (help)
        return explain_all(argc - 2, argv + 2);
    const cli_command *command = command_find(name);
    if (command)
        return run(command, argv[0], argc - 1, argv + 1);
    refuse_command(name);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    process_keep_environment();
    int code = run_words(argc, argv);
    /* Who has not got the whole answer has none. */
    bool is_answer = code == EXIT_DONE || code == EXIT_SLOWER || code == EXIT_UNDECIDED;
    if ((fflush(stdout) != 0 || ferror(stdout)) && is_answer) {
        fprintf(stderr, "kerntime: standard output: not all of it could be written\n");
        code = EXIT_FAILED;
    }
    return code;
}
