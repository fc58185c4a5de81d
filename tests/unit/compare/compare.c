/* Comparing rows: verdicts, intervals and the common-mode shift, by hand. */
#include <kerntime/compare.h>

#include "bench/accuracy/compared.h"
#include "tests/unit/testing.h"

#include <stdlib.h>

enum { ROWS_MAX = 64, RUNS_MAX = 40, SAMPLES = 20 };

/* Rows whose runs have the medians that were asked for. */
typedef struct table {
    double samples[2][ROWS_MAX][RUNS_MAX][SAMPLES];
    kt_summary summaries[2][ROWS_MAX][RUNS_MAX];
    kt_compare_run runs[2][ROWS_MAX][RUNS_MAX];
    kt_compare_row rows[ROWS_MAX];
    size_t count;
    kt_change changes[ROWS_MAX];
    kt_common_mode_shift common;
} table;

/* The one table, emptied. */
static table *new_table(void)
{
    static table t;
    memset(&t, 0, sizeof t);
    return &t;
}

/* Samples around a median, 0.1 % to either side. */
static void add_run(table *t, int side, double median, double resolution)
{
    kt_compare_row *row = &t->rows[t->count];
    size_t *count = side ? &row->contender_count : &row->baseline_count;
    double *samples = t->samples[side][t->count][*count], scratch[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = median * (1 + (i % 2 ? 1e-5 : -1e-5) * (i - i % 2 + 1));
    kt_summary *summary = &t->summaries[side][t->count][*count];
    kt_summarize(samples, SAMPLES, resolution, scratch, summary);
    summary->median = median;
    summary->resolution = resolution;
    t->runs[side][t->count][(*count)++] = (kt_compare_run){samples, summary};
    row->baseline_runs = t->runs[0][t->count];
    row->contender_runs = t->runs[1][t->count];
}

static kt_compare_row *add_row(table *t, size_t base, const double *base_medians, size_t new,
                               const double *new_medians)
{
    for (size_t i = 0; i < base; i++)
        add_run(t, 0, base_medians[i], 0);
    for (size_t i = 0; i < new; i++)
        add_run(t, 1, new_medians[i], 0);
    return &t->rows[t->count++];
}

/* Medians of `runs` runs a side, noisy around a center each. */
static void make_noisy(double *base, double base_center, double *new, double new_center,
                       size_t runs, double spread, uint64_t *random)
{
    for (size_t k = 0; k < runs; k++) {
        base[k] = base_center * (1 + spread * noise_normal(random));
        new[k] = new_center *(1 + spread * noise_normal(random));
    }
}

/* In memory of exactly as many bytes as asked for, so that a sanitizer sees what is beyond. */
static kt_status compare_with(table *t, const kt_compare_options *options)
{
    size_t bytes = kt_compare_scratch_bytes(t->rows, t->count);
    void *scratch = malloc(bytes ? bytes : 1);
    assert_non_null(scratch);
    memset(scratch, 0xff, bytes);
    kt_status status = kt_compare_rows(t->rows, t->count, options, scratch, t->changes, &t->common);
    free(scratch);
    return status;
}

static void compare(table *t)
{
    EXPECT_OK(compare_with(t, NULL));
}

static void expect_verdict(const table *t, size_t row, kt_verdict verdict)
{
    const kt_change *change = &t->changes[row];
    if (change->verdict != verdict)
        fail_msg("row %zu is %s, not %s: shift %g (%g .. %g), p %g, q %g, rank p %g", row,
                 kt_verdict_name(change->verdict), kt_verdict_name(verdict), change->shift,
                 change->shift_low, change->shift_high, change->p, change->q, change->rank_p);
}

/* Rows from..to-1. */
static void expect_verdicts(const table *t, size_t from, size_t to, kt_verdict verdict)
{
    for (size_t i = from; i < to; i++)
        expect_verdict(t, i, verdict);
}

/* Two runs a side, one row: nothing to moderate by. 2 degrees of freedom have closed forms. */
static void two_runs(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        table *t = shifted(10, 5, 0.05, 0, seed);
        EXPECT_NUMBER(t->common.shift, 0);
        EXPECT_NUMBER(t->common.shift_low, NAN);
        for (size_t i = 0; i < t->count; i++)
            assert_true(i < 5 ? t->changes[i].verdict == KT_VERDICT_SLOWER
                              : t->changes[i].verdict != KT_VERDICT_FASTER);
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

/* One run a side: 40 rows of one job that lie together do not hide that nine jobs scatter by 3
 * %. */
static void a_job_does_not_hide_scatter(void **state)
{
    (void)state;
    table *t = jobs_of(9, 1, 0, 0.03, 1);
    for (int i = 0; i < 40; i++)
        add_row(t, 1, (double[]){100}, 1, (double[]){100})->group = 10;
    compare(t);
    assert_true(t->common.run_noise > 0.015);
    t = jobs_of(1, 40, 0, 0.03, 1); /* and alone it tells of no scatter */
    EXPECT_NUMBER(t->common.run_noise, KT_RUN_NOISE_DEFAULT);
}

/* A factor up, and the same factor down, whichever side is called the base. */
static void sides_mirror(void **state)
{
    (void)state;
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
    (void)state;
    table *t = new_table();
    add_row(t, 1, (double[]){100}, 1, (double[]){160});
    add_row(t, 1, (double[]){100}, 1, (double[]){160});
    t->summaries[1][1][0].robust_stddev = 80;
    compare(t);
    expect_verdict(t, 0, KT_VERDICT_SLOWER);
    expect_verdict(t, 1, KT_VERDICT_INCONCLUSIVE);
}

/* A ratio that no double holds is none, and changes nothing for other rows. */
static void too_far_apart(void **state)
{
    (void)state;
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

/* Benjamini and Hochberg's, by their definition: the smallest of p x (rows) / rank over this and
 * the higher ranks. */
static void adjusted(void **state)
{
    (void)state;
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

static void options(void **state)
{
    (void)state;
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
        cmocka_unit_test(common_shift),
        cmocka_unit_test(common_is_not_dragged),
        cmocka_unit_test(rows_that_do_not_agree),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(processes_differ),
        cmocka_unit_test(rows_that_stand_alone),
        cmocka_unit_test(one_job_is_no_machine),
        cmocka_unit_test(a_job_has_one_vote),
        cmocka_unit_test(a_job_does_not_hide_scatter),
        cmocka_unit_test(sides_mirror),
        cmocka_unit_test(unruly_samples),
        cmocka_unit_test(too_far_apart),
        cmocka_unit_test(adjusted),
        cmocka_unit_test(options),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
