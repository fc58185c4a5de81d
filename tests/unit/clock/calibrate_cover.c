/* SPDX-License-Identifier: MIT */
/* Whether the truth is where it is said to be, on clocks whose true course is known: the bounds are
 * what kerntime promises (docs/clocks.md), not what it happens to reach. */
#include "bench/calibrate/clock_baselines.h"
#include "bench/calibrate/clock_scenario.h"
#include "clock/calibrate.h"
#include "tests/unit/testing.h"

#include <stdlib.h>

#define SETTLED_S 5.0

typedef struct accumulator {
    uint64_t instants, covered, first, first_covered;
    double squares;      /* of errors, once settled */
    double stated_least; /* over half the narrowest bracket */
    double *stated;      /* once settled */
    uint64_t stated_count, stated_max;
    double *errors, *usual; /* of all instants, kerntime's and those of CLOCK_NARROW; NULL: none */
    uint64_t error_count, resets;
    kt_clock_state end;
} accumulator;

#define ERRORS_MAX 80000

static void count(accumulator *t, double error_ns, double uncertainty_ns, double narrowest_ns,
                  bool settled)
{
    bool covered = fabs(error_ns) <= uncertainty_ns;
    if (!settled) {
        t->first++;
        t->first_covered += covered;
        return;
    }
    t->instants++;
    t->covered += covered;
    t->squares += error_ns * error_ns;
    t->stated_least = fmin(t->stated_least, 2 * uncertainty_ns / narrowest_ns);
    if (t->stated_count < t->stated_max)
        t->stated[t->stated_count++] = uncertainty_ns;
}

static void run_scenario(const clock_scenario *of, uint64_t seed, accumulator *t)
{
    static clock_baseline narrow;
    kt_calibration c;
    clock_baseline_init(&narrow, CLOCK_NARROW, of->period_ns);
    kt_calibration_init(&c, &(kt_calibration_rule){of->period_ns, of->bits, 1, 0});
    clock_run run = clock_run_begin(of, seed);
    clock_taken taken;
    double settled_s = SETTLED_S, previous_s = 0;
    while (clock_run_pair(&run, &taken)) {
        kt_calibration_add(&c, &taken.pair);
        clock_baseline_add(&narrow, &taken);
        t->resets += taken.reset;
        if (taken.reset || taken.seconds - previous_s > 1)
            settled_s = taken.seconds + SETTLED_S;
        previous_s = taken.seconds;
        if (run.end_ns - run.begin_ns >
            1e9) /* in a gap longer than half a turn no timestamp is unique */
            continue;
        if (of->only_restarted && !taken.reset)
            continue;
        for (int part = 0; part < 2; part++) {
            clock_instant instant = clock_run_ask(&run, part, 2);
            int64_t host_ns;
            double uncertainty_ns;
            assert_true(kt_calibration_place(&c, instant.ticks, &host_ns, &uncertainty_ns));
            double error_ns = clock_error_ns(&instant, host_ns);
            count(t, error_ns, uncertainty_ns, c.state.narrowest_ns, instant.seconds >= settled_s);
            if (t->errors && t->error_count < ERRORS_MAX) {
                int64_t usual_ns = clock_baseline_place(&narrow, instant.unwrapped);
                t->errors[t->error_count] = fabs(error_ns);
                t->usual[t->error_count++] = fabs(clock_error_ns(&instant, usual_ns));
            }
        }
    }
    kt_calibration_get_state(&c, &t->end);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void expect_promises(const clock_scenario *of, accumulator *t)
{
    double covered = (double)t->covered / (double)t->instants;
    double first = (double)t->first_covered / (double)t->first;
    double rms = sqrt(t->squares / (double)t->instants);
    qsort(t->stated, t->stated_count, sizeof *t->stated, by_value);
    double median = t->stated[t->stated_count / 2];
    if (!(covered >= 0.99 && first >= 0.97 && median <= 10 * rms)) {
        print_error("%s: %.4f covered, %.4f at first, stated %.1f times the RMS\n", of->name,
                    covered, first, median / rms);
        fail();
    }
    if (of->class == CLOCK_STEADY && !(rms <= fmax(0.35 * of->period_ns, 0.015 * of->width_ns))) {
        print_error("%s: RMS %.1f ns\n", of->name, rms);
        fail();
    }
    if (of->class == CLOCK_ONE_PLACE && !(t->stated_least >= 1)) {
        print_error("%s: states %.2f of half a bracket\n", of->name, t->stated_least);
        fail();
    }
    assert_int_equal(t->end.resets, t->resets);
}

static void what_is_stated_is_true(void **state)
{
    static double stated[80000];
    for (size_t i = 0; i < clock_scenario_count; i++) {
        clock_scenario of = clock_scenarios[i];
        if (of.class >= CLOCK_STEPS)
            continue;
        if (of.class != CLOCK_ONE_PLACE) /* there, certainty comes slowly */
            of.seconds = of.class == CLOCK_RAMP ? 200 : of.pairs_hz < 10 ? 300 : 100;
        if (of.reset_s > 0)
            of.reset_s = of.seconds / 2;
        accumulator t = {.stated_least = INFINITY, .stated = stated, .stated_max = 80000};
        run_scenario(&of, 77 + i, &t);
        expect_promises(&of, &t);
    }
}

/* ---- the hard classes ---- */

static double p99(double *errors, uint64_t count)
{
    qsort(errors, count, sizeof *errors, by_value);
    return errors[count - 1 - count / 100];
}

/* The truth is covered from the first pair on, and errors are no larger than those of the narrowest
 * pairs, `most` times. */
static void expect_class(clock_class class, double most)
{
    enum { SEEDS = 5 };
    static double errors[ERRORS_MAX], usual[ERRORS_MAX];
    for (size_t i = 0; i < clock_scenario_count; i++) {
        clock_scenario of = clock_scenarios[i];
        if (of.class != class)
            continue;
        of.seconds = of.pairs_hz < 10 ? 300 : 60;
        of.reset_s = of.reset_s > 0 ? 20 : 0;
        accumulator t = {.stated_least = INFINITY, .errors = errors, .usual = usual};
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            run_scenario(&of, 5000 + SEEDS * i + seed, &t);
        double covered = t.instants ? (double)t.covered / (double)t.instants : 1;
        double first = (double)t.first_covered / (double)t.first;
        double ours = p99(errors, t.error_count), theirs = p99(usual, t.error_count);
        if (!(covered >= 0.99 && first >= 0.99 && ours <= most * theirs)) {
            print_error("%s: %.4f covered, %.4f at first, p99 %.1f ns (narrow: %.1f)\n", of.name,
                        covered, first, ours, theirs);
            fail();
        }
    }
}

static void steps_that_nobody_reports_are_seen(void **state)
{
    expect_class(CLOCK_STEPS, 1);
}

/* Both take the middle of the one pair. */
static void one_pair_after_a_reset_is_enough(void **state)
{
    expect_class(CLOCK_RESTARTED, 1.02);
}

/* With 4 pairs a second it takes 20 s to learn the place. */
static void a_place_in_the_bracket_is_learned(void **state)
{
    expect_class(CLOCK_WANDERING_PLACE, 1.1);
}

static void all_difficulties_may_come_at_once(void **state)
{
    expect_class(CLOCK_ALL_AT_ONCE, 1);
}

static void readings_may_be_outside_of_the_bracket(void **state)
{
    expect_class(CLOCK_OUTSIDE, 1);
}

static void it_is_true_of_any_clock(void **state)
{
    accumulator t = {0};
    for (uint64_t seed = 0; seed < 50; seed++) {
        clock_scenario of = clock_scenario_random(1000 + seed);
        run_scenario(&of, seed, &t);
        assert_int_equal(t.end.resets, 0);
        assert_int_equal(t.end.retaken, 0);
    }
    assert_true((double)t.covered >= 0.99 * (double)t.instants);
    assert_true((double)t.first_covered >= 0.97 * (double)t.first);
}

/* 83 ns for 83.333: the first pairs set it right, and none of them is taken for a reset. */
static void a_reported_period_may_be_wrong_by_thousandths(void **state)
{
    static const double wrong_ppm[] = {-4016, -1000, 1000, 2000, 4016};
    for (size_t i = 0; i < sizeof wrong_ppm / sizeof wrong_ppm[0]; i++) {
        clock_scenario of = {.name = "wrong",
                             .period_ns = 52.083,
                             .drift_ppm = wrong_ppm[i],
                             .width_ns = 2e3,
                             .pairs_hz = 60,
                             .bits = 64,
                             .seconds = 30};
        accumulator t = {0};
        for (uint64_t seed = 0; seed < 4; seed++) {
            run_scenario(&of, 900 + seed, &t);
            assert_int_equal(t.end.resets, 0);
            assert_int_equal(t.end.retaken, 0);
            EXPECT_NEAR(t.end.period_ns / (of.period_ns * (1 + wrong_ppm[i] * 1e-6)), 1, 1e-7);
        }
        assert_true((double)t.covered >= 0.99 * (double)t.instants);
        assert_true((double)t.first_covered >= 0.97 * (double)t.first);
    }
}

/* 60 pairs of 2 us in a second find a period within 1 ppm, in 99 of 100 cases. */
static void a_period_is_found_within_a_second(void **state)
{
    static const double periods[] = {1, 41.667, 52.083, 83.333};
    int wrong = 0, uncovered = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        clock_scenario of = {.name = "unknown",
                             .period_ns = periods[seed % 4],
                             .drift_ppm = 30,
                             .width_ns = 2e3,
                             .pairs_hz = 60,
                             .bits = 64,
                             .seconds = 1};
        kt_calibration c;
        kt_calibration_init(&c, &(kt_calibration_rule){NAN, 0, 1, 0});
        clock_run run = clock_run_begin(&of, 500 + seed);
        clock_taken taken;
        while (clock_run_pair(&run, &taken))
            kt_calibration_add(&c, &taken.pair);
        kt_clock_state s;
        kt_calibration_get_state(&c, &s);
        double off_ns = fabs(s.period_ns - of.period_ns * (1 + 30e-6));
        wrong += off_ns > 1e-6 * of.period_ns;
        uncovered += off_ns > s.period_uncertainty_ns;
        assert_int_equal(s.period_exact, 0);
    }
    if (wrong > 4 || uncovered > 4)
        print_error("%d of 400 are wrong, %d uncovered\n", wrong, uncovered);
    assert_true(wrong <= 4);
    assert_true(uncovered <= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_stated_is_true),
        cmocka_unit_test(steps_that_nobody_reports_are_seen),
        cmocka_unit_test(one_pair_after_a_reset_is_enough),
        cmocka_unit_test(a_place_in_the_bracket_is_learned),
        cmocka_unit_test(all_difficulties_may_come_at_once),
        cmocka_unit_test(readings_may_be_outside_of_the_bracket),
        cmocka_unit_test(it_is_true_of_any_clock),
        cmocka_unit_test(a_reported_period_may_be_wrong_by_thousandths),
        cmocka_unit_test(a_period_is_found_within_a_second),
    };
    return cmocka_run_group_tests_name("calibrate_cover", tests, NULL, NULL);
}
