/* SPDX-License-Identifier: MIT */
/* Threads that record and submit, one that is the device, and one that collects. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/vulkan/vulkan_timer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { RECORDERS = 3, RECORDINGS = 6, RUNS = 10 };
#define EACH ((uint64_t)RECORDERS * RECORDINGS * 2 * RUNS) /* spans of each name */

static pthread_mutex_t queue_mutex =
    PTHREAD_MUTEX_INITIALIZER; /* Vulkan wants one thread at a queue */
static pthread_mutex_t making_mutex =
    PTHREAD_MUTEX_INITIALIZER; /* and kerntime one that makes and destroys */
static atomic_bool all_done;
static atomic_uint failures;

/* A failure in a thread is counted; cmocka's own checks are for the test's thread. */
#define CHECK(condition) (void)((condition) || atomic_fetch_add(&failures, 1))

static void *execute(void *unused)
{
    while (!atomic_load(&all_done)) {
        u.vk.vkStubExecute(u.queue, 3);
        nap();
    }
    return unused;
}

static void *collect(void *unused)
{
    while (!atomic_load(&all_done)) {
        kt_timer_context_counts counts;
        CHECK(kt_collect(timer_context) == KT_OK);
        kt_timer_context_get_counts(timer_context, &counts);
        CHECK(counts.recorded <= 2 * EACH);
    }
    return unused;
}

/* A recording with two timers, made and destroyed while others of the same native are at work. */
typedef struct recorder {
    kt_recording *recording;
    kt_timer *first, *second;
} recorder;

static void make(recorder *r)
{
    const kt_recording_options two = {.size = sizeof two, .spans_max = 2};
    pthread_mutex_lock(&making_mutex);
    CHECK(kt_timer_create(timer_context, "first", &r->first) == KT_OK);
    CHECK(kt_timer_create(timer_context, "second", &r->second) == KT_OK);
    CHECK(kt_recording_create(timer_context, &two, &r->recording) == KT_OK);
    pthread_mutex_unlock(&making_mutex);
}

static void destroy(recorder *r)
{
    pthread_mutex_lock(&making_mutex);
    kt_timer_destroy(&r->first); /* its last run may not have been taken in */
    kt_recording_destroy(&r->recording);
    kt_timer_destroy(&r->second);
    pthread_mutex_unlock(&making_mutex);
}

static void record(const recorder *r, const work *own)
{
    work_begin(&u, own, 0);
    CHECK(kt_recording_begin_vulkan(r->recording, own->buffer, 0) == KT_OK);
    CHECK(kt_recording_start(r->recording, r->first) == KT_OK);
    work_copy(&u, own);
    CHECK(kt_recording_stop(r->recording, r->first) == KT_OK);
    CHECK(kt_recording_start(r->recording, r->second) == KT_OK);
    work_copy(&u, own);
    CHECK(kt_recording_stop(r->recording, r->second) == KT_OK);
    work_end(&u, own);
}

static void run_often(const recorder *r, const work *own)
{
    double elapsed_ns;
    for (int run = 0; run < RUNS; run++) {
        CHECK(kt_recording_submit(r->recording) == KT_OK);
        pthread_mutex_lock(&queue_mutex);
        work_submit(&u, own);
        pthread_mutex_unlock(&queue_mutex);
        while (!work_has_ended(&u, own))
            nap();
        CHECK(run == 0 || kt_timer_elapsed(r->first, &elapsed_ns) == KT_OK);
    }
}

static void *record_and_submit(void *own)
{
    recorder r = {0};
    for (int i = 0; i < RECORDINGS; i++) {
        make(&r);
        record(&r, own);
        run_often(&r, own);
        if (i & 1)
            CHECK(kt_timer_wait(r.first, 0) == KT_OK);
        record(&r, own);
        run_often(&r, own);
        destroy(&r);
    }
    return NULL;
}

static void several_threads(void **state)
{
    pthread_t device, collector, threads[RECORDERS];
    work works[RECORDERS];
    kt_snapshot *snapshot = NULL;
    open_user();
    timer_context = user_import(&u, 0);
    for (int i = 0; i < RECORDERS; i++)
        work_open(&u, &works[i]);
    assert_int_equal(pthread_create(&device, NULL, execute, NULL), 0);
    assert_int_equal(pthread_create(&collector, NULL, collect, NULL), 0);
    for (int i = 0; i < RECORDERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, record_and_submit, &works[i]), 0);
    for (int i = 0; i < RECORDERS; i++)
        pthread_join(threads[i], NULL);
    atomic_store(&all_done, true);
    pthread_join(device, NULL);
    pthread_join(collector, NULL);
    assert_int_equal(atomic_load(&failures), 0);
    EXPECT_COUNTS(2 * EACH, KT_TIMESTAMP_OK, 0);
    EXPECT_HELD(0, 0);
    const kt_row *row = find_row(&snapshot, "first", EACH);
    assert_true(row->min_ns >= 1000);
    kt_snapshot_destroy(&snapshot);
    find_row(&snapshot, "second", EACH);
    kt_snapshot_destroy(&snapshot);
    for (int i = 0; i < RECORDERS; i++)
        work_close(&u, &works[i]);
    kt_timer_context_close(&timer_context);
    user_close(&u);
}

/* Waiting asks now and then: the results come when the device has got there, or the time is
 * over. */
static void *execute_later(void *unused)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    u.vk.vkStubExecute(u.queue, ALL_COMMANDS);
    return unused;
}

static void waiting(void **state)
{
    pthread_t device;
    record_copies(&w, recording, timer, 1);
    EXPECT_OK(kt_timer_wait(timer, 0)); /* nothing was submitted */
    submit(&w, recording);
    int64_t before_ns = kt_host_now_ns();
    EXPECT_STATUS(kt_timer_wait(timer, 30000000), KT_TIMEOUT);
    int64_t waited_ns = kt_host_now_ns() - before_ns;
    assert_true(waited_ns >= 30000000);
    EXPECT_STATUS(kt_timer_wait(timer, -1), KT_INVALID);
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    assert_int_equal(pthread_create(&device, NULL, execute_later, NULL), 0);
    EXPECT_OK(kt_timer_wait(timer, 0));
    pthread_join(device, NULL);
    EXPECT_NEWEST(timer, 1000);
    assert_true(work_has_ended(&u, &w));
}

const struct CMUnitTest timer_thread_moods[] = {
    cmocka_unit_test(several_threads),
    MOOD(waiting),
    MOODS_END,
};
