/* SPDX-License-Identifier: MIT */
/*
 * session.h - measures the plan of a command, from the selection of devices to the exit code. The
 * commands `bench` and `copy` only make plans (plan.h).
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/options/options.h"
#include "cli/options/select.h"
#include "cli/session/plan.h"
#include "cli/terminal/progress.h"
#include "workloads/workload.h"

/* A selected device, opened on first use. */
typedef struct session_device {
    const selected_device *selected;
    kt_device *device;
    char given_up[256]; /* why the device is no longer used; empty: in use */
    /* By item of the plan: sizes from this on are left out, since the device is too slow. 0: none */
    uint64_t too_slow_from[PLAN_ITEMS_MAX];
    bool hangs; /* the device hangs: the library no longer calls its driver */
    uint32_t cut_short,
        left_out; /* measurements that giving up cut short or skipped; one message covers all */
} session_device;

typedef struct session {
    const cli_options *options;
    kt_report *report;
    kt_trace *trace; /* NULL: no trace was requested */
    cli_selection selected;
    session_device *devices;
    cli_plan plan;
    cli_progress progress;
    bool failed;            /* a measurement failed */
    uint32_t not_possible;  /* attempts (a size on a device, or a run) beyond a device's limits */
    uint32_t measured;      /* all other attempts */
    char memory_error[256]; /* error text of the latest job that could not be opened for memory */
} session;

/* One size of one workload. */
typedef struct session_case {
    const plan_item *item;
    uint64_t size;
    void *problem; /* the workload's data; NULL: none, or not yet created */
    char name[64];
    char label[96]; /* displayed name, including a copy's direction */
    kt_param param;
    kt_step step;     /* step of a copy; its memories are not yet set */
    kt_job_desc desc; /* name, params and variant of the case, and that step */
} session_case;

/* Fills in an empty plan for a command, and checks everything that can be checked before measuring.
 * May add devices. Returns an exit code. */
typedef int (*session_planner)(const cli_options *options, cli_selection *selected, cli_plan *out);

/* Runs a measuring command. Returns its exit code. */
int session_run(const cli_options *options, session_planner make_plan);

/* Prints a message on standard error, in place of the progress line. */
void session_say(session *s, const char *who, const char *where, const char *what);
void session_out_of_memory(session *s);

/* Times the baselines of a case whose problem exists (baselines.c). */
void session_run_baselines(session *s, const session_case *c);

/* Measures the whole plan in this process and adds it to the report (group.c). */
void session_measure_plan(session *s);

/* Leaves out what the first of several runs left out (runs.c). */
void session_leave_out_again(session *s, const char *left_out);

/* Measures the whole plan with one process per run (runs.c). Returns EXIT_DONE, or the exit code of
 * a refused first run, after which nothing is written. */
int session_measure_runs(session *s);

#endif
