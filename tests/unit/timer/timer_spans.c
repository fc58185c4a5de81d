/* SPDX-License-Identifier: MIT */
/* Very many spans, whose results come late. */
#include "tests/unit/timer/timer.h"

#define MILLION 1000000
#define BATCH   1000
#define LATEST  100000 /* the largest lag of timer.sh */

/* As many spans as were recorded, each of exactly so long. */
static void expect_row(const char *name, uint64_t count, double each_ns)
{
    kt_snapshot *snapshot = NULL;
    const kt_row *row = row_of(&snapshot, name, KT_BACKEND_OPENCL);
    assert_int_equal(row->count, count);
    EXPECT_NUMBER(row->min_ns, each_ns);
    EXPECT_NUMBER(row->max_ns, each_ns);
    EXPECT_NUMBER(row->last_ns, each_ns);
    EXPECT_NEAR(row->total_ns, each_ns * (double)count, each_ns * 1e-3);
    EXPECT_NEAR(row->mean_ns, each_ns, each_ns * 1e-9);
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_int_equal(row->discarded[i], 0);
    assert_int_equal(kt_snapshot_dropped(snapshot), 0);
    kt_snapshot_destroy(&snapshot);
}

/* As fast as can be, unlike kt_timer_wait(). What waits for later commands gets some. */
static void collect_all(void)
{
    int64_t begin_ns = kt_host_now_ns();
    enqueue_some(queue, LATEST);
    while (counts_of(timer_context).in_flight > 0) {
        EXPECT_OK(kt_collect(timer_context));
        if (kt_host_now_ns() - begin_ns > INT64_C(100000000000))
            fail_msg("spans are in flight for ever");
    }
}

/* Collected once a batch, as once a frame. What ends late is all there in the end. */
static void many_spans(void **state)
{
    const int all = *(const int *)*state;
    kt_timer *timer = make_timer("million");
    uint64_t most_in_flight = 0;
    for (int i = 0; i < all; i++) {
        span(timer);
        if (i % BATCH != BATCH - 1)
            continue;
        EXPECT_OK(kt_collect(timer_context));
        kt_timer_context_counts counts = counts_of(timer_context);
        assert_int_equal(counts.in_flight + counts.recorded, i + 1);
        assert_int_equal(counts.pending, counts.in_flight);
        most_in_flight = counts.in_flight > most_in_flight ? counts.in_flight : most_in_flight;
    }
    assert_true(most_in_flight > BATCH); /* else nothing came late */
    collect_all();
    expect_counts(0, (uint64_t)all, 0, 0);
    expect_row("million", (uint64_t)all, STEP_NS);
    kt_timer_destroy(&timer);
}

/* Where each must be asked for more than once, in order, a collection takes in one at most. */
static int a_million = MILLION, one_by_one = MILLION / 20;

/* Nobody collects until as many as may be are in flight. What is above that is refused, and nothing
 * of it is left behind; then all goes on as before. */
static void above_the_cap(void **state)
{
    const uint32_t spans_max = *(const uint32_t *)*state;
    const uint64_t cap = spans_max ? spans_max : KT_SPANS_DEFAULT;
    enum { ABOVE = 1000 };
    open_timer_context(spans_max);
    kt_timer *timer = make_timer("cap");
    for (uint64_t i = 0; i < cap; i++)
        span(timer);
    expect_counts(cap, 0, 0, 0);
    cl_event event = enqueue(queue);
    for (int i = 0; i < ABOVE; i++) {
        EXPECT_STATUS(kt_timer_start(timer, queue), KT_LIMIT);
        EXPECT_OK(kt_timer_stop(timer, queue)); /* there is nothing to it, ... */
    }
    EXPECT_STATUS(kt_timer_stop(timer, queue), KT_INVALID); /* ... but once */
    EXPECT_STATUS(kt_timer_start(timer, queue), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "collect");
    EXPECT_STATUS(kt_timer_add_opencl_event(timer, event), KT_LIMIT);
    expect_counts(cap, 0, ABOVE + 2, 0);
    collect_all();
    expect_counts(0, cap, ABOVE + 2, 0);
    EXPECT_OK(kt_timer_add_opencl_event(timer, event));
    span(timer);
    collect_all();
    expect_counts(0, cap + 2, ABOVE + 2, 0);
    assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    kt_timer_destroy(&timer);
    close_timer_context();
}

static uint32_t by_default = 0, small = 3;

const struct CMUnitTest timer_span_tests[] = {
    MOOD_OF("a_million_spans", many_spans, &a_million),
    MOOD_OF("spans_one_by_one", many_spans, &one_by_one),
    {"above_the_default_cap", above_the_cap, NULL, NULL, &by_default},
    {"above_a_small_cap", above_the_cap, NULL, NULL, &small},
    MOODS_END,
};
