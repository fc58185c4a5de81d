/* SPDX-License-Identifier: MIT */
/* The laws behind comparisons, against closed forms. */
#include "statistics/ranks.h"
#include "statistics/ratio.h"
#include "statistics/shrinkage.h"
#include "tests/unit/testing.h"

#define PI    3.14159265358979323846
#define EULER 0.57721566490153286061 /* Euler's constant: - digamma(1) */

static void student(void **state)
{
    for (int i = -20; i <= 60; i++) {
        double t = i / 4.;
        EXPECT_NEAR(kt_student_above(t, 1), 0.5 - atan(t) / PI, 1e-13);
        EXPECT_NEAR(kt_student_above(t, 2), (1 - t / sqrt(2 + t * t)) / 2, 1e-13);
        EXPECT_NEAR(kt_student_above(t, INFINITY), erfc(t / sqrt(2)) / 2, 1e-15);
        EXPECT_NEAR(kt_student_above(t, 99999), kt_student_above(t, 100001), 1e-5);
    }
    /* The other way round: two-sided 5 %. */
    double degrees = 1;
    for (int i = 0; i < 25; i++, degrees *= 1.37)
        EXPECT_NEAR(kt_student_above(kt_student_95(degrees), degrees), 0.025, 1e-10);
    /* Far out: 1 - t / sqrt(2 + t^2) is about 1 / t^2. */
    EXPECT_NEAR(kt_student_above(1e6, 2), 0.5e-12, 1e-20);
    EXPECT_NUMBER(kt_student_above(INFINITY, 3), 0);
    EXPECT_NUMBER(kt_student_above(-INFINITY, 3), 1);
    EXPECT_NUMBER(kt_student_above(1e200, 3), 0);
    EXPECT_NUMBER(kt_student_above(NAN, 3), NAN);
    /* And back: of 1 degree it is the tangent. */
    EXPECT_NEAR(kt_student_at(0.01, 1), tan(0.49 * PI), 1e-9);
    EXPECT_NEAR(kt_student_at(0.025, 7.5), kt_student_95(7.5), 1e-9);
    EXPECT_NEAR(kt_student_at(0.5, 4), 0, 1e-9);
}

static void f_distribution(void **state)
{
    double degrees = 1;
    for (int i = 0; i < 7; i++, degrees *= 7.3) {
        double f = 0.01;
        for (int k = 0; k < 18; k++, f *= 1.9) {
            /* Of 2 degrees over any, in closed form; of 1, the square of Student's t. */
            EXPECT_NEAR(kt_f_above(f, 2, degrees), exp(-degrees / 2 * log1p(2 * f / degrees)),
                        1e-9);
            if (degrees < 1e5) /* above, t counts as normal */
                EXPECT_NEAR(kt_f_above(f, 1, degrees), 2 * kt_student_above(sqrt(f), degrees),
                            1e-9);
            EXPECT_NEAR(kt_f_above(f, 5, degrees), 1 - kt_f_above(1 / f, degrees, 5), 1e-9);
        }
    }
    EXPECT_NUMBER(kt_f_above(0, 2, 3), 1);
    EXPECT_NUMBER(kt_f_above(INFINITY, 2, 3), 0);
    EXPECT_NUMBER(kt_f_above(1e308, 2, 1e-3), 0);
    EXPECT_NUMBER(kt_f_above(NAN, 2, 3), NAN);
}

/* Half of the rows lie `apart` above, half as far below, as logarithms. */
static kt_prior prior_of(double variance, double apart, size_t n)
{
    double variances[100], degrees[100];
    for (size_t i = 0; i < n; i++) {
        variances[i] = variance * exp(i % 2 ? apart : -apart);
        degrees[i] = 4;
    }
    return kt_fit_prior(variances, degrees, n);
}

static void priors(void **state)
{
    EXPECT_NUMBER(prior_of(1, 1, 2).degrees, 0);
    /* No more scatter than chance makes of 4 degrees each: trigamma(2) = pi^2 / 6 - 1. The variance
     * is unbiased as a logarithm: digamma(2) = 1 - Euler's constant. */
    kt_prior equal = prior_of(3, 0.5, 100);
    EXPECT_NUMBER(equal.degrees, INFINITY);
    EXPECT_NEAR(equal.variance, 3 * exp(EULER - 1) * 2, 1e-12);
    /* Beyond it pi^2 / 6, which is trigamma(1): 2 degrees. digamma(1) is - Euler's constant. */
    double apart = sqrt((PI * PI / 3 - 1) * 99 / 100);
    kt_prior two = prior_of(3, apart, 100);
    EXPECT_NEAR(two.degrees, 2, 1e-9);
    EXPECT_NEAR(two.variance, 3 * exp(EULER - 1) * 2 * exp(-EULER), 1e-9);
    /* And pi^2 / 2, trigamma(1/2): 1 degree. digamma(1/2) = - Euler's constant - 2 ln 2. */
    apart = sqrt((PI * PI / 2 + PI * PI / 6 - 1) * 99 / 100);
    kt_prior one = prior_of(3, apart, 100);
    EXPECT_NEAR(one.degrees, 1, 1e-9);
    EXPECT_NEAR(one.variance, 3 * exp(EULER - 1) * 2 * exp(-EULER) / 4 * 2, 1e-9);
}

static void moderation(void **state)
{
    static const kt_prior prior = {2, 4}, same = {2, INFINITY}, nothing = {0, 0};
    double variance = 8, degrees = 8;
    kt_shrink_variance(&prior, 100, &variance, &degrees);
    EXPECT_NEAR(variance, 6, 1e-12); /* (4 x 2 + 8 x 8) / 12 */
    EXPECT_NUMBER(degrees, 12);
    kt_shrink_variance(&prior, 14, &variance, &degrees);
    EXPECT_NUMBER(degrees, 14);
    variance = 8;
    degrees = 8;
    kt_shrink_variance(&nothing, 100, &variance, &degrees);
    EXPECT_NUMBER(variance, 8);
    kt_shrink_variance(&same, 100, &variance, &degrees);
    EXPECT_NUMBER(variance, 2);
    EXPECT_NUMBER(degrees, 100);
}

static double rank_p(const double *a, size_t n, const double *b, size_t m, double inflation)
{
    double scratch[KT_RANK_SCRATCH], p = kt_rank_p(a, n, b, m, inflation, scratch);
    EXPECT_NEAR(kt_rank_p(b, m, a, n, inflation, scratch), p, 1e-12);
    return p;
}

static void ranks(void **state)
{
    static const double low[] = {1, 2, 3, 4, 5}, high[] = {11, 12, 13, 14, 15};
    static const double mixed[] = {4.5, 6, 7, 8, 9}, tied[] = {3, 3, 3}, pair[] = {2, 3};
    EXPECT_NEAR(rank_p(low, 3, high, 3, 1), 2. / 20, 1e-15);
    EXPECT_NEAR(rank_p(low, 5, high, 5, 1), 2. / 252, 1e-15);
    EXPECT_NEAR(rank_p(low, 1, high, 5, 1), 2. / 6, 1e-15);
    /* One pair in the wrong order: of the 252 ways one has none, one has one; the same from the
     * other end. */
    EXPECT_NEAR(rank_p(low, 5, mixed, 5, 1), 4. / 252, 1e-15);
    /* All the same: every way is as extreme. {2, 3} against {3, 3, 3}: ranks 1, 3.5 (four times);
     * the sum 4.5 that has the 1 is 1.5 from the middle 6, as are 4 of 10 ways, and 7 only 1. */
    EXPECT_NUMBER(rank_p(tied, 3, tied, 3, 1), 1);
    EXPECT_NEAR(rank_p(pair, 2, tied, 3, 1), 4. / 10, 1e-15);
    EXPECT_NUMBER(kt_rank_larger(low, 5, high, 5), 1);
    EXPECT_NUMBER(kt_rank_larger(high, 5, low, 5), 0);
    EXPECT_NEAR(kt_rank_larger(low, 5, mixed, 5), 24. / 25, 1e-15);
    EXPECT_NEAR(kt_rank_larger(pair, 2, tied, 3), 3. / 4, 1e-15); /* ties count half */
    EXPECT_NEAR(kt_rank_p_least(3, 3), 2. / 20, 1e-15);
    EXPECT_NEAR(kt_rank_p_least(5, 1), 2. / 6, 1e-15);
    EXPECT_NUMBER(kt_rank_p_least(1, 1), 1);
}

/* It ends, whatever it says. */
static void ranks_of_anything(void **state)
{
    double scratch[KT_RANK_SCRATCH];
    static const double odd[] = {1, NAN, INFINITY}, all_odd[] = {NAN, NAN, NAN};
    for (size_t n = 1; n <= 3; n++) {
        assert_false(isinf(kt_rank_p(odd, n, all_odd, n, 1, scratch)));
        assert_false(isinf(kt_rank_p(all_odd, n, odd, n, 1, scratch)));
    }
}

/* Where counting ends and the normal law begins; and what resembles its neighbours is worth
 * less. */
static void ranks_of_many(void **state)
{
    double a[50], b[50];
    for (int i = 0; i < 50; i++) {
        a[i] = i;
        b[i] = i + 5.5;
    }
    double counted = rank_p(a, 10, b, 10, 1), approximated = rank_p(a, 10, b, 11, 1);
    assert_true(counted < 0.01 && approximated < 0.01);
    EXPECT_NEAR(counted, approximated, 0.005);
    /* U is the number of pairs in order: 1250 in the mean, of variance 50 x 50 x 101 / 12. */
    double pairs = 0;
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 50; j++)
            pairs += a[i] < b[j];
    double z = (pairs - 1250 - 0.5) / sqrt(2500 * 101 / 12.);
    EXPECT_NEAR(rank_p(a, 50, b, 50, 1), erfc(z / sqrt(2)), 1e-12);
    EXPECT_NEAR(rank_p(a, 50, b, 50, 4), erfc(z / 2 / sqrt(2)), 1e-12);
    for (int i = 0; i < 50; i++)
        a[i] = b[i] = 7;
    EXPECT_NUMBER(rank_p(a, 50, b, 50, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student),       cmocka_unit_test(f_distribution),
        cmocka_unit_test(priors),        cmocka_unit_test(moderation),
        cmocka_unit_test(ranks),         cmocka_unit_test(ranks_of_anything),
        cmocka_unit_test(ranks_of_many),
    };
    return cmocka_run_group_tests_name("laws", tests, NULL, NULL);
}
