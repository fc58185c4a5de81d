/* notes.c - what stands around the table of a comparison, one sentence each: how it ended,
 * what all rows have in common, what was not compared and why, what the words mean, and what the
 * sides are. */
#include "output/compare/notes.h"

#include "output/table/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAMES_MAX 3

typedef kt_compare_notes notes;

static void put_item(const notes *to, const char *const *texts)
{
    kt_print_item(to->style, to->writer, texts, NULL);
}

void kt_put_note(const kt_compare_notes *to, const char *text)
{
    kt_put_spelled(to->writer, to->style->spell, text);
}

void kt_begin_note(const kt_compare_notes *to)
{
    kt_put(to->writer, to->style->item);
}

void kt_end_note(const kt_compare_notes *to)
{
    kt_put(to->writer, "\n");
}

/* ---- counts ---- */

static bool is_one_sided(const kt_series_change *row)
{
    return !row->base_series || !row->new_series;
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
    kt_putf(to->writer, "%s%u %s", *separator, count, what);
    *separator = ", ";
}

void kt_print_compare_whole(const kt_compare_notes *to)
{
    static const kt_verdict order[] = {KT_VERDICT_SLOWER, KT_VERDICT_FASTER, KT_VERDICT_SAME,
                                       KT_VERDICT_INCONCLUSIVE};
    const kt_compare_document *document = to->document;
    uint32_t one_sided = count_one_sided(document);
    const char *separator = "";
    kt_put(to->writer, to->style->strong);
    if (document->change_count)
        kt_putf(to->writer, "On the whole %s: ", kt_verdict_name(document->verdict));
    else
        kt_put(to->writer, "Nothing to compare: neither side has a time");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        put_count(to, &separator, count_verdict(document, order[i]), kt_verdict_name(order[i]));
    put_count(to, &separator, count_verdict(document, KT_VERDICT_NONE) - one_sided, "not compared");
    put_count(to, &separator, one_sided, "on one side alone");
    kt_put(to->writer, to->style->strong);
    kt_end_note(to);
}

static void print_not_listed(const notes *to, uint32_t listed)
{
    const kt_compare_document *document = to->document;
    uint32_t same = count_verdict(document, KT_VERDICT_SAME);
    uint32_t compared = document->change_count - count_verdict(document, KT_VERDICT_NONE);
    const char *separator = ": ";
    if (listed == compared)
        return;
    uint32_t left = compared - listed, left_same = left < same ? left : same;
    kt_begin_note(to);
    kt_putf(to->writer, "%u row%s not shown", left, left == 1 ? " is" : "s are");
    put_count(to, &separator, left_same, kt_verdict_name(KT_VERDICT_SAME));
    put_count(to, &separator, left - left_same, kt_verdict_name(KT_VERDICT_INCONCLUSIVE));
    kt_put(to->writer, "; JSON has all (--json)");
    kt_end_note(to);
}

/* ---- what holds for all rows ---- */

/* "20 %" of slower, "a factor of 20" of faster, too. */
static char *size_text(double shift, char *text, size_t bytes)
{
    return kt_share_text(shift <= -10.0 / 11 ? 1 / (1 + shift) - 1 : fabs(shift), text, bytes);
}

bool kt_print_compare_taken_off(const kt_compare_notes *to)
{
    const kt_change_common *common = &to->document->common;
    double min_effect = to->document->options.min_effect;
    bool perhaps_large = common->unclear && !common->matters;
    char share[32], range[64], twice[32];
    if (!kt_is_taken_off(to->document))
        return false;
    kt_option_text(2 * min_effect, twice, sizeof twice);
    size_text(common->shift, share, sizeof share);
    kt_change_interval_text(common->shift_low, common->shift_high, min_effect, range, sizeof range);
    put_item(to,
             (const char *[]){common->matters ? "everything is " : "all rows together are ", share,
                              common->shift < 0 ? " faster" : " slower", " (95% interval ", range,
                              ")", perhaps_large ? ", perhaps by more than " : "",
                              perhaps_large ? twice : "", ": the machine, or something shared; ",
                              "BESIDES is what each row has besides", NULL});
    return true;
}

/* Slower rows may be a slower machine. */
static const char looks_alike[] =
    " what they have in common: a machine that is slower looks like slower rows";
static void print_too_few(const notes *to)
{
    const kt_compare_document *document = to->document;
    const kt_change_common *common = &document->common;
    if (isnan(common->shift_low) && count_changed(document))
        put_item(to, (const char *[]){common->rows < KT_WITNESSES_MIN ? "too few rows to tell"
                                      : common->witnesses < KT_WITNESSES_MIN
                                          ? "too few jobs to tell"
                                          : "the rows do not agree on",
                                      looks_alike, NULL});
}

/* Which runs stand alone in a row. */
static const char *who_is_alone(const kt_compare_document *document)
{
    bool base = document->base_side.runs == 1, new = document->new_side.runs == 1;
    return base && new ? "one run a side"
           : base      ? "one run in BASE"
           : new       ? "one run in NEW"
                       : "rows of one run on a side";
}

/* Where a side of a row has one run, what runs do is assumed of it. */
static const char may_differ[] =
    ", and single processes of one program may differ by much more; --runs 5 measures it";
static void print_run_noise(const notes *to)
{
    const kt_compare_document *document = to->document;
    double assumed = document->options.run_noise, taken = document->common.run_noise;
    const char *who = who_is_alone(document);
    char of[32], more[32];
    if (isnan(taken))
        return;
    kt_share_text(taken, more, sizeof more);
    kt_option_text(assumed, of, sizeof of);
    if (taken > assumed * (1 + 1e-9))
        put_item(to, (const char *[]){who, ": a run-to-run deviation of ", more,
                                      " is taken in place of the assumed ", of,
                                      ", for the rows scatter more", may_differ, NULL});
    else
        put_item(to, (const char *[]){who, ": a run-to-run deviation of ", of, " is assumed",
                                      may_differ, NULL});
}

/* What would be said of both sides has been said above. */
static void print_one_run(const notes *to)
{
    bool base = to->document->base_side.runs == 1, new = to->document->new_side.runs == 1;
    if (base != new)
        put_item(to, (const char *[]){who_is_alone(to->document),
                                      ": no row can be shown to be the same", NULL});
}

static uint32_t count_identical(const kt_compare_document *document)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < document->change_count; i++)
        count += document->changes[i].change.identical != 0;
    return count;
}

static void print_identical(const notes *to)
{
    uint32_t count = count_identical(to->document);
    if (!count)
        return;
    kt_begin_note(to);
    kt_putf(to->writer, "%u row%s the very same samples on both sides: one measurement, read twice",
            count, count == 1 ? " has" : "s have");
    kt_end_note(to);
}

/* ---- what the words mean ---- */

/* Of a row whose runs' noise was assumed nobody knows how often it is wrong. */
static bool any_single_changed(const kt_compare_document *document)
{
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_change *change = &document->changes[i].change;
        bool changed = change->verdict == KT_VERDICT_SLOWER || change->verdict == KT_VERDICT_FASTER;
        if (changed && (change->base_runs < 2 || change->new_runs < 2))
            return true;
    }
    return false;
}

static void print_changed_words(const notes *to, const char *effect)
{
    const kt_compare_document *document = to->document;
    char alpha[32];
    kt_option_text(document->options.alpha, alpha, sizeof alpha);
    if (!count_changed(document))
        return;
    if (any_single_changed(document))
        put_item(to, (const char *[]){"slower, faster: changed by ", effect, " or more", NULL});
    else
        put_item(to, (const char *[]){"slower, faster: changed by ", effect, " or more; at most ",
                                      alpha, " of the rows called so are not", NULL});
}

/* Each reason that stands in the column WHY. */
static void print_doubts(const notes *to)
{
    const kt_compare_document *document = to->document;
    bool said[KT_DOUBT_COUNT] = {false};
    char text[128];
    for (uint32_t i = 0; i < document->change_count; i++)
        said[kt_find_doubt(document, &document->changes[i].change)] = true;
    for (int doubt = KT_DOUBT_NONE + 1; doubt < KT_DOUBT_COUNT; doubt++)
        if (said[doubt])
            put_item(to, (const char *[]){
                             kt_doubt_name((kt_compare_doubt)doubt), ": ",
                             kt_doubt_text(document, (kt_compare_doubt)doubt, text, sizeof text),
                             NULL});
}

/* Of those that stand in the table. */
static void print_words(const notes *to)
{
    const kt_compare_document *document = to->document;
    char effect[32], twice[32];
    kt_option_text(document->options.min_effect, effect, sizeof effect);
    kt_option_text(2 * document->options.min_effect, twice, sizeof twice);
    print_changed_words(to, effect);
    if (count_verdict(document, KT_VERDICT_SAME))
        put_item(to, (const char *[]){"same: shown to be at most ", twice, " apart", NULL});
    if (count_verdict(document, KT_VERDICT_INCONCLUSIVE))
        put_item(to, (const char *[]){"inconclusive: neither is shown",
                                      kt_find_outlook(document).decided
                                          ? "; with as many runs a side as NEEDS says it would be"
                                          : "",
                                      NULL});
    print_doubts(to);
    put_item(to, (const char *[]){
                     "BASE and NEW are means of the runs' medians, ",
                     kt_is_taken_off(document)
                         ? "BESIDES how they differ but for what all rows have in common"
                         : "CHANGE is how they differ",
                     "; drawn: = its interval, o the change, : a change of ", effect, NULL});
}

/* What so noisy a machine could tell. */
static void print_decidable(const notes *to)
{
    const kt_compare_document *document = to->document;
    const kt_compare_outlook of = kt_find_outlook(document);
    char effect[32], text[32];
    if (!(of.min_effect > document->options.min_effect && of.min_effect < 1))
        return;
    kt_option_text(document->options.min_effect, effect, sizeof effect);
    kt_option_text(of.min_effect, text, sizeof text);
    kt_begin_note(to);
    kt_putf(to->writer,
            "too noisy to decide %s: %u row%s; what these runs can decide is about %s "
            "(--min-effect %.3g%%)",
            effect, of.noisy, of.noisy == 1 ? "" : "s", text, 100 * of.min_effect);
    kt_end_note(to);
}

/* ---- the sides ---- */

static const char *name_of(const kt_compare_source *side, uint32_t index)
{
    return side->names && side->names[index] ? side->names[index] : "";
}

static void print_side(const notes *to, const char *label, const kt_compare_source *side)
{
    const char *first = NULL, *last = NULL;
    kt_begin_note(to);
    kt_put(to->writer, label);
    for (uint32_t i = 0; i < side->count; i++) {
        const char *started = side->started ? side->started[i] : NULL;
        first = started && (!first || strcmp(started, first) < 0) ? started : first;
        last = started && (!last || strcmp(started, last) > 0) ? started : last;
        if (i >= NAMES_MAX || !name_of(side, i)[0])
            continue;
        kt_put_note(to, name_of(side, i));
        kt_put_note(to, ", ");
    }
    if (side->names && side->count > NAMES_MAX)
        kt_putf(to->writer, "%u more, ", side->count - NAMES_MAX);
    kt_putf(to->writer, "%u run%s", side->runs, side->runs == 1 ? "" : "s");
    if (first) {
        kt_put_note(to, ", ");
        kt_put_note(to, first);
    }
    if (first && strcmp(first, last) != 0) {
        kt_put_note(to, " .. ");
        kt_put_note(to, last);
    }
    kt_end_note(to);
}

/* A device of the head that differs from the first of its id has changed between the sides; it is
 * said once. */
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

bool kt_print_compare_drivers(const kt_compare_notes *to)
{
    const kt_document *head = to->document->head;
    bool said = false;
    for (uint32_t i = 0; i < head->device_count; i++) {
        const kt_device_info *info = &head->devices[i].info, *changed = find_changed(head, i);
        if (!changed || kt_find_device(head, info->id) != &head->devices[i])
            continue;
        bool same_name = strcmp(info->name, changed->name) == 0;
        put_item(to, (const char *[]){same_name ? "the driver of " : "the name of ", info->id,
                                      " differs, which may be all that changed: BASE ", info->name,
                                      ", ", info->driver, "; NEW ", changed->name, ", ",
                                      changed->driver, NULL});
        said = true;
    }
    return said;
}

static void print_device(const notes *to, uint32_t index)
{
    const kt_document *head = to->document->head;
    const kt_device_info *info = &head->devices[index].info;
    if (kt_find_device(head, info->id) == &head->devices[index] && !find_changed(head, index))
        put_item(to, (const char *[]){info->id, ": ", info->name, ", ", info->driver, NULL});
}

static void print_sides(const notes *to)
{
    const char *only = to->jobs->only_device;
    print_side(to, "BASE: ", &to->document->base_side);
    print_side(to, "NEW: ", &to->document->new_side);
    for (uint32_t i = 0; i < to->document->head->device_count; i++)
        print_device(to, i);
    if (only && !kt_find_device(to->document->head, only))
        put_item(to, (const char *[]){"all rows are of ", only, NULL});
}

void kt_print_compare_notes(const kt_compare_notes *to, uint32_t listed)
{
    kt_print_failed(to);
    print_not_listed(to, listed);
    if (listed)
        print_too_few(to);
    kt_print_not_compared(to);
    /* Of one measurement no run was judged. */
    if (count_identical(to->document) < to->document->common.rows) {
        print_run_noise(to);
        print_one_run(to);
    }
    print_identical(to);
    print_decidable(to);
    kt_put(to->writer, to->style->fold_begin);
    if (listed)
        print_words(to);
    print_sides(to);
    kt_put(to->writer, to->style->fold_end);
}
