/* What brackets do to the laws of a clock: by hand, and by numerical integration. */
#include "track.h"

#include "testing.h"

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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

/* 100 000 brackets in the same place leave the width of one of them open. */
static void the_same_place_is_never_sure(void **state)
{
    (void)state;
    kt_track t;
    kt_track_start(&t, -1000, 1000, (kt_estimate){0, 1e5});
    for (int i = 0; i < 100000; i++) {
        kt_track_advance(&t, 1.0 / 60, 0);
        kt_track_observe(&t, -1000, 1000, 0.5, 1);
    }
    assert_true(kt_track_bound(&t, 0) >= 1000);
    assert_true(kt_track_bound(&t, 0) <= 1100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_a_law_is_cut_off),
        cmocka_unit_test(any_part_of_a_law_is_left),
        cmocka_unit_test(what_is_far_off_is_a_jump),
        cmocka_unit_test(nothing_in_the_way_tells_nothing),
        cmocka_unit_test(going_on_keeps_the_whole),
        cmocka_unit_test(the_same_place_is_never_sure),
    };
    return cmocka_run_group_tests_name("track", tests, NULL, NULL);
}
