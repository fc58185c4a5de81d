/* SPDX-License-Identifier: MIT */
/*
 * The WebGPU backend over the stub library, in one of its moods; webgpu.sh says which script goes
 * with which.
 *
 *   unit_webgpu MOOD
 */
#include "tests/unit/backends/webgpu/webgpu.h"

#include "workloads/workload.h"

#include <stdatomic.h>

kt_context *context;
kt_device *device;
const kt_device_info *info;

static int64_t step;

static int64_t jump(void *user)
{
    (void)user;
    static _Atomic(int64_t) now_ns; /* any thread may ask */
    return atomic_fetch_add(&now_ns, step) + step;
}

kt_status try_device(int64_t step_ns)
{
    kt_context_options options = {.size = sizeof options, .timeout_ns = time_limit_ns()};
    step = step_ns;
    if (step_ns)
        options.host_clock.now = jump;
    EXPECT_OK(kt_context_create(&context, &options));
    kt_status status = kt_device_open(context, "webgpu:0", &device);
    info = status == KT_OK ? kt_device_get_info(device) : NULL;
    return status;
}

void open_device(int64_t step_ns)
{
    EXPECT_OK(try_device(step_ns));
}

void close_device(void)
{
    kt_device_close(&device);
    kt_context_destroy(&context);
}

int set_up(void **state)
{
    open_device(0);
    return 0;
}

int tear_down(void **state)
{
    close_device();
    return 0;
}

kt_memory *make_memory(kt_memory_kind kind, size_t bytes)
{
    kt_memory *memory = NULL;
    EXPECT_OK(kt_memory_create(device, kind, bytes, &memory));
    return memory;
}

kt_job *make_job(const kt_step *steps, uint32_t count)
{
    kt_job *job = NULL;
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "job", .steps = steps, .step_count = count};
    EXPECT_OK(kt_job_create(device, &desc, &job));
    return job;
}

kt_program *make_fill(void)
{
    const workload_kernel *fill = workload_find("fill")->kernels;
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_WGSL,
                                  .entry = fill->entry,
                                  .source = fill->wgsl};
    kt_program *program = NULL;
    EXPECT_OK(kt_program_create(device, &desc, &program));
    return program;
}

void fill_step_make(fill_step *fill, const char *name, kt_program *program, kt_memory *memory,
                    const uint32_t *n)
{
    *fill = (fill_step){.args = {{.memory = memory}, {.value = n, .value_bytes = sizeof *n}},
                        .step = {.name = name,
                                 .program = program,
                                 .arg_count = 2,
                                 .groups = {(*n + 63) / 64},
                                 .group_size = {64}}};
    fill->step.args = fill->args;
}

kt_result *measure_job(kt_job *job, uint32_t count, uint32_t trials, kt_timing timing)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = count,
                                        .samples_max = count,
                                        .max_time_ns = 1,
                                        .timing = timing,
                                        .trials = trials,
                                        .keep_raw = 1};
    kt_result *result = NULL;
    EXPECT_OK(kt_measure(job, &options, &result));
    return result;
}

kt_result *measure_copy(uint32_t count, uint32_t trials, kt_timing timing)
{
    kt_memory *src = make_memory(KT_MEMORY_DEVICE, 100), *dst = make_memory(KT_MEMORY_DEVICE, 100);
    const kt_step copy = {
        .name = "step", .kind = KT_STEP_COPY, .src = src, .dst = dst, .copy_bytes = 100};
    kt_job *job = make_job(&copy, 1);
    kt_result *result = measure_job(job, count, trials, timing);
    kt_job_destroy(&job);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
    return result;
}

kt_result *measure_fill(uint32_t count, uint32_t trials, kt_timing timing)
{
    const uint32_t n = 100;
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, n * sizeof n);
    kt_program *program = make_fill();
    fill_step fill;
    fill_step_make(&fill, "step", program, memory, &n);
    kt_job *job = make_job(&fill.step, 1);
    kt_result *result = measure_job(job, count, trials, timing);
    kt_job_destroy(&job);
    kt_program_destroy(&program);
    kt_memory_destroy(&memory);
    return result;
}

kt_status run_fill(uint64_t n)
{
    const workload *fill = workload_find("fill");
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .timeout_ns = time_limit_ns()};
    workload_run run = {0};
    kt_job_desc desc = {.size = sizeof desc, .name = "fill", .workload = "fill"};
    kt_result *result = NULL;
    void *problem = NULL;
    EXPECT_OK(fill->problem_create(n, &problem));
    kt_status status = workload_open(&run, fill, problem, device, n, &desc);
    if (status == KT_OK)
        status = kt_measure(run.job, &options, &result);
    kt_result_destroy(&result);
    workload_close(&run);
    fill->problem_destroy(problem);
    return status;
}

const kt_series *series_of(const kt_result *result, const char *name)
{
    const kt_series *series = kt_result_find(result, name);
    if (!series)
        fail_msg("there is no series %s", name);
    return series;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest *const areas[] = {webgpu_timestamp_tests, webgpu_memory_tests,
                                              webgpu_device_tests,    webgpu_failure_tests,
                                              webgpu_thread_tests,    NULL};
    return run_mood("webgpu", areas, argc > 1 ? argv[1] : NULL);
}
