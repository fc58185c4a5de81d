/* SPDX-License-Identifier: MIT */
#include "cli/output/bmf.h"

#include "cli/output/entries.h"
#include "cli/output/json.h"

#include <math.h>

static json_t *make_latency(json_builder *b, const entry *e)
{
    json_t *latency = json_object();
    json_set(b, latency, "value", json_real(e->time_ns));
    if (!isnan(e->low_ns) && !isnan(e->high_ns)) {
        json_set(b, latency, "lower_value", json_real(e->low_ns));
        json_set(b, latency, "upper_value", json_real(e->high_ns));
    }
    return latency;
}

bool bmf_write(const kt_report *report, const cli_options *options, FILE *file)
{
    (void)options;
    json_builder b = {.failed = false};
    json_t *out = json_object();
    entries all;
    if (!entries_make(report, &all)) {
        json_decref(out);
        return false;
    }
    for (size_t i = 0; i < all.count; i++) {
        const entry *e = &all.list[i];
        if (e->reason)
            continue;
        json_t *measures = json_object(), *name = json_text(e->name);
        json_set(&b, measures, "latency", make_latency(&b, e));
        json_set(&b, out, name ? json_string_value(name) : "", measures);
        json_decref(name);
    }
    entries_say_left_out(&all, "--bmf");
    entries_free(&all);
    return json_write(&b, out, 1, file);
}
