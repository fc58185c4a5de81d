/* SPDX-License-Identifier: MIT */
/*
 * Kernels over Intel's driver of Level Zero for a GPU that is not here (docs/adding-a-backend.md):
 * its compiler makes code of all of them, and jobs of them are refused or submitted as on a GPU.
 * Nothing is executed, which has to be told.
 */
#include "tests/unit/backends/level_zero/local_kernel.h"
#include "tests/unit/testing.h"
#include "workloads/workload.h"

#include <kerntime/kerntime.h>
#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77

static kt_context *context;
static kt_device *device;

static kt_program_desc describe(const workload_kernel *kernel)
{
    return (kt_program_desc){.size = sizeof(kt_program_desc),
                             .language = KT_LANGUAGE_SPIRV_KERNEL,
                             .entry = kernel->entry,
                             .source = (const char *)kernel->spirv_kernel,
                             .source_bytes = kernel->spirv_kernel_bytes};
}

static kt_program *build(const char *workload_name)
{
    kt_program_desc desc = describe(workload_find(workload_name)->kernels);
    kt_program *program = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &program));
    return program;
}

static void all_kernels_compile(void **state)
{
    unsigned count = 0;
    for (const workload *const *w = workloads; *w; w++) {
        uint32_t of_each = (*w)->kernel_count ? (*w)->kernel_count : 1, variants = 1;
        for (; (*w)->variants && (*w)->variants[variants]; variants++) {
        }
        for (uint32_t i = 0; (*w)->kernels && i < variants * of_each; i++, count++) {
            kt_program_desc desc = describe(&(*w)->kernels[i]);
            kt_program *program = NULL;
            EXPECT_OK(kt_program_create(device, &desc, &program));
            kt_program_destroy(&program);
        }
    }
    print_message("%u kernels\n", count);
    assert_true(count > 0);
}

/* The driver ends the process where it is given such words. */
static void words_that_break_off_are_refused(void **state)
{
    const workload_kernel *kernel = workload_find("saxpy")->kernels;
    kt_program *program = NULL;
    for (size_t bytes = 4; bytes < kernel->spirv_kernel_bytes; bytes += 4) {
        kt_program_desc desc = describe(kernel);
        desc.source_bytes = bytes;
        kt_status status = kt_program_create(device, &desc, &program);
        if (status != KT_BUILD_FAILED && status != KT_INVALID)
            fail_msg("the first %zu bytes of %zu: %d", bytes, kernel->spirv_kernel_bytes, status);
    }
    assert_null(program);
}

static void what_is_no_kernel_is_refused(void **state)
{
    static const uint32_t nothing[16] = {0x5a5a5a5a};
    kt_program_desc desc = describe(workload_find("saxpy")->kernels);
    kt_program *program = NULL;
    desc.entry = "nowhere";
    EXPECT_STATUS(kt_program_create(device, &desc, &program), KT_INVALID);
    desc.source = (const char *)nothing;
    desc.source_bytes = sizeof nothing;
    EXPECT_STATUS(kt_program_create(device, &desc, &program), KT_BUILD_FAILED);
    assert_null(program);
}

/* fill(out, n), of one group. */
typedef struct filling {
    kt_program *program;
    kt_memory *memory;
    uint32_t n;
    kt_arg args[2];
    kt_step step;
} filling;

static void fill_begin(filling *f, kt_memory_kind kind)
{
    *f = (filling){.program = build("fill"), .n = 64};
    EXPECT_OK(kt_memory_create(device, kind, f->n * sizeof(uint32_t), &f->memory));
    f->args[0] = (kt_arg){.memory = f->memory};
    f->args[1] = (kt_arg){.value = &f->n, .value_bytes = sizeof f->n};
    f->step = (kt_step){.program = f->program, .args = f->args, .arg_count = 2, .group_size = {64}};
}

static kt_status fill_create(const filling *f, kt_job **job)
{
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "fill", .steps = &f->step, .step_count = 1};
    return kt_job_create(device, &desc, job);
}

static void fill_end(filling *f)
{
    kt_memory_destroy(&f->memory);
    kt_program_destroy(&f->program);
}

static void a_kernel_that_was_not_executed_has_no_time(void **state)
{
    static const kt_memory_kind kinds[] = {KT_MEMORY_DEVICE, KT_MEMORY_SHARED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        filling f;
        kt_job *job = NULL;
        kt_result *result = NULL;
        fill_begin(&f, kinds[i]);
        EXPECT_OK(fill_create(&f, &job));
        EXPECT_STATUS(kt_measure(job, NULL, &result), KT_DRIVER_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), "not ready: nothing was executed");
        if (result)
            assert_int_equal(kt_result_series(result, 0)->summary.n, 0);
        kt_result_destroy(&result);
        kt_job_destroy(&job);
        fill_end(&f);
    }
}

static void what_the_device_cannot_is_refused(void **state)
{
    filling f;
    kt_job *job = NULL;
    fill_begin(&f, KT_MEMORY_DEVICE);
    f.step.group_size[0] = kt_device_get_info(device)->max_group_size + 1;
    EXPECT_STATUS(fill_create(&f, &job), KT_LIMIT);
    f.step.group_size[0] = 64;
    f.step.arg_count = 1;
    EXPECT_STATUS(fill_create(&f, &job), KT_INVALID);
    fill_end(&f);
    fill_begin(&f, KT_MEMORY_HEAP);
    EXPECT_STATUS(fill_create(&f, &job), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "heap");
    fill_end(&f);
    assert_null(job);
}

static void local_memory_has_a_size(void **state)
{
    expect_local_memory(device);
}

static int open_device(void **state)
{
    return kt_device_open(context, "level_zero:0", &device) == KT_OK ? 0 : -1;
}

static int close_device(void **state)
{
    kt_device_close(&device);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kernels_compile),
        cmocka_unit_test(words_that_break_off_are_refused),
        cmocka_unit_test(what_is_no_kernel_is_refused),
        cmocka_unit_test(a_kernel_that_was_not_executed_has_no_time),
        cmocka_unit_test(what_the_device_cannot_is_refused),
        cmocka_unit_test(local_memory_has_a_size),
    };
    kt_device_info info;
    const char *missing = HAVE_SPIRV_KERNEL ? NULL : "built without llvm-spirv";
    if (kt_context_create(&context, NULL) != KT_OK)
        return 1;
    if (!missing && kt_device_describe(context, "level_zero:0", &info) != KT_OK)
        missing = kt_error_text();
    int code = SKIPPED;
    if (missing)
        printf("skipped: %s\n", missing);
    else
        code = cmocka_run_group_tests(tests, open_device, close_device);
    kt_context_destroy(&context);
    return code;
}
