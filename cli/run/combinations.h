/* SPDX-License-Identifier: MIT */
/* combinations.h - parts of run_plan_make(): which configurations a plan has. Each function prints a
 * message where it fails, and returns an exit code. */
#ifndef CLI_RUN_COMBINATIONS_H
#define CLI_RUN_COMBINATIONS_H

#include "cli/run/plan.h"

#define LOCALS_MAX 1024 /* alternatives of --local */

/* One alternative of --local. */
typedef struct local_choice {
    const char *text;  /* "TILE,TILE/WPT" */
    int64_t number[3]; /* by component: of a range, its value; 0: the text says it */
} local_choice;

typedef struct local_choices {
    local_choice all[LOCALS_MAX];
    size_t count; /* 0: --local was not given */
} local_choices;

/* The work of run_plan_make(). */
typedef struct making {
    run_plan *plan;
    const cli_selection *selected;
    local_choices *locals[RUN_SUBJECTS_MAX + 1]; /* by subject */
    size_t room;                                 /* for configurations */
    uint64_t left;                               /* configurations that --if leaves */
} making;

/* Reads the alternatives of --local. */
int locals_read(const run_settings *settings, local_choices *out);
/* The component behind the next top-level comma of "n/WPT,n"; NULL: there is none. */
const char *local_next_component(const char *text);

/* Whether a device takes the language of a subject, and how many subjects it takes. */
bool plan_takes(const run_plan *plan, size_t device, size_t subject);
size_t plan_count_subjects(const run_plan *plan, size_t device);

/* Adds all configurations, after `locals` and the plan's defines were read. */
int combinations_add(making *m);
/* Adds the references of --check, if it is given. */
int references_add(making *m);

/* Says what is wrong, by a format with two texts; EXIT_USAGE. */
int plan_refuse(const char *format, const char *first, const char *second);

#endif
