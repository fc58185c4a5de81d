/* SPDX-License-Identifier: MIT */
/* The race of configurations, and the set that cannot be told apart from the fastest. */
#include "cli/run/race.h"

#include "bench/accuracy/search.h"
#include "bench/calibrate/noise.h"
#include "tests/unit/testing.h"

#define CANDIDATES 12
#define SEARCHES   200

/* Noise of 1 %; from round to round times grow by `drift`; the last sample of candidate 0 in each
 * look is an outlier. */
typedef struct conditions {
    double drift, outlier;
    uint64_t random;
    size_t rounds; /* so far */
} conditions;

static void look(race *r, const double *times, conditions *in)
{
    double samples[512] = {0};
    size_t rounds = race_next(r);
    for (size_t i = 0; i < CANDIDATES; i++) {
        for (size_t k = 0; k < rounds; k++)
            samples[k] = times[i] * (1 + in->drift * (double)(in->rounds + k)) *
                         (1 + 0.01 * noise_normal(&in->random));
        if (i == 0)
            samples[rounds - 1] *= 1 + in->outlier;
        if (race_has(r, i))
            assert_true(race_add(r, i, samples, rounds));
    }
    in->rounds += rounds;
    race_look(r);
}

/* Looks until the race ends; returns how many. */
static unsigned run(race *r, const double *times, conditions in)
{
    unsigned looks = 0;
    do {
        look(r, times, &in);
        looks++;
    } while (race_goes_on(r));
    return looks;
}

static void make_times(double times[CANDIDATES], double slower)
{
    for (size_t i = 0; i < CANDIDATES; i++)
        times[i] = 1000 * (i < 2 ? 1 : 1 + slower);
}

static size_t left_of(const race *r)
{
    size_t left = 0;
    for (size_t i = 0; i < CANDIDATES; i++)
        left += race_has(r, i);
    return left;
}

static void what_is_surely_slower_is_dropped(void **state)
{
    double times[CANDIDATES];
    make_times(times, 0.1);
    race *r = race_create(CANDIDATES);
    assert_int_equal(run(r, times, (conditions){0}), 2); /* ranks of 10 samples tell */
    assert_true(race_has(r, 0) && race_has(r, 1));
    assert_int_equal(left_of(r), 2);
    size_t count;
    const double *samples = race_samples(r, 0, &count);
    assert_int_equal(count, 10);
    assert_true(samples[0] > 900 && samples[0] < 1100);
    race_destroy(&r);
    assert_null(r);
}

static void what_is_twice_as_slow_is_dropped_at_once(void **state)
{
    double times[CANDIDATES];
    make_times(times, 1.5);
    race *r = race_create(CANDIDATES);
    assert_int_equal(run(r, times, (conditions){0}), 1);
    assert_int_equal(left_of(r), 2);
    race_destroy(&r);
}

static void equal_ones_are_kept_and_end_the_race(void **state)
{
    double times[CANDIDATES];
    make_times(times, 0);
    race *r = race_create(CANDIDATES);
    assert_int_equal(run(r, times, (conditions){0}), RACE_STALLS);
    assert_int_equal(left_of(r), CANDIDATES);
    race_destroy(&r);
}

/* Times grow by 40 % while the race lasts, and candidates differ by 10 %: over all rounds together
 * they overlap. */
static void common_drift_cancels(void **state)
{
    double times[CANDIDATES];
    make_times(times, 0.1);
    race *r = race_create(CANDIDATES);
    conditions in = {.drift = 0.02};
    for (unsigned i = 0; i < 4; i++)
        look(r, times, &in);
    assert_int_equal(left_of(r), 2);
    race_destroy(&r);
}

static void outliers_of_the_fastest_do_not_drop_it(void **state)
{
    double times[CANDIDATES];
    make_times(times, 0.1);
    times[0] = 950;
    race *r = race_create(CANDIDATES);
    run(r, times, (conditions){.outlier = 1000});
    assert_true(race_has(r, 0));
    race_destroy(&r);
}

static void few_candidates_do_not_race(void **state)
{
    race *few = race_create(RACE_ALL), *more = race_create(RACE_ALL + 1);
    assert_false(race_goes_on(few));
    assert_true(race_goes_on(more));
    race_destroy(&few);
    race_destroy(&more);
}

static void looks_grow_with_the_samples(void **state)
{
    static const size_t expected[] = {5, 5, 5, 5, 10, 15, 20, 30};
    double times[CANDIDATES];
    make_times(times, 0);
    race *r = race_create(CANDIDATES);
    conditions in = {0};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(race_next(r), expected[i]);
        look(r, times, &in);
    }
    assert_int_equal(race_fresh(r), 95);
    race_destroy(&r);
    r = race_create(CANDIDATES);
    assert_int_equal(race_fresh(r), RACE_FRESH);
    race_destroy(&r);
}

/* ---- the set ---- */

#define SAMPLES_MAX 400

typedef struct made {
    double samples[SAMPLES_MAX];
    kt_summary summary;
} made;

static void summarize(made *of, size_t count)
{
    double scratch[SAMPLES_MAX];
    kt_summarize(of->samples, count, 0, scratch, &of->summary);
}

/* Around a time, +-0.5 %. Of each 100 samples `slow` in turn take `by` times as long, and from the
 * first sample to the last all grow by `trend`. */
static void make(made *to, double time, size_t slow, double by, double trend)
{
    for (size_t i = 0; i < SAMPLES_MAX; i++) {
        double off = 0.001 * ((double)(i * 7 % 11) - 5);
        to->samples[i] = time * (1 + off) * (i % 100 >= 100 - slow ? by : 1) *
                         (1 + trend * (double)i / SAMPLES_MAX);
    }
    summarize(to, SAMPLES_MAX);
}

/* Whether the second is in the set of the first, which has the smaller median. */
static bool is_second_in_set(const made *first, const made *second)
{
    const double *const samples[] = {first->samples, second->samples};
    const kt_summary *const summaries[] = {&first->summary, &second->summary};
    bool in_set[2];
    assert_int_equal(race_fastest(samples, summaries, 2, in_set), 0);
    assert_true(in_set[0]);
    return in_set[1];
}

/* In 240 of 400 rounds the first is faster, which would be sure of independent samples. */
static void autocorrelated_samples_count_as_fewer(void **state)
{
    made phases, steady;
    make(&phases, 100, 40, 2, 0);
    make(&steady, 150, 0, 1, 0);
    assert_true(phases.summary.inflation > 10);
    assert_true(is_second_in_set(&phases, &steady));
    make(&steady, 250, 0, 1, 0);
    assert_false(is_second_in_set(&phases, &steady));
}

static void overlapping_intervals_are_in_the_set(void **state)
{
    made first, second;
    make(&first, 100, 0, 1, 0);
    make(&second, 104, 0, 1, 0);
    assert_false(is_second_in_set(&first, &second));
    first.summary.ci95_high = second.summary.ci95_low;
    assert_true(is_second_in_set(&first, &second));
}

/* No interval is known of times with a trend; that of both is common. */
static void common_trends_leave_the_set(void **state)
{
    made first, second;
    make(&first, 100, 0, 1, 0.2);
    make(&second, 105, 0, 1, 0.2);
    first.samples[200] = 1000;
    summarize(&first, SAMPLES_MAX);
    assert_true(isnan(first.summary.ci95_high) && isnan(second.summary.ci95_low));
    assert_false(is_second_in_set(&first, &second));
    make(&second, 130, 0, 1, -0.2);
    assert_true(is_second_in_set(&first, &second));
}

/* It has no interval, but is never as fast as the first. */
static void rare_switches_above_the_fastest_leave_the_set(void **state)
{
    made first, second;
    make(&first, 100, 0, 1, 0);
    make(&second, 110, 50, 1.5, 0);
    assert_true(isnan(second.summary.ci95_low));
    assert_false(is_second_in_set(&first, &second));
}

static void the_set_has_what_cannot_be_told_apart(void **state)
{
    static const double fast[] = {10, 11, 10, 999, 10, 10, 11, 12, 10, 11},
                        same[] = {11, 10, 12, 11, 10, 12, 11, 10, 11, 11},
                        slow[] = {14, 13, 15, 14, 13, 14, 15, 13, 14, 14};
    const double *const samples[] = {slow, same, NULL, fast};
    kt_summary summaries[4];
    const kt_summary *const each[] = {&summaries[0], &summaries[1], &summaries[2], &summaries[3]};
    double scratch[10];
    for (size_t i = 0; i < 4; i++)
        kt_summarize(samples[i], samples[i] ? 10 : 0, 0, scratch, &summaries[i]);
    bool in_set[4];
    assert_int_equal(race_fastest(samples, each, 4, in_set), 3);
    assert_false(in_set[0]);
    assert_true(in_set[1]);
    assert_false(in_set[2]); /* it has no samples */
    assert_true(in_set[3]);
}

static void too_few_samples_tell_nothing(void **state)
{
    made fast = {.samples = {10, 10}}, slow = {.samples = {20, 20}};
    const double *const samples[] = {fast.samples, slow.samples};
    const kt_summary *const summaries[] = {&fast.summary, &slow.summary};
    bool in_set[2];
    summarize(&fast, 2);
    summarize(&slow, 2);
    assert_int_equal(race_fastest(samples, summaries, 2, in_set), 0);
    assert_true(in_set[0] && in_set[1]);
    assert_int_equal(race_fastest(samples, summaries, 1, in_set), 0);
    assert_true(in_set[0]);
    summarize(&fast, 0);
    summarize(&slow, 0);
    assert_int_equal(race_fastest(samples, summaries, 2, in_set), SIZE_MAX);
    assert_false(in_set[0] || in_set[1]);
}

/* A coarse clock gives equal times. */
static void equal_times_tell_nothing(void **state)
{
    made ten;
    for (size_t i = 0; i < 20; i++)
        ten.samples[i] = 10;
    summarize(&ten, 20);
    assert_true(is_second_in_set(&ten, &ten));
}

/* Runs differ by 20 %, candidates 0 and 1 by as much as the third run turns around. */
static void runs_count_as_samples(void **state)
{
    static const double same[] = {1000, 1200, 1003}, fast[] = {1001, 1199, 1000},
                        slow[] = {1050, 1261, 1051};
    const double *const medians[] = {same, slow, fast};
    bool in_set[3];
    assert_int_equal(race_fastest_of_runs(medians, 3, 3, in_set), 2);
    assert_true(in_set[0] && in_set[2]);
    assert_false(in_set[1]);
    assert_int_equal(race_fastest_of_runs(medians, 1, 3, in_set), 0);
    assert_true(in_set[0] && in_set[1] && in_set[2]); /* a single run tells nothing of others */
    assert_int_equal(race_fastest_of_runs(medians, 0, 3, in_set), SIZE_MAX);
    assert_false(in_set[0]);
}

/* Of equal candidates the first one is in the set in 95 % of the cases or more. */
static void sets_of_runs_hold_what_they_promise(void **state)
{
    enum { CASES = 1000, RUNS = 3, EQUAL = 4 };
    double medians[EQUAL][RUNS];
    const double *const rows[EQUAL] = {medians[0], medians[1], medians[2], medians[3]};
    uint64_t random = 1;
    int held = 0;
    for (int i = 0; i < CASES; i++) {
        bool in_set[EQUAL];
        for (int k = 0; k < RUNS; k++) {
            double common = noise_log_uniform(&random, 1, 2);
            for (int row = 0; row < EQUAL; row++)
                medians[row][k] = common * (1 + 0.005 * noise_normal(&random));
        }
        race_fastest_of_runs(rows, RUNS, EQUAL, in_set);
        held += in_set[0];
    }
    assert_true(held >= 0.95 * CASES && held < CASES);
}

/* ---- how often both are right ---- */

/* What ./dev bench tuning counts over more searches. */
static void count_searches(const search_kind *kind)
{
    search_counts counts = {0};
    for (uint64_t seed = 1; seed <= SEARCHES; seed++)
        assert_int_equal(search_count(kind, seed, &counts), 0);
    if (counts.held < 0.97 * SEARCHES || counts.samples > 0.3 * counts.all ||
        counts.false_single > 0.03 * SEARCHES)
        fail_msg("%zu configurations: %d held, %d false, %.3f of the samples", kind->configurations,
                 counts.held, counts.false_single, counts.samples / counts.all);
    assert_true(counts.held > counts.by_mean && counts.held > counts.by_least);
}

static void searches_hold_the_fastest(void **state)
{
    static const search_kind kinds[] = {
        {.configurations = 15, .spread = 0.03, .noise = 0.01},
        {.configurations = 15, .spread = 0.03, .noise = 0.03},
        {.configurations = 64, .spread = 0.1, .noise = 0.01},
        {.configurations = 64, .spread = 0.1, .noise = 0.03},
        {.configurations = 200, .spread = 0.3, .noise = 0.01},
        {.configurations = 64, .spread = 0.1, .noise = 0.02, .drift = 0.3},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        count_searches(&kinds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_surely_slower_is_dropped),
        cmocka_unit_test(what_is_twice_as_slow_is_dropped_at_once),
        cmocka_unit_test(equal_ones_are_kept_and_end_the_race),
        cmocka_unit_test(common_drift_cancels),
        cmocka_unit_test(outliers_of_the_fastest_do_not_drop_it),
        cmocka_unit_test(few_candidates_do_not_race),
        cmocka_unit_test(looks_grow_with_the_samples),
        cmocka_unit_test(autocorrelated_samples_count_as_fewer),
        cmocka_unit_test(overlapping_intervals_are_in_the_set),
        cmocka_unit_test(common_trends_leave_the_set),
        cmocka_unit_test(rare_switches_above_the_fastest_leave_the_set),
        cmocka_unit_test(the_set_has_what_cannot_be_told_apart),
        cmocka_unit_test(too_few_samples_tell_nothing),
        cmocka_unit_test(equal_times_tell_nothing),
        cmocka_unit_test(runs_count_as_samples),
        cmocka_unit_test(sets_of_runs_hold_what_they_promise),
        cmocka_unit_test(searches_hold_the_fastest),
    };
    return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
