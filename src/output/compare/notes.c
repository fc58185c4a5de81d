/* SPDX-License-Identifier: MIT */
/* notes.c - writes the notes around the table of a comparison: the overall verdict, the common-mode
 * shift, rows not compared and why, the meaning of the words, and the two sides. */
#include "output/compare/notes.h"

#include "output/table/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMES_MAX 3

typedef kt_compare_notes notes;

static void add_fact(const notes *to, const char *const *texts)
{
    kt_add_note(to->list, KT_NOTE_FACT, texts, NULL);
}

static void add_warning(const notes *to, const char *const *texts)
{
    kt_add_note(to->list, KT_NOTE_WARNING, texts, NULL);
}

/* ---- counts ---- */

static bool is_one_sided(const kt_series_change *row)
{
    return !row->baseline_series || !row->contender_series;
}

static uint32_t count_verdict(const kt_compare_document *document, kt_verdict verdict)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < document->change_count; i++)
        count += document->changes[i].change.verdict == verdict;
    return count;
}

static uint32_t count_changed(const kt_compare_document *document)
{
    return count_verdict(document, KT_VERDICT_SLOWER) + count_verdict(document, KT_VERDICT_FASTER);
}

static uint32_t count_likely(const kt_compare_document *document)
{
    return count_verdict(document, KT_VERDICT_LIKELY_SLOWER) +
           count_verdict(document, KT_VERDICT_LIKELY_FASTER);
}

static uint32_t count_one_sided(const kt_compare_document *document)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < document->change_count; i++)
        count += is_one_sided(&document->changes[i]);
    return count;
}

static void put_count(const notes *to, const char **separator, uint32_t count, const char *what)
{
    if (!count)
        return;
    kt_putf_note(to->list, "%s%u %s", *separator, count, what);
    *separator = ", ";
}

/* Largest change that the interval of an inconclusive row contains, as a share; NaN: unknown. */
static double find_not_excluded(const kt_compare_document *document)
{
    double most = 1;
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_change *change = &document->changes[i].change;
        if (change->verdict != KT_VERDICT_INCONCLUSIVE)
            continue;
        if (!kt_has_interval(change))
            return NAN;
        most = fmax(most, fmax(1 + change->shift_high, 1 / (1 + change->shift_low)));
    }
    return most - 1;
}

/* Why the whole is inconclusive although no row is. */
static const char *find_obstacle(const kt_compare_document *document)
{
    for (uint32_t i = 0; i < document->change_count; i++)
        if (document->changes[i].contender_failed)
            return "runs of the contender failed";
    return document->common.matters || document->common.unclear ? "all rows shifted"
           : document->common.rows                              ? "some rows were not compared"
                                                                : "no row was compared";
}

/* What an inconclusive comparison shows, and what it leaves open. */
static void put_meaning(const notes *to)
{
    const kt_compare_document *document = to->document;
    double most = find_not_excluded(document);
    char share[32];
    kt_putf_note(to->list, " (%s; ",
                 count_changed(document) + count_likely(document) ? "no row is slower"
                                                                  : "no change shown");
    if (!count_verdict(document, KT_VERDICT_INCONCLUSIVE))
        kt_put_note(to->list, find_obstacle(document));
    else if (most < 9)
        kt_putf_note(to->list, "changes up to %s are not excluded",
                     kt_share_text(most, share, sizeof share));
    else
        kt_putf_note(to->list, "changes of %s are not excluded",
                     isnan(most) ? "any size" : "10x and more");
    kt_put_note(to->list, "): ");
}

/* The likely change that is the largest, of the verdict of the whole. */
static void put_likely(const notes *to)
{
    const kt_compare_document *document = to->document;
    const kt_change *largest = NULL;
    char text[128];
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_change *change = &document->changes[i].change;
        if (change->verdict == document->verdict &&
            (!largest || fabs(log1p(change->shift)) > fabs(log1p(largest->shift))))
            largest = change;
    }
    kt_putf_note(to->list, ": %s; ",
                 largest ? kt_likely_text(document, largest, text, sizeof text) : "");
}

static void put_counts(const notes *to)
{
    static const kt_verdict order[] = {KT_VERDICT_SLOWER, KT_VERDICT_LIKELY_SLOWER,
                                       KT_VERDICT_FASTER, KT_VERDICT_LIKELY_FASTER,
                                       KT_VERDICT_SAME,   KT_VERDICT_INCONCLUSIVE};
    const kt_compare_document *document = to->document;
    uint32_t one_sided = count_one_sided(document);
    const char *separator = "";
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        put_count(to, &separator, count_verdict(document, order[i]), kt_verdict_text(order[i]));
    put_count(to, &separator, count_verdict(document, KT_VERDICT_NONE) - one_sided, "not compared");
    put_count(to, &separator, one_sided, "only in one of them");
}

void kt_print_compare_whole(const kt_compare_notes *to)
{
    const kt_compare_document *document = to->document;
    kt_verdict verdict = document->verdict;
    char head[64];
    kt_begin_note(to->list);
    if (!document->change_count) {
        snprintf(head, sizeof head, "Nothing to compare");
        kt_put_note(to->list, ": neither baseline nor contender has a time");
    } else {
        snprintf(head, sizeof head, "Overall %s", kt_verdict_text(verdict));
        if (verdict != KT_VERDICT_INCONCLUSIVE)
            kt_put_state_changes(to, verdict);
        if (verdict == KT_VERDICT_INCONCLUSIVE)
            put_meaning(to);
        else if (kt_is_likely(&(kt_change){.verdict = verdict}))
            put_likely(to);
        else
            kt_put_note(to->list, ": ");
        put_counts(to);
    }
    kt_put(to->writer, to->style->strong);
    kt_begin_color(to->writer, kt_verdict_color(verdict));
    kt_put(to->writer, head);
    kt_end_color(to->writer, kt_verdict_color(verdict));
    kt_put_wrapped(to->writer, to->list->line, (unsigned)strlen(head), 2, to->writer->sink->width);
    kt_put(to->writer, to->style->strong);
    kt_put(to->writer, "\n");
}

static void add_not_listed(const notes *to, uint32_t listed)
{
    const kt_compare_document *document = to->document;
    uint32_t same = count_verdict(document, KT_VERDICT_SAME);
    uint32_t compared = document->change_count - count_verdict(document, KT_VERDICT_NONE);
    if (listed == compared)
        return;
    uint32_t left = compared - listed, left_same = left < same ? left : same;
    kt_begin_note(to->list);
    kt_putf_note(to->list, "%u row%s not shown", left, left == 1 ? " is" : "s are");
    if (left_same)
        kt_putf_note(to->list, ", %u same", left_same);
    if (left > left_same)
        kt_putf_note(to->list, ", %u inconclusive", left - left_same);
    kt_put_note(to->list, "; --json has all");
    kt_end_note(to->list, KT_NOTE_FACT);
}

/* ---- notes on all rows ---- */

/* Size of a shift without its direction: "20 %" or "a factor of 20". */
static char *size_text(double shift, char *text, size_t bytes)
{
    return kt_share_text(shift <= -10.0 / 11 ? 1 / (1 + shift) - 1 : fabs(shift), text, bytes);
}

/* A shift of most rows that was not subtracted, since the others do not share it. */
static void add_exceptions(const notes *to)
{
    const kt_common_mode_shift *common = &to->document->common;
    double shift = sqrt((1 + common->shift_low) * (1 + common->shift_high)) - 1;
    const char *direction = shift < 0 ? "faster" : "slower";
    char share[32], counts[64];
    if (!common->exceptions || fabs(shift) < to->document->options.min_effect)
        return;
    snprintf(counts, sizeof counts, "%zu of %zu %s not", common->exceptions, common->groups,
             common->exceptions == 1 ? "is" : "are");
    add_warning(to,
                (const char *[]){"most ", common->groups < common->rows ? "jobs are " : "rows are ",
                                 size_text(shift, share, sizeof share), " ", direction, "; ",
                                 counts, "; look for what the ", direction, " ones share", NULL});
}

void kt_add_common_mode(const kt_compare_notes *to)
{
    const kt_common_mode_shift *common = &to->document->common;
    double min_effect = to->document->options.min_effect;
    bool perhaps_large = common->unclear && !common->matters;
    char share[32], range[64], twice[32];
    if (!kt_is_taken_off(to->document)) {
        add_exceptions(to);
        return;
    }
    kt_option_text(2 * min_effect, twice, sizeof twice);
    size_text(common->shift, share, sizeof share);
    kt_change_interval_text(common->shift_low, common->shift_high, min_effect, range, sizeof range);
    add_warning(to,
                (const char *[]){
                    "common-mode shift: ", common->matters ? "everything is " : "all rows are ",
                    share, common->shift < 0 ? " faster" : " slower", " (95% interval ", range, ")",
                    perhaps_large ? ", perhaps by more than " : "", perhaps_large ? twice : "",
                    "; check the machine, then read RESIDUAL: each row without that shift", NULL});
}

static void add_too_few(const notes *to)
{
    const kt_compare_document *document = to->document;
    const kt_common_mode_shift *common = &document->common;
    if (isnan(common->shift_low) && count_changed(document))
        add_warning(to, (const char *[]){
                            common->rows < KT_GROUPS_MIN     ? "too few rows"
                            : common->groups < KT_GROUPS_MIN ? "too few jobs"
                                                             : "rows disagree too much",
                            " to tell a slower machine from slower code; measure more workloads",
                            NULL});
}

/* Which sides have a single run. */
static const char *who_is_alone(const kt_compare_document *document)
{
    bool base = document->baseline_side.runs == 1, new = document->contender_side.runs == 1;
    return base && new ? "one run each"
           : base      ? "one run in the baseline"
           : new       ? "one run in the contender"
                       : "some rows have one run";
}

/* With a single run the run-to-run deviation is assumed. */
static void add_run_noise(const notes *to)
{
    const kt_compare_document *document = to->document;
    double assumed = document->options.run_noise, taken = document->common.run_noise;
    char of[32], more[32] = "", runs[32];
    if (isnan(taken))
        return;
    kt_option_text(assumed, of, sizeof of);
    if (taken > assumed * (1 + 1e-9))
        kt_share_text(taken, more, sizeof more);
    add_warning(to, (const char *[]){who_is_alone(document), ": a run-to-run deviation of ",
                                     *more ? more : of, " is assumed",
                                     *more ? " (the rows scatter that much)" : "", "; ",
                                     kt_runs_text(document, 5, runs, sizeof runs),
                                     document->of_program ? " measure it" : " measures it", NULL});
}

/* Adds a note if only one side has a single run; add_run_noise() covers two such sides. */
static void add_one_run(const notes *to)
{
    bool base = to->document->baseline_side.runs == 1, new = to->document->contender_side.runs == 1;
    char runs[32];
    if (base != new)
        add_fact(to, (const char *[]){who_is_alone(to->document),
                                      ": no row can be shown to be the same; use ",
                                      kt_runs_text(to->document, 5, runs, sizeof runs), NULL});
}

/* All rows, or none, compare a measurement with itself. */
static bool is_read_twice(const kt_compare_document *document)
{
    bool identical = false;
    for (uint32_t i = 0; i < document->change_count; i++)
        identical |= document->changes[i].change.identical != 0;
    return identical;
}

/* ---- meaning of the words ---- */

/* With an assumed run noise the error rate of a verdict is unknown. */
static bool any_single_changed(const kt_compare_document *document)
{
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_change *change = &document->changes[i].change;
        bool changed = change->verdict == KT_VERDICT_SLOWER || change->verdict == KT_VERDICT_FASTER;
        if (changed && (change->baseline_runs < 2 || change->contender_runs < 2))
            return true;
    }
    return false;
}

static void add_changed_words(const notes *to, const char *effect)
{
    const kt_compare_document *document = to->document;
    char alpha[32];
    kt_option_text(document->options.alpha, alpha, sizeof alpha);
    if (!count_changed(document))
        return;
    if (any_single_changed(document))
        add_fact(to, (const char *[]){"slower, faster: changed by ", effect, " or more", NULL});
    else
        add_fact(to, (const char *[]){"slower, faster: changed by ", effect, " or more; at most ",
                                      alpha, " of these verdicts are wrong", NULL});
}

/* Explains each reason in the column REASON. */
static void add_doubts(const notes *to)
{
    const kt_compare_document *document = to->document;
    bool said[KT_DOUBT_COUNT] = {false};
    char text[128];
    for (uint32_t i = 0; i < document->change_count; i++)
        said[kt_find_doubt(document, &document->changes[i].change)] = true;
    /* A likely verdict explains its doubt. */
    for (int doubt = KT_DOUBT_NONE + 1; doubt < KT_DOUBT_LIKELY; doubt++)
        if (said[doubt])
            add_fact(to, (const char *[]){
                             kt_doubt_name((kt_compare_doubt)doubt), ": ",
                             kt_doubt_text(document, (kt_compare_doubt)doubt, text, sizeof text),
                             NULL});
}

void kt_add_compare_words(const kt_compare_notes *to)
{
    const kt_compare_document *document = to->document;
    char effect[32], twice[32];
    kt_option_text(document->options.min_effect, effect, sizeof effect);
    kt_option_text(2 * document->options.min_effect, twice, sizeof twice);
    add_changed_words(to, effect);
    if (count_likely(document))
        add_fact(to, (const char *[]){"likely slower, likely faster: 1.5x or more, and the samples "
                                      "hardly overlap; the next run may still differ",
                                      NULL});
    if (count_verdict(document, KT_VERDICT_SAME))
        add_fact(to, (const char *[]){"same: shown to be at most ", twice, " apart", NULL});
    if (count_verdict(document, KT_VERDICT_INCONCLUSIVE))
        add_fact(to, (const char *[]){
                         "inconclusive: neither a change nor its absence is shown",
                         kt_find_outlook(document).decided ? "; RUNS NEEDED would decide it" : "",
                         NULL});
    add_doubts(to);
    add_fact(to, (const char *[]){"BASELINE and CONTENDER: means of the runs' medians. ",
                                  kt_is_taken_off(document)
                                      ? "RESIDUAL: change without the common-mode shift"
                                      : "CHANGE: contender over baseline",
                                  ". Bar: = interval, o change, : marks ", effect, NULL});
}

/* Adds the smallest effect that such a noisy machine could show. */
static void add_min_detectable_effect(const notes *to)
{
    const kt_compare_document *document = to->document;
    const kt_compare_outlook of = kt_find_outlook(document);
    char effect[32], text[32];
    if (!(of.min_effect > document->options.min_effect && of.min_effect < 1))
        return;
    kt_option_text(document->options.min_effect, effect, sizeof effect);
    kt_option_text(of.min_effect, text, sizeof text);
    kt_begin_note(to->list);
    kt_putf_note(to->list,
                 "too noisy for %s: %u row%s; minimum detectable effect about %s: --min-effect "
                 "%.3g%%, or more runs",
                 effect, of.noisy, of.noisy == 1 ? "" : "s", text, 100 * of.min_effect);
    kt_end_note(to->list, KT_NOTE_WARNING);
}

/* ---- sources ---- */

static const char *name_of(const kt_compare_source *side, uint32_t index)
{
    return side->names && side->names[index] ? side->names[index] : "";
}

/* Prints the text of the current note as a line, not as a note. */
static void print_line(const notes *to)
{
    kt_put(to->writer, to->style->item);
    kt_put_wrapped(to->writer, to->list->line, 0, 2, to->writer->sink->width);
    kt_put(to->writer, "\n");
}

static void put_line(const notes *to, const char *const *texts)
{
    kt_begin_note(to->list);
    for (; *texts; texts++)
        kt_put_note(to->list, *texts);
    print_line(to);
}

static void print_source(const notes *to, const char *label, const kt_compare_source *side)
{
    const char *first = NULL, *last = NULL;
    kt_begin_note(to->list);
    kt_put_note(to->list, label);
    for (uint32_t i = 0; i < side->count; i++) {
        const char *started = side->started ? side->started[i] : NULL;
        first = started && (!first || strcmp(started, first) < 0) ? started : first;
        last = started && (!last || strcmp(started, last) > 0) ? started : last;
        if (i >= NAMES_MAX || !name_of(side, i)[0])
            continue;
        kt_put_note(to->list, name_of(side, i));
        kt_put_note(to->list, ", ");
    }
    if (side->names && side->count > NAMES_MAX)
        kt_putf_note(to->list, "%u more, ", side->count - NAMES_MAX);
    kt_putf_note(to->list, "%u run%s", side->runs, side->runs == 1 ? "" : "s");
    if (first) {
        kt_put_note(to->list, ", ");
        kt_put_note(to->list, first);
    }
    if (first && strcmp(first, last) != 0) {
        kt_put_note(to->list, " .. ");
        kt_put_note(to->list, last);
    }
    print_line(to);
}

/* Another entry, further down the list, of the same device id with a different name or driver: the
 * device changed between baseline and contender. NULL: no such entry. */
static const kt_device_info *find_changed(const kt_document *head, uint32_t index)
{
    const kt_device_info *info = &head->devices[index].info;
    for (uint32_t i = index + 1; i < head->device_count; i++) {
        const kt_device_info *other = &head->devices[i].info;
        if (strcmp(other->id, info->id) == 0 && !kt_is_same_make(other, info))
            return other;
    }
    return NULL;
}

void kt_add_changed_drivers(const kt_compare_notes *to)
{
    const kt_document *head = to->document->head;
    for (uint32_t i = 0; i < head->device_count; i++) {
        const kt_device_info *info = &head->devices[i].info, *changed = find_changed(head, i);
        if (!changed || kt_find_device(head, info->id) != &head->devices[i])
            continue;
        bool same_name = strcmp(info->name, changed->name) == 0;
        add_warning(to, (const char *[]){same_name ? "driver of " : "name of ", info->id,
                                         " differs, which may be all that changed: baseline ",
                                         info->name, ", ", info->driver, "; contender ",
                                         changed->name, ", ", changed->driver, NULL});
    }
}

static void print_device(const notes *to, uint32_t index)
{
    const kt_document *head = to->document->head;
    const kt_device_info *info = &head->devices[index].info;
    if (kt_find_device(head, info->id) == &head->devices[index] && !find_changed(head, index))
        put_line(to, (const char *[]){info->id, ": ", info->name, ", ", info->driver, NULL});
}

void kt_print_sources(const kt_compare_notes *to)
{
    const char *only = to->jobs->only_device;
    print_source(to, "baseline: ", &to->document->baseline_side);
    print_source(to, "contender: ", &to->document->contender_side);
    /* A screen has room for few lines, so it gets no list of devices. */
    uint32_t devices = to->writer->sink->notes_max ? 0 : to->document->head->device_count;
    for (uint32_t i = 0; i < devices; i++)
        print_device(to, i);
    if (only && !kt_find_device(to->document->head, only))
        put_line(to, (const char *[]){"all rows are of ", only, NULL});
}

void kt_add_compare_notes(const kt_compare_notes *to, uint32_t listed)
{
    kt_add_failed(to);
    if (listed)
        add_too_few(to);
    kt_add_not_compared(to);
    if (is_read_twice(to->document)) {
        static const char *const texts[] = {"baseline and contender are one result, read twice",
                                            NULL};
        kt_add_note(to->list, KT_NOTE_WARNING, texts, NULL);
    } else if (to->document->common.rows) {
        add_run_noise(to);
        add_one_run(to);
    }
    add_min_detectable_effect(to);
    add_not_listed(to, listed);
}
