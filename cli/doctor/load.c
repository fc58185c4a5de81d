#include "cli/doctor/load.h"

#include "cli/doctor/empty.h"
#include "cli/doctor/kernel.h"
#include "workloads/matmul/matmul.h"

#include <math.h>

#define WANTED_NS 1e6 /* of a dispatch: launching is little beside it, and a governor notices it */
#define SIDE_MIN  16  /* quick on an interpreter, too */
#define SIDE_MAX  1024
/* of the size; the work grows by the cube of it, and the first ones may be all launching */
#define GROWTH_MAX  2.
#define GROWTH_MIN  1.25
#define TRIALS_MAX  256
#define ASK_SAMPLES 3
/* Where it seems to take long: threads that were just begun share a core until the system has
 * spread them. */
#define ASK_TIMES 4
#define PATIENCE  4 /* a device that is this much slower than thought is not hung yet */

/* In place of the workload's: that its result is wrong is for others to say, and no reason to
 * end. */
static kt_status look_at_result(void *user, char *why, size_t why_bytes)
{
    doctor_load *load = user;
    doctor_kernels *all = &load->doctor->kernels;
    kt_status status = load->which->verify(&load->run, why, why_bytes);
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
    load->run = (workload_run){0}; /* which the next one is opened in */
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

/* The shortest of a few, and of what was asked before. */
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
        load->dispatch_ns = fmin(load->dispatch_ns, fmax(1, shortest_ns - d->ruler->overhead_ns));
    kt_result_destroy(&result);
    return status;
}

/* A dispatch may take no longer. */
static double most_ns(const doctor *d)
{
    double timeout_ns = (double)d->measure.timeout_ns;
    return timeout_ns > 0 ? timeout_ns / PATIENCE : INFINITY;
}

static double wanted_ns(const doctor *d)
{
    return fmin(WANTED_NS, most_ns(d));
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

/* A simulated kernel takes what its scenario says, however large it is. */
static bool may_grow(const doctor_load *load, uint64_t size)
{
    const doctor *d = load->doctor;
    return d->info->type != KT_DEVICE_SIMULATED && load->dispatch_ns < wanted_ns(d) &&
           size < SIDE_MAX;
}

/* Until it is long enough, or a larger one is too much for the device: then the last one must
 * do. */
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
            d->why = NULL;
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

/* Whether a device cannot have the kernel: its groups are too large, say. Any other failure is
 * one. */
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
    double each_ns = isnan(load->dispatch_ns) ? d->ruler->overhead_ns : load->dispatch_ns;
    double trials = round(fmin(wanted_ns, most_ns(d)) / fmax(each_ns, 1));
    return (uint32_t)fmin(fmax(trials, 1), TRIALS_MAX);
}
