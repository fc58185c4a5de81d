/* SPDX-License-Identifier: MIT */
/*
 * read_recorded.c - reads what programs export of themselves as the report of one run: a registry
 * (docs/result-registry.md) or a trace (docs/trace.md).
 *
 * A row of a registry has no samples. Its time is p50, which the first calls do not move as they do
 * the mean. It lies anywhere in a bucket of the histogram, which counts as the clock resolution.
 */
#include "cli/result_file/read_recorded.h"

#include "cli/result_file/read_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX      65536 /* rows of a registry */
#define PROCESSES_MAX 1024  /* each event is compared with all of them */
#define NS_PER_US     1e3
#define US_MAX        1e15   /* as the longest duration of a registry */
#define P95_NORMAL    1.6449 /* p95 of a normal distribution in standard deviations */
#define ERROR_95      1.96
#define BUCKETS       32 /* of the registry's histogram in each power of two */
#define ROBUST_N      20 /* fewest durations whose p95 is not their maximum */

/* Step of all rows but wall times: no reserved name, whatever the program called them. */
#define STEP "time"

kt_report *read_create(json_reader *r, const kt_report_origin *origin)
{
    const kt_report_desc desc = {.size = sizeof desc, .origin = origin};
    kt_report *report = NULL;
    if (!r->failed)
        read_check(r, kt_report_create(&report, &desc));
    return report;
}

/* ---- registry ---- */

/* Width of the histogram's bucket of a duration. */
static double bucket_of(double ns)
{
    int exponent;
    frexp(ns, &exponent);
    return ldexp(1.0 / BUCKETS, exponent - 1);
}

/* The statistics of a row that a comparison uses. Their spread is that of the quieter side: a
 * program that often waits has a long upper one. */
static void read_statistics(json_reader *r, int64_t n, kt_summary *summary)
{
    double *const fields[] = {&summary->min,    &summary->mean, &summary->max,
                              &summary->stddev, &summary->p95,  &summary->p99};
    static const char *const keys[] = {"min_ns",    "mean_ns", "max_ns",
                                       "stddev_ns", "p95_ns",  "p99_ns"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        *fields[i] = read_number_or_null(r, keys[i], 0);
    summary->median = read_number_or_null(r, "p50_ns", 0);
    if (r->failed)
        return;
    if (isnan(summary->median) != (n == 0))
        read_refuse(r, "\"p50_ns\" does not fit \"n\", which is %" PRId64, n);
    if (summary->max < summary->min)
        read_refuse(r, "\"max_ns\" is below \"min_ns\"");
    summary->resolution = fmin(bucket_of(summary->median), summary->max - summary->min);
    double above =
        n < ROBUST_N ? summary->stddev : fmax(0, summary->p95 - summary->median) / P95_NORMAL;
    summary->robust_stddev = fmin(above, fmax(0, summary->median - summary->min));
    double error = ERROR_95 * summary->robust_stddev / sqrt((double)n);
    summary->ci95_low = summary->median - error;
    summary->ci95_high = summary->median + error;
}

static kt_summary unknown_summary(void)
{
    kt_summary summary = {0};
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
        *(double *)(void *)((char *)&summary + field->offset) = NAN;
    return summary;
}

kt_series read_begin_series(void)
{
    return (kt_series){.step = STEP,
                       .trials = 1,
                       .bytes = NAN,
                       .flops = NAN,
                       .first_use_ns = NAN,
                       .first_use_device_ns = NAN,
                       .warmup_ns = NAN,
                       .median_total_ns = NAN,
                       .clock_resolution_ns = NAN,
                       .context_ns = NAN,
                       .clock_period_ns = NAN,
                       .speedup = NAN,
                       .summary = unknown_summary()};
}

/* Durations of a program that names no backend count as times of the host. */
static void read_row(json_reader *r, kt_report *report)
{
    kt_series series = read_begin_series();
    series.name = series.workload = read_text(r, "name", READ_ALONE);
    const char *backend = read_text_or_null(r, "backend");
    series.device = backend ? backend : "program";
    series.kind = backend ? KT_SERIES_KERNEL : KT_SERIES_WALL;
    series.step = backend ? STEP : kt_series_role_name(KT_ROLE_WALL);
    series.method = backend ? KT_METHOD_NONE : KT_METHOD_HOST_WALL;
    int64_t n = read_whole(r, "n", 0, INT64_MAX);
    read_statistics(r, n, &series.summary);
    series.summary.n = n > 0;
    series.samples_ns = n > 0 ? &series.summary.median : NULL;
    if (n == 0) {
        series.status = KT_SERIES_NOT_POSSIBLE;
        series.error = "no duration was recorded";
    }
    if (!r->failed)
        read_check(r, kt_report_add_series(report, &series));
}

kt_report *read_registry(json_reader *r)
{
    kt_report_origin origin = {.version = read_text(r, "version", READ_ALONE),
                               .started = read_text(r, "written", READ_ALONE)};
    read_host(r, &origin);
    kt_report *report = read_create(r, &origin);
    size_t count = read_list(r, "rows", ROWS_MAX);
    for (size_t i = 0; i < count && !r->failed; i++) {
        read_enter(r, "rows", i);
        read_row(r, report);
        read_leave(r);
    }
    return report;
}

/* ---- trace ---- */

typedef struct process {
    int64_t number;
    const char *name;
} process;

typedef struct span {
    const char *job, *variant; /* NULL: the event has none */
    const char *name, *device;
    double ns;
    size_t number; /* of the event in the file */
} span;

typedef struct spans {
    span *all;
    size_t count;
    process processes[PROCESSES_MAX];
    size_t process_count;
} spans;

static int by_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int by_row(const span *a, const span *b)
{
    int order = by_text(a->device, b->device);
    order = order ? order : by_text(a->job, b->job);
    order = order ? order : by_text(a->variant, b->variant);
    return order ? order : by_text(a->name, b->name);
}

static int by_row_and_number(const void *left, const void *right)
{
    const span *a = left, *b = right;
    int order = by_row(a, b);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static const char *read_argument(json_reader *r, const char *key)
{
    return read_has(r, key) ? read_text_or_null(r, key) : NULL;
}

static int64_t read_process_number(json_reader *r)
{
    return read_has(r, "pid") ? read_whole(r, "pid", INT64_MIN, INT64_MAX) : 0;
}

/* Takes the name of a process from an event of metadata. */
static void read_process(json_reader *r, spans *to)
{
    process found = {.number = read_process_number(r)};
    read_enter(r, "args", READ_ALONE);
    found.name = read_text(r, "name", READ_ALONE);
    read_leave(r);
    if (to->process_count == PROCESSES_MAX)
        read_refuse(r, "it names more than %d processes", PROCESSES_MAX);
    if (!r->failed)
        to->processes[to->process_count++] = found;
}

/* Takes a complete event, but for first use and warm-up, which are no samples. */
static void read_span(json_reader *r, spans *to, size_t number)
{
    static const char *const device = "program";
    span found = {.name = read_text(r, "name", READ_ALONE), .device = device, .number = number};
    double us = read_number(r, "dur", READ_ALONE, 0);
    if (us > US_MAX)
        read_refuse(r, "\"dur\" is %g us, longer than 31 years", us);
    found.ns = NS_PER_US * us;
    int64_t pid = read_process_number(r);
    for (size_t i = 0; i < to->process_count; i++)
        if (to->processes[i].number == pid)
            found.device = to->processes[i].name;
    const char *phase = NULL;
    if (read_has(r, "args")) {
        read_enter(r, "args", READ_ALONE);
        found.job = read_argument(r, "job");
        found.variant = read_argument(r, "variant");
        phase = read_argument(r, "phase");
        read_leave(r);
    }
    if (!r->failed && (!phase || strcmp(phase, "sample") == 0))
        to->all[to->count++] = found;
}

/* Reads the events of one phase of the format: "M" or "X". */
static void read_events(json_reader *r, spans *to, size_t count, const char *wanted)
{
    for (size_t i = 0; i < count && !r->failed; i++) {
        read_enter(r, "traceEvents", i);
        const char *kind = read_text(r, "ph", READ_ALONE);
        if (kind && strcmp(kind, wanted) == 0) {
            const char *name = read_text(r, "name", READ_ALONE);
            if (*wanted == 'X')
                read_span(r, to, i);
            else if (name && strcmp(name, "process_name") == 0)
                read_process(r, to);
        }
        read_leave(r);
    }
}

/* Adds the spans of one row as the samples of a series. `samples`, `scratch`: room for them. */
static void add_spans(json_reader *r, kt_report *report, const span *all, size_t count,
                      double *samples, double *scratch)
{
    kt_series series = read_begin_series();
    series.name = series.workload = all->job ? all->job : all->name;
    series.step = all->job ? all->name : STEP;
    series.variant = all->variant;
    series.device = all->device;
    for (size_t i = 0; i < count; i++)
        samples[i] = all[i].ns;
    kt_summarize(samples, count, 0, scratch, &series.summary);
    series.samples_ns = samples;
    read_check(r, kt_report_add_series(report, &series));
}

static void add_rows(json_reader *r, kt_report *report, const spans *of)
{
    double *numbers = read_alloc(r, of->count, 2 * sizeof *numbers);
    qsort(of->all, of->count, sizeof *of->all, by_row_and_number);
    for (size_t first = 0, end; numbers && first < of->count && !r->failed; first = end) {
        for (end = first + 1; end < of->count && by_row(&of->all[first], &of->all[end]) == 0;)
            end++;
        add_spans(r, report, &of->all[first], end - first, numbers, numbers + of->count);
    }
    free(numbers);
}

/* The format leaves this part open; kerntime writes its version there. */
static const char *read_version(json_reader *r)
{
    const char *version = NULL;
    if (read_has(r, "otherData")) {
        read_enter(r, "otherData", READ_ALONE);
        version = read_argument(r, "kerntime");
        read_leave(r);
    }
    return version ? version : "unknown";
}

/* Reads all events into `of`, which has room for `count` spans, and makes the rows. */
static kt_report *read_spans(json_reader *r, spans *of, size_t count)
{
    const kt_report_origin origin = {
        .version = read_version(r), .started = "", .os = "unknown", .clock = "unknown"};
    read_events(r, of, count, "M");
    read_events(r, of, count, "X");
    if (!of->count)
        read_refuse(r, "it has no complete event: none with \"ph\": \"X\"");
    kt_report *report = read_create(r, &origin);
    if (!r->failed)
        add_rows(r, report, of);
    return report;
}

kt_report *read_trace(json_reader *r)
{
    size_t count = read_list(r, "traceEvents", ANY_SIZE);
    kt_report *report = NULL;
    spans *of = read_alloc(r, 1, sizeof *of);
    if (of && (of->all = read_alloc(r, count, sizeof *of->all)) != NULL) {
        report = read_spans(r, of, count);
        free(of->all);
    }
    free(of);
    return report;
}
