/* SPDX-License-Identifier: MIT */
/*
 * The figure of configurations. With --draw FILE KIND [MM] it draws one: "small", "large",
 * "panels", "alone" or "hostile", for run_figure_gnuplot and for people.
 */
#include "cli/run/figure.h"

#include "tests/unit/run/made_contest.h"
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <stdio.h>

#define TEXT_BYTES 200
#define HOSTILE    "A='\n\"`rm`\" ]>&#1;%s\xFF"

static char texts[ROWS][TEXT_BYTES];
static made_contest made[4];
static answer_contest contests[4];
static kt_report *report;

static void make_report(void)
{
    static kt_device_info info;
    const kt_report_origin origin = {.version = "0.1",
                                     .started = "2026-01-31T12:00:00Z",
                                     .os = "Linux",
                                     .cpu = "A CPU of 8 cores",
                                     .clock = "monotonic",
                                     .cores = 8};
    const kt_report_desc desc = {.size = sizeof desc, .origin = &origin};
    EXPECT_OK(kt_report_create(&report, &desc));
    snprintf(info.id, sizeof info.id, "sim:0");
    snprintf(info.name, sizeof info.name, "Simulated GPU");
    snprintf(info.driver, sizeof info.driver, "simulated 1.0");
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
}

/* Rows of growing times; the first `equal` ones cannot be told apart; the last third is dropped. */
static void fill(made_contest *c, size_t rows, size_t equal, double growth)
{
    *c = make_contest(rows);
    for (size_t i = 0; i < rows; i++) {
        double ns = 1e6 * (i < equal ? 1 + 1e-4 * (double)i : pow(1 + growth, (double)i));
        snprintf(texts[i], TEXT_BYTES, "TILE=%u WPT=%u local=%u", 8u << (i % 4), 1u << (i % 3),
                 64 + 32 * (unsigned)i);
        add(c, i, texts[i], KT_SERIES_KERNEL, ns);
        c->rows[i].is_dropped = i > equal && i >= rows * 2 / 3;
    }
    assert_true(answer_judge(&c->contest));
}

static figure_source source_of(const cli_options *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        contests[i] = made[i].contest;
    return (figure_source){
        .options = options, .report = report, .contests = contests, .contest_count = count};
}

/* ---- scripts ---- */

typedef struct buffer {
    char bytes[65536];
    size_t length;
} buffer;

static int add_bytes(void *user, const char *data, size_t bytes)
{
    buffer *to = user;
    assert_true(to->length + bytes < sizeof to->bytes);
    memcpy(to->bytes + to->length, data, bytes);
    to->length += bytes;
    to->bytes[to->length] = '\0';
    return 0;
}

static int fail_to_write(void *user, const char *data, size_t bytes)
{
    return -1;
}

static const char *write_script(const cli_options *options, size_t count, bool points)
{
    static buffer text;
    text.length = 0;
    const kt_sink sink = {.write = add_bytes, .user = &text};
    const figure_source from = source_of(options, count);
    EXPECT_OK(figure_write_script(&from, points, &sink));
    return text.bytes;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static void the_set_is_marked(void **state)
{
    static const cli_options options;
    fill(&made[0], 9, 2, 0.03);
    const char *script = write_script(&options, 1, false);
    assert_true(strncmp(script, "width = 1000; height = ", 23) == 0);
    EXPECT_TEXT_HAS(script, "set ytics nomirror scale 0 ('TILE=8 WPT=1 local=64' 0, ");
    EXPECT_TEXT_HAS(script, "set y2tics scale 0 ('1.000 ms' 0, '+0.0 %%' 1, '+6.1 %%' 2, ");
    EXPECT_TEXT_HAS(script, "set label 'fastest, not told apart'");
    EXPECT_TEXT_HAS(script, "set label 'slower'");
    EXPECT_TEXT_HAS(script, "set label 'slower, dropped early'");
    assert_int_equal(count_of(script, "set object rectangle"), 2);
    EXPECT_TEXT_HAS(script, "device time per dispatch (ms)");
    EXPECT_TEXT_HAS(script, "Bars: 95 % interval of the median.");
    EXPECT_TEXT_HAS(script, "sim:0: Simulated GPU, simulated 1.0");
    answer_free(&made[0].contest);
}

/* Names of users are no commands. */
static void names_stay_inside_their_quotes(void **state)
{
    static const cli_options options;
    made[0] = make_contest(2);
    add(&made[0], 0, HOSTILE, KT_SERIES_KERNEL, 1e6);
    add(&made[0], 1, "", KT_SERIES_KERNEL, 2e6);
    assert_true(answer_judge(&made[0].contest));
    const char *script = write_script(&options, 1, false);
    EXPECT_TEXT_HAS(script, "('A='' \"`rm`\" ] >& #1;%%s ' 0, 'without a name' 1)");
    EXPECT_TEXT_HAS(script, "set label 'fastest' at");
    answer_free(&made[0].contest);
}

static void long_names_are_cut_in_the_middle(void **state)
{
    static const cli_options options;
    made[0] = make_contest(2);
    add(&made[0], 0,
        "ALPHA=1 BETA=2 GAMMA=3 DELTA=4 EPSILON=5 ZETA=6 ETA=7 THETA=8 IOTA=9 KAPPA=10 LAMBDA=11",
        KT_SERIES_KERNEL, 1e6);
    add(&made[0], 1, "ALPHA=2", KT_SERIES_KERNEL, 2e6);
    assert_true(answer_judge(&made[0].contest));
    EXPECT_TEXT_HAS(write_script(&options, 1, false),
                    "'ALPHA=1 BETA=2 GAMMA=3 ...A=9 KAPPA=10 LAMBDA=11' 0");
    answer_free(&made[0].contest);
}

static void plain_figures_have_no_notes(void **state)
{
    static const cli_options options = {.plot_plain = true};
    fill(&made[0], 9, 2, 0.03);
    const char *script = write_script(&options, 1, false);
    assert_null(strstr(script, "Bars:"));
    assert_null(strstr(script, "n=1024"));
    assert_null(strstr(script, "kerntime"));
    answer_free(&made[0].contest);
}

/* Of three panels each has 20 rows. */
static void rows_that_have_no_place_are_counted(void **state)
{
    static const cli_options options;
    fill(&made[0], 64, 2, 0.01);
    EXPECT_TEXT_HAS(write_script(&options, 1, false),
                    "The 60 fastest of 64 configurations are shown.");
    fill(&made[1], 30, 2, 0.01);
    fill(&made[2], 4, 2, 0.01);
    fail_row(&made[2], 3, OUTCOME_WRONG, NULL);
    assert_true(answer_judge(&made[2].contest));
    const char *script = write_script(&options, 3, false);
    EXPECT_TEXT_HAS(script, "The 43 fastest of 97 configurations, by device and size, are shown.");
    EXPECT_TEXT_HAS(script, "Without a time: 1 of 98 configurations");
    for (size_t i = 0; i < 3; i++)
        answer_free(&made[i].contest);
}

static void far_apart_times_have_a_logarithmic_axis(void **state)
{
    static const cli_options options;
    fill(&made[0], 9, 2, 0.5);
    const char *script = write_script(&options, 1, false);
    EXPECT_TEXT_HAS(script, "\nset logscale x\n");
    EXPECT_TEXT_HAS(script,
                    "set xtics nomirror out scale 0.6 ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20)");
    EXPECT_TEXT_HAS(script, "'17.1x' 7");
    answer_free(&made[0].contest);
}

static void nothing_measured_is_said(void **state)
{
    static const cli_options options;
    made[0] = make_contest(2);
    fail_row(&made[0], 0, OUTCOME_WRONG, NULL);
    fail_row(&made[0], 1, OUTCOME_WRONG, NULL);
    assert_true(answer_judge(&made[0].contest));
    EXPECT_TEXT_HAS(write_script(&options, 1, false), "nothing was measured");
    answer_free(&made[0].contest);
}

static void values_are_csv(void **state)
{
    static const cli_options options;
    made[0] = make_contest(2);
    add(&made[0], 0, "=1,\"x\"", KT_SERIES_KERNEL, 2e6);
    add(&made[0], 1, "A=2", KT_SERIES_KERNEL, 1e6);
    made[0].series[0].series.summary.ci95_low = NAN;
    made[0].series[0].series.summary.ci95_high = NAN;
    made[0].series[1].series.summary.ci95_low = 998e3;
    made[0].series[1].series.summary.ci95_high = 1002e3;
    assert_true(answer_judge(&made[0].contest));
    assert_string_equal(write_script(&options, 1, true),
                        "kernel,configuration,device,time,n,state,median_ns,low_ns,high_ns\n"
                        "\"gemm\",\"A=2\",\"sim:0\",device,1024,fastest,1000000,998000,1002000\n"
                        "\"gemm\",\"'=1,\"\"x\"\"\",\"sim:0\",device,1024,slower,2000000,,\n");
    answer_free(&made[0].contest);
}

static void a_sink_that_fails_is_an_error(void **state)
{
    static const cli_options options;
    const kt_sink sink = {.write = fail_to_write};
    fill(&made[0], 3, 2, 0.03);
    const figure_source from = source_of(&options, 1);
    assert_int_equal(figure_write_script(&from, false, &sink), KT_IO_ERROR);
    assert_int_equal(figure_write_script(&from, true, &sink), KT_IO_ERROR);
    answer_free(&made[0].contest);
}

/* ---- drawing ---- */

static int draw(const char *path, const char *kind, double width_mm)
{
    char operand[] = "./a b/\'x\'.cl:gemm", *operands[] = {operand};
    const cli_options options = {.plot = path,
                                 .plot_width_mm = width_mm,
                                 .command = "run",
                                 .operands = operands,
                                 .operand_count = 1};
    size_t count = 1;
    if (strcmp(kind, "large") == 0) {
        fill(&made[0], 64, 6, 0.01);
    } else if (strcmp(kind, "panels") == 0) {
        fill(&made[0], 12, 2, 0.02);
        fill(&made[1], 7, 1, 0.4);
        fill(&made[2], 2, 2, 0.02);
        count = 3;
    } else if (strcmp(kind, "hostile") == 0) {
        made[0] = make_contest(2);
        add(&made[0], 0, HOSTILE, KT_SERIES_KERNEL, 1e6);
        add(&made[0], 1, "$(rm) %d {", KT_SERIES_KERNEL, 2e6);
        assert_true(answer_judge(&made[0].contest));
    } else if (strcmp(kind, "alone") == 0) {
        fill(&made[0], 1, 1, 0.02);
        fail_row(&made[0], 1, OUTCOME_WRONG, NULL);
        made[0].contest.row_count = 2;
        assert_true(answer_judge(&made[0].contest));
    } else {
        fill(&made[0], 9, 2, 0.03);
    }
    const figure_source from = source_of(&options, count);
    int code = figure_write(&options, report, from.contests, from.contest_count);
    for (size_t i = 0; i < count; i++)
        answer_free(&made[i].contest);
    return code;
}

int main(int argc, char **argv)
{
    make_report();
    if (argc >= 4 && strcmp(argv[1], "--draw") == 0)
        return draw(argv[2], argv[3], argc > 4 ? strtod(argv[4], NULL) : 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_set_is_marked),
        cmocka_unit_test(names_stay_inside_their_quotes),
        cmocka_unit_test(long_names_are_cut_in_the_middle),
        cmocka_unit_test(plain_figures_have_no_notes),
        cmocka_unit_test(rows_that_have_no_place_are_counted),
        cmocka_unit_test(far_apart_times_have_a_logarithmic_axis),
        cmocka_unit_test(nothing_measured_is_said),
        cmocka_unit_test(values_are_csv),
        cmocka_unit_test(a_sink_that_fails_is_an_error),
    };
    int failed = cmocka_run_group_tests_name("run_figure", tests, NULL, NULL);
    kt_report_destroy(&report);
    return failed;
}
