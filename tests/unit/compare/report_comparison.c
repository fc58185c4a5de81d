/* SPDX-License-Identifier: MIT */
/* Reports compared: which times are one row, which are refused and why, and what is said of the
 * whole. What is said of a row by its numbers is tested in compare.c. */
#include "support/device_state.h"
#include "support/fault.h"
#include "tests/unit/collect.h"
#include "tests/unit/documents.h"
#include "tests/unit/json_check.h"
#include "tests/unit/shapes.h"

#include <kerntime/compare.h>
#include <stdio.h>
#include <unistd.h>

/* What is said of the one row of two reports that are destroyed. Lives until the next call. */
static const char *why_of(kt_report *base, kt_report *new, kt_verdict whole)
{
    static char reason[1024];
    kt_report_comparison *comparison = compare(base, new);
    assert_int_equal(kt_report_comparison_count(comparison), 1);
    const kt_series_change *row = kt_report_comparison_row(comparison, 0);
    assert_int_equal(row->reason != NULL, row->change.verdict == KT_VERDICT_NONE);
    assert_int_equal(kt_report_comparison_verdict(comparison), whole);
    snprintf(reason, sizeof reason, "%s", row->reason ? row->reason : "compared");
    return reason;
}

static void expect_refused(const shape *new, const char *reason)
{
    const shape base = make_shape(1e5);
    const char *said = why_of(make_runs(&base, 3), make_runs(new, 3), KT_VERDICT_INCONCLUSIVE);
    assert_string_equal(said, reason);
}

static void expect_compared(const shape *new)
{
    const shape base = make_shape(1e5);
    assert_string_equal(why_of(make_runs(&base, 3), make_runs(new, 3), KT_VERDICT_SAME),
                        "compared");
}

/* ---- what makes times not comparable ---- */

static void other_ways_of_measuring_are_refused(void **state)
{
    shape s = make_shape(1e5);
    s.series.method = KT_METHOD_HOST_WALL;
    expect_refused(&s,
                   "the methods differ: event-profile in the baseline, host-wall in the contender");
    s = make_shape(1e5);
    s.series.trials = 10;
    expect_refused(&s, "the trials differ: 1 in the baseline, 10 in the contender");
    s = make_shape(1e5);
    s.series.cold = 1;
    expect_refused(&s, "the caches differ: warm in the baseline, cold in the contender");
    s = make_shape(1e5);
    s.series.clock = "context";
    expect_refused(&s, "the clocks differ: kernel in the baseline, context in the contender");
    s.series.clock = NULL;
    expect_refused(&s, "the clocks differ: kernel in the baseline, none in the contender");
    s = make_shape(1e5);
    snprintf(s.info.name, sizeof s.info.name, "another device");
    expect_refused(&s,
                   "the devices differ: a device in the baseline, another device in the contender");
    s = make_shape(1e5);
    s.info.compute_units = 0; /* unknown */
    expect_compared(&s);
    s.info.compute_units = 1;
    expect_refused(&s, "the devices differ: 2 compute units in the baseline, 1 in the contender");
}

static void found_numbers_may_differ_by_a_percent(void **state)
{
    shape s = make_shape(1e5);
    s.info.clocks[0].period_ns = 10.09;
    s.limits.resolution_ns = 100.9;
    expect_compared(&s);
    s.info.clocks[0].period_ns = 10.2;
    expect_refused(&s,
                   "the clocks' ticks differ: 10.0 ns in the baseline, 10.2 ns in the contender");
    s.info.clocks[0].period_ns = NAN; /* unknown */
    expect_compared(&s);
    s.limits.resolution_ns = 900; /* below 1 % of the time */
    expect_compared(&s);
    s.limits.resolution_ns = 1100;
    expect_refused(
        &s, "the clock resolutions differ: 100.0 ns in the baseline, 1.100 us in the contender");
    s.limits.resolution_ns = NAN;
    expect_compared(&s);
}

/* The grid is of timestamps, and the host waits. */
static void wall_times_are_of_the_host(void **state)
{
    shape base = make_shape(1e5);
    base.series.kind = KT_SERIES_WALL;
    base.series.step = "wall";
    base.series.method = KT_METHOD_HOST_WALL;
    base.series.clock = NULL;
    shape new = base;
    new.limits.resolution_ns = 1000;
    assert_string_equal(why_of(make_runs(&base, 3), make_runs(&new, 3), KT_VERDICT_SAME),
                        "compared");
    new.origin.cpu = "another";
    assert_string_equal(
        why_of(make_runs(&base, 3), make_runs(&new, 3), KT_VERDICT_INCONCLUSIVE),
        "the hosts' processors differ: a processor in the baseline, another in the contender");
    new.origin.cpu = NULL; /* unknown */
    assert_string_equal(why_of(make_runs(&base, 3), make_runs(&new, 3), KT_VERDICT_SAME),
                        "compared");
    new.origin.clock = "another clock";
    assert_string_equal(
        why_of(make_runs(&base, 3), make_runs(&new, 3), KT_VERDICT_INCONCLUSIVE),
        "the hosts' clocks differ: a clock in the baseline, another clock in the contender");
}

static void the_host_is_the_device_where_that_is_a_cpu(void **state)
{
    shape s = make_shape(1e5);
    s.origin.cpu = "another"; /* which does nothing for the device's own time */
    s.origin.clock = "another clock";
    expect_compared(&s);
    shape base = make_shape(1e5);
    base.info.type = s.info.type = KT_DEVICE_CPU;
    assert_string_equal(
        why_of(make_runs(&base, 3), make_runs(&s, 3), KT_VERDICT_INCONCLUSIVE),
        "the hosts' processors differ: a processor in the baseline, another in the contender");
}

static void another_driver_is_what_one_compares(void **state)
{
    shape s = make_shape(1e5);
    snprintf(s.info.driver, sizeof s.info.driver, "a newer driver");
    expect_compared(&s);
}

static void runs_of_a_side_must_be_alike(void **state)
{
    shape s = make_shape(1e5);
    kt_report *base = make_runs(&s, 2);
    s.series.trials = 2;
    s.series.summary.median *= 1.001;
    add(base, &s, 2);
    s = make_shape(1.001e5);
    assert_string_equal(why_of(base, make_runs(&s, 2), KT_VERDICT_INCONCLUSIVE),
                        "the trials differ within the baseline: 1 and 2");
    kt_report *new = make_runs(&s, 2);
    add(new, &s, 1);
    s = make_shape(1e5);
    assert_string_equal(why_of(make_runs(&s, 2), new, KT_VERDICT_INCONCLUSIVE),
                        "a run of the contender has it twice");
}

/* ---- what the device did otherwise ---- */

static shape make_watched(double clock_mhz)
{
    shape s = make_shape(1e5);
    s.series.state = (kt_state_summary){.readings = 9,
                                        .core_clock_mhz = clock_mhz,
                                        .core_clock_low_mhz = clock_mhz - 10,
                                        .core_clock_high_mhz = clock_mhz + 10,
                                        .memory_clock_mhz = 5001,
                                        .temperature_c = NAN,
                                        .power_w = NAN};
    return s;
}

static const char *state_change_of(kt_report *base, kt_report *new)
{
    const kt_series_change *row = kt_report_comparison_row(compare(base, new), 0);
    assert_null(row->reason);
    assert_int_equal(row->change.verdict, KT_VERDICT_SAME);
    return row->state_change ? row->state_change : "nothing";
}

static const char *state_change_to(const shape *new)
{
    const shape base = make_watched(1410);
    return state_change_of(make_runs(&base, 3), make_runs(new, 3));
}

static void other_clocks_are_named(void **state)
{
    shape s = make_watched(1200);
    assert_string_equal(state_change_to(&s), "core clock 1410 -> 1200 MHz (-15 %)");
    s.series.state.core_clock_high_mhz = 1400; /* the baseline's lowest */
    assert_string_equal(state_change_to(&s), "nothing");
    s.series.state.core_clock_high_mhz = 1399;
    assert_string_equal(state_change_to(&s), "core clock 1410 -> 1200 MHz (-15 %)");
    s.series.state.core_clock_high_mhz = s.series.state.core_clock_low_mhz = NAN; /* unknown */
    assert_string_equal(state_change_to(&s), "core clock 1410 -> 1200 MHz (-15 %)");
    s = make_watched(1438); /* 2 % above, beyond the range */
    s.series.state.core_clock_low_mhz = 1430;
    assert_string_equal(state_change_to(&s), "nothing");
    s.series.state.core_clock_mhz = 1439;
    assert_string_equal(state_change_to(&s), "core clock 1410 -> 1439 MHz (+2.1 %)");
    s = make_watched(1410);
    s.series.state.memory_clock_mhz = 4000;
    assert_string_equal(state_change_to(&s), "memory clock 5001 -> 4000 MHz (-20 %)");
    s = make_watched(1200);
    s.series.state.readings = 0;
    assert_string_equal(state_change_to(&s), "nothing");
}

/* A run at the baseline's clock shows that the contender's clock varies. */
static void clocks_are_those_of_all_runs(void **state)
{
    const shape base = make_watched(1410), slow = make_watched(1200);
    kt_report *new = make_runs(&slow, 2);
    assert_string_equal(state_change_of(make_runs(&base, 3), new),
                        "core clock 1410 -> 1200 MHz (-15 %)");
    add(new, &base, 2);
    assert_string_equal(state_change_of(make_runs(&base, 3), new), "nothing");
}

static kt_report *make_limited(double limit_w)
{
    const shape s = make_watched(1410);
    kt_report *report = make_runs(&s, 3);
    kt_device_state device;
    kt_state_clear(&device);
    snprintf(device.source, sizeof device.source, "NVML");
    kt_state_set(&device, KT_STATE_POWER_LIMIT, limit_w);
    EXPECT_OK(kt_report_set_device_state(report, s.info.id, &device));
    return report;
}

static void other_power_limits_are_named(void **state)
{
    const shape s = make_watched(1410);
    assert_string_equal(state_change_of(make_limited(400), make_limited(300)),
                        "power limit 400 -> 300 W (-25 %)");
    assert_string_equal(state_change_of(make_limited(400), make_limited(404)), "nothing");
    assert_string_equal(state_change_of(make_limited(400), make_runs(&s, 3)), "nothing");
}

static void throttling_of_one_side_is_named(void **state)
{
    shape s = make_watched(1410), unknown = make_shape(1e5);
    s.series.state.throttle = KT_THROTTLE_IDLE | KT_THROTTLE_SETTING; /* no throttling */
    assert_string_equal(state_change_to(&s), "nothing");
    s.series.state.throttle = KT_THROTTLE_IDLE | KT_THROTTLE_POWER_CAP | KT_THROTTLE_THERMAL;
    assert_string_equal(state_change_to(&s), "throttled in the contender (power cap, thermal)");
    assert_string_equal(state_change_of(make_runs(&s, 3), make_runs(&s, 3)), "nothing");
    assert_string_equal(state_change_of(make_runs(&unknown, 3), make_runs(&s, 3)), "nothing");
    shape slow = make_watched(1200);
    slow.series.state.kept_throttled = 7; /* by its clock alone, without a reason */
    const shape usual = make_watched(1410);
    assert_string_equal(state_change_of(make_runs(&slow, 3), make_runs(&usual, 3)),
                        "core clock 1200 -> 1410 MHz (+18 %); throttled in the baseline");
}

/* ---- rows without a time ---- */

static kt_report *make_missing(kt_series_status status, const char *error, uint32_t runs)
{
    shape s = make_shape(NAN);
    s.series.status = status;
    s.series.error = error;
    kt_report *report = make_report(&s);
    for (uint32_t run = 0; run < runs; run++)
        add(report, &s, run);
    return report;
}

static void rows_without_a_time_say_why(void **state)
{
    const shape s = make_shape(1e5);
    assert_string_equal(why_of(make_runs(&s, 2), make_missing(KT_SERIES_FAILED, "wrong output", 2),
                               KT_VERDICT_INCONCLUSIVE),
                        "failed in the contender: wrong output");
    assert_string_equal(why_of(make_missing(KT_SERIES_BELOW_MIN_SPAN, NULL, 2), make_runs(&s, 2),
                               KT_VERDICT_INCONCLUSIVE),
                        "below_min_span in the baseline: shorter than its clock resolves");
    assert_string_equal(
        why_of(make_missing(KT_SERIES_OK, NULL, 1), make_runs(&s, 2), KT_VERDICT_INCONCLUSIVE),
        "no time above 0 in the baseline");
    assert_string_equal(why_of(make_missing(KT_SERIES_NOT_POSSIBLE, "too large", 1),
                               make_missing(KT_SERIES_NOT_POSSIBLE, "too large", 3),
                               KT_VERDICT_INCONCLUSIVE), /* for nothing was compared */
                        "not_possible in both: too large");
    assert_string_equal(why_of(make_missing(KT_SERIES_FAILED, NULL, 1),
                               make_missing(KT_SERIES_NOT_POSSIBLE, "too large", 1),
                               KT_VERDICT_INCONCLUSIVE),
                        "failed in the baseline; not_possible in the contender: too large");
}

static void what_neither_side_has_decides_nothing(void **state)
{
    shape s = make_shape(1e5), lacking = make_shape(NAN);
    kt_report *base = make_runs(&s, 3), *new = make_runs(&s, 3);
    lacking.series.name = "work/9";
    lacking.series.status = KT_SERIES_NOT_POSSIBLE;
    add(base, &lacking, 0);
    add(new, &lacking, 0);
    kt_report_comparison *comparison = compare(base, new);
    assert_int_equal(kt_report_comparison_count(comparison), 2);
    assert_int_equal(kt_report_comparison_common_mode(comparison)->rows, 1);
    assert_int_equal(kt_report_comparison_verdict(comparison), KT_VERDICT_SAME);
}

/* Four runs with a time and one without; then two and two. */
static void some_runs_may_lack_it(void **state)
{
    const shape s = make_shape(1e5);
    shape failed = make_shape(NAN), below = make_shape(NAN);
    failed.series.status = KT_SERIES_FAILED;
    below.series.status = KT_SERIES_BELOW_MIN_SPAN;
    kt_report *base = make_runs(&s, 4), *new = make_runs(&s, 4);
    add(base, &failed, 4);
    add(new, &below, 4);
    kt_report_comparison *comparison = compare(base, new);
    const kt_change *change = &kt_report_comparison_row(comparison, 0)->change;
    assert_int_equal(change->baseline_runs, 4);
    assert_int_equal(change->contender_runs, 4);
    add(new, &below, 5);
    add(new, &below, 6);
    add(new, &below, 7);
    assert_string_equal(why_of(base, new, KT_VERDICT_INCONCLUSIVE),
                        "below_min_span in the contender: shorter than its clock resolves");
}

/* ---- which times are one row ---- */

/* The rows of a comparison, one a line: "name variant device step why". */
static const char *list(const kt_report_comparison *comparison)
{
    static char text[4096];
    int used = 0;
    for (uint32_t i = 0; i < kt_report_comparison_count(comparison); i++) {
        const kt_series_change *row = kt_report_comparison_row(comparison, i);
        const kt_series *s = row->baseline_series ? row->baseline_series : row->contender_series;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %s %s %s\n", s->name,
                         s->variant ? s->variant : "-", s->device, s->step,
                         row->reason ? row->reason : "-");
    }
    assert_null(kt_report_comparison_row(comparison, kt_report_comparison_count(comparison)));
    return text;
}

static void rows_match_by_all_that_names_them(void **state)
{
    static const kt_param first[] = {{"size", 8}, {"width", 2}},
                          second[] = {{"size", 8}, {"width", 3}};
    shape s = make_shape(1e5);
    kt_report *base = make_report(&s), *new = make_report(&s);
    add(base, &s, 0);
    s.series.variant = "tiled";
    add(new, &s, 0); /* before what the baseline begins with: the order is the baseline's */
    add(base, &s, 0);
    s.series.variant = NULL;
    add(new, &s, 0);
    s.series.step = "wall"; /* a kernel of that name, and the wall time */
    add(base, &s, 0);
    s.series.kind = KT_SERIES_WALL;
    add(new, &s, 0);
    s = make_shape(1e5);
    s.series.params = first;
    s.series.param_count = 2;
    add(base, &s, 0);
    s.series.params = second;
    add(new, &s, 0);
    kt_report_comparison *comparison = compare(base, new);
    assert_string_equal(list(comparison), "work/8 - opencl:0 work -\n"
                                          "work/8 tiled opencl:0 work -\n"
                                          "work/8 - opencl:0 wall only in the baseline\n"
                                          "work/8 - opencl:0 work only in the baseline\n"
                                          "work/8 - opencl:0 wall only in the contender\n"
                                          "work/8 - opencl:0 work only in the contender\n");
}

static void times_that_are_left_over_are_no_rows(void **state)
{
    static const char *const steps[] = {"work", "total", "gaps", "span"};
    static const struct {
        kt_timing timing;
        const char *rows;
    } cases[] = {{KT_TIMING_BOTH, "work/8 - opencl:0 work -\n"
                                  "work/8 - opencl:0 total -\n"
                                  "work/8 - opencl:0 span -\n"
                                  "work/8 - opencl:0 wall -\n"},
                 {KT_TIMING_DEVICE, "work/8 - opencl:0 work -\n"
                                    "work/8 - opencl:0 total -\n"
                                    "work/8 - opencl:0 span -\n"},
                 {KT_TIMING_WALL, "work/8 - opencl:0 wall -\n"}};
    shape s = make_shape(1e5);
    kt_report *report = make_report(&s);
    for (int i = 0; i < 4; i++) {
        s.series.step = steps[i];
        add(report, &s, 0);
    }
    s.series.kind = KT_SERIES_WALL;
    s.series.step = "wall";
    add(report, &s, 0);
    s.series.step = "wall_timestamped";
    add(report, &s, 0);
    const kt_report *side = report;
    for (int i = 0; i < 3; i++) {
        kt_report_comparison *comparison = compare_all(&side, 1, &side, 1, cases[i].timing);
        assert_string_equal(list(comparison), cases[i].rows);
    }
}

/* Rows of a job on a device vary together: they are one group, wherever they stand. */
static void rows_of_a_job_are_one_group(void **state)
{
    static const char *const names[] = {"work/8", "work/9"}, *const steps[] = {"a", "b"};
    static const char *const variants[] = {NULL, "tiled"};
    kt_report *reports[2];
    for (int side = 0; side < 2; side++) {
        shape s = make_shape(1e5 + side);
        reports[side] = make_report(&s);
        for (int i = 0; i < 8; i++) {
            s.series.name = names[i % 2];
            s.series.variant = variants[i / 2 % 2];
            s.series.step = steps[i / 4];
            add(reports[side], &s, 0);
        }
    }
    kt_report_comparison *comparison = compare(reports[0], reports[1]);
    assert_int_equal(kt_report_comparison_common_mode(comparison)->rows, 8);
    assert_int_equal(kt_report_comparison_common_mode(comparison)->groups, 4);
    kt_compare_outlook of;
    kt_report_comparison_outlook(comparison, &of);
    assert_int_equal(of.inconclusive, 8);
    assert_int_equal(of.decided + of.noisy, 8);
}

static shape make_simulated(const char *id)
{
    shape s = make_shape(1e5);
    snprintf(s.info.id, sizeof s.info.id, "%s", id);
    s.info.type = KT_DEVICE_SIMULATED;
    s.series.device = id;
    s.series.method = KT_METHOD_SIMULATED;
    return s;
}

static void scenarios_are_what_changed(void **state)
{
    const shape usual = make_simulated("sim:0:seed=1"), other = make_simulated("sim:0:seed=2"),
                second = make_simulated("sim:1:seed=1");
    kt_report *base = make_report(&usual), *new = make_report(&other), *both = make_report(&usual);
    add(base, &usual, 0);
    add(new, &other, 0);
    kt_report_comparison *comparison = compare(base, new);
    assert_string_equal(list(comparison), "work/8 - sim:0:seed=1 work -\n");
    /* Another number is another device. */
    EXPECT_OK(kt_report_add_device(new, &second.info, &second.limits));
    add(new, &second, 0);
    comparison = compare(base, new);
    assert_string_equal(list(comparison), "work/8 - sim:0:seed=1 work -\n"
                                          "work/8 - sim:1:seed=1 work only in the contender\n");
    /* Where a report has both scenarios, they are two devices. */
    EXPECT_OK(kt_report_add_device(both, &other.info, &other.limits));
    add(both, &usual, 0);
    add(both, &other, 0);
    comparison = compare(both, base);
    assert_string_equal(list(comparison), "work/8 - sim:0:seed=1 work -\n"
                                          "work/8 - sim:0:seed=2 work only in the baseline\n");
}

static void runs_of_several_reports_are_runs_of_a_side(void **state)
{
    const shape s = make_shape(1e5);
    const shape later = make_shape(1e5 + 6), changed = make_shape(1e5 + 1);
    kt_report *one = make_runs(&s, 1), *two = make_runs(&later, 2), *three = make_runs(&changed, 3);
    const kt_report *base[] = {one, two}, *new[] = {three};
    kt_report_comparison *comparison = compare_all(base, 2, new, 1, KT_TIMING_BOTH);
    const kt_series_change *row = kt_report_comparison_row(comparison, 0);
    assert_int_equal(row->change.baseline_runs, 3);
    assert_int_equal(row->change.contender_runs, 3);
    assert_ptr_equal(row->baseline_series, kt_report_series(one, 0));
    assert_ptr_equal(row->contender_series, kt_report_series(three, 0));
    /* Means of 1e5, 1e5 + 6 and the latter's 1.0001 times, and of 1e5 + 1 and its 1.0001 and 1.0002
     * times. */
    EXPECT_NEAR(row->change.baseline_ns, 1e5 + (6 + 6 + 10.0006) / 3, 1e-9);
    EXPECT_NEAR(row->change.contender_ns, 1e5 + 11.0001, 1e-9);
    EXPECT_NEAR(row->change.shift, row->change.contender_ns / row->change.baseline_ns - 1, 1e-12);
}

static kt_report *make_equal(double ns)
{
    const shape s = make_shape(1);
    const double samples_ns[] = {ns, ns, ns};
    double scratch[3];
    kt_series series = s.series;
    series.samples_ns = samples_ns;
    kt_summarize(samples_ns, 3, 0, scratch, &series.summary);
    kt_report *report = make_report(&s);
    EXPECT_OK(kt_report_add_series(report, &series));
    return report;
}

/* Whose ratio no number holds. */
static void times_too_far_apart_say_so(void **state)
{
    static const char *const reason = "the times are further apart than a number can tell";
    assert_string_equal(why_of(make_equal(1e-300), make_equal(1e308), KT_VERDICT_INCONCLUSIVE),
                        reason);
    assert_string_equal(why_of(make_equal(1e308), make_equal(1e-300), KT_VERDICT_INCONCLUSIVE),
                        reason);
}

/* ---- the whole ---- */

/* The verdict of two rows, of which each is changed by so much. */
static kt_verdict whole_of(double first, double second)
{
    shape s = make_shape(1e5), other = make_shape(2e5);
    other.series.name = "work/9";
    kt_report *reports[2];
    for (int side = 0; side < 2; side++) {
        shape shapes[] = {s, other};
        shapes[0].series.summary.median *= 1 + side * first;
        shapes[1].series.summary.median *= 1 + side * second;
        reports[side] = make_runs(&shapes[0], 5);
        for (uint32_t run = 0; run < 5; run++)
            add(reports[side], &shapes[1], run);
    }
    kt_report_comparison *comparison = compare(reports[0], reports[1]);
    kt_verdict verdict = kt_report_comparison_verdict(comparison);
    return verdict;
}

/* A time that vanished does not pass; a new one does. */
static void what_vanished_is_not_fine(void **state)
{
    const shape s = make_shape(1e5);
    shape other = make_shape(2e5), failed = make_shape(NAN);
    other.series.name = failed.series.name = "work/9";
    failed.series.status = KT_SERIES_FAILED;
    kt_report *few = make_runs(&s, 5), *more = make_runs(&s, 5), *lacking = make_runs(&s, 5);
    for (uint32_t run = 0; run < 5; run++) {
        add(more, &other, run);
        add(lacking, &failed, run);
    }
    kt_report *const sides[][2] = {{few, more}, {more, few}, {lacking, few}};
    static const kt_verdict wanted[] = {KT_VERDICT_SAME, KT_VERDICT_INCONCLUSIVE, KT_VERDICT_SAME};
    for (int i = 0; i < 3; i++) {
        kt_report_comparison *comparison = compare(sides[i][0], sides[i][1]);
        assert_int_equal(kt_report_comparison_verdict(comparison), wanted[i]);
    }
}

static void one_row_decides_for_all(void **state)
{
    assert_int_equal(whole_of(0, 0), KT_VERDICT_SAME);
    assert_int_equal(whole_of(0, -0.05), KT_VERDICT_FASTER);
    assert_int_equal(whole_of(0.05, -0.05), KT_VERDICT_SLOWER);
    assert_int_equal(whole_of(0.05, 0), KT_VERDICT_SLOWER);
}

/* ---- misuse, bytes, failures ---- */

static void wrong_calls_are_reported(void **state)
{
    const shape s = make_shape(1e5);
    kt_report *report = make_runs(&s, 1);
    const kt_report *reports = report;
    const kt_compare_side side = {.reports = &reports, .count = 1}, none = {0};
    kt_compare_options options = {.size = sizeof options, .alpha = 0.6};
    kt_report_comparison *comparison = NULL;
    EXPECT_STATUS(kt_report_compare(&none, &side, NULL, NULL, &comparison), KT_INVALID);
    EXPECT_STATUS(kt_report_compare(&side, &none, NULL, NULL, &comparison), KT_INVALID);
    EXPECT_STATUS(kt_report_compare(&side, NULL, NULL, NULL, &comparison), KT_INVALID);
    EXPECT_STATUS(kt_report_compare(&side, &side, &options, NULL, &comparison), KT_INVALID);
    options = (kt_compare_options){.size = sizeof options, .timing = (kt_timing)3};
    EXPECT_STATUS(kt_report_compare(&side, &side, &options, NULL, &comparison), KT_INVALID);
    options = (kt_compare_options){0};
    EXPECT_STATUS(kt_report_compare(&side, &side, &options, NULL, &comparison), KT_INVALID);
    assert_null(comparison);
    EXPECT_OK(kt_report_compare(&side, &side, NULL, NULL, &comparison));
    const kt_sink sink = {.write = collect};
    output_bytes = 0;
    EXPECT_STATUS(kt_report_comparison_write(comparison, KT_FORMAT_CSV, &sink), KT_INVALID);
    assert_int_equal(output_bytes, 0);
    kt_report_comparison_destroy(&comparison);
    assert_null(comparison);
    kt_report_comparison_destroy(&comparison);
}

/* Of names that nobody should choose, every byte is JSON. */
static void nasty_names_are_json(void **state)
{
    kt_report *report = NULL;
    nasty_document n;
    make_nasty(&n);
    EXPECT_OK(kt_report_create(&report, NULL));
    for (int i = 0; i < NASTY_COUNT; i++) {
        kt_report_add_device(report, &n.devices[i].info, NULL);
        kt_series series = n.series[i];
        series.status = KT_SERIES_FAILED;
        EXPECT_OK(kt_report_add_series(report, &series));
    }
    const kt_report *reports = report;
    const kt_compare_side side = {.reports = &reports, .names = nasty, .count = 1};
    const kt_report_desc desc = {
        .size = sizeof desc, .command = nasty, .command_count = NASTY_COUNT};
    kt_report_comparison *comparison = NULL;
    EXPECT_OK(kt_report_compare(&side, &side, NULL, &desc, &comparison));
    const kt_sink sink = {.write = collect};
    output_bytes = 0;
    EXPECT_OK(kt_report_comparison_write(comparison, KT_FORMAT_JSON, &sink));
    if (!json_check(output, output_bytes, NULL, NULL))
        fail_msg("not JSON: %s", output);
    kt_report_comparison_destroy(&comparison);
    kt_report_destroy(&report);
}

#define FILE_NAME "unit_report_comparison.out"

static kt_status compare_and_write(const kt_report *base, const kt_report *new)
{
    static const char *const names[] = {"a file"};
    static const kt_format formats[] = {KT_FORMAT_TABLE, KT_FORMAT_MARKDOWN, KT_FORMAT_JSON};
    const kt_compare_side sides[] = {{&base, names, 1}, {&new, names, 1}};
    kt_report_comparison *comparison = NULL;
    kt_status status = kt_report_compare(&sides[0], &sides[1], NULL, NULL, &comparison);
    assert_int_equal(status == KT_OK, comparison != NULL);
    for (size_t i = 0; i < 3 && status == KT_OK; i++)
        status = kt_report_comparison_write_file(comparison, formats[i], FILE_NAME);
    kt_report_comparison_destroy(&comparison);
    return status;
}

/* Each allocation and each write fails once: one error, no leak, never half a file. */
static void whatever_fails_is_one_error(void **state)
{
#if KT_FAULTS
    shape s = make_shape(1e5), failed = make_shape(NAN);
    failed.series.name = "work/9";
    failed.series.status = KT_SERIES_FAILED;
    kt_report *base = make_runs(&s, 3);
    s.series.summary.median += 7;
    kt_report *new = make_runs(&s, 3);
    add(base, &failed, 0);
    s.series.name = "work/9";
    add(new, &s, 0);
    for (int kind = KT_FAULT_ALLOC; kind <= KT_FAULT_WRITE; kind++) {
        uint64_t nth = 0;
        bool fired = true;
        while (fired) {
            unlink(FILE_NAME);
            kt_fault_set((kt_fault_kind)kind, ++nth);
            kt_status status = compare_and_write(base, new);
            fired = kt_fault_fired((kt_fault_kind)kind) != NULL;
            kt_fault_set((kt_fault_kind)kind, 0);
            kt_status expected = kind == KT_FAULT_ALLOC ? KT_NO_MEMORY : KT_IO_ERROR;
            EXPECT_STATUS(status, fired ? expected : KT_OK);
        }
        assert_true(nth > 3);
    }
    unlink(FILE_NAME);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(other_ways_of_measuring_are_refused, forget_shapes),
        cmocka_unit_test_teardown(found_numbers_may_differ_by_a_percent, forget_shapes),
        cmocka_unit_test_teardown(wall_times_are_of_the_host, forget_shapes),
        cmocka_unit_test_teardown(the_host_is_the_device_where_that_is_a_cpu, forget_shapes),
        cmocka_unit_test_teardown(another_driver_is_what_one_compares, forget_shapes),
        cmocka_unit_test_teardown(runs_of_a_side_must_be_alike, forget_shapes),
        cmocka_unit_test_teardown(other_clocks_are_named, forget_shapes),
        cmocka_unit_test_teardown(clocks_are_those_of_all_runs, forget_shapes),
        cmocka_unit_test_teardown(other_power_limits_are_named, forget_shapes),
        cmocka_unit_test_teardown(throttling_of_one_side_is_named, forget_shapes),
        cmocka_unit_test_teardown(rows_without_a_time_say_why, forget_shapes),
        cmocka_unit_test_teardown(what_neither_side_has_decides_nothing, forget_shapes),
        cmocka_unit_test_teardown(some_runs_may_lack_it, forget_shapes),
        cmocka_unit_test_teardown(rows_match_by_all_that_names_them, forget_shapes),
        cmocka_unit_test_teardown(times_that_are_left_over_are_no_rows, forget_shapes),
        cmocka_unit_test_teardown(rows_of_a_job_are_one_group, forget_shapes),
        cmocka_unit_test_teardown(scenarios_are_what_changed, forget_shapes),
        cmocka_unit_test_teardown(runs_of_several_reports_are_runs_of_a_side, forget_shapes),
        cmocka_unit_test_teardown(times_too_far_apart_say_so, forget_shapes),
        cmocka_unit_test_teardown(one_row_decides_for_all, forget_shapes),
        cmocka_unit_test_teardown(what_vanished_is_not_fine, forget_shapes),
        cmocka_unit_test_teardown(wrong_calls_are_reported, forget_shapes),
        cmocka_unit_test_teardown(nasty_names_are_json, forget_shapes),
        cmocka_unit_test_teardown(whatever_fails_is_one_error, forget_shapes),
    };
    return cmocka_run_group_tests_name("report_comparison", tests, NULL, NULL);
}
