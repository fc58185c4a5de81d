/* SPDX-License-Identifier: MIT */
/*
 * The state of NVIDIA's GPUs, from NVML of the stub driver in one of its moods; nvml.sh says which
 * script goes with which.
 *
 *   unit_nvml MOOD [MASK]
 */
#include "tests/unit/moods.h"

#include "src/state/state.h"

static void *source;
static uint64_t seen;
static uint32_t expected_throttle;

static kt_device_info gpu(const char *pci_address)
{
    kt_device_info info = {.type = KT_DEVICE_GPU, .vendor_id = 0x10de, .backend = "cuda"};
    snprintf(info.pci_address, sizeof info.pci_address, "%s", pci_address);
    return info;
}

static bool open_source(const kt_device_info *info)
{
    source = calloc(1, kt_state_nvml.size);
    assert_non_null(source);
    return kt_state_nvml.open(source, info, "/no/sysfs");
}

static void close_source(void)
{
    kt_state_nvml.close(source);
    free(source);
}

static kt_device_state read_brief(bool brief)
{
    kt_device_state state;
    kt_state_clear(&state);
    kt_state_nvml.read(source, brief, &seen, &state);
    return state;
}

static kt_device_state read_source(void)
{
    return read_brief(false);
}

int set_up(void **state)
{
    const kt_device_info info = gpu("0000:3b:00.0");
    assert_true(open_source(&info));
    return 0;
}

int tear_down(void **state)
{
    close_source();
    return 0;
}

#define EXPECT_VALUE(state, id, number)                                      \
    do {                                                                     \
        const kt_device_state read_ = (state);                               \
        assert_int_equal(read_.reading[id], KT_READING_OK);                  \
        expect_near(read_.value[id], number, 1e-9, #id, __FILE__, __LINE__); \
    } while (0)

#define EXPECT_MISSING(state, id, why)            \
    do {                                          \
        const kt_device_state read_ = (state);    \
        assert_int_equal(read_.reading[id], why); \
        assert_true(isnan(read_.value[id]));      \
    } while (0)

/* ---- values ---- */

/* The numbers are those of nvml.sh: mW, mJ. */
static void values(void **unused)
{
    kt_device_state state = read_source();
    EXPECT_VALUE(state, KT_STATE_CORE_CLOCK, 1234.0);
    EXPECT_VALUE(state, KT_STATE_CORE_CLOCK_MAX, 2345.0);
    EXPECT_VALUE(state, KT_STATE_MEMORY_CLOCK, 3456.0);
    EXPECT_VALUE(state, KT_STATE_TEMPERATURE, 56.0);
    EXPECT_VALUE(state, KT_STATE_POWER, 78.901);
    EXPECT_VALUE(state, KT_STATE_POWER_LIMIT, 250.5);
    EXPECT_VALUE(state, KT_STATE_POWER_LIMIT_DEFAULT, 300.0);
    EXPECT_VALUE(state, KT_STATE_ENERGY, 9876.543);
    EXPECT_VALUE(state, KT_STATE_THROTTLE, 0.0);
    EXPECT_VALUE(state, KT_STATE_OTHERS, 0.0);
    EXPECT_VALUE(state, KT_STATE_PERSISTENCE, 1.0);
    EXPECT_MISSING(state, KT_STATE_CLOCKS_LOCKED, KT_READING_UNSUPPORTED);
    EXPECT_MISSING(state, KT_STATE_ENERGY_PERIOD, KT_READING_UNSUPPORTED);
}

static void without_persistence(void **unused)
{
    EXPECT_VALUE(read_source(), KT_STATE_PERSISTENCE, 0.0);
}

/* A brief reading has what changes, and calls nothing for the rest: nvml.sh looks at the calls. */
static void brief(void **unused)
{
    static const kt_state_value there[] = {KT_STATE_CORE_CLOCK,  KT_STATE_MEMORY_CLOCK,
                                           KT_STATE_TEMPERATURE, KT_STATE_POWER,
                                           KT_STATE_ENERGY,      KT_STATE_THROTTLE};
    static const kt_state_value missing[] = {KT_STATE_CORE_CLOCK_MAX, KT_STATE_POWER_LIMIT,
                                             KT_STATE_POWER_LIMIT_DEFAULT, KT_STATE_OTHERS,
                                             KT_STATE_PERSISTENCE};
    kt_device_state state = read_brief(true);
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++)
        assert_int_equal(state.reading[there[i]], KT_READING_OK);
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        assert_int_equal(state.reading[missing[i]], KT_READING_UNSUPPORTED);
}

/* nvml.sh names the reasons and this mask of kt_throttle. */
static void throttle(void **unused)
{
    kt_device_state state = read_source();
    assert_int_equal(state.reading[KT_STATE_THROTTLE], KT_READING_OK);
    assert_int_equal((uint32_t)state.value[KT_STATE_THROTTLE], expected_throttle);
}

/* ---- which device ---- */

/* NVML has the device at the next bus as its first one, and that of set_up() as its second one. */
static void by_address(void **unused)
{
    const kt_device_info info = gpu("0000:3c:00.0");
    assert_true(open_source(&info));
    kt_device_state state = read_source();
    close_source();
    EXPECT_VALUE(state, KT_STATE_CORE_CLOCK, 1510.0);
    set_up(NULL);
    state = read_source();
    close_source();
    EXPECT_VALUE(state, KT_STATE_CORE_CLOCK, 1410.0);
}

static void expect_closed(const kt_device_info *info)
{
    assert_false(open_source(info));
    close_source();
}

static void elsewhere(void **unused)
{
    const kt_device_info info = gpu("0000:99:00.0");
    expect_closed(&info);
}

/* nvml.sh sees that NVML was not even loaded. */
static void not_loaded(void **unused)
{
    kt_device_info info = gpu("");
    expect_closed(&info);
    info = gpu("0000:3b:00.0");
    info.type = KT_DEVICE_CPU;
    expect_closed(&info);
    info = gpu("0000:3b:00.0");
    info.vendor_id = 0x1002;
    expect_closed(&info);
    info.vendor_id = 0x8086;
    expect_closed(&info);
}

static void unknown_vendor(void **unused)
{
    kt_device_info info = gpu("0000:3b:00.0");
    info.vendor_id = 0;
    assert_true(open_source(&info));
    close_source();
}

static void no_library(void **unused)
{
    const kt_device_info info = gpu("0000:3b:00.0");
    expect_closed(&info);
}

/* ---- what is missing, and why ---- */

static void early(void **unused)
{
    kt_device_state state = read_source();
    EXPECT_MISSING(state, KT_STATE_ENERGY, KT_READING_UNSUPPORTED);
    EXPECT_MISSING(state, KT_STATE_OTHERS, KT_READING_UNSUPPORTED);
    EXPECT_VALUE(state, KT_STATE_CORE_CLOCK, 1410.0);
    EXPECT_VALUE(state, KT_STATE_THROTTLE, (double)KT_THROTTLE_POWER_CAP);
}

static void power_unsupported(void **unused)
{
    kt_device_state state = read_source();
    EXPECT_MISSING(state, KT_STATE_POWER, KT_READING_UNSUPPORTED);
    EXPECT_VALUE(state, KT_STATE_CORE_CLOCK, 1410.0);
}

static void power_denied(void **unused)
{
    kt_device_state state = read_source();
    EXPECT_MISSING(state, KT_STATE_POWER, KT_READING_DENIED);
    EXPECT_VALUE(state, KT_STATE_CORE_CLOCK, 1410.0);
}

static void power_failed(void **unused)
{
    EXPECT_MISSING(read_source(), KT_STATE_POWER, KT_READING_FAILED);
}

static void all_denied(void **unused)
{
    kt_device_state state = read_source();
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        EXPECT_MISSING(state, i, KT_READING_DENIED);
}

static void absurd(void **unused)
{
    static const kt_state_value values[] = {KT_STATE_CORE_CLOCK,   KT_STATE_CORE_CLOCK_MAX,
                                            KT_STATE_MEMORY_CLOCK, KT_STATE_TEMPERATURE,
                                            KT_STATE_POWER,        KT_STATE_POWER_LIMIT,
                                            KT_STATE_ENERGY,       KT_STATE_POWER_LIMIT_DEFAULT,
                                            KT_STATE_THROTTLE,     KT_STATE_PERSISTENCE};
    kt_device_state state = read_source();
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        EXPECT_MISSING(state, values[i], KT_READING_INVALID);
}

/* ---- processes ---- */

static void two_others(void **unused)
{
    EXPECT_VALUE(read_source(), KT_STATE_OTHERS, 2.0);
}

/* This process has a context of CUDA, and is not in the list under its own number. */
static void hidden(void **unused)
{
    EXPECT_MISSING(read_source(), KT_STATE_OTHERS, KT_READING_UNSUPPORTED);
}

/* A device of Vulkan is no compute context, so this process need not be in the list. */
static void hidden_vulkan(void **unused)
{
    kt_device_info info = gpu("0000:3b:00.0");
    snprintf(info.backend, sizeof info.backend, "vulkan");
    assert_true(open_source(&info));
    kt_device_state state = read_source();
    close_source();
    EXPECT_VALUE(state, KT_STATE_OTHERS, 2.0);
}

static void too_many_others(void **unused)
{
    EXPECT_MISSING(read_source(), KT_STATE_OTHERS, KT_READING_FAILED);
}

static const struct CMUnitTest tests[] = {MOOD(values),
                                          MOOD(without_persistence),
                                          MOOD(brief),
                                          MOOD(throttle),
                                          BARE(by_address),
                                          BARE(elsewhere),
                                          BARE(not_loaded),
                                          BARE(unknown_vendor),
                                          BARE(no_library),
                                          MOOD(early),
                                          MOOD(power_unsupported),
                                          MOOD(power_denied),
                                          MOOD(power_failed),
                                          MOOD(all_denied),
                                          MOOD(absurd),
                                          MOOD(two_others),
                                          MOOD(hidden),
                                          BARE(hidden_vulkan),
                                          MOOD(too_many_others),
                                          MOODS_END};

int main(int argc, char **argv)
{
    static const struct CMUnitTest *const lists[] = {tests, NULL};
    if (argc > 2)
        expected_throttle = (uint32_t)strtoul(argv[2], NULL, 10);
    return run_mood("nvml", lists, argc > 1 ? argv[1] : NULL);
}
