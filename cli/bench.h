/* bench.h - what the files of the command `bench` share. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "options.h"
#include "plan.h"
#include "progress.h"
#include "select.h"
#include "workloads/workload.h"

/* A device of the selection, opened when first needed. */
typedef struct bench_device {
    const selected_device *selected;
    kt_device *device;
    char given_up[256]; /* why it is not asked again; empty: it is */
    bool hangs;         /* then the library answers for it, and never calls its driver again */
} bench_device;

typedef struct bench {
    const cli_options *options;
    kt_context *context;
    kt_report *report;
    kt_trace *trace; /* NULL: not wanted */
    cli_selection selected;
    bench_device *devices;
    cli_plan plan;
    cli_progress progress;
    bool failed;           /* something could not be measured */
    uint32_t not_possible; /* sizes over a device's limit */
    uint32_t measured;     /* everything else that was tried */
} bench;

/* One size of one workload. */
typedef struct bench_case {
    const plan_item *item;
    uint64_t size;
    void *problem; /* NULL: none, or none yet */
    char name[64];
    kt_param param;
    kt_job_desc desc; /* name, params and variant */
} bench_case;

/* A sentence on standard error, in place of the progress line. */
void bench_say(bench *b, const char *who, const char *where, const char *what);
void bench_out_of_memory(bench *b);

/* Times the baselines of a case that has its problem (baselines.c). */
void bench_run_baselines(bench *b, const bench_case *c);

/* Why a device can never do a case, in `why`, if that is so; asked before anything large is made (limits.c). */
bool bench_impossible(const bench_case *c, const kt_device_info *info, char *why, size_t bytes);

/* Measures all of the plan in this process and adds it to the report (group.c). */
void bench_measure_plan(bench *b);

/* The same in as many processes as there are runs (runs.c). EXIT_DONE, or the exit code of a first run
 * that was refused: then there is nothing to be written. */
int bench_measure_runs(bench *b);

#endif
