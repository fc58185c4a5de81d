/* SPDX-License-Identifier: MIT */
/* Timestamps that cannot be trusted, or that never come: each is counted in its state, none is a
 * duration. */
#include "tests/unit/timer/timer.h"

/* Importing enqueues a marker, a fill and a marker. So span i, from 1 on, is of commands 2 i + 2 and
 * 2 i + 3. */

/* `good` of `all` spans have a duration; the others are in `state`, everywhere. */
static void expect_states(const char *name, uint64_t all, uint64_t good, kt_timestamp_state state)
{
    expect_counts(0, good, 0, all - good);
    kt_timer_context_counts counts = counts_of(timer_context);
    assert_int_equal(counts.discarded[state], all - good);
    kt_snapshot *snapshot = NULL;
    const kt_row *row = row_of(&snapshot, name, KT_BACKEND_OPENCL);
    assert_int_equal(row->count, good);
    assert_int_equal(row->discarded[state], all - good);
    if (good == 0) {
        EXPECT_NUMBER(row->mean_ns, NAN);
        EXPECT_NUMBER(row->min_ns, NAN);
        EXPECT_NUMBER(row->last_ns, NAN);
        EXPECT_NUMBER(row->p50_ns, NAN);
    } else {
        assert_true(row->min_ns > 0);
    }
    kt_snapshot_destroy(&snapshot);
}

static void expect_no_elapsed(const kt_timer *timer, kt_timestamp_state state)
{
    double elapsed_ns = -1;
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), kt_timestamp_state_name(state));
    EXPECT_NUMBER(elapsed_ns, -1);
}

/* The first five spans are good, the next five are not, whether of markers or handed out. */
static void become_zero(void **state)
{
    kt_timer *timer = make_timer("markers");
    for (int i = 0; i < 10; i++)
        span(timer);
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_no_elapsed(timer, KT_TIMESTAMP_ZERO);
    expect_states("markers", 10, 5, KT_TIMESTAMP_ZERO);
    uint64_t before = counts_of(timer_context).discarded[KT_TIMESTAMP_ZERO];
    kt_timer *events = make_timer("events");
    for (int i = 0; i < 3; i++) {
        cl_event event = enqueue(queue);
        EXPECT_OK(kt_timer_add_opencl_event(events, event));
        assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    }
    EXPECT_OK(kt_timer_wait(events, 0));
    expect_no_elapsed(events, KT_TIMESTAMP_ZERO);
    assert_int_equal(counts_of(timer_context).discarded[KT_TIMESTAMP_ZERO], before + 3);
    expect_counts(0, 5, 0, 8);
    kt_timer_destroy(&events);
    kt_timer_destroy(&timer);
}

/* 0, 1, 2, 3: both markers end at tick 3, and a command takes one tick, as it might. What import
 * saw was good. */
static void become_fake(void **state)
{
    double elapsed_ns = -1;
    kt_timer *timer = make_timer("markers");
    for (int i = 0; i < 10; i++)
        span(timer);
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_no_elapsed(timer, KT_TIMESTAMP_BELOW_MIN_SPAN);
    expect_states("markers", 10, 5, KT_TIMESTAMP_BELOW_MIN_SPAN);
    EXPECT_OK(kt_timer_start(timer, queue));
    EXPECT_STATUS(kt_timer_elapsed(timer, &elapsed_ns), KT_NOT_READY);
    kt_timer_destroy(&timer);
}

/* Why nothing is imported. */
typedef struct refusal {
    kt_status status;
    const char *part;
} refusal;

static void is_refused(void **state)
{
    const refusal *expected = *state;
    kt_timer_context *refused = NULL;
    open_program();
    EXPECT_STATUS(import(queue, 0, &refused), expected->status);
    EXPECT_TEXT_HAS(kt_error_text(), expected->part);
    assert_null(refused);
    close_program();
}

static refusal untrusted = {KT_UNSUPPORTED, "untrusted timestamps"},
               too_old = {KT_UNSUPPORTED, "1.2"};
/* The driver has no timestamps for what it has done. */
static refusal no_timestamps = {KT_DRIVER_ERROR, "clGetEventProfilingInfo"};

/* Every 4th event: of those that are handed out, two of eight. */
static void expect_good_events(uint64_t good, kt_timestamp_state bad)
{
    kt_timer *timer = make_timer("events");
    for (int i = 0; i < 8; i++) {
        cl_event event = enqueue(queue);
        EXPECT_OK(kt_timer_add_opencl_event(timer, event));
        assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    }
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_states("events", 8, good, bad);
    kt_timer_destroy(&timer);
}

static void some_backwards(void **state)
{
    expect_good_events(6, KT_TIMESTAMP_NEGATIVE);
}

/* A driver may read SUBMIT from another clock than START. */
static void some_swapped(void **state)
{
    expect_good_events(8, KT_TIMESTAMP_NEGATIVE);
}

/* The stop of the third span fails (command 9). */
static void one_fails(void **state)
{
    kt_timer *timer = make_timer("fails");
    for (int i = 0; i < 5; i++)
        span(timer);
    unsigned reported = 0;
    while (counts_of(timer_context).in_flight > 0) {
        kt_status status = kt_collect(timer_context);
        if (status == KT_OK)
            continue;
        EXPECT_STATUS(status, KT_DRIVER_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), "CL_OUT_OF_RESOURCES");
        reported++;
    }
    assert_int_equal(reported, 1);
    expect_states("fails", 5, 4, KT_TIMESTAMP_ERROR);
    double elapsed_ns = -1;
    EXPECT_OK(kt_timer_elapsed(timer, &elapsed_ns)); /* of the newest */
    kt_timer_destroy(&timer);
}

/* From the stop of the third span on (command 9) the driver refuses: that cannot end, and no other
 * begins. */
static void becomes_lost(void **state)
{
    kt_timer *timer = make_timer("lost");
    span(timer);
    span(timer);
    EXPECT_OK(kt_timer_start(timer, queue));
    EXPECT_STATUS(kt_timer_stop(timer, queue), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "clEnqueueMarkerWithWaitList");
    EXPECT_STATUS(kt_timer_stop(timer, queue), KT_INVALID); /* then there is no span */
    EXPECT_STATUS(kt_timer_start(timer, queue), KT_DRIVER_ERROR);
    EXPECT_OK(kt_timer_stop(timer, queue));
    EXPECT_STATUS(kt_timer_stop(timer, queue), KT_INVALID);
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_states("lost", 3, 2, KT_TIMESTAMP_ERROR);
    kt_timer_destroy(&timer);
}

/* The start of the second span never ends (command 6), nor does anything after it: three of four
 * are lost. */
static void one_hangs(void **state)
{
    open_timer_context(0);
    kt_timer *timer = make_timer("hangs");
    for (int i = 0; i < 4; i++)
        span(timer);
    EXPECT_STATUS(kt_timer_wait(timer, 20000000), KT_TIMEOUT);
    expect_counts(3, 1, 0, 0);
    kt_timer_destroy(&timer);
    close_timer_context();
    kt_snapshot *snapshot = NULL;
    const kt_row *row = row_of(&snapshot, "hangs", KT_BACKEND_OPENCL);
    assert_int_equal(row->count, 1);
    assert_int_equal(row->discarded[KT_TIMESTAMP_LOST], 3);
    kt_snapshot_destroy(&snapshot);
}

const struct CMUnitTest timer_timestamp_tests[] = {
    MOOD(become_zero),
    MOOD(become_fake),
    {"refused_from_the_start", is_refused, NULL, NULL, &untrusted},
    {"too_old", is_refused, NULL, NULL, &too_old},
    MOOD(some_backwards),
    MOOD(some_swapped),
    {"no_timestamps_at_all", is_refused, NULL, NULL, &no_timestamps},
    MOOD(one_fails),
    MOOD(becomes_lost),
    cmocka_unit_test(one_hangs),
    MOODS_END,
};
