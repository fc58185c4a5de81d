/* SPDX-License-Identifier: MIT */
/* What is wrong is an error with a sentence, changes nothing, and never reads as 0. */
#include "tests/unit/timer/timer.h"

#include <stdio.h>

#define REFUSED(call, status, part)             \
    do {                                        \
        EXPECT_STATUS(call, status);            \
        EXPECT_TEXT_HAS(kt_error_text(), part); \
    } while (0)

static void starts_and_stops(void **state)
{
    cl_command_queue second = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue stranger = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
    EXPECT_OK(kt_timer_context_add_opencl_queue(timer_context, second));
    EXPECT_OK(kt_timer_context_add_opencl_queue(timer_context, second)); /* known already */
    kt_timer *timer = make_timer("blur");
    REFUSED(kt_timer_stop(timer, queue), KT_INVALID, "timer \"blur\" was not started");
    REFUSED(kt_timer_start(timer, stranger), KT_INVALID,
            "timer \"blur\": this queue or list was not imported");
    REFUSED(kt_timer_start(timer, NULL), KT_INVALID, "not imported");
    expect_counts(0, 0, 0, 0);
    EXPECT_OK(kt_timer_start(timer, queue));
    REFUSED(kt_timer_start(timer, queue), KT_INVALID, "timer \"blur\" was started already");
    REFUSED(kt_timer_start(timer, second), KT_INVALID, "started already");
    REFUSED(kt_timer_stop(timer, second), KT_INVALID,
            "timer \"blur\" was started in another queue");
    REFUSED(kt_timer_stop(timer, NULL), KT_INVALID, "another queue");
    EXPECT_OK(kt_timer_stop(timer, queue)); /* it still ran */
    REFUSED(kt_timer_stop(timer, queue), KT_INVALID, "was not started");
    EXPECT_OK(kt_timer_start(timer, second));
    EXPECT_OK(kt_timer_stop(timer, second));
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_counts(0, 2, 0, 0);
    REFUSED(kt_timer_add_opencl_event(timer, NULL), KT_INVALID, "no event");
    kt_recording *recording = (kt_recording *)timer;
    EXPECT_STATUS(kt_recording_create(timer_context, NULL, &recording), KT_UNSUPPORTED);
    kt_timer *none = NULL;
    REFUSED(kt_timer_create(timer_context, NULL, &none), KT_INVALID, "name");
    REFUSED(kt_timer_create(timer_context, "", &none), KT_INVALID, "name");
    assert_null(none);
    kt_timer_destroy(&timer);
    assert_int_equal(cl.clReleaseCommandQueue(second), CL_SUCCESS);
    assert_int_equal(cl.clReleaseCommandQueue(stranger), CL_SUCCESS);
}

static cl_uint references(cl_command_queue of)
{
    cl_uint count = 0;
    assert_int_equal(
        cl.clGetCommandQueueInfo(of, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL),
        CL_SUCCESS);
    return count;
}

static void queues_that_cannot_be(void **state)
{
    open_timer_context(0);
    kt_timer_context *other = NULL;
    cl_context elsewhere = cl.clCreateContext(NULL, 1, devices, NULL, NULL, NULL);
    cl_command_queue plain = make_queue(context, devices[0], 0);
    cl_command_queue foreign = make_queue(elsewhere, devices[0], CL_QUEUE_PROFILING_ENABLE);
    cl_command_queue of_other = make_queue(context, devices[1], CL_QUEUE_PROFILING_ENABLE);
    kt_timer *timer = make_timer("wrong");
    REFUSED(import(plain, 0, &other), KT_INVALID, "CL_QUEUE_PROFILING_ENABLE");
    REFUSED(import(NULL, 0, &other), KT_INVALID, "no queue");
    assert_null(other);
    const kt_opencl_import unsized = {.queue = queue};
    EXPECT_STATUS(kt_timer_context_import_opencl(&unsized, &other), KT_INVALID);
    EXPECT_STATUS(kt_timer_context_import_opencl(NULL, &other), KT_INVALID);
    REFUSED(kt_timer_context_add_opencl_queue(timer_context, plain), KT_INVALID,
            "CL_QUEUE_PROFILING_ENABLE");
    REFUSED(kt_timer_context_add_opencl_queue(timer_context, foreign), KT_INVALID,
            "another context");
    REFUSED(kt_timer_context_add_opencl_queue(timer_context, of_other), KT_INVALID,
            "another device");
    REFUSED(kt_timer_context_add_opencl_queue(timer_context, NULL), KT_INVALID, "no queue");
    REFUSED(kt_timer_start(timer, foreign), KT_INVALID, "not imported");
    assert_int_equal(references(plain), 1); /* what was refused is not retained */
    assert_int_equal(references(foreign), 1);
    assert_int_equal(references(of_other), 1);
    /* Each queue of the native is retained once, up to 64 of them. */
    cl_command_queue queues[64];
    for (int i = 1; i < 64; i++) {
        queues[i] = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
        EXPECT_OK(kt_timer_context_add_opencl_queue(timer_context, queues[i]));
        assert_int_equal(references(queues[i]), 2);
    }
    queues[0] = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
    REFUSED(kt_timer_context_add_opencl_queue(timer_context, queues[0]), KT_LIMIT, "64");
    EXPECT_OK(kt_timer_start(timer, queues[63]));
    EXPECT_OK(kt_timer_stop(timer, queues[63]));
    kt_timer_destroy(&timer);
    cl_command_queue first = queue;
    for (int i = 0; i < 64; i++)
        assert_int_equal(cl.clReleaseCommandQueue(queues[i]), CL_SUCCESS);
    kt_timer_context_close(&timer_context);
    assert_int_equal(references(first), 1);
    assert_int_equal(cl.clReleaseCommandQueue(plain), CL_SUCCESS);
    assert_int_equal(cl.clReleaseCommandQueue(foreign), CL_SUCCESS);
    assert_int_equal(cl.clReleaseCommandQueue(of_other), CL_SUCCESS);
    assert_int_equal(cl.clReleaseContext(elsewhere), CL_SUCCESS);
    close_program();
}

/* An event tells of its queue, so what can give no timestamps is refused when it is handed over. */
static void events_that_cannot_be(void **state)
{
    cl_context elsewhere = cl.clCreateContext(NULL, 1, devices, NULL, NULL, NULL);
    const struct {
        cl_command_queue queue;
        const char *part;
    } wrong[] = {
        {make_queue(context, devices[0], 0), "CL_QUEUE_PROFILING_ENABLE"},
        {make_queue(elsewhere, devices[0], CL_QUEUE_PROFILING_ENABLE), "another context"},
        {make_queue(context, devices[1], CL_QUEUE_PROFILING_ENABLE), "another device"},
    };
    kt_timer *timer = make_timer("wrong");
    for (int i = 0; i < 3; i++) {
        cl_event event = enqueue(wrong[i].queue);
        REFUSED(kt_timer_add_opencl_event(timer, event), KT_INVALID, wrong[i].part);
        assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
        assert_int_equal(cl.clReleaseCommandQueue(wrong[i].queue), CL_SUCCESS);
    }
    cl_event user = cl.clCreateUserEvent(context, NULL);
    assert_int_equal(cl.clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    REFUSED(kt_timer_add_opencl_event(timer, user), KT_INVALID, "made itself");
    assert_int_equal(cl.clReleaseEvent(user), CL_SUCCESS);
    expect_counts(0, 0, 0, 0);
    assert_int_equal(cl.clReleaseContext(elsewhere), CL_SUCCESS);
    kt_timer_destroy(&timer);
}

/* What is left of a native that was closed says so. */
static void a_closed_timer_context(void **state)
{
    double elapsed_ns = -1;
    open_timer_context(0);
    cl_event event = enqueue(queue);
    kt_timer *timer = make_timer("closed"), *running = make_timer("running");
    span(timer);
    EXPECT_OK(kt_timer_start(running, queue));
    kt_timer_context_close(&timer_context);
    kt_timer_context_close(&timer_context); /* of NULL: nothing */
    REFUSED(kt_timer_start(timer, queue), KT_INVALID, "the device was closed");
    REFUSED(kt_timer_stop(timer, queue), KT_INVALID, "the device was closed");
    REFUSED(kt_timer_stop(running, queue), KT_INVALID, "the device was closed");
    REFUSED(kt_timer_add_opencl_event(timer, event), KT_INVALID, "the device was closed");
    REFUSED(kt_timer_elapsed(timer, &elapsed_ns), KT_INVALID, "the device was closed");
    REFUSED(kt_timer_wait(timer, 0), KT_INVALID, "the device was closed");
    EXPECT_NUMBER(elapsed_ns, -1);
    kt_timer_destroy(&timer);
    kt_timer_destroy(&running);
    assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    close_program();
}

/* Every call on what is not here answers one thing and leaves the error text alone. */
static void null_handles(void **state)
{
    load_library();
    double elapsed_ns = -1;
    kt_timer_context *none = NULL;
    kt_timer *timer = NULL;
    kt_recording *recording = NULL;
    EXPECT_STATUS(import(NULL, 0, &none), KT_INVALID); /* leaves a text */
    char text[512];
    snprintf(text, sizeof text, "%s", kt_error_text());
    assert_true(text[0]);
    EXPECT_STATUS(kt_timer_context_add_opencl_queue(NULL, NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_create(NULL, "none", &timer), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_create(NULL, NULL, &timer), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_start(NULL, NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_stop(NULL, NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_add_opencl_event(NULL, NULL), KT_UNAVAILABLE);
    assert_null(kt_timer_event_opencl(NULL));
    EXPECT_STATUS(kt_timer_elapsed(NULL, &elapsed_ns), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_wait(NULL, 1), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_collect(NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_create(NULL, NULL, &recording), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_start(NULL, NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_stop(NULL, NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_submit(NULL), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_reset(NULL), KT_UNAVAILABLE);
    assert_null(kt_timer_context_get_clock(NULL, 0));
    kt_timer_context_counts counts = counts_of(NULL);
    const kt_timer_context_counts zero = {0};
    assert_memory_equal(&counts, &zero, sizeof zero);
    kt_timer_destroy(&timer);
    kt_recording_destroy(&recording);
    kt_timer_context_close(&none);
    assert_string_equal(kt_error_text(), text);
    EXPECT_NUMBER(elapsed_ns, -1);
}

const struct CMUnitTest timer_misuse_tests[] = {
    MOOD(starts_and_stops),         cmocka_unit_test(queues_that_cannot_be),
    MOOD(events_that_cannot_be),    cmocka_unit_test(a_closed_timer_context),
    cmocka_unit_test(null_handles), MOODS_END,
};
