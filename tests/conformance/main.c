/* SPDX-License-Identifier: MIT */
/*
 * One suite for every device: what the public headers promise, whoever is behind them.
 *
 *   conformance_cpu [DEVICE PROFILE]     exits with 77 if the device is not here, having said why
 */
#include "suite.h"
#include "tests/opencl_can.h"

#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77

suite s;

/* The only place that says what is not tested where. */
static const profile profiles[] = {
    {.name = "cpu",
     .driver = "C functions",
     .no_source = "its kernels are C functions",
     .no_group_limit = "a group is a loop, of any length",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "sim",
     .no_flushing = "it has no caches",
     .driver = "scripted",
     .no_source = "its kernels are C functions",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "opencl_stub",
     .driver = "",
     .no_kernels = "the stub driver knows the kernels of the workloads only",
     .no_source = "the stub driver has no compiler",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "vulkan_stub",
     .driver = "vulkan stub",
     .no_kernels = "the stub driver knows the kernels of the workloads only",
     .no_source = "the stub driver has no compiler",
     .no_compute_units = "Vulkan does not tell",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "cuda_stub",
     .driver = "CUDA 12.4",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "hip_stub",
     .driver = "HIP 5.2",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "level_zero_stub",
     .driver = "Level Zero 1.3.25143",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "metal_stub",
     .driver = "",
     .no_compute_units = "Metal does not tell",
     .no_odd_copies = "Metal copies multiples of 4 bytes, on macOS",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "pocl",
     .driver = "Portable Computing Language",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "oclgrind",
     .driver = "Oclgrind",
     .matmul_max = 33,
     .elements_max = 1000,
     .samples = 6},
    {.name = "rusticl",
     .driver = "rusticl",
     .is_asked = true,
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "lavapipe",
     .driver = "llvmpipe",
     .no_compute_units = "Vulkan does not tell",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "swiftshader",
     .driver = "SwiftShader",
     .no_compute_units = "Vulkan does not tell",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "webgpu_stub",
     .driver = "webgpu stub",
     .no_kernels = "the stub driver knows the kernels of the workloads only",
     .no_source = "the stub driver has no compiler",
     .no_compute_units = "WebGPU does not tell",
     .no_odd_copies = "WebGPU copies multiples of 4 bytes",
     .matmul_max = 100,
     .elements_max = 1000,
     .samples = 30},
    {.name = "dawn",
     .driver = "SwiftShader",
     .no_compute_units = "WebGPU does not tell",
     .no_odd_copies = "WebGPU copies multiples of 4 bytes",
     .matmul_max = 100,
     .elements_max = 4097,
     .samples = 30},
    /* Whatever GPU a machine has, by the name of its backend: ./dev hw-check. */
    {.name = "cuda",
     .driver = "CUDA",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "hip",
     .driver = "HIP",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "level_zero",
     .driver = "",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "metal",
     .driver = "",
     .no_compute_units = "Metal does not tell",
     .no_odd_copies = "Metal copies multiples of 4 bytes, on macOS",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "opencl",
     .driver = "",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "vulkan",
     .driver = "",
     .no_compute_units = "Vulkan does not tell",
     .matmul_max = 100,
     .elements_max = 65535 * 256 + 1,
     .samples = 30},
    {.name = "webgpu",
     .driver = "",
     .no_compute_units = "WebGPU does not tell",
     .no_odd_copies = "WebGPU copies multiples of 4 bytes",
     .matmul_max = 100,
     .elements_max = 4097,
     .samples = 30},
};

static kt_language language_of_kernels(void)
{
    static const kt_language languages[] = {
        KT_LANGUAGE_C_FUNCTION,   KT_LANGUAGE_OPENCL_C, KT_LANGUAGE_SPIRV_SHADER, KT_LANGUAGE_WGSL,
        KT_LANGUAGE_SPIRV_KERNEL, KT_LANGUAGE_CUDA_C,   KT_LANGUAGE_MSL};
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
        if (s.info->languages & languages[i])
            return languages[i];
    return KT_LANGUAGE_PTX;
}

kt_status build_with(const char *name, kt_c_kernel function, const kt_constant *constants,
                     uint32_t constant_count, kt_program **program)
{
    kt_program_desc desc = {.size = sizeof desc,
                            .language = language_of_kernels(),
                            .entry = name,
                            .function = function,
                            .constants = constants,
                            .constant_count = constant_count};
    if (desc.language == KT_LANGUAGE_SPIRV_SHADER) {
        desc.entry = "main";
        desc.source = (const char *)find_shader(name, &desc.source_bytes);
    } else if (desc.language == KT_LANGUAGE_SPIRV_KERNEL) {
        desc.source = (const char *)own_kernels_words(&desc.source_bytes);
    } else if (desc.language == KT_LANGUAGE_WGSL) {
        desc.source = find_wgsl(name);
    } else {
        desc.source = own_kernels_text(desc.language);
    }
    return kt_program_create(s.device, &desc, program);
}

kt_program *build(const char *name, kt_c_kernel function)
{
    kt_program *program = NULL;
    EXPECT_OK(build_with(name, function, NULL, 0, &program));
    return program;
}

unsigned char pattern(size_t at, unsigned char seed)
{
    return (unsigned char)((at * 131 + at / 251 + seed * 29u + 1) & 0xFF);
}

kt_memory *make_memory(kt_memory_kind kind, size_t bytes, unsigned char seed)
{
    kt_memory *memory = NULL;
    unsigned char *content = malloc(bytes);
    assert_non_null(content);
    for (size_t i = 0; i < bytes; i++)
        content[i] = pattern(i, seed);
    EXPECT_OK(kt_memory_create(s.device, kind, bytes, &memory));
    EXPECT_OK(kt_memory_write(memory, 0, content, bytes));
    free(content);
    return memory;
}

kt_status run_steps(const kt_step *steps, uint32_t step_count)
{
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "steps", .steps = steps, .step_count = step_count};
    const kt_measure_options once = {.size = sizeof once,
                                     .samples_min = 1,
                                     .samples_max = 1,
                                     .max_time_ns = 1,
                                     .timing = KT_TIMING_WALL};
    kt_job *job = NULL;
    kt_result *result = NULL;
    kt_status status = kt_job_create(s.device, &desc, &job);
    if (status != KT_OK)
        return status;
    EXPECT_OK(kt_measure(job, &once, &result));
    assert_true(kt_result_find(result, "wall")->summary.min > 0);
    assert_true(kt_result_find(result, "wall")->first_use_ns > 0);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    return KT_OK;
}

static int run_suite(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_is_sane),
        cmocka_unit_test(memories_hold_what_is_written),
        cmocka_unit_test(memories_have_ends),
        cmocka_unit_test(offers_are_of_its_kinds),
        cmocka_unit_test(parts_are_copied_between_kinds),
        cmocka_unit_test(maps_that_are_not_offered),
        cmocka_unit_test(each_direction_is_measured),
        cmocka_unit_test(kernels_of_odd_sizes),
        cmocka_unit_test(kernels_in_three_dimensions),
        cmocka_unit_test(kernels_get_parts_of_memories),
        cmocka_unit_test(steps_run_in_order),
        cmocka_unit_test(kernels_are_described),
        cmocka_unit_test(local_memory_is_given),
        cmocka_unit_test(loops_end_by_themselves),
        cmocka_unit_test(programs_that_do_not_compile),
        cmocka_unit_test(arguments_have_places),
        cmocka_unit_test(constants_are_set_when_built),
        cmocka_unit_test(limits_are_reported),
        cmocka_unit_test(workloads_equal_the_cpu),
        cmocka_unit_test(all_workloads_are_compared),
        cmocka_unit_test(every_sample_is_plausible),
        cmocka_unit_test(trials_raise_the_total),
        cmocka_unit_test(timing_gives_the_rows_that_are_asked_for),
    };
    return cmocka_run_group_tests_name(s.profile->name, tests, NULL, NULL);
}

static const char *find_no_programs(uint32_t languages)
{
    if (languages == KT_LANGUAGE_SPIRV_SHADER && !HAVE_GLSLC)
        return "kernels in SPIR-V need glslc, which this build did not find";
    if (languages == KT_LANGUAGE_SPIRV_KERNEL && !HAVE_SPIRV_KERNEL)
        return "kernels in SPIR-V of OpenCL need clang and llvm-spirv, which this build did not "
               "find";
    return languages ? NULL : "it takes no kernels: hiprtc, which compiles them, is not here";
}

int main(int argc, char **argv)
{
    /* In a file its lines stand in their order between cmocka's on standard error:
     * kerntime-hw-check reads them. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    /* A device without its profile would be measured as another one, or another one in its
     * place. */
    if (argc != 1 && argc != 3) {
        fprintf(stderr, "usage: %s [DEVICE PROFILE]\n", argv[0]);
        return 2;
    }
    const char *id = argc == 3 ? argv[1] : "cpu:0", *name = argc == 3 ? argv[2] : "cpu";
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++)
        if (strcmp(profiles[i].name, name) == 0)
            s.profile = &profiles[i];
    if (s.profile && s.profile->is_asked)
        find_workloads_that_crash();
    if (!s.profile || kt_context_create(&s.context, NULL) != KT_OK)
        return 2;
    kt_status status = kt_device_open(s.context, id, &s.device);
    if (status != KT_OK) {
        printf("%s: %s\n", status == KT_UNAVAILABLE ? "skipped" : "failed", kt_error_text());
        kt_context_destroy(&s.context);
        return status == KT_UNAVAILABLE ? SKIPPED : 1;
    }
    s.info = kt_device_get_info(s.device);
    s.no_programs = find_no_programs(s.info->languages);
    if (s.profile->is_asked && !opencl_can_tell_times())
        s.no_device_time = "timestamps of commands 20 ms apart are not 10 ms apart";
    printf("%s: %s, %s\n", s.info->id, s.info->name, s.info->driver);
    int failed = strstr(s.info->driver, s.profile->driver) ? run_suite() : 1;
    kt_device_close(&s.device);
    kt_context_destroy(&s.context);
    return failed;
}
