/* plan.h - what is going to be measured, and how long that may take. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "options.h"
#include "select.h"
#include "workloads/workload.h"

#define PLAN_ITEMS_MAX 16

/* One workload with all the sizes wanted of it. */
typedef struct plan_item {
    const workload *workload;
    const char *variant; /* NULL: there is but one */
    parse_sizes sizes;
    /* Of the sequential baseline: an operation, or a byte where memory sets the pace. 0: it has none. */
    double ns_per_work;
} plan_item;

typedef struct cli_plan {
    plan_item items[PLAN_ITEMS_MAX];
    size_t count;
    bool baselines; /* measured at all: a simulated device has nothing to compare with */
} cli_plan;

/* Sizes of all workloads together. */
size_t plan_case_count(const cli_plan *plan);

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
