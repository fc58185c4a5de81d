/* SPDX-License-Identifier: MIT */
/* How often intervals hold the truth, after stopping by the rule, and what is named: 200 seeded
 * runs of each kind, with the bar and with the exact count. ./dev bench counts 1,000 of more
 * kinds. */
#include "bench/accuracy/sampling.h"
#include "tests/unit/testing.h"

#define RUNS 200

typedef struct expected {
    const char *name;
    noise of;
    int bar; /* least number covered of RUNS */
    int covered, given;
    size_t samples; /* of all runs together */
} expected;

static const expected cases[] = {
    {.name = "normal",
     .of = {.value = 1e5, .spread = 0.01},
     .bar = 187,
     .covered = 193,
     .given = 200,
     .samples = 9841},
    {.name = "log-normal",
     .of = {.shape = NOISE_LOGNORMAL, .value = 1e5, .spread = 0.02},
     .bar = 187,
     .covered = 195,
     .given = 200,
     .samples = 16772},
    {.name = "pareto",
     .of = {.shape = NOISE_PARETO, .value = 1e5, .spread = 0.02},
     .bar = 187,
     .covered = 192,
     .given = 200,
     .samples = 10803},
    {.name = "student",
     .of = {.shape = NOISE_STUDENT, .value = 1e5, .spread = 0.02},
     .bar = 187,
     .covered = 195,
     .given = 200,
     .samples = 21428},
    {.name = "mixture",
     .of = {.value = 1e5, .spread = 0.01, .level = 0.08, .level_share = 0.3},
     .bar = 187,
     .covered = 188,
     .given = 199,
     .samples = 32072},
    {.name = "fine grid",
     .of = {.shape = NOISE_LOGNORMAL, .value = 1e5, .spread = 0.01, .resolution = 0.001},
     .bar = 187,
     .covered = 197,
     .given = 200,
     .samples = 10365},
    {.name = "coarse grid",
     .of = {.shape = NOISE_LOGNORMAL, .value = 1e5, .spread = 0.01, .resolution = 0.1},
     .bar = 187,
     .covered = 200,
     .given = 200,
     .samples = 9333},
    {.name = "AR(1)",
     .of = {.value = 1e5, .spread = 0.02, .correlation = 0.7},
     .bar = 180,
     .covered = 185,
     .given = 200,
     .samples = 56228},
};

static void intervals_hold_the_truth(void **state)
{
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const expected *e = &cases[c];
        int covered = 0, given = 0, by_resolution = 0;
        size_t samples = 0;
        for (uint64_t seed = 1; seed <= RUNS; seed++) {
            noise_run run = noise_begin(&e->of, seed);
            kt_summary summary;
            by_resolution += sampling_adaptive(&run, 0.01, &summary) == KT_STOP_RESOLUTION;
            covered += sampling_covers(&summary, noise_median(&run));
            given += sampling_given(&summary);
            samples += summary.n;
        }
        if (covered != e->covered || given != e->given || samples != e->samples)
            print_error("%s: %d of %d, %zu samples\n", e->name, covered, given, samples);
        assert_true(covered >= e->bar);
        assert_int_equal(covered, e->covered);
        assert_int_equal(given, e->given);
        assert_int_equal(samples, e->samples);
        assert_int_equal(by_resolution, e->of.resolution > 0.01 ? RUNS : 0);
    }
}

/* Of RUNS runs of n samples, how many are said to have the pattern. */
static int count_named(const noise *of, size_t n, unsigned warning)
{
    int named = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        noise_run run = noise_begin(of, seed);
        kt_summary summary;
        sampling_fixed(&run, n, NULL, &summary);
        named += (summary.warnings & warning) != 0;
    }
    return named;
}

static void patterns_are_named(void **state)
{
    const noise drift = {.value = 1e5, .spread = 0.01, .drift = 0.02, .drift_samples = 99};
    const noise levels = {.value = 1e5, .spread = 0.01, .level = 0.08, .level_share = 0.3};
    assert_true(count_named(&drift, 100, KT_WARNING_DRIFT) >= 190);
    assert_true(count_named(&levels, 50, KT_WARNING_BIMODAL) >= 180);
    assert_int_equal(count_named(&drift, 100, KT_WARNING_DRIFT), 200);
    assert_int_equal(count_named(&levels, 50, KT_WARNING_BIMODAL), 199);
}

static void patterns_are_not_named_falsely(void **state)
{
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const noise *of = &cases[c].of;
        assert_true(count_named(of, 200, KT_WARNING_DRIFT) <= 10);
        if (!(of->level > 0))
            assert_true(count_named(of, 50, KT_WARNING_BIMODAL) <= 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(patterns_are_named),
        cmocka_unit_test(patterns_are_not_named_falsely),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
