/* SPDX-License-Identifier: MIT */
/* Statistics of a row: sums and batches, and the inflation that batches give. */
#include "tests/unit/testing.h"

#include "statistics/interval.h"
#include "tracers/common/batches.h"

#define CALLS 20000

static double uniform(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform(state);
    return sum;
}

static void sums_are_those_of_the_times(void **state)
{
    static double times[CALLS];
    trace_statistics *s = calloc(1, sizeof *s);
    uint64_t random = 7;
    double total = 0;
    for (int i = 0; i < CALLS; i++) {
        times[i] = floor(1000 + 1e6 * uniform(&random));
        total += times[i];
        trace_statistics_add(s, times[i]);
    }
    kt_sort(times, CALLS);
    assert_int_equal(s->count, CALLS);
    EXPECT_NUMBER(s->total_ns, total);
    EXPECT_NUMBER(s->min_ns, times[0]);
    EXPECT_NUMBER(s->max_ns, times[CALLS - 1]);
    for (uint64_t rank = 1; rank <= CALLS; rank += 999) {
        double exact = times[rank - 1];
        EXPECT_NEAR(kt_histogram_at_rank(&s->histogram, rank), exact, exact / 65);
    }
    free(s);
}

/* The mean of the inflations of 20 series of times that resemble their neighbours by `phi`. */
static double inflation_of_series(double phi, int count, int first_slow)
{
    double sum = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        trace_statistics *s = calloc(1, sizeof *s);
        uint64_t random = 1000 * seed;
        double deviation = 0;
        for (int i = 0; i < count; i++) {
            deviation = phi * deviation + normal(&random);
            trace_statistics_add(s, (i < first_slow ? 20000 : 10000) + 100 * deviation);
        }
        sum += trace_inflation(s);
        free(s);
    }
    return sum / 20;
}

static void inflation_of_independent_times_is_near_1(void **state)
{
    EXPECT_NEAR(inflation_of_series(0, 50, 0), 1.25, 0.25);
    EXPECT_NEAR(inflation_of_series(0, 100, 0), 1.25, 0.25);
    EXPECT_NEAR(inflation_of_series(0, CALLS, 0), 1.25, 0.25);
}

/* (1 + phi) / (1 - phi) for a mean. Sides of the median resemble each other less: arcsine law. */
static void inflation_of_a_series_is_near_its_theory(void **state)
{
    double phi = 0.9, sides = 1, mean = (1 + phi) / (1 - phi), power = phi;
    for (int lag = 1; lag < 200; lag++, power *= phi)
        sides += 2 * asin(power) / asin(1);
    assert_true(sides < mean);
    double seen = inflation_of_series(phi, CALLS, 0);
    assert_in_range((uintmax_t)seen, (uintmax_t)(0.8 * sides), (uintmax_t)(1.3 * mean));
    /* Batches of 8 are shorter than the correlation. */
    seen = inflation_of_series(phi, 600, 0);
    assert_in_range((uintmax_t)seen, (uintmax_t)(0.6 * sides), (uintmax_t)(1.3 * mean));
}

/* A slow start changes the median's variance little. */
static void a_slow_start_is_no_autocorrelation(void **state)
{
    EXPECT_NEAR(inflation_of_series(0, CALLS, 64), 1.25, 0.3);
}

static void few_times_have_no_inflation(void **state)
{
    trace_statistics *s = calloc(1, sizeof *s);
    for (int i = 0; i < 19; i++)
        trace_statistics_add(s, 1000 + i);
    EXPECT_NUMBER(trace_inflation(s), NAN);
    free(s);
}

static void equal_times_have_inflation_1(void **state)
{
    trace_statistics *s = calloc(1, sizeof *s);
    for (int i = 0; i < 1000; i++)
        trace_statistics_add(s, 1000);
    EXPECT_NUMBER(trace_inflation(s), 1);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_the_times),
        cmocka_unit_test(inflation_of_independent_times_is_near_1),
        cmocka_unit_test(inflation_of_a_series_is_near_its_theory),
        cmocka_unit_test(a_slow_start_is_no_autocorrelation),
        cmocka_unit_test(few_times_have_no_inflation),
        cmocka_unit_test(equal_times_have_inflation_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
