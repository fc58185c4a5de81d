/* SPDX-License-Identifier: MIT */
/*
 * A Metal program of a user's own with timers of its passes, encoders and command buffers, on the
 * library that KERNTIME_LIB_METAL names, else on the system's.
 *
 *   conformance_timer_metal          77 if there is no such library, or it has no device
 */
#include "tests/unit/backends/metal/metal_user.h"

#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77

enum { RUNS = 100, FRAMES = 1000, SHORT = 4, LONG = 1024, GPU_CLOCK = 0, COMMANDS_CLOCK = 1 };

static user u;
static kt_timer_context *timer_context;
static kt_timer *first, *second, *whole;
static bool has_passes, has_encoders;

/* What this GPU samples at. */
static void look_at_gpu(void)
{
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    has_passes = kt_timer_pass_metal(first, commands, descriptor) == KT_OK;
    if (!has_passes)
        print_message("%s\n", kt_error_text());
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    has_encoders = kt_timer_start_metal(second, commands, encoder) == KT_OK;
    EXPECT_OK(kt_timer_stop_metal(second, encoder)); /* also if it was refused */
    user_end(&u, encoder);
    EXPECT_OK(kt_timer_context_discard_metal(timer_context, commands));
    user_release(&u, descriptor);
    user_release(&u, commands);
    assert_int_equal(has_passes || has_encoders,
                     kt_timer_context_get_clock(timer_context, GPU_CLOCK) != NULL);
}

static void open_all(void)
{
    const kt_metal_import desc = user_describe(&u);
    timer_context = NULL;
    EXPECT_OK(kt_timer_context_import_metal(&desc, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "first", &first));
    EXPECT_OK(kt_timer_create(timer_context, "second", &second));
    EXPECT_OK(kt_timer_create(timer_context, "whole", &whole));
    look_at_gpu();
    kt_reset();
}

static void close_all(void)
{
    kt_timer_destroy(&first);
    kt_timer_destroy(&second);
    kt_timer_destroy(&whole);
    kt_timer_context_close(&timer_context);
}

/* In the way that this GPU has, if any. */
static void timed_pass(void *commands, kt_timer *timer, unsigned groups)
{
    void *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    if (has_passes)
        EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
    void *encoder = user_begin(&u, commands, USER_COMPUTE, descriptor);
    if (has_encoders)
        EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
    user_work(&u, encoder, USER_COMPUTE, groups);
    if (has_encoders)
        EXPECT_OK(kt_timer_stop_metal(timer, encoder));
    user_end(&u, encoder);
    user_release(&u, descriptor);
}

static bool has_gpu_clock(void)
{
    return has_passes || has_encoders;
}

static double newest(const kt_timer *timer)
{
    double ns = NAN;
    EXPECT_OK(kt_timer_elapsed(timer, &ns));
    return ns;
}

static kt_timer_context_counts get_counts(void)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(timer_context, &counts);
    return counts;
}

/* Systems are known that leave out some samples (macOS 26): of those that are no times one in
 * twenty at most, and none of another kind. */
static void expect_counts(uint64_t spans)
{
    kt_timer_context_counts counts = get_counts();
    uint64_t discarded = 0;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++) {
        discarded += counts.discarded[i];
        if (counts.discarded[i])
            print_message("%llu %s\n", (unsigned long long)counts.discarded[i],
                          kt_timestamp_state_name((kt_timestamp_state)i));
    }
    assert_int_equal(counts.recorded + discarded, spans);
    assert_int_equal(discarded, counts.discarded[KT_TIMESTAMP_ZERO]);
    assert_true(discarded <= spans / 20);
    assert_int_equal(counts.pending, 0);
    assert_int_equal(counts.in_flight, 0);
    assert_int_equal(counts.refused, 0);
}

static double mean_of(const char *name)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, name, KT_BACKEND_METAL);
    assert_non_null(row);
    print_message("%s: %g to %g ns, mean %g ns of %llu\n", name, row->min_ns, row->max_ns,
                  row->mean_ns, (unsigned long long)row->count);
    double mean_ns = row->mean_ns;
    kt_snapshot_destroy(&snapshot);
    return mean_ns;
}

/* ---- durations ---- */

/* A command buffer lasts no longer than the host saw it take, and the passes in it no longer than
 * that. */
static void within_what_the_host_saw(void **state)
{
    open_all();
    for (int i = 0; i < RUNS; i++) {
        void *commands = user_commands(&u);
        timed_pass(commands, first, SHORT);
        timed_pass(commands, second, LONG);
        EXPECT_OK(kt_timer_add_metal_commands(whole, commands));
        int64_t begin_ns = kt_host_now_ns();
        user_commit(&u, commands);
        user_wait(&u, commands);
        double host_ns = (double)(kt_host_now_ns() - begin_ns);
        user_release(&u, commands);
        EXPECT_OK(kt_collect(
            timer_context)); /* all that has ended is there, however soon it is asked for */
        if (!(newest(whole) > 0 && newest(whole) <= host_ns * 1.001 + 1000))
            fail_msg("run %d: %g ns, of which the host saw %g ns", i, newest(whole), host_ns);
        if (has_gpu_clock() && get_counts().discarded[KT_TIMESTAMP_ZERO] == 0 &&
            !(newest(first) + newest(second) <= newest(whole) * 1.02 + 5000))
            fail_msg("run %d: passes of %g and %g ns in %g ns", i, newest(first), newest(second),
                     newest(whole));
        EXPECT_OK(kt_timer_context_calibrate(timer_context));
    }
    expect_counts((has_gpu_clock() ? 3 : 1) * (uint64_t)RUNS);
    mean_of("whole");
    /* As long, in a stub, but for a step of its clock. */
    if (has_gpu_clock() && mean_of("second") < 0.95 * mean_of("first"))
        fail_msg("what is 256 times the work takes less");
    close_all();
}

/* Frames that nobody waits for but when too many are under way; each calibrates. */
static void frames(void **state)
{
    enum { UNDER_WAY = 16 };
    void *ring[UNDER_WAY] = {NULL};
    open_all();
    for (int i = 0; i < FRAMES; i++) {
        void **slot = &ring[i % UNDER_WAY];
        if (*slot) {
            user_wait(&u, *slot);
            user_release(&u, *slot);
        }
        *slot = user_commands(&u);
        timed_pass(*slot, first, SHORT);
        EXPECT_OK(kt_timer_add_metal_commands(whole, *slot));
        user_commit(&u, *slot);
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_OK(kt_timer_context_calibrate(timer_context));
        assert_true(get_counts().pending <= 2 * UNDER_WAY);
    }
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    for (int i = 0; i < UNDER_WAY; i++)
        user_release(&u, ring[i]);
    expect_counts((has_gpu_clock() ? 2 : 1) * (uint64_t)FRAMES);
    close_all();
}

/* The tick that was found is one that GPUs have: 1 ns, or Intel's 83.333, within 0.1 %; and
 * followed. */
static void a_tick_that_there_is(void **state)
{
    kt_clock_state clock;
    open_all();
    if (has_gpu_clock()) {
        for (int i = 0; i < 50; i++) {
            void *commands = user_commands(&u);
            timed_pass(commands, first, LONG);
            user_commit(&u, commands);
            user_wait(&u, commands);
            user_release(&u, commands);
            EXPECT_OK(kt_timer_context_calibrate(timer_context));
        }
        EXPECT_OK(kt_timer_context_get_clock_state(timer_context, GPU_CLOCK, &clock));
        print_message("a tick of %.9g ns, known to %.3g ns, by %llu pairs\n", clock.period_ns,
                      clock.period_uncertainty_ns, (unsigned long long)clock.pairs);
        assert_true(fabs(clock.period_ns - 1) < 1e-3 ||
                    fabs(clock.period_ns * 12e6 / 1e9 - 1) < 1e-3);
        assert_true(clock.period_uncertainty_ns < 1e-3 * clock.period_ns);
    }
    assert_string_equal(kt_timer_context_get_clock(timer_context, COMMANDS_CLOCK)->name,
                        "command-buffer");
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    close_all();
}

/* ---- what is given up ---- */

/* Not committed: said so, or closed with it. */
static void given_up(void **state)
{
    open_all();
    void *discarded = user_commands(&u), *left = user_commands(&u);
    for (int i = 0; i < 10; i++) {
        timed_pass(discarded, first, SHORT);
        timed_pass(left, second, SHORT);
    }
    EXPECT_OK(kt_timer_add_metal_commands(whole, left));
    EXPECT_OK(kt_timer_context_discard_metal(timer_context, discarded));
    assert_int_equal(get_counts().pending, has_gpu_clock() ? 11 : 1);
    close_all();
    user_release(&u, discarded);
    user_release(&u, left);
}

/* Closed while the GPU works: that goes on undisturbed. */
static void closed_under_way(void **state)
{
    for (int i = 0; i < 20; i++) {
        open_all();
        void *commands = user_commands(&u);
        timed_pass(commands, first, LONG);
        user_commit(&u, commands);
        close_all();
        user_wait(&u, commands);
        user_release(&u, commands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_what_the_host_saw), cmocka_unit_test(frames),
        cmocka_unit_test(a_tick_that_there_is),     cmocka_unit_test(given_up),
        cmocka_unit_test(closed_under_way),
    };
    const char *library = getenv("KERNTIME_LIB_METAL");
    if (!user_open(&u, library ? library : "/System/Library/Frameworks/Metal.framework/Metal")) {
        print_message("there is no Metal here\n");
        return SKIPPED;
    }
    int failed = cmocka_run_group_tests_name("timers of Metal", tests, NULL, NULL);
    user_close(&u);
    return failed;
}
