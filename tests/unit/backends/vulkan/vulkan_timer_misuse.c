/* SPDX-License-Identifier: MIT */
/* What a program may do wrong, and the sentence that it gets; limits. */
#include "tests/unit/backends/vulkan/vulkan_timer.h"

#include <kerntime/timer/cpu.h>

#define EXPECT_REFUSED(call, status, sentence)      \
    do {                                            \
        EXPECT_STATUS(call, status);                \
        EXPECT_TEXT_HAS(kt_error_text(), sentence); \
    } while (0)

/* ---- recordings ---- */

static void not_begun(void **state)
{
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID,
                   "timer \"copy\": the recording was not begun");
    EXPECT_REFUSED(kt_recording_stop(recording, timer), KT_INVALID, "was not begun");
    EXPECT_REFUSED(kt_recording_submit(recording), KT_INVALID, "begin the recording first");
    EXPECT_REFUSED(kt_recording_begin_vulkan(recording, NULL, 0), KT_INVALID, "no commands");
    record_copies(&w, recording, timer, 1);
    submit(&w, recording);
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID, "was not begun anew");
    finish(&w);
    EXPECT_OK(kt_recording_reset(recording));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_REFUSED(kt_recording_submit(recording), KT_INVALID, "begin the recording first");
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID, "was not begun");
}

static void out_of_turn(void **state)
{
    kt_timer *never = make_timer("never");
    begin(&w, recording);
    EXPECT_REFUSED(kt_recording_stop(recording, timer), KT_INVALID,
                   "timer \"copy\" was not started in this recording");
    EXPECT_OK(kt_recording_start(recording, timer));
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID,
                   "timer \"copy\" was started already");
    EXPECT_REFUSED(kt_recording_stop(recording, never), KT_INVALID, "\"never\" was not started");
    EXPECT_REFUSED(kt_recording_submit(recording), KT_INVALID, "timer \"copy\" was not stopped");
    work_copy(&u, &w);
    EXPECT_OK(kt_recording_stop(recording, timer));
    EXPECT_REFUSED(kt_recording_stop(recording, timer), KT_INVALID, "\"copy\" was not started");
    work_end(&u, &w);
    EXPECT_HELD(1, 0);
    run_again();
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 1000);
    kt_timer_destroy(&never);
}

static void simultaneous(void **state)
{
    const VkCommandBufferUsageFlags usage =
        VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT | VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    work_begin(&u, &w, usage);
    EXPECT_REFUSED(kt_recording_begin_vulkan(recording, w.buffer, usage), KT_UNSUPPORTED,
                   "simultaneous use");
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID, "was not begun");
    work_end(&u, &w);
    run_copies(1);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

/* While the registry is disabled, one timer in two recordings that are made at once: there is no span,
 * until they are made anew. */
static void disabled(void **state)
{
    work second;
    work_open(&u, &second);
    kt_recording *other = make_recording(0);
    begin(&w, recording);
    begin(&second, other);
    kt_disable();
    EXPECT_OK(kt_recording_start(recording, timer));
    EXPECT_OK(kt_recording_start(other, timer));
    kt_enable();
    EXPECT_OK(kt_recording_stop(recording, timer));
    EXPECT_OK(kt_recording_stop(other, timer));
    EXPECT_REFUSED(kt_recording_stop(other, timer), KT_INVALID, "was not started");
    EXPECT_HELD(0, 0);
    work_end(&u, &w);
    work_end(&u, &second);
    run_again();
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    run_copies(2);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_NEWEST(timer, 2000);
    kt_recording_destroy(&other);
    work_close(&u, &second);
}

/* ---- of another native ---- */

static void strangers(void **state)
{
    kt_timer_context *cpu = NULL, *other = NULL;
    kt_timer *cpu_timer = NULL, *other_timer = NULL;
    kt_recording *none = NULL;
    other = user_import(&u, 0);
    EXPECT_OK(kt_timer_create(other, "other", &other_timer));
    EXPECT_OK(kt_timer_context_import_cpu(&cpu));
    EXPECT_OK(kt_timer_create(cpu, "cpu", &cpu_timer));
    EXPECT_REFUSED(kt_recording_create(cpu, NULL, &none), KT_UNSUPPORTED, "nothing to record");
    assert_null(none);
    begin(&w, recording);
    EXPECT_REFUSED(kt_recording_start(recording, other_timer), KT_INVALID, "another device");
    EXPECT_REFUSED(kt_recording_start(recording, cpu_timer), KT_INVALID, "another device");
    EXPECT_REFUSED(kt_recording_stop(recording, other_timer), KT_INVALID, "another device");
    EXPECT_REFUSED(kt_timer_start(timer, NULL), KT_UNSUPPORTED, "work of Vulkan is recorded");
    EXPECT_REFUSED(kt_timer_stop(timer, NULL), KT_INVALID, "\"copy\" was not started");
    EXPECT_REFUSED(kt_timer_start(timer, w.buffer), KT_UNSUPPORTED, "in a kt_recording");
    work_end(&u, &w);
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
    EXPECT_HELD(0, 0);
    kt_timer_destroy(&cpu_timer);
    kt_timer_context_close(&cpu);
    kt_timer_destroy(&other_timer);
    kt_timer_context_close(&other);
}

/* ---- what is gone, and what never was ---- */

/* The device goes right after the native; what is left of timers and recordings must not need
 * it. */
static void closed(void **state)
{
    kt_timer *made = NULL;
    double unused_ns;
    open_all();
    kt_timer *idle = make_timer("idle");
    kt_recording *empty = make_recording(0);
    run_copies(1);
    kt_timer_context_close(&timer_context);
    assert_null(timer_context);
    work_close(&u, &w);
    user_close(&u);
    const char *sentence = "the device was closed";
    EXPECT_REFUSED(kt_recording_submit(recording), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_recording_submit(empty), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_recording_reset(recording), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_recording_start(recording, timer), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_recording_stop(recording, timer), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_recording_begin_vulkan(empty, (struct VkCommandBuffer_T *)&unused_ns, 0),
                   KT_INVALID, sentence);
    EXPECT_REFUSED(kt_timer_elapsed(timer, &unused_ns), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_timer_elapsed(idle, &unused_ns), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_timer_wait(timer, 0), KT_INVALID, sentence);
    EXPECT_REFUSED(kt_timer_start(timer, NULL), KT_INVALID, sentence);
    kt_recording_destroy(&recording);
    kt_recording_destroy(&empty);
    kt_timer_destroy(&timer);
    kt_timer_destroy(&idle);
    EXPECT_STATUS(kt_timer_create(timer_context, "late", &made), KT_UNAVAILABLE);
    kt_recording_destroy(&recording);
    kt_timer_context_close(&timer_context);
}

/* A span that was begun, and left so, at the end of everything. */
static void left_open(void **state)
{
    begin(&w, recording);
    EXPECT_OK(kt_recording_start(recording, timer));
    EXPECT_HELD(1, 0);
    kt_timer_destroy(&timer);
    timer = make_timer("copy");
    EXPECT_OK(kt_recording_start(recording, timer));
    EXPECT_HELD(2, 0);
    EXPECT_OK(kt_recording_reset(recording));
    EXPECT_HELD(0, 0);
    EXPECT_OK(kt_recording_begin_vulkan(recording, w.buffer, 0));
    EXPECT_OK(kt_recording_start(recording, timer));
    work_end(&u, &w);
}

/* Without a driver there is no native, and all that is made of it is NULL. */
static void no_driver(void **state)
{
    kt_timer_context_counts counts = {.recorded = 7};
    timer = (kt_timer *)(void *)&counts;
    recording = (kt_recording *)(void *)&counts;
    open_user();
    const kt_vulkan_import desc = user_describe(&u);
    assert_int_not_equal(kt_timer_context_import_vulkan(&desc, &timer_context), KT_OK);
    assert_null(timer_context);
    EXPECT_STATUS(kt_timer_create(timer_context, "copy", &timer), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_recording_create(timer_context, NULL, &recording), KT_UNAVAILABLE);
    assert_true(!timer && !recording);
    EXPECT_STATUS(kt_recording_begin_vulkan(recording, NULL, 0), KT_UNAVAILABLE);
    user_close(&u);
}

static void bad_imports(void **state)
{
    open_user();
    const kt_vulkan_import good = user_describe(&u);
    kt_vulkan_import bad[4] = {good, good, good, good};
    static const char *const sentences[] = {"kt_vulkan_import", "no instance", "no physical device",
                                            "no device"};
    bad[0].size = 0;
    bad[1].instance = NULL;
    bad[2].physical_device = NULL;
    bad[3].device = NULL;
    for (int i = 0; i < 4; i++) {
        EXPECT_REFUSED(kt_timer_context_import_vulkan(&bad[i], &timer_context), KT_INVALID,
                       sentences[i]);
        assert_null(timer_context);
    }
    user_close(&u);
}

/* Its commands could be timestamped, but not reset the queries for it. */
static void copies_alone(void **state)
{
    open_user();
    const kt_vulkan_import desc = user_describe(&u);
    EXPECT_REFUSED(kt_timer_context_import_vulkan(&desc, &timer_context), KT_UNSUPPORTED,
                   "may not reset queries");
    assert_null(timer_context);
    user_close(&u);
}

/* ---- limits ---- */

static void caps(void **state)
{
    kt_recording *none = NULL;
    const kt_recording_options too_many = {.size = sizeof too_many, .spans_max = UINT32_MAX};
    open_user();
    work_open(&u, &w);
    timer_context = user_import(&u, 6);
    timer = make_timer("copy");
    recording = make_recording(4);
    EXPECT_REFUSED(kt_recording_create(timer_context, &too_many, &none), KT_LIMIT,
                   "spans in one recording");
    assert_null(none);
    work second;
    kt_recording *other = make_recording(4);
    work_open(&u, &second);
    for (int round = 0; round < 3; round++) {
        begin(&w, recording);
        begin(&second, other);
        for (int i = 0; i < 4; i++)
            record_span(&w, recording, timer, 1);
        /* The recording's own limit, and that of all. */
        EXPECT_REFUSED(kt_recording_start(recording, timer), KT_LIMIT, "has 4 spans");
        for (int i = 0; i < 2; i++)
            record_span(&second, other, timer, 1);
        EXPECT_REFUSED(kt_recording_start(other, timer), KT_LIMIT, "6 spans are pending");
        EXPECT_HELD(6, 0);
        assert_int_equal(get_counts().refused, round + 1);
        work_end(&u, &w);
        work_end(&u, &second);
        submit(&w, recording);
        EXPECT_HELD(6, 4);
        submit(&second, other);
        EXPECT_HELD(6, 6);
        finish(&w);
        finish(&second);
        EXPECT_OK(kt_recording_reset(recording));
        EXPECT_HELD(2, 2);
        EXPECT_OK(kt_recording_reset(other));
        EXPECT_COUNTS(6 * ((uint64_t)round + 1), KT_TIMESTAMP_OK, 0);
        EXPECT_HELD(0, 0);
    }
    kt_recording_destroy(&other);
    work_close(&u, &second);
    close_all();
}

const struct CMUnitTest timer_misuse_moods[] = {
    MOOD(not_begun),
    MOOD(out_of_turn),
    MOOD(simultaneous),
    MOOD(disabled),
    MOOD(strangers),
    cmocka_unit_test(closed),
    MOOD(left_open),
    cmocka_unit_test(no_driver),
    cmocka_unit_test(bad_imports),
    cmocka_unit_test(copies_alone),
    cmocka_unit_test(caps),
    MOODS_END,
};
