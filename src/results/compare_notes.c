/* compare_notes.c - what stands around the table of a comparison, one sentence each: how it ended, what all rows have in common,
 * what was not compared and why, what the words mean, and what the sides are. */
#include "compare_notes.h"
#include "grid.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX   3
#define REASONS_MAX 8

/* What all rows have in common is noise below it, unless it matters. */
#define COMMON_SAID_FROM 0.001

typedef struct notes {
    const kt_compare_document *document;
    const kt_style *style;
    kt_writer *writer;
} notes;

static void put_item(const notes *to, const char *const *texts)
{
    kt_print_item(to->style, to->writer, texts, NULL);
}

/* For a sentence that is put together of parts. */
static void put_part(const notes *to, const char *text)
{
    kt_put_spelled(to->writer, to->style->spell, text);
}

static void begin_item(const notes *to)
{
    kt_put(to->writer, to->style->item);
}

static void end_item(const notes *to)
{
    kt_put(to->writer, "\n");
}

/* ---- words ---- */

const kt_series *kt_compare_series(const kt_series_change *row)
{
    return row->base_series ? row->base_series : row->new_series;
}

static const kt_series *series_at(const kt_compare_document *document, uint32_t index)
{
    return kt_compare_series(&document->changes[index]);
}

int kt_compare_device_length(const kt_series_change *row)
{
    const char *id = kt_compare_series(row)->device;
    const char *other = row->new_series ? row->new_series->device : id;
    int length = 0, part = 0;
    for (; id[length] && id[length] == other[length]; length++)
        part = id[length] == ':' ? length : part;
    bool ends = !id[length] || id[length] == ':',
         other_ends = !other[length] || other[length] == ':';
    return ends && other_ends ? length : part;
}

const char *kt_compare_only_device(const kt_compare_document *document)
{
    const char *only = document->change_count ? series_at(document, 0)->device : NULL;
    for (uint32_t i = 1; i < document->change_count; i++)
        if (strcmp(series_at(document, i)->device, only) != 0)
            return NULL;
    return only;
}

const char *kt_compare_step(const kt_compare_document *document, const kt_series *series)
{
    unsigned times = 0;
    if (series->kind == KT_SERIES_WALL)
        return series->step;
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_series *other = series_at(document, i);
        times += other->kind != KT_SERIES_WALL && kt_same_job(other, series);
    }
    return times > 1 ? series->step : NULL;
}

static int decimals_of(double min_effect)
{
    int decimals = 1;
    for (double shown = 0.005; decimals < 6 && min_effect < 0.999 * shown; shown /= 10)
        decimals++;
    return decimals;
}

/* Without its unit; what is rounded to 0 has no sign. */
static char *percent_text(double change, double min_effect, char *text, size_t bytes)
{
    double percent = 100 * change;
    int decimals = fabs(percent) >= 99.95 ? 0 : decimals_of(min_effect);
    snprintf(text, bytes, "%+.*f", decimals, percent);
    if (strtod(text, NULL) == 0)
        snprintf(text, bytes, "%.*f", decimals, 0.0);
    return text;
}

/* From here on a factor is easier to read. */
#define FACTOR_FROM 10

char *kt_change_text(double change, double min_effect, char *text, size_t bytes)
{
    char percent[24];
    if (!isfinite(change))
        snprintf(text, bytes, "-");
    else if (change >= FACTOR_FROM)
        snprintf(text, bytes, change < 9999 ? "%.1fx" : "%.2gx", 1 + change);
    else
        snprintf(text, bytes, "%s %%", percent_text(change, min_effect, percent, sizeof percent));
    return text;
}

char *kt_change_interval_text(double low, double high, double min_effect, char *text, size_t bytes)
{
    char from[32], to[32];
    if (!isfinite(low) || !isfinite(high))
        snprintf(text, bytes, "-");
    else if (high >= FACTOR_FROM)
        snprintf(text, bytes, "%s .. %s", kt_change_text(low, min_effect, from, sizeof from),
                 kt_change_text(high, min_effect, to, sizeof to));
    else
        snprintf(text, bytes, "%s .. %s %%", percent_text(low, min_effect, from, sizeof from),
                 percent_text(high, min_effect, to, sizeof to));
    return text;
}

/* "1 %", of an option: no more digits than it has. */
static char *option_text(double share, char *text, size_t bytes)
{
    snprintf(text, bytes, "%.3g %%", 100 * share);
    return text;
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

void kt_print_compare_whole(const kt_compare_document *document, const kt_style *style,
                            kt_writer *writer)
{
    static const kt_verdict order[] = {KT_VERDICT_SLOWER, KT_VERDICT_FASTER, KT_VERDICT_SAME,
                                       KT_VERDICT_INCONCLUSIVE};
    const notes to = {document, style, writer};
    uint32_t one_sided = count_one_sided(document);
    const char *separator = "";
    begin_item(&to);
    if (document->change_count)
        kt_putf(writer, "On the whole %s: ", kt_verdict_name(document->verdict));
    else
        kt_put(writer, "Nothing to compare: neither side has a time");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        put_count(&to, &separator, count_verdict(document, order[i]), kt_verdict_name(order[i]));
    put_count(&to, &separator, count_verdict(document, KT_VERDICT_NONE) - one_sided,
              "not compared");
    put_count(&to, &separator, one_sided, "on one side alone");
    end_item(&to);
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
    begin_item(to);
    kt_putf(to->writer, "%u row%s not shown", left, left == 1 ? " is" : "s are");
    put_count(to, &separator, left_same, kt_verdict_name(KT_VERDICT_SAME));
    put_count(to, &separator, left - left_same, kt_verdict_name(KT_VERDICT_INCONCLUSIVE));
    kt_put(to->writer, "; JSON has all (--json)");
    end_item(to);
}

/* ---- what was not compared ---- */

static bool is_same_group(const kt_series_change *a, const kt_series_change *b)
{
    if (a->change.verdict != KT_VERDICT_NONE || b->change.verdict != KT_VERDICT_NONE ||
        !a->base_series != !b->base_series || !a->new_series != !b->new_series)
        return false;
    return is_one_sided(a) || kt_same_text(a->why, b->why);
}

/* The rows of its job that follow each other. */
static void find_job(const kt_compare_document *document, uint32_t index, uint32_t *from,
                     uint32_t *to)
{
    const kt_series *series = series_at(document, index);
    *from = index;
    *to = index + 1;
    while (*from > 0 && kt_same_job(series_at(document, *from - 1), series))
        --*from;
    while (*to < document->change_count && kt_same_job(series_at(document, *to), series))
        ++*to;
}

typedef enum naming { NAMED_BEFORE, BY_JOB, BY_STEP } naming;

/* A job is named once if the same holds for all of its rows. */
static naming name_as(const kt_compare_document *document, uint32_t index)
{
    uint32_t from, to;
    find_job(document, index, &from, &to);
    for (uint32_t i = from; i < to; i++)
        if (!is_same_group(&document->changes[i], &document->changes[index]))
            return BY_STEP;
    return from == index ? BY_JOB : NAMED_BEFORE;
}

static void put_name(const notes *to, uint32_t index, naming as)
{
    const kt_series *series = series_at(to->document, index);
    const char *step = as == BY_STEP ? series->step : NULL;
    put_part(to, series->name);
    if (series->variant)
        put_part(to, " ");
    if (series->variant)
        put_part(to, series->variant);
    if (step)
        put_part(to, " ");
    if (step)
        put_part(to, step);
    if (kt_compare_only_device(to->document))
        return;
    char device[KT_GRID_CELL_BYTES];
    snprintf(device, sizeof device, " on %.*s",
             kt_compare_device_length(&to->document->changes[index]), series->device);
    put_part(to, device);
}

static bool is_said(const kt_compare_document *document, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (is_same_group(&document->changes[i], &document->changes[index]))
            return true;
    return false;
}

/* All rows of which the same is to be said as of this one, the first of them. */
static void print_group(const notes *to, uint32_t index)
{
    const kt_series_change *row = &to->document->changes[index];
    uint32_t named = 0;
    char more[32];
    begin_item(to);
    put_part(to, row->base_series && row->new_series ? "not compared: "
                 : row->base_series                  ? "only in BASE: "
                                                     : "only in NEW: ");
    for (uint32_t i = index; i < to->document->change_count; i++) {
        naming as = NAMED_BEFORE;
        if (is_same_group(&to->document->changes[i], row))
            as = name_as(to->document, i);
        if (as == NAMED_BEFORE || named++ >= NAMES_MAX)
            continue;
        put_part(to, named > 1 ? ", " : "");
        put_name(to, i, as);
    }
    snprintf(more, sizeof more, " and %u more", named - NAMES_MAX);
    if (named > NAMES_MAX)
        put_part(to, more);
    if (!is_one_sided(row) && row->why) {
        put_part(to, ": ");
        kt_put_spelled(to->writer, to->style->spell_lines, row->why);
    }
    end_item(to);
}

static void print_not_compared(const notes *to)
{
    const kt_compare_document *document = to->document;
    uint32_t reasons = 0;
    for (uint32_t i = 0; i < document->change_count; i++) {
        if (document->changes[i].change.verdict != KT_VERDICT_NONE || is_said(document, i))
            continue;
        if (++reasons <= REASONS_MAX)
            print_group(to, i);
    }
    if (reasons <= REASONS_MAX)
        return;
    begin_item(to);
    kt_putf(to->writer,
            "and rows that are not compared for %u more reason%s; JSON has all (--json)",
            reasons - REASONS_MAX, reasons == REASONS_MAX + 1 ? "" : "s");
    end_item(to);
}

/* ---- what holds for all rows ---- */

static void print_common(const notes *to)
{
    const kt_change_common *common = &to->document->common;
    double min_effect = to->document->options.min_effect;
    char share[32], range[64];
    kt_share_text(fabs(common->shift), share, sizeof share);
    kt_change_interval_text(common->shift_low, common->shift_high, min_effect, range, sizeof range);
    const char *how = common->shift < 0 ? " faster" : " slower";
    if (common->matters)
        put_item(to, (const char *[]){"everything is ", share, how, " (95% interval ", range,
                                      "): the machine, or something shared; it is taken off each "
                                      "CHANGE",
                                      NULL});
    else if (fabs(common->shift) >= COMMON_SAID_FROM)
        put_item(to, (const char *[]){"all rows together are ", share, how,
                                      ", which is taken off each CHANGE", NULL});
    else if (isnan(common->shift_low) && count_verdict(to->document, KT_VERDICT_SLOWER) +
                                             count_verdict(to->document, KT_VERDICT_FASTER))
        put_item(to, (const char *[]){"too few rows to tell what they have in common: a machine "
                                      "that is slower looks like slower rows",
                                      NULL});
}

/* Where both sides of a row have one run, what runs do is assumed. */
static void print_run_noise(const notes *to)
{
    const kt_compare_document *document = to->document;
    double assumed = document->options.run_noise, taken = document->common.run_noise;
    bool all = document->base_side.runs == 1 && document->new_side.runs == 1;
    const char *who = all ? "one run a side" : "rows of one run a side";
    char of[32], more[32];
    if (isnan(taken))
        return;
    kt_share_text(taken, more, sizeof more);
    option_text(assumed, of, sizeof of);
    if (taken > assumed * (1 + 1e-9))
        put_item(to, (const char *[]){who, ": a run-to-run deviation of ", more,
                                      " is taken in place of the assumed ", of,
                                      ", for the rows scatter more; --runs 5 measures it", NULL});
    else
        put_item(to, (const char *[]){who, ": a run-to-run deviation of ", of,
                                      " is assumed, since one run cannot see what the next process "
                                      "would do; --runs 5 measures it",
                                      NULL});
}

/* What would be said of both sides has been said above. */
static void print_one_run(const notes *to)
{
    bool base = to->document->base_side.runs == 1, new = to->document->new_side.runs == 1;
    if (base != new)
        put_item(to, (const char *[]){"one run in ", base ? "BASE" : "NEW",
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
    begin_item(to);
    kt_putf(to->writer, "%u row%s the very same samples on both sides: one measurement, read twice",
            count, count == 1 ? " has" : "s have");
    end_item(to);
}

/* ---- what the words mean ---- */

static bool any_needs(const kt_compare_document *document)
{
    for (uint32_t i = 0; i < document->change_count; i++)
        if (document->changes[i].change.verdict == KT_VERDICT_INCONCLUSIVE &&
            document->changes[i].change.runs_needed)
            return true;
    return false;
}

/* Of those that stand in the table. */
static void print_words(const notes *to)
{
    const kt_compare_document *document = to->document;
    char effect[32], twice[32], alpha[32];
    option_text(document->options.min_effect, effect, sizeof effect);
    option_text(2 * document->options.min_effect, twice, sizeof twice);
    option_text(document->options.alpha, alpha, sizeof alpha);
    if (count_verdict(document, KT_VERDICT_SLOWER) + count_verdict(document, KT_VERDICT_FASTER))
        put_item(to, (const char *[]){"slower, faster: changed by ", effect, " or more; at most ",
                                      alpha, " of the rows called so are not", NULL});
    if (count_verdict(document, KT_VERDICT_SAME))
        put_item(to, (const char *[]){"same: shown to be at most ", twice, " apart", NULL});
    if (count_verdict(document, KT_VERDICT_INCONCLUSIVE))
        put_item(to, (const char *[]){"inconclusive: neither is shown",
                                      any_needs(document)
                                          ? "; with as many runs a side as NEEDS says it would be"
                                          : "",
                                      NULL});
    put_item(to, (const char *[]){"CHANGE is of the median; drawn: = its interval, o the change, "
                                  ": a change of ",
                                  effect, NULL});
}

/* ---- the sides ---- */

static const char *name_of(const kt_compare_source *side, uint32_t index)
{
    return side->names && side->names[index] ? side->names[index] : "";
}

static void print_side(const notes *to, const char *label, const kt_compare_source *side)
{
    const char *first = NULL, *last = NULL;
    begin_item(to);
    kt_put(to->writer, label);
    for (uint32_t i = 0; i < side->count; i++) {
        const char *started = side->started ? side->started[i] : NULL;
        first = started && (!first || strcmp(started, first) < 0) ? started : first;
        last = started && (!last || strcmp(started, last) > 0) ? started : last;
        if (i >= NAMES_MAX || !name_of(side, i)[0])
            continue;
        put_part(to, name_of(side, i));
        put_part(to, ", ");
    }
    if (side->names && side->count > NAMES_MAX)
        kt_putf(to->writer, "%u more, ", side->count - NAMES_MAX);
    kt_putf(to->writer, "%u run%s", side->runs, side->runs == 1 ? "" : "s");
    if (first) {
        put_part(to, ", ");
        put_part(to, first);
    }
    if (first && strcmp(first, last) != 0) {
        put_part(to, " .. ");
        put_part(to, last);
    }
    end_item(to);
}

/* A device of the head that differs from the first of its id has changed between the sides; it is said once. */
static const kt_device_info *find_changed(const kt_document *head, uint32_t index)
{
    const kt_device_info *info = &head->devices[index].info;
    for (uint32_t i = index + 1; i < head->device_count; i++) {
        const kt_device_info *other = &head->devices[i].info;
        if (strcmp(other->id, info->id) == 0 &&
            (strcmp(other->name, info->name) != 0 || strcmp(other->driver, info->driver) != 0))
            return other;
    }
    return NULL;
}

static void print_device(const notes *to, uint32_t index)
{
    const kt_document *head = to->document->head;
    const kt_device_info *info = &head->devices[index].info, *changed = find_changed(head, index);
    if (kt_find_device(head, info->id) != &head->devices[index])
        return;
    if (changed)
        put_item(to, (const char *[]){info->id, " differs: BASE ", info->name, ", ", info->driver,
                                      "; NEW ", changed->name, ", ", changed->driver, NULL});
    else
        put_item(to, (const char *[]){info->id, ": ", info->name, ", ", info->driver, NULL});
}

static void print_sides(const notes *to)
{
    const char *only = kt_compare_only_device(to->document);
    print_side(to, "BASE: ", &to->document->base_side);
    print_side(to, "NEW: ", &to->document->new_side);
    for (uint32_t i = 0; i < to->document->head->device_count; i++)
        print_device(to, i);
    if (only && !kt_find_device(to->document->head, only))
        put_item(to, (const char *[]){"all rows are of ", only, NULL});
}

void kt_print_compare_notes(const kt_compare_document *document, uint32_t listed,
                            const kt_style *style, kt_writer *writer)
{
    const notes to = {document, style, writer};
    print_not_listed(&to, listed);
    if (listed)
        print_common(&to);
    print_not_compared(&to);
    /* Of one measurement no run was judged. */
    if (count_identical(document) < document->common.rows)
        print_run_noise(&to);
    if (count_identical(document) < document->common.rows)
        print_one_run(&to);
    print_identical(&to);
    if (listed)
        print_words(&to);
    print_sides(&to);
}
