/* SPDX-License-Identifier: MIT */
/* T4 files. With --print PATH it writes one for check_t4.py. */
#include "cli/run/t4.h"

#include "cli/options/options.h"
#include "tests/unit/run/made_contest.h"
#include "tests/unit/testing.h"

#include <jansson.h>
#include <stdio.h>

static const answer_value first[] = {{"TILE", "16"}, {"TYPE", "float"}, {"SCALE", "0.5"}},
                          second[] = {{"TILE", "32"}, {"TYPE", "half \"x\""}, {"SCALE", "1e-3"}};

/* Two that pass, one dropped, and one of each other outcome. */
static void fill(made_contest *c)
{
    *c = make_contest(3 + OUTCOME_COUNT - 1);
    add(c, 0, "TILE=16", KT_SERIES_KERNEL, 1e6);
    add(c, 1, "TILE=32", KT_SERIES_KERNEL, 2e6);
    add(c, 2, "TILE=64", KT_SERIES_KERNEL, 4e6);
    c->rows[2].is_dropped = true;
    for (size_t i = 0; i < 3; i++)
        c->rows[i].build_ns = 5e6;
    c->rows[0].values = first;
    c->rows[1].values = second;
    c->rows[0].value_count = c->rows[1].value_count = 3;
    for (int outcome = 1; outcome < OUTCOME_COUNT; outcome++) {
        fail_row(c, (size_t)outcome + 2, (launch_outcome)outcome, "a reason");
        c->rows[outcome + 2].build_ns = NAN;
    }
    assert_true(answer_judge(&c->contest));
}

/* Writes contests to a file, and reads it. */
static json_t *write_and_read(const answer_contest *contests, size_t count)
{
    static const char path[] = "unit_t4.json"; /* in the folder of the build */
    assert_int_equal(t4_write(path, contests, count), EXIT_DONE);
    json_t *document = json_load_file(path, 0, NULL);
    assert_non_null(document);
    remove(path);
    return document;
}

static json_t *result(const json_t *document, size_t index)
{
    json_t *found = json_array_get(json_object_get(document, "results"), index);
    assert_non_null(found);
    return found;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static double measurement(const json_t *of, const char *name)
{
    size_t index;
    json_t *each;
    json_array_foreach(json_object_get(of, "measurements"), index,
                       each) if (strcmp(text_of(each, "name"), name) ==
                                 0) return json_number_value(json_object_get(each, "value"));
    return NAN;
}

static void times_are_in_ms(void **state)
{
    static made_contest c;
    fill(&c);
    json_t *document = write_and_read(&c.contest, 1);
    json_t *row = result(document, 0), *times = json_object_get(row, "times");
    json_t *runtimes = json_object_get(times, "runtimes");
    EXPECT_NUMBER(json_number_value(json_object_get(times, "compilation_time")), 5);
    assert_int_equal(json_array_size(runtimes), SAMPLES);
    EXPECT_NEAR(json_number_value(json_array_get(runtimes, 0)), c.series[0].samples_ns[0] / 1e6,
                1e-9);
    EXPECT_NEAR(measurement(row, "time"), 1, 1e-9);
    EXPECT_NEAR(measurement(row, "time_ci95_high"), c.series[0].series.summary.ci95_high / 1e6,
                1e-9);
    EXPECT_NUMBER(measurement(row, "in_fastest_set"), 1);
    EXPECT_NUMBER(measurement(result(document, 1), "in_fastest_set"), 0);
    /* What is not known is not there. */
    assert_null(json_object_get(json_object_get(result(document, 3), "times"), "compilation_time"));
    assert_true(isnan(measurement(result(document, 3), "time")));
    json_decref(document);
    answer_free(&c.contest);
}

static void values_are_numbers_where_they_can_be(void **state)
{
    static made_contest c;
    fill(&c);
    json_t *document = write_and_read(&c.contest, 1);
    json_t *values = json_object_get(result(document, 1), "configuration");
    assert_int_equal(json_integer_value(json_object_get(values, "TILE")), 32);
    EXPECT_NUMBER(json_real_value(json_object_get(values, "SCALE")), 1e-3);
    assert_string_equal(text_of(values, "TYPE"), "half \"x\"");
    assert_int_equal(json_object_size(values), 3);
    json_decref(document);
    answer_contest both[] = {c.contest, c.contest};
    document = write_and_read(both, 2);
    values = json_object_get(result(document, 0), "configuration");
    assert_string_equal(text_of(values, "device"), "sim:0");
    assert_int_equal(json_integer_value(json_object_get(values, "n")), 1024);
    json_decref(document);
    answer_free(&c.contest);
}

static void outcomes_have_their_invalidity(void **state)
{
    static const char *const expected[] = {
        "correct",     "correct",     "correct",     "compile",     "constraints",
        "constraints", "correctness", "correctness", "correctness", "correctness",
        "runtime",     "timeout",     "runtime"};
    static made_contest c;
    fill(&c);
    json_t *document = write_and_read(&c.contest, 1);
    assert_int_equal(json_array_size(json_object_get(document, "results")),
                     sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        json_t *row = result(document, i);
        assert_string_equal(text_of(row, "invalidity"), expected[i]);
        assert_int_equal(json_integer_value(json_object_get(row, "correctness")), i < 3);
    }
    json_decref(document);
    answer_free(&c.contest);
}

static void a_dropped_configuration_has_the_time_of_its_race(void **state)
{
    made_contest c = make_contest(2);
    add(&c, 0, "A=1", KT_SERIES_WALL, 1e6);
    add(&c, 1, "A=2", KT_SERIES_KERNEL, 2e6);
    c.rows[1].is_dropped = true;
    assert_true(answer_judge(&c.contest));
    json_t *document = write_and_read(&c.contest, 1), *row = result(document, 1);
    assert_string_equal(text_of(row, "invalidity"), "correct");
    EXPECT_NEAR(measurement(row, "time"), 2, 1e-9);
    json_decref(document);
    answer_free(&c.contest);
}

static void a_configuration_without_times_failed(void **state)
{
    made_contest c = make_contest(2);
    fail_row(&c, 0, OUTCOME_OK, NULL);
    fail_row(&c, 1, OUTCOME_WRONG, NULL);
    c.rows[0].build_ns = c.rows[1].build_ns = NAN;
    assert_true(answer_judge(&c.contest));
    json_t *document = write_and_read(&c.contest, 1);
    assert_string_equal(text_of(result(document, 0), "invalidity"), "runtime");
    json_decref(document);
    answer_free(&c.contest);
}

static void a_file_that_cannot_be_written_is_a_failure(void **state)
{
    made_contest c = make_contest(0);
    assert_int_equal(t4_write("/nowhere/at/all.json", &c.contest, 1), EXIT_FAILED);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        static made_contest c;
        fill(&c);
        int code = t4_write(argv[2], &c.contest, 1);
        answer_free(&c.contest);
        return code;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_in_ms),
        cmocka_unit_test(values_are_numbers_where_they_can_be),
        cmocka_unit_test(outcomes_have_their_invalidity),
        cmocka_unit_test(a_dropped_configuration_has_the_time_of_its_race),
        cmocka_unit_test(a_configuration_without_times_failed),
        cmocka_unit_test(a_file_that_cannot_be_written_is_a_failure),
    };
    return cmocka_run_group_tests_name("t4", tests, NULL, NULL);
}
