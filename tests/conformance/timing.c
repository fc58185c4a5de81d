/* SPDX-License-Identifier: MIT */
/* Which times a job of several steps gets, as asked for: of the device, by the host, or both. */
#include "suite.h"

#define BYTES ((size_t)1 << 20)

static const char *const all[] = {"there", "back", "total", "span", "wall", "wall_timestamped"};

static bool is_of_device(const char *row)
{
    return strncmp(row, "wall", 4) != 0;
}

static bool is_wanted(const char *row, kt_timing timing)
{
    return strcmp(row, "wall") == 0 ? timing != KT_TIMING_DEVICE : timing != KT_TIMING_WALL;
}

/* That of the clock that the row names. */
static kt_method method_of(const char *clock)
{
    for (uint32_t i = 0; i < s.info->clock_count; i++)
        if (strcmp(s.info->clocks[i].name, clock) == 0)
            return s.info->clocks[i].method;
    return KT_METHOD_NONE;
}

static void check_row(const kt_series *series)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(s.device);
    bool simulated = s.info->type == KT_DEVICE_SIMULATED, timestamps = is_of_device(series->step);
    if (timestamps && (!limits || !limits->trusted)) {
        assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
        assert_non_null(s.no_device_time);
        return;
    }
    assert_int_equal(series->clock != NULL, timestamps);
    assert_int_equal(series->method, simulated    ? KT_METHOD_SIMULATED
                                     : timestamps ? method_of(series->clock)
                                                  : KT_METHOD_HOST_WALL);
    assert_true(series->summary.n > 0);
    assert_true(series->summary.median > 0 || series->status == KT_SERIES_BELOW_MIN_SPAN);
}

void timing_gives_the_rows_that_are_asked_for(void **state)
{
    kt_memory *a = make_memory(KT_MEMORY_DEFAULT, BYTES, 1);
    kt_memory *b = make_memory(KT_MEMORY_DEFAULT, BYTES, 2);
    const kt_step steps[] = {
        {.kind = KT_STEP_COPY, .name = "there", .src = a, .dst = b, .copy_bytes = BYTES},
        {.kind = KT_STEP_COPY, .name = "back", .src = b, .dst = a, .copy_bytes = BYTES}};
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "copies", .steps = steps, .step_count = 2};
    kt_job *job = NULL;
    EXPECT_OK(kt_job_create(s.device, &desc, &job));
    static const kt_timing timings[] = {KT_TIMING_DEVICE, KT_TIMING_WALL, KT_TIMING_BOTH};
    for (int t = 0; t < 3; t++) {
        const kt_measure_options few = {.size = sizeof few,
                                        .samples_min = 8,
                                        .samples_max = 8,
                                        .max_time_ns = 100000000,
                                        .timing = timings[t]};
        kt_result *result = NULL;
        EXPECT_OK(kt_measure(job, &few, &result));
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            const kt_series *series = kt_result_find(result, all[i]);
            if ((series != NULL) != is_wanted(all[i], timings[t]))
                fail_msg("timing %d: %s", (int)timings[t], all[i]);
            if (series)
                check_row(series);
        }
        kt_result_destroy(&result);
    }
    kt_job_destroy(&job);
    kt_memory_destroy(&a);
    kt_memory_destroy(&b);
}
