/* SPDX-License-Identifier: MIT */
/* Results of several tiles become one, on counters of any width and wherever they wrap; and in
 * which unit a timer is told. */
#include "backends/level_zero/timestamps.h"
#include "tests/unit/testing.h"

#define GLOBAL(begin, end)                                \
    {                                                     \
        .global = {begin, end}, .context = { begin, end } \
    }
#define BOTH(begin, end, on, off)                      \
    {                                                  \
        .global = {begin, end}, .context = { on, off } \
    }

static void expect(const ze_kernel_timestamp_result_t *tiles, uint32_t count, uint32_t bits,
                   uint64_t start, uint64_t end)
{
    ze_kernel_timestamp_result_t all = kt_level_zero_combine(tiles, count, bits);
    assert_int_equal(all.global.kernelStart, start);
    assert_int_equal(all.global.kernelEnd, end);
}

static void one_tile_is_itself(void **state)
{
    const ze_kernel_timestamp_result_t tile = BOTH(7, 5, 3, 2);
    ze_kernel_timestamp_result_t all = kt_level_zero_combine(&tile, 1, 32);
    assert_memory_equal(&all, &tile, sizeof all);
}

static void earliest_start_to_latest_end(void **state)
{
    const ze_kernel_timestamp_result_t tiles[] = {GLOBAL(100, 200), GLOBAL(90, 150),
                                                  GLOBAL(110, 210), GLOBAL(100, 200)};
    for (uint32_t bits = 9; bits <= 64; bits++)
        expect(tiles, 4, bits, 90, 210);
    expect(tiles, 4, 0, 90, 210); /* of unknown width */
}

static void across_the_wrap(void **state)
{
    const uint64_t last32 = UINT32_MAX, last36 = (UINT64_C(1) << 36) - 1;
    const ze_kernel_timestamp_result_t in32[] = {GLOBAL(3, 40), GLOBAL(last32 - 4, 20),
                                                 GLOBAL(last32, 41)};
    const ze_kernel_timestamp_result_t in36[] = {GLOBAL(last36 - 9, last36), GLOBAL(last36 - 8, 1)};
    const ze_kernel_timestamp_result_t in64[] = {GLOBAL(2, 9), GLOBAL(UINT64_MAX, 8)};
    expect(in32, 3, 32, last32 - 4, 41);
    expect(in36, 2, 36, last36 - 9, 1);
    expect(in64, 2, 64, UINT64_MAX, 9);
    /* The same ticks on wider counters lie far apart. */
    expect(in32, 3, 36, 3, 41);
}

/* What a driver leaves in the bits above those that are valid decides nothing. */
static void bits_that_are_not_valid(void **state)
{
    const uint64_t above = UINT64_C(0xabc) << 32;
    const ze_kernel_timestamp_result_t tiles[] = {GLOBAL(above | 100, 200),
                                                  GLOBAL(90, above | 210)};
    expect(tiles, 2, 32, 90, above | 210);
}

/* It must not be the earliest start, on a counter that shows little, nor the latest end, shortly
 * before a wrap. */
static void a_tile_that_had_no_part(void **state)
{
    const ze_kernel_timestamp_result_t none = GLOBAL(0, 0), one = GLOBAL(100, 200),
                                       late = GLOBAL(UINT32_MAX - 9, UINT32_MAX - 5);
    const ze_kernel_timestamp_result_t low[] = {none, one, none, GLOBAL(90, 150)},
                                       high[] = {late, none}, empty[] = {none, none};
    expect(low, 4, 32, 90, 200);
    expect(high, 2, 32, UINT32_MAX - 9, UINT32_MAX - 5);
    expect(empty, 2, 32, 0, 0);
    /* One that says anything had a part. */
    const ze_kernel_timestamp_result_t began[] = {one, BOTH(0, 0, 0, 1)};
    expect(began, 2, 32, 0, 200);
}

static void context_by_itself(void **state)
{
    const ze_kernel_timestamp_result_t tiles[] = {BOTH(100, 200, 50, 60), BOTH(110, 190, 40, 70)};
    ze_kernel_timestamp_result_t all = kt_level_zero_combine(tiles, 2, 32);
    assert_int_equal(all.context.kernelStart, 40);
    assert_int_equal(all.context.kernelEnd, 70);
    assert_int_equal(all.global.kernelStart, 100);
    assert_int_equal(all.global.kernelEnd, 200);
}

static void from_the_first_trial_to_the_last(void **state)
{
    const ze_kernel_timestamp_result_t first = BOTH(10, 20, 1, 2), last = BOTH(30, 40, 3, 4);
    kt_timestamp timestamp = kt_level_zero_timestamp_of(&first, &last);
    assert_int_equal(timestamp.state, KT_TIMESTAMP_OK);
    assert_int_equal(timestamp.clock, LEVEL_ZERO_KERNEL);
    assert_int_equal(timestamp.start_ticks, 10);
    assert_int_equal(timestamp.end_ticks, 40);
    assert_true(timestamp.has_context);
    assert_int_equal(timestamp.context_clock, LEVEL_ZERO_CONTEXT);
    assert_int_equal(timestamp.context_start_ticks, 1);
    assert_int_equal(timestamp.context_end_ticks, 4);
    const ze_kernel_timestamp_result_t none = GLOBAL(0, 0);
    assert_int_equal(kt_level_zero_timestamp_of(&first, &none).state, KT_TIMESTAMP_ZERO);
    assert_int_equal(kt_level_zero_timestamp_of(&none, &last).state, KT_TIMESTAMP_ZERO);
}

/* A timer's unit is known by its size, whatever the driver was asked for. */
static void units_of_the_timer(void **state)
{
    ze_device_properties_t reported = {
        .timerResolution = 12000048, .timestampValidBits = 36, .kernelTimestampValidBits = 32};
    kt_clock_info clock = kt_level_zero_clock(&reported, LEVEL_ZERO_KERNEL);
    assert_true(clock.period_ns == 1e9 / 12000048);
    assert_true(clock.frequency_hz == 12000048);
    assert_int_equal(clock.reported_period_ns, 0);
    assert_int_equal(clock.valid_bits, 32);
    assert_false(clock.pauses);
    assert_true(kt_level_zero_clock(&reported, LEVEL_ZERO_CONTEXT).pauses);
    assert_int_equal(kt_level_zero_clock(&reported, LEVEL_ZERO_GLOBAL).valid_bits, 36);

    reported.timerResolution = 83;
    clock = kt_level_zero_clock(&reported, LEVEL_ZERO_GLOBAL);
    assert_true(isnan(clock.period_ns) && isnan(clock.frequency_hz));
    assert_int_equal(clock.reported_period_ns, 83);

    reported = (ze_device_properties_t){.kernelTimestampValidBits = 65};
    clock = kt_level_zero_clock(&reported, LEVEL_ZERO_KERNEL);
    assert_true(isnan(clock.period_ns) && isnan(clock.frequency_hz));
    assert_int_equal(clock.reported_period_ns, 0);
    assert_int_equal(clock.valid_bits, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_tile_is_itself),
        cmocka_unit_test(earliest_start_to_latest_end),
        cmocka_unit_test(across_the_wrap),
        cmocka_unit_test(bits_that_are_not_valid),
        cmocka_unit_test(a_tile_that_had_no_part),
        cmocka_unit_test(context_by_itself),
        cmocka_unit_test(from_the_first_trial_to_the_last),
        cmocka_unit_test(units_of_the_timer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
