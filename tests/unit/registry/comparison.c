/* SPDX-License-Identifier: MIT */
/* Snapshots of the registry side by side: which rows are matched, what is computed of them, and the
 * lines for people. */
#include "output/registry/registry.h"
#include "support/fault.h"
#include "tests/unit/collect.h"
#include "tests/unit/testing.h"

#include <kerntime/snapshot.h>
#include <stdio.h>

static kt_snapshot *take(void)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    kt_reset();
    return snapshot;
}

/* The next change of a comparison. */
static const kt_row_change *expect_change(const kt_comparison *comparison, uint32_t index,
                                          const char *name, kt_backend_id backend,
                                          uint64_t n_before, uint64_t n_after)
{
    const kt_row_change *change = kt_comparison_row(comparison, index);
    assert_non_null(change);
    assert_string_equal(change->name, name);
    assert_int_equal(change->backend, backend);
    assert_int_equal(change->before ? change->before->count : 0, n_before);
    assert_int_equal(change->after ? change->after->count : 0, n_after);
    return change;
}

static void rows_are_matched_by_name_and_backend(void **state)
{
    kt_reset();
    kt_record_name("blur", KT_BACKEND_CPU, 100);
    kt_record_name("blur", KT_BACKEND_CPU, 300);
    kt_record_name("blur", KT_BACKEND_OPENCL, 50);
    kt_record_name("gone", KT_BACKEND_CPU, 7);
    kt_record_name("", KT_BACKEND_NONE, 1); /* no name, no row */
    kt_snapshot *before = take();
    kt_record_name("zoom", KT_BACKEND_CPU, 5);
    kt_record_name("blur", KT_BACKEND_VULKAN, 9);
    kt_record_name("blur", KT_BACKEND_CPU, 40);
    kt_record_name("blur", KT_BACKEND_CPU, 60);
    kt_record_name("blur", KT_BACKEND_OPENCL, 100);
    kt_record_name("Blur", KT_BACKEND_CPU, 2);
    kt_snapshot *after = take();

    kt_comparison *comparison = NULL;
    EXPECT_OK(kt_snapshot_compare(before, after, &comparison));
    assert_int_equal(kt_snapshot_dropped(before), 1);
    assert_int_equal(kt_comparison_count(comparison), 6);
    expect_change(comparison, 0, "Blur", KT_BACKEND_CPU, 0, 1);
    const kt_row_change *change = expect_change(comparison, 1, "blur", KT_BACKEND_CPU, 2, 2);
    EXPECT_NUMBER(change->speedup, 4);
    /* Deviations 100 sqrt(2) of 200 and 10 sqrt(2) of 50: relative variances of the means 1/4 and
     * 1/25, so degrees of freedom 0.29^2 / (0.25^2 + 0.04^2) = 1.31201, whose t is 7.385598
     * (mpmath's incomplete beta function). */
    EXPECT_NEAR(change->speedup_low, 0.07494716, 1e-8);
    EXPECT_NEAR(change->speedup_high, 213.48373, 1e-4);
    change = expect_change(comparison, 2, "blur", KT_BACKEND_OPENCL, 1, 1);
    EXPECT_NUMBER(change->speedup, 0.5);
    EXPECT_NUMBER(change->speedup_low, NAN);
    EXPECT_NUMBER(change->speedup_high, NAN);
    change = expect_change(comparison, 3, "blur", KT_BACKEND_VULKAN, 0, 1);
    assert_null(change->before);
    EXPECT_NUMBER(change->speedup, NAN);
    change = expect_change(comparison, 4, "gone", KT_BACKEND_CPU, 1, 0);
    assert_null(change->after);
    EXPECT_NUMBER(change->speedup, NAN);
    expect_change(comparison, 5, "zoom", KT_BACKEND_CPU, 0, 1);
    assert_null(kt_comparison_row(comparison, 6));
    assert_null(kt_comparison_row(comparison, UINT32_MAX));
    kt_comparison_destroy(&comparison);
    assert_null(comparison);
    kt_comparison_destroy(&comparison);
    kt_snapshot_destroy(&before);
    kt_snapshot_destroy(&after);
}

static void either_may_be_empty(void **state)
{
    kt_reset();
    kt_record_name("only", KT_BACKEND_CPU, 1);
    kt_snapshot *snapshot = take();
    const kt_snapshot *const pairs[][2] = {{snapshot, NULL}, {NULL, snapshot}, {NULL, NULL}};
    for (uint32_t i = 0; i < 3; i++) {
        kt_comparison *comparison = NULL;
        EXPECT_OK(kt_snapshot_compare(pairs[i][0], pairs[i][1], &comparison));
        assert_int_equal(kt_comparison_count(comparison), i < 2);
        if (i < 2)
            expect_change(comparison, 0, "only", KT_BACKEND_CPU, i == 0, i == 1);
        kt_comparison_destroy(&comparison);
    }
    kt_snapshot_destroy(&snapshot);
    assert_int_equal(kt_comparison_count(NULL), 0);
    assert_null(kt_comparison_row(NULL, 0));
}

#if KT_FAULTS
static void out_of_memory(void **state)
{
    uint64_t nth = 1;
    for (;; nth++) {
        kt_comparison *const untouched = (kt_comparison *)&nth;
        kt_comparison *comparison = untouched;
        kt_fault_set(KT_FAULT_ALLOC, nth);
        kt_status status = kt_snapshot_compare(NULL, NULL, &comparison);
        bool fired = kt_fault_fired(KT_FAULT_ALLOC) != NULL;
        kt_fault_set(KT_FAULT_ALLOC, 0);
        assert_int_equal(status, fired ? KT_NO_MEMORY : KT_OK);
        assert_int_equal(comparison == untouched, fired);
        if (fired)
            continue;
        kt_comparison_destroy(&comparison);
        break;
    }
    assert_int_equal(nth, 3); /* the comparison, its rows, and nothing else */
}
#endif

/* ---- lines ---- */

static void expect_lines(const kt_comparison_document *document, const char *expected)
{
    const kt_sink sink = {.write = collect};
    kt_writer writer = {.sink = &sink};
    output_bytes = 0;
    kt_print_comparison(document, &writer);
    kt_flush(&writer);
    assert_string_equal(output, expected);
}

static kt_row_change make_change(const kt_row *before, const kt_row *after, double speedup,
                                 double low, double high)
{
    const kt_row *any = before ? before : after;
    return (kt_row_change){any->name, any->backend, before, after, speedup, low, high};
}

static void lines_for_people(void **state)
{
    const kt_row slow = {
        .name = "blur", .backend = KT_BACKEND_OPENCL, .count = 20, .mean_ns = 12345};
    const kt_row fast = {.name = "blur",
                         .backend = KT_BACKEND_OPENCL,
                         .count = 400,
                         .mean_ns = 5000,
                         .discarded = {[KT_TIMESTAMP_LOST] = 2, [KT_TIMESTAMP_OVERWRITTEN] = 1}};
    const kt_row once = {.name = "na\nme", .count = 1, .mean_ns = 10};
    const kt_row never = {.name = "never",
                          .backend = KT_BACKEND_CPU,
                          .mean_ns = NAN,
                          .discarded = {[KT_TIMESTAMP_ERROR] = 1}};
    const kt_row_change changes[] = {
        make_change(&slow, &fast, 2.469, 2.4, 12.54), make_change(&slow, &slow, 1, 0.99949, 1.0006),
        make_change(&once, NULL, NAN, NAN, NAN),      make_change(NULL, &once, NAN, NAN, NAN),
        make_change(&once, &once, 1, NAN, NAN),       make_change(&never, &fast, NAN, NAN, NAN),
    };
    const kt_comparison_document document = {changes, 6, 1, UINT64_MAX};
    expect_lines(
        &document,
        "name   backend  avg before  avg after     speed-up     95 % interval  n before  n after\n"
        "blur   opencl     12.35 us   5.000 us       2.469x   2.400x .. 12.5x        20      400\n"
        "blur   opencl     12.35 us   12.35 us       1.000x  0.999x .. 1.001x        20       20\n"
        "na me  -           10.0 ns          -  only before                 -         1        0\n"
        "na me  -                 -    10.0 ns   only after                 -         0        1\n"
        "na me  -           10.0 ns    10.0 ns       1.000x                 -         1        1\n"
        "never  cpu               -   5.000 us            -                 -         0      400\n"
        "intervals take durations as independent of each other; rows that nobody changed show how "
        "much else changed\n"
        "after: blur on opencl: 3 spans without a duration: 2 lost, 1 overwritten\n"
        "before: never on cpu: 1 span without a duration: 1 error\n"
        "after: blur on opencl: 3 spans without a duration: 2 lost, 1 overwritten\n"
        "before: 1 duration dropped: below 0, not finite, above 31 years, no name, no such "
        "backend, or no room\n"
        "after: 18446744073709551615 durations dropped: below 0, not finite, above 31 years, no "
        "name, no such "
        "backend, or no room\n");
    expect_lines(&(const kt_comparison_document){0}, "nothing was recorded, before or after\n");
}

static int refuse(void *user, const char *data, size_t bytes)
{
    return 1;
}

/* Where there is no interval, nothing is said of them. */
static void lines_of_a_comparison(void **state)
{
    kt_reset();
    kt_record_name("blur", KT_BACKEND_CPU, 200);
    kt_record_name("blur", KT_BACKEND_CPU, -1);
    kt_snapshot *before = take();
    kt_record_name("blur", KT_BACKEND_CPU, 100);
    kt_snapshot *after = take();
    kt_comparison *comparison = NULL;
    EXPECT_OK(kt_snapshot_compare(before, after, &comparison));
    const kt_sink sink = {.write = collect};
    output_bytes = 0;
    EXPECT_OK(kt_comparison_write(comparison, &sink));
    assert_string_equal(
        output, "name  backend  avg before  avg after  speed-up  95 % interval  n before  n after\n"
                "blur  cpu        200.0 ns   100.0 ns    2.000x              -         1        1\n"
                "before: 1 duration dropped: below 0, not finite, above 31 years, no name, no such "
                "backend, or no room\n");
    const kt_sink broken = {.write = refuse};
    EXPECT_STATUS(kt_comparison_write(comparison, &broken), KT_IO_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "the comparison could not be written");
    EXPECT_OK(kt_comparison_write(NULL, &sink));
    kt_comparison_destroy(&comparison);
    kt_snapshot_destroy(&before);
    kt_snapshot_destroy(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_matched_by_name_and_backend),
        cmocka_unit_test(either_may_be_empty),
#if KT_FAULTS
        cmocka_unit_test(out_of_memory),
#endif
        cmocka_unit_test(lines_for_people),
        cmocka_unit_test(lines_of_a_comparison),
    };
    return cmocka_run_group_tests_name("comparison", tests, NULL, NULL);
}
