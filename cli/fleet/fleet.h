/* SPDX-License-Identifier: MIT */
/*
 * fleet.h - result files of many processes, merged and judged.
 *
 *   store.c    memory, strings, notes
 *   read.c     files and folders, to rows; refuses nothing that it can name
 *   settings.c power limit and clock settings of devices: they part groups
 *   ranks.c    ranks that are missing, devices that several measured
 *   merge.c    which rows count, populations, answers
 *   order.c    the worst devices first, their names; nodes and slots
 *   doubts.c   what makes answers doubtful; which slots are
 *   summary.c  words of answers, verdict, exit code, next step
 *   table.c json.c csv.c plot.c   one form of output each; table.c also Markdown
 *   commands.c again.c repeat.c   commands for a shell: suspects and --slurm, --again, its words
 *
 * kt_fleet_judge() answers. Data flows in this order. Strings belong to the fleet, each text once.
 */
#ifndef CLI_FLEET_FLEET_H
#define CLI_FLEET_FLEET_H

#include "cli/options/options.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FLEET_NONE       SIZE_MAX /* no index */
#define FLEET_NOTES_MAX  5        /* of one kind, before they are counted */
#define FLEET_RUNS_USUAL 5        /* that find 5 % where healthy devices differ by 1 % */

/* ---- strings ---- */

/* Indices by text. A text of one table keeps its address. */
typedef struct fleet_entry {
    const char *text; /* NULL: free */
    size_t index;
} fleet_entry;

typedef struct fleet_index {
    fleet_entry *entries;
    size_t count, room;
} fleet_index;

static inline int fleet_compare_sizes(size_t one, size_t other)
{
    return (one > other) - (one < other);
}

/* Texts of the fleet; NULL comes first. */
static inline int fleet_compare_texts(const char *one, const char *other)
{
    if (one == other)
        return 0;
    return !one ? -1 : !other ? 1 : strcmp(one, other);
}

/* ---- files ---- */

typedef struct fleet_file {
    const char *path;
    const char *problem; /* why it does not count, a sentence; NULL: it counts */
    bool is_incomplete;  /* it should be a result, and could not be read */
    bool is_fleet;       /* it is a document of kerntime fleet */
    bool is_anonymous;   /* it names neither host nor start of the host */
    bool is_traced;      /* of kerntime trace: what ranks run may differ */
    bool is_replaced;    /* a later one of its rank counts */
    const char *node;    /* the launcher's name of it, else the host; "?": unknown */
    const char *started;
    const char *job;      /* NULL: it is no rank of several; "": its name is unknown */
    const char *job_key;  /* job and size */
    const char *place;    /* job and rank; NULL: unknown */
    const char *variable; /* that had the rank; NULL: none */
    uint32_t rank, size;  /* if there is a job */
    bool is_step;         /* of Slurm's srun, whichever variable had the rank */
    /* Of --again alone: what measures the same on other devices, for a shell; NULL, with a clause why
     * not: it cannot be repeated. */
    const char *command, *not_repeated;
} fleet_file;

/* ---- devices ---- */

#define FLEET_UNKNOWN (-1)

/* Settings that make devices of one model slower; FLEET_UNKNOWN: not reported. */
typedef struct fleet_settings {
    int64_t power_limit_w, clocks_locked, core_clock_max_mhz;
} fleet_settings;

/* Devices that can be compared: of one model, driver and settings. */
typedef struct fleet_group {
    const char *name, *driver;
    fleet_settings settings;
    const char *label; /* driver, and the settings in which others of name and driver differ */
    bool is_split;     /* there are such others */
    size_t device_count;
    bool has_peers; /* devices enough for a median */
} fleet_group;

/* What was wrong with results, as bits, the worst first. */
enum {
    FLEET_WRONG = 1,     /* an output is not the right one: its times are of no use */
    FLEET_TWICE = 2,     /* two ranks of one job measured it: likewise */
    FLEET_FAILED = 4,    /* a measurement failed; others of the device count */
    FLEET_THROTTLED = 8, /* samples were left out because it ran at a lower clock */
    FLEET_PARTIAL = 16,  /* samples are missing */
    FLEET_USELESS = FLEET_WRONG | FLEET_TWICE,
    FLEET_BAD = FLEET_USELESS | FLEET_FAILED
};

/* Their words in JSON and CSV. */
typedef struct fleet_problem {
    unsigned bit;
    const char *name;
} fleet_problem;
extern const fleet_problem fleet_problems[];
extern const size_t fleet_problem_count;

/* Each device has one, the worst that is true. */
typedef enum fleet_device_answer {
    FLEET_ANSWER_GOOD = 0,
    FLEET_ANSWER_UNDECIDED, /* also without a time in a workload that others of its group have */
    FLEET_ANSWER_FAILED,
    FLEET_ANSWER_SLOW,
    FLEET_ANSWER_TWICE,
    FLEET_ANSWER_WRONG,
    FLEET_ANSWER_COUNT
} fleet_device_answer;

typedef struct fleet_device {
    const char *node, *id;                   /* "n017", "cuda:3" */
    const char *uuid, *pci_address, *serial; /* "": unknown */
    const char *boot_id;                     /* of its host; "": unknown */
    const char *label; /* id, with what tells it apart if others of its node have that */
    bool is_id_shared; /* another device of its node, at another place, has its id */
    const char *slot;  /* PCI address, else id */
    size_t group;
    size_t file;         /* the first one with it */
    size_t problem_file; /* with its worst problem; none: the first one */
    fleet_device_answer answer;
    unsigned problems;
    const char *reason;              /* of the answer or the worst problem, a clause; NULL: none */
    uint64_t sample_count, left_out; /* samples that count, and those left out as throttled */
    uint32_t left_out_for;           /* reasons of those (kt_throttle); 0: unknown */
    uint32_t throttle;               /* reasons while samples that count were taken */
    /* Of fleet.device_cells: its cells, in the order of workloads. */
    size_t first_cell, cell_count;
    /* The workload in which it is worst; NULL: it has no time that counts. */
    size_t workload;
    const kt_fleet_cell *cell;
    size_t
        missing_in; /* the first workload in which others have a time, and it has not; FLEET_NONE */
} fleet_device;

/* ---- workloads ---- */

/* A row of the results, for one group: its population has the same index. */
typedef struct fleet_workload {
    const char *label;                 /* name, variant, step */
    const char *name, *variant, *step; /* variant NULL: there is one */
    kt_series_kind kind;
    kt_method method; /* in the label where others differ in nothing else */
    bool is_cold;
    size_t group;
    bool is_traced;
    bool is_untimed;             /* a device could not time it */
    size_t work;                 /* the measurement that it is a row of */
    size_t device_count;         /* with a time that counts */
    size_t missing_count;        /* of its group without one, though they could have one */
    size_t first_missing;        /* the first of those */
    uint32_t runs_min, runs_max; /* of a device */
    size_t slow_count;
} fleet_workload;

/* A time of one run, or what hindered it. */
typedef struct fleet_row {
    size_t workload, device, file;
    uint32_t run;
    unsigned problems;
    bool is_wall;
    double median_ns;                                        /* NaN: none */
    double resolution_ns;                                    /* of device time; NaN or 0: unknown */
    const char *reason;                                      /* of the worst problem; NULL: none */
    uint32_t sample_count, left_out, left_out_for, throttle; /* as of a device */
} fleet_row;

/* ---- the fleet ---- */

/* A node or slot, and its devices. */
typedef struct fleet_place {
    const char *name;
    size_t device_count, slow_count, bad_count; /* bad: wrong, failed or measured twice */
    size_t node_count, slow_nodes;              /* those with a slow one */
    double median, worst;                       /* effect; NaN: unknown */
} fleet_place;

/* Ranks of a job that left no result. */
typedef struct fleet_missing {
    const char *job; /* "": unknown */
    uint32_t size;   /* KT_LAUNCH_UNKNOWN: those between others are missing at least */
    uint32_t count;
    const char *ranks; /* "3,7-9" */
} fleet_missing;

typedef struct fleet_counts {
    size_t devices;
    size_t good, slow, undecided, wrong, failed, twice; /* by answer: their sum is `devices` */
    size_t unjudged; /* undecided ones without peers, where others have some */
    size_t throttled, missing;
    size_t read;       /* files that count */
    size_t incomplete; /* files that should */
} fleet_counts;

typedef struct fleet {
    const cli_options *options;
    double min_effect, alpha;
    fleet_file *files;
    size_t file_count, file_room;
    fleet_group *groups;
    size_t group_count, group_room;
    fleet_device *devices;
    size_t device_count, device_room;
    fleet_workload *workloads;
    size_t workload_count, workload_room;
    fleet_row *rows;
    size_t row_count, row_room;
    size_t *order; /* devices: wrong, measured twice, slow, failed, undecided, good */
    kt_fleet_population *populations; /* of each workload */
    kt_fleet_cell *cells;
    size_t *cell_devices, *cell_workloads; /* of each cell */
    size_t *device_cells;                  /* numbers of cells, by device */
    double *medians;
    fleet_place *nodes, *slots; /* by name */
    size_t node_count, slot_count;
    fleet_missing *missing;
    size_t missing_count, missing_room;
    /* What is doubtful, a sentence each. */
    const char **notes;
    size_t note_count, note_room;
    fleet_counts counts;
    bool is_median_doubtful; /* it may be of slow devices, or lies where no device is */

    fleet_index strings, by_device, by_group, by_model, by_workload, by_work, by_document, by_inode;
    void *memory; /* of all strings */
    size_t memory_left;
    bool out_of_memory; /* from then on nothing is added */
} fleet;

/* ---- store.c ---- */

/* The text of the fleet that is the same; NULL: NULL, or out of memory. */
const char *fleet_keep(fleet *of, const char *text);
const char *fleet_keepf(fleet *of, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The index of a text in the table: `next` if it is new. FLEET_NONE: out of memory. */
size_t fleet_find(fleet *of, fleet_index *in, const char *text, size_t next);
/* One more item of an array, all 0; `array` is the address of its pointer. NULL: out of memory. */
void *fleet_add(fleet *of, void *array, size_t *count, size_t *room, size_t bytes);
/* Memory for `count` items, all 0: the caller frees it, or it becomes an array of the fleet. NULL:
 * out of memory. */
void *fleet_alloc(fleet *of, size_t count, size_t bytes);
void fleet_note(fleet *of, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fleet_free(fleet *of);

/* ---- settings.c ---- */

/* NULL: unknown. */
fleet_settings fleet_settings_of(const kt_device_state *state);
/* Sets label and is_split of all groups. Of fleet_merge(). */
void fleet_name_groups(fleet *of);
/* Share of the device's samples that throttling spoilt; NaN: it has none. */
static inline double fleet_left_out(const fleet_device *device)
{
    uint64_t all = device->sample_count + device->left_out;
    return all ? (double)device->left_out / (double)all : NAN;
}

/* ---- data ---- */

/* Reads the operands: files, and all that end in .json in folders, not deeper. Returns an exit
 * code, after a sentence on standard error unless it is EXIT_DONE. */
int fleet_read(fleet *of);
/* Chooses the rows, and judges. Returns an exit code likewise. */
int fleet_merge(fleet *of);
/* Of fleet_merge(): ranks that are missing, devices that several ranks of a job measured. */
void fleet_check_ranks(fleet *of);
/* Adds bits of what was wrong; `file` and `reason` are kept if it is the worst so far. */
void fleet_add_problems(fleet_device *device, unsigned problems, size_t file, const char *reason);
/* Of fleet_merge(): order, labels, nodes and slots. */
void fleet_sort(fleet *of);

/* Notes what is doubtful about the answers. Of fleet_merge(). */
void fleet_doubt(fleet *of);
/* Whether a slot has more slow devices than chance would bring together, on several nodes. */
bool fleet_is_common(const fleet *of, const fleet_place *slot);

/* The answer for people: "good", "measured twice"; and as a word of JSON and CSV: "measured_twice". */
const char *fleet_answer(const fleet_device *device);
const char *fleet_answer_word(const fleet_device *device);
/* Whether a cell is undecided since the clock's resolution is half the minimum effect or more. */
static inline bool fleet_is_coarse(const fleet *of, const kt_fleet_cell *cell)
{
    return cell->answer == KT_FLEET_UNDECIDED && !isnan(cell->low) &&
           2 * cell->resolution_ns >= of->min_effect * cell->time_ns;
}
static inline const char *fleet_finer_by(const fleet_workload *w)
{
    return w->is_traced ? "raise --min-effect" : "raise --size or --trials";
}
/* "good", "slow", "undecided". */
const char *fleet_cell_word(const kt_fleet_cell *cell);
/* A cell of a device, in the order of workloads; number is below cell_count. */
static inline const kt_fleet_cell *fleet_cell_of(const fleet *of, const fleet_device *device,
                                                 size_t number)
{
    return &of->cells[of->device_cells[device->first_cell + number]];
}
/* The number of a cell's workload. */
static inline size_t fleet_workload_of(const fleet *of, const kt_fleet_cell *cell)
{
    return of->cell_workloads[cell - of->cells];
}
/* Number of workloads in which a device is slow. */
size_t fleet_slow_count(const fleet *of, const fleet_device *device);
static inline bool fleet_is_slow(const fleet_device *device)
{
    return device->answer == FLEET_ANSWER_SLOW;
}
/* Whether a result was wrong, failed, or measured twice; it may be slow as well. */
static inline bool fleet_is_bad(const fleet_device *device)
{
    return (device->problems & FLEET_BAD) != 0;
}

/* EXIT_SLOWER, EXIT_FAILED (missing or failed), EXIT_UNDECIDED or EXIT_DONE. */
int fleet_exit_code(const fleet *of);
/* The sentence of the verdict. */
void fleet_print_verdict(const fleet *of, FILE *file);
/* What to do next, to standard error. */
void fleet_advise(const fleet *of);

/* ---- output ---- */

/* Each writes the whole fleet; false: out of memory. `width`: columns; 0: unlimited. */
bool fleet_print_table(const fleet *of, FILE *file, unsigned width, bool color);
bool fleet_print_markdown(const fleet *of, FILE *file);
bool fleet_print_json(const fleet *of, FILE *file);
bool fleet_print_csv(const fleet *of, FILE *file);
/* The lines of --slurm: `scontrol update` of each node with a suspect. */
bool fleet_print_slurm(const fleet *of, FILE *file);
/* The commands of --again. */
bool fleet_print_again(const fleet *of, FILE *file);
/* All devices sorted by effect, with intervals, suspects named. Returns an exit code. */
int fleet_plot(const fleet *of);

#endif
