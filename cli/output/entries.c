/* SPDX-License-Identifier: MIT */
#include "cli/output/entries.h"

#include "cli/output/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- series of one time, side by side ---- */

/* Place of a series in the report. */
typedef struct place {
    const kt_series *series;
    uint32_t index, first; /* its own; the first one with its time */
} place;

static bool is_wanted(const kt_series *series)
{
    kt_series_role role = kt_series_get_role(series);
    return role != KT_ROLE_GAPS && role != KT_ROLE_WALL_TIMESTAMPED;
}

static const char *variant_of(const kt_series *series)
{
    return series->variant ? series->variant : "";
}

static int compare_jobs(const kt_series *a, const kt_series *b)
{
    int order = strcmp(a->name, b->name);
    order = order ? order : strcmp(a->device, b->device);
    order = order ? order : strcmp(variant_of(a), variant_of(b));
    return order ? order : (a->cold != 0) - (b->cold != 0);
}

static int compare_times(const kt_series *a, const kt_series *b)
{
    int order = compare_jobs(a, b);
    order = order ? order : kt_series_is_wall(a) - kt_series_is_wall(b);
    return order ? order : strcmp(a->step, b->step);
}

static int by_time(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int order = compare_times(a->series, b->series);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static int by_first(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int order = (a->first > b->first) - (a->first < b->first);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Sorts by time, and times by where they first are in the report. */
static void sort_places(place *places, size_t count)
{
    qsort(places, count, sizeof *places, by_time);
    for (size_t i = 0; i < count; i++)
        places[i].first = i > 0 && compare_times(places[i].series, places[i - 1].series) == 0
                              ? places[i - 1].first
                              : places[i].index;
    qsort(places, count, sizeof *places, by_first);
}

/* ---- names ---- */

/* Length of a device's id without a scenario. */
static size_t plain_length(const char *id)
{
    const char *first = strchr(id, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    return second ? (size_t)(second - id) : strlen(id);
}

/* Length of the id that a name has: with the scenario only if devices differ in nothing else. */
static size_t id_length(const kt_report *report, const char *id)
{
    size_t plain = plain_length(id);
    for (uint32_t i = 0; i < kt_report_device_count(report); i++) {
        const char *other = kt_report_device(report, i)->id;
        if (strcmp(other, id) != 0 && plain_length(other) == plain &&
            strncmp(other, id, plain) == 0)
            return strlen(id);
    }
    return plain;
}

static char *make_name(const kt_report *report, const kt_series *series)
{
    const char *variant = variant_of(series), *cold = series->cold ? "/cold" : "";
    int id_bytes = (int)id_length(report, series->device);
    size_t bytes = strlen(series->name) + strlen(variant) + strlen(series->step) + strlen(cold) +
                   (size_t)id_bytes + 4;
    char *name = malloc(bytes);
    if (name)
        snprintf(name, bytes, "%s%s%s/%s%s/%.*s", series->name, *variant ? "/" : "", variant,
                 series->step, cold, id_bytes, series->device);
    return name;
}

/* ---- numbers ---- */

static const char *reason_of(const kt_series *series)
{
    switch (series->status) {
    case KT_SERIES_BELOW_MIN_SPAN: return "shorter than the shortest measurable span";
    case KT_SERIES_NOT_POSSIBLE: return "the device cannot do it";
    default: return "no time was measured";
    }
}

static void fill_single(entry *e)
{
    const kt_summary *summary = &e->series[0]->summary;
    e->time_ns = summary->median;
    e->low_ns = summary->ci95_low;
    e->high_ns = summary->ci95_high;
}

/* As tables show several runs. `medians` has room for them twice. */
static void fill_several(entry *e, double *medians)
{
    size_t measured = 0, below = 0;
    for (size_t i = 0; i < e->count; i++) {
        below += e->series[i]->status == KT_SERIES_BELOW_MIN_SPAN;
        if (!isnan(e->series[i]->summary.median))
            medians[measured++] = e->series[i]->summary.median;
    }
    /* Most are too short for the clock: the median of the others would be too long. */
    if (!measured || (below && below >= measured))
        return;
    kt_summary summary;
    kt_summarize(medians, measured, 0, medians + measured, &summary);
    e->time_ns = summary.median;
    e->low_ns = summary.min;
    e->high_ns = summary.max;
}

static void fill(entry *e, double *medians)
{
    e->time_ns = e->low_ns = e->high_ns = e->wall_ns = NAN;
    if (e->count == 1)
        fill_single(e);
    else
        fill_several(e, medians);
    for (size_t i = 0; i < e->count; i++) {
        const kt_series *series = e->series[i];
        e->measured += !isnan(series->summary.median);
        e->samples += series->summary.n;
        e->dispatches += series->summary.n * (series->trials ? series->trials : 1);
        if (!series->wrong)
            continue;
        /* As `fleet` does: times of who computes wrongly do not count. */
        e->time_ns = e->low_ns = e->high_ns = NAN;
        e->reason = series->error ? series->error : "wrong output";
    }
    for (size_t i = 0; i < e->count && isnan(e->time_ns) && !e->reason; i++)
        e->reason = e->series[i]->error;
    if (isnan(e->time_ns) && !e->reason)
        e->reason = reason_of(e->series[0]);
}

/* Gives the entries of a job its wall time. They follow each other, as their series do. */
static void fill_walls(entries *of)
{
    for (size_t i = 0; i < of->count; i++) {
        if (!kt_series_is_wall(of->list[i].series[0]))
            continue;
        for (size_t k = i; k > 0; k--) {
            if (compare_jobs(of->list[k - 1].series[0], of->list[i].series[0]) != 0)
                break;
            of->list[k - 1].wall_ns = of->list[i].time_ns;
        }
    }
}

/* ---- the list ---- */

static size_t collect(const kt_report *report, place *places)
{
    size_t count = 0;
    for (uint32_t i = 0; i < kt_report_series_count(report); i++) {
        const kt_series *series = kt_report_series(report, i);
        if (is_wanted(series))
            places[count++] = (place){series, i, i};
    }
    sort_places(places, count);
    return count;
}

static void group(entries *out, const place *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out->series[i] = places[i].series;
        if (i == 0 || places[i].first != places[i - 1].first)
            out->list[out->count++] = (entry){.series = &out->series[i]};
        out->list[out->count - 1].count++;
    }
}

bool entries_make(const kt_report *report, entries *out)
{
    size_t room = kt_report_series_count(report) + 1;
    place *places = calloc(room, sizeof *places);
    double *medians = calloc(2 * room, sizeof *medians);
    *out = (entries){.list = calloc(room, sizeof *out->list),
                     .series = calloc(room, sizeof(const kt_series *))};
    bool done = places && medians && out->list && out->series;
    if (done)
        group(out, places, collect(report, places));
    for (size_t i = 0; i < out->count && done; i++) {
        entry *e = &out->list[i];
        fill(e, medians);
        out->timeless += isnan(e->time_ns);
        e->name = make_name(report, e->series[0]);
        done = e->name != NULL;
    }
    if (done)
        fill_walls(out);
    else
        entries_free(out);
    free(places);
    free(medians);
    return done;
}

void entries_free(entries *of)
{
    for (size_t i = 0; i < of->count; i++)
        free(of->list[i].name);
    free(of->list);
    free(of->series);
    *of = (entries){0};
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

double entry_rate(const entry *of)
{
    const kt_series *series = of->series[0];
    /* A map may copy nothing. */
    if (series->zero_copy || ends_in(variant_of(series), "-map") || !(series->bytes > 0))
        return NAN;
    return 1e9 * series->bytes / of->time_ns;
}

void entries_say_left_out(const entries *of, const char *option)
{
    if (of->timeless)
        fprintf(stderr, "kerntime: %s: it lacks %zu row%s without a time\n", option, of->timeless,
                text_plural(of->timeless));
}
