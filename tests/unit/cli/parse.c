/* SPDX-License-Identifier: MIT */
/* Numbers as people type them, for the command line. */
#include "cli/options/parse.h"
#include "tests/unit/testing.h"

#include <stdio.h>

static char reason[PARSE_WHY_BYTES];

/* The next of the texts between bars; false behind the last one. */
static bool next_text(const char **at, char text[64])
{
    if (!*at)
        return false;
    size_t length = strcspn(*at, "|");
    snprintf(text, 64, "%.*s", (int)length, *at);
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

static void expect_sizes(int (*parse)(const char *, parse_sizes *, char *), const char *text,
                         const uint64_t *values, size_t count)
{
    parse_sizes sizes = {.count = 0};
    if (parse(text, &sizes, reason) != 0)
        fail_msg("\"%s\" was refused: %s", text, reason);
    assert_int_equal(sizes.count, count);
    for (size_t i = 0; i < count; i++)
        assert_true(sizes.values[i] == values[i]);
}

#define EXPECT_LIST(parse, text, ...)                          \
    expect_sizes(parse, text, (const uint64_t[]){__VA_ARGS__}, \
                 sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
#define EXPECT_SIZES(text, ...) EXPECT_LIST(parse_size_list, text, __VA_ARGS__)
#define EXPECT_BYTES(text, ...) EXPECT_LIST(parse_byte_size_list, text, __VA_ARGS__)

static void lists_of_sizes(void **state)
{
    EXPECT_SIZES("1", 1);
    EXPECT_SIZES("32,96,256", 32, 96, 256);
    EXPECT_SIZES("32..2048", 32, 64, 128, 256, 512, 1024, 2048);
    EXPECT_SIZES("3..20", 3, 6, 12); /* 24 is beyond */
    EXPECT_SIZES("5..5", 5);
    EXPECT_SIZES("7,2..8,1", 7, 2, 4, 8, 1); /* in the order written */
    EXPECT_SIZES("007", 7);
    EXPECT_SIZES("2Ki..8Ki,16Mi,1k,3M", 2048, 4096, 8192, 16777216, 1000, 3000000);
    EXPECT_SIZES("1Gi,1G,1Ti,1T", 1073741824, 1000000000, UINT64_C(1099511627776),
                 UINT64_C(1000000000000));
    EXPECT_SIZES("18446744073709551615", UINT64_MAX);
    EXPECT_SIZES("9223372036854775807..18446744073709551615", UINT64_C(9223372036854775807),
                 UINT64_C(18446744073709551614));
    EXPECT_SIZES("9223372036854775808..18446744073709551615", UINT64_C(9223372036854775808));
}

static void refused_sizes_touch_nothing(void **state)
{
    const char *junk =
        "|0|-1|abc|1x|1.5|1,|,1|1,,2|1..|..4|8..4|1...4|1..4..8|0..4|1..0| 1|1 |1, 2|+1|0x10|"
        "1e3|1K|1mi|1KiB|1Mib|0k|16777216Ti|18446744073709551616|1..18446744073709551616|1..-4|nan|"
        "1;2|4..x|32..\xe2\x88\x9e";
    char text[64];
    while (next_text(&junk, text)) {
        parse_sizes sizes, before;
        memset(&sizes, 0x5A, sizeof sizes);
        before = sizes;
        reason[0] = '\0';
        if (parse_size_list(text, &sizes, reason) != -1)
            fail_msg("\"%s\" was taken", text);
        assert_memory_equal(&sizes, &before, sizeof sizes);
        assert_true(reason[0] != '\0');
    }
}

static void lists_of_bytes(void **state)
{
    EXPECT_BYTES("4096,64KiB", 4096, 65536);
    EXPECT_BYTES("8KiB..64KiB", 8192, 16384, 32768, 65536);
    EXPECT_BYTES("1", 1);
    EXPECT_BYTES("7B,7", 7);
    EXPECT_BYTES("1KiB,1MiB,1GiB,1TiB", 1024, 1048576, 1073741824, UINT64_C(1099511627776));
    EXPECT_BYTES("1kB,1MB,1GB,1TB", 1000, 1000000, 1000000000, UINT64_C(1000000000000));
    EXPECT_BYTES("500..2kB", 500, 1000, 2000);
    EXPECT_BYTES("1MB..1MiB", 1000000);                          /* 2000000 is beyond */
    EXPECT_BYTES("16777215TiB", UINT64_C(18446742974197923840)); /* (2^24 - 1) * 2^40 */
    EXPECT_BYTES("18446744073709551615", UINT64_MAX);
}

static void refused_bytes_say_why(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "\"\" does not begin with a whole number"},
        {"KiB", "\"KiB\" does not begin with a whole number"},
        {"0KiB", "a size is 1 or more"},
        {"-1KiB", "a size is 1 or more"},
        {"1.5GiB", "a number of bytes is whole: 1536MiB, not 1.5GiB"},
        {"1.5MiB", "a number of bytes is whole: 1536KiB, not 1.5MiB"},
        {"8KiB,0.25KiB,1GiB", "a number of bytes is whole: 256B, not 0.25KiB"},
        {"2.5kB", "a number of bytes is whole: 2500B, not 2.5kB"},
        {"0.001TB", "a number of bytes is whole: 1GB, not 0.001TB"},
        {"0.3KiB", "a number of bytes is whole, and so is one of KiB"},
        {"1.5", "a number of bytes is whole: 1536MiB, not 1.5GiB"},
        {"16777216TiB", "a size is below 2^64 bytes"},
        {"18446745TB", "a size is below 2^64 bytes"},
        {"18446744073709551616", "a size is below 2^64"},
        {"1KiB..", "no whole number follows \"..\""},
        {"1..KiB", "no whole number follows \"..\""},
        {"1KiB..1B", "the range ends below its beginning"},
        {"1KiB...2KiB", "no whole number follows \"..\""},
        {"1KiB.", "\".\" follows a number"},
        {"1B..2B..4B", "\"..4B\" follows a number"},
        {"1B,", "\"\" does not begin with a whole number"},
    };
    static const char *const no_units[] = {"1K",  "1k",  "1KB",  "1kib", "1kiB",  "1Kib",
                                           "1M",  "1mb", "1b",   "1 B",  "1KiBs", "1BB",
                                           "1e3", "1Ki", "1PiB", "1kB ", "1..2K"};
    parse_sizes sizes, before;
    memset(&sizes, 0x5A, sizeof sizes);
    before = sizes;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(parse_byte_size_list(cases[i].text, &sizes, reason), -1);
        assert_string_equal(reason, cases[i].reason);
    }
    for (size_t i = 0; i < sizeof no_units / sizeof no_units[0]; i++) {
        assert_int_equal(parse_byte_size_list(no_units[i], &sizes, reason), -1);
        EXPECT_TEXT_HAS(reason,
                        "is no unit of bytes: there are B, kB, MB, GB, TB (1000) and KiB, MiB, "
                        "GiB, TiB (1024)");
    }
    assert_memory_equal(&sizes, &before, sizeof sizes);
    assert_int_equal(parse_byte_size_list("1a-unit-much-longer-than-twenty", &sizes, reason), -1);
    EXPECT_TEXT_HAS(reason, "\"a-unit-much-longer-t\" is no unit");
}

static void each_size_stands_once(void **state)
{
    EXPECT_SIZES("7,7,7", 7);
    EXPECT_SIZES("4..16,1..8,16", 4, 8, 16, 1, 2);
}

static void no_more_sizes_than_there_is_room_for(void **state)
{
    char text[5 * (PARSE_SIZES_MAX + 1)] = "";
    size_t used = 0;
    for (int i = 1; i <= PARSE_SIZES_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i > 1 ? ",%d" : "%d", i);
    parse_sizes sizes;
    assert_int_equal(parse_size_list(text, &sizes, reason), 0);
    assert_int_equal(sizes.count, PARSE_SIZES_MAX);
    snprintf(text + used, sizeof text - used, ",%d", PARSE_SIZES_MAX + 1);
    assert_int_equal(parse_size_list(text, &sizes, reason), -1);
}

static void counts(void **state)
{
    uint32_t value = 99;
    assert_int_equal(parse_count("5", 1, 10, &value, reason), 0);
    assert_int_equal(value, 5);
    assert_int_equal(parse_count("1", 1, 10, &value, reason), 0);
    assert_int_equal(value, 1);
    assert_int_equal(parse_count("10", 1, 10, &value, reason), 0);
    assert_int_equal(value, 10);
    assert_int_equal(parse_count("4294967295", 0, UINT32_MAX, &value, reason), 0);
    assert_int_equal(value, UINT32_MAX);
    const char *junk = "|0|11|-1|1.0|abc|1 | 1|1x|+1|0x1|18446744073709551617|1e0|4294967297";
    char text[64];
    value = 99;
    while (next_text(&junk, text)) {
        if (parse_count(text, 1, 10, &value, reason) != -1)
            fail_msg("\"%s\" was taken", text);
        EXPECT_TEXT_HAS(reason, "1 to 10");
    }
    assert_int_equal(value, 99);
}

static void ranges_of_counts(void **state)
{
    uint32_t least = 0, most = 0;
    static const struct {
        const char *text;
        uint32_t least, most;
    } cases[] = {{"10..100", 10, 100},
                 {"30", 30, 30},
                 {"1..1000000", 1, 1000000},
                 {"300..", 300, 0},
                 {"..20", 0, 20}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(parse_count_range(cases[i].text, &least, &most, reason), 0);
        assert_int_equal(least, cases[i].least);
        assert_int_equal(most, cases[i].most);
    }
    const char *junk =
        "|0|0..5|5..4|..0|0..|1..1000001|1-5|..|..x|...|a..b|1..5x|-1|1..-5|1...5|1 ..5|"
        "18446744073709551617|5..18446744073709551617|18446744073709551617..|"
        "5..18446744073709551617 ms|..18446744073709551617";
    char text[64];
    least = 11;
    most = 22;
    while (next_text(&junk, text))
        if (parse_count_range(text, &least, &most, reason) != -1)
            fail_msg("\"%s\" was taken", text);
    assert_int_equal(least, 11);
    assert_int_equal(most, 22);
}

static void durations(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {{"1ns", 1},
                 {"2us", 2000},
                 {"500ms", 500000000},
                 {"2s", 2000000000},
                 {"1min", 60000000000},
                 {"0.5s", 500000000},
                 {".5ms", 500000},
                 {"1.5us", 1500},
                 {"30s", 30000000000},
                 {"1.s", 1000000000},
                 {"100min", 6000000000000},
                 {"2h", 7200000000000},
                 {"0.5h", 1800000000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ns = -1;
        assert_int_equal(parse_duration(cases[i].text, &ns, reason), 0);
        assert_true(ns == cases[i].ns);
    }
    const char *junk = "|2|s|-1s|0s|0.1ns|1d|2 s| 2s|2s |1e3s|nans|infs|0x1s|1.2.3s|.s|2S|2sec|"
                       "99999999999999s|11111111111111111111111111111111111111s|2,5s|+2s";
    char text[64];
    int64_t ns = -7;
    while (next_text(&junk, text))
        if (parse_duration(text, &ns, reason) != -1)
            fail_msg("\"%s\" was taken", text);
    assert_true(ns == -7);
    parse_duration("2", &ns, reason);
    assert_string_equal(reason, "a duration needs a unit: ns, us, ms, s, min or h");
    parse_duration("2d", &ns, reason);
    assert_string_equal(reason, "\"d\" is no unit of time: there are ns, us, ms, s, min and h");
}

static void percents(void **state)
{
    static const struct {
        const char *text;
        double share;
    } cases[] = {{"50%", 0.5}, {"100%", 1}, {"0.5%", 0.005}, {"25%", 0.25}, {"1e", 0}};
    for (size_t i = 0; cases[i].share > 0; i++) {
        double share = -1;
        assert_int_equal(parse_percent(cases[i].text, &share, reason), 0);
        EXPECT_NEAR(share, cases[i].share, 1e-18);
    }
    const char *junk =
        "|5|%|0%|-1%|101%|100.1%|5%%|5 %| 5%|nan%|inf%|1e1%|0x5%|5.5.5%|+5%|5percent";
    char text[64];
    double share = -7;
    while (next_text(&junk, text))
        if (parse_percent(text, &share, reason) != -1)
            fail_msg("\"%s\" was taken", text);
    EXPECT_NUMBER(share, -7);
}

static void shares(void **state)
{
    static const struct {
        const char *text;
        double share;
    } cases[] = {{"0.05", 0.05}, {"5%", 0.05}, {"0.99", 0.99}, {"100%", 1}, {".5", 0.5}, {"1e", 0}};
    for (size_t i = 0; cases[i].share > 0; i++) {
        double share = -1;
        assert_int_equal(parse_share(cases[i].text, &share, reason), 0);
        EXPECT_NEAR(share, cases[i].share, 1e-18);
    }
    const char *junk = "|0|5|1|1.01|-0.1|0%|101%|0.05x|5 %";
    char text[64];
    double share = -7;
    while (next_text(&junk, text))
        if (parse_share(text, &share, reason) != -1)
            fail_msg("\"%s\" was taken", text);
    EXPECT_NUMBER(share, -7);
    parse_share("5", &share, reason);
    assert_string_equal(reason, "it takes a share above 0% and at most 100%, such as 5% or 0.05");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_sizes),
        cmocka_unit_test(refused_sizes_touch_nothing),
        cmocka_unit_test(lists_of_bytes),
        cmocka_unit_test(refused_bytes_say_why),
        cmocka_unit_test(each_size_stands_once),
        cmocka_unit_test(no_more_sizes_than_there_is_room_for),
        cmocka_unit_test(counts),
        cmocka_unit_test(ranges_of_counts),
        cmocka_unit_test(durations),
        cmocka_unit_test(percents),
        cmocka_unit_test(shares),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
