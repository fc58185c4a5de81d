/* SPDX-License-Identifier: MIT */
/* Which words of a command measure the same in another process. */
#include "cli/options/options.h"
#include "tests/unit/testing.h"

#include <string.h>

static char text[1024];

static void take(void *user, const char *word)
{
    (void)user;
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%s", length ? " | " : "", word);
}

/* The words of a command, between blanks; or the reason why it is not repeated. */
static const char *repeated(const char *command, cli_options *out)
{
    char words[512], *argv[64], reason[256];
    int argc = 0;
    snprintf(words, sizeof words, "%s", command);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    text[0] = '\0';
    if (options_repeat(argc, argv, out, take, NULL, reason, sizeof reason) != 0)
        snprintf(text, sizeof text, "%s", reason);
    return text;
}

static void words(void **state)
{
    (void)state;
    cli_options out;
    assert_string_equal(repeated("bench saxpy --size=8 matmul -qd sim:0 -dsim:1", &out),
                        "bench | saxpy | matmul | --size | 8 | --quiet");
    assert_int_equal(out.device_count, 2);
    assert_int_equal(out.runs, 0);
    assert_string_equal(repeated("run -D A=1 x.cl --run 5 -- y.cl", &out),
                        "run | x.cl | y.cl | --define | A=1 | --runs | 5");
    assert_int_equal(out.runs, 5);
    /* A value may look like an option. */
    assert_string_equal(repeated("run x.cl --expect --json", &out),
                        "run | x.cl | --expect | --json");
}

/* All of one process, abbreviated as the parser accepts it. */
static void of_process(void **state)
{
    (void)state;
    cli_options out;
    assert_string_equal(repeated("bench saxpy --dev sim:0 --js a --cs=b --markd c --gbench d "
                                 "--gbench-r --bm e --act f --tra g --plot h.svg --plot-da "
                                 "--plot-wh time --plot-wi 8cm --plot-pl --no-id --rank X "
                                 "--start-t i --start-l 1s",
                                 &out),
                        "bench | saxpy");
    assert_string_equal(repeated("run x.cl --t4 y --local-d sim --local 64", &out),
                        "run | x.cl | --local | 64");
    assert_string_equal(repeated("copy --json a --kind heap --cold", &out),
                        "copy | --kind | heap | --cold");
}

static void refusals(void **state)
{
    (void)state;
    cli_options out;
    assert_string_equal(repeated("", &out), "it is not known");
    assert_string_equal(repeated("trace x", &out), "it is none of bench, copy and run");
    assert_string_equal(repeated("bench saxpy --internal-run 3", &out),
                        "it measures nothing of its own");
    assert_string_equal(repeated("bench -h", &out), "it measures nothing of its own");
    assert_string_equal(repeated("bench --list", &out), "it measures nothing of its own");
    assert_string_equal(repeated("bench -- -d", &out), "an operand begins with \"-\"");
    assert_string_equal(repeated("bench saxpy --sise 8", &out),
                        "there is no option --sise; did you mean --size?");
    assert_string_equal(repeated("bench saxpy --size", &out), "--size needs an argument");
    assert_string_equal(repeated("bench saxpy --runs x;reboot", &out),
                        "--runs x;reboot: it takes a whole number from 1 to 1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(of_process),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
