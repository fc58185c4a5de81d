/* SPDX-License-Identifier: MIT */
#include "tests/unit/cli/traced.h"

#include "tests/unit/testing.h"

#include <stdio.h>

static const kt_report_origin origin = {.version = "0.1.0",
                                        .started = "2001-02-03T04:05:06Z",
                                        .os = "an os",
                                        .cpu = "a cpu",
                                        .clock = "CLOCK_MONOTONIC",
                                        .cores = 2,
                                        .id = "0123456789abcdef0123456789abcdef",
                                        .host = "a host"};

static void begin_run(traced *to)
{
    size_t run = to->document.run_count++;
    assert_true(run < TRACED_RUNS);
    to->runs[run] = (trace_run){.totals = {.rows = to->rows[run],
                                           .devices = to->devices,
                                           .device_count = 1,
                                           .processes = &to->process,
                                           .process_count = 1,
                                           .cost_per_call_ns = NAN,
                                           .cost_ns = NAN},
                                .wall_ns = 2e9,
                                .process = 1000};
}

void traced_begin(traced *to)
{
    static char words_of_program[3][12] = {"./program", "with", "words"};
    static char *const program[] = {words_of_program[0], words_of_program[1], words_of_program[2],
                                    NULL};
    static const char *const words[] = {"trace", "--", "./program", "with", "words"};
    *to = (traced){
        .devices = {{.id = "opencl:0",
                     .name = "A Device",
                     .api = TRACE_OPENCL,
                     .resolution_ns = 1,
                     .spans = 5,
                     .busy_ns = 4e8,
                     .span_ns = 1e9,
                     .idle_ns = 6e8,
                     .overlap_ns = 0,
                     .process_count = 1},
                    {.id = "vulkan:0",
                     .name = "Another",
                     .api = TRACE_VULKAN,
                     .resolution_ns = NAN,
                     .busy_ns = NAN,
                     .span_ns = NAN,
                     .idle_ns = NAN,
                     .overlap_ns = NAN}},
        .process = {.number = 1000, .parent = 999, .program = "program", .has_calls = true}};
    to->options.trace.program = program;
    to->options.words = words;
    to->options.word_count = sizeof words / sizeof words[0];
    to->document = (trace_document){.options = &to->options, .origin = &origin, .runs = to->runs};
    begin_run(to);
}

void traced_add_run(traced *to)
{
    begin_run(to);
}

static double at_rank(const trace_total *row, size_t rank)
{
    double ns = kt_histogram_at_rank(&row->histogram, rank);
    return fmin(fmax(ns, row->min_ns), row->max_ns);
}

trace_total *traced_add(traced *to, trace_kind kind, const char *name, const double *times_ns)
{
    trace_totals *totals = &to->runs[to->document.run_count - 1].totals;
    assert_true(totals->row_count < TRACED_ROWS);
    trace_total *row = &totals->rows[totals->row_count++];
    *row = (trace_total){.name = name,
                         .kind = kind,
                         .total_ns = times_ns[0] > 0 ? 0 : NAN,
                         .mean_ns = NAN,
                         .min_ns = NAN,
                         .max_ns = NAN,
                         .median_ns = NAN,
                         .p95_ns = NAN,
                         .p99_ns = NAN,
                         .low_ns = NAN,
                         .high_ns = NAN,
                         .inflation = NAN,
                         .bytes = NAN,
                         .gb_per_s = NAN};
    size_t n = 0;
    for (; times_ns[n] > 0; n++) {
        row->total_ns += times_ns[n];
        row->min_ns = fmin(row->min_ns, times_ns[n]);
        row->max_ns = fmax(row->max_ns, times_ns[n]);
        row->histogram.counts[kt_histogram_bucket(times_ns[n])]++;
    }
    row->calls = row->timed = n;
    totals->calls += n;
    if (n == 0)
        return row;
    row->mean_ns = row->total_ns / (double)n;
    row->median_ns = at_rank(row, (n + 1) / 2);
    row->p95_ns = at_rank(row, (95 * n + 99) / 100);
    row->p99_ns = at_rank(row, (99 * n + 99) / 100);
    return row;
}

static char text[1 << 20];

static void finish(FILE *file)
{
    long bytes = ftell(file);
    assert_true(bytes >= 0 && (size_t)bytes < sizeof text);
    rewind(file);
    text[fread(text, 1, (size_t)bytes, file)] = '\0';
    fclose(file);
}

const char *traced_print(const traced *of, bool (*print)(const trace_document *, FILE *))
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(print(&of->document, file));
    finish(file);
    return text;
}

const char *traced_print_table(const traced *of, int width)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(trace_print_table(&of->document, file, width, false));
    finish(file);
    return text;
}
