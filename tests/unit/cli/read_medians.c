/* Results are read briefly, without their lists of samples: as the ordinary way, or by it. */
#include "cli/result_file/read_result.h"
#include "tests/unit/cli/read_document.h"
#include "tests/unit/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a text becomes; NULL: it is to be read as it is. A copy without a zero behind it. */
static char *taken_out(read_lists *lists, const char *text, size_t bytes)
{
    char *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, text, bytes);
    *lists = (read_lists){0};
    char *out = lists_take_out(lists, copy, &bytes);
    free(copy);
    if (out)
        out[bytes] = '\0';
    return out;
}

static void lists_are_taken_out(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\\\"b\": [\"samples_ns\", 1], \"samples_ns\" : [ 0,250000.5,\n1e3, 12.5E-1,2e+1 ] ,"
        "\"c\": {\"samples_ns\":[]}, \"samples\\u005fns\": [7], \"d\": \"\\\\\"}";
    static const double numbers[] = {0, 250000.5, 1000, 1.25, 20};
    read_lists lists;
    size_t count = 0;
    char *out = taken_out(&lists, text, strlen(text));
    assert_string_equal(out,
                        "{\"a\\\"b\": [\"samples_ns\", 1], \"samples_ns\":0 ,"
                        "\"c\": {\"samples_ns\":1}, \"samples\\u005fns\": [7], \"d\": \"\\\\\"}");
    const double *found = lists_find(&lists, 0, &count);
    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++)
        assert_true(found[i] == numbers[i]);
    assert_non_null(lists_find(&lists, 1, &count));
    assert_int_equal(count, 0);
    assert_null(lists_find(&lists, 2, &count));
    free(out);
    lists_free(&lists);
}

/* Numbers that need more digits than a double has are rounded. */
static void numbers_are_near(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0.3333333333333333",
                                          "249866.99999999997",
                                          "1234567890123456789",
                                          "0.00012345678901234567",
                                          "9007199254740993.5",
                                          "1.7976931348623e200",
                                          "4.9e-200",
                                          "1e-280"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[128];
        size_t count = 0;
        read_lists lists;
        snprintf(text, sizeof text, "{\"samples_ns\": [%s]}", numbers[i]);
        char *out = taken_out(&lists, text, strlen(text));
        assert_string_equal(out, "{\"samples_ns\":0}");
        double wanted = strtod(numbers[i], NULL), found = *lists_find(&lists, 0, &count);
        if (!(fabs(found - wanted) <= 1e-15 * wanted))
            fail_msg("%s is read as %.17g", numbers[i], found);
        free(out);
        lists_free(&lists);
    }
}

static void what_is_unusual_stays(void **state)
{
    (void)state;
    static const char *const values[] = {
        "[1, -1]",  "[01]",      "[1.]",  "[.5]",    "[1e]",
        "[1e+]",    "[1,]",      "[,1]",  "[1 2]",   "[1",
        "[",        "[null]",    "[NaN]", "[\"1\"]", "[[1]]",
        "[+1]",     "17",        "null",  "{}",      "[1e999]",
        "[1e-999]", "[1e12345]", "",      "[1}",     "[12345678901234567890]",
        "[0x10]",   "[1.2.3]"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[128];
        read_lists lists;
        snprintf(text, sizeof text, "{\"samples_ns\": %s}", values[i]);
        if (taken_out(&lists, text, strlen(text)))
            fail_msg("%s is taken out", text);
        lists_free(&lists);
    }
}

static json_text document;

/* The document with `text` replaced. */
static const json_text *edited(const char *text, const char *by)
{
    static json_text t;
    const char *at = strstr(document.data, text);
    assert_non_null(at);
    t.bytes = (size_t)snprintf(t.data, sizeof t.data, "%.*s%s%s", (int)(at - document.data),
                               document.data, by, at + strlen(text));
    return &t;
}

static void make_document(void)
{
    kt_report *report = document_full();
    json_text_write(&document, report);
    kt_report_destroy(&report);
}

/* Numbers so near the ends of a double are not read briefly. */
static void make_plain_document(void)
{
    make_document();
    document = *edited("0, 5e-324, 1.7976931348623157e+308, -0.0]", "0, 0.1, 17e+20, 0]");
}

static kt_report *read_both(kt_report **whole)
{
    char reason[READ_REASON_BYTES];
    read_kind kind = READ_TRACE;
    kt_report *brief = NULL;
    assert_int_equal(read_result_text(document.data, document.bytes, whole, reason), READ_DONE);
    assert_int_equal(read_medians_text(document.data, document.bytes, &kind, &brief, reason),
                     READ_DONE);
    assert_int_equal(kind, READ_RESULT);
    return brief;
}

static void medians_are_the_same(void **state)
{
    (void)state;
    kt_report *whole = NULL;
    make_plain_document();
    kt_report *brief = read_both(&whole);
    assert_true(kt_report_baseline_count(whole) > 0);
    assert_int_equal(kt_report_baseline_count(brief), 0); /* read briefly indeed */
    assert_int_equal(kt_report_device_count(brief), kt_report_device_count(whole));
    assert_int_equal(kt_report_series_count(brief), kt_report_series_count(whole));
    for (uint32_t i = 0; i < kt_report_series_count(whole); i++) {
        const kt_series *one = kt_report_series(whole, i), *other = kt_report_series(brief, i);
        assert_string_equal(one->name, other->name);
        assert_int_equal(one->summary.n, other->summary.n);
        assert_memory_equal(&one->summary.median, &other->summary.median, sizeof(double));
    }
    kt_report_destroy(&whole);
    kt_report_destroy(&brief);
}

static void unusual_numbers_are_read_as_they_are(void **state)
{
    (void)state;
    kt_report *whole = NULL;
    make_document();
    kt_report *brief = read_both(&whole);
    const kt_series *one = kt_report_series(whole, 0), *other = kt_report_series(brief, 0);
    assert_memory_equal(one->samples_ns, other->samples_ns, one->summary.n * sizeof(double));
    assert_int_equal(kt_report_baseline_count(brief), kt_report_baseline_count(whole));
    kt_report_destroy(&whole);
    kt_report_destroy(&brief);
}

/* `text` of the document, replaced, is refused with the same sentence in both ways. */
static void expect_same_refusal(const char *text, const char *by)
{
    char reason[READ_REASON_BYTES], other[READ_REASON_BYTES];
    read_kind kind;
    kt_report *report = NULL;
    const json_text *t = edited(text, by);
    assert_int_equal(read_result_text(t->data, t->bytes, &report, reason), READ_REFUSED);
    assert_int_equal(read_medians_text(t->data, t->bytes, &kind, &report, other), READ_REFUSED);
    assert_string_equal(reason, other);
}

static void refusals_are_the_same(void **state)
{
    (void)state;
    make_plain_document();
    expect_same_refusal("\"median_ns\": 0.3333333333333333,", "\"median_ns\": 0.34,");
    expect_same_refusal("\"median_ns\": 0.3333333333333333,", "\"median_ns\": null,");
    expect_same_refusal("\"n\": 7", "\"n\": 8");
    expect_same_refusal("\"samples_ns\": [", "\"samples_ns\": [x");
    expect_same_refusal("\"samples_ns\": [", "\"samples_ns\": 0, \"samples\": [");
    expect_same_refusal("\"series\": [", "\"series\": [[");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_taken_out),
        cmocka_unit_test(numbers_are_near),
        cmocka_unit_test(what_is_unusual_stays),
        cmocka_unit_test(medians_are_the_same),
        cmocka_unit_test(unusual_numbers_are_read_as_they_are),
        cmocka_unit_test(refusals_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
