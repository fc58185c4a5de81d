/* SPDX-License-Identifier: MIT */
/* What brackets do to the laws of a clock: by hand, and by numerical integration. */
#include "clock/track.h"
#include "tests/unit/testing.h"

/* A clock whose rate is known exactly, and whose offset is 0 with a deviation of 1. */
static kt_track unit_track(void)
{
    kt_track t;
    double half = sqrt(12) / 2;
    kt_track_start(&t, -half, half, (kt_estimate){0, 0});
    return t;
}

/* Mean and deviation of the standard normal law between a and b, by Simpson's rule. */
static kt_estimate integrate(double a, double b)
{
    enum { STEPS = 20000 };
    /* What is further out than the nearer end by 12 is nothing. */
    double from = fmax(a, fmin(-12, b - 12)), to = fmin(b, fmax(12, a + 12));
    double sums[3] = {0}, nearest = fmax(0, fmax(a, -b));
    for (int i = 0; i <= STEPS; i++) {
        double x = from + (to - from) * i / STEPS;
        double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        double density = weight * exp((nearest * nearest - x * x) / 2);
        sums[0] += density;
        sums[1] += density * x;
        sums[2] += density * x * x;
    }
    double mean = sums[1] / sums[0];
    return (kt_estimate){mean, sqrt(fmax(0, sums[2] / sums[0] - mean * mean))};
}

static void half_of_a_law_is_cut_off(void **state)
{
    /* The mean of half a normal law is sqrt(2 / pi), its variance 1 - 2 / pi. */
    double mean = sqrt(2 / 3.14159265358979324);
    kt_track t = unit_track();
    kt_track_observe(&t, 0, 1e6, 0, 0);
    kt_estimate offset = kt_track_offset(&t, 0);
    EXPECT_NEAR(offset.mean, mean, 1e-9);
    EXPECT_NEAR(offset.sd, sqrt(1 - mean * mean), 1e-9);
    t = unit_track();
    kt_track_observe(&t, -1e6, 0, 0, 0);
    EXPECT_NEAR(kt_track_offset(&t, 0).mean, -mean, 1e-9);
    /* Blurred by as much as the law is wide: half as much of the variance tells. */
    t = unit_track();
    kt_track_observe(&t, 0, 1e6, 1, 0);
    offset = kt_track_offset(&t, 0);
    EXPECT_NEAR(offset.mean, mean / sqrt(2), 1e-9);
    EXPECT_NEAR(offset.sd, sqrt(1 - mean * mean / 2), 1e-9);
}

static void any_part_of_a_law_is_left(void **state)
{
    static const double lows[] = {-9, -7.5, -3, -1, -0.004, 0, 0.5, 1, 3, 4.9, 5.1, 5.9};
    static const double widths[] = {0.001, 0.019, 0.021, 0.3, 1, 3, 8, 15};
    for (size_t i = 0; i < sizeof lows / sizeof lows[0]; i++)
        for (size_t j = 0; j < sizeof widths / sizeof widths[0]; j++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double low = lows[i], high = low + widths[j];
                if (high < -5.9)
                    continue; /* so far off, it is a jump */
                kt_estimate expected = integrate(low, high);
                kt_track t = unit_track();
                if (sign > 0)
                    kt_track_observe(&t, low, high, 0, 0);
                else
                    kt_track_observe(&t, -high, -low, 0, 0);
                kt_estimate offset = kt_track_offset(&t, 0);
                EXPECT_NEAR(sign * offset.mean, expected.mean, 2e-4);
                EXPECT_NEAR(offset.sd / expected.sd, 1, 1e-2);
            }
}

static void what_is_far_off_is_a_jump(void **state)
{
    kt_track t = unit_track();
    kt_track_observe(&t, 999, 1001, 0.5, 1);
    kt_estimate offset = kt_track_offset(&t, 0);
    EXPECT_NEAR(offset.mean, 1000, 2);
    assert_true(offset.sd > 0.3 && offset.sd < 3);
    assert_true(kt_track_bound(&t, 0) >= 1);
}

/* A wide bracket around all that is likely changes nothing. */
static void nothing_in_the_way_tells_nothing(void **state)
{
    kt_track t = unit_track();
    double bound = kt_track_bound(&t, 0);
    kt_track_observe(&t, -1e6, 1e6, 0.3, 0.5);
    EXPECT_NEAR(kt_track_offset(&t, 0).mean, 0, 1e-12);
    EXPECT_NEAR(kt_track_offset(&t, 0).sd, 1, 1e-12);
    assert_true(kt_track_bound(&t, 0) >= bound);
}

/* Mixing the models and going on leave mean and variance of the whole what a single clock would
 * have. */
static void going_on_keeps_the_whole(void **state)
{
    kt_track t;
    kt_track_start(&t, 100, 112, (kt_estimate){50, 2});
    kt_track_advance(&t, 10, 500);
    kt_estimate offset = kt_track_offset(&t, 0), rate = kt_track_rate(&t);
    EXPECT_NEAR(offset.mean, 106 + 10 * 50 - 500, 1e-9);
    EXPECT_NEAR(rate.mean, 50, 1e-9);
    /* 12 of the bracket, 400 of the rate; the rest is unrest. */
    assert_true(offset.sd > sqrt(12 + 400));
    double bound = kt_track_bound(&t, 0);
    assert_true(kt_track_bound(&t, 1) > bound);
    assert_true(kt_track_bound(&t, -20) > bound);
    double sum = 0;
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        sum += t.weights[i];
    EXPECT_NEAR(sum, 1, 1e-12);
}

/* ---- long ways ---- */

/* What a bend of 1 that began so many seconds ago, and lasts 30 s, has made of the offset, the rate
 * and itself: three times the same, integrated. */
static void bend_after(double seconds, double out[KT_TRACK_STATES])
{
    double left = exp(-seconds / 30), gone = -expm1(-seconds / 30);
    out[KT_TRACK_OFFSET] = 30 * (seconds - 30 * gone);
    out[KT_TRACK_RATE] = 30 * gone;
    out[KT_TRACK_DRIFT_RATE] = left;
}

/* The manners 1 and 2 differ by a bending of 50 alone: each moment of a way bends it anew, and what
 * that adds up to is integrated by Simpson's rule. */
static void bending_adds_up(void **state)
{
    enum { STEPS = 2000 };
    static const double ways_s[] = {0.01, 0.29, 0.31, 1, 10, 30};
    for (size_t n = 0; n < sizeof ways_s / sizeof ways_s[0]; n++) {
        double sums[KT_TRACK_STATES][KT_TRACK_STATES] = {{0}}, bent[KT_TRACK_STATES];
        for (int i = 0; i <= STEPS; i++) {
            double weight = (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * ways_s[n] / STEPS / 3;
            bend_after(ways_s[n] * i / STEPS, bent);
            for (int j = 0; j < KT_TRACK_STATES; j++)
                for (int k = 0; k <= j; k++)
                    sums[j][k] += weight * bent[j] * bent[k];
        }
        kt_track t;
        kt_track_start(&t, 0, 0, (kt_estimate){0, 0});
        kt_track_advance(&t, ways_s[n], 0);
        for (int j = 0; j < KT_TRACK_STATES; j++)
            for (int k = 0; k <= j; k++) {
                double added = t.models[2].covariance[j][k] - t.models[1].covariance[j][k];
                EXPECT_NEAR(added / (50 * 50 * sums[j][k]), 1, 0.01);
            }
    }
}

static kt_track only_model(int model)
{
    kt_track t;
    kt_track_start(&t, -50, 50, (kt_estimate){3, 2});
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t.weights[i] = i == model;
    return t;
}

/* One long step leaves as much open as many short ones, and so does looking so far ahead: a clock
 * that was calm may have become restless meanwhile, and the other way round. That it may is
 * reckoned with from the beginning of a step, with a chance of T / S of the manner's T^3 / 3; in
 * truth it comes evenly, so that T^4 / (12 S) is left, and the step states twice as much. */
static void a_long_step_is_many_short_ones(void **state)
{
    static const double ways_s[] = {10, 60, 300, 3600};
    for (int model = 0; model < KT_TRACK_MODELS; model++)
        for (size_t n = 0; n < sizeof ways_s / sizeof ways_s[0]; n++) {
            kt_track start = only_model(model), once = start, often = start;
            kt_track_advance(&once, ways_s[n], 0);
            for (int i = 0; i < 1000; i++)
                kt_track_advance(&often, ways_s[n] / 1000, 0);
            double sd = kt_track_offset(&often, 0).sd;
            double more = kt_track_offset(&once, 0).sd / sd;
            assert_true(more >= 0.85 && more <= 2.01);
            double ahead = kt_track_offset(&start, ways_s[n]).sd / sd;
            assert_true(ahead >= 0.99 && ahead <= 2.5);
            EXPECT_NEAR(kt_track_offset(&once, 0).mean, 3 * ways_s[n], 1e-6);
            assert_true(kt_track_bound(&start, ways_s[n]) >= 2.5 * sd);
            assert_true(kt_track_bound(&start, -ways_s[n]) >= 2.5 * sd);
            for (int i = 0; i < KT_TRACK_MODELS; i++)
                EXPECT_NEAR(once.weights[i], often.weights[i], 1e-9);
        }
}

/* 100 000 brackets in the same place leave the width of one of them open. */
static void the_same_place_is_never_sure(void **state)
{
    kt_track t;
    kt_track_start(&t, -1000, 1000, (kt_estimate){0, 1e5});
    for (int i = 0; i < 100000; i++) {
        kt_track_advance(&t, 1.0 / 60, 0);
        kt_track_observe(&t, -1000, 1000, 0.5, 1);
    }
    assert_true(kt_track_bound(&t, 0) >= 1000);
    assert_true(kt_track_bound(&t, 0) <= 1100);
}

/* 1000 intervals a second that leave -10..10, until every twentieth, or from then on each, is 50
 * higher. */
static double slack_after_wrong_ends(bool jumps)
{
    kt_track t;
    kt_track_start(&t, -100, 100, (kt_estimate){0, 1});
    for (int i = 1; i < 200; i++) {
        double aside = i % 2 ? 90 : -90;
        double off = (jumps ? i >= 101 : i % 20 == 1) ? 50 : 0;
        kt_track_advance(&t, 1e-3, 0);
        kt_track_observe(&t, off + aside - 100, off + aside + 100, 0.1, 0.1);
    }
    return kt_track_slack(&t);
}

static void wrong_ends_are_told_from_a_jump(void **state)
{
    double slack = slack_after_wrong_ends(false);
    assert_true(slack > 15 && slack < 60);
    EXPECT_NEAR(slack_after_wrong_ends(true), 0, 1e-9);
}

/* The same place in intervals of the same width: the rate is known as if the middles were exact,
 * and the offset by no more than an interval. */
static void the_same_place_tells_the_rate(void **state)
{
    kt_track t;
    kt_track_start(&t, -1000, 1000, (kt_estimate){0, 1e5});
    for (int i = 1; i <= 300; i++) {
        kt_track_advance(&t, 0.1, 0);
        double middle = 2000 * 0.1 * i;
        kt_track_observe(&t, middle - 1000, middle + 1000, 0.5, 1);
    }
    EXPECT_NEAR(kt_track_rate(&t).mean, 2000, 50);
    assert_true(kt_track_rate(&t).sd < 100);
    EXPECT_NEAR(kt_track_offset(&t, 0).mean, 2000 * 0.1 * 300, 100);
    assert_true(kt_track_bound(&t, 0) >= 950);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_a_law_is_cut_off),
        cmocka_unit_test(any_part_of_a_law_is_left),
        cmocka_unit_test(what_is_far_off_is_a_jump),
        cmocka_unit_test(nothing_in_the_way_tells_nothing),
        cmocka_unit_test(going_on_keeps_the_whole),
        cmocka_unit_test(bending_adds_up),
        cmocka_unit_test(a_long_step_is_many_short_ones),
        cmocka_unit_test(the_same_place_is_never_sure),
        cmocka_unit_test(wrong_ends_are_told_from_a_jump),
        cmocka_unit_test(the_same_place_tells_the_rate),
    };
    return cmocka_run_group_tests_name("track", tests, NULL, NULL);
}
