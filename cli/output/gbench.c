#include "cli/output/gbench.h"

#include <math.h>
#include <string.h>

json_t *gbench_begin(json_builder *b, const kt_report_origin *origin, const char *executable)
{
    json_t *document = json_object(), *context = json_object();
    json_set(b, context, "date", json_text(origin->started));
    json_set(b, context, "host_name", json_text(origin->host));
    json_set(b, context, "executable", json_text(executable));
    json_set(b, context, "num_cpus", json_count(origin->cores));
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
    const char *before = json_string_value(json_object_get(last, "name"));
    json_int_t family = json_integer_value(json_object_get(last, "family_index"));
    return before && strcmp(before, name) == 0 ? family : family + 1;
}

/* Its readers require a CPU time. A device has none: it is the time itself. */
void gbench_add(json_builder *b, json_t *document, const gbench_row *row)
{
    json_t *rows = json_object_get(document, "benchmarks"), *out = json_object();
    json_t *name = json_text(row->name);
    const char *text = json_string_value(name);
    json_set(b, out, "name", name);
    json_set(b, out, "family_index", json_integer(text ? family_of(rows, text) : 0));
    json_set(b, out, "per_family_instance_index", json_count(0));
    json_set(b, out, "run_name", json_text(row->name));
    json_set(b, out, "run_type", json_text("iteration"));
    json_set(b, out, "repetitions", json_count(row->repetitions));
    json_set(b, out, "repetition_index", json_count(row->repetition));
    json_set(b, out, "threads", json_count(1));
    json_set(b, out, "iterations", json_count(row->iterations));
    json_set(b, out, "real_time", json_real(row->time_ns));
    json_set(b, out, "cpu_time", json_real(row->time_ns));
    json_set(b, out, "time_unit", json_text("ns"));
    if (!isnan(row->bytes_per_second))
        json_set(b, out, "bytes_per_second", json_real(row->bytes_per_second));
    json_add(b, rows, out);
}
