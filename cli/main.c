#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_short_help(FILE *stream)
{
    fprintf(stream, "kerntime %s - one stopwatch for every compute API\n\n", kt_version());
    fprintf(stream, "Try first:  kerntime bench matmul --size 32..512\n"
                    "            kerntime copy --size 64KiB,1MiB,16MiB\n\nCommands:\n");
    for (const cli_command *c = commands; c->name; c++)
        fprintf(stream, "  %-9s %s\n", c->name, c->summary);
    fprintf(stream,
            "\n\"kerntime COMMAND --help\" tells more; \"kerntime --version\" the version.\n");
}

/* `argv` starts with the name of the command. */
static int run(const cli_command *command, const char *program, int argc, char **argv)
{
    /* The words as they were typed, for the result file: getopt moves them about. */
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
    if (code < 0)
        code = command->run(&options);
    free(words);
    return code;
}

/* An exit code. */
static int run_words(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "--help";
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (help && argc <= 2) {
        print_short_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("kerntime %s\n", kt_version());
        return EXIT_DONE;
    }
    if (help)
        name = argv[2];
    const cli_command *command = command_find(name);
    if (!command) {
        fprintf(stderr, "kerntime: there is no command \"%s\"; try \"kerntime --help\"\n", name);
        return EXIT_USAGE;
    }
    if (help) {
        options_print_help(command);
        return EXIT_DONE;
    }
    return run(command, argv[0], argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    int code = run_words(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE) {
        fprintf(stderr, "kerntime: standard output: not all of it could be written\n");
        code = EXIT_FAILED;
    }
    return code;
}
