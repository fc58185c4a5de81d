/* SPDX-License-Identifier: MIT */
/* What is known of llvmpipe by its version: only of those in which it was seen. */
#include "backend.h"
#include "tests/unit/testing.h"

static void reported_where_it_was_seen(void **state)
{
    EXPECT_TEXT_HAS(kt_quirk_of_llvmpipe("22.3.6"), "65,535");
    EXPECT_TEXT_HAS(kt_quirk_of_llvmpipe("Mesa 22.3.6 (LLVM 15.0.6)"), "65,535");
}

static void not_reported_of_others(void **state)
{
    static const char *const versions[] = {
        "25.0.7-2+deb13u1", "Mesa 25.0.7-2+deb13u1 (LLVM 19.1.7)", "23.0.0", "100.22", "Mesa", ""};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        assert_string_equal(kt_quirk_of_llvmpipe(versions[i]), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reported_where_it_was_seen),
                                       cmocka_unit_test(not_reported_of_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
