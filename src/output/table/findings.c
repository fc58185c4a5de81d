/*
 * findings.c - what was noticed in the samples, in words. For each kind of finding and each device
 * one sentence about all jobs in which it was noticed. Times of the device come before wall times,
 * and what its steps have in common with the wall time is said of them alone.
 *
 * A sentence comes from a summary's `patterns` alone: nothing is computed anew here.
 */
#include "output/table/tables.h"
#include "report/runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SENTENCES_MAX 8
#define NAMES_MAX     3

/* Samples that resemble each other are nothing to think about before their interval is as many
 * times wider. */
#define WIDENING_MIN 1.5

/* From this share on it is worth a sentence that runs differ. */
#define RUNS_DIFFER_FROM 0.01

/* The device's two clocks are read one after the other, so a small part of a time is nobody's. */
#define SHARED_FROM 0.02

/* Of wall times no interval is shown, so what widens one is no finding about them. */
typedef enum finding_kind {
    RUNS_DIFFER,
    RUNS_BELOW_FLOOR,
    LEVELS,
    DRIFT,
    COARSE_GRID,
    AUTOCORRELATED,
    SHARED, /* with others, by its clock that pauses for them */
    DEVICE_KINDS,
    WALL_RUNS_DIFFER = DEVICE_KINDS,
    WALL_LEVELS,
    WALL_DRIFT,
    ALL_KINDS
} finding_kind;

static finding_kind without_wall(finding_kind kind)
{
    switch (kind) {
    case WALL_RUNS_DIFFER: return RUNS_DIFFER;
    case WALL_LEVELS: return LEVELS;
    case WALL_DRIFT: return DRIFT;
    default: return kind;
    }
}

/* In one job on one device; no series: it was not noticed. */
typedef struct finding {
    const kt_series *series; /* as measured, where it is largest */
    double size;             /* a share, a duration or a factor, by its kind */
    uint32_t runs;           /* in which it was noticed */
} finding;

/* In all jobs of one device. */
typedef struct sentence {
    const kt_document *document;
    finding_kind kind;
    finding largest;
    double smallest;
    uint32_t least_runs, most_runs;    /* in which it was noticed */
    bool gap;                          /* one of them has no interval */
    const kt_series *names[NAMES_MAX]; /* of the first ones */
    uint32_t jobs;
} sentence;

/* ---- how large a finding is; NaN: it was not noticed ---- */

/* Whether two intervals are further apart than the wider one is wide. One that is not there is
 * not. */
static bool are_apart(const kt_summary *low, const kt_summary *high)
{
    double widest = fmax(low->ci95_high - low->ci95_low, high->ci95_high - high->ci95_low);
    return high->ci95_low - low->ci95_high > widest;
}

/* Runs differ if any two of them are apart: of a hundred equal runs no two are. An interval that is
 * wide, or not there, says nothing against it. */
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

/* The share of the time in which the device worked for others. Medians of not the same samples do
 * not tell. */
static double shared_size(const kt_series *series)
{
    double others_ns = series->summary.median - series->context_ns;
    double share = others_ns / series->summary.median;
    double steps_ns = fmax(0, 2 * series->summary.grid); /* of NaN 0 */
    return share >= SHARED_FROM && others_ns > steps_ns && !series->context_missing ? share : NAN;
}

static double pattern_size(finding_kind kind, const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    double widening = sqrt(summary->inflation);
    switch (kind) {
    case LEVELS:
        return summary->patterns & KT_PATTERN_LEVELS
                   ? kt_spread(summary->level_low, summary->level_high)
                   : NAN;
    case DRIFT: return summary->patterns & KT_PATTERN_DRIFT ? fabs(summary->drift) : NAN;
    case COARSE_GRID: /* of a sample; the clock's own is that of all trials together */
        return summary->patterns & KT_PATTERN_COARSE_GRID && series->stop != KT_STOP_REL_ERR
                   ? summary->grid * series->trials
                   : NAN;
    case AUTOCORRELATED:
        return summary->patterns & KT_PATTERN_AUTOCORRELATED && widening >= WIDENING_MIN &&
                       !isnan(summary->ci95_low)
                   ? widening
                   : NAN;
    case SHARED: return shared_size(series);
    default: return NAN;
    }
}

/* ---- finding ---- */

static void take_larger(finding *found, const kt_series *series, double size)
{
    if (isnan(size) || (found->series && size <= found->size))
        return;
    found->series = series;
    found->size = size;
}

static finding find_in_time(const kt_document *document, finding_kind kind, const kt_series *time)
{
    const kt_runs *runs = kt_runs_of(document, time);
    finding found = {0};
    if (kind == AUTOCORRELATED && document->run_count > 1)
        return found; /* its interval is not that of the runs */
    if (kind == RUNS_DIFFER && document->run_count > 1)
        take_larger(&found, time, differ_by(runs, &time->summary));
    for (uint32_t i = 0; i < runs->count; i++) {
        const kt_series *series = runs->series[i];
        double size = pattern_size(kind, series);
        if (kind == RUNS_BELOW_FLOOR && series->status == KT_SERIES_BELOW_FLOOR &&
            !isnan(time->summary.median))
            size = 0;
        found.runs += !isnan(size);
        take_larger(&found, series, size);
    }
    return found;
}

/* Of a total rather than of one of its steps, else where it is largest. Of gaps, which are short
 * and vary by much, nothing is said: what is worth it is seen in the span. */
static finding find_in_steps(const kt_document *document, finding_kind kind, const kt_series *job,
                             uint32_t times)
{
    finding largest = {0};
    for (uint32_t i = 0; i < times; i++) {
        if (job[i].kind == KT_SERIES_WALL || strcmp(job[i].step, "gaps") == 0)
            continue;
        finding found = find_in_time(document, kind, &job[i]);
        if (found.series && strcmp(job[i].step, "total") == 0)
            return found;
        if (found.series && (!largest.series || found.size > largest.size))
            largest = found;
    }
    return largest;
}

static finding find_in_wall(const kt_document *document, finding_kind kind, const kt_series *job,
                            uint32_t times)
{
    static const finding none;
    if (find_in_steps(document, kind, job, times).series)
        return none;
    for (uint32_t i = 0; i < times; i++)
        if (strcmp(job[i].step, "wall") == 0)
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

static finding find_in_job(const kt_document *document, finding_kind kind, const kt_series *job,
                           uint32_t times)
{
    return kind < DEVICE_KINDS ? find_in_steps(document, kind, job, times)
                               : find_in_wall(document, without_wall(kind), job, times);
}

/* All jobs of the device in which it was noticed, if `first` is the first of them; else no jobs. */
static sentence collect(const kt_document *document, finding_kind kind, const kt_series *first)
{
    sentence s = {
        .document = document, .kind = kind, .smallest = INFINITY, .least_runs = UINT32_MAX};
    const kt_series *end = document->series + document->series_count;
    uint32_t times;
    for (const kt_series *job = document->series; job < end; job += times) {
        times = count_times(document, job);
        finding found = {0};
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
        s.gap |= isnan(found.series->summary.ci95_low);
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

static void say_levels(words *to, const sentence *s, const char *up_to)
{
    const kt_summary *summary = &s->largest.series->summary;
    char size[32], low[32], high[32], share[32];
    say(to, "the times keep to two levels, %s%s apart", up_to,
        kt_share_text(s->largest.size, size, sizeof size));
    if (s->jobs == 1)
        say(to, " (%s and %s; %s of the samples on the higher)",
            kt_format_ns(low, sizeof low, summary->level_low),
            kt_format_ns(high, sizeof high, summary->level_high),
            kt_share_text(summary->level_high_share, share, sizeof share));
}

static void say_drift(words *to, const sentence *s, const char *up_to)
{
    char size[32];
    const char *how = s->jobs > 1                            ? "change"
                      : s->largest.series->summary.drift > 0 ? "grow"
                                                             : "shrink";
    if (s->largest.size < 10)
        kt_share_text(s->largest.size, size, sizeof size);
    else
        snprintf(size, sizeof size, "%.3g %%", 100 * s->largest.size);
    say(to, "from the first sample to the last the times %s by %s%s of their median", how, up_to,
        size);
}

/* Why there is none in the table, which shows those of a device's time in a single run. */
static void say_interval(words *to, const sentence *s)
{
    if (s->document->run_count > 1 || !s->gap)
        return;
    if (s->kind == DRIFT)
        say(to, ", so no interval is given");
    else if (s->kind == LEVELS && s->jobs > 1)
        say(to, "; where there is no interval, how often each comes is left to chance");
    else if (s->kind == LEVELS)
        say(to, "; no interval is given, for how often each comes is left to chance");
}

static void describe(words *to, const sentence *s)
{
    bool several = s->jobs > 1;
    const char *up_to = several && s->smallest < s->largest.size ? "up to " : "";
    char size[32];
    switch (without_wall(s->kind)) {
    case RUNS_DIFFER:
        say(to, "%s runs differ by %s%s, far more than their own intervals tell",
            several ? "their" : "its", up_to, kt_share_text(s->largest.size, size, sizeof size));
        return;
    case RUNS_BELOW_FLOOR:
        say(to, "no longer than an empty step in ");
        if (several)
            say(to, "some runs, which do not count");
        else
            say(to, "%u of %u runs, which do not count", s->largest.runs, s->document->run_count);
        return;
    case LEVELS: say_levels(to, s, up_to); break;
    case DRIFT: say_drift(to, s, up_to); break;
    case COARSE_GRID:
        say(to, "the clock moves in steps of %s%s: more samples do not help, longer ones do", up_to,
            kt_format_ns(size, sizeof size, s->largest.size));
        return;
    case SHARED:
        say(to, "%s%s of the time the device worked for others", up_to,
            kt_share_text(s->largest.size, size, sizeof size));
        say_runs(to, s);
        return;
    default:
        say(to,
            "neighbouring samples resemble each other: the interval%s %s%.1f times wider for it",
            several ? "s are" : " is", up_to, s->largest.size);
        return;
    }
    say_interval(to, s);
    say_runs(to, s);
}

/* Whether its name alone could be that of another job on the device. */
static bool has_variants(const kt_document *document, const kt_series *job)
{
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *other = &document->series[i];
        if (strcmp(other->name, job->name) == 0 && !kt_same_text(other->variant, job->variant))
            return true;
    }
    return false;
}

/* Whether it has more steps than that of the finding. */
static bool has_steps(const kt_document *document, const kt_series *job, const char *step)
{
    uint32_t times = count_times(document, job);
    for (uint32_t i = 0; i < times; i++)
        if (job[i].kind != KT_SERIES_WALL && strcmp(job[i].step, step) != 0)
            return true;
    return false;
}

static void print_sentence(const sentence *s, const kt_style *style, kt_writer *writer)
{
    const char *texts[4 * NAMES_MAX + 12];
    size_t used = 0;
    char more[32];
    words what = {0};
    const kt_series *largest = s->largest.series;
    texts[used++] = s->kind < DEVICE_KINDS ? "" : "wall time of ";
    for (uint32_t i = 0; i < s->jobs && i < NAMES_MAX; i++) {
        texts[used++] = i ? ", " : "";
        texts[used++] = s->names[i]->name;
        if (!s->names[i]->variant || !has_variants(s->document, s->names[i]))
            continue;
        texts[used++] = " ";
        texts[used++] = s->names[i]->variant;
    }
    snprintf(more, sizeof more, " and %u more", s->jobs - NAMES_MAX);
    texts[used++] = s->jobs > NAMES_MAX ? more : "";
    texts[used++] = " on ";
    texts[used++] = largest->device;
    if (s->jobs == 1 && s->kind < DEVICE_KINDS && strcmp(largest->step, "total") != 0 &&
        has_steps(s->document, s->names[0], largest->step)) {
        texts[used++] = ", step ";
        texts[used++] = largest->step;
    }
    describe(&what, s);
    texts[used++] = ": ";
    texts[used++] = what.text;
    texts[used] = NULL;
    kt_print_item(style, writer, texts, NULL);
}

void kt_print_findings(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    const kt_series *end = document->series + document->series_count;
    unsigned told = 0;
    for (int kind = 0; kind < ALL_KINDS; kind++) {
        uint32_t times;
        for (const kt_series *job = document->series; job < end; job += times) {
            times = count_times(document, job);
            if (!find_in_job(document, (finding_kind)kind, job, times).series)
                continue;
            sentence s = collect(document, (finding_kind)kind, job);
            if (s.jobs && ++told <= SENTENCES_MAX)
                print_sentence(&s, style, writer);
        }
    }
    if (told <= SENTENCES_MAX)
        return;
    char more[64];
    snprintf(more, sizeof more, "... and %u more such: the result file has all of it.",
             told - SENTENCES_MAX);
    kt_print_item(style, writer, (const char *[]){more, NULL}, NULL);
}
