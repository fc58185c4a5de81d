/* What the table says about the samples: the words, to the letter, of each pattern, and which of
 * them are said at all. */
#include "tests/unit/documents.h"

#include <stdio.h>

#define SERIES_MAX 64

static kt_series series[SERIES_MAX];
static uint32_t series_count;

static int begin(void **state)
{
    (void)state;
    series_count = 0;
    return 0;
}

/* A device time of 1 ms, and its interval. */
static kt_series *add(const char *name, const char *device)
{
    kt_series *added = &series[series_count++];
    *added = make_series(name, device, 1e6);
    added->summary.ci95_low = 0.999e6;
    added->summary.ci95_high = 1.001e6;
    return added;
}

static kt_series *add_wall(const char *name, const char *device)
{
    kt_series *added = add(name, device);
    added->kind = KT_SERIES_WALL;
    added->step = "wall";
    return added;
}

static void levels(kt_series *of, double low, double high, double share)
{
    of->summary.patterns |= KT_PATTERN_LEVELS;
    of->summary.level_low = low;
    of->summary.level_high = high;
    of->summary.level_high_share = share;
}

static void no_interval(kt_series *of)
{
    of->summary.ci95_low = of->summary.ci95_high = NAN;
}

static void drift(kt_series *of, double share)
{
    of->summary.patterns |= KT_PATTERN_DRIFT;
    of->summary.drift = share;
    no_interval(of);
}

static void coarse_grid(kt_series *of, double grid_ns)
{
    of->summary.patterns |= KT_PATTERN_COARSE_GRID;
    of->summary.grid = grid_ns;
}

static void autocorrelated(kt_series *of, double inflation)
{
    of->summary.patterns |= KT_PATTERN_AUTOCORRELATED;
    of->summary.inflation = inflation;
}

/* All that is printed below the rows and the matrices. */
static const char *notes(document_printer *format)
{
    const kt_document document = make_document(series, series_count);
    document_print(format, &document);
    const char *at = document_output;
    for (const char *blank = at; (blank = strstr(blank, "\n\n")) != NULL; blank++)
        at = blank + 2;
    return at;
}

static void expect_notes(const char *text)
{
    assert_string_equal(notes(kt_print_table), text);
}

/* ---- words ---- */

static void nothing_noticed_nothing_said(void **state)
{
    (void)state;
    add("matmul/512", "opencl:0");
    expect_notes("");
}

static void two_levels(void **state)
{
    (void)state;
    levels(add("matmul/512", "opencl:0"), 7.9e6, 8.532e6, 0.3);
    expect_notes("matmul/512 on opencl:0: the times keep to two levels, 8.0 % apart (7.900 ms and "
                 "8.532 ms; 30 % of the samples on the higher)\n");
    no_interval(&series[0]);
    expect_notes(
        "matmul/512 on opencl:0: the times keep to two levels, 8.0 % apart (7.900 ms and "
        "8.532 ms; 30 % of the samples on the higher); no interval is given, for how often "
        "each comes is left to chance\n");
    EXPECT_TEXT_HAS(document_output, "1.000 ms             -");
}

static void a_drift(void **state)
{
    (void)state;
    drift(add("matmul/512", "opencl:0"), 0.021);
    expect_notes("matmul/512 on opencl:0: from the first sample to the last the times grow by "
                 "2.1 % of their median, so no interval is given\n");
    series[0].summary.drift = -0.25;
    expect_notes("matmul/512 on opencl:0: from the first sample to the last the times shrink by "
                 "25 % of their median, so no interval is given\n");
    series[0].summary.drift = 0.0002;
    EXPECT_TEXT_HAS(notes(kt_print_table), " grow by 0.02 % ");
    series[0].summary.drift = 1e300; /* of a file that somebody made up */
    EXPECT_TEXT_HAS(notes(kt_print_table), " grow by 1e+302 % ");
}

/* The clock's own step, whatever a sample was divided by. */
static void a_coarse_grid(void **state)
{
    (void)state;
    coarse_grid(add("saxpy/1024", "webgpu:0"), 16384);
    series[0].trials = 4;
    expect_notes("saxpy/1024 on webgpu:0: the clock moves in steps of 65.54 us: more samples do "
                 "not help, longer ones do\n");
}

/* From an interval on that is half as wide again. */
static void neighbours_that_resemble_each_other(void **state)
{
    (void)state;
    autocorrelated(add("matmul/64", "cpu:0"), 4.41);
    expect_notes("matmul/64 on cpu:0: neighbouring samples resemble each other: the interval is "
                 "2.1 times wider for it\n");
    series[0].summary.inflation = 2.25;
    EXPECT_TEXT_HAS(notes(kt_print_table), "is 1.5 times wider");
    series[0].summary.inflation = 2.24;
    expect_notes("");
    autocorrelated(&series[0], 4.41);
    no_interval(&series[0]); /* there is none to be wider */
    expect_notes("\"-\" for an interval: too few independent samples to tell. It takes six, and "
                 "more where they resemble each other.\n");
}

static void time_of_others(void **state)
{
    (void)state;
    kt_series *shared = add("matmul/64", "level_zero:0");
    shared->context_ns = 0.88e6;
    expect_notes("matmul/64 on level_zero:0: 12 % of the time the device worked for others\n");
    add("matmul/128", "level_zero:0")->context_ns = 0.98e6;
    expect_notes("matmul/64, matmul/128 on level_zero:0: up to 12 % of the time the device worked "
                 "for others\n");
    series[0].context_ns = 0.981e6; /* clocks are read one after the other */
    series[1].context_ns = 1.5e6;
    expect_notes("");
    series[0].context_ns = 0.9e6; /* two steps */
    series[0].summary.grid = 0.05e6;
    expect_notes("");
    series[0].summary.grid = 0.0499e6;
    EXPECT_TEXT_HAS(notes(kt_print_table), ": 10 % of the time the device worked for others\n");
    series[0].context_missing = 1; /* of other samples than the median */
    expect_notes("");
}

/* ---- whose it is ---- */

static void a_step_is_named_and_the_total_stands_for_all(void **state)
{
    (void)state;
    static const char *const steps[] = {"up", "down", "total", "span"};
    for (int i = 0; i < 4; i++)
        add("scan/8", "sim:0")->step = steps[i];
    drift(&series[0], 0.01);
    drift(&series[1], 0.03);
    expect_notes("scan/8 on sim:0, step down: from the first sample to the last the times grow by "
                 "3.0 % of their median, so no interval is given\n");
    drift(&series[2], 0.02);
    drift(&series[3], 0.04);
    expect_notes("scan/8 on sim:0: from the first sample to the last the times grow by 2.0 % of "
                 "their median, so "
                 "no interval is given\n");
}

/* What a wall time has in common with its steps is said of them, and its interval is not shown. */
static void a_wall_time_comes_last(void **state)
{
    (void)state;
    kt_series *step = add("a/8", "sim:0"), *wall = add_wall("a/8", "sim:0");
    kt_series *stamped = add_wall("a/8", "sim:0");
    stamped->step = "wall_stamped"; /* in no table */
    drift(stamped, 0.5);
    drift(wall, 0.02);
    autocorrelated(wall, 9);
    levels(wall, 100, 200, 0.5);
    coarse_grid(step, 1);
    expect_notes("a/8 on sim:0: the clock moves in steps of 1.000 ns: more samples do not help, "
                 "longer ones do\n"
                 "wall time of a/8 on sim:0: the times keep to two levels, 100 % apart (100.0 ns "
                 "and 200.0 ns; 50 % of the samples on the higher)\n"
                 "wall time of a/8 on sim:0: from the first sample to the last the times grow by "
                 "2.0 % of their median\n");
    drift(step, 0.04);
    levels(step, 100, 150, 0.5);
    coarse_grid(wall, 1);
    expect_notes("a/8 on sim:0: the times keep to two levels, 50 % apart (100.0 ns and 150.0 ns; "
                 "50 % of the samples on the higher); no interval is given, for how often each "
                 "comes is left to chance\n"
                 "a/8 on sim:0: from the first sample to the last the times grow by 4.0 % of their "
                 "median, so no "
                 "interval is given\n"
                 "a/8 on sim:0: the clock moves in steps of 1.000 ns: more samples do not help, "
                 "longer ones do\n");
}

static void variants_are_told_apart(void **state)
{
    (void)state;
    drift(add("a/8", "sim:0"), 0.02);
    series[0].variant = "naive";
    EXPECT_TEXT_HAS(notes(kt_print_table), "a/8 on sim:0: ");
    add("a/8", "sim:0")->variant = "tiled";
    expect_notes("a/8 naive on sim:0: from the first sample to the last the times grow by 2.0 % of "
                 "their median, "
                 "so no interval is given\n");
}

/* ---- several ---- */

static void alike_findings_of_a_device_are_one(void **state)
{
    (void)state;
    static const char *const names[] = {"a/1", "a/2", "a/3", "a/4", "a/5"};
    for (int i = 0; i < 5; i++) {
        coarse_grid(add(names[i], "sim:0"), 100);
        coarse_grid(add(names[i], "sim:1"), 200);
        if (i > 0 && i < 3)
            drift(&series[2 * i], 0.01 * i);
        if (i > 1)
            autocorrelated(&series[2 * i + 1], i * i);
    }
    expect_notes(
        "a/2, a/3 on sim:0: from the first sample to the last the times change by up to 2.0 % of "
        "their median, so "
        "no interval is given\n"
        "a/1, a/2, a/3 and 2 more on sim:0: the clock moves in steps of 100.0 ns: more samples do "
        "not help, longer ones do\n"
        "a/1, a/2, a/3 and 2 more on sim:1: the clock moves in steps of 200.0 ns: more samples do "
        "not help, longer ones do\n"
        "a/3, a/4, a/5 on sim:1: neighbouring samples resemble each other: the intervals are up to "
        "4.0 times wider for it\n");
}

static void levels_of_several(void **state)
{
    (void)state;
    levels(add("a/1", "sim:0"), 100, 104, 0.5);
    levels(add("a/2", "sim:0"), 100, 108, 0.5);
    expect_notes("a/1, a/2 on sim:0: the times keep to two levels, up to 8.0 % apart\n");
    no_interval(&series[0]);
    expect_notes("a/1, a/2 on sim:0: the times keep to two levels, up to 8.0 % apart; where there "
                 "is no interval, how often each comes is left to chance\n");
}

static void at_most_eight_sentences(void **state)
{
    (void)state;
    static const char *const devices[] = {"d0", "d1", "d2", "d3", "d4",
                                          "d5", "d6", "d7", "d8", "d9"};
    for (int i = 0; i < 8; i++)
        coarse_grid(add("a", devices[i]), 1);
    EXPECT_TEXT_HAS(notes(kt_print_table), "\na on d7: ");
    assert_null(strstr(document_output, "more such"));
    coarse_grid(add("a", devices[8]), 1);
    drift(add("a", devices[9]), 0.01); /* the more important kind stays */
    notes(kt_print_table);
    EXPECT_TEXT_HAS(document_output, "\na on d9: ");
    EXPECT_TEXT_HAS(document_output, "\na on d6: ");
    assert_null(strstr(document_output, "\na on d7: "));
    EXPECT_TEXT_HAS(document_output, "\n... and 2 more such: the result file has all of it.\n");
}

static void names_are_spelled(void **state)
{
    (void)state;
    coarse_grid(add("a*b\n", "d|"), 1);
    series[0].variant = "x_";
    add("a*b\n", "d")->variant = "y";
    EXPECT_TEXT_HAS(notes(kt_print_markdown), "- a\\*b  x\\_ on d\\|: the clock moves");
    EXPECT_TEXT_HAS(notes(kt_print_table), "a*b  x_ on d|: the clock moves");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_noticed_nothing_said, begin),
        cmocka_unit_test_setup(two_levels, begin),
        cmocka_unit_test_setup(a_drift, begin),
        cmocka_unit_test_setup(a_coarse_grid, begin),
        cmocka_unit_test_setup(neighbours_that_resemble_each_other, begin),
        cmocka_unit_test_setup(time_of_others, begin),
        cmocka_unit_test_setup(a_step_is_named_and_the_total_stands_for_all, begin),
        cmocka_unit_test_setup(a_wall_time_comes_last, begin),
        cmocka_unit_test_setup(variants_are_told_apart, begin),
        cmocka_unit_test_setup(alike_findings_of_a_device_are_one, begin),
        cmocka_unit_test_setup(levels_of_several, begin),
        cmocka_unit_test_setup(at_most_eight_sentences, begin),
        cmocka_unit_test_setup(names_are_spelled, begin),
    };
    return cmocka_run_group_tests_name("findings", tests, NULL, NULL);
}
