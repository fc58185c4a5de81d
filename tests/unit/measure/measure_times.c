/* SPDX-License-Identifier: MIT */
/*
 * Times by scenario, without noise: every sample is known before. The virtual driver's own times
 * are whole ns, so that sums are exact; what they are is found out by comparing measurements, not
 * read off.
 */
#include "tests/unit/rig.h"

#include <stdio.h>

#define COUNT 12

static void one_step_takes_what_the_scenario_says(void **state)
{
    rig *r = rig_sim(1, "kernel_ns=250000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    assert_int_equal(kt_result_series_count(result), 3); /* one step has no total and no span */
    assert_null(kt_result_series(result, 3));
    const kt_series *first = rig_series(result, "first");
    rig_expect_all(first, COUNT, 250000);
    EXPECT_NUMBER(first->summary.stddev, 0);
    EXPECT_NUMBER(first->summary.mad, 0);
    /* Half a step of the clock, which is 1 ns, to both sides of what does not vary. */
    EXPECT_NUMBER(first->summary.ci95_low, 249999.5);
    EXPECT_NUMBER(first->summary.ci95_high, 250000.5);
    assert_int_equal(first->method, KT_METHOD_SIMULATED);
    assert_string_equal(first->clock, "device");
    assert_string_equal(first->name, "unit/64");
    assert_string_equal(first->workload, "unit");
    assert_null(first->variant);
    assert_string_equal(first->device, r->id);
    assert_int_equal(first->param_count, 1);
    assert_string_equal(first->params[0].name, "size");
    assert_int_equal(first->params[0].value, 64);
    assert_int_equal(first->kind, KT_SERIES_KERNEL);
    assert_int_equal(first->trials, 1);
    assert_true(first->verified);
    assert_int_equal(first->stop, KT_STOP_MAX_SAMPLES);
    assert_int_equal(rig_series(result, "wall")->kind, KT_SERIES_WALL);
    assert_null(rig_series(result, "wall")->clock);
}

/* What submitting costs beside the work is the same for any work, with and without timestamps, and on
 * the timer limits. */
static void wall_exceeds_the_work_by_constants(void **state)
{
    static const double kernels_ns[] = {50000, 250000, 1e9};
    double overhead_ns = NAN, timestamp_ns = NAN;
    for (int i = 0; i < 3; i++) {
        char scenario[64];
        snprintf(scenario, sizeof scenario, "kernel_ns=%.0f,min_span_ns=333", kernels_ns[i]);
        rig *r = rig_sim(1, "%s", scenario);
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        double wall_ns = rig_series(result, "wall")->summary.median;
        double timestamped_ns = rig_series(result, "wall_timestamped")->summary.median;
        rig_expect_all(rig_series(result, "first"), COUNT, kernels_ns[i]);
        rig_expect_all(rig_series(result, "wall"), COUNT, wall_ns);
        rig_expect_all(rig_series(result, "wall_timestamped"), COUNT, timestamped_ns);
        if (i == 0) {
            overhead_ns = wall_ns - kernels_ns[0];
            timestamp_ns = timestamped_ns - wall_ns;
        }
        assert_true(overhead_ns > 0 && timestamp_ns > 0);
        EXPECT_NUMBER(wall_ns - kernels_ns[i], overhead_ns);
        EXPECT_NUMBER(timestamped_ns - wall_ns, timestamp_ns);
        /* The first use is the same as any other here. It is timestamped. */
        EXPECT_NUMBER(rig_series(result, "first")->first_use_ns, timestamped_ns);
        EXPECT_NUMBER(rig_series(result, "first")->first_use_device_ns, kernels_ns[i]);
        EXPECT_NUMBER(rig_series(result, "wall")->first_use_device_ns, NAN);
        const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
        assert_non_null(limits);
        assert_true(limits->trusted);
        assert_string_equal(limits->reason, "");
        EXPECT_NUMBER(limits->min_span_ns, 333);
        EXPECT_NUMBER(limits->overhead_ns, overhead_ns + 333);
        EXPECT_NUMBER(limits->timestamp_overhead_ns, timestamp_ns);
        EXPECT_NUMBER(limits->timestamp_overhead_error_ns, 0); /* no noise */
        EXPECT_NUMBER(limits->resolution_ns, 1);
    }
}

/* Of all trials together, as its wall time is; none where its timestamps cannot be used. */
static void the_first_use_has_a_device_time(void **state)
{
    rig *r = rig_sim(2, "kernel_ns=20000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_DEVICE, 3);
    EXPECT_NUMBER(rig_series(result, "second")->first_use_device_ns, 60000);
    EXPECT_NUMBER(rig_series(result, "total")->first_use_device_ns, NAN);
    rig_sim(1, "kernel_ns=20000,lost=1");
    result = rig_measure(r, COUNT, KT_TIMING_DEVICE, 1);
    EXPECT_NUMBER(rig_series(result, "first")->first_use_device_ns, NAN);
}

/* The one gap of a job of two steps. */
static double find_gap(void)
{
    rig *r = rig_sim(2, "kernel_ns=20000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    double gap_ns =
        rig_series(result, "span")->summary.median - rig_series(result, "total")->summary.median;
    return gap_ns;
}

static void sum_and_gaps_make_the_span(void **state)
{
    double gap_ns = find_gap(), overhead_ns = NAN;
    const uint32_t trials[] = {1, 5, 40};
    for (int i = 0; i < 3; i++) {
        rig *r = rig_sim(3, "kernel_ns=20000");
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, trials[i]);
        assert_int_equal(kt_result_series_count(result), 8);
        static const char *const order[] = {"first", "second", "third", "total",
                                            "gaps",  "span",   "wall",  "wall_timestamped"};
        for (uint32_t k = 0; k < 8; k++)
            assert_string_equal(kt_result_series(result, k)->step, order[k]);
        for (uint32_t k = 0; k < 3; k++) {
            rig_expect_all(kt_result_series(result, k), COUNT, 20000);
            EXPECT_NUMBER(kt_result_series(result, k)->median_total_ns, 20000.0 * trials[i]);
        }
        rig_expect_all(rig_series(result, "total"), COUNT, 60000);
        double span_ns = rig_series(result, "span")->median_total_ns;
        double wall_ns = rig_series(result, "wall")->median_total_ns;
        double gaps_ns = rig_series(result, "gaps")->median_total_ns;
        if (i == 0)
            overhead_ns = wall_ns - span_ns;
        assert_true(gap_ns > 0 && overhead_ns > 0);
        EXPECT_NEAR(span_ns, rig_series(result, "total")->median_total_ns + gaps_ns, 1e-6);
        EXPECT_NEAR(gaps_ns, 2 * gap_ns,
                    1e-6); /* two gaps between three steps, whatever is in the steps */
        EXPECT_NEAR(wall_ns - span_ns, overhead_ns, 1e-6);
    }
}

static void expect_exact_parts(const kt_result *result, uint32_t count)
{
    const double *total_ns = rig_series(result, "total")->samples_ns,
                 *gaps_ns = rig_series(result, "gaps")->samples_ns,
                 *span_ns = rig_series(result, "span")->samples_ns;
    assert_int_equal(rig_series(result, "total")->summary.n, count);
    assert_int_equal(rig_series(result, "gaps")->summary.n, count);
    assert_int_equal(rig_series(result, "span")->summary.n, count);
    for (uint32_t i = 0; i < count; i++) {
        double steps_ns = 0;
        for (uint32_t k = 0; k < 3; k++)
            steps_ns += kt_result_series(result, k)->samples_ns[i];
        EXPECT_NEAR(total_ns[i], steps_ns, 1e-15 * span_ns[i]);
        assert_true(total_ns[i] + gaps_ns[i] == span_ns[i]);
    }
}

/* Ticks that are no whole ns, and a number of trials that divides nothing: still no bit is lost.
 * Without gaps the sums of rounded times must not make any. */
static void no_bit_of_the_span_is_lost(void **state)
{
    static const struct {
        const char *scenario;
        double gap_ns;
    } cases[] = {{"period_ns=52.083333,jitter_ns=3000,gap_ns=350000", 350000},
                 {"period_ns=0.3,kernel_ns=77,min_span_ns=0,gap_ns=100000", 100000},
                 {"period_ns=83.3,jitter_ns=30000,gap_ns=0", 0},
                 {"period_ns=0.0123,kernel_ns=1e8,jitter_ns=1e6,gap_ns=0", 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (uint32_t trials = 1; trials <= 49; trials += 6) {
            rig *r = rig_sim(3, "%s", cases[c].scenario);
            kt_result *result = rig_measure(r, COUNT, KT_TIMING_DEVICE, trials);
            expect_exact_parts(result, COUNT);
            const kt_series *gaps = rig_series(result, "gaps");
            assert_int_equal(gaps->status, KT_SERIES_OK);
            for (uint32_t i = 0; i < COUNT && cases[c].gap_ns == 0; i++)
                assert_true(gaps->samples_ns[i] == 0);
            /* Each of the four ends of two gaps is cut to a tick. */
            EXPECT_NEAR(gaps->median_total_ns, 2 * cases[c].gap_ns, 200);
        }
}

static void steps_that_overlap_have_no_gaps(void **state)
{
    rig *r = rig_sim(3, "kernel_ns=20000,gap_ns=-1000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    rig_expect_all(rig_series(result, "total"), COUNT, 60000);
    rig_expect_all(rig_series(result, "span"), COUNT, 58000);
    assert_int_equal(rig_series(result, "span")->status, KT_SERIES_OK);
    const kt_series *gaps = rig_series(result, "gaps");
    assert_int_equal(gaps->status, KT_SERIES_NOT_POSSIBLE);
    assert_int_equal(gaps->summary.n, 0);
    assert_true(isnan(gaps->summary.median));
    assert_int_equal(gaps->discarded[KT_TIMESTAMP_NEGATIVE], COUNT);
    assert_int_equal(rig_discarded(gaps), COUNT);
    assert_string_equal(
        gaps->error,
        "the steps overlap, so there are no gaps: their sum is longer than their span, "
        "which is \"negative\", in 12 of 12");
}

/* What cannot be told from an empty step is no number to rank by; what is between steps is none of
 * them. */
static void gaps_know_no_min_span(void **state)
{
    static const double gaps_ns[] = {0, 30};
    static const char *const scenarios[] = {"kernel_ns=100,min_span_ns=100,gap_ns=0",
                                            "kernel_ns=100,min_span_ns=100,gap_ns=30"};
    for (int i = 0; i < 2; i++) {
        rig *r = rig_sim(3, "%s", scenarios[i]);
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        assert_int_equal(rig_series(result, "first")->status, KT_SERIES_BELOW_MIN_SPAN);
        assert_int_equal(rig_series(result, "total")->status, KT_SERIES_BELOW_MIN_SPAN);
        assert_int_equal(rig_series(result, "gaps")->status, KT_SERIES_OK);
        rig_expect_all(rig_series(result, "gaps"), COUNT, 2 * gaps_ns[i]);
    }
}

/* What one timestamped step costs, three cost three times. */
static void timestamps_cost_per_step(void **state)
{
    double cost_ns[4] = {0};
    for (uint32_t steps = 1; steps <= 3; steps++) {
        rig *r = rig_make("sim:0", steps);
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        cost_ns[steps] = rig_series(result, "wall_timestamped")->summary.median -
                         rig_series(result, "wall")->summary.median;
    }
    assert_true(cost_ns[1] > 0);
    EXPECT_NUMBER(cost_ns[2], 2 * cost_ns[1]);
    EXPECT_NUMBER(cost_ns[3], 3 * cost_ns[1]);
}

/* By a browser's clock of 1 ms a kernel of 0.95 ms often exceeds its wall time, which is no mistake.
 * What the wall time is, it knows within a step. */
static void a_coarse_host_clock_discards_nothing(void **state)
{
    rig *r = rig_sim(1, "kernel_ns=950000,host_resolution_ns=1000000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    rig_expect_all(rig_series(result, "first"), COUNT, 950000);
    const kt_summary *wall = &rig_series(result, "wall")->summary;
    assert_true(wall->ci95_high - wall->ci95_low >= 1000000);
}

/* The same run twice; the second time the counter starts so that it wraps in the middle of
 * sample 5. */
static void a_wrap_within_a_sample_changes_nothing(void **state)
{
    rig *r = rig_sim(1, "bits=32,kernel_ns=250000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    rig_expect_all(rig_series(result, "first"), COUNT, 250000);
    const kt_raw *fifth = &rig_series(result, "first")->raw[5];
    assert_true(fifth->start_ticks < fifth->end_ticks);
    uint64_t middle = (fifth->start_ticks + fifth->end_ticks) / 2;
    uint64_t start = (UINT64_C(1) << 32) - middle;

    char scenario[96];
    snprintf(scenario, sizeof scenario, "bits=32,kernel_ns=250000,start=%llu",
             (unsigned long long)start);
    rig_sim(1, "%s", scenario);
    result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    fifth = &rig_series(result, "first")->raw[5];
    assert_true(fifth->end_ticks < fifth->start_ticks);
    assert_int_equal(fifth->end_ticks, 125000);
    rig_expect_all(rig_series(result, "first"), COUNT, 250000);
    assert_int_equal(rig_discarded(rig_series(result, "first")), 0);
}

/* 20 bits wrap after 1.05 ms: 5 ms are four wraps and a rest, which the wall time can tell. */
static void several_wraps_are_reported_by_the_wall_time(void **state)
{
    rig *r = rig_sim(1, "bits=20,kernel_ns=5000000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    rig_expect_all(rig_series(result, "first"), COUNT, 5e6);
}

/* 16 bits wrap after 65.5 us, less than what submitting takes: no wall time can tell 3 wraps
 * from 4. */
static void wraps_that_nobody_can_tell_are_ambiguous(void **state)
{
    rig *r = rig_sim(1, "bits=16,kernel_ns=250000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->summary.n, 0);
    assert_int_equal(first->discarded[KT_TIMESTAMP_AMBIGUOUS], COUNT);
    assert_int_equal(rig_discarded(first), COUNT);
    assert_int_equal(first->status, KT_SERIES_FAILED);
    EXPECT_TEXT_HAS(first->error, "ambiguous");
    EXPECT_NUMBER(first->summary.median, NAN);
    assert_int_equal(rig_series(result, "wall")->status, KT_SERIES_OK);
}

/* 30 ppm of 0.1 s are 3 us; a timestamp is at most one tick off at each end. */
static void a_fast_clock_counts_more(void **state)
{
    static const struct {
        const char *scenario;
        double ns;
    } cases[] = {{"drift_ppm=30,kernel_ns=1e8", 100003000},
                 {"drift_ppm=-250,kernel_ns=1e8", 99975000}};
    for (int c = 0; c < 2; c++) {
        rig *r = rig_sim(1, "%s", cases[c].scenario);
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        const kt_series *first = rig_series(result, "first");
        assert_int_equal(first->summary.n, COUNT);
        for (size_t i = 0; i < COUNT; i++)
            EXPECT_NEAR(first->samples_ns[i], cases[c].ns, 1);
    }
}

/* 250000 ns are 4800.00003 ticks of 52.083333 ns: 4800 or 4801 of them are between two timestamps. */
static void long_ticks_are_counted_whole(void **state)
{
    rig *r = rig_sim(1, "period_ns=52.083333,bits=32,start=4294960000,kernel_ns=250000");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->summary.n, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(first->samples_ns[i] == 4800 * 52.083333 ||
                    first->samples_ns[i] == 4801 * 52.083333);
    EXPECT_NUMBER(kt_device_get_timer_limits(r->device)->resolution_ns, 52.083333);
}

/* Timestamps that move in steps of 100 ns though the clock says 1 ns. */
static void a_coarse_resolution_is_found(void **state)
{
    static const struct {
        const char *scenario;
        double resolution_ns;
    } cases[] = {{"resolution_ns=100,kernel_ns=250030", 100},
                 {"resolution_ns=256,kernel_ns=250030", 256},
                 {"resolution_ns=1000,kernel_ns=250030,min_span_ns=3", 1000}};
    for (int c = 0; c < 3; c++) {
        rig *r = rig_sim(1, "%s", cases[c].scenario);
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        EXPECT_NUMBER(kt_device_get_timer_limits(r->device)->resolution_ns, cases[c].resolution_ns);
        const kt_series *first = rig_series(result, "first");
        assert_int_equal(first->summary.n, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            EXPECT_NUMBER(fmod(first->samples_ns[i], cases[c].resolution_ns), 0);
            EXPECT_NEAR(first->samples_ns[i], 250030, cases[c].resolution_ns);
        }
    }
}

static void below_the_min_span_nothing_is_reported(void **state)
{
    rig *r = rig_sim(1, "min_span_ns=777,kernel_ns=500");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->status, KT_SERIES_BELOW_MIN_SPAN);
    assert_int_equal(first->discarded[KT_TIMESTAMP_BELOW_MIN_SPAN], COUNT);
    assert_int_equal(rig_discarded(first), COUNT);
    EXPECT_NUMBER(first->summary.median, NAN);
    EXPECT_NUMBER(first->summary.min, NAN);
    EXPECT_NUMBER(first->median_total_ns, NAN);
    EXPECT_NUMBER(kt_device_get_timer_limits(r->device)->min_span_ns, 777);
    assert_int_equal(rig_series(result, "wall")->status, KT_SERIES_OK);
    /* A hundred of them are above it. */
    result = rig_measure(r, COUNT, KT_TIMING_BOTH, 100);
    rig_expect_all(rig_series(result, "first"), COUNT, 777);
}

/* Exactly as long as an empty step, and one ns more. */
static void the_min_span_itself_is_below(void **state)
{
    rig *r = rig_sim(1, "min_span_ns=100,kernel_ns=100");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    assert_int_equal(rig_series(result, "first")->status, KT_SERIES_BELOW_MIN_SPAN);
    rig_sim(1, "min_span_ns=100,kernel_ns=101");
    result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    rig_expect_all(rig_series(result, "first"), COUNT, 101);
}

/* Noise of mean 0: 1000 samples keep the mean within 5 of its standard errors, and the deviation
 * within 20 %. */
static void noise_is_as_large_as_asked_for(void **state)
{
    rig *r = rig_sim(1, "kernel_ns=250000,jitter_ns=4000,seed=7");
    kt_result *result = rig_measure(r, 1000, KT_TIMING_BOTH, 1);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->summary.n, 1000);
    EXPECT_NEAR(first->summary.mean, 250000, 5 * 4000 / sqrt(1000));
    EXPECT_NEAR(first->summary.stddev, 4000, 800);
    assert_true(first->summary.median < first->summary.mean); /* skewed: a long tail of slow ones */
    assert_true(first->summary.ci95_low < first->summary.median);
}

static void clock_pairs_hold_the_truth(void **state)
{
    /* Without drift the counter shows start + host time / period. */
    rig *r = rig_sim(0, "period_ns=4,start=1000,calibration_jitter_ns=300");
    int64_t previous_ns = 0;
    for (int i = 0; i < 200; i++) {
        kt_clock_pair pair;
        EXPECT_OK(kt_device_clock_pair(r->device, 0, &pair));
        int64_t device_ns = (int64_t)(pair.ticks - 1000) * 4;
        assert_true(pair.host_before_ns <= pair.host_after_ns);
        assert_true(device_ns >= pair.host_before_ns - 4 && device_ns <= pair.host_after_ns);
        assert_true(pair.host_before_ns >= previous_ns);
        previous_ns = pair.host_after_ns;
    }
    kt_clock_pair untouched = {1, 2, 3};
    EXPECT_STATUS(kt_device_clock_pair(r->device, 1, &untouched), KT_INVALID);
    assert_int_equal(untouched.ticks, 2);
}

static void pairs_are_read_where_the_scenario_says(void **state)
{
    static const struct {
        const char *scenario;
        double place;
    } cases[] = {
        {"calibration_place=0", 0}, {"calibration_place=0.25", 0.25}, {"calibration_place=1", 1}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rig *r = rig_sim(0, "%s", cases[c].scenario);
        for (int i = 0; i < 50; i++) {
            kt_clock_pair pair;
            EXPECT_OK(kt_device_clock_pair(r->device, 0, &pair));
            /* The pair's ends and the tick are whole ns, each cut off. */
            double width_ns = (double)(pair.host_after_ns - pair.host_before_ns);
            EXPECT_NEAR((double)((int64_t)pair.ticks - pair.host_before_ns),
                        cases[c].place * width_ns, 1);
        }
    }
}

static void a_clock_that_tells_nothing(void **state)
{
    rig *r = rig_sim(
        0, "period_reported=0,bits_reported=0,calibrated_timestamps=0,period_ns=83.333,bits=36");
    const kt_clock_info *clock = &kt_device_get_info(r->device)->clocks[0];
    assert_true(isnan(clock->period_ns));
    assert_int_equal(clock->valid_bits, 0);
    kt_clock_pair untouched = {1, 2, 3};
    EXPECT_STATUS(kt_device_clock_pair(r->device, 0, &untouched), KT_UNSUPPORTED);
    assert_int_equal(untouched.host_before_ns, 1);
}

static void pairs_do_not_change_the_work(void **state)
{
    double with_pairs_ns[30];
    for (int pairs = 1; pairs >= 0; pairs--) {
        rig *r = rig_sim(0, "jitter_ns=5000,seed=3");
        rig_make_job(r, 1);
        for (int i = 0; i < 7 * pairs; i++) {
            kt_clock_pair pair;
            EXPECT_OK(kt_device_clock_pair(r->device, 0, &pair));
        }
        kt_result *result = rig_measure(r, 30, KT_TIMING_BOTH, 1);
        const kt_series *series = rig_series(result, "first");
        assert_int_equal(series->summary.n, 30);
        for (size_t i = 0; i < 30; i++) {
            if (pairs)
                with_pairs_ns[i] = series->samples_ns[i];
            else
                EXPECT_NEAR(series->samples_ns[i], with_pairs_ns[i], 1); /* a tick */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_takes_what_the_scenario_says),
        cmocka_unit_test(wall_exceeds_the_work_by_constants),
        cmocka_unit_test(the_first_use_has_a_device_time),
        cmocka_unit_test(sum_and_gaps_make_the_span),
        cmocka_unit_test(no_bit_of_the_span_is_lost),
        cmocka_unit_test(steps_that_overlap_have_no_gaps),
        cmocka_unit_test(gaps_know_no_min_span),
        cmocka_unit_test(timestamps_cost_per_step),
        cmocka_unit_test(a_coarse_host_clock_discards_nothing),
        cmocka_unit_test(a_wrap_within_a_sample_changes_nothing),
        cmocka_unit_test(several_wraps_are_reported_by_the_wall_time),
        cmocka_unit_test(wraps_that_nobody_can_tell_are_ambiguous),
        cmocka_unit_test(a_fast_clock_counts_more),
        cmocka_unit_test(long_ticks_are_counted_whole),
        cmocka_unit_test(a_coarse_resolution_is_found),
        cmocka_unit_test(below_the_min_span_nothing_is_reported),
        cmocka_unit_test(the_min_span_itself_is_below),
        cmocka_unit_test(noise_is_as_large_as_asked_for),
        cmocka_unit_test(clock_pairs_hold_the_truth),
        cmocka_unit_test(pairs_are_read_where_the_scenario_says),
        cmocka_unit_test(a_clock_that_tells_nothing),
        cmocka_unit_test(pairs_do_not_change_the_work),
    };
    return cmocka_run_group_tests_name("measure_times", tests, NULL, rig_end);
}
