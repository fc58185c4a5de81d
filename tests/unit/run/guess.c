/* SPDX-License-Identifier: MIT */
/* Arguments that nobody gave, and names in compilers' logs. */
#include "cli/run/guess.h"
#include "cli/run/build_log.h"
#include "tests/unit/testing.h"

#include <stdio.h>

static parameter value(const char *name, scalar_kind scalar)
{
    parameter p = {.kind = PARAMETER_VALUE, .element = {scalar, 4, 1, 4}};
    snprintf(p.name, sizeof p.name, "%s", name);
    return p;
}

static void names_of_counts_are_known(void **state)
{
    static const char *const counts[] = {"n",      "N",         "size",        "count",
                                         "len",    "length",    "numItems",    "num_elements",
                                         "width",  "imgHeight", "args.n",      "data_size",
                                         "number", "npoints",   "no_of_nodes", "rows"};
    static const char *const others[] = {
        "",           "k",          "stride",  "tile_size", "blockSize",  "num_groups",
        "seed",       "iterations", "nothing", "localSize", "num_blocks", "m",
        "filter_len", "offset",     "nbins",   "norms2",    "next"};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        parameter p = value(counts[i], SCALAR_SIGNED);
        if (!parameter_is_count(&p))
            print_error("%s\n", counts[i]);
        assert_true(parameter_is_count(&p));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        parameter p = value(others[i], SCALAR_UNSIGNED);
        if (parameter_is_count(&p))
            print_error("%s\n", others[i]);
        assert_false(parameter_is_count(&p));
    }
    parameter real = value("n", SCALAR_FLOAT), vector = value("n", SCALAR_SIGNED);
    vector.element.lanes = 2;
    assert_false(parameter_is_count(&real) || parameter_is_count(&vector));
}

static double number(parameter p)
{
    specification spec;
    guess_content(&p, 100, &spec);
    assert_int_equal(spec.kind, SPECIFICATION_FILL);
    return spec.numbers[0];
}

static specification_kind kind(parameter_kind what, element_type element)
{
    const parameter p = {.kind = what, .element = element};
    specification spec;
    guess_content(&p, 100, &spec);
    return spec.kind;
}

static void content_follows_the_type(void **state)
{
    EXPECT_NUMBER(number(value("count", SCALAR_UNSIGNED)), 100);
    EXPECT_NUMBER(number(value("step", SCALAR_UNSIGNED)), 1);
    EXPECT_NUMBER(number(value("n", SCALAR_FLOAT)), 1);
    const element_type structure = {SCALAR_UNKNOWN, 0, 0, 24}, unknown = {SCALAR_UNKNOWN, 0, 0, 0};
    const element_type real = {SCALAR_FLOAT, 4, 4, 16}, whole = {SCALAR_SIGNED, 8, 1, 8};
    assert_int_equal(kind(PARAMETER_VALUE, structure), SPECIFICATION_ZEROS);
    assert_int_equal(kind(PARAMETER_BUFFER, structure), SPECIFICATION_ZEROS);
    assert_int_equal(kind(PARAMETER_BUFFER, real), SPECIFICATION_RANDOM);
    /* Integers are indices below n; those that may be written differ from a copy of others. */
    parameter numbers = {.kind = PARAMETER_BUFFER, .element = whole, .is_read_only = true};
    specification spec;
    guess_content(&numbers, 100, &spec);
    assert_int_equal(spec.kind, SPECIFICATION_IOTA);
    numbers.is_read_only = false;
    guess_content(&numbers, 1000, &spec);
    assert_int_equal(spec.kind, SPECIFICATION_RANDOM);
    EXPECT_NUMBER(spec.high, 99);
    guess_content(&numbers, 16, &spec);
    EXPECT_NUMBER(spec.high, 15);
    guess_content(&numbers, 1, &spec);
    assert_int_equal(spec.kind, SPECIFICATION_ZEROS);
    /* Floats, with room for doubles. */
    assert_int_equal(kind(PARAMETER_BUFFER, unknown), SPECIFICATION_RANDOM);
    const parameter p = {.kind = PARAMETER_BUFFER, .element = unknown};
    const element_type made = guess_element(&p);
    assert_int_equal(made.stride, 8);
    assert_int_equal(made.scalar_bytes * made.lanes, 8);
}

/* Of PoCL 3.1, NVRTC 12, glslang 12, Dawn and Metal. */
static void logs_name_what_is_undefined(void **state)
{
    static const char *const logs[][2] = {
        {"gemm.cl:3:14: error: use of undeclared identifier 'TILE'\n", "TILE"},
        {"gemm.cu(3): error: identifier \"WPT\" is undefined\n", "WPT"},
        {"k.comp:7: error: 'PLUS' : undeclared identifier\n", "PLUS"},
        {":1:8 error: unresolved value 'width'\n", "width"},
        {"program_source:1:5: error: unknown type name 'real'\n", "real"},
    };
    char word[BUILD_LOG_WORD_BYTES];
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        assert_true(build_log_undefined(logs[i][0], word));
        assert_string_equal(word, logs[i][1]);
    }
    assert_false(build_log_undefined("error: expected ';'", word));
    assert_false(build_log_undefined("use of undeclared identifier '", word));
    assert_false(build_log_undefined("' : undeclared identifier", word));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_counts_are_known),
        cmocka_unit_test(content_follows_the_type),
        cmocka_unit_test(logs_name_what_is_undefined),
    };
    return cmocka_run_group_tests_name("guess", tests, NULL, NULL);
}
