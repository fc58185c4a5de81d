/* SPDX-License-Identifier: MIT */
/* Bad timestamps are counted, failures end the measurement with what was measured kept. */
#include "tests/unit/rig.h"

#include <stdio.h>

#define COUNT 400

/* A quarter of the timestamps is spoilt: 100 of 400, give or take four deviations of sqrt(400 / 4 * 3 /
 * 4). */
static void spoilt_timestamps_are_counted(void **state)
{
    static const struct {
        const char *scenario;
        kt_timestamp_state state;
    } cases[] = {{"lost=0.25", KT_TIMESTAMP_LOST},
                 {"zero=0.25", KT_TIMESTAMP_ZERO},
                 {"negative=0.25", KT_TIMESTAMP_NEGATIVE},
                 {"negative=0.25,bits=32", KT_TIMESTAMP_NEGATIVE}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rig *r = rig_sim(1, "%s", cases[c].scenario);
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        const kt_series *first = rig_series(result, "first");
        uint32_t bad = first->discarded[cases[c].state];
        assert_int_equal(rig_discarded(first), bad); /* no other state */
        assert_int_equal(first->summary.n + bad, COUNT);
        EXPECT_NEAR(bad, 100, 35);
        assert_int_equal(first->status, KT_SERIES_PARTIAL);
        EXPECT_TEXT_HAS(first->error, kt_timestamp_state_name(cases[c].state));
        for (size_t i = 0; i < first->summary.n; i++)
            EXPECT_NUMBER(first->samples_ns[i], 100000);
        /* Each submission is among the raw ones, in its state. */
        assert_int_equal(first->raw_count, COUNT);
        uint32_t raw_bad = 0;
        for (size_t i = 0; i < COUNT; i++)
            raw_bad += first->raw[i].state == cases[c].state;
        assert_int_equal(raw_bad, bad);
        assert_int_equal(rig_series(result, "wall")->summary.n, COUNT);
        assert_int_equal(rig_series(result, "wall_timestamped")->summary.n, COUNT);
        assert_int_equal(rig_series(result, "wall_timestamped")->status, KT_SERIES_OK);
    }
}

/* Total and span need all steps, so they miss whatever any step misses. */
static void a_sum_needs_all_its_parts(void **state)
{
    rig *r = rig_sim(3, "lost=0.2");
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_DEVICE, 1);
    const kt_series *steps[3] = {rig_series(result, "first"), rig_series(result, "second"),
                                 rig_series(result, "third")};
    uint32_t whole = 0;
    for (size_t i = 0; i < COUNT; i++)
        whole += steps[0]->raw[i].state == KT_TIMESTAMP_OK &&
                 steps[1]->raw[i].state == KT_TIMESTAMP_OK &&
                 steps[2]->raw[i].state == KT_TIMESTAMP_OK;
    assert_true(whole > 0 && whole < COUNT);
    assert_int_equal(rig_series(result, "total")->summary.n, whole);
    assert_int_equal(rig_series(result, "span")->summary.n, whole);
    assert_int_equal(rig_series(result, "gaps")->summary.n, whole);
    assert_int_equal(rig_discarded(rig_series(result, "total")), COUNT - whole);
    assert_int_equal(rig_series(result, "gaps")->discarded[KT_TIMESTAMP_LOST], COUNT - whole);
    assert_int_equal(rig_discarded(rig_series(result, "span")), COUNT - whole);
    EXPECT_NUMBER(rig_series(result, "total")->summary.max, 300000);
    EXPECT_NUMBER(rig_series(result, "total")->summary.min, 300000);
}

static void a_device_without_any_timestamp_keeps_wall_times(void **state)
{
    static const char *const scenarios[] = {"lost=1", "zero=1", "negative=1"};
    for (int c = 0; c < 3; c++) {
        rig *r = rig_sim(1, "%s", scenarios[c]);
        kt_result *result = rig_measure(r, 10, KT_TIMING_BOTH, 1);
        const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
        assert_false(limits->trusted);
        assert_true(limits->reason[0] != '\0');
        EXPECT_NUMBER(limits->resolution_ns, NAN);
        EXPECT_NUMBER(limits->min_span_ns, NAN);
        const kt_series *first = rig_series(result, "first");
        assert_int_equal(first->status, KT_SERIES_NOT_POSSIBLE);
        assert_string_equal(first->error, limits->reason);
        assert_int_equal(first->summary.n, 0);
        assert_int_equal(rig_series(result, "wall")->status, KT_SERIES_OK);
        assert_int_equal(rig_series(result, "wall")->summary.n, 10);
    }
}

/* A counter that restarts every 7 ms: a sample without a restart in it is exact, and only others
 * are spoilt. */
static void restarts_of_the_counter_are_noticed(void **state)
{
    const int64_t reset_ns = 7000000;
    rig *r = rig_sim(1, "reset=7,kernel_ns=%u", 1000000);
    kt_result *result = rig_measure(r, 100, KT_TIMING_BOTH, 1);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->summary.n + rig_discarded(first), 100);
    uint32_t bad = 0;
    for (size_t i = 0; i < first->raw_count; i++) {
        const kt_raw *raw = &first->raw[i];
        bool restarted = raw->host_before_ns / reset_ns != raw->host_after_ns / reset_ns;
        if (raw->state != KT_TIMESTAMP_OK)
            assert_true(restarted);
        bad += raw->state != KT_TIMESTAMP_OK;
    }
    /* 1 ms of every 7, on 100 samples of about 1 ms each: some must have been hit. */
    assert_true(bad >= 5 && bad <= 30);
    assert_int_equal(bad, rig_discarded(first));
    for (size_t i = 0; i < first->summary.n; i++)
        EXPECT_NUMBER(first->samples_ns[i], 1000000);
}

static const kt_measure_options ten = {.size = sizeof(kt_measure_options),
                                       .samples_min = 10,
                                       .samples_max = 10,
                                       .max_time_ns = 1, /* one round of warm-up */
                                       .timeout_ns = 1000000000};

/* Submissions before the one that hangs are all there: as many as were made and verified. */
static void a_hang_keeps_what_was_measured(void **state)
{
    for (unsigned nth = 1; nth <= 20; nth++) {
        rig *r = rig_sim(2, "hang=%u", nth);
        kt_result *result = rig_try(r, &ten, KT_TIMEOUT);
        EXPECT_TEXT_HAS(kt_error_text(), "did not answer within 1 s");
        assert_non_null(result);
        assert_int_equal(rig_submissions(result), nth - 1);
        assert_int_equal(r->verify_count, nth - 1);
        for (uint32_t i = 0; i < kt_result_series_count(result); i++) {
            const kt_series *series = kt_result_series(result, i);
            assert_int_equal(series->status,
                             series->summary.n ? KT_SERIES_PARTIAL : KT_SERIES_FAILED);
            EXPECT_TEXT_HAS(series->error, "did not answer");
            assert_int_equal(series->stop, KT_STOP_NONE);
            for (size_t k = 0; k < series->summary.n; k++)
                assert_true(series->samples_ns[k] < 1e6);
        }
        /* A device that hung is not asked again. */
        result = rig_try(r, &ten, KT_DEVICE_LOST);
        assert_null(result);
    }
}

static void without_a_hang_all_is_measured(void **state)
{
    rig *r = rig_sim(2, "hang=%u", 24); /* 1 first, 2 to warm up, 20 for 10 samples */
    kt_result *result = rig_try(r, &ten, KT_OK);
    assert_int_equal(rig_submissions(result), 23);
}

static void each_wrong_output_is_caught(void **state)
{
    for (unsigned nth = 1; nth <= 23; nth++) {
        rig *r = rig_sim(1, "wrong=%u", nth);
        kt_result *result = rig_try(r, &ten, KT_WRONG_RESULT);
        EXPECT_TEXT_HAS(kt_error_text(), "wrong output");
        EXPECT_TEXT_HAS(kt_error_text(), "output[0]"); /* what the callback said */
        assert_non_null(result);
        assert_int_equal(r->verify_count, nth);
        assert_int_equal(rig_submissions(result), nth - 1);
        for (uint32_t i = 0; i < kt_result_series_count(result); i++) {
            const kt_series *series = kt_result_series(result, i);
            assert_int_equal(series->status, KT_SERIES_FAILED);
            assert_false(series->verified);
            assert_true(series->wrong);
            EXPECT_NUMBER(series->summary.median, NAN);
        }
        /* The device itself is well: the next measurement goes through. */
        result = rig_try(r, &ten, KT_OK);
        assert_true(kt_result_series(result, 0)->verified);
        assert_false(kt_result_series(result, 0)->wrong);
    }
}

/* Makes and measures a job, calls without checks. Answers the first failure. */
static kt_status try_all(const char *device, kt_timing timing, kt_result **result)
{
    rig r = {0};
    kt_status status = kt_context_create(&r.context, NULL);
    if (status == KT_OK)
        status = kt_device_open(r.context, device, &r.device);
    if (status == KT_OK)
        status = kt_memory_create(r.device, KT_MEMORY_HEAP, 64, &r.input);
    if (status == KT_OK)
        status = kt_memory_create(r.device, KT_MEMORY_DEVICE, 64, &r.output);
    const kt_step step = {.kind = KT_STEP_COPY, .src = r.input, .dst = r.output, .copy_bytes = 64};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    if (status == KT_OK)
        status = kt_job_create(r.device, &desc, &r.job);
    kt_measure_options options = ten;
    options.timing = timing;
    if (status == KT_OK) {
        status = kt_measure(r.job, &options, result);
        assert_non_null(*result);
    }
    rig_close(&r);
    return status;
}

/* fail=N names the call; N beyond the last call fails nothing. `stride` from the 60th on. */
static unsigned fail_each_call(kt_timing timing, unsigned stride)
{
    for (unsigned nth = 1;; nth += nth < 60 ? 1 : stride) {
        kt_result *result = NULL;
        char expected[40], device[40];
        snprintf(device, sizeof device, "sim:0:fail=%u", nth);
        kt_status status = try_all(device, timing, &result);
        if (status == KT_OK) {
            kt_result_destroy(&result);
            return nth;
        }
        EXPECT_STATUS(status, KT_DRIVER_ERROR);
        snprintf(expected, sizeof expected, "(fail=%u)", nth);
        EXPECT_TEXT_HAS(kt_error_text(), expected);
        EXPECT_TEXT_HAS(kt_error_text(), "failed");
        if (result) {
            const kt_series *last = kt_result_series(result, kt_result_series_count(result) - 1);
            assert_int_equal(last->status, last->summary.n ? KT_SERIES_PARTIAL : KT_SERIES_FAILED);
            EXPECT_TEXT_HAS(last->error, expected);
            kt_result_destroy(&result);
        }
    }
}

static void every_driver_call_may_fail(void **state)
{
    /* Open, 2 memories, job, then 12 submissions of two calls each. */
    assert_int_equal(fail_each_call(KT_TIMING_WALL, 1), 1 + 2 + 1 + 12 * 2 + 1);
    assert_true(fail_each_call(KT_TIMING_BOTH, 61) > 1000); /* the timer limits's calls, too */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spoilt_timestamps_are_counted),
        cmocka_unit_test(a_sum_needs_all_its_parts),
        cmocka_unit_test(a_device_without_any_timestamp_keeps_wall_times),
        cmocka_unit_test(restarts_of_the_counter_are_noticed),
        cmocka_unit_test(a_hang_keeps_what_was_measured),
        cmocka_unit_test(without_a_hang_all_is_measured),
        cmocka_unit_test(each_wrong_output_is_caught),
        cmocka_unit_test(every_driver_call_may_fail),
    };
    return cmocka_run_group_tests_name("measure_failures", tests, NULL, rig_end);
}
