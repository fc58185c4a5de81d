/* SPDX-License-Identifier: MIT */
/* A real workload: every sample of its times. */
#include "suite.h"
#include "workloads/workload.h"

#include <math.h>

static void open_matmul(workload_run *run, const void *problem, uint32_t n)
{
    const kt_param param = {"size", n};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = "matmul",
                        .workload = "matmul",
                        .variant = "naive",
                        .params = &param,
                        .param_count = 1};
    *run = (workload_run){0};
    EXPECT_OK(workload_open(run, workload_find("matmul"), problem, s.device, n, &desc));
}

static void *make_problem(uint32_t n)
{
    void *problem = NULL;
    EXPECT_OK(workload_find("matmul")->problem_create(n, &problem));
    return problem;
}

static kt_result *measure(uint32_t n, uint32_t trials, uint32_t samples)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = samples,
                                        .samples_max = samples,
                                        .trials = trials,
                                        .keep_raw = 1};
    void *problem = make_problem(n);
    workload_run run;
    kt_result *result = NULL;
    open_matmul(&run, problem, n);
    EXPECT_OK(kt_measure(run.job, &options, &result));
    workload_close(&run);
    workload_find("matmul")->problem_destroy(problem);
    return result;
}

/* A float of ms stands for whole ns where it cannot be told from them. */
static double ns_of(float ms)
{
    double ns = (double)ms * 1e6, step_ns = ((double)nextafterf(ms, INFINITY) - (double)ms) * 1e6;
    return fabs(ns - rint(ns)) <= step_ns ? rint(ns) : ns;
}

/* What the raw timestamps say, in ns. */
static double span_of(const kt_raw *raw)
{
    if (kt_method_is_elapsed_only(s.info->clocks[0].method)) {
        assert_true(raw->has_elapsed && !raw->has_timestamps && !raw->has_queue_timestamps);
        assert_true(raw->gap_ms == 0);
        return ns_of(raw->elapsed_ms);
    }
    /* Where no width is told, the timestamps are whole numbers of 64 bits. */
    const uint32_t reported_bits = s.info->clocks[0].valid_bits,
                   bits = reported_bits ? reported_bits : 64;
    assert_true(raw->has_timestamps);
    if (raw->has_queue_timestamps) {
        assert_true(raw->queued_ticks <= raw->submitted_ticks);
        assert_true(raw->submitted_ticks <= raw->start_ticks);
    }
    /* Modulo the counter's width, above which there may be anything. */
    uint64_t ticks = (raw->end_ticks - raw->start_ticks) << (64 - bits) >> (64 - bits);
    assert_true(ticks < UINT64_C(1) << (bits - 1));
    return (double)ticks * s.info->clocks[0].period_ns;
}

static void check_timestamps(const kt_series *step, const kt_series *wall)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(s.device);
    uint32_t good = 0;
    assert_true(limits->trusted);
    for (size_t i = 0; i < step->raw_count; i++) {
        const kt_raw *raw = &step->raw[i];
        if (raw->state != KT_TIMESTAMP_OK)
            continue;
        double span_ns = span_of(raw);
        double wall_ns = (double)(wall->raw[i].host_after_ns - wall->raw[i].host_before_ns);
        if (step->status != KT_SERIES_BELOW_MIN_SPAN)
            EXPECT_NUMBER(step->samples_ns[good], span_ns);
        EXPECT_NUMBER(wall->samples_ns[i], wall_ns);
        if (span_ns > wall_ns + limits->resolution_ns)
            fail_msg("sample %zu: %g ns on the device within %g ns", i, span_ns, wall_ns);
        good++;
    }
    assert_int_equal(good, step->summary.n);
    assert_true(good >= step->raw_count / 2);
}

void every_sample_is_plausible(void **state)
{
    SKIP_IF(s.no_programs);
    uint32_t n = s.profile->matmul_max < 64 ? 16 : 64, samples = s.profile->samples;
    kt_result *result = measure(n, 1, samples);
    const kt_series *step = kt_result_find(result, "matmul");
    const kt_series *wall = kt_result_find(result, "wall_timestamped");
    assert_int_equal(step->raw_count, samples);
    assert_int_equal(wall->raw_count, samples);
    assert_int_equal(wall->status, KT_SERIES_OK);
    assert_int_equal(kt_result_find(result, "wall")->summary.n, samples);
    assert_true(step->verified);
    assert_true(step->first_use_ns > 0);
    int64_t previous_ns = INT64_MIN;
    for (size_t i = 0; i < samples; i++) {
        assert_true(step->raw[i].host_before_ns >= previous_ns);
        assert_true(step->raw[i].host_before_ns < step->raw[i].host_after_ns);
        assert_int_equal(step->raw[i].host_before_ns, wall->raw[i].host_before_ns);
        previous_ns = step->raw[i].host_after_ns;
    }
    if (s.no_device_time) {
        assert_int_equal(step->status, KT_SERIES_NOT_POSSIBLE);
        assert_int_equal(step->method, KT_METHOD_HOST_WALL);
        assert_int_equal(step->summary.n, 0);
        assert_false(kt_device_get_timer_limits(s.device)->trusted);
        EXPECT_TEXT_HAS(step->error, "all returned tick");
        print_message("as expected: %s\n", step->error);
    } else {
        check_timestamps(step, wall);
    }
    kt_result_destroy(&result);
}

/* Of all dispatches in a row, in ns; the quickest submission that was seen so far, `least`, is
 * kept. */
static void look_at_trials(uint32_t trials, double *least)
{
    const char *what = s.no_device_time ? "wall" : "matmul";
    kt_result *result = measure(s.profile->matmul_max < 64 ? 16 : 64, trials, 5);
    const kt_series *series = kt_result_find(result, what);
    assert_int_equal(series->trials, trials);
    assert_true(series->summary.n > 0);
    *least = fmin(*least, series->summary.min * trials);
    EXPECT_NEAR(series->median_total_ns, series->summary.median * trials,
                1e-9 * series->median_total_ns);
    kt_result_destroy(&result);
}

/* The quickest of eight in a row takes longer than the quickest of one. A busy machine makes all of
 * a few submissions take a slice of its scheduler. */
void trials_raise_the_total(void **state)
{
    SKIP_IF(s.no_programs);
    double one_ns = INFINITY, eight_ns = INFINITY;
    for (int i = 0; i < 20 && !(eight_ns > 2 * one_ns && isfinite(eight_ns)); i++) {
        look_at_trials(1, &one_ns);
        look_at_trials(8, &eight_ns);
    }
    if (!(eight_ns > 2 * one_ns && isfinite(eight_ns)))
        fail_msg("one takes %g ns, eight in a row %g ns", one_ns, eight_ns);
}
