/* Reports compared: rows matched, refused or judged. The numbers are compare.c's. */
#include "compare/report_comparison.h"

#include "compare/copied.h"
#include "compare/lacking.h"
#include "compare/sides.h"
#include "support/alloc.h"
#include "support/error.h"
#include "support/keep.h"
#include "support/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_names[KT_SIDE_COUNT] = {"BASE", "NEW"};

/* What is needed while comparing. */
typedef struct work {
    kt_report_comparison *to;
    kt_matching matching;
    kt_compare_run *runs; /* those of both sides for each row */
    kt_compare_row *rows; /* those that are compared */
    uint32_t *row_of;     /* the number of each among all */
    size_t row_count;
    kt_change *changes; /* of each */
    bool identical;     /* both sides are one measurement */
    kt_status status;   /* once it is not KT_OK, sentences are NULL */
} work;

static void *keep(kt_report_comparison *to, void *memory)
{
    return kt_keep(&to->copies, &to->copy_count, memory);
}

/* A sentence of any length. */
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

/* ---- rows without a time ---- */

static const char *say_lack(work *w, const kt_lack *of, const char *where)
{
    return say(w, "%s in %s%s%s", of->what, where, of->reason ? ": " : "",
               of->reason ? of->reason : "");
}

static const char *say_lacks(work *w, const kt_lack lacks[KT_SIDE_COUNT])
{
    const kt_lack *base = &lacks[KT_SIDE_BASE], *new = &lacks[KT_SIDE_NEW];
    if (!base->what || !new->what)
        return base->what ? say_lack(w, base, side_names[KT_SIDE_BASE])
                          : say_lack(w, new, side_names[KT_SIDE_NEW]);
    if (strcmp(base->what, new->what) == 0 && kt_same_text(base->reason, new->reason))
        return say_lack(w, base, "both");
    const char *one = say_lack(w, base, side_names[KT_SIDE_BASE]);
    const char *other = say_lack(w, new, side_names[KT_SIDE_NEW]);
    return one && other ? say(w, "%s; %s", one, other) : NULL;
}

/* ---- rows that are not comparable ---- */

/* One process measures each time once. */
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

/* Why the runs of a side are not of one kind; NULL: they are. */
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
        const char *why = refuse_side(w, row, side);
        if (why)
            return why;
        first[side] = first_with_time(row->of[side], row->count[side]);
    }
    if (kt_differ(&first[KT_SIDE_BASE]->taken, &first[KT_SIDE_NEW]->taken, &d))
        return say(w, "the %s differ: %s in %s, %s in %s", d.what, d.one, side_names[KT_SIDE_BASE],
                   d.other, side_names[KT_SIDE_NEW]);
    return NULL;
}

/* ---- rows ---- */

static const kt_change nothing = {.base_ns = NAN,
                                  .new_ns = NAN,
                                  .shift = NAN,
                                  .shift_low = NAN,
                                  .shift_high = NAN,
                                  .deviation = NAN,
                                  .p = NAN,
                                  .q = NAN,
                                  .rank_p = NAN,
                                  .decidable = NAN};

static const kt_summary no_samples = {.median = NAN};

/* Of a side, each at the place that its process has in all rows; one without a time does not
 * count. */
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
        &w->runs[w->row_count * ((size_t)runs[KT_SIDE_BASE] + runs[KT_SIDE_NEW])];
    kt_compare_run *new = base + runs[KT_SIDE_BASE];
    place_runs(w, &w->matching.rows[number], KT_SIDE_BASE, base);
    place_runs(w, &w->matching.rows[number], KT_SIDE_NEW, new);
    w->rows[w->row_count] = (kt_compare_row){.group = w->matching.rows[number].job,
                                             .base_runs = base,
                                             .new_runs = new,
                                             .base_count = runs[KT_SIDE_BASE],
                                             .new_count = runs[KT_SIDE_NEW],
                                             .identical = w->identical};
    w->row_of[w->row_count++] = number;
}

/* What failed is not fine because it ran well another time. */
static void note_failed(work *w, uint32_t number)
{
    const kt_matched_row *row = &w->matching.rows[number];
    kt_series_change *out = &w->to->changes[number];
    const kt_series *first[KT_SIDE_COUNT];
    out->base_failed = kt_count_failed(row, KT_SIDE_BASE, &first[KT_SIDE_BASE]);
    out->new_failed = kt_count_failed(row, KT_SIDE_NEW, &first[KT_SIDE_NEW]);
    const kt_series *failed = first[KT_SIDE_NEW] ? first[KT_SIDE_NEW] : first[KT_SIDE_BASE];
    out->error = failed ? failed->error : NULL;
    w->to->partly += out->new_failed > 0;
}

/* Compared, or why not. */
static void settle(work *w, uint32_t number)
{
    const kt_matched_row *row = &w->matching.rows[number];
    kt_series_change *out = &w->to->changes[number];
    *out = (kt_series_change){.change = nothing};
    out->base_series = row->count[KT_SIDE_BASE] ? row->of[KT_SIDE_BASE]->taken.series : NULL;
    out->new_series = row->count[KT_SIDE_NEW] ? row->of[KT_SIDE_NEW]->taken.series : NULL;
    if (!out->base_series || !out->new_series) {
        out->why = out->base_series ? "only in BASE" : "only in NEW";
        /* A time that vanished is not a fine one. */
        w->to->refused += out->base_series && !kt_find_lack(row, KT_SIDE_BASE).what;
        return;
    }
    const kt_lack lacks[] = {kt_find_lack(row, KT_SIDE_BASE), kt_find_lack(row, KT_SIDE_NEW)};
    bool lacking = lacks[KT_SIDE_BASE].what || lacks[KT_SIDE_NEW].what;
    out->why = lacking ? say_lacks(w, lacks) : refuse(w, row);
    /* What neither can measure tells nothing of what changed. */
    if (out->why && !(lacks[KT_SIDE_BASE].what && lacks[KT_SIDE_NEW].what))
        w->to->refused++;
    if (out->why)
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
            continue;
        }
        change->change = nothing;
        change->why = "the times are further apart than a number can tell";
        w->to->refused++;
    }
    kt_free(scratch);
    return status;
}

static kt_verdict judge(const kt_report_comparison *c)
{
    size_t counts[KT_VERDICT_INCONCLUSIVE + 1] = {0}, compared = 0;
    for (uint32_t i = 0; i < c->document.change_count; i++)
        counts[c->changes[i].change.verdict]++;
    for (int verdict = KT_VERDICT_SAME; verdict <= KT_VERDICT_INCONCLUSIVE; verdict++)
        compared += counts[verdict];
    if (counts[KT_VERDICT_SLOWER])
        return KT_VERDICT_SLOWER;
    const kt_change_common *common = &c->document.common;
    if (counts[KT_VERDICT_INCONCLUSIVE] || c->refused || c->partly || !compared ||
        common->matters || common->unclear)
        return KT_VERDICT_INCONCLUSIVE;
    return counts[KT_VERDICT_FASTER] ? KT_VERDICT_FASTER : KT_VERDICT_SAME;
}

static kt_status compare_all(work *w, const kt_compare_side sides[KT_SIDE_COUNT],
                             const kt_compare_options *options)
{
    kt_report_comparison *to = w->to;
    kt_status status = kt_match(&w->matching, sides, options->timing);
    if (status != KT_OK)
        return status;
    status = kt_find_copies(&w->matching, sides, &w->identical);
    if (status != KT_OK)
        return status;
    uint32_t count = w->matching.row_count;
    size_t runs = (size_t)w->matching.runs[KT_SIDE_BASE] + w->matching.runs[KT_SIDE_NEW];
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

/* ---- what would decide it ---- */

bool kt_has_interval(const kt_change *change)
{
    return isfinite(change->shift_low) && isfinite(change->shift_high);
}

/* It would take more runs than anybody measures. */
static bool is_too_noisy(const kt_change *change)
{
    return change->verdict == KT_VERDICT_INCONCLUSIVE && kt_has_interval(change) &&
           (!change->runs_needed || change->runs_needed > KT_RUNS_USUAL);
}

/* To two digits, and no less. */
static double round_up(double effect)
{
    double unit = pow(10, floor(log10(effect)) - 1);
    return effect > 0 && isfinite(effect) ? ceil(effect / unit) * unit : effect;
}

static void look_at(kt_compare_outlook *of, const kt_change *change)
{
    of->inconclusive += change->verdict == KT_VERDICT_INCONCLUSIVE;
    if (is_too_noisy(change)) {
        bool known = !isnan(change->decidable) && !isnan(of->min_effect);
        of->min_effect = known ? fmax(of->min_effect, change->decidable) : NAN;
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

/* ---- what a comparison is made of ---- */

static int by_value(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static kt_status count_runs(const kt_report *report, uint32_t *runs)
{
    uint32_t *numbers = kt_alloc(report->series_count, sizeof *numbers);
    if (!numbers)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < report->series_count; i++)
        numbers[i] = report->series[i].run;
    if (report->series_count)
        qsort(numbers, report->series_count, sizeof *numbers, by_value);
    for (uint32_t i = 0; i < report->series_count; i++)
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
        started[i] = side->reports[i]->desc.origin->started;
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

/* Whether the reports of a side name it differently, or its driver. */
static bool is_mixed(const kt_compare_side *side, const kt_device_info *info)
{
    const kt_device_info *first = NULL;
    for (uint32_t i = 0; i < side->count; i++) {
        const kt_report *report = side->reports[i];
        uint32_t at = kt_report_find_device(report, info->id);
        const kt_device_info *found = at < report->device_count ? &report->devices[at].info : NULL;
        first = first ? first : found;
        if (found && !kt_is_same_make(found, first))
            return true;
    }
    return false;
}

/* Each device once, and once more if it is another one, or has another driver, on the new side.
 * What a side does not agree on has not changed from one side to the other. */
static kt_status list_devices(kt_report_comparison *to, const kt_compare_side sides[KT_SIDE_COUNT],
                              unsigned side)
{
    uint32_t first = to->head.device_count; /* of this side */
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < sides[side].count; i++)
        for (uint32_t k = 0; k < sides[side].reports[i]->device_count && status == KT_OK; k++) {
            const kt_document_device *device = &sides[side].reports[i]->devices[k];
            const kt_document_device *listed = find_listed(to, 0, device->info.id);
            if (listed && (find_listed(to, first, device->info.id) ||
                           kt_is_same_make(&listed->info, &device->info) ||
                           is_mixed(&sides[KT_SIDE_BASE], &device->info) ||
                           is_mixed(&sides[KT_SIDE_NEW], &device->info)))
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
            room += sides[side].reports[i]->device_count;
    if (status == KT_OK && !(to->devices = kt_alloc(room, sizeof *to->devices)))
        status = KT_NO_MEMORY;
    for (unsigned side = 0; side < KT_SIDE_COUNT && status == KT_OK; side++)
        status = list_devices(to, sides, side);
    if (status != KT_OK)
        return status;
    uint32_t device_count = to->head.device_count;
    to->head = kt_report_document(to->report);
    to->head.devices = to->devices;
    to->head.device_count = device_count;
    to->document.head = &to->head;
    status = describe_side(to, &sides[KT_SIDE_BASE], &to->document.base_side);
    if (status == KT_OK)
        status = describe_side(to, &sides[KT_SIDE_NEW], &to->document.new_side);
    return status;
}

/* ---- the public functions ---- */

kt_status kt_report_compare(const kt_compare_side *base_side, const kt_compare_side *new_side,
                            const kt_compare_options *options, const kt_report_desc *desc,
                            kt_report_comparison **out)
{
    if (!base_side || !base_side->count || !new_side || !new_side->count)
        return kt_fail(KT_INVALID, "a side of the comparison has no report");
    const kt_compare_side sides[KT_SIDE_COUNT] = {
        [KT_SIDE_BASE] = *base_side, [KT_SIDE_NEW] = *new_side};
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
    kt_report_comparison *c = *comparison;
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
    return comparison->document.change_count;
}

const kt_series_change *kt_report_comparison_row(const kt_report_comparison *comparison,
                                                 uint32_t index)
{
    return index < comparison->document.change_count ? &comparison->changes[index] : NULL;
}

const kt_change_common *kt_report_comparison_common(const kt_report_comparison *comparison)
{
    return &comparison->document.common;
}

kt_verdict kt_report_comparison_verdict(const kt_report_comparison *comparison)
{
    return comparison->document.verdict;
}

void kt_report_comparison_outlook(const kt_report_comparison *comparison, kt_compare_outlook *out)
{
    *out = kt_find_outlook(&comparison->document);
}
