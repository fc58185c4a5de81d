/* SPDX-License-Identifier: MIT */
/* What is said when there is no device, or when one does not do what it should; what systems lack
 * that are older; and what devices tell. */
#include "tests/unit/backends/metal/metal.h"

static void expect_failed(kt_status status, const char *reason)
{
    EXPECT_STATUS(open_device(), status);
    EXPECT_TEXT_HAS(kt_error_text(), reason);
    close_device();
}

static void no_device(void **state)
{
    expect_failed(KT_UNAVAILABLE, "Metal finds no device");
}

static void no_compile_options(void **state)
{
    expect_failed(KT_UNAVAILABLE, "there is no class MTLCompileOptions");
}

static void not_built(void **state)
{
    expect_failed(KT_DRIVER_ERROR, "kerntime_empty does not compile");
}

static void hangs(void **state)
{
    made = make_fill(1);
    EXPECT_STATUS(try_measure(&made, 3, &measured), KT_TIMEOUT);
}

static void fail_with(void **state)
{
    const int status = *(const int *)*state;
    made = make_fill(1);
    EXPECT_STATUS(try_measure(&made, 100, &measured), status);
    EXPECT_TEXT_HAS(kt_error_text(), "the command buffer failed: Caused GPU Timeout Error");
}

/* Of a submission that fails, nothing is lost but its samples. */
static void goes_on_without_samples(void **state)
{
    made = make_fill(1);
    EXPECT_OK(try_measure(&made, 100, &measured));
    assert_int_equal(work_of(measured)->summary.n, 100);
}

static kt_program *build(const char *text)
{
    const kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_MSL, .entry = "sum", .source = text};
    kt_program *program = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &program));
    return program;
}

/* Buffers, threadgroup memory and textures have indices of their own. */
static void reflected(void **state)
{
    static const struct {
        const char *name;
        kt_parameter_kind kind;
        int is_read_only;
        size_t bytes;
    } expected[] = {{"in", KT_PARAMETER_BUFFER, 1, 16},
                    {"tile", KT_PARAMETER_LOCAL, 0, 0},
                    {"out", KT_PARAMETER_BUFFER, 0, 4},
                    {"image", KT_PARAMETER_IMAGE, 0, 0},
                    {"n", KT_PARAMETER_BUFFER, 1, 4}};
    kt_program *program = build(
        "kernel void sum(device const float4 *in [[buffer(0)]], threadgroup float *tile "
        "[[threadgroup(0)]], device float *out [[buffer(1)]], texture2d<float, access::write> "
        "image [[texture(0)]], constant uint &n [[buffer(2)]], uint i "
        "[[thread_position_in_grid]]) { }");
    const kt_program_info *info = NULL;
    EXPECT_OK(kt_program_reflect(program, &info));
    assert_true(info->has_parameters);
    assert_int_equal(info->parameter_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(info->parameters[i].name, expected[i].name);
        assert_int_equal(info->parameters[i].kind, expected[i].kind);
        assert_int_equal(info->parameters[i].is_read_only, expected[i].is_read_only);
        assert_int_equal(info->parameters[i].bytes, expected[i].bytes);
    }
    assert_int_equal(info->group_multiple, 32);
    kt_program_destroy(&program);
    /* Nothing can be given by its order to the second buffer alone. */
    program = build("kernel void sum(device float *out [[buffer(1)]]) { }");
    EXPECT_OK(kt_program_reflect(program, &info));
    assert_false(info->has_parameters);
    assert_int_equal(info->parameter_count, 0);
    kt_program_destroy(&program);
}

/* Its sizes become multiples of 16 bytes, which together have to fit; the stub finds misuse. */
static void local_memory(void **state)
{
    const uint32_t n = 1;
    kt_arg args[] = {{.value_bytes = 5},
                     {.memory = NULL},
                     {.value_bytes = 32768 - 16},
                     {.value = &n, .value_bytes = sizeof n}};
    kt_step step = {.name = "step", .args = args, .arg_count = 4};
    const kt_job_desc desc = {.size = sizeof desc, .name = "sum", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, 64, &made.memory));
    made.program = step.program =
        build("kernel void sum(threadgroup char *a, device int *x, threadgroup int *b, "
              "constant uint &n) { }");
    args[1].memory = made.memory;
    EXPECT_OK(kt_job_create(device, &desc, &made.job));
    EXPECT_OK(try_measure(&made, 3, &measured));
    kt_job_destroy(&made.job);
    args[0].value_bytes = 17;
    EXPECT_STATUS(kt_job_create(device, &desc, &made.job), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "the device has 32768 a group");
}

static void too_large(void **state)
{
    kt_memory *memory = NULL;
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_DEVICE, 65537, &memory), KT_LIMIT);
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++) {
        if (!(kt_device_get_info(device)->memory_kinds & 1u << kind))
            continue;
        EXPECT_OK(kt_memory_create(device, (kt_memory_kind)kind, 65536, &memory));
        kt_memory_destroy(&memory);
    }
}

static void groups_of_64(void **state)
{
    EXPECT_STATUS(try_group(128), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "kernel fill takes groups of at most 64 work-items, not 128");
    EXPECT_OK(try_group(64));
}

/* Those of the device are the core's to refuse. */
static void groups_of_256(void **state)
{
    assert_int_equal(kt_device_get_info(device)->max_group_size, 256);
    EXPECT_STATUS(try_group(512), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "metal:0 takes groups of at most 256 work-items");
    made = make_fill(1);
    EXPECT_OK(try_measure(&made, 3, &measured));
}

static void overlaps(void **state)
{
    EXPECT_STATUS(try_shift(256, 260), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "Metal does not copy between parts that overlap");
    EXPECT_OK(try_shift(256, 256));
}

/* ---- samples that are not used ---- */

static void expect_commands(void **state)
{
    const char *reason = *(const char **)*state;
    const kt_device_info *info = kt_device_get_info(device);
    assert_int_equal(info->clock_count, 1);
    assert_string_equal(info->clocks[0].name, "command-buffer");
    EXPECT_TEXT_HAS(info->quirk, reason);
    EXPECT_TEXT_HAS(info->quirk, ", so command buffers tell the times");
    made = make_fill(1);
    EXPECT_OK(try_measure(&made, 3, &measured));
    assert_int_equal(work_of(measured)->method, KT_METHOD_COMMAND_BUFFER);
    EXPECT_NEAR(work_of(measured)->summary.median, 10000, 2);
}

/* Kernels keep their timestamps. */
static void expect_commands_of_copies(void **state)
{
    const char *quirk = *(const char **)*state;
    kt_result *results[2] = {NULL, NULL};
    const kt_device_info *info = kt_device_get_info(device);
    assert_int_equal(info->clock_count, 2);
    assert_string_equal(info->quirk, quirk);
    work fill = make_fill(1), copy = make_copy(KT_MEMORY_HEAP, KT_MEMORY_DEVICE);
    EXPECT_OK(try_measure(&fill, 3, &results[0]));
    EXPECT_OK(try_measure(&copy, 3, &results[1]));
    assert_int_equal(work_of(results[0])->method, KT_METHOD_DEVICE_TIMESTAMP);
    assert_int_equal(work_of(results[1])->method, KT_METHOD_COMMAND_BUFFER);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(work_of(results[i])->summary.n, 3);
        kt_result_destroy(&results[i]);
    }
    destroy_work(&copy);
    destroy_work(&fill);
}

static void fails_plain(void **state)
{
    expect_failed(KT_DRIVER_ERROR, "the command buffer failed: Caused GPU Timeout");
}

/* Before macOS 10.15 nothing tells when something ran. */
static void no_times(void **state)
{
    assert_int_equal(kt_device_get_info(device)->clock_count, 0);
    made = make_fill(1);
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 3, .samples_max = 3, .max_time_ns = 1};
    EXPECT_OK(kt_measure(made.job, &options, &measured));
    assert_int_equal(kt_result_find(measured, "wall")->summary.n, 3);
    assert_int_equal(work_of(measured)->summary.n, 0);
}

/* ---- what is told ---- */

static void reported(const char *name, const char *vendor, uint32_t vendor_id, const char *place,
                     kt_memory_kind seen)
{
    const kt_device_info *info = kt_device_get_info(device);
    EXPECT_TEXT_HAS(info->name, name);
    assert_string_equal(info->vendor, vendor);
    assert_int_equal(info->vendor_id, vendor_id);
    EXPECT_TEXT_HAS(info->driver, place);
    assert_int_equal(info->memory_kinds,
                     1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_DEVICE | 1u << seen);
    assert_int_equal(info->clock_count, 2);
    assert_string_equal(info->clocks[0].name, "gpu");
    assert_string_equal(info->quirk, "");
}

static void reported_of_apple(void **state)
{
    reported("Apple M", "Apple", 0x106b, "integrated", KT_MEMORY_SHARED);
}

static void reported_of_amd(void **state)
{
    reported("AMD Radeon", "AMD", 0x1002, "discrete", KT_MEMORY_HOST);
}

static void reported_of_intel(void **state)
{
    reported("Intel(R)", "Intel", 0x8086, "integrated", KT_MEMORY_SHARED);
}

static void reported_of_radeon(void **state)
{
    reported("Radeon", "AMD", 0x1002, "discrete", KT_MEMORY_HOST);
}

static void reported_of_geforce(void **state)
{
    reported("GeForce", "NVIDIA", 0x10de, "discrete", KT_MEMORY_HOST);
}

static void three_devices(void **state)
{
    kt_device *last = NULL;
    EXPECT_OK(kt_device_open(context, "metal:2", &last));
    assert_string_not_equal(kt_device_get_info(last)->driver, kt_device_get_info(device)->driver);
    kt_device_close(&last);
    EXPECT_STATUS(kt_device_open(context, "metal:3", &last), KT_UNAVAILABLE);
}

static void one_device(void **state)
{
    kt_device *second = NULL;
    EXPECT_TEXT_HAS(kt_device_get_info(device)->name, "Apple M");
    EXPECT_STATUS(kt_device_open(context, "metal:1", &second), KT_UNAVAILABLE);
}

const struct CMUnitTest metal_failures[] = {
    BARE(no_device),
    BARE(no_compile_options),
    BARE(not_built),
    MOOD(hangs),
    MOOD_OF("fails", fail_with, &(int){KT_DRIVER_ERROR}),
    MOOD_OF("is_lost", fail_with, &(int){KT_DEVICE_LOST}),
    MOOD_OF("has_no_memory", fail_with, &(int){KT_NO_MEMORY}),
    MOOD(too_large),
    MOOD(reflected),
    MOOD(local_memory),
    MOOD(goes_on_without_samples),
    MOOD(groups_of_64),
    MOOD(groups_of_256),
    MOOD(overlaps),
    MOOD_OF("zeros", expect_commands, &(const char *){"its counter sample buffers gave zeros"}),
    MOOD_OF(
        "zeros_of_copies", expect_commands_of_copies,
        &(const char *){
            "of copies its counter sample buffers gave zeros, so command buffers tell the times "
            "of jobs with copies"}),
    MOOD_OF("no_samples_of_copies", expect_commands_of_copies,
            &(const char *){"of copies it takes no samples, so command buffers tell the times of "
                            "jobs with copies"}),
    MOOD_OF("errors", expect_commands,
            &(const char *){"its counter sample buffers gave the error value"}),
    MOOD_OF("backward", expect_commands,
            &(const char *){"its counter sample buffers gave an end no later than its start"}),
    MOOD_OF("no_set", expect_commands, &(const char *){"it has no counter set of timestamps"}),
    MOOD_OF("before_11", expect_commands,
            &(const char *){"it does not take supportsCounterSampling:, which is of macOS 11"}),
    MOOD_OF("no_buffer", expect_commands,
            &(const char *){"Metal makes no more counter sample buffers: too many sample buffers"}),
    MOOD_OF("fails_timestamped", expect_commands,
            &(const char *){
                "a pass with samples failed: the command buffer failed: Caused GPU Timeout"}),
    BARE(fails_plain),
    MOOD_OF("no_such_buffer", expect_commands,
            &(const char *){
                "newCounterSampleBufferWithDescriptor:error: gives nothing: the number of samples "
                "is out of range"}),
    MOOD_OF("no_pairs", expect_commands,
            &(const char *){"this system has no sampleTimestamps:gpuTimestamp:"}),
    /* Both lengths are told: 1.1 times as fast a clock has ticks of 1 / 1.1 ns. */
    MOOD_OF("other_ticks", expect_commands,
            &(const char *){"a tick of its counter sample buffers is 0.909"}),
    /* The same through calls that block: how long exactly they leave open. */
    MOOD_OF("ticks_of_others", expect_commands,
            &(const char *){"a tick of its counter sample buffers is 0.9"}),
    MOOD(no_times),
    MOOD(reported_of_apple),
    MOOD(reported_of_amd),
    MOOD(reported_of_intel),
    MOOD(reported_of_radeon),
    MOOD(reported_of_geforce),
    MOOD(three_devices),
    MOOD(one_device),
    MOODS_END,
};
