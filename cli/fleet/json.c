/* SPDX-License-Identifier: MIT */
/* json.c - the document "fleet" (docs/result-fleet.md). */
#include "cli/output/json.h"

#include "cli/fleet/fleet.h"

#include <math.h>
#include <string.h>

static json_t *make_files(json_builder *b, const fleet *of)
{
    json_t *out = json_object(), *left_out = json_array();
    json_set(b, out, "count", json_count(of->file_count));
    json_set(b, out, "read", json_count(of->counts.read));
    json_set(b, out, "incomplete", json_count(of->counts.incomplete));
    for (size_t i = 0; i < of->file_count; i++) {
        const fleet_file *file = &of->files[i];
        if (!file->problem)
            continue;
        json_t *item = json_object();
        json_set(b, item, "path", json_text(file->path));
        json_set(b, item, "problem", json_text(file->problem));
        json_set(b, item, "incomplete", json_boolean(file->is_incomplete));
        json_add(b, left_out, item);
    }
    json_set(b, out, "left_out", left_out);
    return out;
}

static json_t *make_setting(int64_t value)
{
    return value == FLEET_UNKNOWN ? json_null() : json_integer(value);
}

static json_t *make_groups(json_builder *b, const fleet *of)
{
    json_t *out = json_array();
    for (size_t i = 0; i < of->group_count; i++) {
        const fleet_group *group = &of->groups[i];
        json_t *item = json_object();
        json_set(b, item, "name", json_text(group->name));
        json_set(b, item, "driver", json_text(group->driver));
        const fleet_settings *s = &group->settings;
        bool knows_locks = s->clocks_locked != FLEET_UNKNOWN;
        json_set(b, item, "power_limit_w", make_setting(s->power_limit_w));
        json_set(b, item, "clocks_locked",
                 knows_locks ? json_boolean(s->clocks_locked) : json_null());
        json_set(b, item, "core_clock_max_mhz", make_setting(s->core_clock_max_mhz));
        json_set(b, item, "devices", json_count(group->device_count));
        json_add(b, out, item);
    }
    return out;
}

static json_t *make_workloads(json_builder *b, const fleet *of)
{
    json_t *out = json_array();
    for (size_t i = 0; i < of->workload_count; i++) {
        const fleet_workload *w = &of->workloads[i];
        const kt_fleet_population *p = &of->populations[i];
        json_t *item = json_object();
        json_set(b, item, "group", json_count(w->group));
        json_set(b, item, "name", json_text(w->name));
        json_set(b, item, "variant", json_text(w->variant));
        json_set(b, item, "step", json_text(w->step));
        json_set(b, item, "kind", json_text(kt_series_kind_name(w->kind)));
        json_set(b, item, "method", json_text(kt_method_name(w->method)));
        json_set(b, item, "cold", json_boolean(w->is_cold));
        json_set(b, item, "devices", json_count(w->device_count));
        json_set(b, item, "slow", json_count(w->slow_count));
        json_set(b, item, "median_ns", json_number(p->median_ns));
        json_set(b, item, "spread", json_number(p->spread));
        json_set(b, item, "noise", json_number(p->noise));
        json_add(b, out, item);
    }
    return out;
}

static json_t *make_cell(json_builder *b, const kt_fleet_cell *cell, size_t number)
{
    json_t *out = json_object(), *interval = isnan(cell->low) ? json_null() : json_array();
    json_set(b, out, "workload", json_count(number));
    json_set(b, out, "runs", json_count(cell->run_count));
    json_set(b, out, "time_ns", json_number(cell->time_ns));
    json_set(b, out, "noise", json_number(cell->noise));
    json_set(b, out, "effect", json_number(cell->effect));
    if (!isnan(cell->low)) {
        json_add(b, interval, json_number(cell->low));
        json_add(b, interval, json_number(cell->high));
    }
    json_set(b, out, "effect_ci95", interval);
    json_set(b, out, "p", json_number(cell->p));
    json_set(b, out, "robust_z", json_number(cell->robust_z));
    json_set(b, out, "answer", json_text(fleet_cell_word(cell)));
    return out;
}

static json_t *make_reasons(json_builder *b, uint32_t mask)
{
    json_t *out = json_array();
    for (uint32_t bit = 1; bit & KT_THROTTLE_MASK; bit <<= 1)
        if (mask & bit)
            json_add(b, out, json_text(kt_throttle_name((kt_throttle)bit)));
    return out;
}

static json_t *make_device(json_builder *b, const fleet *of, const fleet_device *d)
{
    json_t *out = json_object(), *list = json_array(), *times = json_array();
    json_set(b, out, "node", json_text(d->node));
    json_set(b, out, "id", json_text(d->id));
    json_set(b, out, "uuid", json_text(d->uuid[0] ? d->uuid : NULL));
    json_set(b, out, "pci_address", json_text(d->pci_address[0] ? d->pci_address : NULL));
    json_set(b, out, "serial", json_text(d->serial[0] ? d->serial : NULL));
    json_set(b, out, "group", json_count(d->group));
    json_set(b, out, "file", json_text(of->files[d->file].path));
    json_set(b, out, "answer", json_text(fleet_answer_word(d)));
    for (size_t i = 0; i < fleet_problem_count; i++)
        if (d->problems & fleet_problems[i].bit)
            json_add(b, list, json_text(fleet_problems[i].name));
    json_set(b, out, "problems", list);
    json_set(b, out, "reason", json_text(d->reason));
    json_set(b, out, "throttled_share", json_number(fleet_left_out(d)));
    json_set(b, out, "throttled_reasons", make_reasons(b, d->left_out_for));
    json_set(b, out, "kept_reasons", make_reasons(b, d->throttle));
    for (size_t i = 0; i < d->cell_count; i++) {
        size_t cell = of->device_cells[d->first_cell + i];
        json_add(b, times, make_cell(b, &of->cells[cell], of->cell_workloads[cell]));
    }
    json_set(b, out, "times", times);
    return out;
}

/* Devices in the order of the table, each with its times in the order of workloads. */
static json_t *make_devices(json_builder *b, const fleet *of)
{
    json_t *out = json_array();
    for (size_t i = 0; i < of->device_count; i++)
        json_add(b, out, make_device(b, of, &of->devices[of->order[i]]));
    return out;
}

static json_t *make_places(json_builder *b, const fleet_place *places, size_t count)
{
    json_t *out = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *item = json_object();
        json_set(b, item, "name", json_text(places[i].name));
        json_set(b, item, "devices", json_count(places[i].device_count));
        json_set(b, item, "slow", json_count(places[i].slow_count));
        json_set(b, item, "bad", json_count(places[i].bad_count));
        json_set(b, item, "median_effect", json_number(places[i].median));
        json_set(b, item, "worst_effect", json_number(places[i].worst));
        json_add(b, out, item);
    }
    return out;
}

static json_t *make_missing(json_builder *b, const fleet *of)
{
    json_t *out = json_array();
    for (size_t i = 0; i < of->missing_count; i++) {
        json_t *item = json_object();
        json_set(b, item, "job", json_text(of->missing[i].job[0] ? of->missing[i].job : NULL));
        json_set(b, item, "size",
                 of->missing[i].size == KT_LAUNCH_UNKNOWN ? json_null()
                                                          : json_count(of->missing[i].size));
        json_set(b, item, "count", json_count(of->missing[i].count));
        json_set(b, item, "ranks", json_text(of->missing[i].ranks));
        json_add(b, out, item);
    }
    return out;
}

static json_t *make_counts(json_builder *b, const fleet_counts *c)
{
    json_t *out = json_object();
    json_set(b, out, "devices", json_count(c->devices));
    json_set(b, out, "good", json_count(c->good));
    json_set(b, out, "slow", json_count(c->slow));
    json_set(b, out, "undecided", json_count(c->undecided));
    json_set(b, out, "not_judged", json_count(c->unjudged));
    json_set(b, out, "wrong", json_count(c->wrong));
    json_set(b, out, "failed", json_count(c->failed));
    json_set(b, out, "measured_twice", json_count(c->twice));
    json_set(b, out, "throttled", json_count(c->throttled));
    json_set(b, out, "missing_ranks", json_count(c->missing));
    return out;
}

static const char *verdict_of(const fleet *of)
{
    switch (fleet_exit_code(of)) {
    case EXIT_DONE: return "none_slow";
    case EXIT_SLOWER: return "slow";
    case EXIT_FAILED: return "incomplete";
    default: return "undecided";
    }
}

#define DEPTH 5 /* a time is a line */

bool fleet_print_json(const fleet *of, FILE *file)
{
    json_builder b = {.failed = false};
    json_t *out = json_object(), *command = json_array(), *body = json_object(),
           *notes = json_array();
    json_set(&b, out, "schema", json_text("kerntime/1"));
    json_set(&b, out, "document", json_text("fleet"));
    json_set(&b, out, "version", json_text(kt_version()));
    for (uint32_t i = 0; i < of->options->word_count; i++)
        json_add(&b, command, json_text(of->options->words[i]));
    json_set(&b, out, "command", command);
    json_set(&b, body, "min_effect", json_number(of->min_effect));
    json_set(&b, body, "alpha", json_number(of->alpha));
    json_set(&b, body, "verdict", json_text(verdict_of(of)));
    json_set(&b, body, "counts", make_counts(&b, &of->counts));
    json_set(&b, body, "files", make_files(&b, of));
    json_set(&b, body, "groups", make_groups(&b, of));
    json_set(&b, body, "workloads", make_workloads(&b, of));
    json_set(&b, body, "devices", make_devices(&b, of));
    json_set(&b, body, "nodes", make_places(&b, of->nodes, of->node_count));
    json_set(&b, body, "slots", make_places(&b, of->slots, of->slot_count));
    json_set(&b, body, "missing", make_missing(&b, of));
    for (size_t i = 0; i < of->note_count; i++)
        json_add(&b, notes, json_text(of->notes[i]));
    json_set(&b, body, "notes", notes);
    json_set(&b, out, "fleet", body);
    return json_write(&b, out, DEPTH, file);
}
