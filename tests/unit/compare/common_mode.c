/* SPDX-License-Identifier: MIT */
/* Comparing many rows: the common-mode shift, groups, and p-values adjusted for their number. */
#include "tests/unit/compare/rows.h"

/* Rows of five runs a side, of which the first `changed` differ by `change`, and all by
 * `common`. */
static table *shifted(int rows, int changed, double change, double common, uint64_t seed)
{
    table *t = new_table();
    uint64_t random = seed;
    for (int i = 0; i < rows; i++) {
        double base[5], new[5], center = 1000 * (i + 1);
        make_noisy(base, center, new, center * (1 + common) * (i < changed ? 1 + change : 1), 5,
                   0.005, &random);
        add_row(t, 5, base, 5, new);
    }
    compare(t);
    return t;
}

static void common_shift(void **state)
{
    table *t = shifted(50, 0, 0, 0.02, 1);
    assert_true(t->common.matters);
    /* 0.5 % sqrt(2 / 5) a row, over sqrt(50): 0.045 %, so three of them. */
    EXPECT_NEAR(t->common.shift, 0.02, 0.00135);
    assert_true(t->common.shift_low <= 0.02 && 0.02 <= t->common.shift_high);
    for (size_t i = 0; i < t->count; i++)
        assert_true(t->changes[i].verdict == KT_VERDICT_SAME ||
                    t->changes[i].verdict == KT_VERDICT_INCONCLUSIVE);
    /* Surely less than what matters. */
    t = shifted(50, 0, 0, -0.004, 2);
    assert_false(t->common.matters);
    EXPECT_NEAR(t->common.shift, -0.004, 0.00135);
    /* Too few rows to tell: each is shifted, and said to be. */
    t = shifted(9, 0, 0, 0.04, 3);
    EXPECT_NUMBER(t->common.shift, 0);
    EXPECT_NUMBER(t->common.shift_high, NAN);
    expect_verdicts(t, 0, t->count, KT_VERDICT_SLOWER);
}

/* What two rows in five really gained is theirs, and not taken for something common. */
static void common_is_not_dragged(void **state)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        table *t = shifted(50, 20, 0.03, 0, seed);
        EXPECT_NEAR(t->common.shift, 0, 0.002); /* the median is about 0.3 % off */
        assert_false(t->common.matters);
        int found = 0;
        for (int i = 0; i < 20; i++)
            found += t->changes[i].verdict == KT_VERDICT_SLOWER;
        assert_true(found >= 19);
        expect_verdicts(t, 20, t->count, KT_VERDICT_SAME);
    }
}

/* Half of ten rows are slower: nobody can tell whether the others are faster, and nothing is taken
 * off. */
static void rows_that_do_not_agree(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        table *t = shifted(10, 5, 0.05, 0, seed);
        EXPECT_NUMBER(t->common.shift, 0);
        EXPECT_NUMBER(t->common.shift_low, NAN);
        for (size_t i = 0; i < t->count; i++)
            assert_true(i < 5 ? t->changes[i].verdict == KT_VERDICT_SLOWER
                              : t->changes[i].verdict != KT_VERDICT_FASTER);
    }
}

/* Eight or eleven of twelve rows are slower, or faster. The others did not change, so no row is
 * called changed the other way, and the change of most is not taken for that of all. */
static void most_rows_are_not_all(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int turned = 0; turned < 2; turned++)
            for (int changed = 8; changed <= 11; changed += 3) {
                table *t = shifted(12, changed, turned ? -0.05 : 0.05, 0, seed);
                expect_verdicts(t, 0, (size_t)changed,
                                turned ? KT_VERDICT_FASTER : KT_VERDICT_SLOWER);
                for (size_t i = (size_t)changed; i < t->count; i++)
                    assert_true(t->changes[i].verdict == KT_VERDICT_SAME ||
                                t->changes[i].verdict == KT_VERDICT_INCONCLUSIVE);
                EXPECT_NUMBER(t->common.shift, 0);
                assert_int_equal(t->common.exceptions, 12 - changed);
                assert_true(turned ? t->common.shift_high < -0.02 : t->common.shift_low > 0.02);
                assert_false(t->common.matters || t->common.unclear);
            }
}

/* Rows of which every other one is ten times as noisy, and whose processes are off by `process`; so
 * many are changed by 5 %. */
static table *mixed(int changed, double process, uint64_t seed)
{
    table *t = new_table();
    uint64_t random = seed;
    double processes[2][5];
    for (int i = 0; i < 10; i++)
        processes[i / 5][i % 5] = 1 + process * noise_normal(&random);
    for (int i = 0; i < 50; i++) {
        double base[5], new[5], spread = i % 2 ? 0.02 : 0.002;
        make_noisy(base, 1000, new, i < changed ? 1050 : 1000, 5, spread, &random);
        for (int k = 0; k < 5; k++) {
            base[k] *= processes[0][k];
            new[k] *= processes[1][k];
        }
        add_row(t, 5, base, 5, new);
    }
    compare(t);
    return t;
}

/* Of quiet and noisy rows, and of those that changed and those that did not, 95 of 100 intervals
 * hold the truth: of 40 files with 25 rows of a kind 93 at least, since what is taken off is common
 * to a file. */
static void intervals_hold_the_truth(void **state)
{
    for (int changed = 0; changed <= 22; changed += 22) {
        int held[2] = {0}, rows[2] = {0}, called = 0, wrong = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            table *t = mixed(changed, 0, seed);
            for (int i = 0; i < 50; i++) {
                double truth = i < changed ? 0.05 : 0;
                const kt_change *change = &t->changes[i];
                held[i % 2] += change->shift_low <= truth && truth <= change->shift_high;
                rows[i % 2]++;
                bool said =
                    change->verdict == KT_VERDICT_SLOWER || change->verdict == KT_VERDICT_FASTER;
                called += said;
                wrong += said && !(truth > 0 && change->verdict == KT_VERDICT_SLOWER);
            }
        }
        for (int kind = 0; kind < 2; kind++)
            if (held[kind] < 0.92 * rows[kind])
                fail_msg("%d changed: %d of %d intervals hold the truth", changed, held[kind],
                         rows[kind]);
        if (changed && wrong > 0.05 * called)
            fail_msg("%d of %d calls are wrong", wrong, called);
    }
}

/* All rows of a run are off alike: what is common is no better known than the runs' centers. 2 of
 * 40 files are 5 %, 5 are beyond chance (1.4 %). */
static void processes_differ(void **state)
{
    int held = 0, matters = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        table *t = mixed(0, 0.01, seed);
        held += t->common.shift_low <= 0 && 0 <= t->common.shift_high;
        matters += t->common.matters;
    }
    if (held < 35 || matters > 2)
        fail_msg("%d of 40 intervals hold the truth, %d matter", held, matters);
}

/* Rows of two files, none of which is in both: no run has another one beside it, so nobody knows
 * how far processes are off. */
static void rows_that_stand_alone(void **state)
{
    for (size_t of_base = 1; of_base <= 2; of_base++) {
        table *t = new_table();
        for (int i = 0; i < 16; i++) {
            double base[2] = {100, 100.1}, new[2] = {102 + i * 0.001, 102 + i * 0.001};
            base[i % 2] = of_base == 1 ? NAN : base[i % 2];
            new[i % 2] = NAN;
            add_row(t, 2, base, 2, new);
        }
        compare(t);
        EXPECT_NUMBER(t->common.shift, 0);
        assert_true(t->common.shift_low < 0 && t->common.shift_high > 0.04);
        assert_false(t->common.matters);
    }
}

/* `jobs` of five runs a side and `rows` rows, all shifted by `common`. What is off in a run is so
 * in all rows of a job. */
static table *jobs_of(int jobs, int rows, double common, double run_noise, size_t runs)
{
    table *t = new_table();
    uint64_t random = 11;
    for (int job = 1; job <= jobs; job++) {
        double base[5], new[5];
        make_noisy(base, 100, new, 100 * (1 + common), runs, run_noise, &random);
        for (int i = 0; i < rows; i++)
            add_row(t, runs, base, runs, new)->group = (uint32_t)job;
    }
    compare(t);
    return t;
}

/* The steps of one job got slower: that is one group, however many steps it has, and no
 * machine. */
static void one_job_is_no_machine(void **state)
{
    table *t = jobs_of(1, 15, 0.06, 0.002, 5);
    assert_int_equal(t->common.rows, 15);
    assert_int_equal(t->common.groups, 1);
    EXPECT_NUMBER(t->common.shift, 0);
    EXPECT_NUMBER(t->common.shift_low, NAN);
    expect_verdicts(t, 0, t->count, KT_VERDICT_SLOWER);
    t = jobs_of(9, 5, 0.06, 0.002, 5);
    EXPECT_NUMBER(t->common.shift_low, NAN);
    t = jobs_of(12, 5, 0.06, 0.002, 5);
    assert_int_equal(t->common.groups, 12);
    EXPECT_NEAR(t->common.shift, 0.06, 0.002);
    assert_true(t->common.matters);
    double high = t->common.shift_high;
    /* Five times the same are as good as once. */
    t = jobs_of(12, 1, 0.06, 0.002, 5);
    EXPECT_NEAR(t->common.shift_high, high, 1e-6);
}

/* A job of many steps, which changed, does not outvote twelve jobs of one. */
static void a_job_has_one_vote(void **state)
{
    table *t = jobs_of(12, 1, 0, 0.002, 5);
    for (int i = 0; i < 40; i++)
        add_row(t, 5, (double[]){100, 100.1, 99.9, 100, 100}, 5,
                (double[]){106, 106, 106.1, 106, 105.9})
            ->group = 13;
    compare(t);
    assert_int_equal(t->common.groups, 13);
    EXPECT_NEAR(t->common.shift, 0, 0.003);
    expect_verdicts(t, 12, t->count, KT_VERDICT_SLOWER);
}

/* Eleven jobs and most rows of a twelfth are slower, and one row of it did not change. */
static void one_row_of_a_job_contradicts(void **state)
{
    table *t = jobs_of(12, 2, 0.06, 0.002, 5);
    add_row(t, 5, (double[]){100, 100.1, 99.9, 100, 100.2}, 5,
            (double[]){100, 100.2, 100.1, 99.9, 100})
        ->group = 12;
    compare(t);
    expect_verdicts(t, 0, 24, KT_VERDICT_SLOWER);
    expect_verdict(t, 24, KT_VERDICT_SAME);
    EXPECT_NUMBER(t->common.shift, 0);
    assert_int_equal(t->common.exceptions, 1);
}

/* One run a side: 40 rows of one job that lie together do not hide that nine jobs scatter by 3
 * %. */
static void a_job_does_not_hide_scatter(void **state)
{
    table *t = jobs_of(9, 1, 0, 0.03, 1);
    for (int i = 0; i < 40; i++)
        add_row(t, 1, (double[]){100}, 1, (double[]){100})->group = 10;
    compare(t);
    assert_true(t->common.run_noise > 0.015);
    t = jobs_of(1, 40, 0, 0.03, 1); /* and alone it tells of no scatter */
    EXPECT_NUMBER(t->common.run_noise, KT_RUN_NOISE_DEFAULT);
}

/* Benjamini and Hochberg's, by their definition: the smallest of p x (rows) / rank over this and
 * the higher ranks. */
static void adjusted(void **state)
{
    table *t = shifted(30, 6, 0.015, 0, 5);
    for (size_t i = 0; i < t->count; i++) {
        double q = 1;
        for (size_t j = 0; j < t->count; j++) {
            if (t->changes[j].p < t->changes[i].p)
                continue;
            size_t rank = 0;
            for (size_t k = 0; k < t->count; k++)
                rank += t->changes[k].p <= t->changes[j].p;
            q = fmin(q, t->changes[j].p * (double)t->count / (double)rank);
        }
        EXPECT_NEAR(t->changes[i].q, q, 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_shift),
        cmocka_unit_test(common_is_not_dragged),
        cmocka_unit_test(rows_that_do_not_agree),
        cmocka_unit_test(most_rows_are_not_all),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(processes_differ),
        cmocka_unit_test(rows_that_stand_alone),
        cmocka_unit_test(one_job_is_no_machine),
        cmocka_unit_test(a_job_has_one_vote),
        cmocka_unit_test(one_row_of_a_job_contradicts),
        cmocka_unit_test(a_job_does_not_hide_scatter),
        cmocka_unit_test(adjusted),
    };
    return cmocka_run_group_tests_name("common_mode", tests, NULL, NULL);
}
