/*
 * session.h - measuring what a command has planned, from the choice of devices to the exit code.
 * The commands `bench` and `copy` only make plans (plan.h).
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/options/options.h"
#include "cli/options/select.h"
#include "cli/session/plan.h"
#include "cli/terminal/progress.h"
#include "workloads/workload.h"

/* A device of the selection, opened when first needed. */
typedef struct session_device {
    const selected_device *selected;
    kt_device *device;
    char given_up[256]; /* why it is not asked again; empty: it is */
    bool hangs;         /* then the library answers for it, and never calls its driver again */
    uint32_t cut_short,
        left_out; /* measurements, because of that; each has its row, and all one sentence */
} session_device;

typedef struct session {
    const cli_options *options;
    kt_context *context;
    kt_report *report;
    kt_trace *trace; /* NULL: not wanted */
    cli_selection selected;
    session_device *devices;
    cli_plan plan;
    cli_progress progress;
    bool failed;           /* something could not be measured */
    uint32_t not_possible; /* sizes over a device's limit */
    uint32_t measured;     /* everything else that was tried */
} session;

/* One size of one workload. */
typedef struct session_case {
    const plan_item *item;
    uint64_t size;
    void *problem; /* NULL: none, or none yet */
    char name[64];
    char label[96]; /* for people: with the direction of a copy */
    kt_param param;
    kt_step step;     /* of a copy, which has no memories yet */
    kt_job_desc desc; /* name, params, variant and that step */
} session_case;

/* Fills in the plan of a command, which is empty: checks everything that can be checked before work
 * starts. It may add devices. An exit code. */
typedef int (*session_planner)(kt_context *context, const cli_options *options,
                               cli_selection *selected, cli_plan *out);

/* All of a command that measures. An exit code. */
int session_run(const cli_options *options, session_planner make_plan);

/* A sentence on standard error, in place of the progress line. */
void session_say(session *s, const char *who, const char *where, const char *what);
void session_out_of_memory(session *s);

/* Times the baselines of a case that has its problem (baselines.c). */
void session_run_baselines(session *s, const session_case *c);

/* Measures all of the plan in this process and adds it to the report (group.c). */
void session_measure_plan(session *s);

/* The same in as many processes as there are runs (runs.c). EXIT_DONE, or the exit code of a first
 * run that was refused: then there is nothing to be written. */
int session_measure_runs(session *s);

#endif
