/* SPDX-License-Identifier: MIT */
/* testing.h - cmocka, and the few checks that it lacks. */
#ifndef TESTING_H
#define TESTING_H

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <kerntime/status.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* cmocka hands every test a state, which few need. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The very same double; a NaN equals a NaN. */
#define EXPECT_NUMBER(actual, expected) \
    expect_near(actual, expected, 0, #actual, __FILE__, __LINE__)
#define EXPECT_NEAR(actual, expected, tolerance) \
    expect_near(actual, expected, tolerance, #actual, __FILE__, __LINE__)
/* On a mismatch kerntime's own sentence is shown. */
#define EXPECT_STATUS(call, expected) expect_status(call, expected, #call, __FILE__, __LINE__)
#define EXPECT_OK(call)               EXPECT_STATUS(call, KT_OK)
#define EXPECT_TEXT_HAS(text, part)   expect_text_has(text, part, __FILE__, __LINE__)

static inline void expect_near(double actual, double expected, double tolerance, const char *what,
                               const char *file, int line)
{
    if (actual == expected || (isnan(actual) && isnan(expected)) ||
        fabs(actual - expected) <= tolerance)
        return;
    print_error("%s is %.17g, not %.17g (within %g)\n", what, actual, expected, tolerance);
    _fail(file, line);
}

static inline void expect_status(kt_status actual, kt_status expected, const char *what,
                                 const char *file, int line)
{
    if (actual == expected)
        return;
    print_error("%s is \"%s\", not \"%s\": %s\n", what, kt_status_name(actual),
                kt_status_name(expected), kt_error_text());
    _fail(file, line);
}

static inline void expect_text_has(const char *text, const char *part, const char *file, int line)
{
    if (strstr(text, part))
        return;
    print_error("\"%s\" is not in \"%s\"\n", part, text);
    _fail(file, line);
}

/* How long a device may take to answer, in ns: a minute, for a busy machine keeps threads from running. A stub
 * whose script has it hang never answers, and a second of that is enough. */
static inline int64_t time_limit_ns(void)
{
    static const char *const scripts[] = {"KT_STUB_CUDA",  "KT_STUB_HIP",    "KT_STUB_LEVEL_ZERO",
                                          "KT_STUB_METAL", "KT_STUB_OPENCL", "KT_STUB_VULKAN",
                                          "KT_STUB_WEBGPU"};
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        const char *script = getenv(scripts[i]);
        if (script && strstr(script, "hang"))
            return INT64_C(1000000000);
    }
    return INT64_C(60000000000);
}

/* Random numbers that are the same in every run: xorshift64* (Vigna 2016), unlike sim's own
 * generator. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/* Uniform in 0..1, 1 excluded. */
static inline double random_share(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

/* Takes a locale with a decimal comma, or skips the test. */
static inline void choose_decimal_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8",
                                        "pl_PL.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_NUMERIC, names[i]))
            return;
    print_message("no locale with a decimal comma is installed here\n");
    skip();
}

#endif
