/* SPDX-License-Identifier: MIT */
/* A program that uses kerntime as an installed or embedded library: measures a kernel of its own on
 * the simulated device, whose times are known, and prints the median: 1234 ns. */
#include <kerntime/kerntime.h>
#include <stdio.h>

static void twice(const kt_c_group *group, void *const *args)
{
    int *numbers = args[0];
    for (uint32_t i = 0; i < group->group_size[0]; i++)
        numbers[i] *= 2;
}

static kt_status measure(kt_device *device, kt_memory *memory, kt_program *program)
{
    const kt_arg arg = {.memory = memory};
    const kt_step step = {.program = program, .args = &arg, .arg_count = 1, .group_size = {4}};
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "twice", .steps = &step, .step_count = 1};
    const kt_measure_options options = {.size = sizeof options, .samples_max = 10};
    kt_job *job = NULL;
    kt_result *result = NULL;
    kt_status status = kt_job_create(device, &desc, &job);
    if (status == KT_OK)
        status = kt_measure(job, &options, &result);
    if (status == KT_OK)
        printf("%g\n", kt_result_find(result, "twice")->summary.median);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    return status;
}

int main(void)
{
    const kt_context_options options = {.size = sizeof options, .backends = "sim"};
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_C_FUNCTION,
                                  .entry = "twice",
                                  .function = twice};
    kt_context *context = NULL;
    kt_device *device = NULL;
    kt_memory *memory = NULL;
    kt_program *program = NULL;
    kt_status status = kt_context_create(&context, &options);
    if (status == KT_OK)
        status = kt_device_open(context, "sim:0:kernel_ns=1234", &device);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_DEFAULT, 4 * sizeof(int), &memory);
    if (status == KT_OK)
        status = kt_program_create(device, &desc, &program);
    if (status == KT_OK)
        status = measure(device, memory, program);
    if (status != KT_OK)
        fprintf(stderr, "%s: %s\n", kt_status_name(status), kt_error_text());
    kt_program_destroy(&program);
    kt_memory_destroy(&memory);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return status != KT_OK;
}
