/* plan.h - what is going to be measured, and how long that may take. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli/options/directions.h"
#include "cli/options/options.h"
#include "cli/options/select.h"
#include "workloads/workload.h"

#define PLAN_ITEMS_MAX COPY_DIRECTIONS_MAX

/* Of a direction: on which devices it is measured. */
typedef enum plan_scope {
    PLAN_YARDSTICK = 0, /* on the one that the others are held against, and no other */
    PLAN_OFFERING,      /* on those that offer it */
    PLAN_NAMED /* the same, and those that the user has named get a row that says if they do not */
} plan_scope;

/* One workload with all the sizes wanted of it. */
typedef struct plan_item {
    const workload *workload;
    const char *variant; /* NULL: there is but one */
    parse_sizes sizes;
    bool is_copy; /* then the variant is the name of this direction */
    copy_direction direction;
    char direction_name[COPY_NAME_BYTES];
    plan_scope scope;
    /* largest size that another device can do: beside others no more is measured */
    uint64_t beside_max;
    bool asked_of_yardstick; /* by name: then it is measured there for its own sake */
    /* Of the sequential baseline, or memcpy: an operation, or a byte where memory sets the pace. 0:
     * it has none. */
    double ns_per_work;
} plan_item;

typedef struct cli_plan {
    plan_item items[PLAN_ITEMS_MAX];
    size_t count;
    bool baselines; /* measured at all: a simulated device has nothing to compare with */
} cli_plan;

/* Whether an item is anything to a device: something to be measured, or a row that says why not. */
bool plan_has(const plan_item *item, const selected_device *device);
bool plan_has_size(const plan_item *item, const selected_device *device, uint64_t size);
/* Whether it is measured there for the sake of others alone. */
bool plan_is_beside(const plan_item *item, const selected_device *device);

/* Why a device can never do a size, in `why`, if that is so; asked before anything large is made
 * (limits.c). */
bool plan_impossible(const plan_item *item, uint64_t size, const kt_device_info *info, char *why,
                     size_t bytes);
/* Whether an item before this one has the same to say of that size: one sentence is for all
 * directions of a copy. */
bool plan_impossible_before(const cli_plan *plan, const plan_item *item, uint64_t size,
                            const selected_device *device, const char *why);
/* A number of bytes as tables show sizes, "3 GiB"; where it is not whole in a unit, as
 * kt_format_bytes(). */
char *plan_format_bytes(char text[32], uint64_t bytes);
/* What a size needs of the host's memory and of the device's own (limits.c). */
typedef struct plan_need {
    uint64_t host_bytes, device_bytes;
} plan_need;
plan_need plan_need_of(const plan_item *item, uint64_t size, const kt_device_info *info);

/* Sizes of all workloads together. */
size_t plan_case_count(const cli_plan *plan);
/* Each size of each workload on each device that it is for. */
size_t plan_measurement_count(const cli_plan *plan, const cli_selection *selected);
/* How many directions copies go in; 0: it is not of copies. */
size_t plan_direction_count(const cli_plan *plan, const cli_selection *selected);

/* Measures how fast this machine is, with small problems (some ms). */
void plan_calibrate(cli_plan *plan);
/* Estimates, in ns: of one run of a baseline, of all its runs, and of one measurement on a
 * device. */
double plan_baseline_ns(const plan_item *item, uint64_t size, const char *name);
double plan_baselines_ns(const cli_plan *plan, const plan_item *item, uint64_t size,
                         const cli_options *options);
double plan_measure_ns(const plan_item *item, uint64_t size, const kt_device_info *device,
                       const cli_options *options);
/* Of everything. */
double plan_total_ns(const cli_plan *plan, const cli_options *options,
                     const cli_selection *selected);

#endif
