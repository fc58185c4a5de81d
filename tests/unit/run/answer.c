/* SPDX-License-Identifier: MIT */
/* Which configuration is called the fastest, and the sentence that says so. */
#include "cli/run/answer.h"
#include "tests/unit/run/made_contest.h"
#include "tests/unit/testing.h"

/* Judges, compares the sentence and frees. */
static void expect_sentence(made_contest *of, bool is_named, const char *expected)
{
    assert_true(answer_judge(&of->contest));
    char *sentence = answer_sentence(&of->contest, is_named);
    assert_non_null(sentence);
    assert_string_equal(sentence, expected);
    free(sentence);
    answer_free(&of->contest);
}

static void the_fastest_and_its_equals_are_named(void **state)
{
    made_contest c = make_contest(9);
    add(&c, 0, "TILE=8", KT_SERIES_KERNEL, 2e6);
    add(&c, 1, "TILE=16 WPT=4", KT_SERIES_KERNEL, 1.02e6);
    add(&c, 2, "TILE=32 WPT=4", KT_SERIES_KERNEL, 1.0201e6);
    c.rows[0].is_dropped = true;
    fail_row(&c, 3, OUTCOME_CRASHED, "its process was ended by signal 11");
    for (size_t i = 4; i < 7; i++)
        fail_row(&c, i, OUTCOME_WRONG, "y[0] is 1, not 2");
    fail_row(&c, 7, OUTCOME_LIMIT,
             "a group of 64 x 32 has 2048 work-items, and sim:0 takes at most 1024");
    add(&c, 8, "TILE=64", KT_SERIES_KERNEL, 1.1e6);
    expect_sentence(&c, false,
                    "fastest: TILE=16 WPT=4, 1.020 ms ± 0.2 %. Not told apart: TILE=32 WPT=4 "
                    "(2 of 9). 3 wrong, 1 exceeds the group size, 1 crashed.");
}

static void one_alone_is_the_fastest(void **state)
{
    made_contest c = make_contest(3);
    add(&c, 0, "TILE=8", KT_SERIES_KERNEL, 2e6);
    add(&c, 1, "TILE=16", KT_SERIES_KERNEL, 1e6);
    fail_row(&c, 2, OUTCOME_BUILD, NULL);
    expect_sentence(
        &c, true, "sim:0, n=1024: fastest: TILE=16, 1.000 ms ± 0.2 % (1 of 3). 1 does not build.");
}

/* Nothing was slower. */
static void the_only_one_left_is_not_called_the_fastest(void **state)
{
    made_contest c = make_contest(2);
    fail_row(&c, 0, OUTCOME_WRONG, "y[0] is 1, not 2");
    add(&c, 1, "A=2", KT_SERIES_KERNEL, 1e6);
    expect_sentence(&c, false, "measured: A=2, 1.000 ms ± 0.2 % (1 of 2). 1 wrong.");
}

static void many_equals_are_cut(void **state)
{
    static const char *const texts[] = {"A=1", "A=2", "A=3", "A=4", "A=5", "A=6", "A=7", "A=8"};
    made_contest c = make_contest(8);
    for (size_t i = 0; i < 8; i++)
        add(&c, i, texts[i], KT_SERIES_KERNEL, 1e6 + (double)i);
    expect_sentence(&c, false,
                    "fastest: A=1, 1.000 ms ± 0.2 %. Not told apart: A=2, A=3, A=4 and 4 more "
                    "(8 of 8).");
}

/* Device and wall times are never compared with each other. */
static void wall_times_are_compared_if_one_lacks_device_times(void **state)
{
    made_contest c = make_contest(2);
    add(&c, 0, "A=1", KT_SERIES_KERNEL, 1e6);
    add(&c, 0, "A=1", KT_SERIES_WALL, 3e6);
    add(&c, 1, "A=2", KT_SERIES_WALL, 2e6);
    assert_true(answer_judge(&c.contest));
    EXPECT_NUMBER(c.rows[0].median_ns, 3e6);
    expect_sentence(&c, false, "fastest: A=2, 2.000 ms ± 0.2 % (wall, 1 of 2).");
    c = make_contest(2);
    add(&c, 0, "A=1", KT_SERIES_WALL, 1e6);
    add(&c, 1, "A=2", KT_SERIES_WALL, 1e6);
    expect_sentence(&c, false,
                    "fastest: A=1, 1.000 ms ± 0.2 % (wall). Not told apart: A=2 (2 of 2).");
    c = make_contest(2);
    add(&c, 0, "A=1", KT_SERIES_KERNEL, 1e6);
    add(&c, 0, "A=1", KT_SERIES_WALL, 3e6);
    add(&c, 1, "A=2", KT_SERIES_KERNEL, 2e6);
    add(&c, 1, "A=2", KT_SERIES_WALL, 2e6);
    expect_sentence(&c, false, "fastest: A=1, 1.000 ms ± 0.2 % (1 of 2).");
}

static void series_without_a_trusted_time_are_not_added(void **state)
{
    made_contest c = make_contest(1);
    made_series made;
    make_series(&made, KT_SERIES_KERNEL, 1e6, 1);
    made.series.summary.median = NAN;
    assert_true(answer_add_series(&c.rows[0], &made.series));
    make_series(&made, KT_SERIES_WALL_TIMESTAMPED, 1e6, 1);
    assert_true(answer_add_series(&c.rows[0], &made.series));
    make_series(&made, KT_SERIES_KERNEL, 1e6, 1);
    made.series.step = "gaps";
    assert_true(answer_add_series(&c.rows[0], &made.series));
    assert_int_equal(c.rows[0].device.run_count + c.rows[0].wall.run_count, 0);
}

/* Each run alone tells them apart, but not the same way. */
static void runs_that_disagree_tell_nothing(void **state)
{
    made_contest c = make_contest(2);
    add(&c, 0, "A=1", KT_SERIES_KERNEL, 1e6);
    add(&c, 0, "A=1", KT_SERIES_KERNEL, 1.1e6);
    add(&c, 0, "A=1", KT_SERIES_KERNEL, 1e6);
    add(&c, 1, "A=2", KT_SERIES_KERNEL, 1.05e6);
    add(&c, 1, "A=2", KT_SERIES_KERNEL, 1e6);
    add(&c, 1, "A=2", KT_SERIES_KERNEL, 1.04e6);
    expect_sentence(
        &c, false,
        "fastest: A=1, 1.000 ms (1.000 ms .. 1.100 ms in 3 runs). Not told apart: A=2 (2 of 2).");
}

static void nothing_right_is_said(void **state)
{
    made_contest c = make_contest(4);
    for (size_t i = 0; i < 3; i++)
        fail_row(&c, i, OUTCOME_WRONG, "y[0] is 1, not 2");
    fail_row(&c, 3, OUTCOME_CRASHED, NULL);
    expect_sentence(&c, false, "no configuration gave right results: 3 wrong, 1 crashed.");
    c.contest.row_count = 1; /* the table says it */
    expect_sentence(&c, false, "");
    c = make_contest(2);
    fail_row(&c, 0, OUTCOME_OK, NULL);
    fail_row(&c, 1, OUTCOME_TIMEOUT, NULL);
    expect_sentence(&c, false, "no configuration could be timed: 1 timed out, 1 not measured.");
}

static void each_outcome_has_words_for_one_and_more(void **state)
{
    made_contest c = make_contest(9);
    fail_row(&c, 0, OUTCOME_OUTSIDE, NULL);
    fail_row(&c, 1, OUTCOME_OUTSIDE, NULL);
    fail_row(&c, 2, OUTCOME_NOTHING, NULL);
    fail_row(&c, 3, OUTCOME_NAN, NULL);
    fail_row(&c, 4, OUTCOME_LIMIT, "its buffers take 9 GiB");
    fail_row(&c, 5, OUTCOME_LIMIT,
             "its groups need 64 KiB, and sim:0 has 32 KiB local memory of a group of 64");
    fail_row(&c, 6, OUTCOME_ARGUMENTS, "p: its type is unknown");
    fail_row(&c, 7, OUTCOME_FAILED, NULL);
    fail_row(&c, 8, OUTCOME_FAILED, NULL);
    expect_sentence(&c, false,
                    "no configuration gave right results: 1 with NaN, 2 write outside of their "
                    "buffers, 1 writes nothing, 1 exceeds the local memory, 1 exceeds a limit of "
                    "the device, 1 cannot be launched, 2 failed.");
}

static void rows_are_sorted_by_their_times(void **state)
{
    made_contest c = make_contest(4);
    add(&c, 0, "A=1", KT_SERIES_KERNEL, 1e6);
    add(&c, 1, "A=2", KT_SERIES_KERNEL, 3e6);
    add(&c, 2, "A=3", KT_SERIES_KERNEL, 2e6);
    fail_row(&c, 3, OUTCOME_WRONG, NULL);
    c.rows[0].is_dropped = true; /* few samples in the race, by chance fast */
    assert_true(answer_judge(&c.contest));
    assert_int_equal(c.contest.measured_count, 3);
    assert_int_equal(c.contest.by_median[0], 2);
    assert_int_equal(c.contest.by_median[1], 1);
    assert_int_equal(c.contest.by_median[2], 0);
    assert_int_equal(c.contest.fastest, 2);
    assert_int_equal(c.contest.set_count, 1);
    answer_free(&c.contest);
}

/* The race compares device times if all have them then; the final contest may not. */
static void a_dropped_row_keeps_the_time_that_it_has(void **state)
{
    made_contest c = make_contest(3);
    add(&c, 0, "A=1", KT_SERIES_KERNEL, 5e6);
    add(&c, 1, "A=2", KT_SERIES_WALL, 2e6);
    add(&c, 2, "A=3", KT_SERIES_KERNEL, 1e6);
    add(&c, 2, "A=3", KT_SERIES_WALL, 3e6);
    c.rows[0].is_dropped = true;
    assert_true(answer_judge(&c.contest));
    assert_true(c.contest.is_wall);
    assert_int_equal(c.contest.measured_count, 3);
    assert_int_equal(c.contest.by_median[2], 0);
    EXPECT_NUMBER(c.rows[0].median_ns, 5e6);
    assert_false(answer_row_is_wall(&c.contest, &c.rows[0]));
    assert_true(answer_row_is_wall(&c.contest, &c.rows[2]));
    answer_free(&c.contest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_and_its_equals_are_named),
        cmocka_unit_test(one_alone_is_the_fastest),
        cmocka_unit_test(the_only_one_left_is_not_called_the_fastest),
        cmocka_unit_test(many_equals_are_cut),
        cmocka_unit_test(wall_times_are_compared_if_one_lacks_device_times),
        cmocka_unit_test(series_without_a_trusted_time_are_not_added),
        cmocka_unit_test(runs_that_disagree_tell_nothing),
        cmocka_unit_test(nothing_right_is_said),
        cmocka_unit_test(each_outcome_has_words_for_one_and_more),
        cmocka_unit_test(rows_are_sorted_by_their_times),
        cmocka_unit_test(a_dropped_row_keeps_the_time_that_it_has),
    };
    return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
