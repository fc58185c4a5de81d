/* SPDX-License-Identifier: MIT */
/* The list of devices made by hand: what is known of their clocks, vendors and queues. */
#include "tests/unit/documents.h"

#include <stdio.h>

/* What is said of a clock below its device. */
static void expect_clock(const kt_clock_info *clock, const char *error, const char *lines)
{
    kt_document_device device = {.info = {.id = "gpu:0",
                                          .name = "a GPU",
                                          .driver = "d",
                                          .clocks = {*clock},
                                          .clock_count = 1,
                                          .memory_kinds = 1u << KT_MEMORY_HEAP},
                                 .clock_error = error};
    const kt_document list = {.desc.document = "devices", .devices = &device, .device_count = 1};
    char wanted[1024];
    snprintf(wanted, sizeof wanted,
             "gpu:0  a GPU (other)\n    driver   d\n    clock    %s\n    memory   heap\n", lines);
    assert_string_equal(document_print(kt_print_table, &list), wanted);
}

/* A device of whose clock nothing is known: what is goes where the test says. */
static kt_clock_info unknown_clock(void)
{
    return (kt_clock_info){.name = "kernel",
                           .method = KT_METHOD_EVENT_PROFILE,
                           .period_ns = NAN,
                           .period_uncertainty_ns = NAN,
                           .frequency_hz = NAN,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN};
}

static void clocks_tell_what_is_known_and_how(void **state)
{
    kt_clock_info clock = unknown_clock();
    expect_clock(&clock, NULL,
                 "kernel: event-profile, tick unknown, width unknown\n"
                 "             no conversion to host time");
    clock.valid_bits_min = 33;
    expect_clock(&clock, "it was\nlost",
                 "kernel: event-profile, tick unknown, at least 33 bits\n"
                 "             no conversion to host time: it was lost");
    /* 2^33 ticks of 52.0833329 ns are 447.4 s. */
    clock.period_ns = 52.08333291;
    clock.period_source = clock.relation_source = KT_SOURCE_BRACKETED_SUBMISSIONS;
    clock.uncertainty_ns = 1234;
    expect_clock(&clock, NULL,
                 "kernel: event-profile, tick 52.0833 ns (measured), at least 33 bits, wraps after "
                 "447.4 s or later\n"
                 "             converted to host time by bracketed submissions: "
                 "within 1.234 us");
    clock = unknown_clock();
    clock.period_ns = 52.0833333;
    clock.period_source = KT_SOURCE_REPORTED;
    clock.relation_source = KT_SOURCE_CALIBRATED_TIMESTAMPS;
    clock.valid_bits = 36; /* 2^36 of them are 3579 s */
    clock.uncertainty_ns = 85;
    clock.drift_ppm = 30;
    expect_clock(
        &clock, NULL,
        "kernel: event-profile, tick 52.0833333 ns (reported), 36 bits, wraps after 3579.1 s\n"
        "             converted to host time by calibrated timestamps: within "
        "85.0 ns, runs 30.0 ppm fast");
    clock.drift_ppm = -1234.56;
    clock.uncertainty_ns = NAN;
    expect_clock(
        &clock, NULL,
        "kernel: event-profile, tick 52.0833333 ns (reported), 36 bits, wraps after 3579.1 s\n"
        "             converted to host time by calibrated timestamps: runs "
        "1234.6 ppm slow");
    clock.drift_ppm = -0.04;
    expect_clock(
        &clock, NULL,
        "kernel: event-profile, tick 52.0833333 ns (reported), 36 bits, wraps after 3579.1 s\n"
        "             converted to host time by calibrated timestamps: no drift");
}

/* Of 50 ns: 0.0012 are 24 ppm, 0.0001 are 2, 6e-6 are 0.12, rounded up; of what is plain, nothing
 * is said. */
static void a_period_that_was_found_says_how_well(void **state)
{
    static const struct {
        double uncertainty_ns;
        const char *found;
    } cases[] = {{0.0012, "measured within 24 ppm"},
                 {0.00119, "measured within 24 ppm"},
                 {0.0000999, "measured within 2.0 ppm"},
                 {5.9e-6, "measured within 0.12 ppm"},
                 {1e-9, "measured within 0.01 ppm"},
                 {0, "measured"},
                 {NAN, "measured"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char wanted[256];
        kt_clock_info clock = unknown_clock();
        clock.period_ns = 50;
        clock.valid_bits = 64;
        clock.period_uncertainty_ns = cases[i].uncertainty_ns;
        clock.period_source = KT_SOURCE_CALIBRATED_TIMESTAMPS;
        snprintf(wanted, sizeof wanted,
                 "kernel: event-profile, tick 50 ns (%s), 64 bits\n"
                 "             no conversion to host time",
                 cases[i].found);
        expect_clock(&clock, NULL, wanted);
        clock.reported_period_ns = 50;
        snprintf(
            wanted, sizeof wanted,
            "kernel: event-profile, tick 50 ns = 20 MHz (%s; reported in whole ns: 50), 64 bits\n"
            "             no conversion to host time",
            cases[i].found);
        expect_clock(&clock, NULL, wanted);
    }
}

/* Both 12 MHz: 83 is what is left of 83.333 in whole ns. 2^32 of its ticks are 357.9 s. */
static void the_unit_of_a_timer_is_shown_as_reported(void **state)
{
    kt_clock_info clock = unknown_clock();
    clock.valid_bits = 32;
    clock.reported_period_ns = 83;
    expect_clock(&clock, NULL,
                 "kernel: event-profile, tick unknown (reported in whole ns: 83), 32 bits\n"
                 "             no conversion to host time");
    clock.period_ns = 83.33312;
    clock.period_source = KT_SOURCE_CALIBRATED_TIMESTAMPS;
    expect_clock(
        &clock, NULL,
        "kernel: event-profile, tick 83.3331 ns = 12 MHz (measured; reported in whole ns: 83), 32 "
        "bits, wraps after 357.9 s\n"
        "             no conversion to host time");
    clock.reported_period_ns = 0;
    clock.frequency_hz = 12e6;
    clock.period_ns = 1e9 / 12e6;
    clock.period_source = KT_SOURCE_REPORTED;
    clock.pauses = 1;
    expect_clock(&clock, "another clock was not found",
                 "kernel: event-profile, tick 83.3333333 ns = 12 MHz (reported in Hz), 32 "
                 "bits, wraps after 357.9 s\n"
                 "             context clock: runs only while the device works for this program");
}

static void vendor_and_queues_are_listed(void **state)
{
    kt_document_device device = {
        .info = {.id = "level_zero:0",
                 .name = "a name",
                 .driver = "a driver",
                 .vendor = "a vendor",
                 .vendor_id = 0x8086,
                 .type = KT_DEVICE_GPU,
                 .memory_kinds = 1u << KT_MEMORY_HEAP,
                 .queue_groups = {{KT_QUEUE_COMPUTE | KT_QUEUE_COPY | KT_QUEUE_COOPERATIVE, 1},
                                  {KT_QUEUE_COPY, 8},
                                  {0, 2}},
                 .queue_group_count = 3}};
    kt_document list = {.desc.document = "devices", .devices = &device, .device_count = 1};
    assert_string_equal(
        document_print(kt_print_table, &list),
        "level_zero:0  a name (gpu)\n"
        "    driver   a driver\n"
        "    vendor   a vendor, 0x8086\n"
        "    clock    none: the driver has no timestamps, so all times are wall times\n"
        "    queues   compute+copy+cooperative x1, copy x8, other x2\n"
        "    memory   heap\n");
}

/* Nothing is unknown of what it has not: no tick, no width, no place. */
static void elapsed_only_clocks_say_what_they_are(void **state)
{
    kt_clock_info clock = unknown_clock();
    clock.method = KT_METHOD_EVENT_PAIR;
    expect_clock(&clock, NULL, "kernel: event-pair, elapsed-only: time between two events");
    clock.method = KT_METHOD_EVENT_PAIR_BLOCKED;
    expect_clock(&clock, "another clock was not found",
                 "kernel: event-pair-blocked, elapsed-only, behind a blocking kernel");
}

static void clocks_of_the_host_are_named(void **state)
{
    kt_clock_info clock = unknown_clock();
    clock.period_ns = 1;
    clock.period_source = clock.relation_source = KT_SOURCE_REPORTED;
    clock.valid_bits = 64;
    clock.drift_ppm = clock.uncertainty_ns = 0;
    snprintf(clock.domain, sizeof clock.domain, "CLOCK_A");
    expect_clock(
        &clock, NULL,
        "kernel: event-profile, tick 1 ns (reported), 64 bits\n             is CLOCK_A (reported)");
    clock.relation_source = KT_SOURCE_BRACKETED_SUBMISSIONS;
    expect_clock(&clock, NULL,
                 "kernel: event-profile, tick 1 ns (reported), 64 bits\n"
                 "             is CLOCK_A, measured by bracketed submissions");
    clock.relation_source = KT_SOURCE_CALIBRATED_TIMESTAMPS;
    clock.uncertainty_ns = 128;
    expect_clock(&clock, NULL,
                 "kernel: event-profile, tick 1 ns (reported), 64 bits\n"
                 "             is CLOCK_A, measured by calibrated timestamps: within 128.0 ns");
    /* As in a file of a version that did not look for them. */
    clock.period_source = clock.relation_source = KT_SOURCE_NONE;
    clock.uncertainty_ns = NAN;
    expect_clock(&clock, NULL,
                 "kernel: event-profile, tick 1 ns, 64 bits\n             is CLOCK_A");
}

/* What is said of a state below its device. */
static void expect_state(const kt_device_state *of_device, const char *lines)
{
    kt_document_device device = {.info = {.id = "gpu:0", .name = "a GPU", .driver = "d"},
                                 .has_state = true,
                                 .state = *of_device};
    const kt_document list = {.desc.document = "devices", .devices = &device, .device_count = 1};
    const char *text = document_print(kt_print_table, &list);
    const char *begin = strstr(text, "    memory   \n");
    assert_non_null(begin);
    assert_string_equal(begin + strlen("    memory   \n"), lines);
}

static void set(kt_device_state *to, kt_state_value value, double number)
{
    to->value[value] = number;
    to->reading[value] = KT_READING_OK;
}

static void a_state_tells_what_is_known(void **state)
{
    kt_device_state s = {.source = "NVML"};
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        s.value[i] = NAN;
    expect_state(&s, "");
    set(&s, KT_STATE_OTHERS, 0);
    set(&s, KT_STATE_THROTTLE, KT_THROTTLE_IDLE | KT_THROTTLE_SETTING); /* no throttling */
    expect_state(&s, "");
    set(&s, KT_STATE_THROTTLE, KT_THROTTLE_IDLE | KT_THROTTLE_POWER_CAP);
    expect_state(&s, "    state    throttled: power cap\n");
    set(&s, KT_STATE_POWER_LIMIT, 400);
    set(&s, KT_STATE_CORE_CLOCK_MAX, 1980);
    expect_state(&s, "    state    at most 1980 MHz, at most 400 W\n"
                     "             throttled: power cap\n");
    set(&s, KT_STATE_CORE_CLOCK, 1410);
    set(&s, KT_STATE_MEMORY_CLOCK, 1593);
    set(&s, KT_STATE_TEMPERATURE, 41.4);
    set(&s, KT_STATE_POWER, 61.8);
    set(&s, KT_STATE_OTHERS, 2);
    expect_state(&s, "    state    1410 of 1980 MHz, memory 1593 MHz, 41 C, 62 of 400 W\n"
                     "             throttled: power cap\n"
                     "             other processes: 2\n");
    set(&s, KT_STATE_POWER, 3.44);
    s.value[KT_STATE_POWER_LIMIT] = s.value[KT_STATE_CORE_CLOCK_MAX] = NAN;
    s.value[KT_STATE_THROTTLE] = s.value[KT_STATE_OTHERS] = NAN;
    expect_state(&s, "    state    1410 MHz, memory 1593 MHz, 41 C, 3.4 W\n");
}

/* The largest values that are valid, which have most digits. */
static void a_state_fits_80_columns(void **state)
{
    kt_device_state s = {.source = "NVML"};
#define MOST(ID, key, label, least, most) set(&s, KT_STATE_##ID, most);
    KT_STATE_VALUES_(MOST)
#undef MOST
    expect_state(
        &s, "    state    100000 of 100000 MHz, memory 100000 MHz, 1000 C, 100000 of 100000 W\n"
            "             throttled: power cap, thermal, hardware, current, other\n"
            "             other processes: 1000000\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_tell_what_is_known_and_how),
        cmocka_unit_test(a_period_that_was_found_says_how_well),
        cmocka_unit_test(the_unit_of_a_timer_is_shown_as_reported),
        cmocka_unit_test(vendor_and_queues_are_listed),
        cmocka_unit_test(elapsed_only_clocks_say_what_they_are),
        cmocka_unit_test(clocks_of_the_host_are_named),
        cmocka_unit_test(a_state_tells_what_is_known),
        cmocka_unit_test(a_state_fits_80_columns),
    };
    return cmocka_run_group_tests_name("devices_list", tests, NULL, NULL);
}
