/* SPDX-License-Identifier: MIT */
/* Recorded once and submitted often, and whatever else is right. The stub's copy takes 1000 ticks
 * of 1 ns. */
#include "tests/unit/backends/vulkan/vulkan_timer.h"

#include <math.h>

/* ---- one recording, many runs ---- */

static void often(void **state)
{
    kt_snapshot *snapshot = NULL;
    record_copies(&w, recording, timer, 1);
    for (uint64_t i = 1; i <= 100; i++) {
        run_again();
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(i, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1000);
    }
    const kt_row *row = find_row(&snapshot, "copy", 100);
    EXPECT_NUMBER(row->total_ns, 100000);
    EXPECT_NUMBER(row->min_ns, 1000);
    EXPECT_NUMBER(row->max_ns, 1000);
    EXPECT_NUMBER(row->last_ns, 1000);
    EXPECT_NUMBER(row->stddev_ns, 0);
    kt_snapshot_destroy(&snapshot);
}

/* Each submission takes in the run before; nobody else asks. */
static void often_uncollected(void **state)
{
    double unused_ns;
    record_copies(&w, recording, timer, 1);
    for (uint64_t i = 0; i < 100; i++) {
        submit(&w, recording);
        EXPECT_COUNTS(i, KT_TIMESTAMP_OK, 0);
        if (i == 0) {
            EXPECT_STATUS(kt_timer_elapsed(timer, &unused_ns), KT_NOT_READY);
            EXPECT_TEXT_HAS(kt_error_text(), "copy");
        }
        finish(&w);
    }
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(100, KT_TIMESTAMP_OK, 0);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(100, KT_TIMESTAMP_OK, 0);
}

/* The driver answers that the timestamps are not there for a while after the end. */
static void come_late(void **state)
{
    record_copies(&w, recording, timer, 1);
    for (uint64_t i = 1; i <= 5; i++) {
        run_again();
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(i - 1, KT_TIMESTAMP_OK, 0);
        for (int ask = 0; ask < LATE_ASKS; ask++)
            EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(i, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1000);
    }
}

/* ---- several spans ---- */

static void several_spans(void **state)
{
    kt_snapshot *snapshot = NULL;
    double outer_ns;
    kt_timer *around = make_timer("around"), *empty = make_timer("empty");
    work_begin(&u, &w, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    EXPECT_OK(kt_recording_begin_vulkan(recording, w.buffer,
                                        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
    EXPECT_OK(kt_recording_start(recording, around));
    for (unsigned copies = 1; copies <= 3; copies++)
        record_span(&w, recording, timer, copies);
    EXPECT_OK(kt_recording_stop(recording, around));
    record_span(&w, recording, empty, 0);
    work_end(&u, &w);
    EXPECT_HELD(5, 0);
    submit(&w, recording);
    EXPECT_HELD(5, 5);
    finish(&w);
    EXPECT_HELD(5, 5); /* until they are taken in */
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_HELD(5, 0); /* until it is reset */
    EXPECT_COUNTS(5, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 3000);
    EXPECT_NEWEST(empty, 1); /* empty_ticks */
    /* 6 copies, and a timestamp of up to 16 ticks before each of the spans within. */
    EXPECT_OK(kt_timer_elapsed(around, &outer_ns));
    assert_true(outer_ns >= 6000 && outer_ns <= 6000 + 4 * 17);
    const kt_row *row = find_row(&snapshot, "copy", 3);
    EXPECT_NUMBER(row->min_ns, 1000);
    EXPECT_NUMBER(row->mean_ns, 2000);
    EXPECT_NUMBER(row->max_ns, 3000);
    kt_snapshot_destroy(&snapshot);
    kt_timer_destroy(&around);
    kt_timer_destroy(&empty);
}

/* Two frames in flight, of the same timer; the second one's results are asked for before the first
 * one's. */
static void two_recordings(void **state)
{
    work second;
    kt_recording *other = make_recording(2);
    work_open(&u, &second);
    record_copies(&w, recording, timer, 1);
    record_copies(&second, other, timer, 2);
    submit(&w, recording);
    submit(&second, other);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    u.vk.vkStubExecute(u.queue, 5); /* reset, timestamp, copy, barrier, timestamp */
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 1000);
    finish(&w);
    finish(&second);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 2000);
    kt_recording_destroy(&other);
    work_close(&u, &second);
}

/* Spans by the thousand within one that lasts, a million in all; those that come late are lost no
 * more than others. */
static void a_million(void **state)
{
    enum { SPANS = 65536, ALL = 16 };
    open_user();
    work_open(&u, &w);
    timer_context = user_import(&u, 0);
    timer = make_timer("empty");
    kt_timer *around = make_timer("around");
    recording = make_recording(SPANS);
    begin(&w, recording);
    EXPECT_OK(kt_recording_start(recording, around));
    for (int i = 1; i < SPANS; i++)
        record_span(&w, recording, timer, 0);
    EXPECT_STATUS(kt_recording_start(recording, timer), KT_LIMIT);
    EXPECT_OK(kt_recording_stop(recording, around));
    work_end(&u, &w);
    for (uint64_t run = 1; run <= ALL; run++) {
        run_again();
        EXPECT_OK(kt_timer_wait(timer, 0));
        EXPECT_OK(kt_timer_wait(around, 0));
        EXPECT_COUNTS(run * SPANS, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1);
        EXPECT_NEWEST(around, 2 * SPANS - 1); /* a tick for each timestamp but its first */
    }
    EXPECT_HELD(SPANS, 0);
    kt_timer_destroy(&around);
    close_all();
}

/* ---- recorded anew ---- */

/* More spans than ever before, then fewer: each has timestamps of its own. */
static void anew(void **state)
{
    static const unsigned counts[] = {1, 5, 2, 64, 1};
    uint64_t all = 0;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        begin(&w, recording);
        for (unsigned i = 0; i < counts[k]; i++)
            record_span(&w, recording, timer, 1);
        work_end(&u, &w);
        run_again();
        run_again();
        all += 2 * counts[k];
        if (k & 1) /* else beginning anew takes it in */
            continue;
        EXPECT_OK(kt_recording_reset(recording));
        EXPECT_COUNTS(all, KT_TIMESTAMP_OK, 0);
        EXPECT_HELD(0, 0);
        EXPECT_NEWEST(timer, 1000);
    }
}

/* ---- spans that nobody submits, and ends ---- */

static void never_submitted(void **state)
{
    for (int i = 0; i < 3; i++) {
        record_copies(&w, recording, timer, 1);
        EXPECT_HELD(1, 0);
    }
    EXPECT_OK(kt_recording_reset(recording));
    EXPECT_HELD(0, 0);
    EXPECT_OK(kt_recording_reset(recording));
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    EXPECT_OK(kt_timer_wait(timer, 1)); /* there is nothing to wait for */
}

/* What has ended is taken in by whoever ends it; what has not counts as lost. */
static void ends(void **state)
{
    record_copies(&w, recording, timer, 1);
    submit(&w, recording);
    kt_timer_destroy(&timer);
    finish(&w);
    kt_recording_destroy(&recording);
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_HELD(0, 0);
    timer = make_timer("copy");
    recording = make_recording(0);
    run_copies(1);
    kt_timer_context_close(&timer_context);
    expect_row("copy", 2, KT_TIMESTAMP_OK, 0);
}

/* By then the spans of a driver that never answers are lost, and counted. */
static void ends_without_timestamps(void **state)
{
    run_copies(1);
    kt_recording_destroy(&recording);
    EXPECT_COUNTS(0, KT_TIMESTAMP_LOST, 1);
    recording = make_recording(0);
    run_copies(1);
    EXPECT_OK(kt_recording_reset(recording));
    EXPECT_COUNTS(0, KT_TIMESTAMP_LOST, 2);
    run_copies(1);
    kt_timer_context_close(&timer_context);
    expect_row("copy", 0, KT_TIMESTAMP_LOST, 3);
}

const struct CMUnitTest timer_run_moods[] = {
    MOOD(often),          MOOD(often_uncollected),       MOOD(come_late), MOOD(several_spans),
    MOOD(two_recordings), cmocka_unit_test(a_million),   MOOD(anew),      MOOD(never_submitted),
    MOOD(ends),           MOOD(ends_without_timestamps), MOODS_END,
};
