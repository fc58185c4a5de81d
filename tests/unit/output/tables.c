/* SPDX-License-Identifier: MIT */
/* Tables and Markdown of documents made by hand: what drivers and users may be called, rates, and
 * what is laid out. */
#include "tests/unit/documents.h"

#include <stdio.h>

/* Notes on the samples of a nasty_document: on trends, bimodal times and coarse clocks. */
#define SAMPLE_WARNINGS 31

/* ---- names that nobody should choose ---- */

static unsigned count_lines(const char *text)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void nasty_names_keep_the_rows_of_markdown(void **state)
{
    static nasty_document n;
    make_nasty(&n);
    expect_printable(document_print(kt_print_markdown, &n.document));
    unsigned rows = 0, items = 0, borders = 0;
    for (const char *line = document_output; *line; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n");
        if (line[0] == '|') {
            rows++;
            borders = borders ? borders : count_borders(line);
            assert_int_equal(count_borders(line), borders);
            assert_true(line[length - 1] == '|');
        } else if (length) {
            items++;
            assert_int_equal(strncmp(line, "- ", 2), 0);
        } else {
            borders = 0; /* another table */
        }
    }
    /* Head and rule of each, the rows, the baselines. */
    assert_int_equal(rows, 2 + NASTY_COUNT + 2 + 2 * (2 + MATRIX_LINES));
    unsigned errors = 0;
    for (size_t i = 0; i < NASTY_COUNT; i++)
        errors += n.series[i].error != NULL;
    assert_int_equal(items,
                     NASTY_COUNT + errors + SAMPLE_WARNINGS + 3); /* two of intervals, flags */
}

static void markup_is_escaped_where_it_is_some(void **state)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"a|b", "a\\|b"},
        {"\\|", "\\\\\\|"},
        {"*b* `c`", "\\*b\\* \\`c\\`"},
        {"kernel_ns=5", "kernel_ns=5"},
        {"_x_", "\\_x\\_"},
        {"a__b", "a\\_\\_b"},
        {"[x]<y>&#~$", "\\[x\\]\\<y\\>\\&\\#\\~\\$"},
        {"two\nlines", "two lines"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_series series = make_series("name", cases[i].text, 1);
        series.error = "first\nsecond | <x>";
        series.status = KT_SERIES_PARTIAL;
        const kt_document document = make_document(&series, 1);
        char cell[64], item[128];
        snprintf(cell, sizeof cell, "\n| name | %s ", cases[i].shown);
        document_print(kt_print_markdown, &document);
        EXPECT_TEXT_HAS(document_output, cell);
        snprintf(item, sizeof item, "- warning: partial name on %s: first<br>second \\| \\<x\\>\n",
                 cases[i].shown);
        EXPECT_TEXT_HAS(document_output, item);
    }
}

/* A sentence may have lines, a name may not: nobody forges a line of the table. */
static void nasty_names_stay_on_their_line_of_the_table(void **state)
{
    static nasty_document n;
    make_nasty(&n);
    unsigned errors = 0;
    for (size_t i = 0; i < NASTY_COUNT; i++)
        if (n.series[i].error) {
            n.series[i].error = "reason";
            errors++;
        }
    document_print(kt_print_table, &n.document);
    expect_printable(document_output);
    assert_int_equal(count_lines(document_output), 1 + NASTY_COUNT + 2 +
                                                       2 * (1 + 1 + MATRIX_LINES) + 1 +
                                                       NASTY_COUNT + errors + SAMPLE_WARNINGS + 3);
    n.series[0].error = "kernel\n\tline \033[1m";
    document_print(kt_print_table, &n.document);
    EXPECT_TEXT_HAS(document_output, ": kernel\n\tline \xEF\xBF\xBD[1m\n");
}

/* The list of devices: one line each for name, driver, memory and quirk, two for the clock; in
 * Markdown in a fence. */
static void nasty_drivers_are_listed(void **state)
{
    static nasty_document n;
    make_nasty(&n);
    static kt_document_backend backends[NASTY_COUNT];
    for (size_t i = 0; i < NASTY_COUNT; i++)
        backends[i] = (kt_document_backend){.name = "cuda", .reason = nasty[i]};
    kt_document list = {.desc.document = "devices",
                        .devices = n.devices,
                        .device_count = NASTY_COUNT,
                        .backends = backends,
                        .backend_count = NASTY_COUNT};
    static char table[1 << 18];
    snprintf(table, sizeof table, "%s", document_print(kt_print_table, &list));
    expect_printable(table);
    assert_int_equal(count_lines(table),
                     6 * NASTY_COUNT - 1 + 1 + NASTY_COUNT - 1); /* one name is empty */
    document_print(kt_print_markdown, &list);
    assert_int_equal(strncmp(document_output, "```text\n", 8), 0);
    assert_int_equal(strncmp(document_output + 8, table, strlen(table)), 0);
    assert_string_equal(document_output + 8 + strlen(table), "```\n");
}

static int refuse(void *user, const char *data, size_t bytes)
{
    (void)data, (void)bytes;
    ++*(int *)user;
    return 1;
}

static void a_sink_that_refused_is_left_alone(void **state)
{
    static nasty_document n;
    make_nasty(&n);
    document_printer *const printers[] = {kt_print_table, kt_print_markdown, kt_print_csv};
    for (int i = 0; i < 3; i++) {
        int calls = 0;
        const kt_sink sink = {.write = refuse, .user = &calls};
        kt_writer writer = {.sink = &sink};
        printers[i](&n.document, &writer);
        kt_flush(&writer);
        assert_int_equal(writer.status, KT_IO_ERROR);
        assert_int_equal(calls, 1);
    }
}

/* ---- rates ---- */

/* The line of the table that begins with `begin`. */
static const char *line_of(const char *begin)
{
    static char line[1024];
    const char *at = document_output;
    while (at && strncmp(at, begin, strlen(begin)) != 0) {
        at = strchr(at, '\n');
        if (at)
            at++;
    }
    if (!at)
        fail_msg("no line \"%s\" in %s", begin, document_output);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

static void rates_have_three_or_four_digits(void **state)
{
    static const struct {
        double rate;
        const char *shown;
    } cases[] = {{123456.7, " 123457"}, {999.95, " 1000"},      {999.94, " 999.9"},
                 {99.995, " 100.0"},    {99.99, " 99.99"},      {9.9995, " 10.00"},
                 {9.9994, " 9.999"},    {1, " 1.000"},          {0.1, " 0.100"},
                 {0.0999, " 0.0999"},   {0.0123456, " 0.0123"}, {1.5e-7, "1.50e-07"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_series series = make_series("a", "sim:0", 1000);
        series.bytes = 1000 * cases[i].rate;
        const kt_document document = make_document(&series, 1);
        document_print(kt_print_table, &document);
        EXPECT_TEXT_HAS(document_output, "GB/s");
        assert_null(strstr(document_output, "GFLOP/s")); /* unknown: no column */
        const char *line = line_of("a ");
        assert_string_equal(line + strlen(line) - strlen(cases[i].shown), cases[i].shown);
    }
}

static void no_rate_without_a_time(void **state)
{
    kt_series series[] = {make_series("a", "sim:0", NAN), make_series("a", "sim:0", 500)};
    series[0].status = KT_SERIES_BELOW_MIN_SPAN;
    series[0].bytes = series[0].flops = 1000;
    series[1].kind = KT_SERIES_WALL;
    series[1].step = "wall";
    series[1].bytes = series[1].flops = 1000;
    const kt_document document = make_document(series, 2);
    document_print(kt_print_table, &document);
    assert_null(strstr(document_output, "GB/s")); /* the wall time is none of the device */
    assert_null(strstr(document_output, "FLOP"));
    series[0].status = KT_SERIES_OK;
    series[0].summary.median = 0; /* no division by it */
    document_print(kt_print_table, &document);
    assert_null(strstr(document_output, "GB/s"));
}

/* Of a job of several steps each has its own work, and the baseline does all of it. */
static void a_baseline_does_the_work_of_all_steps(void **state)
{
    static const char *const steps[] = {"first", "second", "total", "span", "wall"};
    static const double bytes[] = {1000, 3000, 4000, 4000, 4000};
    kt_series series[6];
    for (int i = 0; i < 5; i++) {
        series[i] = make_series("work/8", "sim:0", 1000);
        series[i].step = steps[i];
        series[i].bytes = bytes[i];
    }
    series[4].kind = KT_SERIES_WALL;
    series[5] = make_series("work/8", "sim:1", NAN); /* failed: nothing is known */
    series[5].status = KT_SERIES_FAILED;
    kt_baseline baseline = make_work_baseline("sequential", 2000);
    kt_document document = make_document(series, 6);
    document.baselines = &baseline;
    document.baseline_count = 1;
    document_print(kt_print_table, &document);
    static const char *const rates[] = {" 2.000", " 1.000", " 3.000", " 4.000", " 4.000"};
    const char *line = strstr(document_output, "NAME");
    for (int i = 0; i < 5; i++) {
        line = strchr(line, '\n') + 1;
        const char *end = strchr(line, '\n') - strlen(rates[i]);
        assert_int_equal(strncmp(end, rates[i], strlen(rates[i])), 0);
    }
}

/* ---- matrices ---- */

/* The notes end with an empty line, and so do the rows. */
static const char *after_rows(void)
{
    const char *matrix = strstr(strstr(document_output, "NAME "), "\n\n");
    assert_non_null(matrix);
    return matrix + 2;
}

/* The total counts where there is one; a step alone does not stand for it. */
static void a_matrix_has_the_time_of_all_steps(void **state)
{
    kt_document_device devices[] = {make_device("d0", "x"), make_device("d1", "y"),
                                    make_device("idle", "z")};
    static const char *const names[] = {"w/1", "w/2"}, *const ids[] = {"d0", "d1"};
    kt_series series[12];
    for (int i = 0; i < 12; i++) {
        series[i] = make_series(names[i / 6], ids[i / 3 % 2], 1000 * (i + 1));
        series[i].step = i % 3 == 0 ? "one" : i % 3 == 1 ? "total" : "wall";
        series[i].kind = i % 3 == 2 ? KT_SERIES_WALL : KT_SERIES_KERNEL;
    }
    series[10].status = KT_SERIES_FAILED; /* the total of w/2 on d1 */
    series[10].summary.median = NAN;
    kt_document document = make_document(series, 12);
    document.devices = devices;
    document.device_count = 3;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(after_rows(), "DEVICE TIME        d0        d1\n"
                                  "w/1          2.000 us  5.000 us\n"
                                  "w/2          8.000 us         -\n");
}

/* One for each workload and variant; whoever stands alone in one of them has none. */
static void a_matrix_for_each_variant(void **state)
{
    kt_document_device devices[] = {make_device("d0", "x"), make_device("d1", "y")};
    static const char *const names[] = {"w/1", "w/2"}, *const ids[] = {"d0", "d1"};
    kt_series series[16];
    for (int i = 0; i < 16; i++) {
        series[i] = make_series(names[i % 2], ids[i / 2 % 2], i + 1);
        series[i].variant = i < 4 ? NULL : i < 8 ? "tiled" : i < 12 ? "naive" : "small";
    }
    series[6].device = series[7].device = "d0";          /* tiled: on one device */
    series[13].workload = series[15].workload = "other"; /* small: one size each */
    kt_document document = make_document(series, 16);
    document.devices = devices;
    document.device_count = 2;
    document_print(kt_print_table, &document);
    assert_string_equal(after_rows(), "DEVICE TIME        d0        d1\n"
                                      "w/1          1.000 ns  3.000 ns\n"
                                      "w/2          2.000 ns  4.000 ns\n\n"
                                      "DEVICE TIME  VARIANT        d0       d1\n"
                                      "w/1          naive    9.000 ns  11.0 ns\n"
                                      "w/2          naive     10.0 ns  12.0 ns\n");
    static const char notes[] = "d0: x, x\n"
                                "d1: y, y\n"
                                "note: \"-\": too few independent samples for an interval; raise "
                                "--samples or --max-time\n\nNAME ";
    assert_int_equal(strncmp(document_output, notes, strlen(notes)), 0);
}

/* ---- times ---- */

static void below_min_span(kt_series *series, const char *step)
{
    series->status = KT_SERIES_BELOW_MIN_SPAN;
    series->summary.median = NAN;
    series->step = step;
}

/* A shortest span that nobody measured is not 0, and a total has one for each of its spans. What the
 * lines of a measurement have in common stands in the first. */
static void min_spans_are_those_of_what_was_timed(void **state)
{
    kt_series series[] = {make_series("a", "sim:0", 10), make_series("a", "sim:0", 10),
                          make_series("a", "sim:0", 10), make_series("a", "sim:0", 10),
                          make_series("a", "sim:0", 0)};
    series[4].step = "gaps";
    below_min_span(&series[0], "one");
    below_min_span(&series[1], "two");
    below_min_span(&series[2], "total");
    below_min_span(&series[3], "span");
    kt_document document = make_document(series, 5);
    kt_document_device device = make_device("sim:0", "a driver");
    document.devices = &device;
    document.device_count = 1;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, "< shortest span");
    device.has_timer_limits = true;
    device.limits = (kt_timer_limits){.trusted = 1, .resolution_ns = 1, .min_span_ns = 100};
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, ", resolution 1.000 ns, shortest span 100.0 ns, ");
    /* No overhead whose interval holds 0 is shown, above or below it. */
    device.limits.timestamp_overhead_ns = 800;
    device.limits.timestamp_overhead_error_ns = 799;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, ", overhead 800.0 ns\n");
    device.limits.timestamp_overhead_error_ns = 801;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, ", overhead below noise\n");
    device.limits.timestamp_overhead_ns = -20230;
    device.limits.timestamp_overhead_error_ns = NAN; /* of a file of an older version */
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, ", overhead below noise\n");
    EXPECT_TEXT_HAS(line_of("a     sim:0   one"), "< 100.0 ns");
    EXPECT_TEXT_HAS(line_of("              two"), "< 100.0 ns");
    EXPECT_TEXT_HAS(line_of("              total"), "< 200.0 ns");
    EXPECT_TEXT_HAS(line_of("              span"), "< 100.0 ns");
    EXPECT_TEXT_HAS(line_of("              gaps"), "< 1.000 ns");
    /* Copies have a shortest span of their own. */
    strcpy(device.limits.clocks[1].name, "global");
    device.limits.clocks[1].min_span_ns = 350;
    series[0].clock = "global";
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output,
                    ", resolution 1.000 ns, shortest span 100.0 ns (copies 350.0 ns), ");
    EXPECT_TEXT_HAS(line_of("a     sim:0   one"), "< 350.0 ns");
    EXPECT_TEXT_HAS(line_of("              two"), "< 100.0 ns");
    device.limits.clocks[1].min_span_ns = 0;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, "shortest span 100.0 ns (copies < 1.000 ns), ");
    strcpy(device.limits.clocks[1].reason, "they stand");
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, "shortest span 100.0 ns, ");
    device.limits.clocks[1] = (kt_clock_limits){0};
    /* Of four dispatches each has a quarter of it. */
    for (int i = 0; i < 5; i++)
        series[i].trials = 4;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(line_of("a     sim:0   one"), "< 25.0 ns");
    EXPECT_TEXT_HAS(line_of("              total"), "< 50.0 ns");
    EXPECT_TEXT_HAS(line_of("              gaps"), "< 0.250 ns");
}

/* Steps that do not overlap are together no longer than from the first to the last. */
static void a_total_is_no_longer_than_its_span(void **state)
{
    kt_series series[] = {make_series("a", "sim:0", 0), make_series("a", "sim:0", 0),
                          make_series("a", "sim:0", 0), make_series("a", "sim:0", 150),
                          make_series("a", "sim:0", 7)};
    below_min_span(&series[0], "one");
    below_min_span(&series[1], "two");
    below_min_span(&series[2], "total");
    series[3].step = "span";
    series[4].step = "gaps";
    kt_document document = make_document(series, 5);
    kt_document_device device = make_device("sim:0", "a driver");
    document.devices = &device;
    document.device_count = 1;
    device.has_timer_limits = true;
    device.limits = (kt_timer_limits){.trusted = 1, .resolution_ns = 1, .min_span_ns = 100};
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(line_of("              total"), "< 150.0 ns");
    series[3].summary.median = 250;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(line_of("              total"), "< 200.0 ns");
    series[3].summary.median = 150;
    series[4].summary.median = NAN; /* they do overlap */
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(line_of("              total"), "< 200.0 ns");
}

/* The two gaps of three steps are each less than a step of the clock, where both timestamps show the
 * same; from one step on there is something to see. What the mean of the samples is, is known. */
static void gaps_that_a_clock_does_not_show(void **state)
{
    kt_series series[] = {make_series("a", "sim:0", 640), make_series("a", "sim:0", 640),
                          make_series("a", "sim:0", 640), make_series("a", "sim:0", 1920),
                          make_series("a", "sim:0", 0),   make_series("a", "sim:0", 1920)};
    static const char *const steps[] = {"one", "two", "three", "total", "gaps", "span"};
    for (int i = 0; i < 6; i++) {
        series[i].step = steps[i];
        series[i].trials = 1024;
    }
    kt_summary *gaps = &series[4].summary;
    gaps->mean = 0;
    gaps->ci95_low = 0;
    gaps->ci95_high = 32;
    kt_document document = make_document(series, 6);
    kt_document_device device = make_device("sim:0", "a driver");
    document.devices = &device;
    document.device_count = 1;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(line_of("              gaps"), " 0.000 ns  0.000 ns .. 32.0 ns");
    device.has_timer_limits = true;
    device.limits = (kt_timer_limits){.trusted = 1, .resolution_ns = 65536, .min_span_ns = 100};
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, ", resolution 65.54 us, shortest span < 65.54 us, ");
    EXPECT_TEXT_HAS(document_output, "\"< x\": shorter than");
    const char *line = line_of("              gaps");
    EXPECT_TEXT_HAS(line, "< 128.0 ns");
    assert_null(strstr(line, ".."));
    assert_null(strstr(line, "0.000"));
    gaps->mean = 16;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(line_of("              gaps"), "16.0 ns");
    gaps->median = 64;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(line_of("              gaps"), " 64.0 ns  0.000 ns .. 32.0 ns");
    assert_null(strstr(document_output, "\"< x\""));
}

/* Whoever adds series by hand may add them in any order. */
static void wall_time_is_never_device_time(void **state)
{
    kt_series series[] = {make_series("a", "sim:0", 999999), make_series("a", "sim:0", 73)};
    series[0].kind = KT_SERIES_WALL;
    series[0].step = "wall";
    const kt_document document = make_document(series, 2);
    document_print(kt_print_table, &document);
    const char *line = line_of("a ");
    EXPECT_TEXT_HAS(line, "73.0 ns");
    assert_true(strstr(line, "73.0 ns") < strstr(line, "1.000 ms"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(min_spans_are_those_of_what_was_timed),
        cmocka_unit_test(a_total_is_no_longer_than_its_span),
        cmocka_unit_test(gaps_that_a_clock_does_not_show),
        cmocka_unit_test(wall_time_is_never_device_time),
        cmocka_unit_test(nasty_names_keep_the_rows_of_markdown),
        cmocka_unit_test(markup_is_escaped_where_it_is_some),
        cmocka_unit_test(nasty_names_stay_on_their_line_of_the_table),
        cmocka_unit_test(nasty_drivers_are_listed),
        cmocka_unit_test(a_sink_that_refused_is_left_alone),
        cmocka_unit_test(rates_have_three_or_four_digits),
        cmocka_unit_test(no_rate_without_a_time),
        cmocka_unit_test(a_baseline_does_the_work_of_all_steps),
        cmocka_unit_test(a_matrix_has_the_time_of_all_steps),
        cmocka_unit_test(a_matrix_for_each_variant),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
