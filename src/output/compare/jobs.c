/* SPDX-License-Identifier: MIT */
/* jobs.c - groups the rows of a comparison: those of one job, and those refused for one reason.
 * Sorts them, since a file may have tens of thousands of rows. */
#include "output/compare/notes.h"
#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const kt_series_change *row;
    uint32_t index;
} entry;

static int by_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : !b - !a;
}

static int by_index(const entry *a, const entry *b)
{
    return (a->index > b->index) - (a->index < b->index);
}

/* Sorts rows of the same job (kt_same_job()) together. */
static int by_job(const void *one, const void *other)
{
    const kt_series *a = kt_compare_series(((const entry *)one)->row);
    const kt_series *b = kt_compare_series(((const entry *)other)->row);
    int order = strcmp(a->name, b->name);
    order = order ? order : strcmp(a->device, b->device);
    order = order ? order : by_text(a->variant, b->variant);
    return order ? order : by_index(one, other);
}

static int side_of(const kt_series_change *row)
{
    return !row->contender_series ? 1 : !row->baseline_series ? 2 : 0;
}

static int compare_reasons(const kt_series_change *a, const kt_series_change *b)
{
    if (side_of(a) != side_of(b))
        return side_of(a) - side_of(b);
    return side_of(a) ? 0 : by_text(a->reason, b->reason);
}

static int by_reason(const void *one, const void *other)
{
    const entry *a = one, *b = other;
    int order = compare_reasons(a->row, b->row);
    return order ? order : by_index(a, b);
}

static int by_first(const void *one, const void *other)
{
    const kt_compare_group *a = one, *b = other;
    return (a->first > b->first) - (a->first < b->first);
}

static void find_groups(const kt_compare_document *document, kt_compare_jobs *out, entry *entries)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < document->change_count; i++)
        if (document->changes[i].change.verdict == KT_VERDICT_NONE)
            entries[count++] = (entry){&document->changes[i], i};
    if (count)
        qsort(entries, count, sizeof *entries, by_reason);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || compare_reasons(entries[i - 1].row, entries[i].row) != 0)
            out->groups[out->group_count++] = (kt_compare_group){entries[i].index, i, 0};
        out->groups[out->group_count - 1].count++;
        out->refused[i] = entries[i].index;
        out->group_of[entries[i].index] = out->group_count; /* groups count from 1 */
    }
    if (out->group_count)
        qsort(out->groups, out->group_count, sizeof *out->groups, by_first);
}

/* Sets the place of each row of one job in out->rows. */
static void settle_job(kt_compare_jobs *out, const entry *entries, uint32_t count)
{
    uint32_t device_times = 0;
    bool alike = true;
    for (uint32_t i = 0; i < count; i++) {
        device_times += !kt_series_is_wall(kt_compare_series(entries[i].row));
        alike &= out->group_of[entries[i].index] == out->group_of[entries[0].index];
    }
    for (uint32_t i = 0; i < count; i++)
        out->rows[entries[i].index] = (kt_compare_place){device_times > 1, alike, i == 0};
}

static void find_jobs(const kt_compare_document *document, kt_compare_jobs *out, entry *entries)
{
    uint32_t count = document->change_count;
    for (uint32_t i = 0; i < count; i++)
        entries[i] = (entry){&document->changes[i], i};
    if (count)
        qsort(entries, count, sizeof *entries, by_job);
    for (uint32_t from = 0, to; from < count; from = to) {
        const kt_series *series = kt_compare_series(entries[from].row);
        for (to = from + 1; to < count; to++)
            if (!kt_same_job(kt_compare_series(entries[to].row), series))
                break;
        settle_job(out, &entries[from], to - from);
    }
}

static const char *find_only_device(const kt_compare_document *document)
{
    const char *only = NULL;
    for (uint32_t i = 0; i < document->change_count; i++) {
        const char *device = kt_compare_series(&document->changes[i])->device;
        if (only && strcmp(device, only) != 0)
            return NULL;
        only = device;
    }
    return only;
}

bool kt_find_compare_jobs(const kt_compare_document *document, kt_compare_jobs *out)
{
    uint32_t count = document->change_count;
    *out = (kt_compare_jobs){.only_device = find_only_device(document)};
    entry *entries = kt_alloc(count, sizeof *entries);
    out->rows = kt_alloc(count, sizeof *out->rows);
    out->group_of = kt_alloc(count, sizeof *out->group_of);
    out->refused = kt_alloc(count, sizeof *out->refused);
    out->groups = kt_alloc(count, sizeof *out->groups);
    bool found = entries && out->rows && out->group_of && out->refused && out->groups;
    if (found) {
        find_groups(document, out, entries);
        find_jobs(document, out, entries);
    }
    kt_free(entries);
    return found;
}

void kt_free_compare_jobs(kt_compare_jobs *jobs)
{
    kt_free(jobs->rows);
    kt_free(jobs->group_of);
    kt_free(jobs->refused);
    kt_free(jobs->groups);
}
