/* SPDX-License-Identifier: MIT */
/* 2-byte floats: all 65,536 of them, and what is rounded to them. */
#include "cli/run/half.h"
#include "tests/unit/testing.h"

static void each_half_comes_back(void **state)
{
    for (uint32_t bits = 0; bits < 65536; bits++) {
        double value = half_to_double((uint16_t)bits);
        if (isnan(value))
            assert_true((bits & 0x7C00) == 0x7C00 && (bits & 0x3FF));
        else
            assert_int_equal(half_from_double(value), bits);
    }
}

static void known_values(void **state)
{
    assert_int_equal(half_from_double(1), 0x3C00);
    assert_int_equal(half_from_double(-2), 0xC000);
    assert_int_equal(half_from_double(HALF_MAX), 0x7BFF);
    assert_int_equal(half_from_double(0x1p-24), 1);
    assert_int_equal(half_from_double(0x1p-14), 0x0400);
    assert_int_equal(half_from_double((double)INFINITY), 0x7C00);
    assert_true(isnan(half_to_double(half_from_double((double)NAN))));
}

static void ties_go_to_even(void **state)
{
    assert_int_equal(half_from_double(2049), 0x6800); /* 2048 */
    assert_int_equal(half_from_double(2051), 0x6802); /* 2052 */
    assert_int_equal(half_from_double(0x1p-25), 0);   /* half of the smallest */
    assert_int_equal(half_from_double(0x1.8p-24), 2);
    assert_int_equal(half_from_double(2047.5), 0x6800); /* the next exponent */
    assert_int_equal(half_from_double(65519.99), 0x7BFF);
    assert_int_equal(half_from_double(65520), 0x7C00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_half_comes_back),
        cmocka_unit_test(known_values),
        cmocka_unit_test(ties_go_to_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
