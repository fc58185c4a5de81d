/* SPDX-License-Identifier: MIT */
#include "cli/output/gbench.h"

#include "cli/output/entries.h"

#include <math.h>
#include <string.h>

json_t *gbench_begin(json_builder *b, const kt_report_origin *origin, const char *executable)
{
    json_t *document = json_object(), *context = json_object();
    json_set(b, context, "date", json_text(origin->started));
    json_set(b, context, "host_name", json_text(origin->host));
    json_set(b, context, "executable", json_text(executable));
    json_set(b, context, "num_cpus", json_count(origin->cores));
    json_set(b, context, "caches", json_array()); /* unknown; bencher requires the list */
    json_set(b, context, "library_version", json_text(origin->version));
    json_set(b, context, "library_build_type", json_text("release"));
    json_set(b, context, "json_schema_version", json_count(1));
    json_set(b, document, "context", context);
    json_set(b, document, "benchmarks", json_array());
    return document;
}

/* Number of the family of a name: that of the row before, or the next one. */
static json_int_t family_of(const json_t *rows, const char *name)
{
    size_t count = json_array_size(rows);
    const json_t *last = count ? json_array_get(rows, count - 1) : NULL;
    if (!last)
        return 0;
    const char *before = json_string_value(json_object_get(last, "run_name"));
    json_int_t family = json_integer_value(json_object_get(last, "family_index"));
    return before && strcmp(before, name) == 0 ? family : family + 1;
}

static void set_times(json_builder *b, json_t *out, const gbench_row *row)
{
    json_set(b, out, "iterations", json_count(row->iterations));
    json_set(b, out, "real_time", json_real(row->time_ns));
    json_set(b, out, "cpu_time", json_real(isnan(row->cpu_ns) ? row->time_ns : row->cpu_ns));
    json_set(b, out, "time_unit", json_text("ns"));
    if (!isnan(row->bytes_per_second))
        json_set(b, out, "bytes_per_second", json_real(row->bytes_per_second));
}

static void set_error(json_builder *b, json_t *out, const gbench_row *row)
{
    json_set(b, out, "aggregate_name", json_text("failed"));
    json_set(b, out, "error_occurred", json_true());
    json_set(b, out, "error_message", json_text(row->error));
}

/*
 * A row that failed has no times, since readers would take a 0 for one. compare.py requires times of
 * all entries of a name, and of all that are no aggregates. So a failure is an aggregate, with the
 * name that these have: NAME_failed.
 */
void gbench_add(json_builder *b, json_t *document, const gbench_row *row)
{
    json_t *rows = json_object_get(document, "benchmarks"), *out = json_object();
    json_t *name = json_text(row->name);
    const char *text = json_string_value(name);
    json_int_t family = text ? family_of(rows, text) : 0;
    json_set(b, out, "name",
             row->error && text ? json_sprintf("%s_failed", text) : json_copy(name));
    json_set(b, out, "family_index", json_integer(family));
    json_set(b, out, "per_family_instance_index", json_count(0));
    json_set(b, out, "run_name", name);
    json_set(b, out, "run_type", json_text(row->error ? "aggregate" : "iteration"));
    json_set(b, out, "repetitions", json_count(row->repetitions));
    json_set(b, out, "repetition_index", json_count(row->repetition));
    json_set(b, out, "threads", json_count(1));
    if (row->error)
        set_error(b, out, row);
    else
        set_times(b, out, row);
    if (row->label)
        json_set(b, out, "label", json_text(row->label));
    json_add(b, rows, out);
}

/* ---- reports ---- */

/* A row without times. */
static gbench_row row_of(const entry *e)
{
    return (gbench_row){.name = e->name,
                        .repetitions = 1,
                        .time_ns = NAN,
                        .cpu_ns = NAN,
                        .label = kt_method_name(e->series[0]->method),
                        .error = e->reason,
                        .bytes_per_second = NAN};
}

static void add_median(json_builder *b, json_t *to, const entry *e)
{
    gbench_row row = row_of(e);
    row.iterations = e->dispatches;
    row.time_ns = e->time_ns;
    row.cpu_ns = e->wall_ns;
    row.bytes_per_second = entry_rate(e);
    gbench_add(b, to, &row);
}

static void add_samples(json_builder *b, json_t *to, const entry *e)
{
    gbench_row row = row_of(e);
    row.repetitions = (uint32_t)e->samples;
    for (size_t i = 0; i < e->count; i++) {
        const kt_series *series = e->series[i];
        row.iterations = series->trials ? series->trials : 1;
        for (size_t k = 0; series->samples_ns && k < series->summary.n; k++) {
            row.time_ns = series->samples_ns[k];
            gbench_add(b, to, &row);
            row.repetition++;
        }
    }
    if (!row.repetition)
        add_median(b, to, e);
}

bool gbench_write(const kt_report *report, const cli_options *options, FILE *file)
{
    json_builder b = {.failed = false};
    entries all;
    if (!entries_make(report, &all))
        return false;
    json_t *out = gbench_begin(&b, kt_report_get_desc(report)->origin, "kerntime");
    for (size_t i = 0; i < all.count; i++)
        if (options->gbench_repetitions && !all.list[i].reason)
            add_samples(&b, out, &all.list[i]);
        else
            add_median(&b, out, &all.list[i]);
    entries_free(&all);
    return json_write(&b, out, 3, file);
}
