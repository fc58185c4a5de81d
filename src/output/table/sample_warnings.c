/* SPDX-License-Identifier: MIT */
/*
 * sample_warnings.c - describes sample warnings: one note per kind of warning and device, over all
 * affected jobs. Device times take precedence over wall times, and a warning common to the steps
 * and the wall time names the steps only.
 *
 * A note uses only the summary's warnings and their values; this file computes no statistics.
 */
#include "output/table/note_list.h"
#include "output/table/tables.h"
#include "report/runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAMES_MAX 3

/* Factor on the interval width from which autocorrelation deserves a note. */
#define WIDENING_MIN 1.5

/* Share from which a difference between runs deserves a note. */
#define RUNS_DIFFER_FROM 0.01

/* Share of other work from which it deserves a note. A smaller share shows no other work, since the
 * device's two clocks are read one after the other. */
#define SHARED_FROM 0.02

/* Wall times have no visible interval, so warnings about wide intervals skip them. */
typedef enum warning_kind {
    RUNS_DIFFER,
    RUNS_BELOW_MIN_SPAN,
    BIMODAL,
    DRIFT,
    COARSE_CLOCK,
    AUTOCORRELATED,
    SHARED, /* other work ran on the device, as its context clock shows */
    DEVICE_KINDS,
    WALL_RUNS_DIFFER = DEVICE_KINDS,
    WALL_BIMODAL,
    WALL_DRIFT,
    ALL_KINDS
} warning_kind;

static warning_kind without_wall(warning_kind kind)
{
    switch (kind) {
    case WALL_RUNS_DIFFER: return RUNS_DIFFER;
    case WALL_BIMODAL: return BIMODAL;
    case WALL_DRIFT: return DRIFT;
    default: return kind;
    }
}

/* A warning in one job on one device. `series` NULL: the job has no such warning. */
typedef struct noticed {
    const kt_series *series; /* series of the run with the largest value */
    double size;             /* value of the warning: a share, a duration or a factor */
    uint32_t runs;           /* number of runs with the warning */
} noticed;

/* A warning in all jobs of one device. */
typedef struct sentence {
    const kt_document *document;
    warning_kind kind;
    noticed largest;
    double smallest;
    uint32_t least_runs, most_runs;    /* fewest and most runs of a job with the warning */
    uint32_t gaps;                     /* number of affected jobs without an interval */
    const kt_series *names[NAMES_MAX]; /* series of the first affected jobs */
    uint32_t jobs;
} sentence;

/* ---- value of a warning; NaN: no warning ---- */

/* Whether the gap between two intervals exceeds the wider one. False without both intervals. */
static bool are_apart(const kt_summary *low, const kt_summary *high)
{
    double widest = fmax(low->ci95_high - low->ci95_low, high->ci95_high - high->ci95_low);
    return high->ci95_low - low->ci95_high > widest;
}

/* Runs differ if any two of them are apart: of a hundred equal runs, no two are. A wide or missing
 * interval is no evidence against it. */
static double differ_by(const kt_runs *runs, const kt_summary *over_runs)
{
    double share = kt_spread(over_runs->min, over_runs->max);
    if (!(share >= RUNS_DIFFER_FROM))
        return NAN;
    for (uint32_t i = 0; i < runs->count; i++)
        for (uint32_t k = 0; k < runs->count; k++)
            if (are_apart(&runs->series[i]->summary, &runs->series[k]->summary))
                return share;
    return NAN;
}

/* The share of the time that the device spent on other work. Unknown if both medians come from
 * different samples. */
static double shared_size(const kt_series *series)
{
    double others_ns = series->summary.median - series->context_ns;
    double share = others_ns / series->summary.median;
    double steps_ns = fmax(0, 2 * series->summary.resolution); /* fmax() turns NaN into 0 */
    return share >= SHARED_FROM && others_ns > steps_ns && !series->context_missing ? share : NAN;
}

static double warning_size(warning_kind kind, const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    double widening = sqrt(summary->inflation);
    switch (kind) {
    case BIMODAL:
        return summary->warnings & KT_WARNING_BIMODAL
                   ? kt_spread(summary->cluster_low, summary->cluster_high)
                   : NAN;
    case DRIFT: return summary->warnings & KT_WARNING_DRIFT ? fabs(summary->drift) : NAN;
    case COARSE_CLOCK: /* resolution of a sample; the summary's is per trial */
        return summary->warnings & KT_WARNING_COARSE_CLOCK && series->stop != KT_STOP_REL_ERR
                   ? summary->resolution * series->trials
                   : NAN;
    case AUTOCORRELATED:
        return summary->warnings & KT_WARNING_AUTOCORRELATED && widening >= WIDENING_MIN &&
                       !isnan(summary->ci95_low)
                   ? widening
                   : NAN;
    case SHARED: return shared_size(series);
    default: return NAN;
    }
}

/* ---- search ---- */

static void take_larger(noticed *found, const kt_series *series, double size)
{
    if (isnan(size) || (found->series && size <= found->size))
        return;
    found->series = series;
    found->size = size;
}

static noticed find_in_time(const kt_document *document, warning_kind kind, const kt_series *time)
{
    const kt_runs *runs = kt_runs_of(document, time);
    noticed found = {0};
    if (kind == AUTOCORRELATED && document->run_count > 1)
        return found; /* autocorrelation widens the interval of one run, not that over runs */
    if (kind == RUNS_DIFFER && document->run_count > 1)
        take_larger(&found, time, differ_by(runs, &time->summary));
    for (uint32_t i = 0; i < runs->count; i++) {
        const kt_series *series = runs->series[i];
        double size = warning_size(kind, series);
        if (kind == RUNS_BELOW_MIN_SPAN && series->status == KT_SERIES_BELOW_MIN_SPAN &&
            !isnan(time->summary.median))
            size = 0;
        found.runs += !isnan(size);
        take_larger(&found, series, size);
    }
    return found;
}

/* Finds a warning among the device times of a job: in the total, else in the step with the largest
 * value. Skips gaps, which are short and vary much: the span shows what matters. */
static noticed find_in_steps(const kt_document *document, warning_kind kind, const kt_series *job,
                             uint32_t times)
{
    noticed largest = {0};
    for (uint32_t i = 0; i < times; i++) {
        if (kt_series_is_wall(&job[i]) || kt_series_get_role(&job[i]) == KT_ROLE_GAPS)
            continue;
        noticed found = find_in_time(document, kind, &job[i]);
        if (found.series && kt_series_get_role(&job[i]) == KT_ROLE_TOTAL)
            return found;
        if (found.series && (!largest.series || found.size > largest.size))
            largest = found;
    }
    return largest;
}

static noticed find_in_wall(const kt_document *document, warning_kind kind, const kt_series *job,
                            uint32_t times)
{
    static const noticed none;
    if (find_in_steps(document, kind, job, times).series)
        return none;
    for (uint32_t i = 0; i < times; i++)
        if (kt_series_get_role(&job[i]) == KT_ROLE_WALL)
            return find_in_time(document, kind, &job[i]);
    return none;
}

static uint32_t count_times(const kt_document *document, const kt_series *job)
{
    uint32_t left = document->series_count - (uint32_t)(job - document->series), count = 1;
    while (count < left && kt_same_measurement(job, &job[count]))
        count++;
    return count;
}

static noticed find_in_job(const kt_document *document, warning_kind kind, const kt_series *job,
                           uint32_t times)
{
    return kind < DEVICE_KINDS ? find_in_steps(document, kind, job, times)
                               : find_in_wall(document, without_wall(kind), job, times);
}

/* Collects all jobs of the device with the warning, if `first` is the first of them; else no
 * jobs. */
static sentence collect(const kt_document *document, warning_kind kind, const kt_series *first)
{
    sentence s = {
        .document = document, .kind = kind, .smallest = INFINITY, .least_runs = UINT32_MAX};
    const kt_series *end = document->series + document->series_count;
    uint32_t times;
    for (const kt_series *job = document->series; job < end; job += times) {
        times = count_times(document, job);
        noticed found = {0};
        if (strcmp(job->device, first->device) == 0)
            found = find_in_job(document, kind, job, times);
        if (!found.series)
            continue;
        if (s.jobs == 0 && job != first)
            break;
        if (s.jobs < NAMES_MAX)
            s.names[s.jobs] = job;
        if (s.jobs++ == 0 || found.size > s.largest.size)
            s.largest = found;
        s.smallest = fmin(s.smallest, found.size);
        s.least_runs = found.runs < s.least_runs ? found.runs : s.least_runs;
        s.most_runs = found.runs > s.most_runs ? found.runs : s.most_runs;
        s.gaps += isnan(found.series->summary.ci95_low);
    }
    return s;
}

/* ---- words ---- */

typedef struct words {
    char text[320];
    size_t used;
} words;

KT_PRINTF(2, 3) static void say(words *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->used, sizeof to->text - to->used, format, arguments);
    va_end(arguments);
    to->used += length > 0 ? (size_t)length : 0;
    if (to->used >= sizeof to->text)
        to->used = sizeof to->text - 1;
}

static void say_runs(words *to, const sentence *s)
{
    uint32_t all = s->document->run_count;
    if (all > 1 && s->least_runs < s->most_runs)
        say(to, ", in %u to %u of %u runs", s->least_runs, s->most_runs, all);
    else if (all > 1)
        say(to, ", in %u of %u runs%s", s->most_runs, all, s->jobs > 1 ? " each" : "");
}

static void say_bimodal(words *to, const sentence *s, const char *up_to)
{
    const kt_summary *summary = &s->largest.series->summary;
    char size[32], low[32], high[32], share[32];
    if (s->jobs == 1)
        say(to, "bimodal times, %s and %s (%s of the samples)",
            kt_format_ns(low, sizeof low, summary->cluster_low),
            kt_format_ns(high, sizeof high, summary->cluster_high),
            kt_share_text(summary->cluster_high_share, share, sizeof share));
    else
        say(to, "bimodal times, clusters %s%s apart", up_to,
            kt_share_text(s->largest.size, size, sizeof size));
}

static void say_drift(words *to, const sentence *s, const char *up_to)
{
    const char *how = s->jobs > 1                            ? "changed"
                      : s->largest.series->summary.drift > 0 ? "rose"
                                                             : "fell";
    char size[32];
    if (s->largest.size < 1)
        kt_share_text(s->largest.size, size, sizeof size);
    else
        snprintf(size, sizeof size, "%.3g times the median", s->largest.size);
    say(to, "trend, times %s by %s%s", how, up_to, size);
}

/* Describes the warning, without advice. */
static void describe(words *to, const sentence *s)
{
    bool several = s->jobs > 1;
    const char *up_to = several && s->smallest < s->largest.size ? "up to " : "";
    char size[32];
    switch (without_wall(s->kind)) {
    case RUNS_DIFFER:
        say(to, "runs differ by %s%s, more than their own intervals", up_to,
            kt_share_text(s->largest.size, size, sizeof size));
        return;
    case RUNS_BELOW_MIN_SPAN:
        say(to, "below the shortest measurable span in ");
        if (several)
            say(to, "some runs, which do not count");
        else
            say(to, "%u of %u runs, which do not count", s->largest.runs, s->document->run_count);
        return;
    case BIMODAL: say_bimodal(to, s, up_to); break;
    case DRIFT: say_drift(to, s, up_to); break;
    case COARSE_CLOCK:
        say(to, "coarse clock, samples move in steps of %s%s", up_to,
            kt_format_ns(size, sizeof size, s->largest.size));
        return;
    case SHARED:
        say(to, "shared device, %s%s of the time went to other work", up_to,
            kt_share_text(s->largest.size, size, sizeof size));
        break;
    default:
        say(to, "autocorrelated samples, interval widened %s%.1fx", up_to, s->largest.size);
        return;
    }
    say_runs(to, s);
    if (s->document->run_count == 1 && s->gaps && (s->kind == DRIFT || s->kind == BIMODAL))
        say(to, s->gaps < s->jobs ? ", some without interval" : ", so no interval");
}

/* Advice that can be followed for this work, in this run. */
static const char *advice_of(const sentence *s)
{
    const kt_series *series = s->largest.series;
    switch (without_wall(s->kind)) {
    case RUNS_DIFFER: return "; quiet the machine or lock the clocks";
    case RUNS_BELOW_MIN_SPAN: return kt_has_size(series) ? "; raise --size" : "";
    case BIMODAL:
        return s->document->run_count < KT_RUNS_FOR_INTERVAL ? "; --runs 6 shows whether runs agree"
                                                             : "";
    case DRIFT:
        return series->stop == KT_STOP_MAX_SAMPLES ? "; lock the clocks or raise --samples"
                                                   : "; lock the clocks or raise --max-time";
    case COARSE_CLOCK:
        return !kt_has_size(series) ? ""
               : series->cold       ? "; raise --size"
                                    : "; raise --trials or --size";
    case SHARED: return "; stop other programs on the device";
    default: return "; quiet the machine or raise --samples";
    }
}

/* Whether the warning limits the use of the numbers. */
static kt_note_level level_of(warning_kind kind)
{
    switch (without_wall(kind)) {
    case COARSE_CLOCK:
    case AUTOCORRELATED: return KT_NOTE_FACT;
    default: return kind < DEVICE_KINDS ? KT_NOTE_WARNING : KT_NOTE_FACT;
    }
}

bool kt_has_variants(const kt_document *document, const kt_series *job)
{
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *other = &document->series[i];
        if (strcmp(other->name, job->name) == 0 && !kt_same_text(other->variant, job->variant))
            return true;
    }
    return false;
}

/* Whether the job has other steps than the one with the warning. */
static bool has_steps(const kt_document *document, const kt_series *job, const char *step)
{
    uint32_t times = count_times(document, job);
    for (uint32_t i = 0; i < times; i++)
        if (!kt_series_is_wall(&job[i]) && strcmp(job[i].step, step) != 0)
            return true;
    return false;
}

static void add_sentence(const sentence *s, kt_note_list *list)
{
    const char *texts[4 * NAMES_MAX + 13];
    size_t used = 0;
    char more[32];
    words what = {0};
    const kt_series *largest = s->largest.series;
    texts[used++] = s->kind < DEVICE_KINDS ? "" : "wall time of ";
    for (uint32_t i = 0; i < s->jobs && i < NAMES_MAX; i++) {
        texts[used++] = i ? ", " : "";
        texts[used++] = s->names[i]->name;
        if (!s->names[i]->variant || !kt_has_variants(s->document, s->names[i]))
            continue;
        texts[used++] = " ";
        texts[used++] = s->names[i]->variant;
    }
    snprintf(more, sizeof more, " and %u more", s->jobs - NAMES_MAX);
    texts[used++] = s->jobs > NAMES_MAX ? more : "";
    texts[used++] = " on ";
    texts[used++] = largest->device;
    if (s->jobs == 1 && s->kind < DEVICE_KINDS && kt_series_get_role(largest) != KT_ROLE_TOTAL &&
        has_steps(s->document, s->names[0], largest->step)) {
        texts[used++] = ", step ";
        texts[used++] = largest->step;
    }
    describe(&what, s);
    texts[used++] = ": ";
    texts[used++] = what.text;
    /* Advice is on runs and samples of devices, not of baselines, which come without a kind. */
    texts[used++] = s->document->desc.document ? advice_of(s) : "";
    texts[used] = NULL;
    kt_add_note(list, level_of(s->kind), texts, NULL);
}

void kt_add_sample_warnings(const kt_document *document, kt_note_list *list)
{
    const kt_series *end = document->series + document->series_count;
    for (int kind = 0; kind < ALL_KINDS; kind++) {
        uint32_t times;
        for (const kt_series *job = document->series; job < end; job += times) {
            times = count_times(document, job);
            if (!find_in_job(document, (warning_kind)kind, job, times).series)
                continue;
            sentence s = collect(document, (warning_kind)kind, job);
            if (s.jobs)
                add_sentence(&s, list);
        }
    }
}
