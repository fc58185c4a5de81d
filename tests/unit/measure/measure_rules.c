/* SPDX-License-Identifier: MIT */
/* When measuring ends, what is taken, and what is called when. */
#include "tests/unit/rig.h"

#include <stdio.h>

/* Equal samples are known exactly at the first two looks, at 30 and 45; 37 and 56 with that
 * minimum. */
static void precise_enough_ends_it(void **state)
{
    rig *r = rig_make("sim:0", 1);
    kt_result *result = rig_try(r, NULL, KT_OK);
    rig_expect_all(rig_series(result, "first"), 45, 100000);
    assert_int_equal(rig_series(result, "first")->stop, KT_STOP_REL_ERR);
    const kt_measure_options options = {.size = sizeof options, .samples_min = 37};
    result = rig_try(r, &options, KT_OK);
    rig_expect_all(rig_series(result, "first"), 56, 100000);
}

static void a_timing_that_is_none_is_refused(void **state)
{
    const kt_measure_options options = {.size = sizeof options, .timing = (kt_timing)9};
    rig_try(rig_make("sim:0", 1), &options, KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "no timing 9");
}

/* With noise more samples are taken, at one of the looks, and the interval is then as narrow as
 * asked for. */
static void noise_takes_more_samples(void **state)
{
    rig *r = rig_sim(1, "jitter_ns=3000,seed=3");
    const kt_measure_options options = {
        .size = sizeof options, .rel_err = 0.004, .max_time_ns = INT64_MAX};
    kt_result *result = rig_try(r, &options, KT_OK);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->stop, KT_STOP_REL_ERR);
    uint32_t look = 30; /* then half as many again each time, rounded up */
    while (look < first->summary.n)
        look += (look + 1) / 2;
    assert_int_equal(first->summary.n, look);
    assert_true(look > 45);
    static const char *const steps[] = {"first", "wall"};
    for (int i = 0; i < 2; i++) {
        const kt_summary *s = &rig_series(result, steps[i])->summary;
        assert_true((s->ci95_high - s->ci95_low) / 2 <= 0.004 * s->median);
    }
}

static void time_is_up_after_the_sample_that_reaches_it(void **state)
{
    rig *r = rig_sim(1, "jitter_ns=30000,seed=3");
    const kt_measure_options options = {.size = sizeof options,
                                        .rel_err = 1e-9,
                                        .max_time_ns = 10000000,
                                        .samples_max = 100000,
                                        .keep_raw = 1};
    kt_result *result = rig_try(r, &options, KT_OK);
    const kt_series *wall = rig_series(result, "wall"),
                    *timestamped = rig_series(result, "wall_timestamped");
    assert_int_equal(wall->stop, KT_STOP_MAX_TIME);
    size_t n = wall->raw_count;
    assert_int_equal(timestamped->raw_count, n);
    /* Sample i begins with the timestamped submission if i is even. The first is sample 0. */
    int64_t begin_ns = timestamped->raw[0].host_before_ns;
    const kt_series *ends = n % 2 ? wall : timestamped;        /* of the last sample, n - 1 */
    const kt_series *ends_before = n % 2 ? timestamped : wall; /* of the one before it */
    assert_true(ends->raw[n - 1].host_after_ns - begin_ns >= options.max_time_ns);
    assert_true(ends_before->raw[n - 2].host_after_ns - begin_ns < options.max_time_ns);
}

/* One sample is a turn: two submissions of 24 ms and some reads of the clock, each verified in 76
 * ms. The fifth ends after 924 ms, the sixth after 1124 ms of the second that it may take. */
static void verifying_takes_its_share_of_the_time(void **state)
{
    const kt_context_options fake = rig_fake_clock(1000, 6000000);
    rig *r = rig_make_with("cpu:0", &fake, 0);
    rig_make_job(r, 1);
    rig_fake_verify(76000000);
    const kt_measure_options options = {.size = sizeof options,
                                        .max_time_ns = 1000000000,
                                        .samples_min = 2,
                                        .timing = KT_TIMING_BOTH};
    kt_result *result = rig_try(r, &options, KT_OK);
    assert_int_equal(rig_series(result, "wall")->summary.n, 6);
    assert_int_equal(rig_series(result, "wall")->stop, KT_STOP_MAX_TIME);
}

static void the_minimum_beats_the_time(void **state)
{
    rig *r = rig_sim(1, "jitter_ns=30000");
    const kt_measure_options options = {
        .size = sizeof options, .rel_err = 1e-9, .max_time_ns = 1, .samples_min = 50};
    kt_result *result = rig_try(r, &options, KT_OK);
    assert_int_equal(rig_series(result, "first")->summary.n, 50);
    assert_int_equal(rig_series(result, "first")->stop, KT_STOP_MAX_TIME);
}

static void a_small_maximum_lowers_the_usual_minimum(void **state)
{
    rig *r = rig_sim(1, "jitter_ns=30000");
    const kt_measure_options options = {.size = sizeof options, .samples_max = 9};
    kt_result *result = rig_try(r, &options, KT_OK);
    assert_int_equal(rig_series(result, "first")->summary.n, 9);
}

static void options_that_make_no_sense(void **state)
{
    rig *r = rig_make("sim:0", 1);
    const kt_measure_options bad[] = {
        {.size = sizeof bad[0], .samples_min = 20, .samples_max = 19},
        {.size = sizeof bad[0], .rel_err = -0.1},
        {.size = sizeof bad[0], .rel_err = NAN},
        {.size = sizeof bad[0], .max_time_ns = -1},
        {.size = sizeof bad[0], .timeout_ns = -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kt_result *result = rig_try(r, &bad[i], KT_INVALID);
        assert_null(result);
    }
    assert_int_equal(r->reset_count, 0); /* nothing was run */
}

static void cold_caches_have_conditions(void **state)
{
    kt_result *result = NULL;
    kt_measure_options cold = {.size = sizeof cold, .cold = 1};
    rig *r = rig_make("sim:0", 1);
    result = rig_try(r, &cold, KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "sim:0 cannot flush its caches");
    cold.trials = 2;
    result = rig_try(r, &cold, KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "cold");
    assert_null(result);
    assert_int_equal(r->reset_count, 0); /* nothing was run */
}

/* On a clock that only the kernel and looking at it move, flushing takes no time: it is outside of
 * what is timed. The numbers are those of a_host_clock_of_ones_own(). */
static void flushing_is_not_timed(void **state)
{
    const kt_context_options options = rig_fake_clock(1000, 1250);
    const kt_measure_options cold = {
        .size = sizeof cold, .samples_min = 5, .samples_max = 5, .max_time_ns = 1, .cold = -1};
    rig *r = rig_make_with("cpu:0", &options, 0);
    rig_make_job(r, 1);
    kt_result *result = rig_try(r, &cold, KT_OK);
    rig_expect_all(rig_series(result, "first"), 5, 6000);
    rig_expect_all(rig_series(result, "wall"), 5, 6000);
    rig_expect_all(rig_series(result, "wall_timestamped"), 5, 8000);
    assert_int_equal(rig_series(result, "first")->cold, 1);
    result = rig_measure(r, 5, KT_TIMING_BOTH, 1);
    assert_int_equal(rig_series(result, "first")->cold, 0);
}

static void device_times_alone(void **state)
{
    rig *r = rig_make("sim:0", 1);
    kt_result *result = rig_measure(r, 10, KT_TIMING_DEVICE, 1);
    assert_null(kt_result_find(result, "wall"));
    rig_expect_all(rig_series(result, "first"), 10, 100000);
    assert_int_equal(rig_series(result, "wall_timestamped")->summary.n, 10);
    assert_int_equal(rig_submissions(result), 1 + 1 + 10);
    assert_int_equal(r->verify_count, 12);
}

static void wall_times_alone_need_no_timer_limits(void **state)
{
    rig *r = rig_sim(1, "lost=1");
    kt_result *result = rig_measure(r, 10, KT_TIMING_WALL, 1);
    assert_int_equal(kt_result_series_count(result), 1);
    assert_int_equal(rig_series(result, "wall")->summary.n, 10);
    assert_int_equal(rig_series(result, "wall")->status, KT_SERIES_OK);
    assert_null(kt_device_get_timer_limits(r->device));
    assert_int_equal(r->verify_count, 12);
}

/* Stamped and plain in turn, A B B A: neither always follows the other. */
static void submissions_take_turns(void **state)
{
    rig *r = rig_make("sim:0", 1);
    kt_result *result = rig_measure(r, 10, KT_TIMING_BOTH, 1);
    const kt_raw *wall = rig_series(result, "wall")->raw;
    const kt_raw *timestamped = rig_series(result, "wall_timestamped")->raw;
    for (int i = 0; i < 10; i++) {
        bool timestamped_first = timestamped[i].host_before_ns < wall[i].host_before_ns;
        assert_int_equal(timestamped_first, i % 2 == 0);
        const kt_raw *early = timestamped_first ? &timestamped[i] : &wall[i];
        const kt_raw *late = timestamped_first ? &wall[i] : &timestamped[i];
        assert_true(early->host_after_ns <= late->host_before_ns);
    }
}

static void a_reset_precedes_every_submission(void **state)
{
    rig *r = rig_make("sim:0", 3);
    kt_result *result = rig_measure(r, 20, KT_TIMING_BOTH, 7);
    assert_int_equal(r->reset_count, 1 + 2 + 40); /* first, warm-up, two a sample */
    assert_int_equal(r->verify_count, r->reset_count);
    assert_int_equal(rig_submissions(result), r->reset_count);
}

/* A job whose dispatch adds 1 to its own input: after one submission with one trial it is start +
 * 1. */
static kt_memory *counter;
static int32_t reset_to;

static void increment(const kt_c_group *group, void *const *args)
{
    ++*(int32_t *)args[0];
}

static kt_status reset_counter(void *user, char *reason, size_t reason_bytes)
{
    reset_to += 10;
    return kt_memory_write(counter, 0, &reset_to, sizeof reset_to);
}

static kt_status verify_counter(void *user, char *reason, size_t reason_bytes)
{
    int32_t value = 0;
    kt_status status = kt_memory_read(counter, 0, &value, sizeof value);
    snprintf(reason, reason_bytes, "%d after %d", (int)value, (int)reset_to);
    return status != KT_OK ? status : value == reset_to + 1 ? KT_OK : KT_WRONG_RESULT;
}

static void work_that_changes_its_input_is_run_once(void **state)
{
    static const char *const devices[] = {"sim:0", "cpu:0"};
    for (int d = 0; d < 2; d++) {
        rig *r = rig_make(devices[d], 0);
        EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, 4, &r->input));
        counter = r->input;
        const kt_program_desc program = {.size = sizeof program,
                                         .language = KT_LANGUAGE_C_FUNCTION,
                                         .entry = "increment",
                                         .function = increment};
        EXPECT_OK(kt_program_create(r->device, &program, &r->program));
        const kt_arg arg = {.memory = r->input};
        const kt_step step = {.program = r->program, .args = &arg, .arg_count = 1};
        const kt_job_desc desc = {.size = sizeof desc,
                                  .name = "increment",
                                  .steps = &step,
                                  .step_count = 1,
                                  .trials_max = 1,
                                  .reset = reset_counter,
                                  .verify = verify_counter};
        EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
        kt_result *result = rig_measure(r, 10, KT_TIMING_BOTH, 1);
        assert_true(rig_series(result, "increment")->verified); /* its step bears the job's name */
        const kt_measure_options twice = {.size = sizeof twice, .trials = 2};
        result = rig_try(r, &twice, KT_LIMIT);
        EXPECT_TEXT_HAS(kt_error_text(), "increment");
        assert_null(result);
    }
}

static kt_progress seen[64];
static uint32_t seen_count, cancel_at, asked_before, cancel_before;

/* Notes what it is told of sampling. */
static int watch(void *user, const kt_progress *progress)
{
    assert_ptr_equal(user, &seen_count);
    if (progress->samples == 0 && seen_count == 0) {
        asked_before++;
        assert_int_equal(progress->elapsed_ns, 0);
        EXPECT_NUMBER(progress->fraction, 0);
        /* Before the first use, and before and after the first round of warm-up. */
        assert_int_equal(isnan(progress->median_ns), asked_before <= 2);
        assert_int_equal(progress->is_wall, asked_before > 2);
        return asked_before != cancel_before;
    }
    assert_true(seen_count < 64);
    seen[seen_count++] = *progress;
    return progress->samples != cancel_at;
}

/* And once more at the end, when there is nothing to come. */
static void progress_is_reported_between_samples(void **state)
{
    rig *r = rig_sim(1, "jitter_ns=100");
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 20,
                                        .samples_max = 20,
                                        .progress = watch,
                                        .progress_user = &seen_count};
    seen_count = cancel_at = asked_before = cancel_before = 0;
    kt_result *result = rig_try(r, &options, KT_OK);
    /* Before the first use, before each round of warm-up, and after the last. */
    assert_int_equal(asked_before, 2 + rig_series(result, "first")->warmup_n / 2);
    assert_int_equal(seen_count, 20);
    for (uint32_t i = 0; i < seen_count; i++) {
        assert_true(seen[i].median_ns > 0);
        assert_int_equal(isnan(seen[i].error), seen[i].samples < 8); /* renewed at 1, 2, 3, 5, 8 */
        assert_int_equal(seen[i].samples, i + 1);
        assert_int_equal(seen[i].ended, i == 19);
        EXPECT_NEAR(seen[i].fraction, (i + 1) / 20.0, 1e-12);
        assert_true(seen[i].elapsed_ns > (i ? seen[i - 1].elapsed_ns : 0));
    }
}

static void cancelling_keeps_what_was_measured(void **state)
{
    rig *r = rig_make("sim:0", 1);
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 20, .progress = watch, .progress_user = &seen_count};
    seen_count = asked_before = cancel_before = 0;
    cancel_at = 5;
    kt_result *result = rig_try(r, &options, KT_CANCELLED);
    assert_int_equal(seen_count, 5);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->summary.n, 5);
    EXPECT_NUMBER(first->summary.median, 100000);
    EXPECT_NUMBER(first->summary.ci95_low, NAN);
    assert_int_equal(first->status, KT_SERIES_PARTIAL);
    assert_int_equal(first->stop, KT_STOP_NONE);
    EXPECT_TEXT_HAS(first->error, "cancelled");
}

/* A job of seconds is not run to its end before anybody is asked. */
static void cancelling_before_the_first_sample(void **state)
{
    for (cancel_before = 1; cancel_before <= 4; cancel_before++) {
        rig *r = rig_make("sim:0", 1);
        const kt_measure_options options = {
            .size = sizeof options, .progress = watch, .progress_user = &seen_count};
        seen_count = cancel_at = asked_before = 0;
        kt_result *result = rig_try(r, &options, KT_CANCELLED);
        /* Nothing; the first use; a round of two after it; another. */
        static const uint32_t run[] = {0, 1, 3, 5};
        assert_int_equal(r->verify_count, run[cancel_before - 1]);
        assert_int_equal(rig_submissions(result), run[cancel_before - 1]);
        const kt_series *first = rig_series(result, "first");
        assert_int_equal(first->status, KT_SERIES_FAILED);
        assert_int_equal(first->warmup_end, KT_WARMUP_NONE);
        EXPECT_TEXT_HAS(first->error, "cancelled");
    }
}

static void take(const char *scenario, double samples_ns[30])
{
    rig *r = rig_sim(1, "%s", scenario);
    kt_result *result = rig_measure(r, 30, KT_TIMING_BOTH, 1);
    memcpy(samples_ns, rig_series(result, "first")->samples_ns, 30 * sizeof *samples_ns);
}

static void the_same_scenario_gives_the_same_samples(void **state)
{
    double once[30], again[30], other[30];
    take("jitter_ns=400,drift_ppm=3,seed=7", once);
    take("jitter_ns=400,drift_ppm=3,seed=7", again);
    take("jitter_ns=400,drift_ppm=3,seed=8", other);
    assert_memory_equal(once, again, sizeof once);
    assert_memory_not_equal(once, other, sizeof once);
}

/*
 * A clock that moves 1000 ns whenever it is read, and 4 * 1250 ns by the kernel. Unstamped, the
 * two readings around a submission are 6000 apart; timestamped, the step's own two readings lie in
 * between, 6000 apart.
 */
static void a_host_clock_of_ones_own(void **state)
{
    const kt_context_options options = rig_fake_clock(1000, 1250);
    rig *r = rig_make_with("cpu:0", &options, 0);
    rig_make_job(r, 1);
    kt_result *result = rig_measure(r, 15, KT_TIMING_BOTH, 1);
    rig_expect_all(rig_series(result, "first"), 15, 6000);
    rig_expect_all(rig_series(result, "wall"), 15, 6000);
    rig_expect_all(rig_series(result, "wall_timestamped"), 15, 8000);
    assert_int_equal(rig_series(result, "first")->method, KT_METHOD_DEVICE_TIMESTAMP);
    assert_int_equal(rig_series(result, "wall")->method, KT_METHOD_HOST_WALL);
    const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
    EXPECT_NUMBER(limits->min_span_ns, 1000); /* nothing between two readings */
    EXPECT_NUMBER(limits->overhead_ns, 1000);
    EXPECT_NUMBER(limits->timestamp_overhead_ns, 2000);
    EXPECT_NUMBER(limits->resolution_ns, 1000);
    /* Four trials: 4 * 5000 + 1000 between the timestamps. */
    result = rig_measure(r, 15, KT_TIMING_BOTH, 4);
    rig_expect_all(rig_series(result, "first"), 15, 21000 / 4.0);
    kt_clock_pair pair;
    EXPECT_OK(kt_device_clock_pair(r->device, 0, &pair));
    assert_int_equal((int64_t)pair.ticks - pair.host_before_ns, 1000);
    assert_int_equal(pair.host_after_ns - (int64_t)pair.ticks, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precise_enough_ends_it),
        cmocka_unit_test(a_timing_that_is_none_is_refused),
        cmocka_unit_test(noise_takes_more_samples),
        cmocka_unit_test(time_is_up_after_the_sample_that_reaches_it),
        cmocka_unit_test(verifying_takes_its_share_of_the_time),
        cmocka_unit_test(the_minimum_beats_the_time),
        cmocka_unit_test(a_small_maximum_lowers_the_usual_minimum),
        cmocka_unit_test(options_that_make_no_sense),
        cmocka_unit_test(cold_caches_have_conditions),
        cmocka_unit_test(flushing_is_not_timed),
        cmocka_unit_test(device_times_alone),
        cmocka_unit_test(wall_times_alone_need_no_timer_limits),
        cmocka_unit_test(submissions_take_turns),
        cmocka_unit_test(a_reset_precedes_every_submission),
        cmocka_unit_test(work_that_changes_its_input_is_run_once),
        cmocka_unit_test(progress_is_reported_between_samples),
        cmocka_unit_test(cancelling_keeps_what_was_measured),
        cmocka_unit_test(cancelling_before_the_first_sample),
        cmocka_unit_test(the_same_scenario_gives_the_same_samples),
        cmocka_unit_test(a_host_clock_of_ones_own),
    };
    return cmocka_run_group_tests_name("measure_rules", tests, NULL, rig_end);
}
