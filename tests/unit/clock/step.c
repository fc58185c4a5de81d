/* SPDX-License-Identifier: MIT */
/* Steps of clocks that are no whole number of ticks, from distances of timestamps that were cut or
 * rounded to whole ones. */
#include "clock/step.h"
#include "tests/unit/testing.h"

#include <math.h>
#include <stdint.h>

enum { COUNT = 600 };

static uint64_t random_state;

static uint64_t random_below(uint64_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % limit;
}

/* Distances of timestamps on a clock of that step: short ones, as of empty steps, and long ones, as
 * between them. */
static void make(double *distances, double step, double offset, uint64_t seed)
{
    uint64_t steps = 1000000 + seed;
    random_state = seed;
    double last = floor((double)steps * step + offset);
    for (size_t i = 0; i < COUNT; i++) {
        steps += i % 2 ? 40 + random_below(8) : 400 + random_below(700);
        double next = floor((double)steps * step + offset);
        distances[i] = next - last;
        last = next;
    }
}

static void a_step_between_whole_ticks_is_found(void **state)
{
    static const double steps[] = {125.0 / 3, 250.0 / 3, 1000.0 / 19.2, 40.5, 16.3, 999.9};
    double distances[COUNT];
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            make(distances, steps[i], seed % 2 ? 0 : 0.5, seed);
            /* A distance of 1,000 steps and more is off by one tick at most. */
            EXPECT_NEAR(kt_step_find(distances, COUNT), steps[i], 2.0 / 1000);
        }
}

static void the_largest_one_is(void **state)
{
    double distances[COUNT];
    make(distances, 125.0 / 3, 0, 3);
    for (size_t i = 0; i < COUNT; i++) /* every second step alone */
        distances[i] = floor(2 * 125.0 / 3 * (double)(40 + i * 7 % 60));
    EXPECT_NEAR(kt_step_find(distances, COUNT), 250.0 / 3, 0.02);
}

static void a_clock_that_moves_by_its_ticks_has_none(void **state)
{
    double distances[COUNT];
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state = seed;
        for (size_t i = 0; i < COUNT; i++)
            distances[i] = (double)(2000 + random_below(i % 2 ? 40 : 50000));
        assert_true(isnan(kt_step_find(distances, COUNT)));
    }
}

/* Of the shortest, one that is not on the grid is one too many: nothing is known of it. */
static void a_short_one_that_does_not_fit_spoils_all(void **state)
{
    double distances[COUNT];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make(distances, 125.0 / 3, 0, seed);
        for (size_t i = 0; i < COUNT; i++)
            if (distances[i] < 1710) /* 40 or 41 steps: the shortest */
                distances[i] += 5;   /* an eighth of the step, too short for one */
        assert_true(isnan(kt_step_find(distances, COUNT)));
    }
}

/* As on processors whose clock moves by 10 ns, but for timestamps that were interrupted. */
static void make_interrupted(double *distances, uint64_t seed, size_t every)
{
    make(distances, 10.0148, 0, seed);
    for (size_t i = 1; i < COUNT; i += 2)
        distances[i] = floor(10.0148 * (double)(2 + random_below(8))); /* empty steps */
    for (size_t i = 0; i < COUNT; i += every)
        distances[i] += floor(10.0148 * 2000) + 5; /* longer, and half a step beside the grid */
}

static void a_few_long_ones_may_lie_beside_the_resolution(void **state)
{
    double distances[COUNT];
    for (uint64_t seed = 1; seed <= 100; seed++) {
        make_interrupted(distances, seed, 200);
        double step = kt_step_find(distances, COUNT);
        EXPECT_NEAR(step, 10.0148, 0.01);
    }
}

/* The step is found whatever lies near them, and half of it is not, which all are multiples of. */
static void a_long_one_may_lie_beside_one_on_the_resolution(void **state)
{
    static const double steps[] = {10.0148, 125.0 / 3, 250.0 / 3};
    double distances[COUNT];
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            make(distances, steps[i], 0, seed);
            double longest = 0;
            for (size_t k = 0; k < 256; k++) /* so few that all of them are looked at */
                longest = fmax(longest, distances[k]);
            for (size_t k = 256; k < COUNT; k++)
                distances[k] = distances[k - 256];
            distances[COUNT - 1] = floor(longest + steps[i] / 2);
            EXPECT_NEAR(kt_step_find(distances, COUNT), steps[i], 0.1);
        }
}

static void many_may_not(void **state)
{
    double distances[COUNT];
    for (uint64_t seed = 1; seed <= 100; seed++) {
        make_interrupted(distances, seed, 10);
        assert_true(isnan(kt_step_find(distances, COUNT)));
    }
}

static void too_few_show_nothing(void **state)
{
    double distances[COUNT];
    assert_true(isnan(kt_step_find(distances, 0)));
    make(distances, 125.0 / 3, 0, 5);
    assert_true(isnan(kt_step_find(distances, 1)));
    make(distances, 125.0 / 3, 0, 5);
    assert_true(isnan(kt_step_find(distances, 4)));
    for (size_t i = 0; i < COUNT; i++)
        distances[i] = 2000; /* all alike */
    assert_true(isnan(kt_step_find(distances, COUNT)));
    /* Few that are not: what takes the same time again and again says the same again and again. */
    static const double few[] = {100, 101, 7206, 7207, 7208, 9013};
    for (size_t i = 0; i < COUNT; i++)
        distances[i] = few[i % (sizeof few / sizeof few[0])];
    assert_true(isnan(kt_step_find(distances, COUNT)));
}

/* As of gettimeofday() in a double of ns since 1970: whole us, rounded to 256 ns each. */
static void make_rounded(double *distances, double step, uint64_t seed)
{
    random_state = seed;
    for (size_t i = 0; i < COUNT; i++) {
        double from = step * (double)random_below(100000);
        double to = from + step * (double)random_below(i % 2 ? 3 : 300);
        distances[i] = 256 * (round(to / 256) - round(from / 256));
    }
}

static void a_reported_step_is_seen_through_its_rounding(void **state)
{
    double distances[COUNT];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_rounded(distances, 1000, seed);
        assert_true(kt_step_fits(distances, COUNT, 1000, 256));
        make_rounded(distances, 1000, seed);
        assert_false(kt_step_fits(distances, COUNT, 900, 256));
        make_rounded(distances, 256, seed); /* it moves by no more than that */
        assert_false(kt_step_fits(distances, COUNT, 1000, 256));
        make_rounded(distances, 1000, seed);
        assert_false(kt_step_fits(distances, COUNT, 500, 256)); /* whatever it is would fit */
        assert_false(kt_step_fits(distances, COUNT, 0, 256));
    }
}

static void a_reported_step_needs_unlike_distances(void **state)
{
    double distances[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        distances[i] = 256 * (double)(i % 3 ? 172 : 176); /* 44,032 and 45,056 */
    assert_false(kt_step_fits(distances, COUNT, 1000, 256));
    make_rounded(distances, 1000, 3);
    assert_false(kt_step_fits(distances, 5, 1000, 256));
    assert_false(kt_step_fits(distances, 0, 1000, 256));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_between_whole_ticks_is_found),
        cmocka_unit_test(the_largest_one_is),
        cmocka_unit_test(a_clock_that_moves_by_its_ticks_has_none),
        cmocka_unit_test(a_short_one_that_does_not_fit_spoils_all),
        cmocka_unit_test(a_few_long_ones_may_lie_beside_the_resolution),
        cmocka_unit_test(a_long_one_may_lie_beside_one_on_the_resolution),
        cmocka_unit_test(many_may_not),
        cmocka_unit_test(too_few_show_nothing),
        cmocka_unit_test(a_reported_step_is_seen_through_its_rounding),
        cmocka_unit_test(a_reported_step_needs_unlike_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
