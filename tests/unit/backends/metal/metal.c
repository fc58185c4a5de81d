/* SPDX-License-Identifier: MIT */
/*
 * The backend of Metal over its stub, in one of its moods; metal.sh says which script goes with
 * which.
 *
 *   unit_metal LIBRARY MOOD
 */
#include "tests/unit/backends/metal/metal.h"

#include <stdlib.h>

enum { WORDS = 1024, GROUP = 256 };

work made;
void (*stub_take)(int64_t ns);

kt_status make_program(kt_program **out)
{
    const kt_program_desc desc = {
        .size = sizeof desc,
        .language = KT_LANGUAGE_MSL,
        .entry = "fill",
        .source = "kernel void fill(device uint *x [[buffer(0)]], constant uint &n [[buffer(1)]], "
                  "uint i [[thread_position_in_grid]]) { if (i < n) x[i] = i; }"};
    return kt_program_create(device, &desc, out);
}

static kt_status make_job(work *w, const kt_step *step, uint32_t count)
{
    kt_step *steps = calloc(count, sizeof *steps);
    assert_non_null(steps);
    for (uint32_t i = 0; i < count; i++)
        steps[i] = *step;
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "work", .steps = steps, .step_count = count};
    kt_status status = kt_job_create(device, &desc, &w->job);
    free(steps);
    return status;
}

static kt_status fill_with(work *w, uint32_t steps, uint32_t group_size)
{
    const uint32_t n = WORDS;
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, WORDS * sizeof n, &w->memory));
    EXPECT_OK(make_program(&w->program));
    const kt_arg args[] = {{.memory = w->memory}, {.value = &n, .value_bytes = sizeof n}};
    const kt_step step = {.name = "step",
                          .program = w->program,
                          .args = args,
                          .arg_count = 2,
                          .groups = {WORDS / group_size, 1, 1},
                          .group_size = {group_size, 1, 1}};
    return make_job(w, &step, steps);
}

work make_fill(uint32_t steps)
{
    work w = {NULL, NULL, NULL, NULL};
    EXPECT_OK(fill_with(&w, steps, GROUP));
    return w;
}

kt_status try_group(uint32_t group_size)
{
    work w = {NULL, NULL, NULL, NULL};
    kt_status status = fill_with(&w, 1, group_size);
    destroy_work(&w);
    return status;
}

work make_empty(uint32_t steps)
{
    work w = {NULL, NULL, NULL, NULL};
    const kt_step step = {.name = "step", .kind = KT_STEP_EMPTY};
    EXPECT_OK(make_job(&w, &step, steps));
    return w;
}

kt_status try_shift(uint32_t offset, size_t bytes)
{
    work w = {NULL, NULL, NULL, NULL};
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, WORDS, &w.memory));
    const kt_step step = {.name = "step",
                          .kind = KT_STEP_COPY,
                          .src = w.memory,
                          .dst = w.memory,
                          .dst_offset_bytes = offset,
                          .copy_bytes = bytes};
    kt_status status = make_job(&w, &step, 1);
    destroy_work(&w);
    return status;
}

work make_copy(kt_memory_kind from, kt_memory_kind to)
{
    work w = {NULL, NULL, NULL, NULL};
    EXPECT_OK(kt_memory_create(device, from, WORDS, &w.memory));
    EXPECT_OK(kt_memory_create(device, to, WORDS, &w.other));
    const kt_step step = {
        .name = "step", .kind = KT_STEP_COPY, .src = w.memory, .dst = w.other, .copy_bytes = WORDS};
    EXPECT_OK(make_job(&w, &step, 1));
    return w;
}

void destroy_work(work *w)
{
    kt_job_destroy(&w->job);
    kt_program_destroy(&w->program);
    kt_memory_destroy(&w->other);
    kt_memory_destroy(&w->memory);
}

kt_status try_measure(const work *w, uint32_t samples, kt_result **out)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = samples,
                                        .samples_max = samples,
                                        .max_time_ns = 1,
                                        .timeout_ns = time_limit_ns(),
                                        .trials = 1,
                                        .timing = KT_TIMING_DEVICE,
                                        .keep_raw = 1};
    return kt_measure(w->job, &options, out);
}

const kt_series *work_of(const kt_result *result)
{
    const kt_series *series = kt_result_find(result, "step");
    assert_non_null(series);
    return series;
}

static void clean_up(void)
{
    destroy_work(&made);
}

int main(int argc, char **argv)
{
    const stub_symbol symbols[] = {{"ktStubTake", &stub_take}, {NULL, NULL}};
    const struct CMUnitTest *const lists[] = {metal_times, metal_failures, NULL};
    return stubbed_main(&(stubbed_program){"metal", "metal:0", symbols, lists, clean_up}, argc,
                        argv);
}
