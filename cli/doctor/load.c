/* SPDX-License-Identifier: MIT */
#include "cli/doctor/load.h"

#include "cli/doctor/empty.h"
#include "cli/doctor/kernel.h"
#include "workloads/matmul/matmul.h"

#include <math.h>

/* Wanted time of a dispatch: long compared with launching, and noticed by a governor. */
#define WANTED_NS 1e6
#define SIDE_MIN  16 /* smallest problem size: quick even on an interpreted device */
#define SIDE_MAX  1024
/* Maximum growth factor of the problem size. The work grows with its cube, and small sizes may be
 * mostly launch time. */
#define GROWTH_MAX  2.
#define GROWTH_MIN  1.25
#define TRIALS_MAX  256
#define ASK_SAMPLES 3
/* Attempts if a dispatch seems long: new threads share a core until the system has spread them. */
#define ASK_TIMES 4
#define PATIENCE  4 /* a dispatch may take the timeout over this */

/* Replaces the workload's check: other checks report wrong results, and this one continues. */
static kt_status look_at_result(void *user, char *reason, size_t reason_bytes)
{
    doctor_load *load = user;
    doctor_kernels *all = &load->doctor->kernels;
    kt_status status = load->which->verify(&load->run, reason, reason_bytes);
    if (status != KT_OK && status != KT_WRONG_RESULT)
        return status;
    all->results++;
    if (status == KT_WRONG_RESULT && all->wrong++ == 0)
        all->first_wrong = all->results;
    return KT_OK;
}

static void close_kernel(doctor_load *load)
{
    workload_close(&load->run);
    load->run = (workload_run){0}; /* the next problem size reuses it */
    if (load->problem)
        load->which->problem_destroy(load->problem);
    load->problem = NULL;
    load->job = NULL;
}

static kt_status open_kernel(doctor_load *load, uint64_t size)
{
    const workload *w = load->which;
    const kt_param param = {w->param, (int64_t)size};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = w->name,
                        .variant = w->variants[0],
                        .params = &param,
                        .param_count = 1};
    uint32_t groups = (uint32_t)(size + MATMUL_TILE - 1) / MATMUL_TILE;
    load->workload = *w;
    load->workload.verify = look_at_result;
    load->groups = groups * groups;
    if (w->problem_create(size, &load->problem) != KT_OK)
        return doctor_no_memory(load->doctor);
    kt_status status = workload_open(&load->run, &load->workload, load->problem,
                                     load->doctor->device, size, &desc);
    load->job = load->run.job;
    return status;
}

/* Longest allowed time of a dispatch. */
static double most_ns(const doctor *d)
{
    double timeout_ns = (double)d->measure.timeout_ns;
    return timeout_ns > 0 ? timeout_ns / PATIENCE : INFINITY;
}

static double wanted_ns(const doctor *d)
{
    return fmin(WANTED_NS, most_ns(d));
}

/* Time of a dispatch by its wall time. The overhead scatters, and may seem as long, and a coarse host
 * clock may show 0: the load then grows by a limited factor, and the larger one is measured. */
static double dispatch_of(const doctor *d, double wall_ns)
{
    return fmax(fmax(wall_ns - d->limits->overhead_ns, wall_ns / 8), wanted_ns(d) / 512);
}

/* Measures a dispatch; keeps the shortest of a few samples and of earlier attempts. */
static kt_status ask_once(doctor_load *load)
{
    doctor *d = load->doctor;
    const kt_measure_options options = {.size = sizeof options,
                                        .timeout_ns = d->measure.timeout_ns,
                                        .progress = d->measure.progress,
                                        .progress_user = d->measure.progress_user,
                                        .trials = 1,
                                        .samples_min = ASK_SAMPLES,
                                        .samples_max = ASK_SAMPLES,
                                        .max_time_ns = 1,
                                        .timing = KT_TIMING_WALL};
    kt_result *result = NULL;
    kt_status status = kt_measure(load->job, &options, &result);
    double shortest_ns = status == KT_OK ? kernel_shortest_ns(result, "wall") : NAN;
    if (!isnan(shortest_ns))
        load->dispatch_ns = fmin(load->dispatch_ns, dispatch_of(d, shortest_ns));
    kt_result_destroy(&result);
    return status;
}

static kt_status open_and_ask(doctor_load *load, uint64_t size)
{
    const doctor *d = load->doctor;
    int times = d->info->type == KT_DEVICE_SIMULATED ? 1 : ASK_TIMES;
    kt_status status = open_kernel(load, size);
    load->dispatch_ns = INFINITY;
    for (int i = 0; i < times && status == KT_OK && load->dispatch_ns >= wanted_ns(d); i++)
        status = ask_once(load);
    return status;
}

/* A simulated kernel's time follows its scenario, not its size. */
static bool may_grow(const doctor_load *load, uint64_t size)
{
    const doctor *d = load->doctor;
    return d->info->type != KT_DEVICE_SIMULATED && load->dispatch_ns < wanted_ns(d) &&
           size < SIDE_MAX;
}

/* Grows the problem size until the kernel is long enough or the device cannot run a larger one;
 * then keeps the last kernel that ran. */
static kt_status grow(doctor_load *load)
{
    doctor *d = load->doctor;
    uint64_t size = SIDE_MIN;
    kt_status status = KT_OK;
    while (status == KT_OK && may_grow(load, size)) {
        double dispatch_ns = load->dispatch_ns;
        double growth = cbrt(1.5 * wanted_ns(d) / dispatch_ns);
        double wanted = ceil((double)size * fmin(fmax(growth, GROWTH_MIN), GROWTH_MAX));
        uint64_t next = (uint64_t)fmin(wanted, SIDE_MAX);
        close_kernel(load);
        status = open_and_ask(load, next);
        if (status == KT_LIMIT || status == KT_NO_MEMORY) {
            close_kernel(load);
            load->dispatch_ns = dispatch_ns;
            d->reason = NULL;
            return open_kernel(load, size);
        }
        size = next;
    }
    return status;
}

static kt_status open_empty(doctor_load *load)
{
    load->dispatch_ns = NAN;
    load->groups = 0;
    kt_status status = doctor_empty_create(load->doctor, &load->empty);
    load->job = load->empty;
    return status;
}

/* Whether the device cannot run such a kernel, for example because its groups are too large. Other
 * statuses are failures. */
static bool is_refusal(kt_status status)
{
    return status == KT_LIMIT || status == KT_UNSUPPORTED || status == KT_BUILD_FAILED;
}

kt_status doctor_load_open(doctor *d, doctor_load *load)
{
    load->doctor = d;
    load->dispatch_ns = NAN;
    load->which = workload_find("matmul");
    if (workload_lacks(load->which, load->which->variants[0], d->info->languages))
        return open_empty(load);
    kt_status status = open_and_ask(load, SIDE_MIN);
    if (status == KT_OK)
        return grow(load);
    if (!is_refusal(status))
        return status;
    close_kernel(load);
    return open_empty(load);
}

void doctor_load_close(doctor_load *load)
{
    close_kernel(load);
    kt_job_destroy(&load->empty);
    *load = (doctor_load){0};
}

uint32_t doctor_load_trials(const doctor_load *load, double wanted_ns)
{
    const doctor *d = load->doctor;
    double each_ns = isnan(load->dispatch_ns) ? d->limits->overhead_ns : load->dispatch_ns;
    double trials = round(fmin(wanted_ns, most_ns(d)) / fmax(each_ns, 1));
    return (uint32_t)fmin(fmax(trials, 1), TRIALS_MAX);
}
