/* SPDX-License-Identifier: MIT */
/* Reports compared, run by run: which failed though others did not, and which are not alike. */
#include "tests/unit/collect.h"
#include "tests/unit/shapes.h"

#include <kerntime/compare.h>
#include <stdio.h>

#define FILES 3

static const char *const base_names[FILES] = {"a.json", "b.json", "c.json"};
static const char *const new_names[FILES] = {"d.json", "e.json", "f.json"};

/* What is said of all rows, and of the first. The table is in `output`. */
typedef struct said {
    kt_status status;
    kt_verdict whole;
    kt_series_change row;
    char error[256], reason[256];
} said;

/* Up to FILES reports a side, by their names. Lives until the next call. */
static const said *compare_sides(kt_report *const *base, uint32_t baseline_count,
                                 kt_report *const *new, uint32_t contender_count)
{
    static said out;
    const kt_compare_side sides[] = {{(const kt_report *const *)base, base_names, baseline_count},
                                     {(const kt_report *const *)new, new_names, contender_count}};
    kt_report_comparison *comparison = NULL;
    out = (said){.status = kt_report_compare(&sides[0], &sides[1], NULL, NULL, &comparison)};
    if (out.status != KT_OK) {
        snprintf(out.error, sizeof out.error, "%s", kt_error_text());
        return &out;
    }
    out.whole = kt_report_comparison_verdict(comparison);
    out.row = *kt_report_comparison_row(comparison, 0);
    snprintf(out.reason, sizeof out.reason, "%s", out.row.reason ? out.row.reason : "");
    output_bytes = 0;
    const kt_sink sink = {.write = collect};
    EXPECT_OK(kt_report_comparison_write(comparison, KT_FORMAT_TABLE, &sink));
    kt_report_comparison_destroy(&comparison);
    return &out;
}

/* One run of one time, whose median differs from file to file. */
static void make_files(kt_report **reports, double first_ns)
{
    for (uint32_t i = 0; i < FILES; i++) {
        const shape s = make_shape(first_ns + 10.5 * i);
        reports[i] = make_runs(&s, 1);
    }
}

/* ---- runs that failed ---- */

/* Two runs with a time, and so many that failed. */
static kt_report *make_partly(double median_ns, uint32_t failures, const char *error)
{
    const shape s = make_shape(median_ns);
    shape failed = make_shape(NAN);
    kt_report *report = make_runs(&s, 2);
    failed.series.status = KT_SERIES_FAILED;
    failed.series.error = error;
    for (uint32_t i = 0; i < failures; i++)
        add(report, &failed, 2 + i);
    return report;
}

static void what_fails_in_some_runs_is_not_fine(void **state)
{
    kt_report *good = make_partly(1e5, 0, NULL), *faster = make_partly(9e4, 3, "wrong output"),
              *bad = make_partly(100007, 3, "wrong output"), *slower = make_partly(1.2e5, 1, NULL);
    const said *s = compare_sides(&good, 1, &bad, 1);
    assert_int_equal(s->whole, KT_VERDICT_INCONCLUSIVE);
    assert_int_equal(s->row.change.verdict, KT_VERDICT_SAME);
    assert_int_equal(s->row.baseline_failed, 0);
    assert_int_equal(s->row.contender_failed, 3);
    assert_string_equal(s->row.error, "wrong output");
    EXPECT_TEXT_HAS(output,
                    "\nerror: failed in 3 of 5 runs of the contender: work/8: wrong output\n");
    s = compare_sides(&good, 1, &faster, 1);
    assert_int_equal(s->row.change.verdict, KT_VERDICT_FASTER);
    assert_int_equal(s->whole, KT_VERDICT_INCONCLUSIVE);
    assert_int_equal(compare_sides(&good, 1, &slower, 1)->whole, KT_VERDICT_SLOWER);
    /* What failed before, and does not any more, is no reason to doubt. */
    s = compare_sides(&bad, 1, &good, 1);
    assert_int_equal(s->whole, KT_VERDICT_SAME);
    assert_int_equal(s->row.baseline_failed, 3);
    EXPECT_TEXT_HAS(output,
                    "\nerror: failed in 3 of 5 runs of the baseline: work/8: wrong output\n");
}

/* ---- what all rows have in common ---- */

/* Five processes, each off by so much in all of twelve rows. */
static kt_report *make_processes(double factor, double off)
{
    static const double places[] = {-1.26, -0.63, 0, 0.63, 1.26};
    static char names[12][16];
    shape s = make_shape(1e5);
    kt_report *report = make_report(&s);
    for (uint32_t run = 0; run < 5; run++)
        for (uint32_t row = 0; row < 12; row++) {
            snprintf(names[row], sizeof names[row], "work/%u", row);
            s.series.name = names[row];
            s.series.summary.median =
                1e5 * factor * (1 + off * places[run]) + 20.5 * ((run + row) % 3);
            add(report, &s, run);
        }
    return report;
}

static void what_is_common_is_shown_to_be_small_or_decides(void **state)
{
    static const struct {
        double factor, off;
        bool matters, unclear;
        kt_verdict whole;
    } cases[] = {{1.0185, 0.01, false, true, KT_VERDICT_INCONCLUSIVE},
                 {1 / 1.0185, 0.01, false, true, KT_VERDICT_INCONCLUSIVE},
                 {1.008, 0.001, false, false, KT_VERDICT_SAME},
                 {1.03, 0.001, true, true, KT_VERDICT_INCONCLUSIVE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_report *base = make_processes(1, cases[i].off);
        kt_report *new = make_processes(cases[i].factor, cases[i].off);
        kt_report_comparison *comparison = compare(base, new);
        const kt_common_mode_shift *common = kt_report_comparison_common_mode(comparison);
        assert_true(common->shift < 0 || common->shift > 0);
        assert_true(common->groups >= KT_GROUPS_MIN);
        assert_int_equal(common->matters, cases[i].matters);
        assert_int_equal(common->unclear, cases[i].unclear);
        assert_int_equal(kt_report_comparison_verdict(comparison), cases[i].whole);
        for (uint32_t row = 0; row < kt_report_comparison_count(comparison); row++)
            assert_int_equal(kt_report_comparison_row(comparison, row)->change.verdict,
                             KT_VERDICT_SAME);
    }
}

/* ---- drivers within a side ---- */

static void a_side_has_one_driver(void **state)
{
    kt_report *base[FILES], *new[FILES];
    make_files(new, 1.001e5);
    for (uint32_t i = 0; i < FILES; i++) {
        shape s = make_shape(1e5 + 10.5 * i);
        snprintf(s.info.driver, sizeof s.info.driver, "driver %d", i == 1 ? 2 : 1);
        base[i] = make_runs(&s, 1);
    }
    kt_report *turned[] = {base[1], base[0], base[2]};
    const said *s = compare_sides(turned, FILES, new, FILES);
    assert_string_equal(s->reason, "the drivers differ within the baseline: driver 2 and driver 1");
    assert_int_equal(s->whole, KT_VERDICT_INCONCLUSIVE);
    expect_not_in_output("which may be all that changed");
    s = compare_sides(new, FILES, base, FILES);
    assert_string_equal(s->reason,
                        "the drivers differ within the contender: driver 1 and driver 2");
    expect_not_in_output("which may be all that changed");
    s = compare_sides(new, FILES, base, 1);
    EXPECT_TEXT_HAS(output, "warning: driver of opencl:0 differs, which may be all that changed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_fails_in_some_runs_is_not_fine, forget_shapes),
        cmocka_unit_test_teardown(what_is_common_is_shown_to_be_small_or_decides, forget_shapes),
        cmocka_unit_test_teardown(a_side_has_one_driver, forget_shapes),
    };
    return cmocka_run_group_tests_name("report_runs", tests, NULL, NULL);
}
