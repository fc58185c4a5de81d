#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* Whether the same kernel takes as long after a while of work. */
#include "kernel.h"
#include "kernels_judge.h"

#include <math.h>
#include <time.h>

#define UNDER_NS  INT64_C(500000000)
#define KERNEL_NS 1e6
#define GRIDS     20 /* of a coarse clock that a kernel spans at least */
/* What fills the time, if that is not far more than thought. */
#define SAMPLES_MIN   30
#define SAMPLES_USUAL 500
#define SAMPLES_MAX   5000
#define REST_NS       500000000
#define LOOKS_MAX     3 /* a change by others who use the machine does not come thrice, with the work */

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
    seen->of_device = *n >= SAMPLES_MIN;
    if (seen->of_device)
        return samples_ns;
    samples_ns = kernel_samples(result, "wall", n);
    return samples_ns ? samples_ns : kernel_samples(result, "wall_stamped", n);
}

static kt_status measure_steady(doctor_kernel *kernel, const kernel_length *length, bool stamped,
                                int look, steady_seen *seen)
{
    kt_result *result = NULL;
    double wanted = (double)UNDER_NS / length->expected_ns;
    kt_status status =
        kernel_measure(kernel,
                       (kt_measure_options){
                           .trials = length->trials,
                           .samples_min = (uint32_t)fmin(fmax(SAMPLES_MIN, wanted), SAMPLES_USUAL),
                           .samples_max = SAMPLES_MAX,
                           .rel_err = 1e-9, /* by time alone */
                           .max_time_ns = UNDER_NS,
                           .timing = stamped ? KT_TIMING_DEVICE : KT_TIMING_WALL},
                       look ? 1 : 0, 1, &result);
    if (status != KT_OK)
        return status;
    size_t n;
    const double *samples_ns = choose_samples(result, seen, &n);
    double change = steady_change(samples_ns, n);
    seen->under_ns = 0;
    for (size_t i = 0; i < n; i++)
        seen->under_ns += samples_ns[i] * length->trials;
    seen->kernel_ns = seen->under_ns / (double)n;
    seen->change = look == 0 ? change : steady_combine(seen->change, change);
    kt_result_destroy(&result);
    return KT_OK;
}

kt_status doctor_check_steady(doctor *d)
{
    const kt_ruler *ruler = kt_device_get_ruler(d->device);
    bool stamped = ruler && ruler->believed;
    double grid_ns = stamped ? ruler->grid_ns : 0;
    if (d->kernels.missing)
        return KT_OK;
    double wanted_ns = fmin(fmax(KERNEL_NS, GRIDS * grid_ns), kernel_longest_ns(d));
    kernel_length length = kernel_of_length(&d->kernels, wanted_ns);
    steady_seen seen = {.step = grid_ns / length.expected_ns};
    doctor_kernel kernel = {0};
    kt_status status = kernel_open(d, &workload_loop, length.iterations, &kernel);
    for (int i = 0; i < LOOKS_MAX && status == KT_OK; i++) {
        if (i > 0)
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
