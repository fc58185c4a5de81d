/* SPDX-License-Identifier: MIT */
/* refused.c - lists rows that were not compared, one note per reason, and compared rows with failed
 * runs. */
#include "output/compare/notes.h"
#include "output/grid.h"

#include <stdio.h>

#define NAMES_MAX   3
#define REASONS_MAX 8

typedef enum naming { NAMED_BEFORE, BY_JOB, BY_STEP } naming;

/* How to name a row: a job refused as a whole is named once, otherwise each row by its step. */
static naming name_as(const kt_compare_notes *to, uint32_t index)
{
    const kt_compare_place *place = &to->jobs->rows[index];
    return !place->alike ? BY_STEP : place->first ? BY_JOB : NAMED_BEFORE;
}

/* Writes a row's step, or "(device time)" for a row without a step in the table. */
static void put_step(const kt_compare_notes *to, uint32_t index)
{
    const char *step = kt_compare_step(to, index);
    kt_put_note(to->list, " ");
    kt_put_note(to->list, step ? step : "(device time)");
}

static void put_name(const kt_compare_notes *to, uint32_t index, naming as)
{
    const kt_series_change *row = &to->document->changes[index];
    const kt_series *series = kt_compare_series(row);
    kt_put_note(to->list, series->name);
    if (series->variant)
        kt_put_note(to->list, " ");
    if (series->variant)
        kt_put_note(to->list, series->variant);
    if (as == BY_STEP)
        put_step(to, index);
    if (to->jobs->only_device)
        return;
    char device[KT_GRID_CELL_BYTES];
    snprintf(device, sizeof device, " on %.*s", kt_compare_device_length(row), series->device);
    kt_put_note(to->list, device);
}

/* Writes how many of `names` the note leaves out. */
static void put_more(const kt_compare_notes *to, uint32_t names)
{
    if (names > NAMES_MAX)
        kt_putf_note(to->list, " and %u more", names - NAMES_MAX);
}

/* Adds one note for all rows of a group. */
static void add_group(const kt_compare_notes *to, const kt_compare_group *group)
{
    const kt_series_change *row = &to->document->changes[group->first];
    bool both = row->baseline_series && row->contender_series;
    uint32_t named = 0;
    kt_begin_note(to->list);
    kt_put_note(to->list, both                   ? "not compared: "
                          : row->baseline_series ? "only in the baseline: "
                                                 : "only in the contender: ");
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t index = to->jobs->refused[group->at + i];
        naming as = name_as(to, index);
        if (as == NAMED_BEFORE || named++ >= NAMES_MAX)
            continue;
        kt_put_note(to->list, named > 1 ? ", " : "");
        put_name(to, index, as);
    }
    put_more(to, named);
    if (both && row->reason) {
        kt_put_note(to->list, ": ");
        kt_quote_note(to->list, row->reason);
    }
    kt_end_note(to->list, KT_NOTE_WARNING);
}

void kt_add_not_compared(const kt_compare_notes *to)
{
    uint32_t reasons = to->jobs->group_count;
    for (uint32_t i = 0; i < reasons && i < REASONS_MAX; i++)
        add_group(to, &to->jobs->groups[i]);
    if (reasons <= REASONS_MAX)
        return;
    kt_begin_note(to->list);
    kt_putf_note(to->list, "rows not compared for %u more reason%s: --json has all",
                 reasons - REASONS_MAX, reasons == REASONS_MAX + 1 ? "" : "s");
    kt_end_note(to->list, KT_NOTE_WARNING);
}

/* ---- failed runs ---- */

static uint32_t failed_in(const kt_series_change *row, bool new)
{
    return new ? row->contender_failed : row->baseline_failed;
}

/* Names each job once. Returns the number of jobs. */
static uint32_t put_failed(const kt_compare_notes *to, bool new)
{
    const kt_compare_document *document = to->document;
    const kt_series *before = NULL;
    uint32_t named = 0;
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_series *series = kt_compare_series(&document->changes[i]);
        if (!failed_in(&document->changes[i], new) || (before && kt_same_job(series, before)))
            continue;
        before = series;
        if (named++ >= NAMES_MAX)
            continue;
        kt_put_note(to->list, named > 1 ? ", " : "");
        put_name(to, i, BY_JOB);
    }
    return named;
}

static void add_failed_in(const kt_compare_notes *to, bool new)
{
    const kt_compare_document *document = to->document;
    const kt_series_change *first = NULL;
    uint32_t runs = new ? document->contender_side.runs : document->baseline_side.runs, most = 0;
    bool alike = true;
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_series_change *row = &document->changes[i];
        uint32_t failed = failed_in(row, new);
        if (!failed)
            continue;
        first = first ? first : row;
        alike &= failed == failed_in(first, new);
        most = failed > most ? failed : most;
    }
    if (!first)
        return;
    kt_begin_note(to->list);
    kt_putf_note(to->list, "failed in %s%u of %u run%s of the %s: ", alike ? "" : "up to ", most,
                 runs, runs == 1 ? "" : "s", new ? "contender" : "baseline");
    put_more(to, put_failed(to, new));
    if (first->error && (new || !first->contender_failed)) {
        kt_put_note(to->list, ": ");
        kt_quote_note(to->list, first->error);
    }
    kt_end_note(to->list, KT_NOTE_ERROR);
}

void kt_add_failed(const kt_compare_notes *to)
{
    add_failed_in(to, true);
    add_failed_in(to, false);
}
