/* SPDX-License-Identifier: MIT */
/* stage_race.c - drops what is surely slower, look by look, in one process for one contest. */
#include "cli/run/race.h"
#include "cli/run/stage_child.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>

/* Sampling of one configuration for a look ends after this time; the least number of samples is
 * taken in any case. It also sets the length of the warm-up. */
#define LOOK_NS 50000000
/* A look takes no more samples than fit into this time, but RACE_LOOK in any case. */
#define LOOK_MOST_NS 300000000

/* Whether its times can be ranked: those shorter than the shortest measurable span cannot. */
static bool is_trusted(const kt_series *series)
{
    return (series->status == KT_SERIES_OK || series->status == KT_SERIES_PARTIAL) &&
           series->summary.n > 0 && isfinite(series->summary.median);
}

/* The series that a race compares: the kernel's device time, or wall time. NULL: it has none that
 * can be ranked. */
static const kt_series *series_of(const kt_result *result, bool is_wall)
{
    for (uint32_t i = 0; result && i < kt_result_series_count(result); i++) {
        const kt_series *series = kt_result_series(result, i);
        kt_series_role role = kt_series_get_role(series);
        if (role == (is_wall ? KT_ROLE_WALL : KT_ROLE_KERNEL) && is_trusted(series))
            return series;
    }
    return NULL;
}

static size_t count_device_times(const stage_contender *contenders, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += contenders[i].launch && series_of(contenders[i].result, false);
    return found;
}

static size_t count_open(const stage_contender *contenders, size_t count)
{
    size_t open = 0;
    for (size_t i = 0; i < count; i++)
        open += contenders[i].launch != NULL;
    return open;
}

static void say(stage_child_state *s, stage_line_kind kind, size_t number, size_t left)
{
    stage_line_write(s->lines, &(stage_line){.kind = kind, .number = number, .left = left});
}

/* The series of the latest look, even if it cannot be ranked: earlier looks may. */
static const kt_series *latest_of(const kt_result *result, bool is_wall)
{
    for (uint32_t i = 0; result && i < kt_result_series_count(result); i++) {
        const kt_series *series = kt_result_series(result, i);
        if (kt_series_get_role(series) == (is_wall ? KT_ROLE_WALL : KT_ROLE_KERNEL))
            return series;
    }
    return NULL;
}

/* Adds a row of all samples of a race. */
static kt_status report_dropped(const stage_contender *c, const race *samples_of, size_t index,
                                bool is_wall, kt_report *report)
{
    size_t count;
    const double *samples = race_samples(samples_of, index, &count);
    const kt_series *latest = latest_of(c->result, is_wall);
    double *scratch = malloc((count + 1) * sizeof *scratch);
    if (!scratch || !latest || count == 0) {
        free(scratch);
        return scratch ? KT_OK : KT_NO_MEMORY;
    }
    char name[32];
    snprintf(name, sizeof name, "%zu", c->number);
    kt_series series = *latest;
    series.name = name;
    series.status = is_trusted(latest) ? latest->status : KT_SERIES_PARTIAL;
    series.samples_ns = samples;
    series.raw = NULL;
    series.raw_count = 0;
    kt_summarize(samples, count, 0, scratch, &series.summary);
    series.median_total_ns = series.summary.median * series.trials;
    kt_status status = stage_report_device(c, report);
    if (status == KT_OK)
        status = kt_report_add_series(report, &series);
    free(scratch);
    return status;
}

/* Takes the samples of a look. Returns false if memory runs out. */
static bool add_samples(stage_contender *contenders, size_t count, bool is_wall, race *laps)
{
    bool done = true;
    for (size_t i = 0; i < count; i++) {
        const kt_series *series =
            contenders[i].launch ? series_of(contenders[i].result, is_wall) : NULL;
        if (series)
            done = race_add(laps, i, series->samples_ns, series->summary.n) && done;
    }
    return done;
}

/* Takes those out that the race dropped. */
static kt_status take_out(stage_contender *contenders, size_t count, const race *samples_of,
                          bool is_wall, kt_report *report)
{
    kt_status status = KT_OK;
    for (size_t i = 0; i < count && status == KT_OK; i++) {
        stage_contender *c = &contenders[i];
        if (!c->launch || race_has(samples_of, i))
            continue;
        status = report_dropped(c, samples_of, i, is_wall, report);
        say(c->stage, LINE_DROPPED, c->number, 0);
        launch_destroy(&c->launch);
    }
    return status;
}

/* Median of the fastest in the latest look; NaN: there is none. */
static double least_median_ns(const stage_contender *contenders, size_t count, bool is_wall)
{
    double least = NAN;
    for (size_t i = 0; i < count; i++) {
        const kt_series *series =
            contenders[i].launch ? series_of(contenders[i].result, is_wall) : NULL;
        if (series)
            least = fmin(least, series->summary.median);
    }
    return least;
}

/* `samples`, or as many as fit into a time, or `least` if that is more. */
static uint32_t fit(size_t samples, double time_ns, double median_ns, size_t least)
{
    double most = median_ns > 0 ? time_ns / median_ns : (double)samples;
    size_t fitting = most < (double)samples ? (size_t)most : samples;
    return (uint32_t)(fitting > least ? fitting : least);
}

static void set_options(stage_contender *contenders, size_t count, uint32_t samples,
                        kt_timing timing)
{
    for (size_t i = 0; i < count; i++) {
        kt_measure_options *o = &contenders[i].options;
        o->samples_min = o->samples_max = samples;
        o->max_time_ns = LOOK_NS;
        o->timing = timing;
        o->keep_raw = o->energy = 0;
    }
}

/* ---- fresh samples ---- */

static void fresh_path(const char *folder, size_t contest, char path[FOLDER_BYTES + 32])
{
    char name[32];
    snprintf(name, sizeof name, "fresh-%zu", contest);
    stage_path(folder, name, path);
}

/* Tells the stage that measures how many samples those that are left should take. Without the file
 * it takes as many as the options say. */
static void keep_fresh(const stage_child_state *s, size_t contest, uint32_t samples)
{
    char path[FOLDER_BYTES + 32];
    fresh_path(s->folder, contest, path);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fprintf(file, "%u\n", samples);
    fclose(file);
}

uint32_t stage_fresh_samples(const stage_child_state *s, size_t contest)
{
    char path[FOLDER_BYTES + 32], line[32] = "";
    fresh_path(s->folder, contest, path);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    uint32_t samples = fgets(line, sizeof line, file) ? (uint32_t)strtoul(line, NULL, 10) : 0;
    fclose(file);
    return samples;
}

/* Returns false if memory runs out. */
static bool run_race(stage_contender *contenders, size_t count, race *laps, kt_report *report)
{
    stage_child_state *s = contenders[0].stage;
    bool is_wall = s->options->measure.timing == KT_TIMING_WALL, done = true;
    double median_ns = NAN;
    set_options(contenders, count, RACE_LOOK, s->options->measure.timing);
    for (size_t look = 1; done && race_goes_on(laps); look++) {
        if (!stage_measure(contenders, count))
            return false;
        /* The first look shows whether all have device times, which then are taken alone. */
        if (look == 1 && !is_wall)
            is_wall = count_device_times(contenders, count) < count_open(contenders, count);
        median_ns = least_median_ns(contenders, count, is_wall);
        if (isnan(median_ns)) /* nothing can be ranked, so nothing drops out */
            break;
        done = add_samples(contenders, count, is_wall, laps);
        size_t left = race_look(laps);
        done = done && take_out(contenders, count, laps, is_wall, report) == KT_OK;
        say(s, LINE_LOOK, look, left);
        set_options(contenders, count, fit(race_next(laps), LOOK_MOST_NS, median_ns, RACE_LOOK),
                    is_wall ? KT_TIMING_WALL : KT_TIMING_DEVICE);
    }
    /* Half of the sampling time is that of submissions without timestamps. */
    int64_t time_ns = s->options->measure.max_time_ns;
    keep_fresh(s, stage_configuration(s->plan, contenders[0].number)->contest,
               fit(race_fresh(laps), (double)(time_ns ? time_ns : KT_MAX_TIME_DEFAULT_NS) / 2,
                   median_ns, 0));
    return done;
}

int stage_race(stage_child_state *s)
{
    size_t count;
    stage_contender *contenders = stage_open_all(s, &count);
    race *laps = contenders && count ? race_create(count) : NULL;
    kt_report *report = NULL;
    const kt_report_desc desc = {.size = sizeof desc, .document = "result"};
    int code = EXIT_FAILED;
    if (laps && kt_report_create(&report, &desc) == KT_OK &&
        run_race(contenders, count, laps, report) && !terminal_interrupted())
        code = stage_hand_over(s, report);
    race_destroy(&laps);
    kt_report_destroy(&report);
    stage_close_all(contenders, count);
    return code;
}
