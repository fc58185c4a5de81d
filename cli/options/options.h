/* SPDX-License-Identifier: MIT */
/* options.h - the command line: the tables of commands and options, which produce the parser, the
 * help, the man page and the shell completions. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/options/parse.h"
#include "cli/options/run_settings.h"
#include "cli/options/trace_options.h"
#include "workloads/copy/copy.h"

#include <kerntime/kerntime.h>
#include <stdbool.h>

/* Exit codes, stable for scripts. */
enum {
    EXIT_DONE = 0,
    /* `compare`: a row is slower, or likely slower with --gate likely; `fleet`: a device is slow */
    EXIT_SLOWER = 1,
    /* wrong usage, unreadable input or unwritable output; nothing was measured */
    EXIT_USAGE = 2,
    EXIT_UNAVAILABLE = 3,   /* a named device or driver is missing; nothing was measured */
    EXIT_FAILED = 4,        /* something could not be measured; the rest was written */
    EXIT_UNDECIDED = 5,     /* `compare`, `fleet`: inconclusive, or not comparable */
    EXIT_INTERRUPTED = 130, /* Ctrl-C ended the program; shells use the same code */
    /* `trace`, as of env(1); else it ends with the code of its program */
    TRACE_EXIT_FAILED = 125,
    TRACE_EXIT_NOT_EXECUTABLE = 126,
    TRACE_EXIT_NOT_FOUND = 127
};

#define OPTIONS_DEVICES_MAX 64
#define OPTIONS_RESULTS_MAX 256 /* files per side of a comparison */

/* Hidden option by which kerntime starts itself as one run of several; its value counts from 0. */
#define OPTION_RUN "internal-run"
/* Hidden option of such a run: what the first one left out, as session/runs.c writes it. "-": it is
 * not known. */
#define OPTION_LEFT_OUT "internal-left-out"

/* Hidden option by which `run` starts itself as a stage of its work: "STAGE:FOLDER". */
#define OPTION_STAGE "internal-stage"

/* Files written on request by output.c: one per format of the library, the trace of the submissions,
 * and the command's own formats for other programs. */
enum {
    OUTPUT_TRACE = KT_FORMAT_COUNT,
    OUTPUT_GBENCH, /* Google Benchmark's */
    OUTPUT_BMF,    /* bencher's */
    OUTPUT_ACTION, /* github-action-benchmark's */
    OUTPUT_COUNT
};

/* Result files of one side of a comparison. */
typedef struct cli_side {
    const char *files[OPTIONS_RESULTS_MAX];
    uint32_t count;
} cli_side;

/* What the first table of `fleet` sums up. */
typedef enum fleet_by { FLEET_BY_MODEL = 0, FLEET_BY_NODE, FLEET_BY_SLOT } fleet_by;

/* Options of `fleet` alone. */
typedef struct fleet_options {
    fleet_by by;
    bool slurm, again;
} fleet_options;

/* Whether the table has colours. */
/* Samples of a baseline as many as fit in its time. */
#define BASELINE_SAMPLES_AUTO UINT32_MAX

typedef enum cli_color { COLOR_AUTO = 0, COLOR_ALWAYS, COLOR_NEVER } cli_color;

typedef struct cli_options {
    const char *devices[OPTIONS_DEVICES_MAX]; /* values of -d as typed */
    size_t device_count;
    const char *local_device; /* backend of --local-device; NULL: not given */
    const char *start_folder; /* folder of --start-together; NULL: not given */
    int64_t start_limit_ns;   /* 0: the default */
    parse_sizes sizes;        /* sizes.count 0: no sizes were given */
    const char *variant;
    uint32_t kinds; /* memory kinds for either end of a copy, as bits 1 << kind; 0: not given */
    copy_direction directions[COPY_DIRECTIONS_MAX];
    size_t direction_count;    /* 0: no directions were given */
    uint32_t baseline_samples; /* 0: no baselines */
    kt_measure_options measure;
    bool raw, quiet, verbose, wide, no_identity;
    bool list; /* lists the workloads, or the kernels of the files, and measures nothing */
    cli_color color;
    bool sequential;                 /* measures one job after another, not interleaved */
    bool gate_likely;                /* a likely slower row ends with EXIT_SLOWER */
    const char *files[OUTPUT_COUNT]; /* file of each document; NULL: none; "-": standard output */
    const char *plot;                /* file of the figure; NULL: no figure */
    double plot_width_mm;            /* 0: for a screen */
    kt_figure_values plot_values;
    bool plot_plain, plot_data;
    bool gbench_repetitions;   /* each sample is a repetition */
    const char *rank_variable; /* has this process' rank; NULL: those of known launchers */

    run_settings run;    /* options of `run` alone */
    trace_options trace; /* options of `trace` alone */
    fleet_options fleet; /* options of `fleet` alone */

    cli_side baseline, contender; /* files of --baseline and --contender */
    kt_compare_options compare;

    char *const *operands; /* names of workloads or result files */
    int operand_count;
    const char *command;      /* the command's name */
    bool measures;            /* it is one of ON_DEVICES: each rank has results of its own */
    uint32_t runs;            /* number of processes; 0: not given */
    bool is_run;              /* this process is one of several runs, number measure.run */
    const char *left_out;     /* value of OPTION_LEFT_OUT; NULL: not known */
    const char *stage;        /* value of OPTION_STAGE; NULL: this process is no stage of `run` */
    const char *program;      /* path used to start this program */
    const char *const *words; /* the command line without the program's name */
    uint32_t word_count;
} cli_options;

/* Bits by which options, exit codes and the like refer to commands. */
enum {
    BENCH = 1,
    DEVICES = 2,
    COPY = 4,
    DOCTOR = 8,
    COMPARE = 16,
    RUN = 32,
    TRACE = 64,
    FLEET = 128,
    CONVERT = 256,
    MEASURING = BENCH | COPY | RUN,
    ON_DEVICES = MEASURING | DEVICES | DOCTOR,
    ALL = ON_DEVICES | COMPARE | TRACE | FLEET | CONVERT,
    /* Of an option: it belongs to one process: its devices, outputs and place among ranks. */
    OF_PROCESS = 512
};

typedef struct cli_command {
    const char *name;
    const char *operands; /* operands as the help shows them */
    const char *summary;
    int (*run)(const cli_options *options);
    int bit; /* bit of this command, such as BENCH */
    /* Argument of --baseline and --contender, which may be repeated and replace operands; NULL: no
     * such options. */
    const char *sides;
} cli_command;

typedef struct cli_option {
    const char *name;
    char letter;          /* short form of the option; 0: no short form */
    int commands;         /* bits of the commands with this option, perhaps with OF_PROCESS */
    const char *argument; /* placeholder; NULL: the option takes no argument */
    const char *help;     /* NULL: an internal option, which the help does not show */
    /* Sets the option; 0, or -1 with a message in `reason`. NULL: shows the help. */
    int (*set)(cli_options *to, const char *value, char *reason);
} cli_option;

typedef struct cli_exit_code {
    int code;
    int commands; /* bits of the commands that use this code */
    const char *meaning;
} cli_exit_code;

/* A word in the user interface and its meaning. */
typedef struct cli_term {
    const char *name, *meaning;
} cli_term;

/* Memory kinds, and forms of copy directions. Each list ends with an entry without a name. */
extern const cli_term copy_kinds[];
extern const cli_term copy_ways[];

/* The exit codes, the values of --timing in the order of kt_timing, and the values of --order,
 * --gate and --color. Each list ends with an entry without a name. */
extern const cli_exit_code exit_codes[];
extern const char *const timing_words[];
extern const char *const order_words[];
extern const char *const gate_words[];
extern const char *const fleet_by_words[]; /* in the order of fleet_by */
extern const char *const color_words[];
/* The values of -b of `trace`, in the order of trace_api, and those of --follow. */
extern const char *const trace_api_words[];
extern const char *const yes_no_words[];
/* The values of --plot-what, in the order of kt_figure_values behind KT_FIGURE_USUAL. */
extern const char *const plot_words[];

/* Visible option number `index` of a command, or NULL. */
const cli_option *command_option(const cli_command *command, size_t index);

/* Parses the words after the command. Returns -1 to continue, or the exit code if the program ends
 * here (after the help or an error message). */
int options_parse(const cli_command *command, int argc, char **argv, cli_options *out);

typedef void (*options_taker)(void *user, const char *word);
/*
 * Of a command that measures, argv[0] being its name, gives `take` the words by which another
 * process measures the same: the name, the operands, and all options but those OF_PROCESS. `out` is
 * what the words set. Reorders argv. Returns 0, or -1 with a clause why this command cannot be
 * repeated in `reason`.
 */
int options_repeat(int argc, char **argv, cli_options *out, options_taker take, void *user,
                   char *reason, size_t bytes);

/* Prints the help of a command. */
void options_print_help(const cli_command *command);

/* Refuses operands, saying `instead` of the first one. Returns an exit code. */
int options_refuse_operands(const cli_options *options, const char *instead);

/* Refuses options that no measuring command supports together. Returns an exit code. */
int options_check_measure(const cli_options *options);

#endif
