/* SPDX-License-Identifier: MIT */
/* Threads that each have lists of their own, and one that collects. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/level_zero/level_zero_timer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { THREADS = 3, ROUNDS = 40 };
#define EACH ((uint64_t)THREADS * ROUNDS) /* spans of each of the four ways */

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER; /* one thread at a queue */
static atomic_bool all_done;
static atomic_uint failures;

/* A failure in a thread is counted; cmocka's own checks are for the test's thread. */
#define CHECK(condition) (void)((condition) || atomic_fetch_add(&failures, 1))

static void *collect(void *unused)
{
    while (!atomic_load(&all_done)) {
        kt_timer_context_counts counts;
        CHECK(kt_collect(timer_context) == KT_OK);
        kt_timer_context_get_counts(timer_context, &counts);
        CHECK(counts.recorded <= 4 * EACH);
    }
    return unused;
}

/* What one thread has; made by the test's. */
typedef struct worker {
    pthread_t thread;
    work now, later;
    kt_timer *streamed, *handed, *recorded;
    kt_recording *recording;
} worker;

static void record(const worker *w)
{
    work_begin(&u, &w->later);
    CHECK(kt_recording_begin_level_zero(w->recording, w->later.list) == KT_OK);
    CHECK(kt_recording_start(w->recording, w->recorded) == KT_OK);
    work_fill(&u, &w->later, NULL);
    CHECK(kt_recording_stop(w->recording, w->recorded) == KT_OK);
    ze_event_handle_t event = kt_recording_event_level_zero(w->recording, w->handed);
    CHECK(event != NULL);
    work_fill(&u, &w->later, event);
    CHECK(kt_recording_stop(w->recording, w->handed) == KT_OK);
    work_end(&u, &w->later);
}

static void *work_along(void *own)
{
    const worker *w = own;
    for (int round = 0; round < ROUNDS; round++) {
        CHECK(kt_timer_start(w->streamed, w->now.list) == KT_OK);
        ze_event_handle_t event = kt_timer_event_level_zero(w->handed);
        CHECK(event != NULL);
        work_fill(&u, &w->now, event);
        CHECK(kt_timer_stop(w->streamed, w->now.list) == KT_OK);
        work_wait(&u, &w->now);
        if (round % 10 == 0)
            record(w);
        CHECK(kt_recording_submit(w->recording) == KT_OK);
        pthread_mutex_lock(&queue_mutex);
        work_submit(&u, &w->later);
        work_wait(&u, &w->later);
        pthread_mutex_unlock(&queue_mutex);
        CHECK(kt_timer_wait(w->recorded, 0) == KT_OK);
        CHECK(kt_timer_wait(w->handed, 0) == KT_OK);
    }
    return NULL;
}

/* Each command takes 400 ticks, and no barrier any: whose timestamps were another's would show another
 * time. */
static void check_ticks(const char *name, uint32_t clock, uint64_t count, bool to_the_tick)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, name, KT_BACKEND_LEVEL_ZERO);
    assert_non_null(row);
    assert_int_equal(row->count, count);
    assert_true(llround(row->min_ns / period_ns(clock)) >= 400);
    if (to_the_tick) {
        assert_int_equal(llround(row->min_ns / period_ns(clock)), 400);
        assert_int_equal(llround(row->max_ns / period_ns(clock)), 400);
    }
    kt_snapshot_destroy(&snapshot);
}

static void several_threads(void **state)
{
    pthread_t collector;
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        worker *w = &workers[i];
        work_open(&u, &w->later);
        work_open_immediate(&u, &w->now, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, w->now.list));
        w->streamed = make_timer("streamed");
        w->handed = make_timer("handed");
        w->recorded = make_timer("recorded");
        w->recording = make_recording(2);
    }
    assert_int_equal(pthread_create(&collector, NULL, collect, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work_along, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    atomic_store(&all_done, true);
    pthread_join(collector, NULL);
    assert_int_equal(atomic_load(&failures), 0);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(4 * EACH, KT_TIMESTAMP_OK, 0);
    check_ticks("handed", KERNEL, 2 * EACH, true);
    check_ticks("recorded", GLOBAL, EACH, true);
    check_ticks("streamed", GLOBAL, EACH, false); /* the host's appends are in it */
    for (int i = 0; i < THREADS; i++) {
        worker *w = &workers[i];
        kt_recording_destroy(&w->recording);
        kt_timer_destroy(&w->streamed);
        kt_timer_destroy(&w->handed);
        kt_timer_destroy(&w->recorded);
        work_close(&u, &w->now);
        work_close(&u, &w->later);
    }
}

const struct CMUnitTest thread_moods[] = {
    MOOD(several_threads),
    MOODS_END,
};
