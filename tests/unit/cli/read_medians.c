/* SPDX-License-Identifier: MIT */
/* Results are read briefly, without their samples: medians, texts and refusals are the same. */
#include "cli/result_file/read_result.h"
#include "tests/unit/cli/read_document.h"
#include "tests/unit/testing.h"

#include <stdio.h>
#include <string.h>

static json_text document;

static int make_document(void **state)
{
    (void)state;
    kt_report *report = document_full();
    json_text_write(&document, report);
    kt_report_destroy(&report);
    return 0;
}

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

static kt_report *read_medians(const json_text *t)
{
    char reason[READ_REASON_BYTES] = "";
    read_kind kind = READ_TRACE;
    kt_report *report = NULL;
    if (read_medians_text(t->data, t->bytes, &kind, &report, reason) != READ_DONE)
        fail_msg("%s", reason);
    assert_int_equal(kind, READ_RESULT);
    return report;
}

static void expect_same(const json_text *t, bool is_brief)
{
    char reason[READ_REASON_BYTES];
    kt_report *whole = NULL, *brief = read_medians(t);
    assert_int_equal(read_result_text(t->data, t->bytes, &whole, reason), READ_DONE);
    const kt_report_desc *desc = kt_report_get_desc(whole);
    for (uint32_t i = 0; i < desc->command_count; i++)
        assert_string_equal(kt_report_get_desc(brief)->command[i], desc->command[i]);
    assert_int_equal(kt_report_device_count(brief), kt_report_device_count(whole));
    assert_int_equal(kt_report_series_count(brief), kt_report_series_count(whole));
    for (uint32_t i = 0; i < kt_report_series_count(whole); i++) {
        const kt_series *one = kt_report_series(whole, i), *other = kt_report_series(brief, i);
        assert_string_equal(one->name, other->name);
        assert_memory_equal(&one->summary.median, &other->summary.median, sizeof(double));
        assert_int_equal(other->summary.n, is_brief ? 0 : one->summary.n);
        assert_int_equal(other->discarded[KT_TIMESTAMP_OK], is_brief ? one->summary.n : 0);
    }
    assert_true(kt_report_baseline_count(whole) > 0);
    assert_int_equal(kt_report_baseline_count(brief),
                     is_brief ? 0 : kt_report_baseline_count(whole));
    kt_report_destroy(&whole);
    kt_report_destroy(&brief);
}

static void medians_are_the_same(void **state)
{
    (void)state;
    expect_same(&document, true);
    expect_same(edited("\"samples_ns\": [", "\"samples_ns\"\n:\t[ "), true);
    expect_same(edited("\"samples_ns\": [", "\"samples\\u005fns\": ["), false);
}

static void other_texts_stay(void **state)
{
    (void)state;
    expect_same(edited("\"command\": [", "\"command\": [\"samples_ns\", \"[1, 2]\", "
                                         "\"\\\"samples_ns\\\": [1, 2]\", "),
                true);
}

/* What only samples could refute is not looked at. */
static void medians_are_believed(void **state)
{
    (void)state;
    kt_report *report =
        read_medians(edited("\"median_ns\": 0.3333333333333333,", "\"median_ns\": 0.34,"));
    assert_true(kt_report_series(report, 0)->summary.median == 0.34);
    kt_report_destroy(&report);
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
    static const char *const lists[] = {"[x",     "[null, ", "[\"1\", ",
                                        "[[1], ", "[{}, ",   "0, \"s\": ["};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        char by[64];
        snprintf(by, sizeof by, "\"samples_ns\": %s", lists[i]);
        expect_same_refusal("\"samples_ns\": [", by);
    }
    expect_same_refusal("\"samples_ns\": [", "\"samples_ns\": [1], \"samples_ns\": [");
    expect_same_refusal("\"median_ns\": 0.3333333333333333,", "\"median_ns\": \"\",");
    expect_same_refusal("\"series\": [", "\"series\": [[");
    expect_same_refusal("\"baselines\": [", "\"baselines\": 0, \"b\": [");
    document.data[strstr(document.data, "\"samples_ns\": [") + 17 - document.data] = '\0';
    document.bytes = strlen(document.data);
    expect_same_refusal("\"", "\""); /* cut within the samples */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(medians_are_the_same, make_document),
        cmocka_unit_test_setup(other_texts_stay, make_document),
        cmocka_unit_test_setup(medians_are_believed, make_document),
        cmocka_unit_test_setup(refusals_are_the_same, make_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
