/* SPDX-License-Identifier: MIT */
/* The clock of kt_cycles_now() in one process, from the first reading until its counter is given
 * up: each test goes on where the one before it ended. Readings and durations are the test's own. */
#include "clock/cycles.h"
#include "tests/unit/clock/scripted_counter.h"
#include "tests/unit/testing.h"

#include <kerntime/registry.h>
#include <kerntime/snapshot.h>

static scripted_counter script = {
    .now_ns = 5000000, .ticks = 1e9, .ticks_of_ns = 2, .width_ns = 100, .read_at = 0};
static bool opening = true;
static int comparisons;

/* The first readings are taken at the begin of the bracket at first and at its end at last, so they
 * show a period that is some 100 ppm off. */
static bool read_pair(void *user, kt_clock_pair *out)
{
    script.read_at = opening ? fmin(1, script.read_at + 1.0 / 256) : 0.5;
    return scripted_pair(user, out);
}

static void read_facts(kt_counter_facts *out)
{
    *out = (kt_counter_facts){"tsc", "tsc", true, "tsc", true, 2e9, NULL};
}

static void compare_cores(int64_t limit_ns, kt_core_agreement *out)
{
    (void)limit_ns;
    comparisons++;
    *out = (kt_core_agreement){.cores = 4, .checked = 3, .in_step = true, .apart_ticks = 60};
}

KT_SITE(site, "counted", KT_BACKEND_CPU);

static kt_snapshot *now;

/* The scripted host clock is long past, so each snapshot takes a pair. */
static const kt_row *look(void)
{
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
    const kt_row *row = kt_snapshot_find(now, "counted", KT_BACKEND_CPU);
    assert_non_null(row);
    return row;
}

static void the_first_reading_chooses(void **state)
{
    assert_int_equal(kt_cycles_counter, 0);
    assert_true(kt_cycles_now() < KT_CYCLES_SYSTEM);
    opening = false;
    assert_int_equal(kt_cycles_counter, 1);
    assert_int_equal(comparisons, 0); /* the kernel has done that */
}

static void a_better_period_corrects_what_was_kept(void **state)
{
    kt_record_cycles(&site, 1000, 1000 + 2000000000);
    kt_record_cycles(&site, 5000, 5000 + 4000000000);
    assert_true(fabs(kt_cycles_period_ns() * 2e9 - 1e9) > 1e5);
    scripted_pass(&script, 100 * INT64_C(1000000000));
    const kt_row *row = look();
    assert_int_equal(row->count, 2);
    /* 100 s between pairs whose middles are off by less than 50 ns each: 1e-9. */
    EXPECT_NEAR(row->min_ns, 1e9, 1);
    EXPECT_NEAR(row->max_ns, 2e9, 2);
    EXPECT_NEAR(row->total_ns, 3e9, 3);
    EXPECT_NEAR(row->mean_ns, 1.5e9, 2);
    EXPECT_NEAR(row->last_ns, 2e9, 2);
    EXPECT_NEAR(row->stddev_ns, 5e8 * sqrt(2), 1);
    EXPECT_NEAR(row->p50_ns, 1e9, 0.02e9);
    assert_true(row->period_uncertainty > 1e-9 && row->period_uncertainty < 2.1e-5);
}

static void ns_beside_cycles_stay_as_they_are(void **state)
{
    kt_record(&site, 123456789);
    KT_SITE(given, "given", KT_BACKEND_CPU);
    kt_record(&given, 1);
    const kt_row *row = look();
    assert_int_equal(row->count, 3);
    EXPECT_NUMBER(row->min_ns, 123456789);
    EXPECT_NEAR(row->max_ns, 2e9, 2);
    EXPECT_NEAR(row->total_ns, 3123456789, 3);
    assert_true(isnan(kt_snapshot_find(now, "given", KT_BACKEND_CPU)->period_uncertainty));
    kt_reset();
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
    assert_int_equal(kt_snapshot_count(now), 0);
}

/* Tick counts whose squares have 87 bits and whose spread is of one tick. */
static void sums_of_ticks_are_exact(void **state)
{
    KT_SITE(far_off, "far off", KT_BACKEND_CPU);
    for (uint64_t i = 0; i < 1001; i++)
        kt_record_cycles(&far_off, 7, 7 + (UINT64_C(1) << 43) + i % 2);
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
    const kt_row *row = kt_snapshot_find(now, "far off", KT_BACKEND_CPU);
    assert_int_equal(row->count, 1001);
    double tick_ns = kt_cycles_period_ns();
    /* 501 of one value and 500 of the next: squares 501 * 500 / 1001. */
    EXPECT_NEAR(row->stddev_ns / tick_ns, sqrt(501.0 * 500 / 1001 / 1000), 1e-12);
    EXPECT_NEAR(row->mean_ns / tick_ns, 0x1p43 + 500.0 / 1001, 0.01);
    EXPECT_NEAR(row->total_ns / tick_ns, 1001 * 0x1p43 + 500, 4);
}

/* 0 is in no bucket of its own, and from 2^44 on durations are kept in ns. */
static void ticks_of_any_size(void **state)
{
    KT_SITE(sizes, "sizes", KT_BACKEND_CPU);
    const uint64_t ticks[] = {
        0, 1, 1000, (UINT64_C(1) << 44) - 1, UINT64_C(1) << 44, UINT64_C(1) << 60};
    for (int again = 0; again < 3; again++)
        for (size_t i = 0; i < 6; i++)
            kt_record_cycles(&sizes, 100, 100 + ticks[i]);
    kt_record_cycles(&sizes, 100, 99);
    kt_record_cycles(&sizes, 100, 100 + (UINT64_C(1) << 62));
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
    const kt_row *row = kt_snapshot_find(now, "sizes", KT_BACKEND_CPU);
    double tick_ns = kt_cycles_period_ns();
    assert_int_equal(row->count, 18);
    assert_int_equal(kt_snapshot_dropped(now), 2);
    EXPECT_NUMBER(row->min_ns, 0);
    EXPECT_NEAR(row->max_ns / tick_ns / 0x1p60, 1, 1e-9);
    EXPECT_NEAR(row->total_ns / (3 * tick_ns) / (0x1p45 + 0x1p60), 1, 1e-9);
    EXPECT_NEAR(kt_row_percentile(row, 50) / tick_ns / 1000, 1, 0.04);
    kt_reset();
}

/* The first durations of a row, one of which is in no bucket. */
static void the_longest_after_zero(void **state)
{
    KT_SITE(in_ticks, "in ticks", KT_BACKEND_CPU);
    KT_SITE(in_ns, "in ns", KT_BACKEND_CPU);
    KT_SITE(long_first, "long first", KT_BACKEND_CPU);
    kt_record_cycles(&in_ticks, 7, 7);
    kt_record_cycles(&in_ticks, 7, 8);
    kt_record(&in_ns, 0);
    kt_record(&in_ns, 0x1p-8);
    kt_record(&long_first, 0x1p49);
    kt_record(&long_first, 0x1p-8);
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
    const kt_row *row = kt_snapshot_find(now, "in ticks", KT_BACKEND_CPU);
    EXPECT_NUMBER(row->max_ns, kt_cycles_period_ns());
    EXPECT_NUMBER(kt_snapshot_find(now, "in ns", KT_BACKEND_CPU)->max_ns, 0x1p-8);
    EXPECT_NUMBER(kt_snapshot_find(now, "long first", KT_BACKEND_CPU)->min_ns, 0x1p-8);
    kt_reset();
}

/* A span of 1 us, of which the histogram knows the ticks alone. */
static void percentiles_have_the_period(void **state)
{
    KT_SITE(both, "both", KT_BACKEND_CPU);
    for (int i = 0; i < 100; i++)
        kt_record_cycles(&both, 1000, 3000 + 20 * (uint64_t)i);
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
    const kt_row *row = kt_snapshot_find(now, "both", KT_BACKEND_CPU);
    for (int percent = 1; percent < 100; percent++)
        EXPECT_NEAR(kt_row_percentile(row, percent) / (1000 + 10 * (percent - 1)), 1, 0.0155);
    for (int i = 0; i < 100; i++)
        kt_record(&both, 1000 + 10 * i);
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
    row = kt_snapshot_find(now, "both", KT_BACKEND_CPU);
    assert_int_equal(row->count, 200);
    for (int percent = 1; percent < 100; percent++)
        EXPECT_NEAR(kt_row_percentile(row, percent) / (1000 + 10 * (percent - 1)), 1, 0.04);
    kt_reset();
}

static void spans_and_places(void **state)
{
    double uncertainty_ns;
    int64_t host_ns;
    EXPECT_NEAR(kt_cycles_span_ns(10, 2010, &uncertainty_ns), 1000, 1e-4);
    assert_true(uncertainty_ns >= 1 && uncertainty_ns < 1.1); /* it moves by two ticks of 0.5 ns */
    EXPECT_NEAR(kt_cycles_span_ns(2010, 10, NULL), -1000, 1e-4);
    const scripted_counter then = script;
    EXPECT_OK(kt_cycles_to_host((uint64_t)then.ticks, &host_ns, &uncertainty_ns));
    EXPECT_NEAR((double)(host_ns - then.now_ns), 0, uncertainty_ns);
}

static void a_description_compares_the_cores_once(void **state)
{
    kt_cycles_info info;
    for (int i = 0; i < 2; i++)
        EXPECT_OK(kt_cycles_get_info(&info));
    assert_int_equal(comparisons, 1);
    assert_string_equal(info.name, "tsc");
    assert_int_equal(info.counter, 1);
    EXPECT_TEXT_HAS(info.reason, "clock source of the kernel");
    EXPECT_NEAR(info.period_ns, 0.5, 1e-8);
    assert_true(info.period_uncertainty_ns > 0 && info.period_uncertainty_ns < 1e-5);
    EXPECT_NUMBER(info.reported_hz, 2e9);
    assert_int_equal(info.cores, 4);
    assert_int_equal(info.cores_checked, 3);
    EXPECT_NEAR(info.cores_apart_ns, 30, 1e-3);
    double uncertainty_ns;
    kt_cycles_span_ns(10, 2010, &uncertainty_ns);
    assert_true(uncertainty_ns > 30);
}

static void a_lost_counter_hands_over(void **state)
{
    uint64_t before = kt_cycles_now();
    int64_t host_ns;
    kt_record_cycles(&site, 0, 2000);
    script.ticks += 1e12; /* suspended */
    kt_cycles_update();
    uint64_t after = kt_cycles_now(), later = after + 1000000;
    assert_true(before < KT_CYCLES_SYSTEM);
    assert_true(after >= KT_CYCLES_SYSTEM);
    kt_record_cycles(&site, before, after);
    kt_record_cycles(&site, after, later);
    const kt_row *row = look();
    assert_int_equal(row->count, 2);
    EXPECT_NEAR(row->min_ns, 1000, 1e-4);
    EXPECT_NEAR(row->max_ns, 1000000, 0.26); /* half a tick */
    assert_int_equal(row->discarded[KT_TIMESTAMP_AMBIGUOUS], 1);
    EXPECT_NUMBER(kt_cycles_span_ns(before, after, NULL), NAN);
    EXPECT_NUMBER(kt_cycles_span_ns(after, later, NULL), 1000000);
    EXPECT_STATUS(kt_cycles_to_host(before, &host_ns, NULL), KT_NOT_READY);
    EXPECT_TEXT_HAS(kt_error_text(), "the machine was suspended");
    EXPECT_OK(kt_cycles_to_host(after, &host_ns, NULL));
    assert_int_equal(host_ns, after - KT_CYCLES_SYSTEM);
    kt_cycles_info info;
    EXPECT_OK(kt_cycles_get_info(&info));
    assert_int_equal(info.counter, 0);
    EXPECT_NUMBER(info.period_ns, 1);
    EXPECT_TEXT_HAS(info.reason, "the counter moved by +500.0 s against");
}

static int script_the_counter(void **state)
{
    (void)state;
    kt_cycles_sources = (kt_cycles_calls){.read_facts = read_facts,
                                          .pair = read_pair,
                                          .compare_cores = compare_cores,
                                          .user = &script};
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    kt_snapshot_destroy(&now);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_reading_chooses),
        cmocka_unit_test(a_better_period_corrects_what_was_kept),
        cmocka_unit_test(ns_beside_cycles_stay_as_they_are),
        cmocka_unit_test(sums_of_ticks_are_exact),
        cmocka_unit_test(ticks_of_any_size),
        cmocka_unit_test(the_longest_after_zero),
        cmocka_unit_test(percentiles_have_the_period),
        cmocka_unit_test(spans_and_places),
        cmocka_unit_test(a_description_compares_the_cores_once),
        cmocka_unit_test(a_lost_counter_hands_over),
    };
    return cmocka_run_group_tests_name("cycles", tests, script_the_counter, clean_up);
}
