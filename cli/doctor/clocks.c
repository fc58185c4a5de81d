/* SPDX-License-Identifier: MIT */
/* clocks.c - checks the clock behind the timestamps: which clock it is, whether its times lie where
 * they should, and its rate. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "cli/doctor/empty.h"
#include "cli/doctor/judge.h"
#include "cli/doctor/load.h"
#include "cli/doctor/moment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAIR_COUNT   20
#define MOMENT_COUNT 16 /* readings per moment; the narrowest counts */
/* Maximum of empty submissions whose timestamps are placed, and the time for all of them. */
#define EMPTY_COUNT 100
#define EMPTY_NS    100e6
/* Time of each phase (idle, busy): long compared with the uncertainty of moments. */
#define WATCH_NS     300000000
#define SPREAD_MIN   8
#define SPREAD_COUNT 50
#define SPREAD_NS    1e6   /* length of the work whose scatter is measured, equal on all devices */
#define SPREADING_NS 100e6 /* time for all samples of that work */
#define LOAD_NS      5e6   /* minimum length of a load submission, far above the gaps */
#define LOAD_SAMPLES 1000

/* State while a clock is examined. */
typedef struct clock_scene {
    doctor *d;
    kt_clock *clock; /* the followed device clock; NULL: it cannot be followed */
    kt_job *empty;
    doctor_load load;
    kt_raw *raw; /* timestamps in the order taken */
    doctor_placed *placed;
    clocks_seen seen;
} clock_scene;

static int follow(void *user, const kt_progress *progress)
{
    const clock_scene *scene = user;
    const kt_measure_options *measure = &scene->d->measure;
    if (scene->clock)
        (void)kt_clock_update(scene->clock); /* a failed update keeps the earlier one */
    return measure->progress ? measure->progress(measure->progress_user, progress) : 1;
}

/* ---- timestamps ---- */

static kt_status keep_raw(clock_scene *scene, const kt_series *series)
{
    size_t count = scene->seen.count, added = series ? series->raw_count : 0;
    if (added == 0)
        return KT_OK;
    kt_raw *raw = realloc(scene->raw, (count + added) * sizeof *raw);
    if (!raw)
        return doctor_no_memory(scene->d);
    memcpy(raw + count, series->raw, added * sizeof *raw);
    scene->raw = raw;
    scene->seen.count = count + added;
    return KT_OK;
}

/* Places the timestamps kept since `from` on the host's clock. */
static kt_status place(clock_scene *scene, size_t from)
{
    clocks_seen *seen = &scene->seen;
    if (!scene->clock || seen->count == from)
        return KT_OK;
    (void)kt_clock_update(scene->clock);
    doctor_placed *placed = realloc(scene->placed, seen->count * sizeof *placed);
    if (!placed)
        return doctor_no_memory(scene->d);
    scene->placed = placed;
    for (size_t i = from; i < seen->count; i++) {
        const kt_raw *raw = &scene->raw[i];
        doctor_placed *p = &placed[seen->placed_count];
        double start_off_ns, end_off_ns;
        *p = (doctor_placed){.host_before_ns = raw->host_before_ns,
                             .host_after_ns = raw->host_after_ns};
        if (raw->state != KT_TIMESTAMP_OK || !raw->has_timestamps ||
            kt_clock_to_host(scene->clock, raw->start_ticks, &p->start_ns, &start_off_ns) !=
                KT_OK ||
            kt_clock_to_host(scene->clock, raw->end_ticks, &p->end_ns, &end_off_ns) != KT_OK)
            continue;
        p->uncertainty_ns = fmax(start_off_ns, end_off_ns);
        seen->placed_count++;
    }
    return KT_OK;
}

static uint32_t empty_count(const doctor *d)
{
    double count = EMPTY_NS / (d->limits->overhead_ns + 1);
    return (uint32_t)fmin(fmax(count, MOMENT_COUNT), EMPTY_COUNT);
}

static kt_status submit_empty(clock_scene *scene, uint32_t count, kt_result **out)
{
    const kt_measure_options options = {
        .timing = KT_TIMING_DEVICE, .progress = follow, .progress_user = scene};
    return doctor_empty_measure(scene->d, scene->empty, count, &options, out);
}

static kt_status place_empty(clock_scene *scene)
{
    kt_result *result = NULL;
    size_t from = scene->seen.count;
    kt_status status = submit_empty(scene, empty_count(scene->d), &result);
    if (status == KT_OK)
        status = keep_raw(scene, kt_result_find(result, "empty"));
    if (status == KT_OK)
        status = place(scene, from);
    kt_result_destroy(&result);
    return status;
}

/* ---- moments ---- */

static bool is_narrower(const kt_clock_pair *pair, const kt_clock_pair *best)
{
    return best->host_after_ns <= best->host_before_ns ||
           pair->host_after_ns - pair->host_before_ns < best->host_after_ns - best->host_before_ns;
}

static kt_status pair_of_api(clock_scene *scene, uint32_t count, kt_clock_pair *best)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < count && status == KT_OK; i++) {
        kt_clock_pair pair;
        status = kt_device_clock_pair(scene->d->device, scene->d->clock, &pair);
        if (status == KT_OK && is_narrower(&pair, best))
            *best = pair;
    }
    return status;
}

/* Brackets the device clock by an empty submission: start and end of its step lie within it. */
static kt_status pair_of_commands(clock_scene *scene, kt_clock_pair *best)
{
    kt_result *result = NULL;
    kt_status status = submit_empty(scene, MOMENT_COUNT, &result);
    const kt_series *series = status == KT_OK ? kt_result_find(result, "empty") : NULL;
    for (size_t i = 0; series && i < series->raw_count; i++) {
        const kt_raw *raw = &series->raw[i];
        const kt_clock_pair pair = {raw->host_before_ns, raw->start_ticks, raw->host_after_ns};
        if (raw->state == KT_TIMESTAMP_OK && raw->has_timestamps && is_narrower(&pair, best))
            *best = pair;
    }
    kt_result_destroy(&result);
    return status;
}

/* Reads all clocks at nearly one moment. */
static kt_status take_moment(clock_scene *scene, doctor_moment *out)
{
    *out = (doctor_moment){0};
    kt_status status = scene->seen.pair_status == KT_OK
                           ? pair_of_api(scene, MOMENT_COUNT, &out->pair)
                           : pair_of_commands(scene, &out->pair);
    if (status == KT_OK)
        doctor_moment_read_host(out);
    return status;
}

/* The rate relative to the host clock that the device clock is reported or found to be. The system
 * adjusts some host clocks, which is no fault of the device. */
static doctor_rate rate_between(const clock_scene *scene, const doctor_moment *from,
                                const doctor_moment *to)
{
    const doctor_rate unknown = {NAN, NAN};
    const clocks_seen *seen = &scene->seen;
    if (!from->pair.host_after_ns || !to->pair.host_after_ns)
        return unknown;
    const kt_clock_pair begin = doctor_moment_pair(from, seen->found.domain);
    const kt_clock_pair end = doctor_moment_pair(to, seen->found.domain);
    double step_ns = fmax(seen->resolution_ns, doctor_host_step_ns(scene->raw, seen->count));
    return doctor_rate_between(&seen->found, step_ns, &begin, &end);
}

/* ---- under load ---- */

static kt_status work(clock_scene *scene, const kt_measure_options *options, kt_result **out)
{
    kt_measure_options full = *options;
    size_t from = scene->seen.count;
    full.size = sizeof full;
    full.timeout_ns = scene->d->measure.timeout_ns;
    full.timing = KT_TIMING_DEVICE;
    full.keep_raw = 1;
    full.progress = follow;
    full.progress_user = scene;
    kt_status status = kt_measure(scene->load.job, &full, out);
    if (status == KT_OK)
        status = keep_raw(scene, kt_result_series(*out, 0));
    return status == KT_OK ? place(scene, from) : status;
}

static uint32_t fit(double all_ns, double each_ns, uint32_t least, uint32_t most)
{
    return (uint32_t)fmin(fmax(all_ns / each_ns, least), most);
}

/* Measures the duration of a submission of about SPREAD_NS of work, and its scatter. */
static kt_status work_once(clock_scene *scene, double *submission_ns)
{
    clocks_seen *seen = &scene->seen;
    uint32_t trials = doctor_load_trials(&scene->load, SPREAD_NS);
    double each_ns = trials * scene->load.dispatch_ns + scene->d->limits->overhead_ns;
    uint32_t count =
        isnan(each_ns) ? SPREAD_COUNT : fit(SPREADING_NS, each_ns, SPREAD_MIN, SPREAD_COUNT);
    const kt_measure_options options = {
        .trials = trials, .samples_min = count, .samples_max = count, .max_time_ns = 1};
    kt_result *result = NULL;
    kt_status status = work(scene, &options, &result);
    const kt_series *step = status == KT_OK ? kt_result_series(result, 0) : NULL;
    const kt_series *wall = status == KT_OK ? kt_result_find(result, "wall_timestamped") : NULL;
    if (wall)
        *submission_ns = wall->summary.median * trials;
    if (step && step->summary.n >= SPREAD_MIN && step->summary.median > 0) {
        seen->kernel_ns = step->summary.median * trials;
        seen->kernel_spread = step->summary.robust_stddev / step->summary.median;
    }
    kt_result_destroy(&result);
    return status;
}

static kt_status work_for_a_while(clock_scene *scene)
{
    double spread_ns = SPREAD_NS;
    kt_result *result = NULL;
    kt_status status = work_once(scene, &spread_ns);
    uint32_t before = doctor_load_trials(&scene->load, SPREAD_NS);
    uint32_t trials = doctor_load_trials(&scene->load, LOAD_NS);
    uint32_t count = fit(WATCH_NS, spread_ns / before * trials, 3, LOAD_SAMPLES);
    const kt_measure_options options = {
        .trials = trials, .samples_min = count, .samples_max = count, .max_time_ns = 1};
    if (status == KT_OK)
        status = work(scene, &options, &result);
    kt_result_destroy(&result);
    return status;
}

/* A simulated device's clock advances only while it works. */
static void stay_idle(const kt_device_info *info)
{
    const struct timespec time = {.tv_sec = 0, .tv_nsec = WATCH_NS};
    if (info->type != KT_DEVICE_SIMULATED)
        nanosleep(&time, NULL);
}

static kt_status watch(clock_scene *scene)
{
    doctor_moment begin, idle, busy, end;
    clocks_seen *seen = &scene->seen;
    kt_status status = take_moment(scene, &begin);
    if (status == KT_OK)
        status = place_empty(scene);
    if (status == KT_OK)
        status = take_moment(scene, &idle);
    if (status != KT_OK)
        return status;
    stay_idle(scene->d->info);
    status = take_moment(scene, &busy);
    if (status == KT_OK)
        status = work_for_a_while(scene);
    if (status == KT_OK)
        status = take_moment(scene, &end);
    if (status != KT_OK)
        return status;
    seen->found = kt_device_get_info(scene->d->device)->clocks[scene->d->clock];
    if (scene->d->info->type != KT_DEVICE_SIMULATED)
        seen->idle = rate_between(scene, &idle, &busy);
    seen->busy = rate_between(scene, &busy, &end);
    seen->whole = rate_between(scene, &begin, &end);
    return status;
}

/* ---- the check ---- */

static void ask_for_pairs(clock_scene *scene)
{
    clocks_seen *seen = &scene->seen;
    kt_clock_pair best = {0};
    seen->pair_status = pair_of_api(scene, PAIR_COUNT, &best);
    seen->pair_ns = NAN;
    if (seen->pair_status == KT_OK)
        seen->pair_ns = (double)(best.host_after_ns - best.host_before_ns);
    else
        snprintf(seen->pair_error, sizeof seen->pair_error, "%s", kt_error_text());
}

static kt_status follow_clock(clock_scene *scene)
{
    clocks_seen *seen = &scene->seen;
    const kt_clock_options options = {.size = sizeof options};
    seen->open_status = kt_clock_open(scene->d->device, scene->d->clock, &options, &scene->clock);
    if (seen->open_status != KT_OK)
        snprintf(seen->open_error, sizeof seen->open_error, "%s", kt_error_text());
    bool answered = seen->open_status == KT_UNSUPPORTED || seen->open_status == KT_NOT_READY;
    return answered ? KT_OK : seen->open_status;
}

/* For a device with its own clock, calibrated timestamps give the rate more precisely than two
 * moments, unless the moments contradict them. */
static void refine_drift(clocks_seen *seen)
{
    const kt_clock_state *state = &seen->state;
    double reported_ns = seen->reported.period_ns;
    double ppm = (reported_ns / state->period_ns - 1) * 1e6;
    double error_ppm = state->period_uncertainty_ns / reported_ns * 1e6;
    /* true for 99 of 100 such devices */
    bool fine = !(seen->resolution_ns > 10 * seen->found.period_ns);
    bool better = fine && error_ppm < seen->whole.error_ppm &&
                  fabs(ppm - seen->whole.ppm) <= seen->whole.error_ppm + error_ppm;
    if (seen->open_status != KT_OK || seen->found.domain[0] || state->resets || !better)
        return;
    seen->whole.ppm = ppm;
    seen->whole.error_ppm = error_ppm;
}

static kt_status judge(clock_scene *scene)
{
    clocks_seen *seen = &scene->seen;
    doctor_diagnostics *found = calloc(1, sizeof *found);
    if (!found)
        return doctor_no_memory(scene->d);
    if (scene->clock)
        kt_clock_get_state(scene->clock, &seen->state);
    seen->raw = scene->raw;
    seen->host_step_ns = doctor_host_step_ns(scene->raw, seen->count);
    seen->placed = scene->placed;
    refine_drift(seen);
    doctor_judge_clocks(seen, found);
    kt_status status = doctor_add_all(scene->d, found);
    free(found);
    return status;
}

/* Observes the clock. For an elapsed-only clock, only the times of equal work can be examined. */
static kt_status look(clock_scene *scene)
{
    double submission_ns;
    if (kt_method_is_elapsed_only(scene->seen.reported.method))
        return work_once(scene, &submission_ns);
    ask_for_pairs(scene);
    kt_status status = follow_clock(scene);
    return status == KT_OK ? watch(scene) : status;
}

kt_status doctor_check_clocks(doctor *d)
{
    const doctor_rate unknown = {NAN, NAN};
    if (!d->limits || !d->limits->trusted)
        return KT_OK; /* the timestamps check reports this */
    clock_scene scene = {.d = d};
    scene.seen = (clocks_seen){.reported = d->info->clocks[d->clock],
                               .resolution_ns = d->limits->resolution_ns,
                               .idle = unknown,
                               .busy = unknown,
                               .whole = unknown,
                               .kernel_ns = NAN,
                               .kernel_spread = NAN};
    scene.seen.units = d->info->compute_units;
    kt_status status = doctor_empty_create(d, &scene.empty);
    if (status == KT_OK)
        status = doctor_load_open(d, &scene.load);
    scene.seen.load_ns = scene.load.dispatch_ns;
    scene.seen.load_groups = scene.load.groups;
    if (status == KT_OK)
        status = look(&scene);
    if (status == KT_OK)
        status = judge(&scene);
    kt_clock_close(&scene.clock);
    doctor_load_close(&scene.load);
    kt_job_destroy(&scene.empty);
    free(scene.raw);
    free(scene.placed);
    return status;
}
