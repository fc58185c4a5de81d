/* SPDX-License-Identifier: MIT */
/* Durations in other units: rounded once, so a decimal fraction is the double nearest to it. */
#include "tests/unit/testing.h"

#include <kerntime/units.h>

static void from_ns(void **state)
{
    EXPECT_NUMBER(kt_ns_to_us(1), 1e-3);
    EXPECT_NUMBER(kt_ns_to_ms(1), 1e-6);
    EXPECT_NUMBER(kt_ns_to_s(1), 1e-9);
    EXPECT_NUMBER(kt_ns_to_us(1234567), 1234.567);
    EXPECT_NUMBER(kt_ns_to_ms(1234567), 1.234567);
    EXPECT_NUMBER(kt_ns_to_s(1234567), 0.001234567);
    EXPECT_NUMBER(kt_ns_to_ms(0), 0);
    EXPECT_NUMBER(kt_ns_to_ms(-7), -7e-6); /* what a correction may be */
}

static void to_ns(void **state)
{
    EXPECT_NUMBER(kt_us_to_ns(0.5), 500);
    EXPECT_NUMBER(kt_ms_to_ns(16.625), 16625000);
    EXPECT_NUMBER(kt_s_to_ns(3600), 3.6e12);
}

static void what_is_unknown_stays_unknown(void **state)
{
    double (*const all[])(double) = {kt_ns_to_us, kt_ns_to_ms, kt_ns_to_s,
                                     kt_us_to_ns, kt_ms_to_ns, kt_s_to_ns};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        EXPECT_NUMBER(all[i](NAN), NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_ns),
        cmocka_unit_test(to_ns),
        cmocka_unit_test(what_is_unknown_stays_unknown),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
