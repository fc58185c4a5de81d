/* SPDX-License-Identifier: MIT */
/* Student's t against closed forms and a book's table; intervals of ratios by hand, and how often
 * they hold the truth. */
#include "statistics/ratio.h"
#include "bench/calibrate/noise.h"
#include "tests/unit/testing.h"

/* Where the distribution has a closed form. */
static void closed_forms(void **state)
{
    /* 1: Cauchy's, tan(0.475 pi). 2: 0.95 sqrt(2 / (1 - 0.95^2)). */
    EXPECT_NEAR(kt_student_95(1), tan(0.475 * 3.14159265358979323846), 1e-9);
    EXPECT_NEAR(kt_student_95(2), 0.95 * sqrt(2 / (1 - 0.95 * 0.95)), 1e-9);
    /* 4: with y = t / sqrt(4 + t^2) the share within t is (3 y - y^3) / 2. */
    double t = kt_student_95(4), y = t / sqrt(4 + t * t);
    EXPECT_NEAR((3 * y - y * y * y) / 2, 0.95, 1e-10);
}

/* Two-sided 95 %, as printed in tables of the distribution (NIST/SEMATECH e-Handbook,
 * 1.3.6.7.2). */
static void table(void **state)
{
    static const struct {
        double degrees, t;
    } rows[] = {{1, 12.706}, {3, 3.182},  {5, 2.571},  {10, 2.228},  {19, 2.093},
                {29, 2.045}, {38, 2.024}, {60, 2.000}, {100, 1.984}, {INFINITY, 1.960}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        EXPECT_NEAR(kt_student_95(rows[i].degrees), rows[i].t, 0.0005);
}

/* Also between whole numbers, and where one way to compute it ends and the other begins. */
static void falls_without_a_step(void **state)
{
    double before = kt_student_95(1);
    for (int i = 101; i < 13000; i++) {
        double degrees = i / 100.;
        double t = kt_student_95(degrees);
        if (!(t < before) || !(before - t < 0.3))
            fail_msg("t of %g degrees is %.17g, after %.17g", degrees, t, before);
        before = t;
    }
    EXPECT_NEAR(kt_student_95(100), kt_student_95(100.000001), 1e-8);
}

static void expect_ratio(kt_moments a, kt_moments b, double ratio, double low, double high)
{
    double found, found_low, found_high;
    kt_ratio_of_means(&a, &b, &found, &found_low, &found_high);
    EXPECT_NUMBER(found, ratio);
    EXPECT_NEAR(found_low, low, 1e-9 * fabs(low));
    EXPECT_NEAR(found_high, high, 1e-9 * fabs(high));
}

static void intervals(void **state)
{
    /* Relative variances of the means: 1/4 of 1/2 each, 1/4 together; 1 degree of freedom each, 2
     * together. */
    double half = 0.5 * 0.95 * sqrt(2 / (1 - 0.95 * 0.95));
    expect_ratio((kt_moments){2, 10, 5}, (kt_moments){2, 5, 2.5}, 2, 2 * exp(-half), 2 * exp(half));
    /* All of the variance on one side: its degrees of freedom are those of the ratio. 0.9 / 3 /
     * sqrt(2). */
    half = tan(0.475 * 3.14159265358979323846) * 0.3 / sqrt(2);
    expect_ratio((kt_moments){2, 3, 0.9}, (kt_moments){1000, 6, 0}, 0.5, 0.5 * exp(-half),
                 0.5 * exp(half));
    expect_ratio((kt_moments){1000, 6, 0}, (kt_moments){2, 3, 0.9}, 2, 2 * exp(-half),
                 2 * exp(half));
    /* Nothing varies. */
    expect_ratio((kt_moments){5, 3, 0}, (kt_moments){2, 4, 0}, 0.75, 0.75, 0.75);
    /* Next to nothing does: its square is 0. */
    expect_ratio((kt_moments){5, 1, 1e-160}, (kt_moments){2, 4, 0}, 0.25, 0.25, 0.25);
}

static void too_little(void **state)
{
    const kt_moments two = {2, 4, 1}, one = {1, 8, NAN}, none = {0, NAN, NAN}, zero = {2, 0, 0};
    expect_ratio(one, two, 2, NAN, NAN);
    expect_ratio(two, one, 0.5, NAN, NAN);
    expect_ratio(none, two, NAN, NAN, NAN);
    expect_ratio(two, none, NAN, NAN, NAN);
    /* A clock that is too coarse to see anything tells no ratio. */
    expect_ratio(zero, two, NAN, NAN, NAN);
    expect_ratio(two, zero, NAN, NAN, NAN);
}

static kt_moments take(noise_run *run, uint64_t n)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; i++) {
        double value = noise_next(run);
        sum += value;
        squares += value * value;
    }
    double mean = sum / (double)n;
    return (kt_moments){n, mean, sqrt((squares - sum * mean) / (double)(n - 1))};
}

/* Of unequal sizes and spreads the truth is inside in 95 %, as Welch's test promises: 10,000 tries
 * tell that within 0.65 points (3 standard errors). */
static void holds_the_truth(void **state)
{
    const noise wide = {.shape = NOISE_NORMAL, .value = 9, .spread = 0.1};
    const noise narrow = {.shape = NOISE_NORMAL, .value = 3, .spread = 0.02};
    const int tries = 10000;
    int inside = 0;
    for (int i = 0; i < tries; i++) {
        noise_run a = noise_begin(&wide, (uint64_t)i + 1);
        noise_run b = noise_begin(&narrow, (uint64_t)i + 1000001);
        const kt_moments of_a = take(&a, 8), of_b = take(&b, 20);
        double ratio, low, high;
        kt_ratio_of_means(&of_a, &of_b, &ratio, &low, &high);
        inside += low <= 3 && 3 <= high;
    }
    EXPECT_NEAR((double)inside / tries, 0.95, 0.0065);
}

static kt_summary median_of(double median, double low, double high)
{
    return (kt_summary){.median = median, .ci95_low = low, .ci95_high = high};
}

static void expect_ratio_of_medians(kt_summary a, kt_summary b, double ratio, double low,
                                    double high)
{
    double found, found_low, found_high;
    kt_ratio_of_medians(&a, &b, &found, &found_low, &found_high);
    EXPECT_NUMBER(found, ratio);
    EXPECT_NEAR(found_low, low, 1e-12 * fabs(low));
    EXPECT_NEAR(found_high, high, 1e-12 * fabs(high));
}

static void intervals_of_medians(void **state)
{
    const kt_summary known = median_of(4, 4, 4), unknown = median_of(4, NAN, NAN);
    const kt_summary wide = median_of(16, 8, 64), from_0 = median_of(4, 0, 5);
    /* All of the width on one side. The far end of a divisor is the near end of the ratio. */
    expect_ratio_of_medians(wide, known, 4, 2, 16);
    expect_ratio_of_medians(known, wide, 0.25, 1. / 16, 0.5);
    /* Lengths of log2: 1 and 2 below, 2 and 1 above. */
    expect_ratio_of_medians(wide, wide, 1, exp2(-sqrt(5)), exp2(sqrt(5)));
    expect_ratio_of_medians(wide, unknown, 4, NAN, NAN);
    expect_ratio_of_medians(unknown, wide, 0.25, NAN, NAN);
    expect_ratio_of_medians(wide, from_0, 4, NAN, NAN);
    expect_ratio_of_medians(wide, median_of(0, 0, 0), NAN, NAN, NAN);
    expect_ratio_of_medians(median_of(NAN, NAN, NAN), wide, NAN, NAN, NAN);
}

/* 31 times with a long tail, as they are, over 15: medians are 1 each. */
static void medians_hold_the_truth(void **state)
{
    const noise tailed = {.shape = NOISE_LOGNORMAL, .value = 1, .spread = 0.3};
    const int tries = 4000;
    int inside = 0;
    for (int i = 0; i < tries; i++) {
        noise_run run = noise_begin(&tailed, (uint64_t)i + 1);
        double samples[31], scratch[31], ratio, low, high;
        kt_summary a, b;
        for (int k = 0; k < 31; k++)
            samples[k] = noise_next(&run);
        kt_summarize(samples, 31, 0, scratch, &a);
        for (int k = 0; k < 15; k++)
            samples[k] = noise_next(&run);
        kt_summarize(samples, 15, 0, scratch, &b);
        kt_ratio_of_medians(&a, &b, &ratio, &low, &high);
        inside += low <= 1 && 1 <= high;
    }
    print_message("%g\n", (double)inside / tries);
    EXPECT_NEAR((double)inside / tries, 0.95, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),         cmocka_unit_test(table),
        cmocka_unit_test(falls_without_a_step), cmocka_unit_test(intervals),
        cmocka_unit_test(too_little),           cmocka_unit_test(holds_the_truth),
        cmocka_unit_test(intervals_of_medians), cmocka_unit_test(medians_hold_the_truth),
    };
    return cmocka_run_group_tests_name("ratio", tests, NULL, NULL);
}
