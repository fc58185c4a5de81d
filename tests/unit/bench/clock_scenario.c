/* SPDX-License-Identifier: MIT */
/* bench/calibrate/clock_scenario.c and clock_baselines.c: whether the yardstick is as long as it says. */
#include "bench/calibrate/clock_scenario.h"
#include "bench/calibrate/clock_baselines.h"
#include "tests/unit/testing.h"

#define SHORT .bits = 64, .pairs_hz = 60

static const clock_scenario plain = {
    .period_ns = 41.667, .drift_ppm = 100, .width_ns = 2e3, .seconds = 20, SHORT};

/* Of a rate that stays, the counter is a straight line: each timestamp, of a pair or asked for, is at
 * most a tick below it. */
static void test_steady_is_straight(void **state)
{
    const double period_ns = 41.667 * 1.0001;
    clock_run run = clock_run_begin(&plain, 7);
    clock_taken taken;
    clock_instant first = {0};
    double least = 0, most = 0;
    for (int i = 0; clock_run_pair(&run, &taken); i++) {
        clock_instant instant = clock_run_ask(&run, 0, 1);
        if (i == 0)
            first = instant;
        double ns =
            (double)(instant.host_ns - first.host_ns) + instant.fraction_ns - first.fraction_ns;
        double ahead = (double)(instant.unwrapped - first.unwrapped) - ns / period_ns;
        least = fmin(least, ahead);
        most = fmax(most, ahead);
        /* The pair's timestamp lies within its bracket, which the asked one comes after. */
        double back_ns = (double)(instant.unwrapped - taken.unwrapped) * period_ns;
        double at_ns = (double)(instant.host_ns - taken.pair.host_before_ns) - back_ns;
        double width_ns = (double)(taken.pair.host_after_ns - taken.pair.host_before_ns);
        assert_true(at_ns > -period_ns - 1 && at_ns < width_ns + period_ns + 1);
        assert_true(instant.host_ns >= taken.pair.host_after_ns);
    }
    assert_true(most - least < 1.001);
    assert_true(most - least > 0.9);
}

static void test_same_seed_same_pairs(void **state)
{
    clock_run one = clock_run_begin(&plain, 3), two = clock_run_begin(&plain, 3);
    clock_run other = clock_run_begin(&plain, 4);
    clock_taken a, b, c;
    kt_clock_pair again;
    while (clock_run_pair(&one, &a)) {
        assert_true(clock_run_pair(&two, &b));
        assert_memory_equal(&a.pair, &b.pair, sizeof a.pair);
        /* What is asked, or taken again, changes nothing. */
        clock_run_ask(&two, 0, 1);
        if (clock_run_again(&two, &again)) {
            assert_true(again.host_before_ns == b.pair.host_after_ns);
            assert_true(again.ticks >= b.pair.ticks && again.host_after_ns > b.pair.host_after_ns);
        }
    }
    assert_false(clock_run_pair(&two, &b));
    clock_run_pair(&other, &c);
    assert_true(c.pair.host_before_ns != a.pair.host_before_ns);
}

/* R (1 + 0.2 Exp(1)), 2 % of them longer by R to 5 ms; read anywhere. 12,000 pairs: 3.5
 * deviations. */
static void test_brackets(void **state)
{
    clock_scenario of = {.period_ns = 1, .width_ns = 2e3, .seconds = 200, SHORT};
    clock_run run = clock_run_begin(&of, 1);
    clock_taken taken;
    double pairs = 0, outliers = 0, widths = 0, shares = 0, widest = 0;
    for (; clock_run_pair(&run, &taken); pairs++) {
        clock_instant instant = clock_run_ask(&run, 0, 1);
        double width_ns = (double)(taken.pair.host_after_ns - taken.pair.host_before_ns);
        double at_ns = (double)(instant.host_ns - taken.pair.host_before_ns) -
                       (double)(instant.unwrapped - taken.unwrapped);
        assert_true(width_ns >= 2e3 - 1 && width_ns < 5.01e6);
        if (width_ns > 4.5e3)
            outliers++;
        else
            widths += width_ns;
        shares += at_ns / width_ns;
        widest = fmax(widest, width_ns);
    }
    EXPECT_NEAR(pairs, 12000, 20);
    EXPECT_NEAR(outliers / pairs, 0.02, 0.0045);
    EXPECT_NEAR(widths / (pairs - outliers), 2400, 15);
    EXPECT_NEAR(shares / pairs, 0.5, 0.01);
    assert_true(widest > 1e6);
}

static void test_always_at_one_place(void **state)
{
    clock_scenario of = {.period_ns = 1, .width_ns = 2e4, .read_at = 0.15, .seconds = 10, SHORT};
    clock_run run = clock_run_begin(&of, 1);
    for (clock_taken taken; clock_run_pair(&run, &taken);) {
        clock_instant instant = clock_run_ask(&run, 0, 1);
        double width_ns = (double)(taken.pair.host_after_ns - taken.pair.host_before_ns);
        double at_ns = (double)(instant.host_ns - taken.pair.host_before_ns) -
                       (double)(instant.unwrapped - taken.unwrapped);
        EXPECT_NEAR(at_ns, 0.15 * width_ns, 2);
    }
}

/* By how much a tick is longer than told, from one second to another. */
static double ppm_between(const clock_scenario *of, uint64_t seed, double from_s, double to_s)
{
    clock_run run = clock_run_begin(of, seed);
    clock_instant first = {0}, last = {0};
    for (clock_taken taken; clock_run_pair(&run, &taken);) {
        clock_instant instant = clock_run_ask(&run, 0, 1);
        if (instant.seconds <= from_s)
            first = instant;
        if (instant.seconds <= to_s)
            last = instant;
    }
    return ((double)(last.host_ns - first.host_ns) /
                ((double)(last.unwrapped - first.unwrapped) * of->period_ns) -
            1) *
           1e6;
}

static void test_ramps(void **state)
{
    clock_scenario of = {
        .period_ns = 1, .drift_ppm = 30, .ramp_ppm = 5, .width_ns = 200, .seconds = 300, SHORT};
    EXPECT_NEAR(ppm_between(&of, 1, 1, 59), 30, 0.001);
    EXPECT_NEAR(ppm_between(&of, 1, 60, 90), 32.5, 0.01);
    EXPECT_NEAR(ppm_between(&of, 1, 91, 179), 35, 0.001);
    EXPECT_NEAR(ppm_between(&of, 1, 180, 210), 32.5, 0.01);
    EXPECT_NEAR(ppm_between(&of, 1, 211, 299), 30, 0.001);
}

/* Of 200 runs the rate deviates by 1 ppm at any time, also with few pairs a second; and that of 60
 * s later resembles it by 1/e. */
static void test_wandering(void **state)
{
    static const double hz[] = {60, 4};
    for (int k = 0; k < 2; k++) {
        clock_scenario of = {.period_ns = 1,
                             .wander_ppm = 1,
                             .width_ns = 200,
                             .bits = 64,
                             .pairs_hz = hz[k],
                             .seconds = 62};
        double first = 0, last = 0, both = 0;
        for (uint64_t seed = 0; seed < 200; seed++) {
            double a = ppm_between(&of, seed, 0.5, 1.5), b = ppm_between(&of, seed, 60.5, 61.5);
            first += a * a / 200;
            last += b * b / 200;
            both += a * b / 200;
        }
        EXPECT_NEAR(first, 1, 0.35);
        EXPECT_NEAR(last, 1, 0.35);
        EXPECT_NEAR(both, 0.368, 0.26);
    }
}

static void test_resets_gaps_and_widths(void **state)
{
    clock_scenario of = {.period_ns = 1,
                         .width_ns = 200,
                         .pairs_hz = 60,
                         .bits = 32,
                         .reset_s = 10,
                         .gap_s = 3,
                         .seconds = 40};
    clock_run run = clock_run_begin(&of, 5);
    int resets = 0, gaps = 0, wraps = 0;
    uint64_t before = 0;
    double before_s = 0;
    for (clock_taken taken; clock_run_pair(&run, &taken);) {
        assert_true(taken.pair.ticks < UINT64_C(1) << 32);
        assert_true(taken.pair.ticks == (taken.unwrapped & 0xffffffffu));
        resets += taken.reset;
        gaps += taken.seconds - before_s > 2.9;
        wraps += taken.pair.ticks < before && !taken.reset;
        if (taken.reset) {
            EXPECT_NEAR(taken.seconds, 10, 0.02);
            assert_true(taken.unwrapped < 2000000);
        }
        before = taken.pair.ticks;
        before_s = taken.seconds;
    }
    assert_int_equal(resets, 1);
    assert_int_equal(gaps, 1);
    /* 2^32 ns are 4.29 s: 2 or 3 in the first 10 s; 6 in the 30 s after the reset. */
    assert_in_range(wraps, 8, 9);
}

static void add(clock_baseline *b, int64_t before_ns, uint64_t ticks, int64_t after_ns)
{
    const clock_taken taken = {.pair = {before_ns, ticks, after_ns}, .unwrapped = ticks};
    clock_baseline_add(b, &taken);
}

static void test_two_sample(void **state)
{
    static clock_baseline b;
    clock_baseline_init(&b, CLOCK_TWO_SAMPLE, 10);
    add(&b, 1000, 100, 1100); /* 1050; 10 ns a tick as told */
    assert_int_equal(clock_baseline_place(&b, 103), 1080);
    assert_int_equal(clock_baseline_place(&b, 99), 1040);
    add(&b, 3000, 200, 3101); /* 3050.5: 20.005 ns a tick */
    assert_int_equal(clock_baseline_place(&b, 300), 5051);
    add(&b, 4000, 300, 4101); /* 4050.5: 10 */
    assert_int_equal(clock_baseline_place(&b, 301), 4061);
    const clock_taken anew = {.pair = {5000, 7, 5000}, .unwrapped = 7, .reset = true};
    clock_baseline_add(&b, &anew);
    assert_int_equal(clock_baseline_place(&b, 8), 5010);
}

static void test_filter(void **state)
{
    static clock_baseline b;
    clock_baseline_init(&b, CLOCK_FILTER, 10);
    add(&b, 0, 0, 0);
    add(&b, 2000, 100, 2000); /* 20, by half: 15 */
    assert_int_equal(clock_baseline_place(&b, 200), 3500);
    add(&b, 4500, 200, 4500); /* 25, by 0.45: 19.5 */
    assert_int_equal(clock_baseline_place(&b, 300), 6450);
    for (int i = 0; i < 200; i++)
        add(&b, 4500 + 1950 * (i + 1), 200 + 100 * ((uint64_t)i + 1), 4500 + 1950 * (i + 1));
    add(&b, 4500 + 1950 * 201 + 100000, 200 + 100 * 201, 4500 + 1950 * 201 + 100000);
    /* It has stopped. */
    assert_int_equal(clock_baseline_place(&b, 200 + 100 * 202), 4500 + 1950 * 202 + 100000);
}

static void test_narrow(void **state)
{
    static clock_baseline b;
    const int64_t s = 1000000000;
    clock_baseline_init(&b, CLOCK_NARROW, 9);
    add(&b, 0, 0, 3000000); /* wide, but there is no other: 1500000 */
    assert_int_equal(clock_baseline_place(&b, 10), 1500090);
    /* The first one is not narrow any more, and a ratio needs another. */
    add(&b, s - 500, 100000000, s + 500);
    assert_int_equal(clock_baseline_place(&b, 100000010), s + 90);
    add(&b, 2 * s - 500, 200000000, 2 * s + 801); /* 1.301 times the narrowest */
    assert_int_equal(clock_baseline_place(&b, 100000010), s + 90);
    add(&b, 3 * s - 640, 300000000, 3 * s + 660); /* 1.3: 3 s + 10, 10 ns a tick */
    assert_int_equal(clock_baseline_place(&b, 400000000), 4 * s + 15);
    /* Twelve seconds later the ratio is one over ten: from 3 s + 10 on, to 13 s + 10. */
    add(&b, 13 * s - 490, 1200000000, 13 * s + 510);
    EXPECT_NEAR(b.period_ns, 10e9 / 900e6, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady_is_straight),
        cmocka_unit_test(test_same_seed_same_pairs),
        cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_always_at_one_place),
        cmocka_unit_test(test_ramps),
        cmocka_unit_test(test_wandering),
        cmocka_unit_test(test_resets_gaps_and_widths),
        cmocka_unit_test(test_two_sample),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
