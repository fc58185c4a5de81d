/* SPDX-License-Identifier: MIT */
/* Files of `kerntime trace` for programs, of totals made by hand. */
#include "cli/result_file/read_result.h"
#include "tests/unit/cli/traced.h"
#include "tests/unit/testing.h"

#include <jansson.h>
#include <stdio.h>

static const double times[] = {1000, 2000, 3000, 4000, 5000, 6000, 0}, none[] = {0};

static traced t;

static json_t *print_json(bool (*print)(const trace_document *, FILE *))
{
    json_error_t error;
    const char *text = traced_print(&t, print);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!document)
        fail_msg("%s in %s", error.text, text);
    return document;
}

static const json_t *row_of(const json_t *document, size_t row)
{
    const json_t *run = json_array_get(json_object_get(document, "runs"), 0);
    return json_array_get(json_object_get(run, "rows"), row);
}

/* What is not known is null, never 0; and what is no UTF-8 does not spoil the file. */
static void unknown(void **state)
{
    static const char *const keys[] = {"size",    "total_ns", "min_ns",    "median_ns",
                                       "ci95_ns", "mean_ns",  "p95_ns",    "p99_ns",
                                       "max_ns",  "bytes",    "inflation", "gb_per_s"};
    traced_begin(&t);
    traced_add(&t, TRACE_KERNEL, "=a\xff\"\n\x1b", none)->calls = 1;
    t.runs[0].signal = 9;
    t.runs[0].totals.in_flight = 2;
    json_t *document = print_json(trace_print_json);
    const json_t *row = row_of(document, 0), *run;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!json_is_null(json_object_get(row, keys[i])))
            fail_msg("%s is not null", keys[i]);
    assert_string_equal(json_string_value(json_object_get(row, "name")), "=a\xEF\xBF\xBD\"\n\x1b");
    run = json_array_get(json_object_get(document, "runs"), 0);
    assert_true(json_is_null(json_object_get(run, "exit_code")));
    assert_true(json_is_null(json_object_get(run, "problem")));
    assert_true(json_is_null(json_object_get(json_object_get(run, "cost"), "total_ns")));
    /* Calls count, whether their own time was taken or not. */
    assert_int_equal(json_integer_value(json_object_get(run, "calls")), 3);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(run, "cost"), "calls")), 0);
    json_decref(document);
    EXPECT_TEXT_HAS(traced_print(&t, trace_print_csv),
                    "\n0,kernel,\"'=a\xEF\xBF\xBD\"\"\n\xEF\xBF\xBD\",,opencl:0,1,0,0,0,0,0,0,0,0,"
                    "0,,,,,,,,,,,,,"
                    "2000000000,2001-02-03T04:05:06Z,a host,A Device\n");
}

/* The lower ends of buckets are the powers of two and their 32nds. */
static void histogram(void **state)
{
    traced_begin(&t);
    traced_add(&t, TRACE_KERNEL, "a", (const double[]){1024, 1024, 1056, 1e-9, 1e16, 0});
    json_t *document = print_json(trace_print_json);
    const json_t *pairs = json_object_get(row_of(document, 0), "histogram");
    static const double lows[] = {0, 1024, 1056, 281474976710656.0};
    static const json_int_t counts[] = {1, 2, 1, 1};
    assert_int_equal(json_array_size(pairs), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *pair = json_array_get(pairs, i);
        EXPECT_NUMBER(json_number_value(json_array_get(pair, 0)), lows[i]);
        assert_int_equal(json_integer_value(json_array_get(pair, 1)), counts[i]);
    }
    json_decref(document);
}

/* A row without a time is no benchmark of Google's; of runs each is a repetition. */
static void gbench(void **state)
{
    traced_begin(&t);
    traced_add(&t, TRACE_KERNEL, "a", times);
    traced_add(&t, TRACE_KERNEL, "b", none)->calls = 1;
    trace_total *copy = traced_add(&t, TRACE_COPY, "a", times);
    copy->bytes = 42e3;
    copy->gb_per_s = 2;
    json_t *document = print_json(trace_print_gbench);
    const json_t *rows = json_object_get(document, "benchmarks");
    assert_int_equal(json_array_size(rows), 2);
    const json_t *row = json_array_get(rows, 1);
    assert_string_equal(json_string_value(json_object_get(row, "name")), "copy/a");
    assert_int_equal(json_integer_value(json_object_get(row, "iterations")), 6);
    EXPECT_NEAR(json_number_value(json_object_get(row, "real_time")), copy->median_ns, 1e-9);
    EXPECT_NUMBER(json_number_value(json_object_get(row, "bytes_per_second")), 2e9);
    json_decref(document);
}

/* What is written is read: medians, and as many samples as independent calls would be. */
static void read_back(void **state)
{
    char reason[READ_REASON_BYTES];
    kt_report *report = NULL;
    read_kind kind;
    traced_begin(&t);
    trace_total *row = traced_add(&t, TRACE_KERNEL, "a", times);
    row->inflation = 2;
    row->low_ns = 2000;
    row->high_ns = 5000;
    traced_add(&t, TRACE_COPY, "a", none)->calls = 1;
    traced_add_run(&t);
    traced_add(&t, TRACE_KERNEL, "a", times);
    const char *text = traced_print(&t, trace_print_json);
    if (read_times_text(text, strlen(text), &kind, &report, reason) != READ_DONE)
        fail_msg("%s", reason);
    assert_int_equal(kind, READ_TRACED);
    assert_int_equal(kt_report_series_count(report), 3);
    const kt_series *series = kt_report_series(report, 0);
    assert_string_equal(series->device, "opencl:0");
    assert_int_equal(series->method, KT_METHOD_EVENT_PROFILE);
    EXPECT_NEAR(series->summary.median, row->median_ns, 1e-9);
    EXPECT_NUMBER(series->summary.ci95_low, 2000);
    EXPECT_NUMBER(series->summary.ci95_high, 5000);
    assert_int_equal(series->summary.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(series->samples_ns[i] >= 1000 && series->samples_ns[i] <= 6000);
    assert_true(series->samples_ns[0] < series->samples_ns[1]);
    series = kt_report_series(report, 1);
    assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    assert_int_equal(kt_report_series(report, 2)->run, 1);
    assert_int_equal(kt_report_series(report, 2)->summary.n, 6);
    kt_report_destroy(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unknown), cmocka_unit_test(histogram),
                                       cmocka_unit_test(gbench), cmocka_unit_test(read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
