/* SPDX-License-Identifier: MIT */
/*
 * csv.c - writes one row per series, for spreadsheets and scripts (RFC 4180,
 * docs/result-file.md).
 *
 * Room output/csv: documents as CSV. May know: support, report, output.
 */
#include "output/csv_writer.h"
#include "output/formats.h"
#include "report/runs.h"
#include "report/transfers.h"
#include "support/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct csv {
    kt_csv fields;
    const kt_document *document;
    kt_transfers transfers;
    const char **params; /* names of all workload parameters; each has a column */
    uint32_t param_count;
} csv;

static void param_field(csv *out, const char *name, const kt_series *series)
{
    if (!kt_csv_begin(&out->fields, "")) {
        kt_csv_put(&out->fields, "param_", name);
        return;
    }
    uint32_t i = 0;
    while (i < series->param_count && strcmp(series->params[i].name, name) != 0)
        i++;
    if (i < series->param_count)
        kt_putf(out->fields.writer, "%" PRId64, series->params[i].value);
}

static double baseline_ns(const csv *out, const kt_series *series, const char *name)
{
    const kt_baseline *baseline = kt_find_baseline(out->document, series, name);
    return baseline ? baseline->summary.median : NAN;
}

static double discarded(const kt_series *series)
{
    double sum = 0;
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++)
        sum += series->discarded[state];
    return sum;
}

/* Prints the fields of a series that say what was measured and how. */
static void print_work(csv *out, const kt_series *series)
{
    kt_csv *fields = &out->fields;
    kt_csv_text(fields, "name", series->name);
    kt_csv_text(fields, "workload", series->workload);
    for (uint32_t i = 0; i < out->param_count; i++)
        param_field(out, out->params[i], series);
    kt_csv_text(fields, "variant", series->variant);
    kt_csv_text(fields, "device", series->device);
    kt_csv_number(fields, "run", series->run);
    kt_csv_text(fields, "step", series->step);
    kt_csv_text(fields, "kind", kt_series_kind_name(series->kind));
    kt_csv_text(fields, "status", kt_series_status_name(series->status));
    kt_csv_text(fields, "error", series->error);
    kt_csv_text(fields, "method", kt_method_name(series->method));
    kt_csv_text(fields, "clock", series->clock);
    kt_csv_number(fields, "trials", series->trials);
    kt_csv_bool(fields, "verified", series->verified);
    kt_csv_bool(fields, "zero_copy", series->zero_copy);
    kt_csv_bool(fields, "cold", series->cold);
    kt_csv_text(fields, "src", series->src);
    kt_csv_text(fields, "dst", series->dst);
    kt_csv_number(fields, "bytes", series->bytes);
    kt_csv_number(fields, "flops", series->flops);
}

/* Warning names contain no blanks, so blanks separate them. */
static void warnings_field(kt_csv *fields, unsigned warnings)
{
    if (!kt_csv_begin(fields, "warnings"))
        return;
    const char *separator = "";
    for (int i = 0; i < KT_WARNING_COUNT; i++)
        if (warnings & 1u << i) {
            kt_put(fields->writer, separator);
            kt_put(fields->writer, kt_sample_warning_name((kt_sample_warning)(1 << i)));
            separator = " ";
        }
}

static void print_summary(kt_csv *fields, const kt_summary *summary)
{
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
        kt_csv_number(fields, field->column, kt_summary_get(summary, field));
    warnings_field(fields, summary->warnings);
}

/* The rate of a copy is known only where its transfer has rates. */
static double gb_per_s(const csv *out, const kt_series *series)
{
    double rate = kt_rate(series->bytes, series->summary.median);
    int time = kt_series_is_wall(series) ? KT_TRANSFER_WALL : KT_TRANSFER_DEVICE;
    bool transfer = kt_is_transfer(series, NULL, NULL);
    for (uint32_t i = 0; transfer && i < out->transfers.count; i++)
        if (kt_same_direction(out->transfers.list[i].first, series))
            return out->transfers.list[i].rates[time] ? rate : NAN;
    return series->zero_copy ? NAN : rate;
}

/* Prints the fields of a series that hold results. */
static void print_numbers(csv *out, const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    kt_csv *fields = &out->fields;
    kt_csv_number(fields, "first_use_ns", series->first_use_ns);
    kt_csv_number(fields, "warmup_n", series->warmup_n);
    kt_csv_number(fields, "warmup_ns", series->warmup_ns);
    kt_csv_text(fields, "warmup_end", kt_warmup_end_text(series));
    kt_csv_text(fields, "stop", kt_stop_text(series));
    kt_csv_number(fields, "n", (double)summary->n);
    kt_csv_number(fields, "discarded", discarded(series));
    print_summary(fields, summary);
    kt_csv_number(fields, "median_total_ns", series->median_total_ns);
    kt_csv_number(fields, "context_ns", series->context_ns);
    kt_csv_number(fields, "speedup", series->speedup);
    kt_speedup over = kt_speedup_over(out->document, series, "sequential");
    kt_csv_number(fields, "speedup_ci95_low", over.low);
    kt_csv_number(fields, "speedup_ci95_high", over.high);
    over = kt_speedup_over(out->document, series, "best");
    kt_csv_number(fields, "speedup_best", over.ratio);
    kt_csv_number(fields, "speedup_best_ci95_low", over.low);
    kt_csv_number(fields, "speedup_best_ci95_high", over.high);
    kt_csv_number(fields, "gb_per_s", gb_per_s(out, series));
    kt_csv_number(fields, "gflop_per_s", kt_rate(series->flops, summary->median));
    kt_csv_number(fields, "sequential_ns", baseline_ns(out, series, "sequential"));
    kt_csv_number(fields, "best_ns", baseline_ns(out, series, "best"));
    kt_csv_number(fields, "clock_resolution_ns",
                  series->clock_resolution_ns > 0 ? series->clock_resolution_ns : NAN);
}

/* Names of reasons contain no blanks, so blanks separate them. */
static void throttle_field(kt_csv *fields, uint32_t reasons)
{
    if (!kt_csv_begin(fields, "throttle"))
        return;
    const char *separator = "";
    for (uint32_t reason = 1; reason <= KT_THROTTLE_SETTING; reason *= 2)
        if (reasons & reason) {
            kt_put(fields->writer, separator);
            kt_put(fields->writer, kt_throttle_name((kt_throttle)reason));
            separator = " ";
        }
}

/* Prints what the device did meanwhile, and the energy. */
static void print_state(csv *out, const kt_series *series)
{
    kt_csv *fields = &out->fields;
    const kt_state_summary *state = &series->state;
    const kt_energy *energy = series->energy;
    bool known = state->readings != 0;
    kt_csv_number(fields, "throttled", known ? series->discarded[KT_TIMESTAMP_THROTTLED] : NAN);
    throttle_field(fields, known ? state->throttle | state->left_out : 0);
    kt_csv_number(fields, "core_clock_mhz", known ? state->core_clock_mhz : NAN);
    kt_csv_number(fields, "temperature_c", known ? state->temperature_c : NAN);
    kt_csv_number(fields, "power_w", known ? state->power_w : NAN);
    kt_csv_number(fields, "energy_j", energy ? energy->dispatch_j : NAN);
    kt_csv_number(fields, "energy_ci95_low_j", energy ? energy->ci95_low_j : NAN);
    kt_csv_number(fields, "energy_ci95_high_j", energy ? energy->ci95_high_j : NAN);
    kt_csv_number(fields, "gflop_per_j", kt_gflop_per_j(series));
}

/* Prints the fields that tell files of several machines apart. */
static void print_origin(csv *out, const kt_series *series)
{
    kt_csv *fields = &out->fields;
    const kt_report_origin *origin = out->document->desc.origin;
    const kt_document_device *device =
        series->device ? kt_find_device(out->document, series->device) : NULL;
    kt_csv_text(fields, "started", origin->started);
    kt_csv_text(fields, "host", origin->host);
    kt_csv_text(fields, "device_name", device ? device->info.name : NULL);
    kt_csv_text(fields, "driver", device ? device->info.driver : NULL);
}

static void print_row(csv *out, const kt_series *series)
{
    print_work(out, series);
    print_numbers(out, series);
    print_origin(out, series);
    print_state(out, series);
    kt_csv_end_row(&out->fields);
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

static void print_rows(csv *out)
{
    print_row(out, &(kt_series){.workload = ""});
    out->fields.head = false;
    for (uint32_t i = 0; i < out->document->series_count; i++)
        print_row(out, &out->document->series[i]);
}

void kt_print_csv(const kt_document *document, kt_writer *writer)
{
    csv out = {.fields = {.writer = writer, .head = true}, .document = document};
    kt_over_runs over;
    if (!kt_gather_runs(&over, document)) {
        writer->status = KT_NO_MEMORY;
        return;
    }
    if (kt_gather_transfers(&out.transfers, &over.document) && collect_params(&out))
        print_rows(&out);
    else
        writer->status = KT_NO_MEMORY;
    kt_free_transfers(&out.transfers);
    kt_free_runs(&over);
    kt_free(out.params);
}
