/* SPDX-License-Identifier: MIT */
#include "compare/comparable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Measured periods and resolutions vary slightly between runs; equal up to this share. */
#define FOUND_ALIKE 0.01

bool kt_differ_in_text(const char *what, const char *one, const char *other, kt_difference *out)
{
    if (kt_same_text(one, other))
        return false;
    out->what = what;
    snprintf(out->one, sizeof out->one, "%s", one ? one : "none");
    snprintf(out->other, sizeof out->other, "%s", other ? other : "none");
    return true;
}

/* Whether two times in ns differ. An unknown time equals any other. */
static bool differ_in_ns(const char *what, double one, double other, kt_difference *out)
{
    if (!(one > 0 && other > 0 && fabs(one - other) > FOUND_ALIKE * fmin(one, other)))
        return false;
    out->what = what;
    kt_format_ns(out->one, sizeof out->one, one);
    kt_format_ns(out->other, sizeof out->other, other);
    return true;
}

static bool is_wall(const kt_taken *taken)
{
    return kt_series_is_wall(taken->series);
}

static bool differ_in_method(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    return kt_differ_in_text("methods", kt_method_name(one->series->method),
                             kt_method_name(other->series->method), out);
}

static double period_of(const kt_taken *taken)
{
    const kt_clock_info *clock =
        taken->device ? kt_series_clock(taken->series, &taken->device->info) : NULL;
    return clock ? clock->period_ns : NAN;
}

static bool differ_in_clock(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    return kt_differ_in_text("clocks", one->series->clock, other->series->clock, out) ||
           differ_in_ns("clocks' ticks", period_of(one), period_of(other), out);
}

static bool differ_in_trials(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    char trials[16], others[16];
    snprintf(trials, sizeof trials, "%u", one->series->trials);
    snprintf(others, sizeof others, "%u", other->series->trials);
    return kt_differ_in_text("trials", trials, others, out);
}

static double resolution_of(const kt_taken *taken)
{
    bool known = !is_wall(taken) && taken->device && taken->device->has_timer_limits;
    return known ? taken->device->limits.resolution_ns : NAN;
}

/* Part of a time that its clock resolution may be without a doubt about the time. */
#define RESOLUTION_SHARE 0.01

/* A measured resolution is a common divisor of differences, and may by chance be a multiple of the
 * true one: of elapsed-only clocks often, and of others it matters only if it is coarse. */
static bool differ_in_resolution(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    double coarser_ns = fmax(resolution_of(one), resolution_of(other));
    double shorter_ns = fmin(one->series->summary.median, other->series->summary.median);
    if (kt_method_is_elapsed_only(one->series->method) ||
        coarser_ns <= RESOLUTION_SHARE * shorter_ns)
        return false;
    return differ_in_ns("clock resolutions", resolution_of(one), resolution_of(other), out);
}

/* Whether two devices differ in compute units, or two CPUs in threads. */
static bool differ_in_units(const kt_device_info *one, const kt_device_info *other,
                            kt_difference *out)
{
    if (!one->compute_units || !other->compute_units || one->compute_units == other->compute_units)
        return false;
    out->what = "devices";
    snprintf(out->one, sizeof out->one, "%u compute unit%s", one->compute_units,
             one->compute_units == 1 ? "" : "s");
    snprintf(out->other, sizeof out->other, "%u", other->compute_units);
    return true;
}

static bool differ_in_device(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    return one->device && other->device &&
           (kt_differ_in_text("devices", one->device->info.name, other->device->info.name, out) ||
            differ_in_units(&one->device->info, &other->device->info, out));
}

bool kt_differ_in_driver(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    return one->device && other->device &&
           kt_differ_in_text("drivers", one->device->info.driver, other->device->info.driver, out);
}

/* Whether the host influences the time: it does the work, or it waits for it. */
static bool is_of_host(const kt_taken *taken)
{
    bool on_cpu = taken->device && taken->device->info.type == KT_DEVICE_CPU;
    return taken->series->method != KT_METHOD_SIMULATED && (is_wall(taken) || on_cpu);
}

static bool differ_in_host(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    const kt_report_origin *here = one->report->document.desc.origin,
                           *there = other->report->document.desc.origin;
    if (!is_of_host(one) || !is_of_host(other))
        return false;
    return (here->cpu && there->cpu &&
            kt_differ_in_text("hosts' processors", here->cpu, there->cpu, out)) ||
           (is_wall(one) && kt_differ_in_text("hosts' clocks", here->clock, there->clock, out));
}

static bool differ_in_caches(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    return kt_differ_in_text("caches", one->series->cold ? "cold" : "warm",
                             other->series->cold ? "cold" : "warm", out);
}

bool kt_differ(const kt_taken *one, const kt_taken *other, kt_difference *out)
{
    static bool (*const checks[])(const kt_taken *, const kt_taken *, kt_difference *) = {
        differ_in_device,     differ_in_host,   differ_in_method, differ_in_clock,
        differ_in_resolution, differ_in_trials, differ_in_caches};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (checks[i](one, other, out))
            return true;
    return false;
}
