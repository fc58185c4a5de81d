/* SPDX-License-Identifier: MIT */
/*
 * A WebGPU program of a user's own with timers of its passes, on the library that
 * KERNTIME_LIB_WEBGPU names, a real one.
 *
 *   conformance_timer_webgpu          77 if there is no such library, or it has no adapter
 */
#include "tests/unit/backends/webgpu/webgpu_user.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SKIPPED    77
#define QUANTUM_NS 65536

enum { RUNS = 100, SHORT = 4, LONG = 64, MANY_FRAMES = 3000 };

static user u;
static kt_timer_context *timer_context;
static kt_timer *first, *second, *third;
static const user_options with_kernel = {.has_kernel = true};

static void open_all(const user_options *options, uint32_t frames_max)
{
    assert_true(user_open(&u, getenv("KERNTIME_LIB_WEBGPU"), options));
    kt_webgpu_import desc = user_describe(&u);
    desc.frames_max = frames_max;
    timer_context = NULL;
    EXPECT_OK(kt_timer_context_import_webgpu(&desc, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "first", &first));
    EXPECT_OK(kt_timer_create(timer_context, "second", &second));
    EXPECT_OK(kt_timer_create(timer_context, "third", &third));
    kt_reset();
}

/* WebGPU has told the program of so many errors, and of what is in the text. */
static void close_all(unsigned errors, const char *text)
{
    kt_timer_destroy(&first);
    kt_timer_destroy(&second);
    kt_timer_destroy(&third);
    kt_timer_context_close(&timer_context);
    if (u.errors != errors)
        fail_msg("%u errors of WebGPU, the last: %s", u.errors, u.error);
    EXPECT_TEXT_HAS(u.error, text);
    user_close(&u);
}

static void timed_pass(WGPUCommandEncoder encoder, kt_timer *timer, uint32_t groups)
{
    WGPUPassTimestampWrites writes;
    const WGPUPassTimestampWrites *filled = kt_timer_pass_webgpu(timer, encoder, &writes);
    assert_true(filled == NULL || filled == &writes);
    user_pass(&u, encoder, filled, groups);
}

static void submit(WGPUCommandEncoder encoder)
{
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, encoder));
    user_submit(&u, encoder);
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, encoder));
}

static kt_timer_context_counts get_counts(void)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(timer_context, &counts);
    return counts;
}

static void expect_counts(uint64_t recorded, kt_timestamp_state state, uint64_t discarded)
{
    kt_timer_context_counts counts = get_counts();
    assert_int_equal(counts.recorded, recorded);
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_int_equal(counts.discarded[i], i == (int)state ? discarded : 0);
    assert_int_equal(counts.pending, 0);
    assert_int_equal(counts.in_flight, 0);
}

static double newest(const kt_timer *timer)
{
    double ns = NAN;
    EXPECT_OK(kt_timer_elapsed(timer, &ns));
    return ns;
}

/* The shortest one: a busy machine interrupts the others. */
static double shortest(const char *name, uint64_t count)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, name, KT_BACKEND_WEBGPU);
    assert_non_null(row);
    assert_int_equal(row->count, count);
    print_message("%s: %g to %g ns, mean %g ns\n", name, row->min_ns, row->max_ns, row->mean_ns);
    double min_ns = row->min_ns;
    kt_snapshot_destroy(&snapshot);
    return min_ns;
}

/* ---- durations ---- */

/* Passes of one submission lie one after another, all of them within what the host saw of it. */
static void within_what_the_host_saw(void **state)
{
    open_all(&with_kernel, 0);
    for (int i = 0; i < RUNS; i++) {
        WGPUCommandEncoder encoder = user_encode(&u);
        timed_pass(encoder, first, SHORT);
        timed_pass(encoder, second, LONG);
        timed_pass(encoder, third, 0);
        int64_t begin_ns = kt_host_now_ns();
        submit(encoder);
        user_wait(&u);
        double host_ns = (double)(kt_host_now_ns() - begin_ns);
        EXPECT_OK(kt_collect(
            timer_context)); /* all that has ended is there, however soon it is asked for */
        expect_counts(3 * ((uint64_t)i + 1), KT_TIMESTAMP_OK, 0);
        double sum_ns = newest(first) + newest(second) + newest(third);
        if (!(newest(first) > 0 && newest(second) > 0 && newest(third) > 0 && sum_ns <= host_ns))
            fail_msg("run %d: %g ns, of which the host saw %g ns", i, sum_ns, host_ns);
    }
    double short_ns = shortest("first", RUNS), long_ns = shortest("second", RUNS);
    assert_true(long_ns > 2 * short_ns); /* sixteen times the work */
    close_all(0, "");
}

/* Nobody waits: what is refused is counted, all else comes, however often its frame was used
 * before. */
static void frames_again_and_again(void **state)
{
    open_all(&(user_options){0}, 3);
    uint64_t refused = 0;
    for (int i = 0; i < MANY_FRAMES; i++) {
        WGPUCommandEncoder encoder = user_encode(&u);
        timed_pass(encoder, first, 0);
        timed_pass(encoder, second, 0);
        submit(encoder);
        EXPECT_OK(kt_collect(timer_context));
        assert_true(get_counts().pending <= 2 * 3);
    }
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    refused = get_counts().refused;
    print_message("%llu of %d refused\n", (unsigned long long)refused, 2 * MANY_FRAMES);
    expect_counts(2 * (uint64_t)MANY_FRAMES - refused, KT_TIMESTAMP_OK, 0);
    /* Each is waited for, and none refused. */
    for (int i = 0; i < MANY_FRAMES; i++) {
        WGPUCommandEncoder encoder = user_encode(&u);
        timed_pass(encoder, third, 0);
        submit(encoder);
        user_wait(&u);
        EXPECT_OK(kt_collect(timer_context));
    }
    expect_counts(3 * (uint64_t)MANY_FRAMES - refused, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().refused, refused);
    shortest("third", MANY_FRAMES);
    close_all(0, "");
}

/* Several encoders in one submission, said of all at once; passes without a timer among the
 * others. */
static void encoders_together(void **state)
{
    open_all(&with_kernel, 0);
    WGPUCommandEncoder encoders[3] = {user_encode(&u), user_encode(&u), user_encode(&u)};
    timed_pass(encoders[0], first, SHORT);
    timed_pass(encoders[1], second, LONG);
    user_pass(&u, encoders[0], NULL, SHORT);
    timed_pass(encoders[0], first, SHORT);
    timed_pass(encoders[2], NULL, SHORT);
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, encoders[i]));
        user_submit(&u, encoders[i]);
    }
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, NULL));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    expect_counts(3, KT_TIMESTAMP_OK, 0);
    shortest("first", 2);
    shortest("second", 1);
    close_all(0, "");
}

/* Timestamps that are cut are seen to be so; what is left is good to one step. */
static void quantised(void **state)
{
    open_all(&(user_options){.has_kernel = true, .is_quantised = true}, 0);
    for (int i = 0; i < RUNS; i++) {
        WGPUCommandEncoder encoder = user_encode(&u);
        timed_pass(encoder, first, 0);
        timed_pass(encoder, second, 16 * LONG);
        int64_t begin_ns = kt_host_now_ns();
        submit(encoder);
        user_wait(&u);
        double host_ns = (double)(kt_host_now_ns() - begin_ns);
        EXPECT_OK(kt_collect(timer_context));
        double second_ns = newest(second);
        assert_true(second_ns >= 4 * QUANTUM_NS && fmod(second_ns, QUANTUM_NS) == 0);
        assert_true(second_ns <= host_ns + QUANTUM_NS);
    }
    expect_counts(RUNS, KT_TIMESTAMP_BELOW_MIN_SPAN, RUNS);
    double ns;
    EXPECT_STATUS(kt_timer_elapsed(first, &ns), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "below_min_span");
    close_all(0, "");
}

/* ---- what is left alone ---- */

static unsigned called;

static void count_call(uint32_t status, void *unused1, void *unused2)
{
    (void)status, (void)unused1, (void)unused2;
    called++;
}

/* Callbacks that the program wants from wgpuInstanceProcessEvents() do not come from anywhere
 * else. */
static void callbacks(void **state)
{
    open_all(&with_kernel, 0);
    WGPUCommandEncoder encoder = user_encode(&u);
    timed_pass(encoder, first, SHORT);
    submit(encoder);
    called = 0;
    u.wgpu.wgpuQueueOnSubmittedWorkDone(
        u.queue, (WGPUQueueWorkDoneCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                 .callback = count_call});
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    user_wait(&u);
    EXPECT_OK(kt_collect(timer_context));
    expect_counts(1, KT_TIMESTAMP_OK, 0);
    assert_int_equal(called, 0);
    if (u.wgpu.wgpuInstanceProcessEvents) {
        u.wgpu.wgpuInstanceProcessEvents(u.instance);
        assert_int_equal(called, 1);
    }
    close_all(0, "");
}

/* ---- mistakes ---- */

/* No pass was begun with it: the first time in a frame that was never used, then in one that holds
 * older timestamps. */
static void never_begun(void **state)
{
    open_all(&(user_options){0}, 1);
    WGPUPassTimestampWrites unused;
    for (int i = 0; i < 4; i++) {
        WGPUCommandEncoder encoder = user_encode(&u);
        if (i % 2 == 0) {
            assert_non_null(kt_timer_pass_webgpu(first, encoder, &unused));
            timed_pass(encoder, second, 0);
        } else {
            timed_pass(encoder, first, 0);
            timed_pass(encoder, first, 0);
        }
        submit(encoder);
        EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    }
    expect_counts(2 + 4, KT_TIMESTAMP_ZERO, 2);
    close_all(0, "");
}

/* Twice with a pass between: seen. Twice in a row: nobody can tell, and the last is what counts. */
static void used_twice(void **state)
{
    open_all(&with_kernel, 0);
    WGPUPassTimestampWrites writes;
    WGPUCommandEncoder encoder = user_encode(&u);
    const WGPUPassTimestampWrites *again = kt_timer_pass_webgpu(first, encoder, &writes);
    user_pass(&u, encoder, again, LONG);
    timed_pass(encoder, second, SHORT);
    user_pass(&u, encoder, again, LONG);
    timed_pass(encoder, third, SHORT);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    expect_counts(2, KT_TIMESTAMP_OVERWRITTEN, 1);
    assert_true(newest(second) > 0 && newest(third) > 0);
    encoder = user_encode(&u);
    again = kt_timer_pass_webgpu(first, encoder, &writes);
    user_pass(&u, encoder, again, 64 * LONG);
    user_pass(&u, encoder, again, 0);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    expect_counts(3, KT_TIMESTAMP_OVERWRITTEN, 1);
    print_message("the empty pass of two: %g ns\n", newest(first));
    close_all(0, "");
}

/* Said too late: nobody but kerntime is told of that. */
static void resolved_when_finished(void **state)
{
    open_all(&(user_options){0}, 1);
    for (int i = 0; i < 3; i++) {
        WGPUCommandEncoder encoder = user_encode(&u);
        timed_pass(encoder, first, 0);
        u.wgpu.wgpuCommandEncoderAddRef(encoder);
        user_submit(&u, encoder);
        EXPECT_STATUS(kt_timer_context_resolve_webgpu(timer_context, encoder), KT_DRIVER_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), "finished");
        u.wgpu.wgpuCommandEncoderRelease(encoder);
        expect_counts(0, KT_TIMESTAMP_ERROR, 1 + (uint64_t)i);
    }
    close_all(0, "");
}

static void without_the_feature(void **state)
{
    kt_timer_context *none = NULL;
    assert_true(
        user_open(&u, getenv("KERNTIME_LIB_WEBGPU"), &(user_options){.without_timestamps = true}));
    kt_webgpu_import desc = user_describe(&u);
    EXPECT_STATUS(kt_timer_context_import_webgpu(&desc, &none), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "timestamp-query");
    assert_null(none);
    user_close(&u);
}

static void of_the_library_that_is_named(void **state)
{
    assert_true(user_open(&u, getenv("KERNTIME_LIB_WEBGPU"), &(user_options){0}));
    kt_webgpu_import desc = user_describe(&u);
    desc.get_proc_address = NULL;
    timer_context = NULL;
    first = second = third = NULL;
    EXPECT_OK(kt_timer_context_import_webgpu(&desc, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "first", &first));
    WGPUCommandEncoder encoder = user_encode(&u);
    timed_pass(encoder, first, 0);
    submit(encoder);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    assert_true(newest(first) > 0);
    close_all(0, "");
}

/* Lost with one submission under way, whose marks end all the same; what comes later fails at
 * once. */
static void device_lost(void **state)
{
    open_all(&with_kernel, 0);
    WGPUCommandEncoder encoder = user_encode(&u);
    timed_pass(encoder, first, LONG);
    timed_pass(encoder, second, LONG);
    submit(encoder);
    u.wgpu.wgpuDeviceDestroy(u.device);
    EXPECT_STATUS(kt_timer_context_wait(timer_context, 0), KT_DEVICE_LOST);
    expect_counts(0, KT_TIMESTAMP_ERROR, 2);
    close_all(0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_what_the_host_saw),
        cmocka_unit_test(frames_again_and_again),
        cmocka_unit_test(encoders_together),
        cmocka_unit_test(quantised),
        cmocka_unit_test(callbacks),
        cmocka_unit_test(never_begun),
        cmocka_unit_test(used_twice),
        cmocka_unit_test(resolved_when_finished),
        cmocka_unit_test(without_the_feature),
        cmocka_unit_test(of_the_library_that_is_named),
        cmocka_unit_test(device_lost),
    };
    const char *library = getenv("KERNTIME_LIB_WEBGPU");
    if (!library || access(library, R_OK) != 0 || !user_open(&u, library, &(user_options){0})) {
        print_message("there is no WebGPU here\n");
        return SKIPPED;
    }
    user_close(&u);
    return cmocka_run_group_tests_name("timers of passes", tests, NULL, NULL);
}
