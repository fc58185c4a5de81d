/* SPDX-License-Identifier: MIT */
#include "cli/doctor/kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Longest kernel, as a share of the timeout after which a device counts as hung. */
#define LONGEST_SHARE      0.25
#define TIMEOUT_DEFAULT_NS 1e10
/* A loop that adds less than this share to a dispatch does not determine its time. */
#define LOOP_SHARE_MIN 0.2

static void count_result(doctor_kernel *k, uint32_t done)
{
    doctor_kernels *all = &k->doctor->kernels;
    uint32_t wanted = ((const loop_problem *)k->problem)->iterations;
    bool known = done != LOOP_DONE_UNKNOWN;
    k->results++;
    if (done == wanted || !known) /* results of cut loops are counted separately */
        all->results++;
    if (done == wanted) {
        k->right++;
    } else if (known) {
        k->done_min = k->cut && k->done_min < done ? k->done_min : done;
        k->done_max = k->cut && k->done_max > done ? k->done_max : done;
        k->cut++;
    } else if (all->wrong++ == 0) {
        all->first_wrong = all->results;
    }
}

/* Replaces the workload's check: a wrong result becomes a diagnostic and does not end the check. */
static kt_status look_at_result(void *user, char *reason, size_t reason_bytes)
{
    doctor_kernel *k = user;
    const loop_problem *problem = k->problem;
    kt_status status = workload_read_output(&k->run, reason, reason_bytes);
    if (status != KT_OK)
        return status;
    const uint32_t *wrong = loop_first_wrong(problem, k->run.output);
    count_result(k, wrong ? loop_iterations_done(problem, wrong) : problem->iterations);
    return KT_OK;
}

kt_status kernel_open(doctor *d, const workload *which, uint32_t iterations, doctor_kernel *kernel)
{
    return kernel_open_wide(d, which, iterations, 1, kernel);
}

kt_status kernel_open_wide(doctor *d, const workload *which, uint32_t iterations, uint32_t groups,
                           doctor_kernel *kernel)
{
    const kt_param param = {which->param, iterations};
    kt_job_desc desc = {
        .size = sizeof desc, .name = which->name, .params = &param, .param_count = 1};
    kernel->doctor = d;
    kernel->workload = *which;
    kernel->workload.verify = look_at_result;
    if (which->problem_create(iterations, &kernel->problem) != KT_OK)
        return doctor_no_memory(d);
    ((loop_problem *)kernel->problem)->groups = groups;
    return workload_open(&kernel->run, &kernel->workload, kernel->problem, d->device, iterations,
                         &desc);
}

void kernel_close(doctor_kernel *kernel)
{
    workload_close(&kernel->run);
    if (kernel->problem)
        kernel->workload.problem_destroy(kernel->problem);
    *kernel = (doctor_kernel){0};
}

typedef struct bar {
    const doctor *doctor;
    double from, to;
} bar;

static int move_bar(void *user, const kt_progress *progress)
{
    const bar *b = user;
    progress_part_update(b->doctor->progress, b->from + (b->to - b->from) * progress->fraction);
    return !b->doctor->interrupted();
}

kt_status kernel_measure(doctor_kernel *kernel, kt_measure_options options, double from, double to,
                         kt_result **out)
{
    doctor *d = kernel->doctor;
    bar b = {d, from, to};
    options.size = sizeof options;
    options.timeout_ns = d->measure.timeout_ns;
    options.progress = move_bar;
    options.progress_user = &b;
    kt_status status = kt_measure(kernel->run.job, &options, out);
    if (status != KT_OK)
        kt_result_destroy(out);
    return status;
}

const double *kernel_samples(const kt_result *result, const char *step, size_t *n)
{
    const kt_series *series = kt_result_find(result, step);
    bool usable = series && series->status != KT_SERIES_NOT_POSSIBLE && series->summary.n > 0;
    *n = usable ? series->summary.n : 0;
    return usable ? series->samples_ns : NULL;
}

double kernel_shortest_ns(const kt_result *result, const char *step)
{
    size_t n;
    const double *samples_ns = kernel_samples(result, step, &n);
    double shortest_ns = NAN;
    for (size_t i = 0; i < n; i++)
        shortest_ns = fmin(shortest_ns, samples_ns[i]); /* fmin() ignores NaN */
    return shortest_ns;
}

kernel_length kernel_of_length(const doctor_kernels *kernels, double wanted_ns)
{
    double whole_ns = kernels->iteration_ns * KERNEL_ITERATIONS_MAX;
    bool loops = whole_ns > LOOP_SHARE_MIN * kernels->dispatch_ns;
    double left_ns = fmax(0, wanted_ns - kernels->dispatch_ns);
    kernel_length length = {.iterations = KERNEL_ITERATIONS_MAX, .trials = 1};
    if (!loops)
        length.iterations = 1;
    else if (left_ns < whole_ns)
        length.iterations = 1 + (uint32_t)(left_ns / kernels->iteration_ns);
    double each_ns = kernels->dispatch_ns + length.iterations * kernels->iteration_ns;
    length.trials = (uint32_t)fmin(fmax(1, round(wanted_ns / each_ns)), KERNEL_TRIALS_MAX);
    length.expected_ns = each_ns * length.trials;
    return length;
}

double kernel_longest_ns(const doctor *d)
{
    double timeout_ns = (double)d->measure.timeout_ns;
    return LONGEST_SHARE * (timeout_ns > 0 ? timeout_ns : TIMEOUT_DEFAULT_NS);
}

char *kernel_format_count(char text[32], uint32_t count)
{
    char digits[16];
    int length = snprintf(digits, sizeof digits, "%" PRIu32, count);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}
