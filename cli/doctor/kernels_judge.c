/* SPDX-License-Identifier: MIT */
#include "cli/doctor/kernels_judge.h"

#include "cli/doctor/kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT_BYTES 32

/* ---- results ---- */

doctor_diagnostic judge_results(const doctor_kernels *kernels)
{
    doctor_diagnostic f =
        doctor_begin("results", kernels->wrong ? KT_SEVERITY_FAULT : KT_SEVERITY_GOOD);
    doctor_value(&f, "results", kernels->results);
    doctor_value(&f, "wrong", kernels->wrong);
    char all[FORMAT_BYTES], first[FORMAT_BYTES], wrong[FORMAT_BYTES];
    kernel_format_count(all, kernels->results);
    if (kernels->wrong == 0) {
        doctor_seen(&f, "the results of all %s submissions were correct", all);
        return f;
    }
    doctor_value(&f, "first_wrong", kernels->first_wrong);
    kernel_format_count(first, kernels->first_wrong);
    kernel_format_count(wrong, kernels->wrong);
    if (kernels->wrong == 1)
        doctor_seen(&f, "submission %s of %s gave a wrong result", first, all);
    else
        doctor_seen(&f, "%s of %s submissions gave wrong results, the first of them number %s",
                    wrong, all, first);
    doctor_means(&f, "the time of a wrong result is meaningless");
    doctor_advise(&f, "verify the result of every submission, as kerntime bench does; try another "
                      "driver version");
    return f;
}

/* ---- loops ---- */

static void say_cut(doctor_diagnostic *f, const loops_seen *seen)
{
    char wanted[FORMAT_BYTES], least[FORMAT_BYTES], most[FORMAT_BYTES];
    kernel_format_count(wanted, seen->iterations);
    kernel_format_count(least, seen->done_min);
    kernel_format_count(most, seen->done_max);
    if (seen->done_min == seen->done_max)
        doctor_seen(f, "a loop of %s iterations ended after %s, without an error", wanted, least);
    else
        doctor_seen(f, "a loop of %s iterations ended after %s to %s, without an error", wanted,
                    least, most);
    doctor_means(f, "kernels with longer loops look fast and give wrong results%s%s",
                 seen->quirk[0] ? "; known problem of this driver: " : "", seen->quirk);
    doctor_advise(f, "split long loops over work-items or dispatches, and verify every result");
}

doctor_diagnostic judge_loops(const loops_seen *seen)
{
    char wanted[FORMAT_BYTES];
    uint32_t wrong = seen->results - seen->right - seen->cut;
    kernel_format_count(wanted, seen->iterations);
    doctor_diagnostic f = doctor_begin("loops", seen->results == 0          ? KT_SEVERITY_NOTE
                                                : seen->right && !seen->cut ? KT_SEVERITY_GOOD
                                                                            : KT_SEVERITY_FAULT);
    doctor_value(&f, "iterations", seen->results ? seen->iterations : NAN);
    doctor_value(&f, "done", seen->cut ? seen->done_min : seen->right ? seen->iterations : NAN);
    if (seen->results == 0) {
        doctor_seen(&f, "no long loop was tested: it would take more than %s",
                    DOCTOR_NS(seen->most_ns));
    } else if (seen->cut) {
        say_cut(&f, seen);
    } else if (seen->right) { /* occasionally wrong results are a diagnostic of `results` */
        doctor_seen(&f, "a loop of %s iterations runs to its end", wanted);
    } else {
        doctor_seen(&f,
                    "a loop of %s iterations gave %" PRIu32 " wrong results, but was not cut off",
                    wanted, wrong);
        doctor_means(&f, "long loops are unreliable");
        doctor_advise(&f, "verify every result; try another driver version");
    }
    return f;
}

/* ---- first use ---- */

#define FIRST_USE_TIMES  2
#define FIRST_USE_MIN_NS 2e4
/* Share of the cost within the timestamps. Below it, compiling happened outside, and first-touched
 * memory explains the rest. */
#define FIRST_USE_SHARE 0.25
/* Build time that shows compiling: cold caches and pages of a small kernel take less. */
#define COMPILES_FROM_NS 1e6

/* Whether the first run is longer than the following runs by more than the usual variation of a
 * launch. */
static bool is_longer(double first_ns, double steady_ns, double least_ns)
{
    return first_ns > FIRST_USE_TIMES * steady_ns && first_ns - steady_ns > least_ns;
}

bool first_use_is_timestamped(const first_use_seen *seen)
{
    double steps_ns = isnan(seen->resolution_ns) ? 0 : 2 * seen->resolution_ns;
    double timestamped_ns = seen->device_ns - seen->steady_device_ns;
    return is_longer(seen->device_ns, seen->steady_device_ns, FIRST_USE_MIN_NS + steps_ns) &&
           timestamped_ns >= FIRST_USE_SHARE * (seen->wall_ns - seen->steady_wall_ns);
}

bool first_use_is_longer(const first_use_seen *seen)
{
    return first_use_is_timestamped(seen) ||
           is_longer(seen->wall_ns, seen->steady_wall_ns, FIRST_USE_MIN_NS);
}

static void say_first_use(doctor_diagnostic *f, const first_use_seen *seen, bool timestamped)
{
    char cost[FORMAT_BYTES], device[FORMAT_BYTES], steady[FORMAT_BYTES];
    double cost_ns = seen->wall_ns - seen->steady_wall_ns;
    kt_format_ns(cost, sizeof cost, cost_ns);
    kt_format_ns(device, sizeof device, seen->device_ns);
    kt_format_ns(steady, sizeof steady, seen->steady_device_ns);
    const char *what = seen->compiles && cost_ns >= COMPILES_FROM_NS
                           ? "the driver probably still compiles"
                       : seen->known ? "new memory or an idle device is probably the cause"
                                     : "memory and caches are used for the first time";
    const char *kind = seen->known ? "known" : "new";
    if (timestamped) {
        doctor_seen(f, "the first run of a %s kernel takes %s by its timestamps, later runs %s",
                    kind, device, steady);
        doctor_means(f, "%s between its timestamps; kerntime reports the first run separately",
                     what);
    } else {
        doctor_seen(f, "the first run of a %s kernel takes %s longer than later runs%s", kind, cost,
                    isnan(seen->device_ns) ? "" : ", outside its timestamps");
        doctor_means(f, "%s; kerntime reports the first run separately", what);
    }
    doctor_advise(f, "in your own program, run each kernel once before you time it");
}

doctor_diagnostic judge_first_use(const first_use_seen *seen)
{
    bool timestamped = first_use_is_timestamped(seen);
    bool longer = first_use_is_longer(seen);
    bool much = seen->device_ns - seen->steady_device_ns >= COMPILES_FROM_NS;
    doctor_diagnostic f = doctor_begin("first_use", timestamped && much     ? KT_SEVERITY_WARNING
                                                    : timestamped || longer ? KT_SEVERITY_NOTE
                                                                            : KT_SEVERITY_GOOD);
    doctor_value(&f, "cost_ns", seen->wall_ns - seen->steady_wall_ns);
    doctor_value(&f, "first_wall_ns", seen->wall_ns);
    doctor_value(&f, "steady_wall_ns", seen->steady_wall_ns);
    doctor_value(&f, "first_device_ns", seen->device_ns);
    doctor_value(&f, "steady_device_ns", seen->steady_device_ns);
    doctor_value(&f, "build_ns", seen->build_ns);
    if (timestamped || longer)
        say_first_use(&f, seen, timestamped);
    else
        doctor_seen(&f, "the first run of a %s kernel takes as long as later runs%s",
                    seen->known ? "known" : "new", seen->known ? " (no new one available)" : "");
    if (seen->build_ns >= COMPILES_FROM_NS) {
        char build[FORMAT_BYTES];
        size_t length = strlen(f.seen);
        kt_format_ns(build, sizeof build, seen->build_ns);
        snprintf(f.seen + length, sizeof f.seen - length, "; building it took %s before", build);
    }
    return f;
}

/* ---- steady ---- */

#define SAMPLES_USUAL   500 /* samples that fill the time of a kernel of usual length */
#define SAMPLES_FEWEST  3
#define PATIENCE_NS     3e9 /* time limit for the samples of a slow kernel */
#define GROUPS_PER_UNIT 8   /* a compute unit can run several groups at once */
#define UNITS_UNKNOWN   16
/* 8 groups per unit on a GPU of 512 units, more than any has. */
#define GROUPS_MAX   4096
#define PARTS        10
#define LAST_PARTS   3
#define CHANGE_MIN   0.03 /* smaller relative changes of the kernel time are noise */
#define CHANGE_LARGE 0.1

uint32_t steady_groups(const kt_device_info *info)
{
    if (info->compute_units == 0)
        return info->type == KT_DEVICE_CPU ? UNITS_UNKNOWN * GROUPS_PER_UNIT : GROUPS_MAX;
    return info->compute_units < GROUPS_MAX / GROUPS_PER_UNIT
               ? info->compute_units * GROUPS_PER_UNIT
               : GROUPS_MAX;
}

uint32_t steady_samples(double kernel_ns)
{
    double wanted = (double)STEADY_UNDER_NS / kernel_ns;
    double usual = fmin(fmax(STEADY_SAMPLES_MIN, wanted), SAMPLES_USUAL);
    return (uint32_t)fmax(SAMPLES_FEWEST, fmin(usual, PATIENCE_NS / kernel_ns));
}

static double shortest(const double *samples_ns, size_t n)
{
    double least_ns = samples_ns[0];
    for (size_t i = 1; i < n; i++)
        least_ns = fmin(least_ns, samples_ns[i]);
    return least_ns;
}

double steady_change(const double *samples_ns, size_t n)
{
    size_t part = n / PARTS;
    double least_ns = INFINITY, most_ns = 0;
    if (n < STEADY_SAMPLES_MIN)
        return NAN;
    double first_ns = shortest(samples_ns, part);
    for (size_t i = 1; i <= LAST_PARTS; i++) {
        double ns = shortest(samples_ns + n - i * part, part);
        least_ns = fmin(least_ns, ns);
        most_ns = fmax(most_ns, ns);
    }
    if (first_ns < least_ns)
        return least_ns / first_ns - 1;
    return first_ns > most_ns ? most_ns / first_ns - 1 : 0;
}

double steady_combine(double before, double again)
{
    if (before * again < 0)
        return 0;
    return fabs(again) < fabs(before) ? again : before;
}

static double change_that_matters(const steady_seen *seen)
{
    return fmax(CHANGE_MIN, 1.5 * seen->step);
}

bool steady_is_doubtful(const steady_seen *seen)
{
    return fabs(seen->change) > change_that_matters(seen);
}

doctor_diagnostic judge_steady(const steady_seen *seen)
{
    char under[FORMAT_BYTES];
    bool changes = steady_is_doubtful(seen), large = fabs(seen->change) >= CHANGE_LARGE;
    doctor_diagnostic f =
        doctor_begin("steady", changes && large                 ? KT_SEVERITY_WARNING
                               : changes || isnan(seen->change) ? KT_SEVERITY_NOTE
                                                                : KT_SEVERITY_GOOD);
    kt_format_ns(under, sizeof under, seen->under_ns);
    doctor_value(&f, "change", seen->change);
    doctor_value(&f, "under_ns", seen->under_ns);
    doctor_value(&f, "kernel_ns", seen->kernel_ns);
    doctor_value(&f, "groups", seen->groups);
    if (isnan(seen->change)) {
        doctor_seen(&f, "kernel time under load unknown: the kernel ran too few times in %s",
                    under);
    } else if (!changes) {
        doctor_seen(
            &f, "a kernel of %u groups and %s takes as long after %s of load, within %.1f %%",
            seen->groups, DOCTOR_NS(seen->kernel_ns), under, fmax(0.1, 100 * fabs(seen->change)));
    } else {
        bool slower = seen->change > 0;
        doctor_seen(&f, "a kernel of %u groups and %s takes %.0f %% %s after %s of load%s",
                    seen->groups, DOCTOR_NS(seen->kernel_ns), 100 * fabs(seen->change),
                    slower ? "longer" : "less time", under, seen->of_device ? "" : " (wall time)");
        doctor_means(
            &f,
            "the device probably %s its clock frequency under load: times depend on earlier work",
            slower ? "lowers" : "raises");
        doctor_advise(
            &f, "lock the clock frequency if possible; compare only interleaved measurements");
    }
    return f;
}
