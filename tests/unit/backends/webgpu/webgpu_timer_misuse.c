/* SPDX-License-Identifier: MIT */
/* What a program may do wrong, and the sentence that it gets; limits. */
#include "tests/unit/backends/webgpu/webgpu_timer.h"

#include <kerntime/timer/cpu.h>

static WGPUPassTimestampWrites writes;

#define EXPECT_UNTIMED(of, encoder, into, sentence)           \
    do {                                                      \
        assert_null(kt_timer_pass_webgpu(of, encoder, into)); \
        EXPECT_TEXT_HAS(kt_error_text(), sentence);           \
    } while (0)

static void out_of_turn(void **state)
{
    WGPUCommandEncoder encoder = encode(1);
    EXPECT_REFUSED(kt_timer_context_submitted_webgpu(timer_context, encoder), KT_INVALID,
                   "the timestamps of this encoder were not resolved");
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, NULL)); /* none is resolved */
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, encoder));
    EXPECT_REFUSED(kt_timer_context_resolve_webgpu(timer_context, encoder), KT_INVALID,
                   "resolved already");
    EXPECT_UNTIMED(timer, encoder, &writes, "resolved already");
    EXPECT_HELD(1, 0);
    user_submit(&u, encoder);
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, encoder));
    EXPECT_REFUSED(kt_timer_context_submitted_webgpu(timer_context, encoder), KT_INVALID,
                   "said to be submitted already");
    EXPECT_REFUSED(kt_timer_context_resolve_webgpu(timer_context, encoder), KT_INVALID,
                   "resolved already");
    EXPECT_UNTIMED(timer, encoder, &writes, "resolved already");
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().refused, 0);
}

static void strangers(void **state)
{
    kt_timer_context *cpu = NULL;
    kt_timer *of_cpu = NULL;
    EXPECT_OK(kt_timer_context_import_cpu(&cpu));
    EXPECT_OK(kt_timer_create(cpu, "cpu", &of_cpu));
    WGPUCommandEncoder encoder = user_encode(&u);
    EXPECT_UNTIMED(of_cpu, encoder, &writes, "timer \"cpu\" is not of WebGPU");
    EXPECT_UNTIMED(timer, NULL, &writes, "timer \"pass\": no encoder");
    EXPECT_UNTIMED(timer, encoder, NULL, "timer \"pass\": nothing to fill");
    EXPECT_REFUSED(kt_timer_context_resolve_webgpu(cpu, encoder), KT_INVALID,
                   "no device of WebGPU");
    EXPECT_REFUSED(kt_timer_context_submitted_webgpu(cpu, encoder), KT_INVALID,
                   "no device of WebGPU");
    EXPECT_REFUSED(kt_timer_context_discard_webgpu(cpu, encoder), KT_INVALID,
                   "no device of WebGPU");
    EXPECT_REFUSED(kt_timer_context_resolve_webgpu(timer_context, NULL), KT_INVALID, "no encoder");
    EXPECT_REFUSED(kt_timer_context_discard_webgpu(timer_context, NULL), KT_INVALID, "no encoder");
    /* Encoders without timed passes are none of its business, and no mistake. */
    EXPECT_OK(kt_timer_context_resolve_webgpu(timer_context, encoder));
    EXPECT_OK(kt_timer_context_submitted_webgpu(timer_context, encoder));
    EXPECT_OK(kt_timer_context_discard_webgpu(timer_context, encoder));
    u.wgpu.wgpuCommandEncoderRelease(encoder);
    kt_timer_destroy(&of_cpu);
    kt_timer_context_close(&cpu);
}

static void other_shapes(void **state)
{
    kt_recording *recording = NULL;
    EXPECT_REFUSED(kt_timer_start(timer, NULL), KT_UNSUPPORTED,
                   "timer \"pass\": work of WebGPU is timed by passes");
    EXPECT_REFUSED(kt_timer_stop(timer, NULL), KT_INVALID, "was not started");
    EXPECT_REFUSED(kt_recording_create(timer_context, NULL, &recording), KT_UNSUPPORTED,
                   "webgpu has nothing to record: fill the descriptors of passes");
    assert_null(recording);
}

static void disabled(void **state)
{
    WGPUCommandEncoder encoder = encode(1);
    kt_disable();
    assert_null(kt_timer_pass_webgpu(timer, encoder, &writes));
    WGPUCommandEncoder untimed = user_encode(&u);
    assert_null(kt_timer_pass_webgpu(timer, untimed, &writes));
    assert_null(kt_timer_pass_webgpu(NULL, untimed, &writes));
    submit(untimed);
    submit(encoder); /* what is filled stays so */
    kt_enable();
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(1, KT_TIMESTAMP_OK, 0);
    assert_int_equal(get_counts().refused, 0);
}

static void caps(void **state)
{
    WGPUCommandEncoder a = encode(2), b = encode(1), c = user_encode(&u);
    EXPECT_UNTIMED(timer, a, &writes, "2 passes of this encoder are timed, as many as may be");
    EXPECT_UNTIMED(timer, c, &writes, "2 encoders with passes that are timed are pending");
    assert_int_equal(get_counts().refused, 2);
    EXPECT_HELD(3, 0);
    pass(b, timer);
    submit(a);
    submit(b);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(4, KT_TIMESTAMP_OK, 0);
    u.wgpu.wgpuCommandEncoderRelease(c);
}

static void refused_import(const kt_webgpu_import *desc, kt_status status, const char *sentence)
{
    kt_timer_context *none = NULL;
    EXPECT_REFUSED(kt_timer_context_import_webgpu(desc, &none), status, sentence);
    assert_null(none);
}

static void bad_imports(void **state)
{
    open_user(&(user_options){0});
    kt_webgpu_import desc[5];
    for (int i = 0; i < 5; i++)
        desc[i] = user_describe(&u);
    desc[0].instance = NULL;
    refused_import(&desc[0], KT_INVALID, "no instance to import");
    desc[1].device = NULL;
    refused_import(&desc[1], KT_INVALID, "no device to import");
    desc[2].frames_max = 1025;
    refused_import(&desc[2], KT_INVALID, "1024 and 2048 are the most");
    desc[3].passes_max = 2049;
    refused_import(&desc[3], KT_INVALID, "1024 and 2048 are the most");
    desc[4].size = 0;
    refused_import(&desc[4], KT_INVALID, "the member size of kt_webgpu_import is not set");
    open_timer_context(1024, 2048);
    submit(encode(2048));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_COUNTS(2048, KT_TIMESTAMP_OK, 0);
    close_all();
}

static void without_timestamps(void **state)
{
    open_user(&(user_options){.without_timestamps = true});
    const kt_webgpu_import desc = user_describe(&u);
    refused_import(&desc, KT_UNSUPPORTED,
                   "the device was made without the feature timestamp-query");
    user_close(&u);
}

/* The functions of the library that KERNTIME_LIB_WEBGPU names. */
static void named_library(void **state)
{
    open_user(&(user_options){0});
    kt_webgpu_import desc = user_describe(&u);
    desc.get_proc_address = NULL;
    EXPECT_OK(kt_timer_context_import_webgpu(&desc, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "pass", &timer));
    submit(encode(1));
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    EXPECT_NEWEST(timer, PASS_NS);
    close_all();
}

/* Which is wgpu-native: it is asked for no function but the one that tells. */
static void wgpu_native(void **state)
{
    open_user(&(user_options){0});
    kt_webgpu_import desc = user_describe(&u);
    refused_import(&desc, KT_UNAVAILABLE, "this library is wgpu-native");
    desc.get_proc_address = NULL;
    refused_import(&desc, KT_UNAVAILABLE, "this library is wgpu-native");
    user_close(&u);
}

const struct CMUnitTest timer_misuse_moods[] = {
    MOOD(out_of_turn),
    MOOD(strangers),
    MOOD(other_shapes),
    MOOD_OF("disabled", disabled, &(frame_limits){1, 0}),
    MOOD_OF("caps", caps, &(frame_limits){2, 2}),
    cmocka_unit_test(bad_imports),
    cmocka_unit_test(without_timestamps),
    cmocka_unit_test(named_library),
    cmocka_unit_test(wgpu_native),
    MOODS_END,
};
