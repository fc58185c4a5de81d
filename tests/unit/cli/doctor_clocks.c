/* SPDX-License-Identifier: MIT */
/* What is found of a clock, for observations made by hand. */
#include "cli/doctor/moment.h"
#include "tests/unit/cli/doctor_test.h"

#include <stdio.h>

#define COUNT 40

static kt_raw raw[COUNT];
static doctor_placed placed[COUNT];
static doctor_diagnostics found;

/* A clock of 1 ns whose zero is that of the host; a submission of 10 us every ms. */
static clocks_seen healthy(void)
{
    const kt_clock_info clock = {.period_ns = 1,
                                 .valid_bits = 64,
                                 .relation_source = KT_SOURCE_CALIBRATED_TIMESTAMPS,
                                 .period_source = KT_SOURCE_REPORTED};
    clocks_seen seen = {.reported = clock,
                        .found = clock,
                        .resolution_ns = 1,
                        .pair_ns = 200,
                        .state = {.source = KT_SOURCE_CALIBRATED_TIMESTAMPS,
                                  .period_ns = 1,
                                  .uncertainty_ns = 100,
                                  .narrowest_ns = 200,
                                  .pairs = 40},
                        .raw = raw,
                        .count = COUNT,
                        .placed = placed,
                        .placed_count = COUNT,
                        .idle = {1, 2},
                        .busy = {-1, 2},
                        .whole = {0.5, 1},
                        .load_ns = 1e6,
                        .load_groups = 64,
                        .units = 2,
                        .kernel_ns = 1e6,
                        .kernel_spread = 0.003};
    for (int i = 0; i < COUNT; i++) {
        int64_t begin_ns = 1000000000 + 1000000 * (int64_t)i;
        raw[i] = doctor_test_raw(begin_ns);
        placed[i] =
            (doctor_placed){begin_ns, begin_ns + 10000, begin_ns + 4000, begin_ns + 4100, 100};
    }
    return seen;
}

static const doctor_diagnostic *find(const char *check)
{
    return doctor_test_find(&found, check);
}

static const doctor_diagnostic *the(const char *check)
{
    return doctor_test_the(&found, check);
}

static const doctor_diagnostic *judged(const clocks_seen *seen, const char *check,
                                       kt_severity severity)
{
    found.count = 0;
    doctor_judge_clocks(seen, &found);
    return doctor_test_severity(&found, check, severity);
}

static void a_healthy_clock_is_good(void **state)
{
    clocks_seen seen = healthy();
    doctor_judge_clocks(&seen, &found);
    assert_int_equal(found.count, 8);
    for (uint32_t i = 0; i < found.count; i++)
        if (found.items[i].severity != KT_SEVERITY_GOOD)
            fail_msg("%s: %s", found.items[i].check, found.items[i].seen);
    EXPECT_TEXT_HAS(the("drift")->seen, "below 1.5 ppm, against the host's clock");
    EXPECT_TEXT_HAS(the("rate")->seen, "within 6 ppm"); /* 2 apart, and 2 each */
}

static void a_width(void **state)
{
    static const struct {
        uint32_t bits;
        kt_severity severity;
        const char *seen;
    } rows[] = {
        {16, KT_SEVERITY_WARNING, "65.54 us"},
        {32, KT_SEVERITY_NOTE, "4.295 s"},
        {42, KT_SEVERITY_GOOD, "42 bits"}, /* 73 minutes */
        /* From 0x3b9ad..., to 0x3dedf...: they differ in 0x06..., whose highest bit is the 27th. */
        {64, KT_SEVERITY_GOOD, "never wraps; the lowest 27 bits"}};
    clocks_seen seen = healthy();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        seen.reported.valid_bits = seen.found.valid_bits = rows[i].bits;
        EXPECT_TEXT_HAS(judged(&seen, "width", rows[i].severity)->seen, rows[i].seen);
    }
    seen.reported.valid_bits = seen.found.valid_bits = 0;
    seen.found.valid_bits_min = 30;
    EXPECT_TEXT_HAS(judged(&seen, "width", KT_SEVERITY_NOTE)->seen, "at least 30 bits");
    seen.found.valid_bits = 32;
    EXPECT_TEXT_HAS(judged(&seen, "width", KT_SEVERITY_NOTE)->seen, "measured 32 bits");
    seen.found.valid_bits = 64; /* as of a clock that is the host's */
    EXPECT_TEXT_HAS(judged(&seen, "width", KT_SEVERITY_GOOD)->seen, "it is the host's clock");
}

/* The driver tells 64 bits, and the counter has 24: 16.8 ms, of the 40 ms that are looked at. */
static void a_counter_that_is_reported_too_wide(void **state)
{
    clocks_seen seen = healthy();
    for (int i = 0; i < COUNT; i++) {
        raw[i].start_ticks &= 0xFFFFFF;
        raw[i].end_ticks &= 0xFFFFFF;
    }
    EXPECT_TEXT_HAS(judged(&seen, "width", KT_SEVERITY_FAULT)->seen,
                    "a counter width of 64 bits, but it wrapped after 24 bits: every 16.78 ms");
    assert_null(find("reset"));
    assert_null(find("placement"));
    /* One that begins anew where a turn might be goes on from somewhere else. */
    seen = healthy();
    for (int i = 0; i < COUNT; i++) {
        raw[i].start_ticks -= (i < 20 ? 0 : 1 << 24) + 1000000;
        raw[i].end_ticks -= (i < 20 ? 0 : 1 << 24) + 1000000;
    }
    judged(&seen, "reset", KT_SEVERITY_FAULT);
    judged(&seen, "width", KT_SEVERITY_GOOD);
}

static void a_reset(void **state)
{
    clocks_seen seen = healthy();
    for (int i = 25; i < COUNT; i++) {
        raw[i].start_ticks -= 1000000000;
        raw[i].end_ticks -= 1000000000;
        placed[i].start_ns -= 1000000000;
        placed[i].end_ns -= 1000000000;
    }
    EXPECT_TEXT_HAS(judged(&seen, "reset", KT_SEVERITY_FAULT)->seen, "1 time within 40");
    assert_null(find("placement"));
}

static void a_place(void **state)
{
    clocks_seen seen = healthy();
    /* Within three times the stated uncertainty, a us and a tick. */
    placed[3].start_ns = placed[3].host_before_ns - 1300;
    EXPECT_NUMBER(value_of(judged(&seen, "placement", KT_SEVERITY_GOOD), "uncertainty_ns"), NAN);
    placed[3].start_ns = placed[3].host_before_ns - 1400;
    placed[5].uncertainty_ns = 5000; /* which lies within */
    EXPECT_TEXT_HAS(judged(&seen, "placement", KT_SEVERITY_WARNING)->seen,
                    "timestamps of 1 of 40 submissions lie before submit or after");
    EXPECT_TEXT_HAS(the("placement")->seen, "1.400 us");
    EXPECT_NUMBER(value_of(the("placement"), "uncertainty_ns"), 100);
    /* Then the relation is not as well known as it says; of a clock of another rate it is clear
     * why. */
    EXPECT_TEXT_HAS(judged(&seen, "relation", KT_SEVERITY_WARNING)->seen, "do not fit");
    EXPECT_TEXT_HAS(the("placement")->means, "another clock");
    seen.whole = (doctor_rate){-50000, 5};
    EXPECT_TEXT_HAS(judged(&seen, "placement", KT_SEVERITY_WARNING)->means, "see drift");
    seen = healthy();
    placed[3].start_ns = placed[3].host_before_ns - 1400;
    /* Another epoch. */
    for (int i = 0; i < COUNT; i++) {
        placed[i].start_ns += 11850000000;
        placed[i].end_ns += 11850000000;
    }
    EXPECT_TEXT_HAS(judged(&seen, "placement", KT_SEVERITY_FAULT)->seen, "40 of 40");
    /* By whole turns nothing is known. */
    seen = healthy();
    seen.reported.valid_bits = seen.found.valid_bits = 24;
    for (int i = 0; i < COUNT; i++) {
        placed[i].start_ns -= 3 << 24;
        placed[i].end_ns -= 3 << 24;
    }
    judged(&seen, "placement", KT_SEVERITY_GOOD);
}

static void a_relation(void **state)
{
    clocks_seen seen = healthy();
    seen.open_status = KT_NOT_READY;
    snprintf(seen.open_error, sizeof seen.open_error, "no pair was narrow enough");
    EXPECT_TEXT_HAS(judged(&seen, "relation", KT_SEVERITY_WARNING)->seen, "no pair was narrow");
    seen = healthy();
    EXPECT_TEXT_HAS(judged(&seen, "domain", KT_SEVERITY_GOOD)->seen, "not a clock of the host");
    snprintf(seen.found.domain, sizeof seen.found.domain, "CLOCK_MONOTONIC_RAW");
    EXPECT_TEXT_HAS(judged(&seen, "domain", KT_SEVERITY_GOOD)->means, "within the uncertainty");
    seen.found.relation_source = KT_SOURCE_REPORTED;
    EXPECT_TEXT_HAS(judged(&seen, "domain", KT_SEVERITY_GOOD)->means, "to the ns");
    snprintf(seen.found.domain, sizeof seen.found.domain, "CLOCK_REALTIME");
    EXPECT_TEXT_HAS(judged(&seen, "domain", KT_SEVERITY_NOTE)->means, "setting that clock");
    snprintf(seen.found.domain, sizeof seen.found.domain, "CLOCK_UPTIME_RAW");
    EXPECT_TEXT_HAS(judged(&seen, "domain", KT_SEVERITY_GOOD)->means, "stops during suspend");
}

static void pairs(void **state)
{
    clocks_seen seen = healthy();
    seen.pair_ns = 50000;
    judged(&seen, "calibration", KT_SEVERITY_NOTE);
    seen.pair_ns = 5e6;
    judged(&seen, "calibration", KT_SEVERITY_WARNING);
    seen.pair_status = KT_UNSUPPORTED;
    snprintf(seen.pair_error, sizeof seen.pair_error, "the call answers -59");
    EXPECT_TEXT_HAS(judged(&seen, "calibration", KT_SEVERITY_NOTE)->seen, "the call answers -59");
    seen.pair_status = KT_DRIVER_ERROR;
    judged(&seen, "calibration", KT_SEVERITY_FAULT);
}

static void a_period(void **state)
{
    clocks_seen seen = healthy();
    seen.reported.period_ns = NAN;
    seen.found.period_ns = 83.333;
    seen.found.period_source = KT_SOURCE_BRACKETED_SUBMISSIONS;
    EXPECT_TEXT_HAS(judged(&seen, "period", KT_SEVERITY_NOTE)->seen, "by bracketed submissions");
    EXPECT_TEXT_HAS(the("period")->seen, "83.333 ns");
    assert_null(find("drift")); /* from what? */
    assert_int_equal(the("period")->value_count, 1);
    seen.reported.reported_period_ns = 83;
    judged(&seen, "period", KT_SEVERITY_NOTE);
    assert_string_equal(
        the("period")->seen,
        "tick length reported in whole ns (83); measured by bracketed submissions: 83.333 ns");
    assert_string_equal(the("period")->values[1].name, "period_reported_ns");
    EXPECT_NUMBER(the("period")->values[1].value, 83);
    assert_null(find("drift"));
}

static void a_drift(void **state)
{
    static const struct {
        double ppm, error_ppm;
        kt_severity severity;
    } rows[] = {{50, 60, KT_SEVERITY_GOOD},    {30, 5, KT_SEVERITY_NOTE},
                {-200, 5, KT_SEVERITY_NOTE},   {1500, 5, KT_SEVERITY_WARNING},
                {1500, 700, KT_SEVERITY_NOTE}, {-50000, 5, KT_SEVERITY_FAULT}};
    clocks_seen seen = healthy();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        seen.whole = (doctor_rate){rows[i].ppm, rows[i].error_ppm};
        judged(&seen, "drift", rows[i].severity);
    }
    EXPECT_TEXT_HAS(the("drift")->means, "5 % too short");
    seen.whole = (doctor_rate){1, 420};
    EXPECT_TEXT_HAS(judged(&seen, "drift", KT_SEVERITY_GOOD)->seen, "below 421 ppm");
    seen.whole = (doctor_rate){0, 1e-9};
    snprintf(seen.found.domain, sizeof seen.found.domain, "CLOCK_MONOTONIC");
    EXPECT_TEXT_HAS(judged(&seen, "drift", KT_SEVERITY_GOOD)->seen,
                    "below 0.01 ppm, against CLOCK_MONOTONIC");
}

static void a_rate_under_load(void **state)
{
    clocks_seen seen = healthy();
    seen.idle = (doctor_rate){10, 40};
    seen.busy = (doctor_rate){90, 40};
    judged(&seen, "rate", KT_SEVERITY_GOOD);
    seen.busy.ppm = 96;
    EXPECT_TEXT_HAS(judged(&seen, "rate", KT_SEVERITY_NOTE)->seen, "86 ppm faster");
    EXPECT_TEXT_HAS(the("rate")->means, "negligible");
    assert_string_equal(the("rate")->advice, "");
    seen.busy.ppm = 1009; /* what `drift` calls too little is too little here */
    judged(&seen, "rate", KT_SEVERITY_NOTE);
    seen.busy.ppm = 1010;
    EXPECT_TEXT_HAS(judged(&seen, "rate", KT_SEVERITY_WARNING)->means, "wrong by that share");
    seen.busy.ppm = -120000;
    EXPECT_TEXT_HAS(judged(&seen, "rate", KT_SEVERITY_FAULT)->seen, "slower than idle");
    seen.idle.ppm = NAN;
    doctor_judge_clocks(&seen, &found);
    found.count = 0;
    doctor_judge_clocks(&seen, &found);
    assert_null(find("rate"));
}

/* A clock that did not change while little was done may change while much is. */
static void a_light_load(void **state)
{
    clocks_seen seen = healthy();
    seen.load_ns = 20000;
    EXPECT_TEXT_HAS(judged(&seen, "rate", KT_SEVERITY_NOTE)->means, "dispatches of 20.00 us");
    seen.load_ns = NAN;
    EXPECT_TEXT_HAS(judged(&seen, "rate", KT_SEVERITY_NOTE)->means, "empty submissions");
    seen = healthy();
    seen.units = 132;
    EXPECT_TEXT_HAS(judged(&seen, "rate", KT_SEVERITY_NOTE)->means,
                    "64 groups for 132 compute units");
    seen.units = 0; /* nobody tells */
    judged(&seen, "rate", KT_SEVERITY_GOOD);
    /* What was seen in spite of that is no less true, and may be more under load. */
    seen.load_ns = 20000;
    seen.busy.ppm = 96;
    EXPECT_TEXT_HAS(judged(&seen, "rate", KT_SEVERITY_NOTE)->seen, "faster than idle");
    EXPECT_TEXT_HAS(the("rate")->means, "dispatches of 20.00 us");
    seen.busy.ppm = -120000;
    judged(&seen, "rate", KT_SEVERITY_FAULT);
}

static void a_spread(void **state)
{
    clocks_seen seen = healthy();
    seen.kernel_spread = 0.1; /* (1.96 * 1.2533 * 0.1 / 0.01)^2 = 603.4 */
    EXPECT_TEXT_HAS(judged(&seen, "spread", KT_SEVERITY_NOTE)->means, "about 604 samples");
    assert_int_equal(the("spread")->advice[0], '\0'); /* kerntime takes as many */
    seen.kernel_spread = 0.2;                         /* four times as many */
    EXPECT_TEXT_HAS(judged(&seen, "spread", KT_SEVERITY_NOTE)->advice, "--samples 10..2414");
    seen.resolution_ns = 250000; /* which moves them by as much */
    judged(&seen, "spread", KT_SEVERITY_GOOD);
}

/* ---- rates between two moments ---- */

static void a_rate_between_moments(void **state)
{
    const kt_clock_info clock = {.period_ns = 50, .valid_bits = 32};
    /* 0.3 s at 50 ns are 6,000,000 ticks; 600 more are 100 ppm. Brackets of 1 us leave 1 us open,
     * and a tick. */
    const kt_clock_pair from = {1000000, UINT32_MAX - 1000, 1001000};
    const kt_clock_pair to = {301000000, 6000600 - 1001, 301001000};
    doctor_rate rate = doctor_rate_between(&clock, 50, &from, &to);
    EXPECT_NEAR(rate.ppm, 100, 1e-6);
    EXPECT_NEAR(rate.error_ppm, 1050 / 0.3e9 * 1e6, 1e-9);
    /* 23 bits are over in 0.42 s, of which 0.3 s are more than half. */
    const kt_clock_info medium = {.period_ns = 50, .valid_bits = 23};
    const kt_clock_pair begun = {1000000, 7000000, 1001000};
    const kt_clock_pair ended = {301000000, (7000000 + 6000600) & 0x7FFFFF, 301001000};
    EXPECT_NEAR(doctor_rate_between(&medium, 50, &begun, &ended).ppm, 100, 1e-6);
    /* A counter that turns over in less time than that leaves nothing to tell. */
    const kt_clock_info narrow = {.period_ns = 50, .valid_bits = 16};
    assert_true(isnan(doctor_rate_between(&narrow, 50, &from, &to).ppm));
    /* It began anew. */
    const kt_clock_info wide = {.period_ns = 50, .valid_bits = 64};
    const kt_clock_pair late = {1000000, 900000000, 1001000};
    assert_true(isnan(doctor_rate_between(&wide, 50, &late, &to).ppm));
    /* The brackets are wider than the time between them. */
    const kt_clock_pair at_once = {1000500, 900000010, 1001700};
    assert_true(isnan(doctor_rate_between(&wide, 50, &late, &at_once).ppm));
}

/* The host lets CLOCK_MONOTONIC run 40 ppm faster: a device that counts it is not to blame. */
static void a_rate_by_the_clock_that_it_is(void **state)
{
    const kt_clock_info clock = {.period_ns = 1, .valid_bits = 64};
    doctor_moment from = {.pair = {1000000, 5000500, 1001000}};
    doctor_moment to = {.pair = {301000000, 305012500, 301001000}};
    from.ahead_ns[KT_HOST_MONOTONIC] = 4000000;
    to.ahead_ns[KT_HOST_MONOTONIC] = 4012000;
    from.error_ns[KT_HOST_MONOTONIC] = to.error_ns[KT_HOST_MONOTONIC] = 100;
    from.error_ns[KT_HOST_BOOTTIME] = -1; /* there is none here */
    kt_clock_pair a = doctor_moment_pair(&from, ""), b = doctor_moment_pair(&to, "");
    EXPECT_NEAR(doctor_rate_between(&clock, 1, &a, &b).ppm, 40, 1e-6);
    a = doctor_moment_pair(&from, "CLOCK_MONOTONIC");
    b = doctor_moment_pair(&to, "CLOCK_MONOTONIC");
    EXPECT_NEAR(doctor_rate_between(&clock, 1, &a, &b).ppm, 0, 1e-6);
    /* Brackets of 1.2 us, and a tick, of 0.3 s. */
    EXPECT_NEAR(doctor_rate_between(&clock, 1, &a, &b).error_ppm, 1201 / 300012000.0 * 1e6, 1e-9);
    a = doctor_moment_pair(&from, "CLOCK_BOOTTIME");
    assert_int_equal(a.host_before_ns, 1000000);
    /* The host's own are what they are: CLOCK_MONOTONIC_RAW is kerntime's. */
    doctor_moment now = {.pair = {1, 2, 3}};
    doctor_moment_read_host(&now);
    assert_int_equal(now.ahead_ns[KT_HOST_MONOTONIC_RAW], 0);
    assert_int_equal(now.error_ns[KT_HOST_MONOTONIC_RAW], 0);
    assert_true(now.error_ns[KT_HOST_REALTIME] > 0);
    assert_true(now.ahead_ns[KT_HOST_REALTIME] > 0);
}

/* Of what needs ticks, or a place, it is silent: what lies here anywhere is no fault. */
static void of_distances_there_is_little_to_find(void **state)
{
    clocks_seen seen = healthy();
    seen.reported = seen.found = (kt_clock_info){
        .method = KT_METHOD_EVENT_PAIR_BLOCKED, .period_ns = NAN, .uncertainty_ns = NAN};
    seen.open_status = seen.pair_status = KT_UNSUPPORTED;
    for (int i = 0; i < COUNT; i++)
        raw[i] = (kt_raw){.has_elapsed = 1, .elapsed_ms = 1};
    EXPECT_TEXT_HAS(judged(&seen, "relation", KT_SEVERITY_NOTE)->seen,
                    "the time between two events, not when they happened");
    assert_int_equal(the("spread")->severity, KT_SEVERITY_GOOD);
    assert_int_equal(found.count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_clock_is_good),
        cmocka_unit_test(a_width),
        cmocka_unit_test(a_counter_that_is_reported_too_wide),
        cmocka_unit_test(a_reset),
        cmocka_unit_test(a_place),
        cmocka_unit_test(a_relation),
        cmocka_unit_test(pairs),
        cmocka_unit_test(a_period),
        cmocka_unit_test(a_drift),
        cmocka_unit_test(a_rate_under_load),
        cmocka_unit_test(a_light_load),
        cmocka_unit_test(a_spread),
        cmocka_unit_test(a_rate_between_moments),
        cmocka_unit_test(a_rate_by_the_clock_that_it_is),
        cmocka_unit_test(of_distances_there_is_little_to_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
