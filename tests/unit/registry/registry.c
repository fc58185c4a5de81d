/* SPDX-License-Identifier: MIT */
/* Durations by name, recorded and read by one thread. */
#include "registry/registry.h"
#include "support/fault.h"
#include "tests/unit/testing.h"

#include <kerntime/snapshot.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes the place of the snapshot before. */
static kt_snapshot *now;

static void look(void)
{
    kt_snapshot_destroy(&now);
    EXPECT_OK(kt_snapshot_take(&now));
}

/* A row that must be there. */
static const kt_row *row_of(const char *name, kt_backend_id backend)
{
    const kt_row *row = kt_snapshot_find(now, name, backend);
    assert_non_null(row);
    return row;
}

static uint64_t count_of(const char *name, kt_backend_id backend)
{
    const kt_row *row = kt_snapshot_find(now, name, backend);
    return row ? row->count : 0;
}

static int begin(void **state)
{
    kt_enable();
    kt_reset();
    return 0;
}

static int end(void **state)
{
    kt_snapshot_destroy(&now);
    return 0;
}

/* Mean 5, squared distances 9 1 1 1 0 0 4 16. */
static void statistics_are_exact(void **state)
{
    KT_SITE(site, "eight", KT_BACKEND_CUDA);
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    for (int i = 0; i < 8; i++)
        kt_record(&site, values[i]);
    look();
    assert_int_equal(kt_snapshot_count(now), 1);
    const kt_row *row = kt_snapshot_row(now, 0);
    assert_string_equal(row->name, "eight");
    assert_int_equal(row->backend, KT_BACKEND_CUDA);
    assert_int_equal(row->count, 8);
    EXPECT_NUMBER(row->total_ns, 40);
    EXPECT_NUMBER(row->mean_ns, 5);
    EXPECT_NUMBER(row->min_ns, 2);
    EXPECT_NUMBER(row->max_ns, 9);
    EXPECT_NUMBER(row->last_ns, 9);
    EXPECT_NUMBER(row->stddev_ns, sqrt(32.0 / 7));
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_int_equal(row->discarded[i], 0);
    /* Ranks 4 (of 50 %) and 8 (of 95 % and 99 %, 7.6 and 7.92): 4, the value of 4 to 4 1/8, and the
     * maximum. */
    EXPECT_NUMBER(row->p50_ns, 2 * 4 * 4.125 / 8.125);
    EXPECT_NUMBER(row->p95_ns, 9);
    EXPECT_NUMBER(row->p99_ns, 9);
}

/* The origin is far from the rest, or all are far from 0. */
static void variance_survives_large_offsets(void **state)
{
    kt_record_name("outlier", KT_BACKEND_NONE, 1e9);
    for (int i = 0; i < 1000; i++)
        kt_record_name("outlier", KT_BACKEND_NONE, 10 + i % 2);
    for (int i = 0; i < 1000; i++)
        kt_record_name("far", KT_BACKEND_NONE, 1e15 + i % 2);
    look();
    /* 1000 values of variance 1/4 around 10.5, and one at a distance of d: squares 250 + d^2
     * 1000/1001. What is lost are n additions of half a unit in the last place each, of n times the
     * result. */
    double d = 1e9 - 10.5, expected = sqrt((250 + d * d * 1000 / 1001) / 1000);
    EXPECT_NEAR(row_of("outlier", KT_BACKEND_NONE)->stddev_ns, expected,
                expected * 1001 * 1001 * 0x1p-53);
    EXPECT_NUMBER(row_of("far", KT_BACKEND_NONE)->stddev_ns, sqrt(250.0 / 999));
    EXPECT_NUMBER(row_of("far", KT_BACKEND_NONE)->mean_ns, 1e15 + 0.5);
}

/* 0.1 is none of the binary fractions, so that sums of it are rounded. */
static void equal_durations_have_no_spread(void **state)
{
    for (int i = 0; i < 1000; i++) {
        kt_record_name("equal", KT_BACKEND_CPU, 0.1);
        if (i % 300 == 7)
            look();
    }
    look();
    const kt_row *row = row_of("equal", KT_BACKEND_CPU);
    assert_int_equal(row->count, 1000);
    EXPECT_NUMBER(row->mean_ns, 0.1);
    EXPECT_NUMBER(row->stddev_ns, 0);
    EXPECT_NUMBER(row->p50_ns, 0.1);
    EXPECT_NEAR(row->total_ns, 100, 1e-12);
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void percentiles_are_within_two_percent(void **state)
{
    uint64_t random = 11;
    enum { N = 20000 };
    static double values[N];
    KT_SITE(site, "spread", KT_BACKEND_SIM);
    for (int i = 0; i < N; i++) {
        values[i] = exp2(-8 + 56 * random_share(&random));
        kt_record(&site, values[i]);
    }
    qsort(values, N, sizeof *values, ascending);
    look();
    const kt_row *row = row_of("spread", KT_BACKEND_SIM);
    for (int percent = 1; percent < 100; percent++) {
        double exact = values[N / 100 * percent - 1];
        EXPECT_NEAR(kt_row_percentile(row, percent) / exact, 1, 1.0 / 65 + 1e-12);
    }
    EXPECT_NUMBER(kt_row_percentile(row, 0), values[0]);
    EXPECT_NUMBER(kt_row_percentile(row, 100), values[N - 1]);
    EXPECT_NUMBER(kt_row_percentile(row, -1), NAN);
    EXPECT_NUMBER(kt_row_percentile(row, 100.5), NAN);
    EXPECT_NUMBER(kt_row_percentile(row, NAN), NAN);
    EXPECT_NUMBER(kt_row_percentile(NULL, 50), NAN);
}

static void outside_the_steps_minimum_and_maximum_stand_in(void **state)
{
    const double values[] = {0, 0.001, 0.002, 0x1p49, 0x1p50, 0x1p51};
    for (int i = 0; i < 6; i++)
        kt_record_name("ends", KT_BACKEND_CPU, values[i]);
    look();
    const kt_row *row = row_of("ends", KT_BACKEND_CPU);
    EXPECT_NUMBER(kt_row_percentile(row, 40), 0);
    EXPECT_NUMBER(kt_row_percentile(row, 60), 0x1p51);
    EXPECT_NUMBER(row->min_ns, 0);
    EXPECT_NUMBER(row->max_ns, 0x1p51);
}

static void a_name_on_two_backends_is_two_rows(void **state)
{
    KT_SITE(on_vulkan, "saxpy", KT_BACKEND_VULKAN);
    KT_SITE(on_cpu, "saxpy", KT_BACKEND_CPU);
    KT_SITE(again, "saxpy", KT_BACKEND_CPU);
    kt_record(&on_vulkan, 1);
    kt_record(&on_cpu, 10);
    kt_record(&again, 30);
    kt_record_name("saxpy", KT_BACKEND_CPU, 20);
    kt_record_name("a", KT_BACKEND_NONE, 5);
    kt_record_name("zeta", KT_BACKEND_NONE, 5);
    look();
    static const char *const names[] = {"a", "saxpy", "saxpy", "zeta"};
    const kt_backend_id backends[] = {KT_BACKEND_NONE, KT_BACKEND_CPU, KT_BACKEND_VULKAN,
                                      KT_BACKEND_NONE};
    const uint64_t counts[] = {1, 3, 1, 1};
    assert_int_equal(kt_snapshot_count(now), 4);
    for (uint32_t i = 0; i < 4; i++) {
        const kt_row *row = kt_snapshot_row(now, i);
        assert_string_equal(row->name, names[i]);
        assert_int_equal(row->backend, backends[i]);
        assert_int_equal(row->count, counts[i]);
        assert_ptr_equal(kt_snapshot_find(now, names[i], backends[i]), row);
    }
    EXPECT_NUMBER(row_of("saxpy", KT_BACKEND_CPU)->total_ns, 60);
    assert_null(kt_snapshot_row(now, 4));
    assert_null(kt_snapshot_find(now, "saxpy", KT_BACKEND_HIP));
    assert_null(kt_snapshot_find(now, "saxp", KT_BACKEND_CPU));
    assert_null(kt_snapshot_find(now, NULL, KT_BACKEND_CPU));
}

static void names_are_copied(void **state)
{
    char name[] = "made here";
    kt_site site = {.name = name, .backend = KT_BACKEND_CPU};
    kt_record(&site, 1);
    name[0] = '?';
    kt_record(&site, 2); /* knows its row */
    kt_record_name(name, KT_BACKEND_CPU, 3);
    look();
    assert_int_equal(count_of("made here", KT_BACKEND_CPU), 2);
    assert_int_equal(count_of("?ade here", KT_BACKEND_CPU), 1);
}

static void what_is_no_duration_is_dropped(void **state)
{
    KT_SITE(site, "good", KT_BACKEND_CPU);
    KT_SITE(nameless, NULL, KT_BACKEND_CPU);
    KT_SITE(empty, "", KT_BACKEND_CPU);
    KT_SITE(nowhere, "good", KT_BACKEND_ID_COUNT);
    const double bad[] = {-1, -5e-324, NAN, INFINITY, -INFINITY, 1.1e18, 1.7e308};
    for (int i = 0; i < 7; i++)
        kt_record(&site, bad[i]);
    kt_record(&nameless, 1);
    kt_record(&empty, 1);
    kt_record_name("", KT_BACKEND_CPU, 1);
    kt_record(&nowhere, 1);
    look();
    assert_int_equal(kt_snapshot_dropped(now), 11);
    assert_int_equal(kt_snapshot_count(now), 0);
    kt_record(&site, -0.0);
    kt_record(&site, bad[2]);
    kt_record(&site, 1e18);
    look();
    assert_int_equal(kt_snapshot_dropped(now), 12);
    const kt_row *row = row_of("good", KT_BACKEND_CPU);
    assert_int_equal(row->count, 2);
    EXPECT_NUMBER(row->min_ns, 0);
    assert_false(signbit(row->min_ns));
    EXPECT_NUMBER(row->max_ns, 1e18);
    kt_reset();
    look();
    assert_int_equal(kt_snapshot_dropped(now), 0);
}

/* Also by those who have a pointer to the function, past the macro. */
static void nothing_is_recorded_while_disabled(void **state)
{
    KT_SITE(site, "seldom", KT_BACKEND_CPU);
    void (*record)(kt_site *, double) = kt_record;
    assert_true(kt_is_enabled());
    assert_true((kt_is_enabled)());
    kt_record(&site, 1);
    kt_disable();
    assert_false(kt_is_enabled());
    assert_false((kt_is_enabled)());
    kt_record(&site, 2);
    record(&site, 2);
    record(&site, -2);
    kt_record_name("seldom", KT_BACKEND_CPU, 2);
    kt_registry_discard(&site, KT_TIMESTAMP_LOST);
    {
        KT_SCOPE("scope while disabled");
    }
    look();
    assert_int_equal(kt_snapshot_count(now), 1);
    assert_int_equal(count_of("seldom", KT_BACKEND_CPU), 1);
    assert_int_equal(kt_snapshot_dropped(now), 0);
    kt_reset(); /* leaves it disabled */
    record(&site, 3);
    look();
    assert_int_equal(kt_snapshot_count(now), 0);
    kt_enable();
    record(&site, 4);
    look();
    EXPECT_NUMBER(row_of("seldom", KT_BACKEND_CPU)->total_ns, 4);
}

static void a_scope_is_left_with_its_duration(void **state)
{
    int64_t before_ns = kt_host_now_ns();
    for (int i = 0; i < 3; i++) {
        KT_SCOPE("scope");
        if (i == 1)
            continue;
    }
    int64_t after_ns = kt_host_now_ns();
    look();
    const kt_row *row = row_of("scope", KT_BACKEND_CPU);
    assert_int_equal(row->count, 3);
    assert_true(row->total_ns <= (double)(after_ns - before_ns));
}

/* A scope that begins before recording is switched off or on has no whole duration. */
static void a_scope_knows_how_recording_was_at_its_start(void **state)
{
    kt_disable();
    {
        KT_SCOPE("half");
        kt_enable();
    }
    look();
    assert_int_equal(kt_snapshot_count(now), 0);
}

static void a_reset_forgets_all_but_sites(void **state)
{
    KT_SITE(site, "reset", KT_BACKEND_CPU);
    for (int i = 0; i < 3; i++) {
        kt_record(&site, 100);
        kt_record(&site, 300);
        look(); /* the banks have changed places */
        kt_record(&site, 500);
        kt_registry_discard(&site, KT_TIMESTAMP_NEGATIVE);
        kt_reset();
        look();
        assert_int_equal(kt_snapshot_count(now), 0);
        kt_record(&site, 7);
        kt_record(&site, 8);
        look();
        const kt_row *row = row_of("reset", KT_BACKEND_CPU);
        assert_int_equal(row->count, 2);
        assert_int_equal(row->discarded[KT_TIMESTAMP_NEGATIVE], 0);
        EXPECT_NUMBER(row->total_ns, 15);
        EXPECT_NUMBER(row->min_ns, 7);
        EXPECT_NUMBER(row->max_ns, 8);
        EXPECT_NUMBER(row->last_ns, 8);
        EXPECT_NUMBER(kt_row_percentile(row, 50), 7);
    }
}

static void spans_without_a_duration_are_counted_by_why(void **state)
{
    KT_SITE(site, "lost", KT_BACKEND_OPENCL);
    kt_registry_discard(&site, KT_TIMESTAMP_OVERWRITTEN);
    kt_registry_discard(&site, KT_TIMESTAMP_OVERWRITTEN);
    kt_registry_discard(&site, KT_TIMESTAMP_ERROR);
    look();
    const kt_row *row = row_of("lost", KT_BACKEND_OPENCL);
    assert_int_equal(row->count, 0);
    assert_int_equal(row->discarded[KT_TIMESTAMP_OVERWRITTEN], 2);
    assert_int_equal(row->discarded[KT_TIMESTAMP_ERROR], 1);
    EXPECT_NUMBER(row->total_ns, 0);
    const double none[] = {row->mean_ns,   row->min_ns, row->max_ns, row->last_ns,
                           row->stddev_ns, row->p50_ns, row->p95_ns, row->p99_ns};
    for (int i = 0; i < 8; i++)
        EXPECT_NUMBER(none[i], NAN);
}

/* Each look turns the writer to the other row and back. */
static void the_last_one_is_the_last_one(void **state)
{
    KT_SITE(site, "last", KT_BACKEND_CPU);
    for (int i = 1; i <= 50; i++) {
        kt_record(&site, 1000 - i);
        if (i % 3 == 0)
            look();
        look();
        EXPECT_NUMBER(row_of("last", KT_BACKEND_CPU)->last_ns, 1000 - i);
        assert_int_equal(count_of("last", KT_BACKEND_CPU), i);
    }
}

static void a_snapshot_does_not_change(void **state)
{
    kt_record_name("kept", KT_BACKEND_CPU, 5);
    kt_snapshot *kept = NULL;
    EXPECT_OK(kt_snapshot_take(&kept));
    kt_record_name("kept", KT_BACKEND_CPU, 500);
    kt_reset();
    const kt_row *row = kt_snapshot_find(kept, "kept", KT_BACKEND_CPU);
    assert_int_equal(row->count, 1);
    EXPECT_NUMBER(kt_row_percentile(row, 50), 5);
    kt_snapshot_destroy(&kept);
    assert_null(kept);
    kt_snapshot_destroy(&kept);
    kt_snapshot_destroy(NULL);
}

static void no_snapshot_is_an_empty_one(void **state)
{
    assert_int_equal(kt_snapshot_count(NULL), 0);
    assert_int_equal(kt_snapshot_dropped(NULL), 0);
    assert_null(kt_snapshot_row(NULL, 0));
    assert_null(kt_snapshot_find(NULL, "x", KT_BACKEND_CPU));
    EXPECT_STATUS(kt_snapshot_take(NULL), KT_INVALID);
}

static void backends_have_the_names_of_device_ids(void **state)
{
    static const char *const names[KT_BACKEND_ID_COUNT] = {
        "none", "cpu", "cuda", "hip", "level_zero", "metal", "opencl", "vulkan", "webgpu", "sim"};
    for (int i = 0; i < KT_BACKEND_ID_COUNT; i++)
        assert_string_equal(kt_backend_id_name((kt_backend_id)i), names[i]);
    assert_string_equal(kt_backend_id_name(KT_BACKEND_ID_COUNT), "unknown");
}

#if KT_FAULTS
/* A thread that has nothing yet records to a site that has no row. */
static void *record_once(void *name)
{
    kt_site site = {.name = name, .backend = KT_BACKEND_SIM};
    kt_record(&site, 1);
    return NULL;
}

/* Whatever cannot be had, durations that are not there have been counted. */
static void without_memory_durations_are_dropped(void **state)
{
    uint64_t refused = 0;
    for (uint64_t nth = 1;; nth++) {
        char name[32];
        pthread_t thread;
        snprintf(name, sizeof name, "short of memory %d", (int)nth);
        kt_fault_set(KT_FAULT_ALLOC, nth);
        assert_int_equal(pthread_create(&thread, NULL, record_once, name), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        bool fired = kt_fault_fired(KT_FAULT_ALLOC);
        kt_fault_set(KT_FAULT_ALLOC, 0);
        look();
        refused += fired;
        assert_int_equal(kt_snapshot_dropped(now), refused);
        assert_int_equal(count_of(name, KT_BACKEND_SIM), !fired);
        kt_record_name(name, KT_BACKEND_SIM, 1);
        look();
        assert_int_equal(count_of(name, KT_BACKEND_SIM), fired ? 1 : 2);
        if (!fired)
            break;
    }
    assert_true(refused >=
                7); /* row, its name, its archive, thread statistics, its two lists, row */
}

static void a_snapshot_without_memory_loses_nothing(void **state)
{
    kt_record_name("one", KT_BACKEND_HIP, 1);
    kt_record_name("two", KT_BACKEND_HIP, 2);
    bool fired = true;
    for (uint64_t nth = 1; fired; nth++) {
        kt_snapshot *snapshot = NULL;
        kt_fault_set(KT_FAULT_ALLOC, nth);
        kt_status status = kt_snapshot_take(&snapshot);
        fired = kt_fault_fired(KT_FAULT_ALLOC);
        kt_fault_set(KT_FAULT_ALLOC, 0);
        EXPECT_STATUS(status, fired ? KT_NO_MEMORY : KT_OK);
        assert_true(fired == !snapshot);
        if (!fired)
            assert_true(nth > 5); /* itself, its list, three copies */
        kt_snapshot_destroy(&snapshot);
        kt_record_name("one", KT_BACKEND_HIP, 1);
        look();
        assert_int_equal(count_of("one", KT_BACKEND_HIP), nth + 1);
        assert_int_equal(count_of("two", KT_BACKEND_HIP), 1);
        if (nth == 1) /* what follows is to make second banks anew */
            kt_record_name("three", KT_BACKEND_HIP, 3);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if KT_FAULTS
        cmocka_unit_test_setup_teardown(a_snapshot_without_memory_loses_nothing, begin, end),
        cmocka_unit_test_setup_teardown(without_memory_durations_are_dropped, begin, end),
#endif
        cmocka_unit_test_setup_teardown(statistics_are_exact, begin, end),
        cmocka_unit_test_setup_teardown(variance_survives_large_offsets, begin, end),
        cmocka_unit_test_setup_teardown(equal_durations_have_no_spread, begin, end),
        cmocka_unit_test_setup_teardown(percentiles_are_within_two_percent, begin, end),
        cmocka_unit_test_setup_teardown(outside_the_steps_minimum_and_maximum_stand_in, begin, end),
        cmocka_unit_test_setup_teardown(a_name_on_two_backends_is_two_rows, begin, end),
        cmocka_unit_test_setup_teardown(names_are_copied, begin, end),
        cmocka_unit_test_setup_teardown(what_is_no_duration_is_dropped, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_recorded_while_disabled, begin, end),
        cmocka_unit_test_setup_teardown(a_scope_is_left_with_its_duration, begin, end),
        cmocka_unit_test_setup_teardown(a_scope_knows_how_recording_was_at_its_start, begin, end),
        cmocka_unit_test_setup_teardown(a_reset_forgets_all_but_sites, begin, end),
        cmocka_unit_test_setup_teardown(spans_without_a_duration_are_counted_by_why, begin, end),
        cmocka_unit_test_setup_teardown(the_last_one_is_the_last_one, begin, end),
        cmocka_unit_test_setup_teardown(a_snapshot_does_not_change, begin, end),
        cmocka_unit_test_setup_teardown(no_snapshot_is_an_empty_one, begin, end),
        cmocka_unit_test_setup_teardown(backends_have_the_names_of_device_ids, begin, end),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
