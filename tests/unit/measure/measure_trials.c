/* SPDX-License-Identifier: MIT */
/*
 * How many dispatches are put between two timestamps where nobody said so: by scenario, on a clock that
 * moves in steps of 65,536 ns. The numbers wanted are worked out beside each case.
 */
#include "tests/unit/rig.h"

#include <stdio.h>

#define RESOLUTION_NS 65536.0
#define COARSE        "resolution_ns=65536,"

/* The true time lies within the interval, and the median is no further from it than a step. */
static void expect_time(const kt_series *series, double ns, uint32_t trials)
{
    assert_int_equal(series->status, KT_SERIES_OK);
    assert_int_equal(series->trials, trials);
    EXPECT_NEAR(series->summary.median, ns, RESOLUTION_NS / trials);
    EXPECT_NUMBER(series->median_total_ns, series->summary.median * trials);
    assert_true(series->summary.ci95_low <= ns && series->summary.ci95_high >= ns);
    for (size_t i = 0; i < series->summary.n; i++)
        EXPECT_NUMBER(fmod(series->samples_ns[i] * trials, RESOLUTION_NS), 0);
}

/*
 * 200 steps are wanted for 0.5 %. A dispatch of 20 us shows 0 or 1, so 200 or 100 times as many are
 * tried: 256 or 128. They span 78 or 39 steps, which makes 1024 (256 * 200 / 79 = 648, 128 * 200 /
 * 40 = 640); and these span 312.5.
 */
static void as_many_as_a_coarse_clock_needs(void **state)
{
    rig *r = rig_sim(1, COARSE "kernel_ns=20000");
    kt_result *result = rig_try(r, NULL, KT_OK);
    const kt_series *first = rig_series(result, "first"), *wall = rig_series(result, "wall");
    expect_time(first, 20000, 1024);
    assert_int_equal(first->stop, KT_STOP_REL_ERR);
    /* A submission costs the same whatever is in it, so per dispatch its 1024th part. The first use
     * and most of the warm-up were of one dispatch. */
    const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
    double overhead_ns = limits->overhead_ns - 100;
    assert_int_equal(wall->trials, 1024);
    EXPECT_NUMBER(wall->summary.median, (1024 * 20000 + overhead_ns) / 1024);
    EXPECT_NUMBER(first->first_use_ns, 20000 + overhead_ns + limits->timestamp_overhead_ns);
    assert_int_equal(rig_submissions(result), r->verify_count);
}

static void noise_is_no_matter(void **state)
{
    rig *r = rig_sim(1, COARSE "kernel_ns=20000,jitter_ns=4000,seed=5");
    kt_result *result = rig_try(r, NULL, KT_OK);
    expect_time(rig_series(result, "first"), 20000, 1024);
}

/* Their sum is of 3 * 312.5 steps; between them nothing is rounded away. Of the two gaps of 503 ns
 * nothing is seen but that they are short, and nothing is noticed. */
static void steps_of_one_length(void **state)
{
    rig *r = rig_sim(3, COARSE "kernel_ns=20000");
    kt_result *result = rig_try(r, NULL, KT_OK);
    expect_time(rig_series(result, "first"), 20000, 1024);
    expect_time(rig_series(result, "second"), 20000, 1024);
    expect_time(rig_series(result, "third"), 20000, 1024);
    EXPECT_NEAR(rig_series(result, "total")->summary.median, 60000, 3 * RESOLUTION_NS / 1024);
    EXPECT_NEAR(rig_series(result, "span")->median_total_ns, 3 * 1024 * 20000, 2 * RESOLUTION_NS);
    assert_int_equal(rig_series(result, "total")->summary.warnings, KT_WARNING_COARSE_CLOCK);
    const kt_series *gaps = rig_series(result, "gaps");
    assert_int_equal(gaps->status, KT_SERIES_OK);
    assert_int_equal(gaps->summary.warnings, 0);
    EXPECT_NUMBER(gaps->summary.median, 0);
    EXPECT_NUMBER(gaps->summary.ci95_low, 0);
    EXPECT_NUMBER(gaps->summary.ci95_high, RESOLUTION_NS / 1024 / 2);
}

/*
 * Copies of 64 KiB and of 1 MiB, 10 bytes a ns and 1000 ns: 7553.6 and 105857.6 ns, together
 * 113411.2. The shorter one needs 200 * 65536 / 7553.6 = 1735, so 2048. Ten samples of two
 * submissions in 2 s leave 100 ms to each: 881 of both, so 512, in which the shorter one spans 59
 * steps. In 10 s there is time.
 */
static void the_shortest_step_decides_if_there_is_time(void **state)
{
    static const struct {
        int64_t max_time_ns;
        uint32_t trials;
    } cases[] = {{2000000000, 512}, {10000000000, 2048}};
    rig *r = rig_sim(0, COARSE "copy_gbs=10");
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, 1 << 20, &r->input));
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, 1 << 20, &r->output));
    kt_step steps[] = {{.kind = KT_STEP_COPY, .name = "long", .copy_bytes = 1 << 20},
                       {.kind = KT_STEP_COPY, .name = "short", .copy_bytes = 1 << 16}};
    for (int i = 0; i < 2; i++) {
        steps[i].src = r->input;
        steps[i].dst = r->output;
    }
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "copies", .steps = steps, .step_count = 2};
    EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
    for (int c = 0; c < 2; c++) {
        const kt_measure_options options = {.size = sizeof options,
                                            .max_time_ns = cases[c].max_time_ns};
        kt_result *result = rig_try(r, &options, KT_OK);
        expect_time(rig_series(result, "long"), 105857.6, cases[c].trials);
        expect_time(rig_series(result, "short"), 7553.6, cases[c].trials);
    }
}

static void expect_below_min_span(rig *r, const kt_measure_options *options, uint32_t trials)
{
    kt_result *result = rig_try(r, options, KT_OK);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->trials, trials);
    assert_int_equal(first->status, KT_SERIES_BELOW_MIN_SPAN);
    assert_int_equal(first->discarded[KT_TIMESTAMP_BELOW_MIN_SPAN], first->summary.n);
    EXPECT_NUMBER(first->summary.median, NAN);
    if (rig_series(result, "wall")->status != KT_SERIES_OK)
        fail_msg("the wall time knows no floor");
}

/* 20 us between two timestamps that move in steps of 65 us. */
static void where_one_is_all_there_may_be(void **state)
{
    rig *r = rig_sim(0, COARSE "kernel_ns=20000");
    r->trials_max = 1;
    rig_make_job(r, 1);
    expect_below_min_span(r, NULL, 1);
    /* Up to eight: 2.4 steps, of which the interval says so. */
    rig_sim(0, COARSE "kernel_ns=20000");
    r->trials_max = 8;
    rig_make_job(r, 1);
    kt_result *result = rig_try(r, NULL, KT_OK);
    expect_time(rig_series(result, "first"), 20000, 8);
    assert_true(rig_series(result, "first")->summary.warnings & KT_WARNING_COARSE_CLOCK);
}

static void what_is_asked_for_is_taken(void **state)
{
    rig *r = rig_sim(1, COARSE "kernel_ns=20000");
    kt_measure_options options = {.size = sizeof options, .trials = 1};
    expect_below_min_span(r, &options, 1);
    options.trials = 100;
    kt_result *result = rig_try(r, &options, KT_OK);
    expect_time(rig_series(result, "first"), 20000, 100); /* 30.5 steps */
    /* Where no timestamp is asked for, none is too coarse. */
    const kt_measure_options wall = {.size = sizeof wall, .timing = KT_TIMING_WALL};
    result = rig_try(r, &wall, KT_OK);
    assert_int_equal(rig_series(result, "wall")->trials, 1);
    const kt_measure_options device = {.size = sizeof device, .timing = KT_TIMING_DEVICE};
    result = rig_try(r, &device, KT_OK);
    expect_time(rig_series(result, "first"), 20000, 1024);
}

/* 4096 dispatches of 100 ns, the most that are tried, are 6 steps; of 10 ns less than one. */
static void the_most_may_be_too_few(void **state)
{
    rig *r = rig_sim(1, COARSE "kernel_ns=100,min_span_ns=0");
    kt_result *result = rig_try(r, NULL, KT_OK);
    expect_time(rig_series(result, "first"), 100, 4096);
    rig_sim(1, COARSE "kernel_ns=10,min_span_ns=0");
    expect_below_min_span(r, NULL, 4096);
}

/* 20 ms are 305 steps. So are 20 us of a clock that moves in steps of 65.536 ns. */
static void one_where_the_clock_is_fine_enough(void **state)
{
    rig *r = rig_sim(1, COARSE "kernel_ns=2e7");
    kt_result *result = rig_try(r, NULL, KT_OK);
    expect_time(rig_series(result, "first"), 2e7, 1);
    rig_make("sim:0:period_ns=65.536,kernel_ns=20000", 1);
    result = rig_try(r, NULL, KT_OK);
    assert_int_equal(rig_series(result, "first")->trials, 1);
    EXPECT_NEAR(rig_series(result, "first")->summary.median, 20000, 65.536);
}

/* An empty step of 100 ns crosses a step of 1000 in one of ten cases; one of no length never
 * does. */
static void a_min_span_below_a_step_is_not_0(void **state)
{
    rig *r = rig_make("sim:0:resolution_ns=1000,min_span_ns=100", 1);
    kt_result *result = rig_try(r, NULL, KT_OK);
    EXPECT_NEAR(kt_device_get_timer_limits(r->device)->min_span_ns, 100, 30);
    rig_sim(1, COARSE "kernel_ns=20000,min_span_ns=0");
    result = rig_try(r, NULL, KT_OK);
    EXPECT_NUMBER(kt_device_get_timer_limits(r->device)->min_span_ns, NAN);
    expect_time(rig_series(result, "first"), 20000, 1024);
}

static uint32_t asked, cancel_at;

/* Counts how often it is asked before the first sample. */
static int count(void *user, const kt_progress *progress)
{
    if (progress->samples > 0)
        return 1;
    return ++asked != cancel_at;
}

/* Both numbers that are tried, 256 (or 128) and 1024, take three rounds, and before each of them
 * there is a question. */
static void trying_can_be_cancelled(void **state)
{
    const kt_measure_options counted = {.size = sizeof counted, .progress = count};
    kt_measure_options one = counted;
    one.trials = 1;
    uint32_t questions[2];
    for (int i = 0; i < 2; i++) {
        rig *r = rig_sim(1, COARSE "kernel_ns=20000");
        asked = cancel_at = 0;
        rig_try(r, i == 0 ? &one : &counted, KT_OK);
        questions[i] = asked;
    }
    assert_int_equal(questions[1], questions[0] + 2 * 3);
    for (uint32_t late = 0; late < 6; late++) {
        rig *r = rig_sim(1, COARSE "kernel_ns=20000");
        asked = 0;
        cancel_at = questions[1] - late;
        kt_result *result = rig_try(r, &counted, KT_CANCELLED);
        assert_int_equal(asked, cancel_at);
        assert_int_equal(rig_series(result, "first")->summary.n, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_a_coarse_clock_needs),
        cmocka_unit_test(noise_is_no_matter),
        cmocka_unit_test(steps_of_one_length),
        cmocka_unit_test(the_shortest_step_decides_if_there_is_time),
        cmocka_unit_test(where_one_is_all_there_may_be),
        cmocka_unit_test(what_is_asked_for_is_taken),
        cmocka_unit_test(the_most_may_be_too_few),
        cmocka_unit_test(one_where_the_clock_is_fine_enough),
        cmocka_unit_test(a_min_span_below_a_step_is_not_0),
        cmocka_unit_test(trying_can_be_cancelled),
    };
    return cmocka_run_group_tests_name("measure_trials", tests, NULL, rig_end);
}
