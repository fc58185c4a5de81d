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
#include <math.h>
#include <stdbool.h>
#include <string.h>

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

#endif
