/* SPDX-License-Identifier: MIT */
#include "report/runs.h"

#include "support/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Place of a series. Both pointers are the first of their kind in the document. */
typedef struct place {
    const kt_series *series;
    const kt_series *job;  /* first series of the same job on the same device, in any run */
    const kt_series *time; /* first series of the same time of that job */
} place;

/* ---- order ---- */

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* Compares positions in one array. */
static int compare_series(const kt_series *a, const kt_series *b)
{
    return (a > b) - (a < b);
}

static int compare_steps(const kt_series *a, const kt_series *b)
{
    int order = kt_series_is_wall(a) - kt_series_is_wall(b);
    return order ? order : strcmp(a->step, b->step);
}

static int by_run(const void *left, const void *right)
{
    const place *a = left, *b = right;
    return (a->series->run > b->series->run) - (a->series->run < b->series->run);
}

static int by_job(const void *left, const void *right)
{
    const kt_series *a = ((const place *)left)->series, *b = ((const place *)right)->series;
    int order = strcmp(a->name, b->name);
    order = order ? order : strcmp(a->device, b->device);
    order = order ? order : compare_texts(a->variant, b->variant);
    return order ? order : compare_series(a, b);
}

static int by_step(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int order = compare_series(a->job, b->job);
    order = order ? order : compare_steps(a->series, b->series);
    return order ? order : compare_series(a->series, b->series);
}

static int by_time(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int order = compare_series(a->job, b->job);
    order = order ? order : compare_series(a->time, b->time);
    return order ? order : compare_series(a->series, b->series);
}

/* ---- gathering ---- */

static uint32_t count_runs(place *places, uint32_t count)
{
    uint32_t runs = count > 0;
    qsort(places, count, sizeof *places, by_run);
    for (uint32_t i = 1; i < count; i++)
        runs += places[i].series->run != places[i - 1].series->run;
    return runs;
}

/* Brings together equal times of equal jobs. Jobs and times keep the order of their first
 * appearance, since a time may fail in the first run and succeed in the next. */
static void gather(place *places, uint32_t count)
{
    qsort(places, count, sizeof *places, by_job);
    for (uint32_t i = 0; i < count; i++)
        places[i].job = i > 0 && kt_same_job(places[i].series, places[i - 1].series)
                            ? places[i - 1].job
                            : places[i].series;
    qsort(places, count, sizeof *places, by_step);
    for (uint32_t i = 0; i < count; i++)
        places[i].time = i > 0 && places[i].job == places[i - 1].job &&
                                 compare_steps(places[i].series, places[i - 1].series) == 0
                             ? places[i - 1].time
                             : places[i].series;
    qsort(places, count, sizeof *places, by_time);
}

/* Finds the place of each series. Returns the number of runs; a single run needs no places. */
static uint32_t find_places(const kt_document *document, place *places)
{
    uint32_t count = document->series_count;
    for (uint32_t i = 0; i < count; i++)
        places[i].series = &document->series[i];
    uint32_t runs = count_runs(places, count);
    if (runs > 1) {
        gather(places, count);
        return runs;
    }
    for (uint32_t i = 0; i < count; i++) {
        const kt_series *series = &document->series[i];
        places[i] = (place){series, series, series};
    }
    return runs;
}

/* ---- one time over all runs ---- */

static uint32_t count_status(const kt_runs *runs, kt_series_status status)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < runs->count; i++)
        count += runs->series[i]->status == status;
    return count;
}

static bool has_energy(const kt_series *series)
{
    return series->energy && !series->energy->reason;
}

/* The series of the first run with a median, else of the first run. */
static const kt_series *find_typical(const kt_runs *runs)
{
    for (uint32_t i = 0; i < runs->count; i++)
        if (!isnan(runs->series[i]->summary.median))
            return runs->series[i];
    return runs->series[0];
}

/* Summarises the runs' medians. `medians` has room for them twice, to sort a copy. */
static void summarize(const kt_runs *runs, double *medians, kt_series *out)
{
    double means = 0;
    size_t measured = 0, samples = 0;
    for (uint32_t i = 0; i < runs->count; i++) {
        const kt_summary *summary = &runs->series[i]->summary;
        samples += summary->n;
        if (isnan(summary->median))
            continue;
        medians[measured++] = summary->median;
        means += summary->mean;
    }
    kt_summarize(medians, measured, 0, medians + measured, &out->summary);
    out->summary.mean = measured ? means / (double)measured : NAN;
    out->summary.n = samples;
}

static void forget_summary(kt_series *series)
{
    size_t n = series->summary.n;
    kt_summarize(NULL, 0, 0, NULL, &series->summary);
    series->summary.n = n;
}

/* All runs share the baseline, so one run's speed-up gives that of the median. */
static double find_speedup(const kt_runs *runs, double median_ns)
{
    for (uint32_t i = 0; i < runs->count; i++) {
        const kt_series *series = runs->series[i];
        if (!isnan(series->speedup))
            return series->speedup * series->summary.median / median_ns;
    }
    return NAN;
}

/* The energy of the run in the middle of those that have one, else why there is none. */
static const kt_energy *find_energy(const kt_runs *runs)
{
    const kt_energy *found = runs->series[0]->energy;
    uint32_t known = 0;
    for (uint32_t i = 0; i < runs->count; i++)
        known += has_energy(runs->series[i]);
    for (uint32_t i = 0; i < runs->count; i++) {
        uint32_t below = 0;
        const kt_energy *own = runs->series[i]->energy;
        if (!has_energy(runs->series[i]))
            continue;
        for (uint32_t k = 0; k < runs->count; k++)
            if (has_energy(runs->series[k])) {
                double other_j = runs->series[k]->energy->dispatch_j;
                below += other_j < own->dispatch_j || (other_j == own->dispatch_j && k < i);
            }
        if (below == (known - 1) / 2)
            found = own;
    }
    return found;
}

static void merge(kt_runs *runs, double *medians, kt_series *out)
{
    uint32_t below = count_status(runs, KT_SERIES_BELOW_MIN_SPAN);
    *out = *find_typical(runs);
    out->run = 0;
    out->energy = find_energy(runs);
    summarize(runs, medians, out);
    for (uint32_t i = 0; i < runs->count; i++)
        runs->counted += !isnan(runs->series[i]->summary.median);
    /* Most times are too short for the clock, so the median of the others would be too long. */
    if (below > 0 && below >= runs->counted) {
        out->status = KT_SERIES_BELOW_MIN_SPAN;
        forget_summary(out);
        runs->counted = below;
    } else if (runs->counted) {
        out->status = KT_SERIES_OK;
    }
    out->speedup = find_speedup(runs, out->summary.median);
}

/* Appends the series of each time, of transfers or of all others, after the first `*kept` series.
 * Returns the number of times, including the first `times`. */
static uint32_t lay_out(kt_over_runs *over, const place *places, bool transfers, uint32_t times,
                        uint32_t *kept)
{
    for (uint32_t i = 0; i < over->document.series_count; i++) {
        if (kt_is_transfer(places[i].time, NULL, NULL) != transfers)
            continue;
        over->measured[*kept] = places[i].series;
        if (i == 0 || places[i].time != places[i - 1].time)
            over->document.runs[times++].series = &over->measured[*kept];
        over->document.runs[times - 1].count++;
        ++*kept;
    }
    return times;
}

static void merge_all(kt_over_runs *over, const place *places, double *medians)
{
    uint32_t kept = 0;
    over->others = lay_out(over, places, false, 0, &kept);
    uint32_t times = lay_out(over, places, true, over->others, &kept);
    for (uint32_t i = 0; i < times; i++) {
        if (over->document.run_count > 1)
            merge(&over->document.runs[i], medians, &over->document.series[i]);
        else
            over->document.series[i] = *over->document.runs[i].series[0];
    }
    over->document.series_count = times;
}

bool kt_gather_runs(kt_over_runs *over, const kt_document *document)
{
    uint32_t count = document->series_count;
    *over = (kt_over_runs){.document = *document};
    over->document.series = kt_alloc(count, sizeof *over->document.series);
    over->document.runs = kt_alloc(count, sizeof *over->document.runs);
    over->measured = kt_alloc(count, sizeof *over->measured);
    place *places = kt_alloc(count, sizeof *places);
    double *medians = kt_alloc(count, 2 * sizeof *medians);
    bool done = over->document.series && over->document.runs && over->measured && places && medians;
    if (done) {
        over->document.run_count = find_places(document, places);
        merge_all(over, places, medians);
    } else {
        kt_free_runs(over);
    }
    kt_free(places);
    kt_free(medians);
    return done;
}

void kt_free_runs(kt_over_runs *over)
{
    kt_free(over->document.series);
    kt_free(over->document.runs);
    kt_free(over->measured);
    *over = (kt_over_runs){0};
}

const kt_runs *kt_runs_of(const kt_document *over, const kt_series *series)
{
    return &over->runs[series - over->series];
}

bool kt_has_spread(const kt_document *over, const kt_series *series)
{
    return over->run_count > 1 && !isnan(series->summary.median) &&
           kt_runs_of(over, series)->counted > 1;
}

double kt_spread(double low, double high)
{
    return low > 0 ? high / low - 1 : NAN;
}
