/* Steps of clocks that are no whole number of ticks, from distances of stamps that were cut or
 * rounded to whole ones. */
#include "tests/unit/testing.h"

#include "step.h"

#include <math.h>
#include <stdint.h>

enum { COUNT = 600 };

static uint64_t random_state;

static uint64_t random_below(uint64_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % limit;
}

/* Distances of stamps on a clock of that step: short ones, as of empty steps, and long ones, as
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
    (void)state;
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
    (void)state;
    double distances[COUNT];
    make(distances, 125.0 / 3, 0, 3);
    for (size_t i = 0; i < COUNT; i++) /* every second step alone */
        distances[i] = floor(2 * 125.0 / 3 * (double)(40 + i * 7 % 60));
    EXPECT_NEAR(kt_step_find(distances, COUNT), 250.0 / 3, 0.02);
}

static void a_clock_that_moves_by_its_ticks_has_none(void **state)
{
    (void)state;
    double distances[COUNT];
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state = seed;
        for (size_t i = 0; i < COUNT; i++)
            distances[i] = (double)(2000 + random_below(i % 2 ? 40 : 50000));
        assert_true(isnan(kt_step_find(distances, COUNT)));
    }
}

/* One stamp that is not on the grid is one too many: nothing is known of it. */
static void one_that_does_not_fit_spoils_all(void **state)
{
    (void)state;
    double distances[COUNT];
    make(distances, 125.0 / 3, 0, 7);
    distances[COUNT / 2] += 5; /* 10 would be a quarter of the step */
    assert_true(isnan(kt_step_find(distances, COUNT)));
}

static void too_few_show_nothing(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_between_whole_ticks_is_found),
        cmocka_unit_test(the_largest_one_is),
        cmocka_unit_test(a_clock_that_moves_by_its_ticks_has_none),
        cmocka_unit_test(one_that_does_not_fit_spoils_all),
        cmocka_unit_test(too_few_show_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
