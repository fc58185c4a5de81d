/* SPDX-License-Identifier: MIT */
/* Several runs in one document: one line a time, what is between the runs, and what is missing. */
#include "tests/unit/documents.h"

#include <stdio.h>

#define SERIES_MAX 64

static kt_series series[SERIES_MAX];
static uint32_t series_count;
static kt_baseline baseline;
static kt_document_device devices[2];

static int begin(void **state)
{
    series_count = 0;
    devices[0] = make_device("d0", "x");
    devices[1] = make_device("d1", "y");
    baseline = make_work_baseline("sequential", 80e6);
    return 0;
}

/* Ten samples, with an interval of 2 % around the median. */
static kt_series *add(const char *name, const char *device, uint32_t run, double ns)
{
    kt_series *added = &series[series_count++];
    *added = make_series(name, device, ns);
    added->run = run;
    added->summary.n = 10;
    added->summary.mean = ns + 1e6;
    added->summary.ci95_low = 0.99 * ns;
    added->summary.ci95_high = 1.01 * ns;
    return added;
}

static kt_series *add_wall(const char *name, const char *device, uint32_t run, double ns)
{
    kt_series *added = add(name, device, run, ns);
    added->kind = KT_SERIES_WALL;
    added->step = "wall";
    return added;
}

static void add_measurement(const char *name, const char *device, uint32_t run, double ns)
{
    add(name, device, run, ns);
    add_wall(name, device, run, ns + 2e6);
    add_wall(name, device, run, 1)->step = "wall_timestamped";
}

static void no_samples(kt_series *of)
{
    kt_summarize(NULL, 0, 0, NULL, &of->summary);
}

static kt_document made(void)
{
    return make_document(series, series_count);
}

static const char *print(document_printer *format)
{
    const kt_document document = made();
    return document_print(format, &document);
}

#define NOTE(runs) \
    "note: " runs  \
    " runs: times are medians of the runs' medians; an interval takes six runs: --runs 6\n\n"

/* ---- rows ---- */

static void five_runs_are_one_line(void **state)
{
    static const double ns[] = {8e6, 16.116e6, 7.9e6, 7.95e6, 16e6};
    for (uint32_t run = 0; run < 5; run++) {
        add_measurement("saxpy/8", "opencl:0", run, ns[run]);
        add("fill/8", "opencl:0", run, 1e6);
    }
    /* 16.116 / 7.9 is 2.04; means are 1 ms and walls 2 ms above the medians: of the means that is
     * (8 + 16.116 + 7.9 + 7.95 + 16) / 5 + 1. */
    assert_string_equal(
        print(kt_print_table),
        "warning: saxpy/8 on opencl:0: runs differ by 104 %, more than their own intervals; "
        "quiet the machine or lock the clocks\n" NOTE(
            "5") "NAME     DEVICE    DEVICE TIME               RUN-TO-RUN RANGE  95% INTERVAL      "
                 "MEAN"
                 "      WALL  RUNS  SAMPLES\n"
                 "saxpy/8  opencl:0     8.000 ms  7.900 ms .. 16.12 ms (+104 %)             -  "
                 "12.19 ms"
                 "  10.00 ms     5       50\n"
                 "fill/8   opencl:0     1.000 ms    1.000 ms .. 1.000 ms (+0 %)             -  "
                 "2.000 ms"
                 "               5       50\n");
    EXPECT_TEXT_HAS(print(kt_print_markdown), "| saxpy/8 | opencl:0 |    8.000 ms | 7.900 ms .. "
                                              "16.12 ms (+104 %) |            - | 12.19 ms |");
}

/* Nothing of it is there for one run, whatever its number. */
static void one_run_is_as_it_was(void **state)
{
    add_measurement("saxpy/8", "opencl:0", 7, 8e6);
    assert_string_equal(
        print(kt_print_table),
        "\n"
        "NAME     DEVICE    DEVICE TIME          95% INTERVAL      MEAN      WALL  SAMPLES\n"
        "saxpy/8  opencl:0     8.000 ms  7.920 ms .. 8.080 ms  9.000 ms  10.00 ms       10\n");
}

/* From six on there can be one, of the runs' medians alone. */
static void an_interval_over_runs(void **state)
{
    double ns[6], scratch[6];
    for (uint32_t run = 0; run < 6; run++)
        add("a/8", "d0", run, ns[run] = (double)(run * 5 % 6 + 10) * 1e6);
    kt_summary summary;
    kt_summarize(ns, 6, 0, scratch, &summary);
    char low[32], high[32], expected[96];
    snprintf(expected, sizeof expected, "(+50 %%)  %s .. %s",
             kt_format_ns(low, sizeof low, summary.ci95_low),
             kt_format_ns(high, sizeof high, summary.ci95_high));
    EXPECT_TEXT_HAS(print(kt_print_table), expected);
    EXPECT_TEXT_HAS(document_output, "a/8   d0         12.50 ms  10.00 ms .. 15.00 ms (+50 %)");
}

static void speedups_are_of_the_median_over_runs(void **state)
{
    static const double ns[] = {10e6, 20e6, 40e6};
    for (uint32_t run = 0; run < 3; run++) {
        add("work/8", "d0", run, ns[run])->speedup = 80e6 / ns[run];
        add_wall("work/8", "d0", run, 2 * ns[run])->speedup = 40e6 / ns[run];
    }
    series[0].speedup = NAN; /* one of them knows it */
    series[0].bytes = series[2].bytes = series[4].bytes = 40e6;
    kt_document document = made();
    document.baselines = &baseline;
    document.baseline_count = 1;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output,
                    "  2.000     4.00x          2.00x\n"); /* GB/s; 80 / 20, 80 / 40 */
}

/* ---- what is missing ---- */

static void failed_runs_are_missing_and_said(void **state)
{
    add_measurement("a/8", "d0", 0, 10e6);
    for (uint32_t run = 1; run < 3; run++) {
        kt_series *failed = add("a/8", "d0", run, NAN);
        no_samples(failed);
        failed->status = KT_SERIES_FAILED;
        failed->error = "it hung";
    }
    add_measurement("a/8", "d0", 3, 30e6);
    series[6].error = series[7].error = "it ended early"; /* two times of one measurement */
    series[6].status = series[7].status = KT_SERIES_PARTIAL;
    assert_string_equal(
        print(kt_print_table),
        "error: failed a/8 on d0 in 2 of 4 runs: it hung\n"
        "warning: partial a/8 on d0 in 1 of 4 runs: it ended early\n"
        "warning: a/8 on d0: runs differ by 200 %, more than their own intervals; quiet the "
        "machine or lock the clocks\n" NOTE(
            "4") "NAME  DEVICE  DEVICE TIME               RUN-TO-RUN RANGE  95% INTERVAL      "
                 "MEAN      WALL    RUNS  SAMPLES\n"
                 "a/8   d0         20.00 ms  10.00 ms .. 30.00 ms (+200 %)             -  "
                 "21.00 ms  22.00 ms  2 of 4       20\n");
}

static void one_run_of_two_has_nothing_between(void **state)
{
    kt_series *failed = add("a/8", "d0", 0, NAN);
    failed->status = KT_SERIES_FAILED;
    failed->error = "it hung";
    no_samples(failed);
    add_measurement("b/8", "d0", 0, 10e6); /* stays in its place, and is not tried in the other */
    add_measurement("a/8", "d0", 1, 10e6);
    assert_string_equal(
        print(kt_print_table),
        "error: failed a/8 on d0 in 1 of 2 runs: it hung\n" NOTE(
            "2") "NAME  DEVICE  DEVICE TIME  95% INTERVAL      MEAN      WALL    RUNS  SAMPLES\n"
                 "a/8   d0         10.00 ms             -  11.00 ms  12.00 ms  1 of 2       10\n"
                 "b/8   d0         10.00 ms             -  11.00 ms  12.00 ms  1 of 2       10\n");
}

static void below_min_span(kt_series *of)
{
    size_t n = of->summary.n;
    of->status = KT_SERIES_BELOW_MIN_SPAN;
    no_samples(of);
    of->summary.n = n;
}

/* Those that are long enough make no median, unless they are most. */
static void runs_below_the_min_span(void **state)
{
    for (uint32_t run = 0; run < 4; run++)
        add("a/8", "d0", run, 1000 + run);
    below_min_span(&series[1]);
    EXPECT_TEXT_HAS(print(kt_print_table),
                    "a/8   d0         1.002 us  1.000 us .. 1.003 us (+0.3 %)");
    EXPECT_TEXT_HAS(document_output, "3 of 4       40\n");
    EXPECT_TEXT_HAS(
        document_output,
        "a/8 on d0: below the shortest measurable span in 1 of 4 runs, which do not count; ");
    below_min_span(&series[2]);
    EXPECT_TEXT_HAS(print(kt_print_table), "a/8   d0      < shortest span");
    assert_null(strstr(document_output, "RUN-TO-RUN RANGE  "));
    EXPECT_TEXT_HAS(document_output, "2 of 4       40\n");
    assert_null(strstr(document_output, "which do not count"));
}

/* ---- what was noticed ---- */

static void interval(kt_series *of, double low, double high)
{
    of->summary.ci95_low = low;
    of->summary.ci95_high = high;
}

/* Only if two intervals are further apart than they are wide, and the medians by 1 %. */
static void runs_differ_beyond_their_intervals(void **state)
{
    add("a/8", "d0", 0, 1000);
    add("a/8", "d0", 1, 1041);
    interval(&series[0], 990, 1010);
    interval(&series[1], 1030, 1050);
    assert_null(strstr(print(kt_print_table), "differ"));
    interval(&series[1], 1030.5, 1050);
    EXPECT_TEXT_HAS(print(kt_print_table), "a/8 on d0: runs differ by 4.1 %, more than their own");
    interval(add("a/8", "d0", 2, 1000), 500, 2000); /* which have nothing to say */
    interval(add("a/8", "d0", 3, 1000), NAN, NAN);
    EXPECT_TEXT_HAS(print(kt_print_table), "differ by 4.1 %, more");
    interval(&series[0], NAN, NAN);
    assert_null(strstr(print(kt_print_table), "differ"));
}

/* A wide interval may lie lower, or higher, than the two that are apart. */
static void a_wide_interval_hides_no_others(void **state)
{
    for (uint32_t run = 0; run < 4; run++)
        add("a/8", "d0", run, 1000);
    interval(&series[0], 960, 1000); /* ends first, but is wider than what is between the others */
    interval(&series[1], 1001, 1002);
    interval(&series[2], 1020, 1021);
    interval(&series[3], 1022, 1062); /* begins last */
    series[2].summary.median = 1021;
    EXPECT_TEXT_HAS(print(kt_print_table), "a/8 on d0: runs differ by 2.1 %");
}

static void runs_that_hardly_differ(void **state)
{
    interval(add("a/8", "d0", 0, 1000), 999.9, 1000.1);
    interval(add("a/8", "d0", 1, 1009), 1008.9, 1009.1);
    assert_null(strstr(print(kt_print_table), "differ"));
    series[1].summary.median = 1011;
    EXPECT_TEXT_HAS(print(kt_print_table), "a/8 on d0: runs differ by 1.1 %, more than");
}

/* Nobody reads 254900 %. */
static void runs_that_differ_by_far(void **state)
{
    add("a/8", "d0", 0, 1000);
    add("a/8", "d0", 1, 2.55e6);
    EXPECT_TEXT_HAS(print(kt_print_table), "1.000 us .. 2.550 ms (2550x)");
    EXPECT_TEXT_HAS(document_output, "runs differ by a factor of 2550, more than");
    series[1].summary.median = 10900;
    EXPECT_TEXT_HAS(print(kt_print_table), "(+990 %)");
}

static void walls_differ_where_the_steps_do_not(void **state)
{
    for (uint32_t run = 0; run < 2; run++) {
        add("a/8", "d0", run, 1000);
        add_wall("a/8", "d0", run, 2000 * (1 + run));
    }
    EXPECT_TEXT_HAS(print(kt_print_table),
                    "wall time of a/8 on d0: runs differ by 100 %, more than");
}

/* In how many runs; no interval of a single run is shown, so none is explained. */
static void warnings_of_single_runs(void **state)
{
    for (uint32_t run = 0; run < 3; run++) {
        kt_summary *summary = &add("a/8", "d0", run, 1000)->summary;
        summary->warnings = run < 2 ? KT_WARNING_DRIFT | KT_WARNING_AUTOCORRELATED : 0;
        summary->inflation = 100;
        summary->drift = run < 2 ? 0.01 * (run + 1) : NAN;
        summary->ci95_low = run ? summary->ci95_low : NAN;
    }
    EXPECT_TEXT_HAS(print(kt_print_table),
                    "warning: a/8 on d0: trend, times rose by 2.0 %, in 2 of 3 runs; lock the "
                    "clocks or raise --max-time\n" NOTE("3"));
    EXPECT_TEXT_HAS(document_output, ")             -  1.001 ms           3       30\n");
}

/* ---- other formats ---- */

static void a_matrix_over_runs(void **state)
{
    static const char *const names[] = {"w/1", "w/2"}, *const ids[] = {"d0", "d1"};
    for (uint32_t run = 0; run < 3; run++)
        for (int i = 0; i < 4; i++)
            add(names[i / 2], ids[i % 2], run, (i + 1) * 1000 + (run * 2 % 3) * 100);
    kt_document document = made();
    document.devices = devices;
    document.device_count = 2;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, "\n\nDEVICE TIME        d0        d1\n"
                                     "w/1          1.100 us  2.100 us\n"
                                     "w/2          3.100 us  4.100 us\n");
}

/* Each keeps what was measured. */
static void csv_and_json_have_all_runs(void **state)
{
    for (uint32_t run = 0; run < 3; run++)
        add("a/8", "d0", run, 1000 + run)->summary.n = 0;
    print(kt_print_csv);
    EXPECT_TEXT_HAS(document_output, "\na/8,work,8,,d0,0,");
    EXPECT_TEXT_HAS(document_output, "\na/8,work,8,,d0,2,");
    print(kt_print_json);
    EXPECT_TEXT_HAS(document_output, "\"run\": 2,");
    EXPECT_TEXT_HAS(document_output, "\"median_ns\": 1001,");
}

static void a_figure_over_runs(void **state)
{
    static const double ns[] = {10e6, 40e6, 20e6};
    for (uint32_t run = 0; run < 3; run++)
        add("work/8", "d0", run, ns[run])->speedup = 80e6 / ns[run];
    add("work/8", "d1", 1, 20e6)->speedup = 4; /* once: nothing between */
    kt_document document = made();
    document.baselines = &baseline;
    document.baseline_count = 1;
    document_print(kt_print_gnuplot, &document);
    EXPECT_TEXT_HAS(document_output, "$curve1 << EOD\n8 4 2 8\nEOD\n");
    EXPECT_TEXT_HAS(document_output, "$curve2 << EOD\n8 4 NaN NaN\nEOD\n");
    EXPECT_TEXT_HAS(document_output, "'Medians over 3 runs, bars from the lowest to the highest. "
                                     "A gap: ");
    document.baseline_count = 0;
    for (uint32_t i = 0; i < series_count; i++)
        series[i].speedup = NAN;
    document_print(kt_print_gnuplot, &document);
    EXPECT_TEXT_HAS(document_output, "$curve1 << EOD\n8 20000000 10000000 40000000\nEOD\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(five_runs_are_one_line, begin),
        cmocka_unit_test_setup(one_run_is_as_it_was, begin),
        cmocka_unit_test_setup(an_interval_over_runs, begin),
        cmocka_unit_test_setup(speedups_are_of_the_median_over_runs, begin),
        cmocka_unit_test_setup(failed_runs_are_missing_and_said, begin),
        cmocka_unit_test_setup(one_run_of_two_has_nothing_between, begin),
        cmocka_unit_test_setup(runs_below_the_min_span, begin),
        cmocka_unit_test_setup(runs_differ_beyond_their_intervals, begin),
        cmocka_unit_test_setup(a_wide_interval_hides_no_others, begin),
        cmocka_unit_test_setup(runs_that_hardly_differ, begin),
        cmocka_unit_test_setup(runs_that_differ_by_far, begin),
        cmocka_unit_test_setup(walls_differ_where_the_steps_do_not, begin),
        cmocka_unit_test_setup(warnings_of_single_runs, begin),
        cmocka_unit_test_setup(a_matrix_over_runs, begin),
        cmocka_unit_test_setup(csv_and_json_have_all_runs, begin),
        cmocka_unit_test_setup(a_figure_over_runs, begin),
    };
    return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
