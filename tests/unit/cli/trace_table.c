/* SPDX-License-Identifier: MIT */
/* The table of `kerntime trace`, of totals made by hand. */
#include "tests/unit/cli/traced.h"
#include "tests/unit/testing.h"

#include <stdio.h>

#define LONG_NAME                                                                        \
    "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, " \
    "std::array<char*, 1>>(int, float)"

static const double slow[] = {1.2e6, 1.2e6, 1.2e6, 1.2e6, 1.2e6, 1.6e6, 0}, quick[] = {6e4, 6e4, 0};

static traced t;

/* Two kernels, a copy, a fill and a map, which takes longest. */
static void fill_all(void)
{
    traced_begin(&t);
    trace_total *row = traced_add(&t, TRACE_KERNEL, "matmul", slow);
    row->low_ns = 1.19e6;
    row->high_ns = 1.224e6;
    row = traced_add(&t, TRACE_KERNEL, LONG_NAME, quick);
    row = traced_add(&t, TRACE_COPY, "host-device", quick);
    row->bytes = 12e6;
    row->gb_per_s = 100;
    traced_add(&t, TRACE_FILL, "fill", quick);
    row = traced_add(&t, TRACE_MAP, "map", slow);
    row->total_ns = 1e10;
    row->bytes = 12e6;
    row->gb_per_s = 1e6;
}

/* Calls fn for each line of a text. */
static void each_line(const char *text, void (*look)(const char *line, size_t columns, void *user),
                      void *user)
{
    while (*text) {
        size_t bytes = strcspn(text, "\n"), columns = 0;
        for (size_t i = 0; i < bytes; i++)
            columns += ((unsigned char)text[i] & 0xC0) != 0x80;
        char line[4096];
        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        look(line, columns, user);
        text += bytes + (text[bytes] == '\n');
    }
}

static void expect_fits(const char *line, size_t columns, void *width)
{
    if (columns > *(const size_t *)width)
        fail_msg("%zu columns in %zu: %s", columns, *(const size_t *)width, line);
}

/* Byte for byte: all columns that are promised stand in 80 columns, beside a name of 113. */
static void whole_table(void **state)
{
    static const char expected[] =
        "KERNEL              TOTAL SHARE CALLS   MEDIAN   ±95%      MIN      P95      MAX\n"
        "matmul           7.600 ms  95 %     6 1.200 ms ±2.0 % 1.200 ms 1.600 ms 1.600 ms\n"
        "void at::native::vectorized_elementwise_…oat>, std::array<char*, 1>>(int, float)\n"
        "                 120.0 us 1.5 %     2 60.00 us      - 60.00 us 60.00 us 60.00 us\n"
        "\n"
        "COPY           TOTAL SHARE CALLS    BYTES  GB/s   MEDIAN ±95%      MIN      P95\n"
        "host-device 120.0 us 1.5 %     2 11.4 MiB 100.0 60.00 us    - 60.00 us 60.00 us\n"
        "\n"
        "FILL     TOTAL  SHARE  CALLS    MEDIAN  ±95%       MIN       P95       MAX\n"
        "fill  120.0 us  1.5 %      2  60.00 us     -  60.00 us  60.00 us  60.00 us\n"
        "\n"
        "MAP    TOTAL  CALLS     BYTES    MEDIAN  ±95%       MIN       P95       MAX\n"
        "map  10.00 s      6  11.4 MiB  1.200 ms     -  1.200 ms  1.600 ms  1.600 ms\n"
        "\n"
        "program: 2.000 s, 1 process with calls\n"
        "opencl:0 (A Device), event-profile: busy 400.0 ms of 1.000 s (40 %), idle\n"
        "  600.0 ms, overlap none\n"
        "\"-\": too few independent calls for an interval\n"
        "tracing cost: unknown, since there were too few calls to measure it\n";
    fill_all();
    t.rows[0][0].p95_ns = 1.6e6;
    t.rows[0][4].p95_ns = 1.6e6;
    assert_string_equal(traced_print_table(&t, 80), expected);
}

static void any_width(void **state)
{
    fill_all();
    for (size_t width = 50; width <= 200; width++)
        each_line(traced_print_table(&t, (int)width), expect_fits, &width);
}

/* Names of files are complete, and do not control the screen that shows them. */
static void names(void **state)
{
    traced_begin(&t);
    traced_add(&t, TRACE_KERNEL, LONG_NAME, slow);
    traced_add(&t, TRACE_KERNEL, "a\x1b[31m\nb\xff|c*d_e", quick)->size = "64 / 8";
    EXPECT_TEXT_HAS(traced_print_table(&t, 0), "\n" LONG_NAME "\n");
    EXPECT_TEXT_HAS(traced_print_table(&t, 0), "\na\xEF\xBF\xBD[31m b\xEF\xBF\xBD|c*d_e [64 / 8] ");
    EXPECT_TEXT_HAS(traced_print(&t, trace_print_markdown), "| KERNEL | TOTAL | SHARE | CALLS |");
    EXPECT_TEXT_HAS(traced_print(&t, trace_print_markdown), "\n| --- | --: | --: | --: |");
    EXPECT_TEXT_HAS(traced_print(&t, trace_print_markdown),
                    "\\[31m b\xEF\xBF\xBD\\|c\\*d_e \\[64 / 8\\] | ");
}

/* What has no time has no number; that is counted by reason. */
static void no_times(void **state)
{
    traced_begin(&t);
    trace_total *row = traced_add(&t, TRACE_KERNEL, "unknown", (const double[]){0});
    row->calls = 12;
    row->untimed[TRACE_NO_TIMESTAMPS] = 10;
    row->untimed[TRACE_FAILED] = 2;
    t.runs[0].totals.in_flight = 1;
    t.runs[0].totals.calls = 12;
    t.runs[0].totals.lost_events = 1234567;
    t.options.files[OUTPUT_TRACE] = "a file";
    const char *text = traced_print_table(&t, 80);
    EXPECT_TEXT_HAS(text, "KERNEL   TOTAL  CALLS  UNTIMED  MEDIAN");
    EXPECT_TEXT_HAS(text, "unknown      -     12       12       -");
    EXPECT_TEXT_HAS(text, "not timed: 10 calls: the queue gives no timestamps\n");
    EXPECT_TEXT_HAS(text, "not timed: 2 calls: the command ended with an error\n");
    EXPECT_TEXT_HAS(text, "in flight at the end: 1 call without a time\n");
    EXPECT_TEXT_HAS(text,
                    "time line: 1,234,567 events left out: no memory or disk space was left\n");
    t.options.trace.memory_bytes = 1; /* for no event at all */
    EXPECT_TEXT_HAS(traced_print_table(&t, 0), "its memory was full; raise --memory\n");
    t.devices[0].spans = 0;
    EXPECT_TEXT_HAS(traced_print_table(&t, 80), "opencl:0 (A Device): no call has a time\n");
}

static void sentences(void **state)
{
    static char note[] = "vulkan was not traced: the loader knows no layers";
    static char *notes[] = {note};
    static trace_total_gap gaps[] = {{"clFoo is not traced", 0}, {"clBar is not traced", 12}};
    traced_begin(&t);
    t.document.notes = notes;
    t.document.note_count = 1;
    EXPECT_TEXT_HAS(traced_print_table(&t, 80), "no kernel and no copy was recorded\n");
    trace_total *row = traced_add(&t, TRACE_KERNEL, "a", slow);
    row->overlapped = 3;
    t.runs[0].signal = 9;
    t.runs[0].totals.gaps = gaps;
    t.runs[0].totals.gap_count = 2;
    t.runs[0].totals.calls = 20462;
    t.runs[0].totals.cost_ns = 941252;
    t.runs[0].totals.cost_per_call_ns = 46;
    t.process.stopped = "the disk is full";
    t.devices[0].late = 2;
    t.devices[0].overlap_ns = 5e6;
    t.devices[0].process_count = 2;
    const char *text = traced_print_table(&t, 0);
    EXPECT_TEXT_HAS(text, "program: 2.000 s, 1 process with calls; ended by signal 9\n");
    EXPECT_TEXT_HAS(text, "overlap 5.000 ms; sums of processes, which may have shared it\n");
    EXPECT_TEXT_HAS(text, "opencl:0: 2 spans came too late to be sorted in: busy may be too small");
    EXPECT_TEXT_HAS(text, "\ninexact: 3 calls without barriers");
    EXPECT_TEXT_HAS(text, "--exact adds barriers: a\n");
    EXPECT_TEXT_HAS(text,
                    "tracing of opencl in process 1000 (program) stopped: the disk is full\n");
    EXPECT_TEXT_HAS(text, "clFoo is not traced\nclBar is not traced: 12 calls\n");
    EXPECT_TEXT_HAS(text, "vulkan was not traced: the loader knows no layers\n");
    EXPECT_TEXT_HAS(text,
                    "tracing cost: 46.0 ns a call, 20,462 calls, 941.3 us = 0.05 % of the run\n");
    EXPECT_TEXT_HAS(traced_print(&t, trace_print_markdown), "\n- program: 2.000 s");
    t.runs[0].totals.cost_ns = 100;
    EXPECT_TEXT_HAS(traced_print_table(&t, 0), " 100.0 ns = <0.01 % of the run\n");
    t.process.threads = 8;
    EXPECT_TEXT_HAS(traced_print_table(&t, 0),
                    "calls, 100.0 ns of CPU time in 8 threads (the run took 2.000 s)\n");
}

/* What is not known is neither none nor 0. */
static void unknown_busy(void **state)
{
    traced_begin(&t);
    traced_add(&t, TRACE_KERNEL, "a", slow);
    t.devices[0].idle_ns = NAN;
    t.devices[0].overlap_ns = NAN;
    EXPECT_TEXT_HAS(traced_print_table(&t, 0), "idle -, overlap -\n");
    t.devices[0].busy_ns = t.devices[0].span_ns = NAN;
    EXPECT_TEXT_HAS(traced_print_table(&t, 0),
                    "opencl:0 (A Device), event-profile: busy and idle time are unknown\n");
}

/* Calls without a time are there even where there is little room; else TOTAL beside CALLS lies. */
static void narrow_untimed(void **state)
{
    traced_begin(&t);
    static const char *const names_of[] = {"host-device", "b", "c"};
    for (int i = 0; i < 3; i++) {
        trace_total *row = traced_add(&t, TRACE_COPY, names_of[i], quick);
        row->calls = 12;
        row->untimed[TRACE_FAILED] = 10;
        row->bytes = 12e6;
        row->gb_per_s = 100;
    }
    t.options.trace.top = 1;
    const char *text = traced_print_table(&t, 80);
    EXPECT_TEXT_HAS(text, "CALLS UNTIMED");
    EXPECT_TEXT_HAS(text, "\n2 others ");
    EXPECT_TEXT_HAS(text, "   24      20\n");
}

static void top(void **state)
{
    traced_begin(&t);
    traced_add(&t, TRACE_KERNEL, "first", slow);
    traced_add(&t, TRACE_KERNEL, "second", quick);
    traced_add(&t, TRACE_KERNEL, "third", quick);
    t.options.trace.top = 1;
    const char *text = traced_print_table(&t, 80);
    EXPECT_TEXT_HAS(text, "\n2 others  240.0 us  3.1 %      4\n");
    t.options.trace.top = 2;
    EXPECT_TEXT_HAS(traced_print_table(&t, 80), "\n1 other  120.0 us");
}

/* A row that the first of six runs lacks; the medians of the others are 10 us to 14 us. */
static void runs(void **state)
{
    traced_begin(&t);
    traced_add(&t, TRACE_KERNEL, "always", (const double[]){1e6, 0});
    for (int run = 1; run < 6; run++) {
        const double us = 1e3 * (9 + run);
        traced_add_run(&t);
        traced_add(&t, TRACE_KERNEL, "always", (const double[]){1e6 + us, 0});
        traced_add(&t, TRACE_KERNEL, "seldom", (const double[]){us, us, 0});
    }
    const char *text = traced_print_table(&t, 0);
    EXPECT_TEXT_HAS(text, "KERNEL     TOTAL  SHARE  CALLS    RUNS    MEDIAN          95% INTERVAL");
    EXPECT_TEXT_HAS(text,
                    "\nalways  1.010 ms   98 %      1          1.012 ms  1.004 ms .. 1.014 ms");
    EXPECT_TEXT_HAS(text, "\nseldom  20.00 us  1.9 %    1.7  5 of 6  12.00 us");
    EXPECT_TEXT_HAS(text, "program: 6 runs of 2.000 s to 2.000 s, 6 processes with calls\n");
    EXPECT_TEXT_HAS(text, "CALLS, UNTIMED, BYTES, busy, idle and overlap are means of a run");
}

static void devices(void **state)
{
    fill_all();
    t.runs[0].totals.device_count = 2;
    t.rows[0][1].device = 1;
    const char *text = traced_print_table(&t, 0);
    EXPECT_TEXT_HAS(text, "DEVICE");
    EXPECT_TEXT_HAS(text, "vulkan:0  120.0 us");
    for (size_t width = 60; width <= 120; width++)
        each_line(traced_print_table(&t, (int)width), expect_fits, &width);
}

/* A process that could not be recorded has a sentence; it may have loaded any API. */
static void failures(void **state)
{
    traced_begin(&t);
    t.options.trace.apis = 1u << TRACE_OPENCL;
    t.runs[0].totals.process_count = 0;
    assert_true(trace_note_all(&t.document));
    assert_int_equal(t.document.note_count, 1);
    trace_free_notes(&t.document);
    t.runs[0].totals.failures = 1;
    assert_true(trace_note_all(&t.document));
    assert_int_equal(t.document.note_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_table),
        cmocka_unit_test(any_width),
        cmocka_unit_test(names),
        cmocka_unit_test(no_times),
        cmocka_unit_test(sentences),
        cmocka_unit_test(failures),
        cmocka_unit_test(top),
        cmocka_unit_test(runs),
        cmocka_unit_test(devices),
        cmocka_unit_test(unknown_busy),
        cmocka_unit_test(narrow_untimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
