/* SPDX-License-Identifier: MIT */
/* Clocks of two widths, units that are told wrongly or not at all, and timestamps that are wrong. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/level_zero/level_zero_timer.h"

#include <stdlib.h>
#include <time.h>

/* What the script says; 0: nothing of it. */
static uint64_t scripted(const char *key)
{
    const char *script = getenv("KT_STUB_LEVEL_ZERO");
    for (size_t length = strlen(key); script; script = strchr(script, ',')) {
        script += *script == ',';
        if (strncmp(script, key, length) == 0 && script[length] == '=')
            return strtoull(script + length + 1, NULL, 10);
    }
    return 0;
}

/* Both clocks as the driver tells them; there is no third. */
static void clocks(void **state)
{
    const kt_clock_info *kernel = kt_timer_context_get_clock(timer_context, KERNEL);
    const kt_clock_info *global = kt_timer_context_get_clock(timer_context, GLOBAL);
    assert_string_equal(kernel->name, "kernel");
    assert_string_equal(global->name, "global");
    assert_int_equal(kernel->valid_bits, scripted("kernel_bits"));
    assert_int_equal(global->valid_bits, scripted("bits"));
    assert_int_equal(kernel->method, KT_METHOD_DEVICE_TIMESTAMP);
    EXPECT_NUMBER(kernel->period_ns, 1e9 / (double)scripted("hz"));
    EXPECT_NUMBER(global->period_ns, 1e9 / (double)scripted("hz"));
    assert_int_equal(kernel->reported_period_ns, 0);
    assert_null(kt_timer_context_get_clock(timer_context, 2));
}

/* Timestamps on all sides of the turn of either counter, in each way to timestamp. */
static void wraps(void **state)
{
    take(1000);
    record_span(recording, timer, &later, 1);
    uint64_t count = 0;
    for (uint64_t before = 1; before <= 2000; before += 97, count += 2) {
        u.ze.set_counters(UINT64_MAX - before, UINT64_MAX - 500);
        run_span(timer, &now, 1);
        assert_int_equal(NEWEST_TICKS(timer, GLOBAL), 1000);
        u.ze.set_counters(UINT64_MAX - before, UINT64_MAX - 500);
        run_recorded(recording, &later);
        assert_int_equal(NEWEST_TICKS(timer, GLOBAL), 1000);
    }
    record_event(recording, timer, &later);
    for (uint64_t before = 1; before <= 2000; before += 97, count += 2) {
        ze_event_handle_t event = kt_timer_event_level_zero(timer);
        u.ze.set_counters(12345, UINT64_MAX - before);
        work_fill(&u, &now, event);
        work_wait(&u, &now);
        nap();
        assert_int_equal(NEWEST_TICKS(timer, KERNEL), 1000);
        u.ze.set_counters(12345, UINT64_MAX - before);
        run_recorded(recording, &later);
        assert_int_equal(NEWEST_TICKS(timer, KERNEL), 1000);
    }
    EXPECT_COUNTS(count, KT_TIMESTAMP_OK, 0);
}

/* By the time that its timestamps are read the narrow counter may have gone around any number of times;
 * the wide one has not. */
static void ambiguous(void **state)
{
    kt_timer *kernel = make_timer("kernel");
    take(1000);
    EXPECT_OK(kt_timer_start(timer, now.list));
    work_fill(&u, &now, kt_timer_event_level_zero(kernel));
    EXPECT_OK(kt_timer_stop(timer, now.list));
    work_wait(&u, &now);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* 5 turns of 16 bits, 19.2 MHz */
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_AMBIGUOUS, 1);
    assert_int_equal(NEWEST_TICKS(timer, GLOBAL), 1000);
    kt_timer_destroy(&kernel);
}

/* What is told in whole ns is measured: 52 ns a tick for 52.083 would be 0.16 % wrong, 83 for
 * 83.333 0.4 %. */
static void whole_ns(void **state)
{
    const kt_clock_info *kernel = kt_timer_context_get_clock(timer_context, KERNEL);
    const double true_ns = 1e9 / (double)scripted("hz");
    assert_int_equal(kernel->reported_period_ns, (uint32_t)true_ns);
    EXPECT_NEAR(kernel->period_ns, true_ns, true_ns * 1e-5); /* what the import promises */
    EXPECT_NUMBER(kt_timer_context_get_clock(timer_context, GLOBAL)->period_ns, kernel->period_ns);
    assert_int_equal(kernel->period_source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
    run_span(timer, &now, 1);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
}

/* Importing says why there are no times. */
static void expect_no_import(kt_status expected, const char *text)
{
    kt_timer_context *made = NULL;
    user_open(&u);
    kt_level_zero_import desc = user_describe(&u);
    EXPECT_STATUS(kt_timer_context_import_level_zero(&desc, &made), expected);
    EXPECT_TEXT_HAS(kt_error_text(), text);
    assert_null(made);
    user_close(&u);
}

static void cannot_be_measured(void **state)
{
    expect_no_import(KT_UNSUPPORTED, "whole ns only, and it cannot be measured");
}

/* Each reading takes 20 us, and after a second 10 us are too much. */
static void is_read_slowly(void **state)
{
    expect_no_import(KT_UNSUPPORTED, "too long for 10 ppm");
}

static void is_not_reported(void **state)
{
    expect_no_import(KT_UNSUPPORTED, "does not tell how long a tick");
}

static void is_untrusted(void **state)
{
    expect_no_import(KT_UNSUPPORTED, "untrusted timer");
}

/* ---- timestamps without a duration ---- */

/* Of each of the four ways one span. */
static void four_ways(void)
{
    take(1000);
    run_span(timer, &now, 1);
    work_fill(&u, &now, kt_timer_event_level_zero(timer));
    work_wait(&u, &now);
    nap();
    record_span(recording, timer, &later, 1);
    run_recorded(recording, &later);
    EXPECT_OK(kt_collect(timer_context));
    record_event(recording, timer, &later);
    run_recorded(recording, &later);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
}

static void zeros(void **state)
{
    double unused_ns;
    four_ways();
    EXPECT_COUNTS(0, KT_TIMESTAMP_ZERO, 4);
    EXPECT_STATUS(kt_timer_elapsed(timer, &unused_ns), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "zero");
}

/* Every second global timestamp is. */
static void backwards(void **state)
{
    take(1000);
    run_span(timer, &now, 1);
    record_span(recording, timer, &later, 1);
    run_recorded(recording, &later);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(0, KT_TIMESTAMP_NEGATIVE, 2);
}

/* Longer than the host has seen it take, which is a few ms. */
static void longer_than_the_host_saw(void **state)
{
    take(UINT64_C(19200000) * 100);
    EXPECT_OK(kt_timer_start(timer, now.list));
    work_fill(&u, &now, NULL);
    EXPECT_OK(kt_timer_stop(timer, now.list));
    work_wait(&u, &now);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_COUNTS(0, KT_TIMESTAMP_AMBIGUOUS, 1);
}

/* Nothing is ever executed, though waiting succeeds: spans never end, and who waits for them is
 * told so in time. */
static void never_executed(void **state)
{
    EXPECT_OK(kt_timer_start(timer, now.list));
    EXPECT_OK(kt_timer_stop(timer, now.list));
    assert_non_null(kt_timer_event_level_zero(timer));
    record_span(recording, timer, &later, 1);
    run_recorded(recording, &later);
    EXPECT_STATUS(kt_timer_context_wait(timer_context, 50000000), KT_TIMEOUT);
    EXPECT_COUNTS(0, KT_TIMESTAMP_OK, 0);
}

/* The device is gone at the first question, or the driver fails. */
static void device_lost(void **state)
{
    double unused_ns;
    run_span(timer, &now, 1);
    EXPECT_STATUS(kt_timer_wait(timer, 0), KT_DEVICE_LOST);
    EXPECT_TEXT_HAS(kt_error_text(), "zeEventQueryStatus failed: ZE_RESULT_ERROR_DEVICE_LOST");
    EXPECT_COUNTS(0, KT_TIMESTAMP_ERROR, 1);
    EXPECT_STATUS(kt_timer_elapsed(timer, &unused_ns), KT_DRIVER_ERROR);
}

const struct CMUnitTest timestamp_moods[] = {
    MOOD(clocks),
    MOOD(wraps),
    MOOD(ambiguous),
    MOOD(whole_ns),
    BARE(cannot_be_measured),
    BARE(is_read_slowly),
    BARE(is_not_reported),
    BARE(is_untrusted),
    MOOD(zeros),
    MOOD(backwards),
    MOOD(longer_than_the_host_saw),
    MOOD(never_executed),
    MOOD(device_lost),
    MOODS_END,
};
