/* SPDX-License-Identifier: MIT */
/* report_comparison.c - compares reports: matches rows, refuses incomparable ones and judges the
 * rest. compare.c does the statistics. */
#include "compare/report_comparison.h"

#include "compare/duplicate_runs.h"
#include "compare/missing_rows.h"
#include "compare/run_statistics.h"
#include "compare/state_change.h"
#include "support/alloc.h"
#include "support/error.h"
#include "support/keep.h"
#include "support/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_names[KT_SIDE_COUNT] = {"the baseline", "the contender"};

/* State of a comparison while it is computed. */
typedef struct work {
    kt_report_comparison *to;
    kt_matching matching;
    kt_compare_run *runs; /* runs of both sides, for each row */
    kt_compare_row *rows; /* compared rows */
    uint32_t *row_of;     /* index of each compared row among all rows */
    size_t row_count;
    kt_change *changes; /* one per compared row */
    bool identical;     /* both sides are one measurement */
    kt_status status;   /* after a failure, formatted texts are NULL */
} work;

static void *keep(kt_report_comparison *to, void *memory)
{
    return kt_keep(&to->copies, &to->copy_count, memory);
}

/* Formats a text of any length, owned by the comparison. */
static const char *say(work *w, const char *format, ...) KT_PRINTF(2, 3);
static const char *say(work *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : keep(w->to, kt_alloc((size_t)length + 1, 1));
    if (!text) {
        w->status = KT_NO_MEMORY;
        return NULL;
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- missing times ---- */

static const char *say_missing(work *w, const kt_missing *of, const char *where)
{
    return say(w, "%s in %s%s%s", of->what, where, of->reason ? ": " : "",
               of->reason ? of->reason : "");
}

static const char *say_missing_times(work *w, const kt_missing missing[KT_SIDE_COUNT])
{
    const kt_missing *base = &missing[KT_SIDE_BASELINE], *new = &missing[KT_SIDE_CONTENDER];
    if (!base->what || !new->what)
        return base->what ? say_missing(w, base, side_names[KT_SIDE_BASELINE])
                          : say_missing(w, new, side_names[KT_SIDE_CONTENDER]);
    if (strcmp(base->what, new->what) == 0 && kt_same_text(base->reason, new->reason))
        return say_missing(w, base, "both");
    const char *one = say_missing(w, base, side_names[KT_SIDE_BASELINE]);
    const char *other = say_missing(w, new, side_names[KT_SIDE_CONTENDER]);
    return one && other ? say(w, "%s; %s", one, other) : NULL;
}

/* ---- incomparable rows ---- */

/* Whether one run has the same time twice. */
static bool is_twice(const kt_matched *of, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (of[i].report == of[i - 1].report &&
            of[i].taken.series->run == of[i - 1].taken.series->run)
            return true;
    return false;
}

static const kt_matched *first_with_time(const kt_matched *of, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (kt_has_time(&of[i]))
            return &of[i];
    return NULL;
}

/* Why the runs of a side are not comparable with each other; NULL: they are. */
static const char *refuse_side(work *w, const kt_matched_row *row, unsigned side)
{
    const kt_matched *of = row->of[side];
    const kt_matched *first = first_with_time(of, row->count[side]);
    kt_difference d;
    if (is_twice(of, row->count[side]))
        return say(w, "a run of %s has it twice", side_names[side]);
    for (uint32_t i = 0; i < row->count[side]; i++)
        if (kt_has_time(&of[i]) && (kt_differ(&first->taken, &of[i].taken, &d) ||
                                    kt_differ_in_driver(&first->taken, &of[i].taken, &d)))
            return say(w, "the %s differ within %s: %s and %s", d.what, side_names[side], d.one,
                       d.other);
    return NULL;
}

static const char *refuse(work *w, const kt_matched_row *row)
{
    const kt_matched *first[KT_SIDE_COUNT];
    kt_difference d;
    for (unsigned side = 0; side < KT_SIDE_COUNT; side++) {
        const char *reason = refuse_side(w, row, side);
        if (reason)
            return reason;
        first[side] = first_with_time(row->of[side], row->count[side]);
    }
    if (kt_differ(&first[KT_SIDE_BASELINE]->taken, &first[KT_SIDE_CONTENDER]->taken, &d))
        return say(w, "the %s differ: %s in %s, %s in %s", d.what, d.one,
                   side_names[KT_SIDE_BASELINE], d.other, side_names[KT_SIDE_CONTENDER]);
    return NULL;
}

/* ---- rows ---- */

static const kt_change nothing = {.baseline_ns = NAN,
                                  .contender_ns = NAN,
                                  .shift = NAN,
                                  .shift_low = NAN,
                                  .shift_high = NAN,
                                  .deviation = NAN,
                                  .p = NAN,
                                  .q = NAN,
                                  .rank_p = NAN,
                                  .p_longer = NAN,
                                  .min_detectable_effect = NAN};

static const kt_summary no_samples = {.median = NAN};

/* Places each run of a side at the same index in all rows. A run without a time does not count. */
static void place_runs(const work *w, const kt_matched_row *row, unsigned side,
                       kt_compare_run *runs)
{
    for (uint32_t i = 0; i < w->matching.runs[side]; i++)
        runs[i] = (kt_compare_run){.summary = &no_samples};
    for (uint32_t i = 0; i < row->count[side]; i++) {
        const kt_series *series = row->of[side][i].taken.series;
        if (kt_has_time(&row->of[side][i]))
            runs[row->of[side][i].run] =
                (kt_compare_run){.samples = series->samples_ns, .summary = &series->summary};
    }
}

static void add_row(work *w, uint32_t number)
{
    const uint32_t *runs = w->matching.runs;
    kt_compare_run *base =
        &w->runs[w->row_count * ((size_t)runs[KT_SIDE_BASELINE] + runs[KT_SIDE_CONTENDER])];
    kt_compare_run *new = base + runs[KT_SIDE_BASELINE];
    place_runs(w, &w->matching.rows[number], KT_SIDE_BASELINE, base);
    place_runs(w, &w->matching.rows[number], KT_SIDE_CONTENDER, new);
    w->rows[w->row_count] = (kt_compare_row){.group = w->matching.rows[number].job,
                                             .baseline_runs = base,
                                             .contender_runs = new,
                                             .baseline_count = runs[KT_SIDE_BASELINE],
                                             .contender_count = runs[KT_SIDE_CONTENDER],
                                             .identical = w->identical};
    w->row_of[w->row_count++] = number;
}

/* Counts failed runs, even if other runs of the row succeeded. */
static void note_failed(work *w, uint32_t number)
{
    const kt_matched_row *row = &w->matching.rows[number];
    kt_series_change *out = &w->to->changes[number];
    const kt_series *first[KT_SIDE_COUNT];
    out->baseline_failed = kt_count_failed(row, KT_SIDE_BASELINE, &first[KT_SIDE_BASELINE]);
    out->contender_failed = kt_count_failed(row, KT_SIDE_CONTENDER, &first[KT_SIDE_CONTENDER]);
    const kt_series *failed =
        first[KT_SIDE_CONTENDER] ? first[KT_SIDE_CONTENDER] : first[KT_SIDE_BASELINE];
    out->error = failed ? failed->error : NULL;
    w->to->partly += out->contender_failed > 0;
}

static void note_state_change(work *w, uint32_t number)
{
    char text[KT_STATE_CHANGE_BYTES];
    if (kt_find_state_change(&w->matching.rows[number], text))
        w->to->changes[number].state_change = say(w, "%s", text);
}

/* Compares a row or notes why not. */
static void settle(work *w, uint32_t number)
{
    const kt_matched_row *row = &w->matching.rows[number];
    kt_series_change *out = &w->to->changes[number];
    *out = (kt_series_change){.change = nothing};
    out->baseline_series =
        row->count[KT_SIDE_BASELINE] ? row->of[KT_SIDE_BASELINE]->taken.series : NULL;
    out->contender_series =
        row->count[KT_SIDE_CONTENDER] ? row->of[KT_SIDE_CONTENDER]->taken.series : NULL;
    if (!out->baseline_series || !out->contender_series) {
        out->reason = out->baseline_series ? "only in the baseline" : "only in the contender";
        /* A time that only the baseline has counts as refused. */
        w->to->refused += out->baseline_series && !kt_find_missing(row, KT_SIDE_BASELINE).what;
        return;
    }
    const kt_missing missing[] = {kt_find_missing(row, KT_SIDE_BASELINE),
                                  kt_find_missing(row, KT_SIDE_CONTENDER)};
    bool any = missing[KT_SIDE_BASELINE].what || missing[KT_SIDE_CONTENDER].what;
    out->reason = any ? say_missing_times(w, missing) : refuse(w, row);
    /* A row that neither side could measure shows no change, so it is not counted as refused. */
    if (out->reason && !(missing[KT_SIDE_BASELINE].what && missing[KT_SIDE_CONTENDER].what))
        w->to->refused++;
    if (out->reason)
        return;
    add_row(w, number);
}

static kt_status compare(work *w, const kt_compare_options *options)
{
    kt_compare_document *document = &w->to->document;
    void *scratch = kt_alloc(kt_compare_scratch_bytes(w->rows, w->row_count), 1);
    kt_status status = scratch ? kt_compare_rows(w->rows, w->row_count, options, scratch,
                                                 w->changes, &document->common)
                               : KT_NO_MEMORY;
    for (size_t i = 0; status == KT_OK && i < w->row_count; i++) {
        kt_series_change *change = &w->to->changes[w->row_of[i]];
        change->change = w->changes[i];
        if (change->change.verdict != KT_VERDICT_NONE) {
            note_failed(w, w->row_of[i]);
            note_state_change(w, w->row_of[i]);
            continue;
        }
        change->change = nothing;
        change->reason = "the times are further apart than a number can tell";
        w->to->refused++;
    }
    kt_free(scratch);
    return status == KT_OK ? w->status : status;
}

static kt_verdict judge(const kt_report_comparison *c)
{
    size_t counts[KT_VERDICT_COUNT] = {0}, compared = 0;
    for (uint32_t i = 0; i < c->document.change_count; i++)
        counts[c->changes[i].change.verdict]++;
    for (int verdict = KT_VERDICT_SAME; verdict < KT_VERDICT_COUNT; verdict++)
        compared += counts[verdict];
    if (counts[KT_VERDICT_SLOWER])
        return KT_VERDICT_SLOWER;
    if (counts[KT_VERDICT_LIKELY_SLOWER])
        return KT_VERDICT_LIKELY_SLOWER;
    const kt_common_mode_shift *common = &c->document.common;
    if (counts[KT_VERDICT_INCONCLUSIVE] || c->refused || c->partly || !compared ||
        common->matters || common->unclear)
        return KT_VERDICT_INCONCLUSIVE;
    if (counts[KT_VERDICT_LIKELY_FASTER])
        return KT_VERDICT_LIKELY_FASTER;
    return counts[KT_VERDICT_FASTER] ? KT_VERDICT_FASTER : KT_VERDICT_SAME;
}

static kt_status compare_all(work *w, const kt_compare_side sides[KT_SIDE_COUNT],
                             const kt_compare_options *options)
{
    kt_report_comparison *to = w->to;
    kt_status status = kt_find_duplicate_runs(sides, &w->identical);
    if (status == KT_OK)
        status = kt_match(&w->matching, sides, options->timing);
    if (status != KT_OK)
        return status;
    uint32_t count = w->matching.row_count;
    size_t runs = (size_t)w->matching.runs[KT_SIDE_BASELINE] + w->matching.runs[KT_SIDE_CONTENDER];
    w->runs = kt_alloc(count, runs * sizeof *w->runs);
    w->rows = kt_alloc(count, sizeof *w->rows);
    w->row_of = kt_alloc(count, sizeof *w->row_of);
    w->changes = kt_alloc(count, sizeof *w->changes);
    to->changes = kt_alloc(count, sizeof *to->changes);
    if (!w->runs || !w->rows || !w->row_of || !w->changes || !to->changes)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < count && w->status == KT_OK; i++)
        settle(w, i);
    status = w->status == KT_OK ? compare(w, options) : w->status;
    to->document.changes = to->changes;
    to->document.change_count = count;
    to->document.verdict = judge(to);
    return status;
}

/* ---- outlook ---- */

bool kt_has_interval(const kt_change *change)
{
    return isfinite(change->shift_low) && isfinite(change->shift_high);
}

/* Needs more runs than is practical. */
static bool is_too_noisy(const kt_change *change)
{
    return change->verdict == KT_VERDICT_INCONCLUSIVE && kt_has_interval(change) &&
           (!change->runs_needed || change->runs_needed > KT_RUNS_USUAL);
}

/* Rounds up to two digits. */
static double round_up(double effect)
{
    double unit = pow(10, floor(log10(effect)) - 1);
    return effect > 0 && isfinite(effect) ? ceil(effect / unit) * unit : effect;
}

static void look_at(kt_compare_outlook *of, const kt_change *change)
{
    of->inconclusive += change->verdict == KT_VERDICT_INCONCLUSIVE;
    if (is_too_noisy(change)) {
        bool known = !isnan(change->min_detectable_effect) && !isnan(of->min_effect);
        of->min_effect = known ? fmax(of->min_effect, change->min_detectable_effect) : NAN;
        of->noisy++;
    } else if (change->verdict == KT_VERDICT_INCONCLUSIVE && change->runs_needed &&
               change->runs_needed <= KT_RUNS_USUAL) {
        of->runs = change->runs_needed > of->runs ? change->runs_needed : of->runs;
        of->decided++;
    }
}

kt_compare_outlook kt_find_outlook(const kt_compare_document *document)
{
    kt_compare_outlook of = {0};
    for (uint32_t i = 0; i < document->change_count; i++)
        look_at(&of, &document->changes[i].change);
    of.min_effect = round_up(of.min_effect);
    return of;
}

/* ---- devices of a comparison ---- */

static int by_value(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static kt_status count_runs(const kt_report *report, uint32_t *runs)
{
    uint32_t *numbers = kt_alloc(report->document.series_count, sizeof *numbers);
    if (!numbers)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < report->document.series_count; i++)
        numbers[i] = report->document.series[i].run;
    if (report->document.series_count)
        qsort(numbers, report->document.series_count, sizeof *numbers, by_value);
    for (uint32_t i = 0; i < report->document.series_count; i++)
        *runs += i == 0 || numbers[i] != numbers[i - 1];
    kt_free(numbers);
    return KT_OK;
}

static kt_status describe_side(kt_report_comparison *to, const kt_compare_side *side,
                               kt_compare_source *out)
{
    const char **started = keep(to, kt_alloc(side->count, sizeof *started));
    const char **names = keep(to, kt_alloc(side->count, sizeof *names));
    if (!started || !names)
        return KT_NO_MEMORY;
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < side->count && status == KT_OK; i++) {
        const char *name = side->names ? side->names[i] : NULL;
        const char *moment = side->reports[i]->document.desc.origin->started;
        started[i] = *moment ? moment : NULL; /* empty: unknown */
        names[i] = keep(to, kt_copy_text(name));
        status = name && !names[i] ? KT_NO_MEMORY : count_runs(side->reports[i], &out->runs);
    }
    out->count = side->count;
    out->started = started;
    out->names = side->names ? names : NULL;
    return status;
}

bool kt_is_same_make(const kt_device_info *one, const kt_device_info *other)
{
    return strcmp(one->name, other->name) == 0 && strcmp(one->driver, other->driver) == 0;
}

static const kt_document_device *find_listed(const kt_report_comparison *to, uint32_t from,
                                             const char *id)
{
    for (uint32_t i = from; i < to->head.device_count; i++)
        if (strcmp(to->devices[i].info.id, id) == 0)
            return &to->devices[i];
    return NULL;
}

/* Whether the reports of a side disagree about a device's name or driver. */
static bool is_mixed(const kt_compare_side *side, const kt_device_info *info)
{
    const kt_device_info *first = NULL;
    for (uint32_t i = 0; i < side->count; i++) {
        const kt_document_device *device = kt_find_device(&side->reports[i]->document, info->id);
        const kt_device_info *found = device ? &device->info : NULL;
        first = first ? first : found;
        if (found && !kt_is_same_make(found, first))
            return true;
    }
    return false;
}

/* Lists each device once, and again if its name or driver differs on the contender's side. A side
 * that disagrees within itself shows no change. */
static kt_status list_devices(kt_report_comparison *to, const kt_compare_side sides[KT_SIDE_COUNT],
                              unsigned side)
{
    uint32_t first = to->head.device_count; /* of this side */
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < sides[side].count; i++)
        for (uint32_t k = 0; k < sides[side].reports[i]->document.device_count && status == KT_OK;
             k++) {
            const kt_document_device *device = &sides[side].reports[i]->document.devices[k];
            const kt_document_device *listed = find_listed(to, 0, device->info.id);
            if (listed && (find_listed(to, first, device->info.id) ||
                           kt_is_same_make(&listed->info, &device->info) ||
                           is_mixed(&sides[KT_SIDE_BASELINE], &device->info) ||
                           is_mixed(&sides[KT_SIDE_CONTENDER], &device->info)))
                continue;
            to->devices[to->head.device_count++] = *device;
            status = kt_report_add_device(to->report, &device->info, NULL);
        }
    return status;
}

static kt_status describe(kt_report_comparison *to, const kt_compare_side sides[KT_SIDE_COUNT],
                          const kt_report_desc *desc)
{
    kt_report_desc own;
    size_t room = 0;
    kt_status status = kt_take_options(&own, sizeof own, desc, "kt_report_desc");
    own.size = sizeof own;
    own.document = "compare";
    if (status == KT_OK)
        status = kt_report_create(&to->report, &own);
    for (unsigned side = 0; side < KT_SIDE_COUNT; side++)
        for (uint32_t i = 0; i < sides[side].count; i++)
            room += sides[side].reports[i]->document.device_count;
    if (status == KT_OK && !(to->devices = kt_alloc(room, sizeof *to->devices)))
        status = KT_NO_MEMORY;
    for (unsigned side = 0; side < KT_SIDE_COUNT && status == KT_OK; side++)
        status = list_devices(to, sides, side);
    if (status != KT_OK)
        return status;
    uint32_t device_count = to->head.device_count;
    to->head = to->report->document;
    to->head.devices = to->devices;
    to->head.device_count = device_count;
    to->document.head = &to->head;
    to->document.of_program = !sides[KT_SIDE_BASELINE].reports[0]->document.desc.command_count;
    status = describe_side(to, &sides[KT_SIDE_BASELINE], &to->document.baseline_side);
    if (status == KT_OK)
        status = describe_side(to, &sides[KT_SIDE_CONTENDER], &to->document.contender_side);
    return status;
}

/* ---- the public functions ---- */

kt_status kt_report_compare(const kt_compare_side *baseline_side,
                            const kt_compare_side *contender_side,
                            const kt_compare_options *options, const kt_report_desc *desc,
                            kt_report_comparison **out)
{
    KT_NEED(out);
    if (!baseline_side || !baseline_side->count || !contender_side || !contender_side->count)
        return kt_fail(KT_INVALID, "baseline or contender has no report");
    const kt_compare_side sides[KT_SIDE_COUNT] = {
        [KT_SIDE_BASELINE] = *baseline_side, [KT_SIDE_CONTENDER] = *contender_side};
    kt_compare_options taken;
    kt_status status = kt_take_compare_options(&taken, options);
    if (status != KT_OK)
        return status;
    kt_report_comparison *comparison = kt_alloc(1, sizeof *comparison);
    if (!comparison)
        return KT_NO_MEMORY;
    work w = {.to = comparison};
    comparison->document.options = taken;
    status = describe(comparison, sides, desc);
    if (status == KT_OK)
        status = compare_all(&w, sides, &taken);
    kt_free_matching(&w.matching);
    kt_free(w.runs);
    kt_free(w.rows);
    kt_free(w.row_of);
    kt_free(w.changes);
    if (status == KT_OK)
        *out = comparison;
    else
        kt_report_comparison_destroy(&comparison);
    return status;
}

void kt_report_comparison_destroy(kt_report_comparison **comparison)
{
    kt_report_comparison *c = comparison ? *comparison : NULL;
    if (!c)
        return;
    kt_free_kept(&c->copies, &c->copy_count);
    kt_free(c->changes);
    kt_free(c->devices);
    kt_report_destroy(&c->report);
    kt_free(c);
    *comparison = NULL;
}

uint32_t kt_report_comparison_count(const kt_report_comparison *comparison)
{
    if (!comparison)
        return 0;
    return comparison->document.change_count;
}

const kt_series_change *kt_report_comparison_row(const kt_report_comparison *comparison,
                                                 uint32_t index)
{
    if (!comparison)
        return NULL;
    return index < comparison->document.change_count ? &comparison->changes[index] : NULL;
}

const kt_common_mode_shift *kt_report_comparison_common_mode(const kt_report_comparison *comparison)
{
    if (!comparison)
        return NULL;
    return &comparison->document.common;
}

kt_verdict kt_report_comparison_verdict(const kt_report_comparison *comparison)
{
    if (!comparison)
        return KT_VERDICT_INCONCLUSIVE;
    return comparison->document.verdict;
}

void kt_report_comparison_outlook(const kt_report_comparison *comparison, kt_compare_outlook *out)
{
    if (!comparison || !out)
        return;
    *out = kt_find_outlook(&comparison->document);
}
