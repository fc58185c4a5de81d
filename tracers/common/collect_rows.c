/* SPDX-License-Identifier: MIT */
#include "tracers/common/collector.h"

#include "statistics/interval.h"
#include "tracers/common/batches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_row(const trace_total *row, uint32_t device, trace_kind kind, const char *name,
                        const char *size)
{
    return row->device == device && row->kind == kind && strcmp(row->name, name) == 0 &&
           (row->size && size ? strcmp(row->size, size) == 0 : row->size == size);
}

static uint32_t add_to_hash(uint32_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT32_C(16777619); /* FNV-1a */
    return (hash ^ 0xff) * UINT32_C(16777619);
}

static uint32_t hash_of(uint32_t device, trace_kind kind, const char *name, const char *size)
{
    uint32_t start = UINT32_C(2166136261) ^ device * 31 ^ (uint32_t)kind;
    return add_to_hash(add_to_hash(start, name), size);
}

static bool grow_table(collector *c)
{
    if (2 * (c->out->row_count + 1) <= c->table_size)
        return true;
    size_t size = c->table_size ? 2 * c->table_size : 256;
    uint32_t *larger = calloc(size, sizeof *larger);
    if (!larger) {
        c->no_memory = true;
        return false;
    }
    for (size_t i = 0; i < c->out->row_count; i++) {
        const trace_total *row = &c->out->rows[i];
        size_t at = hash_of(row->device, row->kind, row->name, row->size) & (size - 1);
        while (larger[at])
            at = (at + 1) & (size - 1);
        larger[at] = (uint32_t)i + 1;
    }
    free(c->table);
    c->table = larger;
    c->table_size = size;
    return true;
}

uint32_t collect_find_row(collector *c, uint32_t device, trace_kind kind, const char *name,
                          const char *size)
{
    trace_totals *out = c->out;
    if (!grow_table(c))
        return UINT32_MAX;
    size_t at = hash_of(device, kind, name, size) & (c->table_size - 1);
    for (; c->table[at]; at = (at + 1) & (c->table_size - 1))
        if (is_same_row(&out->rows[c->table[at] - 1], device, kind, name, size))
            return c->table[at] - 1;
    size_t rest_room = c->row_room;
    if (!collect_make_room(c, &c->rests, &rest_room, out->row_count + 1, sizeof *c->rests) ||
        !collect_make_room(c, &out->rows, &c->row_room, out->row_count + 1, sizeof *out->rows))
        return UINT32_MAX;
    c->rests[out->row_count] = (row_rest){0};
    trace_total *row = &out->rows[out->row_count];
    memset(row, 0, sizeof *row);
    row->name = name;
    row->size = size;
    row->kind = kind;
    row->device = device;
    row->min_ns = row->max_ns = row->bytes = NAN;
    c->table[at] = (uint32_t)++out->row_count;
    return (uint32_t)out->row_count - 1;
}

void collect_merge_row(collector *c, uint32_t number, const trace_file_row *from)
{
    trace_total *row = &c->out->rows[number];
    row_rest *rest = &c->rests[number];
    const trace_statistics *s = &from->statistics;
    for (int i = 0; i < TRACE_REASON_COUNT; i++)
        row->untimed[i] += from->untimed[i];
    if (s->count == 0)
        return;
    row->timed += s->count;
    row->total_ns += s->total_ns;
    row->min_ns = fmin(row->min_ns, s->min_ns); /* NaN is no number to fmin */
    row->max_ns = fmax(row->max_ns, s->max_ns);
    row->overlapped += s->overlapped;
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++)
        row->histogram.counts[i] += s->histogram.counts[i];
    if (s->bytes_count > 0) {
        row->bytes = collect_plus(row->bytes, (double)s->bytes);
        rest->bytes_ns += s->bytes_ns;
    }
    double inflation = trace_inflation(s);
    if (isnan(inflation))
        return;
    rest->inflation_sum += inflation * (double)s->count;
    rest->inflation_count += s->count;
}

/* Lower edge of a bucket. */
static double edge_of(uint32_t bucket)
{
    if (bucket == 0)
        return 0;
    uint64_t lowest = (uint64_t)(1023 + KT_HISTOGRAM_LOW_LOG2) << KT_HISTOGRAM_STEP_BITS;
    return kt_of_bits((lowest + bucket - 1) << (52 - KT_HISTOGRAM_STEP_BITS));
}

/* Bucket of the time of a rank from 1. */
static uint32_t bucket_at(const kt_histogram *histogram, uint64_t rank)
{
    uint32_t bucket = 0;
    uint64_t seen = histogram->counts[0];
    while (seen < rank && bucket < KT_HISTOGRAM_BUCKETS - 1)
        seen += histogram->counts[++bucket];
    return bucket;
}

static double within(const trace_total *row, double ns)
{
    return fmin(fmax(ns, row->min_ns), row->max_ns);
}

/* Time of a rank from 1 to `count`, of which the first and the last are known exactly. */
static double time_at(const trace_total *row, uint64_t count, uint64_t rank)
{
    if (rank <= 1)
        return row->min_ns;
    if (rank >= count)
        return row->max_ns;
    return within(row, kt_histogram_at_rank(&row->histogram, rank));
}

static double quantile_of(const trace_total *row, uint64_t count, double p)
{
    return time_at(row, count, (uint64_t)ceil(p * (double)count));
}

/* Of an even number of times, the mean of the middle two. */
static double median_of(const trace_total *row, uint64_t count)
{
    return (time_at(row, count, (count + 1) / 2) + time_at(row, count, count / 2 + 1)) / 2;
}

static void find_interval(trace_total *row, uint64_t count)
{
    double low, high, inflation = isnan(row->inflation) ? 1 : row->inflation;
    row->low_ns = row->high_ns = NAN;
    if (!kt_interval_ranks((size_t)count, 0.5, inflation, &low, &high))
        return;
    uint32_t first = bucket_at(&row->histogram, 1 + (uint64_t)floor(low));
    uint32_t last = bucket_at(&row->histogram, 1 + (uint64_t)ceil(high));
    row->low_ns = within(row, edge_of(first));
    row->high_ns = within(row, last + 1 < KT_HISTOGRAM_BUCKETS ? edge_of(last + 1) : INFINITY);
}

static void finish_row(trace_total *row, const row_rest *rest)
{
    row->calls = row->timed;
    for (int i = 0; i < TRACE_REASON_COUNT; i++)
        row->calls += row->untimed[i];
    row->inflation =
        rest->inflation_count > 0 ? rest->inflation_sum / (double)rest->inflation_count : NAN;
    row->gb_per_s = rest->bytes_ns > 0 ? row->bytes / rest->bytes_ns : NAN;
    uint64_t count = kt_histogram_count(&row->histogram);
    if (row->timed == 0 || count == 0) {
        row->total_ns = row->mean_ns = row->median_ns = row->p95_ns = row->p99_ns = NAN;
        row->low_ns = row->high_ns = NAN;
        return;
    }
    row->mean_ns = row->total_ns / (double)row->timed;
    row->median_ns = median_of(row, count);
    row->p95_ns = quantile_of(row, count, 0.95);
    row->p99_ns = quantile_of(row, count, 0.99);
    find_interval(row, count);
}

/* Rows with the largest total first; then those without times, by name. */
static int compare_rows(const void *left, const void *right)
{
    const trace_total *a = *(trace_total *const *)left, *b = *(trace_total *const *)right;
    double of_a = isnan(a->total_ns) ? -1 : a->total_ns,
           of_b = isnan(b->total_ns) ? -1 : b->total_ns;
    if (of_a != of_b)
        return of_a < of_b ? 1 : -1;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(a->size ? a->size : "", b->size ? b->size : "");
    return order ? order : (int)a->kind - (int)b->kind;
}

/* Copies the rows in their new order, and sets the links to them. */
static void move_rows(collector *c, trace_total *const *order, size_t count, trace_total *to,
                      uint32_t *places)
{
    for (size_t i = 0; i < c->out->row_count; i++)
        places[i] = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        to[i] = *order[i];
        places[order[i] - c->out->rows] = (uint32_t)i;
    }
    for (size_t i = 0; i < c->image_count; i++)
        for (size_t j = 0; j < c->images[i]->link_count; j++)
            c->images[i]->links[j].row = places[c->images[i]->links[j].row];
}

bool collect_finish_rows(collector *c)
{
    trace_totals *out = c->out;
    size_t room = out->row_count + 1, count = 0;
    trace_total **order = calloc(room, sizeof *order);
    uint32_t *places = calloc(room, sizeof *places);
    trace_total *sorted = calloc(room, sizeof *sorted);
    c->no_memory |= !order || !places || !sorted;
    if (!c->no_memory) {
        for (size_t i = 0; i < out->row_count; i++) {
            finish_row(&out->rows[i], &c->rests[i]);
            if (out->rows[i].calls > 0)
                order[count++] = &out->rows[i];
        }
        qsort(order, count, sizeof *order, compare_rows);
        move_rows(c, order, count, sorted, places);
        trace_total *unsorted = out->rows;
        out->rows = sorted;
        out->row_count = count;
        sorted = unsorted;
    }
    free(order);
    free(places);
    free(sorted);
    return !c->no_memory;
}
