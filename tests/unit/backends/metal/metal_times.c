/* SPDX-License-Identifier: MIT */
/* How long kernels and copies took, by samples and by command buffers; and what becomes of timestamps
 * that are none. */
#include "tests/unit/backends/metal/metal.h"

/* As the backend has them: see src/backends/metal/samples.h. */
enum { SAMPLES_OF_A_BUFFER = 4096 };

/* Each duration is there to a tick, or 0.1 % where the tick was found by pairs. */
static void expect_exact(kt_method method, const work *w)
{
    static const int64_t durations_ns[] = {10000, 12345, 200000, 3000000, 70000000};
    for (size_t i = 0; i < sizeof durations_ns / sizeof durations_ns[0]; i++) {
        kt_result *result = NULL;
        double truth_ns = (double)durations_ns[i];
        stub_take(durations_ns[i]);
        EXPECT_OK(try_measure(w, 3, &result));
        const kt_series *series = work_of(result);
        assert_int_equal(series->method, method);
        assert_int_equal(series->summary.n, 3);
        EXPECT_NEAR(series->summary.median, truth_ns, fmax(84, 0.001 * truth_ns));
        kt_result_destroy(&result);
        stub_take(-1);
    }
}

static void exact_by(kt_method method, kt_memory_kind seen)
{
    work fill = make_fill(1), copy = make_copy(KT_MEMORY_HEAP, seen);
    kt_result *result = NULL;
    EXPECT_OK(try_measure(&fill, 1,
                          &result)); /* the timer limits's empty steps take as long as scripted */
    kt_result_destroy(&result);
    expect_exact(method, &fill);
    expect_exact(method, &copy);
    destroy_work(&copy);
    destroy_work(&fill);
}

static void exact(void **state)
{
    exact_by(KT_METHOD_DEVICE_TIMESTAMP, KT_MEMORY_SHARED);
}

static void exact_discrete(void **state)
{
    exact_by(KT_METHOD_DEVICE_TIMESTAMP, KT_MEMORY_HOST);
}

static void exact_by_commands(void **state)
{
    exact_by(KT_METHOD_COMMAND_BUFFER, KT_MEMORY_SHARED);
}

/* More steps than one sample buffer, or the queue of all jobs, has room for. */
static void long_job(kt_method method, uint32_t steps)
{
    made = make_fill(steps);
    EXPECT_OK(try_measure(&made, 2, &measured));
    assert_int_equal(work_of(measured)->method, method);
    assert_int_equal(work_of(measured)->summary.n, 2);
    EXPECT_NEAR(kt_result_find(measured, "total")->summary.median, steps * 10000.0, 10.0 * steps);
}

static void many_steps(void **state)
{
    long_job(KT_METHOD_DEVICE_TIMESTAMP, SAMPLES_OF_A_BUFFER / 2 + 100);
}

static void many_commands(void **state)
{
    long_job(KT_METHOD_COMMAND_BUFFER, 150);
}

/* Steps that share nothing run one after another nevertheless, timestamped or not: all of them take as
 * long as their sum. */
static void in_order(void **state)
{
    enum { STEPS = 4, EACH_NS = 10000000 };
    static const kt_timing timings[] = {KT_TIMING_DEVICE, KT_TIMING_WALL};
    made = make_empty(STEPS);
    kt_result *first = NULL;
    EXPECT_OK(try_measure(&made, 1,
                          &first)); /* the timer limits's empty steps take as long as scripted */
    kt_result_destroy(&first);
    for (size_t i = 0; i < sizeof timings / sizeof timings[0]; i++) {
        kt_result *result = NULL;
        const kt_measure_options options = {.size = sizeof options,
                                            .samples_min = 3,
                                            .samples_max = 3,
                                            .max_time_ns = 1,
                                            .trials = 1,
                                            .timing = timings[i]};
        stub_take(EACH_NS);
        int64_t begin_ns = stub_now();
        EXPECT_OK(kt_measure(made.job, &options, &result));
        int64_t took_ns = stub_now() - begin_ns;
        stub_take(-1);
        assert_true(took_ns >= INT64_C(3) * STEPS * EACH_NS);
        if (timings[i] == KT_TIMING_DEVICE)
            EXPECT_NEAR(work_of(result)->summary.median, EACH_NS, 0.001 * EACH_NS);
        kt_result_destroy(&result);
    }
}

/* Each is kept while buffer after buffer is used up, of which the stub makes but two: none is held
 * by a job that does not run. */
static void buffers_go(void **state)
{
    enum { JOBS = 20 };
    work jobs[JOBS];
    for (int i = 0; i < JOBS; i++)
        jobs[i] = make_fill(1);
    for (int i = 0; i < JOBS; i++) {
        kt_result *result = NULL;
        EXPECT_OK(try_measure(&jobs[i], SAMPLES_OF_A_BUFFER / 4, &result));
        assert_int_equal(work_of(result)->method, KT_METHOD_DEVICE_TIMESTAMP);
        assert_int_equal(work_of(result)->summary.n, SAMPLES_OF_A_BUFFER / 4);
        kt_result_destroy(&result);
    }
    for (int i = 0; i < JOBS; i++)
        destroy_work(&jobs[i]);
}

/* ---- timestamps that are none ---- */

static void expect_discarded(void **state)
{
    const int bad = *(const int *)*state;
    made = make_fill(1);
    EXPECT_OK(try_measure(&made, 40, &measured));
    const kt_series *series = work_of(measured);
    assert_int_equal(series->method, KT_METHOD_DEVICE_TIMESTAMP);
    assert_true(series->summary.n > 0);
    assert_true(series->discarded[bad] > 0);
    for (int i = 1; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_true(i == (int)bad || series->discarded[i] == 0);
}

/* They were good when they were tried, and are not any more. */
static void turns_to_commands(void **state)
{
    assert_int_equal(kt_device_get_info(device)->clock_count, 2);
    made = make_fill(1);
    EXPECT_OK(try_measure(&made, 10, &measured));
    const kt_series *series = work_of(measured);
    assert_int_equal(series->method, KT_METHOD_COMMAND_BUFFER);
    assert_in_range(series->summary.n, 7, 10);
    assert_int_equal(series->summary.n + series->discarded[KT_TIMESTAMP_ZERO] +
                         series->discarded[KT_TIMESTAMP_ERROR],
                     10);
    EXPECT_NEAR(series->summary.median, 10000, 2);
}

/* More command buffers than the queue of all jobs has room for, of a job that was to have one. */
static void turns_with_many(void **state)
{
    enum { STEPS = 1100 };
    kt_result *result = NULL;
    made = make_fill(STEPS);
    EXPECT_OK(try_measure(&made, 4, &result)); /* turns */
    kt_result_destroy(&result);
    EXPECT_OK(try_measure(&made, 2, &result));
    assert_int_equal(work_of(result)->method, KT_METHOD_COMMAND_BUFFER);
    assert_int_equal(work_of(result)->summary.n, 2);
    kt_result_destroy(&result);
}

/* They were good for long, in many series: the third bad submission is the last one even so. */
static void turns_late(void **state)
{
    enum { SAMPLES = 100 };
    uint32_t zeros = 0, good = 0;
    made = make_fill(1);
    for (int i = 0; i < 100 && zeros == 0; i++) {
        kt_result *result = NULL;
        EXPECT_OK(try_measure(&made, SAMPLES, &result));
        const kt_series *series = work_of(result);
        zeros = series->discarded[KT_TIMESTAMP_ZERO];
        good += zeros ? 0 : series->summary.n;
        assert_int_equal(series->summary.n + zeros + series->discarded[KT_TIMESTAMP_LOST], SAMPLES);
        kt_result_destroy(&result);
    }
    assert_true(good >= SAMPLES);
    assert_in_range(zeros, 1, 3);
    kt_result *after = NULL;
    EXPECT_OK(try_measure(&made, SAMPLES, &after));
    assert_int_equal(work_of(after)->method, KT_METHOD_COMMAND_BUFFER);
    assert_int_equal(work_of(after)->summary.n, SAMPLES);
    kt_result_destroy(&after);
}

const struct CMUnitTest metal_times[] = {
    MOOD(exact),
    MOOD(exact_discrete),
    MOOD(exact_by_commands),
    MOOD(many_steps),
    MOOD(many_commands),
    MOOD(in_order),
    MOOD(buffers_go),
    MOOD_OF("zero", expect_discarded, &(int){KT_TIMESTAMP_ZERO}),
    MOOD_OF("error", expect_discarded, &(int){KT_TIMESTAMP_ERROR}),
    MOOD_OF("backwards", expect_discarded, &(int){KT_TIMESTAMP_NEGATIVE}),
    MOOD(turns_to_commands),
    MOOD(turns_with_many),
    MOOD(turns_late),
    MOODS_END,
};
