/* SPDX-License-Identifier: MIT */
#include "cli/output/action.h"

#include "cli/output/entries.h"
#include "cli/output/json.h"

#include <inttypes.h>
#include <math.h>

static json_t *make_bench(json_builder *b, const entry *e)
{
    char range[64], extra[128];
    json_t *out = json_object();
    json_set(b, out, "name", json_text(e->name));
    json_set(b, out, "unit", json_text("ns"));
    json_set(b, out, "value", json_real(e->time_ns));
    /* The page shows one distance: that of the farther end. */
    double half = fmax(e->time_ns - e->low_ns, e->high_ns - e->time_ns);
    if (!isnan(e->low_ns) && !isnan(e->high_ns)) {
        snprintf(range, sizeof range, "± %.6g", half);
        json_set(b, out, "range", json_text(range));
    }
    snprintf(extra, sizeof extra, "method: %s\nsamples: %" PRIu64 "\nruns: %zu",
             kt_method_name(e->series[0]->method), e->samples, e->measured);
    json_set(b, out, "extra", json_text(extra));
    return out;
}

bool action_write(const kt_report *report, const cli_options *options, FILE *file)
{
    (void)options;
    json_builder b = {.failed = false};
    json_t *out = json_array();
    entries all;
    if (!entries_make(report, &all)) {
        json_decref(out);
        return false;
    }
    for (size_t i = 0; i < all.count; i++)
        if (!all.list[i].reason)
            json_add(&b, out, make_bench(&b, &all.list[i]));
    entries_say_left_out(&all, "--action");
    entries_free(&all);
    return json_write(&b, out, 1, file);
}
