/* SPDX-License-Identifier: MIT */
/* A program over a library with two backends: names those that were left out, and measures on the
 * CPU. */
#include <kerntime/kerntime.h>
#include <stdio.h>
#include <string.h>

static void work(const kt_c_group *group, void *const *args)
{
    (void)group, (void)args;
}

static kt_status measure(kt_device *device, kt_program *program)
{
    const kt_step step = {.program = program, .group_size = {4}};
    const kt_job_desc desc = {.size = sizeof desc, .name = "work", .steps = &step, .step_count = 1};
    const kt_measure_options options = {.size = sizeof options, .samples_max = 10};
    kt_job *job = NULL;
    kt_result *result = NULL;
    kt_status status = kt_job_create(device, &desc, &job);
    if (status == KT_OK)
        status = kt_measure(job, &options, &result);
    if (status == KT_OK)
        puts(kt_result_find(result, "wall")->summary.median > 0 ? "measured" : "no time");
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    return status;
}

int main(void)
{
    kt_context *context = NULL;
    kt_device *device = NULL;
    kt_program *program = NULL;
    const kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_C_FUNCTION, .entry = "work", .function = work};
    kt_status status = kt_context_create(&context, NULL);
    for (uint32_t i = 0; status == KT_OK && i < kt_backend_count(context); i++) {
        const kt_backend_info *backend = kt_backend_get(context, i);
        if (backend->status == KT_UNAVAILABLE && strstr(backend->reason, "was built without"))
            printf("%s ", backend->name);
    }
    if (status == KT_OK)
        status = kt_device_open(context, "cpu:0", &device);
    if (status == KT_OK)
        status = kt_program_create(device, &desc, &program);
    if (status == KT_OK)
        status = measure(device, program);
    if (status != KT_OK)
        fprintf(stderr, "%s: %s\n", kt_status_name(status), kt_error_text());
    kt_program_destroy(&program);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return status != KT_OK;
}
