/* SPDX-License-Identifier: MIT */
/* How long a measurement takes still, and when its device is too slow. */
#include "cli/session/pace.h"
#include "tests/unit/testing.h"

#include <math.h>

#define MS INT64_C(1000000)
#define S  (1000 * MS)

static const kt_measure_options usual = {.size = sizeof usual};
static const kt_progress none = {.median_ns = NAN, .error = NAN};

static kt_progress sampled(uint32_t samples, int64_t elapsed_ns, double error)
{
    return (kt_progress){
        .samples = samples, .elapsed_ns = elapsed_ns, .median_ns = 1, .error = error};
}

/* First use of 100 ms, and one round of warm-up. */
static pace begun(int64_t round_ns)
{
    pace p = pace_of_plan(1e9);
    pace_follow(&p, &usual, &none, S);
    EXPECT_NEAR(pace_total_ns(&p), 1e9, 0);
    pace_follow(&p, &usual, &none, S + 100 * MS);
    EXPECT_NEAR(p.spent_ns, 100e6, 0);
    EXPECT_NEAR(pace_total_ns(&p), 1e9, 0); /* it may have been compilation */
    pace_follow(&p, &usual, &none, S + 100 * MS + round_ns);
    return p;
}

static void the_first_round_shows_what_is_left(void **state)
{
    pace p = begun(MS); /* 1000 samples of 1 ms, and an eighth for warm-up */
    EXPECT_NEAR(p.left_ns, 1e9 + 125e6 - 101e6, 1);
    p = begun(10 * MS); /* the time limit of 2 s */
    EXPECT_NEAR(p.left_ns, 2e9 + 250e6 - 110e6, 1);
    p = begun(S); /* 10 samples in any case */
    EXPECT_NEAR(p.left_ns, 10e9 + 1250e6 - 1100e6, 1);
}

static void samples_show_what_is_left(void **state)
{
    pace p = begun(10 * MS);
    kt_progress progress = sampled(1, 10 * MS, NAN);
    pace_follow(&p, &usual, &progress, 9 * S);
    EXPECT_NEAR(p.left_ns, 1990e6, 1);
    EXPECT_NEAR(p.spent_ns, 120e6, 1);
    progress = sampled(40, 400 * MS, 0.0075); /* (1.05 * 1.5)^2 as many samples */
    pace_follow(&p, &usual, &progress, 9 * S);
    EXPECT_NEAR(p.left_ns, 400e6 * 1.575 * 1.575 - 400e6, 1);
    progress = sampled(20, 200 * MS, 0.0001); /* a second look at 45 samples */
    pace_follow(&p, &usual, &progress, 9 * S);
    EXPECT_NEAR(p.left_ns, 250e6, 1);
    progress = sampled(40, 400 * MS, 0.5); /* the time limit comes first */
    pace_follow(&p, &usual, &progress, 9 * S);
    EXPECT_NEAR(p.left_ns, 1600e6, 1);
    progress.ended = 1;
    pace_follow(&p, &usual, &progress, 9 * S);
    EXPECT_NEAR(p.left_ns, 0, 0);
    EXPECT_NEAR(pace_total_ns(&p), 510e6, 1);
}

static void options_limit_what_is_left(void **state)
{
    const kt_measure_options few = {.size = sizeof few, .samples_min = 3, .samples_max = 3};
    const kt_measure_options brief = {.size = sizeof brief, .max_time_ns = 300 * MS};
    const kt_progress progress = sampled(1, 100 * MS, NAN);
    pace p = begun(100 * MS);
    pace_follow(&p, &few, &progress, 9 * S);
    EXPECT_NEAR(p.left_ns, 200e6, 1);
    const kt_progress shorter = sampled(1, MS, NAN);
    pace_follow(&p, &brief, &shorter, 9 * S);
    EXPECT_NEAR(p.left_ns, 299e6, 1);
}

/* So long a first use is no compilation: the second submission need not be waited for. */
static void a_long_first_use_is_a_dispatch(void **state)
{
    const kt_measure_options alone = {.size = sizeof alone, .timing = KT_TIMING_DEVICE};
    pace p = pace_of_plan(1e9);
    pace_follow(&p, &usual, &none, S);
    pace_follow(&p, &usual, &none, 11 * S); /* a sample has two submissions */
    EXPECT_NEAR(pace_total_ns(&p), 10e9 + 10e9 + 200e9, 1);
    p = pace_of_plan(1e9);
    pace_follow(&p, &alone, &none, S);
    pace_follow(&p, &alone, &none, 11 * S);
    EXPECT_NEAR(pace_total_ns(&p), 10e9 + 100e9, 1);
}

static void slow_is_longer_than_all_others_together(void **state)
{
    assert_true(pace_is_too_slow(200e9, 40e9, 20e9));
    assert_false(pace_is_too_slow(39e9, 40e9, 10e9)); /* together the others take longer */
    assert_false(pace_is_too_slow(39e9, 20e9, 20e9)); /* beside a single other: twice as long */
    assert_true(pace_is_too_slow(41e9, 20e9, 20e9));
    assert_false(pace_is_too_slow(4e9, 1e9, 1e9)); /* nobody minds */
    assert_false(pace_is_too_slow(200e9, 0, 0));   /* there is no other */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_round_shows_what_is_left),
        cmocka_unit_test(samples_show_what_is_left),
        cmocka_unit_test(options_limit_what_is_left),
        cmocka_unit_test(a_long_first_use_is_a_dispatch),
        cmocka_unit_test(slow_is_longer_than_all_others_together),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
