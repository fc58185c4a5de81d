/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* steady.c - checks whether a kernel takes as long after a while of work. */
#include "cli/doctor/kernel.h"
#include "cli/doctor/kernels_judge.h"

#include <math.h>
#include <time.h>

#define KERNEL_NS    1e6
#define RESOLUTIONS  20 /* a kernel spans at least this many resolution steps */
#define SAMPLES_MAX  5000
#define REST_NS      500000000
#define GUESSES_MAX  4   /* attempts to find the loop iterations for the wanted time */
#define CLOSE_ENOUGH 0.8 /* share of the wanted time that suffices */
/* Attempts to confirm a change: one caused by other users does not follow the load three times. */
#define LOOKS_MAX 3

/* Lets a device that lowered its clock raise it again. */
static void rest(void)
{
    const struct timespec pause = {.tv_nsec = REST_NS};
    nanosleep(&pause, NULL);
}

/* Chooses device times over wall times, unless nearly all are unusable. */
static const double *choose_samples(const kt_result *result, steady_seen *seen, size_t *n)
{
    const double *samples_ns = kernel_samples(result, workload_loop.name, n);
    seen->of_device = *n >= STEADY_SAMPLES_MIN;
    if (seen->of_device)
        return samples_ns;
    samples_ns = kernel_samples(result, "wall", n);
    return samples_ns ? samples_ns : kernel_samples(result, "wall_timestamped", n);
}

static kt_status measure_steady(doctor_kernel *kernel, const kernel_length *length,
                                bool timestamped, int look, steady_seen *seen)
{
    kt_result *result = NULL;
    kt_status status = kernel_measure(
        kernel,
        (kt_measure_options){.trials = length->trials,
                             .samples_min = steady_samples(length->expected_ns),
                             .samples_max = SAMPLES_MAX,
                             .rel_err = 1e-9, /* only max_time_ns limits the samples */
                             .max_time_ns = STEADY_UNDER_NS,
                             .timing = timestamped ? KT_TIMING_DEVICE : KT_TIMING_WALL},
        look ? 1 : 0, 1, &result);
    if (status != KT_OK)
        return status;
    size_t n;
    const double *samples_ns = choose_samples(result, seen, &n);
    double change = steady_change(samples_ns, n);
    seen->under_ns = 0;
    seen->kernel_ns = NAN; /* the shortest sample: other load prolongs the rest */
    for (size_t i = 0; i < n; i++) {
        seen->under_ns += samples_ns[i] * length->trials;
        seen->kernel_ns = fmin(seen->kernel_ns, samples_ns[i] * length->trials);
    }
    seen->change = look == 0 ? change : steady_combine(seen->change, change);
    kt_result_destroy(&result);
    return KT_OK;
}

/* ---- the load ---- */

static kt_status measure_once(doctor *d, uint32_t iterations, uint32_t groups, double *wall_ns)
{
    doctor_kernel kernel = {0};
    kt_result *result = NULL;
    kt_status status = kernel_open_wide(d, &workload_loop, iterations, groups, &kernel);
    if (status == KT_OK)
        status = kernel_measure(&kernel,
                                (kt_measure_options){.trials = 1,
                                                     .samples_min = 3,
                                                     .samples_max = 3,
                                                     .max_time_ns = 1000000,
                                                     .timing = KT_TIMING_WALL},
                                0, 0.1, &result);
    if (status == KT_OK)
        *wall_ns = kernel_shortest_ns(result, "wall");
    kt_result_destroy(&result);
    kernel_close(&kernel);
    return status;
}

/* Only a measurement shows how long parallel groups take. A kernel that cannot be long enough is
 * repeated. */
static kt_status find_load(doctor *d, double wanted_ns, uint32_t groups, kernel_length *length)
{
    double empty_ns = d->limits ? d->limits->overhead_ns : 0, wall_ns = NAN;
    kt_status status = KT_OK;
    *length = kernel_of_length(&d->kernels, wanted_ns / 8); /* more groups prolong the kernel */
    for (int i = 0; i < GUESSES_MAX; i++) {
        status = measure_once(d, length->iterations, groups, &wall_ns);
        if (status != KT_OK)
            return status;
        /* The overhead scatters, and may seem as long as the wall time, which a coarse host clock may
         * show as 0. The next attempt measures a kernel that is longer. */
        double own_ns = fmax(fmax(wall_ns - empty_ns, wall_ns / 8), wanted_ns / 64);
        double share = wanted_ns / own_ns;
        length->trials = (uint32_t)fmin(fmax(1, round(share)), KERNEL_TRIALS_MAX);
        length->expected_ns = own_ns * length->trials;
        double next = fmin(fmax(1, length->iterations * share), KERNEL_ITERATIONS_MAX);
        bool close = share <= 1 / CLOSE_ENOUGH && share >= CLOSE_ENOUGH;
        if (close || (uint32_t)next == length->iterations)
            break;
        if (i + 1 < GUESSES_MAX)
            length->iterations = (uint32_t)next;
    }
    return status;
}

kt_status doctor_check_steady(doctor *d)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(d->device);
    bool timestamped = limits && limits->trusted;
    double resolution_ns = timestamped ? fmax(0, limits->resolution_ns) : 0; /* unknown (NaN): 0 */
    if (d->kernels.missing)
        return KT_OK;
    double wanted_ns = fmin(fmax(KERNEL_NS, RESOLUTIONS * resolution_ns), kernel_longest_ns(d));
    uint32_t groups = steady_groups(d->info);
    kernel_length length;
    doctor_kernel kernel = {0};
    kt_status status = find_load(d, wanted_ns, groups, &length);
    steady_seen seen = {.groups = groups};
    if (status == KT_OK) {
        seen.step = resolution_ns / length.expected_ns;
        status = kernel_open_wide(d, &workload_loop, length.iterations, groups, &kernel);
    }
    for (int i = 0; i < LOOKS_MAX && status == KT_OK; i++) {
        /* A simulated clock rate stays the same. */
        if (i > 0 && d->info->type != KT_DEVICE_SIMULATED)
            rest();
        status = measure_steady(&kernel, &length, timestamped, i, &seen);
        if (!steady_is_doubtful(&seen))
            break;
    }
    kernel_close(&kernel);
    if (status != KT_OK)
        return status;
    doctor_diagnostic f = judge_steady(&seen);
    return doctor_add(d, &f);
}
