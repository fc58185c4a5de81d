/* SPDX-License-Identifier: MIT */
/* Which readings of the device's clock by a call are trusted. */
#include "tests/unit/backends/vulkan/vulkan.h"

#define PAIRS 20

/* On the host's own clock, which the tests can read as well: each pair holds the moment that it
 * tells. */
static void right_pairs(void **state)
{
    const int64_t distance_ns = 10000; /* of reading both clocks */
    for (int i = 0; i < PAIRS; i++) {
        kt_clock_pair pair;
        int64_t before_ns = kt_host_now_ns();
        EXPECT_OK(kt_device_clock_pair(device, 0, &pair));
        int64_t after_ns = kt_host_now_ns(), raw_ns;
        double uncertainty_ns;
        EXPECT_OK(kt_host_convert(KT_HOST_MONOTONIC, (int64_t)pair.ticks, KT_HOST_MONOTONIC_RAW,
                                  &raw_ns, &uncertainty_ns));
        assert_true(before_ns <= pair.host_before_ns && pair.host_after_ns <= after_ns);
        assert_in_range(raw_ns, pair.host_before_ns - distance_ns,
                        pair.host_after_ns + distance_ns);
    }
}

/* Another zero, another rate, a call that fails, a clock that is not offered: each pair is refused,
 * and nothing of it is kept. */
static void refused_pairs(void **state)
{
    for (int i = 0; i < PAIRS; i++) {
        kt_clock_pair pair;
        EXPECT_STATUS(kt_device_clock_pair(device, 0, &pair), KT_UNSUPPORTED);
        assert_true(kt_error_text()[0]);
    }
}

static void lost_pairs(void **state)
{
    kt_clock_pair pair;
    EXPECT_STATUS(kt_device_clock_pair(device, 0, &pair), KT_DEVICE_LOST);
}

/* The clock is followed all the same; its own rate is 100 ppm more than the host's. */
static void follow(void **state)
{
    kt_clock *clock = NULL;
    kt_clock_state seen;
    EXPECT_OK(kt_clock_open(device, 0, NULL, &clock));
    kt_clock_get_state(clock, &seen);
    assert_int_equal(seen.source, *(const kt_clock_source *)*state);
    kt_clock_close(&clock);
}

static kt_clock_source pairs = KT_SOURCE_CALIBRATED_TIMESTAMPS,
                       brackets = KT_SOURCE_BRACKETED_SUBMISSIONS;

const struct CMUnitTest vulkan_pair_tests[] = {
    MOOD_OF("followed_by_pairs", follow, &pairs),
    MOOD_OF("followed_by_brackets", follow, &brackets),
    MOOD(right_pairs),
    MOOD(refused_pairs),
    MOOD(lost_pairs),
    MOODS_END,
};
