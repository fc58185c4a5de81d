/* SPDX-License-Identifier: MIT */
/* The JSON writer, read back by a strict reader. With --print it prints a nasty document for
 * another one. */
#include "output/json_writer.h"
#include "tests/unit/collect.h"
#include "tests/unit/json_check.h"
#include "tests/unit/testing.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static const kt_sink sink = {.write = collect};
static kt_writer writer;
static kt_json json;

static void begin(void)
{
    output_bytes = 0;
    output[0] = '\0';
    writer = (kt_writer){.sink = &sink};
    json = (kt_json){.writer = &writer};
}

static void end(void)
{
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_OK);
}

/* The one scalar of a document. */
typedef struct scalar {
    char text[8192];
    size_t length;
    bool is_text;
} scalar;

static void keep_scalar(void *user, const char *text, size_t length, bool is_text)
{
    scalar *kept = user;
    memcpy(kept->text, text, length);
    kept->text[length] = '\0';
    kept->length = length;
    kept->is_text = is_text;
}

static void read_scalar(scalar *kept)
{
    end();
    if (!json_check(output, output_bytes, keep_scalar, kept))
        fail_msg("not JSON: %s", output);
}

static void write_text(const char *text, scalar *kept)
{
    begin();
    kt_json_text(&json, text);
    read_scalar(kept);
    assert_true(kept->is_text);
}

/* What must come back: valid characters as they are, U+FFFD for each byte that is not part of one.
 */
static size_t expected_text(const char *text, char *expected)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0, left = strlen(text);
    while (left) {
        size_t length = json_utf8(at, left);
        if (length)
            memcpy(expected + used, at, length);
        else
            memcpy(expected + used, "\xEF\xBF\xBD", 3);
        used += length ? length : 3;
        at += length ? length : 1;
        left -= length ? length : 1;
    }
    return used;
}

static void expect_round_trip(const char *text)
{
    static scalar kept;
    char expected[1024];
    size_t length = expected_text(text, expected);
    write_text(text, &kept);
    assert_int_equal(kept.length, length);
    assert_memory_equal(kept.text, expected, length);
}

static void the_reader_refuses_what_is_no_json(void **state)
{
    static const char *const bad[] = {"",
                                      "{",
                                      "[1,]",
                                      "[,1]",
                                      "{\"a\":1,}",
                                      "{\"a\"}",
                                      "{1:2}",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "nan",
                                      "1e",
                                      "\"a",
                                      "\"\n\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00\"",
                                      "\"\xff\"",
                                      "\"\xc0\x80\"",
                                      "\"\xed\xa0\x80\"",
                                      "[1 2]",
                                      "[1] 2",
                                      "tru",
                                      "[1}",
                                      "{\"a\" 1}",
                                      "'a'",
                                      "\"\x7f\xf8\""};
    static const char *const good[] = {"1",
                                       "-0.5e+10",
                                       "[]",
                                       "{}",
                                       " [1, {\"a\": null}] ",
                                       "\"\\ud83d\\ude00\"",
                                       "[true,false]",
                                       "\"\xf0\x9f\x98\x80\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (json_check(bad[i], strlen(bad[i]), NULL, NULL))
            fail_msg("taken: %s", bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (!json_check(good[i], strlen(good[i]), NULL, NULL))
            fail_msg("refused: %s", good[i]);
}

static void every_byte_is_escaped_or_kept(void **state)
{
    for (int byte = 1; byte < 256; byte++)
        expect_round_trip((const char[]){'a', (char)byte, 'b', 0});
    expect_round_trip("\"quoted\\back\"/\b\f\n\r\t");
    expect_round_trip("");
    begin();
    kt_json_text(&json, "a\"\\\n\x01\x7f");
    end();
    assert_string_equal(output, "\"a\\\"\\\\\\n\\u0001\\u007f\"");
    begin();
    kt_json_text(&json, NULL);
    end();
    assert_string_equal(output, "null");
}

static void known_bad_utf8_is_replaced(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"\xc3\xa4", "\xc3\xa4"},
        {"\xe2\x82\xac", "\xe2\x82\xac"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},                 /* the last one, U+10FFFF */
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong slash */
        {"\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* the same, longer */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* U+110000 */
        {"\xff", "\xef\xbf\xbd"},
        {"\x80", "\xef\xbf\xbd"},
        {"x\xe2\x82", "x\xef\xbf\xbd\xef\xbf\xbd"}, /* cut off */
        {"\xc3(", "\xef\xbf\xbd("},
    };
    static scalar kept;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text(cases[i].text, &kept);
        assert_string_equal(kept.text, cases[i].expected);
        assert_null(strchr(output, '\\')); /* as itself: read and written, it stays the same */
    }
}

static void random_bytes_become_valid_json(void **state)
{
    uint64_t random = 9;
    for (int i = 0; i < 100000; i++) {
        /* Leads and continuations more often than they come by chance. */
        static const unsigned char likely[] = {0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0x80, 0x8F,
                                               0x90, 0x9F, 0xA0, 0xBF, '"',  '\\', 1};
        char text[7] = "";
        size_t length = random_bits(&random) % 7;
        for (size_t k = 0; k < length; k++) {
            uint64_t bits = random_bits(&random);
            unsigned char byte = (unsigned char)(1 + (bits >> 8) % 255);
            text[k] = (char)(bits & 1 ? likely[(bits >> 16) % sizeof likely] : byte);
        }
        expect_round_trip(text);
    }
}

static void expect_number(double number)
{
    static scalar kept;
    begin();
    kt_json_number(&json, number);
    read_scalar(&kept);
    assert_false(kept.is_text);
    double back = strtod(kept.text, NULL);
    if (isfinite(number))
        assert_memory_equal(&back, &number, sizeof back); /* -0 is not 0 */
    else
        assert_string_equal(kept.text, "null");
}

static void numbers_read_back_as_the_same_bits(void **state)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     1,
                                     -1,
                                     0.1,
                                     1.0 / 3,
                                     52.083333,
                                     1e15,
                                     1e15 - 1,
                                     1e15 + 2,
                                     1e16,
                                     123456789012345678.0,
                                     5e-324,
                                     2.2250738585072014e-308,
                                     1.7976931348623157e308,
                                     9007199254740993.0,
                                     NAN,
                                     INFINITY,
                                     -INFINITY,
                                     1e21,
                                     1e22,
                                     1e23,
                                     299792458,
                                     -250000.5};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        expect_number(special[i]);
    uint64_t random = 10;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = random_bits(&random);
        double number;
        memcpy(&number, &bits, sizeof number);
        expect_number(number);
        expect_number((double)(int64_t)(bits >> (bits % 60)));
    }
}

static void numbers_are_short(void **state)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0.0"}, /* "-0" would be read as an integer, which has no sign */
                 {100000, "100000"},
                 {0.1, "0.1"},
                 {250000, "250000"},
                 {52.083333, "52.083333"},
                 {-1.5, "-1.5"},
                 {999999999999999, "999999999999999"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        kt_json_number(&json, cases[i].number);
        end();
        assert_string_equal(output, cases[i].text);
    }
}

/* A program may have chosen a decimal comma. */
static void numbers_in_a_locale_with_a_comma(void **state)
{
    choose_decimal_comma();
    begin();
    kt_json_number(&json, 1.5e-7);
    end();
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(output, "1.5e-07");
}

static void integers_and_ticks_to_their_limits(void **state)
{
    begin();
    kt_json_open_line(&json, '[');
    kt_json_integer(&json, INT64_MIN);
    kt_json_integer(&json, INT64_MAX);
    kt_json_ticks(&json, UINT64_MAX);
    kt_json_bool(&json, true);
    kt_json_bool(&json, false);
    kt_json_close(&json, ']');
    end();
    assert_string_equal(output, "[-9223372036854775808, 9223372036854775807, "
                                "\"18446744073709551615\", true, false]\n");
}

static void commas_and_nesting(void **state)
{
    begin();
    kt_json_open(&json, '{');
    kt_json_key(&json, "empty");
    kt_json_open(&json, '[');
    kt_json_close(&json, ']');
    kt_json_key(&json, "line");
    kt_json_open_line(&json, '{');
    kt_json_key(&json, "a");
    kt_json_integer(&json, 1);
    kt_json_key(&json, "b");
    kt_json_open(&json, '['); /* stays on the line it is in */
    kt_json_integer(&json, 2);
    kt_json_integer(&json, 3);
    kt_json_close(&json, ']');
    kt_json_close(&json, '}');
    kt_json_close(&json, '}');
    end();
    assert_string_equal(output, "{\n  \"empty\": [],\n  \"line\": {\"a\": 1, \"b\": [2, 3]}\n}\n");
    assert_true(json_check(output, output_bytes, NULL, NULL));
}

/* A tree by chance: whatever is opened, filled and closed in order is JSON. */
static void grow_tree(uint64_t *random, bool in_object, unsigned depth)
{
    if (in_object)
        kt_json_key(&json, random_bits(random) & 1 ? "key" : "k\"\n\xff");
    uint64_t choice = random_bits(random) % 8;
    if (choice < 3 || depth == KT_JSON_DEPTH) {
        if (choice == 0)
            kt_json_text(&json, "text \xff");
        else
            kt_json_number(&json, (double)choice / 3);
        return;
    }
    bool object = choice % 2;
    (choice > 5 ? kt_json_open_line : kt_json_open)(&json, object ? '{' : '[');
    for (uint64_t i = random_bits(random) % 3; i > 0; i--)
        grow_tree(random, object, depth + 1);
    kt_json_close(&json, object ? '}' : ']');
}

static void random_trees_are_json(void **state)
{
    uint64_t random = 11;
    for (int i = 0; i < 2000; i++) {
        begin();
        kt_json_open(&json, '[');
        grow_tree(&random, false, 1);
        kt_json_close(&json, ']');
        end();
        if (!json_check(output, output_bytes, NULL, NULL))
            fail_msg("not JSON: %s", output);
    }
}

static void too_deep_fails_and_writes_no_nonsense(void **state)
{
    begin();
    for (int i = 0; i <= KT_JSON_DEPTH; i++)
        kt_json_open(&json, '[');
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_INVALID);
}

static int refuse(void *user, const char *data, size_t bytes)
{
    (void)data, (void)bytes;
    ++*(int *)user;
    return 1;
}

static void a_sink_that_refused_is_left_alone(void **state)
{
    int calls = 0;
    const kt_sink refusing = {.write = refuse, .user = &calls};
    writer = (kt_writer){.sink = &refusing};
    json = (kt_json){.writer = &writer};
    kt_json_open(&json, '[');
    for (int i = 0; i < 10000; i++)
        kt_json_integer(&json, i);
    kt_json_close(&json, ']');
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_IO_ERROR);
    assert_int_equal(calls, 1);
}

static int print_document(void)
{
    uint64_t random = 12;
    begin();
    kt_json_open(&json, '{');
    kt_json_key(&json, "bytes");
    kt_json_open(&json, '[');
    for (int byte = 1; byte < 256; byte++)
        kt_json_text(&json, (const char[]){(char)byte, 'x', (char)byte, 0});
    kt_json_close(&json, ']');
    kt_json_key(&json, "numbers");
    kt_json_open_line(&json, '[');
    kt_json_number(&json, NAN);
    for (int i = 0; i < 500; i++) {
        uint64_t bits = random_bits(&random);
        double number;
        memcpy(&number, &bits, sizeof number);
        kt_json_number(&json, number);
    }
    kt_json_close(&json, ']');
    kt_json_close(&json, '}');
    kt_flush(&writer);
    return writer.status || fwrite(output, 1, output_bytes, stdout) != output_bytes;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--print") == 0)
        return print_document();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_refuses_what_is_no_json),
        cmocka_unit_test(every_byte_is_escaped_or_kept),
        cmocka_unit_test(known_bad_utf8_is_replaced),
        cmocka_unit_test(random_bytes_become_valid_json),
        cmocka_unit_test(numbers_read_back_as_the_same_bits),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(numbers_in_a_locale_with_a_comma),
        cmocka_unit_test(integers_and_ticks_to_their_limits),
        cmocka_unit_test(commas_and_nesting),
        cmocka_unit_test(random_trees_are_json),
        cmocka_unit_test(too_deep_fails_and_writes_no_nonsense),
        cmocka_unit_test(a_sink_that_refused_is_left_alone),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
