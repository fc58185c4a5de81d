/* SPDX-License-Identifier: MIT */
/* How often verdicts are right, on 40 of the pairs of files of which ./dev bench counts 300. */
#include "bench/accuracy/compared.h"
#include "tests/unit/testing.h"

#include <math.h>

#define FILES 40

/* Over and over the same: a sanitizer finds nothing more in it, and takes long. */
#define SKIP_COUNTING()   \
    do {                  \
        if (KT_SANITIZED) \
            skip();       \
    } while (0)

typedef struct counted {
    compared_counts equal, three, five;
} counted;

static void count_files(double run_noise, size_t runs, counted *of)
{
    SKIP_COUNTING();
    static compared_file file;
    *of = (counted){0};
    for (uint64_t seed = 1; seed <= FILES; seed++) {
        double three[COMPARED_CHANGED], five[COMPARED_CHANGED];
        compared_fill(&file, seed, run_noise, 0);
        compared_count(&file, runs, NULL, 0, &of->equal);
        for (int row = 0; row < COMPARED_CHANGED; row++) {
            three[row] = row % 2 ? -0.03 : 0.03;
            compared_change(&file, seed, run_noise, 0, row, three[row]);
        }
        compared_count(&file, runs, three, 0, &of->three);
        for (int row = 0; row < COMPARED_CHANGED; row++) {
            five[row] = row % 2 ? -0.05 : 0.05;
            compared_change(&file, seed, run_noise, 0, row, five[row]);
        }
        compared_count(&file, runs, five, 0, &of->five);
    }
}

/* At most 2 % in the long run. Of few files two deviations more: the same unchanged rows are called
 * with both changes, so that their number varies as twice that of Poisson's law. */
static void expect_few_wrong(const counted *of)
{
    int wrong = of->three.wrong + of->five.wrong, called = of->three.called + of->five.called;
    double expected = 0.02 * called;
    if (wrong > expected + 2 * sqrt(2 * expected))
        fail_msg("%d of %d calls are wrong", wrong, called);
}

/* At most 5 % of the equal files have a row called different: 2 of 40. Of 400 rows each, changed by
 * 3 % and by 5 %, at least so many are found. */
static void files_of_several_runs(void **state)
{
    static const struct {
        double run_noise;
        size_t runs;
        int three, five;
    } cases[] = {
        {0.005, 5, 300, 380}, {0.01, 5, 192, 368}, {0.005, 10, 360, 380}, {0.01, 10, 340, 380}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        counted of;
        count_files(cases[i].run_noise, cases[i].runs, &of);
        if (of.equal.with_any > 2 || of.three.found < cases[i].three ||
            of.five.found < cases[i].five)
            fail_msg("%zu runs: %d files with a call; found %d and %d", cases[i].runs,
                     of.equal.with_any, of.three.found, of.five.found);
        expect_few_wrong(&of);
        if (i == 0)
            assert_true(of.equal.same > of.equal.inconclusive);
    }
}

/* Where runs differ by 3 %, and all rows of a job alike: 5 % of the files have a row that is
 * called. Of 200 that are 10. */
static void rows_of_a_job(void **state)
{
    SKIP_COUNTING();
    static compared_file file;
    static const int rows[] = {10, COMPARED_ROWS};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        compared_counts of = {0};
        for (uint64_t seed = 1; seed <= 200; seed++) {
            compared_fill_jobs(&file, seed, 0.03, rows[i]);
            compared_count(&file, 2, NULL, 0, &of);
        }
        if (of.with_any > 10 || of.common > 10)
            fail_msg("%d rows a job: %d files with a call, in %d what is common matters", rows[i],
                     of.with_any, of.common);
    }
}

/* Whatever share of twelve rows is 5 % slower, of the calls at most 5 % are wrong. All rows alike
 * are the machine. Of fewer, most are found. */
static void shares_of_rows(void **state)
{
    SKIP_COUNTING();
    static compared_file file;
    static const int slower[] = {0, 1, 3, 6, 9, 11, 12};
    for (size_t i = 0; i < 14; i++) {
        compared_scenario at = {12, i / 7 ? 3 : 1, slower[i % 7], 0.05};
        compared_counts of = {0};
        for (uint64_t seed = 1; seed <= 200; seed++) {
            compared_fill_scenario(&file, seed, &at);
            compared_count_slower(&file, COMPARED_SCENARIO_RUNS, at.slower, at.change, &of);
        }
        bool all = at.slower == at.rows;
        if (of.wrong_share > 0.05 * of.files || (all && of.common < 0.95 * of.files) ||
            (!all && of.found < 0.6 * of.changed))
            fail_msg("%d of 12 rows on %d devices: %.1f %% wrong, found %d of %d, common in %d",
                     at.slower, at.devices, 100 * of.wrong_share / of.files, of.found, of.changed,
                     of.common);
    }
}

/* Never the same; a change of 3 % stays open. */
static void single_runs(void **state)
{
    counted of;
    count_files(0.005, 1, &of);
    assert_true(of.equal.with_any <= 2);
    assert_int_equal(of.equal.same + of.three.same + of.five.same, 0);
    assert_int_equal(of.three.found + of.five.found, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_several_runs),
        cmocka_unit_test(rows_of_a_job),
        cmocka_unit_test(shares_of_rows),
        cmocka_unit_test(single_runs),
    };
    return cmocka_run_group_tests_name("error_rates", tests, NULL, NULL);
}
