/* SPDX-License-Identifier: MIT */
#include "cli/trace/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_DEFAULT (UINT64_C(64) << 20)

uint64_t trace_events_bytes(const cli_options *options)
{
    if (!options->files[OUTPUT_TRACE])
        return 0;
    return options->trace.memory_bytes ? options->trace.memory_bytes : MEMORY_DEFAULT;
}

static int by_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* The same id may be another device in another process. */
static int by_device(const trace_total_device *a, const trace_total_device *b)
{
    int order = strcmp(a->id, b->id);
    return order ? order : strcmp(a->name, b->name);
}

static int by_key(const trace_line_run *a, const trace_line_run *b)
{
    if (a->row->kind != b->row->kind)
        return a->row->kind < b->row->kind ? -1 : 1;
    int order = by_device(a->device, b->device);
    order = order ? order : strcmp(a->row->name, b->row->name);
    return order ? order : by_text(a->row->size, b->row->size);
}

static int by_key_and_run(const void *left, const void *right)
{
    const trace_line_run *a = left, *b = right;
    int order = by_key(a, b);
    return order ? order : (a->run > b->run) - (a->run < b->run);
}

/* Unknown totals last. */
static int by_total(const void *left, const void *right)
{
    const trace_line *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    double one = isnan(a->total_ns) ? -1 : a->total_ns,
           other = isnan(b->total_ns) ? -1 : b->total_ns;
    if (one != other)
        return one > other ? -1 : 1;
    int order = strcmp(a->name, b->name);
    order = order ? order : by_text(a->size, b->size);
    return order ? order : by_device(a->device, b->device);
}

/* ---- lines ---- */

/* Adds to a sum that may still be unknown. */
static void add_known(double *sum, double value)
{
    if (!isnan(value))
        *sum = isnan(*sum) ? value : *sum + value;
}

/* Summarises a number of all runs of a line. `scratch`: room for twice as many. */
static kt_summary summarize(const trace_line *line, size_t offset, double *scratch)
{
    kt_summary summary = {.median = NAN, .ci95_low = NAN, .ci95_high = NAN};
    double *values = scratch + line->run_count;
    size_t n = 0;
    for (uint32_t i = 0; i < line->run_count; i++) {
        const char *row = (const char *)line->runs[i].row;
        double value = *(const double *)(const void *)(row + offset);
        if (!isnan(value))
            values[n++] = value;
    }
    if (n)
        kt_summarize(values, n, 0, scratch, &summary);
    return summary;
}

/* Medians over runs. The interval is that of the calls if there is one run of the program, else
 * that of the runs' medians. */
static void set_medians(trace_line *line, size_t run_count, double *scratch)
{
    kt_summary medians = summarize(line, offsetof(trace_total, median_ns), scratch);
    line->median_ns = medians.median;
    line->low_ns = run_count == 1 ? line->runs->row->low_ns : medians.ci95_low;
    line->high_ns = run_count == 1 ? line->runs->row->high_ns : medians.ci95_high;
    line->mean_ns = summarize(line, offsetof(trace_total, mean_ns), scratch).median;
    line->p95_ns = summarize(line, offsetof(trace_total, p95_ns), scratch).median;
    line->p99_ns = summarize(line, offsetof(trace_total, p99_ns), scratch).median;
}

static void add_row(trace_line *line, const trace_total *row, double *copy_ns)
{
    line->calls += (double)row->calls;
    line->timed += row->timed;
    line->overlapped += row->overlapped;
    for (int reason = 0; reason < TRACE_REASON_COUNT; reason++) {
        line->untimed_for[reason] += row->untimed[reason];
        line->untimed += (double)row->untimed[reason];
    }
    if (row->timed)
        add_known(&line->total_ns, row->total_ns);
    add_known(&line->bytes, row->bytes);
    if (trace_rate(row) > 0)
        add_known(copy_ns, row->bytes / trace_rate(row));
    line->min_ns = fmin(line->min_ns, row->min_ns); /* of NaN and a number: the number */
    line->max_ns = fmax(line->max_ns, row->max_ns);
}

static trace_line make_line(const trace_line_run *runs, size_t count, size_t run_count,
                            double *scratch)
{
    trace_line line = {.name = runs->row->name,
                       .size = runs->row->size,
                       .device = runs->device,
                       .kind = runs->row->kind,
                       .runs = runs,
                       .run_count = (uint32_t)count,
                       .total_ns = NAN,
                       .share = NAN,
                       .bytes = NAN,
                       .min_ns = NAN,
                       .max_ns = NAN};
    double copy_ns = NAN; /* time of the calls whose bytes are known */
    for (size_t i = 0; i < count; i++)
        add_row(&line, runs[i].row, &copy_ns);
    line.gb_per_s = line.bytes / copy_ns;
    line.calls /= (double)run_count;
    line.untimed /= (double)run_count;
    line.total_ns /= (double)run_count;
    line.bytes /= (double)run_count;
    set_medians(&line, run_count, scratch);
    return line;
}

static void set_shares(trace_lines *out)
{
    double sum = 0;
    for (size_t i = 0; i < out->line_count; i++)
        if (out->lines[i].kind != TRACE_MAP && !isnan(out->lines[i].total_ns))
            sum += out->lines[i].total_ns;
    for (size_t i = 0; i < out->line_count; i++)
        if (out->lines[i].kind != TRACE_MAP && sum > 0)
            out->lines[i].share = out->lines[i].total_ns / sum;
}

/* All rows of all runs, those of one line in a row. */
static size_t take_rows(const trace_document *document, trace_line_run *out)
{
    size_t count = 0;
    for (size_t run = 0; run < document->run_count; run++) {
        const trace_totals *totals = &document->runs[run].totals;
        for (size_t i = 0; i < totals->row_count; i++)
            out[count++] = (trace_line_run){.row = &totals->rows[i],
                                            .device = &totals->devices[totals->rows[i].device],
                                            .run = run};
    }
    if (count)
        qsort(out, count, sizeof *out, by_key_and_run);
    return count;
}

static bool make_lines(const trace_document *document, trace_lines *out)
{
    size_t room = 1;
    for (size_t run = 0; run < document->run_count; run++)
        room += document->runs[run].totals.row_count;
    double *scratch = calloc(2 * room, sizeof *scratch);
    out->line_runs = calloc(room, sizeof *out->line_runs);
    out->lines = calloc(room, sizeof *out->lines);
    if (!scratch || !out->line_runs || !out->lines) {
        free(scratch);
        return false;
    }
    size_t count = take_rows(document, out->line_runs);
    for (size_t first = 0, end; first < count; first = end) {
        const trace_line_run *runs = &out->line_runs[first];
        for (end = first + 1; end < count && by_key(runs, &out->line_runs[end]) == 0;)
            end++;
        out->lines[out->line_count++] = make_line(runs, end - first, document->run_count, scratch);
    }
    set_shares(out);
    if (out->line_count)
        qsort(out->lines, out->line_count, sizeof *out->lines, by_total);
    free(scratch);
    return true;
}

/* ---- devices ---- */

static trace_line_device *find_device(trace_lines *out, const trace_total_device *device)
{
    for (size_t i = 0; i < out->device_count; i++)
        if (by_device(out->devices[i].device, device) == 0)
            return &out->devices[i];
    trace_line_device *added = &out->devices[out->device_count++];
    *added = (trace_line_device){
        .device = device, .busy_ns = NAN, .span_ns = NAN, .idle_ns = NAN, .overlap_ns = NAN};
    return added;
}

static bool make_devices(const trace_document *document, trace_lines *out)
{
    size_t room = 1;
    for (size_t run = 0; run < document->run_count; run++)
        room += document->runs[run].totals.device_count;
    out->device_count = 0;
    out->devices = calloc(room, sizeof *out->devices);
    if (!out->devices)
        return false;
    for (size_t run = 0; run < document->run_count; run++) {
        const trace_totals *totals = &document->runs[run].totals;
        for (size_t i = 0; i < totals->device_count; i++) {
            const trace_total_device *from = &totals->devices[i];
            trace_line_device *to = find_device(out, from);
            for (size_t row = 0; row < totals->row_count; row++)
                to->has_rows |= totals->rows[row].device == i;
            to->late += from->late;
            if (from->process_count > to->process_count)
                to->process_count = from->process_count;
            to->has_times |= from->spans > 0;
            if (isnan(from->busy_ns))
                continue;
            to->run_count++;
            add_known(&to->busy_ns, from->busy_ns);
            add_known(&to->span_ns, from->span_ns);
            add_known(&to->idle_ns, from->idle_ns);
            add_known(&to->overlap_ns, from->overlap_ns);
        }
    }
    for (size_t i = 0; i < out->device_count; i++) {
        double *const times[] = {&out->devices[i].busy_ns, &out->devices[i].span_ns,
                                 &out->devices[i].idle_ns, &out->devices[i].overlap_ns};
        for (size_t k = 0; k < sizeof times / sizeof times[0]; k++)
            *times[k] /= out->devices[i].run_count;
    }
    return true;
}

/* ---- runs ---- */

static uint32_t count_processes(const trace_totals *totals)
{
    uint32_t count = 0;
    const trace_total_process *all = totals->processes;
    for (size_t i = 0; i < totals->process_count; i++) {
        size_t k = 0;
        while (k < i && !(all[k].has_calls && all[k].number == all[i].number))
            k++;
        count += k == i && all[i].has_calls;
    }
    return count;
}

/* A process with several tracers is in the list for each; its threads may be the same. */
static uint32_t count_threads(const trace_totals *totals)
{
    uint32_t count = 0;
    const trace_total_process *all = totals->processes;
    for (size_t i = 0; i < totals->process_count; i++) {
        uint32_t most = 0;
        size_t k = 0;
        while (k < i && all[k].number != all[i].number)
            k++;
        bool is_first = k == i;
        for (; is_first && k < totals->process_count; k++)
            if (all[k].number == all[i].number && all[k].threads > most)
                most = all[k].threads;
        count += most;
    }
    return count;
}

static void add_runs(const trace_document *document, trace_lines *out)
{
    double timed_calls = 0;
    out->cost_ns = out->cost_per_call_ns = NAN;
    for (size_t run = 0; run < document->run_count; run++) {
        const trace_totals *totals = &document->runs[run].totals;
        out->calls += trace_calls(totals);
        out->cost_calls += totals->calls;
        out->in_flight += totals->in_flight;
        out->lost_events += totals->lost_events;
        uint32_t threads = count_threads(totals);
        out->process_count += count_processes(totals);
        out->thread_count = threads > out->thread_count ? threads : out->thread_count;
        out->wall_ns += document->runs[run].wall_ns;
        if (isnan(totals->cost_ns))
            continue;
        add_known(&out->cost_ns, totals->cost_ns);
        timed_calls += (double)totals->calls;
    }
    out->cost_per_call_ns = out->cost_ns / timed_calls;
}

static bool count_of_process(void *user, const trace_total_event *event)
{
    uint64_t *counts = user;
    counts[event->process]++;
    return true;
}

/* Whether the events of a process have all the memory that they may have. Else the disk was full.
 * Returns false if memory ran out. */
static bool explain_lost(const trace_document *document, trace_lines *out)
{
    const trace_totals *totals = &document->runs->totals;
    uint64_t chunks = trace_events_bytes(document->options) / sizeof(trace_file_chunk);
    uint64_t *counts = calloc(totals->process_count + 1, sizeof *counts);
    if (!counts)
        return false;
    trace_each_event(totals, count_of_process, counts);
    for (size_t i = 0; i < totals->process_count; i++)
        out->is_memory_full |= counts[i] >= chunks * TRACE_CHUNK_EVENTS;
    free(counts);
    return true;
}

bool trace_merge(const trace_document *document, trace_lines *out)
{
    *out = (trace_lines){0};
    add_runs(document, out);
    return make_devices(document, out) && make_lines(document, out) &&
           (!out->lost_events || explain_lost(document, out));
}

void trace_free_lines(trace_lines *lines)
{
    free(lines->lines);
    free(lines->line_runs);
    free(lines->devices);
    *lines = (trace_lines){0};
}

uint64_t trace_calls(const trace_totals *totals)
{
    uint64_t calls = totals->in_flight;
    for (size_t i = 0; i < totals->row_count; i++)
        calls += totals->rows[i].calls;
    return calls;
}

static bool has_another(const trace_totals *totals, const trace_total_device *device)
{
    for (size_t i = 0; i < totals->device_count; i++)
        if (strcmp(totals->devices[i].id, device->id) == 0 &&
            strcmp(totals->devices[i].name, device->name) != 0)
            return true;
    return false;
}

const char *trace_device_label(const trace_document *document, const trace_total_device *device,
                               char out[TRACE_LABEL_BYTES])
{
    bool is_repeated = false;
    for (size_t run = 0; run < document->run_count; run++)
        is_repeated |= has_another(&document->runs[run].totals, device);
    snprintf(out, TRACE_LABEL_BYTES, is_repeated ? "%s (%s)" : "%s", device->id, device->name);
    return out;
}

const char *trace_reason_key(trace_reason reason, char out[TRACE_KEY_BYTES])
{
    snprintf(out, TRACE_KEY_BYTES, "%s", trace_reason_name(reason));
    for (char *at = out; *at; at++)
        *at = *at == ' ' ? '_' : *at;
    return out;
}

double trace_rate(const trace_total *row)
{
    return row->kind == TRACE_MAP ? NAN : row->gb_per_s;
}

kt_method trace_method(trace_api api)
{
    return api == TRACE_OPENCL ? KT_METHOD_EVENT_PROFILE : KT_METHOD_DEVICE_TIMESTAMP;
}
