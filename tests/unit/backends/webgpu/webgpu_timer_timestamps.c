/* SPDX-License-Identifier: MIT */
/* What timestamps can be: missing, of another pass, cut, backwards, or not to be had. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/webgpu/webgpu_timer.h"

#include <time.h>

/* No span is longer than the host's clock has run since the import, and the simulated one is
 * faster. */
static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

typedef struct discarded_case {
    frame_limits limits;
    kt_timestamp_state state;
    uint64_t count;
} discarded_case;

/* Of three submissions of two passes. */
static void discarded_as(void **state)
{
    const discarded_case *c = *state;
    for (int i = 0; i < 3; i++) {
        submit(encode(2));
        EXPECT_OK(kt_collect(timer_context));
    }
    EXPECT_COUNTS(6 - c->count, c->state, c->count);
}

static discarded_case zeros = {{0, 0}, KT_TIMESTAMP_ZERO, 6};
static discarded_case backwards = {{0, 0}, KT_TIMESTAMP_NEGATIVE, 3};
static discarded_case below_min_span = {{0, 0}, KT_TIMESTAMP_BELOW_MIN_SPAN, 6};

/* Passes of 300,000 ns are 4 or 5 quanta of 65,536 ns long, as they lie. */
static void quantised(void **state)
{
    open_user(&(user_options){.is_quantised = true});
    open_timer_context(0, 0);
    nap();
    double sum_ns = 0, ns;
    enum { RUNS = 1000 };
    for (int i = 0; i < RUNS; i++) {
        submit(encode(1));
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        EXPECT_OK(kt_timer_elapsed(timer, &ns));
        assert_true(ns == 4 * 65536 || ns == 5 * 65536);
        sum_ns += ns;
        u.wgpu.wgpuStubAdvance((uint64_t)i * 7919);
    }
    EXPECT_COUNTS(RUNS, KT_TIMESTAMP_OK, 0);
    EXPECT_NEAR(sum_ns / RUNS, 300000, 4000); /* 32,768 ns at most each, and evenly spread */
    close_all();
}

/* Those of 100,000 ns would be 1 or 2: too coarse to be a time. */
static void quantised_short(void **state)
{
    open_user(&(user_options){.is_quantised = true});
    open_timer_context(0, 0);
    for (int i = 0; i < 100; i++) {
        submit(encode(2));
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    }
    EXPECT_COUNTS(0, KT_TIMESTAMP_BELOW_MIN_SPAN, 200);
    close_all();
}

/* A browser rounds to 100,000 ns, and has no toggle. Passes of 450,000 ns are 4 or 5 of them. */
static void rounded(void **state)
{
    open_user(&(user_options){0});
    open_timer_context(0, 0);
    nap();
    for (int i = 0; i < 100; i++) {
        double ns;
        submit(encode(1));
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        EXPECT_OK(kt_timer_elapsed(timer, &ns));
        assert_true(ns == 400000 || ns == 500000);
        u.wgpu.wgpuStubAdvance((uint64_t)i * 7919);
    }
    EXPECT_COUNTS(100, KT_TIMESTAMP_OK, 0);
    close_all();
}

/* Those of 150,000 ns are 1 or 2. */
static void rounded_short(void **state)
{
    open_user(&(user_options){0});
    open_timer_context(0, 0);
    for (int i = 0; i < 100; i++) {
        submit(encode(2));
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    }
    EXPECT_COUNTS(0, KT_TIMESTAMP_BELOW_MIN_SPAN, 200);
    close_all();
}

/* Nobody begins a pass with it: in a frame that was never used, and in one that holds the timestamps of
 * an earlier run. */
static void never_begun(void **state)
{
    WGPUPassTimestampWrites unused;
    for (uint64_t i = 0; i < 6; i++) {
        WGPUCommandEncoder encoder = encode(1);
        if (i % 2 == 0)
            assert_non_null(kt_timer_pass_webgpu(timer, encoder, &unused));
        else
            pass(encoder, timer);
        pass(encoder, timer);
        submit(encoder);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        EXPECT_COUNTS(3 * (i + 1) - (i / 2 + 1), KT_TIMESTAMP_ZERO, i / 2 + 1);
    }
}

/* A second pass is begun with the same pair, after one that was filled in between. */
static void overwritten(void **state)
{
    WGPUPassTimestampWrites first, second;
    WGPUCommandEncoder encoder = user_encode(&u);
    user_pass(&u, encoder, kt_timer_pass_webgpu(timer, encoder, &first), 0);
    user_pass(&u, encoder, kt_timer_pass_webgpu(timer, encoder, &second), 0);
    user_pass(&u, encoder, &first, 0);
    pass(encoder, timer);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OVERWRITTEN, 1);
    /* One of an encoder that has come and gone spoils nothing of what is timed. */
    encoder = encode(1);
    user_pass(&u, encoder, &first, 0);
    pass(encoder, timer);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_NEWEST(timer, PASS_NS);
}

/* Two in a row: nobody can tell. The header says that the span is the last one's. */
static void twice_in_a_row(void **state)
{
    WGPUPassTimestampWrites writes;
    WGPUCommandEncoder encoder = user_encode(&u);
    const WGPUPassTimestampWrites *filled = kt_timer_pass_webgpu(timer, encoder, &writes);
    user_pass(&u, encoder, filled, 0);
    user_pass(&u, encoder, filled, 0);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, PASS_NS);
}

static void device_lost(void **state)
{
    submit(encode(2));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    submit(encode(2));
    EXPECT_REFUSED(kt_timer_context_wait(timer_context, 0), KT_DEVICE_LOST,
                   "wgpuBufferMapAsync has failed");
    EXPECT_COUNTS(2, KT_TIMESTAMP_ERROR, 2);
}

/* The first mapping fails, of two marks; the frame goes on with objects that are known. */
static void mapping_fails(void **state)
{
    open_user(&(user_options){0});
    open_timer_context(1, 0);
    submit(encode(2));
    EXPECT_STATUS(kt_timer_context_wait(timer_context, 0), KT_DRIVER_ERROR);
    EXPECT_COUNTS(0, KT_TIMESTAMP_ERROR, 2);
    submit(encode(2));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(2, KT_TIMESTAMP_ERROR, 2);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    user_close(&u);
}

/* Making room fails once: the pass is not timed, the next one is, and the program hears of no
 * error. */
static void no_room(void **state)
{
    WGPUPassTimestampWrites writes;
    WGPUCommandEncoder encoder = user_encode(&u);
    assert_null(kt_timer_pass_webgpu(timer, encoder, &writes));
    assert_true(strlen(kt_error_text()) > 0);
    EXPECT_HELD(0, 0);
    pass(encoder, timer);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

const struct CMUnitTest timer_timestamp_moods[] = {
    MOOD_OF("zeros", discarded_as, &zeros),
    MOOD_OF("backwards", discarded_as, &backwards),
    MOOD_OF("below_min_span", discarded_as, &below_min_span),
    cmocka_unit_test(quantised),
    cmocka_unit_test(quantised_short),
    cmocka_unit_test(rounded),
    cmocka_unit_test(rounded_short),
    MOOD_OF("never_begun", never_begun, &(frame_limits){1, 0}),
    MOOD(overwritten),
    MOOD(twice_in_a_row),
    MOOD(device_lost),
    cmocka_unit_test(mapping_fails),
    MOOD(no_room),
    MOODS_END,
};
