/* SPDX-License-Identifier: MIT */
/*
 * What queries still show of the run before, while the next one is on its way: never taken for the
 * new run. Commands are held, so the tests stand still after each of them.
 */
#include "tests/unit/backends/vulkan/vulkan_timer.h"

enum { COMMANDS = 5 }; /* reset, timestamp, copy, barrier, timestamp */

/* Executes `count` commands, and sees what is collected by then. */
static void step(uint64_t count)
{
    nap();
    u.vk.vkStubExecute(u.queue, count);
    EXPECT_OK(kt_collect(timer_context));
}

/* Wherever the second run stands when it is asked for; it takes 700 ns more, for the clock moves on
 * within it. */
static void run_before(void **state)
{
    record_copies(&w, recording, timer, 1);
    for (uint64_t run = 0; run < 2 * COMMANDS; run++) {
        bool taken_in = run & 1; /* else by the submission of the next run */
        uint64_t stop = run / 2; /* where the host looks more often */
        EXPECT_OK(kt_recording_submit(recording));
        EXPECT_COUNTS(2 * run, KT_TIMESTAMP_OK, 0);
        work_submit(&u, &w);
        finish(&w);
        if (taken_in)
            step(0);
        EXPECT_OK(kt_recording_submit(recording));
        work_submit(&u, &w);
        EXPECT_COUNTS(2 * run + 1, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1000);
        for (int ask = 0; ask < 3; ask++)
            step(0);
        for (uint64_t at = 0; at < COMMANDS; at++) {
            EXPECT_COUNTS(2 * run + 1, KT_TIMESTAMP_OK, 0);
            EXPECT_NEWEST(timer, 1000);
            if (at == 3) /* the copy is done, its end not timestamped */
                u.vk.vkStubAdvance(700);
            u.vk.vkStubExecute(u.queue, 1);
            if (at >= stop)
                step(0);
        }
        assert_true(work_has_ended(&u, &w));
        EXPECT_COUNTS(2 * run + 2, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1700);
    }
}

/* Asked for at each moment of each run, in which a query may say what it does not hold yet. */
static void each_moment(void **state)
{
    record_copies(&w, recording, timer, 1);
    for (uint64_t run = 1; run <= 4; run++) {
        submit(&w, recording);
        while (u.vk.vkStubExecute(u.queue, 0) > 0) {
            EXPECT_COUNTS(run - 1, KT_TIMESTAMP_OK, 0);
            step(1);
        }
        assert_true(work_has_ended(&u, &w));
        EXPECT_COUNTS(run, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1000);
    }
}

/* The run passes while its queries are read: first the start of the run before, then the new
 * end. */
static void two_moments(void **state)
{
    record_copies(&w, recording, timer, 1);
    for (uint64_t run = 1; run <= 4; run++) {
        submit(&w, recording);
        step(0);
        EXPECT_COUNTS(run - 1, KT_TIMESTAMP_OK, 0);
        assert_true(work_has_ended(&u, &w));
        step(0);
        EXPECT_COUNTS(run, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1000);
    }
}

/* The span that has ended is taken in while a later one of the same run still shows the run
 * before. */
static void span_by_span(void **state)
{
    kt_timer *last = make_timer("last");
    begin(&w, recording);
    record_span(&w, recording, timer, 1);
    record_span(&w, recording, last, 1);
    work_end(&u, &w);
    for (uint64_t run = 0; run < 4; run++) {
        submit(&w, recording);
        step(0);
        EXPECT_COUNTS(2 * run, KT_TIMESTAMP_OK, 0);
        step(5); /* reset, timestamp, copy, barrier, timestamp */
        EXPECT_COUNTS(2 * run + 1, KT_TIMESTAMP_OK, 0);
        step(3);
        EXPECT_COUNTS(2 * run + 1, KT_TIMESTAMP_OK, 0);
        step(1);
        EXPECT_COUNTS(2 * run + 2, KT_TIMESTAMP_OK, 0);
        assert_true(work_has_ended(&u, &w));
    }
    kt_timer_destroy(&last);
}

/* The queries of a recording are those of the one before it, also of commands elsewhere. */
static void recording_before(void **state)
{
    work second;
    work_open(&u, &second);
    run_copies(1);
    record_copies(&second, recording, timer, 2);
    submit(&second, recording);
    for (int ask = 0; ask < 3; ask++)
        step(0);
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    finish(&second);
    step(0);
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 2000);
    work_close(&u, &second);
}

/* ---- runs that are not timed ---- */

static void expect_refused(void)
{
    EXPECT_STATUS(kt_recording_submit(recording), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "have not ended");
}

/* The driver has not told of the run's timestamps when it is submitted again. */
static void overwritten(void **state)
{
    double unused_ns;
    run_copies(1);
    expect_refused();
    EXPECT_COUNTS(0, KT_TIMESTAMP_OVERWRITTEN, 1);
    EXPECT_STATUS(kt_timer_elapsed(timer, &unused_ns), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "overwritten");
    work_submit(&u, &w); /* as the program may do all the same */
    finish(&w);
    for (int ask = 0; ask < LATE_ASKS; ask++)
        step(0);
    EXPECT_COUNTS(0, KT_TIMESTAMP_OVERWRITTEN, 1);
    expect_row("copy", 0, KT_TIMESTAMP_OVERWRITTEN, 1);
}

/* What was refused has run, and its timestamps are there when the next run is on its way. */
static void refused_before(void **state)
{
    record_copies(&w, recording, timer, 1);
    for (uint64_t round = 1; round <= 3; round++) {
        submit(&w, recording);
        expect_refused();
        EXPECT_COUNTS(round - 1, KT_TIMESTAMP_OVERWRITTEN, round);
        finish(&w);
        work_submit(&u, &w);
        finish(&w);
        submit(&w, recording);
        for (int ask = 0; ask < 3; ask++)
            step(0);
        EXPECT_COUNTS(round - 1, KT_TIMESTAMP_OVERWRITTEN, round);
        u.vk.vkStubExecute(u.queue, 3);
        u.vk.vkStubAdvance(round);
        finish(&w);
        step(0);
        EXPECT_COUNTS(round, KT_TIMESTAMP_OVERWRITTEN, round);
        EXPECT_NEWEST(timer, 1000 + (double)round);
    }
}

/* The first run of all, refused for a span that was not stopped, has timestamped the one that was. */
static void unfinished_before(void **state)
{
    kt_timer *open = make_timer("open");
    begin(&w, recording);
    record_span(&w, recording, timer, 1);
    EXPECT_OK(kt_recording_start(recording, open));
    work_end(&u, &w);
    EXPECT_STATUS(kt_recording_submit(recording), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "\"open\" was not stopped");
    work_submit(&u, &w); /* as the program may do all the same */
    finish(&w);
    record_copies(&w, recording, timer, 2);
    submit(&w, recording);
    step(0);
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    finish(&w);
    step(0);
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 2000);
    kt_timer_destroy(&open);
}

/* The same of a run of which nothing was said: nobody asked for it to be timed. */
static void unreported_before(void **state)
{
    run_copies(1);
    step(0);
    work_submit(&u, &w);
    finish(&w);
    submit(&w, recording);
    step(0);
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    u.vk.vkStubExecute(u.queue, 3);
    u.vk.vkStubAdvance(5);
    finish(&w);
    step(0);
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 1005);
}

/* Asking failed once (vkGetQueryPoolResults:1), and the run's timestamps show up later. */
static void failed_before(void **state)
{
    run_copies(1);
    EXPECT_STATUS(kt_collect(timer_context), KT_NO_MEMORY);
    EXPECT_TEXT_HAS(kt_error_text(), "vkGetQueryPoolResults");
    kt_timer_context_counts counts = get_counts();
    submit(&w, recording);
    for (int ask = 0; ask < 3; ask++)
        step(0);
    uint64_t before = get_counts().recorded;
    assert_true(before + counts.discarded[KT_TIMESTAMP_ERROR] == 1);
    u.vk.vkStubExecute(u.queue, 3);
    u.vk.vkStubAdvance(5);
    finish(&w);
    step(0);
    assert_int_equal(get_counts().recorded, before + 1);
    EXPECT_NEWEST(timer, 1005);
}

const struct CMUnitTest timer_stale_moods[] = {
    MOOD(run_before),
    MOOD(each_moment),
    MOOD(two_moments),
    MOOD(span_by_span),
    MOOD(recording_before),
    MOOD(overwritten),
    MOOD(refused_before),
    MOOD(unfinished_before),
    MOOD(unreported_before),
    MOOD(failed_before),
    MOODS_END,
};
