/* SPDX-License-Identifier: MIT */
/* What a program may do wrong, the sentence that it gets, and what is counted; limits. */
#include "tests/unit/backends/level_zero/level_zero_timer.h"

#include <kerntime/timer/cpu.h>

#define EXPECT_REFUSED(call, status, sentence)      \
    do {                                            \
        EXPECT_STATUS(call, status);                \
        EXPECT_TEXT_HAS(kt_error_text(), sentence); \
    } while (0)
#define EXPECT_NO_EVENT(call, sentence)             \
    do {                                            \
        assert_null(call);                          \
        EXPECT_TEXT_HAS(kt_error_text(), sentence); \
    } while (0)

/* ---- events ---- */

/* An event whose span was taken in is signalled by a second command: it is not handed out again,
 * and nothing is measured wrongly. */
static void event_used_anew(void **state)
{
    take(400);
    ze_event_handle_t event = kt_timer_event_level_zero(timer);
    work_fill(&u, &now, event);
    work_wait(&u, &now);
    nap();
    assert_int_equal(NEWEST_TICKS(timer, KERNEL), 400);
    work_fill(&u, &now, event);
    work_wait(&u, &now);
    EXPECT_NO_EVENT(kt_timer_event_level_zero(timer), "an event was used anew");
    assert_int_equal(get_counts().refused, 1);
    assert_int_equal(get_counts().pending, 0);
    for (int i = 0; i < 3; i++) {
        ze_event_handle_t next = kt_timer_event_level_zero(timer);
        assert_true(next && next != event);
        work_fill(&u, &now, next);
        work_wait(&u, &now);
        nap();
        assert_int_equal(NEWEST_TICKS(timer, KERNEL), 400);
    }
    assert_int_equal(get_counts().refused, 1);
    EXPECT_COUNTS(4, KT_TIMESTAMP_OK, 0);
}

/* Two events of one command each: one is used for both, so the other's span never ends. */
static void event_never_used(void **state)
{
    assert_non_null(kt_timer_event_level_zero(timer));
    EXPECT_STATUS(kt_timer_wait(timer, 20000000), KT_TIMEOUT);
    assert_int_equal(get_counts().in_flight, 1);
}

/* In a recording the event of an earlier one is found in the same way. */
static void event_of_a_recording(void **state)
{
    ze_event_handle_t event = kt_timer_event_level_zero(timer);
    work_fill(&u, &now, event);
    work_wait(&u, &now);
    nap();
    EXPECT_OK(kt_timer_wait(timer, 0));
    work_fill(&u, &now, event);
    work_wait(&u, &now);
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    EXPECT_NO_EVENT(kt_recording_event_level_zero(recording, timer), "an event was used anew");
    work_fill(&u, &later, NULL);
    EXPECT_OK(kt_recording_stop(recording, timer)); /* all the same */
    work_end(&u, &later);
    run_recorded(recording, &later);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_ERROR, 1);
    assert_int_equal(get_counts().refused, 0); /* there is a span, and its runs count */
    record_event(recording, timer, &later);
    run_recorded(recording, &later);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(2, KT_TIMESTAMP_ERROR, 1);
}

/* ---- lists ---- */

/* By API 1.9, with which lists tell what they are. */
static void wrong_lists(void **state)
{
    work strange = {0}, strange_later = {0};
    user other;
    user_open(&other);
    set_up(NULL);
    EXPECT_REFUSED(kt_timer_context_add_level_zero_list(timer_context, later.list), KT_INVALID,
                   "the list is a regular one");
    EXPECT_REFUSED(kt_recording_begin_level_zero(recording, now.list), KT_INVALID,
                   "the list is an immediate one");
    work_open_immediate(&other, &strange, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    work_open(&other, &strange_later);
    EXPECT_REFUSED(kt_timer_context_add_level_zero_list(timer_context, strange.list), KT_INVALID,
                   "of another context");
    EXPECT_REFUSED(kt_recording_begin_level_zero(recording, strange_later.list), KT_INVALID,
                   "of another context");
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID, "was not begun");
    EXPECT_REFUSED(kt_timer_start(timer, later.list), KT_INVALID, "was not imported");
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    work_close(&other, &strange);
    work_close(&other, &strange_later);
    tear_down(NULL);
    user_close(&other);
}

/* A loader of before does not tell: kerntime does not say that it knew. */
static void lists_that_do_not_tell(void **state)
{
    EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, later.list));
    record_span(recording, timer, &later, 1);
    run_recorded(recording, &later);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

static void out_of_turn(void **state)
{
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID, "was not begun");
    EXPECT_NO_EVENT(kt_recording_event_level_zero(recording, timer), "was not begun");
    EXPECT_REFUSED(kt_recording_begin_level_zero(recording, NULL), KT_INVALID, "no commands");
    EXPECT_REFUSED(kt_timer_stop(timer, now.list), KT_INVALID, "was not started");
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    assert_non_null(kt_recording_event_level_zero(recording, timer));
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID, "was started already");
    EXPECT_NO_EVENT(kt_recording_event_level_zero(recording, timer), "was started already");
    EXPECT_REFUSED(kt_recording_submit(recording), KT_INVALID, "was not stopped");
    EXPECT_OK(kt_recording_stop(recording, timer));
    EXPECT_REFUSED(kt_recording_stop(recording, timer), KT_INVALID, "was not started");
    work_end(&u, &later);
    EXPECT_OK(kt_recording_reset(recording));
    assert_int_equal(get_counts().pending, 0);
}

static void strangers(void **state)
{
    kt_timer_context *cpu = NULL, *other = NULL;
    kt_timer *cpu_timer = NULL, *other_timer = NULL;
    other = import(0);
    EXPECT_OK(kt_timer_create(other, "other", &other_timer));
    EXPECT_OK(kt_timer_context_import_cpu(&cpu));
    EXPECT_OK(kt_timer_create(cpu, "cpu", &cpu_timer));
    EXPECT_NO_EVENT(kt_timer_event_level_zero(cpu_timer), "\"cpu\" is not of Level Zero");
    assert_null(kt_timer_event_level_zero(NULL));
    assert_null(kt_recording_event_level_zero(NULL, timer));
    assert_null(kt_recording_event_level_zero(recording, NULL));
    EXPECT_STATUS(kt_recording_begin_level_zero(NULL, later.list), KT_UNAVAILABLE);
    EXPECT_REFUSED(kt_timer_context_add_level_zero_list(cpu, now.list), KT_INVALID,
                   "this is no device of Level Zero");
    EXPECT_REFUSED(kt_timer_context_add_level_zero_list(timer_context, NULL), KT_INVALID,
                   "no list to import");
    EXPECT_STATUS(kt_timer_context_add_level_zero_list(NULL, now.list), KT_UNAVAILABLE);
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    EXPECT_REFUSED(kt_recording_start(recording, other_timer), KT_INVALID, "another device");
    EXPECT_NO_EVENT(kt_recording_event_level_zero(recording, other_timer), "another device");
    work_end(&u, &later);
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().pending, 0);
    kt_timer_destroy(&cpu_timer);
    kt_timer_context_close(&cpu);
    kt_timer_destroy(&other_timer);
    kt_timer_context_close(&other);
}

static void bad_imports(void **state)
{
    kt_timer_context *made = NULL;
    user_open(&u);
    kt_level_zero_import desc = user_describe(&u);
    desc.size = 0;
    EXPECT_REFUSED(kt_timer_context_import_level_zero(&desc, &made), KT_INVALID, "size");
    desc = user_describe(&u);
    desc.context = NULL;
    EXPECT_REFUSED(kt_timer_context_import_level_zero(&desc, &made), KT_INVALID,
                   "no context to import");
    desc = user_describe(&u);
    desc.device = NULL;
    EXPECT_REFUSED(kt_timer_context_import_level_zero(&desc, &made), KT_INVALID,
                   "no device to import");
    EXPECT_REFUSED(kt_timer_context_import_level_zero(NULL, &made), KT_INVALID,
                   "no context to import");
    assert_null(made);
    user_close(&u);
}

/* Where there is no driver: one place to ask, and all else does nothing. */
static void no_driver(void **state)
{
    static int some;
    void *any = &some; /* is not looked at */
    kt_level_zero_import desc = {.size = sizeof desc, .context = any, .device = any};
    EXPECT_STATUS(kt_timer_context_import_level_zero(&desc, &timer_context), KT_UNAVAILABLE);
    assert_true(strlen(kt_error_text()) > 20);
    assert_null(timer_context);
    EXPECT_STATUS(kt_timer_create(timer_context, "none", &timer), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_create(timer_context, NULL, &recording), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_context_add_level_zero_list(timer_context, any), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_begin_level_zero(recording, any), KT_UNAVAILABLE);
    assert_null(kt_timer_event_level_zero(timer));
    assert_null(kt_recording_event_level_zero(recording, timer));
}

/* Of the native's and the recording's spans; what is refused is counted, and its stop does
 * nothing. */
static void limits(void **state)
{
    kt_timer_destroy(&timer);
    kt_recording_destroy(&recording);
    kt_timer_context_close(&timer_context);
    timer_context = import(2);
    EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, now.list));
    timer = make_timer("fill");
    recording = make_recording(1);
    ze_event_handle_t events[2] = {kt_timer_event_level_zero(timer),
                                   kt_timer_event_level_zero(timer)};
    assert_true(events[0] && events[1]);
    EXPECT_NO_EVENT(kt_timer_event_level_zero(timer), "2 spans are pending");
    EXPECT_REFUSED(kt_timer_start(timer, now.list), KT_LIMIT, "2 spans are pending");
    EXPECT_OK(kt_timer_stop(timer, now.list));
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    EXPECT_NO_EVENT(kt_recording_event_level_zero(recording, timer), "2 spans are pending");
    EXPECT_OK(kt_recording_stop(recording, timer));
    assert_int_equal(get_counts().refused, 3);
    for (int i = 0; i < 2; i++)
        work_fill(&u, &now, events[i]);
    work_wait(&u, &now);
    nap();
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(2, KT_TIMESTAMP_OK, 0);
    work_fill(&u, &later, kt_recording_event_level_zero(recording, timer));
    EXPECT_OK(kt_recording_stop(recording, timer));
    EXPECT_NO_EVENT(kt_recording_event_level_zero(recording, timer), "the recording has 1 spans");
    EXPECT_OK(kt_recording_stop(recording, timer));
    work_end(&u, &later);
    run_recorded(recording, &later);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(3, KT_TIMESTAMP_OK, 0);
}

/* By kerntime's barriers alone, since those of the program are not to fail. */
static void fill_alone(const work *in, ze_event_handle_t signal)
{
    const unsigned char pattern = 7;
    assert_int_equal(u.ze.CommandListAppendMemoryFill(in->list, u.bytes, &pattern, sizeof pattern,
                                                      sizeof pattern, signal, 0, NULL),
                     ZE_RESULT_SUCCESS);
}

/* An append fails (`fail` in the script): the calls say so, spans are counted, and the next ones
 * are good. */
/* How many spans were not put in as a whole. */
static unsigned failing_span(void)
{
    kt_status started = kt_timer_start(timer, now.list);
    fill_alone(&now, NULL);
    kt_status stopped = kt_timer_stop(timer, now.list);
    return started != KT_OK || stopped != KT_OK;
}

static unsigned failing_recording(void)
{
    work_begin(&u, &later);
    EXPECT_OK(kt_recording_begin_level_zero(recording, later.list));
    kt_status started = kt_recording_start(recording, timer);
    fill_alone(&later, NULL);
    kt_status stopped = kt_recording_stop(recording, timer);
    ze_event_handle_t event = kt_recording_event_level_zero(recording, timer);
    fill_alone(&later, event);
    kt_status read = kt_recording_stop(recording, timer);
    work_end(&u, &later);
    return (started != KT_OK || stopped != KT_OK) + (!event || read != KT_OK);
}

static void an_append_fails(void **state)
{
    enum { EACH = 6 };
    unsigned failures = 0;
    for (int i = 0; i < EACH; i++)
        failures += failing_span();
    for (int i = 0; i < EACH; i++) {
        failures += failing_recording();
        run_recorded(recording, &later);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    }
    work_wait(&u, &now);
    nap();
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    kt_timer_context_counts counts = get_counts();
    assert_int_equal(failures, 1);
    assert_int_equal(counts.recorded, 3 * EACH - 1);
    assert_true(counts.discarded[KT_TIMESTAMP_ERROR] <= 1); /* a start that failed began no span */
    assert_int_equal(counts.in_flight, 0);
}

const struct CMUnitTest misuse_moods[] = {
    MOOD(event_used_anew),
    MOOD(event_never_used),
    MOOD(event_of_a_recording),
    BARE(wrong_lists),
    MOOD(lists_that_do_not_tell),
    MOOD(out_of_turn),
    MOOD(strangers),
    BARE(bad_imports),
    BARE(no_driver),
    MOOD(limits),
    MOOD(an_append_fails),
    MOODS_END,
};
