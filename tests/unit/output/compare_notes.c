/* SPDX-License-Identifier: MIT */
/* Comparisons made by hand: which sentence is said when. */
#include "tests/unit/output/compare_document.h"

static void what_all_rows_have_in_common_is_said(void **state)
{
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    document.common = (kt_common_mode_shift){
        .rows = 1, .shift = 0.012, .shift_low = 0.01, .shift_high = 0.014, .matters = 1};
    document.common.run_noise = NAN;
    EXPECT_TEXT_HAS(
        print_table(),
        "\nwarning: common-mode shift: everything is 1.2 % slower (95% interval +1.0 .. "
        "+1.4 %); check the machine, then read RESIDUAL: each row without that shift\n");
    EXPECT_TEXT_HAS(output, "\n\nVERDICT  NAME  BASELINE  CONTENDER  RESIDUAL    95% INTERVAL");
    expect_not_in_output("CHANGE");
    EXPECT_TEXT_HAS(
        print_markdown(),
        "1 same**\n\n- warning: common-mode shift: everything is 1.2 % slower (95% interval");
    EXPECT_TEXT_HAS(output, "each row without that shift\n\n| VERDICT");
    document.common.shift = -0.012;
    EXPECT_TEXT_HAS(print_table(), "everything is 1.2 % faster (95% interval");
    document.common.shift = -0.95;
    EXPECT_TEXT_HAS(print_table(), "everything is a factor of 20 faster (95% interval");
    document.common.matters = 0;
    document.common.shift = -0.003;
    EXPECT_TEXT_HAS(print_table(), "all rows are 0.3 % faster (95% interval");
    expect_not_in_output("perhaps by more than");
    document.common.unclear = 1;
    EXPECT_TEXT_HAS(print_table(), " %), perhaps by more than 2 %; check the machine");
    document.common.unclear = 0;
    /* What shows in no number is not said. */
    document.common.shift = 0.0004;
    EXPECT_TEXT_HAS(print_table(), "  CHANGE  ");
    expect_not_in_output("RESIDUAL");
    document.common = (kt_common_mode_shift){
        .rows = 12, .groups = 12, .exceptions = 4, .shift_low = 0.047, .shift_high = 0.049};
    EXPECT_TEXT_HAS(print_table(),
                    "\nwarning: most rows are 4.8 % slower; 4 of 12 are not; look for "
                    "what the slower ones share\n");
    EXPECT_TEXT_HAS(output, "  CHANGE  ");
    document.common.rows++;
    document.common.exceptions = 1;
    EXPECT_TEXT_HAS(print_table(), "\nwarning: most jobs are 4.8 % slower; 1 of 12 is not; look ");
    document.common.shift_low = 0.002;
    document.common.shift_high = 0.004;
    print_table();
    expect_not_in_output("warning: most");
    document.common =
        (kt_common_mode_shift){.rows = 1, .shift_low = NAN, .shift_high = NAN, .run_noise = NAN};
    print_table();
    expect_not_in_output("common-mode");
    changes[0].change.verdict = KT_VERDICT_SLOWER;
    EXPECT_TEXT_HAS(print_table(), "\nwarning: too few rows to tell a slower machine from slower "
                                   "code; measure more workloads\n");
    /* Rows of a job are one, and those that were measured once tell nothing. */
    document.common.rows = document.common.groups = KT_GROUPS_MIN;
    EXPECT_TEXT_HAS(print_table(), "\nwarning: rows disagree too much to tell a slower machine ");
    document.common.groups--;
    EXPECT_TEXT_HAS(print_table(), "\nwarning: too few jobs to tell a slower machine ");
}

/* A job is named once, three of them are, and of different numbers the largest. */
static void what_failed_in_some_runs_is_named(void **state)
{
    static const char *const names[] = {"a", "a", "b", "c", "d", "e"};
    for (uint32_t i = 0; i < 6; i++)
        add(names[i], KT_VERDICT_SAME, -0.001, 0, 0.001)->error = "wrong output";
    make_wall(1);
    print_table();
    expect_not_in_output("failed");
    changes[0].contender_failed = changes[1].contender_failed = 2;
    EXPECT_TEXT_HAS(print_table(),
                    "\nerror: failed in 2 of 5 runs of the contender: a: wrong output\n");
    for (uint32_t i = 0; i < 6; i++)
        changes[i].contender_failed = 1 + i / 5;
    changes[2].baseline_failed = 1;
    print_markdown();
    EXPECT_TEXT_HAS(
        output,
        "\n- error: failed in up to 2 of 5 runs of the contender: a, b, c and 2 more: wrong "
        "output\n- error: failed in 1 of 5 runs of the baseline: b\n");
}

static void what_one_run_cannot_see_is_said(void **state)
{
    add("a", KT_VERDICT_INCONCLUSIVE, -0.001, 0, 0.001);
    print_table();
    expect_not_in_output("run-to-run");
    document.common.run_noise = 0.005;
    document.baseline_side.runs = document.contender_side.runs = 1;
    EXPECT_TEXT_HAS(print_table(),
                    "\nwarning: one run each: a run-to-run deviation of 0.5 % is assumed; --runs 5 "
                    "measures it\n");
    document.common.run_noise = 0.008;
    EXPECT_TEXT_HAS(print_table(),
                    "\nwarning: one run each: a run-to-run deviation of 0.8 % is assumed (the rows "
                    "scatter that much); --runs 5 measures it\n");
    expect_not_in_output("no row can be shown");
    document.contender_side.runs = 5;
    EXPECT_TEXT_HAS(print_table(),
                    "\nwarning: one run in the baseline: a run-to-run deviation of 0.8 %");
    document.baseline_side.runs = 5;
    EXPECT_TEXT_HAS(print_table(),
                    "\nwarning: some rows have one run: a run-to-run deviation of 0.8 %");
    document.contender_side.runs = 1;
    EXPECT_TEXT_HAS(print_table(),
                    "\nwarning: one run in the contender: a run-to-run deviation of 0.8 %");
    document.baseline_side.runs = 1;
    document.contender_side.runs = 5;
    document.common.run_noise = NAN;
    EXPECT_TEXT_HAS(
        print_table(),
        "\nnote: one run in the baseline: no row can be shown to be the same; use --runs 5\n");
    expect_not_in_output("run-to-run");
}

static void options_are_in_the_words(void **state)
{
    add("a", KT_VERDICT_FASTER, -0.04, -0.03, -0.02);
    add("b", KT_VERDICT_SAME, -0.001, 0, 0.001);
    document.options.min_effect = 0.025;
    document.options.alpha = 0.001;
    print_table();
    EXPECT_TEXT_HAS(output, "changed by 2.5 % or more; at most 0.1 % of these verdicts are wrong\n"
                            "note: same: shown to be at most 5 % apart\n");
    EXPECT_TEXT_HAS(output, ", : marks 2.5 %\n");
    expect_not_in_output("inconclusive");
}

static void sides_are_named_with_their_files_and_dates(void **state)
{
    static const char *const names[] = {"b.json", "a.json", "c.json", "d.json", "e.json"};
    static const char *const started[] = {"2026-01-02", "2026-01-01", "2026-01-04", "2026-01-03",
                                          "2026-01-02"};
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    document.baseline_side = (kt_compare_source){names, started, 5, 7};
    document.contender_side = (kt_compare_source){NULL, contender_started, 1, 1};
    EXPECT_TEXT_HAS(print_table(),
                    "baseline: b.json, a.json, c.json, 2 more, 7 runs, 2026-01-01 .. 2026-01-04\n"
                    "contender: 1 run, 2026-01-31T12:00:00Z\n");
}

static void drivers_that_differ_are_said(void **state)
{
    kt_document_device devices[] = {make_device("gpu:0", "driver 1"), make_device("gpu:1", "same"),
                                    make_device("gpu:0", "driver 2"), make_device("gpu:1", "same")};
    head.devices = devices;
    head.device_count = 4;
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    print_table();
    EXPECT_TEXT_HAS(output, "\nwarning: name of gpu:0 differs, which may be all that changed: "
                            "baseline driver 1, driver 1; contender driver 2, driver 2\n");
    EXPECT_TEXT_HAS(output, "\ngpu:1: same, same\n");
    assert_int_equal(count_in_output("gpu:"), 2);
    strcpy(devices[2].info.name, devices[0].info.name);
    EXPECT_TEXT_HAS(
        print_markdown(),
        "1 same**\n\n- warning: driver of gpu:0 differs, which may be all that changed: "
        "baseline driver 1, driver 1; contender driver 1, driver 2\n\n| VERDICT");
}

static kt_change *add_doubtful(double low, double shift, double high, double p, double q)
{
    kt_change *change = &add("a", KT_VERDICT_INCONCLUSIVE, low, shift, high)->change;
    change->p = p;
    change->q = q;
    change->rank_p = 0.5;
    return change;
}

static void a_state_that_differs_is_said_before_a_verdict(void **state)
{
    static const char *const clock = "core clock 1410 -> 1200 MHz (-15 %)";
    static const char *const both =
        "core clock 1410 -> 1200 MHz (-15 %); power limit 400 -> 300 W (-25 %)";
    add("a", KT_VERDICT_SLOWER, 0.16, 0.17, 0.18)->state_change = both;
    document.verdict = KT_VERDICT_SLOWER;
    EXPECT_TEXT_HAS(print_table(), "\nwarning: state of gpu:0 differs, which may be all that "
                                   "changed: core clock 1410 -> 1200 MHz (-15 %); power limit 400 "
                                   "-> 300 W (-25 %)\n");
    EXPECT_TEXT_HAS(output, "]  core clock 1410 -> 1200 MHz (-15 %)\n");
    EXPECT_TEXT_HAS(output, "Overall slower (the device's state differs in 1 of 1 slower row): 1 "
                            "slower\n");
    EXPECT_TEXT_HAS(print_markdown(), "**Overall slower (the device's state differs in 1 of 1 "
                                      "slower row): 1 slower**\n\n- warning: state of gpu:0 ");
    add("b", KT_VERDICT_SLOWER, 0.16, 0.17, 0.18);
    add("c", KT_VERDICT_SAME, -0.001, 0, 0.001)->state_change = clock;
    not_compared("d", "d", "another clock");
    EXPECT_TEXT_HAS(print_table(), "\nwarning: state of gpu:0 differs in 2 of 3 rows, which may be "
                                   "all that changed: core clock 1410 -> 1200 MHz (-15 %); power "
                                   "limit 400 -> 300 W (-25 %) in the first of them\n");
    EXPECT_TEXT_HAS(output,
                    "Overall slower (the device's state differs in 1 of 2 slower rows): 2 ");
    changes[0].state_change = changes[2].state_change = NULL;
    print_table();
    expect_not_in_output("state");
}

static void a_reason_may_be_both(void **state)
{
    add_doubtful(-0.01, 0.02, 0.05, 0.3, 0.5);
    changes[0].state_change = "power limit 400 -> 300 W (-25 %)";
    document.verdict = KT_VERDICT_INCONCLUSIVE;
    EXPECT_TEXT_HAS(print_table(), "]  noise; power limit 400 -> 300 W (-25 %)");
    expect_not_in_output("the device's state differs in");
}

static void states_of_many_devices_are_counted(void **state)
{
    static char ids[10][8];
    for (uint32_t i = 0; i < 10; i++) {
        snprintf(ids[i], sizeof ids[i], "gpu:%u", i);
        add("a", KT_VERDICT_SAME, -0.001, 0, 0.001)->state_change = "throttled in the baseline";
        series[i].device = ids[i];
    }
    EXPECT_TEXT_HAS(print_table(), "\nwarning: state of gpu:7 differs, which may be all");
    expect_not_in_output("state of gpu:8");
    EXPECT_TEXT_HAS(output, "\nwarning: the state of more devices differs in 2 rows: --json has "
                            "all\n");
}

static void what_is_inconclusive_has_a_reason(void **state)
{
    add_doubtful(-0.01, 0.02, 0.05, 0.3, 0.5)->runs_needed = 8;
    add_doubtful(0.001, 0.009, 0.03, 0.3, 0.5)->runs_needed = 12;
    add_doubtful(0.001, 0.02, 0.03, 0.3, 0.5)->runs_needed = 30;
    add_doubtful(0.01, 0.02, 0.03, 0.01, 0.06)->runs_needed = 9;
    add_doubtful(0.01, 0.02, 0.03, 0.001, 0.01)->runs_needed = 7;
    add_doubtful(-0.01, 0.002, 0.01, 0.6, 0.7)->contender_runs = 1;
    print_table();
    assert_int_equal(count_in_output("  noise              8\n"), 1);
    assert_int_equal(count_in_output("  small             12\n"), 1);
    assert_int_equal(count_in_output("  small             30\n"), 1);
    assert_int_equal(count_in_output("  chance             9\n"), 1);
    assert_int_equal(count_in_output("  ranks              7\n"), 1);
    assert_int_equal(count_in_output("  one run\n"), 1);
    EXPECT_TEXT_HAS(output,
                    "\nnote: noise: the times vary too much to tell the same from changed\n"
                    "note: small: changed, but perhaps by less than 1 %\n"
                    "note: chance: looks changed, but of 6 rows one may look so by chance\n"
                    "note: ranks: the mean looks changed, but the times of the runs overlap\n"
                    "note: one run: looks the same, which a single run cannot show\n");
}

static kt_change *add_noisy(const char *name, uint32_t runs_needed, double min_detectable_effect)
{
    kt_change *change = &add(name, KT_VERDICT_INCONCLUSIVE, -0.04, 0, 0.04)->change;
    change->runs_needed = runs_needed;
    change->min_detectable_effect = min_detectable_effect;
    return change;
}

static void what_is_too_noisy_says_what_could_be_decided(void **state)
{
    kt_change *noisiest = add_noisy("a", 31, 0.02001);
    add_noisy("b", 0, 0.015);
    add_noisy("c", 30, 0.05);
    add_noisy("d", 8, 0.04);
    kt_compare_outlook of = kt_find_outlook(&document);
    assert_int_equal(of.inconclusive, 4);
    assert_int_equal(of.decided, 2);
    assert_int_equal(of.runs, 30);
    assert_int_equal(of.noisy, 2);
    EXPECT_NEAR(of.min_effect, 0.021, 1e-15);
    EXPECT_TEXT_HAS(print_table(), "  noise          > 30\n");
    EXPECT_TEXT_HAS(output, "\nwarning: too noisy for 1 %: 2 rows; minimum detectable effect about "
                            "2.1 %: --min-effect 2.1%, or more runs\n");
    noisiest->min_detectable_effect = 1.5; /* nobody can ask for that */
    print_table();
    expect_not_in_output("too noisy");
    noisiest->min_detectable_effect = NAN; /* one run on a side */
    print_table();
    expect_not_in_output("too noisy");
    assert_true(isnan(kt_find_outlook(&document).min_effect));
}

static void of_single_runs_no_share_of_wrong_ones_is_promised(void **state)
{
    add("a", KT_VERDICT_SLOWER, 0.02, 0.03, 0.04);
    EXPECT_TEXT_HAS(print_table(),
                    "\nnote: slower, faster: changed by 1 % or more; at most 5 % of");
    changes[0].change.baseline_runs = changes[0].change.contender_runs = 1;
    EXPECT_TEXT_HAS(print_table(), "\nnote: slower, faster: changed by 1 % or more\n");
}

static void the_reason_is_in_json_too(void **state)
{
    const kt_sink sink = {.write = collect};
    kt_writer writer = {.sink = &sink};
    add_doubtful(-0.01, 0.02, 0.05, 0.3, 0.5);
    add("b", KT_VERDICT_SAME, -0.01, 0, 0.01)->state_change = "throttled in the baseline";
    not_compared("c", "c", "another clock");
    output_bytes = 0;
    kt_print_compare_json(&document, &writer);
    kt_flush(&writer);
    EXPECT_TEXT_HAS(output,
                    "\"reason\": \"the times vary too much to tell the same from changed\"");
    EXPECT_TEXT_HAS(output, "\"reason\": null");
    EXPECT_TEXT_HAS(output, "\"reason\": \"another clock\"");
    EXPECT_TEXT_HAS(output, "\"state_change\": \"throttled in the baseline\"");
    EXPECT_TEXT_HAS(output, "\"state_change\": null");
}

/* A step that one side alone has is no whole job, wherever it stands. */
static void rows_of_a_job_need_not_stand_together(void **state)
{
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    add("b", KT_VERDICT_SAME, -0.001, 0, 0.001);
    not_compared("a", "extra", NULL);
    changes[2].baseline_series = NULL;
    EXPECT_TEXT_HAS(print_table(), "\nwarning: only in the contender: a extra\n");
    EXPECT_TEXT_HAS(output, "\nsame     a     work  1.000 ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_all_rows_have_in_common_is_said, begin),
        cmocka_unit_test_setup(what_failed_in_some_runs_is_named, begin),
        cmocka_unit_test_setup(what_one_run_cannot_see_is_said, begin),
        cmocka_unit_test_setup(options_are_in_the_words, begin),
        cmocka_unit_test_setup(sides_are_named_with_their_files_and_dates, begin),
        cmocka_unit_test_setup(drivers_that_differ_are_said, begin),
        cmocka_unit_test_setup(a_state_that_differs_is_said_before_a_verdict, begin),
        cmocka_unit_test_setup(a_reason_may_be_both, begin),
        cmocka_unit_test_setup(states_of_many_devices_are_counted, begin),
        cmocka_unit_test_setup(what_is_inconclusive_has_a_reason, begin),
        cmocka_unit_test_setup(what_is_too_noisy_says_what_could_be_decided, begin),
        cmocka_unit_test_setup(of_single_runs_no_share_of_wrong_ones_is_promised, begin),
        cmocka_unit_test_setup(the_reason_is_in_json_too, begin),
        cmocka_unit_test_setup(rows_of_a_job_need_not_stand_together, begin),
    };
    return cmocka_run_group_tests_name("compare_notes", tests, NULL, NULL);
}
