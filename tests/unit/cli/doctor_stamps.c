/* What is found of stamps, for observations made by hand. */
#include "tests/unit/cli/doctor_test.h"

#define COUNT 50

static kt_raw raw[COUNT];
static doctor_findings found;

/* Submissions of 10 us, one every 20 us; their stamps lie 4 us after the beginning, 100 ns apart,
 * on a clock of 1 ns whose zero is that of the host. */
static stamps_seen healthy(void)
{
    stamps_seen seen = {.backend = "opencl",
                        .has_clock = true,
                        .told = {.period_ns = 1, .valid_bits = 64},
                        .clock = {.period_ns = 1, .valid_bits = 64},
                        .ruler = {.grid_ns = 1,
                                  .floor_ns = 100,
                                  .stamp_cost_ns = 300,
                                  .overhead_ns = 10000,
                                  .believed = 1},
                        .raw = raw,
                        .count = COUNT,
                        .stamped_ns = 10300,
                        .stamped_error_ns = 50,
                        .plain_ns = 10000,
                        .plain_error_ns = 50};
    for (int i = 0; i < COUNT; i++) {
        int64_t begin_ns = 1000000 + 20000 * (int64_t)i;
        raw[i] = doctor_test_raw(begin_ns);
    }
    return seen;
}

static const doctor_finding *find(const char *check)
{
    return doctor_test_find(&found, check);
}

static const doctor_finding *the(const char *check)
{
    return doctor_test_the(&found, check);
}

static const doctor_finding *judged(const stamps_seen *seen, const char *check,
                                    kt_severity severity)
{
    found.count = 0;
    doctor_judge_stamps(seen, &found);
    return doctor_test_severity(&found, check, severity);
}

static void a_healthy_device_is_good(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    doctor_judge_stamps(&seen, &found);
    assert_int_equal(found.count, 5);
    for (uint32_t i = 0; i < found.count; i++)
        assert_int_equal(found.items[i].severity, KT_SEVERITY_GOOD);
    EXPECT_NUMBER(value_of(the("order"), "compared"), COUNT - 1);
    EXPECT_NUMBER(value_of(the("stamp_cost"), "stamp_cost_ns"), 300);
    assert_int_equal(the("grid")->advice[0], '\0');
}

static void the_grid(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    seen.ruler.grid_ns = 256;
    EXPECT_TEXT_HAS(judged(&seen, "grid", KT_SEVERITY_WARNING)->seen,
                    "256.0 ns, though a tick is said to be 1.000 ns");
    EXPECT_TEXT_HAS(the("grid")->means, "25.60 us"); /* 256 ns are 1 % of it */
    seen.ruler.grid_ns = 10;
    judged(&seen, "grid", KT_SEVERITY_NOTE);
    /* A tick as long as that is what was told, and no fault. */
    seen.ruler.grid_ns = seen.told.period_ns = seen.clock.period_ns = 83.333;
    judged(&seen, "grid", KT_SEVERITY_GOOD);
    seen.ruler.grid_ns = 65536;
    assert_null(strstr(judged(&seen, "grid", KT_SEVERITY_WARNING)->advice, "quantization"));
    seen.backend = "webgpu";
    EXPECT_TEXT_HAS(judged(&seen, "grid", KT_SEVERITY_WARNING)->seen,
                    "cut to multiples of 65536 ns");
    EXPECT_TEXT_HAS(the("grid")->advice, "timestamp_quantization");
    seen.ruler.grid_ns = 100000; /* coarse, but not for that reason */
    assert_null(strstr(judged(&seen, "grid", KT_SEVERITY_WARNING)->advice, "quantization"));
    /* A period that nobody told is the one that was found. */
    seen = healthy();
    seen.told.period_ns = NAN;
    seen.clock.period_ns = seen.ruler.grid_ns = 40;
    judged(&seen, "grid", KT_SEVERITY_GOOD);
}

static void the_floor(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    seen.ruler.floor_ns = 20000;
    EXPECT_TEXT_HAS(judged(&seen, "floor", KT_SEVERITY_NOTE)->means, "< 20.00 us");
    EXPECT_TEXT_HAS(the("floor")->advice, "less than 10 % from 200.0 us on");
    seen.ruler.floor_ns = 2e6;
    judged(&seen, "floor", KT_SEVERITY_WARNING);
    seen.ruler.grid_ns = 65536;
    seen.ruler.floor_ns = 300;
    EXPECT_TEXT_HAS(judged(&seen, "floor", KT_SEVERITY_GOOD)->means, "< 65.54 us");
    seen.ruler.floor_ns = NAN;
    EXPECT_TEXT_HAS(judged(&seen, "floor", KT_SEVERITY_GOOD)->seen, "less than 65.54 us");
}

static void the_floor_of_copies(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    judged(&seen, "floor", KT_SEVERITY_GOOD);
    assert_null(find("copy_floor"));
    strcpy(seen.ruler.copy_clock, "global");
    seen.ruler.copy_floor_ns = 1770;
    EXPECT_TEXT_HAS(judged(&seen, "copy_floor", KT_SEVERITY_GOOD)->seen,
                    "by its clock \"global\", an empty step spans 1.770 us");
    EXPECT_TEXT_HAS(the("copy_floor")->means, "< 1.770 us");
    strcpy(seen.ruler.copy_why, "they stand");
    EXPECT_TEXT_HAS(judged(&seen, "copy_floor", KT_SEVERITY_FAULT)->seen, "\"global\": they stand");
}

static void the_cost(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    seen.stamped_ns = 50000;
    EXPECT_TEXT_HAS(judged(&seen, "stamp_cost", KT_SEVERITY_WARNING)->seen, "40.00 us longer");
    EXPECT_TEXT_HAS(the("stamp_cost")->means, "each pair costs 40.00 us of the host's time");
    /* Device times do not have it, so nothing is said of them. */
    assert_null(strstr(the("stamp_cost")->advice, "WALL"));
    EXPECT_TEXT_HAS(the("stamp_cost")->advice, "stamp whole batches");
    seen.stamped_ns = 15000;
    judged(&seen, "stamp_cost", KT_SEVERITY_NOTE);
    /* 200 +- 412.3 ns. */
    seen.stamped_ns = 10200;
    seen.stamped_error_ns = 200;
    EXPECT_TEXT_HAS(judged(&seen, "stamp_cost", KT_SEVERITY_GOOD)->seen,
                    "too little to be seen: less than 612.3 ns of an empty submission's 10.00 us");
    seen.stamped_ns = 9900; /* 0 at most, and 412.3 ns */
    EXPECT_TEXT_HAS(judged(&seen, "stamp_cost", KT_SEVERITY_GOOD)->seen, "less than 412.3 ns");
}

/* What was not measured is not good. */
static void a_cost_that_nobody_can_know(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    seen.stamped_ns = 47444; /* 2.394 us +- 40.06 us of 45.05 us, as it was on a busy machine */
    seen.plain_ns = 45050;
    seen.stamped_error_ns = 20030;
    seen.plain_error_ns = 0;
    EXPECT_TEXT_HAS(judged(&seen, "stamp_cost", KT_SEVERITY_NOTE)->seen,
                    "not known on so busy a machine: less than 42.45 us");
    EXPECT_TEXT_HAS(the("stamp_cost")->advice, "run the doctor again");
    /* 4 us, 2.4 at least, of a submission of 10. */
    seen = healthy();
    seen.stamped_ns = 14000;
    seen.stamped_error_ns = 800;
    judged(&seen, "stamp_cost", KT_SEVERITY_NOTE);
    seen.stamped_error_ns = 1300; /* 2.6 us are more than a fifth */
    EXPECT_TEXT_HAS(judged(&seen, "stamp_cost", KT_SEVERITY_NOTE)->seen, "not known");
    /* It is high in any case. */
    seen.stamped_ns = 50000;
    EXPECT_TEXT_HAS(judged(&seen, "stamp_cost", KT_SEVERITY_WARNING)->seen, "longer by the host");
}

static void states_are_counted(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    raw[3].state = raw[4].state = raw[7].state = KT_STAMP_LOST;
    raw[9].state = KT_STAMP_ZERO;
    const doctor_finding *f = judged(&seen, "states", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen,
                    "4 of 50 pairs of stamps were of no use, 3 of them \"lost\": they were never");
    EXPECT_NUMBER(value_of(f, "lost"), 3);
    EXPECT_NUMBER(value_of(f, "zero"), 1);
    EXPECT_NUMBER(value_of(the("order"), "compared"), COUNT - 5);
    EXPECT_TEXT_HAS(f->advice, "the state of each stamp");
    for (int i = 0; i < COUNT; i++)
        raw[i].state = KT_STAMP_AMBIGUOUS;
    assert_null(strstr(judged(&seen, "states", KT_SEVERITY_FAULT)->advice, "newer driver"));
    for (int i = 0; i < COUNT; i++)
        raw[i].state = KT_STAMP_NEGATIVE;
    EXPECT_TEXT_HAS(judged(&seen, "states", KT_SEVERITY_FAULT)->seen, "before the start");
    assert_null(find("order"));
}

static void what_runs_backward_is_a_fault(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    /* 1 us before the end of the one before, which was 20 us ago by the host; the one after it is
     * right. */
    raw[11].start_ticks = raw[10].end_ticks - 1000;
    raw[11].end_ticks = raw[10].end_ticks - 900;
    const doctor_finding *f = judged(&seen, "order", KT_SEVERITY_FAULT);
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
    (void)state;
    stamps_seen seen = healthy();
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
    const doctor_finding *f = judged(&seen, "steps", KT_SEVERITY_GOOD);
    EXPECT_TEXT_HAS(f->seen, "takes 1.000 us");
    EXPECT_NUMBER(value_of(f, "compared"), COUNT * (STEPS_COUNT - 1));
    /* Two begin before the one before them ended: by one tick, which may be rounding, and by 300
     * ns. */
    steps[3][7].end_ticks = steps[4][7].start_ticks + 1;
    steps[5][9].end_ticks = steps[6][9].start_ticks + 300;
    f = judged(&seen, "steps", KT_SEVERITY_WARNING);
    EXPECT_TEXT_HAS(f->seen, "350 pairs of neighbouring steps in one submission 1 overlap");
    EXPECT_NUMBER(value_of(f, "overlap_ns"), 300);
    EXPECT_NUMBER(value_of(f, "swapped"), 0);
    steps[6][9].start_ticks = steps[5][9].start_ticks - 2;
    EXPECT_NUMBER(value_of(judged(&seen, "steps", KT_SEVERITY_FAULT), "swapped"), 1);
    /* What was not read is no fault of its neighbours. */
    steps[6][9].state = KT_STAMP_LOST;
    EXPECT_NUMBER(value_of(judged(&seen, "steps", KT_SEVERITY_GOOD), "compared"),
                  COUNT * (STEPS_COUNT - 1) - 2);
}

static void a_turn_is_not_backward(void **state)
{
    (void)state;
    stamps_seen seen = healthy();
    /* 20 bits of a ns are over every 1.05 ms: within the 50 submissions, which take 1 ms, once. */
    seen.told.valid_bits = seen.clock.valid_bits = 20;
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
    (void)state;
    stamps_seen seen = healthy();
    seen.ruler = (kt_ruler){.grid_ns = NAN,
                            .floor_ns = NAN,
                            .stamp_cost_ns = NAN,
                            .overhead_ns = 400000,
                            .why = "its stamps are made up: all began at tick 2"};
    const doctor_finding *f = judged(&seen, "believed", KT_SEVERITY_FAULT);
    assert_int_equal(found.count, 1);
    assert_string_equal(f->seen, seen.ruler.why);
    EXPECT_TEXT_HAS(f->means, "400.0 us");
    assert_true(f->advice[0]);
    seen.has_clock = false;
    assert_int_equal(judged(&seen, "believed", KT_SEVERITY_FAULT)->advice[0], '\0');
}

/* ---- distances ---- */

static stamps_seen of_events(double grid_ns)
{
    stamps_seen seen = healthy();
    seen.backend = "cuda";
    seen.told = seen.clock =
        (kt_clock_info){.method = KT_METHOD_EVENT_PAIR, .period_ns = NAN, .frequency_hz = NAN};
    seen.ruler.grid_ns = grid_ns;
    seen.ruler.floor_ns = 2048;
    for (int i = 0; i < COUNT; i++) {
        raw[i].has_stamps = 0;
        raw[i].has_elapsed = 1;
        raw[i].elapsed_ms = 0.002F;
    }
    return seen;
}

static void distances_have_a_grid_and_no_tick(void **state)
{
    (void)state;
    stamps_seen seen = of_events(32);
    assert_string_equal(judged(&seen, "grid", KT_SEVERITY_GOOD)->seen,
                        "the distances of events move by 32.0 ns");
    assert_int_equal(the("grid")->value_count, 1);
    assert_null(find("order"));
    assert_null(find("steps"));
    for (uint32_t i = 0; i < found.count; i++)
        assert_int_equal(found.items[i].severity, KT_SEVERITY_GOOD);
    seen = of_events(1000);
    EXPECT_TEXT_HAS(judged(&seen, "grid", KT_SEVERITY_WARNING)->means,
                    "to be known within 1 %, work between two events must take 100.0 us");
    seen = of_events(NAN);
    EXPECT_TEXT_HAS(judged(&seen, "grid", KT_SEVERITY_NOTE)->seen, "was not seen");
}

/* No counter turned over, for there is none that is known of. */
static void distances_that_are_too_long_are_said_to_be(void **state)
{
    (void)state;
    stamps_seen seen = of_events(32);
    for (int i = 0; i < COUNT; i += 2)
        raw[i].state = KT_STAMP_AMBIGUOUS;
    EXPECT_TEXT_HAS(judged(&seen, "states", KT_SEVERITY_WARNING)->seen,
                    "they are longer than the host saw it take");
    assert_null(strstr(the("states")->advice, "counter"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_device_is_good),
        cmocka_unit_test(the_grid),
        cmocka_unit_test(the_floor),
        cmocka_unit_test(the_floor_of_copies),
        cmocka_unit_test(the_cost),
        cmocka_unit_test(a_cost_that_nobody_can_know),
        cmocka_unit_test(states_are_counted),
        cmocka_unit_test(what_runs_backward_is_a_fault),
        cmocka_unit_test(steps_of_one_submission),
        cmocka_unit_test(a_turn_is_not_backward),
        cmocka_unit_test(what_is_not_believed),
        cmocka_unit_test(distances_have_a_grid_and_no_tick),
        cmocka_unit_test(distances_that_are_too_long_are_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
