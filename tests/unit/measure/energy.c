/* SPDX-License-Identifier: MIT */
/*
 * Energy of a dispatch on a simulated device: 300 W while it works, 75 W while it is idle. So the
 * energy of a run follows from its scenario, by hand.
 */
#include "tests/unit/rig.h"

#include <string.h>

#define WATTS 300.0

static const kt_energy *energy_of(rig *r, const kt_measure_options *options)
{
    const kt_series *first = rig_series(rig_try(r, options, KT_OK), "first");
    assert_non_null(first->energy);
    return first->energy;
}

static const kt_measure_options asked = {
    .size = sizeof asked, .samples_min = 10, .samples_max = 10, .energy = 1};

/* Work of 100 us at 300 W is 30 mJ. A submission of 2 ms has pauses of 7 us, in which the device takes
 * 75 W: 0.1 % more. */
static void a_dispatch_takes_power_times_its_time(void **state)
{
    static const double periods_ms[] = {1, 20, 100};
    for (int i = 0; i < 3; i++) {
        rig *r = rig_sim(1, "kernel_ns=100000,power_w=%g,energy_step_ms=%g", WATTS, periods_ms[i]);
        const kt_energy *energy = energy_of(r, &asked);
        assert_null(energy->reason);
        assert_true(energy->ci95_low_j <= 0.03003 && energy->ci95_high_j >= 0.03);
        assert_true(energy->ci95_low_j > 0.0295 && energy->ci95_high_j < 0.0305);
        assert_true(energy->power_w > 0.99 * WATTS && energy->power_w <= 1.01 * WATTS);
        assert_true(energy->idle_w > 0.98 * WATTS / 4 && energy->idle_w < 1.02 * WATTS / 4);
        assert_true(energy->update_ms > 0.98 * periods_ms[i] &&
                    energy->update_ms < 1.02 * periods_ms[i]);
        assert_true(energy->duration_s > 1);
        kt_device_state read;
        assert_int_equal(kt_device_get_state(r->device, &read), KT_OK);
        EXPECT_NUMBER(read.value[KT_STATE_ENERGY_PERIOD], energy->update_ms);
        assert_true(energy->dispatches > 10000);
    }
}

/* So many dispatches share a submission that its pauses are a small part. */
static void a_short_kernel_has_few_pauses(void **state)
{
    rig *r = rig_sim(1, "kernel_ns=100,power_w=%g,energy_step_ms=20", WATTS);
    const kt_energy *energy = energy_of(r, &asked);
    assert_true(energy->ci95_low_j <= 30.2e-6 && energy->ci95_high_j >= 30e-6);
    assert_true(energy->dispatch_j < 30.6e-6);
}

static void a_kernel_longer_than_the_period_is_measured(void **state)
{
    rig *r = rig_sim(1, "kernel_ns=30000000,power_w=%g,energy_step_ms=20", WATTS);
    kt_measure_options long_time = asked;
    long_time.max_time_ns = INT64_C(10000000000);
    const kt_energy *energy = energy_of(r, &long_time);
    assert_null(energy->reason);
    assert_true(energy->ci95_low_j <= 9 && energy->ci95_high_j >= 9);
    assert_true(energy->ci95_high_j - energy->ci95_low_j < 0.05 * 9);
}

static void expect_reason(const kt_energy *energy, const char *part)
{
    assert_non_null(energy->reason);
    assert_non_null(strstr(energy->reason, part));
    assert_true(isnan(energy->dispatch_j) && isnan(energy->ci95_low_j) &&
                isnan(energy->ci95_high_j));
    assert_int_equal(energy->windows, 0);
}

static void what_cannot_be_measured_has_a_reason(void **state)
{
    expect_reason(energy_of(rig_sim(1, "power_w=300"), &asked), "no energy counter");
    expect_reason(energy_of(rig_sim(1, "power_w=300,energy_step_ms=5000"), &asked),
                  "did not move twice");
    kt_measure_options short_time = asked;
    short_time.max_time_ns = 100000000;
    expect_reason(energy_of(rig_sim(1, "power_w=300,energy_step_ms=100"), &short_time),
                  "moves every 0.1 s, so a run of 6.1 s is needed");
    /* 0 W does not move the counter. */
    expect_reason(energy_of(rig_sim(1, "energy_step_ms=20"), &asked), "did not move twice");
    rig *r = rig_sim(0, "power_w=300,energy_step_ms=20");
    r->trials_max = 4; /* and the rig's job has something to reset */
    rig_make_job(r, 1);
    expect_reason(energy_of(r, &asked), "must be reset between dispatches");
    expect_reason(
        energy_of(rig_sim(1, "kernel_ns=1000000000,power_w=300,energy_step_ms=1"), &asked),
        "a dispatch takes 1 s, so a run of 12.1 s is needed");
}

static void only_the_row_of_the_whole_job_has_it(void **state)
{
    rig *r = rig_sim(2, "power_w=300,energy_step_ms=20");
    kt_result *result = rig_try(r, &asked, KT_OK);
    assert_null(rig_series(result, "first")->energy);
    assert_null(rig_series(result, "wall")->energy);
    const kt_energy *energy = rig_series(result, "total")->energy;
    assert_non_null(energy);
    assert_true(energy->ci95_low_j <= 0.0601 && energy->ci95_high_j >= 0.06);
    assert_true(energy->ci95_high_j - energy->ci95_low_j < 0.02 * 0.06);
    r = rig_sim(1, "power_w=300,energy_step_ms=20");
    kt_measure_options wall = asked;
    wall.timing = KT_TIMING_WALL;
    assert_non_null(rig_series(rig_try(r, &wall, KT_OK), "wall")->energy);
}

static void nobody_who_did_not_ask_has_it(void **state)
{
    rig *r = rig_sim(1, "power_w=300,energy_step_ms=20");
    assert_null(rig_series(rig_measure(r, 10, KT_TIMING_BOTH, 1), "first")->energy);
}

static int stop_late(void *user, const kt_progress *progress)
{
    uint32_t *calls = user;
    return progress->samples < 10 || ++*calls < 100;
}

static void it_can_be_cancelled(void **state)
{
    uint32_t calls = 0;
    rig *r = rig_sim(1, "power_w=300,energy_step_ms=20");
    kt_measure_options cancelled = asked;
    cancelled.progress = stop_late;
    cancelled.progress_user = &calls;
    rig_try(r, &cancelled, KT_CANCELLED);
    assert_int_equal(calls, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dispatch_takes_power_times_its_time),
        cmocka_unit_test(a_short_kernel_has_few_pauses),
        cmocka_unit_test(a_kernel_longer_than_the_period_is_measured),
        cmocka_unit_test(what_cannot_be_measured_has_a_reason),
        cmocka_unit_test(only_the_row_of_the_whole_job_has_it),
        cmocka_unit_test(nobody_who_did_not_ask_has_it),
        cmocka_unit_test(it_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, rig_end);
}
