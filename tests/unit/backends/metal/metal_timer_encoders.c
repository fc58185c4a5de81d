/* SPDX-License-Identifier: MIT */
/* Timers around commands of an encoder, where the GPU samples between them. */
#include "tests/unit/backends/metal/metal_timer.h"

static void span(void *commands, void *encoder, user_kind kind, kt_timer *of, int count)
{
    EXPECT_OK(kt_timer_start_metal(of, commands, encoder));
    for (int i = 0; i < count; i++)
        user_work(&u, encoder, kind, 1);
    EXPECT_OK(kt_timer_stop_metal(of, encoder));
}

/* Several in each encoder, of every kind. */
static void encoders(void **state)
{
    kt_timer *short_one = make_timer("short"), *long_one = make_timer("long");
    for (int round = 1; round <= 20; round++) {
        void *commands = user_commands(&u);
        take(round * 100000);
        for (int kind = 0; kind < USER_KIND_COUNT; kind++) {
            void *descriptor = user_pass_descriptor(&u, (user_kind)kind);
            void *encoder = user_begin(&u, commands, (user_kind)kind, descriptor);
            user_work(&u, encoder, (user_kind)kind, 1);
            span(commands, encoder, (user_kind)kind, short_one, 1);
            user_work(&u, encoder, (user_kind)kind, 1);
            span(commands, encoder, (user_kind)kind, long_one, 5);
            user_end(&u, encoder);
            user_release(&u, descriptor);
        }
        EXPECT_HELD(6, 6);
        submit(commands);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        double short_ns = NAN, long_ns = NAN, one_ns = round * 1e5;
        EXPECT_OK(kt_timer_elapsed(short_one, &short_ns));
        EXPECT_OK(kt_timer_elapsed(long_one, &long_ns));
        /* Between commands there may be a gap, of less than 2.5 us each. */
        assert_true(short_ns >= one_ns - slack_ns(one_ns) &&
                    short_ns <= one_ns + slack_ns(one_ns) + 5000);
        assert_true(long_ns >= 5 * one_ns - slack_ns(5 * one_ns) &&
                    long_ns <= 5 * one_ns + slack_ns(5 * one_ns) + 15000);
    }
    EXPECT_COUNTS(120, KT_TIMESTAMP_OK, 0);
    kt_timer_destroy(&short_one);
    kt_timer_destroy(&long_one);
}

/* One within another, and two that overlap. */
static void nested(void **state)
{
    kt_timer *inner = make_timer("inner");
    void *commands = user_commands(&u);
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    take(1000000);
    EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
    user_work(&u, encoder, USER_COMPUTE, 1);
    EXPECT_OK(kt_timer_start_metal(inner, commands, encoder));
    user_work(&u, encoder, USER_COMPUTE, 1);
    EXPECT_OK(kt_timer_stop_metal(timer, encoder));
    user_work(&u, encoder, USER_COMPUTE, 1);
    user_work(&u, encoder, USER_COMPUTE, 1);
    EXPECT_HELD(2, 1);
    EXPECT_OK(kt_timer_stop_metal(inner, encoder));
    user_end(&u, encoder);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    double outer_ns = NAN, inner_ns = NAN;
    EXPECT_OK(kt_timer_elapsed(timer, &outer_ns));
    EXPECT_OK(kt_timer_elapsed(inner, &inner_ns));
    assert_true(outer_ns > 1.99e6 && outer_ns < 2.02e6);
    assert_true(inner_ns > 2.99e6 && inner_ns < 3.03e6);
    kt_timer_destroy(&inner);
}

static void out_of_turn(void **state)
{
    void *commands = user_commands(&u);
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    EXPECT_REFUSED(kt_timer_stop_metal(timer, encoder), KT_INVALID, "was not started");
    EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
    EXPECT_REFUSED(kt_timer_start_metal(timer, commands, encoder), KT_INVALID, "started already");
    double ns;
    EXPECT_REFUSED(kt_timer_elapsed(timer, &ns), KT_NOT_READY, "is running");
    user_work(&u, encoder, USER_COMPUTE, 1);
    EXPECT_REFUSED(kt_timer_stop_metal(timer, commands), KT_INVALID, "in another encoder");
    EXPECT_HELD(1, 0);
    EXPECT_OK(kt_timer_stop_metal(timer, encoder));
    kt_disable();
    EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
    EXPECT_OK(kt_timer_stop_metal(timer, encoder));
    kt_enable();
    user_end(&u, encoder);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

/* The encoder's end is the program's own affair, but what was committed can be told. */
static void stopped_late(void **state)
{
    void *commands = user_commands(&u);
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
    user_work(&u, encoder, USER_COMPUTE, 1);
    user_end(&u, encoder);
    user_commit(&u, commands);
    EXPECT_REFUSED(kt_timer_stop_metal(timer, encoder), KT_INVALID, "was committed already");
    EXPECT_COUNTS(0, KT_TIMESTAMP_ERROR, 1);
    EXPECT_REFUSED(kt_timer_stop_metal(timer, encoder), KT_INVALID, "was not started");
    user_wait(&u, commands);
    user_release(&u, commands);
}

/* A timer that runs when it is destroyed, or when the native is closed, is lost. */
static void never_stopped(void **state)
{
    kt_timer *gone = make_timer("gone");
    void *commands = user_commands(&u);
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    EXPECT_OK(kt_timer_start_metal(gone, commands, encoder));
    kt_timer_destroy(&gone);
    EXPECT_COUNTS(0, KT_TIMESTAMP_LOST, 1);
    EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
    user_work(&u, encoder, USER_COMPUTE, 1);
    kt_timer_context_close(&timer_context);
    EXPECT_REFUSED(kt_timer_stop_metal(timer, encoder), KT_INVALID, "closed");
    user_end(&u, encoder);
    submit(commands);
    let_it_end();
}

/* AMD's and Intel's GPUs do not sample at the ends of passes. */
static void no_stages(void **state)
{
    for (int kind = 0; kind < USER_KIND_COUNT; kind++) {
        void *commands = user_commands(&u);
        void *descriptor = user_pass_descriptor(&u, (user_kind)kind);
        EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, descriptor), KT_UNSUPPORTED,
                       "use kt_timer_start_metal()");
        assert_null(user_sample_buffer(&u, descriptor));
        user_release(&u, descriptor);
        user_release(&u, commands);
    }
    EXPECT_HELD(0, 0);
    assert_int_equal(get_counts().refused, 0);
}

/* Apple's do not sample between commands. */
static void no_boundaries(void **state)
{
    for (int kind = 0; kind < USER_KIND_COUNT; kind++) {
        void *commands = user_commands(&u);
        void *descriptor = user_pass_descriptor(&u, (user_kind)kind);
        void *encoder = user_begin(&u, commands, (user_kind)kind, descriptor);
        EXPECT_REFUSED(kt_timer_start_metal(timer, commands, encoder), KT_UNSUPPORTED,
                       "use kt_timer_pass_metal()");
        EXPECT_OK(kt_timer_stop_metal(timer, encoder)); /* its start was refused */
        user_end(&u, encoder);
        user_release(&u, descriptor);
        user_release(&u, commands);
    }
    EXPECT_HELD(0, 0);
}

const struct CMUnitTest timer_encoder_moods[] = {
    MOOD(encoders),      MOOD(nested),    MOOD(out_of_turn),   MOOD(stopped_late),
    MOOD(never_stopped), MOOD(no_stages), MOOD(no_boundaries), MOODS_END,
};
