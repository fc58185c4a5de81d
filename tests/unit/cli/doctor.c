/* SPDX-License-Identifier: MIT */
/* What the checks of `doctor` make of their numbers. */
#include "cli/doctor/doctor.h"
#include "cli/doctor/host.h"
#include "cli/doctor/shortest.h"
#include "tests/unit/testing.h"

static void expect_shortest(doctor_shortest found, shortest_by by, double ns)
{
    assert_int_equal(found.by, by);
    EXPECT_NUMBER(found.ns, ns);
}

static void a_tenth_exceeds_step_and_both_intervals(void **state)
{
    kt_timer_limits limits = {
        .resolution_ns = 4, .min_span_ns = 100, .overhead_ns = 7000, .trusted = 1};
    /* The tenth of what is above the floor: a step, and 12 of each median. */
    expect_shortest(doctor_judge_shortest(&limits, false, 12, 1e6), SHORTEST_BY_TIMESTAMPS, 380);
    expect_shortest(doctor_judge_shortest(&limits, false, 0, NAN), SHORTEST_BY_TIMESTAMPS, 140);
    limits.min_span_ns = NAN; /* no step of the clock within an empty step */
    expect_shortest(doctor_judge_shortest(&limits, false, 0, NAN), SHORTEST_BY_TIMESTAMPS, 40);
}

/* Else bench would call the very kernel that it names "< floor". */
static void it_is_above_the_min_span_by_its_interval(void **state)
{
    for (double min_span_ns = 1; min_span_ns < 1e7; min_span_ns *= 10)
        for (double jitter_ns = 0; jitter_ns < 1e6; jitter_ns = 10 * jitter_ns + 1) {
            const kt_timer_limits limits = {
                .resolution_ns = 1, .min_span_ns = min_span_ns, .trusted = 1};
            double ns = doctor_judge_shortest(&limits, false, jitter_ns, NAN).ns;
            assert_true(ns - jitter_ns > min_span_ns);
        }
}

static void without_device_time_by_the_host(void **state)
{
    const kt_timer_limits fake = {.resolution_ns = NAN, .min_span_ns = NAN, .overhead_ns = 7000};
    const kt_timer_limits wrong = {
        .resolution_ns = 4, .min_span_ns = 100, .overhead_ns = 7000, .trusted = 1};
    /* A step of the host's clock, 320 of each median, and 70 of the 7 us. */
    expect_shortest(doctor_judge_shortest(&fake, false, NAN, 320), SHORTEST_BY_HOST, 7110);
    expect_shortest(doctor_judge_shortest(&fake, false, 1, 320), SHORTEST_BY_HOST, 7110);
    expect_shortest(doctor_judge_shortest(&wrong, true, 1, 320), SHORTEST_BY_HOST, 7110);
    /* A clock that seems to be without any noise ranks nothing of 0 ns. */
    expect_shortest(doctor_judge_shortest(&fake, false, NAN, 0), SHORTEST_BY_HOST, 710);
}

static void what_is_not_known_is_no_number(void **state)
{
    const kt_timer_limits fake = {.resolution_ns = NAN, .min_span_ns = NAN, .overhead_ns = 7000};
    kt_timer_limits limits = {
        .resolution_ns = 4, .min_span_ns = 100, .overhead_ns = 7000, .trusted = 1};
    expect_shortest(doctor_judge_shortest(&fake, false, NAN, NAN), SHORTEST_NO_MEASURE, NAN);
    expect_shortest(doctor_judge_shortest(&limits, true, 1, NAN), SHORTEST_NO_MEASURE, NAN);
    expect_shortest(doctor_judge_shortest(NULL, false, NAN, 320), SHORTEST_NO_MEASURE, NAN);
    /* The host's clock would do, but nobody ranks by it where there is device time. */
    expect_shortest(doctor_judge_shortest(&limits, false, NAN, 320), SHORTEST_NO_JITTER, NAN);
    limits.resolution_ns = NAN;
    expect_shortest(doctor_judge_shortest(&limits, false, 1, 320), SHORTEST_NO_JITTER, NAN);
}

/* A fault of some checks takes the ranking to the host's clock, of others it is only named. */
static void faults_of_device_times(void **state)
{
    static const struct {
        const char *check;
        bool of_times;
    } rows[] = {{"states", true},    {"order", true},        {"width", true},  {"reset", true},
                {"placement", true}, {"drift", true},        {"rate", true},   {"agreement", true},
                {"steps", false},    {"calibration", false}, {"loops", false}, {"results", false}};
    static const kt_device_info info = {.id = "sim:0"};
    static const kt_report_desc desc = {.size = sizeof desc, .document = "doctor"};
    kt_report *report = NULL;
    EXPECT_OK(kt_report_create(&report, &desc));
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        doctor d = {.info = &info, .report = report};
        doctor_diagnostic f = doctor_begin(rows[i].check, KT_SEVERITY_FAULT);
        doctor_seen(&f, "something");
        doctor_means(&f, "something");
        EXPECT_OK(doctor_add(&d, &f));
        if ((d.timestamp_fault != NULL) != rows[i].of_times)
            fail_msg("a fault of %s", rows[i].check);
        assert_true((d.other_fault != NULL) != rows[i].of_times);
    }
    kt_report_destroy(&report);
}

static void it_has_two_digits(void **state)
{
    static const struct {
        double ns;
        const char *text;
    } rows[] = {{10, "10 ns"},      {9.91, "10 ns"},  {1.01, "1.1 ns"},  {101, "110 ns"},
                {991, "1.0 us"},    {4739, "4.8 us"}, {57e3, "57 us"},   {57.01e3, "58 us"},
                {7.84e5, "790 us"}, {1e6, "1.0 ms"},  {3.21e9, "3.3 s"}, {0.91, "1.0 ns"}};
    char text[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(doctor_format_shortest(text, rows[i].ns), rows[i].text);
}

/* Two readings a second apart, with `busy` cores of four busy in all, one of them with us. */
static doctor_background background(double busy, double load)
{
    const kt_host_state before = {
        .at_ns = 0, .busy_ns = 5e9, .own_ns = 1e9, .cores = 4, .load = load};
    kt_host_state after = before;
    after.at_ns = 1000000000;
    after.busy_ns += busy * 1e9;
    after.own_ns += 1e9;
    after.load = 9;
    return doctor_judge_background(&before, &after);
}

static void the_clock_of_scopes(void **state)
{
    kt_cycles_info clock = {.name = "tsc",
                            .counter = 1,
                            .reason = "invariant, and clock source of the kernel",
                            .period_ns = 0.5,
                            .period_uncertainty_ns = 1e-6,
                            .uncertainty_ns = 20,
                            .cores = 8,
                            .cores_checked = 8,
                            .cores_apart_ns = 150};
    doctor_diagnostic f = doctor_judge_scope_clock(&clock);
    assert_int_equal(f.severity, KT_SEVERITY_GOOD);
    assert_string_equal(f.seen, "scopes read tsc, tick 0.5 ns within 2 ppm, 8 of 8 cores within "
                                "150.0 ns: invariant, and clock source of the kernel");
    assert_int_equal(f.value_count, 4);
    clock.cores_apart_ns = NAN;
    f = doctor_judge_scope_clock(&clock);
    EXPECT_TEXT_HAS(f.seen, "cores not compared");
    clock = (kt_cycles_info){.name = "CLOCK_MONOTONIC_RAW", .reason = "KERNTIME_CLOCK is os"};
    f = doctor_judge_scope_clock(&clock);
    assert_int_equal(f.severity, KT_SEVERITY_NOTE);
    assert_string_equal(f.seen, "scopes read CLOCK_MONOTONIC_RAW: KERNTIME_CLOCK is os");
    assert_true(f.means[0]);
    assert_int_equal(f.value_count, 0);
}

static void others_count_from_a_tenth_of_all_cores_on(void **state)
{
    assert_false(background(1, NAN).busy);
    assert_false(background(1.3, 9).busy);
    assert_true(background(1.5, NAN).busy);
    EXPECT_NEAR(background(1.5, NAN).others, 0.5, 1e-9);
    /* Where the system does not count, the load average before tells. */
    assert_true(background(NAN, 0.5).busy);
    assert_false(background(NAN, 0.4).busy);
    assert_false(background(NAN, NAN).busy);
    EXPECT_NUMBER(background(NAN, 0.4).others, NAN);
}

static void governors_that_hold(void **state)
{
    assert_true(doctor_governor_holds("performance"));
    assert_false(doctor_governor_holds("powersave"));
    assert_false(doctor_governor_holds("ondemand"));
    assert_false(doctor_governor_holds("schedutil"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tenth_exceeds_step_and_both_intervals),
        cmocka_unit_test(it_is_above_the_min_span_by_its_interval),
        cmocka_unit_test(faults_of_device_times),
        cmocka_unit_test(it_has_two_digits),
        cmocka_unit_test(without_device_time_by_the_host),
        cmocka_unit_test(what_is_not_known_is_no_number),
        cmocka_unit_test(the_clock_of_scopes),
        cmocka_unit_test(others_count_from_a_tenth_of_all_cores_on),
        cmocka_unit_test(governors_that_hold),
    };
    return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
