/* SPDX-License-Identifier: MIT */
/* Expressions of run: values, and one sentence for each way to be wrong. */
#include "cli/run/expression.h"
#include "tests/unit/testing.h"

#include <inttypes.h>
#include <stdio.h>

static char reason[EXPRESSION_REASON_BYTES];

/* n = 1000, TILE = 16, WPT = 4, ZERO = 0; LX has none, with a sentence of its own. */
static bool look_up(const void *names, const char *name, size_t length, int64_t *value,
                    char why[EXPRESSION_REASON_BYTES])
{
    static const struct {
        const char *name;
        int64_t value;
    } all[] = {{"n", 1000}, {"TILE", 16}, {"WPT", 4}, {"ZERO", 0}, {"min", 7}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strlen(all[i].name) == length && memcmp(all[i].name, name, length) == 0) {
            *value = all[i].value;
            return true;
        }
    if (length == 2 && memcmp(name, "LX", 2) == 0)
        snprintf(why, EXPRESSION_REASON_BYTES, "LX is not known here");
    return false;
}

static void expect(const char *text, int64_t expected)
{
    int64_t value = -12345;
    if (expression_evaluate(text, look_up, NULL, &value, reason) != 0)
        fail_msg("\"%s\" was refused: %s", text, reason);
    if (value != expected)
        fail_msg("\"%s\" is %" PRId64 ", not %" PRId64, text, value, expected);
}

static void expect_real(const char *text, double expected)
{
    double value = -12345;
    if (expression_evaluate_number(text, look_up, NULL, &value, reason) != 0)
        fail_msg("\"%s\" was refused: %s", text, reason);
    EXPECT_NUMBER(value, expected);
}

static void refuse(const char *text, const char *sentence)
{
    int64_t value = -12345;
    if (expression_evaluate(text, look_up, NULL, &value, reason) == 0)
        fail_msg("\"%s\" was taken: %" PRId64, text, value);
    assert_string_equal(reason, sentence);
    assert_true(value == -12345);
}

static void numbers_and_names(void **state)
{
    expect("7", 7);
    expect(" n ", 1000);
    expect("9223372036854775807", INT64_MAX);
    expect("16Mi", INT64_C(16) << 20);
    expect("64k", 64000);
    expect("3KiB", 3072);
    expect("2GB", 2000000000);
    expect("min", 7); /* a name where no parenthesis follows */
}

static void ranks(void **state)
{
    expect("2+3*4", 14);
    expect("(2+3)*4", 20);
    expect("20-3-2", 15);
    expect("100/7/2", 7);
    expect("17%5*2", 4);
    expect("2*3^2", 18);
    expect("2^3^2", 512);
    expect("-2^2", -4);
    expect("2**10", 1024);
    expect("-7/2", -3); /* towards zero */
    expect("-7%3", -1);
    expect("1+2 == 3", 1);
    expect("1 == 1 || 1 == 2 && 0", 1);
    expect("!0 && !!5", 1);
    expect("n >= 1000 && n != 999", 1);
    expect("TILE % WPT == 0", 1);
}

static void chains_are_both(void **state)
{
    expect("1 < 3 < 2", 0); /* of C: (1 < 3) < 2, which is true */
    expect("32 <= TILE*WPT <= 64", 1);
    expect("3 > 2 == 2 < 4", 1);
}

static void words_of_python(void **state)
{
    expect("ZERO==0 or (TILE % 32 != 0)", 1);
    expect("TILE > 8 and WPT > 8", 0);
    expect("not TILE == 16", 0);
    expect("not not 3", 1);
    expect("(n // TILE) // WPT", 15);
}

static void functions(void **state)
{
    expect("min(TILE, WPT)", 4);
    expect("max(TILE, WPT, n/2)", 500);
    expect("min(3)", 3);
    expect("ceil(n/256)", 4);
    expect("ceil(1024/256)", 4);
    expect("ceil(-7/2)", -3);
    expect("ceil(n/256)*256", 1024);
    expect("ceil(n/3/7)", 48);     /* 47.6: rounded once */
    expect("ceil((n/3)*3)", 1000); /* exact within */
    expect("ceil(1/3 + 2/3)", 1);
    expect("ceil(n / ceil(n/300))", 250);
}

static void what_does_not_matter_cannot_fail(void **state)
{
    expect("ZERO == 0 || n % ZERO == 0", 1);
    expect("ZERO != 0 && n / ZERO > 3", 0);
    expect("1 || 9223372036854775807 + 1", 1);
    refuse("ZERO == 0 || TLE == 0", "there is no name \"TLE\"");
}

static void overflow_is_no_number(void **state)
{
    refuse("9223372036854775808", "\"9223372036854775808\" is beyond 2^63");
    refuse("9223372036854775807+1", "\"9223372036854775807+1\" is beyond 2^63");
    refuse("-9223372036854775807-2", "\"-9223372036854775807-2\" is beyond 2^63");
    refuse("n + 4Gi*4Gi", "\"4Gi*4Gi\" is beyond 2^63");
    refuse("n^7", "\"n^7\" is beyond 2^63");
    refuse("(-9223372036854775807-1) / -1", "\"(-9223372036854775807-1) / -1\" is beyond 2^63");
    refuse("9100000000000000Ki", "\"9100000000000000Ki\" is beyond 2^63");
    expect("(-9223372036854775807-1) % -1", 0);
    expect("2^62", INT64_C(1) << 62);
    expect("(-1)^9223372036854775807", -1);
    expect("0^0", 1);
}

static void division_by_zero_is_no_number(void **state)
{
    refuse("n/(TILE-16)", "\"n/(TILE-16)\" divides by zero");
    refuse("1 + n%ZERO", "\"n%ZERO\" divides by zero");
    refuse("ceil(n/0)", "\"n/0\" divides by zero");
}

static void wrong_texts(void **state)
{
    refuse("", "\"\" ends where a number or a name is expected");
    refuse("n/", "\"n/\" ends where a number or a name is expected");
    refuse("n+*2", "\"*2\" stands where a number or a name is expected");
    refuse("(n", "\"(n\" has no \")\"");
    refuse("n)", "\")\" follows an expression");
    refuse("n n", "\"n\" follows an expression");
    refuse("n,2", "\",2\" follows an expression");
    refuse("TILE = 16", "\"= 16\" follows an expression: equality is \"==\"");
    refuse("2n", "\"2n\" is no number: a product needs a \"*\"");
    refuse("64ki", "\"64ki\" is no number: a product needs a \"*\"");
    refuse("1.5*n", "\"1.5\" is no whole number");
    refuse("2^-1", "\"2^-1\" is no power with a whole exponent of 0 or more");
    refuse("floor(n)", "there is no function \"floor\": there are min, max and ceil");
    refuse("LX*2", "LX is not known here"); /* the look-up's own sentence */
}

static void deep_nesting_ends(void **state)
{
    char text[1001];
    memset(text, '(', 1000);
    text[1000] = '\0';
    refuse(text, "the expression is nested more than 100 deep");
    memset(text, '-', 1000);
    refuse(text, "the expression is nested more than 100 deep");
}

static void a_part_ends_at_a_comma(void **state)
{
    const char *end, *text = "max(n,2)/4 , TILE";
    int64_t value;
    assert_int_equal(expression_evaluate_part(text, look_up, NULL, &value, &end, reason), 0);
    assert_int_equal(value, 250);
    assert_string_equal(end, ", TILE");
    assert_int_equal(expression_evaluate_part(end + 1, look_up, NULL, &value, &end, reason), 0);
    assert_int_equal(value, 16);
    assert_string_equal(end, "");
}

static void doubles(void **state)
{
    expect_real("2*n^3", 2e9);
    expect_real("2*(1Mi)^3", 0x1p61);
    expect_real("2*(1Gi)^3", 0x1p91); /* beyond int64_t */
    expect_real("3/2*n", 1500);       /* exact division */
    expect_real("1.5e3*n", 1.5e6);
    expect_real("ceil(n/256)", 4);
    expect_real("-n % 7", -6);
    double value = -1;
    assert_int_equal(expression_evaluate_number("n/ZERO", look_up, NULL, &value, reason), -1);
    assert_string_equal(reason, "\"n/ZERO\" divides by zero");
    assert_int_equal(expression_evaluate_number("n^1000", look_up, NULL, &value, reason), -1);
    assert_string_equal(reason, "\"n^1000\" is beyond all numbers");
    EXPECT_NUMBER(value, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_names),
        cmocka_unit_test(ranks),
        cmocka_unit_test(chains_are_both),
        cmocka_unit_test(words_of_python),
        cmocka_unit_test(functions),
        cmocka_unit_test(what_does_not_matter_cannot_fail),
        cmocka_unit_test(overflow_is_no_number),
        cmocka_unit_test(division_by_zero_is_no_number),
        cmocka_unit_test(wrong_texts),
        cmocka_unit_test(deep_nesting_ends),
        cmocka_unit_test(a_part_ends_at_a_comma),
        cmocka_unit_test(doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
