/* SPDX-License-Identifier: MIT */
/* The step of a clock by its first readings: what divides them all, and what a driver told of it. */
#include "clock/device/first_readings.h"
#include "tests/unit/testing.h"

#include <math.h>

/* `count` readings of a clock that moves by `step`, some 50 us apart; its timestamps are rounded to
 * multiples of `rounding`. */
static kt_first_readings readings(uint32_t count, double step, double rounding, uint64_t seed)
{
    kt_first_readings first = {0};
    double at = 5e12;
    for (uint32_t i = 0; i < count; i++) {
        kt_pairs_reading reading = {.usable = true};
        double timestamps[2];
        for (int k = 0; k < 2; k++) {
            at += k ? 700 + 500 * random_share(&seed) : 40000 + 20000 * random_share(&seed);
            timestamps[k] = rounding * round(step * floor(at / step) / rounding);
        }
        reading.pair.ticks = (uint64_t)timestamps[0];
        reading.last_ticks = (uint64_t)timestamps[1];
        kt_first_readings_add(&first, 64, &reading);
    }
    return first;
}

static void expect_step(double step, double rounding, uint64_t reported, uint64_t expected)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        kt_first_readings first = readings(KT_FIRST_READINGS_MAX, step, rounding, seed);
        assert_int_equal(kt_first_readings_step(&first, 64, reported), expected);
    }
}

/* Oclgrind's, in a double of ns since 1970: whole us, shown as multiples of 256 ns. */
static void what_is_reported_is_believed_through_its_rounding(void **state)
{
    expect_step(1000, 256, 1000, 1000 + 256);
    expect_step(1000, 256, 0, 256);
    expect_step(1000, 256, 1, 256);
}

/* NVIDIA's OpenCL tells 1000 ns, and moves by 32. */
static void what_timestamps_do_not_fit_is_not_believed(void **state)
{
    expect_step(32, 32, 1000, 32);
    expect_step(256, 256, 1000, 256);
    expect_step(1024, 1024, 1000, 1024);
    expect_step(1, 1, 1000, 1);
}

/* Intel's tells the whole ns of it. */
static void what_is_reported_too_coarsely_is_not_believed(void **state)
{
    expect_step(250.0 / 3, 256, 83, 256); /* in a double, too */
    kt_first_readings first = readings(KT_FIRST_READINGS_MAX, 1000, 256, 7);
    assert_int_equal(kt_first_readings_step(&first, 64, 998), 256);
}

static void few_readings_show_nothing(void **state)
{
    kt_first_readings none = {0}, few = readings(3, 1000, 256, 5);
    assert_int_equal(kt_first_readings_step(&none, 64, 1000), 1);
    assert_int_equal(kt_first_readings_step(&few, 64, 1000), 1);
}

/* Readings some 50 us apart by a host clock that shows multiples of `step_ns`. */
static uint64_t host_step(uint64_t step_ns)
{
    kt_first_readings first = readings(KT_FIRST_READINGS_MAX, 1, 1, 3);
    for (uint32_t i = 0; i < first.count; i++) {
        int64_t ns = (int64_t)(first.pairs[i].ticks / step_ns * step_ns);
        first.pairs[i].host_before_ns = first.pairs[i].host_after_ns = ns;
    }
    return kt_first_readings_host_step(&first);
}

static void a_coarse_host_clock_is_known(void **state)
{
    assert_int_equal(host_step(1), 0);
    assert_int_equal(host_step(100), 0);
    assert_int_equal(host_step(5000), 5000);
    assert_int_equal(host_step(100000), 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_reported_is_believed_through_its_rounding),
        cmocka_unit_test(what_timestamps_do_not_fit_is_not_believed),
        cmocka_unit_test(what_is_reported_too_coarsely_is_not_believed),
        cmocka_unit_test(few_readings_show_nothing),
        cmocka_unit_test(a_coarse_host_clock_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
