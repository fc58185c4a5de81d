/* SPDX-License-Identifier: MIT */
/* Threads that encode and submit, one that is the device, and one that collects, on a device that
 * takes calls of all of them. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/webgpu/webgpu_timer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { ENCODERS = 3, RUNS = 200, PASSES = 3 };

static pthread_mutex_t making_mutex =
    PTHREAD_MUTEX_INITIALIZER; /* kerntime wants one that makes and destroys */
static atomic_bool all_done;
static atomic_uint failures;

/* A failure in a thread is counted; cmocka's own checks are for the test's thread. */
#define CHECK(condition) (void)((condition) || atomic_fetch_add(&failures, 1))

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

static void *execute(void *unused)
{
    while (!atomic_load(&all_done)) {
        u.wgpu.wgpuStubExecute(u.queue, 3);
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
        CHECK(counts.pending <= ENCODERS * 2 * PASSES);
    }
    return unused;
}

static void encode_one(kt_timer *own)
{
    WGPUCommandEncoder encoder = u.wgpu.wgpuDeviceCreateCommandEncoder(u.device, NULL);
    for (int i = 0; i < PASSES; i++) {
        WGPUPassTimestampWrites writes;
        const WGPUPassTimestampWrites *filled = kt_timer_pass_webgpu(own, encoder, &writes);
        CHECK(filled == &writes);
        user_pass(&u, encoder, filled, 0);
    }
    CHECK(kt_timer_context_resolve_webgpu(timer_context, encoder) == KT_OK);
    user_submit(&u, encoder);
    CHECK(kt_timer_context_submitted_webgpu(timer_context, encoder) == KT_OK);
}

static void *encode_often(void *unused)
{
    for (int run = 0; run < RUNS; run++) {
        kt_timer *own = NULL;
        pthread_mutex_lock(&making_mutex);
        CHECK(kt_timer_create(timer_context, "pass", &own) == KT_OK);
        pthread_mutex_unlock(&making_mutex);
        encode_one(own);
        if (run & 1) /* so two frames for each thread are enough */
            CHECK(kt_timer_wait(own, 0) == KT_OK);
        pthread_mutex_lock(&making_mutex);
        kt_timer_destroy(&own); /* its spans may not have been taken in */
        pthread_mutex_unlock(&making_mutex);
    }
    return unused;
}

static void several_threads(void **state)
{
    pthread_t device, collector, threads[ENCODERS];
    open_user(&(user_options){.synchronises = true});
    open_timer_context(ENCODERS * 2, PASSES);
    assert_int_equal(pthread_create(&device, NULL, execute, NULL), 0);
    assert_int_equal(pthread_create(&collector, NULL, collect, NULL), 0);
    for (int i = 0; i < ENCODERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, encode_often, NULL), 0);
    for (int i = 0; i < ENCODERS; i++)
        pthread_join(threads[i], NULL);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    atomic_store(&all_done, true);
    pthread_join(device, NULL);
    pthread_join(collector, NULL);
    assert_int_equal(atomic_load(&failures), 0);
    EXPECT_COUNTS(ENCODERS * RUNS * PASSES, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().refused, 0);
    EXPECT_HELD(0, 0);
    close_all();
}

const struct CMUnitTest timer_thread_moods[] = {cmocka_unit_test(several_threads), MOODS_END};
