/* SPDX-License-Identifier: MIT */
/* Comparisons made by hand, as people see them: what stands first, where bars begin and end, which
 * sentence is said when. */
#include "tests/unit/output/compare_document.h"

/* ---- the whole ---- */

/* Each verdict twice, in a mixed order; the device's time and the wall time of a job. */
static void add_all_verdicts(void)
{
    add("matmul/512", KT_VERDICT_SAME, -0.003, 0.001, 0.004);
    add("matmul/512", KT_VERDICT_INCONCLUSIVE, -0.002, 0.022, 0.044)->change.runs_needed = 8;
    make_wall(1);
    add("saxpy/64", KT_VERDICT_SLOWER, 0.028, 0.031, 0.034);
    add("saxpy/64", KT_VERDICT_FASTER, -0.0451, -0.0398, -0.0352);
    make_wall(3);
    document.verdict = KT_VERDICT_SLOWER;
}

/* Five minimum effects of 1 % from 0 to each end: a character is 0.5 %, the marks are two from 0.
 * 3.1 % is 6.2 characters. */
static void what_changed_stands_first(void **state)
{
    add_all_verdicts();
    assert_string_equal(
        print_table(),
        "baseline: base.json, 5 runs, 2026-01-30T12:00:00Z\n"
        "contender: new.json, 5 runs, 2026-01-31T12:00:00Z\n"
        "all rows are of gpu:0\n"
        "note: slower, faster: changed by 1 % or more; at most 5 % of these verdicts are wrong\n"
        "note: same: shown to be at most 2 % apart\n"
        "note: inconclusive: neither a change nor its absence is shown; RUNS NEEDED would decide "
        "it\n"
        "note: noise: the times vary too much to tell the same from changed\n"
        "note: BASELINE and CONTENDER: means of the runs' medians. CHANGE: contender over "
        "baseline. Bar: "
        "= interval, o change, : marks 1 %\n"
        "\n"
        "VERDICT       NAME        STEP  BASELINE  CONTENDER  CHANGE    95% INTERVAL  "
        "-5%      : 0 :      +5%  REASON  RUNS NEEDED\n"
        "slower        saxpy/64          1.000 ms   1.031 ms  +3.1 %  +2.8 .. +3.4 %  "
        "[        : 0 :   o=   ]\n"
        "faster        saxpy/64    wall  1.000 ms   960.2 us  -4.0 %  -4.5 .. -3.5 %  "
        "[ =o=    : 0 :        ]\n"
        "inconclusive  matmul/512  wall  1.000 ms   1.022 ms  +2.2 %  -0.2 .. +4.4 %  "
        "[        : ====o===== ]  noise             8\n"
        "same          matmul/512        1.000 ms   1.001 ms  +0.1 %  -0.3 .. +0.4 %  "
        "[        :=o=:        ]\n"
        "\n"
        "Overall slower: 1 slower, 1 faster, 1 same, 1 inconclusive\n");
}

/* A comment is read from its beginning, and joins no dots. */
static void markdown_begins_with_the_whole(void **state)
{
    add_all_verdicts();
    print_markdown();
    static const char beginning[] =
        "**Overall slower: 1 slower, 1 faster, 1 same, 1 inconclusive**\n"
        "\n"
        "| VERDICT      | NAME       | STEP | BASELINE | CONTENDER | CHANGE |   95% INTERVAL | "
        "`-5%......:.0.:......+5%` | REASON | RUNS NEEDED |\n"
        "| ------------ | ---------- | ---- | -------: | --------: | -----: | -------------: | "
        "------------------------- | ------ | ----------: |\n"
        "| slower       | saxpy/64   |      | 1.000 ms |  1.031 ms | +3.1 % | +2.8 .. +3.4 % | "
        "`[........:.0.:...o=...]` |        |             |\n";
    assert_int_equal(strncmp(output, beginning, sizeof beginning - 1), 0);
    EXPECT_TEXT_HAS(output,
                    " |\n\n<details><summary>What the words mean, and what was compared</summary>\n"
                    "\n- note: slower, faster: changed by 1 % or more; ");
    EXPECT_TEXT_HAS(output, "\n- note: same: shown to be at most 2 % apart\n");
    EXPECT_TEXT_HAS(output, "\n- all rows are of gpu:0\n\n</details>\n");
    assert_int_equal(count_in_output("Overall"), 1);
}

static void a_file_against_itself_was_measured_once(void **state)
{
    add("fill/1", KT_VERDICT_SAME, 0, 0, 0)->change.identical = 1;
    add("fill/2", KT_VERDICT_SAME, 0, 0, 0)->change.identical = 1;
    document.baseline_side.runs = document.contender_side.runs = 1;
    document.common.run_noise = 0.005;
    print_table();
    EXPECT_TEXT_HAS(output, "0.0 %  0.0 .. 0.0 %  [        : o :        ]");
    EXPECT_TEXT_HAS(output, "\nOverall same: 2 same\n");
    EXPECT_TEXT_HAS(output, "\nwarning: baseline and contender are one result, read twice\n");
}

static void nothing_is_said_to_be_nothing(void **state)
{
    document.baseline_side = document.contender_side = (kt_compare_source){.runs = 1, .count = 1};
    assert_string_equal(print_table(), "baseline: 1 run\n"
                                       "contender: 1 run\n"
                                       "\n"
                                       "Nothing to compare: neither baseline nor contender has a "
                                       "time\n");
    assert_string_equal(print_markdown(),
                        "**Nothing to compare: neither baseline nor contender has a time**\n\n"
                        "<details><summary>What the words mean, and what was "
                        "compared</summary>\n\n"
                        "- baseline: 1 run\n- contender: 1 run\n\n</details>\n");
}

/* ---- columns ---- */

static void columns_that_say_nothing_are_left_out(void **state)
{
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    EXPECT_TEXT_HAS(print_table(), "\n\nVERDICT  NAME  BASELINE  CONTENDER  CHANGE");
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    series[1].device = "gpu:1";
    series[1].variant = "tiled";
    changes[1].change.contender_runs = 4;
    print_table();
    EXPECT_TEXT_HAS(output, "VERDICT  NAME  VARIANT  DEVICE  RUNS  BASELINE");
    EXPECT_TEXT_HAS(output, "\nsame     a     tiled    gpu:1   5, 4  1.000 ms");
    expect_not_in_output("all rows are of");
}

/* A scenario is what was changed, not another device. */
static void of_a_scenario_that_changed_the_device_is_shown(void **state)
{
    static kt_series changed[3];
    static const char *const ids[][2] = {{"sim:0:kernel_ns=20", "sim:0:kernel_ns=21"},
                                         {"sim:1:kernel_ns=20", "sim:1"},
                                         {"sim:2:seed=1", "sim:2:seed=1"}};
    for (uint32_t i = 0; i < 3; i++) {
        add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
        changed[i] = series[i];
        changes[i].contender_series = &changed[i];
        series[i].device = ids[i][0];
        changed[i].device = ids[i][1];
    }
    print_table();
    EXPECT_TEXT_HAS(output, "\nsame     a     sim:0         1.000 ms");
    EXPECT_TEXT_HAS(output, "\nsame     a     sim:1         1.000 ms");
    EXPECT_TEXT_HAS(output, "\nsame     a     sim:2:seed=1  1.000 ms");
}

/* Of several kernels each has its name; of one the only other time is the wall's. */
static void steps_are_named_where_there_are_several(void **state)
{
    static const char *const steps[] = {"scan", "add", "total", "wall"};
    for (uint32_t i = 0; i < 4; i++) {
        add("scan/8", KT_VERDICT_SAME, -0.001, 0, 0.001);
        series[i].step = steps[i];
    }
    series[3].kind = KT_SERIES_WALL;
    add("fill/8", KT_VERDICT_SAME, -0.001, 0, 0.001);
    print_table();
    EXPECT_TEXT_HAS(output, "\nsame     scan/8  scan   1.000 ms");
    EXPECT_TEXT_HAS(output, "\nsame     scan/8  add    1.000 ms");
    EXPECT_TEXT_HAS(output, "\nsame     scan/8  total  1.000 ms");
    EXPECT_TEXT_HAS(output, "\nsame     scan/8  wall   1.000 ms");
    EXPECT_TEXT_HAS(output, "\nsame     fill/8         1.000 ms");
}

/* As fine as the minimum effect asks for; what is rounded to 0 has no sign. */
static void changes_have_the_digits_they_need(void **state)
{
    static const struct {
        double min_effect, low, shift, high;
        const char *cells;
    } cases[] = {
        {0.01, -0.0004, -0.0001, 0.0004, "  0.0 %  0.0 .. 0.0 %  "},
        {0.01, -0.0006, 0.0006, 0.0016, "  +0.1 %  -0.1 .. +0.2 %  "},
        {0.005, -0.0006, 0.0006, 0.0016, "  +0.1 %  -0.1 .. +0.2 %  "},
        {0.001, -0.0006, 0.00061, 0.0016, "  +0.06 %  -0.06 .. +0.16 %  "},
        {0.0002, -0.0006, 0.000612, 0.0016, "  +0.061 %  -0.060 .. +0.160 %  "},
        {0.01, 1.5, 2, 2.5, "  +200 %  +150 .. +250 %  "},
        {0.01, 8, 9, 12, "  +900 %  +800 % .. 13.0x  "},
        {0.01, 19, 29, 999, "  30.0x  20.0x .. 1000.0x  "},
        {0.01, 0.5, 2, 99, "  +200 %  +50.0 % .. > 10x  "},
        {0.01, -0.95, -0.5, 0.1, "  -50.0 %  < 0.1x .. +10.0 %  "},
        {0.01, -0.99992, 0.1, 1105, "  +10.0 %  more than 10x either way  "},
        {0.01, -0.85, -0.8, -0.75, "  -80.0 %  -85.0 .. -75.0 %  "},
        {0.01, -0.999, -0.95, -0.5, "  0.05x  < 0.1x .. -50.0 %  "},
        {0.01, 1e5, 2e5, 3e5, "  2e+05x  1e+05x .. 3e+05x  "},
        {0.01, NAN, 0.01, NAN, "  +1.0 %             -  "},
        {0.01, -INFINITY, 0.01, INFINITY, "  +1.0 %             -  "},
        {0.01, NAN, NAN, NAN, "       -             -  "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin(state);
        document.options.min_effect = cases[i].min_effect;
        add("a", KT_VERDICT_INCONCLUSIVE, cases[i].low, cases[i].shift, cases[i].high);
        EXPECT_TEXT_HAS(print_table(), cases[i].cells);
    }
}

/* ---- bars ---- */

/* The bar of the first row, whose axis others have chosen. */
static void expect_bar(double low, double shift, double high, const char *bar)
{
    begin(NULL);
    add("it", KT_VERDICT_FASTER, low, shift, high);
    for (int i = 0; i < 4; i++)
        add("other", KT_VERDICT_SAME, -0.005, 0, 0.005);
    print_table();
    EXPECT_TEXT_HAS(output, "  -5%      : 0 :      +5%\n");
    EXPECT_TEXT_HAS(output, bar);
}

/* Between the borders are ten characters of 0.5 % each, the middle, and ten more. What goes on
 * beyond breaks the border. */
static void bars_end_where_their_intervals_do(void **state)
{
    expect_bar(0.01, 0.02, 0.03, "  [        : 0 ==o==    ]\n");
    expect_bar(-0.05, 0, 0.05, "  [==========o==========]\n");
    expect_bar(-0.9, 0.02, 0.04, "  <==============o====  ]\n");
    expect_bar(-0.01, 0.04, 0.2, "  [        ==========o==>\n");
    expect_bar(-0.9, 0.9, 1.9, "  <=====================>\n");
    expect_bar(0.5, 0.6, 0.7, "  [        : 0 :       =>\n");
    expect_bar(-0.7, -0.6, -0.5, "  <=       : 0 :        ]\n");
    expect_bar(NAN, 0.02, NAN, "  [        : 0 : o      ]\n");
    expect_bar(NAN, 0.2, NAN, "  [        : 0 :        >\n");
    expect_bar(NAN, -0.2, NAN, "  <        : 0 :        ]\n");
    expect_bar(NAN, NAN, NAN, "  [        : 0 :        ]\n");
    expect_bar(-INFINITY, 0.02, INFINITY, "  [        : 0 : o      ]\n");
}

/* Rows that reach as far as the given ones choose this axis. */
static void expect_axis(const double *reaches, uint32_t count, double min_effect, const char *axis)
{
    begin(NULL);
    document.options.min_effect = min_effect;
    for (uint32_t i = 0; i < count; i++)
        add("a", KT_VERDICT_FASTER, -reaches[i], 0, reaches[i] / 2);
    EXPECT_TEXT_HAS(print_table(), axis);
}

#define EXPECT_AXIS(min_effect, axis, ...)                                                    \
    expect_axis((const double[]){__VA_ARGS__},                                                \
                (uint32_t)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)), min_effect, \
                axis)

/* Three of four rows are on it as a whole, and all if one step more does it. */
static void no_wild_row_makes_dots_of_the_others(void **state)
{
    EXPECT_AXIS(0.01, "  -5%      : 0 :      +5%\n", 0.001);
    EXPECT_AXIS(0.01, "  -10%      :0:      +10%\n", 0.06);
    EXPECT_AXIS(0.01, "  -20%       0       +20%\n", 0.11);
    EXPECT_AXIS(0.01, "  -50%       0       +50%\n", 0.21);
    EXPECT_AXIS(0.01, "  -100%      0      +100%\n", 0.6);
    EXPECT_AXIS(0.01, "  -5%      : 0 :      +5%\n", 0.001, 0.002, 0.003, 0.11);
    EXPECT_AXIS(0.01, "  -10%      :0:      +10%\n", 0.001, 0.002, 0.003, 0.09);
    EXPECT_AXIS(0.01, "  -10%      :0:      +10%\n", 0.001, 0.002, 0.06, 0.9);
    EXPECT_AXIS(0.01, "  -5%      : 0 :      +5%\n", 0.001, 0.9);
    EXPECT_AXIS(0.002, "  -1%      : 0 :      +1%\n", 0.001);
    EXPECT_AXIS(0.005, "  -2.5%    : 0 :    +2.5%\n", 0.001);
    EXPECT_AXIS(1, "  -500%    : 0 :    +500%\n", 0.001);
}

/* ---- the whole ---- */

static void expect_whole(kt_verdict verdict, const char *line)
{
    document.verdict = verdict;
    print_table();
    EXPECT_TEXT_HAS(output, line);
}

/* What an inconclusive comparison leaves open is the largest change within an interval. */
static void the_whole_says_what_it_means(void **state)
{
    add("a", KT_VERDICT_INCONCLUSIVE, -0.2, 0.01, 0.1);
    add("b", KT_VERDICT_INCONCLUSIVE, -0.01, 0.01, 0.23);
    expect_whole(KT_VERDICT_INCONCLUSIVE,
                 "\nOverall inconclusive (no change shown; changes up to 25 % are not excluded): "
                 "2 inconclusive\n");
    changes[0].change.shift_low = -0.95;
    expect_whole(KT_VERDICT_INCONCLUSIVE, "changes of 10x and more are not excluded");
    changes[0].change.shift_low = NAN;
    expect_whole(KT_VERDICT_INCONCLUSIVE, "changes of any size are not excluded");
    add("c", KT_VERDICT_FASTER, -0.2, -0.1, -0.05);
    expect_whole(KT_VERDICT_INCONCLUSIVE, "inconclusive (no row is slower; changes of any size");
    begin(state);
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    document.common.matters = 1;
    expect_whole(KT_VERDICT_INCONCLUSIVE, "(no change shown; all rows shifted): 1 same\n");
    changes[0].contender_failed = 1;
    expect_whole(KT_VERDICT_INCONCLUSIVE, "(no change shown; runs of the contender failed): ");
}

/* One run a side whose samples do not overlap and are too few. */
static void few_samples_are_a_reason(void **state)
{
    kt_change *change = &add("a", KT_VERDICT_INCONCLUSIVE, 0.1, 1, 2)->change;
    change->rank_p = change->p_longer = 1;
    change->p = change->q = 0.01;
    print_table();
    EXPECT_TEXT_HAS(output, "note: samples: looks changed, which so few samples of one run cannot");
    change->p_longer = 0.9;
    print_table();
    EXPECT_TEXT_HAS(output, "note: ranks: ");
}

/* The largest likely change is that of the whole, with the runs that would decide it. */
static void a_likely_change_is_no_sure_one(void **state)
{
    document.of_program = true;
    add("a", KT_VERDICT_LIKELY_SLOWER, -0.5, 1, 7)->change.runs_needed = 2;
    add("b", KT_VERDICT_LIKELY_FASTER, -0.9, -0.75, 0.2);
    add("c", KT_VERDICT_INCONCLUSIVE, -0.1, 0.01, 0.1);
    expect_whole(KT_VERDICT_LIKELY_SLOWER,
                 "\nOverall likely slower: 2.0x (one run a side; 3 runs each decide); "
                 "1 likely slower, 1 likely faster, 1 inconclusive\n");
    EXPECT_TEXT_HAS(output, "\nlikely slower  a ");
    EXPECT_TEXT_HAS(output, "\nlikely faster  b ");
    EXPECT_TEXT_HAS(output, "  one run            2\n");
    add("d", KT_VERDICT_LIKELY_SLOWER, -0.5, 2, 7)->change.runs_needed = 7;
    expect_whole(KT_VERDICT_LIKELY_SLOWER, "slower: 3.0x (one run a side; 7 runs each decide); 2");
    changes[3].change.runs_needed = 0;
    document.of_program = false;
    expect_whole(KT_VERDICT_LIKELY_SLOWER,
                 "slower: 3.0x (one run a side; --runs 5 measures it); 2");
    expect_whole(KT_VERDICT_LIKELY_FASTER,
                 "faster: 4.0x (one run a side; --runs 5 measures it); 2");
}

/* ---- what is not compared ---- */

static void what_is_not_compared_is_grouped_by_reason(void **state)
{
    add("a", KT_VERDICT_SAME, -0.001, 0, 0.001);
    not_compared("b", "b", "another clock");
    not_compared("b", "wall", "another clock");
    not_compared("c", "c", "4 trials in the baseline, 8 in the contender");
    not_compared("d", "d", "another clock");
    add("d", KT_VERDICT_SAME, -0.001, 0, 0.001);
    make_wall(5);
    not_compared("only b", "b", NULL);
    changes[6].contender_series = NULL;
    not_compared("only b", "wall", "whatever");
    changes[7].contender_series = NULL;
    not_compared("only n", "n", NULL);
    changes[8].baseline_series = NULL;
    document.verdict = KT_VERDICT_INCONCLUSIVE;
    EXPECT_TEXT_HAS(print_table(), "\n\nOverall inconclusive (no change shown; some rows were not "
                                   "compared): 2 same, 4 not compared, "
                                   "3 only in one of them\n");
    EXPECT_TEXT_HAS(output,
                    "\nwarning: not compared: b, d (device time): another clock\n"
                    "warning: not compared: c: 4 trials in the baseline, 8 in the contender\n"
                    "warning: only in the baseline: only b\n"
                    "warning: only in the contender: only n\n");
    series[3].device = "gpu:1";
    series[3].variant = "tiled";
    EXPECT_TEXT_HAS(
        print_table(),
        "\nwarning: not compared: b on gpu:0, d (device time) on gpu:0: another clock\n"
        "warning: not compared: c tiled on gpu:1: 4 trials in the baseline, 8 in the contender\n");
}

/* Three names and eight reasons at most. */
static void many_that_are_not_compared_are_counted(void **state)
{
    static char names[20][8], reasons[20][16];
    for (int i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        snprintf(reasons[i], sizeof reasons[i], "reason %d", i < 10 ? 0 : i);
        not_compared(names[i], "it", reasons[i]);
    }
    print_table();
    EXPECT_TEXT_HAS(output, "\nwarning: not compared: n0, n1, n2 and 7 more: reason 0\n"
                            "warning: not compared: n10: reason 10\n");
    EXPECT_TEXT_HAS(output, "\nwarning: not compared: n16: reason 16\n"
                            "warning: rows not compared for 3 more reasons: --json has all\n");
    expect_not_in_output("VERDICT");
}

/* ---- many rows ---- */

static unsigned count_lines(void)
{
    return count_in_output("\n");
}

/* The one that changed does not scroll away, whatever its place. */
static void of_300_rows_the_one_that_changed_is_first(void **state)
{
    static char names[300][8];
    for (uint32_t i = 0; i < 300; i++) {
        snprintf(names[i], sizeof names[i], "n%d", 100 + (int)i);
        kt_verdict verdict = i == 250 ? KT_VERDICT_SLOWER : KT_VERDICT_SAME;
        double shift = i == 250 ? 0.08 : i * 1e-5;
        add(names[i], verdict, shift - 0.001, shift, shift + 0.001);
    }
    document.verdict = KT_VERDICT_SLOWER;
    EXPECT_TEXT_HAS(print_table(), "\nslower   n350  1.000 ms   1.080 ms  +8.0 %");
    assert_int_equal(count_in_output("\nsame     n"), 39);
    /* Those that are furthest from 0 are shown. */
    assert_int_equal(count_in_output("+0.3 %  +0.2 .. +0.4 %"), 39);
    EXPECT_TEXT_HAS(output, "\n\nOverall slower: 1 slower, 299 same\n");
    EXPECT_TEXT_HAS(output, "\nnote: 260 rows are not shown, 260 same; --json has all\n");
    /* Sources, notes, an empty line, the head, rows, an empty line and the whole. */
    assert_int_equal(count_lines(), 3 + 4 + 1 + 1 + 40 + 1 + 1);
}

static void all_that_changed_is_shown(void **state)
{
    for (uint32_t i = 0; i < 50; i++)
        add("b", i % 2 ? KT_VERDICT_SLOWER : KT_VERDICT_FASTER, 0, i % 2 ? 0.05 : -0.05, 0);
    for (uint32_t i = 0; i < 3; i++)
        add("c", KT_VERDICT_INCONCLUSIVE, NAN, NAN, NAN);
    add("d", KT_VERDICT_SAME, 0, 0, 0);
    print_table();
    assert_int_equal(count_in_output("\nslower  "), 25);
    assert_int_equal(count_in_output("\nfaster  "), 25);
    assert_int_equal(count_in_output("\ninconclusive  "), 0);
    EXPECT_TEXT_HAS(output, "\nnote: 4 rows are not shown, 1 same, 3 inconclusive; --json has all");
}

/* Of 41 one is left out: the same row, though an inconclusive one has changed less. */
static void what_may_have_changed_comes_before_what_did_not(void **state)
{
    for (uint32_t i = 0; i < 40; i++)
        add("b", KT_VERDICT_INCONCLUSIVE, -0.05, 0, 0.05);
    add("c", KT_VERDICT_SAME, 0, 0.019, 0);
    print_table();
    assert_int_equal(count_in_output("\ninconclusive  b"), 40);
    EXPECT_TEXT_HAS(output, "\nnote: 1 row is not shown, 1 same; --json has all\n");
}

/* ---- sentences ---- */

/* ---- names that nobody should choose ---- */

static void add_nasty(void)
{
    for (uint32_t i = 0; i < 2 * NASTY_COUNT; i++) {
        if (i < NASTY_COUNT)
            add(nasty[i], KT_VERDICT_SAME, -0.001, 0, 0.001);
        else
            not_compared(nasty[i - NASTY_COUNT], nasty[i - NASTY_COUNT],
                         nasty[(i + 1) % NASTY_COUNT]);
        series[i].variant = nasty[(i + 1) % NASTY_COUNT];
        series[i].device = nasty[(i + 2) % NASTY_COUNT];
    }
    document.baseline_side = (kt_compare_source){nasty + 21, nasty + 21, 3, 5};
}

/* VERDICT, NAME, VARIANT, DEVICE, STEP (the other half of each job was not compared), BASELINE,
 * CONTENDER, CHANGE, 95% INTERVAL and the bar have eleven. */
static void nasty_names_keep_the_rows(void **state)
{
    add_nasty();
    print_markdown();
    expect_printable(output);
    unsigned rows = 0;
    for (const char *line = output; *line; line = strchr(line, '\n') + 1) {
        if (*line == '|') {
            rows++;
            assert_int_equal(count_borders(line), 11);
        } else if (*line != '\n' && strncmp(line, "**Ov", 4) != 0 && *line != '<') {
            assert_int_equal(strncmp(line, "- ", 2), 0);
        }
    }
    assert_int_equal(rows, 2 + NASTY_COUNT);
    for (uint32_t i = NASTY_COUNT; i < 2 * NASTY_COUNT; i++)
        changes[i].reason = "reason";
    print_table();
    expect_printable(output);
    EXPECT_TEXT_HAS(output, "baseline: \xEF\xBF\xBD[2J\xEF\xBF\xBD]0;title\xEF\xBF\xBD, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_changed_stands_first, begin),
        cmocka_unit_test_setup(markdown_begins_with_the_whole, begin),
        cmocka_unit_test_setup(a_file_against_itself_was_measured_once, begin),
        cmocka_unit_test_setup(nothing_is_said_to_be_nothing, begin),
        cmocka_unit_test_setup(columns_that_say_nothing_are_left_out, begin),
        cmocka_unit_test_setup(of_a_scenario_that_changed_the_device_is_shown, begin),
        cmocka_unit_test_setup(steps_are_named_where_there_are_several, begin),
        cmocka_unit_test_setup(changes_have_the_digits_they_need, begin),
        cmocka_unit_test_setup(bars_end_where_their_intervals_do, begin),
        cmocka_unit_test_setup(no_wild_row_makes_dots_of_the_others, begin),
        cmocka_unit_test_setup(the_whole_says_what_it_means, begin),
        cmocka_unit_test_setup(few_samples_are_a_reason, begin),
        cmocka_unit_test_setup(a_likely_change_is_no_sure_one, begin),
        cmocka_unit_test_setup(what_is_not_compared_is_grouped_by_reason, begin),
        cmocka_unit_test_setup(many_that_are_not_compared_are_counted, begin),
        cmocka_unit_test_setup(of_300_rows_the_one_that_changed_is_first, begin),
        cmocka_unit_test_setup(all_that_changed_is_shown, begin),
        cmocka_unit_test_setup(what_may_have_changed_comes_before_what_did_not, begin),
        cmocka_unit_test_setup(nasty_names_keep_the_rows, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
