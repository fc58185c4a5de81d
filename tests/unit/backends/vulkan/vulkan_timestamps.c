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
static void narrow_timestamps_wrap(void **state)
{
    (void)state;
    open_device(STEP_NS);
    assert_int_equal(info->clocks[0].valid_bits, 16);
    EXPECT_NUMBER(info->clocks[0].period_ns, PERIOD_NS);
    kt_result *result = measure_copy(300, 1, KT_TIMING_DEVICE);
    const kt_series *series = series_of(result, "copy");
    expect_samples(series, 300, TICKS * PERIOD_NS);
    assert_true(wraps(series) >= 3);
    kt_result_destroy(&result);
    close_device();
}

/* The stub begins 200,000 ticks before the end of 2^36. */
static void timestamps_of_36_bits_wrap(void **state)
{
    (void)state;
    open_device(STEP_NS);
    assert_int_equal(info->clocks[0].valid_bits, 36);
    kt_result *result = measure_copy(300, 1, KT_TIMING_DEVICE);
    const kt_series *series = series_of(result, "copy");
    expect_samples(series, 300, TICKS * PERIOD_NS);
    assert_int_equal(wraps(series), 1);
    kt_result_destroy(&result);
    close_device();
}

/* Three copies in a row, of 1000 ns each. */
static void trials_share_a_sample(void **state)
{
    (void)state;
    open_device(STEP_NS);
    kt_result *result = measure_copy(10, 3, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "copy");
    expect_samples(series, 10, 1000);
    assert_int_equal(series->method, KT_METHOD_DEVICE_TIMESTAMP);
    kt_result_destroy(&result);
    close_device();
}

/* No timestamps: said, and there are wall times. */
static void families_without_timestamps(void **state)
{
    (void)state;
    open_device(STEP_NS);
    assert_int_equal(info->clock_count, 0);
    kt_result *result = measure_copy(10, 1, KT_TIMING_BOTH);
    assert_int_equal(series_of(result, "wall")->summary.n, 10);
    assert_int_equal(series_of(result, "wall")->status, KT_SERIES_OK);
    const kt_series *series = series_of(result, "copy");
    assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    assert_int_equal(series->summary.n, 0);
    kt_result_destroy(&result);
    close_device();
}

/* The width is that of the family which computes, and gives timestamps. */
static void the_right_family(void **state)
{
    (void)state;
    open_device(STEP_NS);
    assert_int_equal(info->clock_count, 1);
    assert_int_equal(info->clocks[0].valid_bits, 40);
    kt_result *result = measure_copy(10, 1, KT_TIMING_BOTH);
    expect_samples(series_of(result, "copy"), 10, 1000);
    kt_result_destroy(&result);
    close_device();
}

/* Not one timestamp is to be trusted: no device time, and the reason is told. */
static void expect_none(const char *state)
{
    open_device(STEP_NS);
    kt_result *result = measure_copy(20, 1, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "copy");
    assert_int_equal(series->summary.n, 0);
    assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    assert_false(kt_device_get_timer_limits(device)->trusted);
    EXPECT_TEXT_HAS(kt_device_get_timer_limits(device)->reason, state);
    assert_int_equal(series_of(result, "wall")->summary.n, 20);
    kt_result_destroy(&result);
    close_device();
}

static void never_available(void **state)
{
    (void)state;
    expect_none("not_ready");
}

static void timestamps_of_zero(void **state)
{
    (void)state;
    expect_none("zero");
}

/* Of every four in a row one is in that state: counted, and no sample is made of it. */
static void expect_every_4th(kt_timestamp_state timestamp_state)
{
    open_device(STEP_NS);
    kt_result *result = measure_copy(40, 1, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "copy");
    assert_int_equal(series->summary.n, 30);
    for (size_t i = 0; i < series->summary.n; i++)
        EXPECT_NUMBER(series->samples_ns[i], 1000);
    assert_int_equal(series->discarded[timestamp_state], 10);
    kt_result_destroy(&result);
    close_device();
}

static void some_never_available(void **state)
{
    (void)state;
    expect_every_4th(KT_TIMESTAMP_NOT_READY);
}

static void some_of_zero(void **state)
{
    (void)state;
    expect_every_4th(KT_TIMESTAMP_ZERO);
}

/* By 2^20 ticks of 64 bits: a turn backwards is none forwards. */
static void some_go_backwards(void **state)
{
    (void)state;
    expect_every_4th(KT_TIMESTAMP_NEGATIVE);
}

const vulkan_test vulkan_timestamp_tests[] = {
    {"narrow", narrow_timestamps_wrap},
    {"bits36", timestamps_of_36_bits_wrap},
    {"trials", trials_share_a_sample},
    {"no_timestamps", families_without_timestamps},
    {"family", the_right_family},
    {"never", never_available},
    {"zero", timestamps_of_zero},
    {"some_never", some_never_available},
    {"some_zero", some_of_zero},
    {"some_backwards", some_go_backwards},
    {NULL, NULL},
};
