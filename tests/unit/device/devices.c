/* SPDX-License-Identifier: MIT */
/* Contexts, backends and device ids; what is refused, and how. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/rig.h"

#include <stdio.h>
#include <stdlib.h>

static void every_status_has_a_name(void **state)
{
    for (int i = KT_OK; i <= KT_IO_ERROR; i++) {
        assert_true(kt_status_name((kt_status)i)[0] != '\0');
        assert_string_not_equal(kt_status_name((kt_status)i), kt_status_name((kt_status)-1));
        for (int k = KT_OK; k < i; k++)
            assert_string_not_equal(kt_status_name((kt_status)i), kt_status_name((kt_status)k));
    }
    assert_non_null(kt_status_name((kt_status)9999));
    assert_string_equal(kt_timestamp_state_name(KT_TIMESTAMP_NOT_READY), "not_ready");
    assert_string_equal(kt_timestamp_state_name(KT_TIMESTAMP_THROTTLED), "throttled");
    assert_string_equal(kt_method_name(KT_METHOD_EVENT_PROFILE), "event-profile");
    assert_string_equal(kt_method_name(KT_METHOD_EVENT_PAIR_BLOCKED), "event-pair-blocked");
    assert_string_equal(kt_method_name(KT_METHOD_SIMULATED), "simulated");
    assert_string_equal(kt_stop_name(KT_STOP_MAX_SAMPLES), "max_samples");
    assert_string_equal(kt_series_status_name(KT_SERIES_NOT_POSSIBLE), "not_possible");
    assert_string_equal(kt_series_kind_name(KT_SERIES_WALL), "wall");
    assert_string_equal(kt_series_kind_name(KT_SERIES_WALL_TIMESTAMPED), "wall_timestamped");
    assert_string_equal(kt_memory_kind_name(KT_MEMORY_SHARED), "shared");
    assert_string_equal(kt_device_type_name(KT_DEVICE_SIMULATED), "simulated");
    assert_non_null(kt_timestamp_state_name(KT_TIMESTAMP_STATE_COUNT));
    assert_non_null(kt_method_name((kt_method)99));
    assert_non_null(kt_memory_kind_name((kt_memory_kind)99));
    assert_non_null(kt_device_type_name((kt_device_type)99));
}

enum { OPENCL = 5, SIM = 8 }; /* in the list of backends */

static void backends_in_their_order(void **state)
{
    kt_context *context;
    EXPECT_OK(kt_context_create(&context, NULL));
    static const char *const names[] = {"cpu",    "cuda",   "hip",    "level_zero", "metal",
                                        "opencl", "vulkan", "webgpu", "sim"};
    assert_int_equal(kt_backend_count(context), 9);
    for (uint32_t i = 0; i < 9; i++) {
        const kt_backend_info *info = kt_backend_get(context, i);
        assert_string_equal(info->name, names[i]);
        assert_true(info->title[0] != '\0');
        assert_int_equal(info->simulated, i == SIM);
        assert_int_equal(info->device_count > 0, info->status == KT_OK);
        assert_int_equal(info->reason[0] == '\0', info->status == KT_OK);
    }
    assert_null(kt_backend_get(context, 9));
    assert_null(kt_backend_get(context, UINT32_MAX));
    kt_context_destroy(&context);
    assert_null(context);
    kt_context_destroy(&context);
}

static void expect_id(kt_context *context, const char *id, kt_status expected, const char *part)
{
    kt_device_info info, before;
    memset(&info, 0x5A, sizeof info);
    before = info;
    EXPECT_STATUS(kt_device_describe(context, id, &info), expected);
    assert_memory_equal(&info, &before, sizeof info);
    EXPECT_TEXT_HAS(kt_error_text(), part);
    kt_device *device = (kt_device *)&info, *untouched = device;
    EXPECT_STATUS(kt_device_open(context, id, &device), expected);
    assert_ptr_equal(device, untouched);
    EXPECT_TEXT_HAS(kt_error_text(), part);
}

static void ids_that_are_none(void **state)
{
    kt_context *context;
    EXPECT_OK(kt_context_create(&context, NULL));
    static const char *const unknown[] = {"",       ":",    ":0",     "gpu:0", "CPU:0",
                                          " cpu:0", "cp:0", "cpux:0", "sim0"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        expect_id(context, unknown[i], KT_INVALID,
                  "cpu, cuda, hip, level_zero, metal, opencl, vulkan, webgpu, sim");
    static const char *const malformed[] = {
        "cpu",    "cpu:",         "cpu:x",     "cpu:-1",         "cpu:0x",
        "cpu:0 ", "cpu: 0",       "cpu:0.0",   "cpu:+0",         "sim",
        "sim::0", "sim:x:bits=8", "cpu:00000", "cpu:4294967296", "sim:0;bits=8"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        expect_id(context, malformed[i], KT_INVALID, "is not a device");
    expect_id(context, "cpu:0:seed=1", KT_INVALID, "only a simulated device");
    expect_id(context, "cpu:0:", KT_INVALID, "only a simulated device");
    expect_id(context, "sim:0:bits=7", KT_INVALID, "bits");
    expect_id(context, "sim:0:nothing=7", KT_INVALID, "nothing");
    expect_id(context, "cpu:1", KT_UNAVAILABLE, "there is 1 CPU device");
    expect_id(context, "sim:4", KT_UNAVAILABLE, "there are 4 simulated devices");
    expect_id(context, "sim:9999", KT_UNAVAILABLE, "sim:9999 is not here");
    kt_context_destroy(&context);
}

static void an_id_has_a_longest_length(void **state)
{
    kt_context *context;
    EXPECT_OK(kt_context_create(&context, NULL));
    kt_device_info info;
    char id[sizeof info.id + 1] = "sim:0:seed=1";
    while (strlen(id) + 7 < sizeof info.id)
        strcat(id, ",seed=1");
    EXPECT_OK(kt_device_describe(context, id, &info));
    assert_string_equal(info.id, id);
    while (strlen(id) < sizeof info.id)
        strcat(id, "1");
    expect_id(context, id, KT_INVALID, "longer than 511");
    kt_context_destroy(&context);
}

static void describing_a_simulated_device(void **state)
{
    kt_context *context;
    EXPECT_OK(kt_context_create(&context, NULL));
    kt_device_info info;
    EXPECT_OK(kt_device_describe(context, "sim:3:period_ns=52.083333,bits=36", &info));
    assert_string_equal(info.id, "sim:3:period_ns=52.083333,bits=36");
    assert_string_equal(info.backend, "sim");
    assert_int_equal(info.type, KT_DEVICE_SIMULATED);
    assert_int_equal(info.clock_count, 1);
    EXPECT_NUMBER(info.clocks[0].period_ns, 52.083333);
    assert_int_equal(info.clocks[0].valid_bits, 36);
    assert_int_equal(info.clocks[0].method, KT_METHOD_SIMULATED);
    EXPECT_OK(
        kt_device_describe(context, "sim:0:", &info)); /* an empty scenario is the default one */
    kt_context_destroy(&context);
}

static void a_list_limits_the_backends(void **state)
{
    kt_context *context;
    kt_context_options options = {.size = sizeof options, .backends = "cpu"};
    EXPECT_OK(kt_context_create(&context, &options));
    assert_int_equal(kt_backend_get(context, 0)->status, KT_OK);
    assert_int_equal(kt_backend_get(context, 1)->status, KT_UNAVAILABLE);
    assert_int_equal(kt_backend_get(context, SIM)->status, KT_UNAVAILABLE);
    assert_int_equal(kt_backend_get(context, SIM)->device_count, 0);
    expect_id(context, "sim:0", KT_UNAVAILABLE, "left out");
    kt_context_destroy(&context);

    options.backends = "sim,cpu,";
    EXPECT_OK(kt_context_create(&context, &options));
    assert_int_equal(kt_backend_get(context, 0)->status, KT_OK);
    assert_int_equal(kt_backend_get(context, SIM)->status, KT_OK);
    kt_context_destroy(&context);

    static const char *const bad[] = {"gpu", "cpu,gpu", "CPU", "cpu sim", "cpu;sim", " cpu"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        options.backends = bad[i];
        kt_context *untouched = NULL;
        EXPECT_STATUS(kt_context_create(&untouched, &options), KT_INVALID);
        assert_null(untouched);
        EXPECT_TEXT_HAS(kt_error_text(),
                        "cpu, cuda, hip, level_zero, metal, opencl, vulkan, webgpu, sim");
        EXPECT_TEXT_HAS(kt_error_text(), "the list of backends");
    }
}

static void the_environment_limits_them_too(void **state)
{
    kt_context *context;
    assert_int_equal(setenv("KERNTIME_BACKENDS", "sim", 1), 0);
    EXPECT_OK(kt_context_create(&context, NULL));
    assert_int_equal(kt_backend_get(context, 0)->status, KT_UNAVAILABLE);
    assert_int_equal(kt_backend_get(context, SIM)->status, KT_OK);
    kt_context_destroy(&context);
    /* The program's own list counts more. */
    const kt_context_options options = {.size = sizeof options, .backends = "cpu"};
    EXPECT_OK(kt_context_create(&context, &options));
    assert_int_equal(kt_backend_get(context, 0)->status, KT_OK);
    assert_int_equal(kt_backend_get(context, SIM)->status, KT_UNAVAILABLE);
    kt_context_destroy(&context);
    assert_int_equal(setenv("KERNTIME_BACKENDS", "sim,metall", 1), 0);
    EXPECT_STATUS(kt_context_create(&context, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "KERNTIME_BACKENDS");
    EXPECT_TEXT_HAS(kt_error_text(), "metall");
    assert_int_equal(unsetenv("KERNTIME_BACKENDS"), 0);
}

static void a_driver_that_is_missing_is_an_ordinary_answer(void **state)
{
    kt_context *context;
    EXPECT_OK(kt_context_create(&context, NULL));
    const kt_backend_info *info = kt_backend_get(context, OPENCL);
    assert_int_equal(info->status, KT_UNAVAILABLE);
    EXPECT_TEXT_HAS(info->reason, "/nowhere/libOpenCL.so.1");
    expect_id(context, "opencl:0", KT_UNAVAILABLE, "/nowhere/libOpenCL.so.1");
    kt_context_destroy(&context);
}

static void memory_has_limits(void **state)
{
    rig r;
    rig_open(&r, "sim:0");
    kt_memory *memory = NULL;
    EXPECT_STATUS(kt_memory_create(r.device, KT_MEMORY_HEAP, 0, &memory), KT_INVALID);
    EXPECT_STATUS(kt_memory_create(r.device, (kt_memory_kind)99, 8, &memory), KT_INVALID);
    EXPECT_STATUS(kt_memory_create(r.device, (kt_memory_kind)-1, 8, &memory), KT_INVALID);
    EXPECT_STATUS(kt_memory_create(r.device, KT_MEMORY_HEAP, (size_t)3 << 30, &memory), KT_LIMIT);
    EXPECT_STATUS(kt_memory_create(r.device, KT_MEMORY_HEAP, SIZE_MAX, &memory), KT_LIMIT);
    assert_null(memory);
    EXPECT_OK(kt_memory_create(r.device, KT_MEMORY_DEFAULT, 8, &memory));
    assert_int_equal(kt_memory_get_kind(memory), KT_MEMORY_DEVICE);
    char data[16] = "";
    static const size_t beyond[][2] = {{0, 9}, {8, 1},        {9, 0},
                                       {1, 8}, {SIZE_MAX, 2}, {2, SIZE_MAX}};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        EXPECT_STATUS(kt_memory_read(memory, beyond[i][0], data, beyond[i][1]), KT_INVALID);
        EXPECT_STATUS(kt_memory_write(memory, beyond[i][0], data, beyond[i][1]), KT_INVALID);
    }
    EXPECT_OK(kt_memory_read(memory, 8, data, 0)); /* nothing, at the very end */
    kt_memory_destroy(&memory);
    assert_null(memory);
    kt_memory_destroy(&memory);
    rig_close(&r);
    rig_open(&r, "cpu:0");
    EXPECT_STATUS(kt_memory_create(r.device, KT_MEMORY_DEVICE, 8, &memory), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "device memory");
    rig_close(&r);
}

static void nothing(const kt_c_group *group, void *const *args) {}

/* Whoever prints the sentence must not have his terminal repainted. */
static void sentences_hold_no_control_characters(void **state)
{
    rig r;
    rig_open(&r, "cpu:0");
    kt_device *device = NULL;
    assert_int_not_equal(kt_device_open(r.context, "cpu:\033[2J\r\177\tx\n", &device), KT_OK);
    EXPECT_TEXT_HAS(kt_error_text(), "cpu:?[2J??\tx\n");
    rig_close(&r);
}

static void programs_that_are_none(void **state)
{
    rig r;
    rig_open(&r, "cpu:0");
    const kt_program_desc good = {.size = sizeof good,
                                  .language = KT_LANGUAGE_C_FUNCTION,
                                  .entry = "nothing",
                                  .function = nothing};
    kt_program_desc bad = good;
    bad.entry = NULL;
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_INVALID);
    bad.entry = "";
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_INVALID);
    bad = good;
    bad.function = NULL;
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_INVALID);
    bad = good;
    bad.function = NULL;
    bad.language = KT_LANGUAGE_OPENCL_C;
    bad.source = "x";
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "OpenCL C");
    bad.language = KT_LANGUAGE_PTX;
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), " takes C functions, not PTX");
    bad.language = KT_LANGUAGE_CUDA_C;
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), " takes C functions, not CUDA C");
    bad.language = (kt_language)64;
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_UNSUPPORTED);
    bad.language = (kt_language)0;
    EXPECT_STATUS(kt_program_create(r.device, &bad, &r.program), KT_UNSUPPORTED);
    assert_null(r.program);
    rig_close(&r);
}

/* A text in a language that the device does not take, and the same as a C function. */
static void programs_in_two_languages(void **state)
{
    rig r;
    rig_open(&r, "cpu:0");
    const kt_program_desc both = {.size = sizeof both,
                                  .language = KT_LANGUAGE_OPENCL_C,
                                  .entry = "nothing",
                                  .source = "__kernel void nothing(void) {}",
                                  .function = nothing};
    EXPECT_OK(kt_program_create(r.device, &both, &r.program));
    rig_close(&r);
}

static void expect_step(rig *r, kt_step step, kt_status expected)
{
    const kt_job_desc desc = {.size = sizeof desc, .name = "job", .steps = &step, .step_count = 1};
    kt_job *job = NULL;
    EXPECT_STATUS(kt_job_create(r->device, &desc, &job), expected);
    assert_int_equal(job != NULL, expected == KT_OK);
    kt_job_destroy(&job);
}

static void dispatches_that_cannot_be(void **state)
{
    rig r, other;
    rig_set_up(&r, "sim:0", 1);
    rig_set_up(&other, "sim:1", 1);
    const kt_step good = {.program = r.program, .groups = {1}, .group_size = {1024}};
    expect_step(&r, good, KT_OK);
    kt_step bad = good;
    bad.program = NULL;
    expect_step(&r, bad, KT_INVALID);
    bad.program = other.program;
    expect_step(&r, bad, KT_INVALID);
    bad = good;
    bad.group_size[0] = 1025;
    expect_step(&r, bad, KT_LIMIT);
    bad = good;
    bad.group_size[1] = 2;
    expect_step(&r, bad, KT_LIMIT);
    /* 2^31 * 2^31 * 4 work-items: 0 in 64 bits */
    bad.group_size[0] = bad.group_size[1] = UINT32_C(1) << 31;
    bad.group_size[2] = 4;
    expect_step(&r, bad, KT_LIMIT);
    bad = good;
    bad.groups[0] = bad.groups[1] = UINT32_C(1) << 31;
    bad.groups[2] = 4;
    expect_step(&r, bad, KT_LIMIT);
    const uint32_t number = 7;
    const kt_arg args[] = {
        {.memory = other.input}, {.value = NULL, .value_bytes = 4}, {.value = &number}};
    for (int i = 0; i < 3; i++) {
        bad = good;
        bad.args = &args[i];
        bad.arg_count = 1;
        expect_step(&r, bad, i == 1 ? KT_UNSUPPORTED : KT_INVALID); /* 1: local memory */
    }
    bad.args = NULL;
    expect_step(&r, bad, KT_INVALID);
    rig_close(&other);
    rig_close(&r);
}

static void copies_that_cannot_be(void **state)
{
    rig r, other;
    rig_set_up(&r, "sim:0", 1);
    rig_set_up(&other, "sim:1", 1);
    const size_t bytes = 4 * RIG_ITEMS;
    const kt_step good = {
        .kind = KT_STEP_COPY, .src = r.input, .dst = r.output, .copy_bytes = bytes};
    expect_step(&r, good, KT_OK);
    kt_step bad = good;
    bad.src = NULL;
    expect_step(&r, bad, KT_INVALID);
    bad = good;
    bad.dst = other.output;
    expect_step(&r, bad, KT_INVALID);
    static const size_t places[][3] = {{0, 0, 0},        {1, 0, 256},      {0, 1, 256},
                                       {256, 0, 1},      {0, 256, 1},      {SIZE_MAX, 0, 2},
                                       {0, SIZE_MAX, 2}, {2, 2, SIZE_MAX}, {0, 0, 257}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        bad = good;
        bad.src_offset_bytes = places[i][0];
        bad.dst_offset_bytes = places[i][1];
        bad.copy_bytes = places[i][2];
        expect_step(&r, bad, KT_INVALID);
    }
    kt_job *job = NULL;
    kt_job_desc desc = {.size = sizeof desc, .name = "job"};
    EXPECT_STATUS(kt_job_create(r.device, &desc, &job), KT_INVALID);
    desc.steps = &good;
    desc.step_count = 1;
    desc.name = NULL;
    EXPECT_STATUS(kt_job_create(r.device, &desc, &job), KT_INVALID);
    desc.name = "";
    EXPECT_STATUS(kt_job_create(r.device, &desc, &job), KT_INVALID);
    rig_close(&other);
    rig_close(&r);
}

/* These names are those of the series about all steps. */
static void names_of_steps_that_are_taken(void **state)
{
    static const char *const names[] = {"total", "gaps", "span", "wall", "wall_timestamped"};
    rig r;
    rig_set_up(&r, "sim:0", 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const kt_step step = {.name = names[i], .program = r.program};
        expect_step(&r, step, KT_INVALID);
        EXPECT_TEXT_HAS(kt_error_text(), names[i]);
    }
    expect_step(&r, (kt_step){.name = "totals", .program = r.program}, KT_OK);
    rig_close(&r);
}

/* A later version's options, with one member more than this one knows. */
typedef struct later_options {
    kt_measure_options known;
    uint64_t unknown;
} later_options;

static void options_say_how_large_they_are(void **state)
{
    rig r;
    rig_set_up(&r, "sim:0", 1);
    later_options later = {.known = {.size = sizeof later, .samples_min = 12, .samples_max = 12}};
    kt_result *result = NULL;
    EXPECT_OK(kt_measure(r.job, &later.known, &result)); /* not asked for: no harm */
    assert_int_equal(rig_series(result, "first")->summary.n, 12);
    kt_result_destroy(&result);
    later.unknown = UINT64_C(1) << 63;
    EXPECT_STATUS(kt_measure(r.job, &later.known, &result), KT_UNSUPPORTED);
    assert_null(result);
    /* An earlier version's ended after samples_max: what follows is not looked at. */
    kt_measure_options earlier = later.known;
    earlier.size = offsetof(kt_measure_options, rel_err);
    earlier.rel_err = -1;
    EXPECT_OK(kt_measure(r.job, &earlier, &result));
    assert_int_equal(rig_series(result, "first")->summary.n, 12);
    kt_result_destroy(&result);
    earlier.size = 0;
    EXPECT_STATUS(kt_measure(r.job, &earlier, &result), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "size");
    const kt_context_options unsized = {.backends = "cpu"};
    kt_context *context = NULL;
    EXPECT_STATUS(kt_context_create(&context, &unsized), KT_INVALID);
    const kt_job_desc job = {.name = "job"};
    kt_job *none = NULL;
    EXPECT_STATUS(kt_job_create(r.device, &job, &none), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "kt_job_desc");
    const kt_program_desc program = {.entry = "x"};
    kt_program *no_program = NULL;
    EXPECT_STATUS(kt_program_create(r.device, &program, &no_program), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "kt_program_desc");
    const kt_report_desc report = {.document = "devices"};
    kt_report *no_report = NULL;
    EXPECT_STATUS(kt_report_create(&no_report, &report), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "kt_report_desc");
    assert_true(!context && !none && !no_program && !no_report);
    rig_close(&r);
}

/* Timed by the scenario: 1000 ns to begin with and 10 bytes a ns. */
static void copies_are_timed(void **state)
{
    rig r;
    rig_open(&r, "sim:0:latency_ns=1000,copy_gbs=10");
    EXPECT_OK(kt_memory_create(r.device, KT_MEMORY_HEAP, 50000, &r.input));
    EXPECT_OK(kt_memory_create(r.device, KT_MEMORY_HOST, 50000, &r.output));
    const kt_step step = {
        .kind = KT_STEP_COPY, .src = r.input, .dst = r.output, .copy_bytes = 50000};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_job_create(r.device, &desc, &r.job));
    kt_result *result = rig_measure(&r, 10, KT_TIMING_BOTH, 1);
    const kt_series *copy = rig_series(result, "copy");
    rig_expect_all(copy, 10, 6000);
    assert_int_equal(copy->kind, KT_SERIES_COPY);
    assert_string_equal(copy->src, "heap");
    assert_string_equal(copy->dst, "host");
    EXPECT_NUMBER(copy->bytes, 50000);
    EXPECT_NUMBER(copy->flops, NAN);
    assert_false(copy->verified); /* nobody looked */
    rig_close(&r);
}

static void take_run(const char *device, uint32_t run, double samples_ns[30])
{
    rig r;
    const kt_context_options options = {.size = sizeof options, .run = run};
    rig_open_with(&r, device, &options);
    rig_make_job(&r, 1);
    kt_result *result = rig_measure(&r, 30, KT_TIMING_BOTH, 1);
    memcpy(samples_ns, rig_series(result, "first")->samples_ns, 30 * sizeof *samples_ns);
    rig_close(&r);
}

/* Run i of a simulated device is what its scenario says with a seed that is larger by i. */
static void the_number_of_a_run_is_added_to_the_seed(void **state)
{
    double first[30], third[30], seeded[30];
    take_run("sim:0:jitter_ns=400,seed=7", 0, first);
    take_run("sim:0:jitter_ns=400,seed=7", 2, third);
    take_run("sim:0:jitter_ns=400,seed=9", 0, seeded);
    assert_memory_equal(third, seeded, sizeof third);
    assert_memory_not_equal(third, first, sizeof third);
    take_run("sim:0:jitter_ns=400,seed=18446744073709551615", 3, third);
    take_run("sim:0:jitter_ns=400,seed=2", 0, seeded); /* modulo 2^64 */
    assert_memory_equal(third, seeded, sizeof third);
}

int main(void)
{
    unsetenv("KERNTIME_BACKENDS");
    /* Real drivers are for other tests: some do not live under sanitizers. */
    setenv("KERNTIME_LIB_OPENCL", "/nowhere/libOpenCL.so.1", 1);
    setenv("KERNTIME_LIB_VULKAN", "/nowhere/libvulkan.so.1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name),
        cmocka_unit_test(backends_in_their_order),
        cmocka_unit_test(ids_that_are_none),
        cmocka_unit_test(an_id_has_a_longest_length),
        cmocka_unit_test(describing_a_simulated_device),
        cmocka_unit_test(a_list_limits_the_backends),
        cmocka_unit_test(the_environment_limits_them_too),
        cmocka_unit_test(a_driver_that_is_missing_is_an_ordinary_answer),
        cmocka_unit_test(memory_has_limits),
        cmocka_unit_test(sentences_hold_no_control_characters),
        cmocka_unit_test(programs_that_are_none),
        cmocka_unit_test(programs_in_two_languages),
        cmocka_unit_test(dispatches_that_cannot_be),
        cmocka_unit_test(copies_that_cannot_be),
        cmocka_unit_test(names_of_steps_that_are_taken),
        cmocka_unit_test(options_say_how_large_they_are),
        cmocka_unit_test(copies_are_timed),
        cmocka_unit_test(the_number_of_a_run_is_added_to_the_seed),
    };
    return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
