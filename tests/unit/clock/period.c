/* SPDX-License-Identifier: MIT */
/* Bounds of a tick's length from pairs, of which one's reading may be anywhere within it. */
#include "clock/period.h"
#include "tests/unit/testing.h"

#include <math.h>

#define TRUE_NS 83.25
#define BITS    32

/* The counter was read at `at_ns`, and the host's clock so long before and after. */
static void add(kt_period *period, double at_ns, int64_t before_ns, int64_t after_ns)
{
    uint64_t ticks = (uint64_t)(at_ns / TRUE_NS) & UINT32_MAX;
    const kt_clock_pair pair = {(int64_t)at_ns - before_ns, ticks, (int64_t)at_ns + after_ns};
    kt_period_add(period, &pair, BITS, 1, 1e11);
}

/* Ten pairs, one each ms, the host's clock read long before all, but long after the first four. */
static void add_ten(kt_period *period)
{
    for (int i = 1; i <= 10; i++)
        add(period, i * 1e6, 900, i <= 4 ? 50000 : 100);
}

static void truth_is_within(void **state)
{
    kt_period period = {0};
    assert_true(isinf(kt_period_error(&period)));
    EXPECT_NUMBER(kt_period_within(&period, 17, 1e-5), 17);
    add_ten(&period);
    double error = kt_period_error(&period), off = 0;
    assert_true(error > 0 && error < 1e-3);
    for (int i = 1; i <= 2000; i++) {
        add(&period, 1e7 + i * 1e6, 100 + i * 7919 % 700, 100 + i * 104729 % 700);
        assert_true(kt_period_error(&period) <= error);
        error = kt_period_error(&period);
        off = fabs(kt_period_within(&period, TRUE_NS, INFINITY) / TRUE_NS - 1);
        assert_true(off <= error);
    }
    assert_true(error < 1e-6); /* 1 us and two ticks, of 2 s */
}

/* What cold calls took says nothing of the others. */
static void cold_pairs_count_for_nothing(void **state)
{
    kt_period cold = {0}, warm = {0};
    add_ten(&cold);
    for (int i = 1; i <= 10; i++)
        add(&warm, i * 1e6, 900, 100);
    EXPECT_NUMBER(kt_period_error(&cold), kt_period_error(&warm));
}

static void an_estimate_is_kept_if_it_may_be(void **state)
{
    kt_period period = {0};
    add_ten(&period);
    double error = kt_period_error(&period), middle_ns = kt_period_within(&period, 0, error);
    double least_ns = kt_period_within(&period, 0, 0), most_ns = kt_period_within(&period, 99, 0);
    assert_true(least_ns < TRUE_NS && TRUE_NS < most_ns);
    EXPECT_NEAR(middle_ns, (least_ns + most_ns) / 2, 1e-9);
    EXPECT_NEAR(error, (most_ns - middle_ns) / middle_ns, 1e-9);
    EXPECT_NUMBER(kt_period_within(&period, TRUE_NS, 0), TRUE_NS);
    EXPECT_NUMBER(kt_period_within(&period, TRUE_NS, 1), middle_ns);
}

/* Nothing is made of it but what all pairs tell. */
static void no_estimate_is_no_bound(void **state)
{
    kt_period period = {0};
    EXPECT_NUMBER(kt_period_within(&period, NAN, 1e-5), NAN);
    for (int pairs = 1; pairs <= 10; pairs++) {
        add(&period, pairs * 1e6, 900, 100);
        EXPECT_NUMBER(kt_period_within(&period, NAN, 0), NAN);
    }
    double error = kt_period_error(&period);
    EXPECT_NUMBER(kt_period_within(&period, NAN, error), kt_period_within(&period, 1, error));
}

/* After a jump of the host's clock, or of the counter, it is found anew. */
static void a_jump_begins_anew(void **state)
{
    kt_period period = {0};
    for (int i = 1; i <= 500; i++)
        add(&period, i * 1e6, 100, 100);
    for (int i = 501; i <= 1500; i++)
        add(&period, 3600e9 + i * 1e6, 100 - 7000000, 100 + 7000000);
    double found_ns = kt_period_within(&period, 0, INFINITY);
    assert_true(fabs(found_ns / TRUE_NS - 1) <= kt_period_error(&period));
    assert_true(kt_period_error(&period) < 1e-6);
}

/* A turn of the counter takes 357 s: what is further away might be more than one. */
static void what_is_too_far_away_says_nothing(void **state)
{
    kt_period period = {0};
    add_ten(&period);
    double error = kt_period_error(&period);
    add(&period, 200e9, 100, 100);
    EXPECT_NUMBER(kt_period_error(&period), error);
    add(&period, 90e9, 100, 100);
    assert_true(kt_period_error(&period) < error / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth_is_within),
        cmocka_unit_test(cold_pairs_count_for_nothing),
        cmocka_unit_test(an_estimate_is_kept_if_it_may_be),
        cmocka_unit_test(no_estimate_is_no_bound),
        cmocka_unit_test(a_jump_begins_anew),
        cmocka_unit_test(what_is_too_far_away_says_nothing),
    };
    return cmocka_run_group_tests_name("period", tests, NULL, NULL);
}
