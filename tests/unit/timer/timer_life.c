/* SPDX-License-Identifier: MIT */
/* Spans from their start to the registry: how long they are, when that can be had, and what becomes
 * of those that never get as far. */
#include "tests/unit/timer/timer.h"

#include <stdlib.h>
#include <time.h>

/* Of a command between two markers the span is two steps long, of a handed out one kernel_ns. */
static void spans_are_as_long_as_the_work(void **state)
{
    double elapsed_ns = -1;
    kt_timer *markers = make_timer("markers"), *event_timer = make_timer("event");
    for (uint32_t commands = 0; commands < 10; commands++) {
        EXPECT_OK(kt_timer_start(markers, queue));
        enqueue_some(queue, commands);
        EXPECT_OK(kt_timer_stop(markers, queue));
        EXPECT_OK(kt_timer_wait(markers, 0));
        EXPECT_OK(kt_timer_elapsed(markers, &elapsed_ns));
        EXPECT_NUMBER(elapsed_ns, (commands + 1) * (STEP_NS + 1000));
    }
    cl_event event = enqueue(queue);
    EXPECT_OK(kt_timer_add_opencl_event(event_timer, event));
    assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS); /* the timer has retained it */
    EXPECT_OK(kt_timer_wait(event_timer, 0));
    EXPECT_OK(kt_timer_elapsed(event_timer, &elapsed_ns));
    EXPECT_NUMBER(elapsed_ns, 1000);
    expect_counts(0, 11, 0, 0);
    kt_snapshot *snapshot = NULL;
    const kt_row *row = row_of(&snapshot, "markers", KT_BACKEND_OPENCL);
    assert_int_equal(row->count, 10);
    EXPECT_NUMBER(row->min_ns, 1237);
    EXPECT_NUMBER(row->max_ns, 12370);
    EXPECT_NEAR(row->total_ns, 55 * 1237, 1e-6);
    assert_int_equal(kt_snapshot_find(snapshot, "event", KT_BACKEND_OPENCL)->count, 1);
    assert_null(kt_snapshot_find(snapshot, "event", KT_BACKEND_CPU));
    kt_snapshot_destroy(&snapshot);
    kt_timer_destroy(&event_timer);
    kt_timer_destroy(&markers);
}

/* The driver's markers end before the work in front of them. */
static void spans_by_fills(void **state)
{
    double elapsed_ns = -1;
    kt_timer *timer = make_timer("fills");
    assert_string_equal(kt_timer_context_get_clock(timer_context, 0)->name, "fill");
    for (uint32_t commands = 0; commands < 10; commands++) {
        EXPECT_OK(kt_timer_start(timer, queue));
        enqueue_some(queue, commands);
        EXPECT_OK(kt_timer_stop(timer, queue));
        EXPECT_OK(kt_timer_wait(timer, 0));
        EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
        EXPECT_NUMBER(elapsed_ns, (commands + 1) * (STEP_NS + 1000));
    }
    kt_timer_destroy(&timer);
}

/* late=3: three collections find nothing. */
static void elapsed_is_of_the_newest(void **state)
{
    double elapsed_ns = -1;
    kt_timer *timer = make_timer("newest");
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    EXPECT_OK(kt_timer_start(timer, queue));
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    EXPECT_TEXT_HAS(kt_error_text(), "newest");
    EXPECT_OK(kt_timer_stop(timer, queue));
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    unsigned vain = 0;
    while (counts_of(timer_context).recorded == 0) {
        EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
        EXPECT_OK(kt_collect(timer_context));
        assert_true(++vain < 100);
    }
    assert_true(vain > 3);
    EXPECT_NUMBER(elapsed_ns, -1); /* nothing was written */
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    EXPECT_NUMBER(elapsed_ns, 1237);
    /* The next span makes it wait while it runs, and leaves the one before until it is taken in. */
    EXPECT_OK(kt_timer_start(timer, queue));
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    enqueue_some(queue, 1);
    EXPECT_OK(kt_timer_stop(timer, queue));
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    EXPECT_NUMBER(elapsed_ns, 1237);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    EXPECT_NUMBER(elapsed_ns, 2 * 1237);
    kt_timer_destroy(&timer);
}

/* Nobody asks a driver that was not told to go on: waiting ends in time, and closing counts what is
 * lost. */
static void never_ends(void **state)
{
    open_timer_context(0);
    kt_timer *timer = make_timer("never");
    for (int i = 0; i < 5; i++)
        span(timer);
    int64_t begin_ns = kt_host_now_ns();
    EXPECT_STATUS(kt_timer_wait(timer, 50000000), KT_TIMEOUT);
    int64_t waited_ns = kt_host_now_ns() - begin_ns;
    assert_true(waited_ns >= 50000000);
    EXPECT_STATUS(kt_timer_wait(timer, -1), KT_INVALID);
    expect_counts(5, 0, 0, 0);
    EXPECT_OK(kt_timer_start(timer, queue)); /* still runs when all is closed */
    assert_int_equal(counts_of(timer_context).pending, 6);
    assert_int_equal(counts_of(timer_context).in_flight, 5);
    close_timer_context();
    kt_snapshot *snapshot = NULL;
    const kt_row *row = row_of(&snapshot, "never", KT_BACKEND_OPENCL);
    assert_int_equal(row->count, 0);
    assert_int_equal(row->discarded[KT_TIMESTAMP_LOST], 6);
    assert_true(isnan(row->mean_ns) && isnan(row->last_ns) && isnan(row->min_ns));
    kt_snapshot_destroy(&snapshot);
    kt_timer_destroy(&timer);
}

/* Some other timer's spans are nothing to wait for. */
static void waits_for_its_own_alone(void **state)
{
    kt_timer *idle = make_timer("idle"), *timer = make_timer("busy");
    span(timer);
    EXPECT_OK(kt_timer_wait(idle, 1));
    expect_counts(1, 0, 0, 0);
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_counts(0, 1, 0, 0);
    kt_timer_destroy(&idle);
    kt_timer_destroy(&timer);
}

/* Spans of a timer that is gone still come to the registry, and closing takes in what has ended. */
static void timers_that_are_gone(void **state)
{
    open_timer_context(0);
    kt_timer *timer = make_timer("gone");
    span(timer);
    span(timer);
    kt_timer_destroy(&timer);
    assert_null(timer);
    kt_timer_destroy(&timer);
    expect_counts(2, 0, 0, 0);
    timer = make_timer("gone"); /* one row for both */
    span(timer);
    kt_timer *running = make_timer("running");
    EXPECT_OK(kt_timer_start(running, queue));
    kt_timer_destroy(&running);
    kt_timer_destroy(&timer);
    close_timer_context();
    kt_snapshot *snapshot = NULL;
    assert_int_equal(row_of(&snapshot, "gone", KT_BACKEND_OPENCL)->count, 3);
    const kt_row *row = kt_snapshot_find(snapshot, "running", KT_BACKEND_OPENCL);
    assert_non_null(row);
    assert_int_equal(row->count, 0);
    assert_int_equal(row->discarded[KT_TIMESTAMP_LOST], 1);
    kt_snapshot_destroy(&snapshot);
}

/* While the registry is off not one command is enqueued. */
static void disabled(void **state)
{
    kt_timer *timer = make_timer("disabled");
    cl_event event = enqueue(queue);
    kt_disable();
    for (int i = 0; i < 1000; i++)
        span(timer);
    EXPECT_OK(kt_timer_add_opencl_event(timer, event));
    expect_counts(0, 0, 0, 0);
    /* On between start and stop: what was not started is not stopped. */
    EXPECT_OK(kt_timer_start(timer, queue));
    kt_enable();
    EXPECT_OK(kt_timer_stop(timer, queue));
    EXPECT_STATUS(kt_timer_stop(timer, queue), KT_INVALID);
    expect_counts(0, 0, 0, 0);
    /* Off between start and stop: what was started is stopped. */
    EXPECT_OK(kt_timer_start(timer, queue));
    kt_disable();
    EXPECT_OK(kt_timer_stop(timer, queue));
    kt_enable();
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_counts(0, 1, 0, 0);
    kt_snapshot *snapshot = NULL;
    assert_int_equal(row_of(&snapshot, "disabled", KT_BACKEND_OPENCL)->count, 1);
    kt_snapshot_destroy(&snapshot);
    /* What is taken in while it is off is known to the timer alone. */
    span(timer);
    kt_disable();
    EXPECT_OK(kt_timer_wait(timer, 0));
    kt_enable();
    expect_counts(0, 2, 0, 0);
    double elapsed_ns = -1;
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    assert_true(elapsed_ns > 0);
    assert_int_equal(row_of(&snapshot, "disabled", KT_BACKEND_OPENCL)->count, 1);
    kt_snapshot_destroy(&snapshot);
    assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    kt_timer_destroy(&timer);
}

/* An out-of-order queue has no place for markers, and timestamps for each of its commands. */
static void events_of_an_out_of_order_queue(void **state)
{
    double elapsed_ns = -1;
    cl_command_queue unordered = make_queue(
        context, devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    EXPECT_OK(kt_timer_context_add_opencl_queue(timer_context, unordered));
    kt_timer *timer = make_timer("unordered");
    EXPECT_STATUS(kt_timer_start(timer, unordered), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "out-of-order");
    EXPECT_STATUS(kt_timer_stop(timer, unordered), KT_INVALID);
    for (int i = 0; i < 3; i++) {
        cl_event event = enqueue(unordered);
        EXPECT_OK(kt_timer_add_opencl_event(timer, event));
        assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    }
    /* The timer may run meanwhile, and its events end in any order. */
    EXPECT_OK(kt_timer_start(timer, queue));
    cl_event event = enqueue(unordered);
    EXPECT_OK(kt_timer_add_opencl_event(timer, event));
    assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    EXPECT_OK(kt_timer_stop(timer, queue));
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    expect_counts(0, 5, 0, 0);
    kt_snapshot *snapshot = NULL;
    const kt_row *row = row_of(&snapshot, "unordered", KT_BACKEND_OPENCL);
    EXPECT_NUMBER(row->min_ns, 1000);
    EXPECT_NUMBER(row->max_ns, 2 * 1237);
    kt_snapshot_destroy(&snapshot);
    kt_timer_destroy(&timer);
    assert_int_equal(cl.clReleaseCommandQueue(unordered), CL_SUCCESS);
}

/* The program may let go of its queue first: it was retained. */
static void the_queue_is_retained(void **state)
{
    open_timer_context(0);
    kt_timer *timer = make_timer("retained");
    assert_int_equal(cl.clReleaseCommandQueue(queue), CL_SUCCESS);
    assert_int_equal(cl.clReleaseContext(context), CL_SUCCESS);
    span(timer);
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_counts(0, 1, 0, 0);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
}

/* Where a driver is not here nothing need be asked, and nothing reads as 0. */
static void without_a_driver(void **state)
{
    kt_timer_context *none = NULL;
    kt_timer *timer = (kt_timer *)&none;
    struct _cl_command_queue *some = (struct _cl_command_queue *)&none;
    EXPECT_STATUS(import(some, 0, &none), KT_UNAVAILABLE);
    EXPECT_TEXT_HAS(kt_error_text(), "install");
    assert_null(none);
    EXPECT_STATUS(kt_timer_create(none, "none", &timer), KT_UNAVAILABLE);
    assert_null(timer);
}

/* On any driver that has timestamps. */
static void works(void **state)
{
    open_program();
    EXPECT_OK(import(queue, 0, &timer_context));
    const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, 0);
    assert_non_null(clock);
    EXPECT_NUMBER(clock->period_ns, 1);
    assert_int_equal(clock->valid_bits, 64);
    assert_int_equal(clock->method, KT_METHOD_EVENT_PROFILE);
    kt_timer *timer = make_timer("works");
    int64_t begin_ns = kt_host_now_ns();
    EXPECT_OK(kt_timer_start(timer, queue));
    assert_int_equal(cl.clFlush(queue), CL_SUCCESS);
    let_the_host_get_ahead(); /* some drivers run nothing until they are told to */
    EXPECT_OK(kt_timer_stop(timer, queue));
    assert_int_equal(cl.clFlush(queue), CL_SUCCESS);
    EXPECT_OK(kt_timer_wait(timer, 0));
    int64_t end_ns = kt_host_now_ns();
    double elapsed_ns = -1;
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    assert_true(elapsed_ns > 0 && elapsed_ns <= (double)(end_ns - begin_ns));
    kt_timer_destroy(&timer);
    close_timer_context();
}

/* The program exits with spans that nobody collected: timer.sh sees what it reports. */
static void left_at_exit(void **state)
{
    open_timer_context(0);
    EXPECT_STATUS(kt_report_at_exit("times"), KT_INVALID);
    EXPECT_OK(kt_report_at_exit("-"));
    kt_timer *kept = make_timer("kept"), *gone = make_timer("gone"), *runs = make_timer("runs");
    span(kept);
    EXPECT_OK(kt_timer_wait(kept, 0));
    for (int i = 0; i < 3; i++)
        span(kept);
    span(gone);
    kt_timer_destroy(&gone);
    EXPECT_OK(kt_timer_start(runs, queue));
    exit(0);
}

const struct CMUnitTest timer_life_tests[] = {
    MOOD(spans_are_as_long_as_the_work),
    MOOD(spans_by_fills),
    MOOD(elapsed_is_of_the_newest),
    cmocka_unit_test(never_ends),
    MOOD(waits_for_its_own_alone),
    cmocka_unit_test(timers_that_are_gone),
    MOOD(disabled),
    MOOD(events_of_an_out_of_order_queue),
    cmocka_unit_test(the_queue_is_retained),
    cmocka_unit_test(without_a_driver),
    cmocka_unit_test(works),
    BARE(left_at_exit),
    MOODS_END,
};
