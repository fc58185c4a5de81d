/* When sampling ends: the order of the rules, and when the intervals are looked at. */
#include "stopping.h"
#include "testing.h"

#define SECOND INT64_C(1000000000)

static kt_stopping make_rule(void)
{
    return (kt_stopping){
        .samples_min = 10, .samples_max = 100, .rel_err = 0.01, .max_time_ns = 2 * SECOND};
}

/* What the rule says after a look that showed one row with an interval of so much. */
static kt_stop check(kt_stopping rule, uint32_t samples, int64_t elapsed_ns, double rel_err)
{
    const kt_summary summary = {.n = samples,
                                .median = 1000,
                                .ci95_low = 1000 - 1000 * rel_err,
                                .ci95_high = 1000 + 1000 * rel_err};
    if (kt_stopping_looks(&rule, samples))
        kt_stopping_add(&rule, &summary);
    return kt_stopping_check(&rule, samples, elapsed_ns);
}

static void rules_in_their_order(void **state)
{
    (void)state;
    const kt_stopping rule = make_rule();
    /* The minimum beats everything but the maximum. */
    assert_int_equal(check(rule, 9, 9 * SECOND, 0.0), KT_STOP_NONE);
    assert_int_equal(check(rule, 0, 9 * SECOND, 0.0), KT_STOP_NONE);
    assert_int_equal(check(rule, 10, 9 * SECOND, NAN), KT_STOP_MAX_TIME);
    /* Good enough beats out of time; the maximum beats both. */
    assert_int_equal(check(rule, 10, 9 * SECOND, 0.009), KT_STOP_REL_ERR);
    assert_int_equal(check(rule, 100, 9 * SECOND, 0.009), KT_STOP_MAX_SAMPLES);
    assert_int_equal(check(rule, 99, SECOND, 0.5), KT_STOP_NONE);
    assert_int_equal(check(rule, 100, 0, NAN), KT_STOP_MAX_SAMPLES);
}

static void limits_belong_to_their_rule(void **state)
{
    (void)state;
    const kt_stopping rule = make_rule();
    assert_int_equal(check(rule, 10, 2 * SECOND, 0.5), KT_STOP_MAX_TIME);
    assert_int_equal(check(rule, 10, 2 * SECOND - 1, 0.5), KT_STOP_NONE);
    assert_int_equal(check(rule, 10, 0, 0.01), KT_STOP_REL_ERR);
    assert_int_equal(check(rule, 10, 0, 0.0100001), KT_STOP_NONE);
    /* An unknown interval is never good enough. */
    assert_int_equal(check(rule, 50, 0, NAN), KT_STOP_NONE);
}

static void as_many_samples_as_asked_for(void **state)
{
    (void)state;
    kt_stopping rule = make_rule();
    rule.samples_min = rule.samples_max = 10;
    assert_int_equal(check(rule, 9, 9 * SECOND, 0), KT_STOP_NONE);
    assert_int_equal(check(rule, 10, 0, 0), KT_STOP_MAX_SAMPLES);
}

/* From 10 on, each time half as many again, rounded up: 10, 15, 23, 35, 53, 80, 120, 180. */
static void looks_grow_by_half(void **state)
{
    (void)state;
    static const uint32_t expected[] = {10, 15, 23, 35, 53, 80, 120, 180};
    kt_stopping rule = make_rule();
    rule.samples_max = 1000;
    size_t found = 0;
    for (uint32_t n = 0; n <= 200; n++) {
        if (!kt_stopping_looks(&rule, n))
            continue;
        assert_true(found < sizeof expected / sizeof expected[0]);
        assert_int_equal(n, expected[found]);
        found++;
    }
    assert_int_equal(found, sizeof expected / sizeof expected[0]);
}

/* Sampling ends there in any case. */
static void no_look_at_the_maximum(void **state)
{
    (void)state;
    kt_stopping rule = make_rule();
    rule.samples_max = 15;
    assert_true(kt_stopping_looks(&rule, 10));
    assert_false(kt_stopping_looks(&rule, 15));
}

static void the_first_look_may_be_at_one_sample(void **state)
{
    (void)state;
    kt_stopping rule = make_rule();
    rule.samples_min = 1;
    assert_false(kt_stopping_looks(&rule, 0));
    assert_true(kt_stopping_looks(&rule, 1));
    assert_true(kt_stopping_looks(&rule, 2)); /* 1 + 1/2, rounded up */
    assert_true(kt_stopping_looks(&rule, 3));
    assert_false(kt_stopping_looks(&rule, 4));
    assert_true(kt_stopping_looks(&rule, 5));
}

/* What is surely done: it ends by the maximum, or once both the minimum and the time are reached.
 */
static void fraction_by_hand(void **state)
{
    (void)state;
    const kt_stopping rule = make_rule();
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
        cmocka_unit_test(limits_belong_to_their_rule),
        cmocka_unit_test(as_many_samples_as_asked_for),
        cmocka_unit_test(looks_grow_by_half),
        cmocka_unit_test(no_look_at_the_maximum),
        cmocka_unit_test(the_first_look_may_be_at_one_sample),
        cmocka_unit_test(fraction_by_hand),
    };
    return cmocka_run_group_tests_name("stopping", tests, NULL, NULL);
}
