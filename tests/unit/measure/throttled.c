/* SPDX-License-Identifier: MIT */
/*
 * Samples of a throttled device: the rule, state by state; then a simulated device that heats up and
 * then runs at half its clock, beside one that stays cool.
 */
#include "measure/rules.h"
#include "tests/unit/rig.h"

#define THERMAL KT_THROTTLE_THERMAL
#define CAP     KT_THROTTLE_POWER_CAP

static void the_best_state_is_the_reference(void **state)
{
    kt_throttling rule = {0};
    assert_int_equal(kt_throttling_judge(&rule, 0, 1000), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, 0, 901), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, 0, 899), KT_WINDOW_LEAVE_OUT);
    assert_int_equal(kt_throttling_judge(&rule, THERMAL, 1000), KT_WINDOW_LEAVE_OUT);
    /* Idle clocks and settings are no throttling. */
    assert_int_equal(kt_throttling_judge(&rule, KT_THROTTLE_IDLE | KT_THROTTLE_SETTING, 1000),
                     KT_WINDOW_KEEP);
    /* All kept clocks are within 10 % of each other: 990 is near 1000 and 901, 1050 is not. */
    assert_int_equal(kt_throttling_judge(&rule, 0, 990), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, 0, 1050), KT_WINDOW_BETTER);
    assert_int_equal(kt_throttling_judge(&rule, 0, 940), KT_WINDOW_LEAVE_OUT);
    assert_int_equal(kt_throttling_judge(&rule, 0, 1200), KT_WINDOW_BETTER);
    assert_int_equal(kt_throttling_judge(&rule, 0, 1050), KT_WINDOW_LEAVE_OUT);
}

static void throttling_that_lasts_is_how_the_device_runs(void **state)
{
    kt_throttling rule = {0};
    assert_int_equal(kt_throttling_judge(&rule, CAP, 1000), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, CAP, 1000), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, CAP | THERMAL, 1000), KT_WINDOW_LEAVE_OUT);
    assert_int_equal(kt_throttling_judge(&rule, THERMAL, 1000), KT_WINDOW_LEAVE_OUT);
    /* Fewer reasons are better, even at a lower clock: a limit that was lifted. */
    assert_int_equal(kt_throttling_judge(&rule, 0, 800), KT_WINDOW_BETTER);
    assert_int_equal(kt_throttling_judge(&rule, CAP, 1000), KT_WINDOW_LEAVE_OUT);
}

static void an_unknown_clock_decides_nothing(void **state)
{
    kt_throttling rule = {0};
    assert_int_equal(kt_throttling_judge(&rule, 0, NAN), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, 0, 500), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, 0, NAN), KT_WINDOW_KEEP);
    assert_int_equal(kt_throttling_judge(&rule, 0, 400), KT_WINDOW_LEAVE_OUT);
    assert_int_equal(kt_throttling_judge(&rule, THERMAL, NAN), KT_WINDOW_LEAVE_OUT);
}

static const kt_measure_options usual = {
    .size = sizeof usual, .samples_min = 400, .samples_max = 400, .keep_raw = 1};

/* 400 samples of two kernels of 100 us take 80 ms; a hot device is slow in 30 of each 100 ms. */
static void a_device_that_heats_up_has_the_time_of_one_that_does_not(void **state)
{
    rig *r = rig_sim(1, "clock_mhz=1500,throttled=0.3");
    kt_result *result = rig_try(r, &usual, KT_OK);
    const kt_series *first = rig_series(result, "first");
    rig_expect_all(first, 400, 100000);
    assert_int_equal(first->status, KT_SERIES_OK);
    uint32_t left_out = first->discarded[KT_TIMESTAMP_THROTTLED];
    assert_true(left_out > 0);
    assert_int_equal(rig_discarded(first), left_out);
    assert_int_equal(rig_series(result, "wall")->discarded[KT_TIMESTAMP_THROTTLED], left_out);
    assert_int_equal(first->state.left_out, KT_THROTTLE_THERMAL);
    assert_int_equal(first->state.throttle, 0);
    assert_int_equal(first->state.kept_throttled, 0);
    assert_true(first->state.waited_s > 0);
    EXPECT_NUMBER(first->state.core_clock_low_mhz, 1500);
    EXPECT_NUMBER(first->state.core_clock_mhz, 1500);
    uint32_t marked = 0;
    for (size_t i = 0; i < first->raw_count; i++)
        marked += first->raw[i].state == KT_TIMESTAMP_THROTTLED;
    assert_int_equal(first->raw_count, 400 + left_out);
    assert_int_equal(marked, left_out);
}

/* The same of several steps: what is left out is left out of each row. */
static void all_rows_leave_out_the_same(void **state)
{
    rig *r = rig_sim(2, "clock_mhz=1500,throttled=0.3");
    kt_result *result = rig_try(r, &usual, KT_OK);
    rig_expect_all(rig_series(result, "second"), 400, 100000);
    rig_expect_all(rig_series(result, "total"), 400, 200000);
    assert_int_equal(rig_series(result, "span")->discarded[KT_TIMESTAMP_THROTTLED],
                     rig_series(result, "first")->discarded[KT_TIMESTAMP_THROTTLED]);
}

static void a_device_that_is_always_hot_is_measured_hot(void **state)
{
    rig *r = rig_sim(1, "clock_mhz=1500,throttled=1");
    const kt_series *first = rig_series(rig_try(r, &usual, KT_OK), "first");
    rig_expect_all(first, 400, 200000);
    assert_int_equal(rig_discarded(first), 0);
    assert_int_equal(first->state.throttle, KT_THROTTLE_THERMAL);
    EXPECT_NUMBER(first->state.core_clock_mhz, 750);
}

/* Patience is the sampling time. Whoever never recovers for long enough has the rest of its samples
 * kept, and told. */
static void patience_has_an_end(void **state)
{
    rig *r = rig_sim(1, "clock_mhz=1500,throttled=0.97");
    kt_measure_options short_time = usual;
    short_time.max_time_ns = 200000000;
    const kt_series *first = rig_series(rig_try(r, &short_time, KT_OK), "first");
    assert_true(first->state.waited_s <= 0.2 + 1e-9);
    assert_true(first->summary.n > 0);
    assert_true(first->discarded[KT_TIMESTAMP_THROTTLED] == 0 || first->state.kept_throttled > 0);
}

static void a_device_without_a_state_tells_none(void **state)
{
    rig *r = rig_sim(1, "kernel_ns=100000");
    const kt_series *first = rig_series(rig_measure(r, 12, KT_TIMING_BOTH, 1), "first");
    assert_int_equal(first->state.readings, 0);
    kt_device_state read;
    assert_int_equal(kt_device_get_state(r->device, &read), KT_OK);
    assert_string_equal(read.source, "");
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        assert_int_equal(read.reading[i], KT_READING_UNSUPPORTED);
        assert_true(isnan(read.value[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_state_is_the_reference),
        cmocka_unit_test(throttling_that_lasts_is_how_the_device_runs),
        cmocka_unit_test(an_unknown_clock_decides_nothing),
        cmocka_unit_test(a_device_that_heats_up_has_the_time_of_one_that_does_not),
        cmocka_unit_test(all_rows_leave_out_the_same),
        cmocka_unit_test(a_device_that_is_always_hot_is_measured_hot),
        cmocka_unit_test(patience_has_an_end),
        cmocka_unit_test(a_device_without_a_state_tells_none),
    };
    return cmocka_run_group_tests(tests, NULL, rig_end);
}
