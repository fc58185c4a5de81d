/* SPDX-License-Identifier: MIT */
/* Timers of whole command buffers, by the times that Metal tells of them. */
#include "tests/unit/backends/metal/metal_timer.h"

#include <stdlib.h>

/* A command buffer of one dispatch, which is the caller's. */
static void *one_pass(void)
{
    void *commands = user_commands(&u);
    user_pass(&u, commands, USER_COMPUTE, NULL);
    return commands;
}

/* Before it is committed, under way, and long after it has ended. */
static void any_time(void **state)
{
    take(3000000);
    for (int when = 0; when < 3; when++) {
        void *commands = one_pass();
        if (when >= 1)
            user_commit(&u, commands);
        if (when == 2)
            user_wait(&u, commands);
        EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
        if (when == 0)
            user_commit(&u, commands);
        user_release(&u, commands);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        EXPECT_COUNTS((uint64_t)when + 1, KT_TIMESTAMP_OK, 0);
        double ns = NAN;
        EXPECT_OK(kt_timer_elapsed(timer, &ns));
        EXPECT_NEAR(ns, 3e6, 5000);
    }
}

/* For two timers, and twice for one: a span for each call. */
static void each_call(void **state)
{
    kt_timer *other = make_timer("other");
    take(3000000);
    void *commands = one_pass();
    EXPECT_OK(kt_timer_add_metal_commands(other, commands));
    EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
    EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(3, KT_TIMESTAMP_OK, 0);
    double ns = NAN;
    EXPECT_OK(kt_timer_elapsed(other, &ns));
    EXPECT_NEAR(ns, 3e6, 5000);
    kt_timer_destroy(&other);
}

/* All of it: no shorter than its passes, which are timed beside it where they can be. */
static void whole(void **state)
{
    kt_timer *of_all = make_timer("all");
    bool has_gpu = kt_timer_context_get_clock(timer_context, GPU_CLOCK) != NULL &&
                   strstr(getenv("KT_STUB_METAL"), "sampling=apple") != NULL;
    const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, COMMANDS_CLOCK);
    assert_non_null(clock);
    assert_string_equal(clock->name, "command-buffer");
    assert_int_equal(clock->method, KT_METHOD_COMMAND_BUFFER);
    for (int round = 1; round <= 50; round++) {
        void *commands = user_commands(&u);
        take(round * 20000);
        for (int i = 0; i < 3; i++) {
            if (has_gpu)
                pass(commands, USER_COMPUTE, timer);
            else
                user_pass(&u, commands, USER_COMPUTE, NULL);
        }
        EXPECT_OK(kt_timer_add_metal_commands(of_all, commands));
        submit(commands);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        double all_ns = NAN;
        EXPECT_OK(kt_timer_elapsed(of_all, &all_ns));
        assert_true(all_ns >= 3 * round * 2e4 - 3 && all_ns < 3 * round * 2e4 + 20000);
        if (has_gpu)
            EXPECT_NEWEST(timer, round * 2e4);
    }
    kt_timer_destroy(&of_all);
}

/* Its samples are zeros, so they are not to be trusted: what is left is named, and works. */
static void zeros_always(void **state)
{
    assert_null(kt_timer_context_get_clock(timer_context, GPU_CLOCK));
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, descriptor), KT_UNSUPPORTED,
                   "use kt_timer_add_metal_commands()");
    EXPECT_TEXT_HAS(kt_error_text(), "gave zeros");
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    EXPECT_REFUSED(kt_timer_start_metal(timer, commands, encoder), KT_UNSUPPORTED,
                   "use kt_timer_add_metal_commands()");
    EXPECT_OK(kt_timer_stop_metal(timer, encoder));
    user_end(&u, encoder);
    EXPECT_OK(kt_timer_context_calibrate(timer_context)); /* there is nothing to do */
    user_release(&u, descriptor);
    user_release(&u, commands);
}

/* Copies alone have no timestamps to be trusted. */
static void zeros_of_copies(void **state)
{
    void *commands = user_commands(&u), *copies = user_pass_descriptor(&u, USER_BLIT);
    EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, copies), KT_UNSUPPORTED,
                   "of copies its counter sample buffers gave zeros: use kt_timer_add_metal_");
    assert_null(user_sample_buffer(&u, copies));
    user_release(&u, copies);
    for (int kind = 0; kind < USER_KIND_COUNT; kind++)
        if (kind != USER_BLIT) {
            void *descriptor = user_pass_descriptor(&u, kind);
            EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
            user_pass(&u, commands, kind, descriptor);
            user_release(&u, descriptor);
        }
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
}

/* Neither the samples' clock nor what replaces it: an old system. */
static void no_times(void **state)
{
    kt_timer_context *none = NULL;
    open_user();
    const kt_metal_import desc = user_describe(&u);
    EXPECT_STATUS(kt_timer_context_import_metal(&desc, &none), KT_UNSUPPORTED);
    assert_null(none);
    user_close(&u);
}

/* Samples are good, and command buffers tell nothing of when they ran: that clock is missing, and
 * said to be. */
static void only_samples(void **state)
{
    assert_null(kt_timer_context_get_clock(timer_context, COMMANDS_CLOCK));
    assert_non_null(kt_timer_context_get_clock(timer_context, GPU_CLOCK));
    void *commands = encode(1);
    EXPECT_REFUSED(kt_timer_add_metal_commands(timer, commands), KT_UNSUPPORTED,
                   "the command buffers of this GPU have no times");
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

const struct CMUnitTest timer_commands_moods[] = {
    MOOD(any_time),        MOOD(each_call), MOOD(whole),        MOOD(zeros_always),
    MOOD(zeros_of_copies), BARE(no_times),  MOOD(only_samples), MOODS_END,
};
