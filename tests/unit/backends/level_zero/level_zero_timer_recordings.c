/* SPDX-License-Identifier: MIT */
/* Recordings in regular lists: run often, recorded anew, overwritten, and what is still there of
 * the run before. */
#include "tests/unit/backends/level_zero/level_zero_timer.h"

/* Timestamps of lists and of events, by turns. */
static void record_kind(bool by_event)
{
    if (by_event)
        record_event(recording, timer, &later);
    else
        record_span(recording, timer, &later, 1);
}

static void often(void **state)
{
    uint64_t runs = 0;
    for (int by_event = 0; by_event < 2; by_event++) {
        record_kind(by_event);
        for (uint64_t i = 1; i <= 50; i++) {
            take(100 * i);
            run_recorded(recording, &later);
            assert_int_equal(last_ticks(), 100 * i);
            if (i % 3 == 0) /* the next submission takes it in */
                continue;
            EXPECT_OK(kt_collect(timer_context));
            EXPECT_COUNTS(runs + i, KT_TIMESTAMP_OK, 0);
            assert_int_equal(NEWEST_TICKS(timer, by_event ? KERNEL : GLOBAL), 100 * i);
        }
        runs += 50;
        EXPECT_COUNTS(runs, KT_TIMESTAMP_OK, 0);
        assert_int_equal(get_counts().pending, 1);
    }
}

/* Several timers, one within another, one twice, and both ways of taking timestamps beside each other. */
static void several_spans(void **state)
{
    kt_timer *around = make_timer("around"), *kernel = make_timer("kernel");
    take(800);
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    EXPECT_OK(kt_recording_start(recording, around));
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(kt_recording_start(recording, timer));
        ze_event_handle_t event = kt_recording_event_level_zero(recording, kernel);
        assert_non_null(event);
        assert_null(kt_recording_event_level_zero(recording, kernel));
        EXPECT_TEXT_HAS(kt_error_text(), "\"kernel\" was started already");
        work_fill(&u, &later, event);
        EXPECT_OK(kt_recording_stop(recording, timer));
        EXPECT_OK(kt_recording_stop(recording, kernel));
    }
    EXPECT_OK(kt_recording_stop(recording, around));
    work_end(&u, &later);
    assert_int_equal(get_counts().pending, 7);
    for (uint64_t run = 1; run <= 4; run++) {
        run_recorded(recording, &later);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        EXPECT_COUNTS(7 * run, KT_TIMESTAMP_OK, 0);
        assert_int_equal(NEWEST_TICKS(kernel, KERNEL), 800);
        assert_int_equal(NEWEST_TICKS(timer, GLOBAL), 800);
        assert_int_equal(NEWEST_TICKS(around, GLOBAL), 3 * 800);
    }
    kt_timer_destroy(&around);
    kt_timer_destroy(&kernel);
}

/* More spans than before, then fewer, of the other kind: each has timestamps of its own, and none of an
 * earlier recording. */
static void anew(void **state)
{
    static const unsigned counts[] = {1, 5, 2, 64, 1, 3};
    uint64_t all = 0;
    take(700);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        work_begin(&u, &later);
        EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
        for (unsigned i = 0; i < counts[k]; i++) {
            bool by_event = (i + k) % 2;
            ze_event_handle_t event = NULL;
            if (by_event)
                event = kt_recording_event_level_zero(recording, timer);
            else
                EXPECT_OK(kt_recording_start(recording, timer));
            assert_int_equal(event != NULL, by_event);
            work_fill(&u, &later, event);
            EXPECT_OK(kt_recording_stop(recording, timer));
        }
        work_end(&u, &later);
        EXPECT_OK(kt_recording_submit(recording));
        EXPECT_OK(kt_collect(timer_context)); /* it has not run yet */
        EXPECT_COUNTS(all, KT_TIMESTAMP_OK, 0);
        work_submit(&u, &later);
        work_wait(&u, &later);
        nap();
        run_recorded(recording, &later);
        EXPECT_OK(kt_timer_wait(timer, 0));
        all += 2 * counts[k];
        EXPECT_COUNTS(all, KT_TIMESTAMP_OK, 0);
        assert_int_equal(get_counts().pending, counts[k]);
    }
    EXPECT_STATUS(kt_recording_submit(recording), KT_OK);
    EXPECT_OK(kt_recording_reset(recording)); /* of what was never submitted */
    EXPECT_COUNTS(all, KT_TIMESTAMP_LOST, 3);
    assert_int_equal(get_counts().pending, 0);
}

/* Said to run, and not there yet: what its timestamps show is of the run before. */
static void stale(void **state)
{
    for (int by_event = 0; by_event < 2; by_event++) {
        uint64_t before = get_counts().recorded;
        record_kind(by_event);
        for (uint64_t i = 1; i <= 5; i++) {
            take(100 * i);
            EXPECT_OK(kt_recording_submit(recording));
            for (int ask = 0; ask < 3; ask++)
                EXPECT_OK(kt_collect(timer_context));
            EXPECT_COUNTS(before + i - 1, KT_TIMESTAMP_OK, 0);
            work_submit(&u, &later);
            work_wait(&u, &later);
            nap();
            EXPECT_OK(kt_timer_wait(timer, 0));
            EXPECT_COUNTS(before + i, KT_TIMESTAMP_OK, 0);
        }
    }
}

/* Submitted again before the run before has ended: neither is timed, and the next one is. */
static void overwritten(void **state)
{
    for (int by_event = 0; by_event < 2; by_event++) {
        record_kind(by_event);
        take(1000);
        run_recorded(recording, &later);
        EXPECT_OK(kt_timer_wait(timer, 0));
        EXPECT_OK(kt_recording_submit(recording)); /* and it is on its way for long */
        EXPECT_STATUS(kt_recording_submit(recording), KT_INVALID);
        EXPECT_TEXT_HAS(kt_error_text(), "have not ended");
        work_submit(&u, &later); /* both, all the same */
        work_wait(&u, &later);
        work_submit(&u, &later);
        work_wait(&u, &later);
        nap();
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(1u + 2 * (unsigned)by_event, KT_TIMESTAMP_OVERWRITTEN,
                      1u + (unsigned)by_event);
        take(300);
        run_recorded(recording, &later);
        uint64_t ticks = NEWEST_TICKS(timer, by_event ? KERNEL : GLOBAL);
        assert_int_equal(ticks, 300);
    }
}

/* An event that no command signals, in each run, which is misuse; the span around it is as ever. */
static void unused_event(void **state)
{
    kt_timer *around = make_timer("around");
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    EXPECT_OK(kt_recording_start(recording, around));
    assert_non_null(kt_recording_event_level_zero(recording, timer));
    work_fill(&u, &later, NULL);
    EXPECT_OK(kt_recording_stop(recording, timer));
    EXPECT_OK(kt_recording_stop(recording, around));
    work_end(&u, &later);
    for (uint64_t run = 1; run <= 3; run++) {
        run_recorded(recording, &later);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
        EXPECT_COUNTS(run, KT_TIMESTAMP_ZERO, run);
    }
    kt_timer_destroy(&around);
}

/* Two of one timer in flight, which end in another order than they began; then cells that are used
 * again. */
static void two_recordings(void **state)
{
    work second;
    kt_recording *other = make_recording(2);
    work_open(&u, &second);
    take(250);
    record_span(recording, timer, &later, 1);
    record_event(other, timer, &second);
    EXPECT_OK(kt_recording_submit(recording));
    EXPECT_OK(kt_recording_submit(other));
    work_submit(&u, &second);
    work_wait(&u, &second);
    nap();
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().in_flight, 1);
    work_submit(&u, &later);
    work_wait(&u, &later);
    nap();
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    kt_recording_destroy(&other);
    other = make_recording(2);
    record_event(other, timer, &second);
    run_recorded(other, &second);
    assert_int_equal(NEWEST_TICKS(timer, KERNEL), 250);
    kt_recording_destroy(&other);
    work_close(&u, &second);
}

const struct CMUnitTest recording_moods[] = {
    MOOD(often),       MOOD(several_spans), MOOD(anew),           MOOD(stale),
    MOOD(overwritten), MOOD(unused_event),  MOOD(two_recordings), MOODS_END,
};
