/* SPDX-License-Identifier: MIT */
/* Outputs beside what is expected. */
#include "cli/run/comparing.h"
#include "tests/unit/testing.h"

static char reason[LAUNCH_REASON_BYTES];

static const element_type f16 = {SCALAR_FLOAT, 2, 1, 2}, f32 = {SCALAR_FLOAT, 4, 1, 4},
                          f64 = {SCALAR_FLOAT, 8, 1, 8}, i32 = {SCALAR_SIGNED, 4, 1, 4},
                          i8 = {SCALAR_SIGNED, 1, 1, 1}, u64 = {SCALAR_UNSIGNED, 8, 1, 8},
                          f32x3 = {SCALAR_FLOAT, 4, 3, 16}, bytes = {SCALAR_UNKNOWN, 0, 0, 4};

static launch_outcome compare_within(const element_type *element, const void *actual,
                                     const void *expected, size_t size, double absolute,
                                     double relative)
{
    const comparison c = {"y", *element, actual, expected, size, {absolute, relative}, 0};
    reason[0] = 0;
    return comparison_make(&c, reason);
}

static launch_outcome compare(const element_type *element, const void *actual, const void *expected,
                              size_t size)
{
    return compare_within(element, actual, expected, size, NAN, NAN);
}

static void whole_numbers_are_exact(void **state)
{
    const int32_t is[3] = {1, -7, 3}, should[3] = {1, -8, 4};
    assert_int_equal(compare(&i32, is, is, sizeof is), OUTCOME_OK);
    assert_int_equal(compare(&i32, is, should, sizeof is), OUTCOME_WRONG);
    assert_string_equal(reason, "y[1] is -7, expected -8 (2 of 3 differ)");
    assert_int_equal(compare_within(&i32, is, should, sizeof is, 1, NAN), OUTCOME_OK);
    const int8_t small[1] = {-1}, other[1] = {127};
    assert_int_equal(compare(&i8, small, other, 1), OUTCOME_WRONG);
    assert_string_equal(reason, "y[0] is -1, expected 127 (1 of 1 differ)");
    /* beyond what a double tells apart */
    const uint64_t large[1] = {UINT64_MAX}, less[1] = {UINT64_MAX - 1};
    assert_int_equal(compare(&u64, large, less, 8), OUTCOME_WRONG);
    assert_string_equal(
        reason, "y[0] is 18446744073709551615, expected 18446744073709551614 (1 of 1 differ)");
}

static void floats_may_differ_by_rounding(void **state)
{
    /* the median of 1000 and 1024 counts as 1024 */
    const float should[3] = {1000, 0, 1024};
    const float near_by[3] = {1000.09f, 0.01f, 1024.1f}, far_off[3] = {1000, 0.0103f, 1024};
    assert_int_equal(compare(&f32, near_by, should, sizeof should), OUTCOME_OK);
    assert_int_equal(compare(&f32, far_off, should, sizeof should), OUTCOME_WRONG);
    assert_string_equal(reason, "y[1] is 0.0103, expected 0 (1 of 3 differ)");
    assert_int_equal(compare_within(&f32, near_by, should, sizeof should, 0, NAN), OUTCOME_WRONG);
    assert_int_equal(compare_within(&f32, near_by, should, sizeof should, 0.01, 1e-3), OUTCOME_OK);
    const double exact[2] = {1, 1e-3}, close[2] = {1 + 9e-11, 1e-3}, off[2] = {1 + 2e-10, 1e-3};
    assert_int_equal(compare(&f64, close, exact, sizeof exact), OUTCOME_OK);
    assert_int_equal(compare(&f64, off, exact, sizeof exact), OUTCOME_WRONG);
    assert_string_equal(reason, "y[0] is 1.0000000002, expected 1 (1 of 2 differ)");
    const uint16_t half[2] = {0x3C00, 0x4000}, half_close[2] = {0x3C10, 0x4000}, /* 1.0156 */
        half_off[2] = {0x3C00, 0x4100};                                          /* 2.5 */
    assert_int_equal(compare(&f16, half_close, half, sizeof half), OUTCOME_OK);
    assert_int_equal(compare(&f16, half_off, half, sizeof half), OUTCOME_WRONG);
    assert_string_equal(reason, "y[1] is 2.5, expected 2 (1 of 2 differ)");
}

/* Nor do zeros and what is not finite. */
static void a_huge_number_does_not_excuse_the_others(void **state)
{
    const float should[8] = {3e38f, 1, -1, 1, 0, 0, 0, -INFINITY};
    const float near_by[8] = {3e38f, 1.0001f, -1, 1, 9e-6f, 0, 0, -INFINITY};
    const float far_off[8] = {3e38f, 7, -1, 1, 0, 0, 1.1e-5f, -INFINITY};
    assert_int_equal(compare(&f32, near_by, should, sizeof should), OUTCOME_OK);
    assert_int_equal(compare(&f32, far_off, should, sizeof should), OUTCOME_WRONG);
    assert_string_equal(reason, "y[1] is 7, expected 1 (2 of 8 differ)");
    const double large[2] = {1.7e308, 1.7e308}, not_large[2] = {1.7e308, 1};
    assert_int_equal(compare(&f64, not_large, large, sizeof large), OUTCOME_WRONG);
    const double least[2] = {0x1p-1074, 0}, twice[2] = {0x1p-1073, 0};
    assert_int_equal(compare(&f64, twice, least, sizeof least), OUTCOME_WRONG);
}

static void nan_comes_first_and_infinity_is_itself(void **state)
{
    const float should[4] = {1, 2, 3, INFINITY}, is[4] = {9, 2, NAN, INFINITY};
    assert_int_equal(compare(&f32, is, should, sizeof is), OUTCOME_NAN);
    assert_string_equal(reason, "y[2] is NaN, expected 3 (2 of 4 differ)");
    const float finite[4] = {1, 2, 3, 1e30f};
    assert_int_equal(compare(&f32, finite, should, sizeof finite), OUTCOME_WRONG);
    assert_string_equal(reason, "y[3] is 1e+30, expected inf (1 of 4 differ)");
    /* a NaN that is expected is no fault; a number in its place is */
    assert_int_equal(compare(&f32, is, is, sizeof is), OUTCOME_OK);
    assert_int_equal(compare(&f32, should, is, sizeof is), OUTCOME_WRONG);
    assert_int_equal(comparison_count_nan(&f32, is, sizeof is), 1);
    assert_int_equal(comparison_count_nan(&i32, is, sizeof is), 0);
}

static void gaps_of_vectors_do_not_count(void **state)
{
    float is[8] = {1, 2, 3, 77, 4, 5, 6, 77}, should[8] = {1, 2, 3, 0, 4, 5, 6, 0};
    assert_int_equal(compare(&f32x3, is, should, sizeof is), OUTCOME_OK);
    is[6] = 7;
    assert_int_equal(compare(&f32x3, is, should, sizeof is), OUTCOME_WRONG);
    assert_string_equal(reason, "y[1].z is 7, expected 6 (1 of 6 differ)");
}

static void unknown_types_are_bytes(void **state)
{
    const uint8_t is[4] = {1, 2, 3, 255}, should[4] = {1, 2, 3, 4};
    assert_int_equal(compare(&bytes, is, should, sizeof is), OUTCOME_WRONG);
    assert_string_equal(reason, "byte 3 of y is 0xff, expected 0x04 (1 of 4 bytes differ)");
}

/* A member in front is no element: as floats these would differ by less than rounding. */
static void what_is_beside_elements_is_bytes(void **state)
{
    const uint32_t two[2] = {3, 4};
    float should[4] = {0, 1, 2, 3}, is[4] = {0, 1, 2.00001f, 3};
    comparison c = {"y", f32, is, should, sizeof is, {NAN, NAN}, 4};
    assert_int_equal(comparison_make(&c, reason), OUTCOME_OK);
    memcpy(is, &two[0], 4);
    memcpy(should, &two[1], 4);
    assert_int_equal(comparison_make(&c, reason), OUTCOME_WRONG);
    assert_string_equal(reason, "byte 0 of y is 0x03, expected 0x04 (1 of 4 bytes differ)");
    is[0] = should[0];
    is[1] = 7;
    assert_int_equal(comparison_make(&c, reason), OUTCOME_WRONG);
    assert_string_equal(reason, "y[0] is 7, expected 1 (1 of 3 differ)");
    is[1] = 1;
    is[3] = 3.5f; /* behind the whole elements of 8 bytes */
    c.element = (element_type){SCALAR_FLOAT, 4, 2, 8};
    assert_int_equal(comparison_make(&c, reason), OUTCOME_WRONG);
    assert_non_null(strstr(reason, "byte 14 of y is 0x60, expected 0x40"));
}

static void zones_tell_what_was_written(void **state)
{
    uint8_t zone[4096];
    zone_fill(zone, sizeof zone);
    assert_int_equal(zone_changed_bytes(zone, sizeof zone, 4), 0);
    zone[9] ^= 1;
    assert_int_equal(zone_changed_bytes(zone, sizeof zone, 4), 4);
    zone[12] ^= 1;
    assert_int_equal(zone_changed_bytes(zone, sizeof zone, 4), 8);
    memset(zone, 0, sizeof zone);
    assert_int_equal(zone_changed_bytes(zone, sizeof zone, 4), sizeof zone);
    /* an element of a size that does not divide it */
    zone_fill(zone, sizeof zone);
    zone[4095] ^= 1;
    assert_int_equal(zone_changed_bytes(zone, sizeof zone, 12), 4);
}

static void counts_have_commas(void **state)
{
    char text[32];
    assert_string_equal(count_text(0, text), "0");
    assert_string_equal(count_text(999, text), "999");
    assert_string_equal(count_text(16777216, text), "16,777,216");
    assert_string_equal(count_text(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(floats_may_differ_by_rounding),
        cmocka_unit_test(a_huge_number_does_not_excuse_the_others),
        cmocka_unit_test(nan_comes_first_and_infinity_is_itself),
        cmocka_unit_test(gaps_of_vectors_do_not_count),
        cmocka_unit_test(unknown_types_are_bytes),
        cmocka_unit_test(what_is_beside_elements_is_bytes),
        cmocka_unit_test(zones_tell_what_was_written),
        cmocka_unit_test(counts_have_commas),
    };
    return cmocka_run_group_tests_name("comparing", tests, NULL, NULL);
}
