/* SPDX-License-Identifier: MIT */
/*
 * The state of Intel's GPUs from Sysman of the stub loader, in one of its moods (sysman.c of the
 * stub): one mood a process, since the stub counts its readings.
 *
 *   unit_sysman MOOD
 */
#include "tests/unit/moods.h"

#include "src/state/state.h"
#include "tests/unit/state/tree.h"

static void *source;
static uint64_t seen;

static bool open_source(const char *backend, const char *pci_address)
{
    kt_device_info info = {.type = KT_DEVICE_GPU, .vendor_id = 0x8086};
    snprintf(info.backend, sizeof info.backend, "%s", backend);
    snprintf(info.pci_address, sizeof info.pci_address, "%s", pci_address);
    source = calloc(1, kt_state_sysman.size);
    assert_non_null(source);
    return kt_state_sysman.open(source, &info, "/no/sysfs");
}

int set_up(void **state)
{
    assert_true(open_source("level_zero", "0000:9a:02.0"));
    return 0;
}

int tear_down(void **state)
{
    free(source);
    return 0;
}

static kt_device_state read_source(void)
{
    kt_device_state state;
    kt_state_clear(&state);
    kt_state_sysman.read(source, false, &seen, &state);
    return state;
}

static void good(void **state)
{
    const kt_device_state read = read_source();
    EXPECT_NUMBER(read.value[KT_STATE_CORE_CLOCK], 1750);
    EXPECT_NUMBER(read.value[KT_STATE_CORE_CLOCK_MAX], 2400);
    EXPECT_NUMBER(read.value[KT_STATE_MEMORY_CLOCK], 1050);
    EXPECT_NUMBER(read.value[KT_STATE_TEMPERATURE], 61.5);
    EXPECT_NUMBER(read.value[KT_STATE_ENERGY], 5.00001);
    EXPECT_NUMBER(read.value[KT_STATE_THROTTLE], KT_THROTTLE_POWER_CAP | KT_THROTTLE_THERMAL);
    assert_int_equal(read.reading[KT_STATE_POWER], KT_READING_UNSUPPORTED);
}

static void expect_missing(kt_reading why)
{
    static const kt_state_value values[] = {KT_STATE_CORE_CLOCK, KT_STATE_MEMORY_CLOCK,
                                            KT_STATE_TEMPERATURE};
    const kt_device_state read = read_source();
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        assert_int_equal(read.reading[values[i]], why);
        assert_true(isnan(read.value[values[i]]));
    }
}

static void absurd(void **state)
{
    expect_missing(KT_READING_INVALID);
}

static void denied(void **state)
{
    expect_missing(KT_READING_DENIED);
    assert_int_equal(read_source().reading[KT_STATE_ENERGY], KT_READING_DENIED);
}

static void elsewhere(void **state)
{
    free(source);
    assert_false(open_source("level_zero", "0000:9a:03.0"));
    free(source);
    assert_false(open_source("vulkan", "0000:9a:02.0"));
}

/* Two counters give no energy together, neither downwards nor upwards. */
static void two_sources(void **state)
{
    static const char file[] = "bus/pci/devices/0000:9a:02.0/hwmon/hwmon0/energy1_input";
    static const kt_reading expected[] = {KT_READING_OK, KT_READING_INVALID, KT_READING_OK,
                                          KT_READING_INVALID};
    kt_device_info info = {.type = KT_DEVICE_GPU,
                           .vendor_id = 0x8086,
                           .backend = "level_zero",
                           .pci_address = "0000:9a:02.0"};
    kt_state_reader *reader;
    const char *root = tree_make(NULL);
    tree_put("bus/pci/devices/0000:9a:02.0/vendor", "0x8086");
    tree_put("bus/pci/devices/0000:9a:02.0/hwmon/hwmon0/name", "i915");
    tree_put(file, "9000000");
    EXPECT_OK(kt_state_reader_open(&info, root, &reader));
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        kt_device_state read;
        kt_state_reader_read(reader, false, &seen, &read);
        assert_int_equal(read.reading[KT_STATE_ENERGY], expected[i]);
        if (i == 0)
            tree_drop(file);
        if (i == 2)
            tree_put(file, "9100000");
    }
    kt_state_reader_close(&reader);
    tree_remove();
}

static const struct CMUnitTest tests[] = {MOOD(good),      MOOD(absurd),      MOOD(denied),
                                          MOOD(elsewhere), BARE(two_sources), MOODS_END};

int main(int argc, char **argv)
{
    static const struct CMUnitTest *const lists[] = {tests, NULL};
    return run_mood("sysman", lists, argc > 1 ? argv[1] : NULL);
}
