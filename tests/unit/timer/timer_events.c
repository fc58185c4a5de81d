/* SPDX-License-Identifier: MIT */
/* Events that the program's calls write where kt_timer_event_opencl() says, and stops that come
 * when the queue is idle. */
#include "tests/unit/timer/timer.h"

#include <kerntime/timer/cpu.h>
#include <pthread.h>

#define SPANS 8

static cl_int enqueue_to(cl_command_queue to, kt_timer *timer)
{
    return cl.clEnqueueMarkerWithWaitList(to, 0, NULL, kt_timer_event_opencl(timer));
}

static void expect_pending(uint64_t pending, uint64_t in_flight, uint64_t recorded)
{
    kt_timer_context_counts counts = counts_of(timer_context);
    assert_int_equal(counts.pending, pending);
    assert_int_equal(counts.in_flight, in_flight);
    assert_int_equal(counts.recorded, recorded);
    assert_int_equal(counts.refused, 0);
    assert_int_equal(discarded(&counts), 0);
}

/* Each is the time of its command alone, in any queue, also while the timer runs. */
static void events_of_calls(void **state)
{
    double elapsed_ns = -1;
    cl_command_queue unordered = make_queue(
        context, devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    kt_timer *timer = make_timer("calls");
    EXPECT_OK(kt_timer_start(timer, queue));
    assert_int_equal(enqueue_to(queue, timer), CL_SUCCESS);
    assert_int_equal(enqueue_to(unordered, timer), CL_SUCCESS);
    enqueue_some(queue, 1);
    assert_int_equal(enqueue_to(queue, timer), CL_SUCCESS);
    expect_pending(4, 2, 0); /* the last is not known to have been enqueued */
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_pending(1, 0, 3);
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY); /* it runs */
    EXPECT_OK(kt_timer_stop(timer, queue));
    EXPECT_OK(kt_timer_wait(timer, 0));
    kt_snapshot *snapshot = NULL;
    const kt_row *row = row_of(&snapshot, "calls", KT_BACKEND_OPENCL);
    assert_int_equal(row->count, 4);
    EXPECT_NUMBER(row->min_ns, 1000);
    EXPECT_NUMBER(row->p50_ns, 1000);
    kt_snapshot_destroy(&snapshot);
    kt_timer_destroy(&timer);
    assert_int_equal(cl.clReleaseCommandQueue(unordered), CL_SUCCESS);
}

/* kt_collect() of the same thread takes the event of a call, which the program may have kept. */
static void an_event_that_is_kept(void **state)
{
    double elapsed_ns = -1;
    kt_timer *timer = make_timer("kept");
    cl_event *place = kt_timer_event_opencl(timer);
    assert_non_null(place);
    assert_null(*place);
    assert_int_equal(cl.clEnqueueMarkerWithWaitList(queue, 0, NULL, place), CL_SUCCESS);
    cl_event event = *place;
    assert_int_equal(cl.clRetainEvent(event), CL_SUCCESS);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns));
    EXPECT_NUMBER(elapsed_ns, 1000);
    assert_ptr_equal(*place, event);
    kt_timer_destroy(&timer);
    assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
}

/* A call that fails, or is never made, leaves no event: there is no span, and nothing waits. */
static void calls_that_fail(void **state)
{
    kt_timer *timer = make_timer("fails");
    assert_int_equal(enqueue_to(queue, timer), CL_SUCCESS);
    assert_int_equal(enqueue_to(queue, timer), CL_OUT_OF_RESOURCES);
    expect_pending(2, 1, 0);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    expect_pending(1, 0, 1);
    assert_non_null(kt_timer_event_opencl(timer));
    expect_pending(1, 0, 1);
    kt_timer_destroy(&timer);
    expect_pending(0, 0, 1);
}

/* ---- threads ---- */

static void *call_of_another_thread(void *user)
{
    cl_int code = enqueue_to(queue, user);
    return code == CL_SUCCESS ? user : NULL;
}

static void *collect_beside(void *user)
{
    return kt_collect(timer_context) == KT_OK ? user : NULL;
}

static void on_another_thread(void *(*work)(void *), kt_timer *timer)
{
    pthread_t thread;
    void *done = NULL;
    assert_int_equal(pthread_create(&thread, NULL, work, timer), 0);
    assert_int_equal(pthread_join(thread, &done), 0);
    assert_ptr_equal(done, timer);
}

/* Nobody knows whether another thread's call has returned, but for who waits. */
static void events_of_other_threads(void **state)
{
    kt_timer *own = make_timer("own"), *others = make_timer("others");
    assert_int_equal(enqueue_to(queue, own), CL_SUCCESS);
    on_another_thread(collect_beside, own);
    expect_pending(1, 0, 0);
    EXPECT_OK(kt_collect(timer_context));
    expect_pending(0, 0, 1);
    on_another_thread(call_of_another_thread, others);
    EXPECT_OK(kt_timer_wait(own, 0));
    expect_pending(1, 0, 1);
    EXPECT_OK(kt_timer_wait(others, 0));
    expect_pending(0, 0, 2);
    on_another_thread(call_of_another_thread, others);
    on_another_thread(call_of_another_thread, own);
    expect_pending(2, 0, 2);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    expect_pending(0, 0, 4);
    kt_timer_destroy(&own);
    kt_timer_destroy(&others);
}

/* ---- the end ---- */

static void events_at_the_end(void **state)
{
    open_timer_context(0);
    kt_timer *gone = make_timer("gone"), *left = make_timer("left"), *unused = make_timer("unused");
    assert_int_equal(enqueue_to(queue, gone), CL_SUCCESS);
    assert_int_equal(enqueue_to(queue, left), CL_SUCCESS);
    assert_non_null(kt_timer_event_opencl(unused));
    kt_timer_destroy(&gone);
    expect_pending(3, 1, 0);
    close_timer_context();
    assert_null(kt_timer_event_opencl(left));
    EXPECT_TEXT_HAS(kt_error_text(), "closed");
    kt_timer_destroy(&left);
    kt_timer_destroy(&unused);
    kt_snapshot *snapshot = NULL;
    assert_int_equal(row_of(&snapshot, "gone", KT_BACKEND_OPENCL)->count, 1);
    kt_snapshot_destroy(&snapshot);
    assert_int_equal(row_of(&snapshot, "left", KT_BACKEND_OPENCL)->count, 1);
    kt_snapshot_destroy(&snapshot);
}

static void no_place_for_an_event(void **state)
{
    kt_timer_context *cpu = NULL;
    kt_timer *of_cpu = NULL;
    open_timer_context(1);
    kt_timer *timer = make_timer("one"), *second = make_timer("too many");
    kt_disable();
    assert_null(kt_timer_event_opencl(timer));
    kt_enable();
    assert_non_null(kt_timer_event_opencl(timer));
    assert_null(kt_timer_event_opencl(second));
    EXPECT_TEXT_HAS(kt_error_text(), "as many as may be");
    assert_int_equal(counts_of(timer_context).refused, 1);
    EXPECT_OK(kt_timer_context_import_cpu(&cpu));
    EXPECT_OK(kt_timer_create(cpu, "cpu", &of_cpu));
    assert_null(kt_timer_event_opencl(of_cpu));
    EXPECT_TEXT_HAS(kt_error_text(), "not of OpenCL");
    kt_timer_destroy(&of_cpu);
    kt_timer_context_close(&cpu);
    kt_timer_destroy(&timer);
    kt_timer_destroy(&second);
    close_timer_context();
}

/* The call has succeeded, so what is wrong shows when the event is taken. */
static void events_of_wrong_queues(void **state)
{
    const struct {
        cl_command_queue queue;
        const char *part;
    } wrong[] = {
        {make_queue(context, devices[0], 0), "CL_QUEUE_PROFILING_ENABLE"},
        {make_queue(context, devices[1], CL_QUEUE_PROFILING_ENABLE), "another device"},
    };
    kt_timer *timer = make_timer("wrong");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(enqueue_to(wrong[i].queue, timer), CL_SUCCESS);
        EXPECT_STATUS(i ? kt_collect(timer_context) : kt_timer_wait(timer, 0), KT_INVALID);
        EXPECT_TEXT_HAS(kt_error_text(), wrong[i].part);
        EXPECT_OK(kt_timer_wait(timer, 0));
        assert_int_equal(counts_of(timer_context).discarded[KT_TIMESTAMP_ERROR], i + 1);
        assert_int_equal(cl.clReleaseCommandQueue(wrong[i].queue), CL_SUCCESS);
    }
    assert_int_equal(counts_of(timer_context).pending, 0);
    kt_timer_destroy(&timer);
}

/* ---- stops ---- */

static void span_with_sleep(kt_timer *timer)
{
    EXPECT_OK(kt_timer_start(timer, queue));
    let_the_host_get_ahead();
    EXPECT_OK(kt_timer_stop(timer, queue));
}

/* How many of SPANS stops are late, once the first span has been collected. */
static uint64_t late_stops(void (*make)(kt_timer *timer))
{
    kt_snapshot *snapshot = NULL;
    kt_timer *timer = make_timer("stops");
    make(timer);
    EXPECT_OK(kt_timer_wait(timer, 0));
    kt_reset();
    for (int i = 0; i < SPANS; i++)
        make(timer);
    assert_int_equal(enqueue_to(queue, timer), CL_SUCCESS); /* an event has no stop */
    EXPECT_OK(kt_timer_wait(timer, 0));
    const kt_row *row = row_of(&snapshot, "stops", KT_BACKEND_OPENCL);
    assert_int_equal(row->count, SPANS + 1);
    uint64_t late = row->stop_late;
    kt_snapshot_destroy(&snapshot);
    kt_timer_destroy(&timer);
    return late;
}

/* The queue was idle when each stop was enqueued, and the thread had slept. */
static void stops_come_late(void **state)
{
    assert_int_equal(late_stops(span_with_sleep), SPANS);
    assert_int_equal(late_stops(span_with_sleep), SPANS);
}

/* The thread slept, but the stop waited for the work before it, or nobody knows. */
static void stops_come_in_time(void **state)
{
    assert_int_equal(late_stops(span_with_sleep), 0);
}

/* The queue was idle, since it ran dry. A busy system may put the thread to sleep all the same. */
static void the_thread_does_not_sleep(void **state)
{
    assert_true(late_stops(span) < SPANS);
}

const struct CMUnitTest timer_event_tests[] = {
    MOOD(events_of_calls),
    MOOD(an_event_that_is_kept),
    MOOD(calls_that_fail),
    MOOD(events_of_other_threads),
    cmocka_unit_test(events_at_the_end),
    cmocka_unit_test(no_place_for_an_event),
    MOOD(events_of_wrong_queues),
    MOOD(stops_come_late),
    MOOD(stops_come_in_time),
    MOOD(the_thread_does_not_sleep),
    MOODS_END,
};
