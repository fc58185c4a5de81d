/* SPDX-License-Identifier: MIT */
/* loops.c - checks whether drivers cut long loops, and measures the loop kernel's time for later
 * checks. */
#include "cli/doctor/kernel.h"
#include "cli/doctor/kernels_judge.h"

#include <math.h>

#define SHORT_ITERATIONS 100
#define LONG_ITERATIONS  20000 /* its time must differ from that of the short loop */

/* Submissions with checked results: enough to find occasional errors, unless they take long. */
#define PAIRS_MIN     50
#define PAIRS_MAX     500
#define PAIRS_FEW     3
#define PAIRS_MOST_NS 1e9
#define SAMPLING_NS   INT64_C(150000000)

/* Loop lengths to try, ascending: a driver has cut loops at 65,535 (Mesa 22.3). */
static const uint32_t lengths[] = {100000, 1000000};
#define LENGTH_COUNT   (sizeof lengths / sizeof lengths[0])
#define OTHERS_MOST_NS 3e8 /* time limit for each loop length after the first */

static const kt_measure_options once = {.trials = 1,
                                        .samples_min = 1,
                                        .samples_max = 1,
                                        .max_time_ns = 1000000,
                                        .timing = KT_TIMING_WALL};

/* ---- results ---- */

static kt_status look_at_results(doctor_kernel *kernel, double wall_ns, double *shortest_ns)
{
    double pairs = PAIRS_MOST_NS / (2 * wall_ns);
    kt_result *result = NULL;
    kt_status status = kernel_measure(
        kernel,
        (kt_measure_options){.trials = 1,
                             .samples_min = (uint32_t)fmin(fmax(PAIRS_FEW, pairs), PAIRS_MIN),
                             .samples_max = PAIRS_MAX,
                             .rel_err = 1e-9, /* the precision of its time does not matter */
                             .max_time_ns = SAMPLING_NS},
        0, 0.5, &result);
    if (status == KT_OK)
        *shortest_ns = kernel_shortest_ns(result, "wall");
    kt_result_destroy(&result);
    return status;
}

/* ---- kernel time ---- */

static kt_status find_wall_time(doctor *d, uint32_t iterations, double *shortest_ns)
{
    doctor_kernel kernel = {0};
    kt_result *result = NULL;
    kt_measure_options few = once;
    few.samples_min = few.samples_max = 3;
    kt_status status = kernel_open(d, &workload_loop, iterations, &kernel);
    if (status == KT_OK)
        status = kernel_measure(&kernel, few, 0.5, 0.6, &result);
    if (status == KT_OK)
        *shortest_ns = kernel_shortest_ns(result, "wall");
    kt_result_destroy(&result);
    kernel_close(&kernel);
    return status;
}

static void find_length(doctor *d, double short_ns, double long_ns)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(d->device);
    double iteration_ns = fmax(0, (long_ns - short_ns) / (LONG_ITERATIONS - SHORT_ITERATIONS));
    double dispatch_ns = short_ns - SHORT_ITERATIONS * iteration_ns;
    if (limits && limits->overhead_ns < dispatch_ns)
        dispatch_ns -= limits->overhead_ns;
    d->kernels.iteration_ns = iteration_ns;
    d->kernels.dispatch_ns = fmax(1, dispatch_ns);
}

/* ---- long loops ---- */

static kt_status try_loop(doctor *d, uint32_t iterations, loops_seen *seen)
{
    doctor_kernel kernel = {0};
    kt_result *result = NULL;
    kt_status status = kernel_open(d, &workload_loop, iterations, &kernel);
    if (status == KT_OK)
        status = kernel_measure(&kernel, once, 0.6, 1, &result);
    *seen = (loops_seen){.iterations = iterations,
                         .results = kernel.results,
                         .right = kernel.right,
                         .cut = kernel.cut,
                         .done_min = kernel.done_min,
                         .done_max = kernel.done_max,
                         .quirk = d->info->quirk};
    kt_result_destroy(&result);
    kernel_close(&kernel);
    return status;
}

static kt_status try_loops(doctor *d, loops_seen *seen)
{
    kt_status status = KT_OK;
    double most_ns = kernel_longest_ns(d);
    *seen = (loops_seen){.quirk = d->info->quirk, .most_ns = most_ns};
    for (size_t i = 0; i < LENGTH_COUNT && status == KT_OK && seen->right == seen->results; i++) {
        double expected_ns = d->kernels.dispatch_ns + lengths[i] * d->kernels.iteration_ns;
        if (expected_ns > (i == 0 ? most_ns : fmin(OTHERS_MOST_NS, most_ns)))
            break;
        status = try_loop(d, lengths[i], seen);
    }
    return status;
}

/* ---- the check ---- */

static kt_status add_missing(doctor *d, const char *reason)
{
    doctor_diagnostic f = doctor_begin("loops", KT_SEVERITY_NOTE);
    d->kernels.missing = true;
    doctor_seen(&f, "no kernel was run: %s", reason);
    doctor_means(&f, "all checks that need a kernel were skipped");
    return doctor_add(d, &f);
}

static kt_status measure_all(doctor *d, doctor_kernel *kernel, loops_seen *seen)
{
    kt_result *result = NULL;
    double short_ns = NAN, long_ns = NAN;
    kt_status status = kernel_measure(kernel, once, 0, 0, &result);
    if (status == KT_OK)
        short_ns = kernel_shortest_ns(result, "wall");
    kt_result_destroy(&result);
    if (status == KT_OK)
        status = look_at_results(kernel, short_ns, &short_ns);
    if (status == KT_OK)
        status = find_wall_time(d, LONG_ITERATIONS, &long_ns);
    if (status != KT_OK)
        return status;
    find_length(d, short_ns, long_ns);
    return try_loops(d, seen);
}

kt_status doctor_check_loops(doctor *d)
{
    loops_seen seen = {0};
    const char *lacks = workload_lacks(&workload_loop, NULL, d->info->languages);
    if (lacks)
        return add_missing(d, lacks);
    doctor_kernel kernel = {0};
    kt_status status = kernel_open(d, &workload_loop, SHORT_ITERATIONS, &kernel);
    bool built = status != KT_BUILD_FAILED && status != KT_UNSUPPORTED && status != KT_LIMIT;
    if (built && status == KT_OK)
        status = measure_all(d, &kernel, &seen);
    kernel_close(&kernel);
    if (!built)
        return add_missing(d, kt_error_text());
    if (status != KT_OK)
        return status;
    doctor_diagnostic loops = judge_loops(&seen);
    return doctor_add(d, &loops);
}
