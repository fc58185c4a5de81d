/* SPDX-License-Identifier: MIT */
/*
 * read_traced.c - reads the document "trace" of `kerntime trace --json` (docs/result-trace.md) as a
 * report: each row of a run is a series.
 *
 * Its calls are in a histogram. Their quantiles stand for samples, and only as many as independent
 * calls would tell as much as these do.
 */
#include "cli/result_file/read_parts.h"
#include "cli/result_file/read_recorded.h"
#include "tracers/common/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX    1000
#define ROWS_MAX    65536 /* of a run */
#define BUCKETS     32    /* of the histogram in each power of two */
#define BUCKETS_MAX 2048
#define COUNT_MAX   (INT64_C(1) << 53)
#define SAMPLES_MAX 200

WORDS_OF(method)

/* ---- histogram ---- */

typedef struct bucket {
    double low_ns;
    int64_t count;
} bucket;

typedef struct histogram {
    bucket *all;
    size_t count;
} histogram;

static double width_of(double low_ns)
{
    int exponent;
    frexp(low_ns, &exponent);
    return low_ns > 0 ? ldexp(1.0 / BUCKETS, exponent - 1) : 0;
}

/* Reads the list of pairs, which must rise and have `n` calls. */
static histogram read_histogram(json_reader *r, int64_t n)
{
    histogram out = {.count = read_list(r, "histogram", BUCKETS_MAX)};
    json_t *list = r->failed ? NULL : json_object_get(r->levels[r->depth - 1].object, "histogram");
    out.all = read_alloc(r, out.count + 1, sizeof *out.all);
    int64_t sum = 0;
    for (size_t i = 0; i < out.count && out.all && !r->failed; i++) {
        json_t *pair = json_array_get(list, i), *low = json_array_get(pair, 0),
               *count = json_array_get(pair, 1);
        bucket *b = &out.all[i];
        *b = (bucket){json_number_value(low), json_integer_value(count)};
        if (json_array_size(pair) != 2 || !json_is_number(low) || !json_is_integer(count) ||
            !(b->low_ns >= 0) || b->count < 1 || b->count > n - sum ||
            (i > 0 && !(b->low_ns > b[-1].low_ns))) {
            read_refuse(r, "item %zu of \"histogram\" is no bucket with its calls", i);
            return out;
        }
        sum += b->count;
    }
    if (sum != n)
        read_refuse(r, "\"histogram\" has %" PRId64 " calls, and \"n\" is %" PRId64, sum, n);
    return out;
}

/* Duration of a fractional rank 0..n, evenly spread within its bucket. */
static double at_rank(const histogram *of, double rank, const kt_summary *summary)
{
    size_t i = 0;
    while (i + 1 < of->count && rank >= (double)of->all[i].count)
        rank -= (double)of->all[i++].count;
    const bucket *b = &of->all[i];
    double ns = b->low_ns + width_of(b->low_ns) * fmin(1, rank / (double)b->count);
    return fmin(fmax(ns, summary->min), summary->max);
}

/* ---- rows ---- */

static void read_interval(json_reader *r, kt_summary *summary)
{
    summary->ci95_low = summary->ci95_high = NAN;
    if (read_is_null(r, "ci95_ns"))
        return;
    size_t count = read_list(r, "ci95_ns", 2);
    if (count != 2)
        read_refuse(r, "\"ci95_ns\" has %zu numbers", count);
    summary->ci95_low = count == 2 ? read_number(r, "ci95_ns", 0, 0) : NAN;
    summary->ci95_high = count == 2 ? read_number(r, "ci95_ns", 1, 0) : NAN;
}

static void check_statistics(json_reader *r, int64_t n, const kt_summary *summary)
{
    if (isnan(summary->median) != (n == 0) || isnan(summary->min) != (n == 0) ||
        isnan(summary->max) != (n == 0) || (n == 0 && !isnan(summary->ci95_low)))
        read_refuse(r, "the times do not fit \"n\", which is %" PRId64, n);
    else if (summary->median < summary->min || summary->median > summary->max)
        read_refuse(r, "\"median_ns\" is not between \"min_ns\" and \"max_ns\"");
    else if (summary->ci95_low > summary->median || summary->ci95_high < summary->median)
        read_refuse(r, "\"median_ns\" is not within \"ci95_ns\"");
}

static void read_statistics(json_reader *r, int64_t n, kt_summary *summary)
{
    summary->min = read_number_or_null(r, "min_ns", 0);
    summary->median = read_number_or_null(r, "median_ns", 0);
    summary->mean = read_number_or_null(r, "mean_ns", 0);
    summary->max = read_number_or_null(r, "max_ns", 0);
    summary->p95 = read_number_or_null(r, "p95_ns", 0);
    summary->p99 = read_number_or_null(r, "p99_ns", 0);
    summary->inflation = read_number_or_null(r, "inflation", 1);
    read_interval(r, summary);
    if (r->failed)
        return;
    check_statistics(r, n, summary);
    summary->resolution = fmin(width_of(summary->median), summary->max - summary->min);
}

/* Returns the samples, which the caller frees, and sets their number and spread. */
static double *take_samples(json_reader *r, const histogram *of, int64_t n, kt_summary *summary)
{
    double inflation = summary->inflation >= 1 ? summary->inflation : 1;
    double independent = floor((double)n / inflation);
    size_t count = independent < 1             ? 1
                   : independent > SAMPLES_MAX ? SAMPLES_MAX
                                               : (size_t)independent;
    double *samples = r->failed ? NULL : read_alloc(r, 2 * count, sizeof *samples);
    for (size_t i = 0; samples && i < count; i++)
        samples[i] = at_rank(of, ((double)i + 0.5) * (double)n / (double)count, summary);
    if (samples) {
        kt_summary spread;
        kt_summarize(samples, count, summary->resolution, samples + count, &spread);
        summary->robust_stddev = spread.robust_stddev;
        summary->n = count;
        summary->inflation = 1;
    }
    return samples;
}

/* Method of the row's device in the run; the reader is in the row. */
static kt_method method_of(const kt_report *report, const char *device)
{
    for (uint32_t i = 0; device && i < kt_report_device_count(report); i++)
        if (strcmp(kt_report_device(report, i)->id, device) == 0)
            return kt_report_device(report, i)->clocks[0].method;
    return KT_METHOD_NONE;
}

/* A kind of row: no reserved name of a step. */
static const char *read_kind_of_row(json_reader *r)
{
    static const char *const kinds[] = {TRACE_KIND_NAMES};
    const char *kind = read_text(r, "kind", READ_ALONE);
    for (size_t i = 0; kind && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return kind;
    read_refuse(r, "\"kind\" is \"%.40s\", which this version does not know", kind ? kind : "");
    return NULL;
}

static void read_row(json_reader *r, kt_report *report, size_t run)
{
    kt_series series = read_begin_series();
    series.name = series.workload = read_text(r, "name", READ_ALONE);
    series.variant = read_text_or_null(r, "size");
    series.device = read_text(r, "device", READ_ALONE);
    series.step = read_kind_of_row(r);
    series.run = (uint32_t)run;
    int64_t n = read_whole(r, "n", 0, COUNT_MAX);
    read_statistics(r, n, &series.summary);
    histogram calls = read_histogram(r, n);
    double *samples = n ? take_samples(r, &calls, n, &series.summary) : NULL;
    series.samples_ns = samples;
    if (n == 0) {
        series.status = KT_SERIES_NOT_POSSIBLE;
        series.error = "no call has a time";
    }
    if (!r->failed) {
        series.method = method_of(report, series.device);
        if (strcmp(series.step, "copy") == 0)
            series.kind = KT_SERIES_COPY;
        read_check(r, kt_report_add_series(report, &series));
    }
    free(samples);
    free(calls.all);
}

/* ---- the document ---- */

static void read_device_of_run(json_reader *r, kt_report *report)
{
    kt_device_info info = {.clock_count = 1, .driver = "unknown driver"};
    read_chars(r, "id", info.id, sizeof info.id);
    read_chars(r, "name", info.name, sizeof info.name);
    read_chars(r, "api", info.backend, sizeof info.backend);
    read_chars(r, "api", info.clocks[0].name, sizeof info.clocks[0].name);
    info.clocks[0].method = (kt_method)read_word(r, "method", READ_ALONE, method_word, 0);
    info.clocks[0].period_ns = info.clocks[0].frequency_hz = info.clocks[0].uncertainty_ns = NAN;
    info.clocks[0].period_uncertainty_ns = info.clocks[0].drift_ppm = NAN;
    if (!r->failed)
        read_check(r, kt_report_add_device(report, &info, NULL));
}

static void read_run(json_reader *r, kt_report *report, size_t run)
{
    size_t count = read_list(r, "devices", ANY_SIZE);
    for (size_t i = 0; i < count && !r->failed; i++) {
        read_enter(r, "devices", i);
        read_device_of_run(r, report);
        read_leave(r);
    }
    count = read_list(r, "rows", ROWS_MAX);
    for (size_t i = 0; i < count && !r->failed; i++) {
        read_enter(r, "rows", i);
        read_row(r, report, run);
        read_leave(r);
    }
}

kt_report *read_traced(json_reader *r)
{
    kt_report_origin origin = {
        .version = read_text(r, "version", READ_ALONE),
        .started = read_text(r, "started", READ_ALONE),
        .id = read_has(r, "document_id") ? read_text(r, "document_id", READ_ALONE) : NULL};
    kt_launch launch;
    read_host(r, &origin);
    read_launch(r, &origin, &launch);
    kt_report *report = read_create(r, &origin);
    size_t count = read_list(r, "runs", RUNS_MAX);
    for (size_t i = 0; i < count && !r->failed; i++) {
        read_enter(r, "runs", i);
        read_run(r, report, i);
        read_leave(r);
    }
    return report;
}
