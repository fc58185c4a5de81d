/* SPDX-License-Identifier: MIT */
/*
 * text.c - prints a comparison for people: changed rows first, each change drawn on a common axis,
 * and notes below. A long comparison lists only the rows of interest, so that one slow row among
 * 300 stays visible; JSON has all rows.
 */
#include "output/compare/notes.h"
#include "output/grid.h"
#include "support/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a table. A longer comparison lists all changed rows, and the other rows with the largest
 * changes up to this number. */
#define ROWS_LISTED 40

enum {
    COLUMN_VERDICT,
    COLUMN_NAME,
    COLUMN_VARIANT,
    COLUMN_DEVICE,
    COLUMN_STEP,
    COLUMN_RUNS,
    COLUMN_BASELINE,
    COLUMN_CONTENDER,
    COLUMN_CHANGE,
    COLUMN_INTERVAL,
    COLUMN_BAR,
    COLUMN_REASON,
    COLUMN_RUNS_NEEDED,
    COLUMN_COUNT
};

/* ---- selection and order of rows ---- */

typedef struct entry {
    uint32_t index; /* index of the row in the document */
    int place;      /* rank of the row's verdict; 0: listed first */
    double size;    /* the row's absolute shift; -1: the shift is unknown */
} entry;

typedef struct listing {
    const kt_compare_document *document;
    const kt_compare_notes *notes;
    entry *entries;
    uint32_t count;
    double axis; /* largest shift that bars show, as a share */
} listing;

/* Rank of a verdict in the table: slower rows first, then faster, then inconclusive; each likely
 * verdict after the sure one. */
static int place_of(kt_verdict verdict)
{
    switch (verdict) {
    case KT_VERDICT_SLOWER: return 0;
    case KT_VERDICT_LIKELY_SLOWER: return 1;
    case KT_VERDICT_FASTER: return 2;
    case KT_VERDICT_LIKELY_FASTER: return 3;
    case KT_VERDICT_INCONCLUSIVE: return 4;
    default: return 5;
    }
}

static int by_place(const void *one, const void *other)
{
    const entry *a = one, *b = other;
    if (a->place != b->place)
        return a->place - b->place;
    return (a->index > b->index) - (a->index < b->index);
}

static int by_size(const void *one, const void *other)
{
    const entry *a = one, *b = other;
    if (a->place == b->place && a->size != b->size)
        return a->size < b->size ? 1 : -1;
    return by_place(one, other);
}

static double size_of(const kt_change *change)
{
    return isnan(change->shift) ? -1 : fabs(change->shift);
}

/* Drops rows that neither changed nor have one of the largest shifts. */
static void shorten(listing *l)
{
    uint32_t kept = 0;
    if (l->count <= ROWS_LISTED)
        return;
    qsort(l->entries, l->count, sizeof l->entries[0], by_size);
    while (kept < l->count &&
           (kept < ROWS_LISTED || l->entries[kept].place <= place_of(KT_VERDICT_LIKELY_FASTER)))
        kept++;
    l->count = kept;
}

static bool list_rows(listing *l, const kt_compare_notes *notes)
{
    const kt_compare_document *document = notes->document;
    *l = (listing){.document = document, .notes = notes};
    l->entries = kt_alloc(document->change_count, sizeof l->entries[0]);
    if (!l->entries)
        return false;
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_change *change = &document->changes[i].change;
        if (change->verdict != KT_VERDICT_NONE)
            l->entries[l->count++] = (entry){i, place_of(change->verdict), size_of(change)};
    }
    shorten(l);
    qsort(l->entries, l->count, sizeof l->entries[0], by_place);
    return true;
}

static const kt_series_change *row_at(const listing *l, uint32_t at)
{
    return &l->document->changes[l->entries[at].index];
}

/* ---- the axis ---- */

#define HALF      10             /* characters of a bar from 0 to each end of the axis */
#define BAR_WIDTH (2 * HALF + 3) /* characters of a bar, including both ends */
#define MIDDLE    (HALF + 1)

/* Largest distance of the change's interval from 0, or of the change if an end is capped; 0: the
 * change is unknown. */
static double reach_of(const kt_change *change)
{
    if (kt_has_interval(change) && !kt_is_capped(change->shift_low, change->shift_high))
        return fmax(fabs(change->shift_low), fabs(change->shift_high));
    return isfinite(change->shift) ? fabs(change->shift) : 0;
}

static int by_number(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The next longer axis: 5, 10, 20, 50, 100 .. times the minimum effect, so that the marks of the
 * effect fall on whole characters. */
static double next_axis(double axis, double min_effect)
{
    double times = axis / min_effect, power = 1;
    while (power * 9.5 < times)
        power *= 10;
    return times < 1.5 * power ? 2 * axis : times < 3 * power ? 2.5 * axis : 2 * axis;
}

/* Chooses the axis that shows three quarters of the rows in full, or all if one step more suffices,
 * so that one outlier does not turn all others into dots. */
static bool choose_axis(listing *l)
{
    double min_effect = l->document->options.min_effect;
    double *reaches = kt_alloc(l->count, sizeof reaches[0]);
    l->axis = 5 * min_effect;
    if (!reaches)
        return false;
    for (uint32_t i = 0; i < l->count; i++)
        reaches[i] = reach_of(&row_at(l, i)->change);
    qsort(reaches, l->count, sizeof reaches[0], by_number);
    double most = l->count ? reaches[(size_t)(l->count - 1) * 3 / 4] : 0;
    double all = l->count ? reaches[l->count - 1] : 0;
    while (l->axis < most)
        l->axis = next_axis(l->axis, min_effect);
    double longer = next_axis(l->axis, min_effect);
    if (all > l->axis && all <= longer)
        l->axis = longer;
    kt_free(reaches);
    return true;
}

/* ---- the bars ---- */

/* Column of a change within a bar. Changes beyond the axis lie at its end. */
static int place_on_axis(const listing *l, double change)
{
    double at = round(change / l->axis * HALF);
    return MIDDLE + (int)fmax(-HALF, fmin(HALF, at));
}

/* Draws an empty axis with marks at 0 and the minimum effect. In Markdown the axis is dotted, since
 * readers would merge blanks. */
static void draw_axis(const listing *l, const kt_style *style, char *bar)
{
    double min_effect = l->document->options.min_effect;
    memset(bar, style->boxed ? '.' : ' ', BAR_WIDTH);
    bar[BAR_WIDTH] = '\0';
    bar[place_on_axis(l, -min_effect)] = bar[place_on_axis(l, min_effect)] = ':';
    bar[MIDDLE] = '0';
}

static void draw_change(const listing *l, const kt_style *style, const kt_change *change, char *bar)
{
    draw_axis(l, style, bar);
    bar[0] = '[';
    bar[BAR_WIDTH - 1] = ']';
    bool known = kt_has_interval(change);
    double low = known ? change->shift_low : change->shift;
    double high = known ? change->shift_high : change->shift;
    for (int at = place_on_axis(l, low); known && at <= place_on_axis(l, high); at++)
        bar[at] = '=';
    if (fabs(change->shift) <= l->axis)
        bar[place_on_axis(l, change->shift)] = 'o';
    if (low < -l->axis)
        bar[0] = '<';
    if (high > l->axis)
        bar[BAR_WIDTH - 1] = '>';
}

/* Draws the head of the column of bars, such as "-5%     : 0 :     +5%". */
static void draw_head(const listing *l, const kt_style *style, char *bar)
{
    char low[16], high[16];
    draw_axis(l, style, bar);
    size_t length = (size_t)snprintf(low, sizeof low, "-%.3g%%", 100 * l->axis);
    snprintf(high, sizeof high, "+%.3g%%", 100 * l->axis);
    memcpy(bar, low, length);
    memcpy(bar + BAR_WIDTH - length, high, length);
}

/* ---- rows ---- */

/* Prints the run counts of a row that differ from those of the sides. */
static void set_runs(const listing *l, kt_grid *grid, const kt_change *change)
{
    const kt_compare_document *document = l->document;
    if (change->baseline_runs != document->baseline_side.runs ||
        change->contender_runs != document->contender_side.runs)
        kt_grid_set(grid, COLUMN_RUNS, "%u, %u", change->baseline_runs, change->contender_runs);
}

static void set_times(kt_grid *grid, const kt_change *change)
{
    char text[32];
    kt_grid_set(grid, COLUMN_BASELINE, "%s", kt_format_ns(text, sizeof text, change->baseline_ns));
    kt_grid_set(grid, COLUMN_CONTENDER, "%s",
                kt_format_ns(text, sizeof text, change->contender_ns));
}

static void set_change(const listing *l, kt_grid *grid, const kt_change *change)
{
    char text[64], bar[BAR_WIDTH + 1];
    double min_effect = l->document->options.min_effect;
    kt_grid_set(grid, COLUMN_CHANGE, "%s",
                kt_change_text(change->shift, min_effect, text, sizeof text));
    kt_grid_set(grid, COLUMN_INTERVAL, "%s",
                kt_change_interval_text(change->shift_low, change->shift_high, min_effect, text,
                                        sizeof text));
    draw_change(l, grid->style, change, bar);
    kt_grid_draw(grid, COLUMN_BAR, bar);
}

/* Prints the first difference in state of a row; the note of its device has all. */
static void set_reason(const listing *l, kt_grid *grid, const kt_series_change *row)
{
    const char *doubt = kt_doubt_name(kt_find_doubt(l->document, &row->change));
    const char *state = row->state_change ? row->state_change : "";
    if (doubt || *state)
        kt_grid_set(grid, COLUMN_REASON, "%s%s%.*s", doubt ? doubt : "",
                    doubt && *state ? "; " : "", (int)strcspn(state, ";"), state);
}

static void set_runs_needed(kt_grid *grid, const kt_change *change)
{
    if (!change->runs_needed)
        return;
    if (change->runs_needed > KT_RUNS_USUAL)
        kt_grid_set(grid, COLUMN_RUNS_NEEDED, "> %d", KT_RUNS_USUAL);
    else
        kt_grid_set(grid, COLUMN_RUNS_NEEDED, "%u", change->runs_needed);
}

static void print_row(const listing *l, kt_grid *grid, uint32_t at)
{
    const kt_series_change *row = row_at(l, at);
    const kt_series *series = kt_compare_series(row);
    const char *step = kt_compare_step(l->notes, l->entries[at].index);
    kt_color color = kt_verdict_color(row->change.verdict);
    kt_grid_set(grid, COLUMN_VERDICT, "%s", kt_verdict_text(row->change.verdict));
    if (color != KT_COLOR_HEAD)
        kt_grid_color(grid, COLUMN_VERDICT, color);
    kt_grid_set(grid, COLUMN_NAME, "%s", series->name);
    if (series->variant)
        kt_grid_set(grid, COLUMN_VARIANT, "%s", series->variant);
    if (!l->notes->jobs->only_device)
        kt_grid_set(grid, COLUMN_DEVICE, "%.*s", kt_compare_device_length(row), series->device);
    if (step)
        kt_grid_set(grid, COLUMN_STEP, "%s", step);
    set_runs(l, grid, &row->change);
    set_times(grid, &row->change);
    set_change(l, grid, &row->change);
    set_reason(l, grid, row);
    set_runs_needed(grid, &row->change);
    kt_grid_end_row(grid);
}

static void print_rows(kt_grid *grid, const void *user)
{
    static const char heads[COLUMN_COUNT][13] = {
        "VERDICT",   "NAME",   "VARIANT",      "DEVICE", "STEP",   "RUNS",       "BASELINE",
        "CONTENDER", "CHANGE", "95% INTERVAL", "",       "REASON", "RUNS NEEDED"};
    const listing *l = user;
    char axis[BAR_WIDTH + 1];
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        kt_grid_set(grid, i, "%s", heads[i]);
    if (kt_is_taken_off(l->document))
        kt_grid_set(grid, COLUMN_CHANGE, "RESIDUAL");
    draw_head(l, grid->style, axis);
    kt_grid_draw(grid, COLUMN_BAR, axis);
    kt_grid_end_head(grid);
    for (uint32_t i = 0; i < l->count; i++)
        print_row(l, grid, i);
}

static void print_listing(const listing *l, const kt_style *style, kt_writer *writer)
{
    kt_grid grid = {.style = style, .columns = COLUMN_COUNT};
    static const unsigned char left[] = {COLUMN_VERDICT, COLUMN_NAME, COLUMN_VARIANT, COLUMN_DEVICE,
                                         COLUMN_STEP,    COLUMN_BAR,  COLUMN_REASON};
    static const unsigned char optional[] = {COLUMN_VARIANT, COLUMN_DEVICE, COLUMN_STEP,
                                             COLUMN_RUNS,    COLUMN_REASON, COLUMN_RUNS_NEEDED};
    /* Order of dropping columns on a narrow screen, highest first. */
    static const unsigned char ranks[COLUMN_COUNT] = {[COLUMN_VARIANT] = KT_RANK_SAME,
                                                      [COLUMN_RUNS] = 7,
                                                      [COLUMN_BAR] = 6,
                                                      [COLUMN_RUNS_NEEDED] = 4,
                                                      [COLUMN_CONTENDER] = 3,
                                                      [COLUMN_BASELINE] = 2,
                                                      [COLUMN_REASON] = 5};
    memcpy(grid.rank, ranks, sizeof ranks);
    for (size_t i = 0; i < sizeof left; i++)
        grid.left[left[i]] = true;
    for (size_t i = 0; i < sizeof optional; i++)
        grid.optional[optional[i]] = true;
    kt_grid_print(&grid, writer, print_rows, l);
}

/* Adds the notes that explain rows: the state of the devices, the common-mode shift, and changed
 * devices or drivers. */
static void add_explanations(const kt_compare_notes *to)
{
    kt_add_state_changes(to);
    kt_add_common_mode(to);
    kt_add_changed_drivers(to);
}

/* Prints the notes added so far, after an empty line. */
static void print_paragraph(const kt_compare_notes *to)
{
    if (to->list->count)
        kt_put(to->writer, "\n");
    kt_print_note_list(to->list, to->writer);
}

/* Verdict and explanations come first: readers of a Markdown comment see its beginning first. */
static void print_comment(const listing *l, const kt_compare_notes *to)
{
    kt_print_compare_whole(to);
    add_explanations(to);
    print_paragraph(to);
    if (l->count) {
        kt_put(to->writer, "\n");
        print_listing(l, to->style, to->writer);
    }
    kt_add_compare_notes(to, l->count);
    print_paragraph(to);
    kt_put(to->writer, to->style->fold_begin);
    if (l->count)
        kt_add_compare_words(to);
    kt_print_note_list(to->list, to->writer);
    kt_print_sources(to);
    kt_put(to->writer, to->style->fold_end);
}

/* Verdict comes last: readers of a terminal see the end first. */
static void print_text(const listing *l, const kt_compare_notes *to)
{
    kt_print_sources(to);
    add_explanations(to);
    kt_add_compare_notes(to, l->count);
    if (l->count)
        kt_add_compare_words(to);
    kt_print_note_list(to->list, to->writer);
    kt_put(to->writer, "\n");
    if (l->count) {
        print_listing(l, to->style, to->writer);
        kt_put(to->writer, "\n");
    }
    kt_print_compare_whole(to);
}

void kt_print_compare(const kt_compare_document *document, const kt_style *style, kt_writer *writer)
{
    kt_compare_jobs jobs;
    kt_note_list list = {.style = style};
    const kt_compare_notes notes = {document, &jobs, style, writer, &list};
    listing l = {0};
    if (kt_find_compare_jobs(document, &jobs) && list_rows(&l, &notes) && choose_axis(&l))
        (style->boxed ? print_comment : print_text)(&l, &notes);
    else
        writer->status = KT_NO_MEMORY;
    kt_free(l.entries);
    kt_free_compare_jobs(&jobs);
}

void kt_print_compare_table(const kt_compare_document *document, kt_writer *writer)
{
    kt_print_compare(document, &kt_style_aligned, writer);
}

void kt_print_compare_markdown(const kt_compare_document *document, kt_writer *writer)
{
    kt_print_compare(document, &kt_style_markdown, writer);
}
