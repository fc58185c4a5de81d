/* SPDX-License-Identifier: MIT */
/* Clocks that are followed: every timestamp of a simulated device is placed, and compared with what its
 * scenario says; and what is found of clocks that tell little. */
#include "tests/unit/rig.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT 150

/* ---- what is true of a simulated device ---- */

typedef struct shape {
    const char *scenario;
    double period_ns, drift_ppm;
    int bits;
    uint64_t start;
    double
        uncertainty_max_ns; /* of the median timestamp, once the clock was followed for a while */
} shape;

/* How many ns the counter takes for a tick and for a turn, by the host's clock. */
static double tick_ns(const shape *s)
{
    return s->period_ns / (1 + s->drift_ppm * 1e-6);
}

/* The host's moment of a tick's beginning: the one within its submission, which is far shorter than
 * a turn. */
static double true_ns(const shape *s, uint64_t ticks, int64_t within_ns)
{
    uint64_t mask = s->bits == 64 ? UINT64_MAX : (UINT64_C(1) << s->bits) - 1;
    double host_ns = (double)((ticks - s->start) & mask) * tick_ns(s);
    double turn_ns = ldexp(tick_ns(s), s->bits);
    return host_ns + turn_ns * round(((double)within_ns - host_ns) / turn_ns);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Places both timestamps of all samples. Returns the median of the uncertainties. */
static double check_timestamps(const kt_clock *clock, const shape *s, const kt_series *series)
{
    static double uncertainties_ns[2 * COUNT];
    uint32_t outside = 0;
    assert_int_equal(series->raw_count, COUNT);
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        const kt_raw *raw = &series->raw[i / 2];
        uint64_t ticks = i % 2 ? raw->end_ticks : raw->start_ticks;
        int64_t host_ns = 0;
        assert_int_equal(raw->state, KT_TIMESTAMP_OK);
        EXPECT_OK(kt_clock_to_host(clock, ticks, &host_ns, &uncertainties_ns[i]));
        /* The device read its counter at some moment of that tick. */
        double from_ns = true_ns(s, ticks, raw->host_before_ns), to_ns = from_ns + tick_ns(s);
        outside += (double)host_ns < from_ns - uncertainties_ns[i] - 1 ||
                   (double)host_ns > to_ns + uncertainties_ns[i] + 1;
    }
    if (outside > 2 * COUNT / 100)
        fail_msg("%s: %u of %d timestamps lie outside of what was said", s->scenario, outside,
                 2 * COUNT);
    qsort(uncertainties_ns, 2 * COUNT, sizeof *uncertainties_ns, compare);
    return uncertainties_ns[COUNT];
}

static void follow(const shape *s)
{
    rig *r = rig_make(s->scenario, 1);
    kt_clock *clock = NULL;
    kt_clock_state state;
    EXPECT_OK(kt_clock_open(r->device, 0, NULL, &clock));
    double median_ns = INFINITY;
    for (int round = 0; round < 4; round++) {
        kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        EXPECT_OK(kt_clock_update(clock));
        median_ns = check_timestamps(clock, s, rig_series(result, "first"));
    }
    if (median_ns > s->uncertainty_max_ns)
        fail_msg("%s: half of all timestamps are within %g ns, not %g", s->scenario, median_ns,
                 s->uncertainty_max_ns);
    kt_clock_get_state(clock, &state);
    EXPECT_NEAR(state.period_ns / tick_ns(s), 1, 20e-6);
    EXPECT_NEAR(state.period_ns, tick_ns(s), state.period_uncertainty_ns);
    if (state.resets || state.wraps != (s->start != 0))
        fail_msg("%s: %llu resets, %llu wraps", s->scenario, (unsigned long long)state.resets,
                 (unsigned long long)state.wraps);
    kt_clock_close(&clock);
    assert_null(clock);
}

/* Those of 32 and 36 bits wrap within the first rounds: they begin up to 0.4 ms before. */
static const shape shapes[] = {
    {"sim:0", 1, 0, 64, 0, 400},
    {"sim:0:period_ns=41.666667", 41.666667, 0, 64, 0, 500},
    {"sim:0:period_ns=52.083333,bits=32,start=4275766000", 52.083333, 0, 32, UINT64_C(4275766000),
     500},
    {"sim:0:period_ns=83.333333,bits=36,start=68707474936,drift_ppm=100", 83.333333, 100, 36,
     UINT64_C(68707474936), 600},
    {"sim:0:drift_ppm=-30,calibration_jitter_ns=2000,seed=5", 1, -30, 64, 0, 4000},
    {"sim:0:period_ns=83.333333,drift_ppm=30,calibration_jitter_ns=20", 83.333333, 30, 64, 0, 250},
    {"sim:0:calibrated_timestamps=0", 1, 0, 64, 0, 7200},
    {"sim:0:calibrated_timestamps=0,period_ns=52.083333,bits=32,start=4275760000,drift_ppm=50,"
     "jitter_ns=300",
     52.083333, 50, 32, UINT64_C(4275760000), 7200},
    {"sim:0:period_reported=0", 1, 0, 64, 0, 400},
    {"sim:0:period_reported=0,period_ns=83.333333,drift_ppm=-100", 83.333333, -100, 64, 0, 600},
    {"sim:0:period_reported=0,calibrated_timestamps=0,period_ns=41.666667,drift_ppm=20", 41.666667,
     20, 64, 0, 7200},
};

static void every_timestamp_lies_where_it_is_placed(void **state)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        follow(&shapes[i]);
}

/* ---- what is found of a device ---- */

static void the_period_is_found_before_the_timer_limits(void **state)
{
    static const struct {
        const char *id;
        double period_ns;
        kt_clock_source source;
    } devices[] = {
        {"sim:0:period_reported=0,period_ns=83.333333", 83.333333, KT_SOURCE_CALIBRATED_TIMESTAMPS},
        {"sim:0:period_reported=0,period_ns=41.666667,calibrated_timestamps=0", 41.666667,
         KT_SOURCE_BRACKETED_SUBMISSIONS},
    };
    for (int i = 0; i < 2; i++) {
        rig *r = rig_make(devices[i].id, 1);
        const kt_clock_info *info = &kt_device_get_info(r->device)->clocks[0];
        assert_true(isnan(info->period_ns) && isnan(info->period_uncertainty_ns));
        assert_int_equal(info->period_source, KT_SOURCE_NONE);
        kt_result *result = rig_measure(r, 20, KT_TIMING_BOTH, 1);
        EXPECT_NEAR(info->period_ns / devices[i].period_ns, 1, 100e-6);
        assert_int_equal(info->period_source, devices[i].source);
        EXPECT_NEAR(info->period_ns, devices[i].period_ns, info->period_uncertainty_ns);
        assert_true(info->period_uncertainty_ns > 0 &&
                    info->period_uncertainty_ns <= 100e-6 * info->period_ns);
        assert_int_equal(info->relation_source, devices[i].source);
        assert_true(info->uncertainty_ns > 0 && info->uncertainty_ns < 6000);
        assert_true(isnan(info->drift_ppm)); /* than what? */
        assert_string_equal(info->domain, "");
        EXPECT_NEAR(rig_series(result, "first")->summary.median, 100000, 100);
        /* What was measured with stays. */
        double period_ns = info->period_ns;
        EXPECT_OK(kt_device_find_clocks(r->device));
        EXPECT_NUMBER(info->period_ns, period_ns);
    }
}

static void drift_is_reported_where_it_is_known(void **state)
{
    rig *r = rig_make("sim:0:drift_ppm=80", 1);
    const kt_clock_info *info = &kt_device_get_info(r->device)->clocks[0];
    EXPECT_OK(kt_device_find_clocks(r->device));
    assert_true(isnan(info->drift_ppm)); /* after some us */
    rig_measure(r, 20, KT_TIMING_BOTH, 1);
    EXPECT_NEAR(info->drift_ppm, 80, 10);
    assert_int_equal(info->period_source, KT_SOURCE_REPORTED);
    EXPECT_NUMBER(info->period_ns, 1);
    EXPECT_NUMBER(info->period_uncertainty_ns, NAN);
}

/* Samples whose timestamps lie on two sides of a wrap are lost; no time is wrong. */
static void spans_across_a_wrap_of_unknown_width_are_left_out(void **state)
{
    /* wraps some ms after the timer limits was made, which takes 35 ms */
    rig *r = rig_make("sim:0:bits_reported=0,bits=32,start=3244967296,calibration_jitter_ns=20", 1);
    const kt_clock_info *info = &kt_device_get_info(r->device)->clocks[0];
    assert_int_equal(info->valid_bits, 0);
    kt_clock *clock = rig_clock(r, 0, NULL);
    kt_clock_state followed;
    kt_clock_get_state(clock, &followed);
    assert_int_equal(followed.valid_bits, 0);
    assert_int_equal(followed.valid_bits_min, 32); /* 4244967296 is more than 2^31 */
    assert_int_equal(info->valid_bits_min, 32);
    kt_result *result = rig_measure(r, 600, KT_TIMING_BOTH, 1);
    const kt_series *series = rig_series(result, "first");
    for (size_t i = 0; i < series->summary.n; i++)
        EXPECT_NUMBER(series->samples_ns[i], 100000);
    assert_int_equal(series->summary.n + rig_discarded(series), 600);
    assert_true(rig_discarded(series) <= 1);
    assert_true(series->raw[0].start_ticks > series->raw[599].end_ticks); /* it wrapped meanwhile */
    EXPECT_OK(kt_clock_update(clock));
    kt_clock_get_state(clock, &followed);
    assert_int_equal(followed.valid_bits, 32);
    assert_int_equal(followed.wraps, 1);
    /* Who looks now finds nothing of it: it wraps every 4.3 s only. */
}

static void a_reset_begins_a_new_line(void **state)
{
    /* The counter begins anew at 1.1 s of the host's clock, which begins at 1 s. */
    rig *r = rig_make("sim:0:reset=1100", 1);
    kt_clock *clock = rig_clock(r, 0, NULL);
    kt_clock_state followed;
    for (int round = 0; round < 2; round++) {
        rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
        for (int i = 0; i < 40; i++) {
            EXPECT_OK(kt_clock_update(clock));
            rig_measure(r, 30, KT_TIMING_BOTH, 1);
        }
    }
    kt_clock_get_state(clock, &followed);
    assert_int_equal(followed.resets, 1);
    kt_result *result = rig_measure(r, COUNT, KT_TIMING_BOTH, 1);
    EXPECT_OK(kt_clock_update(clock));
    /* The second line's zero is at 1.1 s. */
    const shape s = {"sim:0:reset=1100", 1, 0, 64, (uint64_t)-1100000000, 400};
    assert_true(check_timestamps(clock, &s, rig_series(result, "first")) < s.uncertainty_max_ns);
}

/* ---- how often ---- */

static void updates_limit_themselves(void **state)
{
    static const int64_t intervals_ns[] = {0, 1000000, 100000000};
    for (int i = 0; i < 3; i++) {
        rig *r = rig_make("sim:0", 1);
        const kt_clock_options options = {
            .size = sizeof options, .pairs = 5, .interval_ns = intervals_ns[i]};
        int64_t interval_ns = intervals_ns[i] ? intervals_ns[i] : KT_CLOCK_INTERVAL_DEFAULT_NS;
        kt_clock *clock = rig_clock(r, 0, &options);
        kt_clock_state before, after;
        kt_clock_get_state(clock, &before);
        assert_int_equal(before.source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
        assert_int_equal(before.pairs, 5);
        for (int n = 0; n < 120; n++) {
            kt_result *result = rig_measure(r, 4, KT_TIMING_BOTH, 1); /* about 1 ms */
            kt_clock_get_state(clock, &before);
            EXPECT_OK(kt_clock_update(clock));
            EXPECT_OK(kt_clock_update(clock)); /* at once: none */
            kt_clock_get_state(clock, &after);
            assert_true(after.pairs <= before.pairs + 1);
            if (after.pairs > before.pairs)
                assert_true(after.host_ns - before.host_ns >= interval_ns);
            else
                assert_true(rig_series(result, "wall")->raw[3].host_after_ns - before.host_ns <=
                            interval_ns + 1000);
        }
        kt_clock_get_state(clock, &after);
        assert_true(after.pairs > 5);
    }
}

/* "Never" is an interval, too. */
static void the_longest_interval_is_kept(void **state)
{
    rig *r = rig_make("sim:0", 1);
    const kt_clock_options options = {.size = sizeof options, .pairs = 5, .interval_ns = INT64_MAX};
    kt_clock_state known;
    kt_clock *clock = rig_clock(r, 0, &options);
    for (int n = 0; n < 3; n++) {
        rig_measure(r, 4, KT_TIMING_BOTH, 1);
        EXPECT_OK(kt_clock_update(clock));
    }
    kt_clock_get_state(clock, &known);
    assert_int_equal(known.pairs, 5);
}

/* ---- a host clock of one's own ---- */

static void another_host_clock_is_related_by_pairs(void **state)
{
    const kt_context_options options = rig_fake_clock(10, 0);
    rig *r = rig_make_with("cpu:0", &options, 0);
    const kt_clock_info *info = &kt_device_get_info(r->device)->clocks[0];
    assert_string_equal(info->domain, ""); /* of the system's clocks it is none */
    assert_int_equal(info->relation_source, KT_SOURCE_NONE);
    kt_clock *clock = rig_clock(r, 0, NULL);
    assert_int_equal(info->relation_source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
    assert_string_equal(info->domain, "");
    for (int i = 0; i < 100; i++) {
        kt_clock_pair pair; /* its ticks are a reading of that clock */
        int64_t host_ns;
        double uncertainty_ns;
        EXPECT_OK(kt_device_clock_pair(r->device, 0, &pair));
        EXPECT_OK(kt_clock_to_host(clock, pair.ticks, &host_ns, &uncertainty_ns));
        EXPECT_NEAR((double)host_ns, (double)pair.ticks, uncertainty_ns);
        assert_true(uncertainty_ns < 100);
    }
}

static void the_hosts_own_clock_is_exact(void **state)
{
    rig *r = rig_make("cpu:0", 0);
    kt_clock *clock = rig_clock(r, 0, NULL);
    uint64_t random = 9;
    for (int i = 0; i < 1000; i++) {
        uint64_t ticks = random_bits(&random) >> 1;
        int64_t host_ns;
        double uncertainty_ns;
        EXPECT_OK(kt_clock_to_host(clock, ticks, &host_ns, &uncertainty_ns));
        assert_int_equal(host_ns, (int64_t)ticks);
        EXPECT_NUMBER(uncertainty_ns, 1); /* a tick */
    }
    kt_clock_state followed;
    int64_t before_ns = kt_host_now_ns();
    kt_clock_get_state(clock, &followed);
    assert_true(before_ns <= followed.host_ns && followed.host_ns <= kt_host_now_ns());
    assert_int_equal(followed.host_ns, followed.ticks);
    assert_int_equal(followed.source, KT_SOURCE_REPORTED);
    assert_int_equal(followed.pairs, 0);
    assert_true(followed.period_exact);
    EXPECT_OK(kt_clock_update(clock));
}

/* ---- what cannot be ---- */

static void expect_refusal(const char *device, const kt_context_options *context,
                           kt_status expected, const char *part)
{
    rig *r = rig_make_with(device, context, 0);
    kt_clock *clock = NULL;
    EXPECT_STATUS(kt_clock_open(r->device, 0, NULL, &clock), expected);
    EXPECT_TEXT_HAS(kt_error_text(), part);
    assert_null(clock);
    if (expected == KT_UNSUPPORTED)
        EXPECT_OK(kt_device_find_clocks(r->device)); /* they stay unknown */
    const kt_clock_info *info = &kt_device_get_info(r->device)->clocks[0];
    assert_int_equal(info->relation_source, KT_SOURCE_NONE);
    assert_true(isnan(info->uncertainty_ns));
}

static void timestamps_that_say_nothing_are_no_clock(void **state)
{
    expect_refusal("sim:0:period_ns=1e9", NULL, KT_UNSUPPORTED, "stands still");
    expect_refusal("sim:0:period_ns=1e9,calibrated_timestamps=0", NULL, KT_UNSUPPORTED,
                   "stands still");
    expect_refusal("sim:0:calibrated_timestamps=0,lost=1", NULL, KT_UNSUPPORTED,
                   "the last was lost");
    expect_refusal("sim:0:calibrated_timestamps=0,zero=1", NULL, KT_UNSUPPORTED,
                   "the last was zero");
    expect_refusal("sim:0:calibrated_timestamps=0,negative=1", NULL, KT_UNSUPPORTED,
                   "the last was negative");
    /* Some good ones are enough. */
    rig *r = rig_make("sim:0:calibrated_timestamps=0,lost=0.3,zero=0.3,negative=0.2", 0);
    rig_clock(r, 0, NULL);
}

static void without_a_period_no_device_time_is_believed(void **state)
{
    rig *r = rig_make("sim:0:period_reported=0,period_ns=1e9", 1);
    kt_result *result = rig_measure(r, 10, KT_TIMING_BOTH, 1);
    const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
    assert_false(limits->trusted);
    EXPECT_TEXT_HAS(limits->reason, "how long a tick of its clock \"device\" is");
    assert_int_equal(rig_series(result, "first")->summary.n, 0);
    assert_int_equal(rig_series(result, "wall")->summary.n, 10);
}

static void arguments_are_checked(void **state)
{
    rig *r = rig_make("sim:0", 0);
    kt_clock *clock = NULL;
    EXPECT_STATUS(kt_clock_open(r->device, 1, NULL, &clock), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "there is none with number 1");
    EXPECT_STATUS(kt_clock_open(r->device, UINT32_MAX, NULL, &clock), KT_INVALID);
    kt_clock_options options = {0};
    EXPECT_STATUS(kt_clock_open(r->device, 0, &options, &clock), KT_INVALID);
    options = (kt_clock_options){.size = sizeof options, .interval_ns = -1};
    EXPECT_STATUS(kt_clock_open(r->device, 0, &options, &clock), KT_INVALID);
    assert_null(clock);
    kt_clock_close(&clock);
    options = (kt_clock_options){.size = sizeof options, .pairs = 1};
    EXPECT_OK(kt_clock_open(r->device, 0, &options, &clock));
    kt_clock_close(&clock);
}

/* Each driver call of opening; it can be tried again. */
static void a_driver_that_fails_is_reported(void **state)
{
    for (int pairs = 0; pairs < 2; pairs++) {
        int opened = 0, failed = 0;
        for (int nth = 2; !opened; nth++) {
            char id[64];
            snprintf(id, sizeof id, "sim:0:calibrated_timestamps=%d,fail=%d", pairs, nth);
            rig *r = rig_make(id, 0);
            kt_clock *clock = NULL;
            kt_status status = kt_clock_open(r->device, 0, NULL, &clock);
            opened = status == KT_OK;
            failed += !opened;
            if (!opened) {
                EXPECT_STATUS(status, KT_DRIVER_ERROR);
                EXPECT_TEXT_HAS(kt_error_text(), "as its scenario says");
                assert_null(clock);
                EXPECT_OK(kt_clock_open(r->device, 0, NULL, &clock));
            }
            kt_clock_close(&clock);
        }
        assert_true(failed >= (pairs ? 32 : 3 * 32)); /* a call a pair; submit, wait and read */
    }
}

static void an_update_that_fails_leaves_what_was_known(void **state)
{
    bool failed = false;
    for (int nth = 40; nth < 2000 && !failed; nth++) {
        char id[64];
        snprintf(id, sizeof id, "sim:0:fail=%d", nth);
        rig *r = rig_make(id, 0);
        const kt_clock_options options = {.size = sizeof options, .interval_ns = 1};
        kt_clock *clock = rig_clock(r, 0, &options);
        for (int i = 0; i < 20 && !failed; i++) {
            kt_clock_state before, after;
            kt_clock_get_state(clock, &before);
            kt_clock_pair pair; /* lets a little time pass; the failure may be its own */
            if (kt_device_clock_pair(r->device, 0, &pair) != KT_OK)
                break;
            kt_status status = kt_clock_update(clock);
            failed = status != KT_OK;
            if (!failed)
                continue;
            EXPECT_STATUS(status, KT_DRIVER_ERROR);
            EXPECT_TEXT_HAS(kt_error_text(), "reading the clocks failed");
            kt_clock_get_state(clock, &after);
            assert_int_equal(after.pairs, before.pairs);
            assert_int_equal(after.ticks, before.ticks);
            EXPECT_OK(kt_device_clock_pair(r->device, 0, &pair));
            EXPECT_OK(kt_clock_update(clock));
            kt_clock_get_state(clock, &after);
            assert_int_equal(after.pairs, before.pairs + 1);
        }
    }
    assert_true(failed);
}

/* The driver may still write the timestamps of a command that never ended, so nothing of it is called
 * any more. */
static void a_device_that_hangs_is_let_go(void **state)
{
    const kt_context_options impatient = {.size = sizeof impatient, .timeout_ns = 1};
    rig *r = rig_make_with("sim:0:calibrated_timestamps=0", &impatient, 0);
    kt_clock *clock = NULL;
    EXPECT_STATUS(kt_clock_open(r->device, 0, NULL, &clock), KT_TIMEOUT);
    assert_null(clock);
    EXPECT_STATUS(kt_clock_open(r->device, 0, NULL, &clock), KT_DEVICE_LOST);
    EXPECT_STATUS(kt_device_find_clocks(r->device), KT_DEVICE_LOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_timestamp_lies_where_it_is_placed),
        cmocka_unit_test(the_period_is_found_before_the_timer_limits),
        cmocka_unit_test(drift_is_reported_where_it_is_known),
        cmocka_unit_test(spans_across_a_wrap_of_unknown_width_are_left_out),
        cmocka_unit_test(a_reset_begins_a_new_line),
        cmocka_unit_test(updates_limit_themselves),
        cmocka_unit_test(the_longest_interval_is_kept),
        cmocka_unit_test(another_host_clock_is_related_by_pairs),
        cmocka_unit_test(the_hosts_own_clock_is_exact),
        cmocka_unit_test(timestamps_that_say_nothing_are_no_clock),
        cmocka_unit_test(without_a_period_no_device_time_is_believed),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(a_driver_that_fails_is_reported),
        cmocka_unit_test(an_update_that_fails_leaves_what_was_known),
        cmocka_unit_test(a_device_that_hangs_is_let_go),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, rig_end);
}
