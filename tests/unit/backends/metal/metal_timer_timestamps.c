/* SPDX-License-Identifier: MIT */
/* What samples can be that are no times: missing, failed, backwards, the same; and counters that
 * begin anew. */
#include "tests/unit/backends/metal/metal_timer.h"

enum { SPANS = 12 };

/* A span of one command, at the ends of a pass or between commands, as the GPU has it, and no
 * longer than that takes to be told. */
static void span(void)
{
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    if (kt_timer_pass_metal(timer, commands, descriptor) == KT_OK) {
        user_pass(&u, commands, USER_COMPUTE, descriptor);
    } else {
        void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
        EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
        user_work(&u, encoder, USER_COMPUTE, 1);
        EXPECT_OK(kt_timer_stop_metal(timer, encoder));
        user_end(&u, encoder);
    }
    user_release(&u, descriptor);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
}

/* The script spoils every sixth sample, or end of a span; importing has taken two spans. */
static void discarded_as(kt_timestamp_state state, uint64_t count)
{
    take(500000);
    for (int i = 0; i < SPANS; i++)
        span();
    EXPECT_COUNTS(SPANS - count, state, count);
    EXPECT_HELD(0, 0);
}

static void zeros(void **state)
{
    discarded_as(KT_TIMESTAMP_ZERO, 4);
}

static void error_values(void **state)
{
    discarded_as(KT_TIMESTAMP_ERROR, 4);
}

static void backwards(void **state)
{
    discarded_as(KT_TIMESTAMP_NEGATIVE, 2);
}

static void equal(void **state)
{
    discarded_as(KT_TIMESTAMP_BELOW_MIN_SPAN, 2);
}

/* One of them fails, with all that is timed in it; its reason is told. */
static void failed_commands(void **state)
{
    unsigned failures = 0;
    for (int i = 0; i < 10; i++) {
        void *commands = encode(2);
        EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
        user_commit(&u, commands);
        user_wait(&u, commands);
        user_release(&u, commands);
        kt_status status = kt_timer_context_wait(timer_context, 0);
        failures += status != KT_OK;
        if (status != KT_OK) {
            EXPECT_STATUS(status, KT_DRIVER_ERROR);
            EXPECT_TEXT_HAS(kt_error_text(), "the command buffer failed: Caused GPU Timeout");
        }
    }
    assert_int_equal(failures, 1);
    EXPECT_COUNTS(27, KT_TIMESTAMP_ERROR, 3);
}

/* A pass in which nothing is encoded is left out, with its samples. */
static void never_encoded(void **state)
{
    void *commands = encode(1), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
    user_end(&u, user_begin(&u, commands, USER_COMPUTE, descriptor));
    EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor)); /* and one that never begins */
    user_release(&u, descriptor);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_ZERO, 2);
}

/* ---- a counter whose width nobody tells ---- */

/* As often as a program with frames would. */
static void calibrate_for(double seconds)
{
    for (int i = 0; i < (int)(seconds * 2); i++) {
        u.stub.advance(INT64_C(500000000));
        EXPECT_OK(kt_timer_context_calibrate(timer_context));
    }
}

/* 32 bits of 83.333 ns are a turn of 358 s. Until one was seen, a span across it cannot be told;
 * after that it is as any other. */
static void turned(void **state)
{
    double ns = NAN;
    const double turn_s = 4294967296.0 * 83.333e-9;
    const double first_s = (4294967296.0 - 705032715.0) * 83.333e-9; /* it begins at 5000000011 */
    take(INT64_C(10000000000));
    calibrate_for(first_s - 5);
    span();
    EXPECT_COUNTS(0, KT_TIMESTAMP_AMBIGUOUS, 1);
    calibrate_for(20);
    assert_int_equal(kt_timer_context_get_clock(timer_context, GPU_CLOCK)->valid_bits, 32);
    calibrate_for(turn_s - 20 - 10);
    span();
    EXPECT_COUNTS(1, KT_TIMESTAMP_AMBIGUOUS, 1);
    EXPECT_OK(kt_timer_elapsed(timer, &ns));
    EXPECT_NEAR(ns, 1e10, slack_ns(1e10) + 5000);
}

/* However long ago it was imported, and whatever the counter shows, a short span is one. */
static void lived_long(void **state)
{
    double ns = NAN;
    take(1000000);
    for (int i = 0; i < 300; i++) {
        span();
        u.stub.advance(INT64_C(7100000000));
        EXPECT_OK(kt_timer_elapsed(timer, &ns));
        EXPECT_NEAR(ns, 1e6, slack_ns(1e6) + 5000);
    }
    EXPECT_COUNTS(300, KT_TIMESTAMP_OK, 0);
}

const struct CMUnitTest timer_timestamp_moods[] = {
    MOOD(zeros),         MOOD(error_values), MOOD(backwards),  MOOD(equal), MOOD(failed_commands),
    MOOD(never_encoded), MOOD(turned),       MOOD(lived_long), MOODS_END,
};
