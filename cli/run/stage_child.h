/* SPDX-License-Identifier: MIT */
/* stage_child.h - what the stages in child processes share: devices, launches, measuring. */
#ifndef CLI_RUN_STAGE_CHILD_H
#define CLI_RUN_STAGE_CHILD_H

#include "cli/options/select.h"
#include "cli/run/stage_parts.h"
#include "cli/session/pace.h"
#include "cli/terminal/progress.h"

typedef struct stage_child_device {
    kt_device *device;     /* NULL: not open */
    kt_device_state state; /* when it was opened; without a source if nothing is known */
    launch_pool *pool;
} stage_child_device;

typedef struct stage_child_state {
    const cli_options *options;
    const char *folder;
    stage_kind kind;
    cli_selection selected;
    run_plan *plan;
    stage_child_device *devices; /* by number in the selection */
    bool *chosen;                /* by number of a configuration */
    bool *has_reference;         /* by contest: its expected outputs are in the folder */
    bool *noted;                 /* by subject: its guesses were told */
    FILE *lines;
    size_t begun; /* the latest line of this kind, and its time */
    int64_t begun_ns;
    cli_progress progress;
} stage_child_state;

/* A configuration that is measured. */
typedef struct stage_contender {
    stage_child_state *stage;
    size_t number;
    launch *launch; /* NULL: it is out */
    kt_measure_options options;
    kt_result *result; /* of the latest measurement */
    progress_part part;
    pace pace;
    bool shown;  /* it has a row in the progress */
    bool varies; /* launch_varies() said so before it was measured */
} stage_contender;

/* Opens the device of a configuration, builds it, and checks it once. Returns the launch, or NULL;
 * writes the lines of its begin and end in either case. */
launch *stage_try(stage_child_state *s, size_t number);
/* Says that a configuration is out, in a line. */
void stage_say_end(stage_child_state *s, size_t number, const launch_result *result);
/* Says that its outputs differ from run to run, if this launch found it. */
void stage_say_variation(stage_child_state *s, size_t number, const launch *opened);
/* Whether the process may be damaged after this. */
bool stage_is_damaging(launch_outcome outcome);

/* Tries all that are chosen. Returns those that passed, or NULL if memory runs out. */
stage_contender *stage_open_all(stage_child_state *s, size_t *count);
void stage_close_all(stage_contender *contenders, size_t count);
/* Measures those with a launch in turns, and sets their results. Those that failed lose their launch,
 * after a line; one that damages the process ends it. Returns false after Ctrl-C, or if memory runs
 * out. */
bool stage_measure(stage_contender *contenders, size_t count);
/* Adds the device of a configuration. */
kt_status stage_report_device(const stage_contender *contender, kt_report *report);
/* Adds all series of a result under the number of the configuration, and its device. */
kt_status stage_report(const stage_contender *contender, kt_report *report);
/* Writes the report into the folder. Returns an exit code. */
int stage_hand_over(const stage_child_state *s, const kt_report *report);

int stage_race(stage_child_state *s);
/* Samples that those that the race of a contest left should take; 0: as the options say. */
uint32_t stage_fresh_samples(const stage_child_state *s, size_t contest);
int stage_measure_survivors(stage_child_state *s);

#endif
