/* SPDX-License-Identifier: MIT */
/* When sampling ends: the order of the rules, and when the intervals are looked at. */
#include "measure/rules.h"
#include "tests/unit/testing.h"

#define SECOND INT64_C(1000000000)

static kt_stopping make_rule(void)
{
    return (kt_stopping){
        .samples_min = 10, .samples_max = 1000, .rel_err = 0.01, .max_time_ns = 2 * SECOND};
}

/* A row of independent samples whose 95 % interval has this half-width. */
static kt_summary row(uint32_t n, double rel_err)
{
    return (kt_summary){.n = n,
                        .median = 1000,
                        .ci95_low = 1000 - 1000 * rel_err,
                        .ci95_high = 1000 + 1000 * rel_err,
                        .resolution = 0,
                        .inflation = 1};
}

/* Two looks, at 40 and at 60 samples, each at one row; what the rule says then. */
static kt_stop after_two(kt_stopping rule, const kt_summary *first, const kt_summary *second)
{
    rule.samples_min = 40;
    assert_true(kt_stopping_looks(&rule, 40));
    kt_stopping_add(&rule, first);
    assert_int_equal(kt_stopping_check(&rule, 40, 0), KT_STOP_NONE);
    assert_true(kt_stopping_looks(&rule, 60));
    kt_stopping_add(&rule, second);
    return kt_stopping_check(&rule, 60, 0);
}

static kt_stop after_two_of(double first, double second)
{
    kt_summary a = row(40, first), b = row(60, second);
    return after_two(make_rule(), &a, &b);
}

static void rules_in_their_order(void **state)
{
    kt_stopping rule = make_rule();
    /* Without a look: the minimum beats the time, the maximum beats all. */
    assert_int_equal(kt_stopping_check(&rule, 9, 9 * SECOND), KT_STOP_NONE);
    assert_int_equal(kt_stopping_check(&rule, 0, 9 * SECOND), KT_STOP_NONE);
    assert_int_equal(kt_stopping_check(&rule, 10, 2 * SECOND), KT_STOP_MAX_TIME);
    assert_int_equal(kt_stopping_check(&rule, 10, 2 * SECOND - 1), KT_STOP_NONE);
    assert_int_equal(kt_stopping_check(&rule, 999, SECOND), KT_STOP_NONE);
    assert_int_equal(kt_stopping_check(&rule, 1000, 0), KT_STOP_MAX_SAMPLES);
    /* Good enough beats out of time; the maximum beats both. */
    rule.before = rule.latest = (kt_look){.enough = true, .limited = true, .worth = true};
    assert_int_equal(kt_stopping_check(&rule, 45, 9 * SECOND), KT_STOP_REL_ERR);
    assert_int_equal(kt_stopping_check(&rule, 1000, 9 * SECOND), KT_STOP_MAX_SAMPLES);
    rule.latest.enough = false;
    assert_int_equal(kt_stopping_check(&rule, 45, 9 * SECOND), KT_STOP_RESOLUTION);
    rule.latest.limited = false;
    assert_int_equal(kt_stopping_check(&rule, 45, 9 * SECOND), KT_STOP_MAX_TIME);
}

/* 1.048 times the half-width must be within 1 %: up to 0.954 %. */
static void two_narrow_intervals_end_it(void **state)
{
    assert_int_equal(after_two_of(0.0095, 0.0095), KT_STOP_REL_ERR);
    assert_int_equal(after_two_of(0.0096, 0.0095), KT_STOP_NONE);
    assert_int_equal(after_two_of(0.0095, 0.0096), KT_STOP_NONE);
    assert_int_equal(after_two_of(0, 0), KT_STOP_REL_ERR);
    /* An unknown interval is never good enough. */
    assert_int_equal(after_two_of(NAN, 0), KT_STOP_NONE);
    assert_int_equal(after_two_of(0, NAN), KT_STOP_NONE);
}

static void every_row_counts(void **state)
{
    kt_stopping rule = make_rule();
    const kt_summary good = row(30, 0.001), bad = row(30, 0.1);
    for (int order = 0; order < 2; order++) {
        kt_stopping each = rule;
        each.latest = (kt_look){.enough = true, .worth = true};
        assert_true(kt_stopping_looks(&each, 30));
        kt_stopping_add(&each, order ? &bad : &good);
        assert_true(each.latest.enough == !order);
        kt_stopping_add(&each, order ? &good : &bad);
        assert_int_equal(kt_stopping_check(&each, 30, 0), KT_STOP_NONE);
    }
}

/* 60 samples with an inflation of 3 are worth 20 independent ones. */
static void samples_that_resemble_each_other_are_worth_less(void **state)
{
    const kt_summary first = row(40, 0);
    kt_summary second = row(60, 0);
    second.inflation = 3;
    assert_int_equal(after_two(make_rule(), &first, &second), KT_STOP_REL_ERR);
    second.inflation = 3.01;
    assert_int_equal(after_two(make_rule(), &first, &second), KT_STOP_NONE);
    second.inflation = NAN;
    assert_int_equal(after_two(make_rule(), &first, &second), KT_STOP_NONE);
}

/* Half the width 5, which a step of 5 explains (half of it at both ends, and one between), and one
 * of 4.9 does not; wanted are 1 of 1000. */
static void a_coarse_clock_is_not_chased(void **state)
{
    kt_stopping rule = make_rule();
    rule.rel_err = 0.001;
    kt_summary first = row(40, 0.005), second = row(60, 0.005);
    first.resolution = second.resolution = 5;
    assert_int_equal(after_two(rule, &first, &second), KT_STOP_RESOLUTION);
    rule.rel_err = 0.01;
    assert_int_equal(after_two(rule, &first, &second), KT_STOP_REL_ERR);
    rule.rel_err = 0.001;
    second.resolution = 4.9;
    assert_int_equal(after_two(rule, &first, &second), KT_STOP_NONE);
    second.resolution = 0;
    assert_int_equal(after_two(rule, &first, &second), KT_STOP_NONE);
    /* A row with a fine clock is narrow enough by itself. */
    second = row(60, 0.0005);
    assert_int_equal(after_two(rule, &first, &second), KT_STOP_RESOLUTION);
}

/* 60 samples: three deviations of a share are 3 * 0.5 / sqrt(60) = 0.1936. */
static void two_levels_need_a_clear_majority(void **state)
{
    const kt_summary first = row(40, 0);
    kt_summary second = row(60, 0);
    second.warnings = KT_WARNING_BIMODAL;
    second.cluster_high_share = 0.5 + 0.194;
    assert_int_equal(after_two(make_rule(), &first, &second), KT_STOP_REL_ERR);
    second.cluster_high_share = 0.5 - 0.194;
    assert_int_equal(after_two(make_rule(), &first, &second), KT_STOP_REL_ERR);
    second.cluster_high_share = 0.5 + 0.193;
    assert_int_equal(after_two(make_rule(), &first, &second), KT_STOP_NONE);
}

static void expect_looks(kt_stopping rule, const uint32_t *expected, size_t count)
{
    size_t found = 0;
    for (uint32_t n = 0; n <= 1100; n++) {
        if (!kt_stopping_looks(&rule, n))
            continue;
        assert_true(found < count);
        assert_int_equal(n, expected[found]);
        found++;
    }
    assert_int_equal(found, count);
}

/* Each time half as many again, rounded up; none at the maximum, where sampling ends in any
 * case. */
static void looks_grow_by_half(void **state)
{
    static const uint32_t usual[] = {30, 45, 68, 102, 153, 230, 345, 518, 777};
    static const uint32_t later[] = {100, 150, 225, 338, 507, 761};
    kt_stopping rule = make_rule();
    expect_looks(rule, usual, sizeof usual / sizeof usual[0]);
    rule.samples_max = 102;
    expect_looks(rule, usual, 3);
    rule.samples_max = 30;
    expect_looks(rule, usual, 0);
    rule.samples_min = 100;
    rule.samples_max = 1000;
    expect_looks(rule, later, sizeof later / sizeof later[0]);
}

/* What is surely done: it ends by the maximum, or once both the minimum and the time are reached.
 */
static void fraction_by_hand(void **state)
{
    kt_stopping rule = make_rule();
    rule.samples_max = 100;
    EXPECT_NUMBER(kt_stopping_fraction(&rule, 0, 0), 0);
    EXPECT_NUMBER(kt_stopping_fraction(&rule, 5, 2 * SECOND), 0.5); /* 5 of at least 10 */
    EXPECT_NUMBER(kt_stopping_fraction(&rule, 20, SECOND), 0.5);    /* half of the time */
    EXPECT_NUMBER(kt_stopping_fraction(&rule, 75, SECOND), 0.75);   /* 75 of at most 100 */
    EXPECT_NUMBER(kt_stopping_fraction(&rule, 20, 4 * SECOND), 1);
    EXPECT_NUMBER(kt_stopping_fraction(&rule, 100, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_in_their_order),
        cmocka_unit_test(two_narrow_intervals_end_it),
        cmocka_unit_test(every_row_counts),
        cmocka_unit_test(samples_that_resemble_each_other_are_worth_less),
        cmocka_unit_test(a_coarse_clock_is_not_chased),
        cmocka_unit_test(two_levels_need_a_clear_majority),
        cmocka_unit_test(looks_grow_by_half),
        cmocka_unit_test(fraction_by_hand),
    };
    return cmocka_run_group_tests_name("stopping", tests, NULL, NULL);
}
