/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan program of a user's own with timers in its commands, on a real driver.
 *
 *   conformance_timer_vulkan DEVICE         a part of the device's name; 77 if there is no Vulkan device
 *   conformance_timer_vulkan DEVICE spoil   makes a mistake that the validation layer must notice: the commands are begun
 *                                           anew after the recording was, so its queries are never reset
 */
#include "tests/unit/backends/vulkan/vulkan_user.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define LOADER  "libvulkan.so.1"
#define SKIPPED 77

enum { RUNS = 100, MEGABYTE = 1 << 20 };

static user u;
static const char *device_name;
static bool asks_meanwhile; /* which lavapipe 22.3 may not survive (docs/traps/vulkan.md) */

/* What the host saw of one run, in which it asks for results all the time. */
static double run(const work *w, kt_timer_context *timer_context, kt_recording *recording)
{
    int64_t begin_ns = kt_host_now_ns();
    EXPECT_OK(kt_recording_submit(recording));
    work_submit(&u, w);
    while (!work_has_ended(&u, w))
        if (asks_meanwhile)
            EXPECT_OK(kt_collect(timer_context));
    return (double)(kt_host_now_ns() - begin_ns);
}

static void record_two(const work *w, kt_recording *recording, kt_timer *once, kt_timer *thrice)
{
    work_begin(&u, w, 0);
    EXPECT_OK(kt_recording_begin_vulkan(recording, w->buffer, 0));
    EXPECT_OK(kt_recording_start(recording, once));
    work_copy(&u, w);
    EXPECT_OK(kt_recording_stop(recording, once));
    EXPECT_OK(kt_recording_start(recording, thrice));
    for (int i = 0; i < 3; i++)
        work_copy(&u, w);
    EXPECT_OK(kt_recording_stop(recording, thrice));
    work_end(&u, w);
}

static void check_row(const kt_snapshot *snapshot, const char *name)
{
    const kt_row *row = kt_snapshot_find(snapshot, name, KT_BACKEND_VULKAN);
    assert_non_null(row);
    assert_int_equal(row->count, RUNS);
    assert_true(row->min_ns > 0);
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_int_equal(row->discarded[i], 0);
    print_message("%s: %g to %g ns, mean %g ns\n", name, row->min_ns, row->max_ns, row->mean_ns);
}

/* Every duration lies within what the host saw of its own run, so none is of another one. */
static void recorded_once(bool resets_queries)
{
    work w;
    kt_timer *once = NULL, *thrice = NULL;
    kt_recording *recording = NULL;
    kt_snapshot *snapshot = NULL;
    kt_timer_context_counts counts;
    u = (user){.bytes = MEGABYTE};
    assert_true(user_open(&u, LOADER, 0, resets_queries));
    work_open(&u, &w);
    kt_timer_context *timer_context = user_import(&u, 0);
    EXPECT_OK(kt_timer_create(timer_context, "once", &once));
    EXPECT_OK(kt_timer_create(timer_context, "thrice", &thrice));
    EXPECT_OK(kt_recording_create(timer_context, NULL, &recording));
    kt_reset();
    record_two(&w, recording, once, thrice);
    for (int i = 0; i < RUNS; i++) {
        double once_ns, thrice_ns, host_ns = run(&w, timer_context, recording);
        EXPECT_OK(kt_collect(
            timer_context)); /* all that has ended is there, however soon it is asked for */
        kt_timer_context_get_counts(timer_context, &counts);
        assert_int_equal(counts.recorded, 2 * (i + 1));
        EXPECT_OK(kt_timer_elapsed(once, &once_ns));
        EXPECT_OK(kt_timer_elapsed(thrice, &thrice_ns));
        if (!(once_ns > 0 && thrice_ns > 0 && once_ns + thrice_ns <= host_ns))
            fail_msg("run %d: %g and %g ns, of which the host saw %g ns", i, once_ns, thrice_ns,
                     host_ns);
    }
    EXPECT_OK(kt_snapshot_take(&snapshot));
    check_row(snapshot, "once");
    check_row(snapshot, "thrice");
    kt_snapshot_destroy(&snapshot);
    kt_recording_destroy(&recording);
    kt_timer_destroy(&once);
    kt_timer_destroy(&thrice);
    kt_timer_context_close(&timer_context);
    work_close(&u, &w);
    user_close(&u);
}

static void with_resets_by_the_host(void **state)
{
    recorded_once(true);
}

static void without(void **state)
{
    recorded_once(false);
}

/* Recorded anew each time, in two command buffers that take turns, and taken in by the next
 * beginning. */
static void recorded_anew(void **state)
{
    work w[2];
    kt_recording *recordings[2] = {NULL, NULL};
    kt_timer *once = NULL, *thrice = NULL;
    kt_timer_context_counts counts;
    double host_ns[2] = {0};
    u = (user){.bytes = MEGABYTE};
    assert_true(user_open(&u, LOADER, 0, true));
    kt_timer_context *timer_context = user_import(&u, 0);
    EXPECT_OK(kt_timer_create(timer_context, "once", &once));
    EXPECT_OK(kt_timer_create(timer_context, "thrice", &thrice));
    for (int i = 0; i < 2; i++) {
        work_open(&u, &w[i]);
        EXPECT_OK(kt_recording_create(timer_context, NULL, &recordings[i]));
    }
    for (int i = 0; i < RUNS; i++) {
        double newest_ns;
        int turn = i & 1;
        record_two(&w[turn], recordings[turn], once, thrice);
        if (i >= 2) { /* of the last run, or of the one before, which beginning has taken in */
            double longest_ns = host_ns[0] > host_ns[1] ? host_ns[0] : host_ns[1];
            EXPECT_OK(kt_timer_elapsed(thrice, &newest_ns));
            assert_true(newest_ns > 0 && newest_ns <= longest_ns);
        }
        host_ns[turn] = run(&w[turn], timer_context, recordings[turn]);
    }
    EXPECT_OK(kt_timer_wait(once, 0));
    EXPECT_OK(kt_timer_wait(thrice, 0));
    kt_timer_context_get_counts(timer_context, &counts);
    assert_int_equal(counts.recorded, 2 * RUNS);
    for (int i = 0; i < 2; i++) {
        kt_recording_destroy(&recordings[i]);
        work_close(&u, &w[i]);
    }
    kt_timer_destroy(&once);
    kt_timer_destroy(&thrice);
    kt_timer_context_close(&timer_context);
    user_close(&u);
}

typedef struct collector {
    kt_timer_context *timer_context;
    atomic_bool ends;
} collector;

static void *collect(void *argument)
{
    collector *c = argument;
    while (!c->ends)
        kt_collect(c->timer_context);
    return NULL;
}

/* Another thread asks without a pause; each run is waited for before the next, so none is
 * overwritten. */
static void beside_a_collector(void **state)
{
    enum { MANY = 10 * RUNS };
    work w;
    kt_timer *once = NULL, *thrice = NULL;
    kt_recording *recording = NULL;
    kt_timer_context_counts counts;
    pthread_t thread;
    u = (user){.bytes = MEGABYTE / 16};
    assert_true(user_open(&u, LOADER, 0, true));
    work_open(&u, &w);
    collector c = {.timer_context = user_import(&u, 0)};
    EXPECT_OK(kt_timer_create(c.timer_context, "once", &once));
    EXPECT_OK(kt_timer_create(c.timer_context, "thrice", &thrice));
    EXPECT_OK(kt_recording_create(c.timer_context, NULL, &recording));
    record_two(&w, recording, once, thrice);
    assert_int_equal(pthread_create(&thread, NULL, collect, &c), 0);
    for (int i = 0; i < MANY; i++) {
        EXPECT_OK(kt_recording_submit(recording));
        work_submit(&u, &w);
        while (!work_has_ended(&u, &w))
            ;
    }
    c.ends = true;
    pthread_join(thread, NULL);
    EXPECT_OK(kt_timer_context_wait(c.timer_context, 0));
    kt_timer_context_get_counts(c.timer_context, &counts);
    assert_int_equal(counts.recorded, 2 * MANY);
    kt_recording_destroy(&recording);
    kt_timer_destroy(&once);
    kt_timer_destroy(&thrice);
    kt_timer_context_close(&c.timer_context);
    work_close(&u, &w);
    user_close(&u);
}

static void spoil(void **state)
{
    work w;
    kt_timer *timer = NULL;
    kt_recording *recording = NULL;
    work_open(&u, &w);
    kt_timer_context *timer_context = user_import(&u, 0);
    EXPECT_OK(kt_timer_create(timer_context, "spoilt", &timer));
    EXPECT_OK(kt_recording_create(timer_context, NULL, &recording));
    work_begin(&u, &w, 0);
    EXPECT_OK(kt_recording_begin_vulkan(recording, w.buffer, 0));
    work_end(&u, &w);
    work_begin(&u, &w, 0); /* and all that was recorded is gone */
    EXPECT_OK(kt_recording_start(recording, timer));
    EXPECT_OK(kt_recording_stop(recording, timer));
    work_end(&u, &w);
    run(&w, timer_context, recording);
    kt_recording_destroy(&recording);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    work_close(&u, &w);
}

/* 0 if the right device is here; else what to exit with. */
static int find_device(void)
{
    VkPhysicalDeviceProperties properties;
    if (!user_open(&u, LOADER, 0, false)) {
        printf("skipped: there is no Vulkan device\n");
        return SKIPPED;
    }
    u.vk.vkGetPhysicalDeviceProperties(u.physical, &properties);
    printf("%s\n", properties.deviceName);
    asks_meanwhile = !strstr(properties.deviceName, "llvmpipe");
    return strstr(properties.deviceName, device_name) ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(with_resets_by_the_host),
                                       cmocka_unit_test(without), cmocka_unit_test(recorded_anew),
                                       cmocka_unit_test(beside_a_collector)};
    const struct CMUnitTest spoilt[] = {cmocka_unit_test(spoil)};
    device_name = argc > 1 ? argv[1] : "";
    int failed = find_device();
    if (failed == 0 && argc > 2)
        failed = cmocka_run_group_tests(spoilt, NULL, NULL);
    user_close(&u);
    if (failed == 0 && argc <= 2)
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
