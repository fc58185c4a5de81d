/* SPDX-License-Identifier: MIT */
/* baselines.c - notes on the baselines: sample warnings, and times that are longer than they should
 * be. */
#include "output/table/tables.h"
#include "report/runs.h"
#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

/* The first series of the same work, which gives the baseline's rows their name; NULL: no rows. */
static const kt_series *find_case(const kt_document *document, const kt_baseline *baseline)
{
    for (uint32_t i = 0; i < document->series_count; i++)
        if (kt_same_work(&document->series[i], baseline))
            return &document->series[i];
    return NULL;
}

/* The baseline as wall time of a job on a device with the baseline's name. */
static kt_series as_series(const kt_series *of, const kt_baseline *baseline)
{
    return (kt_series){.name = of->name,
                       .workload = baseline->workload,
                       .device = baseline->name,
                       .step = kt_series_role_name(KT_ROLE_WALL),
                       .kind = KT_SERIES_WALL,
                       .trials = 1,
                       .summary = baseline->summary};
}

static void add_sample_warnings(const kt_document *document, kt_note_list *list)
{
    uint32_t room = document->baseline_count;
    kt_series *series = kt_alloc(room, sizeof *series);
    const kt_series **measured = kt_alloc(room, sizeof *measured);
    kt_runs *runs = kt_alloc(room, sizeof *runs);
    kt_document all = {.series = series, .runs = runs, .run_count = 1};
    list->failed |= !series || !measured || !runs;
    for (uint32_t i = 0; i < room && !list->failed; i++) {
        const kt_series *of = find_case(document, &document->baselines[i]);
        uint32_t at = all.series_count;
        if (!of)
            continue;
        series[at] = as_series(of, &document->baselines[i]);
        measured[at] = &series[at];
        runs[at] = (kt_runs){.series = &measured[at], .count = 1};
        all.series_count++;
    }
    kt_add_sample_warnings(&all, list);
    kt_free(runs);
    kt_free(measured);
    kt_free(series);
}

/* Adds one note on all cases whose best baseline took longer than the sequential one. */
static void add_slower(const kt_document *document, kt_note_list *list)
{
    const kt_baseline *first = NULL, *sequential = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < document->baseline_count; i++) {
        const kt_baseline *best = &document->baselines[i];
        const kt_series *of = find_case(document, best);
        const kt_baseline *one = of ? kt_find_baseline(document, of, "sequential") : NULL;
        if (!one || strcmp(best->name, "best") != 0 ||
            !(best->summary.median > one->summary.median) || count++ > 0)
            continue;
        first = best;
        sequential = one;
    }
    if (!first)
        return;
    char slow[32], fast[32], more[32] = "";
    if (count > 1)
        snprintf(more, sizeof more, " and %u more", count - 1);
    kt_add_note(list, KT_NOTE_WARNING,
                (const char *[]){find_case(document, first)->name, more, ": best took ",
                                 kt_format_ns(slow, sizeof slow, first->summary.median),
                                 ", longer than sequential, ",
                                 kt_format_ns(fast, sizeof fast, sequential->summary.median),
                                 "; quiet the machine and measure again", NULL},
                NULL);
}

void kt_add_baseline_notes(const kt_document *document, kt_note_list *list)
{
    add_slower(document, list);
    add_sample_warnings(document, list);
}
