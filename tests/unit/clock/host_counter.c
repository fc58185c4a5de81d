/* SPDX-License-Identifier: MIT */
/* Which counters are fit to be a clock, how their period becomes known, when one is given up. */
#include "tests/unit/clock/scripted_counter.h"
#include "tests/unit/testing.h"

#define SECOND INT64_C(1000000000)

/* ---- fitness ---- */

static void what_cpu_and_kernel_say(void **state)
{
    static const struct {
        kt_counter_facts facts;
        kt_counter_fitness fitness;
        const char *reason;
    } cases[] = {
        {{"tsc", "tsc", true, "tsc", true, NAN, NULL},
         KT_COUNTER_FIT,
         "clock source of the kernel"},
        {{"tsc", "tsc", false, "tsc", true, NAN, NULL},
         KT_COUNTER_UNFIT,
         "does not report an invariant tsc"},
        /* Virtual machines: another clock source over a sound counter. */
        {{"tsc", "tsc", true, "kvm-clock", true, NAN, NULL},
         KT_COUNTER_FIT_IF_IN_STEP,
         "the kernel uses kvm-clock and offers tsc"},
        {{"tsc", "tsc", true, "hyperv_clocksource_tsc_page", true, NAN, NULL},
         KT_COUNTER_FIT_IF_IN_STEP,
         "offers tsc"},
        /* The kernel has found it unstable. */
        {{"tsc", "tsc", true, "hpet", false, NAN, NULL}, KT_COUNTER_UNFIT, "does not offer tsc"},
        {{"tsc", "tsc", true, "", false, NAN, NULL}, KT_COUNTER_FIT_IF_IN_STEP, "unknown"},
        {{"cntvct", "arch_sys_counter", true, "arch_sys_counter", true, NAN, NULL},
         KT_COUNTER_FIT,
         "clock source of the kernel"},
        {{NULL, NULL, false, "", false, NAN, NULL},
         KT_COUNTER_UNFIT,
         "no counter that kerntime can read"},
        /* What the user wants goes before, but makes no counter. */
        {{"tsc", "tsc", true, "tsc", true, NAN, "os"}, KT_COUNTER_UNFIT, "KERNTIME_CLOCK is os"},
        {{"tsc", "tsc", false, "hpet", false, NAN, "tsc"}, KT_COUNTER_FIT, "KERNTIME_CLOCK is tsc"},
        {{NULL, NULL, false, "", false, NAN, "tsc"},
         KT_COUNTER_UNFIT,
         "no counter that kerntime can read"},
        {{"tsc", "tsc", true, "tsc", true, NAN, "TSC"},
         KT_COUNTER_FIT,
         "KERNTIME_CLOCK is TSC, not tsc or os; invariant"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char reason[KT_COUNTER_REASON_BYTES];
        assert_int_equal(kt_counter_judge(&cases[i].facts, reason), cases[i].fitness);
        EXPECT_TEXT_HAS(reason, cases[i].reason);
    }
}

static void a_value_of_any_length_is_shown(void **state)
{
    char reason[KT_COUNTER_REASON_BYTES], value[1000];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    const kt_counter_facts facts = {"tsc", "tsc", true, "tsc", true, NAN, value};
    assert_int_equal(kt_counter_judge(&facts, reason), KT_COUNTER_FIT);
    EXPECT_TEXT_HAS(reason, "xxx, not tsc or os; invariant");
}

static void what_the_cores_say(void **state)
{
    static const struct {
        kt_core_agreement cores;
        bool all_needed, fit;
        const char *reason;
    } cases[] = {
        {{4, 4, true, 100}, true, true, ""},
        {{4, 3, true, 100}, true, false, "only 3 of 4 cores could be compared"},
        {{4, 3, true, 100}, false, true, ""},
        {{0, 0, true, 0}, true, false, "the usable cores are unknown"},
        {{1, 1, true, 0}, true, true, ""},
        {{4, 4, false, 5000}, true, false, "out of step"},
        {{4, 4, false, 5000}, false, false, "out of step"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char reason[KT_COUNTER_REASON_BYTES] = "";
        assert_int_equal(kt_counter_judge_cores(&cases[i].cores, cases[i].all_needed, reason),
                         cases[i].fit);
        EXPECT_TEXT_HAS(reason, cases[i].reason);
    }
}

static void two_cores_bound_their_distance(void **state)
{
    kt_core_distance distance = KT_NO_DISTANCE;
    kt_core_distance_add(&distance, 1000, 1090, 1200);
    assert_int_equal(distance.least, -110);
    assert_int_equal(distance.most, 90);
    kt_core_distance_add(&distance, 2000, 2050, 2300);
    assert_int_equal(distance.least, -110);
    assert_int_equal(distance.most, 50);
    /* Read later than asked and answered: the other core is ahead by 400 at least. */
    kt_core_distance_add(&distance, 3000, 3600, 3200);
    assert_int_equal(distance.least, 400);
    assert_int_equal(distance.most, 50);
    kt_core_distance behind = KT_NO_DISTANCE;
    kt_core_distance_add(&behind, 3000, 2900, 3200);
    assert_int_equal(behind.most, -100);
}

/* ---- following ---- */

static scripted_counter make_counter(double ticks_of_ns)
{
    return (scripted_counter){.now_ns = 77 * SECOND,
                              .ticks = 5e12,
                              .ticks_of_ns = ticks_of_ns,
                              .width_ns = 40,
                              .read_at = 0.4};
}

/* Follows for some seconds, as often as a pair is due. */
static void follow(kt_host_counter *counter, scripted_counter *s, double seconds)
{
    int64_t end_ns = s->now_ns + (int64_t)(seconds * 1e9);
    while (!counter->lost && s->now_ns < end_ns) {
        scripted_pass(s, 3 * INT64_C(1000003));
        if (s->now_ns >= counter->next_ns)
            kt_host_counter_follow(counter);
    }
}

static void expect_period(const kt_host_counter *counter, const scripted_counter *s)
{
    assert_false(counter->lost);
    EXPECT_NEAR(counter->period_ns, 1 / s->ticks_of_ns, counter->period_uncertainty_ns);
}

static void the_period_becomes_known(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(2.3);
    assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
    assert_true(s.now_ns - 77 * SECOND < 300000);
    expect_period(&counter, &s);
    assert_true(counter.period_uncertainty_ns < 1e-3 * counter.period_ns);
    follow(&counter, &s, 0.01);
    expect_period(&counter, &s);
    assert_true(counter.period_uncertainty_ns < 2e-5 * counter.period_ns);
    follow(&counter, &s, 60);
    expect_period(&counter, &s);
    assert_true(counter.period_uncertainty_ns < 1e-7 * counter.period_ns);
}

/* Whatever was read a moment ago. */
static void readings_are_placed(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(2.3);
    assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
    follow(&counter, &s, 5);
    for (int i = 0; i < 200; i++) {
        int64_t host_ns;
        double uncertainty_ns;
        follow(&counter, &s, 0.013);
        assert_true(kt_host_counter_place(&counter, (uint64_t)s.ticks, &host_ns, &uncertainty_ns));
        EXPECT_NEAR((double)(host_ns - s.now_ns), 0, uncertainty_ns);
        assert_true(uncertainty_ns < 100);
    }
}

/* acpi_pm resolves 279 ns. */
static void a_coarse_system_clock(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(2.3);
    s.step_ns = 279;
    s.width_ns = 700;
    assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
    expect_period(&counter, &s);
    follow(&counter, &s, 10);
    expect_period(&counter, &s);
    assert_true(counter.period_uncertainty_ns < 1e-6 * counter.period_ns);
}

/* A slow counter: cntvct at 24 MHz. */
static void a_coarse_counter(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(0.024);
    assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
    expect_period(&counter, &s);
    follow(&counter, &s, 10);
    expect_period(&counter, &s);
}

/* A thread that loses its core within a reading makes a wide bracket, and no more than that. */
static void an_interrupted_reading_is_no_jump(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(2.3);
    assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
    follow(&counter, &s, 0.5);
    for (int i = 0; i < 100; i++) {
        s.width_ns = 40 + (i % 3) * INT64_C(4000000);
        s.read_at = (i % 7) / 6.0;
        follow(&counter, &s, 0.05);
        expect_period(&counter, &s);
    }
    s.broken = true;
    follow(&counter, &s, 0.5);
    assert_false(counter.lost);
}

/* Nobody collects for a day. */
static void a_long_pause_is_no_jump(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(2.3);
    assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
    scripted_pass(&s, 86400 * SECOND);
    follow(&counter, &s, 0.01);
    expect_period(&counter, &s);
}

static void expect_lost(kt_host_counter *counter, scripted_counter *s, const char *reason)
{
    int64_t host_ns;
    double uncertainty_ns, period_ns = counter->period_ns;
    follow(counter, s, 0.5);
    assert_true(counter->lost);
    EXPECT_TEXT_HAS(counter->reason, reason);
    /* The period of the time before stays. */
    EXPECT_NEAR(counter->period_ns, period_ns, 1e-3 * period_ns);
    assert_false(kt_host_counter_place(counter, (uint64_t)s->ticks, &host_ns, &uncertainty_ns));
}

static void a_counter_that_jumps_is_given_up(void **state)
{
    /* Suspended: the counter begins anew, or counts on while the system's clock stands still.
     * Moved: another machine's counter. */
    static const double jumps[] = {-5e12, 20e9, -1e6, 1e6, 1e15};
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
        static kt_host_counter counter;
        scripted_counter s = make_counter(2.3);
        assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
        follow(&counter, &s, 2);
        assert_false(counter.lost);
        s.ticks = fmax(0, s.ticks + jumps[i]);
        expect_lost(&counter, &s, "the counter moved by");
    }
}

static void a_counter_with_another_rate_is_given_up(void **state)
{
    static const double rates[] = {2.1, 2.3 * (1 + 300e-6), 2.3 * (1 - 60e-6)};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        static kt_host_counter counter;
        scripted_counter s = make_counter(2.3);
        assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
        follow(&counter, &s, 2);
        assert_false(counter.lost);
        s.ticks_of_ns = rates[i];
        expect_lost(&counter, &s,
                    i == 0 || i == 1 ? "the counter moved"
                                     : "the rate of the counter changed by -");
    }
}

/* Pairs so rare that the newest distance is most of the time since the first one. */
static void another_rate_is_found_by_rare_pairs(void **state)
{
    for (int64_t pause_s = 1; pause_s < 1000; pause_s *= 7) {
        static kt_host_counter counter;
        scripted_counter s = make_counter(2.3);
        assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
        follow(&counter, &s, 2);
        s.ticks_of_ns *= 1 - 60e-6;
        for (int i = 0; i < 3 && !counter.lost; i++) {
            scripted_pass(&s, pause_s * SECOND);
            kt_host_counter_follow(&counter);
        }
        assert_true(counter.lost);
        EXPECT_TEXT_HAS(counter.reason, "the rate of the counter changed");
    }
}

/* A duration of the first second, as it is told after minutes. */
static void early_durations_are_covered(void **state)
{
    static const struct {
        double ppm, settles_s;
        int64_t pause_ns; /* between pairs */
    } cases[] = {
        {3, 30, 10000000}, {3, 30, SECOND}, {-0.4, 30, 100000000}, {15, 1000, 3600 * SECOND}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static kt_host_counter counter;
        scripted_counter s = make_counter(2.3);
        double early = NAN, seconds = 0;
        assert_true(kt_host_counter_begin(&counter, scripted_pair, &s));
        double begin = s.ticks;
        int64_t begin_ns = s.now_ns;
        for (int64_t end_ns = begin_ns + 300 * SECOND + 2 * cases[i].pause_ns;
             !counter.lost && s.now_ns < end_ns;) {
            s.ticks_of_ns = 2.3 * (1 + cases[i].ppm * 1e-6 * exp(-seconds / cases[i].settles_s));
            scripted_pass(&s, seconds < 1 ? 10000000 : cases[i].pause_ns);
            kt_host_counter_follow(&counter);
            seconds = (double)(s.now_ns - begin_ns) * 1e-9;
            if (isnan(early) && seconds >= 1)
                early = (s.ticks - begin) / seconds * 1e-9;
        }
        assert_false(counter.lost);
        EXPECT_NEAR(counter.period_ns, 1 / early, counter.period_uncertainty_ns);
        assert_true(counter.period_uncertainty_ns <
                    3 * fabs(cases[i].ppm) * 1e-6 * counter.period_ns);
    }
}

/* Bit 63 marks readings of the system's clock. */
static void a_counter_that_is_too_far(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(2.3);
    s.ticks = 0x1p63;
    assert_false(kt_host_counter_begin(&counter, scripted_pair, &s));
    EXPECT_TEXT_HAS(counter.reason, "2^62");
}

static void a_counter_that_cannot_be_read(void **state)
{
    static kt_host_counter counter;
    scripted_counter s = make_counter(2.3);
    s.broken = true;
    assert_false(kt_host_counter_begin(&counter, scripted_pair, &s));
    EXPECT_TEXT_HAS(counter.reason, "could not be read");
    s = make_counter(0); /* stands still */
    assert_false(kt_host_counter_begin(&counter, scripted_pair, &s));
    EXPECT_TEXT_HAS(counter.reason, "no period");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cpu_and_kernel_say),
        cmocka_unit_test(a_value_of_any_length_is_shown),
        cmocka_unit_test(what_the_cores_say),
        cmocka_unit_test(two_cores_bound_their_distance),
        cmocka_unit_test(the_period_becomes_known),
        cmocka_unit_test(readings_are_placed),
        cmocka_unit_test(a_coarse_system_clock),
        cmocka_unit_test(a_coarse_counter),
        cmocka_unit_test(an_interrupted_reading_is_no_jump),
        cmocka_unit_test(a_long_pause_is_no_jump),
        cmocka_unit_test(a_counter_that_jumps_is_given_up),
        cmocka_unit_test(a_counter_with_another_rate_is_given_up),
        cmocka_unit_test(another_rate_is_found_by_rare_pairs),
        cmocka_unit_test(early_durations_are_covered),
        cmocka_unit_test(a_counter_that_is_too_far),
        cmocka_unit_test(a_counter_that_cannot_be_read),
    };
    return cmocka_run_group_tests_name("host_counter", tests, NULL, NULL);
}
