/* SPDX-License-Identifier: MIT */
/* timestamps.c - checks the timestamps of empty submissions: their resolution, their overhead, and
 * whether they can be trusted. */
#include "cli/doctor/empty.h"
#include "cli/doctor/judge.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_COUNT  30
#define COUNT_MIN    30
#define COUNT_MAX    300
#define TIME_NS      200e6 /* time for all empty submissions */
#define STEPS_NS     50e6
#define STEPS_MIN    10
#define STEPS_MAX    100
#define JITTER_COUNT 30 /* sample count that the jitter refers to */

static const kt_series *find(const kt_result *result, const char *step)
{
    return result ? kt_result_find(result, step) : NULL;
}

/* Median, and half its interval. Few or drifting samples have no interval; their spread then
 * estimates it. */
static double median_of(const double *samples_ns, size_t n, double resolution_ns, double *half_ns)
{
    kt_summary summary;
    double *scratch = malloc((n + 1) * sizeof *scratch);
    *half_ns = NAN;
    if (!scratch || n == 0) {
        free(scratch);
        return NAN;
    }
    kt_summarize(samples_ns, n, isnan(resolution_ns) ? 0 : resolution_ns, scratch, &summary);
    *half_ns = (summary.ci95_high - summary.ci95_low) / 2;
    if (isnan(*half_ns))
        *half_ns = 1.2533 * 1.96 * summary.robust_stddev / sqrt((double)n) + resolution_ns / 2;
    free(scratch);
    return summary.median;
}

/* Jitter over the worst consecutive samples, since a quiet moment says little about the next
 * one. */
static double jitter_of(const kt_series *series, double resolution_ns)
{
    double worst_ns = NAN, half_ns;
    size_t n = series ? series->summary.n : 0;
    for (size_t at = 0; at + JITTER_COUNT <= n; at += JITTER_COUNT) {
        median_of(series->samples_ns + at, JITTER_COUNT, resolution_ns, &half_ns);
        worst_ns = fmax(worst_ns, half_ns); /* fmax() ignores NaN */
    }
    return worst_ns;
}

static double wall_of(const kt_series *series, double *half_ns)
{
    *half_ns = NAN;
    return series ? median_of(series->samples_ns, series->summary.n, 0, half_ns) : NAN;
}

/* Measures submissions of several empty steps. */
static kt_status measure_steps(doctor *d, kt_result **out)
{
    static const char *const names[STEPS_COUNT] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    kt_step *steps = calloc(STEPS_COUNT, sizeof *steps);
    if (!steps)
        return doctor_no_memory(d);
    for (int i = 0; i < STEPS_COUNT; i++)
        steps[i] = (kt_step){.name = names[i], .kind = KT_STEP_EMPTY};
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "steps", .steps = steps, .step_count = STEPS_COUNT};
    const kt_measure_options options = {.timing = KT_TIMING_DEVICE,
                                        .progress = d->measure.progress,
                                        .progress_user = d->measure.progress_user};
    double each_ns = d->limits->overhead_ns * STEPS_COUNT + 1;
    uint32_t count = (uint32_t)fmin(fmax(STEPS_NS / each_ns, STEPS_MIN), STEPS_MAX);
    kt_job *job = NULL;
    kt_status status = kt_job_create(d->device, &desc, &job);
    if (status == KT_OK)
        status = doctor_empty_measure(d, job, count, &options, out);
    kt_job_destroy(&job);
    free(steps);
    return status;
}

static void look_at_steps(const kt_result *result, timestamps_seen *seen)
{
    const kt_series *span = find(result, "span");
    seen->step_ns = NAN;
    for (uint32_t i = 0; i < STEPS_COUNT; i++) {
        const kt_series *step = result ? kt_result_series(result, i) : NULL;
        if (!step || !step->raw)
            return;
        seen->steps[i] = step->raw;
        seen->steps_count =
            i == 0 || step->raw_count < seen->steps_count ? step->raw_count : seen->steps_count;
    }
    if (span && span->summary.n > 0 && !isnan(seen->limits.min_span_ns))
        seen->step_ns = (span->summary.median - seen->limits.min_span_ns) / (STEPS_COUNT - 1);
}

static kt_status judge(doctor *d, const kt_result *result, const kt_result *steps)
{
    static const kt_series none = {.raw_count = 0};
    const kt_device_info *info = kt_device_get_info(d->device);
    const kt_series *empty = find(result, "empty");
    uint32_t clock = d->clock = doctor_clock_of(info, result);
    timestamps_seen seen = {.backend = info->backend,
                            .has_clock = info->clock_count > 0,
                            .reported = d->info->clocks[clock],
                            .clock = info->clocks[clock],
                            .limits = *d->limits};
    seen.raw = (empty ? empty : &none)->raw;
    seen.count = (empty ? empty : &none)->raw_count;
    seen.host_step_ns = doctor_host_step_ns(seen.raw, seen.count);
    look_at_steps(steps, &seen);
    seen.timestamped_ns = wall_of(find(result, "wall_timestamped"), &seen.timestamped_error_ns);
    seen.plain_ns = wall_of(find(result, "wall"), &seen.plain_error_ns);
    d->empty_jitter_ns = d->limits->trusted ? jitter_of(empty, d->limits->resolution_ns) : NAN;
    d->wall_jitter_ns = jitter_of(find(result, "wall"), 0);
    doctor_diagnostics *found = calloc(1, sizeof *found);
    if (!found)
        return doctor_no_memory(d);
    doctor_judge_timestamps(&seen, found);
    kt_status status = doctor_add_all(d, found);
    free(found);
    return status;
}

/* Number of empty submissions that fit into TIME_NS. */
static uint32_t count_of(const kt_timer_limits *limits)
{
    double count = TIME_NS / (2 * limits->overhead_ns + 1);
    return (uint32_t)fmin(fmax(count, COUNT_MIN), COUNT_MAX);
}

kt_status doctor_check_timestamps(doctor *d)
{
    kt_job *job = NULL;
    kt_result *result = NULL, *steps = NULL;
    kt_status status = doctor_empty_create(d, &job);
    if (status == KT_OK)
        status = doctor_empty_measure(d, job, FIRST_COUNT, NULL, &result);
    d->limits = kt_device_get_timer_limits(d->device);
    kt_result_destroy(&result);
    if (status == KT_OK)
        status = doctor_empty_measure(d, job, count_of(d->limits), NULL, &result);
    if (status == KT_OK && d->limits->trusted)
        status = measure_steps(d, &steps);
    if (status == KT_OK)
        status = judge(d, result, steps);
    kt_result_destroy(&result);
    kt_result_destroy(&steps);
    kt_job_destroy(&job);
    return status;
}
