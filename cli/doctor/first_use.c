/* SPDX-License-Identifier: MIT */
/* first_use.c - measures the cost of a kernel's first run, and whether it lies within its
 * timestamps. */
#include "cli/doctor/kernel.h"
#include "cli/doctor/kernels_judge.h"

#include <math.h>

#define ITERATIONS 1000 /* loop iterations: short compared with compiling on any device */
#define SAMPLES    15
/* Attempts if the first run seems longer than later ones: other users of the device may prolong a
 * run, but not three first runs. */
#define TRIES_MAX 3

/* A mark unique to this kernel: kernels of this process differ in `number`, those of other
 * processes in time. */
static uint32_t new_mark(uint32_t number)
{
    return (uint32_t)kt_host_now_ns() * UINT32_C(2654435761) + number;
}

static double median_of(const kt_result *result, const char *step)
{
    size_t n;
    const double *samples_ns = kernel_samples(result, step, &n);
    double scratch[SAMPLES];
    kt_summary summary;
    if (n == 0 || n > SAMPLES)
        return NAN;
    kt_summarize(samples_ns, n, 0, scratch, &summary);
    return summary.median;
}

static kt_status measure_kernel(doctor_kernel *kernel, first_use_seen *seen)
{
    kt_result *result = NULL;
    kt_status status = kernel_measure(kernel,
                                      (kt_measure_options){.trials = 1,
                                                           .samples_min = SAMPLES,
                                                           .samples_max = SAMPLES,
                                                           .max_time_ns = 1000000,
                                                           .timing = KT_TIMING_DEVICE},
                                      0, 1, &result);
    if (status != KT_OK)
        return status;
    seen->wall_ns = kt_result_find(result, "wall_timestamped")->first_use_ns;
    seen->steady_wall_ns = median_of(result, "wall_timestamped");
    seen->device_ns = kt_result_find(result, workload_loop.name)->first_use_device_ns;
    seen->steady_device_ns = median_of(result, workload_loop.name);
    kt_result_destroy(&result);
    return KT_OK;
}

static kt_status use_kernel(doctor *d, const workload *which, first_use_seen *seen)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(d->device);
    /* Simulated times do not show compiling. */
    bool simulated = d->info->type == KT_DEVICE_SIMULATED;
    bool compiles = (d->info->languages & ~(uint32_t)KT_LANGUAGE_C_FUNCTION) != 0;
    doctor_kernel kernel = {0};
    *seen = (first_use_seen){.resolution_ns = limits ? limits->resolution_ns : NAN,
                             .build_ns = NAN,
                             .compiles = compiles,
                             /* Only a kernel text can carry a mark; a built-in function has run
                              * before. */
                             .known = (which == &workload_loop || !compiles) && !simulated};
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = kernel_open(d, which, ITERATIONS, &kernel);
    if (!simulated)
        seen->build_ns = (double)(kt_host_now_ns() - begin_ns);
    if (status == KT_OK)
        status = measure_kernel(&kernel, seen);
    kernel_close(&kernel);
    return status;
}

static kt_status use_new_kernel(doctor *d, uint32_t number, first_use_seen *seen)
{
    loop_marked marked;
    if (loop_mark(&marked, new_mark(number)) != KT_OK)
        return doctor_no_memory(d);
    kt_status status = use_kernel(d, &marked.workload, seen);
    /* Only test drivers refuse the text because their kernels are built in. */
    if (status == KT_BUILD_FAILED || status == KT_UNSUPPORTED || status == KT_INVALID)
        status = use_kernel(d, &workload_loop, seen);
    loop_marked_free(&marked);
    return status;
}

/* Extra wall time of the first run. The check keeps the minimum of several attempts, since other
 * users of the device prolong some of them. */
static double cost_of(const first_use_seen *seen)
{
    return seen->wall_ns - seen->steady_wall_ns;
}

kt_status doctor_check_first_use(doctor *d)
{
    first_use_seen seen = {0}, again = {0};
    if (d->kernels.missing)
        return KT_OK;
    kt_status status = use_new_kernel(d, 0, &seen);
    for (uint32_t i = 1; i < TRIES_MAX && status == KT_OK && first_use_is_longer(&seen); i++) {
        status = use_new_kernel(d, i, &again);
        if (status == KT_OK && cost_of(&again) < cost_of(&seen))
            seen = again;
    }
    if (status != KT_OK)
        return status;
    doctor_diagnostic f = judge_first_use(&seen);
    return doctor_add(d, &f);
}
