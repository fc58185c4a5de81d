/* SPDX-License-Identifier: MIT */
/* JSON of what a device did during a measurement, and of the energy of a dispatch. */
#include "tests/unit/documents.h"

/* JSON of a document with this series alone, without its line feeds and blanks. */
static const char *print_json(kt_series *series)
{
    static char text[1 << 14];
    const kt_document document = make_document(series, 1);
    const char *from = document_print(kt_print_json, &document);
    size_t length = 0;
    for (; *from && length < sizeof text - 1; from++)
        if (*from != ' ' && *from != '\n')
            text[length++] = *from;
    text[length] = '\0';
    return text;
}

/* Unknown is null, never 0; and 0 is 0. Reasons stand in the order of their bits. */
static void state_of_a_series(void **state)
{
    kt_series series = make_series("work/8", "d", 1);
    series.state = (kt_state_summary){.readings = 3,
                                      .core_clock_mhz = 1400.5,
                                      .core_clock_low_mhz = 1300,
                                      .core_clock_high_mhz = 1500,
                                      .memory_clock_mhz = NAN,
                                      .temperature_c = -5,
                                      .power_w = 0,
                                      .throttle = KT_THROTTLE_CURRENT | KT_THROTTLE_POWER_CAP,
                                      .kept_throttled = 7,
                                      .read_s = 0.125};
    EXPECT_TEXT_HAS(print_json(&series),
                    "\"state\":{\"readings\":3,\"core_clock_mhz\":1400.5,"
                    "\"core_clock_low_mhz\":1300,\"core_clock_high_mhz\":1500,"
                    "\"memory_clock_mhz\":null,\"temperature_c\":-5,\"power_w\":0,"
                    "\"throttle\":[\"power_cap\",\"current\"],\"left_out\":[],"
                    "\"kept_throttled\":7,\"read_s\":0.125,\"waited_s\":0}");
}

static void energy_of_a_series(void **state)
{
    kt_energy energy = {.dispatch_j = 0.5,
                        .ci95_low_j = -0.25,
                        .ci95_high_j = 1.25,
                        .power_w = 300,
                        .idle_w = NAN,
                        .update_ms = 20,
                        .duration_s = 1.5,
                        .dispatches = INT64_MAX,
                        .windows = 12,
                        .throttle = KT_THROTTLE_THERMAL};
    kt_series series = make_series("work/8", "d", 1);
    series.energy = &energy;
    series.flops = 8e9; /* 8 G operations by 0.5 J */
    EXPECT_TEXT_HAS(print_json(&series),
                    "\"energy\":{\"reason\":null,\"dispatch_j\":0.5,\"ci95_low_j\":-0.25,"
                    "\"ci95_high_j\":1.25,\"gflop_per_j\":16,\"power_w\":300,\"idle_w\":null,"
                    "\"update_ms\":20,\"duration_s\":1.5,\"dispatches\":9223372036854775807,"
                    "\"windows\":12,\"throttle\":[\"thermal\"]}");
    series.flops = NAN;
    EXPECT_TEXT_HAS(print_json(&series), "\"gflop_per_j\":null");
    series.flops = 8e9;
    energy.reason = "no";
    energy.dispatch_j = NAN;
    EXPECT_TEXT_HAS(print_json(&series), "\"energy\":{\"reason\":\"no\",\"dispatch_j\":null,");
    EXPECT_TEXT_HAS(print_json(&series), "\"gflop_per_j\":null");
}

/* Values without a reading behind them are none. */
static void neither_is_written_if_there_is_none(void **state)
{
    kt_series series = make_series("work/8", "d", 1);
    series.state.core_clock_mhz = 1;
    const char *text = print_json(&series);
    EXPECT_TEXT_HAS(text, "\"speedup\":null");
    assert_null(strstr(text, "\"state\""));
    assert_null(strstr(text, "\"energy\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_of_a_series),
        cmocka_unit_test(energy_of_a_series),
        cmocka_unit_test(neither_is_written_if_there_is_none),
    };
    return cmocka_run_group_tests_name("series_json", tests, NULL, NULL);
}
