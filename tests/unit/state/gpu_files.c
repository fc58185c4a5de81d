/* SPDX-License-Identifier: MIT */
/* The state of GPUs by the files of Linux's drivers, of machines made of files. */
#define _GNU_SOURCE /* popen */
#include "state/state.h"
#include "tests/unit/state/tree.h"
#include "tests/unit/testing.h"

#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define AMD   "bus/pci/devices/0000:03:00.0/"
#define HWMON AMD "hwmon/hwmon3/"
#define INTEL "bus/pci/devices/0000:00:02.0/"
#define GT0   INTEL "drm/card0/gt/gt0/"
#define FREQ0 INTEL "tile0/gt0/freq0/"

static kt_state_reader *reader;
static uint64_t seen;
static kt_device_state read_now;
static const char *root;

static void open_at(const char *pci_address)
{
    kt_device_info info = {.type = KT_DEVICE_GPU, .vendor_id = 0x8086}; /* never NVML */
    snprintf(info.pci_address, sizeof info.pci_address, "%s", pci_address);
    EXPECT_OK(kt_state_reader_open(&info, root, &reader));
}

static void open_tree(const char *name, const char *pci_address)
{
    root = tree_make(name);
    open_at(pci_address);
}

static int finish(void **state)
{
    kt_state_reader_close(&reader);
    tree_remove();
    return 0;
}

static void read_state(void)
{
    kt_state_reader_read(reader, false, &seen, &read_now);
}

static void expect_ok(kt_state_value value, double expected)
{
    assert_int_equal(read_now.reading[value], KT_READING_OK);
    EXPECT_NEAR(read_now.value[value], expected, 1e-9);
}

static void expect_missing(kt_state_value value, kt_reading reading)
{
    assert_int_equal(read_now.reading[value], reading);
    EXPECT_NUMBER(read_now.value[value], NAN);
}

static void expect_all_missing(kt_reading reading)
{
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        expect_missing((kt_state_value)i, reading);
    assert_string_equal(read_now.source, "");
}

static void amdgpu(void **state)
{
    open_tree("amdgpu", "0000:03:00.0");
    read_state();
    expect_ok(KT_STATE_CORE_CLOCK, 1987);
    expect_ok(KT_STATE_CORE_CLOCK_MAX, 2475);
    expect_ok(KT_STATE_MEMORY_CLOCK, 1250);
    expect_ok(KT_STATE_TEMPERATURE, 56);
    expect_ok(KT_STATE_POWER, 187);
    expect_ok(KT_STATE_POWER_LIMIT, 255);
    expect_ok(KT_STATE_POWER_LIMIT_DEFAULT, 300);
    expect_ok(KT_STATE_ENERGY, 7);
    expect_ok(KT_STATE_CLOCKS_LOCKED, 0);
    expect_missing(KT_STATE_THROTTLE, KT_READING_UNSUPPORTED);
    assert_string_equal(read_now.source, "amdgpu");
    tree_put(AMD "power_dpm_force_performance_level", "high");
    read_state();
    expect_ok(KT_STATE_CLOCKS_LOCKED, 1);
    kt_state_reader_read(reader, true, &seen, &read_now);
    expect_ok(KT_STATE_CORE_CLOCK, 1987);
    expect_missing(KT_STATE_POWER_LIMIT, KT_READING_UNSUPPORTED);
}

static void newer_kernels_tell_the_power_of_the_moment(void **state)
{
    open_tree("amdgpu", "0000:03:00.0");
    tree_drop(HWMON "power1_average");
    tree_put(HWMON "power1_input", "99000000");
    read_state();
    expect_ok(KT_STATE_POWER, 99);
}

static void i915(void **state)
{
    open_tree("i915", "0000:00:02.0");
    read_state();
    expect_ok(KT_STATE_CORE_CLOCK, 1450);
    expect_ok(KT_STATE_CORE_CLOCK_MAX, 2400);
    expect_ok(KT_STATE_CLOCKS_LOCKED, 0);
    expect_ok(KT_STATE_THROTTLE, KT_THROTTLE_POWER_CAP | KT_THROTTLE_CURRENT);
    expect_ok(KT_STATE_ENERGY, 9);
    expect_ok(KT_STATE_POWER_LIMIT, 120);
    expect_ok(KT_STATE_POWER_LIMIT_DEFAULT, 150);
    expect_missing(KT_STATE_POWER, KT_READING_UNSUPPORTED);
    tree_put(GT0 "throttle_reason_status", "0");
    read_state();
    expect_ok(KT_STATE_THROTTLE, 0);
}

/* A status without a reason that is known here is one of a later kernel. */
static void an_unknown_reason_is_another_one(void **state)
{
    open_tree("i915", "0000:00:02.0");
    tree_put(GT0 "throttle_reason_pl1", "0");
    tree_put(GT0 "throttle_reason_pl4", "0");
    read_state();
    expect_ok(KT_STATE_THROTTLE, KT_THROTTLE_OTHER);
}

static void kernels_before_5_18(void **state)
{
    root = tree_make(NULL);
    tree_put(INTEL "vendor", "0x8086");
    tree_put(INTEL "drm/card0/gt_act_freq_mhz", "900");
    tree_put(INTEL "drm/card0/gt_min_freq_mhz", "900");
    tree_put(INTEL "drm/card0/gt_max_freq_mhz", "900");
    open_at("0000:00:02.0");
    read_state();
    expect_ok(KT_STATE_CORE_CLOCK, 900);
    expect_ok(KT_STATE_CLOCKS_LOCKED, 1);
    expect_missing(KT_STATE_THROTTLE, KT_READING_UNSUPPORTED);
}

static void xe(void **state)
{
    open_tree("xe", "0000:00:02.0");
    read_state();
    expect_ok(KT_STATE_CORE_CLOCK, 2050);
    expect_ok(KT_STATE_CORE_CLOCK_MAX, 2850);
    expect_ok(KT_STATE_CLOCKS_LOCKED, 1);
    expect_ok(KT_STATE_THROTTLE, KT_THROTTLE_THERMAL);
    expect_ok(KT_STATE_TEMPERATURE, 71);
    expect_ok(KT_STATE_ENERGY, 4);
}

static void a_gt_at_0_mhz_sleeps(void **state)
{
    open_tree("i915", "0000:00:02.0");
    tree_put(GT0 "rps_act_freq_mhz", "0");
    read_state();
    expect_missing(KT_STATE_CORE_CLOCK, KT_READING_ASLEEP);
    expect_ok(KT_STATE_ENERGY, 9);
}

static void a_device_that_sleeps_is_not_woken(void **state)
{
    open_tree("amdgpu", "0000:03:00.0");
    tree_put(AMD "power/runtime_status", "suspended");
    read_state();
    expect_all_missing(KT_READING_ASLEEP);
}

/* The driver xe wakes the device to answer, so opening its source must not read there either. */
static void no_file_of_a_clock_is_opened_in_sleep(void **state)
{
    char folder[512], event[sizeof(struct inotify_event) + 256];
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    root = tree_make("xe");
    tree_put(INTEL "power/runtime_status", "suspended");
    snprintf(folder, sizeof folder, "%s/%s", root, FREQ0 "act_freq");
    assert_true(watch >= 0 && inotify_add_watch(watch, folder, IN_OPEN) >= 0);
    open_at("0000:00:02.0");
    read_state();
    expect_all_missing(KT_READING_ASLEEP);
    assert_int_equal(read(watch, event, sizeof event), -1);
    tree_put(INTEL "power/runtime_status", "active");
    read_state();
    expect_ok(KT_STATE_CORE_CLOCK, 2050);
    assert_true(read(watch, event, sizeof event) > 0);
    close(watch);
}

static void a_highest_clock_of_0_mhz_is_none(void **state)
{
    open_tree("i915", "0000:00:02.0");
    tree_put(GT0 "rps_RP0_freq_mhz", "0");
    read_state();
    expect_missing(KT_STATE_CORE_CLOCK_MAX, KT_READING_INVALID);
}

/* xe_gt_freq.c: "If max <= min, then freq_min becomes a fixed frequency request." */
static void a_maximum_below_the_minimum_locks_the_clock(void **state)
{
    open_tree("xe", "0000:00:02.0");
    tree_put(FREQ0 "max_freq", "2000");
    read_state();
    expect_ok(KT_STATE_CLOCKS_LOCKED, 1);
    tree_put(FREQ0 "min_freq", "1999");
    read_state();
    expect_ok(KT_STATE_CLOCKS_LOCKED, 0);
}

static void absurd_values_are_none(void **state)
{
    open_tree("amdgpu", "0000:03:00.0");
    tree_put(HWMON "freq1_input", "0");
    tree_put(HWMON "freq2_input", "no number");
    tree_put(HWMON "temp1_input", "-400000");
    tree_put(HWMON "power1_average", "4294967295000000");
    tree_put(HWMON "power1_cap", "0");
    tree_put(AMD "pp_dpm_sclk", "");
    read_state();
    expect_missing(KT_STATE_CORE_CLOCK, KT_READING_INVALID);
    expect_missing(KT_STATE_MEMORY_CLOCK, KT_READING_INVALID);
    expect_missing(KT_STATE_TEMPERATURE, KT_READING_INVALID);
    expect_missing(KT_STATE_POWER, KT_READING_INVALID);
    expect_missing(KT_STATE_POWER_LIMIT, KT_READING_INVALID);
    expect_missing(KT_STATE_CORE_CLOCK_MAX, KT_READING_INVALID);
}

static void energy_that_goes_back_is_none(void **state)
{
    open_tree("amdgpu", "0000:03:00.0");
    read_state();
    tree_put(HWMON "energy1_input", "6999999");
    read_state();
    expect_missing(KT_STATE_ENERGY, KT_READING_INVALID);
    tree_put(HWMON "energy1_input", "7500000");
    read_state();
    expect_ok(KT_STATE_ENERGY, 7.5);
}

/* A folder can be opened and not read, as the file of a device that has gone. */
static void a_file_that_cannot_be_read_has_failed(void **state)
{
    char folder[512];
    open_tree("amdgpu", "0000:03:00.0");
    tree_drop(HWMON "temp1_input");
    snprintf(folder, sizeof folder, "%s/%s", root, HWMON "temp1_input");
    assert_int_equal(mkdir(folder, 0755), 0);
    tree_drop(HWMON "freq2_input");
    read_state();
    expect_missing(KT_STATE_TEMPERATURE, KT_READING_FAILED);
    expect_missing(KT_STATE_MEMORY_CLOCK, KT_READING_UNSUPPORTED);
    expect_ok(KT_STATE_CORE_CLOCK, 1987);
}

/* In a process of its own, since root may read everything. */
static void a_file_for_root_is_denied_to_others(void **state)
{
    open_tree("i915", "0000:00:02.0");
    tree_allow(INTEL "hwmon/hwmon1/energy1_input", 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        read_state();
        _exit(read_now.reading[KT_STATE_ENERGY] != KT_READING_DENIED ||
              read_now.reading[KT_STATE_CORE_CLOCK] != KT_READING_OK);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void another_address_is_another_device(void **state)
{
    open_tree("amdgpu", "0000:04:00.0"); /* of another vendor */
    read_state();
    expect_all_missing(KT_READING_UNSUPPORTED);
    kt_state_reader_close(&reader);
    open_at("0000:05:00.0");
    read_state();
    expect_all_missing(KT_READING_UNSUPPORTED);
    kt_state_reader_close(&reader);
    open_at(""); /* unknown */
    read_state();
    expect_all_missing(KT_READING_UNSUPPORTED);
}

/* What is recorded of a machine makes the same machine. */
static void a_recorded_machine_has_all_its_files(void **state)
{
    static const char *const machines[] = {"amdgpu", "i915", "xe", "cpu"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        char command[512], path[512], line[512], recorded[32768];
        snprintf(command, sizeof command, "sh %s/../../../../scripts/record-state.sh %s", MACHINES,
                 tree_make(machines[i]));
        FILE *output = popen(command, "r");
        assert_non_null(output);
        recorded[fread(recorded, 1, sizeof recorded - 1, output)] = '\0';
        assert_int_equal(pclose(output), 0);
        snprintf(path, sizeof path, "%s/%s.tree", MACHINES, machines[i]);
        FILE *tree = fopen(path, "r");
        assert_non_null(tree);
        while (fgets(line, sizeof line, tree))
            if (line[0] != '#' && !strstr(recorded, line))
                fail_msg("%s: not recorded: %s", machines[i], line);
        fclose(tree);
        tree_remove();
    }
    tree_make(NULL);
}

#define TEST(name) cmocka_unit_test_teardown(name, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(amdgpu),
        TEST(newer_kernels_tell_the_power_of_the_moment),
        TEST(i915),
        TEST(an_unknown_reason_is_another_one),
        TEST(kernels_before_5_18),
        TEST(xe),
        TEST(a_gt_at_0_mhz_sleeps),
        TEST(a_device_that_sleeps_is_not_woken),
        TEST(no_file_of_a_clock_is_opened_in_sleep),
        TEST(a_highest_clock_of_0_mhz_is_none),
        TEST(a_maximum_below_the_minimum_locks_the_clock),
        TEST(absurd_values_are_none),
        TEST(energy_that_goes_back_is_none),
        TEST(a_file_that_cannot_be_read_has_failed),
        TEST(a_file_for_root_is_denied_to_others),
        TEST(another_address_is_another_device),
        TEST(a_recorded_machine_has_all_its_files),
    };
    return cmocka_run_group_tests_name("gpu_files", tests, NULL, NULL);
}
