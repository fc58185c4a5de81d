/* SPDX-License-Identifier: MIT */
/* A clock that is followed for hours within no time: its host's clock moves when it is read or
 * slept on, and what its device does is known. */
#include "clock/device/clocks.h"
#include "support/thread.h"
#include "tests/unit/testing.h"

#include <stdio.h>

#define SECOND INT64_C(1000000000)

static struct {
    int64_t host_ns;
    double ticks;
    double period_ns; /* that the device's clock has just now */
    uint32_t bits;
    int64_t reading_ns; /* that a reading takes */
    bool stands;        /* all of them show the same */
    uint64_t readings;
    kt_clock_info infos[KT_CLOCKS_MAX];
    uint64_t steps[KT_CLOCKS_MAX];
} fake;

static void pass(int64_t ns)
{
    fake.host_ns += ns;
    fake.ticks += (double)ns / fake.period_ns;
}

static int64_t fake_now(void *user)
{
    return fake.host_ns;
}

static void fake_sleep(void *user, int64_t ns)
{
    pass(ns);
}

/* The device is read in the middle. */
static kt_status fake_pair(void *owner, uint32_t clock, kt_clock_pair *out)
{
    fake.readings++;
    out->host_before_ns = fake.host_ns;
    pass(fake.reading_ns / 2);
    uint64_t ticks = (uint64_t)fake.ticks;
    out->ticks = fake.stands      ? 4711
                 : fake.bits < 64 ? ticks & ((UINT64_C(1) << fake.bits) - 1)
                                  : ticks;
    pass(fake.reading_ns / 2);
    out->host_after_ns = fake.host_ns;
    return KT_OK;
}

/* Of 1 ns a tick and 64 bits, neither of which is told, read within 2 us. */
static kt_clock_info *fake_reset(void)
{
    memset(&fake, 0, sizeof fake);
    fake.host_ns = SECOND;
    fake.period_ns = 1;
    fake.bits = 64;
    fake.reading_ns = 2000;
    fake.infos[0] = (kt_clock_info){.method = KT_METHOD_DEVICE_TIMESTAMP,
                                    .period_ns = NAN,
                                    .frequency_hz = NAN,
                                    .uncertainty_ns = NAN,
                                    .drift_ppm = NAN};
    snprintf(fake.infos[0].name, sizeof fake.infos[0].name, "gpu");
    return &fake.infos[0];
}

static kt_clock *fake_open(void)
{
    static const kt_host_clock host = {.now = fake_now, .sleep = fake_sleep};
    static const kt_clock_options options = {.size = sizeof options};
    const kt_clocked of = {.name = "fake:0",
                           .mutex = kt_mutex_of_library(),
                           .infos = fake.infos,
                           .steps = fake.steps,
                           .host = &host,
                           .pair = fake_pair};
    kt_clock *clock = NULL;
    EXPECT_OK(kt_clock_open_alone(&of, 0, &options, NULL, 0, &clock));
    return clock;
}

/* A driver that waits for a busy device, by another time at each reading. */
static void no_period_is_published_of_nonsense(void **state)
{
    uint64_t random = 4;
    const kt_clock_info *info = fake_reset();
    fake.period_ns = 41.667;
    kt_clock *clock = fake_open();
    for (int i = 0; i < 100; i++) {
        pass(10000000);
        EXPECT_OK(kt_clock_update_infos(clock));
    }
    double true_ticks = fake.ticks;
    for (int i = 0; i < 1000; i++) {
        pass(10000000);
        true_ticks += 10000000 / 41.667;
        fake.ticks = true_ticks + 1e5 * random_share(&random);
        EXPECT_OK(kt_clock_update_infos(clock));
        EXPECT_NEAR(info->period_ns, 41.667, 1e-3 * 41.667);
    }
    kt_clock_close(&clock);
}

/* Also where each pair is read four times in vain: that is what it costs. */
static void what_pairs_cost_is_limited(void **state)
{
    fake_reset();
    fake.reading_ns = 1000000;
    kt_clock *clock = fake_open();
    for (int stands = 0; stands < 2; stands++) {
        fake.stands = stands;
        uint64_t before = fake.readings;
        int64_t begin_ns = fake.host_ns;
        for (int i = 0; i < 30000; i++) {
            EXPECT_OK(kt_clock_update(clock));
            pass(10000000);
        }
        double cost_ns = (double)(fake.readings - before) * (double)fake.reading_ns;
        double share = cost_ns / (double)(fake.host_ns - begin_ns);
        assert_true(share > 0.008 && share < 0.0105);
    }
    kt_clock_close(&clock);
}

/* Of 32 bits: two turns between two pairs look like one of 33, and the next one tells. */
static void a_width_is_corrected_in_the_infos(void **state)
{
    const kt_clock_info *info = fake_reset();
    fake.bits = 32;
    kt_clock *clock = fake_open();
    for (int i = 0; i < 100; i++) {
        pass(10000000);
        EXPECT_OK(kt_clock_update_infos(clock));
    }
    assert_int_equal(info->valid_bits, 0);
    static const struct {
        int64_t wait_ns;
        uint32_t bits;
    } steps[] = {{9 * SECOND, 33}, {5 * SECOND, 32}, {5 * SECOND, 32}};
    for (int i = 0; i < 3; i++) {
        pass(steps[i].wait_ns);
        EXPECT_OK(kt_clock_update_infos(clock));
        assert_int_equal(info->valid_bits, steps[i].bits);
        assert_int_equal(info->valid_bits_min, 0);
    }
    kt_clock_close(&clock);
}

/* A timer's clock drifts by 2 ppm to and fro within an hour: its length is within what is stated of
 * it at any time, although the mean length since it was opened is known ever better. */
static void a_timer_is_as_sure_after_hours(void **state)
{
    kt_clock_info *info = fake_reset();
    info->timer = 1;
    info->valid_bits = 64;
    fake.period_ns = 83.333;
    kt_clock *clock = fake_open();
    for (int second = 0; second < 3 * 3600; second++) {
        fake.period_ns = 83.333 * (1 + 2e-6 * sin(second * 2 * 3.14159265358979324 / 3600));
        pass(SECOND);
        EXPECT_OK(kt_clock_update_infos(clock));
        EXPECT_NEAR(info->period_ns, fake.period_ns, info->period_uncertainty_ns);
        assert_true(info->period_uncertainty_ns <= 11e-6 * 83.333);
    }
    kt_clock_close(&clock);
}

/* Each reading of 0.5 s, as of a device that is busy: there are as few as may be, one to find out
 * how, two at first, and one to know it by. What is read later keeps to its share at once. */
static void a_busy_device_is_read_less(void **state)
{
    kt_clock_info *info = fake_reset();
    info->period_ns = 1;
    info->valid_bits = 64;
    fake.reading_ns = SECOND / 2;
    kt_clock *clock = fake_open();
    assert_int_equal(fake.readings, 1 + 2 + 1);
    pass(49 * SECOND);
    EXPECT_OK(kt_clock_update(clock));
    assert_int_equal(fake.readings, 4);
    pass(2 * SECOND);
    EXPECT_OK(kt_clock_update(clock));
    assert_int_equal(fake.readings, 5);
    kt_clock_close(&clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_period_is_published_of_nonsense),
        cmocka_unit_test(what_pairs_cost_is_limited),
        cmocka_unit_test(a_width_is_corrected_in_the_infos),
        cmocka_unit_test(a_timer_is_as_sure_after_hours),
        cmocka_unit_test(a_busy_device_is_read_less),
    };
    return cmocka_run_group_tests_name("followed_clock", tests, NULL, NULL);
}
