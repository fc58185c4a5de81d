/* SPDX-License-Identifier: MIT */
/* bench/calibrate/pairs_csv.c: files of pairs, timestamps and truths, as they are and as they should not be. */
#include "bench/calibrate/pairs_csv.h"
#include "tests/unit/testing.h"

static pairs_csv_row only_row(pairs_csv *csv)
{
    pairs_csv_row row, none;
    assert_int_equal(pairs_csv_next(csv, &row), 1);
    assert_int_equal(pairs_csv_next(csv, &none), 0);
    return row;
}

static void test_pairs(void **state)
{
    pairs_csv csv = pairs_csv_begin(PAIRS_CSV_PAIRS, "# period_ns=41.667 bits=36\n"
                                                     "\n"
                                                     "-5,18446744073709551615,7\n");
    pairs_csv_row row = only_row(&csv);
    assert_int_equal(row.pair.host_before_ns, -5);
    assert_true(row.pair.ticks == UINT64_MAX);
    assert_int_equal(row.pair.host_after_ns, 7);
    assert_int_equal(csv.line, 3);
    assert_int_equal(csv.bits, 36);
    EXPECT_NUMBER(csv.period_ns, 41.667);
}

static void test_columns_by_name(void **state)
{
    pairs_csv csv =
        pairs_csv_begin(PAIRS_CSV_PAIRS, "\xEF\xBB\xBF ticks , host_after_ns,,host_before_ns\t\r\n"
                                         "# bits and pieces\r\n"
                                         " 3 , 20,what\tever,10\r\n");
    pairs_csv_row row = only_row(&csv);
    assert_int_equal(row.pair.host_before_ns, 10);
    assert_int_equal(row.pair.ticks, 3);
    assert_int_equal(row.pair.host_after_ns, 20);
    assert_int_equal(csv.bits, 0);
    EXPECT_NUMBER(csv.period_ns, NAN);
}

static void test_columns_in_order_under_other_names(void **state)
{
    pairs_csv csv = pairs_csv_begin(PAIRS_CSV_PAIRS, "before, device, after\n10,3,20\n");
    pairs_csv_row row = only_row(&csv);
    assert_int_equal(row.pair.host_before_ns, 10);
    assert_int_equal(row.pair.ticks, 3);
    assert_int_equal(row.pair.host_after_ns, 20);
    csv = pairs_csv_begin(PAIRS_CSV_QUERIES, "timestamp,when\n4,5\n");
    row = only_row(&csv);
    assert_int_equal(row.pair.ticks, 4);
    assert_int_equal(row.asked_ns, 5);
    assert_true(csv.has_asked);
}

static void test_queries(void **state)
{
    pairs_csv csv = pairs_csv_begin(PAIRS_CSV_QUERIES, "12");
    assert_int_equal(only_row(&csv).pair.ticks, 12);
    assert_false(csv.has_asked);
    csv = pairs_csv_begin(PAIRS_CSV_QUERIES, "12,4000000000000000000");
    assert_true(only_row(&csv).asked_ns == INT64_C(4000000000000000000));
    assert_true(csv.has_asked);
    csv = pairs_csv_begin(PAIRS_CSV_QUERIES, "asked_ns,x,ticks\n1,2,3");
    pairs_csv_row row = only_row(&csv);
    assert_int_equal(row.asked_ns, 1);
    assert_int_equal(row.pair.ticks, 3);
    assert_true(csv.has_asked);
}

static void test_truth(void **state)
{
    static const struct {
        const char *text;
        int64_t host_ns;
        double fraction_ns;
    } good[] = {{"12", 12, 0}, {"12.25", 12, 0.25}, {"-12.25", -12, -0.25}, {"-0.5", 0, -0.5}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        pairs_csv csv = pairs_csv_begin(PAIRS_CSV_TRUTH, good[i].text);
        pairs_csv_row row = only_row(&csv);
        assert_int_equal(row.host_ns, good[i].host_ns);
        EXPECT_NEAR(row.fraction_ns, good[i].fraction_ns, 1e-15);
    }
}

static void test_nothing(void **state)
{
    static const char *const texts[] = {"", "\n", "# only this", "ticks\n", "ticks", " \r\n#"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pairs_csv csv = pairs_csv_begin(PAIRS_CSV_QUERIES, texts[i]);
        pairs_csv_row row;
        assert_int_equal(pairs_csv_next(&csv, &row), 0);
    }
}

static void test_refused(void **state)
{
    static const struct {
        pairs_csv_kind kind;
        const char *text;
        size_t line;
        const char *reason;
    } bad[] = {
        {PAIRS_CSV_PAIRS, "1,2,3\n\n1,x2,3", 3, "ticks: \"x2\" is not a whole number"},
        {PAIRS_CSV_PAIRS, "1,,3", 1, "ticks: \"\" is not a whole number"},
        {PAIRS_CSV_PAIRS, "1,-2,3", 1, "ticks: \"-2\" is not a whole number"},
        {PAIRS_CSV_PAIRS, "1,18446744073709551616,3", 1, "from 0 to 2^64 - 1"},
        {PAIRS_CSV_PAIRS, "1.5,2,3", 1, "host_before_ns: \"1.5\" is not a whole number"},
        {PAIRS_CSV_PAIRS, "1,2,4000000000000000001", 1, "from -4e18 to 4e18"},
        {PAIRS_CSV_PAIRS, "1,2,-", 1, "host_after_ns: \"-\" is not"},
        {PAIRS_CSV_PAIRS, "3,2,1", 1, "host_after_ns is before host_before_ns"},
        {PAIRS_CSV_PAIRS, "1,2", 1, "2 numbers and no line of names"},
        {PAIRS_CSV_PAIRS, "1,2,3\n1,2,3,", 2, "4 values for 3 columns"},
        {PAIRS_CSV_PAIRS, "1,2,3\n1,2", 2, "2 values for 3 columns"},
        {PAIRS_CSV_PAIRS, "host_before_ns,ticks\n", 1, "no column \"host_after_ns\""},
        {PAIRS_CSV_PAIRS, "before,after\n", 1, "no column \"host_before_ns\""},
        {PAIRS_CSV_PAIRS, "before,device,after,more\n", 1, "no column \"host_before_ns\""},
        {PAIRS_CSV_PAIRS, "ticks,ticks\n", 1, "two columns \"ticks\""},
        {PAIRS_CSV_PAIRS, "# bits=0\n", 1, "a width is 1 to 64 bits"},
        {PAIRS_CSV_PAIRS, "# so bits=12x\n", 1, "\"bits=12x\""},
        {PAIRS_CSV_PAIRS, "1,2,3\n# period_ns=0x1p3", 2, "a period is"},
        {PAIRS_CSV_PAIRS, "# period_ns=\n", 1, "a period is"},
        {PAIRS_CSV_PAIRS, "# period_ns=1e13\n", 1, "a period is"},
        {PAIRS_CSV_QUERIES, "1,2,3", 1, "3 numbers and no line of names"},
        {PAIRS_CSV_QUERIES, "asked_ns\n", 1, "no column \"ticks\""},
        {PAIRS_CSV_TRUTH, "1.", 1, "host_ns: \"1.\" is not a number"},
        {PAIRS_CSV_TRUTH, "1e3", 1, "host_ns: \"1e3\" is not a number"},
        {PAIRS_CSV_TRUTH, "123456789012345678901234567890", 1, "\"123456789012345678901234...\""},
        {PAIRS_CSV_TRUTH, "1\001\xff", 1, "\"1??\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        pairs_csv csv = pairs_csv_begin(bad[i].kind, bad[i].text);
        pairs_csv_row row;
        int outcome = 1;
        while (outcome > 0)
            outcome = pairs_csv_next(&csv, &row);
        assert_int_equal(outcome, -1);
        EXPECT_TEXT_HAS(csv.reason, bad[i].reason);
        assert_int_equal(csv.line, bad[i].line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_in_order_under_other_names),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_columns_by_name),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
