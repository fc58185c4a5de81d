/* SPDX-License-Identifier: MIT */
#include "tracers/common/collector.h"

#include "tracers/common/busy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More calls than any program makes; a larger number is damage. */
#define COUNT_MAX (UINT64_C(1) << 40)

void *collect_part(const trace_image *from, uint64_t offset, size_t bytes)
{
    if (offset == 0 || offset % 8 != 0 || offset > from->size || bytes > from->size - offset)
        return NULL;
    return from->bytes + offset;
}

static const char *text_at(const trace_image *from, uint64_t offset)
{
    const char *text = collect_part(from, offset, 1);
    return text && memchr(text, 0, from->size - offset) ? text : NULL;
}

static bool ends(const char *text, size_t bytes)
{
    return memchr(text, 0, bytes) != NULL;
}

/* ---- gaps ---- */

static void add_damage(collector *c, trace_image *from, const char *what)
{
    if (from->is_damaged)
        return;
    from->is_damaged = true;
    char text[160];
    snprintf(text, sizeof text, "%s: %s", from->name, what);
    collect_add_sentence(c, text, 0);
}

static void collect_gaps(collector *c, trace_image *from, const trace_file_head *head)
{
    uint64_t before = UINT64_MAX;
    for (uint64_t at = head->gaps; at;) {
        const trace_file_gap *gap = at < before ? collect_part(from, at, sizeof *gap) : NULL;
        const char *text = gap ? text_at(from, gap->text) : NULL;
        if (!text) {
            add_damage(c, from, "the list of what was not traced is damaged");
            return;
        }
        collect_add_gap(c, text, gap->calls);
        before = at;
        at = gap->next;
    }
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) {
        if (head->unnamed[kind] == 0)
            continue;
        char sentence[80];
        snprintf(sentence, sizeof sentence, "no memory or disk space for the names of more %ss",
                 trace_kind_name((trace_kind)kind));
        collect_add_sentence(c, sentence, head->unnamed[kind]);
    }
    if (head->lost)
        collect_add_sentence(c, "a signal handler interrupted the tracer", head->lost);
}

/* ---- devices ---- */

static uint32_t find_device(collector *c, trace_api api, const trace_file_device *device)
{
    trace_totals *out = c->out;
    for (size_t i = 0; i < out->device_count; i++)
        if (out->devices[i].api == api && strcmp(out->devices[i].id, device->id) == 0 &&
            strcmp(out->devices[i].name, device->name) == 0)
            return (uint32_t)i;
    if (!collect_make_room(c, &out->devices, &c->device_room, out->device_count + 1,
                           sizeof *out->devices))
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

static void collect_busy(collector *c, trace_image *from, const trace_file_device *device,
                         trace_total_device *total)
{
    if (device->spans == 0 || !device->window)
        return;
    const trace_window *window = collect_part(from, device->window, sizeof *window);
    trace_union all;
    if (!window || !fold_window(c, window, &all)) {
        add_damage(c, from, "the busy times of a device are damaged");
        return;
    }
    if (all.spans == 0)
        return;
    double span_ns = (double)((uint64_t)all.last_ns - (uint64_t)all.first_ns);
    total->busy_ns = collect_plus(total->busy_ns, all.busy_ns);
    total->span_ns = collect_plus(total->span_ns, span_ns);
    total->idle_ns = collect_plus(total->idle_ns, span_ns - all.busy_ns);
    total->overlap_ns = collect_plus(total->overlap_ns, all.overlap_ns);
    total->late += all.late;
}

static void count_use(collector *c, uint32_t device, int64_t process)
{
    for (size_t i = 0; i < c->use_count; i++)
        if (c->uses[i].device == device && c->uses[i].process == process)
            return;
    if (!collect_make_room(c, &c->uses, &c->use_room, c->use_count + 1, sizeof *c->uses))
        return;
    c->uses[c->use_count++] = (struct device_use){device, process};
    c->out->devices[device].process_count++;
}

/* Fills `places` with the devices' numbers in the totals. */
static bool collect_devices(collector *c, trace_image *from, const trace_file_head *head,
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
        if (device->spans > 0)
            count_use(c, places[i], head->process);
        collect_busy(c, from, device, total);
    }
    return true;
}

/* ---- rows ---- */

static bool is_statistics(const trace_statistics *s)
{
    return s->count <= COUNT_MAX && kt_histogram_count(&s->histogram) <= COUNT_MAX &&
           isfinite(s->total_ns) && isfinite(s->bytes_ns) &&
           (s->count == 0 || (s->min_ns >= 0 && s->min_ns <= s->max_ns && isfinite(s->max_ns)));
}

static void link_row(collector *c, trace_image *from, uint64_t offset, uint32_t row, size_t *room)
{
    if (collect_make_room(c, &from->links, room, from->link_count + 1, sizeof *from->links))
        from->links[from->link_count++] = (struct row_link){offset, row};
}

static void collect_rows(collector *c, trace_image *from, const trace_file_head *head)
{
    uint32_t places[TRACE_DEVICES_MAX], device_count;
    if (!collect_devices(c, from, head, places, &device_count))
        return;
    uint64_t before = UINT64_MAX;
    size_t room = 0;
    for (uint64_t at = head->rows; at;) {
        const trace_file_row *row = at < before ? collect_part(from, at, sizeof *row) : NULL;
        const char *name = row ? text_at(from, row->name) : NULL;
        const char *size = row && row->size ? text_at(from, row->size) : NULL;
        if (!name || (row->size && !size) || row->kind >= TRACE_KIND_COUNT ||
            row->device >= device_count) {
            add_damage(c, from, "the list of kernels is damaged");
            return;
        }
        uint32_t number =
            collect_find_row(c, places[row->device], (trace_kind)row->kind, name, size);
        if (number == UINT32_MAX)
            return;
        link_row(c, from, at, number, &room);
        if (is_statistics(&row->statistics))
            collect_merge_row(c, number, row);
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

static uint32_t count_threads(trace_file_head *head)
{
    uint32_t count = 0;
    for (int i = 0; i < TRACE_THREADS; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < TRACE_COUNTER_COUNT; k++)
            sum |= atomic_load(&head->threads[i].counters[k]);
        count += sum > 0;
    }
    return count;
}

static void collect_cost(collector *c, const trace_file_head *head, uint64_t calls)
{
    if (!collect_make_room(c, &c->costs, &c->cost_room, c->cost_count + 1, sizeof *c->costs))
        return;
    kt_histogram timed;
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++) {
        timed.counts[i] = head->cost.timed[i];
        c->cost[head->api].counts[i] += timed.counts[i];
    }
    struct process_cost *cost = &c->costs[c->cost_count++];
    cost->api = (trace_api)head->api;
    cost->median_ns = collect_median(&timed);
    cost->calls = calls;
    c->reading_ns += (double)head->cost.reading_ns;
}

static void collect_process(collector *c, trace_image *from, trace_file_head *head)
{
    trace_totals *out = c->out;
    out->hooked[head->api] = true;
    if (!collect_make_room(c, &out->processes, &c->process_room, out->process_count + 1,
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
                              .has_calls = calls > 0 || enqueued > 0 || settled > 0,
                              .in_flight = in_flight,
                              .threads = count_threads(head),
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

void collect_image(collector *c, trace_image *from)
{
    trace_file_head *head = (trace_file_head *)from->bytes;
    if (from->size < sizeof *head || head->magic == 0)
        add_damage(c, from, "the process ended before its tracer had begun");
    else if (head->magic != TRACE_FILE_MAGIC || !is_head(c, head))
        add_damage(c, from, "is no process file of this version of kerntime");
    else
        collect_process(c, from, head);
}

trace_file_head *collect_head(const collector *c, const trace_image *from)
{
    trace_file_head *head = (trace_file_head *)from->bytes;
    bool is_whole = from->size >= sizeof *head && head->magic == TRACE_FILE_MAGIC;
    return is_whole && is_head(c, head) ? head : NULL;
}
