/* SPDX-License-Identifier: MIT */
#include "cli/session/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A strided loop waits for memory once its matrices exceed the cache. */
#define CACHE_BYTES       (UINT64_C(1) << 20)
#define CACHE_MISS_FACTOR 4
/* Assumed gain of a parallel and vectorised loop over a sequential one. Cores share memory
 * bandwidth. */
#define BEST_GAIN        10
#define BEST_GAIN_MEMORY 2
/* Resetting, reading back and checking a memory-bound kernel's (a copy's) memories takes as long as
 * this many runs of the sequential loop (of memcpy). */
#define AROUND_RUNS   3
#define AROUND_COPY   4
#define SIMULATION_NS 1e6
/* Samples of a measurement whose times hardly differ: the stopping rule ends it at the second
 * check. */
#define STEADY_SAMPLES 45
/* Time to submit a copy and wait for it, beside the copying. */
#define SUBMISSION_NS 4e4
/* Further time of a device's driver, which also writes a copy's source and reads its destination.
 * */
#define DRIVER_NS 1.5e5
/* Sizes for timing memcpy, median of several: what caches may hold, or beyond if larger copies are
 * planned, since those take most of the time. */
#define MEMCPY_BYTES       ((size_t)8 << 20)
#define MEMCPY_BYTES_LARGE ((size_t)64 << 20)
#define MEMCPY_TIMES       3
/* Time to measure a device's timer limits; least time of a warm-up, and its share of the time of
 * sampling. */
#define TIMER_LIMITS_NS 1.1e8
#define WARMUP_NS       2e7
#define WARMUP_SHARE    0.125

bool plan_is_beside(const plan_item *item, const selected_device *device)
{
    return !item->asked_of_yardstick &&
           (device->added || (item->is_copy && item->scope == PLAN_YARDSTICK));
}

bool plan_has(const plan_item *item, const selected_device *device)
{
    if (!item->is_copy)
        return true;
    if (device->yardstick && direction_is_memcpy(&item->direction))
        return true;
    if (plan_is_beside(item, device))
        return false;
    return direction_offered(&device->info, &item->direction) ||
           (item->scope == PLAN_NAMED && device->named);
}

bool plan_has_size(const plan_item *item, const selected_device *device, uint64_t size)
{
    return plan_has(item, device) && !(device->yardstick && plan_is_beside(item, device) &&
                                       item->is_copy && size > item->beside_max);
}

size_t plan_case_count(const cli_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        count += plan->items[i].sizes.count;
    return count;
}

size_t plan_measurement_count(const cli_plan *plan, const cli_selection *selected)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        for (size_t k = 0; k < plan->items[i].sizes.count; k++)
            for (size_t d = 0; d < selected->count; d++)
                count += plan_has_size(&plan->items[i], &selected->devices[d],
                                       plan->items[i].sizes.values[k]);
    return count;
}

size_t plan_direction_count(const cli_plan *plan, const cli_selection *selected)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        bool any = false;
        for (size_t d = 0; d < selected->count && plan->items[i].is_copy; d++)
            any |= plan_has(&plan->items[i], &selected->devices[d]);
        count += any;
    }
    return count;
}

static bool memory_bound(const workload *w, uint64_t size)
{
    return w->flops(size) < (double)w->bytes(size);
}

/* Amount that the time of a run is proportional to: bytes if memory-bound, else operations. */
static double amount_of_work(const workload *w, uint64_t size)
{
    return memory_bound(w, size) ? (double)w->bytes(size) : w->flops(size);
}

/* ns per byte copied by one core; 0: out of memory. */
static double memcpy_ns_per_byte(size_t bytes)
{
    char *memory = malloc(2 * bytes);
    double ns[MEMCPY_TIMES];
    if (!memory)
        return 0;
    /* The call through a volatile pointer makes the compiler keep a copy that nobody reads. */
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    memset(memory, 1, 2 * bytes);
    for (size_t i = 0; i < MEMCPY_TIMES; i++) {
        int64_t begin_ns = kt_host_now_ns();
        copy(memory, memory + bytes, bytes);
        ns[i] = (double)(kt_host_now_ns() - begin_ns);
    }
    free(memory);
    double median_ns = fmax(fmin(ns[0], ns[1]), fmin(fmax(ns[0], ns[1]), ns[2]));
    return median_ns / (double)bytes;
}

static size_t memcpy_bytes(const cli_plan *plan)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < plan->items[0].sizes.count; i++)
        if (plan->items[0].sizes.values[i] > largest)
            largest = plan->items[0].sizes.values[i];
    return largest > MEMCPY_BYTES ? MEMCPY_BYTES_LARGE : MEMCPY_BYTES;
}

void plan_calibrate(cli_plan *plan)
{
    double copy_ns =
        plan->count && plan->items[0].is_copy ? memcpy_ns_per_byte(memcpy_bytes(plan)) : 0;
    for (size_t i = 0; i < plan->count; i++) {
        const workload *w = plan->items[i].workload;
        void *problem;
        if (plan->items[i].is_copy)
            plan->items[i].ns_per_work = copy_ns;
        if (!w->baseline_count || w->problem_create(w->calibration_size, &problem) != KT_OK)
            continue;
        w->problem_reset(problem);
        int64_t begin_ns = kt_host_now_ns();
        w->baselines[0].run(problem);
        plan->items[i].ns_per_work =
            (double)(kt_host_now_ns() - begin_ns) / amount_of_work(w, w->calibration_size);
        w->problem_destroy(problem);
    }
}

/* Time of one run of the sequential loop. */
static double sequential_ns(const plan_item *item, uint64_t size)
{
    const workload *w = item->workload;
    bool strides = !memory_bound(w, size) && w->largest_bytes(size) > CACHE_BYTES;
    return item->ns_per_work * amount_of_work(w, size) * (strides ? CACHE_MISS_FACTOR : 1);
}

/* Time of the untimed work around a run: reset, read back and check. */
static double around_ns(const plan_item *item, uint64_t size)
{
    if (item->is_copy)
        return AROUND_COPY * sequential_ns(item, size) + SUBMISSION_NS;
    return memory_bound(item->workload, size) ? AROUND_RUNS * sequential_ns(item, size) : 0;
}

double plan_baseline_ns(const plan_item *item, uint64_t size, const char *name)
{
    double gain = memory_bound(item->workload, size) ? BEST_GAIN_MEMORY : BEST_GAIN;
    return sequential_ns(item, size) / (strcmp(name, "sequential") == 0 ? 1 : gain) +
           around_ns(item, size);
}

double plan_baselines_ns(const cli_plan *plan, const plan_item *item, uint64_t size,
                         const cli_options *options)
{
    double sum_ns = 0;
    uint32_t n = options->baseline_samples;
    for (uint32_t i = 0; plan->baselines && i < item->workload->baseline_count; i++) {
        double ns = plan_baseline_ns(item, size, item->workload->baselines[i].name);
        double short_ns = BASELINE_SAMPLES_MAX * fmax(ns, BASELINE_SAMPLE_NS);
        double timed_ns =
            fmax(BASELINE_BLOCKS * ns, fmin(short_ns, BASELINE_BLOCKS * BASELINE_BLOCK_NS));
        sum_ns += n == BASELINE_SAMPLES_AUTO ? fmax(ns, fmin(timed_ns, BASELINE_MAX_NS)) : n * ns;
    }
    return sum_ns;
}

/* A simulated device only computes results. Its simulated time is unknown but may be as long. */
static double simulated_ns(double pair_ns, double least_ns, double most_ns, double wanted_ns)
{
    double ns = fmin(STEADY_SAMPLES * pair_ns, fmin(most_ns, wanted_ns));
    return fmax(ns, least_ns);
}

double plan_measure_ns(const plan_item *item, uint64_t size, const kt_device_info *device,
                       const cli_options *options)
{
    const kt_measure_options *o = &options->measure;
    bool simulated = device->type == KT_DEVICE_SIMULATED;
    double run_ns = sequential_ns(item, size) / 2 * (o->trials ? o->trials : 1);
    double each_ns = (simulated ? 0 : run_ns) + around_ns(item, size);
    if (item->is_copy && !simulated && strcmp(device->backend, "cpu") != 0)
        each_ns += DRIVER_NS;
    double pair_ns = (o->timing == KT_TIMING_BOTH ? 2 : 1) * each_ns;
    double least_ns = pair_ns * (o->samples_min ? o->samples_min : KT_SAMPLES_MIN_DEFAULT);
    double most_ns = pair_ns * (o->samples_max ? o->samples_max : KT_SAMPLES_MAX_DEFAULT);
    double wanted_ns = (double)(o->max_time_ns ? o->max_time_ns : KT_MAX_TIME_DEFAULT_NS);
    if (simulated)
        return sequential_ns(item, size) + SIMULATION_NS +
               simulated_ns(pair_ns, least_ns, most_ns, wanted_ns);
    /* The samples that a narrow interval needs are unknown; short kernels take the default time. */
    double sampling_ns = wanted_ns > least_ns ? wanted_ns : least_ns;
    sampling_ns = each_ns > 0 && most_ns < sampling_ns ? most_ns : sampling_ns;
    double warmup_ns = WARMUP_SHARE * sampling_ns;
    return sampling_ns + (warmup_ns > WARMUP_NS ? warmup_ns : WARMUP_NS) + 2 * each_ns;
}

/* Time to measure one size on all devices that support it. */
static double measure_all_ns(const plan_item *item, uint64_t size, const cli_options *options,
                             const cli_selection *selected)
{
    char reason[256];
    double sum_ns = 0;
    for (size_t d = 0; d < selected->count; d++) {
        const selected_device *device = &selected->devices[d];
        if (plan_has_size(item, device, size) &&
            !plan_impossible(item, size, &device->info, reason, sizeof reason))
            sum_ns += plan_measure_ns(item, size, &device->info, options);
    }
    return sum_ns;
}

double plan_total_ns(const cli_plan *plan, const cli_options *options,
                     const cli_selection *selected)
{
    double sum_ns = 0;
    for (size_t d = 0; d < selected->count; d++)
        sum_ns += selected->devices[d].info.type == KT_DEVICE_SIMULATED ? 0 : TIMER_LIMITS_NS;
    for (size_t i = 0; i < plan->count; i++) {
        const plan_item *item = &plan->items[i];
        for (size_t k = 0; k < item->sizes.count; k++)
            sum_ns += plan_baselines_ns(plan, item, item->sizes.values[k], options) +
                      measure_all_ns(item, item->sizes.values[k], options, selected);
    }
    return sum_ns;
}

/* ---- limits that a device reports, checked before anything is allocated ---- */

char *plan_format_bytes(char text[32], uint64_t bytes)
{
    static const char units[][6] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    uint64_t count = bytes;
    for (; unit < 4 && count && count % 1024 == 0; unit++)
        count /= 1024;
    if (unit && count < 10000)
        snprintf(text, 32, "%" PRIu64 " %s", count, units[unit]);
    else
        kt_format_bytes(text, 32, bytes);
    return text;
}

/* Formats two amounts so that they differ. */
static void format_both(const plan_item *item, char one[32], uint64_t one_bytes, char other[32],
                        uint64_t other_bytes)
{
    bool whole = one_bytes % 1024 == 0 && other_bytes % 1024 == 0;
    kt_format_bytes(one, 32, one_bytes);
    kt_format_bytes(other, 32, other_bytes);
    if (strcmp(one, other) == 0) { /* the rounded amounts are equal */
        snprintf(one, 32, "%" PRIu64 " bytes", one_bytes);
        snprintf(other, 32, "%" PRIu64 " bytes", other_bytes);
    } else if (item->is_copy && whole) {
        plan_format_bytes(one, one_bytes);
        plan_format_bytes(other, other_bytes);
    }
}

/* The largest size of a workload whose largest memory is at most `most_bytes`; 0: no size. `size`
 * needs more. */
static uint64_t largest_size(const workload *w, uint64_t size, uint64_t most_bytes)
{
    uint64_t fits = 0;
    while (size - fits > 1) {
        uint64_t middle = fits + (size - fits) / 2;
        if (w->largest_bytes(middle) <= most_bytes)
            fits = middle;
        else
            size = middle;
    }
    return fits;
}

/* Writes a reason if the largest single memory of a size exceeds `most_bytes`; else returns false.
 * */
static bool too_large(const plan_item *item, uint64_t size, uint64_t most_bytes, const char *who,
                      char *reason, size_t bytes)
{
    char most[32], wanted[32], fitting[64] = "";
    const workload *w = item->workload;
    uint64_t wanted_bytes = w->largest_bytes(size);
    if (most_bytes == 0 || wanted_bytes <= most_bytes)
        return false;
    format_both(item, most, most_bytes, wanted, wanted_bytes);
    uint64_t fits = largest_size(w, size, most_bytes);
    if (fits && !item->is_copy) /* sizes of copies are bytes already */
        snprintf(fitting, sizeof fitting, "; the largest size that fits is %" PRIu64, fits);
    snprintf(reason, bytes, "needs %s in one piece, %s %s%s", wanted, who, most, fitting);
    return true;
}

/* Copies of each memory that sim keeps, to track what kernels do to it. */
#define SIMULATED_COPIES 3

static bool in_host_memory(const kt_device_info *info, kt_memory_kind kind)
{
    return kind == KT_MEMORY_HEAP || kind == KT_MEMORY_HOST || info->type == KT_DEVICE_CPU ||
           info->type == KT_DEVICE_SIMULATED;
}

/* Memory needed to copy `size` bytes from one memory kind to another. Drivers may keep a second
 * copy of the source. */
static plan_need need_of_copy(const plan_item *item, uint64_t size, const kt_device_info *info)
{
    const copy_direction *d = &item->direction;
    const kt_memory_kind ends[] = {d->src, d->dst};
    plan_need need = {.host_bytes = size};
    for (int i = 0; i < 2; i++) {
        if (in_host_memory(info, ends[i]))
            need.host_bytes += size;
        if (ends[i] == KT_MEMORY_DEVICE || ends[i] == KT_MEMORY_SHARED)
            need.device_bytes += size;
    }
    return need;
}

plan_need plan_need_of(const plan_item *item, uint64_t size, const kt_device_info *info)
{
    const workload *w = item->workload;
    if (item->is_copy)
        return need_of_copy(item, size, info);
    uint64_t bytes = w->memory_bytes(size);
    unsigned times = info->type == KT_DEVICE_SIMULATED ? SIMULATED_COPIES
                     : info->type == KT_DEVICE_CPU     ? 1
                                                       : 0;
    /* A kernel's output is read back into separate memory of the host. */
    return (plan_need){.host_bytes = w->largest_bytes(size) + times * bytes, .device_bytes = bytes};
}

/* Writes a reason if the needed memory exceeds `most_bytes`; else returns false. */
static bool too_much(const plan_item *item, uint64_t needed_bytes, uint64_t most_bytes,
                     const char *who, char *reason, size_t bytes)
{
    char most[32], needed[32];
    if (most_bytes == 0 || needed_bytes <= most_bytes)
        return false;
    format_both(item, most, most_bytes, needed, needed_bytes);
    snprintf(reason, bytes, "needs %s in all, %s %s", needed, who, most);
    return true;
}

static bool copy_impossible(const plan_item *item, uint64_t size, const kt_device_info *info,
                            char *reason, size_t bytes)
{
    char offered[512];
    const copy_direction *d = &item->direction;
    if (!direction_offered(info, d)) {
        int length = snprintf(reason, bytes, "the device does not offer it; it has %s",
                              directions_text_of(offered, sizeof offered, info));
        if (length >= (int)bytes)
            snprintf(reason, bytes,
                     "the device does not offer it; \"kerntime devices\" tells what it does");
        return true;
    }
    /* Heap memory counts for the device only if its driver imports it. */
    bool all_heap = direction_is_memcpy(d) && strcmp(info->backend, "cpu") == 0;
    plan_need need = need_of_copy(item, size, info);
    return (!all_heap &&
            too_large(item, size, info->max_memory_bytes, "the device gives", reason, bytes)) ||
           too_much(item, need.device_bytes, info->memory_bytes, "the device has", reason, bytes) ||
           too_much(item, need.host_bytes, kt_host_memory_bytes() / 2,
                    "half of this machine's memory is", reason, bytes);
}

bool plan_impossible(const plan_item *item, uint64_t size, const kt_device_info *info, char *reason,
                     size_t bytes)
{
    if (item->is_copy)
        return copy_impossible(item, size, info, reason, bytes);
    const char *lacks = workload_lacks(item->workload, item->variant, info->languages);
    if (lacks) {
        snprintf(reason, bytes, "%s", lacks);
        return true;
    }
    /* Checks the smaller limit first: the size that it suggests fits both limits. */
    return too_large(item, size, info->max_argument_bytes, "kernels of the device take", reason,
                     bytes) ||
           too_large(item, size, info->max_memory_bytes, "the device gives", reason, bytes) ||
           too_much(item, item->workload->memory_bytes(size), info->memory_bytes, "the device has",
                    reason, bytes);
}

bool plan_impossible_before(const cli_plan *plan, const plan_item *item, uint64_t size,
                            const selected_device *device, const char *reason)
{
    char other[256];
    for (const plan_item *before = plan->items; item->is_copy && before < item; before++)
        if (plan_has(before, device) &&
            plan_impossible(before, size, &device->info, other, sizeof other) &&
            strcmp(other, reason) == 0)
            return true;
    return false;
}
