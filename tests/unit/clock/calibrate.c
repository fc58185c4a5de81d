/* SPDX-License-Identifier: MIT */
/* Which pairs tell something and what: turns of a counter, resets, what is unknown, and what is
 * nonsense. */
#include "clock/calibrate.h"
#include "tests/unit/testing.h"

#include <stdlib.h>

#define SECOND INT64_C(1000000000)

static kt_calibration calibration(double period_ns, uint32_t bits)
{
    kt_calibration c;
    kt_calibration_init(&c, &(kt_calibration_rule){period_ns, bits, 1, 0});
    return c;
}

static kt_pair_outcome add(kt_calibration *c, int64_t before, uint64_t ticks, int64_t after)
{
    return kt_calibration_add(c, &(kt_clock_pair){before, ticks, after});
}

static uint64_t masked(uint64_t ticks, uint32_t bits)
{
    return bits >= 64 ? ticks : ticks & ((UINT64_C(1) << bits) - 1);
}

static kt_clock_state state_of(const kt_calibration *c)
{
    kt_clock_state state;
    kt_calibration_get_state(c, &state);
    return state;
}

static int64_t place(const kt_calibration *c, uint64_t ticks)
{
    int64_t host_ns = 0;
    double uncertainty_ns = NAN;
    assert_true(kt_calibration_place(c, ticks, &host_ns, &uncertainty_ns));
    assert_true(uncertainty_ns >= 0);
    return host_ns;
}

static double uncertainty(const kt_calibration *c, uint64_t ticks)
{
    int64_t host_ns;
    double uncertainty_ns = NAN;
    assert_true(kt_calibration_place(c, ticks, &host_ns, &uncertainty_ns));
    return uncertainty_ns;
}

/* A clock of 1 ns a tick that shows 0 at 0, read in the middle of 2 us every 10 ms. */
static void add_even(kt_calibration *c, int64_t from_ns, int pairs, uint64_t ticks_at_0,
                     uint32_t bits)
{
    for (int i = 0; i < pairs; i++) {
        int64_t at_ns = from_ns + i * INT64_C(10000019);
        add(c, at_ns - 1000, masked(ticks_at_0 + (uint64_t)at_ns, bits), at_ns + 1000);
    }
}

static void one_pair_is_its_middle(void **state)
{
    kt_calibration c = calibration(2, 64);
    int64_t host_ns;
    double uncertainty_ns;
    assert_false(kt_calibration_place(&c, 0, &host_ns, &uncertainty_ns));
    EXPECT_NUMBER(state_of(&c).uncertainty_ns, NAN);
    assert_int_equal(add(&c, 1000, 500, 1400), KT_PAIR_TAKEN);
    assert_int_equal(place(&c, 500), 1200);
    assert_int_equal(place(&c, 600), 1400);
    assert_int_equal(place(&c, 400), 1000);
    /* Half of the bracket, half a tick each for the pair and for the timestamp, and what ns are rounded
     * by. */
    assert_true(uncertainty(&c, 500) >= 200);
    assert_true(uncertainty(&c, 500) <= 200 + 1 + 1 + 1);
    assert_true(uncertainty(&c, 600) > 200 + 1);
    kt_clock_state s = state_of(&c);
    assert_int_equal(s.pairs, 1);
    assert_int_equal(s.ticks, 500);
    assert_int_equal(s.host_ns, 1200);
    EXPECT_NUMBER(s.uncertainty_ns, uncertainty(&c, 500));
    EXPECT_NUMBER(s.narrowest_ns, 400);
    EXPECT_NUMBER(s.period_ns, 2);
    assert_int_equal(s.valid_bits, 64);
}

/* Host minus ticks is in 0..1000 by one pair, in 900..1900 by the other, so in 900..1000. */
static void two_brackets_leave_what_both_allow(void **state)
{
    kt_calibration c = calibration(1, 64);
    add(&c, 0, 0, 1000);
    assert_int_equal(add(&c, 10900, 10000, 11900), KT_PAIR_TAKEN);
    int64_t host_ns = place(&c, 10000);
    double uncertainty_ns = uncertainty(&c, 10000);
    assert_in_range(host_ns, 10850, 11050);
    assert_true((double)host_ns - uncertainty_ns <= 10900);
    assert_true((double)host_ns + uncertainty_ns >= 11000);
    assert_true(uncertainty_ns <= 500);
}

static void wide_pairs_tell_little(void **state)
{
    kt_calibration c = calibration(1, 64);
    add_even(&c, 0, 1000, 0, 64);
    int64_t at_ns = 10 * SECOND + SECOND / 2, before = place(&c, (uint64_t)at_ns);
    /* Read near its end, as if the host had been preempted before. */
    assert_int_equal(add(&c, at_ns - 5000000, (uint64_t)at_ns, at_ns + 3000), KT_PAIR_TAKEN);
    assert_in_range(place(&c, (uint64_t)at_ns), before - 2, before + 2);
    EXPECT_NUMBER(state_of(&c).narrowest_ns, 2000);
}

static void pairs_that_tell_nothing_are_left_out(void **state)
{
    kt_calibration c = calibration(1, 64);
    assert_int_equal(add(&c, 2000, 0, 1999), KT_PAIR_AGAIN);
    assert_int_equal(add(&c, 0, 100000, 2000), KT_PAIR_TAKEN);
    int64_t host_ns = place(&c, 100000);
    assert_int_equal(add(&c, 0, 100001, 2001), KT_PAIR_AGAIN);        /* the host stood still */
    assert_int_equal(add(&c, -1, 100001, 2001), KT_PAIR_AGAIN);       /* or went back */
    assert_int_equal(add(&c, 50000, 100000, 52000), KT_PAIR_AGAIN);   /* the counter stood still */
    assert_int_equal(add(&c, 60000, 90000, 62000), KT_PAIR_AGAIN);    /* or went back */
    assert_int_equal(add(&c, 100000, 260000, 102000), KT_PAIR_AGAIN); /* or ran ahead */
    assert_int_equal(place(&c, 100000), host_ns);
    kt_clock_state s = state_of(&c);
    assert_int_equal(s.retaken, 6);
    assert_int_equal(s.pairs, 1);
    assert_int_equal(s.resets, 0);
    assert_int_equal(add(&c, 200000, 300000, 202000), KT_PAIR_TAKEN);
}

/* Two timestamps within one tick of a coarse counter are the same one, and that is no wonder. */
static void a_coarse_counter_may_repeat_itself(void **state)
{
    kt_calibration c = calibration(1e6, 64);
    assert_int_equal(add(&c, 0, 7, 2000), KT_PAIR_TAKEN);
    assert_int_equal(add(&c, 300000, 7, 302000), KT_PAIR_TAKEN);
    assert_int_equal(add(&c, 9 * SECOND, 7, 9 * SECOND + 2000), KT_PAIR_AGAIN);
}

static void counters_of_any_width_turn_over(void **state)
{
    for (uint32_t bits = 8; bits <= 64; bits++) {
        /* Of few bits: slow enough that a turn is far longer than a pair. */
        double period_ns = bits < 24 ? 1e4 : 1;
        uint64_t turn_fifth = (UINT64_C(1) << (bits - 1)) / 5 * 2;
        double most = 1e7 / period_ns;
        uint64_t interval = (double)turn_fifth < most ? turn_fifth : (uint64_t)most;
        uint64_t start = masked(0 - 3 * interval / 2, bits);
        kt_calibration c = calibration(period_ns, bits);
        int64_t at_ns = 0;
        uint64_t ticks = 0, turns = 0;
        for (int i = 0; i < 20; i++) {
            uint64_t before = ticks;
            ticks = masked(start + (uint64_t)i * interval, bits);
            turns += i > 0 && ticks < before;
            at_ns = (int64_t)((double)((uint64_t)i * interval) * period_ns);
            assert_int_equal(add(&c, at_ns, ticks, at_ns + 2000), KT_PAIR_TAKEN);
        }
        kt_clock_state s = state_of(&c);
        assert_true(turns >= 1);
        assert_int_equal(s.wraps, turns);
        assert_int_equal(s.retaken + s.resets, 0);
        int64_t tolerance = 2000 + (int64_t)period_ns;
        int64_t aside = (int64_t)((double)interval * period_ns);
        assert_in_range(llabs(place(&c, ticks) - at_ns), 0, tolerance);
        assert_in_range(llabs(place(&c, masked(ticks + interval, bits)) - at_ns - aside), 0,
                        tolerance);
        assert_in_range(llabs(place(&c, masked(ticks - interval, bits)) - at_ns + aside), 0,
                        tolerance);
    }
}

/* Nothing depends on what a counter shows, or the host's clock: only on how far they went on. */
static void zeros_do_not_matter(void **state)
{
    uint64_t random = 11;
    for (int round = 0; round < 40; round++) {
        uint32_t bits = 32 + (uint32_t)(random_bits(&random) % 33);
        uint64_t ticks_shift = random_bits(&random);
        int64_t host_shift = (int64_t)(random_bits(&random) >> 2);
        double period_ns = 1 + 90 * random_share(&random);
        kt_calibration a = calibration(period_ns, bits), b = a;
        uint64_t ticks = 0;
        int64_t at_ns = 0;
        for (int i = 0; i < 100; i++) {
            int64_t step_ns = 1000000 + (int64_t)(random_bits(&random) % 20000000);
            int64_t before = (int64_t)(3000 * random_share(&random));
            int64_t after = (int64_t)(3000 * random_share(&random));
            at_ns += step_ns;
            ticks = (uint64_t)((double)at_ns / (period_ns * 1.00003));
            kt_pair_outcome outcome = add(&a, at_ns - before, masked(ticks, bits), at_ns + after);
            assert_int_equal(add(&b, host_shift + at_ns - before, masked(ticks + ticks_shift, bits),
                                 host_shift + at_ns + after),
                             outcome);
        }
        for (int i = 0; i < 20; i++) {
            uint64_t asked = ticks + (random_bits(&random) >> 40) - (UINT64_C(1) << 23);
            assert_int_equal(place(&b, masked(asked + ticks_shift, bits)),
                             place(&a, masked(asked, bits)) + host_shift);
            EXPECT_NUMBER(uncertainty(&b, masked(asked + ticks_shift, bits)),
                          uncertainty(&a, masked(asked, bits)));
        }
        EXPECT_NUMBER(state_of(&b).period_ns, state_of(&a).period_ns);
    }
}

/* ---- what breaks off ---- */

static void one_wrong_answer_is_no_reset(void **state)
{
    kt_calibration c = calibration(1, 64);
    add_even(&c, SECOND, 100, 0, 64);
    assert_int_equal(add(&c, 3 * SECOND - 1000, 0, 3 * SECOND + 1000), KT_PAIR_AGAIN);
    int64_t at_ns = 3 * SECOND + 10000000;
    assert_int_equal(add(&c, at_ns - 1000, (uint64_t)at_ns, at_ns + 1000), KT_PAIR_TAKEN);
    assert_int_equal(state_of(&c).resets, 0);
    assert_int_equal(state_of(&c).retaken, 1);
    assert_in_range(place(&c, (uint64_t)at_ns), at_ns - 1000, at_ns + 1000);
}

static void a_counter_begins_anew(void **state)
{
    static const uint32_t widths[] = {32, 36, 64};
    for (size_t i = 0; i < 3; i++) {
        uint32_t bits = widths[i];
        kt_calibration c = calibration(1, bits);
        add_even(&c, SECOND, 100, 500, bits);
        /* At 3 s it is at 0 again. */
        int64_t first = 3 * SECOND + 5000000, second = first + 10000000, third = second + 10000000;
        uint64_t zero = (uint64_t)(3 * SECOND);
        assert_int_equal(add(&c, first - 1000, (uint64_t)first - zero, first + 1000),
                         KT_PAIR_AGAIN);
        assert_int_equal(add(&c, second - 1000, (uint64_t)second - zero, second + 1000),
                         KT_PAIR_RESET);
        assert_int_equal(state_of(&c).resets, 1);
        for (int step = 0; step < 2; step++) {
            assert_in_range(place(&c, (uint64_t)third - zero), third - 2000, third + 2000);
            assert_in_range(place(&c, (uint64_t)(2 * SECOND) + 500), 2 * SECOND - 1000,
                            2 * SECOND + 1000); /* a timestamp from before it */
            assert_int_equal(add(&c, third + 1000, (uint64_t)third + 2000 - zero, third + 3000),
                             step == 0 ? KT_PAIR_TAKEN : KT_PAIR_AGAIN);
        }
        assert_int_equal(state_of(&c).resets, 1);
        assert_int_equal(state_of(&c).pairs,
                         103); /* the first one of the new count is one of them */
    }
}

/* Before the second pair of the new count, too: the timestamp is where it is nearest to now. */
static void one_pair_of_a_new_count_places(void **state)
{
    kt_calibration c = calibration(1, 64);
    add_even(&c, SECOND, 100, 500, 64);
    int64_t first = 3 * SECOND + 5000000, asked = first + 4000000;
    uint64_t zero = (uint64_t)(3 * SECOND);
    assert_int_equal(add(&c, first - 1000, (uint64_t)first - zero, first + 1000), KT_PAIR_AGAIN);
    assert_in_range(place(&c, (uint64_t)asked - zero), asked - 1000, asked + 1000);
    assert_true(uncertainty(&c, (uint64_t)asked - zero) >= 1000);
    assert_true(uncertainty(&c, (uint64_t)asked - zero) <= 2000);
    /* one from before the reset */
    assert_in_range(place(&c, (uint64_t)(2 * SECOND) + 500), 2 * SECOND - 1000, 2 * SECOND + 1000);
}

/* By 50 us, 10 ms after the newest pair: it may be a jump of the clock, or one wrong answer. */
static void a_small_mismatch_may_be_either(void **state)
{
    kt_calibration c = calibration(1, 64);
    add_even(&c, SECOND, 100, 0, 64);
    int64_t at_ns = SECOND + 100 * INT64_C(10000019), asked = at_ns + 1000000;
    uint64_t ahead = 50000;
    assert_int_equal(add(&c, at_ns - 1000, (uint64_t)at_ns + ahead, at_ns + 1000), KT_PAIR_AGAIN);
    int64_t host_ns = place(&c, (uint64_t)asked);
    double uncertainty_ns = uncertainty(&c, (uint64_t)asked);
    EXPECT_NEAR((double)(host_ns - asked), 0, uncertainty_ns);
    EXPECT_NEAR((double)(host_ns - asked + (int64_t)ahead), 0, uncertainty_ns);
    assert_true(uncertainty_ns <= 60000);
}

/* As of a driver that lets its device sleep: the rate is known no worse than before the first pair,
 * when it was within 100 ppm. */
static void a_counter_may_begin_anew_for_ever(void **state)
{
    kt_calibration c = calibration(1, 64);
    add_even(&c, SECOND, 100, 0, 64);
    for (int i = 1; i <= 2000; i++) {
        int64_t begin_ns = (2 + i) * SECOND;
        assert_int_equal(add(&c, begin_ns, 1000, begin_ns + 2000), KT_PAIR_AGAIN);
        assert_int_equal(add(&c, begin_ns + 10000, 11000, begin_ns + 12000), KT_PAIR_RESET);
        kt_clock_state s = state_of(&c);
        assert_int_equal(s.resets, i);
        assert_true(s.period_uncertainty_ns <= 2.6 * 100e-6 * 1.001);
        EXPECT_NEAR(s.period_ns, 1, s.period_uncertainty_ns);
        assert_in_range(place(&c, 11000), begin_ns + 10000, begin_ns + 12000);
    }
}

/* A host that was suspended: one clock went on, the other did not. */
static void a_clock_jumps(void **state)
{
    kt_calibration c = calibration(1, 64);
    add_even(&c, 0, 100, 0, 64);
    int64_t at_ns = 2 * SECOND;
    uint64_t ahead = (uint64_t)(600 * SECOND);
    assert_int_equal(add(&c, at_ns, (uint64_t)at_ns + ahead, at_ns + 2000), KT_PAIR_AGAIN);
    at_ns += 10000000;
    assert_int_equal(add(&c, at_ns, (uint64_t)at_ns + ahead, at_ns + 2000), KT_PAIR_RESET);
    assert_in_range(place(&c, (uint64_t)at_ns + ahead), at_ns, at_ns + 2000);
}

/* 600 s without a pair, in which a counter of 32 bits turns over 139 or 140 times. */
static void a_gap_is_bridged(void **state)
{
    kt_calibration c = calibration(1, 32);
    add_even(&c, 0, 1000, 0, 32);
    double near = uncertainty(&c, masked((uint64_t)(10 * SECOND), 32));
    double far = uncertainty(&c, masked((uint64_t)(12 * SECOND), 32));
    assert_true(far > 1.3 * near); /* always read in the middle, so the rate is known well */
    int64_t at_ns = 610 * SECOND;
    uint64_t ticks = (uint64_t)at_ns;
    assert_int_equal(add(&c, at_ns - 1000, masked(ticks, 32), at_ns + 1000), KT_PAIR_TAKEN);
    assert_int_equal(state_of(&c).wraps, ticks >> 32);
    assert_in_range(place(&c, masked(ticks, 32)), at_ns - 1000, at_ns + 1000);
}

static void a_wrongly_reported_period_is_found_out(void **state)
{
    kt_calibration c = calibration(3, 64);
    add_even(&c, 0, 100, 0, 64);
    kt_clock_state s = state_of(&c);
    EXPECT_NEAR(s.period_ns, 1, 1e-3);
    assert_int_equal(s.resets, 1);
    assert_in_range(place(&c, 990000000), 989999000, 990001000);
}

/* So many pairs of a clock of that many ns a tick from there on, as the host moves on by 10 ms. */
static void add_of(kt_calibration *c, int pairs, double period_ns, int64_t *at_ns, double *ticks)
{
    for (int i = 0; i < pairs; i++) {
        *at_ns += 10000000;
        *ticks += 10000000 / period_ns;
        add(c, *at_ns - 1000, (uint64_t)*ticks, *at_ns + 1000);
    }
}

/* The driver waits between its two readings for up to 5 ms, and never twice as long: nothing of
 * that is trusted of the period, and when it no longer does so all is as it was. */
static void nonsense_changes_no_period(void **state)
{
    uint64_t random = 21;
    kt_calibration c = calibration(NAN, 64);
    int64_t at_ns = 0;
    double ticks = 0;
    add_of(&c, 100, 83.333, &at_ns, &ticks);
    for (int i = 0; i < 300; i++) {
        double waited_ns = 5e6 * random_share(&random);
        at_ns += 10000000;
        ticks += 10000000 / 83.333;
        add(&c, at_ns - 1000, (uint64_t)(ticks + waited_ns / 83.333), at_ns + 1000);
        EXPECT_NEAR(state_of(&c).period_ns, 83.333, 1e-3 * 83.333);
        EXPECT_NEAR(state_of(&c).period_ns, 83.333, state_of(&c).period_uncertainty_ns);
    }
    assert_true(state_of(&c).resets >= 1);
    add_of(&c, 100, 83.333, &at_ns, &ticks);
    EXPECT_NEAR(state_of(&c).period_ns, 83.333, 1e-6 * 83.333);
    assert_in_range(place(&c, (uint64_t)ticks), at_ns - 1000, at_ns + 1000);
}

/* 100 pairs tell one length of a tick, all that follow another one: until these are more, it is the
 * first, and from the 8th of them on it is told how far off that may be. */
static void of_two_periods_more_pairs_decide(void **state)
{
    kt_calibration c = calibration(NAN, 64);
    int64_t at_ns = 0;
    double ticks = 0;
    add_of(&c, 100, 10, &at_ns, &ticks);
    int trusted = 0, reported = 0;
    for (int i = 1; i <= 150; i++) {
        add_of(&c, 1, 13, &at_ns, &ticks);
        kt_clock_state s = state_of(&c);
        bool is_new = fabs(s.period_ns - 13) < 1e-3;
        if (!is_new)
            EXPECT_NEAR(s.period_ns, 10, 1e-3);
        if (!reported && s.period_uncertainty_ns > 2.9)
            reported = i;
        assert_true(is_new || !reported || s.period_uncertainty_ns > 2.9);
        if (is_new && !trusted)
            trusted = i;
        assert_true(is_new || !trusted);
    }
    /* 8 agree with nothing, the last of which is the first one on the new line. */
    assert_int_equal(reported, 8 - 1 + 8);
    assert_int_equal(trusted, 8 - 1 + 101);
    EXPECT_NEAR(state_of(&c).period_ns, 13, state_of(&c).period_uncertainty_ns);
}

/* By 1 ppm a second, as of a device that warms up. */
static void a_period_may_drift(void **state)
{
    kt_calibration c = calibration(NAN, 64);
    int64_t at_ns = 0;
    double ticks = 0;
    for (int second = 0; second < 60; second++) {
        double period_ns = 10 * (1 + second * 1e-6);
        add_of(&c, 100, period_ns, &at_ns, &ticks);
        if (second > 0)
            EXPECT_NEAR(state_of(&c).period_ns, period_ns, 10 * 1e-6);
    }
    assert_int_equal(state_of(&c).resets, 0);
}

/* ---- what is unknown ---- */

static void a_period_is_reported_once_it_can_be(void **state)
{
    static const double periods[] = {1, 83.333};
    for (int i = 0; i < 2; i++) {
        kt_calibration c = calibration(NAN, 64);
        int64_t host_ns;
        double uncertainty_ns, period_ns = periods[i];
        add(&c, 0, 1000, 10000);
        assert_false(kt_calibration_place(&c, 1000, &host_ns, &uncertainty_ns));
        /* Brackets of 10 us, 0.9 ms apart: more than a hundredth. Then 1.1 ms. */
        uint64_t ticks = 1000 + (uint64_t)(900000 / period_ns);
        assert_int_equal(add(&c, 900000, ticks, 910000), KT_PAIR_TAKEN);
        EXPECT_NUMBER(state_of(&c).period_ns, NAN);
        assert_false(kt_calibration_place(&c, 1000, &host_ns, &uncertainty_ns));
        ticks = 1000 + (uint64_t)(1100000 / period_ns);
        assert_int_equal(add(&c, 1100000, ticks, 1110000), KT_PAIR_TAKEN);
        kt_clock_state s = state_of(&c);
        EXPECT_NEAR(s.period_ns / period_ns, 1, 0.01);
        assert_true(s.period_uncertainty_ns <= 0.02 * period_ns);
        assert_in_range(place(&c, ticks), 1100000, 1110000);
        assert_int_equal(s.period_exact, 0);
    }
}

/* A wide first pair does not stand in the way of narrow ones. */
static void a_period_is_reported_by_narrow_pairs(void **state)
{
    kt_calibration c = calibration(NAN, 64);
    add(&c, 0, 2500000, 5000000);
    add(&c, 10000000, 10001000, 10002000);
    add(&c, 20000000, 20001000, 20002000);
    EXPECT_NEAR(state_of(&c).period_ns, 1, 0.01);
}

static void one_ns_is_exact(void **state)
{
    kt_calibration c = calibration(NAN, 64), other = calibration(NAN, 64);
    uint64_t random = 5;
    for (int i = 0; i < 600; i++) {
        int64_t at_ns = i * (SECOND / 60);
        int64_t before = (int64_t)(2000 * random_share(&random)), after = 2000 - before;
        add(&c, at_ns - before, (uint64_t)at_ns, at_ns + after);
        add(&other, at_ns - before, (uint64_t)((double)at_ns / (1 + 5e-6)), at_ns + after);
    }
    kt_clock_state s = state_of(&c);
    assert_int_equal(s.period_exact, 1);
    EXPECT_NUMBER(s.period_ns, 1);
    s = state_of(&other);
    assert_int_equal(s.period_exact, 0);
    EXPECT_NEAR(s.period_ns, 1 + 5e-6, 1e-6);
}

static void a_width_is_known_from_the_first_turn_on(void **state)
{
    for (uint32_t bits = 28; bits < 64; bits++) {
        uint64_t start = (UINT64_C(1) << bits) - 15000000;
        for (int known = 0; known < 2; known++) {
            kt_calibration c = calibration(known ? 1 : NAN, 0);
            add_even(&c, 0, 2, start, bits);
            assert_int_equal(state_of(&c).valid_bits, 0);
            assert_int_equal(state_of(&c).valid_bits_min, bits);
            add_even(&c, 20000038, 1, start, bits);
            kt_clock_state s = state_of(&c);
            assert_int_equal(s.valid_bits, bits);
            assert_int_equal(s.valid_bits_min, bits);
            assert_int_equal(s.wraps, 1);
            assert_int_equal(s.retaken + s.resets, 0);
            assert_in_range(place(&c, masked(start + 20000038, bits)), 20000038 - 1000,
                            20000038 + 1000);
            /* From before the turn. */
            assert_in_range(place(&c, masked(start, bits)) + 2000, 0, 4000);
        }
    }
}

/* Two turns of 32 bits between two pairs look like one of 33; the next one tells. */
static void a_width_is_corrected(void **state)
{
    kt_calibration c = calibration(1, 0);
    add_even(&c, 0, 200, 0, 32);
    add_even(&c, 9 * SECOND, 1, 0, 32);
    assert_int_equal(state_of(&c).valid_bits, 33);
    add_even(&c, 14 * SECOND, 1, 0, 32);
    assert_int_equal(state_of(&c).valid_bits, 32);
    assert_in_range(place(&c, masked((uint64_t)(14 * SECOND), 32)), 14 * SECOND - 1000,
                    14 * SECOND + 1000);
    assert_int_equal(state_of(&c).resets, 0);
}

/* ---- nonsense ---- */

static void time_goes_one_way(void **state)
{
    uint64_t random = 3;
    kt_calibration c = calibration(52.083, 36);
    for (int i = 0; i < 300; i++) {
        int64_t at_ns = i * INT64_C(16666667);
        add(&c, at_ns - (int64_t)(2000 * random_share(&random)), (uint64_t)((double)at_ns / 52.083),
            at_ns + 500);
    }
    uint64_t newest = c.newest.ticks, half = UINT64_C(1) << 35;
    int64_t last = INT64_MIN;
    for (uint64_t t = newest - half + 1; t != newest + half - 1; t += (half >> 9) - 1) {
        if (newest + half - 1 - t > 2 * half)
            break;
        int64_t host_ns = place(&c, masked(t, 36));
        assert_true(host_ns >= last);
        last = host_ns;
    }
    assert_true(last > 0);
    last = INT64_MIN;
    for (uint64_t t = newest - 50; t < newest + 50; t++) {
        assert_true(place(&c, t) > last);
        last = place(&c, t);
    }
}

static int64_t any_instant(uint64_t *random)
{
    static const int64_t odd[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    uint64_t bits = random_bits(random);
    return bits % 5 == 0 ? odd[bits / 5 % 7] : (int64_t)random_bits(random) >> (bits % 60);
}

/* The two readings of a clock of 1 ms are often equal. */
static void a_coarse_host_clock_is_not_believed_to_the_ns(void **state)
{
    kt_calibration c;
    kt_calibration_init(&c, &(kt_calibration_rule){1, 64, 1, 1e6});
    add(&c, INT64_C(7000000), 7400000, INT64_C(7000000));
    assert_true(uncertainty(&c, 7400000) >= 500000);
    for (int i = 1; i < 100; i++)
        add(&c, (7 + i) * INT64_C(1000000), 7000000 + (uint64_t)i * 1000007,
            (7 + i) * INT64_C(1000000));
    assert_true(state_of(&c).period_uncertainty_ns >= 0.01); /* 1 ms in 0.1 s */
}

static void anything_may_come(void **state)
{
    static const double periods[] = {1, NAN, 0, -1, INFINITY, 1e-300, 1e300, 83.333};
    uint64_t random = 9;
    for (int round = 0; round < 400; round++) {
        kt_calibration c;
        kt_calibration_rule rule = {periods[round % 8], (uint32_t)(round * 7 % 65),
                                    round % 3 ? 1 : 256, round % 5 ? 0 : 1e6};
        kt_calibration_init(&c, &rule);
        int64_t at_ns = any_instant(&random);
        for (int i = 0; i < 100; i++) {
            kt_clock_pair pair = {any_instant(&random), (uint64_t)any_instant(&random),
                                  any_instant(&random)};
            if (i % 3) { /* something like a clock, so that it gets further */
                at_ns = at_ns < INT64_MAX / 2 ? at_ns + (int64_t)(random_bits(&random) >> 36) : 0;
                pair = (kt_clock_pair){at_ns, (uint64_t)at_ns, at_ns + (int64_t)(i % 7)};
            }
            kt_calibration_add(&c, &pair);
            int64_t host_ns = 0;
            double uncertainty_ns = 0;
            kt_calibration_place(&c, (uint64_t)any_instant(&random), &host_ns, &uncertainty_ns);
            assert_true(uncertainty_ns >= 0);
            assert_true(state_of(&c).valid_bits_min >= 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pair_is_its_middle),
        cmocka_unit_test(two_brackets_leave_what_both_allow),
        cmocka_unit_test(wide_pairs_tell_little),
        cmocka_unit_test(pairs_that_tell_nothing_are_left_out),
        cmocka_unit_test(a_coarse_counter_may_repeat_itself),
        cmocka_unit_test(counters_of_any_width_turn_over),
        cmocka_unit_test(zeros_do_not_matter),
        cmocka_unit_test(one_wrong_answer_is_no_reset),
        cmocka_unit_test(a_counter_begins_anew),
        cmocka_unit_test(one_pair_of_a_new_count_places),
        cmocka_unit_test(a_small_mismatch_may_be_either),
        cmocka_unit_test(a_counter_may_begin_anew_for_ever),
        cmocka_unit_test(a_clock_jumps),
        cmocka_unit_test(a_gap_is_bridged),
        cmocka_unit_test(a_wrongly_reported_period_is_found_out),
        cmocka_unit_test(nonsense_changes_no_period),
        cmocka_unit_test(of_two_periods_more_pairs_decide),
        cmocka_unit_test(a_period_may_drift),
        cmocka_unit_test(a_period_is_reported_once_it_can_be),
        cmocka_unit_test(a_period_is_reported_by_narrow_pairs),
        cmocka_unit_test(one_ns_is_exact),
        cmocka_unit_test(a_width_is_known_from_the_first_turn_on),
        cmocka_unit_test(a_width_is_corrected),
        cmocka_unit_test(time_goes_one_way),
        cmocka_unit_test(a_coarse_host_clock_is_not_believed_to_the_ns),
        cmocka_unit_test(anything_may_come),
    };
    return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
