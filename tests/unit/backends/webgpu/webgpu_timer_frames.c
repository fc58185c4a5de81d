/* SPDX-License-Identifier: MIT */
/* Frames: a submission each, many under way, used again, and what their timestamps say. */
#include "tests/unit/backends/webgpu/webgpu_timer.h"

#define ALL UINT64_MAX

/* One frame is enough for any number of submissions that are taken in one after another. */
static void often(void **state)
{
    enum { RUNS = 1000 };
    kt_snapshot *snapshot = NULL;
    for (uint64_t i = 0; i < RUNS; i++) {
        submit(encode(3));
        EXPECT_HELD(3, 3);
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(3 * (i + 1), KT_TIMESTAMP_OK, 0);
        EXPECT_HELD(0, 0);
        EXPECT_NEWEST(timer, PASS_NS);
    }
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, "pass", KT_BACKEND_WEBGPU);
    assert_non_null(row);
    assert_int_equal(row->count, 3 * RUNS);
    assert_true(row->min_ns == PASS_NS && row->max_ns == PASS_NS);
    kt_snapshot_destroy(&snapshot);
}

/* Eight under way, of two passes each; the device gets on by three, then by all. */
static void many_late(void **state)
{
    WGPUPassTimestampWrites writes;
    for (int i = 0; i < KT_WEBGPU_FRAMES_DEFAULT; i++)
        submit(encode(2));
    EXPECT_HELD(16, 16);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    WGPUCommandEncoder ninth = user_encode(&u);
    for (uint64_t i = 1; i <= 2; i++) {
        assert_null(kt_timer_pass_webgpu(timer, ninth, &writes));
        EXPECT_TEXT_HAS(kt_error_text(), "8 encoders with passes that are timed are pending");
        assert_int_equal(get_counts().refused, i);
    }
    EXPECT_HELD(16, 16);
    u.wgpu.wgpuStubExecute(u.queue, 3);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(6, KT_TIMESTAMP_OK, 0);
    pass(ninth, timer);
    submit(ninth);
    EXPECT_STATUS(kt_timer_context_wait(timer_context, 1000000), KT_TIMEOUT);
    u.wgpu.wgpuStubExecute(u.queue, ALL);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(17, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().refused, 2);
}

/* The library itself is late with its answers. */
static void come_late(void **state)
{
    submit(encode(2));
    for (int i = 0; i < 5; i++) {
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    }
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
}

/* Passes of two encoders by turns, submitted the other way round, and said of both at once. */
static void mixed(void **state)
{
    kt_timer *other = NULL;
    EXPECT_OK(kt_timer_create(timer_context, "other", &other));
    WGPUCommandEncoder a = encode(1), b = encode(1);
    pass(a, other);
    user_pass(&u, b, NULL, 0);
    pass(b, timer);
    pass(a, timer);
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, b));
    user_submit(&u, b);
    EXPECT_OK(
        kt_timer_context_submitted_webgpu(timer_context, NULL)); /* of b alone: a is not resolved */
    EXPECT_HELD(5, 2);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    EXPECT_HELD(3, 0);
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, a));
    user_submit(&u, a);
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, NULL));
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, NULL)); /* nothing is left */
    EXPECT_OK(kt_timer_wait(other, 0));
    EXPECT_COUNTS(5, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(other, PASS_NS);
    kt_timer_destroy(&other);
}

/* The timer goes first; its span still counts. */
static void timer_gone(void **state)
{
    kt_timer *other = NULL;
    EXPECT_OK(kt_timer_create(timer_context, "gone", &other));
    WGPUCommandEncoder encoder = user_encode(&u);
    pass(encoder, other);
    kt_timer_destroy(&other);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

static uint64_t lost_of(const char *name)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, name, KT_BACKEND_WEBGPU);
    uint64_t count = row ? row->discarded[KT_TIMESTAMP_LOST] : 0;
    kt_snapshot_destroy(&snapshot);
    return count;
}

/* Closed with one encoder that was only filled, one resolved, one submitted, one under way: all are
 * lost. */
static void left_open(void **state)
{
    WGPUCommandEncoder filled = encode(1), resolved = encode(2), submitted = encode(4);
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, resolved));
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, submitted));
    user_submit(&u, submitted);
    submit(encode(8));
    EXPECT_HELD(15, 8);
    kt_timer_context_close(&timer_context);
    assert_int_equal(lost_of("pass"), 15);
    EXPECT_STATUS(kt_timer_context_submitted_webgpu(timer_context, NULL), KT_UNAVAILABLE);
    WGPUPassTimestampWrites writes;
    assert_null(kt_timer_pass_webgpu(timer, filled, &writes));
    EXPECT_TEXT_HAS(kt_error_text(), "closed");
    u.wgpu.wgpuCommandEncoderRelease(filled);
    u.wgpu.wgpuCommandEncoderRelease(resolved);
    u.wgpu.wgpuStubExecute(u.queue, ALL);
}

/* An encoder that will not be submitted gives back its frame and its spans. */
static void discarded(void **state)
{
    for (int i = 0; i < 10; i++) {
        WGPUCommandEncoder encoder = encode(2);
        if (i & 1)
            EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, encoder));
        EXPECT_OK(kt_timer_context_discard_webgpu(timer_context, encoder));
        EXPECT_OK(kt_timer_context_discard_webgpu(timer_context, encoder));
        u.wgpu.wgpuCommandEncoderRelease(encoder);
        EXPECT_HELD(0, 0);
    }
    submit(encode(1));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().refused, 0);
}

const struct CMUnitTest timer_frame_moods[] = {
    MOOD_OF("often", often, &(frame_limits){1, 3}),
    MOOD(many_late),
    MOOD(come_late),
    MOOD(mixed),
    MOOD(timer_gone),
    MOOD(left_open),
    MOOD_OF("discarded", discarded, &(frame_limits){1, 0}),
    MOODS_END,
};
