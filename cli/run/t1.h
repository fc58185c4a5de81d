/* SPDX-License-Identifier: MIT */
/*
 * t1.h - reads T1 files, in which autotuners describe a kernel, its parameters and arguments
 * (Kernel Tuner's kernel_tuner/schema/T1, TuningSchema).
 *
 * Nothing is evaluated: values are lists of numbers and texts, all else is refused. How to search
 * (Search, Budget) and which device to take are not read.
 */
#ifndef CLI_RUN_T1_H
#define CLI_RUN_T1_H

#include "cli/options/parse.h"
#include "cli/options/run_settings.h"

#define T1_REASON_BYTES 400

/* What a file says, as options. */
typedef struct t1_problem {
    const char *operand; /* "FILE:KERNEL" */
    run_settings settings;
    parse_sizes sizes; /* the first ProblemSize, if it is a number; else 1 */
    char **texts;      /* that the others point to */
    size_t text_count;
} t1_problem;

/* Reads a file, or a text whose kernel's file is beside `path`. Returns 0, or -1 with a sentence,
 * which names the file if it was read. Free it in any case. */
int t1_read(const char *path, t1_problem *out, char reason[T1_REASON_BYTES]);
int t1_read_text(const char *path, const char *text, size_t bytes, t1_problem *out,
                 char reason[T1_REASON_BYTES]);
void t1_free(t1_problem *problem);

#endif
