/* SPDX-License-Identifier: MIT */
/* Timers on the host's clock, beside OpenMP's own, inside and outside of parallel regions. */
#define _GNU_SOURCE /* nanosleep */
#include "tests/unit/testing.h"

#include <kerntime/clock.h>
#include <kerntime/cycles.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer/cpu.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static kt_timer_context *timer_context;

static int set_up(void **state)
{
    kt_reset();
    return kt_timer_context_import_cpu(&timer_context) != KT_OK;
}

static int tear_down(void **state)
{
    kt_timer_context_close(&timer_context);
    return timer_context != NULL;
}

static kt_timer *make_timer(const char *name)
{
    kt_timer *timer = NULL;
    EXPECT_OK(kt_timer_create(timer_context, name, &timer));
    return timer;
}

/* The clock that kt_cycles_now() reads. */
static void the_clock_is_described(void **state)
{
    const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, 0);
    kt_cycles_info info;
    assert_non_null(clock);
    EXPECT_OK(kt_cycles_get_info(&info));
    assert_string_equal(clock->name, info.counter ? "counter" : "host");
    assert_string_equal(clock->domain, info.counter ? "" : info.name);
    EXPECT_NEAR(clock->period_ns, info.period_ns,
                clock->period_uncertainty_ns + info.period_uncertainty_ns);
}

#ifdef _OPENMP
static void sleep_ns(long ns)
{
    const struct timespec moment = {0, ns};
    nanosleep(&moment, NULL);
}

/* The two clocks may go up to 1000 ppm differently: one of them is slewed, at 500 ppm at most. */
static int agrees(double elapsed_ns, double inner_s, double outer_s)
{
    return inner_s * 1e9 * 0.999 - 1000 <= elapsed_ns && elapsed_ns <= outer_s * 1e9 * 1.001 + 1000;
}

/* Started and stopped within one, and around the other's, readings of omp_get_wtime(). */
static void around_a_region(void **state)
{
    kt_timer *timer = make_timer("region");
    for (int i = 0; i < 10; i++) {
        double readings[4], elapsed_ns = -1;
        readings[0] = omp_get_wtime();
        EXPECT_OK(kt_timer_start(timer, NULL));
        readings[1] = omp_get_wtime();
#pragma omp parallel num_threads(2)
        sleep_ns(2000000);
        readings[2] = omp_get_wtime();
        EXPECT_OK(kt_timer_stop(timer, NULL));
        readings[3] = omp_get_wtime();
        EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
        assert_true(elapsed_ns >= 1990000);
        assert_true(agrees(elapsed_ns, readings[2] - readings[1], readings[3] - readings[0]));
    }
    kt_timer_destroy(&timer);
}

/* Each thread has a timer of its own; all of one name are one row. */
static void inside_a_region(void **state)
{
    kt_timer *timers[4];
    for (int i = 0; i < 4; i++)
        timers[i] = make_timer("thread");
    int wrong = 0, regions = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong, regions)
    {
        kt_timer *timer = timers[omp_get_thread_num()];
        for (int i = 0; i < 10; i++) {
            double readings[4], elapsed_ns = -1;
            readings[0] = omp_get_wtime();
            wrong += kt_timer_start(timer, NULL) != KT_OK;
            readings[1] = omp_get_wtime();
            sleep_ns(1000000);
            readings[2] = omp_get_wtime();
            wrong += kt_timer_stop(timer, NULL) != KT_OK;
            readings[3] = omp_get_wtime();
            wrong += kt_timer_elapsed(timer, &elapsed_ns) != KT_OK;
            wrong += !agrees(elapsed_ns, readings[2] - readings[1], readings[3] - readings[0]);
            regions++;
        }
    }
    assert_int_equal(wrong, 0);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, "thread", KT_BACKEND_CPU);
    assert_non_null(row);
    assert_int_equal(row->count, regions);
    assert_true(row->min_ns >= 999000);
    kt_snapshot_destroy(&snapshot);
    for (int i = 0; i < 4; i++)
        kt_timer_destroy(&timers[i]);
}

/* Any thread may read a timer that runs. */
static void read_inside_a_region(void **state)
{
    kt_timer *timer = make_timer("read");
    int wrong = 0;
    double before_s = omp_get_wtime();
    EXPECT_OK(kt_timer_start(timer, NULL));
    double begin_s = omp_get_wtime();
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    for (int i = 0; i < 1000; i++) {
        double elapsed_ns = -1, inner_s = omp_get_wtime() - begin_s;
        wrong += kt_timer_elapsed(timer, &elapsed_ns) != KT_OK;
        wrong += !agrees(elapsed_ns, inner_s, omp_get_wtime() - before_s);
    }
    EXPECT_OK(kt_timer_stop(timer, NULL));
    assert_int_equal(wrong, 0);
    kt_timer_destroy(&timer);
}
#endif

/* By so much the processor may move readings of the counter. */
#define MOVED_NS 50

/* Against the library's own clock: what is between the readings, no less and no more. */
static void as_long_as_the_host_says(void **state)
{
    kt_timer *timer = make_timer("host");
    double total_ns = 0;
    for (int i = 0; i < 1000; i++) {
        double elapsed_ns = -1;
        int64_t before_ns = kt_host_now_ns();
        EXPECT_OK(kt_timer_start(timer, NULL));
        int64_t begin_ns = kt_host_now_ns();
        int64_t end_ns = kt_host_now_ns();
        EXPECT_OK(kt_timer_stop(timer, NULL));
        int64_t after_ns = kt_host_now_ns();
        EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
        assert_true((double)(end_ns - begin_ns) <= elapsed_ns + MOVED_NS);
        assert_true(elapsed_ns <= (double)(after_ns - before_ns) + MOVED_NS);
        total_ns += elapsed_ns;
    }
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, "host", KT_BACKEND_CPU);
    assert_non_null(row);
    assert_int_equal(row->count, 1000);
    EXPECT_NEAR(row->total_ns, total_ns, total_ns * 1e-3); /* by a better period */
    kt_snapshot_destroy(&snapshot);
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(timer_context, &counts);
    assert_int_equal(counts.recorded, 1000);
    assert_int_equal(counts.pending, 0);
    assert_int_equal(counts.in_flight, 0);
    kt_timer_destroy(&timer);
}

static void readable_while_it_runs(void **state)
{
    kt_timer *timer = make_timer("running");
    double previous_ns = 0, elapsed_ns = -1;
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    EXPECT_NUMBER(elapsed_ns, -1);
    int64_t before_ns = kt_host_now_ns();
    EXPECT_OK(kt_timer_start(timer, NULL));
    for (int i = 0; i < 10000; i++) {
        EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
        assert_true(elapsed_ns >= previous_ns);
        assert_true(elapsed_ns <= (double)(kt_host_now_ns() - before_ns));
        previous_ns = elapsed_ns;
    }
    EXPECT_OK(kt_timer_stop(timer, NULL));
    double newest_ns = -1;
    for (int i = 0; i < 3; i++) { /* it stands still when stopped */
        EXPECT_OK(kt_timer_elapsed(timer, &newest_ns));
        assert_true(newest_ns >= previous_ns);
        previous_ns = newest_ns;
    }
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    EXPECT_NUMBER(elapsed_ns, newest_ns);
    /* One that runs again begins anew. */
    EXPECT_OK(kt_timer_start(timer, NULL));
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    assert_true(elapsed_ns < newest_ns);
    EXPECT_OK(kt_timer_stop(timer, NULL));
    EXPECT_OK(kt_timer_wait(timer, 0)); /* nothing is in flight, ever */
    EXPECT_OK(kt_collect(timer_context));
    kt_timer_destroy(&timer);
}

static void misuse(void **state)
{
    int anything;
    double elapsed_ns = -1;
    kt_timer *timer = make_timer("misused");
    EXPECT_STATUS(kt_timer_stop(timer, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"misused\" was not started");
    EXPECT_STATUS(kt_timer_start(timer, &anything), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "the CPU has no queues");
    EXPECT_OK(kt_timer_start(timer, NULL));
    EXPECT_STATUS(kt_timer_start(timer, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "started already");
    EXPECT_STATUS(kt_timer_stop(timer, &anything), KT_INVALID);
    EXPECT_OK(kt_timer_stop(timer, NULL)); /* it still ran */
    kt_recording *recording = NULL;
    EXPECT_STATUS(kt_recording_create(timer_context, NULL, &recording), KT_UNSUPPORTED);
    assert_null(recording);
    EXPECT_OK(kt_timer_start(timer, NULL));
    kt_timer_context_close(&timer_context);
    EXPECT_STATUS(kt_timer_stop(timer, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "closed");
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_INVALID);
    EXPECT_NUMBER(elapsed_ns, -1);
    kt_timer_destroy(&timer);
}

static void disabled(void **state)
{
    double elapsed_ns = -1;
    kt_timer *timer = make_timer("off");
    kt_disable();
    EXPECT_OK(kt_timer_start(timer, NULL));
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    EXPECT_OK(kt_timer_stop(timer, NULL));
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    kt_enable();
    EXPECT_NUMBER(elapsed_ns, -1);
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(timer_context, &counts);
    assert_int_equal(counts.recorded, 0);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    assert_null(kt_snapshot_find(snapshot, "off", KT_BACKEND_CPU));
    kt_snapshot_destroy(&snapshot);
    kt_timer_destroy(&timer);
}

#define READ_TIMERS 100
#define READ_SPANS  10000

static kt_timer *read_timers[READ_TIMERS];
static atomic_int at_timer; /* READ_TIMERS: the end */
static int64_t before_all_ns;

/* What cannot be: below 0, or longer than all has taken so far. */
static void *read_beside(void *user)
{
    unsigned *wrong = user;
    for (int at = 0; at < READ_TIMERS; at = atomic_load(&at_timer)) {
        double elapsed_ns = 0;
        kt_status status = kt_timer_elapsed(read_timers[at], &elapsed_ns);
        *wrong += status != KT_OK && status != KT_NOT_READY;
        *wrong += elapsed_ns < 0 || elapsed_ns > (double)(kt_host_now_ns() - before_all_ns);
    }
    return NULL;
}

/* Each timer has a first start, before which it has no time to count from. */
static void readable_by_others_while_it_starts_and_stops(void **state)
{
    pthread_t reader;
    unsigned wrong = 0;
    before_all_ns = kt_host_now_ns();
    for (int i = 0; i < READ_TIMERS; i++)
        read_timers[i] = make_timer("read beside");
    atomic_store(&at_timer, 0);
    assert_int_equal(pthread_create(&reader, NULL, read_beside, &wrong), 0);
    for (int i = 0; i < READ_TIMERS; i++) {
        atomic_store(&at_timer, i);
        for (int span = 0; span < READ_SPANS; span++) {
            EXPECT_OK(kt_timer_start(read_timers[i], NULL));
            EXPECT_OK(kt_timer_stop(read_timers[i], NULL));
        }
    }
    atomic_store(&at_timer, READ_TIMERS);
    assert_int_equal(pthread_join(reader, NULL), 0);
    assert_int_equal(wrong, 0);
    for (int i = 0; i < READ_TIMERS; i++)
        kt_timer_destroy(&read_timers[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#ifdef _OPENMP
        TEST(around_a_region),
        TEST(inside_a_region),
        TEST(read_inside_a_region),
#endif
        TEST(the_clock_is_described),
        TEST(as_long_as_the_host_says),
        TEST(readable_while_it_runs),
        TEST(readable_by_others_while_it_starts_and_stops),
        TEST(misuse),
        TEST(disabled),
    };
#ifndef _OPENMP
    printf(
        "left out without OpenMP, whose clock is compared with: around_a_region, inside_a_region, "
        "read_inside_a_region\n");
#endif
    return cmocka_run_group_tests_name("timer_cpu", tests, NULL, NULL);
}
