/* SPDX-License-Identifier: MIT */
/* Timers of passes, by the attachments of their descriptors, and what becomes of command buffers
 * that end late, early or never. */
#include "tests/unit/backends/metal/metal_timer.h"

enum { PASS_NS = 10000 };

/* Many more than one sample buffer has room for, by one descriptor that is used again and again. */
static void often(void **state)
{
    enum { RUNS = 3000, EACH = 3 };
    void *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    for (uint64_t i = 0; i < RUNS; i++) {
        void *commands = user_commands(&u);
        take(PASS_NS + (int64_t)i * 100);
        for (int k = 0; k < EACH; k++) {
            EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
            user_pass(&u, commands, USER_COMPUTE, descriptor);
        }
        EXPECT_HELD(EACH, EACH);
        submit(commands);
        let_it_end();
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(EACH * (i + 1), KT_TIMESTAMP_OK, 0);
        EXPECT_HELD(0, 0);
        EXPECT_NEWEST(timer, PASS_NS + (double)i * 100);
    }
    user_release(&u, descriptor);
}

/* Of a render pass from the start of its vertex stage to the end of its fragment stage. */
static void three_kinds(void **state)
{
    kt_timer *timers[USER_KIND_COUNT] = {make_timer("compute"), make_timer("blit"),
                                         make_timer("render")};
    for (int round = 1; round <= 20; round++) {
        void *commands = user_commands(&u);
        take(round * 50000);
        for (int kind = 0; kind < USER_KIND_COUNT; kind++)
            pass(commands, (user_kind)kind, timers[kind]);
        submit(commands);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        for (int kind = 0; kind < USER_KIND_COUNT; kind++)
            EXPECT_NEWEST(timers[kind], round * 50000);
    }
    EXPECT_COUNTS(60, KT_TIMESTAMP_OK, 0);
    for (int kind = 0; kind < USER_KIND_COUNT; kind++)
        kt_timer_destroy(&timers[kind]);
}

/* From the start of its first command to the end of its last one. */
static void several_commands(void **state)
{
    void *commands = user_commands(&u);
    void *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    take(1000000);
    user_pass(&u, commands, USER_COMPUTE, NULL); /* nobody's */
    EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
    void *encoder = user_begin(&u, commands, USER_COMPUTE, descriptor);
    for (int i = 0; i < 4; i++)
        user_work(&u, encoder, USER_COMPUTE, 8);
    user_end(&u, encoder);
    user_pass(&u, commands, USER_BLIT, NULL);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    double ns = NAN;
    EXPECT_OK(kt_timer_elapsed(timer, &ns));
    assert_true(ns >= 4e6 - slack_ns(4e6) && ns < 4.5e6);
    user_release(&u, descriptor);
}

/* Asked again and again, nothing comes before its command buffer has ended, and nothing is
 * resolved. */
static void late(void **state)
{
    enum { MANY = 12 };
    take(INT64_C(1000000000));
    for (int i = 0; i < MANY; i++)
        submit(encode(2));
    EXPECT_HELD(2 * MANY, 2 * MANY);
    for (uint64_t done = 0; done < MANY; done++) {
        for (int i = 0; i < 5; i++)
            EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(2 * done, KT_TIMESTAMP_OK, 0);
        uint64_t more = 0;
        for (int i = 0; i < 100 && more == 0; i++) {
            u.stub.advance(INT64_C(50000000));
            EXPECT_OK(kt_collect(timer_context));
            more = get_counts().recorded - 2 * done;
        }
        assert_int_equal(more, 2);
        EXPECT_NEWEST(timer, 1e9);
    }
    EXPECT_HELD(0, 0);
}

/* What is filled last is committed first; what is in front of it is not waited for. */
static void any_order(void **state)
{
    kt_timer *other = make_timer("other");
    void *first = encode(2), *second = user_commands(&u);
    pass(second, USER_BLIT, other);
    submit(second);
    EXPECT_OK(kt_timer_wait(other, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_STATUS(kt_timer_wait(timer, 1000000), KT_TIMEOUT);
    EXPECT_HELD(2, 2);
    submit(first);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(3, KT_TIMESTAMP_OK, 0);
    kt_timer_destroy(&other);
}

/* The timer goes first; its span still counts. */
static void timer_gone(void **state)
{
    kt_timer *other = make_timer("gone");
    void *commands = user_commands(&u);
    pass(commands, USER_COMPUTE, other);
    kt_timer_destroy(&other);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

static uint64_t lost_of(const char *name)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, name, KT_BACKEND_METAL);
    uint64_t count = row ? row->discarded[KT_TIMESTAMP_LOST] : 0;
    kt_snapshot_destroy(&snapshot);
    return count;
}

/* Closed with passes that were only filled, encoded, and under way: all are lost. The GPU goes on
 * to write into buffers that nobody but their command buffers has. */
static void left_open(void **state)
{
    void *filled = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_RENDER);
    EXPECT_OK(kt_timer_pass_metal(timer, filled, descriptor));
    void *encoded = encode(2);
    take(INT64_C(1000000000));
    void *under_way = encode(4);
    user_commit(&u, under_way);
    EXPECT_HELD(7, 7);
    kt_timer_context_close(&timer_context);
    assert_int_equal(lost_of("pass"), 7);
    EXPECT_STATUS(kt_timer_context_discard_metal(timer_context, encoded), KT_UNAVAILABLE);
    EXPECT_REFUSED(kt_timer_pass_metal(timer, encoded, descriptor), KT_INVALID, "closed");
    let_it_end();
    user_wait(&u, under_way);
    submit(encoded);
    user_release(&u, under_way);
    user_release(&u, filled);
    user_release(&u, descriptor);
    let_it_end();
}

/* The native is closed first. */
static void committed_later(void **state)
{
    void *commands = encode(3);
    kt_timer_context_close(&timer_context);
    assert_int_equal(lost_of("pass"), 3);
    user_commit(&u, commands);
    let_it_end();
    user_wait(&u, commands);
    user_release(&u, commands);
}

/* A command buffer that will not be committed gives back its spans, those of passes and its own. */
static void discarded(void **state)
{
    void *kept = encode(1);
    for (int i = 0; i < 5000; i++) {
        void *commands = encode(2);
        EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
        EXPECT_HELD(4, 4);
        EXPECT_OK(kt_timer_context_discard_metal(timer_context, commands));
        EXPECT_OK(kt_timer_context_discard_metal(timer_context, commands));
        user_release(&u, commands);
        EXPECT_HELD(1, 1);
    }
    submit(kept);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().refused, 0);
}

/* ---- descriptors that are kept ---- */

/* What a refusal leaves is as without a timer; a sample buffer of the program's own is left
 * alone. */
static void unfilled(void **state)
{
    for (int kind = 0; kind < USER_KIND_COUNT; kind++) {
        void *descriptor = user_pass_descriptor(&u, (user_kind)kind);
        void *commands = user_commands(&u), *own = user_make_sample_buffer(&u);
        EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
        assert_non_null(user_sample_buffer(&u, descriptor));
        EXPECT_REFUSED(kt_timer_pass_metal(timer, NULL, descriptor), KT_INVALID,
                       "no command buffer");
        assert_null(user_sample_buffer(&u, descriptor));
        EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
        kt_disable();
        EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
        assert_null(user_sample_buffer(&u, descriptor));
        kt_enable();
        user_set_sample_buffer(&u, descriptor, own);
        EXPECT_REFUSED(kt_timer_pass_metal(timer, commands, descriptor), KT_INVALID,
                       "a sample buffer of the program's own");
        assert_ptr_equal(user_sample_buffer(&u, descriptor), own);
        kt_disable();
        EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
        assert_ptr_equal(user_sample_buffer(&u, descriptor), own);
        kt_enable();
        EXPECT_OK(kt_timer_context_discard_metal(timer_context, commands));
        EXPECT_HELD(0, 0);
        user_release(&u, own);
        user_release(&u, commands);
        user_release(&u, descriptor);
    }
}

/* By a descriptor whose sample buffer kerntime has given back long ago, or another native's. */
static void kept_descriptor(void **state)
{
    void *descriptor = user_pass_descriptor(&u, USER_COMPUTE), *commands = user_commands(&u);
    EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
    EXPECT_OK(kt_timer_context_discard_metal(timer_context, commands));
    user_release(&u, commands);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    assert_non_null(user_sample_buffer(&u, descriptor));
    open_timer_context(0);
    commands = user_commands(&u);
    take(77000);
    EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
    user_pass(&u, commands, USER_COMPUTE, descriptor);
    submit(commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_NEWEST(timer, 77000);
    user_release(&u, descriptor);
}

const struct CMUnitTest timer_pass_moods[] = {
    MOOD(often),     MOOD(three_kinds), MOOD(several_commands), MOOD(late),
    MOOD(any_order), MOOD(timer_gone),  MOOD(left_open),        MOOD(committed_later),
    MOOD(discarded), MOOD(unfilled),    MOOD(kept_descriptor),  MOODS_END,
};
