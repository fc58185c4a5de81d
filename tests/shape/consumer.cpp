// SPDX-License-Identifier: MIT
// A program in C++ that does what a user does: measures a kernel of its own. It runs on the
// simulated device, so that the times are known. Prints the version of the library it runs with.
#include <cstdio>
#include <cstring>
#include <kerntime/kerntime.h>

static void twice(const kt_c_group *group, void *const *args)
{
    int *numbers = static_cast<int *>(args[0]);
    for (uint32_t i = 0; i < group->group_size[0]; i++)
        numbers[i] *= 2;
}

static bool ok(kt_status status, const char *what)
{
    if (status != KT_OK)
        std::fprintf(stderr, "%s: %s: %s\n", what, kt_status_name(status), kt_error_text());
    return status == KT_OK;
}

static bool measure(kt_device *device, kt_memory *memory, kt_program *program, double *median_ns)
{
    kt_arg arg{};
    arg.memory = memory;
    kt_step step{};
    step.program = program;
    step.args = &arg;
    step.arg_count = 1;
    step.group_size[0] = 4;
    kt_job_desc desc{};
    desc.size = sizeof desc;
    desc.name = "twice";
    desc.steps = &step;
    desc.step_count = 1;
    kt_measure_options options{};
    options.size = sizeof options;
    options.samples_max = 10;

    kt_job *job = nullptr;
    kt_result *result = nullptr;
    bool good = ok(kt_job_create(device, &desc, &job), "job") &&
                ok(kt_measure(job, &options, &result), "measure");
    const kt_series *series = good ? kt_result_find(result, "twice") : nullptr;
    if (series)
        *median_ns = series->summary.median;
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    return series != nullptr;
}

static bool use(kt_device *device, double *median_ns)
{
    const int before[4] = {1, 2, 3, 4};
    int after[4] = {};
    kt_program_desc desc{};
    desc.size = sizeof desc;
    desc.language = KT_LANGUAGE_C_FUNCTION;
    desc.entry = "twice";
    desc.function = twice;
    kt_memory *memory = nullptr;
    kt_program *program = nullptr;
    bool good = ok(kt_memory_create(device, KT_MEMORY_DEFAULT, sizeof before, &memory), "memory") &&
                ok(kt_memory_write(memory, 0, before, sizeof before), "write") &&
                ok(kt_memory_read(memory, 0, after, sizeof after), "read") &&
                std::memcmp(before, after, sizeof before) == 0 &&
                ok(kt_program_create(device, &desc, &program), "program") &&
                measure(device, memory, program, median_ns);
    kt_program_destroy(&program);
    kt_memory_destroy(&memory);
    return good;
}

int main()
{
    kt_context_options options{};
    options.size = sizeof options;
    options.backends = "sim";
    kt_context *context = nullptr;
    kt_device *device = nullptr;
    double median_ns = 0;
    bool good = ok(kt_context_create(&context, &options), "context") &&
                ok(kt_device_open(context, "sim:0:kernel_ns=1234", &device), "device") &&
                use(device, &median_ns);
    kt_device_close(&device);
    kt_context_destroy(&context);
    if (good && median_ns != 1234)
        std::fprintf(stderr, "median %g ns instead of 1234\n", median_ns);
    std::printf("%s\n", kt_version());
    return good && median_ns == 1234 ? 0 : 1;
}
