/* SPDX-License-Identifier: MIT */
/* Globs of names and lists of ranks. */
#include "tests/unit/testing.h"

#include "tracers/common/filter.h"

static trace_settings settings;

static bool wants(const char *wanted, size_t wanted_bytes, const char *unwanted, const char *name)
{
    memset(&settings, 0, sizeof settings);
    memcpy(settings.wanted, wanted, wanted_bytes);
    memcpy(settings.unwanted, unwanted, strlen(unwanted) + 1);
    return trace_wants_name(&settings, name);
}

static void names_fit_one_of_the_globs(void **state)
{
    static const char globs[] = "mat*\0conv?";
    assert_true(wants(globs, sizeof globs, "", "matmul"));
    assert_true(wants(globs, sizeof globs, "", "conv2"));
    assert_false(wants(globs, sizeof globs, "", "conv"));
    assert_false(wants(globs, sizeof globs, "", ""));
    assert_false(wants(globs, sizeof globs, "*mul", "matmul"));
    assert_true(wants("", 1, "", "any"));
    assert_true(wants("", 1, "*mul", "any"));
    assert_false(wants("", 1, "*mul", "matmul"));
}

static void globs_without_an_end_fit_nothing(void **state)
{
    memset(&settings, 0, sizeof settings);
    memset(settings.wanted, '*', sizeof settings.wanted);
    assert_false(trace_wants_name(&settings, "any"));
}

static void ranks_are_in_lists(void **state)
{
    assert_true(trace_list_holds("", "3"));
    assert_true(trace_list_holds("", ""));
    assert_true(trace_list_holds("0,4-7", "0"));
    assert_true(trace_list_holds("0,4-7", "4"));
    assert_true(trace_list_holds("0,4-7", "7"));
    assert_false(trace_list_holds("0,4-7", "3"));
    assert_false(trace_list_holds("0,4-7", "8"));
    assert_false(trace_list_holds("0,4-7", ""));
    assert_false(trace_list_holds("0,4-7", "4x"));
    assert_false(trace_list_holds("x", "4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_fit_one_of_the_globs),
        cmocka_unit_test(globs_without_an_end_fit_nothing),
        cmocka_unit_test(ranks_are_in_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
