/* SPDX-License-Identifier: MIT */
/* Timers in immediate lists, and events that are handed out for single commands. */
#include "tests/unit/backends/level_zero/level_zero_timer.h"

/* ---- immediate lists ---- */

/* As long as its commands: in these scripts barriers take no time, and the host none to append. */
static void asynchronous(void **state)
{
    uint64_t spans = 0;
    for (uint64_t ticks = 1; ticks < 3000; ticks = 3 * ticks + 1) {
        take(ticks);
        for (unsigned count = 1; count <= 4; count++) {
            run_span(timer, &now, count);
            assert_int_equal(NEWEST_TICKS(timer, GLOBAL), count * ticks);
            EXPECT_COUNTS(++spans, KT_TIMESTAMP_OK, 0);
        }
    }
    assert_int_equal(get_counts().pending, 0);
}

/* Each append returns when its command has ended, so the host's part is in between: some ticks for
 * each. */
static void synchronous(void **state)
{
    work each;
    work_open_immediate(&u, &each, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, each.list));
    EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, each.list)); /* known already */
    uint64_t spans = 0;
    for (uint64_t ticks = 1; ticks < 3000; ticks = 3 * ticks + 1) {
        take(ticks);
        run_span(timer, &each, 2);
        uint64_t newest = NEWEST_TICKS(timer, GLOBAL);
        assert_true(newest >= 2 * ticks && newest < 2 * ticks + 100);
        EXPECT_COUNTS(++spans, KT_TIMESTAMP_OK, 0);
    }
    kt_timer_context_close(&timer_context);
    work_close(&u, &each);
}

/* Spans of one list end in their order, those of another list when that gets there; a timer may be
 * within another's. */
static void two_lists(void **state)
{
    work second;
    work_open_immediate(&u, &second, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, second.list));
    kt_timer *around = make_timer("around"), *other = make_timer("other");
    take(400);
    EXPECT_OK(kt_timer_start(around, now.list));
    EXPECT_OK(kt_timer_start(other, second.list));
    work_fill(&u, &second, NULL);
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(kt_timer_start(timer, now.list));
        work_fill(&u, &now, NULL);
        EXPECT_OK(kt_timer_stop(timer, now.list));
    }
    EXPECT_STATUS(kt_timer_stop(other, now.list), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "was started in another queue");
    EXPECT_OK(kt_timer_stop(other, second.list));
    EXPECT_OK(kt_timer_stop(around, now.list));
    work_wait(&u, &now);
    work_wait(&u, &second);
    nap();
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(5, KT_TIMESTAMP_OK, 0);
    uint64_t inner = NEWEST_TICKS(timer, GLOBAL);
    assert_int_equal(inner, 400);
    assert_int_equal(NEWEST_TICKS(around, GLOBAL), 1200);
    assert_int_equal(NEWEST_TICKS(other, GLOBAL), 400);
    kt_timer_destroy(&around);
    kt_timer_destroy(&other);
    kt_timer_context_close(&timer_context);
    work_close(&u, &second);
}

/* More spans in flight than any block of cells holds, then the same again: with no cell more. */
static void many(void **state)
{
    enum { SPANS = 300 };
    take(3);
    for (uint64_t round = 1; round <= 3; round++) {
        for (int i = 0; i < SPANS; i++) {
            EXPECT_OK(kt_timer_start(timer, now.list));
            work_fill(&u, &now, NULL);
            EXPECT_OK(kt_timer_stop(timer, now.list));
        }
        work_wait(&u, &now);
        nap();
        EXPECT_OK(kt_timer_wait(timer, 0));
        EXPECT_COUNTS(round * SPANS, KT_TIMESTAMP_OK, 0);
    }
}

/* One list after another, more of them than may be known at once; none goes while a span of it is
 * left. */
static void removed_lists(void **state)
{
    enum { LISTS = 200 };
    work each;
    kt_timer *other = make_timer("other");
    take(500);
    EXPECT_OK(kt_timer_start(other, now.list)); /* which is in nobody's way */
    for (uint64_t i = 1; i <= LISTS; i++) {
        work_open_immediate(&u, &each, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, each.list));
        EXPECT_OK(kt_timer_start(timer, each.list));
        work_fill(&u, &each, NULL);
        EXPECT_STATUS(kt_timer_context_remove_level_zero_list(timer_context, each.list),
                      KT_INVALID);
        EXPECT_OK(kt_timer_stop(timer, each.list));
        EXPECT_STATUS(kt_timer_context_remove_level_zero_list(timer_context, each.list),
                      KT_INVALID);
        EXPECT_TEXT_HAS(kt_error_text(), "were not taken in yet");
        work_wait(&u, &each);
        nap();
        EXPECT_OK(kt_timer_wait(timer, 0));
        EXPECT_OK(kt_timer_context_remove_level_zero_list(timer_context, each.list));
        EXPECT_STATUS(kt_timer_start(timer, each.list), KT_INVALID);
        EXPECT_STATUS(kt_timer_context_remove_level_zero_list(timer_context, each.list),
                      KT_INVALID);
        EXPECT_TEXT_HAS(kt_error_text(), "was not imported");
        work_close(&u, &each);
        EXPECT_COUNTS(i, KT_TIMESTAMP_OK, 0);
    }
    EXPECT_OK(kt_timer_stop(other, now.list));
    work_wait(&u, &now);
    nap();
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(LISTS + 1, KT_TIMESTAMP_OK, 0);
    EXPECT_STATUS(kt_timer_context_remove_level_zero_list(NULL, now.list), KT_UNAVAILABLE);
    EXPECT_OK(kt_timer_context_remove_level_zero_list(timer_context, now.list));
    kt_timer_destroy(&other);
}

static void fill_parts(const work *in)
{
    for (unsigned part = 0; part < WORK_PARTS; part++)
        work_fill_part(&u, in, part);
}

/*
 * The program puts no barrier anywhere: those of kerntime alone keep what is before and behind a
 * span out of it, and what is in it in. Without one of them this is misuse to the stub, or another
 * time.
 */
static void by_its_own_barriers(void **state)
{
    take(400);
    for (uint64_t round = 1; round <= 5; round++) {
        fill_parts(&now);
        EXPECT_OK(kt_timer_start(timer, now.list));
        fill_parts(&now);
        EXPECT_OK(kt_timer_stop(timer, now.list));
        fill_parts(&now);
        work_wait(&u, &now);
        nap();
        assert_int_equal(NEWEST_TICKS(timer, GLOBAL), 400);
    }
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    fill_parts(&later);
    EXPECT_OK(kt_recording_start(recording, timer));
    fill_parts(&later);
    EXPECT_OK(kt_recording_stop(recording, timer));
    fill_parts(&later);
    work_end(&u, &later);
    for (int run = 0; run < 5; run++) {
        run_recorded(recording, &later);
        assert_int_equal(NEWEST_TICKS(timer, GLOBAL), 400);
    }
    EXPECT_COUNTS(10, KT_TIMESTAMP_OK, 0);
}

static void switched_off(void **state)
{
    kt_disable();
    run_span(timer, &now, 1);
    assert_null(kt_timer_event_level_zero(timer));
    record_span(recording, timer, &later, 1);
    kt_enable();
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().pending, 0);
    run_span(timer, &now, 1);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

/* What has ended is taken in by the end of the native, what nobody ran counts as lost. */
static void ends(void **state)
{
    kt_snapshot *snapshot = NULL;
    run_span(timer, &now, 1);
    run_span(timer, &now, 1);
    assert_non_null(kt_timer_event_level_zero(timer)); /* of no command */
    kt_timer_context_close(&timer_context);
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, "fill", KT_BACKEND_LEVEL_ZERO);
    assert_non_null(row);
    assert_int_equal(row->count, 2);
    assert_int_equal(row->discarded[KT_TIMESTAMP_LOST], 1);
    kt_snapshot_destroy(&snapshot);
    EXPECT_STATUS(kt_timer_start(timer, now.list), KT_INVALID);
    assert_null(kt_timer_event_level_zero(timer));
    EXPECT_TEXT_HAS(kt_error_text(), "closed");
}

/* Closed while all four ways of taking timestamps are in flight, which is misuse: the device finds its
 * memory and events all the same. */
static void closed_in_flight(void **state)
{
    take(UINT64_C(19200000));
    record_span(recording, timer, &later, 1);
    EXPECT_OK(kt_recording_submit(recording));
    work_submit(&u, &later);
    ze_event_handle_t event = kt_timer_event_level_zero(timer);
    EXPECT_OK(kt_timer_start(timer, now.list));
    work_fill(&u, &now, event);
    EXPECT_OK(kt_timer_stop(timer, now.list));
    EXPECT_STATUS(kt_timer_context_wait(timer_context, 1), KT_TIMEOUT);
    kt_timer_context_close(&timer_context);
    work_wait(&u, &now);
    work_wait(&u, &later);
}

const struct CMUnitTest stream_moods[] = {
    MOOD(asynchronous), MOOD(synchronous),   MOOD(two_lists),
    MOOD(many),         MOOD(removed_lists), MOOD(by_its_own_barriers),
    MOOD(switched_off), MOOD(ends),          MOOD(closed_in_flight),
    MOODS_END,
};

/* ---- events ---- */

/* The command's own time, whatever stands around it. */
static void in_an_immediate_list(void **state)
{
    for (uint64_t i = 1; i <= 150; i++) {
        ze_event_handle_t event = kt_timer_event_level_zero(timer);
        assert_non_null(event);
        take(100 * i);
        work_fill(&u, &now, event);
        take(7);
        work_fill(&u, &now, NULL);
        work_wait(&u, &now);
        nap();
        EXPECT_COUNTS(i - 1, KT_TIMESTAMP_OK, 0);
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_COUNTS(i, KT_TIMESTAMP_OK, 0);
        assert_int_equal(NEWEST_TICKS(timer, KERNEL), 100 * i);
    }
}

/* In a list that runs once, and collected in another order than handed out. */
static void in_a_regular_list(void **state)
{
    kt_timer *second = make_timer("second");
    ze_event_handle_t first_event = kt_timer_event_level_zero(timer);
    ze_event_handle_t second_event = kt_timer_event_level_zero(second);
    assert_true(first_event && second_event && first_event != second_event);
    work_fill(&u, &later, second_event);
    work_end(&u, &later);
    take(5000);
    work_submit(&u, &later);
    work_wait(&u, &later);
    nap();
    EXPECT_OK(kt_collect(timer_context));
    assert_int_equal(NEWEST_TICKS(second, KERNEL), 5000);
    assert_int_equal(get_counts().in_flight, 1);
    take(600);
    work_fill(&u, &now, first_event);
    work_wait(&u, &now);
    nap();
    assert_int_equal(NEWEST_TICKS(timer, KERNEL), 600);
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    kt_timer_destroy(&second);
}

/* Events, and spans that go on around them. */
static void beside_spans(void **state)
{
    kt_timer *kernel = make_timer("kernel");
    take(900);
    EXPECT_OK(kt_timer_start(timer, now.list));
    for (int i = 0; i < 10; i++)
        work_fill(&u, &now, kt_timer_event_level_zero(kernel));
    EXPECT_OK(kt_timer_stop(timer, now.list));
    work_wait(&u, &now);
    nap();
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(11, KT_TIMESTAMP_OK, 0);
    assert_int_equal(NEWEST_TICKS(kernel, KERNEL), 900);
    assert_int_equal(NEWEST_TICKS(timer, GLOBAL), 9000);
    kt_timer_destroy(&kernel);
}

const struct CMUnitTest event_moods[] = {
    MOOD(in_an_immediate_list),
    MOOD(in_a_regular_list),
    MOOD(beside_spans),
    MOODS_END,
};
