/* SPDX-License-Identifier: MIT */
/*
 * Timers in a Vulkan program's own commands, over the stub driver in one of its moods; vulkan.sh
 * says which script goes with which.
 *
 *   unit_vulkan_timer MOOD [no-host-reset]
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/vulkan/vulkan_timer.h"

#include <stdlib.h>
#include <time.h>

user u;
work w;
kt_timer_context *timer_context;
kt_timer *timer;
kt_recording *recording;

static bool resets_queries = true;

void open_user(void)
{
    const char *stub = getenv("KERNTIME_LIB_VULKAN");
    assert_non_null(stub);
    assert_true(user_open(&u, stub, 0, resets_queries));
    assert_true(u.vk.vkStubExecute && u.vk.vkStubAdvance);
}

void open_all(void)
{
    open_user();
    work_open(&u, &w);
    timer_context = user_import(&u, 0);
    timer = make_timer("copy");
    recording = make_recording(0);
}

void close_all(void)
{
    kt_recording_destroy(&recording);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    work_close(&u, &w);
    user_close(&u);
}

int set_up(void **state)
{
    open_all();
    return 0;
}

int tear_down(void **state)
{
    close_all();
    return 0;
}

kt_timer *make_timer(const char *name)
{
    kt_timer *made = NULL;
    EXPECT_OK(kt_timer_create(timer_context, name, &made));
    return made;
}

kt_recording *make_recording(uint32_t spans_max)
{
    kt_recording *made = NULL;
    const kt_recording_options options = {.size = sizeof options, .spans_max = spans_max};
    EXPECT_OK(kt_recording_create(timer_context, &options, &made));
    return made;
}

void begin(const work *in, kt_recording *r)
{
    work_begin(&u, in, 0);
    EXPECT_OK(kt_recording_begin_vulkan(r, in->buffer, 0));
}

void record_span(const work *in, kt_recording *r, kt_timer *t, unsigned copies)
{
    EXPECT_OK(kt_recording_start(r, t));
    for (unsigned i = 0; i < copies; i++)
        work_copy(&u, in);
    EXPECT_OK(kt_recording_stop(r, t));
}

void record_copies(const work *in, kt_recording *r, kt_timer *t, unsigned copies)
{
    begin(in, r);
    record_span(in, r, t, copies);
    work_end(&u, in);
}

void submit(const work *in, kt_recording *r)
{
    EXPECT_OK(kt_recording_submit(r));
    work_submit(&u, in);
}

void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

void finish(const work *in)
{
    nap();
    u.vk.vkStubExecute(u.queue, ALL_COMMANDS);
    assert_true(work_has_ended(&u, in));
}

void run_copies(unsigned copies)
{
    record_copies(&w, recording, timer, copies);
    run_again();
}

void run_again(void)
{
    submit(&w, recording);
    finish(&w);
}

void expect_newest(const kt_timer *t, double ns, const char *file, int line)
{
    double elapsed_ns = NAN;
    expect_status(kt_timer_elapsed(t, &elapsed_ns), KT_OK, "kt_timer_elapsed", file, line);
    expect_near(elapsed_ns, ns, 0, "the newest span", file, line);
}

const kt_row *find_row(kt_snapshot **snapshot, const char *name, uint64_t count)
{
    EXPECT_OK(kt_snapshot_take(snapshot));
    const kt_row *row = kt_snapshot_find(*snapshot, name, KT_BACKEND_VULKAN);
    assert_non_null(row);
    assert_int_equal(row->count, count);
    return row;
}

void expect_row(const char *name, uint64_t count, kt_timestamp_state state, uint64_t discarded)
{
    kt_snapshot *snapshot = NULL;
    const kt_row *row = find_row(&snapshot, name, count);
    assert_int_equal(row->discarded[state], discarded);
    assert_int_equal(isnan(row->mean_ns), count == 0);
    kt_snapshot_destroy(&snapshot);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest *const areas[] = {timer_run_moods,       timer_stale_moods,
                                              timer_timestamp_moods, timer_misuse_moods,
                                              timer_thread_moods,    NULL};
    resets_queries = argc < 3;
    return run_mood("vulkan timers", areas, argc > 1 ? argv[1] : NULL);
}
