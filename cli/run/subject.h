/* SPDX-License-Identifier: MIT */
/* subject.h - parts of a plan: kernels of files, what their comments say, values of -D, and trials.
 * Each function prints a message where it fails, and returns an exit code. */
#ifndef CLI_RUN_SUBJECT_H
#define CLI_RUN_SUBJECT_H

#include "cli/run/plan.h"

/* Reads the kernels that an operand "FILE[:KERNEL]" names, and appends them to `plan`; without
 * `all`, a file with several kernels needs a name. `is_reference`: it is that of --check, and goes
 * behind the others. */
int subject_add(run_plan *plan, const char *operand, bool all, bool is_reference);
void subject_free(run_subject *subject);
/* A copy to free(), or NULL. */
char *text_copy(const char *text);
/* Says that memory ran out, and returns EXIT_FAILED. */
int run_out(void);

/* Which of the file's comments are read: "kerntime: WORDS" or "kerntime KERNEL: WORDS". */
typedef enum comment_layer { COMMENT_OF_ALL = 0, COMMENT_OF_KERNEL, COMMENT_LAYERS } comment_layer;

/* Reads the comments of the subject's file, each layer into settings and sizes of its own.
 * Allocates subject->comment. */
int comment_read(run_subject *subject, run_settings layers[COMMENT_LAYERS],
                 parse_sizes sizes[COMMENT_LAYERS]);
/* Lays settings over others: what may be repeated is joined, but a later -a or -D of a name replaces
 * an earlier one, and --local, --global and --groups replace those below. Returns false if there are
 * too many. */
bool settings_lay_over(run_settings *below, const run_settings *above);

/* Reads the -D of `settings` into the plan's list of subject `index`, and checks the names against
 * what its language takes. */
int defines_read(run_plan *plan, size_t index);
/* Reads a value as a number, or as "true" or "false". */
bool defines_number(const char *text, double *value);
/* Writes "NAME=VALUE" of each -D that is a define, and no constant of GLSL. Returns a text, to
 * free(), that `out` points into, or NULL. */
char *defines_join(const kernel_file *file, const run_define *defines, size_t define_count,
                   const uint32_t *value_of, const char *out[RUN_DEFINES_MAX], size_t *count);
void defines_free(run_plan *plan, size_t index);

/* Tries, on the first configuration of each subject, what only the launch needs: arguments, their
 * files, --flops and --bytes; and whether groups can have their sizes. */
int plan_try(const run_plan *plan);

#endif
