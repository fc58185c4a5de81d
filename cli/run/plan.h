/* SPDX-License-Identifier: MIT */
/*
 * plan.h - what `kerntime run` measures: kernels (subjects), and their configurations.
 *
 * A configuration is one subject on one device with one n, one value for each -D, and one --local.
 * Configurations of one device and n form a contest: they do the same work, so their outputs must
 * agree, and one of them is the fastest.
 *
 * All processes of a run make the same plan of the same command line, so that the number of a
 * configuration means the same in each.
 */
#ifndef CLI_RUN_PLAN_H
#define CLI_RUN_PLAN_H

#include "cli/kernel_file/kernel_file.h"
#include "cli/options/options.h"
#include "cli/options/select.h"
#include "cli/run/expression.h"
#include "cli/run/t1.h"

#define RUN_SUBJECTS_MAX       32
#define RUN_DEFINES_MAX        32
#define RUN_CONFIGURATIONS_MAX 100000
#define RUN_TEXT_BYTES         160

/* A kernel of a file. */
typedef struct run_subject {
    kernel_file file;
    char *path;                       /* of the file; freed with the plan */
    char entry[SIGNATURE_NAME_BYTES]; /* GLSL: "main" */
    char label[SIGNATURE_NAME_BYTES]; /* in messages: "gemm.cl:fast", or "gemm.cl" if it has one */
    char name[SIGNATURE_NAME_BYTES];  /* in results: "fast"; of GLSL the file without its ending */
    run_settings settings;            /* the command line's, over those in the file's comment */
    parse_sizes sizes;                /* values of n */
    /* Words of the file's comment, which `settings` point into; freed with the plan. */
    char *comment;
    /* By parameter of `signature`: known without a device (see kernel_file_signature()). */
    bool has_signature;
    signature signature; /* of GLSL: compiled with the first configuration's defines */
} run_subject;

/* A -D with all its values: texts, since a define need be no number. */
typedef struct run_define {
    char name[SIGNATURE_NAME_BYTES];
    char **values;
    int64_t *numbers; /* by value; INT64_MIN: it is no whole number */
    size_t value_count;
} run_define;

typedef struct configuration {
    uint32_t subject; /* index into the plan's subjects; run_plan.subject_count: the reference */
    uint32_t device;  /* index into the selection */
    uint32_t contest; /* number of its contest, from 0 */
    /* Contest whose reference is right for this one, too: all devices do the same work of one n. */
    uint32_t expected;
    uint64_t n;
    uint32_t value_of[RUN_DEFINES_MAX]; /* by define of its subject */
    /* As --global, --groups and --local say; 0: not given, the signature decides (launch.c). */
    int64_t global[3], groups[3], local[3];
    char text[RUN_TEXT_BYTES]; /* what makes it differ: "TILE=16 WPT=4 local=64"; may be empty */
} configuration;

typedef struct run_plan {
    const cli_options *options;
    const cli_selection *selected;
    run_subject subjects[RUN_SUBJECTS_MAX + 1]; /* the one behind the last is that of --check */
    size_t subject_count;                       /* without that of --check */
    bool has_reference;
    run_define *defines[RUN_SUBJECTS_MAX + 1]; /* by subject */
    size_t define_count[RUN_SUBJECTS_MAX + 1];
    configuration *configurations;
    size_t configuration_count;
    size_t dropped; /* by --if */
    size_t contest_count;
    /* By contest: its reference, with --check, if others of its n refer to this contest; NULL
     * without --check. */
    configuration *references;
    double tolerance_abs, tolerance_rel; /* NaN: not given */
    t1_problem t1;                       /* what --t1 says; empty without */
} run_plan;

/* Reads the files and makes all configurations, without opening a device. Returns an exit code,
 * after a message if it is not EXIT_DONE. Free the plan in any case. */
int run_plan_make(const cli_options *options, const cli_selection *selected, run_plan *out);
void run_plan_free(run_plan *plan);
/* Reads the files alone, for --list. */
int run_plan_subjects(const cli_options *options, run_plan *out);

/* The names of a configuration for expressions: n, its -D values that are whole numbers, LX LY LZ
 * and GX GY GZ once they are known (0 before, and then unknown). */
typedef struct run_names {
    const run_plan *plan;
    const configuration *configuration;
    int64_t local[3], global[3];
} run_names;
bool run_lookup(const void *names, const char *name, size_t length, int64_t *value,
                char reason[EXPRESSION_REASON_BYTES]);

#endif
