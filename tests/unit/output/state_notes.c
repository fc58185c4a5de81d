/* SPDX-License-Identifier: MIT */
/* Notes and columns on what a device did meanwhile: throttling, and energy. */
#include "tests/unit/documents.h"

#include <stdio.h>

static kt_series series[3];
static kt_document_device devices[1];
static kt_energy energy;

/* Two measurements of 60 and 40 samples on one device. */
static kt_document begin(void)
{
    for (int i = 0; i < 2; i++) {
        series[i] = make_series(i ? "work/16" : "work/8", "cuda:0", 1e6);
        series[i].summary.n = i ? 40 : 60;
        series[i].summary.ci95_low = 0.999e6;
        series[i].summary.ci95_high = 1.001e6;
        series[i].state = (kt_state_summary){.readings = 4,
                                             .core_clock_mhz = NAN,
                                             .memory_clock_mhz = NAN,
                                             .power_w = NAN,
                                             .temperature_c = NAN};
    }
    devices[0] = make_device("cuda:0", "a GPU");
    kt_document document = make_document(series, 2);
    document.devices = devices;
    document.device_count = 1;
    return document;
}

static void expect_note(const kt_document *document, const char *note)
{
    document_print(kt_print_table, document);
    EXPECT_TEXT_HAS(document_output, note);
}

static void nothing_to_say(void **state)
{
    const kt_document document = begin();
    document_print(kt_print_table, &document);
    assert_null(strstr(document_output, "throttl"));
    assert_null(strstr(document_output, "CLOCK"));
    assert_null(strstr(document_output, "ENERGY"));
}

static void samples_left_out_are_a_share_of_all(void **state)
{
    const kt_document document = begin();
    series[0].discarded[KT_TIMESTAMP_THROTTLED] = 20; /* of 80 */
    series[0].state.left_out = KT_THROTTLE_THERMAL;
    expect_note(&document, "cuda:0: thermal throttling in 25 % of samples of work/8, left out\n");
    series[0].state.left_out = 0;
    series[1].discarded[KT_TIMESTAMP_THROTTLED] = 5; /* of 45: of all, 25 of 125 */
    expect_note(&document, "cuda:0: core clock over 10 % lower in 20 % of samples, left out\n");
}

static void samples_kept_are_told(void **state)
{
    const kt_document document = begin();
    series[1].state.kept_throttled = 12;
    series[1].state.throttle = KT_THROTTLE_POWER_CAP;
    series[1].state.waited_s = 2;
    expect_note(&document,
                "cuda:0: power cap throttling in 12 samples of work/16, kept: the device "
                "did not recover in 2 s\n");
}

static void a_lasting_limit_is_how_the_device_runs(void **state)
{
    const kt_document document = begin();
    series[0].state.throttle = KT_THROTTLE_POWER_CAP;
    expect_note(&document, "cuda:0: power cap throttling all the time in work/8: times are of the "
                           "lower clock\n");
}

static void energy_without_a_number_has_one_reason(void **state)
{
    const kt_document document = begin();
    energy = (kt_energy){.reason = "it has no counter", .dispatch_j = NAN};
    series[0].energy = series[1].energy = &energy;
    expect_note(&document, "cuda:0: no energy: it has no counter\n");
    assert_null(strstr(strstr(document_output, "no energy") + 1, "no energy"));
    EXPECT_TEXT_HAS(document_output, "ENERGY");
}

static void columns_of_energy_and_state(void **state)
{
    static const struct {
        double joules;
        const char *text;
    } cases[] = {{0.0300312, "30.03 mJ ±4.0 %"},
                 {12.3456, "12.35 J ±4.0 %"},
                 {123456, "123456 J ±4.0 %"},
                 {1.5e-6, "1.500 uJ ±4.0 %"},
                 {2e-10, "0.200 nJ ±4.0 %"}};
    const kt_document document = begin();
    series[0].state.core_clock_mhz = 1410.4;
    series[0].state.power_w = 61.25;
    series[1].state.power_w = 361.6;
    series[0].flops = 6.00624e9; /* 200 GFLOP/J of the first one */
    series[0].energy = &energy;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        energy = (kt_energy){.dispatch_j = cases[i].joules,
                             .ci95_low_j = 0.96 * cases[i].joules,
                             .ci95_high_j = 1.04 * cases[i].joules};
        document_print(kt_print_table, &document);
        EXPECT_TEXT_HAS(document_output, cases[i].text);
        EXPECT_TEXT_HAS(document_output, "1410 MHz");
        EXPECT_TEXT_HAS(document_output, "61.2 W");
        EXPECT_TEXT_HAS(document_output, "362 W");
        if (i == 0)
            EXPECT_TEXT_HAS(document_output, " 200");
    }
    energy.throttle = KT_THROTTLE_CURRENT;
    expect_note(&document, "cuda:0: ENERGY is of a device that was throttled: current\n");
}

/* Without an interval, or of 0 J, there is no share. */
static void energy_without_an_interval(void **state)
{
    const kt_document document = begin();
    series[0].energy = &energy;
    energy = (kt_energy){.dispatch_j = 0.25, .ci95_low_j = NAN, .ci95_high_j = NAN};
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, "250.0 mJ");
    assert_null(strstr(document_output, "nan"));
    energy = (kt_energy){0};
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, "0.000 nJ");
    assert_null(strstr(document_output, "nan"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_say),
        cmocka_unit_test(samples_left_out_are_a_share_of_all),
        cmocka_unit_test(samples_kept_are_told),
        cmocka_unit_test(a_lasting_limit_is_how_the_device_runs),
        cmocka_unit_test(energy_without_a_number_has_one_reason),
        cmocka_unit_test(columns_of_energy_and_state),
        cmocka_unit_test(energy_without_an_interval),
    };
    return cmocka_run_group_tests_name("state_notes", tests, NULL, NULL);
}
