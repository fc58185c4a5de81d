/* SPDX-License-Identifier: MIT */
/* table.c - the totals for people: tables of kernels, render passes, copies, fills and maps, then
 * what devices did, what has no time, and what tracing cost. */
#include "cli/output/grid.h"
#include "cli/trace/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum {
    COLUMN_NAME,
    COLUMN_DEVICE,
    COLUMN_TOTAL,
    COLUMN_SHARE,
    COLUMN_CALLS,
    COLUMN_RUNS,
    COLUMN_UNTIMED,
    COLUMN_BYTES,
    COLUMN_RATE,
    COLUMN_MEDIAN,
    COLUMN_INTERVAL,
    COLUMN_HALF_INTERVAL,
    COLUMN_MEAN,
    COLUMN_MIN,
    COLUMN_P95,
    COLUMN_P99,
    COLUMN_MAX,
    COLUMN_COUNT
};

static const grid_column columns[COLUMN_COUNT] = {
    [COLUMN_NAME] = {.head = "", .left = true},
    [COLUMN_DEVICE] = {.head = "DEVICE", .left = true, .optional = true},
    [COLUMN_TOTAL] = {.head = "TOTAL"},
    [COLUMN_SHARE] = {.head = "SHARE", .optional = true, .rank = 1},
    [COLUMN_CALLS] = {.head = "CALLS"},
    [COLUMN_RUNS] = {.head = "RUNS", .optional = true, .rank = 7},
    [COLUMN_UNTIMED] = {.head = "UNTIMED", .optional = true, .rank = 1},
    [COLUMN_BYTES] = {.head = "BYTES", .optional = true, .rank = 2},
    [COLUMN_RATE] = {.head = "GB/s", .optional = true, .rank = 1},
    [COLUMN_MEDIAN] = {.head = "MEDIAN", .rank = 1},
    [COLUMN_INTERVAL] = {.head = "95% INTERVAL", .rank = 8},
    [COLUMN_HALF_INTERVAL] = {.head = "±95%", .stands_in = true, .rank = 2},
    [COLUMN_MEAN] = {.head = "MEAN", .rank = 9},
    [COLUMN_MIN] = {.head = "MIN", .rank = 4},
    [COLUMN_P95] = {.head = "P95", .rank = 3},
    [COLUMN_P99] = {.head = "P99", .rank = 10},
    [COLUMN_MAX] = {.head = "MAX", .rank = 5},
};

static const char *const heads[TRACE_KIND_COUNT] = {
    [TRACE_KERNEL] = "KERNEL", [TRACE_RENDER] = "RENDER PASS",
    [TRACE_COPY] = "COPY",     [TRACE_FILL] = "FILL",
    [TRACE_MAP] = "MAP",
};

typedef struct table {
    const trace_document *document;
    const trace_lines *all;
    const trace_line *lines; /* `count` lines of one kind */
    size_t count;
    bool has_bytes; /* of one of these lines, bytes are known */
    FILE *file;
    unsigned width;
    bool markdown, color;
} table;

/* ---- rows ---- */

static void set_time(grid *g, unsigned column, double ns)
{
    text_number text;
    grid_set(g, column, text_time(text, ns));
}

static void set_times(grid *g, const trace_line *line)
{
    text_number text, low, high;
    set_time(g, COLUMN_MEDIAN, line->median_ns);
    if (isnan(line->low_ns))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%s .. %s", text_time(low, line->low_ns),
                 text_time(high, line->high_ns));
    grid_set(g, COLUMN_INTERVAL, text);
    grid_set(g, COLUMN_HALF_INTERVAL,
             text_half(text, line->median_ns, line->low_ns, line->high_ns));
    set_time(g, COLUMN_MEAN, line->mean_ns);
    set_time(g, COLUMN_MIN, line->min_ns);
    set_time(g, COLUMN_P95, line->p95_ns);
    set_time(g, COLUMN_P99, line->p99_ns);
    set_time(g, COLUMN_MAX, line->max_ns);
}

/* Of calls; a mean of runs may be small, but is not 0 then. */
static void set_untimed(grid *g, double untimed)
{
    text_number text;
    if (untimed > 0)
        grid_set(g, COLUMN_UNTIMED, untimed < 0.05 ? "<0.1" : text_mean(text, untimed));
}

static void set_counts(grid *g, const table *t, const trace_line *line)
{
    text_number text;
    grid_set(g, COLUMN_CALLS, text_mean(text, line->calls));
    set_untimed(g, line->untimed);
    if (line->run_count < t->document->run_count) {
        snprintf(text, sizeof text, "%" PRIu32 " of %zu", line->run_count, t->document->run_count);
        grid_set(g, COLUMN_RUNS, text);
    }
}

static void print_line(grid *g, const table *t, const trace_line *line)
{
    text_number text;
    char label[TRACE_LABEL_BYTES];
    grid_name(g, line->name, line->size);
    if (t->all->device_count > 1)
        grid_set(g, COLUMN_DEVICE, trace_device_label(t->document, line->device, label));
    set_time(g, COLUMN_TOTAL, line->total_ns);
    if (!isnan(line->share))
        grid_set(g, COLUMN_SHARE, text_share(text, line->share));
    set_counts(g, t, line);
    if (t->has_bytes) {
        grid_set(g, COLUMN_BYTES, text_bytes(text, line->bytes));
        if (line->kind != TRACE_MAP)
            grid_set(g, COLUMN_RATE, text_rate(text, line->gb_per_s));
    }
    set_times(g, line);
    grid_end_row(g);
}

/* One row for those behind --top. */
static void print_others(grid *g, const trace_line *lines, size_t count)
{
    text_number text;
    char name[40];
    double total_ns = 0, share = 0, calls = 0, untimed = 0;
    for (size_t i = 0; i < count; i++) {
        total_ns += isnan(lines[i].total_ns) ? 0 : lines[i].total_ns;
        share += isnan(lines[i].share) ? 0 : lines[i].share;
        calls += lines[i].calls;
        untimed += lines[i].untimed;
    }
    snprintf(name, sizeof name, "%zu other%s", count, text_plural(count));
    grid_name(g, name, NULL);
    set_time(g, COLUMN_TOTAL, isnan(lines->total_ns) ? NAN : total_ns);
    if (lines->kind != TRACE_MAP)
        grid_set(g, COLUMN_SHARE, text_share(text, isnan(lines->share) ? NAN : share));
    grid_set(g, COLUMN_CALLS, text_mean(text, calls));
    set_untimed(g, untimed);
    grid_end_row(g);
}

static void print_rows(grid *g, const void *user)
{
    const table *t = user;
    size_t top = t->document->options->trace.top, shown = top && top < t->count ? top : t->count;
    for (size_t i = 0; i < shown; i++)
        print_line(g, t, &t->lines[i]);
    if (shown < t->count)
        print_others(g, &t->lines[shown], t->count - shown);
}

static void print_kind(table *t)
{
    grid_column own[COLUMN_COUNT];
    memcpy(own, columns, sizeof own);
    own[COLUMN_NAME].head = heads[t->lines->kind];
    grid g = {.columns = own,
              .count = COLUMN_COUNT,
              .width = t->width,
              .markdown = t->markdown,
              .color = t->color};
    grid_print(&g, t->file, print_rows, t);
    fputc('\n', t->file);
}

static void print_kinds(table *t)
{
    for (size_t first = 0; first < t->all->line_count; first += t->count) {
        t->lines = &t->all->lines[first];
        t->count = 1;
        while (first + t->count < t->all->line_count && t->lines[t->count].kind == t->lines->kind)
            t->count++;
        t->has_bytes = false;
        for (size_t i = 0; i < t->count; i++)
            t->has_bytes |= !isnan(t->lines[i].bytes);
        print_kind(t);
    }
}

/* ---- sentences ---- */

__attribute__((format(printf, 2, 3))) static void say(const table *t, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_put_sentence(t->file, text, t->width, t->markdown);
}

static void print_end(const table *t)
{
    char end[64] = "";
    text_number low, high, processes;
    const trace_document *document = t->document;
    const trace_run *runs = document->runs;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < document->run_count; i++) {
        least = fmin(least, runs[i].wall_ns);
        most = fmax(most, runs[i].wall_ns);
        if (runs[i].signal)
            snprintf(end, sizeof end, "; ended by signal %d", runs[i].signal);
        else if (runs[i].code)
            snprintf(end, sizeof end, "; exit code %d", runs[i].code);
    }
    const char *path = document->options->trace.program[0], *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    text_count(processes, t->all->process_count);
    if (document->run_count == 1)
        say(t, "%s: %s, %s process%s with calls%s", name, text_time(low, least), processes,
            t->all->process_count == 1 ? "" : "es", end);
    else
        say(t, "%s: %zu runs of %s to %s, %s process%s with calls%s", name, document->run_count,
            text_time(low, least), text_time(high, most), processes,
            t->all->process_count == 1 ? "" : "es", end);
    if (document->run_count > 1)
        say(t,
            "TOTAL, CALLS, UNTIMED, BYTES, busy, idle and overlap are means of a run; MEDIAN is "
            "the "
            "median of the runs' medians, MIN and MAX are of all calls%s",
            document->run_count < 6 ? "; an interval takes six runs: --runs 6" : "");
}

static const char *time_or_none(text_number out, double ns)
{
    return ns == 0 ? "none" : text_time(out, ns);
}

/* Behind a count that is a sum of runs. */
static const char *of_runs(const table *t)
{
    return t->document->run_count > 1 ? " in all runs" : "";
}

static void print_device(const table *t, const trace_line_device *of)
{
    const char *id = of->device->id, *name = of->device->name;
    const char *method = kt_method_name(trace_method(of->device->api));
    text_number busy, span, share, idle, overlap, late;
    bool is_unused = !of->has_rows && !t->all->in_flight;
    if (is_unused)
        say(t, "%s (%s): no call was recorded", id, name);
    else if (!of->has_times)
        say(t, "%s (%s): no call has a time", id, name);
    else if (!of->run_count)
        say(t, "%s (%s), %s: busy and idle time are unknown", id, name, method);
    else
        say(t, "%s (%s), %s: busy %s of %s (%s), idle %s, overlap %s%s", id, name, method,
            text_time(busy, of->busy_ns), text_time(span, of->span_ns),
            text_share(share, of->busy_ns / of->span_ns), time_or_none(idle, of->idle_ns),
            time_or_none(overlap, of->overlap_ns),
            of->process_count > 1 ? "; sums of processes, which may have shared it" : "");
    if (of->late)
        say(t,
            "%s: %s span%s came too late to be sorted in%s: busy may be too small, and idle too "
            "large",
            id, text_count(late, of->late), text_plural(of->late), of_runs(t));
}

/* Calls without a time, by reason. */
static void print_untimed(const table *t)
{
    for (int reason = 0; reason < TRACE_REASON_COUNT; reason++) {
        uint64_t sum = 0;
        text_number count;
        for (size_t i = 0; i < t->all->line_count; i++)
            sum += t->all->lines[i].untimed_for[reason];
        if (sum)
            say(t, "not timed: %s call%s%s: %s", text_count(count, sum), text_plural(sum),
                of_runs(t), trace_reason_text((trace_reason)reason));
    }
    text_number count;
    if (t->all->in_flight)
        say(t, "in flight at the end: %s call%s without a time%s",
            text_count(count, t->all->in_flight), text_plural(t->all->in_flight), of_runs(t));
    if (t->all->lost_events)
        say(t, "time line: %s event%s left out: %s", text_count(count, t->all->lost_events),
            text_plural(t->all->lost_events),
            t->all->is_memory_full ? "its memory was full; raise --memory"
                                   : "no memory or disk space was left");
}

/* Explains the cells "-" of intervals. */
static void print_too_few(const table *t)
{
    bool too_few = false;
    for (size_t i = 0; i < t->all->line_count; i++)
        too_few |= t->all->lines[i].timed && isnan(t->all->lines[i].low_ns);
    if (too_few && t->document->run_count == 1)
        say(t, "\"-\": too few independent calls for an interval");
}

#define NAMED_MAX 3

/* Rows whose times contain work of neighbours. */
static void print_overlapped(const table *t)
{
    char names[400] = "";
    size_t used = 0, count = 0;
    uint64_t calls = 0;
    text_number number;
    for (size_t i = 0; i < t->all->line_count; i++) {
        const trace_line *line = &t->all->lines[i];
        calls += line->overlapped;
        if (!line->overlapped || count++ >= NAMED_MAX)
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.100s", used ? ", " : "",
                                 line->name);
    }
    if (count > NAMED_MAX)
        snprintf(names + used, sizeof names - used, " and %zu more", count - NAMED_MAX);
    if (count)
        say(t,
            "inexact: %s call%s%s without barriers around, so the time may contain work of other "
            "commands; --exact adds barriers: %s",
            text_count(number, calls), text_plural(calls), of_runs(t), names);
}

static void print_problems(const table *t)
{
    for (size_t run = 0; run < t->document->run_count; run++) {
        const trace_totals *totals = &t->document->runs[run].totals;
        for (size_t i = 0; i < totals->process_count; i++)
            if (totals->processes[i].stopped)
                say(t, "tracing of %s in process %" PRId64 " (%s) stopped: %s",
                    trace_api_name(totals->processes[i].api), totals->processes[i].number,
                    totals->processes[i].program, totals->processes[i].stopped);
        text_number count;
        for (size_t i = 0; i < totals->gap_count; i++) {
            const trace_total_gap *gap = &totals->gaps[i];
            if (gap->calls)
                say(t, "%s: %s call%s", gap->text, text_count(count, gap->calls),
                    text_plural(gap->calls));
            else
                say(t, "%s", gap->text);
        }
    }
    for (size_t i = 0; i < t->document->note_count; i++)
        say(t, "%s", t->document->notes[i]);
}

/* The drivers of CUDA and HIP record calls by themselves, so that none is timed. */
static const char *cost_reason(const table *t)
{
    for (size_t i = 0; i < t->all->line_count; i++) {
        trace_api api = t->all->lines[i].device->api;
        if (api == TRACE_CUDA || api == TRACE_HIP)
            return "the drivers of CUDA and HIP record calls by themselves";
    }
    return "there were too few calls to measure it";
}

/* CPU time of several threads is no share of the wall time. */
static void print_cost(const table *t)
{
    text_number each, calls, sum, share, threads, wall;
    const char *runs = text_plural(t->document->run_count);
    if (!t->all->calls)
        return;
    if (isnan(t->all->cost_ns))
        say(t, "tracing cost: unknown, since %s", cost_reason(t));
    else if (t->all->thread_count > 1)
        say(t,
            "tracing cost: %s a call, %s call%s, %s of CPU time in %s%s threads (the "
            "run%s took %s)",
            text_time(each, t->all->cost_per_call_ns), text_count(calls, t->all->cost_calls),
            text_plural(t->all->cost_calls), text_time(sum, t->all->cost_ns),
            text_count(threads, t->all->thread_count),
            t->all->thread_count < TRACE_THREADS ? "" : " or more", runs,
            text_time(wall, t->all->wall_ns));
    else
        say(t, "tracing cost: %s a call, %s call%s, %s = %s of the run%s",
            text_time(each, t->all->cost_per_call_ns), text_count(calls, t->all->cost_calls),
            text_plural(t->all->cost_calls), text_time(sum, t->all->cost_ns),
            text_share(share, t->all->cost_ns / t->all->wall_ns), runs);
}

static void print_all(table *t)
{
    if (t->all->line_count)
        print_kinds(t);
    else if (t->all->in_flight)
        say(t, "no kernel and no copy has a time");
    else
        say(t, "no kernel and no copy was recorded");
    print_end(t);
    for (size_t i = 0; i < t->all->device_count; i++)
        print_device(t, &t->all->devices[i]);
    print_untimed(t);
    print_too_few(t);
    print_overlapped(t);
    print_problems(t);
    print_cost(t);
}

/* Takes the table's file and style of `style`. */
static bool print(const trace_document *document, const table *style)
{
    trace_lines all;
    table t = *style;
    t.document = document;
    t.all = &all;
    bool merged = trace_merge(document, &all);
    if (merged)
        print_all(&t);
    trace_free_lines(&all);
    return merged;
}

bool trace_print_table(const trace_document *document, FILE *file, int width, bool color)
{
    return print(document, &(table){.file = file, .width = (unsigned)width, .color = color});
}

bool trace_print_markdown(const trace_document *document, FILE *file)
{
    return print(document, &(table){.file = file, .markdown = true});
}
