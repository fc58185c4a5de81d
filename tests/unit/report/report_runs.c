/* Reports compared, run by run: which runs are one measurement, which failed though others did not,
 * and which are not alike. */
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

static void destroy(kt_report **reports, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        kt_report_destroy(&reports[i]);
}

/* One run of one time, whose median differs from file to file. */
static void make_files(kt_report **reports, double first_ns)
{
    for (uint32_t i = 0; i < FILES; i++) {
        const shape s = make_shape(first_ns + 10.5 * i);
        reports[i] = make_runs(&s, 1);
    }
}

/* ---- one measurement, read twice ---- */

/* So does `--baseline a b c --contender c a b`. */
static void the_same_files_are_one_measurement_in_any_order(void **state)
{
    kt_report *files[FILES];
    make_files(files, 1e5);
    kt_report *const turned[] = {files[2], files[0], files[1]};
    for (uint32_t count = 1; count <= FILES; count += 2) {
        const said *s = compare_sides(files, count, count == 1 ? files : turned, count);
        assert_int_equal(s->whole, KT_VERDICT_SAME);
        assert_true(s->row.change.identical);
    }
    destroy(files, FILES);
}

/* All samples fell on the same step of the clock. */
static kt_report *make_coarse(const char *started, const char *word, kt_device_type type)
{
    shape s = make_shape(NAN);
    s.origin.started = started;
    s.info.type = type;
    const double samples_ns[] = {1e4, 1e4, 1e4, 1e4, 1e4, 1e4};
    double scratch[6];
    kt_report *report = NULL;
    const char *const words[] = {"bench", word};
    const kt_report_desc desc = {
        .size = sizeof desc, .origin = &s.origin, .command = words, .command_count = 2};
    EXPECT_OK(kt_report_create(&report, &desc));
    EXPECT_OK(kt_report_add_device(report, &s.info, &s.limits));
    s.series.samples_ns = samples_ns;
    kt_summarize(samples_ns, 6, 100, scratch, &s.series.summary);
    EXPECT_OK(kt_report_add_series(report, &s.series));
    return report;
}

static void samples_that_do_not_change_tell_no_run_from_another(void **state)
{
    static const char *const noon = "2001-02-03T12:00:00Z", *const later = "2001-02-03T12:00:01Z";
    for (int simulated = 0; simulated < 2; simulated++) {
        kt_device_type type = simulated ? KT_DEVICE_SIMULATED : KT_DEVICE_GPU;
        kt_report *base = make_coarse(noon, "one", type);
        kt_report *others[] = {make_coarse(noon, "one", type), make_coarse(later, "one", type),
                               make_coarse(noon, "two", type)};
        static const kt_verdict wanted[] = {KT_VERDICT_SAME, KT_VERDICT_INCONCLUSIVE,
                                            KT_VERDICT_INCONCLUSIVE};
        for (int i = 0; i < 3; i++) {
            const said *s = compare_sides(&base, 1, &others[i], 1);
            assert_int_equal(s->whole, wanted[i]);
            assert_int_equal(s->row.change.identical, i == 0);
        }
        kt_report_destroy(&base);
        destroy(others, 3);
    }
}

/* A row with the same samples in another run is chance. */
static void a_run_is_the_same_in_all_that_both_sides_have(void **state)
{
    const shape s = make_shape(1e5);
    shape other = make_shape(2e5), further = make_shape(3e5);
    other.series.name = "work/9";
    further.series.name = "work/10";
    kt_report *base = make_runs(&s, 1), *new = make_runs(&s, 1);
    add(base, &other, 0);
    add(new, &further, 0);
    assert_true(compare_sides(&base, 1, &new, 1)->row.change.identical);
    other.series.summary.median += 1;
    add(new, &other, 0);
    assert_false(compare_sides(&base, 1, &new, 1)->row.change.identical);
    kt_report_destroy(&base);
    kt_report_destroy(&new);
}

/* It would look like one that does not differ. A run without a sample is none that they share. */
static void some_runs_on_both_sides_are_refused(void **state)
{
    kt_report *base[FILES], *new[FILES];
    make_files(base, 1e5);
    make_files(new, 1.1e5);
    kt_report *const mixed[] = {new[0], base[1], new[2]};
    const said *s = compare_sides(base, FILES, mixed, FILES);
    assert_int_equal(s->status, KT_INVALID);
    assert_string_equal(
        s->error, "baseline and contender share a run: b.json and e.json have the same samples");
    assert_int_equal(compare_sides(base, 2, base, 1)->status, KT_INVALID);
    kt_report_comparison *comparison = NULL;
    const kt_compare_side sides[] = {{(const kt_report *const *)base, NULL, FILES},
                                     {(const kt_report *const *)mixed, NULL, FILES}};
    EXPECT_STATUS(kt_report_compare(&sides[0], &sides[1], NULL, NULL, &comparison), KT_INVALID);
    assert_string_equal(
        kt_error_text(),
        "baseline and contender share a run: 2 of the baseline is 2 of the contender");
    shape failed = make_shape(NAN);
    failed.series.status = KT_SERIES_FAILED;
    add(base[0], &failed, 1);
    add(new[0], &failed, 1);
    EXPECT_OK(compare_sides(base, FILES, new, FILES)->status);
    destroy(base, FILES);
    destroy(new, FILES);
}

static void a_simulated_device_repeats_itself(void **state)
{
    kt_report *files[FILES];
    for (uint32_t i = 0; i < FILES; i++) {
        shape s = make_shape(1e5 + 10.5 * (i / 2));
        s.info.type = KT_DEVICE_SIMULATED;
        files[i] = make_runs(&s, 1);
    }
    const said *s = compare_sides(files, FILES, &files[1], 2);
    EXPECT_OK(s->status);
    assert_false(s->row.change.identical);
    destroy(files, FILES);
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
    kt_report *all[] = {good, faster, bad, slower};
    destroy(all, 4);
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
        kt_report_comparison_destroy(&comparison);
        kt_report_destroy(&base);
        kt_report_destroy(&new);
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
    destroy(base, FILES);
    destroy(new, FILES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_files_are_one_measurement_in_any_order),
        cmocka_unit_test(samples_that_do_not_change_tell_no_run_from_another),
        cmocka_unit_test(a_run_is_the_same_in_all_that_both_sides_have),
        cmocka_unit_test(some_runs_on_both_sides_are_refused),
        cmocka_unit_test(a_simulated_device_repeats_itself),
        cmocka_unit_test(what_fails_in_some_runs_is_not_fine),
        cmocka_unit_test(what_is_common_is_shown_to_be_small_or_decides),
        cmocka_unit_test(a_side_has_one_driver),
    };
    return cmocka_run_group_tests_name("report_runs", tests, NULL, NULL);
}
