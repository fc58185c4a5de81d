/* SPDX-License-Identifier: MIT */
/* When times count as steady. Unless said otherwise a round takes 1 ns by the clock, so that time
 * is their count. */
#include "measure/rules.h"
#include "tests/unit/testing.h"

/* Where the times of rounds come from. */
typedef double (*source)(uint32_t index);

static kt_warmup_end run(kt_warmup *rule, source round_ns, int64_t elapsed_ns)
{
    kt_warmup_end end = KT_WARMUP_NONE;
    for (uint32_t i = 0; end == KT_WARMUP_NONE; i++)
        end = kt_warmup_add(rule, round_ns(i), (i + 1) * elapsed_ns);
    return end;
}

static kt_warmup between(int64_t time_min_ns, int64_t time_max_ns)
{
    return (kt_warmup){.rel_err = 0.005, .time_min_ns = time_min_ns, .time_max_ns = time_max_ns};
}

static void times_follow_from_those_of_sampling(void **state)
{
    static const struct {
        int64_t max_ns, least_ns, most_ns;
    } cases[] = {{2000000000, 20000000, 500000000},
                 {1000000000, 10000000, 250000000},
                 {60000000000, 20000000, 5000000000},
                 {INT64_MAX, 20000000, 5000000000},
                 {1, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_warmup rule = kt_warmup_rule(0.25, cases[i].max_ns);
        EXPECT_NUMBER(rule.rel_err, 0.25);
        assert_int_equal(rule.time_min_ns, cases[i].least_ns);
        assert_int_equal(rule.time_max_ns, cases[i].most_ns);
    }
}

static double constant(uint32_t index)
{
    return 100;
}

/* The first look is at 15 blocks; before the least time there is none. */
static void constant_times_end_it_at_once(void **state)
{
    kt_warmup rule = between(0, 1000);
    assert_int_equal(run(&rule, constant, 1), KT_WARMUP_STEADY);
    assert_int_equal(rule.rounds, 15);
    /* 18 blocks are full with round 18, from then on they hold two: 20 is not three of them, 24
     * is. */
    rule = between(20, 1000);
    assert_int_equal(run(&rule, constant, 1), KT_WARMUP_STEADY);
    assert_int_equal(rule.rounds, 24);
    /* Blocks of 2^6 from round 576 on, so three of them are 192. */
    rule = between(769, 10000);
    assert_int_equal(run(&rule, constant, 1), KT_WARMUP_STEADY);
    assert_int_equal(rule.rounds, 960);
}

/*
 * All orders of two thirds of `count` blocks, the smaller half in either: as many as are to be
 * found moving. Powers of 2, whose sums differ: no two medians are equal.
 */
static uint32_t count_moving(uint32_t count, uint32_t *orders)
{
    uint32_t moving = 0;
    *orders = 0;
    for (uint32_t late = 0; late < UINT32_C(1) << (2 * count); late++) {
        uint32_t in_late = 0, in_early = 0;
        kt_warmup rule = {.time_max_ns = 1000, .block_count = 3 * count - 1, .rounds = 15};
        double values[KT_WARMUP_BLOCKS];
        for (uint32_t bit = 0; bit < 2 * count; bit++) {
            double ns = (double)(UINT32_C(1) << bit);
            if (late >> bit & 1 && in_late < count)
                values[2 * count + in_late++] = ns;
            else if (!(late >> bit & 1) && in_early < count)
                values[count + in_early++] = ns;
        }
        if (in_late != count || in_early != count)
            continue;
        ++*orders;
        for (uint32_t i = 0; i < rule.block_count; i++)
            rule.block_ns[i] = i < count ? 0 : values[i];
        kt_warmup_end end = kt_warmup_add(&rule, values[3 * count - 1], 1);
        assert_true(end == KT_WARMUP_STEADY || end == KT_WARMUP_NONE);
        moving += end == KT_WARMUP_NONE;
    }
    return moving;
}

/*
 * U of two groups of n is u in as many orders as u has partitions into at most n parts of at most
 * n. Summed from 0 to 2, 4 and 7, and for both sides: 2 (1 + 1 + 2), 2 (1 + 1 + 2 + 3 + 5), 2 (1 +
 * 1 + 2 + 3 + 5 + 7 + 11 + 13).
 */
static void a_tenth_of_all_orders_counts_as_a_trend(void **state)
{
    static const struct {
        uint32_t blocks, moving, orders;
    } cases[] = {{4, 8, 70}, {5, 24, 252}, {6, 86, 924}};
    for (int i = 0; i < 3; i++) {
        uint32_t orders;
        assert_int_equal(count_moving(cases[i].blocks, &orders), cases[i].moving);
        assert_int_equal(orders, cases[i].orders);
    }
}

/* 200 ns, and 1 less each round, until 100 are reached with round 100 (from 0). */
static double ramp(uint32_t index)
{
    return index < 100 ? 200 - (double)index : 100;
}

static double ramp_up(uint32_t index)
{
    return 300 - ramp(index);
}

/*
 * Looks at 96, 120 and 144 rounds compare those from 64, 80 and 96 on with as many before, all of
 * which are larger. At 192 it is 128 to 191, all 100, with four blocks from 64 on, the last of
 * which is 100, too: of 16 pairs four are equal, so U is 2. At 240 it is five of 16, all 100, with
 * five from 80 on, of which two are larger: U is 15 / 2.
 */
static void a_ramp_is_over_first(void **state)
{
    kt_warmup rule = between(0, 1000000);
    assert_int_equal(run(&rule, ramp, 1), KT_WARMUP_STEADY);
    assert_int_equal(rule.rounds, 240);
    rule = between(0, 1000000);
    assert_int_equal(run(&rule, ramp_up, 1), KT_WARMUP_STEADY);
    assert_int_equal(rule.rounds, 240);
}

static uint32_t step_at;

static double step_down(uint32_t index)
{
    return index < step_at ? 100 : 80;
}

/*
 * 96 rounds are 12 blocks of 8. After a step at 63 they are from the fifth on 100, 100, 100, 97.5 |
 * 80, 80, 80, 80: moving. At 120, from the sixth on, 100, 100, 97.5, 80, 80 | 80, 80, 80, 80, 80:
 * ten of 25 pairs are equal. A step at 94 leaves 100, 100, 100, 100 | 100, 100, 100, 95: no trend
 * by rank, and no harm, for what follows is past it.
 */
static void a_step_has_to_be_past(void **state)
{
    static const uint32_t steps[] = {63, 94}, ends[] = {120, 96};
    for (int i = 0; i < 2; i++) {
        step_at = steps[i];
        kt_warmup rule = between(80, 1000000);
        assert_int_equal(run(&rule, step_down, 1), KT_WARMUP_STEADY);
        assert_int_equal(rule.rounds, ends[i]);
    }
}

static double trend(uint32_t index)
{
    return 1000 + index;
}

static double slight_trend(uint32_t index)
{
    return 100000 + (double)index;
}

/* A third later it is 5 of 100000 more: nobody asked for that. */
static void what_is_smaller_than_asked_for_is_no_trend(void **state)
{
    kt_warmup rule = between(0, 1000000);
    assert_int_equal(run(&rule, slight_trend, 1), KT_WARMUP_STEADY);
    assert_int_equal(rule.rounds, 15);
}

static uint32_t interrupted_at;

static double interrupted(uint32_t index)
{
    return index == interrupted_at ? 1e6 : 100;
}

static void one_interruption_is_no_trend(void **state)
{
    for (interrupted_at = 0; interrupted_at < 15; interrupted_at++) {
        kt_warmup rule = between(0, 1000000);
        assert_int_equal(run(&rule, interrupted, 1), KT_WARMUP_STEADY);
        assert_int_equal(rule.rounds, 15);
    }
}

/* A round is only begun if it fits in. */
static void long_rounds_are_few(void **state)
{
    static const struct {
        int64_t round_ns;
        uint32_t rounds;
        kt_warmup_end end;
    } cases[] = {{10000, 1, KT_WARMUP_SHORT}, {501, 1, KT_WARMUP_SHORT}, {500, 2, KT_WARMUP_SHORT},
                 {200, 5, KT_WARMUP_SHORT},   {84, 11, KT_WARMUP_SHORT}, {83, 12, KT_WARMUP_STEADY},
                 {66, 15, KT_WARMUP_STEADY},  {60, 15, KT_WARMUP_STEADY}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_warmup rule = between(20, 1000);
        assert_int_equal(run(&rule, constant, cases[i].round_ns), cases[i].end);
        assert_int_equal(rule.rounds, cases[i].rounds);
    }
    kt_warmup rule = between(20, 1000); /* 14 of 70 fit in, and rise all the time */
    assert_int_equal(run(&rule, trend, 70), KT_WARMUP_MOVING);
    assert_int_equal(rule.rounds, 14);
}

static void an_endless_trend_is_left_in_time(void **state)
{
    kt_warmup rule = between(0, 5000);
    assert_int_equal(run(&rule, trend, 1), KT_WARMUP_MOVING);
    assert_int_equal(rule.rounds, 5000); /* nine blocks of 512, and some */
}

/* A host clock that does not move. */
static void without_time_it_ends_too(void **state)
{
    kt_warmup rule = between(20, 1000);
    assert_int_equal(run(&rule, trend, 0), KT_WARMUP_MOVING);
    assert_int_equal(rule.rounds, 100000);
}

static uint64_t seed;

static double noise(uint32_t index)
{
    return 100 + random_share(&seed);
}

/* What is steady is prolonged at the first look in 9.5 % of runs: 381 of 4000, give or take four
 * deviations of 18.6; and of those at the second, of 18 blocks that share 15, in less than half. */
static void noise_is_seldom_prolonged(void **state)
{
    uint32_t prolonged = 0, twice = 0, all = 0;
    for (uint64_t run_seed = 1; run_seed <= 4000; run_seed++) {
        seed = run_seed * UINT64_C(0x9E3779B97F4A7C15);
        kt_warmup rule = {.time_max_ns = INT64_MAX / 2};
        assert_int_equal(run(&rule, noise, 1), KT_WARMUP_STEADY);
        prolonged += rule.rounds > 15;
        twice += rule.rounds > 18;
        all += rule.rounds;
    }
    EXPECT_NEAR(prolonged, 381, 74);
    assert_true(twice < prolonged / 2);
    assert_true(all < 4000 * 16);
}

/* Falls from 2 to 1 with a time constant of 60 rounds, with noise of 1 % on it. */
static double settling(uint32_t index)
{
    double excess = 1;
    for (uint32_t i = 0; i < index && excess > 1e-9; i++)
        excess *= 1 - 1.0 / 60;
    return (1 + excess) * (100 + 3.4641 * (random_share(&seed) - 0.5));
}

/* What remains of it when warming up ends, in shares of the noise. */
static void settling_is_awaited(void **state)
{
    uint32_t too_early = 0;
    double sum = 0;
    for (uint64_t run_seed = 1; run_seed <= 1000; run_seed++) {
        seed = run_seed * UINT64_C(0x9E3779B97F4A7C15);
        kt_warmup rule = between(0, 1000000);
        assert_int_equal(run(&rule, settling, 1), KT_WARMUP_STEADY);
        double remains = exp(-(double)rule.rounds / 60);
        sum += remains;
        too_early += remains > 0.01;
    }
    print_message("%u of 1000 ended with more than 1 %% to go, mean %g\n", too_early, sum / 1000);
    assert_true(too_early <= 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_follow_from_those_of_sampling),
        cmocka_unit_test(constant_times_end_it_at_once),
        cmocka_unit_test(a_tenth_of_all_orders_counts_as_a_trend),
        cmocka_unit_test(a_ramp_is_over_first),
        cmocka_unit_test(a_step_has_to_be_past),
        cmocka_unit_test(what_is_smaller_than_asked_for_is_no_trend),
        cmocka_unit_test(one_interruption_is_no_trend),
        cmocka_unit_test(long_rounds_are_few),
        cmocka_unit_test(an_endless_trend_is_left_in_time),
        cmocka_unit_test(without_time_it_ends_too),
        cmocka_unit_test(noise_is_seldom_prolonged),
        cmocka_unit_test(settling_is_awaited),
    };
    return cmocka_run_group_tests_name("warmup", tests, NULL, NULL);
}
