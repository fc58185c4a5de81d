/* SPDX-License-Identifier: MIT */
/*
 * The Vulkan backend over the stub driver, in one of its moods; vulkan.sh says which script goes
 * with which.
 *
 *   unit_vulkan MOOD
 */
#include "tests/unit/backends/vulkan/vulkan.h"

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

void open_device(int64_t step_ns)
{
    kt_context_options options = {.size = sizeof options, .timeout_ns = time_limit_ns()};
    step = step_ns;
    if (step_ns)
        options.host_clock.now = jump;
    EXPECT_OK(kt_context_create(&context, &options));
    EXPECT_OK(kt_device_open(context, "vulkan:0", &device));
    info = kt_device_get_info(device);
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

kt_job *make_copy(kt_memory *src, kt_memory *dst, size_t bytes)
{
    kt_job *job = NULL;
    const kt_step copy = {.kind = KT_STEP_COPY, .src = src, .dst = dst, .copy_bytes = bytes};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &copy, .step_count = 1};
    EXPECT_OK(kt_job_create(device, &desc, &job));
    return job;
}

kt_result *measure_copy(uint32_t count, uint32_t trials, kt_timing timing)
{
    kt_memory *src = make_memory(KT_MEMORY_DEFAULT, 100),
              *dst = make_memory(KT_MEMORY_DEFAULT, 100);
    kt_job *job = make_copy(src, dst, 100);
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = count,
                                        .samples_max = count,
                                        .max_time_ns = 1,
                                        .timing = timing,
                                        .trials = trials,
                                        .keep_raw = 1};
    kt_result *result = NULL;
    EXPECT_OK(kt_measure(job, &options, &result));
    kt_job_destroy(&job);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
    return result;
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
    const struct CMUnitTest *const areas[] = {vulkan_timestamp_tests, vulkan_pair_tests,
                                              vulkan_memory_tests,    vulkan_failure_tests,
                                              vulkan_thread_tests,    NULL};
    return run_mood("vulkan", areas, argc > 1 ? argv[1] : NULL);
}
