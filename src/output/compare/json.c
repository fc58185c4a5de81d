/* SPDX-License-Identifier: MIT */
/* json.c - writes a comparison as document "compare" of schema kerntime/1 (docs/result-file.md). */
#include "output/json/json.h"
#include "output/compare/notes.h"

#include <math.h>

static void print_texts(kt_json *json, const char *key, const char *const *texts, uint32_t count)
{
    kt_json_key(json, key);
    kt_json_open_line(json, '[');
    for (uint32_t i = 0; i < count; i++)
        kt_json_text(json, texts[i]);
    kt_json_close(json, ']');
}

static void print_side(kt_json *json, const char *key, const kt_compare_source *side)
{
    kt_json_key(json, key);
    kt_json_open(json, '{');
    print_texts(json, "files", side->names, side->names ? side->count : 0);
    print_texts(json, "started", side->started, side->count);
    kt_json_integer_member(json, "runs", side->runs);
    kt_json_close(json, '}');
}

static const char *timing_name(kt_timing timing)
{
    return timing == KT_TIMING_DEVICE ? "device" : timing == KT_TIMING_WALL ? "wall" : "both";
}

static void print_options(kt_json *json, const kt_compare_document *document)
{
    const kt_compare_options *options = &document->options;
    bool assumed = !isnan(document->common.run_noise);
    kt_json_key(json, "options");
    kt_json_open_line(json, '{');
    kt_json_number_member(json, "min_effect", options->min_effect);
    kt_json_number_member(json, "alpha", options->alpha);
    kt_json_number_member(json, "run_noise", assumed ? options->run_noise : NAN);
    kt_json_text_member(json, "timing", timing_name(options->timing));
    kt_json_close(json, '}');
}

static void print_common_mode(kt_json *json, const kt_common_mode_shift *common)
{
    kt_json_key(json, "common_mode");
    kt_json_open_line(json, '{');
    kt_json_integer_member(json, "rows", (int64_t)common->rows);
    kt_json_integer_member(json, "groups", (int64_t)common->groups);
    kt_json_integer_member(json, "exceptions", (int64_t)common->exceptions);
    kt_json_number_member(json, "shift", common->shift);
    kt_json_interval_member(json, "shift_ci95", common->shift_low, common->shift_high);
    kt_json_bool_member(json, "matters", common->matters != 0);
    kt_json_bool_member(json, "unclear", common->unclear != 0);
    kt_json_number_member(json, "run_noise", common->run_noise);
    kt_json_close(json, '}');
}

static void print_counts(kt_json *json, const kt_compare_document *document)
{
    uint32_t counts[KT_VERDICT_COUNT] = {0}, partly = 0;
    for (uint32_t i = 0; i < document->change_count; i++) {
        counts[document->changes[i].change.verdict]++;
        partly += document->changes[i].contender_failed > 0;
    }
    kt_json_key(json, "counts");
    kt_json_open_line(json, '{');
    for (int verdict = KT_VERDICT_SAME; verdict < KT_VERDICT_COUNT; verdict++)
        kt_json_integer_member(json, kt_verdict_name((kt_verdict)verdict), counts[verdict]);
    kt_json_integer_member(json, "not_compared", counts[KT_VERDICT_NONE]);
    kt_json_integer_member(json, "partly", partly);
    kt_json_close(json, '}');
}

static void print_change(kt_json *json, const kt_change *change)
{
    kt_json_number_member(json, "baseline_ns", change->baseline_ns);
    kt_json_number_member(json, "contender_ns", change->contender_ns);
    kt_json_integer_member(json, "baseline_runs", change->baseline_runs);
    kt_json_integer_member(json, "contender_runs", change->contender_runs);
    kt_json_number_member(json, "shift", change->shift);
    kt_json_interval_member(json, "shift_ci95", change->shift_low, change->shift_high);
    kt_json_number_member(json, "deviation", change->deviation);
    kt_json_number_member(json, "p", change->p);
    kt_json_number_member(json, "q", change->q);
    kt_json_number_member(json, "rank_p", change->rank_p);
    kt_json_number_member(json, "p_longer", change->p_longer);
    kt_json_number_member(json, "min_detectable_effect", change->min_detectable_effect);
    kt_json_number_member(json, "runs_needed", change->runs_needed ? change->runs_needed : NAN);
    kt_json_bool_member(json, "identical", change->identical != 0);
}

/* Why a row was not compared, or has no sure verdict. */
static const char *reason(const kt_compare_document *document, const kt_series_change *row,
                          char *text, size_t bytes)
{
    kt_compare_doubt doubt = kt_find_doubt(document, &row->change);
    if (doubt == KT_DOUBT_LIKELY)
        return kt_likely_text(document, &row->change, text, bytes);
    return doubt == KT_DOUBT_NONE ? row->reason : kt_doubt_text(document, doubt, text, bytes);
}

static void print_row(kt_json *json, const kt_compare_document *document,
                      const kt_series_change *row)
{
    char text[128];
    const kt_series *series = kt_compare_series(row);
    kt_json_open(json, '{');
    kt_json_text_member(json, "name", series->name);
    kt_json_text_member(json, "workload", series->workload);
    kt_print_json_params(json, series->params, series->param_count);
    kt_json_text_member(json, "variant", series->variant);
    kt_json_text_member(json, "device", series->device);
    kt_json_text_member(json, "step", series->step);
    kt_json_text_member(json, "kind", kt_series_kind_name(series->kind));
    kt_json_text_member(json, "verdict", kt_verdict_name(row->change.verdict));
    kt_json_text_member(json, "reason", reason(document, row, text, sizeof text));
    kt_json_integer_member(json, "baseline_failed", row->baseline_failed);
    kt_json_integer_member(json, "contender_failed", row->contender_failed);
    kt_json_text_member(json, "error", row->error);
    kt_json_text_member(json, "state_change", row->state_change);
    print_change(json, &row->change);
    kt_json_close(json, '}');
}

void kt_print_compare_json(const kt_compare_document *document, kt_writer *writer)
{
    kt_json json = {.writer = writer};
    kt_json_open(&json, '{');
    kt_print_json_head(&json, document->head);
    kt_print_json_devices(&json, document->head);
    print_side(&json, "baseline", &document->baseline_side);
    print_side(&json, "contender", &document->contender_side);
    print_options(&json, document);
    kt_json_text_member(&json, "verdict", kt_verdict_name(document->verdict));
    print_common_mode(&json, &document->common);
    print_counts(&json, document);
    kt_json_key(&json, "rows");
    kt_json_open(&json, '[');
    for (uint32_t i = 0; i < document->change_count; i++)
        print_row(&json, document, &document->changes[i]);
    kt_json_close(&json, ']');
    kt_json_close(&json, '}');
}
