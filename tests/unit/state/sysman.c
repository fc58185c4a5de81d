/* SPDX-License-Identifier: MIT */
/*
 * The state of Intel's GPUs from Sysman of the stub loader, in one of its moods (sysman.c of the
 * stub): one mood a process, since the stub counts its readings.
 *
 *   unit_sysman MOOD
 */
#include "tests/unit/moods.h"

#include "src/state/state.h"

static void *source;

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
    kt_state_sysman.read(source, false, &state);
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

static void back(void **state)
{
    assert_int_equal(read_source().reading[KT_STATE_ENERGY], KT_READING_OK);
    assert_int_equal(read_source().reading[KT_STATE_ENERGY], KT_READING_INVALID);
}

static void elsewhere(void **state)
{
    free(source);
    assert_false(open_source("level_zero", "0000:9a:03.0"));
    free(source);
    assert_false(open_source("vulkan", "0000:9a:02.0"));
}

static const struct CMUnitTest tests[] = {MOOD(good), MOOD(absurd),    MOOD(denied),
                                          MOOD(back), MOOD(elsewhere), MOODS_END};

int main(int argc, char **argv)
{
    static const struct CMUnitTest *const lists[] = {tests, NULL};
    return run_mood("sysman", lists, argc > 1 ? argv[1] : NULL);
}
