/* SPDX-License-Identifier: MIT */
/* Buckets of durations, and the numbers of two sets together. */
#include "statistics/histogram.h"
#include "statistics/accumulator.h"
#include "tests/unit/testing.h"

/* From 2^-8 to 2^48 ns 56 octaves of 32 steps, and the two ends. */
static void buckets_lie_on_the_logarithmic_scale(void **state)
{
    assert_int_equal(KT_HISTOGRAM_BUCKETS, 1794);
    assert_int_equal(kt_histogram_bucket(0), 0);
    assert_int_equal(kt_histogram_bucket(5e-324), 0);
    assert_int_equal(kt_histogram_bucket(nextafter(0x1p-8, 0)), 0);
    assert_int_equal(kt_histogram_bucket(0x1p-8), 1);
    assert_int_equal(kt_histogram_bucket(nextafter(0x1p-8 * 33 / 32, 0)), 1);
    assert_int_equal(kt_histogram_bucket(0x1p-8 * 33 / 32), 2);
    assert_int_equal(kt_histogram_bucket(1), 1 + 8 * 32);
    assert_int_equal(kt_histogram_bucket(1.5), 1 + 8 * 32 + 16);
    assert_int_equal(kt_histogram_bucket(1024), 1 + 18 * 32);
    assert_int_equal(kt_histogram_bucket(nextafter(0x1p48, 0)), 1792);
    assert_int_equal(kt_histogram_bucket(0x1p48), 1793);
    assert_int_equal(kt_histogram_bucket(1.7e308), 1793);
}

/* What the registry takes for no duration without looking twice. */
static void what_is_no_duration_has_no_step(void **state)
{
    const double none[] = {-0.0, -1, -1000, -1e300, -INFINITY, INFINITY, NAN, -NAN, 0, 0x1p48};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_true(kt_histogram_step(kt_bits_of(none[i])) >= KT_HISTOGRAM_STEPS);
    assert_int_equal(kt_histogram_step(kt_bits_of(0x1p-8)), 0);
    assert_int_equal(kt_histogram_step(kt_bits_of(nextafter(0x1p48, 0))), KT_HISTOGRAM_STEPS - 1);
}

/* 32 to 33 is the widest step: its value, 2 * 32 * 33 / 65, is 1/65 of either end away. */
static void values_are_within_a_65th(void **state)
{
    EXPECT_NUMBER(kt_histogram_value(1 + 13 * 32), 2112.0 / 65);
    double widest = 0;
    for (uint32_t step = 0; step < KT_HISTOGRAM_STEPS; step++) {
        double octave = ldexp(1, (int)(step / 32) - 8);
        double ends[2] = {octave * (32 + step % 32) / 32, octave * (33 + step % 32) / 32};
        double value = kt_histogram_value(step + 1);
        for (int i = 0; i < 2; i++)
            widest = fmax(widest, fabs(value - ends[i]) / ends[i]);
        assert_true(ends[0] < value && value < ends[1]);
        assert_int_equal(kt_histogram_bucket(value), step + 1);
    }
    EXPECT_NEAR(widest, 1.0 / 65, 1e-12);
    EXPECT_NUMBER(kt_histogram_value(0), 0);
    EXPECT_NUMBER(kt_histogram_value(KT_HISTOGRAM_BUCKETS - 1), INFINITY);
}

static void ranks_are_counted_from_the_shortest(void **state)
{
    static kt_histogram histogram;
    histogram.counts[0] = 2;
    histogram.counts[kt_histogram_bucket(64)] = 3;
    histogram.counts[KT_HISTOGRAM_BUCKETS - 1] = 1;
    assert_int_equal(kt_histogram_count(&histogram), 6);
    const double expected[] = {0, 0, 4224.0 / 65, 4224.0 / 65, 4224.0 / 65, INFINITY};
    for (uint64_t rank = 1; rank <= 6; rank++)
        EXPECT_NUMBER(kt_histogram_at_rank(&histogram, rank), expected[rank - 1]);
}

static void put_in(kt_accumulator *accumulator, const double *values, size_t n)
{
    static kt_accumulator one;
    for (size_t i = 0; i < n; i++) {
        one = (kt_accumulator){.count = 1,
                               .total = values[i],
                               .mean = values[i],
                               .min = values[i],
                               .max = values[i],
                               .last = values[i]};
        one.histogram.counts[kt_histogram_bucket(values[i])] = 1;
        kt_accumulator_add(accumulator, &one);
    }
}

/* 2 4 4 4 | 5 5 7 9: mean 5, squared distances 9 1 1 1 0 0 4 16, which are 32. */
static void two_sets_are_one(void **state)
{
    static kt_accumulator all, first, second, none;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    put_in(&first, values, 4);
    put_in(&second, values + 4, 4);
    EXPECT_NUMBER(first.mean, 3.5);
    EXPECT_NEAR(first.squares, 3, 1e-14);   /* 2.25 and three times 0.25 */
    EXPECT_NEAR(second.squares, 11, 1e-14); /* mean 6.5: 2.25 2.25 0.25 6.25 */
    kt_accumulator_add(&all, &none);
    assert_int_equal(all.count, 0);
    kt_accumulator_add(&all, &first);
    kt_accumulator_add(&all, &second);
    kt_accumulator_add(&all, &none);
    assert_int_equal(all.count, 8);
    EXPECT_NUMBER(all.total, 40);
    EXPECT_NUMBER(all.mean, 5);
    EXPECT_NEAR(all.squares, 32, 1e-13);
    EXPECT_NEAR(kt_accumulator_stddev(&all), sqrt(32.0 / 7), 1e-14);
    EXPECT_NUMBER(all.min, 2);
    EXPECT_NUMBER(all.max, 9);
    EXPECT_NUMBER(all.last, 9);
    assert_int_equal(kt_histogram_count(&all.histogram), 8);
    assert_int_equal(all.histogram.counts[kt_histogram_bucket(4)], 3);
}

static void what_there_is_too_little_of_is_nan(void **state)
{
    static kt_accumulator accumulator;
    const double values[] = {3, 3};
    EXPECT_NUMBER(kt_accumulator_stddev(&accumulator), NAN);
    put_in(&accumulator, values, 1);
    EXPECT_NUMBER(kt_accumulator_stddev(&accumulator), NAN);
    put_in(&accumulator, values + 1, 1);
    EXPECT_NUMBER(kt_accumulator_stddev(&accumulator), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_lie_on_the_logarithmic_scale),
        cmocka_unit_test(what_is_no_duration_has_no_step),
        cmocka_unit_test(values_are_within_a_65th),
        cmocka_unit_test(ranks_are_counted_from_the_shortest),
        cmocka_unit_test(two_sets_are_one),
        cmocka_unit_test(what_there_is_too_little_of_is_nan),
    };
    return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
