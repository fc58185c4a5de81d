#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* Whether the same kernel takes as long after a while of work. */
#include "cli/doctor/kernel.h"
#include "cli/doctor/kernels_judge.h"

#include <math.h>
#include <time.h>

#define KERNEL_NS    1e6
#define GRIDS        20 /* of a coarse clock that a kernel spans at least */
#define SAMPLES_MAX  5000
#define REST_NS      500000000
#define GUESSES_MAX  4   /* at how many iterations take the wanted time, ... */
#define CLOSE_ENOUGH 0.8 /* ... of which so much will do */
/* a change by others who use the machine does not come thrice, with the work */
#define LOOKS_MAX 3

/* A device that lowers its clock raises it again meanwhile. */
static void rest(void)
{
    const struct timespec pause = {.tv_nsec = REST_NS};
    nanosleep(&pause, NULL);
}

/* Device times, unless hardly any of them can be used. */
static const double *choose_samples(const kt_result *result, steady_seen *seen, size_t *n)
{
    const double *samples_ns = kernel_samples(result, workload_loop.name, n);
    seen->of_device = *n >= STEADY_SAMPLES_MIN;
    if (seen->of_device)
        return samples_ns;
    samples_ns = kernel_samples(result, "wall", n);
    return samples_ns ? samples_ns : kernel_samples(result, "wall_stamped", n);
}

static kt_status measure_steady(doctor_kernel *kernel, const kernel_length *length, bool stamped,
                                int look, steady_seen *seen)
{
    kt_result *result = NULL;
    kt_status status =
        kernel_measure(kernel,
                       (kt_measure_options){.trials = length->trials,
                                            .samples_min = steady_samples(length->expected_ns),
                                            .samples_max = SAMPLES_MAX,
                                            .rel_err = 1e-9, /* by time alone */
                                            .max_time_ns = STEADY_UNDER_NS,
                                            .timing = stamped ? KT_TIMING_DEVICE : KT_TIMING_WALL},
                       look ? 1 : 0, 1, &result);
    if (status != KT_OK)
        return status;
    size_t n;
    const double *samples_ns = choose_samples(result, seen, &n);
    double change = steady_change(samples_ns, n);
    seen->under_ns = 0;
    seen->kernel_ns = NAN; /* the shortest: others make it longer */
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

/* How long groups take that run at once is known only to the device. A kernel that cannot be made
 * so long is run several times. */
static kt_status find_load(doctor *d, double wanted_ns, uint32_t groups, kernel_length *length)
{
    double empty_ns = d->ruler ? d->ruler->overhead_ns : 0, wall_ns = NAN;
    kt_status status = KT_OK;
    *length = kernel_of_length(&d->kernels, wanted_ns / 8); /* which more groups make longer */
    for (int i = 0; i < GUESSES_MAX; i++) {
        status = measure_once(d, length->iterations, groups, &wall_ns);
        if (status != KT_OK)
            return status;
        double own_ns = fmax(wall_ns - empty_ns, 1);
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
    const kt_ruler *ruler = kt_device_get_ruler(d->device);
    bool stamped = ruler && ruler->believed;
    double grid_ns = stamped ? fmax(0, ruler->grid_ns) : 0; /* of NaN 0 */
    if (d->kernels.missing)
        return KT_OK;
    double wanted_ns = fmin(fmax(KERNEL_NS, GRIDS * grid_ns), kernel_longest_ns(d));
    uint32_t groups = steady_groups(d->info);
    kernel_length length;
    doctor_kernel kernel = {0};
    kt_status status = find_load(d, wanted_ns, groups, &length);
    steady_seen seen = {.groups = groups};
    if (status == KT_OK) {
        seen.step = grid_ns / length.expected_ns;
        status = kernel_open_wide(d, &workload_loop, length.iterations, groups, &kernel);
    }
    for (int i = 0; i < LOOKS_MAX && status == KT_OK; i++) {
        if (i > 0 && d->info->type != KT_DEVICE_SIMULATED) /* which has no clock to raise */
            rest();
        status = measure_steady(&kernel, &length, stamped, i, &seen);
        if (!steady_is_doubtful(&seen))
            break;
    }
    kernel_close(&kernel);
    if (status != KT_OK)
        return status;
    doctor_finding f = judge_steady(&seen);
    return doctor_add(d, &f);
}
