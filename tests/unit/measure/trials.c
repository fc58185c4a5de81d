/* SPDX-License-Identifier: MIT */
/* How many dispatches a coarse clock needs: the rule's answers, one after another. Times in ns. */
#include "measure/rules.h"
#include "tests/unit/testing.h"

#define BUDGET 1e8 /* 2 s for ten samples of two submissions */

static kt_trials make_rule(double rel_err)
{
    return kt_trials_rule(65536, 0, rel_err, BUDGET, 0);
}

static uint32_t next_after(kt_trials *rule, uint32_t trials, double shortest_ns, double wall_ns)
{
    kt_trials_add(rule, shortest_ns, wall_ns);
    return kt_trials_next(rule, trials);
}

/* 1 / 0.5 % of the clock's steps; ten of them; ten empty steps. Whichever is most. */
static void what_is_wanted(void **state)
{
    EXPECT_NUMBER(kt_trials_rule(65536, 0, 0.005, BUDGET, 0).wanted_ns, 200 * 65536.0);
    EXPECT_NUMBER(kt_trials_rule(65536, 65536, 0.5, BUDGET, 0).wanted_ns, 10 * 65536.0);
    EXPECT_NUMBER(kt_trials_rule(1000, 4000, 0.05, BUDGET, 0).wanted_ns, 40000);
    EXPECT_NUMBER(kt_trials_rule(1000, 4000, 0.02, BUDGET, 0).wanted_ns, 50000);
    assert_int_equal(kt_trials_rule(1000, 0, 0.02, BUDGET, 0).most, 4096);
    assert_int_equal(kt_trials_rule(1000, 0, 0.02, BUDGET, 3).most, 3);
    assert_int_equal(kt_trials_rule(1000, 0, 0.02, BUDGET, 5000).most, 4096);
}

/* Ten steps to an empty step are fine; so is a clock of which nothing is known. */
static void a_fine_clock_needs_one(void **state)
{
    static const struct {
        double resolution_ns, min_span_ns;
    } fine[] = {{1, 10}, {1, 100}, {256, 75520}, {0, 0}, {NAN, NAN}};
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        kt_trials rule =
            kt_trials_rule(fine[i].resolution_ns, fine[i].min_span_ns, 0.005, BUDGET, 0);
        EXPECT_NUMBER(rule.wanted_ns, 0);
        assert_int_equal(next_after(&rule, 1, 0, 1000), 1);
    }
    EXPECT_NUMBER(kt_trials_rule(1000, NAN, 0.005, BUDGET, 0).wanted_ns,
                  200000); /* not to be seen */
    kt_trials rule = kt_trials_rule(1, 9.99, 0.005, BUDGET, 0);
    assert_int_equal(next_after(&rule, 1, 20, 1000), 16); /* 200 / 21 = 9.5 */
}

static void a_long_step_needs_one(void **state)
{
    kt_trials rule = make_rule(0.005);
    assert_int_equal(next_after(&rule, 1, 200 * 65536.0, 2e7), 1);
    /* One step less is not enough, though it may be the truth: 200 / 200 would be one. */
    assert_int_equal(next_after(&rule, 1, 199 * 65536.0, 2e7), 2);
    assert_int_equal(kt_trials_next(&rule, 1), 1); /* nothing was added since */
}

/* What spans k steps takes less than k + 1. From 20 us: 0 of 1, 78 of 256 (78.1), 312 of 1024. */
static void it_grows_to_what_is_needed(void **state)
{
    kt_trials rule = make_rule(0.005);
    assert_int_equal(next_after(&rule, 1, 0, 27000), 256);
    assert_int_equal(next_after(&rule, 256, 78 * 65536.0, 5.2e6), 1024); /* 256 * 200 / 79 = 648 */
    assert_int_equal(next_after(&rule, 1024, 312 * 65536.0, 2.1e7), 1024);
    /* Nothing to be seen grows all the same, at 10 % by 16: 10 / 1. */
    rule = make_rule(0.1);
    assert_int_equal(next_after(&rule, 1, 0, 7000), 16);
    assert_int_equal(next_after(&rule, 16, 0, 7100), 256);
    assert_int_equal(next_after(&rule, 256, 0, 7200), 4096);
    assert_int_equal(next_after(&rule, 4096, 0, 9000), 4096);
}

static void the_median_of_the_newest_counts(void **state)
{
    kt_trials rule = make_rule(0.005);
    kt_trials_add(&rule, 1e9, 1e9);
    kt_trials_add(&rule, 100 * 65536.0, 1e7);
    kt_trials_add(&rule, 5e8, 5e8); /* interrupted */
    kt_trials_add(&rule, 99 * 65536.0, 1e7);
    assert_int_equal(kt_trials_next(&rule, 1), 2); /* 200 / 101 */
    kt_trials_add(&rule, 210 * 65536.0, 2e7);
    assert_int_equal(kt_trials_next(&rule, 2), 2); /* the earlier ones are forgotten */
}

static void the_job_may_not_allow_it(void **state)
{
    kt_trials rule = kt_trials_rule(65536, 0, 0.005, BUDGET, 1);
    assert_int_equal(next_after(&rule, 1, 0, 7000), 1);
    rule = kt_trials_rule(65536, 0, 0.005, BUDGET, 3);
    assert_int_equal(next_after(&rule, 1, 0, 7000), 3);
    assert_int_equal(next_after(&rule, 3, 0, 7000), 3);
}

/* As many as fit into the time, by powers of two; what a submission costs is shared by more of
 * them. */
static void there_may_be_no_time_for_it(void **state)
{
    kt_trials rule = make_rule(0.005);
    assert_int_equal(next_after(&rule, 1, 0, 1e6), 64);          /* 100 ms / 1 ms = 100 */
    assert_int_equal(next_after(&rule, 64, 65536, 2e6), 2048);   /* 64 * 32, of 50; 6400 wanted */
    assert_int_equal(next_after(&rule, 2048, 65536, 6e7), 2048); /* 120 ms would be too much */
    assert_int_equal(next_after(&rule, 1, 0, 5.1e7), 1);
    assert_int_equal(next_after(&rule, 1, 0, 5e7), 2);
    assert_int_equal(next_after(&rule, 1, 0, 1e10), 1);
    rule = kt_trials_rule(65536, 0, 0.005, 0.05, 0);
    assert_int_equal(next_after(&rule, 1, 0, 7000), 1);
    rule = make_rule(0.005); /* a host clock that stands still */
    assert_int_equal(next_after(&rule, 1, 0, 0), 256);
}

static void no_number_is_too_odd(void **state)
{
    kt_trials rule = make_rule(1e-300);
    assert_int_equal(next_after(&rule, 1, 0, 1), 4096);
    rule = make_rule(1e300);
    assert_int_equal(next_after(&rule, 1, 0, 1), 16);
    rule = kt_trials_rule(1e300, 0, 0.005, INFINITY, UINT32_MAX);
    assert_int_equal(next_after(&rule, 1, 0, 1), 256);
    assert_int_equal(next_after(&rule, 4096, 0, 1), 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wanted),
        cmocka_unit_test(a_fine_clock_needs_one),
        cmocka_unit_test(a_long_step_needs_one),
        cmocka_unit_test(it_grows_to_what_is_needed),
        cmocka_unit_test(the_median_of_the_newest_counts),
        cmocka_unit_test(the_job_may_not_allow_it),
        cmocka_unit_test(there_may_be_no_time_for_it),
        cmocka_unit_test(no_number_is_too_odd),
    };
    return cmocka_run_group_tests_name("trials", tests, NULL, NULL);
}
