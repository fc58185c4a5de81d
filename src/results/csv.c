/* csv.c - one row a series, for spreadsheets and scripts (RFC 4180, docs/result-file.md). */
#include "../support/alloc.h"
#include "document.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct csv {
    kt_writer *writer;
    const kt_document *document;
    const char **params; /* all names that occur, each a column */
    uint32_t param_count;
    bool head;  /* this row is that of the names */
    bool begun; /* a field of this row is there */
} csv;

/* ---- fields: in the head their key, else their value, nothing if that is unknown ---- */

/* Quotes are doubled; a line break and a tab may stand between quotes. */
static size_t spell(const char *text, size_t at, char *out)
{
    if (text[at] != '"' && text[at] != '\r')
        return kt_spell_lines(text, at, out);
    out[0] = out[1] = text[at];
    out[text[at] == '"' ? 2 : 1] = '\0';
    return 1;
}

static void put_text(const csv *out, const char *before, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    kt_put(out->writer, quote);
    kt_put(out->writer, before);
    kt_put_spelled(out->writer, spell, text);
    kt_put(out->writer, quote);
}

/* Begins the next field. Whether its value is to follow, which is not so in the head. */
static bool begin_field(csv *out, const char *key)
{
    if (out->begun)
        kt_put(out->writer, ",");
    out->begun = true;
    if (out->head)
        kt_put(out->writer, key);
    return !out->head;
}

/* A spreadsheet runs what begins like a formula, and a device's name is its driver's to choose: an
 * apostrophe makes it a text. */
static void text_field(csv *out, const char *key, const char *text)
{
    if (begin_field(out, key) && text)
        put_text(out, text[0] && strchr("=+-@\t\r\n", text[0]) ? "'" : "", text);
}

static void number_field(csv *out, const char *key, double value)
{
    if (begin_field(out, key) && isfinite(value))
        kt_put_number(out->writer, value);
}

static void bool_field(csv *out, const char *key, int value)
{
    if (begin_field(out, key))
        kt_put(out->writer, value ? "true" : "false");
}

static void param_field(csv *out, const char *name, const kt_series *series)
{
    if (!begin_field(out, "")) {
        put_text(out, "param_", name);
        return;
    }
    uint32_t i = 0;
    while (i < series->param_count && strcmp(series->params[i].name, name) != 0)
        i++;
    if (i < series->param_count)
        kt_putf(out->writer, "%" PRId64, series->params[i].value);
}

/* ---- rows ---- */

static double baseline_ns(const csv *out, const kt_series *series, const char *name)
{
    double ns = NAN;
    for (uint32_t i = 0; i < out->document->baseline_count; i++) {
        const kt_baseline *baseline = &out->document->baselines[i];
        if (strcmp(baseline->name, name) == 0 && kt_same_work(series, baseline))
            ns = baseline->median_ns;
    }
    return ns;
}

static double discarded(const kt_series *series)
{
    double sum = 0;
    for (int state = 1; state < KT_STAMP_STATE_COUNT; state++)
        sum += series->discarded[state];
    return sum;
}

/* What was measured, and how. */
static void print_work(csv *out, const kt_series *series)
{
    text_field(out, "name", series->name);
    text_field(out, "workload", series->workload);
    for (uint32_t i = 0; i < out->param_count; i++)
        param_field(out, out->params[i], series);
    text_field(out, "variant", series->variant);
    text_field(out, "device", series->device);
    number_field(out, "run", series->run);
    text_field(out, "step", series->step);
    text_field(out, "kind", kt_series_kind_name(series->kind));
    text_field(out, "status", kt_series_status_name(series->status));
    text_field(out, "error", series->error);
    text_field(out, "method", kt_method_name(series->method));
    text_field(out, "clock", series->clock);
    number_field(out, "trials", series->trials);
    bool_field(out, "verified", series->verified);
    bool_field(out, "zero_copy", series->zero_copy);
    bool_field(out, "cold", series->cold);
    text_field(out, "src", series->src);
    text_field(out, "dst", series->dst);
    number_field(out, "bytes", series->bytes);
    number_field(out, "flops", series->flops);
}

static void count_field(csv *out, const char *key, size_t count, bool known)
{
    number_field(out, key, known ? (double)count : NAN);
}

/* Their names are words of our own, with a blank between two. */
static void patterns_field(csv *out, unsigned patterns)
{
    if (!begin_field(out, "patterns"))
        return;
    const char *separator = "";
    for (int i = 0; i < KT_PATTERN_COUNT; i++)
        if (patterns & 1u << i) {
            kt_put(out->writer, separator);
            kt_put(out->writer, kt_pattern_name((kt_pattern)(1 << i)));
            separator = " ";
        }
}

static void print_summary(csv *out, const kt_summary *summary)
{
    number_field(out, "min_ns", summary->min);
    number_field(out, "median_ns", summary->median);
    number_field(out, "mean_ns", summary->mean);
    number_field(out, "max_ns", summary->max);
    number_field(out, "stddev_ns", summary->stddev);
    number_field(out, "mad_ns", summary->mad);
    number_field(out, "p95_ns", summary->p95);
    number_field(out, "ci95_low_ns", summary->ci95_low);
    number_field(out, "ci95_high_ns", summary->ci95_high);
    number_field(out, "p95_ci95_low_ns", summary->p95_ci95_low);
    number_field(out, "p95_ci95_high_ns", summary->p95_ci95_high);
    number_field(out, "robust_stddev_ns", summary->robust_stddev);
    number_field(out, "grid_ns", summary->grid > 0 ? summary->grid : NAN);
    count_field(out, "outliers_low", summary->outliers_low, !isnan(summary->median));
    count_field(out, "outliers_high", summary->outliers_high, !isnan(summary->median));
    number_field(out, "inflation", summary->inflation);
    patterns_field(out, summary->patterns);
    number_field(out, "drift", summary->drift);
    number_field(out, "level_low_ns", summary->level_low);
    number_field(out, "level_high_ns", summary->level_high);
    number_field(out, "level_high_share", summary->level_high_share);
}

/* What came of it. */
static void print_numbers(csv *out, const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    number_field(out, "first_use_ns", series->first_use_ns);
    number_field(out, "warmup_n", series->warmup_n);
    number_field(out, "warmup_ns", series->warmup_ns);
    text_field(out, "warmup_end", kt_warmup_end_text(series));
    text_field(out, "stop", kt_stop_text(series));
    number_field(out, "n", (double)summary->n);
    number_field(out, "discarded", discarded(series));
    print_summary(out, summary);
    number_field(out, "median_total_ns", series->median_total_ns);
    number_field(out, "context_ns", series->context_ns);
    number_field(out, "speedup", series->speedup);
    number_field(out, "gb_per_s", kt_rate(series->bytes, summary->median));
    number_field(out, "gflop_per_s", kt_rate(series->flops, summary->median));
    number_field(out, "sequential_ns", baseline_ns(out, series, "sequential"));
    number_field(out, "best_ns", baseline_ns(out, series, "best"));
}

static void print_row(csv *out, const kt_series *series)
{
    out->begun = false;
    print_work(out, series);
    print_numbers(out, series);
    kt_put(out->writer, "\n");
}

static bool is_known(const csv *out, const char *name)
{
    uint32_t i = 0;
    while (i < out->param_count && strcmp(out->params[i], name) != 0)
        i++;
    return i < out->param_count;
}

static bool collect_params(csv *out)
{
    for (uint32_t i = 0; i < out->document->series_count; i++) {
        const kt_series *series = &out->document->series[i];
        for (uint32_t k = 0; k < series->param_count; k++) {
            if (is_known(out, series->params[k].name))
                continue;
            const char **params =
                kt_grow(out->params, (size_t)out->param_count + 1, sizeof *params);
            if (!params)
                return false;
            out->params = params;
            out->params[out->param_count++] = series->params[k].name;
        }
    }
    return true;
}

void kt_print_csv(const kt_document *document, kt_writer *writer)
{
    csv out = {.writer = writer, .document = document, .head = true};
    if (collect_params(&out)) {
        print_row(&out, &(kt_series){.workload = ""});
        out.head = false;
        for (uint32_t i = 0; i < document->series_count; i++)
            print_row(&out, &document->series[i]);
    } else {
        writer->status = KT_NO_MEMORY;
    }
    kt_free(out.params);
}
