/* SPDX-License-Identifier: MIT */
/* Comparing rows: verdicts and intervals, by hand. */
#include "tests/unit/compare/rows.h"

/* Two runs a side, one row: nothing to moderate by. 2 degrees of freedom have closed forms. */
static void two_runs(void **state)
{
    table *t = new_table();
    add_row(t, 2, (double[]){99, 101}, 2, (double[]){104, 106});
    compare(t);
    const kt_change *change = &t->changes[0];
    double variance = (2 * 0.01 * 0.01 + 2 / 105. / 105) / 2, error = sqrt(variance);
    double half = error * 0.95 * sqrt(2 / (1 - 0.95 * 0.95)), shift = log(1.05);
    EXPECT_NEAR(change->shift, 0.05, 1e-12);
    EXPECT_NEAR(change->deviation, error, 1e-12);
    EXPECT_NEAR(change->shift_low, exp(shift - half) - 1, 1e-9);
    EXPECT_NEAR(change->shift_high, exp(shift + half) - 1, 1e-9);
    double near = (shift - log(1.005)) / error, far = (shift + log(1.005)) / error;
    double p = 1 - near / sqrt(2 + near * near) / 2 - far / sqrt(2 + far * far) / 2;
    EXPECT_NEAR(change->p, p, 1e-12);
    EXPECT_NEAR(change->q, p, 1e-12);
    EXPECT_NEAR(change->rank_p, 1. / 3, 1e-12);
    expect_verdict(t, 0, KT_VERDICT_INCONCLUSIVE);
    assert_int_equal(change->baseline_runs, 2);
    EXPECT_NUMBER(change->baseline_ns, 100);
    EXPECT_NUMBER(change->contender_ns, 105);
    assert_int_equal(t->common.rows, 1);
    EXPECT_NUMBER(t->common.shift, 0);
    EXPECT_NUMBER(t->common.shift_low, NAN);
    EXPECT_NUMBER(t->common.run_noise, NAN);
}

/* As many runs as 5 ask for, with the same mean and deviation, do decide. */
static void runs_needed(void **state)
{
    static const double shifts[] = {0, 0.004, 0.011, 0.016, 0.02, 0.03, 0.06};
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        uint32_t needed = 0, decided = 0;
        for (uint32_t runs = 2; runs <= RUNS_MAX && !decided; runs++) {
            table *t = new_table();
            /* Alternating, so that the deviation with divisor n - 1 hardly depends on n. */
            double base[RUNS_MAX], new[RUNS_MAX];
            for (uint32_t k = 0; k < runs; k++) {
                double off = k % 2 ? 0.01 : runs % 2 && k + 1 == runs ? 0 : -0.01;
                base[k] = 1000 * (1 + off);
                new[k] = 1000 * (1 + shifts[i]) * (1 + off);
            }
            add_row(t, runs, base, runs, new);
            compare(t);
            const kt_change *change = &t->changes[0];
            if (runs == 5)
                needed = change->runs_needed;
            if (change->verdict != KT_VERDICT_INCONCLUSIVE) {
                decided = runs;
                EXPECT_NUMBER(change->runs_needed, 0);
                expect_verdict(t, 0, shifts[i] < 0.0125 ? KT_VERDICT_SAME : KT_VERDICT_SLOWER);
            } else if (change->runs_needed) {
                assert_true(change->runs_needed > runs);
            }
        }
        /* With 80 % power the expected values pass, too. */
        if (decided > 5 && needed == 0)
            fail_msg("shift %g is decided by %u runs, but 5 could not tell", shifts[i], decided);
        if (decided > 5 && decided > needed)
            fail_msg("shift %g takes %u runs, not %u", shifts[i], decided, needed);
    }
}

/* Rows whose medians happen to agree, though their samples say that they are known to some percent,
 * are not trusted. */
static void samples_count(void **state)
{
    table *t = new_table();
    for (int i = 0; i < 6; i++)
        add_row(t, 2, (double[]){100, 100.2}, 2, (double[]){102, 102.2});
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < 2; k++) {
            kt_summary *summary = &t->summaries[side][3][k];
            summary->ci95_low = summary->median * 0.96;
            summary->ci95_high = summary->median * 1.04;
        }
    compare(t);
    for (size_t i = 0; i < t->count; i++)
        expect_verdict(t, i, i == 3 ? KT_VERDICT_INCONCLUSIVE : KT_VERDICT_SLOWER);
}

static void identical(void **state)
{
    table *t = new_table();
    add_row(t, 1, (double[]){100}, 1, (double[]){100});
    add_row(t, 3, (double[]){100, 120, 90}, 3, (double[]){100, 120, 90});
    add_row(t, 3, (double[]){100, 120, 90}, 3, (double[]){120, 100, 90}); /* in another order */
    add_row(t, 2, (double[]){100, 120}, 1, (double[]){100});
    t->rows[0].identical = t->rows[1].identical = 1;
    compare(t);
    for (size_t i = 0; i < 2; i++) {
        expect_verdict(t, i, KT_VERDICT_SAME);
        assert_true(t->changes[i].identical);
        EXPECT_NUMBER(t->changes[i].shift, 0);
        EXPECT_NUMBER(t->changes[i].shift_high, 0);
        EXPECT_NUMBER(t->changes[i].q, 1);
    }
    for (size_t i = 2; i < 4; i++) {
        assert_false(t->changes[i].identical);
        expect_verdict(t, i, KT_VERDICT_INCONCLUSIVE);
    }
}

/* Runs without a median above 0 do not count; rows without a run are not compared, and change
 * nothing for the others. */
static void not_compared(void **state)
{
    table *t = new_table();
    add_row(t, 2, (double[]){0, NAN}, 2, (double[]){100, 101});
    add_row(t, 0, NULL, 2, (double[]){100, 101});
    add_row(t, 4, (double[]){99.9, INFINITY, 100, 100.1}, 3, (double[]){119.9, 120, 120.1});
    compare(t);
    for (size_t i = 0; i < 2; i++) {
        expect_verdict(t, i, KT_VERDICT_NONE);
        EXPECT_NUMBER(t->changes[i].shift, NAN);
        EXPECT_NUMBER(t->changes[i].q, NAN);
        EXPECT_NUMBER(t->changes[i].baseline_ns, NAN);
        EXPECT_NUMBER(t->changes[i].contender_ns, 100.5);
        assert_int_equal(t->changes[i].baseline_runs, 0);
    }
    expect_verdict(t, 2, KT_VERDICT_SLOWER);
    assert_int_equal(t->changes[2].baseline_runs, 3);
    EXPECT_NUMBER(t->changes[2].q, t->changes[2].p);
    assert_int_equal(t->common.rows, 1);
    t->count = 0;
    compare(t);
    assert_int_equal(t->common.rows, 0);
}

/* The next process is not seen: 3 % stay open, 20 % do not, and nothing is called the same. */
static void one_run(void **state)
{
    table *t = new_table();
    add_row(t, 1, (double[]){100}, 1, (double[]){103});
    add_row(t, 1, (double[]){100}, 1, (double[]){100.001});
    add_row(t, 1, (double[]){100}, 1, (double[]){120});
    add_row(t, 1, (double[]){100}, 1, (double[]){80});
    compare(t);
    expect_verdict(t, 0, KT_VERDICT_INCONCLUSIVE);
    assert_true(t->changes[0].runs_needed >= 2 && t->changes[0].runs_needed <= 6);
    expect_verdict(t, 1, KT_VERDICT_INCONCLUSIVE);
    assert_true(t->changes[1].runs_needed >= 2);
    expect_verdict(t, 2, KT_VERDICT_SLOWER);
    expect_verdict(t, 3, KT_VERDICT_FASTER);
    EXPECT_NUMBER(t->common.run_noise, KT_RUN_NOISE_DEFAULT);
    assert_true(t->changes[0].deviation >= 3 * KT_RUN_NOISE_DEFAULT);
    /* Whoever knows that runs hardly differ may say so. */
    kt_compare_options quiet = {.size = sizeof quiet, .run_noise = 0.001};
    EXPECT_OK(compare_with(t, &quiet));
    expect_verdict(t, 0, KT_VERDICT_SLOWER);
    expect_verdict(t, 1, KT_VERDICT_INCONCLUSIVE);
    EXPECT_NUMBER(t->common.run_noise, 0.001);
}

/* Several on one side only: the single one is no better known. */
static void one_run_against_several(void **state)
{
    static const double five[] = {100, 100.1, 99.9, 100.05, 99.95};
    table *t = new_table();
    add_row(t, 5, five, 1, (double[]){103});
    add_row(t, 5, five, 1, (double[]){100});
    add_row(t, 1, (double[]){120}, 5, five);
    compare(t);
    expect_verdict(t, 0, KT_VERDICT_INCONCLUSIVE);
    expect_verdict(t, 1, KT_VERDICT_INCONCLUSIVE);
    expect_verdict(t, 2, KT_VERDICT_FASTER);
    EXPECT_NUMBER(t->common.run_noise, KT_RUN_NOISE_DEFAULT);
}

/* One run a side of many rows: their own scatter, of 2 %, says more than what is assumed. */
static void scatter(void **state)
{
    table *t = new_table();
    uint64_t random = 1;
    for (int i = 0; i < ROWS_MAX; i++) {
        double base, new;
        make_noisy(&base, 100, &new, 100, 1, 0.02, &random);
        add_row(t, 1, &base, 1, &new);
    }
    compare(t);
    /* A median distance of 64 is known to about 15 %. */
    EXPECT_NEAR(t->common.run_noise, 0.02, 0.006);
    expect_verdicts(t, 0, t->count, KT_VERDICT_INCONCLUSIVE);
}

/* One wild run of five makes a large shift of the mean; the ranks do not agree. */
static void wild_run(void **state)
{
    table *t = new_table();
    uint64_t random = 3;
    for (int i = 0; i < 9; i++) {
        double base[5], new[5];
        make_noisy(base, 100, new, 100, 5, 0.001, &random);
        if (i == 4)
            new[2] = 115;
        add_row(t, 5, base, 5, new);
    }
    compare(t);
    for (size_t i = 0; i < t->count; i++)
        expect_verdict(t, i, i == 4 ? KT_VERDICT_INCONCLUSIVE : KT_VERDICT_SAME);
    assert_true(t->changes[4].shift > 0.025);
}

/* A clock of 1 % steps shows the same median five times: it lies anywhere within the step. */
static void coarse_clock(void **state)
{
    static const struct {
        double resolution, new;
        kt_verdict verdict;
    } rows[] = {
        {0, 102, KT_VERDICT_SLOWER},       /* nothing varies */
        {1, 101, KT_VERDICT_SAME},         /* 0 to 2 % */
        {2, 102, KT_VERDICT_INCONCLUSIVE}, /* 0 to 4 % */
        {1, 103, KT_VERDICT_SLOWER},       /* 2 to 4 % */
    };
    table *t = new_table();
    for (int i = 0; i < 4; i++, t->count++)
        for (int k = 0; k < 5; k++) {
            add_run(t, 0, 100, rows[i].resolution);
            add_run(t, 1, rows[i].new, rows[i].resolution);
        }
    compare(t);
    for (size_t i = 0; i < 4; i++)
        expect_verdict(t, i, rows[i].verdict);
    assert_true(t->changes[2].shift_low < 0.005 && t->changes[2].shift_high > 0.035);
    assert_int_equal(t->changes[2].runs_needed, 0); /* more of them do not help */
}

/* Asked for the minimum effect that is called decidable, the row is the same; for a little less, it
 * is not. */
static void min_detectable_effect(void **state)
{
    static const double alphas[] = {0.01, 0.05, 0.2};
    table *t = new_table();
    uint64_t random = 7;
    for (int i = 0; i < 12; i++) {
        double base[3], new[3];
        make_noisy(base, 100, new, 101, 3, 0.02, &random);
        add_row(t, 3, base, i == 11 ? 1 : 3, new);
    }
    for (size_t i = 0; i < sizeof alphas / sizeof alphas[0]; i++)
        for (size_t row = 0; row < 11; row++) {
            kt_compare_options given = {.size = sizeof given, .alpha = alphas[i]};
            EXPECT_OK(compare_with(t, &given));
            EXPECT_NUMBER(t->changes[11].min_detectable_effect, NAN);
            double effect = t->changes[row].min_detectable_effect;
            assert_true((effect <= 0.01) == (t->changes[row].verdict == KT_VERDICT_SAME));
            given.min_effect = effect * (1 + 1e-9);
            EXPECT_OK(compare_with(t, &given));
            expect_verdict(t, row, KT_VERDICT_SAME);
            EXPECT_NEAR(t->changes[row].min_detectable_effect, effect, 1e-12);
            given.min_effect = effect * (1 - 1e-9);
            EXPECT_OK(compare_with(t, &given));
            expect_verdict(t, row, KT_VERDICT_INCONCLUSIVE);
        }
}

/* A factor up, and the same factor down, whichever side is called the base. */
static void sides_mirror(void **state)
{
    static const double at[] = {0.4, 0.6, 0.999, 1.001, 1.5, 3, 60, 99, 101, 400};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        kt_change said[2];
        kt_compare_options given = {.size = sizeof given, .min_effect = i < 6 ? 0.01 : 1};
        for (int turned = 0; turned < 2; turned++) {
            table *t = new_table();
            double low[5] = {99.998, 99.999, 100, 100.001, 100.002}, high[5];
            for (int k = 0; k < 5; k++)
                high[k] = low[k] * (1 + at[i] / 100);
            add_row(t, 5, turned ? high : low, 5, turned ? low : high);
            EXPECT_OK(compare_with(t, &given));
            said[turned] = t->changes[0];
        }
        EXPECT_NEAR((1 + said[0].shift) * (1 + said[1].shift), 1, 1e-12);
        EXPECT_NEAR(said[0].p, said[1].p, 1e-9 * said[0].p);
        assert_int_equal(said[0].verdict == KT_VERDICT_SLOWER,
                         said[1].verdict == KT_VERDICT_FASTER);
        assert_int_equal(said[0].verdict == KT_VERDICT_SAME, said[1].verdict == KT_VERDICT_SAME);
        assert_int_equal(said[0].verdict == KT_VERDICT_SLOWER, at[i] >= (i < 6 ? 1 : 100));
    }
}

/* Samples that are spread over half of their median are those of processes that differ as much. */
static void unruly_samples(void **state)
{
    table *t = new_table();
    add_row(t, 1, (double[]){100}, 1, (double[]){140});
    add_row(t, 1, (double[]){100}, 1, (double[]){140});
    t->summaries[1][1][0].robust_stddev = 80;
    compare(t);
    expect_verdict(t, 0, KT_VERDICT_SLOWER);
    expect_verdict(t, 1, KT_VERDICT_INCONCLUSIVE);
}

/* One run a side whose samples are too unruly for a sure verdict: likely from 1.5 times on, if 99 of
 * 100 pairs of samples differ that way. */
static void likely(void **state)
{
    static const struct {
        double base, new;
        int overlapping; /* samples of the slower side that are as short as the other's */
        kt_verdict verdict;
    } cases[] = {
        {100, 200, 0, KT_VERDICT_LIKELY_SLOWER}, {200, 100, 0, KT_VERDICT_LIKELY_FASTER},
        {100, 151, 0, KT_VERDICT_LIKELY_SLOWER}, {100, 149, 0, KT_VERDICT_INCONCLUSIVE},
        {149, 100, 0, KT_VERDICT_INCONCLUSIVE},  {151, 100, 0, KT_VERDICT_LIKELY_FASTER},
        {100, 200, 1, KT_VERDICT_INCONCLUSIVE},  {200, 100, 1, KT_VERDICT_INCONCLUSIVE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        table *t = new_table();
        add_row(t, 1, &cases[i].base, 1, &cases[i].new);
        bool slower = cases[i].new > cases[i].base;
        for (int side = 0; side < 2; side++)
            t->summaries[side][0][0].robust_stddev = 0.4 * t->summaries[side][0][0].median;
        for (int k = 0; k < cases[i].overlapping; k++)
            t->samples[slower][0][0][k] = 90;
        compare(t);
        const kt_change *change = &t->changes[0];
        expect_verdict(t, 0, cases[i].verdict);
        /* Of SAMPLES * SAMPLES pairs, those with an overlapping sample are the other way round. */
        double apart = 1 - (double)cases[i].overlapping / SAMPLES;
        EXPECT_NEAR(change->p_longer, slower ? apart : 1 - apart, 1e-12);
        assert_true(change->runs_needed > 1);
    }
}

/* Two runs of a side show how much runs differ, and nothing is likely. Few samples show nothing. */
static void unlikely(void **state)
{
    table *t = new_table();
    add_row(t, 2, (double[]){100, 160}, 1, (double[]){260});
    add_row(t, 2, (double[]){100, 160}, 2, (double[]){200, 320});
    add_row(t, 1, (double[]){100}, 1, (double[]){200});
    add_row(t, 1, (double[]){100}, 1, (double[]){200});
    for (int side = 0; side < 2; side++) {
        kt_summary *summary = &t->summaries[side][2][0];
        summary->robust_stddev = 0.4 * summary->median;
        summary->n = 3;
        t->summaries[side][3][0].n = 1; /* and hides no spread that was measured */
    }
    compare(t);
    expect_verdicts(t, 0, 4, KT_VERDICT_INCONCLUSIVE);
    EXPECT_NUMBER(t->changes[0].p_longer, NAN);
    EXPECT_NUMBER(t->changes[2].p_longer, 1);
}

/* A ratio that no double holds is none, and changes nothing for other rows. */
static void too_far_apart(void **state)
{
    table *t = new_table();
    add_row(t, 1, (double[]){1e-300}, 1, (double[]){1e308});
    add_row(t, 3, (double[]){1e308, 1e308, 1e308}, 3, (double[]){1e-300, 1e-300, 1e-300});
    add_row(t, 3, (double[]){1e150, 1.001e150, 1e150}, 3, (double[]){1.2e150, 1.201e150, 1.2e150});
    for (int i = 0; i < 12; i++)
        add_row(t, 3, (double[]){1e-140, 1.001e-140, 1e-140}, 3,
                (double[]){1e-140, 1e-140, 1.001e-140});
    compare(t);
    expect_verdicts(t, 0, 2, KT_VERDICT_NONE);
    expect_verdict(t, 2, KT_VERDICT_SLOWER);
    expect_verdict(t, 5, KT_VERDICT_SAME);
    assert_int_equal(t->common.rows, 13);
}

static void options(void **state)
{
    table *t = new_table();
    add_row(t, 3, (double[]){99.9, 100, 100.1}, 3, (double[]){102.9, 103, 103.1});
    compare(t);
    expect_verdict(t, 0, KT_VERDICT_SLOWER);
    kt_compare_options given = {.size = sizeof given, .min_effect = 0.05};
    EXPECT_OK(compare_with(t, &given));
    expect_verdict(t, 0, KT_VERDICT_SAME);
    given = (kt_compare_options){.size = sizeof given, .alpha = 1e-9};
    EXPECT_OK(compare_with(t, &given));
    expect_verdict(t, 0, KT_VERDICT_INCONCLUSIVE);
    static const kt_compare_options wrong[] = {
        {.size = sizeof given, .min_effect = -0.01}, {.size = sizeof given, .min_effect = 1.01},
        {.size = sizeof given, .alpha = 0.51},       {.size = sizeof given, .alpha = NAN},
        {.size = sizeof given, .run_noise = -1},     {.size = 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        EXPECT_STATUS(compare_with(t, &wrong[i]), KT_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs),
        cmocka_unit_test(runs_needed),
        cmocka_unit_test(samples_count),
        cmocka_unit_test(identical),
        cmocka_unit_test(not_compared),
        cmocka_unit_test(one_run),
        cmocka_unit_test(one_run_against_several),
        cmocka_unit_test(scatter),
        cmocka_unit_test(wild_run),
        cmocka_unit_test(coarse_clock),
        cmocka_unit_test(min_detectable_effect),
        cmocka_unit_test(sides_mirror),
        cmocka_unit_test(unruly_samples),
        cmocka_unit_test(likely),
        cmocka_unit_test(unlikely),
        cmocka_unit_test(too_far_apart),
        cmocka_unit_test(options),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
