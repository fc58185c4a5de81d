/* SPDX-License-Identifier: MIT */
/* json.c - the document "trace" (docs/result-trace.md): each run with all numbers. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/output/json.h"
#include "cli/trace/lines.h"

#include <math.h>
#include <stdlib.h>

/* ---- the head ---- */

/* The text of a report without results; the caller frees it. NULL: memory ran out. */
static char *make_report_text(const trace_document *document)
{
    const kt_report_desc desc = {.size = sizeof desc,
                                 .document = "trace",
                                 .command = document->options->words,
                                 .command_count = document->options->word_count,
                                 .origin = document->origin};
    char *text = NULL;
    size_t bytes = 0;
    kt_report *report = NULL;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return NULL;
    const kt_sink sink = kt_file_sink(file);
    bool is_whole = kt_report_create(&report, &desc) == KT_OK &&
                    kt_report_write(report, KT_FORMAT_JSON, &sink) == KT_OK;
    is_whole = fclose(file) == 0 && is_whole;
    kt_report_destroy(&report);
    if (is_whole)
        return text;
    free(text);
    return NULL;
}

/* What a report begins with, too: one writer for all of it. */
static json_t *make_head(json_builder *b, const trace_document *document)
{
    static const char *const others[] = {"devices", "series", "baselines"};
    char *text = make_report_text(document);
    json_t *out = text ? json_loads(text, 0, NULL) : NULL;
    for (size_t i = 0; out && i < sizeof others / sizeof others[0]; i++)
        json_object_del(out, others[i]);
    free(text);
    b->failed |= !out;
    return out;
}

/* ---- runs ---- */

static json_t *make_processes(json_builder *b, const trace_totals *totals)
{
    json_t *list = json_array();
    for (size_t i = 0; i < totals->process_count; i++) {
        const trace_total_process *process = &totals->processes[i];
        json_t *out = json_object();
        json_set(b, out, "process", json_integer(process->number));
        json_set(b, out, "parent", json_integer(process->parent));
        json_set(b, out, "program", json_text(process->program));
        json_set(b, out, "rank", json_text(process->rank));
        json_set(b, out, "api", json_text(trace_api_name(process->api)));
        json_set(b, out, "in_flight", json_count(process->in_flight));
        json_set(b, out, "stopped", json_text(process->stopped));
        json_add(b, list, out);
    }
    return list;
}

static json_t *make_devices(json_builder *b, const trace_document *document,
                            const trace_totals *totals)
{
    json_t *list = json_array();
    for (size_t i = 0; i < totals->device_count; i++) {
        const trace_total_device *device = &totals->devices[i];
        json_t *out = json_object();
        char label[TRACE_LABEL_BYTES];
        json_set(b, out, "id", json_text(trace_device_label(document, device, label)));
        json_set(b, out, "name", json_text(device->name));
        json_set(b, out, "api", json_text(trace_api_name(device->api)));
        json_set(b, out, "method", json_text(kt_method_name(trace_method(device->api))));
        json_set(b, out, "processes", json_count(device->process_count));
        json_set(b, out, "resolution_ns", json_number(device->resolution_ns));
        json_set(b, out, "spans", json_count(device->spans));
        json_set(b, out, "busy_ns", json_number(device->busy_ns));
        json_set(b, out, "span_ns", json_number(device->span_ns));
        json_set(b, out, "idle_ns", json_number(device->idle_ns));
        json_set(b, out, "overlap_ns", json_number(device->overlap_ns));
        json_set(b, out, "late", json_count(device->late));
        json_add(b, list, out);
    }
    return list;
}

static json_t *make_gaps(json_builder *b, const trace_totals *totals)
{
    json_t *list = json_array();
    for (size_t i = 0; i < totals->gap_count; i++) {
        json_t *out = json_object();
        json_set(b, out, "text", json_text(totals->gaps[i].text));
        json_set(b, out, "calls",
                 totals->gaps[i].calls ? json_count(totals->gaps[i].calls) : json_null());
        json_add(b, list, out);
    }
    return list;
}

/* Pairs of the lower end of a bucket in ns and its count, of those that are not empty. */
static json_t *make_histogram(json_builder *b, const kt_histogram *histogram)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++) {
        if (!histogram->counts[i])
            continue;
        const int steps = 1 << KT_HISTOGRAM_STEP_BITS;
        int step = (int)i - 1;
        double low = i == 0 ? 0
                            : ldexp(1 + (double)(step % steps) / steps,
                                    step / steps + KT_HISTOGRAM_LOW_LOG2);
        json_t *pair = json_array();
        json_add(b, pair, json_number(low));
        json_add(b, pair, json_count(histogram->counts[i]));
        json_add(b, list, pair);
    }
    return list;
}

static json_t *make_interval(json_builder *b, const trace_total *row)
{
    if (isnan(row->low_ns))
        return json_null();
    json_t *out = json_array();
    json_add(b, out, json_number(row->low_ns));
    json_add(b, out, json_number(row->high_ns));
    return out;
}

static json_t *make_untimed(json_builder *b, const trace_total *row)
{
    json_t *out = json_object();
    for (int reason = 0; reason < TRACE_REASON_COUNT; reason++)
        if (row->untimed[reason]) {
            char key[TRACE_KEY_BYTES];
            json_set(b, out, trace_reason_key((trace_reason)reason, key),
                     json_count(row->untimed[reason]));
        }
    return out;
}

static json_t *make_row(json_builder *b, const trace_document *document, const trace_totals *totals,
                        const trace_total *row)
{
    char label[TRACE_LABEL_BYTES];
    const trace_total_device *device = &totals->devices[row->device];
    json_t *out = json_object();
    json_set(b, out, "name", json_text(row->name));
    json_set(b, out, "size", json_text(row->size));
    json_set(b, out, "kind", json_text(trace_kind_name(row->kind)));
    json_set(b, out, "device", json_text(trace_device_label(document, device, label)));
    json_set(b, out, "calls", json_count(row->calls));
    json_set(b, out, "n", json_count(row->timed));
    json_set(b, out, "untimed", make_untimed(b, row));
    json_set(b, out, "overlapped", json_count(row->overlapped));
    json_set(b, out, "total_ns", json_number(row->timed ? row->total_ns : NAN));
    json_set(b, out, "min_ns", json_number(row->min_ns));
    json_set(b, out, "median_ns", json_number(row->median_ns));
    json_set(b, out, "ci95_ns", make_interval(b, row));
    json_set(b, out, "mean_ns", json_number(row->mean_ns));
    json_set(b, out, "p95_ns", json_number(row->p95_ns));
    json_set(b, out, "p99_ns", json_number(row->p99_ns));
    json_set(b, out, "max_ns", json_number(row->max_ns));
    json_set(b, out, "inflation", json_number(row->inflation));
    json_set(b, out, "bytes", json_number(row->bytes));
    json_set(b, out, "gb_per_s", json_number(trace_rate(row)));
    json_set(b, out, "histogram", make_histogram(b, &row->histogram));
    return out;
}

static json_t *make_run(json_builder *b, const trace_document *document, size_t number)
{
    const trace_run *run = &document->runs[number];
    const trace_totals *totals = &run->totals;
    json_t *out = json_object(), *cost = json_object(), *rows = json_array();
    json_set(b, out, "run", json_count(number));
    json_set(b, out, "process", json_integer(run->process));
    json_set(b, out, "exit_code", run->signal ? json_null() : json_integer(run->code));
    json_set(b, out, "signal", run->signal ? json_integer(run->signal) : json_null());
    json_set(b, out, "wall_ns", json_number(run->wall_ns));
    json_set(b, out, "problem", json_text(run->problem[0] ? run->problem : NULL));
    json_set(b, out, "calls", json_count(trace_calls(totals)));
    json_set(b, out, "in_flight", json_count(totals->in_flight));
    json_set(b, out, "lost_events", json_count(totals->lost_events));
    json_set(b, cost, "calls", json_count(totals->calls));
    json_set(b, cost, "per_call_ns", json_number(totals->cost_per_call_ns));
    json_set(b, cost, "total_ns", json_number(totals->cost_ns));
    json_set(b, out, "cost", cost);
    json_set(b, out, "processes", make_processes(b, totals));
    json_set(b, out, "devices", make_devices(b, document, totals));
    json_set(b, out, "gaps", make_gaps(b, totals));
    for (size_t i = 0; i < totals->row_count; i++)
        json_add(b, rows, make_row(b, document, totals, &totals->rows[i]));
    json_set(b, out, "rows", rows);
    return out;
}

#define DEPTH 4 /* a row is a line */

bool trace_print_json(const trace_document *document, FILE *file)
{
    json_builder b = {.failed = false};
    json_t *out = make_head(&b, document), *runs = json_array(), *notes = json_array();
    for (size_t i = 0; i < document->run_count; i++)
        json_add(&b, runs, make_run(&b, document, i));
    json_set(&b, out, "runs", runs);
    for (size_t i = 0; i < document->note_count; i++)
        json_add(&b, notes, json_text(document->notes[i]));
    json_set(&b, out, "notes", notes);
    return json_write(&b, out, DEPTH, file);
}
