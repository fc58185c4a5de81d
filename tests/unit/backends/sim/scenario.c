/* SPDX-License-Identifier: MIT */
/* sim's scenarios: every key, its limits, and everything that is no scenario. */
#include "backends/sim/scenario.h"
#include "tests/unit/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The keys as design and help name them; reals have `real`, whole numbers `whole`. */
static const struct key {
    const char *name;
    size_t offset;
    bool is_real;
    const char *least, *most;  /* still taken */
    const char *below, *above; /* no more; NULL: cannot be written */
    double standard;
} keys[] = {
#define AT(field) offsetof(kt_sim_scenario, field)
    {"period_ns", AT(period_ns), true, "0.001", "1e9", "0.00099", "1000000001", 1},
    {"bits", AT(bits), false, "8", "64", "7", "65", 64},
    {"start", AT(start), false, "0", "18446744073709551615", NULL, "18446744073709551616", 0},
    {"drift_ppm", AT(drift_ppm), true, "-100000", "1e5", "-100001", "100001", 0},
    {"resolution_ns", AT(resolution_ns), true, "0", "1e9", "-1", "1.1e9", 0},
    {"min_span_ns", AT(min_span_ns), true, "0", "1e9", "-0.5", "1.1e9", 100},
    {"kernel_ns", AT(kernel_ns), true, "0", "1e13", "-1", "1.1e13", 100000},
    {"gap_ns", AT(gap_ns), true, "-1e9", "1e9", "-1.1e9", "1.1e9", 503},
    {"copy_gbs", AT(copy_gbs), true, "1e-6", "1e6", "0", "1000001", 10},
    {"latency_ns", AT(latency_ns), true, "0", "1e9", "-1", "1.1e9", 1000},
    {"jitter_ns", AT(jitter_ns), true, "0", "1e12", "-1", "1.1e12", 0},
    {"jitter_share", AT(jitter_share), true, "0", "1", "-0.1", "1.1", 0},
    {"calibration_jitter_ns", AT(calibration_jitter_ns), true, "0", "1e9", "-1", "1.1e9", 200},
    {"calibration_place", AT(calibration_place), true, "0", "1", "-0.1", "1.1", NAN},
    {"zero", AT(zero), true, "0", "1", "-0.1", "1.1", 0},
    {"negative", AT(negative), true, "0", "1", "-0.1", "1.1", 0},
    {"lost", AT(lost), true, "0", "1", "-0.1", "1.1", 0},
    {"clock_mhz", AT(clock_mhz), true, "0", "1e5", "-1", "1.1e5", 0},
    {"throttled", AT(throttled), true, "0", "1", "-0.1", "1.1", 0},
    {"power_w", AT(power_w), true, "0", "1e5", "-1", "1.1e5", 0},
    {"energy_step_ms", AT(energy_step_ms), true, "0", "1e6", "-1", "1.1e6", 0},
    {"reset", AT(reset_ms), true, "0", "1e9", "-1", "1.1e9", 0},
    {"fail", AT(fail), false, "0", "18446744073709551615", NULL, "18446744073709551616", 0},
    {"hang", AT(hang), false, "0", "18446744073709551615", NULL, "18446744073709551616", 0},
    {"wrong", AT(wrong), false, "0", "18446744073709551615", NULL, "18446744073709551616", 0},
    {"period_reported", AT(period_reported), false, "0", "1", NULL, "2", 1},
    {"bits_reported", AT(bits_reported), false, "0", "1", NULL, "2", 1},
    {"calibrated_timestamps", AT(pairs), false, "0", "1", NULL, "2", 1},
    {"seed", AT(seed), false, "0", "18446744073709551615", NULL, "18446744073709551616", 1},
#undef AT
};

#define KEY_COUNT (sizeof keys / sizeof keys[0])

static double value_of(const kt_sim_scenario *scenario, const struct key *key)
{
    const char *field = (const char *)scenario + key->offset;
    double real;
    uint64_t whole;
    memcpy(&real, field, sizeof real);
    memcpy(&whole, field, sizeof whole);
    return key->is_real ? real : (double)whole;
}

static kt_status parse_value(const struct key *key, const char *value, kt_sim_scenario *scenario)
{
    char text[128];
    snprintf(text, sizeof text, "%s=%s", key->name, value);
    return kt_sim_scenario_parse(text, scenario);
}

static void nothing_is_the_default_device(void **state)
{
    const char *const texts[] = {NULL, ""};
    for (size_t t = 0; t < 2; t++) {
        kt_sim_scenario s;
        EXPECT_OK(kt_sim_scenario_parse(texts[t], &s));
        for (size_t i = 0; i < KEY_COUNT; i++)
            EXPECT_NUMBER(value_of(&s, &keys[i]), keys[i].standard);
    }
}

static void every_key_sets_itself_alone(void **state)
{
    for (size_t i = 0; i < KEY_COUNT; i++) {
        const char *const values[] = {keys[i].least, keys[i].most};
        for (size_t v = 0; v < 2; v++) {
            kt_sim_scenario s;
            EXPECT_OK(parse_value(&keys[i], values[v], &s));
            for (size_t k = 0; k < KEY_COUNT; k++)
                EXPECT_NUMBER(value_of(&s, &keys[k]),
                              k == i ? strtod(values[v], NULL) : keys[k].standard);
        }
    }
}

static void every_key_has_limits(void **state)
{
    for (size_t i = 0; i < KEY_COUNT; i++) {
        kt_sim_scenario s;
        const char *const values[] = {keys[i].below, keys[i].above};
        for (size_t v = 0; v < 2; v++) {
            if (!values[v])
                continue;
            EXPECT_STATUS(parse_value(&keys[i], values[v], &s), KT_INVALID);
            EXPECT_TEXT_HAS(kt_error_text(), keys[i].name);
            EXPECT_TEXT_HAS(kt_error_text(), values[v]);
        }
    }
}

static void values_that_are_no_numbers(void **state)
{
    static const char *const junk[] = {
        "",     "nan",      "NAN",      "inf",  "-inf", "0x10", "1e999", "abc",   "1x",   " 1",
        "1 ",   "\t1",      "1;2",      "--1",  "1..2", "1e",   "e5",    ".",     "1=2",  "+-1",
        "1.5.", "\xc2\xb2", "infinity", "-nan", "1e+",  "0b1",  "1_000", "1'000", "0x1p3"};
    for (size_t i = 0; i < KEY_COUNT; i++) {
        for (size_t k = 0; k < sizeof junk / sizeof junk[0]; k++) {
            kt_sim_scenario s;
            EXPECT_STATUS(parse_value(&keys[i], junk[k], &s), KT_INVALID);
            EXPECT_TEXT_HAS(kt_error_text(), keys[i].name);
        }
    }
}

static void whole_numbers_are_whole(void **state)
{
    static const char *const junk[] = {"10.0", "1e1", "-0", "+10", "10.", "-1"};
    for (size_t i = 0; i < KEY_COUNT; i++) {
        for (size_t k = 0; k < sizeof junk / sizeof junk[0]; k++) {
            kt_sim_scenario s;
            if (!keys[i].is_real)
                EXPECT_STATUS(parse_value(&keys[i], junk[k], &s), KT_INVALID);
        }
    }
}

static void text_that_is_no_list(void **state)
{
    static const char *const junk[] = {"seed=1,",
                                       ",seed=1",
                                       ",",
                                       "seed",
                                       "seed=1,,bits=8",
                                       "=1",
                                       "seed =1",
                                       "SEED=1",
                                       "seeds=1",
                                       "see=1",
                                       "unknown=3",
                                       " seed=1",
                                       "seed:1",
                                       "bits=8;seed=1",
                                       "seed=1, bits=8",
                                       "a_key_that_is_longer_than_any_key_could_be=1",
                                       "seed=00000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof junk / sizeof junk[0]; i++) {
        kt_sim_scenario s;
        if (kt_sim_scenario_parse(junk[i], &s) != KT_INVALID)
            fail_msg("\"%s\" was taken", junk[i]);
        EXPECT_TEXT_HAS(kt_error_text(), "scenario: ");
    }
    /* What is wrong is named, and what would be right. */
    kt_sim_scenario s;
    EXPECT_STATUS(kt_sim_scenario_parse("seed=1,kernel=3", &s), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "\"kernel\"");
    EXPECT_TEXT_HAS(kt_error_text(), "period_ns bits start");
    EXPECT_TEXT_HAS(kt_error_text(), "seed");
}

static void several_keys_and_the_last_word(void **state)
{
    kt_sim_scenario s;
    EXPECT_OK(kt_sim_scenario_parse("period_ns=52.083333,bits=32,start=4294960000,drift_ppm=30,"
                                    "kernel_ns=250000,jitter_ns=400,seed=7",
                                    &s));
    EXPECT_NUMBER(s.period_ns, 52.083333);
    assert_int_equal(s.bits, 32);
    assert_int_equal(s.start, 4294960000);
    EXPECT_NUMBER(s.drift_ppm, 30);
    EXPECT_NUMBER(s.kernel_ns, 250000);
    EXPECT_NUMBER(s.jitter_ns, 400);
    assert_int_equal(s.seed, 7);
    EXPECT_NUMBER(s.min_span_ns, 100);
    EXPECT_OK(kt_sim_scenario_parse("seed=1,bits=16,seed=2", &s));
    assert_int_equal(s.seed, 2);
    EXPECT_OK(kt_sim_scenario_parse("drift_ppm=-.5e2,start=18446744073709551615", &s));
    EXPECT_NUMBER(s.drift_ppm, -50);
    assert_true(s.start == UINT64_MAX);
}

/* A program may have chosen a decimal comma, which parts keys here. */
static void numbers_have_a_point_in_every_locale(void **state)
{
    kt_sim_scenario s;
    choose_decimal_comma();
    kt_status status = kt_sim_scenario_parse("period_ns=52.083333,seed=7", &s);
    setlocale(LC_NUMERIC, "C");
    EXPECT_OK(status);
    EXPECT_NUMBER(s.period_ns, 52.083333);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_the_default_device),
        cmocka_unit_test(every_key_sets_itself_alone),
        cmocka_unit_test(every_key_has_limits),
        cmocka_unit_test(values_that_are_no_numbers),
        cmocka_unit_test(whole_numbers_are_whole),
        cmocka_unit_test(text_that_is_no_list),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
        cmocka_unit_test(several_keys_and_the_last_word),
    };
    return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
