#define _GNU_SOURCE /* O_CLOEXEC */
#include "tracers/common/collect.h"

#include "statistics/interval.h"
#include "tracers/common/batches.h"
#include "tracers/common/busy.h"
#include "tracers/common/settings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More calls than any program makes; a larger number is damage. */
#define COUNT_MAX (UINT64_C(1) << 40)

/* The copy of a process file, which may be damaged: nothing in it is believed unchecked. */
typedef struct image {
    unsigned char *bytes;
    uint64_t size;
    char name[64];
    bool is_damaged;
    /* Rows of the file and of the totals, by offset, the largest first. */
    struct row_link {
        uint64_t offset;
        uint32_t row;
    } * links;
    size_t link_count;
} image;

/* What is merged into a row besides its totals. */
typedef struct row_rest {
    double inflation_sum; /* weighted by the number of times */
    uint64_t inflation_count;
    double bytes_ns;
    uint64_t bytes_count;
} row_rest;

typedef struct collector {
    trace_totals *out;
    image **images;
    size_t image_count, image_room;
    row_rest *rests; /* of the rows */
    size_t row_room, device_room, process_room, gap_room;
    uint32_t *table; /* hash table of row numbers + 1 */
    size_t table_size;
    kt_histogram cost; /* of calls that were timed, in all processes */
    struct process_cost {
        double median_ns; /* NaN: no call was timed */
        uint64_t calls;
    } * costs; /* of the processes */
    size_t cost_count, cost_room;
    double reading_ns;
    char version[TRACE_VERSION_BYTES]; /* of the settings; "": unknown */
    bool no_memory;
    char **texts; /* owned */
    size_t text_count, text_room;
} collector;

/* Memory of the C library: the command links the shared library, which keeps its own to itself. */
static bool make_room(collector *c, void *list, size_t *room, size_t needed, size_t bytes)
{
    if (needed <= *room)
        return true;
    size_t larger = needed < 8 ? 8 : 2 * needed;
    void *old;
    memcpy(&old, list, sizeof old);
    void *grown = realloc(old, larger * bytes);
    if (!grown) {
        c->no_memory = true;
        return false;
    }
    memcpy(list, &grown, sizeof grown);
    *room = larger;
    return true;
}

/* ---- access to an image ---- */

static void *part(const image *from, uint64_t offset, size_t bytes)
{
    if (offset == 0 || offset % 8 != 0 || offset > from->size || bytes > from->size - offset)
        return NULL;
    return from->bytes + offset;
}

static const char *text_at(const image *from, uint64_t offset)
{
    const char *text = part(from, offset, 1);
    return text && memchr(text, 0, from->size - offset) ? text : NULL;
}

static bool ends(const char *text, size_t bytes)
{
    return memchr(text, 0, bytes) != NULL;
}

/* ---- gaps ---- */

static void add_gap(collector *c, const char *text, uint64_t calls)
{
    trace_totals *out = c->out;
    for (size_t i = 0; i < out->gap_count; i++) {
        if (strcmp(out->gaps[i].text, text) != 0)
            continue;
        out->gaps[i].calls += calls;
        return;
    }
    if (make_room(c, &out->gaps, &c->gap_room, out->gap_count + 1, sizeof *out->gaps))
        out->gaps[out->gap_count++] = (trace_total_gap){.text = text, .calls = calls};
}

/* The text is copied. */
static void add_sentence(collector *c, const char *text, uint64_t calls)
{
    if (!make_room(c, &c->texts, &c->text_room, c->text_count + 1, sizeof *c->texts))
        return;
    char *copy = strdup(text);
    if (!copy) {
        c->no_memory = true;
        return;
    }
    c->texts[c->text_count++] = copy;
    add_gap(c, copy, calls);
}

static void add_damage(collector *c, image *from, const char *what)
{
    if (from->is_damaged)
        return;
    from->is_damaged = true;
    char text[160];
    snprintf(text, sizeof text, "%s: %s", from->name, what);
    add_sentence(c, text, 0);
}

static void collect_gaps(collector *c, image *from, const trace_file_head *head)
{
    uint64_t before = UINT64_MAX;
    for (uint64_t at = head->gaps; at;) {
        const trace_file_gap *gap = at < before ? part(from, at, sizeof *gap) : NULL;
        const char *text = gap ? text_at(from, gap->text) : NULL;
        if (!text) {
            add_damage(c, from, "the list of what was not traced is damaged");
            return;
        }
        add_gap(c, text, gap->calls);
        before = at;
        at = gap->next;
    }
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
        if (head->unnamed[kind] == 0)
            continue;
        char sentence[80];
        snprintf(sentence, sizeof sentence, "no memory or disk space for the names of more %ss",
                 trace_kind_name((trace_kind)kind));
        add_sentence(c, sentence, head->unnamed[kind]);
    }
    if (head->lost)
        add_sentence(c, "a signal handler interrupted the tracer", head->lost);
}

/* ---- devices ---- */

static uint32_t find_device(collector *c, trace_api api, const trace_file_device *device)
{
    trace_totals *out = c->out;
    for (size_t i = 0; i < out->device_count; i++)
        if (out->devices[i].api == api && strcmp(out->devices[i].id, device->id) == 0 &&
            strcmp(out->devices[i].name, device->name) == 0)
            return (uint32_t)i;
    if (!make_room(c, &out->devices, &c->device_room, out->device_count + 1, sizeof *out->devices))
        return UINT32_MAX;
    out->devices[out->device_count] = (trace_total_device){.id = device->id,
                                                           .name = device->name,
                                                           .api = api,
                                                           .resolution_ns = NAN,
                                                           .busy_ns = NAN,
                                                           .span_ns = NAN,
                                                           .idle_ns = NAN,
                                                           .overlap_ns = NAN};
    return (uint32_t)out->device_count++;
}

static bool is_union(const trace_union *of)
{
    return of->spans == 0 || (of->spans <= COUNT_MAX && of->first_ns <= of->last_ns &&
                              isfinite(of->busy_ns) && isfinite(of->overlap_ns));
}

/* Spans that end before they begin are damage. */
static bool are_intervals(const trace_interval *spans, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (spans[i].end_ns < spans[i].begin_ns)
            return false;
    return true;
}

static double plus(double sum, double more)
{
    return isnan(sum) ? more : sum + more;
}

/* Folds in what waits in the window. False: damaged. */
static bool fold_window(collector *c, const trace_window *window, trace_union *out)
{
    uint32_t current = window->current;
    if (current > 1)
        return false;
    uint32_t count = window->sides[current].count;
    *out = window->sides[current].folded;
    const trace_interval *waiting = window->sides[current].spans;
    if (count > TRACE_WINDOW_SPANS || !is_union(out) || !are_intervals(waiting, count))
        return false;
    if (count == 0)
        return true;
    trace_interval *spans = malloc(2 * count * sizeof *spans);
    if (!spans) {
        c->no_memory = true;
        return false;
    }
    memcpy(spans, waiting, count * sizeof *spans);
    trace_sort_intervals(spans, spans + count, count);
    trace_fold(out, spans, count);
    free(spans);
    return true;
}

static void collect_busy(collector *c, image *from, const trace_file_device *device,
                         trace_total_device *total)
{
    if (device->spans == 0 || !device->window)
        return;
    const trace_window *window = part(from, device->window, sizeof *window);
    trace_union all;
    if (!window || !fold_window(c, window, &all)) {
        add_damage(c, from, "the busy times of a device are damaged");
        return;
    }
    if (all.spans == 0)
        return;
    double span_ns = (double)((uint64_t)all.last_ns - (uint64_t)all.first_ns);
    total->busy_ns = plus(total->busy_ns, all.busy_ns);
    total->span_ns = plus(total->span_ns, span_ns);
    total->idle_ns = plus(total->idle_ns, span_ns - all.busy_ns);
    total->overlap_ns = plus(total->overlap_ns, all.overlap_ns);
    total->late += all.late;
}

/* Fills `places` with the devices' numbers in the totals. */
static bool collect_devices(collector *c, image *from, const trace_file_head *head,
                            uint32_t places[TRACE_DEVICES_MAX], uint32_t *count)
{
    *count = head->device_count;
    if (*count > TRACE_DEVICES_MAX) {
        add_damage(c, from, "the list of devices is damaged");
        return false;
    }
    for (uint32_t i = 0; i < *count; i++) {
        const trace_file_device *device = &head->devices[i];
        if (!ends(device->id, sizeof device->id) || !ends(device->name, sizeof device->name)) {
            add_damage(c, from, "the list of devices is damaged");
            return false;
        }
        places[i] = find_device(c, (trace_api)head->api, device);
        if (places[i] == UINT32_MAX)
            return false;
        trace_total_device *total = &c->out->devices[places[i]];
        if (isnan(total->resolution_ns) || device->resolution_ns > total->resolution_ns)
            total->resolution_ns = device->resolution_ns;
        total->spans += device->spans;
        total->process_count += device->spans > 0;
        collect_busy(c, from, device, total);
    }
    return true;
}

/* ---- rows ---- */

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

/* Number of the row, which is added if it is new. UINT32_MAX: no memory. */
static uint32_t find_row(collector *c, uint32_t device, trace_kind kind, const char *name,
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
    if (!make_room(c, &c->rests, &rest_room, out->row_count + 1, sizeof *c->rests) ||
        !make_room(c, &out->rows, &c->row_room, out->row_count + 1, sizeof *out->rows))
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

static bool is_statistics(const trace_statistics *s)
{
    return s->count <= COUNT_MAX && kt_histogram_count(&s->histogram) <= COUNT_MAX &&
           isfinite(s->total_ns) && isfinite(s->bytes_ns) &&
           (s->count == 0 || (s->min_ns >= 0 && s->min_ns <= s->max_ns && isfinite(s->max_ns)));
}

static void merge_row(trace_total *row, row_rest *rest, const trace_file_row *from)
{
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
        row->bytes = plus(row->bytes, (double)s->bytes);
        rest->bytes_ns += s->bytes_ns;
    }
    double inflation = trace_inflation(s);
    if (isnan(inflation))
        return;
    rest->inflation_sum += inflation * (double)s->count;
    rest->inflation_count += s->count;
}

static void link_row(collector *c, image *from, uint64_t offset, uint32_t row, size_t *room)
{
    if (make_room(c, &from->links, room, from->link_count + 1, sizeof *from->links))
        from->links[from->link_count++] = (struct row_link){offset, row};
}

static void collect_rows(collector *c, image *from, const trace_file_head *head)
{
    uint32_t places[TRACE_DEVICES_MAX], device_count;
    if (!collect_devices(c, from, head, places, &device_count))
        return;
    uint64_t before = UINT64_MAX;
    size_t room = 0;
    for (uint64_t at = head->rows; at;) {
        const trace_file_row *row = at < before ? part(from, at, sizeof *row) : NULL;
        const char *name = row ? text_at(from, row->name) : NULL;
        const char *size = row && row->size ? text_at(from, row->size) : NULL;
        if (!name || (row->size && !size) || row->kind >= TRACE_KIND_COUNT ||
            row->device >= device_count) {
            add_damage(c, from, "the list of kernels is damaged");
            return;
        }
        uint32_t number = find_row(c, places[row->device], (trace_kind)row->kind, name, size);
        if (number == UINT32_MAX)
            return;
        link_row(c, from, at, number, &room);
        if (is_statistics(&row->statistics))
            merge_row(&c->out->rows[number], &c->rests[number], row);
        else
            add_damage(c, from, "the statistics of a kernel are damaged");
        before = at;
        at = row->next;
    }
}

/* ---- a process ---- */

static uint64_t sum_of(trace_file_head *head, trace_counter counter)
{
    uint64_t sum = 0;
    for (int i = 0; i < TRACE_THREADS; i++)
        sum += atomic_load(&head->threads[i].counters[counter]);
    return sum;
}

static void collect_cost(collector *c, const trace_file_head *head, uint64_t calls)
{
    if (!make_room(c, &c->costs, &c->cost_room, c->cost_count + 1, sizeof *c->costs))
        return;
    kt_histogram timed;
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++) {
        timed.counts[i] = head->cost.timed[i];
        c->cost.counts[i] += timed.counts[i];
    }
    uint64_t count = kt_histogram_count(&timed);
    struct process_cost *cost = &c->costs[c->cost_count++];
    cost->median_ns = count ? kt_histogram_at_rank(&timed, (count + 1) / 2) : NAN;
    cost->calls = calls;
    c->reading_ns += (double)head->cost.reading_ns;
}

static void collect_process(collector *c, image *from, trace_file_head *head)
{
    trace_totals *out = c->out;
    out->hooked[head->api] = true;
    if (!make_room(c, &out->processes, &c->process_room, out->process_count + 1,
                   sizeof *out->processes))
        return;
    uint64_t calls = sum_of(head, TRACE_COUNTER_CALLS);
    uint64_t enqueued = sum_of(head, TRACE_COUNTER_ENQUEUED);
    uint64_t settled = sum_of(head, TRACE_COUNTER_SETTLED);
    uint64_t in_flight = enqueued > settled ? enqueued - settled : 0;
    out->processes[out->process_count++] =
        (trace_total_process){.number = head->process,
                              .parent = head->parent,
                              .program = head->program,
                              .rank = head->rank[0] ? head->rank : NULL,
                              .api = (trace_api)head->api,
                              .in_flight = in_flight,
                              .stopped = head->stopped[0] ? head->stopped : NULL};
    out->calls += calls;
    out->in_flight += in_flight;
    out->lost_events += head->lost_events;
    collect_cost(c, head, calls);
    collect_rows(c, from, head);
    collect_gaps(c, from, head);
}

static bool is_head(const collector *c, const trace_file_head *head)
{
    return ends(head->version, sizeof head->version) &&
           (!c->version[0] || strcmp(head->version, c->version) == 0) &&
           head->api < TRACE_API_COUNT && ends(head->program, sizeof head->program) &&
           ends(head->rank, sizeof head->rank) && ends(head->stopped, sizeof head->stopped);
}

static void collect_image(collector *c, image *from)
{
    trace_file_head *head = (trace_file_head *)from->bytes;
    if (from->size < sizeof *head || head->magic == 0)
        add_damage(c, from, "the process ended before its tracer had begun");
    else if (head->magic != TRACE_FILE_MAGIC || !is_head(c, head))
        add_damage(c, from, "is no process file of this version of kerntime");
    else
        collect_process(c, from, head);
}

/* Takes `bytes`, which free() frees. */
static image *add_image(collector *c, const char *name, unsigned char *bytes, uint64_t size)
{
    image *from = calloc(1, sizeof *from);
    if (!from || !make_room(c, &c->images, &c->image_room, c->image_count + 1, sizeof *c->images)) {
        c->no_memory = true;
        free(from);
        free(bytes);
        return NULL;
    }
    from->bytes = bytes;
    from->size = size;
    snprintf(from->name, sizeof from->name, "%s", name);
    c->images[c->image_count++] = from;
    return from;
}

/* ---- the end ---- */

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

static double quantile_of(const trace_total *row, uint64_t count, double p)
{
    uint64_t rank = (uint64_t)ceil(p * (double)count);
    return within(row, kt_histogram_at_rank(&row->histogram, rank > 0 ? rank : 1));
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
    row->median_ns = quantile_of(row, count, 0.5);
    row->p95_ns = quantile_of(row, count, 0.95);
    row->p99_ns = quantile_of(row, count, 0.99);
    find_interval(row, count);
}

/* Rows with the largest total first; then those without times, by name. */
static int compare_rows(const void *left, const void *right)
{
    const trace_total *a = left, *b = right;
    double of_a = isnan(a->total_ns) ? -1 : a->total_ns,
           of_b = isnan(b->total_ns) ? -1 : b->total_ns;
    if (of_a != of_b)
        return of_a < of_b ? 1 : -1;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(a->size ? a->size : "", b->size ? b->size : "");
    return order ? order : (int)a->kind - (int)b->kind;
}

/* Sorts the rows, less those that were never called, and sets the links to them. */
static bool sort_rows(collector *c)
{
    trace_totals *out = c->out;
    uint32_t *places = calloc(out->row_count + 1, sizeof *places);
    if (!places)
        return false;
    /* Each row's old number travels in `mean_ns`, which is set anew afterwards. */
    size_t kept = 0;
    for (size_t i = 0; i < out->row_count; i++) {
        finish_row(&out->rows[i], &c->rests[i]);
        places[i] = UINT32_MAX;
        if (out->rows[i].calls == 0)
            continue;
        if (kept != i)
            out->rows[kept] = out->rows[i];
        out->rows[kept++].mean_ns = (double)i;
    }
    out->row_count = kept;
    if (kept > 0)
        qsort(out->rows, kept, sizeof *out->rows, compare_rows);
    for (size_t i = 0; i < kept; i++) {
        trace_total *row = &out->rows[i];
        places[(size_t)row->mean_ns] = (uint32_t)i;
        row->mean_ns = row->total_ns / (double)row->timed;
    }
    for (size_t i = 0; i < c->image_count; i++)
        for (size_t j = 0; j < c->images[i]->link_count; j++)
            c->images[i]->links[j].row = places[c->images[i]->links[j].row];
    free(places);
    return true;
}

static void finish_cost(collector *c)
{
    trace_totals *out = c->out;
    uint64_t count = kt_histogram_count(&c->cost);
    out->cost_ns = out->cost_per_call_ns = NAN;
    if (count == 0 || out->calls == 0)
        return;
    double of_all = kt_histogram_at_rank(&c->cost, (count + 1) / 2);
    out->cost_ns = c->reading_ns;
    for (size_t i = 0; i < c->cost_count; i++) {
        double median_ns = c->costs[i].median_ns;
        out->cost_ns += (double)c->costs[i].calls * (isnan(median_ns) ? of_all : median_ns);
    }
    out->cost_per_call_ns = out->cost_ns / (double)out->calls;
}

static void free_collector(collector *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->image_count; i++) {
        free(c->images[i]->links);
        free(c->images[i]->bytes);
        free(c->images[i]);
    }
    for (size_t i = 0; i < c->text_count; i++)
        free(c->texts[i]);
    free(c->images);
    free(c->texts);
    free(c->rests);
    free(c->table);
    free(c->costs);
    free(c);
}

static collector *begin(trace_totals *out)
{
    memset(out, 0, sizeof *out);
    out->cost_ns = out->cost_per_call_ns = NAN;
    collector *c = calloc(1, sizeof *c);
    if (c)
        c->out = out;
    out->owned = c;
    return c;
}

static int finish(collector *c)
{
    if (!c->no_memory && !sort_rows(c))
        c->no_memory = true;
    if (c->no_memory)
        return -1;
    finish_cost(c);
    return 0;
}

void trace_free(trace_totals *totals)
{
    free_collector(totals->owned);
    free(totals->rows);
    free(totals->devices);
    free(totals->processes);
    free(totals->gaps);
    memset(totals, 0, sizeof *totals);
}

int trace_collect_bytes(const void *bytes, size_t count, trace_totals *out)
{
    collector *c = begin(out);
    unsigned char *copy = c ? malloc(count + 1) : NULL;
    if (!copy)
        return -1;
    memcpy(copy, bytes, count);
    image *from = add_image(c, "file", copy, count);
    if (from)
        collect_image(c, from);
    return finish(c);
}

/* ---- files ---- */

/* Reads what is there up to `size` bytes. */
static uint64_t read_bytes(int fd, unsigned char *to, uint64_t size)
{
    uint64_t done = 0;
    while (done < size) {
        ssize_t count = pread(fd, to + done, size - done, (off_t)done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += (uint64_t)count;
    }
    return done;
}

static void collect_file(collector *c, int folder, const char *name)
{
    struct stat status;
    char text[160];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        snprintf(text, sizeof text, "%.60s cannot be read: %s", name, strerror(errno));
        add_sentence(c, text, 0);
        if (fd >= 0)
            close(fd);
        return;
    }
    uint64_t size = (uint64_t)status.st_size;
    trace_file_head *head = malloc(sizeof *head); /* what is used may be less than the file */
    if (head && read_bytes(fd, (unsigned char *)head, sizeof *head) == sizeof *head &&
        head->used < size)
        size = head->used;
    free(head);
    unsigned char *bytes = malloc(size + 1);
    if (bytes) {
        image *from = add_image(c, name, bytes, read_bytes(fd, bytes, size));
        if (from)
            collect_image(c, from);
    } else {
        c->no_memory = true;
    }
    close(fd);
}

static void collect_settings(collector *c, int folder)
{
    int fd = openat(folder, TRACE_SETTINGS_FILE, O_RDONLY | O_CLOEXEC);
    trace_settings *settings = malloc(sizeof *settings);
    if (settings && fd >= 0 &&
        read_bytes(fd, (unsigned char *)settings, sizeof *settings) == sizeof *settings) {
        settings->version[sizeof settings->version - 1] = '\0';
        settings->failure[sizeof settings->failure - 1] = '\0';
        memcpy(c->version, settings->version, sizeof c->version);
        if (settings->failures > 0) {
            char text[TRACE_FAILURE_BYTES + 64];
            snprintf(text, sizeof text, "%u processes were not traced: %s",
                     (unsigned)settings->failures, settings->failure);
            add_sentence(c, text, 0);
        }
    }
    free(settings);
    if (fd >= 0)
        close(fd);
}

int trace_collect(const char *folder, trace_totals *out, char *reason, size_t reason_bytes)
{
    collector *c = begin(out);
    DIR *entries = c ? opendir(folder) : NULL;
    if (!entries) {
        snprintf(reason, reason_bytes, "%s: %s", folder, c ? strerror(errno) : "out of memory");
        return -1;
    }
    collect_settings(c, dirfd(entries));
    for (struct dirent *entry; !c->no_memory && (entry = readdir(entries));)
        if (strncmp(entry->d_name, TRACE_FILE_PREFIX, strlen(TRACE_FILE_PREFIX)) == 0)
            collect_file(c, dirfd(entries), entry->d_name);
    closedir(entries);
    int rc = finish(c);
    if (rc != 0)
        snprintf(reason, reason_bytes, "out of memory");
    return rc;
}

/* ---- time line ---- */

static int compare_links(const void *left, const void *right)
{
    const struct row_link *a = left, *b = right;
    return (a->offset < b->offset) - (a->offset > b->offset);
}

/* Number of a row of the totals; UINT32_MAX: none. */
static uint32_t linked_row(const image *from, uint64_t offset)
{
    struct row_link key = {.offset = offset};
    const struct row_link *link =
        from->link_count ? bsearch(&key, from->links, from->link_count, sizeof key, compare_links)
                         : NULL;
    return link ? link->row : UINT32_MAX;
}

typedef struct event_source {
    const image *from;
    trace_file_head *head;
    uint32_t process;
} event_source;

static bool make_event(const event_source *source, const trace_event *event, trace_total_event *out)
{
    uint32_t row = linked_row(source->from, event->row);
    const trace_file_row *at = part(source->from, event->row, sizeof *at);
    if (row == UINT32_MAX || !at || event->end_ns < event->begin_ns)
        return false;
    const trace_file_device *device = &source->head->devices[at->device];
    *out = (trace_total_event){.row = row,
                               .process = source->process,
                               .thread = event->thread,
                               .queue = event->queue,
                               .begin_ns = event->begin_ns,
                               .end_ns = event->end_ns,
                               .call_begin_ns = event->call_begin_ns,
                               .call_end_ns = event->call_end_ns,
                               .uncertainty_ns = device->uncertainty_ns};
    double offset_ns = device->offset_ns;
    if (isnan(device->uncertainty_ns) || !(fabs(offset_ns) < 0x1p62))
        return true;
    int64_t offset = (int64_t)offset_ns;
    if (event->begin_ns > INT64_MAX / 4 || event->end_ns > INT64_MAX / 4 ||
        event->begin_ns < INT64_MIN / 4)
        return false;
    out->begin_ns += offset;
    out->end_ns += offset;
    return true;
}

static bool each_of_image(const event_source *source,
                          bool (*take)(void *user, const trace_total_event *event), void *user)
{
    uint64_t before = UINT64_MAX;
    for (uint64_t at = source->head->chunks; at;) {
        trace_file_chunk *chunk = at < before ? part(source->from, at, sizeof *chunk) : NULL;
        if (!chunk || chunk->count > TRACE_CHUNK_EVENTS)
            return true;
        uint32_t count = chunk->count;
        for (uint32_t i = 0; i < count; i++) {
            trace_total_event event;
            if (make_event(source, &chunk->events[i], &event) && !take(user, &event))
                return false;
        }
        before = at;
        at = chunk->next;
    }
    return true;
}

void trace_each_event(const trace_totals *totals,
                      bool (*take)(void *user, const trace_total_event *event), void *user)
{
    const collector *c = totals->owned;
    uint32_t process = 0;
    for (size_t i = 0; c && i < c->image_count; i++) {
        const image *from = c->images[i];
        trace_file_head *head = (trace_file_head *)from->bytes;
        if (from->size < sizeof *head || head->magic != TRACE_FILE_MAGIC || !is_head(c, head))
            continue;
        event_source source = {from, head, process++};
        if (!each_of_image(&source, take, user))
            return;
    }
}
