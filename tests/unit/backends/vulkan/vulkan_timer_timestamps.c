/* SPDX-License-Identifier: MIT */
/* Clocks that are narrow, timestamps that are wrong, and families that give none. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/vulkan/vulkan_timer.h"

#include <math.h>
#include <time.h>

static void run_once(void)
{
    u.vk.vkStubAdvance(10);
    run_again();
    EXPECT_OK(kt_collect(timer_context));
}

/* Each of 20 spans lies within 2^bits ticks of the start, and one of them across that border. */
static void wraps(void **state)
{
    const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, 0);
    assert_int_equal(clock->valid_bits, 36);
    EXPECT_NUMBER(clock->period_ns, 1);
    record_copies(&w, recording, timer, 1);
    for (uint64_t i = 1; i <= 20; i++) {
        run_once();
        EXPECT_COUNTS(i, KT_TIMESTAMP_OK, 0);
        EXPECT_NEWEST(timer, 1000);
    }
}

/* By the time that its timestamps are read the counter may have gone around any number of times. */
static void ambiguous(void **state)
{
    double unused_ns;
    const struct timespec some_turns = {.tv_nsec = 5000000};
    run_copies(1);
    nanosleep(&some_turns, NULL);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_COUNTS(0, KT_TIMESTAMP_AMBIGUOUS, 1);
    EXPECT_STATUS(kt_timer_elapsed(timer, &unused_ns), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "ambiguous");
    expect_row("copy", 0, KT_TIMESTAMP_AMBIGUOUS, 1);
}

/* Ticks of 52.083332 ns, as a float has them; 777 of them. */
static void period(void **state)
{
    record_copies(&w, recording, timer, 1);
    run_once();
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    EXPECT_NEWEST(timer, 777 * (double)52.083332F);
}

/* ---- timestamps without a duration ---- */

/* No clock that moves, or a thousand seconds of which the host saw less than one, say more. */
static void discarded(void **state)
{
    const kt_timestamp_state expected = *(const kt_timestamp_state *)*state;
    double unused_ns;
    open_all();
    record_copies(&w, recording, timer, 1);
    for (uint64_t i = 1; i <= 3; i++) {
        run_once();
        EXPECT_COUNTS(0, expected, i);
        EXPECT_STATUS(kt_timer_elapsed(timer, &unused_ns), KT_DRIVER_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), kt_timestamp_state_name(expected));
    }
    close_all();
}

/* The device is gone at the first look. */
static void device_lost(void **state)
{
    double unused_ns;
    run_copies(1);
    EXPECT_STATUS(kt_collect(timer_context), KT_DEVICE_LOST);
    EXPECT_TEXT_HAS(kt_error_text(), "vkGetQueryPoolResults failed: VK_ERROR_DEVICE_LOST");
    EXPECT_COUNTS(0, KT_TIMESTAMP_ERROR, 1);
    EXPECT_STATUS(kt_timer_elapsed(timer, &unused_ns), KT_DRIVER_ERROR);
    EXPECT_OK(kt_timer_wait(timer, 0));
}

/* ---- families ---- */

static void family(void **state)
{
    kt_timer_context *made = NULL;
    open_user();
    kt_vulkan_import desc = user_describe(&u);
    EXPECT_STATUS(kt_timer_context_import_vulkan(&desc, &made), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "family 0 of stub device 0 gives no timestamps");
    assert_null(made);
    desc.queue_family = 1;
    EXPECT_OK(kt_timer_context_import_vulkan(&desc, &made));
    assert_int_equal(kt_timer_context_get_clock(made, 0)->valid_bits, 40);
    kt_timer_context_close(&made);
    desc.queue_family = 2;
    EXPECT_STATUS(kt_timer_context_import_vulkan(&desc, &made), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "there is none with number 2");
    assert_null(made);
    user_close(&u);
}

/* The loader that KERNTIME_LIB_VULKAN names, where the program does not tell its own. */
static void loader_of_the_system(void **state)
{
    open_user();
    kt_vulkan_import desc = user_describe(&u);
    desc.get_instance_proc_addr = NULL;
    EXPECT_OK(kt_timer_context_import_vulkan(&desc, &timer_context));
    assert_int_equal(kt_timer_context_get_clock(timer_context, 0)->valid_bits, 64);
    kt_timer_context_close(&timer_context);
    user_close(&u);
}

static kt_timestamp_state zero = KT_TIMESTAMP_ZERO, negative = KT_TIMESTAMP_NEGATIVE,
                          below_min_span = KT_TIMESTAMP_BELOW_MIN_SPAN,
                          ambiguous_state = KT_TIMESTAMP_AMBIGUOUS;

const struct CMUnitTest timer_timestamp_moods[] = {
    {"zeros", discarded, NULL, NULL, &zero},
    {"backwards", discarded, NULL, NULL, &negative},
    {"below_min_span", discarded, NULL, NULL, &below_min_span},
    {"longer_than_the_host_saw", discarded, NULL, NULL, &ambiguous_state},
    MOOD(wraps),
    MOOD(ambiguous),
    MOOD(period),
    MOOD(device_lost),
    cmocka_unit_test(family),
    cmocka_unit_test(loader_of_the_system),
    MOODS_END,
};
