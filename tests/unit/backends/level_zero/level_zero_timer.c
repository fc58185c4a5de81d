/* SPDX-License-Identifier: MIT */
/*
 * Timers in a Level Zero program's own lists, over the stub driver in one of its moods;
 * level_zero_timer.sh says which script goes with which.
 *
 *   unit_level_zero_timer MOOD
 *   unit_level_zero_timer --loader     77: the system has none
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/level_zero/level_zero_timer.h"

#include <time.h>

user u;
work now, later;
kt_timer_context *timer_context;
kt_timer *timer;
kt_recording *recording;

static _Atomic uint64_t seen_ticks;

static void see(const char *name, uint64_t begin_ticks, uint64_t end_ticks)
{
    (void)name;
    seen_ticks = end_ticks - begin_ticks;
}

uint64_t last_ticks(void)
{
    return seen_ticks;
}

kt_timer_context *import(uint32_t spans_max)
{
    kt_timer_context *made = NULL;
    kt_level_zero_import desc = user_describe(&u);
    desc.spans_max = spans_max;
    EXPECT_OK(kt_timer_context_import_level_zero(&desc, &made));
    return made;
}

int set_up(void **state)
{
    user_open(&u);
    u.ze.observe(see);
    work_open(&u, &later);
    work_open_immediate(&u, &now, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    timer_context = import(0);
    EXPECT_OK(kt_timer_context_add_level_zero_list(timer_context, now.list));
    timer = make_timer("fill");
    recording = make_recording(0);
    return 0;
}

int tear_down(void **state)
{
    kt_recording_destroy(&recording);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    work_close(&u, &now);
    work_close(&u, &later);
    user_close(&u);
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

double period_ns(uint32_t clock)
{
    const kt_clock_info *info = kt_timer_context_get_clock(timer_context, clock);
    assert_non_null(info);
    return info->period_ns;
}

void take(uint64_t ticks)
{
    u.ze.take(ticks);
}

void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

void run_span(kt_timer *t, const work *in, unsigned count)
{
    EXPECT_OK(kt_timer_start(t, in->list));
    for (unsigned i = 0; i < count; i++)
        work_fill(&u, in, NULL);
    EXPECT_OK(kt_timer_stop(t, in->list));
    work_wait(&u, in);
    nap();
}

void record_span(kt_recording *r, kt_timer *t, const work *in, unsigned count)
{
    work_begin(&u, in);
    EXPECT_OK(kt_recording_begin_level_zero(r, in->list));
    EXPECT_OK(kt_recording_start(r, t));
    for (unsigned i = 0; i < count; i++)
        work_fill(&u, in, NULL);
    EXPECT_OK(kt_recording_stop(r, t));
    work_end(&u, in);
}

void record_event(kt_recording *r, kt_timer *t, const work *in)
{
    work_begin(&u, in);
    EXPECT_OK(kt_recording_begin_level_zero(r, in->list));
    ze_event_handle_t event = kt_recording_event_level_zero(r, t);
    assert_non_null(event);
    work_fill(&u, in, event);
    EXPECT_OK(kt_recording_stop(r, t));
    work_end(&u, in);
}

void run_recorded(kt_recording *r, const work *in)
{
    EXPECT_OK(kt_recording_submit(r));
    work_submit(&u, in);
    work_wait(&u, in);
    nap();
}

uint64_t newest_ticks(kt_timer *t, uint32_t clock, const char *file, int line)
{
    double elapsed_ns = NAN;
    expect_status(kt_timer_wait(t, 0), KT_OK, "kt_timer_wait", file, line);
    expect_status(kt_timer_elapsed(t, &elapsed_ns), KT_OK, "kt_timer_elapsed", file, line);
    uint64_t ticks = (uint64_t)llround(elapsed_ns / period_ns(clock));
    expect_near(elapsed_ns, (double)ticks * period_ns(clock), 0, "the newest span", file, line);
    return ticks;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest *const areas[] = {
        stream_moods, recording_moods, event_moods, timestamp_moods,
        misuse_moods, thread_moods,    NULL};
    if (argc == 2 && strcmp(argv[1], "--loader") == 0)
        return user_has_loader() ? 0 : 77;
    return run_mood("level zero timers", areas, argc > 1 ? argv[1] : NULL);
}
