/* SPDX-License-Identifier: MIT */
/*
 * Timers of a Metal program's own passes, encoders and command buffers, over the stub in one of its
 * moods; metal_timer.sh says which script goes with which.
 *
 *   unit_metal_timer MOOD
 */
#include "tests/unit/backends/metal/metal_timer.h"

#include <stdlib.h>

user u;
kt_timer_context *timer_context;
kt_timer *timer;

void open_user(void)
{
    const char *stub = getenv("KERNTIME_LIB_METAL"), *script = getenv("KT_STUB_METAL");
    assert_non_null(stub);
    assert_non_null(script);
    assert_true(user_open(&u, stub));
    assert_true(u.stub.now && u.stub.advance && u.stub.take);
    metal_time_follow(&u, strstr(script, "clock=host") == NULL);
}

void open_timer_context(uint32_t spans_max)
{
    kt_metal_import desc = user_describe(&u);
    desc.spans_max = spans_max;
    EXPECT_OK(kt_timer_context_import_metal(&desc, &timer_context));
    timer = make_timer("pass");
}

int set_up(void **state)
{
    open_user();
    open_timer_context(0);
    return 0;
}

int tear_down(void **state)
{
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    user_close(&u);
    return 0;
}

kt_timer *make_timer(const char *name)
{
    kt_timer *made = NULL;
    EXPECT_OK(kt_timer_create(timer_context, name, &made));
    return made;
}

void take(int64_t ns)
{
    u.stub.take(ns);
}

void let_it_end(void)
{
    u.stub.advance(INT64_C(100000000000));
}

void pass(void *commands, user_kind kind, kt_timer *of)
{
    void *descriptor = user_pass_descriptor(&u, kind);
    EXPECT_OK(kt_timer_pass_metal(of, commands, descriptor));
    user_pass(&u, commands, kind, descriptor);
    user_release(&u, descriptor);
}

void *encode(unsigned passes)
{
    void *commands = user_commands(&u);
    for (unsigned i = 0; i < passes; i++)
        pass(commands, USER_COMPUTE, timer);
    return commands;
}

void submit(void *commands)
{
    user_commit(&u, commands);
    user_release(&u, commands);
}

double slack_ns(double ns)
{
    const kt_clock_info *info = kt_timer_context_get_clock(timer_context, GPU_CLOCK);
    double tick_ns = info ? info->period_ns : 1;
    return ns * 0.001 + fmax(tick_ns, 125.0 / 3);
}

void expect_newest(const kt_timer *of, double ns, const char *file, int line)
{
    double elapsed_ns = NAN;
    expect_status(kt_timer_elapsed(of, &elapsed_ns), KT_OK, "kt_timer_elapsed", file, line);
    expect_near(elapsed_ns, ns, slack_ns(ns), "the newest span", file, line);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest *const areas[] = {timer_pass_moods,
                                              timer_encoder_moods,
                                              timer_commands_moods,
                                              timer_timestamp_moods,
                                              timer_misuse_moods,
                                              timer_thread_moods,
                                              NULL};
    return run_mood("timers of Metal", areas, argc > 1 ? argv[1] : NULL);
}
