/* SPDX-License-Identifier: MIT */
/* What is no device, command buffer, descriptor or encoder, and the sentence that it gets;
 * limits. */
#include "tests/unit/backends/metal/metal_timer.h"

#include <kerntime/timer/cpu.h>

static void refused_import(void *device, const char *sentence)
{
    kt_timer_context *none = NULL;
    kt_metal_import desc = user_describe(&u);
    desc.device = device;
    EXPECT_REFUSED(kt_timer_context_import_metal(&desc, &none), KT_INVALID, sentence);
    assert_null(none);
}

static void bad_imports(void **state)
{
    kt_timer_context *none = NULL;
    open_user();
    refused_import(NULL, "no device to import");
    refused_import(u.queue, "no device of Metal");
    kt_metal_import desc = user_describe(&u);
    desc.size = 0;
    EXPECT_REFUSED(kt_timer_context_import_metal(&desc, &none), KT_INVALID,
                   "the member size of kt_metal_import is not set");
    user_close(&u);
}

/* Timers of another API, and command buffers of another device. */
static void strangers(void **state)
{
    kt_timer_context *cpu = NULL;
    kt_timer *of_cpu = NULL;
    EXPECT_OK(kt_timer_context_import_cpu(&cpu));
    EXPECT_OK(kt_timer_create(cpu, "cpu", &of_cpu));
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    void *other = user_find_device(&u, 1), *own = u.device, *own_queue = u.queue;
    EXPECT_REFUSED(kt_timer_pass_metal(of_cpu, commands, descriptor), KT_INVALID,
                   "timer \"cpu\" is not of Metal");
    EXPECT_REFUSED(kt_timer_add_metal_commands(of_cpu, commands), KT_INVALID, "not of Metal");
    EXPECT_REFUSED(kt_timer_start_metal(of_cpu, commands, commands), KT_INVALID, "not of Metal");
    EXPECT_REFUSED(kt_timer_context_discard_metal(cpu, commands), KT_INVALID, "no device of Metal");
    EXPECT_OK(kt_timer_context_calibrate(cpu));
    EXPECT_OK(
        kt_timer_context_discard_metal(timer_context, commands)); /* without spans: no mistake */
    assert_non_null(other);
    u.device = other;
    u.queue = user_make_queue(&u);
    void *foreign = user_commands(&u);
    EXPECT_REFUSED(kt_timer_pass_metal(timer, foreign, descriptor), KT_INVALID,
                   "of another device");
    EXPECT_REFUSED(kt_timer_add_metal_commands(timer, foreign), KT_INVALID, "of another device");
    user_release(&u, foreign);
    user_release(&u, u.queue);
    user_release(&u, other);
    u.device = own;
    u.queue = own_queue;
    user_release(&u, commands);
    user_release(&u, descriptor);
    kt_timer_destroy(&of_cpu);
    kt_timer_context_close(&cpu);
}

static void wrong_objects(void **state)
{
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    EXPECT_REFUSED(kt_timer_pass_metal(timer, descriptor, descriptor), KT_INVALID,
                   "no command buffer");
    EXPECT_REFUSED(kt_timer_pass_metal(timer, u.queue, descriptor), KT_INVALID,
                   "no command buffer");
    EXPECT_REFUSED(kt_timer_add_metal_commands(timer, u.device), KT_INVALID, "no command buffer");
    EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, commands), KT_INVALID,
                   "no pass descriptor");
    EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, NULL), KT_INVALID,
                   "timer \"pass\": no pass descriptor");
    EXPECT_REFUSED(kt_timer_start_metal(timer, commands, descriptor), KT_INVALID,
                   "no encoder of compute, blit or render commands");
    EXPECT_OK(kt_timer_stop_metal(timer, descriptor)); /* its start was refused */
    EXPECT_REFUSED(kt_timer_context_discard_metal(timer_context, NULL), KT_INVALID,
                   "no command buffer");
    EXPECT_REFUSED(kt_timer_start(timer, commands), KT_UNSUPPORTED, "kt_timer_pass_metal()");
    EXPECT_STATUS(kt_timer_pass_metal(NULL, commands, descriptor), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_add_metal_commands(NULL, commands), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_context_calibrate(NULL), KT_UNAVAILABLE);
    EXPECT_HELD(0, 0);
    assert_int_equal(get_counts().refused, 0);
    user_release(&u, commands);
    user_release(&u, descriptor);
}

/* What is committed takes no more passes; its times may still be asked for. */
static void committed(void **state)
{
    void *commands = encode(1), *descriptor = user_pass_descriptor(&u, USER_BLIT);
    user_commit(&u, commands);
    EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, descriptor), KT_INVALID,
                   "committed already");
    assert_null(user_sample_buffer(&u, descriptor));
    EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    user_release(&u, commands);
    user_release(&u, descriptor);
}

static void caps(void **state)
{
    open_user();
    open_timer_context(3);
    void *commands = encode(2), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
    EXPECT_REFUSED(kt_timer_add_metal_commands(timer, commands), KT_LIMIT, "3 spans are pending");
    EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, descriptor), KT_LIMIT,
                   "3 spans are pending");
    assert_int_equal(get_counts().refused, 2);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(3, KT_TIMESTAMP_OK, 0);
    user_release(&u, descriptor);
    tear_down(NULL);
}

/* Samples of 16 buffers at once, two for each span; all come back. */
static void too_many(void **state)
{
    enum { MOST = 16 * 4096 / 2 };
    void *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    for (int round = 0; round < 2; round++) {
        void *commands = user_commands(&u);
        for (int i = 0; i < MOST; i++)
            EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
        EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, descriptor), KT_LIMIT,
                       "all of 16 counter sample buffers are in use: call kt_collect() more often, "
                       "and kt_timer_context_discard_metal()");
        assert_null(user_sample_buffer(&u, descriptor));
        assert_int_equal(get_counts().refused, round + 1);
        EXPECT_HELD(MOST, MOST);
        EXPECT_OK(kt_timer_context_discard_metal(timer_context, commands));
        EXPECT_HELD(0, 0);
        user_release(&u, commands);
    }
    user_release(&u, descriptor);
    submit(encode(1));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

/* The program has the last that Metal makes. */
static void none_left(void **state)
{
    void *own = user_make_sample_buffer(&u);
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, descriptor), KT_LIMIT,
                   "Metal makes no more counter sample buffers: too many sample buffers: cannot "
                   "allocate another one: call kt_collect() more often");
    EXPECT_HELD(0, 0);
    assert_int_equal(get_counts().refused, 1);
    user_release(&u, own);
    EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
    user_pass(&u, commands, USER_COMPUTE, descriptor);
    user_release(&u, descriptor);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

const struct CMUnitTest timer_misuse_moods[] = {
    BARE(bad_imports), MOOD(strangers), MOOD(wrong_objects), MOOD(committed),
    BARE(caps),        MOOD(too_many),  MOOD(none_left),     MOODS_END,
};
