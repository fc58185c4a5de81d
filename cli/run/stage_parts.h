/* SPDX-License-Identifier: MIT */
/* stage_parts.h - what the first process of a run and its stages share. */
#ifndef CLI_RUN_STAGE_PARTS_H
#define CLI_RUN_STAGE_PARTS_H

#include "cli/run/launch.h"
#include "cli/terminal/folder.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum stage_kind {
    STAGE_CHECK = 0, /* runs each configuration once, and compares outputs */
    STAGE_RACE,      /* drops those of one contest that are surely slower */
    STAGE_MEASURE    /* measures the survivors of all contests */
} stage_kind;

extern const char *const stage_words[]; /* "check", ...; NULL behind the last */

/* Whether the device can run it: what it gave is a failure. Else the row is "not possible". */
bool stage_is_possible(launch_outcome outcome);

#define STAGE_NONE SIZE_MAX /* no configuration */

/* Configurations by number; behind them the reference of each contest, with --check. */
size_t stage_number_count(const run_plan *plan);
const configuration *stage_configuration(const run_plan *plan, size_t number);

/* Documents that stages leave in the folder. Their series have the number as their name. */
#define STAGE_RESULT "result.json"
#define STAGE_TRACE  "trace.json"
void stage_path(const char *folder, const char *name, char path[FOLDER_BYTES + 32]);

/* What a stage is about: configurations by number, and contests whose reference has run. Written by
 * the first process before it starts a stage. Both return 0, or -1. */
int stage_list_write(const char *folder, const run_plan *plan, const bool *chosen,
                     const bool *has_reference);
int stage_list_read(const char *folder, const run_plan *plan, bool *chosen, bool *has_reference);

/* A line from a stage to the first process. */
typedef enum stage_line_kind {
    LINE_BEGIN = 0, /* `number` begins, or still runs */
    LINE_END,       /* `number` ended as `result` says */
    LINE_NOTE,      /* guesses about the arguments of the subject of `number` */
    LINE_WARNING,   /* what the check of `number` found, which did not end it */
    LINE_LOOK,      /* look `number` of a race left `left` configurations */
    LINE_DROPPED    /* the race dropped `number` */
} stage_line_kind;

typedef struct stage_line {
    stage_line_kind kind;
    size_t number, left;
    launch_result result; /* LINE_END */
    char *note;           /* LINE_NOTE, LINE_WARNING */
} stage_line;

void stage_line_write(FILE *lines, const stage_line *line);
/* Returns false for what is no such line. */
bool stage_line_read(const char *text, stage_line *out);
void stage_line_free(stage_line *line);

/* A stage; ends the process. */
_Noreturn void stage_child(const cli_options *options);

#endif
