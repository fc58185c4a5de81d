/* SPDX-License-Identifier: MIT */
/* Names of output files. */
#include "cli/output/file_names.h"
#include "tests/unit/testing.h"

#include <stdlib.h>
#include <string.h>

static const kt_launch of_four = {
    .rank = 3, .size = 4, .job = "job9", .node = "n017", .local_rank = 1, .local_size = 2};

/* What a name becomes, or the reason why it becomes none. */
static const char *made(const kt_launch *launch, const char *host, const char *pattern)
{
    static char text[8192];
    char reason[256];
    const file_name_facts facts = {.host = host, .launch = launch, .process = 4711};
    char *name = file_name_make(&facts, pattern, reason, sizeof reason);
    snprintf(text, sizeof text, "%s", name ? name : reason);
    free(name);
    return text;
}

static void fields(void **state)
{
    (void)state;
    assert_string_equal(made(NULL, "here", "plain.json"), "plain.json");
    assert_string_equal(made(NULL, "here", "%h-%p%%r"), "here-4711%r");
    assert_string_equal(made(&of_four, "here", "%h/%r.%j"), "n017/3.job9");
    /* The launcher may have no name of the node, and none of the job. */
    const kt_launch nameless = {.rank = 0, .size = 2};
    assert_string_equal(made(&nameless, "here", "%h-%r"), "here-0");
    assert_string_equal(made(&nameless, "here", "%j"), "%j: no launcher names its job");
    assert_string_equal(made(NULL, NULL, "%h"), "%h: the name of the host is not known");
}

static void long_names(void **state)
{
    (void)state;
    char pattern[4200];
    memset(pattern, 'a', sizeof pattern);
    pattern[4095] = '\0';
    assert_string_equal(made(NULL, NULL, pattern), pattern);
    pattern[4095] = 'a';
    pattern[4096] = '\0';
    assert_string_equal(made(NULL, NULL, pattern),
                        "aaaaaaaaaaaaaaaaaaaa: the name becomes too long");
}

static void shared_names(void **state)
{
    (void)state;
    char reason[256];
    static const char *const own[] = {"x%r", "%h.%r", "%%%r", "-", "/dev/null"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        assert_false(file_name_is_shared(&of_four, own[i], reason, sizeof reason));
    static const char *const shared[] = {"x", "%h", "%j", "%p", "%%r", "x%", "%{RANK}"};
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        assert_true(file_name_is_shared(&of_four, shared[i], reason, sizeof reason));
    /* Alone, or the first of an unknown number, as in a batch script. */
    kt_launch launch = {.rank = 0, .size = 1};
    assert_false(file_name_is_shared(NULL, "x", reason, sizeof reason));
    assert_false(file_name_is_shared(&launch, "x", reason, sizeof reason));
    launch.size = KT_LAUNCH_UNKNOWN;
    assert_false(file_name_is_shared(&launch, "x", reason, sizeof reason));
    launch.rank = 1;
    assert_true(file_name_is_shared(&launch, "x", reason, sizeof reason));
    assert_string_equal(reason, "x: all ranks would write this file; add %r to its name");
    /* In two launchers. */
    const kt_launch inner = {.size = 1, .variable = "PMI_RANK", .larger = "SLURM_STEP_NUM_TASKS"};
    assert_true(file_name_is_shared(&inner, "x.%r", reason, sizeof reason));
    assert_false(file_name_is_shared(&inner, "-", reason, sizeof reason));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(long_names),
                                       cmocka_unit_test(shared_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
