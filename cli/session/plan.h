/* SPDX-License-Identifier: MIT */
/* plan.h - plans what to measure, and estimates how long it takes. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli/options/directions.h"
#include "cli/options/options.h"
#include "cli/options/select.h"
#include "workloads/workload.h"

#define PLAN_ITEMS_MAX COPY_DIRECTIONS_MAX

/* A baseline takes a sample, or several short ones, in each of its blocks, but no more samples than
 * fit in its time. The interval of a median takes six. */
#define BASELINE_BLOCKS      7
#define BASELINE_SAMPLES_MAX (14 * BASELINE_BLOCKS)
#define BASELINE_BLOCK_NS    7e6
#define BASELINE_MAX_NS      2e9
/* A short baseline is repeated until a sample takes so long. */
#define BASELINE_SAMPLE_NS 1e5

/* The devices that a copy direction is measured on. */
typedef enum plan_scope {
    PLAN_YARDSTICK = 0, /* on the reference device only */
    PLAN_OFFERING,      /* on devices that offer the direction */
    PLAN_NAMED          /* on these, with a row for each named device without the direction */
} plan_scope;

/* One workload and its requested sizes. */
typedef struct plan_item {
    const workload *workload;
    const char *variant; /* NULL: the workload has only one variant */
    parse_sizes sizes;
    bool is_copy; /* the variant is then the direction's name */
    copy_direction direction;
    char direction_name[COPY_NAME_BYTES];
    plan_scope scope;
    /* Largest size that another device supports; the reference device measures no larger ones. */
    uint64_t beside_max;
    bool asked_of_yardstick; /* the user named the direction: the reference measures it, too */
    /* Time of the sequential baseline or of memcpy in ns per operation, or per byte if
     * memory-bound. 0: unknown. */
    double ns_per_work;
} plan_item;

typedef struct cli_plan {
    plan_item items[PLAN_ITEMS_MAX];
    size_t count;
    bool baselines; /* measure baselines; simulated devices have no use for them */
} cli_plan;

/* Whether an item concerns a device: as a measurement, or as a row with a reason. */
bool plan_has(const plan_item *item, const selected_device *device);
bool plan_has_size(const plan_item *item, const selected_device *device, uint64_t size);
/* Whether the device is measured only as reference for others. */
bool plan_is_beside(const plan_item *item, const selected_device *device);

/* Whether a device cannot measure a size at all, with the reason. Called before anything large is
 * allocated. */
bool plan_impossible(const plan_item *item, uint64_t size, const kt_device_info *info, char *reason,
                     size_t bytes);
/* Whether an earlier item has the same reason for that size: one message covers all directions of a
 * copy. */
bool plan_impossible_before(const cli_plan *plan, const plan_item *item, uint64_t size,
                            const selected_device *device, const char *reason);
/* Formats bytes as in tables, "3 GiB"; like kt_format_bytes() if no unit gives a whole number. */
char *plan_format_bytes(char text[32], uint64_t bytes);
/* Host and device memory that a size needs. */
typedef struct plan_need {
    uint64_t host_bytes, device_bytes;
} plan_need;
plan_need plan_need_of(const plan_item *item, uint64_t size, const kt_device_info *info);

/* Number of sizes of all workloads together. */
size_t plan_case_count(const cli_plan *plan);
/* Number of measurements: each size of each workload on each device that it concerns. */
size_t plan_measurement_count(const cli_plan *plan, const cli_selection *selected);
/* Number of copy directions in the plan; 0: the plan has no copies. */
size_t plan_direction_count(const cli_plan *plan, const cli_selection *selected);

/* Measures this machine's speed with small problems (some ms). */
void plan_calibrate(cli_plan *plan);
/* Estimates in ns: one run of a baseline, all baselines, and one measurement on a device. */
double plan_baseline_ns(const plan_item *item, uint64_t size, const char *name);
double plan_baselines_ns(const cli_plan *plan, const plan_item *item, uint64_t size,
                         const cli_options *options);
double plan_measure_ns(const plan_item *item, uint64_t size, const kt_device_info *device,
                       const cli_options *options);
/* Estimates the time of the whole plan in ns. */
double plan_total_ns(const cli_plan *plan, const cli_options *options,
                     const cli_selection *selected);

#endif
