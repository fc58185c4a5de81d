/* SPDX-License-Identifier: MIT */
/* Submissions that never complete, devices that are lost, limits, and drivers that lack
 * something. */
#include "tests/unit/backends/vulkan/vulkan.h"
#include "workloads/workload.h"

static kt_status measure_once(kt_job *job)
{
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .timeout_ns = time_limit_ns()};
    kt_result *result = NULL;
    kt_status status = kt_measure(job, &options, &result);
    kt_result_destroy(&result);
    return status;
}

static void fails(void **state)
{
    kt_memory *src = make_memory(KT_MEMORY_DEFAULT, 100),
              *dst = make_memory(KT_MEMORY_DEFAULT, 100);
    kt_job *job = make_copy(src, dst, 100);
    EXPECT_STATUS(measure_once(job), *(const kt_status *)*state);
    kt_job_destroy(&job);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
}

/* Reading memory that the host does not see takes a submission, too. */
static void transfer_hangs(void **state)
{
    char bytes[100] = "";
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, sizeof bytes);
    EXPECT_STATUS(kt_memory_write(memory, 0, bytes, sizeof bytes), KT_TIMEOUT);
    kt_memory_destroy(&memory);
}

/* What comes after a recording that failed is recorded as if it had not been. */
static void recording_fails_once(void **state)
{
    char byte = 7, seen = 0;
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, 1);
    EXPECT_STATUS(kt_memory_write(memory, 0, &byte, 1), KT_NO_MEMORY);
    EXPECT_OK(kt_memory_write(memory, 0, &byte, 1));
    EXPECT_OK(kt_memory_read(memory, 0, &seen, 1));
    assert_int_equal(seen, 7);
    kt_memory_destroy(&memory);
}

/* ---- limits ---- */

static kt_status open_fill(uint64_t n)
{
    const workload *fill = workload_find("fill");
    workload_run run = {0};
    kt_job_desc desc = {.size = sizeof desc, .name = "fill", .workload = "fill"};
    void *problem = NULL;
    EXPECT_OK(fill->problem_create(n, &problem));
    kt_status status = workload_open(&run, fill, problem, device, n, &desc);
    if (status == KT_OK)
        status = measure_once(run.job);
    workload_close(&run);
    fill->problem_destroy(problem);
    return status;
}

/* One that lies within what is asked for is no failure. */
static void expect_limit(uint64_t within, uint64_t beyond, const char *part)
{
    EXPECT_OK(open_fill(within));
    EXPECT_STATUS(open_fill(beyond), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), part);
}

/* maxStorageBufferRange of 4000 bytes. Nothing but kernels minds. */
static void range_limit(void **state)
{
    expect_limit(1000, 1001,
                 "kernels of vulkan:0 take memories of at most 4000 bytes, step fill gives one of "
                 "4004 bytes");
    assert_int_equal(info->max_argument_bytes, 4000);
    assert_int_equal(info->max_memory_bytes, 1 << 30);
    kt_memory *src = make_memory(KT_MEMORY_DEFAULT, 4004),
              *dst = make_memory(KT_MEMORY_DEFAULT, 4004);
    kt_job *job = make_copy(src, dst, 4004);
    EXPECT_OK(measure_once(job));
    kt_job_destroy(&job);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
}

/* 128 MiB, of which 4 bytes are too much: told so that the two numbers differ. */
static void large_range_limit(void **state)
{
    EXPECT_STATUS(open_fill((UINT64_C(1) << 25) + 1), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "at most 128.0 MiB, step fill gives one of 4 bytes more");
}

/* Groups of 256: 3 of them are 768 elements. */
static void groups_limit(void **state)
{
    expect_limit(768, 769, "3 groups");
}

static void allocation_limit(void **state)
{
    assert_int_equal(info->max_memory_bytes, 5000);
    assert_int_equal(info->max_argument_bytes, 5000);
    kt_memory *memory = make_memory(KT_MEMORY_DEFAULT, 4992), *none = NULL;
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_DEFAULT, 5001, &none), KT_LIMIT);
    kt_memory_destroy(&memory);
}

static void group_limit(void **state)
{
    EXPECT_STATUS(open_fill(1000), KT_LIMIT);
}

/* A dispatch of fill that is given so many memories and values of four bytes. */
static kt_status give(uint32_t memories, uint32_t values)
{
    enum { MOST = 32 };
    const workload_kernel *fill = workload_find("fill")->kernels;
    const kt_program_desc program = {.size = sizeof program,
                                     .language = KT_LANGUAGE_SPIRV_SHADER,
                                     .entry = "main",
                                     .source = (const char *)fill->spirv,
                                     .source_bytes = fill->spirv_bytes};
    const uint32_t value = 0;
    kt_arg args[MOST] = {{0}};
    kt_memory *memory = make_memory(KT_MEMORY_DEFAULT, 4);
    kt_step step = {.args = args, .arg_count = memories + values};
    assert_true(step.arg_count <= MOST);
    for (uint32_t i = 0; i < step.arg_count; i++)
        args[i] = i < memories ? (kt_arg){.memory = memory}
                               : (kt_arg){.value = &value, .value_bytes = sizeof value};
    EXPECT_OK(kt_program_create(device, &program, &step.program));
    const kt_job_desc desc = {.size = sizeof desc, .name = "fill", .steps = &step, .step_count = 1};
    kt_job *job = NULL;
    kt_status status = kt_job_create(device, &desc, &job);
    kt_job_destroy(&job);
    kt_program_destroy(&step.program);
    kt_memory_destroy(&memory);
    return status;
}

/* maxPushConstantsSize of 8 bytes, and the 16 storage buffers that the stub takes */
static void argument_limits(void **state)
{
    EXPECT_OK(give(16, 2));
    EXPECT_STATUS(give(16, 3), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "8 bytes of values, not 12");
    EXPECT_STATUS(give(17, 2), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "16 memories, not 17");
}

static void no_memory_left(void **state)
{
    kt_memory *first = make_memory(KT_MEMORY_DEFAULT, 64000), *second = NULL;
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_DEFAULT, 64000, &second), KT_NO_MEMORY);
    kt_memory_destroy(&first);
}

/* ---- drivers ---- */

/* Said, whatever it lacks. */
static void is_missing(void **state)
{
    EXPECT_OK(kt_context_create(&context, NULL));
    assert_int_not_equal(kt_device_open(context, "vulkan:0", &device), KT_OK);
    EXPECT_TEXT_HAS(kt_error_text(), "vk");
    kt_context_destroy(&context);
}

static void no_device(void **state)
{
    EXPECT_OK(kt_context_create(&context, NULL));
    EXPECT_STATUS(kt_device_open(context, "vulkan:0", &device), KT_UNAVAILABLE);
    kt_context_destroy(&context);
}

static void of_1_0(void **state)
{
    EXPECT_TEXT_HAS(info->driver, "Vulkan 1.0");
    EXPECT_OK(open_fill(1000));
}

static kt_status timeout = KT_TIMEOUT, lost = KT_DEVICE_LOST;

const struct CMUnitTest vulkan_failure_tests[] = {
    MOOD_OF("hangs", fails, &timeout),
    MOOD_OF("is_lost", fails, &lost),
    MOOD(transfer_hangs),
    MOOD(recording_fails_once),
    MOOD(range_limit),
    MOOD(large_range_limit),
    MOOD(groups_limit),
    MOOD(group_limit),
    MOOD(allocation_limit),
    MOOD(argument_limits),
    MOOD(no_memory_left),
    cmocka_unit_test(is_missing),
    cmocka_unit_test(no_device),
    MOOD(of_1_0),
    MOODS_END,
};
