/* SPDX-License-Identifier: MIT */
/* Threads that start and stop, each its own timer, in queues of their own and in one together,
 * while others collect, ask and take snapshots. */
#include "tests/unit/timer/timer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define WORKERS 4
#define SPANS   3000

typedef struct worker {
    char name[24];
    kt_timer *timer;
    cl_command_queue queue; /* two workers share one */
    unsigned refused, failed;
} worker;

static atomic_bool working;
static worker workers[WORKERS];

static void *work(void *user)
{
    worker *w = user;
    for (int i = 0; i < SPANS;) {
        kt_status status = kt_timer_start(w->timer, w->queue);
        if (status == KT_LIMIT) { /* collecting falls behind */
            w->refused++;
            kt_collect(timer_context);
            continue;
        }
        w->failed += status != KT_OK;
        w->failed += kt_timer_stop(w->timer, w->queue) != KT_OK;
        i++;
    }
    return NULL;
}

static void *collect(void *user)
{
    unsigned *wrong = user;
    while (atomic_load(&working)) {
        double elapsed_ns = -1;
        *wrong += kt_collect(timer_context) != KT_OK;
        for (int i = 0; i < WORKERS; i++) {
            kt_status status = kt_timer_elapsed(workers[i].timer, &elapsed_ns);
            *wrong += status != KT_OK && status != KT_NOT_READY;
            *wrong += status == KT_OK && !(elapsed_ns > 0);
        }
    }
    return NULL;
}

static void *look(void *user)
{
    unsigned *wrong = user;
    uint64_t before = 0;
    while (atomic_load(&working)) {
        kt_snapshot *snapshot = NULL;
        kt_timer_context_counts counts = counts_of(timer_context);
        *wrong += counts.recorded < before;
        before = counts.recorded;
        *wrong += kt_snapshot_take(&snapshot) != KT_OK;
        const kt_row *row = kt_snapshot_find(snapshot, "worker 0", KT_BACKEND_OPENCL);
        *wrong += row && row->count > SPANS;
        kt_snapshot_destroy(&snapshot);
    }
    return NULL;
}

/* Timers that are made, used and destroyed meanwhile, with their spans in flight. How many those
 * were. */
static uint64_t come_and_go(cl_command_queue in, uint64_t *refused)
{
    uint64_t spans = 0;
    for (int i = 0; i < 500; i++) {
        kt_timer *timer = make_timer("short");
        kt_status status = kt_timer_start(timer, in);
        if (status == KT_OK) {
            EXPECT_OK(kt_timer_stop(timer, in));
            spans++;
        } else {
            EXPECT_STATUS(status, KT_LIMIT);
            (*refused)++;
        }
        kt_timer_destroy(&timer);
    }
    return spans;
}

static void threads_beside_each_other(void **state)
{
    pthread_t threads[WORKERS], collectors[2], looker;
    unsigned wrong[3] = {0};
    open_timer_context(1000);
    cl_command_queue second = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue third = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
    EXPECT_OK(kt_timer_context_add_opencl_queue(timer_context, second));
    EXPECT_OK(kt_timer_context_add_opencl_queue(timer_context, third));
    const cl_command_queue queues[WORKERS] = {queue, queue, second, third};
    for (int i = 0; i < WORKERS; i++) {
        workers[i].queue = queues[i];
        snprintf(workers[i].name, sizeof workers[i].name, "worker %d", i);
        workers[i].timer = make_timer(workers[i].name);
    }
    atomic_store(&working, true);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&collectors[i], NULL, collect, &wrong[i]), 0);
    assert_int_equal(pthread_create(&looker, NULL, look, &wrong[2]), 0);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    uint64_t refused = 0, short_spans = come_and_go(third, &refused);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    atomic_store(&working, false);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(collectors[i], NULL), 0);
    assert_int_equal(pthread_join(looker, NULL), 0);
    for (int i = 0; i < WORKERS; i++) {
        enqueue_some(queue, 100);
        EXPECT_OK(kt_timer_wait(workers[i].timer, 0));
        assert_int_equal(workers[i].failed, 0);
        refused += workers[i].refused;
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(wrong[i], 0);
    expect_counts(0, WORKERS * SPANS + short_spans, refused, 0);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    for (int i = 0; i < WORKERS; i++) {
        const kt_row *row = kt_snapshot_find(snapshot, workers[i].name, KT_BACKEND_OPENCL);
        assert_non_null(row);
        assert_int_equal(row->count, SPANS);
        kt_timer_destroy(&workers[i].timer);
    }
    kt_snapshot_destroy(&snapshot);
    assert_int_equal(cl.clReleaseCommandQueue(second), CL_SUCCESS);
    assert_int_equal(cl.clReleaseCommandQueue(third), CL_SUCCESS);
    close_timer_context();
}

/* Collects until the native is closed. */
static void *wait_on(void *timer)
{
    while (kt_timer_wait(timer, 0) == KT_OK)
        ;
    return NULL;
}

/* What has ended is in the registry after closing, also if another thread was just collecting. */
static void closing_beside_a_collector(void **state)
{
    for (int round = 0; round < 100; round++) {
        pthread_t collector;
        kt_reset();
        open_timer_context(0);
        kt_timer *timer = make_timer("closing");
        assert_int_equal(pthread_create(&collector, NULL, wait_on, timer), 0);
        for (int i = 0; i < 200; i++)
            span(timer);
        kt_timer_context_close(&timer_context);
        assert_int_equal(pthread_join(collector, NULL), 0);
        kt_timer_destroy(&timer);
        kt_snapshot *snapshot = NULL;
        const kt_row *row = row_of(&snapshot, "closing", KT_BACKEND_OPENCL);
        assert_int_equal(row->count, 200);
        assert_int_equal(row->discarded[KT_TIMESTAMP_LOST], 0);
        kt_snapshot_destroy(&snapshot);
        close_program();
    }
}

const struct CMUnitTest timer_thread_tests[] = {
    cmocka_unit_test(threads_beside_each_other),
    cmocka_unit_test(closing_beside_a_collector),
    MOODS_END,
};
