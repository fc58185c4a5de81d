/* SPDX-License-Identifier: MIT */
/* Baselines in tables: intervals, speed-ups over both, and what is warned of. */
#include "tests/unit/documents.h"

#include <stdio.h>

static kt_series series[2];
static kt_baseline baselines[4];
static kt_document_device device;
static kt_document document;

static void set_interval(kt_summary *summary, double low, double high)
{
    summary->ci95_low = low;
    summary->ci95_high = high;
}

/* A time of cpu:0, 8 us, beside sequential, 2 us, and best, 1 us. */
static int begin(void **state)
{
    series[0] = make_series("work/8", "cpu:0", 8000);
    series[0].speedup = 0.25;
    baselines[0] = make_work_baseline("sequential", 2000);
    baselines[0].summary.min = 2000;
    baselines[1] = make_work_baseline("best", 1000);
    device = make_device("cpu:0", "a CPU");
    snprintf(device.info.backend, sizeof device.info.backend, "cpu");
    device.info.compute_units = 2;
    document = make_document(series, 1);
    document.devices = &device;
    document.device_count = 1;
    document.baselines = baselines;
    document.baseline_count = 2;
    return 0;
}

static const char *print(void)
{
    return document_print(kt_print_table, &document);
}

static void expect_no_warning(void)
{
    assert_null(strstr(print(), "warning: "));
}

/* Twice and half for the time, exact for the baselines: so are the ends of the ratios. */
static void speedups_over_both(void **state)
{
    set_interval(&series[0].summary, 4000, 16000);
    set_interval(&baselines[0].summary, 2000, 2000);
    set_interval(&baselines[1].summary, 1000, 1000);
    EXPECT_TEXT_HAS(print(), " SPEED-UP    95% INTERVAL  OVER BEST     95% INTERVAL\n");
    EXPECT_TEXT_HAS(document_output, " 0.25x  0.12x .. 0.50x      0.12x  0.062x .. 0.25x\n");
    set_interval(&baselines[1].summary, NAN, NAN);
    EXPECT_TEXT_HAS(print(), " 0.25x  0.12x .. 0.50x      0.12x\n");
    series[0].speedup = NAN; /* such as that of one of several steps */
    assert_null(strstr(print(), "SPEED-UP  "));
    assert_null(strstr(document_output, "OVER BEST"));
}

static void intervals_of_baselines(void **state)
{
    set_interval(&series[0].summary, 7000, 9000);
    set_interval(&baselines[0].summary, 1500, 3000);
    EXPECT_TEXT_HAS(print(), "work/8  sequential               1.500 us .. 3.000 us        "
                             "2.000 us        3\n"
                             "work/8  best                                        -        "
                             "1.000 us        3\n");
    EXPECT_TEXT_HAS(document_output, "note: \"-\" of a baseline: too few samples for an interval, "
                                     "which takes six; --baseline-samples 6\n");
    baselines[0].n = baselines[1].n = 6;
    assert_null(strstr(print(), "of a baseline"));
}

static void best_that_is_not(void **state)
{
    expect_no_warning();
    baselines[1].summary.median = 2000;
    expect_no_warning();
    baselines[1].summary.median = 8.002e6;
    EXPECT_TEXT_HAS(print(), "\nwarning: work/8: best took 8.002 ms, longer than sequential, 2.000 "
                             "us; quiet the machine and measure again\n");
    series[1] = make_series("work/9", "cpu:0", 8000);
    series[1].params = size_9;
    document.series_count = 2;
    baselines[2] = baselines[0];
    baselines[3] = baselines[1];
    baselines[2].params = baselines[3].params = size_9;
    document.baseline_count = 4;
    EXPECT_TEXT_HAS(print(), "\nwarning: work/8 and 1 more: best took 8.002 ms, longer");
    baselines[0].workload = "other"; /* nothing that work/8 has to beat */
    EXPECT_TEXT_HAS(print(), "\nwarning: work/9: best took 8.002 ms, longer");
}

static void threads_that_waited(void **state)
{
    static const char warning[] =
        "\nwarning: cpu:0: DEVICE TIME of work/8 is far above sequential: "
        "its threads waited for busy cores";
    series[0].summary.median = 4 * 2000 + 1e6;
    expect_no_warning();
    series[0].summary.median += 1;
    EXPECT_TEXT_HAS(print(), warning);
    baselines[0].summary.median = 1e7; /* it waited, too, but not always */
    EXPECT_TEXT_HAS(print(), warning);
    snprintf(device.info.backend, sizeof device.info.backend,
             "opencl"); /* which has its own reasons to be slow */
    expect_no_warning();
    snprintf(device.info.backend, sizeof device.info.backend, "cpu");
    device.info.compute_units = 1;
    expect_no_warning();
    device.info.compute_units = 2;
    series[0].speedup = NAN;
    expect_no_warning();
}

static void sample_warnings(void **state)
{
    kt_summary *summary = &baselines[1].summary;
    summary->cluster_low = 1000;
    summary->cluster_high = 4000;
    summary->cluster_high_share = 0.25;
    summary->warnings = KT_WARNING_BIMODAL; /* they switch seldom: no interval */
    EXPECT_TEXT_HAS(print(), "\nnote: wall time of work/8 on best: bimodal times, 1.000 us and "
                             "4.000 us (25 % of the samples)\n");
    document.series_count = 0; /* then it has no row */
    assert_null(strstr(print(), "bimodal"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(speedups_over_both, begin),
        cmocka_unit_test_setup(intervals_of_baselines, begin),
        cmocka_unit_test_setup(best_that_is_not, begin),
        cmocka_unit_test_setup(threads_that_waited, begin),
        cmocka_unit_test_setup(sample_warnings, begin),
    };
    return cmocka_run_group_tests_name("baselines", tests, NULL, NULL);
}
