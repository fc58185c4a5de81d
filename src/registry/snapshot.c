/* SPDX-License-Identifier: MIT */
/*
 * snapshot.c - copies of all rows.
 *
 * Taking a snapshot holds the registry's lock: a thread's first record to a row waits for it, no
 * other record does. A row takes about 14 KiB for each thread that records to it, as much again
 * once it was read, and as much in each snapshot.
 */
#include "registry/registry.h"
#include "support/alloc.h"
#include "support/error.h"

#include <kerntime/snapshot.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct entry {
    kt_row row;
    kt_accumulator accumulator;
} entry;

struct kt_snapshot {
    entry **entries;
    size_t room;
    uint32_t count;
    uint64_t dropped;
};

double kt_row_percentile(const kt_row *row, double percent)
{
    if (!row || row->count == 0 || !(percent >= 0 && percent <= 100))
        return NAN;
    /* Multiplying first keeps whole percentages of whole counts exact. */
    double rank = ceil(percent * (double)row->count / 100);
    if (rank <= 1)
        return row->min_ns;
    if (rank >= (double)row->count)
        return row->max_ns;
    double value = kt_accumulator_at_rank(row->histogram, (uint64_t)rank);
    return fmax(row->min_ns, fmin(value, row->max_ns));
}

static void fill_row(kt_row *row, const kt_registry_row *from)
{
    const kt_accumulator *accumulator = from->accumulator;
    bool none = accumulator->count == 0;
    row->name = from->name;
    row->backend = from->backend;
    row->count = accumulator->count;
    row->total_ns = none ? 0 : accumulator->total;
    row->min_ns = none ? NAN : accumulator->min;
    row->max_ns = none ? NAN : accumulator->max;
    /* Rounding may move the mean out of min .. max. */
    row->mean_ns = none ? NAN : fmax(accumulator->min, fmin(accumulator->mean, accumulator->max));
    row->last_ns = none ? NAN : accumulator->last;
    row->stddev_ns = kt_accumulator_stddev(accumulator);
    memcpy(row->discarded, from->discarded, sizeof row->discarded);
    row->stop_late = from->stop_late;
    row->period_uncertainty = from->period_uncertainty;
}

static kt_status take_row(void *user, const kt_registry_row *from)
{
    kt_snapshot *snapshot = user;
    entry **entries = kt_make_room(snapshot->entries, &snapshot->room, (size_t)snapshot->count + 1,
                                   sizeof *entries);
    if (!entries)
        return KT_NO_MEMORY;
    snapshot->entries = entries;
    /* A row without durations needs no histogram. */
    bool any = from->accumulator->count > 0;
    entry *e = kt_alloc(1, any ? sizeof *e : offsetof(entry, accumulator));
    if (!e)
        return KT_NO_MEMORY;
    entries[snapshot->count++] = e;
    fill_row(&e->row, from);
    if (any) {
        e->accumulator = *from->accumulator;
        e->row.histogram = &e->accumulator;
    }
    e->row.p50_ns = kt_row_percentile(&e->row, 50);
    e->row.p95_ns = kt_row_percentile(&e->row, 95);
    e->row.p99_ns = kt_row_percentile(&e->row, 99);
    return KT_OK;
}

kt_status kt_snapshot_take(kt_snapshot **out)
{
    if (!out)
        return kt_fail(KT_INVALID, "a snapshot needs a place to go to");
    kt_snapshot *snapshot = kt_alloc(1, sizeof *snapshot);
    if (!snapshot)
        return KT_NO_MEMORY;
    kt_status status = kt_registry_read(take_row, snapshot, &snapshot->dropped);
    if (status == KT_OK)
        *out = snapshot;
    else
        kt_snapshot_destroy(&snapshot);
    return status;
}

void kt_snapshot_destroy(kt_snapshot **snapshot)
{
    if (!snapshot || !*snapshot)
        return;
    for (uint32_t i = 0; i < (*snapshot)->count; i++)
        kt_free((*snapshot)->entries[i]);
    kt_free((*snapshot)->entries);
    kt_free(*snapshot);
    *snapshot = NULL;
}

uint32_t kt_snapshot_count(const kt_snapshot *snapshot)
{
    return snapshot ? snapshot->count : 0;
}

const kt_row *kt_snapshot_row(const kt_snapshot *snapshot, uint32_t index)
{
    return index < kt_snapshot_count(snapshot) ? &snapshot->entries[index]->row : NULL;
}

const kt_row *kt_snapshot_find(const kt_snapshot *snapshot, const char *name, kt_backend_id backend)
{
    uint32_t low = 0, high = name ? kt_snapshot_count(snapshot) : 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const kt_row *row = &snapshot->entries[middle]->row;
        int order = kt_compare_keys(row->name, row->backend, name, backend);
        if (order == 0)
            return row;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

uint64_t kt_snapshot_dropped(const kt_snapshot *snapshot)
{
    return snapshot ? snapshot->dropped : 0;
}
