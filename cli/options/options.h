/* options.h - the command line: tables of commands and options, from which come the parser, the
 * help, the man page and the completions of shells. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/options/parse.h"
#include "workloads/copy/copy.h"

#include <kerntime/kerntime.h>
#include <stdbool.h>

/* Exit codes; a promise to scripts. */
enum {
    EXIT_DONE = 0,
    EXIT_SLOWER = 1,      /* `compare`: something is */
    EXIT_USAGE = 2,       /* wrong usage, unreadable input, unwritable output: before work starts */
    EXIT_UNAVAILABLE = 3, /* a named device or driver is not here: before work starts */
    EXIT_FAILED = 4,      /* something could not be measured; the rest is done and written */
    EXIT_UNDECIDED = 5,   /* `compare`: inconclusive, or not comparable */
    EXIT_INTERRUPTED = 130 /* what shells say of a program that SIGINT has ended */
};

#define OPTIONS_DEVICES_MAX 64
#define OPTIONS_RESULTS_MAX 256 /* files of one side of a comparison */

/* By which the program tells itself that it is one run of several, and which, from 0. */
#define OPTION_RUN "internal-run"

/* Documents that a command writes on demand; output.c knows how. */
typedef enum cli_output {
    OUTPUT_JSON = 0,
    OUTPUT_CSV,
    OUTPUT_MARKDOWN,
    OUTPUT_TRACE, /* of the submissions; the others are made of the report */
    OUTPUT_COUNT
} cli_output;

/* Result files that together are one side of a comparison. */
typedef struct cli_side {
    const char *files[OPTIONS_RESULTS_MAX];
    uint32_t count;
} cli_side;

typedef struct cli_options {
    const char *devices[OPTIONS_DEVICES_MAX]; /* as typed */
    size_t device_count;
    parse_sizes sizes; /* count 0: not given */
    const char *variant;
    uint32_t kinds; /* bit 1 << kind of memory at either end of a copy; 0: not given */
    copy_direction directions[COPY_DIRECTIONS_MAX];
    size_t direction_count; /* 0: not given */
    uint32_t baseline_samples;
    kt_measure_options measure;
    bool raw, quiet;
    bool sequential;                 /* one measurement after another, not in turns */
    const char *files[OUTPUT_COUNT]; /* NULL: not wanted; "-": standard output */
    const char *plot;                /* the figure; NULL: not wanted */

    cli_side base, new; /* as named by options */
    kt_compare_options compare;

    char *const *operands; /* what is no option: names of workloads, of result files */
    int operand_count;
    const char *command;      /* its name */
    uint32_t runs;            /* processes, one after another; 0: not asked for */
    bool is_run;              /* this is one of them, number measure.run */
    const char *program;      /* as it was started */
    const char *const *words; /* the whole command line but the program's name */
    uint32_t word_count;
} cli_options;

/* By these bits options, exit codes and so on name commands. */
enum {
    BENCH = 1,
    DEVICES = 2,
    COPY = 4,
    DOCTOR = 8,
    COMPARE = 16,
    MEASURING = BENCH | COPY,
    ON_DEVICES = MEASURING | DEVICES | DOCTOR,
    ALL = ON_DEVICES | COMPARE
};

typedef struct cli_command {
    const char *name;
    const char *operands; /* as shown in the help */
    const char *summary;
    int (*run)(const cli_options *options);
    int bit; /* by which options name it */
    /* what --base and --new take, each repeated, in place of operands; NULL: no such options */
    const char *sides;
} cli_command;

typedef struct cli_option {
    const char *name;
    char letter;          /* 0: none */
    int commands;         /* or of their bits */
    const char *argument; /* NULL: takes none */
    const char *help;     /* NULL: for the program itself; shown nowhere */
    /* Sets it; 0, or -1 with what is wrong in `why`. NULL: it shows the help. */
    int (*set)(cli_options *to, const char *value, char *why);
} cli_option;

typedef struct cli_exit_code {
    int code;
    int commands; /* that end with it for this reason, or of their bits */
    const char *meaning;
} cli_exit_code;

/* A word that users meet. */
typedef struct cli_term {
    const char *name, *meaning;
} cli_term;

/* Kinds of memory, and the forms of directions of copies; the last of each has no name. */
extern const cli_term copy_kinds[];
extern const cli_term copy_ways[];

/* The exit codes, what --timing takes in the order of kt_timing, and what --order takes; the last
 * of each has no name. */
extern const cli_exit_code exit_codes[];
extern const char *const timing_words[];
extern const char *const order_words[];

/* Option number `index` of a command, or NULL; of those that are shown. */
const cli_option *command_option(const cli_command *command, size_t index);

/* Reads what follows the name of a command. Returns -1 to go on, or the exit code of a program that
 * is done (help was shown, or the sentence on what is wrong). */
int options_parse(const cli_command *command, int argc, char **argv, cli_options *out);

/* The help of one command. */
void options_print_help(const cli_command *command);

#endif
