/* SPDX-License-Identifier: MIT */
/* timeline.c - the events of a run as a trace of the library: devices, and the calls that gave them
 * work, on one time line. The library shows groups and rows in the order of their first events. */
#include "cli/output/text.h"
#include "cli/trace/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 256

/* Where the group of a process stands. */
typedef struct place {
    int64_t begin_ns; /* of the first call of it and its descendants */
    uint32_t depth;   /* number of traced ancestors */
    int64_t number;
} place;

/* An event with what it is sorted by. */
typedef struct item {
    trace_total_event event;
    const place *place;
    uint32_t device;
} item;

typedef struct timeline {
    const trace_totals *totals;
    kt_trace *trace;
    kt_status status; /* of the first event that could not be added */
    place *places;    /* of the processes */
    item *items;
    uint64_t item_count;
} timeline;

static bool count_event(void *user, const trace_total_event *event)
{
    uint64_t *count = user;
    (void)event;
    ++*count;
    return true;
}

/* ---- order ---- */

/* The first process of a number, as one with two tracers is there twice. NULL: it has no tracer. */
static const trace_total_process *find_process(const trace_totals *totals, int64_t number)
{
    for (size_t i = 0; i < totals->process_count; i++)
        if (totals->processes[i].number == number)
            return &totals->processes[i];
    return NULL;
}

/* Takes an event in. Ancestors begin no later, so that they stand first. */
static bool take_event(void *user, const trace_total_event *event)
{
    timeline *t = user;
    if (event->end_ns < event->begin_ns || event->call_end_ns < event->call_begin_ns) {
        t->status = kt_trace_omit(t->trace, "reversed");
        return t->status == KT_OK;
    }
    place *of = &t->places[event->process];
    if (event->call_end_ns && event->call_begin_ns < of->begin_ns)
        of->begin_ns = event->call_begin_ns;
    t->items[t->item_count++] =
        (item){.event = *event, .place = of, .device = t->totals->rows[event->row].device};
    return true;
}

static void place_processes(timeline *t)
{
    const trace_total_process *processes = t->totals->processes;
    size_t count = t->totals->process_count;
    for (size_t i = 0; i < count; i++) {
        int64_t begin_ns = t->places[i].begin_ns;
        const trace_total_process *at = find_process(t->totals, processes[i].number);
        /* Numbers of processes may be reused: a chain is never longer than `count`. */
        for (size_t steps = 0; at && steps <= count; steps++) {
            place *of = &t->places[at - processes];
            of->begin_ns = begin_ns < of->begin_ns ? begin_ns : of->begin_ns;
            t->places[i].depth += steps > 0;
            at = find_process(t->totals, at->parent);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const trace_total_process *first = find_process(t->totals, processes[i].number);
        t->places[i].begin_ns = t->places[first - processes].begin_ns;
        t->places[i].number = processes[i].number;
    }
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_process(const item *a, const item *b)
{
    int by = order(a->place->begin_ns, b->place->begin_ns);
    by = by ? by : order(a->place->depth, b->place->depth);
    by = by ? by : order(a->place->number, b->place->number);
    return by ? by : order(a->event.process, b->event.process);
}

static int by_call(const void *left, const void *right)
{
    const item *a = left, *b = right;
    int by = by_process(a, b);
    by = by ? by : order(a->event.thread, b->event.thread);
    by = by ? by : order(a->event.call_begin_ns, b->event.call_begin_ns);
    by = by ? by : order(a->event.call_end_ns, b->event.call_end_ns);
    return by ? by : order(a->event.begin_ns, b->event.begin_ns);
}

static int by_queue(const void *left, const void *right)
{
    const item *a = left, *b = right;
    int by = by_process(a, b);
    by = by ? by : order(a->device, b->device);
    by = by ? by : order(a->event.queue, b->event.queue);
    return by ? by : order(a->event.begin_ns, b->event.begin_ns);
}

/* ---- events ---- */

/* "PROGRAM (1234)", or "PROGRAM (1234, rank 3)". */
static void put_process(const trace_total_process *process, char out[TEXT_BYTES])
{
    snprintf(out, TEXT_BYTES, "%.100s (%" PRId64 "%s%.64s)", process->program, process->number,
             process->rank ? ", rank " : "", process->rank ? process->rank : "");
}

static void add(timeline *t, const kt_trace_event *event)
{
    if (t->status == KT_OK)
        t->status = kt_trace_add(t->trace, event);
}

/* The call of `count` commands, on the host's clock. */
static void add_call(timeline *t, const item *first, uint64_t count)
{
    char program[TEXT_BYTES], process[TEXT_BYTES + 8], track[32], name[64];
    text_number commands;
    put_process(&t->totals->processes[first->event.process], program);
    snprintf(process, sizeof process, "host: %s", program);
    snprintf(track, sizeof track, "thread %" PRIu32, first->event.thread);
    snprintf(name, sizeof name, "submission of %s commands", text_count(commands, count));
    const kt_trace_arg arg = {.name = "commands", .number = (int64_t)count};
    add(t, &(kt_trace_event){.process = process,
                             .track = track,
                             .name = count > 1 ? name : t->totals->rows[first->event.row].name,
                             .category = "call",
                             .begin_ns = first->event.call_begin_ns,
                             .end_ns = first->event.call_end_ns,
                             .uncertainty_ns = NAN,
                             .args = &arg,
                             .arg_count = 1});
}

static bool is_one_call(const trace_total_event *a, const trace_total_event *b)
{
    return a->process == b->process && a->thread == b->thread &&
           a->call_begin_ns == b->call_begin_ns && a->call_end_ns == b->call_end_ns;
}

/* Adds the calls of `count` sorted commands, each once. */
static void add_calls(timeline *t, const item *items, uint64_t count)
{
    for (uint64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && is_one_call(&items[first].event, &items[end].event);)
            end++;
        if (items[first].event.call_end_ns)
            add_call(t, &items[first], end - first);
    }
}

/* The command. A clock that was not related to the host's has a time line of its own. */
static void add_command(timeline *t, const trace_total_event *event)
{
    const trace_total *row = &t->totals->rows[event->row];
    const trace_total_device *device = &t->totals->devices[row->device];
    char program[TEXT_BYTES], process[2 * TEXT_BYTES], track[32], clock[2 * TEXT_BYTES];
    put_process(&t->totals->processes[event->process], program);
    snprintf(process, sizeof process, "%s (%.100s): %s", device->id, device->name, program);
    snprintf(track, sizeof track, "queue %" PRIu32, event->queue);
    snprintf(clock, sizeof clock, "clock of %s in %s", device->id, program);
    const kt_trace_arg size = {.name = "size", .text = row->size};
    add(t, &(kt_trace_event){.timeline = isnan(event->uncertainty_ns) ? clock : NULL,
                             .process = process,
                             .track = track,
                             .name = row->name,
                             .category = trace_kind_name(row->kind),
                             .begin_ns = event->begin_ns,
                             .end_ns = event->end_ns,
                             .uncertainty_ns = event->uncertainty_ns,
                             .args = row->size ? &size : NULL,
                             .arg_count = row->size ? 1 : 0});
}

/* Adds process by process: its calls, then its commands. */
static void add_items(timeline *t)
{
    if (t->item_count)
        qsort(t->items, t->item_count, sizeof *t->items, by_call);
    for (uint64_t first = 0, end; first < t->item_count; first = end) {
        item *items = &t->items[first];
        for (end = first + 1;
             end < t->item_count && t->items[end].event.process == items->event.process;)
            end++;
        add_calls(t, items, end - first);
        qsort(items, end - first, sizeof *items, by_queue);
        for (uint64_t i = 0; i < end - first; i++)
            add_command(t, &items[i].event);
    }
}

/* ---- the trace ---- */

static kt_status fill(timeline *t, uint64_t count)
{
    const kt_trace_options options = {.size = sizeof options,
                                      .events_max = count < UINT32_MAX / 2 ? 2 * (uint32_t)count + 1
                                                                           : UINT32_MAX};
    t->status = kt_trace_create(&t->trace, &options);
    for (size_t i = 0; i < t->totals->process_count; i++)
        t->places[i].begin_ns = INT64_MAX;
    if (t->status == KT_OK)
        trace_each_event(t->totals, take_event, t);
    place_processes(t);
    add_items(t);
    for (uint64_t i = 0; t->status == KT_OK && i < t->totals->lost_events; i++)
        t->status = kt_trace_omit(t->trace, "no_memory_left");
    return t->status;
}

int trace_write_timeline(const trace_document *document, const char *path)
{
    timeline t = {.totals = &document->runs[0].totals};
    uint64_t count = 0;
    const char *reason = "out of memory";
    trace_each_event(t.totals, count_event, &count);
    t.items = calloc(count + 1, sizeof *t.items);
    t.places = calloc(t.totals->process_count + 1, sizeof *t.places);
    bool written = t.items && t.places;
    if (written && (fill(&t, count) != KT_OK || kt_trace_write_file(t.trace, path) != KT_OK)) {
        written = false;
        reason = kt_error_text();
    }
    if (!written)
        fprintf(stderr, "kerntime trace: --trace: %s\n", reason);
    kt_trace_destroy(&t.trace);
    free(t.items);
    free(t.places);
    return written ? EXIT_DONE : TRACE_EXIT_FAILED;
}
