/* SPDX-License-Identifier: MIT */
/* The notes of a table on its samples: the text of each sample warning, and which of them are
 * printed. */
#include "tests/unit/documents.h"

#include <stdio.h>

#define SERIES_MAX 64

static kt_series series[SERIES_MAX];
static uint32_t series_count;

static int begin(void **state)
{
    series_count = 0;
    return 0;
}

/* A device time of 1 ms, and its interval. */
static kt_series *add(const char *name, const char *device)
{
    kt_series *added = &series[series_count++];
    *added = make_series(name, device, 1e6);
    added->summary.ci95_low = 0.999e6;
    added->summary.ci95_high = 1.001e6;
    return added;
}

static kt_series *add_wall(const char *name, const char *device)
{
    kt_series *added = add(name, device);
    added->kind = KT_SERIES_WALL;
    added->step = "wall";
    return added;
}

static void bimodal(kt_series *of, double low, double high, double share)
{
    of->summary.warnings |= KT_WARNING_BIMODAL;
    of->summary.cluster_low = low;
    of->summary.cluster_high = high;
    of->summary.cluster_high_share = share;
}

static void no_interval(kt_series *of)
{
    of->summary.ci95_low = of->summary.ci95_high = NAN;
}

static void drift(kt_series *of, double share)
{
    of->summary.warnings |= KT_WARNING_DRIFT;
    of->summary.drift = share;
    no_interval(of);
}

static void coarse_clock(kt_series *of, double resolution_ns)
{
    of->summary.warnings |= KT_WARNING_COARSE_CLOCK;
    of->summary.resolution = resolution_ns;
}

static void autocorrelated(kt_series *of, double inflation)
{
    of->summary.warnings |= KT_WARNING_AUTOCORRELATED;
    of->summary.inflation = inflation;
}

/* The notes, which end with an empty line before the rows. */
static const char *notes(document_printer *format)
{
    const kt_document document = make_document(series, series_count);
    static char text[16384];
    document_print(format, &document);
    size_t bytes = document_output[0] == '\n'
                       ? 0
                       : (size_t)(strstr(document_output, "\n\n") + 1 - document_output);
    assert_true(bytes < sizeof text);
    memcpy(text, document_output, bytes);
    text[bytes] = '\0';
    return text;
}

static void expect_notes(const char *text)
{
    assert_string_equal(notes(kt_print_table), text);
}

/* ---- words ---- */

static void nothing_noticed_nothing_said(void **state)
{
    add("matmul/512", "opencl:0");
    expect_notes("");
}

static void bimodal_times(void **state)
{
    bimodal(add("matmul/512", "opencl:0"), 7.9e6, 8.532e6, 0.3);
    expect_notes(
        "warning: matmul/512 on opencl:0: bimodal times, 7.900 ms and 8.532 ms (30 % of the "
        "samples); --runs 6 shows whether runs agree\n");
    no_interval(&series[0]);
    expect_notes(
        "warning: matmul/512 on opencl:0: bimodal times, 7.900 ms and 8.532 ms (30 % of the "
        "samples), so no interval; --runs 6 shows whether runs agree\n");
    EXPECT_TEXT_HAS(document_output, "1.000 ms             -");
}

static void a_drift(void **state)
{
    drift(add("matmul/512", "opencl:0"), 0.021);
    expect_notes(
        "warning: matmul/512 on opencl:0: trend, times rose by 2.1 %, so no interval; lock "
        "the clocks or raise --max-time\n");
    series[0].summary.drift = -0.25;
    expect_notes("warning: matmul/512 on opencl:0: trend, times fell by 25 %, so no interval; lock "
                 "the clocks or raise --max-time\n");
    series[0].summary.drift = 0.0002;
    EXPECT_TEXT_HAS(notes(kt_print_table), " rose by 0.02 %, ");
    series[0].summary.drift = 1e300; /* of a file that somebody made up */
    EXPECT_TEXT_HAS(notes(kt_print_table), " rose by 1e+300 times the median, ");
    series[0].summary.drift = -1.32; /* nothing falls by more than 100 % */
    series[0].stop = KT_STOP_MAX_SAMPLES;
    EXPECT_TEXT_HAS(notes(kt_print_table),
                    " fell by 1.32 times the median, so no interval; lock the "
                    "clocks or raise --samples\n");
}

/* The clock's own step, whatever a sample was divided by. */
static void a_coarse_clock(void **state)
{
    coarse_clock(add("saxpy/1024", "webgpu:0"), 16384);
    series[0].trials = 4;
    expect_notes(
        "note: saxpy/1024 on webgpu:0: coarse clock, samples move in steps of 65.54 us; raise "
        "--trials or --size\n");
}

/* From an interval on that is half as wide again. */
static void autocorrelated_samples(void **state)
{
    autocorrelated(add("matmul/64", "cpu:0"), 4.41);
    expect_notes(
        "note: matmul/64 on cpu:0: autocorrelated samples, interval widened 2.1x; quiet the "
        "machine or raise --samples\n");
    series[0].summary.inflation = 2.25;
    EXPECT_TEXT_HAS(notes(kt_print_table), "interval widened 1.5x;");
    series[0].summary.inflation = 2.24;
    expect_notes("");
    autocorrelated(&series[0], 4.41);
    no_interval(&series[0]); /* there is none to be wider */
    expect_notes("note: \"-\": too few independent samples for an interval; raise --samples or "
                 "--max-time\n");
}

static void a_shared_device(void **state)
{
    kt_series *shared = add("matmul/64", "level_zero:0");
    shared->context_ns = 0.88e6;
    expect_notes(
        "warning: matmul/64 on level_zero:0: shared device, 12 % of the time went to other "
        "work; stop other programs on the device\n");
    add("matmul/128", "level_zero:0")->context_ns = 0.98e6;
    expect_notes("warning: matmul/64, matmul/128 on level_zero:0: shared device, up to 12 % of the "
                 "time went to other work; stop other programs on the device\n");
    series[0].context_ns = 0.981e6; /* clocks are read one after the other */
    series[1].context_ns = 1.5e6;
    expect_notes("");
    series[0].context_ns = 0.9e6; /* two steps */
    series[0].summary.resolution = 0.05e6;
    expect_notes("");
    series[0].summary.resolution = 0.0499e6;
    EXPECT_TEXT_HAS(notes(kt_print_table), ": shared device, 10 % of the time went to other work;");
    series[0].context_missing = 1; /* of other samples than the median */
    expect_notes("");
}

/* ---- whose it is ---- */

static void a_step_is_named_and_the_total_stands_for_all(void **state)
{
    static const char *const steps[] = {"up", "down", "total", "span"};
    for (int i = 0; i < 4; i++)
        add("scan/8", "sim:0")->step = steps[i];
    drift(&series[0], 0.01);
    drift(&series[1], 0.03);
    expect_notes("warning: scan/8 on sim:0, step down: trend, times rose by 3.0 %, so no interval; "
                 "lock the clocks or raise --max-time\n");
    drift(&series[2], 0.02);
    drift(&series[3], 0.04);
    expect_notes("warning: scan/8 on sim:0: trend, times rose by 2.0 %, so no interval; lock the "
                 "clocks or raise --max-time\n");
}

/* What a wall time has in common with its steps is said of them, and its interval is not shown. */
static void a_wall_time_comes_last(void **state)
{
    kt_series *step = add("a/8", "sim:0"), *wall = add_wall("a/8", "sim:0");
    kt_series *timestamped = add_wall("a/8", "sim:0");
    timestamped->step = "wall_timestamped"; /* in no table */
    drift(timestamped, 0.5);
    drift(wall, 0.02);
    autocorrelated(wall, 9);
    bimodal(wall, 100, 200, 0.5);
    coarse_clock(step, 1);
    expect_notes(
        "note: a/8 on sim:0: coarse clock, samples move in steps of 1.000 ns; raise --trials "
        "or --size\n"
        "note: wall time of a/8 on sim:0: bimodal times, 100.0 ns and 200.0 ns (50 % of the "
        "samples); --runs 6 shows whether runs agree\n"
        "note: wall time of a/8 on sim:0: trend, times rose by 2.0 %; lock the clocks or "
        "raise --max-time\n");
    drift(step, 0.04);
    bimodal(step, 100, 150, 0.5);
    coarse_clock(wall, 1);
    expect_notes(
        "warning: a/8 on sim:0: bimodal times, 100.0 ns and 150.0 ns (50 % of the samples), "
        "so no interval; --runs 6 shows whether runs agree\n"
        "warning: a/8 on sim:0: trend, times rose by 4.0 %, so no interval; lock the clocks "
        "or raise --max-time\n"
        "note: a/8 on sim:0: coarse clock, samples move in steps of 1.000 ns; raise --trials "
        "or --size\n");
}

static void variants_are_reported_apart(void **state)
{
    drift(add("a/8", "sim:0"), 0.02);
    series[0].variant = "naive";
    EXPECT_TEXT_HAS(notes(kt_print_table), "a/8 on sim:0: ");
    add("a/8", "sim:0")->variant = "tiled";
    expect_notes(
        "warning: a/8 naive on sim:0: trend, times rose by 2.0 %, so no interval; lock the "
        "clocks or raise --max-time\n");
}

/* ---- several ---- */

static void alike_warnings_of_a_device_are_one(void **state)
{
    static const char *const names[] = {"a/1", "a/2", "a/3", "a/4", "a/5"};
    for (int i = 0; i < 5; i++) {
        coarse_clock(add(names[i], "sim:0"), 100);
        coarse_clock(add(names[i], "sim:1"), 200);
        if (i > 0 && i < 3)
            drift(&series[2 * i], 0.01 * i);
        if (i > 1)
            autocorrelated(&series[2 * i + 1], i * i);
    }
    expect_notes(
        "warning: a/2, a/3 on sim:0: trend, times changed by up to 2.0 %, so no interval; lock "
        "the clocks or raise --max-time\n"
        "note: a/1, a/2, a/3 and 2 more on sim:0: coarse clock, samples move in steps of 100.0 ns; "
        "raise --trials or --size\n"
        "note: a/1, a/2, a/3 and 2 more on sim:1: coarse clock, samples move in steps of 200.0 ns; "
        "raise --trials or --size\n"
        "note: a/3, a/4, a/5 on sim:1: autocorrelated samples, interval widened up to 4.0x; quiet "
        "the "
        "machine or raise --samples\n");
}

static void several_bimodal_times(void **state)
{
    bimodal(add("a/1", "sim:0"), 100, 104, 0.5);
    bimodal(add("a/2", "sim:0"), 100, 108, 0.5);
    expect_notes("warning: a/1, a/2 on sim:0: bimodal times, clusters up to 8.0 % apart; --runs 6 "
                 "shows whether runs agree\n");
    no_interval(&series[0]);
    expect_notes(
        "warning: a/1, a/2 on sim:0: bimodal times, clusters up to 8.0 % apart, some without "
        "interval; --runs 6 shows whether runs agree\n");
}

/* A sink may limit the notes; the most important ones stay. */
static void no_more_notes_than_the_sink_takes(void **state)
{
    static const char *const devices[] = {"d0", "d1", "d2", "d3", "d4",
                                          "d5", "d6", "d7", "d8", "d9"};
    for (int i = 0; i < 9; i++)
        coarse_clock(add("a", devices[i]), 1);
    drift(add("a", devices[9]), 0.01); /* the more important kind stays */
    EXPECT_TEXT_HAS(notes(kt_print_table), "\nnote: a on d8: ");
    document_notes_max = 8;
    EXPECT_TEXT_HAS(notes(kt_print_table), "\nnote: a on d6: ");
    assert_int_equal(strncmp(document_output, "warning: a on d9: ", 18), 0);
    assert_null(strstr(document_output, " a on d7: "));
    EXPECT_TEXT_HAS(document_output, "\n2 more notes: --verbose\n\n");
    document_notes_max = 10;
    EXPECT_TEXT_HAS(notes(kt_print_table), "\nnote: a on d8: ");
    assert_null(strstr(document_output, "more notes"));
    document_notes_max = 0;
}

static void names_are_spelled(void **state)
{
    coarse_clock(add("a*b\n", "d|"), 1);
    series[0].variant = "x_";
    add("a*b\n", "d")->variant = "y";
    EXPECT_TEXT_HAS(notes(kt_print_markdown), "- note: a\\*b  x\\_ on d\\|: coarse clock");
    EXPECT_TEXT_HAS(notes(kt_print_table), "note: a*b  x_ on d|: coarse clock");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_noticed_nothing_said, begin),
        cmocka_unit_test_setup(bimodal_times, begin),
        cmocka_unit_test_setup(a_drift, begin),
        cmocka_unit_test_setup(a_coarse_clock, begin),
        cmocka_unit_test_setup(autocorrelated_samples, begin),
        cmocka_unit_test_setup(a_shared_device, begin),
        cmocka_unit_test_setup(a_step_is_named_and_the_total_stands_for_all, begin),
        cmocka_unit_test_setup(a_wall_time_comes_last, begin),
        cmocka_unit_test_setup(variants_are_reported_apart, begin),
        cmocka_unit_test_setup(alike_warnings_of_a_device_are_one, begin),
        cmocka_unit_test_setup(several_bimodal_times, begin),
        cmocka_unit_test_setup(no_more_notes_than_the_sink_takes, begin),
        cmocka_unit_test_setup(names_are_spelled, begin),
    };
    return cmocka_run_group_tests_name("sample_warnings", tests, NULL, NULL);
}
