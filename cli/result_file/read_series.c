/* SPDX-License-Identifier: MIT */
/* read_series.c - reads a result file's series and baselines. */
#include "cli/result_file/read_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEDIAN_ROUNDED 1e-9 /* allowed relative difference of a stored median from its samples */

WORDS_OF(method)
WORDS_OF(memory_kind)
WORDS_OF(timestamp_state)
WORDS_OF(series_kind)
WORDS_OF(series_status)
WORDS_OF(stop)
WORDS_OF(warmup_end)

/* Name of the sample warning with this bit number. */
static const char *warning_word(int bit)
{
    return kt_sample_warning_name((kt_sample_warning)(1u << bit));
}

static kt_param *read_params(json_reader *r, uint32_t *count)
{
    read_enter(r, "params", READ_ALONE);
    *count = (uint32_t)read_count(r);
    kt_param *params = read_alloc(r, *count, sizeof *params);
    void *member = NULL;
    for (kt_param *param = params;
         params && (member = read_next(r, member, &param->name, &param->value)) != NULL; param++)
        ;
    read_leave(r);
    return params;
}

static double *read_samples(json_reader *r, size_t *n)
{
    *n = read_list(r, "samples_ns", r->is_brief ? 0 : ANY_SIZE);
    double *samples_ns = read_alloc(r, *n, sizeof *samples_ns);
    for (size_t i = 0; samples_ns && i < *n; i++)
        samples_ns[i] = read_number(r, "samples_ns", i, 0);
    return samples_ns;
}

static void read_discarded(json_reader *r, uint32_t *discarded)
{
    read_enter(r, "discarded", READ_ALONE);
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++)
        discarded[state] = (uint32_t)read_whole(r, timestamp_state_word(state), 0, UINT32_MAX);
    read_leave(r);
}

static void check_range(json_reader *r, const kt_summary_field *field, double value)
{
    const char *key = *field->part ? field->part : field->column;
    if (strcmp(field->unit, "share") == 0 && value > 1)
        read_refuse(r, "\"%s\" is %g, not from 0 to 1", key, value);
    if (strcmp(field->unit, "count") == 0 && floor(value) != value)
        read_refuse(r, "\"%s\" is %g, not a whole number", key, value);
}

/* Reads a field, number `at` of its group. NaN: null, or missing as in files of older versions. */
static double read_field(json_reader *r, const kt_summary_field *field, size_t at)
{
    const char *key = *field->group ? field->group : field->column;
    bool list = *field->group && !*field->part, object = *field->group && *field->part;
    if (!read_has(r, key) || read_is_null(r, key))
        return NAN;
    if (list && read_list(r, key, 2) != 2)
        read_refuse(r, "\"%s\" has not two numbers", key);
    if (object)
        read_enter(r, key, READ_ALONE);
    double value = read_number(r, object ? field->part : key, list ? at : READ_ALONE, field->least);
    check_range(r, field, value);
    if (object)
        read_leave(r);
    return value;
}

/* Reads the fields of the table. The numbers of a list ascend: it is an interval. */
static void read_fields(json_reader *r, kt_summary *summary)
{
    const kt_summary_field *field, *before = NULL;
    for (size_t i = 0, at = 0; (field = kt_summary_get_field(i)) != NULL; i++, before = field) {
        at = before && strcmp(field->group, before->group) == 0 ? at + 1 : 0;
        double value = read_field(r, field, at);
        if (*field->group && !*field->part && at && value < kt_summary_get(summary, before))
            read_refuse(r, "\"%s\" ends before it begins", field->group);
        *(double *)(void *)((char *)summary + field->offset) = value;
    }
}

/* Reads sample warnings. Each requires its fields, and they require it. */
static void read_warnings(json_reader *r, kt_summary *summary)
{
    size_t count = read_list(r, "warnings", KT_WARNING_COUNT);
    for (size_t i = 0; i < count; i++) {
        unsigned warning = 1u << read_word(r, "warnings", i, warning_word, 0);
        if (summary->warnings >= warning)
            read_refuse(r, "\"warnings\" are not in their order, each once");
        summary->warnings |= warning;
    }
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
        if (field->warning &&
            isnan(kt_summary_get(summary, field)) == ((summary->warnings & field->warning) != 0))
            read_refuse(r, "\"%s\" does not fit \"warnings\"",
                        *field->group ? field->group : field->column);
}

static void read_summary(json_reader *r, kt_summary *summary)
{
    read_fields(r, summary);
    read_warnings(r, summary);
    if (summary->cluster_low >= summary->cluster_high)
        read_refuse(r, "\"high_ns\" of \"clusters\" is not above \"low_ns\"");
}

/* Reads ticks, which are text, since many readers store numbers as doubles. */
static uint64_t read_ticks(json_reader *r, const char *key)
{
    const char *text = read_text(r, key, READ_ALONE);
    if (!text)
        return 0;
    errno = 0;
    uint64_t ticks = strtoull(text, NULL, 10);
    bool plain = *text && !text[strspn(text, "0123456789")] && (text[0] != '0' || !text[1]);
    if (!plain || errno)
        read_refuse(r, "\"%s\" is \"%.40s\", not a whole number below 2^64", key, text);
    return ticks;
}

/* Reads a number as float; JSON null gives NaN. */
static float read_float(json_reader *r, const char *key)
{
    double value = read_number_or_null(r, key, ANY);
    if (fabs(value) > FLT_MAX)
        read_refuse(r, "\"%s\" is %g, more than any such distance", key, value);
    return fabs(value) <= FLT_MAX ? (float)value : NAN;
}

static void read_raw_item(json_reader *r, kt_raw *raw)
{
    raw->state = (kt_timestamp_state)read_word(r, "state", READ_ALONE, timestamp_state_word, 0);
    raw->has_queue_timestamps = read_has(r, "queued_ticks") || read_has(r, "submitted_ticks");
    if (raw->has_queue_timestamps) {
        raw->queued_ticks = read_ticks(r, "queued_ticks");
        raw->submitted_ticks = read_ticks(r, "submitted_ticks");
    }
    raw->has_timestamps = read_has(r, "start_ticks") || read_has(r, "end_ticks");
    if (raw->has_timestamps) {
        raw->start_ticks = read_ticks(r, "start_ticks");
        raw->end_ticks = read_ticks(r, "end_ticks");
    }
    raw->has_context = read_has(r, "context_start_ticks") || read_has(r, "context_end_ticks");
    if (raw->has_context) {
        raw->context_start_ticks = read_ticks(r, "context_start_ticks");
        raw->context_end_ticks = read_ticks(r, "context_end_ticks");
    }
    if (raw->has_context && !raw->has_timestamps)
        read_refuse(r, "ticks of the clock that pauses stand alone");
    raw->has_elapsed = read_has(r, "elapsed_ms") || read_has(r, "gap_ms");
    if (raw->has_elapsed) {
        raw->elapsed_ms = read_float(r, "elapsed_ms");
        raw->gap_ms = read_float(r, "gap_ms");
    }
    if (raw->has_elapsed && raw->has_timestamps)
        read_refuse(r, "both ticks and distances are given");
    raw->host_before_ns = read_whole(r, "host_before_ns", INT64_MIN, INT64_MAX);
    raw->host_after_ns = read_whole(r, "host_after_ns", INT64_MIN, INT64_MAX);
}

static kt_raw *read_raw(json_reader *r, size_t *count)
{
    *count = 0;
    if (!read_has(r, "raw"))
        return NULL;
    *count = read_list(r, "raw", ANY_SIZE);
    kt_raw *raw = read_alloc(r, *count, sizeof *raw);
    for (size_t i = 0; raw && i < *count; i++) {
        read_enter(r, "raw", i);
        read_raw_item(r, &raw[i]);
        read_leave(r);
    }
    return raw;
}

/* The memory kind at one end of a copy, as the library's static text, or NULL. */
static const char *read_memory_kind(json_reader *r, const char *key)
{
    if (read_is_null(r, key))
        return NULL;
    return memory_kind_word(read_word(r, key, READ_ALONE, memory_kind_word, KT_MEMORY_HEAP));
}

/* Reads what was measured and how. */
static void read_work(json_reader *r, kt_series *series)
{
    series->name = read_text(r, "name", READ_ALONE);
    series->workload = read_text(r, "workload", READ_ALONE);
    series->variant = read_text_or_null(r, "variant");
    series->device = read_text(r, "device", READ_ALONE);
    series->run = (uint32_t)read_whole(r, "run", 0, UINT32_MAX);
    series->step = read_text(r, "step", READ_ALONE);
    series->kind = (kt_series_kind)read_word(r, "kind", READ_ALONE, series_kind_word, 0);
    series->method = (kt_method)read_word(r, "method", READ_ALONE, method_word, 0);
    series->clock = read_text_or_null(r, "clock");
    series->trials = (uint32_t)read_whole(r, "trials", 1, UINT32_MAX);
    series->zero_copy = read_bool(r, "zero_copy");
    series->cold = read_bool(r, "cold");
    series->src = read_memory_kind(r, "src");
    series->dst = read_memory_kind(r, "dst");
    series->bytes = read_number_or_null(r, "bytes", 0);
    series->flops = read_number_or_null(r, "flops", 0);
}

/* Reads the results except the samples. */
static void read_outcome(json_reader *r, kt_series *series)
{
    series->status = (kt_series_status)read_word(r, "status", READ_ALONE, series_status_word, 0);
    series->error = read_text_or_null(r, "error");
    series->wrong = read_has(r, "wrong") && read_bool(r, "wrong");
    series->verified = read_bool(r, "verified");
    series->first_use_device_ns = NAN; /* result files do not store it */
    series->first_use_ns = read_number_or_null(r, "first_use_ns", 0);
    series->warmup_n = (uint32_t)read_whole(r, "warmup_n", 0, UINT32_MAX);
    series->warmup_ns = read_number_or_null(r, "warmup_ns", 0);
    if (!read_is_null(r, "warmup_end"))
        series->warmup_end = (kt_warmup_end)read_word(r, "warmup_end", READ_ALONE, warmup_end_word,
                                                      KT_WARMUP_STEADY);
    if (!read_is_null(r, "stop"))
        series->stop = (kt_stop)read_word(r, "stop", READ_ALONE, stop_word, KT_STOP_REL_ERR);
    read_discarded(r, series->discarded);
    read_summary(r, &series->summary);
    series->median_total_ns = read_number_or_null(r, "median_total_ns", 0);
    series->clock_period_ns = read_has(r, "clock_period_ns")
                                  ? read_number(r, "clock_period_ns", READ_ALONE, ABOVE_0)
                                  : NAN;
    series->clock_resolution_ns = read_has(r, "clock_resolution_ns")
                                      ? read_number(r, "clock_resolution_ns", READ_ALONE, ABOVE_0)
                                      : NAN;
    series->context_ns = read_number_or_null(r, "context_ns", 0);
    if (read_has(r, "context_missing"))
        series->context_missing = (uint32_t)read_whole(r, "context_missing", 1, UINT32_MAX);
    series->speedup = read_number_or_null(r, "speedup", 0);
    series->fastest = read_has(r, "fastest") && read_bool(r, "fastest");
}

/* Checks that the count of samples, and of low and high outliers together, fits the samples. */
static void check_counts(json_reader *r, const kt_summary *summary)
{
    int64_t n = read_whole(r, "n", 0, INT64_MAX);
    if ((uint64_t)n != summary->n)
        read_refuse(r, "\"n\" is %" PRId64 ", but \"samples_ns\" has %zu numbers", n, summary->n);
    if (summary->outliers_low + summary->outliers_high > (double)summary->n)
        read_refuse(r, "\"outliers\" are more than \"n\", which is %zu", summary->n);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Checks that the median matches the samples, since comparisons use it. */
static void check_median(json_reader *r, const kt_series *series, const double *samples_ns)
{
    const kt_summary *summary = &series->summary;
    bool measured = series->status == KT_SERIES_OK || series->status == KT_SERIES_PARTIAL;
    size_t n = measured ? summary->n : 0;
    double *sorted = n && !r->failed ? read_alloc(r, n, sizeof *sorted) : NULL;
    if (!sorted)
        return;
    memcpy(sorted, samples_ns, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    double low = sorted[(n - 1) / 2], high = sorted[n / 2], median = low + (high - low) / 2;
    if (!(fabs(summary->median - median) <= MEDIAN_ROUNDED * median))
        read_refuse(r, "\"median_ns\" is not the median of \"samples_ns\"");
    free(sorted);
}

void read_series(json_reader *r, kt_report *report)
{
    kt_series series = {0};
    kt_energy energy = {0};
    read_work(r, &series);
    read_outcome(r, &series);
    kt_param *params = read_params(r, &series.param_count);
    double *samples_ns = read_samples(r, &series.summary.n);
    if (r->is_brief) {
        series.discarded[KT_TIMESTAMP_OK] = (uint32_t)read_whole(r, "n", 0, UINT32_MAX);
    } else {
        check_counts(r, &series.summary);
        check_median(r, &series, samples_ns);
    }
    read_state_summary(r, &series.state);
    if (read_energy(r, &energy))
        series.energy = &energy;
    kt_raw *raw = read_raw(r, &series.raw_count);
    series.params = params;
    series.samples_ns = samples_ns;
    series.raw = raw;
    if (!r->failed)
        read_check(r, kt_report_add_series(report, &series));
    free(params);
    free(samples_ns);
    free(raw);
}

void read_baseline(json_reader *r, kt_report *report)
{
    kt_baseline baseline = {
        .workload = read_text(r, "workload", READ_ALONE),
        .name = read_text(r, "name", READ_ALONE),
        .flags = read_text(r, "flags", READ_ALONE),
    };
    if (read_has(r, "threads") && !read_is_null(r, "threads"))
        baseline.threads = (uint32_t)read_whole(r, "threads", 1, UINT32_MAX);
    kt_param *params = read_params(r, &baseline.param_count);
    double *samples_ns = read_samples(r, &baseline.n);
    double median_ns = read_number(r, "median_ns", READ_ALONE, 0);
    baseline.params = params;
    baseline.samples_ns = samples_ns;
    if (!r->failed)
        read_check(r, kt_report_add_baseline(report, &baseline));
    free(params);
    free(samples_ns);
    if (r->failed)
        return;
    uint32_t last = kt_report_baseline_count(report) - 1;
    if (kt_report_baseline(report, last)->summary.median != median_ns)
        read_refuse(r, "\"median_ns\" is not the median of \"samples_ns\"");
}
