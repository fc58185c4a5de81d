/* SPDX-License-Identifier: MIT */
/* Which of several baselines with one name counts, and how many samples it gets. Times are not
 * expected: one version sleeps, and the other does not. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "cli/session/session.h"
#include "tests/unit/testing.h"

#include <time.h>

static int ran[3], wrong, is_wrong;

static void reset(void *problem)
{
    is_wrong = 0;
}

static int check(const void *problem)
{
    return !is_wrong;
}

static void run(int which)
{
    const struct timespec moment = {.tv_nsec = 10500000}, disturbed = {.tv_nsec = 200000};
    if (which != 1)
        nanosleep(&moment, NULL);
    else if (ran[which] == 0)
        nanosleep(&disturbed, NULL);
    ran[which]++;
    is_wrong = wrong == which;
}

static void run_sequential(void *problem)
{
    run(0);
}

static void run_quick(void *problem)
{
    run(1);
}

static void run_slow(void *problem)
{
    run(2);
}

static const workload_baseline list[] = {{"sequential", "plain", run_sequential, 0},
                                         {"best", "slow", run_slow, 0},
                                         {"best", "quick", run_quick, 0}};
static const workload work = {.name = "work",
                              .baselines = list,
                              .baseline_count = 3,
                              .flops = workload_no_flops,
                              .bytes = workload_array_bytes,
                              .largest_bytes = workload_array_bytes,
                              .problem_reset = reset,
                              .problem_check = check};
static cli_options options;
static session s;

static int end(void **state)
{
    kt_report_destroy(&s.report);
    return 0;
}

/* Runs all baselines of a case with so many samples. */
static void run_baselines(uint32_t samples)
{
    const plan_item item = {.workload = &work};
    const session_case c = {.item = &item, .size = 8, .name = "work/8", .param = {"size", 8}};
    options.baseline_samples = samples;
    s = (session){.options = &options, .plan = {.baselines = true}};
    memset(ran, 0, sizeof ran);
    EXPECT_OK(kt_report_create(&s.report, NULL));
    session_run_baselines(&s, &c);
}

static void the_fastest_of_a_name_counts(void **state)
{
    wrong = -1;
    run_baselines(15);
    assert_false(s.failed);
    assert_int_equal(kt_report_baseline_count(s.report), 2);
    const kt_baseline *sequential = kt_report_baseline(s.report, 0),
                      *best = kt_report_baseline(s.report, 1);
    assert_string_equal(sequential->name, "sequential");
    assert_int_equal(sequential->n, 15);
    assert_int_equal(ran[0], 15); /* a long first run is a sample */
    assert_string_equal(best->name, "best");
    assert_string_equal(best->flags, "quick");
    assert_int_equal(best->threads, 1);
    assert_int_equal(best->n, 15);
    assert_in_range(ran[2], 2, 14); /* until it was far slower */
}

/* One of each block, unless the time was up. */
static void as_many_samples_as_fit(void **state)
{
    wrong = -1;
    run_baselines(BASELINE_SAMPLES_AUTO);
    const kt_baseline *sequential = kt_report_baseline(s.report, 0);
    double used_ns = 0;
    for (size_t i = 0; i < sequential->n; i++)
        used_ns += sequential->samples_ns[i];
    assert_in_range(sequential->n, 1, BASELINE_BLOCKS);
    assert_true(sequential->n == BASELINE_BLOCKS || used_ns > BASELINE_MAX_NS / 2);
}

static void wrong_output_of_one_fails(void **state)
{
    for (wrong = 1; wrong <= 2; wrong++) {
        run_baselines(3);
        assert_true(s.failed);
        assert_int_equal(kt_report_baseline_count(s.report), 1);
        assert_string_equal(kt_report_baseline(s.report, 0)->name, "sequential");
        kt_report_destroy(&s.report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_fastest_of_a_name_counts, end),
        cmocka_unit_test_teardown(as_many_samples_as_fit, end),
        cmocka_unit_test_teardown(wrong_output_of_one_fails, end),
    };
    return cmocka_run_group_tests_name("session_baselines", tests, NULL, NULL);
}
