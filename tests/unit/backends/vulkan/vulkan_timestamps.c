/* SPDX-License-Identifier: MIT */
/* What becomes of timestamps of every width and in every state. */
#include "tests/unit/backends/vulkan/vulkan.h"

/* What the stub is told to take for a command, and its period: a float, as drivers hand it out. */
#define TICKS     777
#define PERIOD_NS ((double)52.083332f)

/* Longer than any step takes: the wall time decides how often a counter may have wrapped. */
#define STEP_NS 1000000

static void expect_samples(const kt_series *series, uint32_t count, double ns)
{
    assert_int_equal(series->status, KT_SERIES_OK);
    assert_int_equal(series->summary.n, count);
    for (uint32_t i = 0; i < count; i++)
        EXPECT_NEAR(series->samples_ns[i], ns, ns * 1e-15);
}

static uint32_t wraps(const kt_series *series)
{
    uint32_t count = 0;
    for (size_t i = 0; i < series->raw_count; i++)
        count +=
            series->raw[i].has_timestamps && series->raw[i].end_ticks < series->raw[i].start_ticks;
    return count;
}

/* A turn of 2^16 ticks is 3.4 ms. 300 samples of 777 ticks, and at most 16 before each, pass its
 * end three times at least, which is within a sample unless it is in those 16. */
static void narrow(void **state)
{
    assert_int_equal(info->clocks[0].valid_bits, 16);
    EXPECT_NUMBER(info->clocks[0].period_ns, PERIOD_NS);
    kt_result *result = measure_copy(300, 1, KT_TIMING_DEVICE);
    const kt_series *series = series_of(result, "copy");
    expect_samples(series, 300, TICKS * PERIOD_NS);
    assert_true(wraps(series) >= 3);
    kt_result_destroy(&result);
}

/* The stub begins 200,000 ticks before the end of 2^36. */
static void bits36(void **state)
{
    assert_int_equal(info->clocks[0].valid_bits, 36);
    kt_result *result = measure_copy(300, 1, KT_TIMING_DEVICE);
    const kt_series *series = series_of(result, "copy");
    expect_samples(series, 300, TICKS * PERIOD_NS);
    assert_int_equal(wraps(series), 1);
    kt_result_destroy(&result);
}

/* Three copies in a row, of 1000 ns each. */
static void trials(void **state)
{
    kt_result *result = measure_copy(10, 3, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "copy");
    expect_samples(series, 10, 1000);
    assert_int_equal(series->method, KT_METHOD_DEVICE_TIMESTAMP);
    kt_result_destroy(&result);
}

/* No timestamps: said, and there are wall times. */
static void no_timestamps(void **state)
{
    assert_int_equal(info->clock_count, 0);
    kt_result *result = measure_copy(10, 1, KT_TIMING_BOTH);
    assert_int_equal(series_of(result, "wall")->summary.n, 10);
    assert_int_equal(series_of(result, "wall")->status, KT_SERIES_OK);
    const kt_series *series = series_of(result, "copy");
    assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    assert_int_equal(series->summary.n, 0);
    kt_result_destroy(&result);
}

/* The width is that of the family which computes, and gives timestamps. */
static void family(void **state)
{
    assert_int_equal(info->clock_count, 1);
    assert_int_equal(info->clocks[0].valid_bits, 40);
    kt_result *result = measure_copy(10, 1, KT_TIMING_BOTH);
    expect_samples(series_of(result, "copy"), 10, 1000);
    kt_result_destroy(&result);
}

/* Not one timestamp is to be trusted: no device time, and the reason is told. */
static void none(void **state)
{
    kt_result *result = measure_copy(20, 1, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "copy");
    assert_int_equal(series->summary.n, 0);
    assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    assert_false(kt_device_get_timer_limits(device)->trusted);
    EXPECT_TEXT_HAS(kt_device_get_timer_limits(device)->reason,
                    kt_timestamp_state_name(*(const kt_timestamp_state *)*state));
    assert_int_equal(series_of(result, "wall")->summary.n, 20);
    kt_result_destroy(&result);
}

/* Of every four in a row one is in that state: counted, and no sample is made of it. */
static void every_4th(void **state)
{
    kt_result *result = measure_copy(40, 1, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "copy");
    assert_int_equal(series->summary.n, 30);
    for (size_t i = 0; i < series->summary.n; i++)
        EXPECT_NUMBER(series->samples_ns[i], 1000);
    assert_int_equal(series->discarded[*(const kt_timestamp_state *)*state], 10);
    kt_result_destroy(&result);
}

static int set_up_steps(void **state)
{
    open_device(STEP_NS);
    return 0;
}
#define IN_STEPS(name, test, state)                \
    {                                              \
        name, test, set_up_steps, tear_down, state \
    }

static kt_timestamp_state not_ready = KT_TIMESTAMP_NOT_READY, zero = KT_TIMESTAMP_ZERO,
                          /* By 2^20 ticks of 64 bits: a turn backwards is none forwards. */
    negative = KT_TIMESTAMP_NEGATIVE;

const struct CMUnitTest vulkan_timestamp_tests[] = {
    IN_STEPS("never", none, &not_ready),
    IN_STEPS("zero", none, &zero),
    IN_STEPS("some_never", every_4th, &not_ready),
    IN_STEPS("some_zero", every_4th, &zero),
    IN_STEPS("some_backwards", every_4th, &negative),
    IN_STEPS("narrow", narrow, NULL),
    IN_STEPS("bits36", bits36, NULL),
    IN_STEPS("trials", trials, NULL),
    IN_STEPS("no_timestamps", no_timestamps, NULL),
    IN_STEPS("family", family, NULL),
    MOODS_END,
};
