/* SPDX-License-Identifier: MIT */
/* The registry with many threads at once; what the thread sanitizer is run on. */
#include "support/thread.h"
#include "tests/unit/testing.h"

#include <kerntime/registry.h>
#include <kerntime/snapshot.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS   4
#define SNAPSHOTS 100 /* at least so many with something new in them, while threads record */
#define SHORT     1.0
#define LONG      1000.0

KT_SITE(shared, "shared", KT_BACKEND_CUDA);
static atomic_bool ended;

static int begin(void **state)
{
    kt_enable();
    kt_reset();
    atomic_store(&ended, false);
    return 0;
}

typedef struct recorder {
    char name[16];
    kt_site own;
    uint64_t pairs;
} recorder;

/* Short and long in turn, to a site of all and to one of its own. */
static void *record(void *user)
{
    recorder *r = user;
    while (!atomic_load(&ended)) {
        kt_record(&shared, SHORT);
        kt_record(&r->own, SHORT);
        kt_record(&shared, LONG);
        kt_record(&r->own, LONG);
        r->pairs++;
    }
    return NULL;
}

/* All numbers of a row follow from how many were short and how many long; so they are of one
 * moment. Of each thread two more of one kind may be in it: the one that it is about to record, and
 * the one that waits in the row left. */
static uint64_t expect_consistent(const kt_row *row, int threads)
{
    if (!row)
        return 0;
    double n = (double)row->count, longs = (row->total_ns - n * SHORT) / (LONG - SHORT);
    EXPECT_NUMBER(longs, floor(longs));
    double shorts = n - longs, distance = LONG - SHORT;
    assert_true(fabs(shorts - longs) <= 2 * threads);
    EXPECT_NUMBER(row->min_ns, shorts > 0 ? SHORT : LONG);
    EXPECT_NUMBER(row->max_ns, longs > 0 ? LONG : SHORT);
    EXPECT_NEAR(row->mean_ns, row->total_ns / n, 1e-9 * LONG);
    assert_true(row->last_ns == SHORT || row->last_ns == LONG);
    if (row->count > 1)
        EXPECT_NEAR(row->stddev_ns, distance * sqrt(shorts * longs / n / (n - 1)), 1e-9 * LONG);
    /* The histogram has the same number of shorts. */
    if (shorts > 0 && longs > 0) {
        EXPECT_NEAR(kt_row_percentile(row, 100 * (shorts - 0.5) / n), SHORT, SHORT / 64);
        EXPECT_NEAR(kt_row_percentile(row, 100 * (shorts + 0.5) / n), LONG, LONG / 64);
    }
    return row->count;
}

/* After all have ended nothing is missing. */
static void expect_all(const recorder *recorders)
{
    kt_snapshot *snapshot = NULL;
    uint64_t all = 0;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    for (int i = 0; i < THREADS; i++) {
        const kt_row *row = kt_snapshot_find(snapshot, recorders[i].name, KT_BACKEND_CPU);
        assert_int_equal(row->count, 2 * recorders[i].pairs);
        EXPECT_NUMBER(row->total_ns, (double)recorders[i].pairs * (SHORT + LONG));
        all += row->count;
    }
    const kt_row *row = kt_snapshot_find(snapshot, "shared", KT_BACKEND_CUDA);
    assert_int_equal(row->count, all);
    assert_int_equal(expect_consistent(row, 0), all);
    assert_int_equal(kt_snapshot_dropped(snapshot), 0);
    kt_snapshot_destroy(&snapshot);
}

static void snapshots_are_consistent_while_others_record(void **state)
{
    static recorder recorders[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        recorder *r = &recorders[i];
        snprintf(r->name, sizeof r->name, "own %d", i);
        r->own = (kt_site){.name = r->name, .backend = KT_BACKEND_CPU};
        assert_int_equal(pthread_create(&threads[i], NULL, record, r), 0);
    }
    uint64_t before = 0;
    int begun = 0; /* threads that have recorded: a busy machine may start one late */
    for (int progress = 0; progress < SNAPSHOTS || begun < THREADS;) {
        kt_snapshot *snapshot = NULL;
        EXPECT_OK(kt_snapshot_take(&snapshot));
        uint64_t count =
            expect_consistent(kt_snapshot_find(snapshot, "shared", KT_BACKEND_CUDA), THREADS);
        begun = 0;
        for (int i = 0; i < THREADS; i++)
            begun += expect_consistent(
                         kt_snapshot_find(snapshot, recorders[i].name, KT_BACKEND_CPU), 1) > 0;
        assert_true(count >= before);
        progress += count > before;
        before = count;
        kt_snapshot_destroy(&snapshot);
    }
    atomic_store(&ended, true);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    expect_all(recorders);
}

/* Until it is told to end, one kind of duration. */
static void *record_one_kind(void *user)
{
    KT_SITE(mine, "one kind", KT_BACKEND_SIM);
    while (!atomic_load(&ended)) {
        for (int i = 0; i < 100; i++)
            kt_record(&mine, 3);
        kt_record_name("looked up", KT_BACKEND_SIM, 3);
    }
    return NULL;
}

static void resets_and_switches_come_at_any_time(void **state)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, record_one_kind, NULL), 0);
    uint64_t seen = 0;
    for (int i = 0; i < 300 || seen < 100; i++) {
        kt_snapshot *snapshot = NULL;
        EXPECT_OK(kt_snapshot_take(&snapshot));
        for (uint32_t k = 0; k < kt_snapshot_count(snapshot); k++) {
            const kt_row *row = kt_snapshot_row(snapshot, k);
            EXPECT_NUMBER(row->total_ns, 3 * (double)row->count);
            EXPECT_NUMBER(row->mean_ns, 3);
            EXPECT_NUMBER(row->stddev_ns, row->count > 1 ? 0 : NAN);
            EXPECT_NUMBER(row->p50_ns, 3);
            seen += row->count > 0;
        }
        kt_snapshot_destroy(&snapshot);
        if (i % 3 == 0)
            kt_reset();
        if (i % 7 == 0)
            kt_disable();
        if (i % 7 == 1)
            kt_enable();
        sched_yield();
    }
    atomic_store(&ended, true);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    kt_reset();
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    assert_int_equal(kt_snapshot_count(snapshot), 0);
    kt_snapshot_destroy(&snapshot);
}

static void *record_few(void *value)
{
    KT_SITE(brief, "brief", KT_BACKEND_HIP);
    for (int i = 0; i < 5; i++)
        kt_record(&brief, *(double *)value);
    return NULL;
}

/* A thousand threads, of which two at most are there at once; some end after their banks were
 * read. */
static void threads_that_end_leave_their_counts(void **state)
{
    for (int i = 0; i < 500; i++) {
        double values[2] = {i, i + 500};
        pthread_t threads[2];
        for (int k = 0; k < 2; k++)
            assert_int_equal(pthread_create(&threads[k], NULL, record_few, &values[k]), 0);
        kt_snapshot *snapshot = NULL;
        if (i % 5 == 0)
            EXPECT_OK(kt_snapshot_take(&snapshot));
        kt_snapshot_destroy(&snapshot);
        for (int k = 0; k < 2; k++)
            assert_int_equal(pthread_join(threads[k], NULL), 0);
    }
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, "brief", KT_BACKEND_HIP);
    assert_int_equal(row->count, 5000);
    EXPECT_NUMBER(row->total_ns, 5.0 * 999 * 1000 / 2);
    EXPECT_NUMBER(row->min_ns, 0);
    EXPECT_NUMBER(row->max_ns, 999);
    /* Each of 0 .. 999 five times: variance (1000^2 - 1) / 12, with divisor 4999 in place of
     * 5000. */
    EXPECT_NEAR(row->stddev_ns, sqrt((1e6 - 1) / 12 * 5000 / 4999), 1e-9);
    EXPECT_NEAR(row->p50_ns, 499, 499 * 0.02);
    kt_snapshot_destroy(&snapshot);
}

/* A library's own clean-up at a thread's end may come after the registry's. */
static pthread_key_t late;

static void record_late(void *times)
{
    double value = 5;
    record_few(&value);
    int *left = times;
    if (--*left > 0)
        pthread_setspecific(late, times);
}

static void *record_in_destructors(void *times)
{
    double value = 5;
    pthread_setspecific(late, times);
    record_few(&value);
    return NULL;
}

static void what_is_recorded_at_a_threads_end_counts(void **state)
{
    int times = 2;
    pthread_t thread;
    assert_int_equal(pthread_key_create(&late, record_late), 0);
    assert_int_equal(pthread_create(&thread, NULL, record_in_destructors, &times), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_key_delete(late), 0);
    assert_int_equal(times, 0);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    assert_int_equal(kt_snapshot_find(snapshot, "brief", KT_BACKEND_HIP)->count, 15);
    kt_snapshot_destroy(&snapshot);
}

static int ends_seen;

static void note(kt_thread_end *end)
{
    ends_seen++;
}

static void *end_with_two(void *ends)
{
    kt_thread_end *both = ends;
    kt_thread_at_end(&both[0]);
    kt_thread_at_end(&both[1]);
    assert_int_equal(ends_seen, 0);
    return NULL;
}

static void a_threads_end_is_reported_to_all_who_asked(void **state)
{
    kt_thread_end ends[2] = {{.run = note}, {.run = note}};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, end_with_two, ends), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(ends_seen, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(snapshots_are_consistent_while_others_record, begin),
        cmocka_unit_test_setup(resets_and_switches_come_at_any_time, begin),
        cmocka_unit_test_setup(threads_that_end_leave_their_counts, begin),
        cmocka_unit_test_setup(what_is_recorded_at_a_threads_end_counts, begin),
        cmocka_unit_test_setup(a_threads_end_is_reported_to_all_who_asked, begin),
    };
    return cmocka_run_group_tests_name("registry_threads", tests, NULL, NULL);
}
