/* SPDX-License-Identifier: MIT */
/* What is found of the state of an idle device, for states made by hand. */
#include "tests/unit/cli/doctor_test.h"

static doctor_diagnostics found;

static const kt_device_info nvidia = {
    .type = KT_DEVICE_GPU, .vendor_id = 0x10de, .pci_address = "0000:3b:00.0"};
static const kt_device_info amd = {
    .type = KT_DEVICE_GPU, .vendor_id = 0x1002, .pci_address = "0000:03:00.0"};
static const kt_device_info intel = {
    .type = KT_DEVICE_GPU, .vendor_id = 0x8086, .pci_address = "0000:00:02.0"};
static const kt_device_info cpu = {.type = KT_DEVICE_CPU, .vendor_id = 0x8086};
static const kt_device_info other = {.type = KT_DEVICE_GPU, .vendor_id = 0x106b};

static const kt_device_info *const all[] = {&nvidia, &amd, &intel, &cpu, &other};

#define ALL_COUNT (sizeof all / sizeof all[0])

static kt_device_state unknown(void)
{
    kt_device_state s = {.source = ""};
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        s.value[i] = NAN;
    return s;
}

static kt_device_state with(kt_device_state s, kt_state_value value, double number)
{
    s.value[value] = number;
    s.reading[value] = KT_READING_OK;
    return s;
}

/* Of a device in order: each value that is judged is known and as it should be. */
static kt_device_state healthy(void)
{
    kt_device_state s = unknown();
    s = with(s, KT_STATE_THROTTLE, KT_THROTTLE_IDLE | KT_THROTTLE_SETTING); /* no throttling */
    s = with(s, KT_STATE_CLOCKS_LOCKED, 1);
    s = with(s, KT_STATE_CORE_CLOCK, 1410);
    s = with(s, KT_STATE_POWER_LIMIT, 397); /* 0.75 % below */
    s = with(s, KT_STATE_POWER_LIMIT_DEFAULT, 400);
    s = with(s, KT_STATE_PERSISTENCE, 1);
    return with(s, KT_STATE_OTHERS, 0);
}

static const doctor_diagnostic *judged(const kt_device_info *info, const kt_device_state *s,
                                       const char *check, kt_severity severity)
{
    found.count = 0;
    doctor_judge_state(info, s, &found);
    return doctor_test_severity(&found, check, severity);
}

static void nothing_is_said_of_the_unknown(void **state)
{
    const kt_device_state s = unknown();
    for (size_t i = 0; i < ALL_COUNT; i++) {
        found.count = 0;
        doctor_judge_state(all[i], &s, &found);
        assert_int_equal(found.count, 0);
    }
}

static void a_healthy_device_is_good(void **state)
{
    const kt_device_state s = healthy();
    for (size_t i = 0; i < ALL_COUNT; i++) {
        found.count = 0;
        doctor_judge_state(all[i], &s, &found);
        assert_int_equal(found.count, 5);
        for (uint32_t k = 0; k < found.count; k++) {
            assert_int_equal(found.items[k].severity, KT_SEVERITY_GOOD);
            assert_string_equal(found.items[k].means, "");
            assert_string_equal(found.items[k].advice, "");
        }
    }
}

static void clocks_that_are_not_locked(void **state)
{
    static const struct {
        const kt_device_info *info;
        const char *advice;
    } cases[] = {
        {&nvidia, "sudo nvidia-smi -i 0000:3b:00.0 -lgc "},
        {&amd, "/sys/bus/pci/devices/0000:03:00.0/power_dpm_force_performance_level"},
        {&amd, "sudo rocm-smi --setperflevel high"},
        {&intel, "sudo intel_gpu_frequency -m"},
        {&intel, "/sys/bus/pci/devices/0000:00:02.0/tile0/gt0/freq0"},
        {&cpu, "sudo cpupower frequency-set -d CLOCK -u CLOCK"},
    };
    kt_device_state s = with(unknown(), KT_STATE_CLOCKS_LOCKED, 0);
    assert_string_equal(judged(&other, &s, "clocks_locked", KT_SEVERITY_NOTE)->advice, "");
    s = with(s, KT_STATE_CORE_CLOCK_MAX, 1980);
    EXPECT_NUMBER(
        value_of(judged(&nvidia, &s, "clocks_locked", KT_SEVERITY_NOTE), "core_clock_mhz"), NAN);
    s = with(s, KT_STATE_CORE_CLOCK, 1410);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const doctor_diagnostic *f = judged(cases[i].info, &s, "clocks_locked", KT_SEVERITY_NOTE);
        EXPECT_TEXT_HAS(f->seen, "1410 MHz, at most 1980 MHz");
        EXPECT_TEXT_HAS(f->advice, cases[i].advice);
        EXPECT_NUMBER(value_of(f, "core_clock_mhz"), 1410);
        EXPECT_NUMBER(value_of(f, "core_clock_max_mhz"), 1980);
        assert_int_equal(found.count, 1);
    }
}

/* A device whose address its API does not tell. */
static void commands_without_an_address(void **state)
{
    kt_device_info info = nvidia;
    info.pci_address[0] = '\0';
    const kt_device_state s = with(unknown(), KT_STATE_CLOCKS_LOCKED, 0);
    EXPECT_TEXT_HAS(judged(&info, &s, "clocks_locked", KT_SEVERITY_NOTE)->advice,
                    "sudo nvidia-smi -lgc ");
    info.vendor_id = amd.vendor_id;
    const doctor_diagnostic *f = judged(&info, &s, "clocks_locked", KT_SEVERITY_NOTE);
    EXPECT_TEXT_HAS(f->advice, "sudo rocm-smi --setperflevel high");
    assert_null(strstr(f->advice, "/sys/"));
}

static void a_low_power_limit(void **state)
{
    kt_device_state s = with(unknown(), KT_STATE_POWER_LIMIT, 395);
    found.count = 0;
    doctor_judge_state(&nvidia, &s, &found); /* without a default there is nothing to compare */
    assert_int_equal(found.count, 0);
    s = with(s, KT_STATE_POWER_LIMIT_DEFAULT, 400); /* 1.25 % below */
    const doctor_diagnostic *f = judged(&nvidia, &s, "power_limit", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, "power limit 395 W, default 400 W");
    EXPECT_TEXT_HAS(f->advice, "sudo nvidia-smi -i 0000:3b:00.0 -pl 400");
    EXPECT_NUMBER(value_of(f, "power_limit_w"), 395);
    EXPECT_NUMBER(value_of(f, "power_limit_default_w"), 400);
    EXPECT_TEXT_HAS(judged(&amd, &s, "power_limit", KT_SEVERITY_WARNING)->advice,
                    "--resetpoweroverdrive");
    EXPECT_TEXT_HAS(judged(&intel, &s, "power_limit", KT_SEVERITY_WARNING)->advice, "400 W");
    s = with(s, KT_STATE_POWER_LIMIT, 450);
    judged(&nvidia, &s, "power_limit", KT_SEVERITY_GOOD);
}

static void persistence_that_is_off(void **state)
{
    const kt_device_state s = with(healthy(), KT_STATE_PERSISTENCE, 0);
    const doctor_diagnostic *f = judged(&nvidia, &s, "persistence", KT_SEVERITY_NOTE);
    EXPECT_TEXT_HAS(f->advice, "sudo nvidia-smi -i 0000:3b:00.0 -pm 1");
    EXPECT_TEXT_HAS(f->advice, "nvidia-persistenced");
    EXPECT_NUMBER(value_of(f, "persistence"), 0);
}

static void processes_of_others(void **state)
{
    kt_device_state s = with(healthy(), KT_STATE_OTHERS, 1);
    const doctor_diagnostic *f = judged(&nvidia, &s, "other_processes", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, "1 other process uses");
    EXPECT_TEXT_HAS(f->advice, "nvidia-smi -i 0000:3b:00.0 ");
    s = with(s, KT_STATE_OTHERS, 3);
    f = judged(&amd, &s, "other_processes", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, "3 other processes use");
    EXPECT_TEXT_HAS(f->advice, "rocm-smi --showpids");
    EXPECT_NUMBER(value_of(f, "other_processes"), 3);
    EXPECT_TEXT_HAS(judged(&intel, &s, "other_processes", KT_SEVERITY_WARNING)->advice,
                    "intel_gpu_top");
}

static void throttling_without_work(void **state)
{
    kt_device_state s =
        with(healthy(), KT_STATE_THROTTLE, KT_THROTTLE_IDLE | KT_THROTTLE_POWER_CAP);
    const doctor_diagnostic *f = judged(&amd, &s, "throttled", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, ": power cap");
    assert_null(strstr(f->seen, "idle"));
    EXPECT_TEXT_HAS(f->advice, "power supply");
    s = with(with(s, KT_STATE_THROTTLE, KT_THROTTLE_THERMAL), KT_STATE_TEMPERATURE, 92.3);
    f = judged(&amd, &s, "throttled", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, ": thermal, at 92 C");
    EXPECT_TEXT_HAS(f->advice, "cool down");
    EXPECT_NUMBER(value_of(f, "temperature_c"), 92.3);
    EXPECT_TEXT_HAS(judged(&nvidia, &s, "throttled", KT_SEVERITY_WARNING)->advice,
                    "nvidia-smi -i 0000:3b:00.0 -q -d PERFORMANCE");
}

static void values_that_are_denied(void **state)
{
    kt_device_state s = healthy();
    s.reading[KT_STATE_ENERGY] = KT_READING_DENIED;
    s.reading[KT_STATE_MEMORY_CLOCK] = KT_READING_FAILED; /* which no permission helps */
    const doctor_diagnostic *f = judged(&cpu, &s, "state_access", KT_SEVERITY_NOTE);
    EXPECT_TEXT_HAS(f->seen, ": energy counter");
    assert_null(strstr(f->seen, "memory"));
    EXPECT_TEXT_HAS(f->advice, "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj");
    s.reading[KT_STATE_POWER] = KT_READING_DENIED;
    f = judged(&nvidia, &s, "state_access", KT_SEVERITY_NOTE);
    EXPECT_TEXT_HAS(f->seen, ": power, energy counter");
    EXPECT_TEXT_HAS(f->advice, "as root");
    EXPECT_NUMBER(value_of(f, "denied"), 2);
}

/* The list of all values is not cut. */
static void everything_is_denied(void **state)
{
    kt_device_state s = unknown();
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        s.reading[i] = KT_READING_DENIED;
    found.count = 0;
    doctor_judge_state(&nvidia, &s, &found);
    assert_int_equal(found.count, 1);
    EXPECT_TEXT_HAS(found.items[0].seen, "persistence mode");
    EXPECT_NUMBER(value_of(&found.items[0], "denied"), KT_STATE_VALUE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_said_of_the_unknown),
        cmocka_unit_test(a_healthy_device_is_good),
        cmocka_unit_test(clocks_that_are_not_locked),
        cmocka_unit_test(commands_without_an_address),
        cmocka_unit_test(a_low_power_limit),
        cmocka_unit_test(persistence_that_is_off),
        cmocka_unit_test(processes_of_others),
        cmocka_unit_test(throttling_without_work),
        cmocka_unit_test(values_that_are_denied),
        cmocka_unit_test(everything_is_denied),
    };
    return cmocka_run_group_tests_name("doctor_state", tests, NULL, NULL);
}
