/* SPDX-License-Identifier: MIT */
/* The state of a CPU, of machines made of files. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "state/state.h"
#include "tests/unit/state/tree.h"
#include "tests/unit/testing.h"

#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CORE   "devices/system/cpu/"
#define POLICY CORE "cpufreq/policy"
#define RAPL   "class/powercap/intel-rapl:"

static kt_state_reader *reader;
static uint64_t seen;
static kt_device_state read_now;

static void open_reader(const char *root)
{
    seen = 0;
    const kt_device_info info = {.type = KT_DEVICE_CPU};
    EXPECT_OK(kt_state_reader_open(&info, root, &reader));
}

static int finish(void **state)
{
    kt_state_reader_close(&reader);
    tree_remove();
    return 0;
}

static void expect_ok(kt_state_value value, double expected)
{
    assert_int_equal(read_now.reading[value], KT_READING_OK);
    EXPECT_NEAR(read_now.value[value], expected, 1e-7);
}

static void expect_missing(kt_state_value value, kt_reading reading)
{
    assert_int_equal(read_now.reading[value], reading);
    EXPECT_NUMBER(read_now.value[value], NAN);
}

static void values_have_the_units_of_their_names(void **state)
{
    open_reader(tree_make("cpu"));
    kt_state_reader_read(reader, false, &seen, &read_now);
    expect_ok(KT_STATE_CORE_CLOCK, 3100);     /* largest of 4 */
    expect_ok(KT_STATE_CORE_CLOCK_MAX, 3600); /* of policy2 */
    expect_ok(KT_STATE_CLOCKS_LOCKED, 0);
    expect_ok(KT_STATE_TEMPERATURE, 63.5);      /* the hotter package, and not acpitz */
    expect_ok(KT_STATE_ENERGY, 5 + 262143);     /* two packages, without core and psys */
    expect_ok(KT_STATE_POWER_LIMIT, 125 + 100); /* likewise */
    expect_missing(KT_STATE_POWER_LIMIT_DEFAULT, KT_READING_UNSUPPORTED);
    expect_missing(KT_STATE_POWER, KT_READING_UNSUPPORTED);
    expect_missing(KT_STATE_OTHERS, KT_READING_UNSUPPORTED);
    expect_missing(KT_STATE_PERSISTENCE, KT_READING_UNSUPPORTED);
    assert_string_equal(read_now.source, "cpufreq, powercap");
}

static void a_brief_reading_has_only_what_changes(void **state)
{
    open_reader(tree_make("cpu"));
    kt_state_reader_read(reader, true, &seen, &read_now);
    expect_ok(KT_STATE_CORE_CLOCK, 3100);
    expect_ok(KT_STATE_TEMPERATURE, 63.5);
    expect_ok(KT_STATE_ENERGY, 262148);
    expect_missing(KT_STATE_CORE_CLOCK_MAX, KT_READING_UNSUPPORTED);
    expect_missing(KT_STATE_POWER_LIMIT, KT_READING_UNSUPPORTED);
    expect_missing(KT_STATE_CLOCKS_LOCKED, KT_READING_UNSUPPORTED);
}

/* Cores beyond the first policies count if the thread runs there. */
static void the_core_of_the_thread_is_read(void **state)
{
    cpu_set_t before, one;
    char path[96];
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    int core = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    open_reader(tree_make("cpu"));
    snprintf(path, sizeof path, CORE "cpu%d/cpufreq/scaling_cur_freq", core);
    tree_put(path, "3400000");
    kt_state_reader_read(reader, true, &seen, &read_now);
    sched_setaffinity(0, sizeof before, &before);
    expect_ok(KT_STATE_CORE_CLOCK, 3400);
}

static void clocks_are_locked_if_all_policies_are(void **state)
{
    open_reader(tree_make("cpu"));
    tree_put(POLICY "0/scaling_min_freq", "3500000");
    tree_put(POLICY "1/scaling_min_freq", "3500000");
    tree_put(POLICY "2/scaling_governor", "userspace");
    kt_state_reader_read(reader, false, &seen, &read_now);
    expect_ok(KT_STATE_CLOCKS_LOCKED, 0);
    tree_put(POLICY "3/scaling_min_freq", "3500000");
    kt_state_reader_read(reader, false, &seen, &read_now);
    expect_ok(KT_STATE_CLOCKS_LOCKED, 1);
}

static void energy_goes_on_where_its_counter_wraps(void **state)
{
    open_reader(tree_make("cpu"));
    kt_state_reader_read(reader, true, &seen, &read_now);
    tree_put(RAPL "1/energy_uj", "671149");  /* 328850 to the end, 1 to 0, 671149 */
    tree_put(RAPL "0/energy_uj", "5500000"); /* 0.5 J */
    kt_state_reader_read(reader, true, &seen, &read_now);
    expect_ok(KT_STATE_ENERGY, 262148 + 1 + 0.5);
    kt_state_reader_read(reader, true, &seen, &read_now); /* nothing moved */
    expect_ok(KT_STATE_ENERGY, 262149.5);
}

static void energy_needs_the_range_only_to_wrap(void **state)
{
    const char *root = tree_make("cpu");
    tree_drop(RAPL "0/max_energy_range_uj");
    open_reader(root);
    kt_state_reader_read(reader, true, &seen, &read_now);
    expect_ok(KT_STATE_ENERGY, 262148);
    tree_put(RAPL "0/energy_uj", "4000000");
    kt_state_reader_read(reader, true, &seen, &read_now);
    expect_missing(KT_STATE_ENERGY, KT_READING_INVALID);
}

static void a_count_or_a_time_that_rises_is_throttling(void **state)
{
    static const char *const files[] = {"cpu0/thermal_throttle/core_throttle_count",
                                        "cpu2/thermal_throttle/package_throttle_count",
                                        "cpu0/thermal_throttle/package_throttle_total_time_ms",
                                        "cpu2/thermal_throttle/core_throttle_total_time_ms"};
    open_reader(tree_make("cpu"));
    kt_state_reader_read(reader, true, &seen, &read_now);
    expect_missing(KT_STATE_THROTTLE, KT_READING_UNSUPPORTED); /* nothing to compare with */
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[96];
        kt_state_reader_read(reader, i % 2, &seen, &read_now);
        expect_ok(KT_STATE_THROTTLE, 0);
        snprintf(path, sizeof path, CORE "%s", files[i]);
        tree_put(path, "91");
        kt_state_reader_read(reader, i % 2, &seen, &read_now);
        expect_ok(KT_STATE_THROTTLE, KT_THROTTLE_THERMAL);
    }
}

/* Each measurement compares by itself: what one has seen is new to another. */
static void throttling_is_told_to_each_caller(void **state)
{
    uint64_t others = 0;
    open_reader(tree_make("cpu"));
    kt_state_reader_read(reader, true, &seen, &read_now);
    kt_state_reader_read(reader, true, &others, &read_now);
    expect_missing(KT_STATE_THROTTLE, KT_READING_UNSUPPORTED);
    tree_put(CORE "cpu0/thermal_throttle/core_throttle_count", "91");
    for (int i = 0; i < 2; i++) {
        kt_state_reader_read(reader, true, i ? &others : &seen, &read_now);
        expect_ok(KT_STATE_THROTTLE, KT_THROTTLE_THERMAL);
    }
    kt_state_reader_read(reader, true, &others, &read_now);
    expect_ok(KT_STATE_THROTTLE, 0);
}

static void absurd_values_are_none(void **state)
{
    const char *root = tree_make("cpu");
    for (int i = 0; i < 4; i++) {
        char path[96];
        snprintf(path, sizeof path, POLICY "%d/scaling_cur_freq", i);
        tree_put(path, "<unknown>");
        snprintf(path, sizeof path, POLICY "%d/cpuinfo_max_freq", i);
        tree_put(path, "0");
    }
    tree_put("class/hwmon/hwmon1/temp1_input", "4294967295");
    tree_put(RAPL "0/energy_uj", "262143328851"); /* 1 beyond its range */
    tree_put(RAPL "1/constraint_0_power_limit_uw", "");
    open_reader(root);
    kt_state_reader_read(reader, false, &seen, &read_now);
    expect_missing(KT_STATE_CORE_CLOCK, KT_READING_INVALID);
    expect_missing(KT_STATE_CORE_CLOCK_MAX, KT_READING_INVALID);
    expect_missing(KT_STATE_TEMPERATURE, KT_READING_INVALID);
    expect_missing(KT_STATE_ENERGY, KT_READING_INVALID);
    expect_missing(KT_STATE_POWER_LIMIT, KT_READING_INVALID);
}

/* In a process of its own, since root may read everything. */
static void a_file_for_root_is_denied_to_others(void **state)
{
    const char *root = tree_make("cpu");
    tree_allow(RAPL "1/energy_uj", 0);
    open_reader(root);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        kt_state_reader_read(reader, true, &seen, &read_now);
        _exit(read_now.reading[KT_STATE_ENERGY] != KT_READING_DENIED ||
              read_now.reading[KT_STATE_CORE_CLOCK] != KT_READING_OK);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_file_that_vanishes_takes_its_value_along(void **state)
{
    open_reader(tree_make("cpu"));
    kt_state_reader_read(reader, false, &seen, &read_now);
    tree_drop(RAPL "1/energy_uj");
    tree_drop(POLICY "1/scaling_cur_freq");
    kt_state_reader_read(reader, false, &seen, &read_now);
    expect_missing(KT_STATE_ENERGY, KT_READING_UNSUPPORTED);
    expect_ok(KT_STATE_CORE_CLOCK, 2000); /* of policy2 */
}

static void a_virtual_machine_has_none(void **state)
{
    open_reader(tree_make(NULL));
    for (int i = 0; i < 2; i++) {
        kt_state_reader_read(reader, false, &seen, &read_now);
        for (int value = 0; value < KT_STATE_VALUE_COUNT; value++)
            expect_missing((kt_state_value)value, KT_READING_UNSUPPORTED);
        assert_string_equal(read_now.source, "");
    }
}

static void a_gpu_is_not_the_cpu(void **state)
{
    const kt_device_info info = {.type = KT_DEVICE_GPU};
    EXPECT_OK(kt_state_reader_open(&info, tree_make("cpu"), &reader));
    kt_state_reader_read(reader, false, &seen, &read_now);
    expect_missing(KT_STATE_CORE_CLOCK, KT_READING_UNSUPPORTED);
}

#define TEST(name) cmocka_unit_test_teardown(name, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(values_have_the_units_of_their_names),
        TEST(a_brief_reading_has_only_what_changes),
        TEST(the_core_of_the_thread_is_read),
        TEST(clocks_are_locked_if_all_policies_are),
        TEST(energy_goes_on_where_its_counter_wraps),
        TEST(energy_needs_the_range_only_to_wrap),
        TEST(a_count_or_a_time_that_rises_is_throttling),
        TEST(throttling_is_told_to_each_caller),
        TEST(absurd_values_are_none),
        TEST(a_file_for_root_is_denied_to_others),
        TEST(a_file_that_vanishes_takes_its_value_along),
        TEST(a_virtual_machine_has_none),
        TEST(a_gpu_is_not_the_cpu),
    };
    return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
