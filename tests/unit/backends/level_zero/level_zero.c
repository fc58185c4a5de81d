/* SPDX-License-Identifier: MIT */
/*
 * The backend of Level Zero over its stub, in one of its moods; level_zero.sh says which script
 * goes with which.
 *
 *   unit_level_zero LIBRARY MOOD
 */
#include "tests/unit/backends/level_zero/level_zero.h"

#include "tests/drivers/level_zero_stub/fill_spirv.h"

enum { WORDS = 1024 };

work made;
void (*stub_take)(uint64_t ticks);
void (*stub_set_counters)(uint64_t global_ticks, uint64_t kernel_ticks);

kt_status make_program(kt_program **out)
{
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_SPIRV_KERNEL,
                                  .entry = "fill",
                                  .source = (const char *)fill_spirv,
                                  .source_bytes = sizeof fill_spirv};
    return kt_program_create(device, &desc, out);
}

static void make_job(work *w, kt_step step)
{
    const kt_job_desc desc = {.size = sizeof desc, .name = "work", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_job_create(device, &desc, &w->job));
}

work make_fill(void)
{
    work w = {NULL, NULL, NULL, NULL};
    const uint32_t n = WORDS;
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, WORDS * sizeof n, &w.memory));
    EXPECT_OK(make_program(&w.program));
    const kt_arg args[] = {{.memory = w.memory}, {.value = &n, .value_bytes = sizeof n}};
    make_job(&w, (kt_step){.program = w.program,
                           .args = args,
                           .arg_count = 2,
                           .groups = {WORDS / 256, 1, 1},
                           .group_size = {256, 1, 1}});
    return w;
}

work make_copy(kt_memory_kind from, kt_memory_kind to)
{
    work w = {NULL, NULL, NULL, NULL};
    EXPECT_OK(kt_memory_create(device, from, WORDS, &w.memory));
    EXPECT_OK(kt_memory_create(device, to, WORDS, &w.other));
    make_job(&w,
             (kt_step){.kind = KT_STEP_COPY, .src = w.memory, .dst = w.other, .copy_bytes = WORDS});
    return w;
}

void destroy_work(work *w)
{
    kt_job_destroy(&w->job);
    kt_program_destroy(&w->program);
    kt_memory_destroy(&w->other);
    kt_memory_destroy(&w->memory);
}

kt_status try_measure(const work *w, uint32_t samples, uint32_t trials, kt_result **out)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = samples,
                                        .samples_max = samples,
                                        .max_time_ns = 1,
                                        .timeout_ns = INT64_C(100000) * 1000000000,
                                        .trials = trials,
                                        .timing = KT_TIMING_DEVICE,
                                        .keep_raw = 1};
    return kt_measure(w->job, &options, out);
}

const kt_series *work_of(const kt_result *result)
{
    const kt_series *series = kt_result_find(result, "work");
    assert_non_null(series);
    return series;
}

static void clean_up(void)
{
    destroy_work(&made);
}

int main(int argc, char **argv)
{
    const stub_symbol symbols[] = {
        {"ktStubTake", &stub_take}, {"ktStubSetCounters", &stub_set_counters}, {NULL, NULL}};
    const struct CMUnitTest *const lists[] = {level_zero_times, level_zero_failures, NULL};
    return stubbed_main(&(stubbed_program){"level_zero", "level_zero:0", symbols, lists, clean_up},
                        argc, argv);
}
