/* SPDX-License-Identifier: MIT */
/* What is found of timestamps, for observations made by hand. */
#include "tests/unit/cli/doctor_test.h"

#define COUNT 50

static kt_raw raw[COUNT];
static doctor_diagnostics found;

/* Submissions of 10 us, one every 20 us; their timestamps lie 4 us after the beginning, 100 ns apart,
 * on a clock of 1 ns whose zero is that of the host. */
static timestamps_seen healthy(void)
{
    timestamps_seen seen = {.backend = "opencl",
                            .has_clock = true,
                            .reported = {.period_ns = 1, .valid_bits = 64},
                            .clock = {.period_ns = 1, .valid_bits = 64},
                            .limits = {.resolution_ns = 1,
                                       .min_span_ns = 100,
                                       .timestamp_overhead_ns = 300,
                                       .overhead_ns = 10000,
                                       .trusted = 1},
                            .raw = raw,
                            .count = COUNT,
                            .timestamped_ns = 10300,
                            .timestamped_error_ns = 50,
                            .plain_ns = 10000,
                            .plain_error_ns = 50};
    for (int i = 0; i < COUNT; i++) {
        int64_t begin_ns = 1000000 + 20000 * (int64_t)i;
        raw[i] = doctor_test_raw(begin_ns);
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

static const doctor_diagnostic *judged(const timestamps_seen *seen, const char *check,
                                       kt_severity severity)
{
    found.count = 0;
    doctor_judge_timestamps(seen, &found);
    return doctor_test_severity(&found, check, severity);
}

static void a_healthy_device_is_good(void **state)
{
    timestamps_seen seen = healthy();
    doctor_judge_timestamps(&seen, &found);
    assert_int_equal(found.count, 5);
    for (uint32_t i = 0; i < found.count; i++)
        assert_int_equal(found.items[i].severity, KT_SEVERITY_GOOD);
    EXPECT_NUMBER(value_of(the("order"), "compared"), COUNT - 1);
    EXPECT_NUMBER(value_of(the("timestamp_overhead"), "timestamp_overhead_ns"), 300);
    assert_int_equal(the("resolution")->advice[0], '\0');
}

static void the_resolution(void **state)
{
    timestamps_seen seen = healthy();
    seen.limits.resolution_ns = 256;
    EXPECT_TEXT_HAS(judged(&seen, "resolution", KT_SEVERITY_WARNING)->seen,
                    "256.0 ns, although the driver reports a tick of 1.000 ns");
    EXPECT_TEXT_HAS(the("resolution")->means, "25.60 us"); /* 256 ns are 1 % of it */
    seen.limits.resolution_ns = 10;
    judged(&seen, "resolution", KT_SEVERITY_NOTE);
    /* A tick as long as that is what was told, and no fault. */
    seen.limits.resolution_ns = seen.reported.period_ns = seen.clock.period_ns = 83.333;
    judged(&seen, "resolution", KT_SEVERITY_GOOD);
    seen.limits.resolution_ns = 65536;
    assert_null(strstr(judged(&seen, "resolution", KT_SEVERITY_WARNING)->advice, "quantization"));
    seen.backend = "webgpu";
    EXPECT_TEXT_HAS(judged(&seen, "resolution", KT_SEVERITY_WARNING)->seen,
                    "clock resolution 65536 ns: timestamp quantization");
    EXPECT_TEXT_HAS(the("resolution")->advice, "timestamp_quantization");
    seen.limits.resolution_ns = 100000; /* coarse, but not for that reason */
    assert_null(strstr(judged(&seen, "resolution", KT_SEVERITY_WARNING)->advice, "quantization"));
    /* A period that nobody told is the one that was found. */
    seen = healthy();
    seen.reported.period_ns = NAN;
    seen.clock.period_ns = seen.limits.resolution_ns = 40;
    judged(&seen, "resolution", KT_SEVERITY_GOOD);
}

static void the_min_span(void **state)
{
    timestamps_seen seen = healthy();
    seen.limits.min_span_ns = 20000;
    EXPECT_TEXT_HAS(judged(&seen, "min_span", KT_SEVERITY_NOTE)->means, "< 20.00 us");
    EXPECT_TEXT_HAS(the("min_span")->advice, "at least 200.0 us of work");
    seen.limits.min_span_ns = 2e6;
    judged(&seen, "min_span", KT_SEVERITY_WARNING);
    seen.limits.resolution_ns = 65536;
    seen.limits.min_span_ns = 300;
    EXPECT_TEXT_HAS(judged(&seen, "min_span", KT_SEVERITY_GOOD)->means, "< 65.54 us");
    seen.limits.min_span_ns = NAN;
    EXPECT_TEXT_HAS(judged(&seen, "min_span", KT_SEVERITY_GOOD)->seen,
                    "less than the clock resolution of 65.54 us");
}

static void a_coarse_host_clock(void **state)
{
    timestamps_seen seen = healthy();
    judged(&seen, "min_span", KT_SEVERITY_GOOD);
    assert_null(find("host_clock"));
    seen.host_step_ns = 100000;
    EXPECT_TEXT_HAS(judged(&seen, "host_clock", KT_SEVERITY_NOTE)->seen, "steps of 100.0 us");
}

static void the_min_span_of_copies(void **state)
{
    timestamps_seen seen = healthy();
    judged(&seen, "min_span", KT_SEVERITY_GOOD);
    assert_null(find("copy_min_span"));
    seen.limits.clocks[1] = (kt_clock_limits){.name = "global", .min_span_ns = 1770};
    EXPECT_TEXT_HAS(judged(&seen, "copy_min_span", KT_SEVERITY_GOOD)->seen,
                    "copies 1.770 us (clock \"global\"");
    EXPECT_TEXT_HAS(the("copy_min_span")->means, "< 1.770 us");
    strcpy(seen.limits.clocks[1].reason, "they stand");
    EXPECT_TEXT_HAS(judged(&seen, "copy_min_span", KT_SEVERITY_FAULT)->seen,
                    "\"global\": they stand");
}

static void the_cost(void **state)
{
    timestamps_seen seen = healthy();
    seen.timestamped_ns = 50000;
    EXPECT_TEXT_HAS(judged(&seen, "timestamp_overhead", KT_SEVERITY_WARNING)->seen,
                    "overhead 40.00 us: an empty");
    EXPECT_TEXT_HAS(the("timestamp_overhead")->means, "each pair costs 40.00 us of host time");
    /* Device times do not have it, so nothing is said of them. */
    assert_null(strstr(the("timestamp_overhead")->advice, "WALL"));
    EXPECT_TEXT_HAS(the("timestamp_overhead")->advice, "timestamp whole batches");
    seen.timestamped_ns = 15000;
    judged(&seen, "timestamp_overhead", KT_SEVERITY_NOTE);
    /* 200 +- 412.3 ns. */
    seen.timestamped_ns = 10200;
    seen.timestamped_error_ns = 200;
    EXPECT_TEXT_HAS(
        judged(&seen, "timestamp_overhead", KT_SEVERITY_GOOD)->seen,
        "timestamp overhead below noise: less than 612.3 ns on an empty submission of 10.00 us");
    seen.timestamped_ns = 9900; /* 0 at most, and 412.3 ns */
    EXPECT_TEXT_HAS(judged(&seen, "timestamp_overhead", KT_SEVERITY_GOOD)->seen,
                    "less than 412.3 ns");
}

/* What was not measured is not good. */
static void a_cost_that_nobody_can_know(void **state)
{
    timestamps_seen seen = healthy();
    seen.timestamped_ns = 47444; /* 2.394 us +- 40.06 us of 45.05 us, as it was on a busy machine */
    seen.plain_ns = 45050;
    seen.timestamped_error_ns = 20030;
    seen.plain_error_ns = 0;
    EXPECT_TEXT_HAS(judged(&seen, "timestamp_overhead", KT_SEVERITY_NOTE)->seen,
                    "unknown, measurements scatter too much: less than 42.45 us");
    EXPECT_TEXT_HAS(the("timestamp_overhead")->advice, "run kerntime doctor again");
    /* 4 us, 2.4 at least, of a submission of 10. */
    seen = healthy();
    seen.timestamped_ns = 14000;
    seen.timestamped_error_ns = 800;
    judged(&seen, "timestamp_overhead", KT_SEVERITY_NOTE);
    seen.timestamped_error_ns = 1300; /* 2.6 us are more than a fifth */
    EXPECT_TEXT_HAS(judged(&seen, "timestamp_overhead", KT_SEVERITY_NOTE)->seen, "unknown");
    /* It is high in any case. */
    seen.timestamped_ns = 50000;
    EXPECT_TEXT_HAS(judged(&seen, "timestamp_overhead", KT_SEVERITY_WARNING)->seen,
                    "with timestamps, ");
}

static void states_are_counted(void **state)
{
    timestamps_seen seen = healthy();
    raw[3].state = raw[4].state = raw[7].state = KT_TIMESTAMP_LOST;
    raw[9].state = KT_TIMESTAMP_ZERO;
    const doctor_diagnostic *f = judged(&seen, "states", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, "4 of 50 timestamp pairs unusable, 3 of them \"lost\": never");
    EXPECT_NUMBER(value_of(f, "lost"), 3);
    EXPECT_NUMBER(value_of(f, "zero"), 1);
    EXPECT_NUMBER(value_of(the("order"), "compared"), COUNT - 5);
    EXPECT_TEXT_HAS(f->advice, "the state of each timestamp");
    for (int i = 0; i < COUNT; i++)
        raw[i].state = KT_TIMESTAMP_AMBIGUOUS;
    assert_null(strstr(judged(&seen, "states", KT_SEVERITY_FAULT)->advice, "newer driver"));
    for (int i = 0; i < COUNT; i++)
        raw[i].state = KT_TIMESTAMP_NEGATIVE;
    EXPECT_TEXT_HAS(judged(&seen, "states", KT_SEVERITY_FAULT)->seen, "before the start");
    assert_null(find("order"));
}

static void what_runs_backward_is_a_fault(void **state)
{
    timestamps_seen seen = healthy();
    /* 1 us before the end of the one before, which was 20 us ago by the host; the one after it is
     * right. */
    raw[11].start_ticks = raw[10].end_ticks - 1000;
    raw[11].end_ticks = raw[10].end_ticks - 900;
    const doctor_diagnostic *f = judged(&seen, "order", KT_SEVERITY_FAULT);
    EXPECT_TEXT_HAS(f->seen, "1 of 50");
    EXPECT_NUMBER(value_of(f, "misplaced"), 1);
    /* One after the other without a pause, and 500 ns too early: within what the host's readings
     * leave open. */
    seen = healthy();
    raw[11].host_before_ns = raw[10].host_after_ns;
    raw[11].host_after_ns = raw[11].host_before_ns + 10000;
    raw[11].start_ticks = raw[10].end_ticks - 500;
    raw[11].end_ticks = raw[10].end_ticks - 400;
    EXPECT_NUMBER(value_of(judged(&seen, "order", KT_SEVERITY_FAULT), "misplaced_ns"), 500);
    /* A counter that begins anew goes back as well, and is not that. */
    seen = healthy();
    for (int i = 20; i < COUNT; i++) {
        raw[i].start_ticks -= 1000000;
        raw[i].end_ticks -= 1000000;
    }
    judged(&seen, "order", KT_SEVERITY_GOOD);
    doctor_order order;
    doctor_order_find(&seen.clock, 1, raw, COUNT, &order);
    assert_int_equal(order.jumps, 1);
}

static void steps_of_one_submission(void **state)
{
    static kt_raw steps[STEPS_COUNT][COUNT];
    timestamps_seen seen = healthy();
    assert_null(find("steps")); /* there are none */
    /* 1 us after one another, 100 ns each. */
    for (int k = 0; k < STEPS_COUNT; k++) {
        for (int i = 0; i < COUNT; i++) {
            steps[k][i] = raw[i];
            steps[k][i].start_ticks += 1000 * (uint64_t)k;
            steps[k][i].end_ticks += 1000 * (uint64_t)k;
        }
        seen.steps[k] = steps[k];
    }
    seen.steps_count = COUNT;
    seen.step_ns = 1000;
    const doctor_diagnostic *f = judged(&seen, "steps", KT_SEVERITY_GOOD);
    EXPECT_TEXT_HAS(f->seen, "each command adds 1.000 us");
    EXPECT_NUMBER(value_of(f, "compared"), COUNT * (STEPS_COUNT - 1));
    /* Two begin before the one before them ended: by one tick, which may be rounding, and by 300
     * ns. */
    steps[3][7].end_ticks = steps[4][7].start_ticks + 1;
    steps[5][9].end_ticks = steps[6][9].start_ticks + 300;
    f = judged(&seen, "steps", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, "1 of 350 pairs of consecutive commands in one submission overlap");
    EXPECT_NUMBER(value_of(f, "overlap_ns"), 300);
    EXPECT_NUMBER(value_of(f, "swapped"), 0);
    steps[6][9].start_ticks = steps[5][9].start_ticks - 2;
    EXPECT_NUMBER(value_of(judged(&seen, "steps", KT_SEVERITY_FAULT), "swapped"), 1);
    /* What was not read is no fault of its neighbours. */
    steps[6][9].state = KT_TIMESTAMP_LOST;
    EXPECT_NUMBER(value_of(judged(&seen, "steps", KT_SEVERITY_GOOD), "compared"),
                  COUNT * (STEPS_COUNT - 1) - 2);
}

static void a_turn_is_not_backward(void **state)
{
    timestamps_seen seen = healthy();
    /* 20 bits of a ns are over every 1.05 ms: within the 50 submissions, which take 1 ms, once. */
    seen.reported.valid_bits = seen.clock.valid_bits = 20;
    for (int i = 0; i < COUNT; i++) {
        raw[i].start_ticks = (raw[i].start_ticks - 500000) & 0xFFFFF;
        raw[i].end_ticks = (raw[i].end_ticks - 500000) & 0xFFFFF;
    }
    judged(&seen, "order", KT_SEVERITY_GOOD);
    doctor_order order;
    doctor_order_find(&seen.clock, 1, raw, COUNT, &order);
    assert_int_equal(order.turns, 1);
    assert_int_equal(order.jumps, 0);
    /* Nobody knows the width: short by 2^20, so it is. */
    seen.clock.valid_bits = 0;
    doctor_order_find(&seen.clock, 1, raw, COUNT, &order);
    assert_int_equal(order.turns, 1);
    assert_int_equal(order.jumps, 0);
    /* Of 8 bits nothing can be told. */
    seen.clock.valid_bits = 8;
    doctor_order_find(&seen.clock, 1, raw, COUNT, &order);
    assert_int_equal(order.compared, 0);
}

static void what_is_not_believed(void **state)
{
    timestamps_seen seen = healthy();
    seen.limits = (kt_timer_limits){.resolution_ns = NAN,
                                    .min_span_ns = NAN,
                                    .timestamp_overhead_ns = NAN,
                                    .overhead_ns = 400000,
                                    .reason = "its timestamps are made up: all began at tick 2"};
    const doctor_diagnostic *f = judged(&seen, "untrusted", KT_SEVERITY_FAULT);
    assert_int_equal(found.count, 1);
    assert_string_equal(f->seen, seen.limits.reason);
    EXPECT_TEXT_HAS(f->means, "400.0 us");
    assert_true(f->advice[0]);
    seen.has_clock = false;
    assert_int_equal(judged(&seen, "untrusted", KT_SEVERITY_FAULT)->advice[0], '\0');
}

/* ---- distances ---- */

static timestamps_seen of_events(double resolution_ns)
{
    timestamps_seen seen = healthy();
    seen.backend = "cuda";
    seen.reported = seen.clock =
        (kt_clock_info){.method = KT_METHOD_EVENT_PAIR, .period_ns = NAN, .frequency_hz = NAN};
    seen.limits.resolution_ns = resolution_ns;
    seen.limits.min_span_ns = 2048;
    for (int i = 0; i < COUNT; i++) {
        raw[i].has_timestamps = 0;
        raw[i].has_elapsed = 1;
        raw[i].elapsed_ms = 0.002F;
    }
    return seen;
}

static void distances_have_a_resolution_and_no_tick(void **state)
{
    timestamps_seen seen = of_events(32);
    assert_string_equal(judged(&seen, "resolution", KT_SEVERITY_GOOD)->seen,
                        "clock resolution 32.0 ns");
    assert_int_equal(the("resolution")->value_count, 1);
    assert_null(find("order"));
    assert_null(find("steps"));
    for (uint32_t i = 0; i < found.count; i++)
        assert_int_equal(found.items[i].severity, KT_SEVERITY_GOOD);
    seen = of_events(1000);
    EXPECT_TEXT_HAS(judged(&seen, "resolution", KT_SEVERITY_WARNING)->means,
                    "1 % accuracy needs 100.0 us between two events");
    seen = of_events(NAN);
    EXPECT_TEXT_HAS(judged(&seen, "resolution", KT_SEVERITY_NOTE)->seen, "resolution unknown");
}

/* No counter turned over, for there is none that is known of. */
static void distances_that_are_too_long_are_said_to_be(void **state)
{
    timestamps_seen seen = of_events(32);
    for (int i = 0; i < COUNT; i += 2)
        raw[i].state = KT_TIMESTAMP_AMBIGUOUS;
    EXPECT_TEXT_HAS(judged(&seen, "states", KT_SEVERITY_WARNING)->seen,
                    "longer than the wall time around them");
    assert_null(strstr(the("states")->advice, "counter"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_device_is_good),
        cmocka_unit_test(the_resolution),
        cmocka_unit_test(the_min_span),
        cmocka_unit_test(a_coarse_host_clock),
        cmocka_unit_test(the_min_span_of_copies),
        cmocka_unit_test(the_cost),
        cmocka_unit_test(a_cost_that_nobody_can_know),
        cmocka_unit_test(states_are_counted),
        cmocka_unit_test(what_runs_backward_is_a_fault),
        cmocka_unit_test(steps_of_one_submission),
        cmocka_unit_test(a_turn_is_not_backward),
        cmocka_unit_test(what_is_not_believed),
        cmocka_unit_test(distances_have_a_resolution_and_no_tick),
        cmocka_unit_test(distances_that_are_too_long_are_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
