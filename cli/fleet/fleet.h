/*
 * fleet.h - result files of many ranks, merged and judged.
 *
 *   read.c      files and folders, to the short form below; refuses nothing that it can name
 *   merge.c     devices, groups, populations, what is missing or double
 *   table.c json.c csv.c plot.c slurm.c again.c   one form of output each; table.c also Markdown
 *
 * kt_fleet_judge() answers. Data flows in this order. Strings belong to the fleet.
 */
#ifndef CLI_FLEET_FLEET_H
#define CLI_FLEET_FLEET_H

#include "cli/options/options.h"

#include <kerntime/kerntime.h>
#include <stdio.h>

#define FLEET_NONE SIZE_MAX /* no index */

/* ---- files ---- */

/* A file, or what it was read for: its times are in populations. */
typedef struct fleet_file {
    const char *path;
    const char *problem;        /* why it does not count, a clause; NULL: it counts */
    const char *id;             /* of the document; NULL: it has none */
    const char *host, *boot_id; /* NULL: unknown */
    const char *node;           /* the launcher's name of it, else the host; "?": unknown */
    const char *started;
    kt_launch launch;
    bool has_launch;
    bool is_trace; /* of `kerntime trace` */
} fleet_file;

/* ---- devices ---- */

/* Devices that can be compared: of one model, driver and clock settings. */
typedef struct fleet_group {
    const char *name, *driver;
    const char *settings; /* of clocks and power, as text; "": not known */
    size_t device_count;
} fleet_group;

/* What was wrong with a device's results, as bits. */
enum {
    FLEET_WRONG = 1,     /* an output was not verified: worse than slow */
    FLEET_FAILED = 2,    /* a measurement failed */
    FLEET_TWICE = 4,     /* two ranks of one job measured it */
    FLEET_THROTTLED = 8, /* samples were left out because it ran at a lower clock */
    FLEET_PARTIAL = 16   /* samples are missing */
};

typedef struct fleet_device {
    const char *node, *id;                   /* "n017", "cuda:3" */
    const char *uuid, *pci_address, *serial; /* "": unknown */
    size_t group;
    size_t file;   /* the first one with it */
    uint32_t runs; /* processes that measured it */
    unsigned problems;
    const char *reason; /* of the worst problem, a clause; NULL: none */
    /* Of the workload in which it is worst. FLEET_NONE: it has no time. */
    size_t population, cell;
    kt_fleet_answer answer;
} fleet_device;

/* ---- workloads ---- */

/* A row of the results, for one group: its population has the same index. */
typedef struct fleet_workload {
    const char *name, *variant, *step; /* variant NULL: there is one */
    kt_series_kind kind;
    size_t group;
} fleet_workload;

/* ---- the fleet ---- */

/* Nodes whose devices are all slow, or slots that are slow in several nodes. */
typedef struct fleet_place {
    const char *name;
    size_t device_count, slow_count;
} fleet_place;

typedef struct fleet {
    fleet_file *files;
    size_t file_count;
    fleet_group *groups;
    size_t group_count;
    fleet_device *devices; /* sorted: wrong, failed, slow by effect, undecided, good */
    size_t device_count;
    fleet_workload *workloads;
    kt_fleet_population *populations;
    size_t workload_count;
    fleet_place *nodes, *slots;
    size_t node_count, slot_count;
    /* Ranks that left no file, as "3,7-9 of 64 of job 123"; one text for each job. */
    char **missing;
    size_t missing_count;
    /* What is doubtful, a sentence each: half files, doubles, other schemas, mixed workloads. */
    char **notes;
    size_t note_count;
    double min_effect, alpha;
    void *memory; /* of all strings */
} fleet;

/* Reads files and folders (all that end in .json in them, not deeper), and judges. Returns an exit
 * code of wrong usage or lack of memory after a sentence on standard error, or EXIT_DONE. */
int fleet_read(const cli_options *options, fleet *out);
int fleet_merge(const cli_options *options, fleet *of);
void fleet_free(fleet *of);
/* EXIT_DONE, EXIT_SLOWER, EXIT_FAILED (missing or failed ranks) or EXIT_UNDECIDED. */
int fleet_exit_code(const fleet *of);

/* ---- output ---- */

/* Each writes the whole fleet; false: out of memory. `width`: columns; 0: unlimited. */
bool fleet_print_table(const fleet *of, const cli_options *options, FILE *file, int width,
                       bool color);
bool fleet_print_markdown(const fleet *of, const cli_options *options, FILE *file);
bool fleet_print_json(const fleet *of, const cli_options *options, FILE *file);
bool fleet_print_csv(const fleet *of, FILE *file);
/* The lines of --slurm: `scontrol update` of each node with a slow or wrong device. */
void fleet_print_slurm(const fleet *of, FILE *file);
/* The command of --again. */
void fleet_print_again(const fleet *of, FILE *file);
/* All devices sorted by effect, with intervals, suspects named. Returns an exit code. */
int fleet_plot(const fleet *of, const cli_options *options);

#endif
