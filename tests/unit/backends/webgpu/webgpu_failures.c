/* SPDX-License-Identifier: MIT */
/* Submissions that never complete, devices that are lost, shaders that are none, and calls that
 * fail. */
#include "tests/unit/backends/webgpu/webgpu.h"

#include <stdlib.h>

static kt_status measure_a_copy(void)
{
    kt_memory *src = make_memory(KT_MEMORY_DEVICE, 100), *dst = make_memory(KT_MEMORY_DEVICE, 100);
    const kt_step copy = {.kind = KT_STEP_COPY, .src = src, .dst = dst, .copy_bytes = 100};
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .timeout_ns = time_limit_ns()};
    kt_job *job = make_job(&copy, 1);
    kt_result *result = NULL;
    kt_status status = kt_measure(job, &options, &result);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
    return status;
}

static void hangs(void **state)
{
    EXPECT_STATUS(measure_a_copy(), KT_TIMEOUT);
}

static void is_lost(void **state)
{
    EXPECT_STATUS(measure_a_copy(), KT_DEVICE_LOST);
    EXPECT_TEXT_HAS(kt_error_text(), "the script wants the device to be lost");
}

/* Reading takes a submission, too. */
static void transfer_hangs(void **state)
{
    char bytes[100] = "";
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, sizeof bytes);
    EXPECT_STATUS(kt_memory_read(memory, 0, bytes, sizeof bytes), KT_TIMEOUT);
    kt_memory_destroy(&memory);
}

/* Three pieces of 16 MiB, each of which takes 200 ms: within 300 ms of its own, but not together. A
 * busy machine only adds to that. */
static void expect_one_deadline(bool writes)
{
    enum { COUNT = 3 << 24 };
    const kt_context_options options = {.size = sizeof options, .timeout_ns = 300000000};
    char *bytes = test_calloc(COUNT, 1);
    EXPECT_OK(kt_context_create(&context, &options));
    EXPECT_OK(kt_device_open(context, "webgpu:0", &device));
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, COUNT);
    EXPECT_STATUS(writes ? kt_memory_write(memory, 0, bytes, COUNT)
                         : kt_memory_read(memory, 0, bytes, COUNT),
                  KT_TIMEOUT);
    EXPECT_TEXT_HAS(kt_error_text(), "within 0.3 s");
    kt_memory_destroy(&memory);
    close_device();
    test_free(bytes);
}

static void slow_read(void **state)
{
    expect_one_deadline(false);
}

static void slow_write(void **state)
{
    expect_one_deadline(true);
}

/* ---- shaders ---- */

static kt_status build(const char *source, const char *entry)
{
    const kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_WGSL, .entry = entry, .source = source};
    kt_program *program = NULL;
    kt_status status = kt_program_create(device, &desc, &program);
    kt_program_destroy(&program);
    return status;
}

/* The log is the library's; what is said of a kernel that is not there, kerntime's. */
static void shaders(void **state)
{
    static const char good[] = "@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z)\n"
                               "fn good() {}\n";
    EXPECT_OK(build(good, "good"));
    EXPECT_STATUS(build("fn good() {", "good"), KT_BUILD_FAILED);
    EXPECT_TEXT_HAS(kt_error_text(), "Error while parsing WGSL: :1:1 error: expected '}'");
    EXPECT_STATUS(build(good, "better"), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "better");
    EXPECT_STATUS(build("fn good() {}\n", "good"), KT_INVALID); /* no entry of a pass */
    EXPECT_TEXT_HAS(kt_error_text(),
                    "the source has no kernel good: that function is not @compute");
    EXPECT_OK(build(good, "good"));
}

static kt_status give_groups(const char *source, uint32_t x, uint32_t y)
{
    const kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_WGSL, .entry = "main", .source = source};
    kt_program *program = NULL;
    kt_job *job = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &program));
    const kt_step step = {.program = program, .groups = {4}, .group_size = {x, y}};
    const kt_job_desc steps = {
        .size = sizeof steps, .name = "job", .steps = &step, .step_count = 1};
    kt_status status = kt_job_create(device, &steps, &job);
    kt_job_destroy(&job);
    kt_program_destroy(&program);
    return status;
}

/* A library would run another number of work-items without a word. */
static void fixed_group_size(void **state)
{
    static const char fixed[] = "@compute @workgroup_size(64) fn main() {}";
    EXPECT_STATUS(give_groups(fixed, 128, 1), KT_INVALID);
    assert_string_equal(kt_error_text(),
                        "kernel main is made for groups of 64 in dimension x, not of 128");
    EXPECT_STATUS(give_groups(fixed, 32, 1), KT_INVALID);
    assert_string_equal(kt_error_text(),
                        "kernel main is made for groups of 64 in dimension x, not of 32");
    EXPECT_OK(give_groups(fixed, 64, 1));
    EXPECT_STATUS(give_groups(fixed, 64, 2), KT_INVALID);
    assert_string_equal(kt_error_text(),
                        "kernel main is made for groups of 1 in dimension y, not of 2");
    EXPECT_OK(give_groups("@compute @workgroup_size(kt_group_x, 2) fn main() {}", 8, 2));
    EXPECT_STATUS(give_groups("@compute @workgroup_size(kt_group_x, 2) fn main() {}", 8, 4),
                  KT_INVALID);
    assert_string_equal(kt_error_text(),
                        "kernel main is made for groups of 2 in dimension y, not of 4");
}

/* Why it is refused is seldom clear from the library's words alone, which follow. */
static void unused_argument(void **state)
{
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, 64);
    const kt_program_desc desc = {
        .size = sizeof desc,
        .language = KT_LANGUAGE_WGSL,
        .entry = "main",
        .source = "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n"
                  "@compute @workgroup_size(1) fn main() { words[0] = 1; }"};
    const kt_arg args[] = {{.memory = memory}, {.memory = memory}};
    kt_program *program = NULL;
    kt_job *job = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &program));
    const kt_step step = {
        .program = program, .args = args, .arg_count = 2, .groups = {1}, .group_size = {1}};
    const kt_job_desc steps = {
        .size = sizeof steps, .name = "job", .steps = &step, .step_count = 1};
    EXPECT_STATUS(kt_job_create(device, &steps, &job), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(),
                    "kernel main does not take these 2 arguments in group 0; an argument that the "
                    "kernel does not use is not there for WebGPU:\n");
    EXPECT_TEXT_HAS(kt_error_text(), "2 entries, the kernel uses 1"); /* the stub's words */
    kt_program_destroy(&program);
    kt_memory_destroy(&memory);
}

/* ---- calls ---- */

/* All that a user does, up to the first failure. */
static kt_status use_all(void)
{
    uint32_t words[4] = {1, 2, 3, 4}, n = 4;
    kt_status status = try_device(0);
    kt_memory *memory = NULL;
    kt_program *program = NULL;
    kt_job *job = NULL;
    kt_result *result = NULL;
    const kt_program_desc desc = {
        .size = sizeof desc,
        .language = KT_LANGUAGE_WGSL,
        .entry = "fill",
        .source = "struct Values { n: u32 }\n"
                  "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n"
                  "@group(0) @binding(1) var<uniform> values: Values;\n"
                  "@compute @workgroup_size(kt_group_x) fn fill() { words[0] = values.n; }\n"};
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .timing = KT_TIMING_BOTH};
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_DEVICE, sizeof words, &memory);
    if (status == KT_OK)
        status = kt_memory_write(memory, 0, words, sizeof words);
    if (status == KT_OK)
        status = kt_memory_read(memory, 0, words, sizeof words);
    if (status == KT_OK)
        status = kt_program_create(device, &desc, &program);
    fill_step fill;
    fill_step_make(&fill, "fill", program, memory, &n);
    const kt_job_desc steps = {
        .size = sizeof steps, .name = "job", .steps = &fill.step, .step_count = 1};
    if (status == KT_OK)
        status = kt_job_create(device, &steps, &job);
    if (status == KT_OK)
        status = kt_measure(job, &options, &result);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_program_destroy(&program);
    kt_memory_destroy(&memory);
    return status;
}

/* The sentence names the call that the script makes fail; what it has to be is in the
 * environment. */
static void call_fails(void **state)
{
    const char *call = getenv("KT_TEST_CALL");
    assert_non_null(call);
    kt_status status = use_all();
    if (status == KT_OK)
        fail_msg("%s fails, and nobody noticed", call);
    EXPECT_TEXT_HAS(kt_error_text(), call);
}

/* Each timestamp is an error, and there are wall times. */
static void timestamps_fail(void **state)
{
    kt_result *result = measure_copy(5, 1, KT_TIMING_BOTH);
    assert_int_equal(series_of(result, "step")->summary.n, 0);
    assert_int_equal(series_of(result, "wall")->summary.n, 5);
    kt_result_destroy(&result);
}

const struct CMUnitTest webgpu_failure_tests[] = {
    MOOD(hangs),
    MOOD(is_lost),
    MOOD(transfer_hangs),
    BARE(slow_read),
    BARE(slow_write),
    MOOD(shaders),
    MOOD(fixed_group_size),
    MOOD(unused_argument),
    {"call_fails", call_fails, NULL, tear_down, NULL},
    MOOD(timestamps_fail),
    MOODS_END,
};
