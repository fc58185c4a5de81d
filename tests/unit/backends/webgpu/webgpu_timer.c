/* SPDX-License-Identifier: MIT */
/*
 * Timers of a WebGPU program's own passes, over the stub library in one of its moods;
 * webgpu_timer.sh says which script goes with which.
 *
 *   unit_webgpu_timer MOOD
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/webgpu/webgpu_timer.h"

#include <stdlib.h>

user u;
kt_timer_context *timer_context;
kt_timer *timer;

void open_user(const user_options *options)
{
    const char *stub = getenv("KERNTIME_LIB_WEBGPU");
    assert_non_null(stub);
    assert_true(user_open(&u, stub, options));
    assert_true(u.wgpu.wgpuStubExecute && u.wgpu.wgpuStubAdvance);
}

int set_up(void **state)
{
    const frame_limits *limits = *state;
    open_user(&(user_options){0});
    open_timer_context(limits ? limits->frames_max : 0, limits ? limits->passes_max : 0);
    return 0;
}

int tear_down(void **state)
{
    close_all();
    return 0;
}

void open_timer_context(uint32_t frames_max, uint32_t passes_max)
{
    kt_webgpu_import desc = user_describe(&u);
    desc.frames_max = frames_max;
    desc.passes_max = passes_max;
    EXPECT_OK(kt_timer_context_import_webgpu(&desc, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "pass", &timer));
}

void close_all(void)
{
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    if (u.errors)
        fail_msg("WebGPU told the program: %s", u.error);
    user_close(&u);
}

WGPUCommandEncoder encode(unsigned passes)
{
    WGPUCommandEncoder encoder = user_encode(&u);
    for (unsigned i = 0; i < passes; i++)
        pass(encoder, timer);
    return encoder;
}

void pass(WGPUCommandEncoder encoder, kt_timer *of)
{
    WGPUPassTimestampWrites writes;
    const WGPUPassTimestampWrites *filled = kt_timer_pass_webgpu(of, encoder, &writes);
    if (filled != &writes)
        fail_msg("it is not timed: %s", kt_error_text());
    user_pass(&u, encoder, filled, 0);
}

void submit(WGPUCommandEncoder encoder)
{
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, encoder));
    user_submit(&u, encoder);
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, encoder));
}

void expect_newest(const kt_timer *of, double ns, const char *file, int line)
{
    double elapsed_ns = NAN;
    expect_status(kt_timer_elapsed(of, &elapsed_ns), KT_OK, "kt_timer_elapsed", file, line);
    expect_near(elapsed_ns, ns, 0, "the newest span", file, line);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest *const areas[] = {timer_frame_moods, timer_timestamp_moods,
                                              timer_misuse_moods, timer_thread_moods, NULL};
    return run_mood("timers of passes", areas, argc > 1 ? argv[1] : NULL);
}
