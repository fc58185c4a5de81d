/* SPDX-License-Identifier: MIT */
/* Threads that encode and commit, one that collects, and one that calibrates. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/metal/metal_timer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { ENCODERS = 3, RUNS = 100, SPANS = 3 };

static pthread_mutex_t making_mutex =
    PTHREAD_MUTEX_INITIALIZER; /* kerntime wants one that makes and destroys */
static atomic_bool all_done;
static atomic_uint failures;
static bool by_passes;

/* A failure in a thread is counted; cmocka's own checks are for the test's thread. */
#define CHECK(condition) (void)((condition) || atomic_fetch_add(&failures, 1))

/* Odd runs are waited for, and every fourth is discarded: runs 2, 4 and 5 of a thread may be pending
 * together. kt_collect() returns at once while another thread collects. */
static void *collect(void *unused)
{
    while (!atomic_load(&all_done)) {
        kt_timer_context_counts counts;
        CHECK(kt_collect(timer_context) == KT_OK);
        kt_timer_context_get_counts(timer_context, &counts);
        CHECK(counts.pending <= ENCODERS * 3 * SPANS);
    }
    return unused;
}

static void *calibrate(void *unused)
{
    kt_clock_state state;
    while (!atomic_load(&all_done)) {
        CHECK(kt_timer_context_calibrate(timer_context) == KT_OK);
        CHECK(kt_timer_context_get_clock_state(timer_context, GPU_CLOCK, &state) == KT_OK);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return unused;
}

static void encode_span(void *commands, void *descriptor, kt_timer *own)
{
    if (by_passes) {
        CHECK(kt_timer_pass_metal(own, commands, descriptor) == KT_OK);
        user_pass(&u, commands, USER_COMPUTE, descriptor);
        return;
    }
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    CHECK(kt_timer_start_metal(own, commands, encoder) == KT_OK);
    user_work(&u, encoder, USER_COMPUTE, 1);
    CHECK(kt_timer_stop_metal(own, encoder) == KT_OK);
    user_end(&u, encoder);
}

/* The last span is the command buffer's own; every fourth one is not committed. */
static uint64_t encode_one(void *descriptor, kt_timer *own, bool commits)
{
    void *commands = user_commands(&u);
    for (int i = 1; i < SPANS; i++)
        encode_span(commands, descriptor, own);
    CHECK(kt_timer_add_metal_commands(own, commands) == KT_OK);
    if (commits)
        user_commit(&u, commands);
    else
        CHECK(kt_timer_context_discard_metal(timer_context, commands) == KT_OK);
    user_release(&u, commands);
    return commits ? SPANS : 0;
}

static void *encode_often(void *spans)
{
    void *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    for (int run = 0; run < RUNS; run++) {
        kt_timer *own = NULL;
        pthread_mutex_lock(&making_mutex);
        CHECK(kt_timer_create(timer_context, "pass", &own) == KT_OK);
        pthread_mutex_unlock(&making_mutex);
        *(uint64_t *)spans += encode_one(descriptor, own, run % 4 != 3);
        if (run & 1)
            CHECK(kt_timer_wait(own, 0) == KT_OK);
        pthread_mutex_lock(&making_mutex);
        kt_timer_destroy(&own); /* its spans may not have been taken in */
        pthread_mutex_unlock(&making_mutex);
    }
    user_release(&u, descriptor);
    return NULL;
}

static void several_threads(void **state)
{
    pthread_t collector, calibrator, threads[ENCODERS];
    uint64_t spans[ENCODERS] = {0}, all = 0;
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    by_passes = kt_timer_pass_metal(timer, commands, descriptor) == KT_OK;
    EXPECT_OK(kt_timer_context_discard_metal(timer_context, commands));
    user_release(&u, descriptor);
    user_release(&u, commands);
    assert_int_equal(pthread_create(&collector, NULL, collect, NULL), 0);
    assert_int_equal(pthread_create(&calibrator, NULL, calibrate, NULL), 0);
    for (int i = 0; i < ENCODERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, encode_often, &spans[i]), 0);
    for (int i = 0; i < ENCODERS; i++) {
        pthread_join(threads[i], NULL);
        all += spans[i];
    }
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    atomic_store(&all_done, true);
    pthread_join(collector, NULL);
    pthread_join(calibrator, NULL);
    assert_int_equal(atomic_load(&failures), 0);
    EXPECT_COUNTS(all, KT_TIMESTAMP_OK, 0);
    assert_int_equal(all, ENCODERS * (RUNS * 3 / 4) * SPANS);
    assert_int_equal(get_counts().refused, 0);
    EXPECT_HELD(0, 0);
}

const struct CMUnitTest timer_thread_moods[] = {
    MOOD(several_threads),
    MOODS_END,
};
