/* SPDX-License-Identifier: MIT */
/* Ticks to ns: every width, any start, any order. */
#include "clock/ticks.h"
#include "support/common_divisor.h"
#include "tests/unit/testing.h"

#include <float.h>

static kt_clock_info make_clock(uint32_t bits, double period_ns)
{
    return (kt_clock_info){.period_ns = period_ns, .valid_bits = bits};
}

/* 2 to the power of bits as a double, by doubling. */
static double power_of_two(uint32_t bits)
{
    double power = 1;
    while (bits--)
        power *= 2;
    return power;
}

/* The low bits of a number, one bit after the other. */
static uint64_t low_bits(uint64_t value, uint32_t bits)
{
    uint64_t result = 0;
    for (uint32_t i = 0; i < bits; i++)
        result |= value & (UINT64_C(1) << i);
    return result;
}

static void mask_has_just_the_valid_bits(void **state)
{
    for (uint32_t bits = 1; bits <= 64; bits++)
        assert_true(kt_ticks_mask(bits) == low_bits(UINT64_MAX, bits));
}

static void delta_undoes_an_addition_on_the_counter(void **state)
{
    uint64_t random = 1;
    for (uint32_t bits = 1; bits <= 64; bits++) {
        for (int i = 0; i < 2000; i++) {
            uint64_t start = low_bits(random_bits(&random), bits);
            uint64_t span = low_bits(random_bits(&random) >> (random % 64), bits);
            uint64_t end = low_bits(start + span, bits);
            assert_true(kt_ticks_delta(start, end, bits) == span);
            /* What a driver leaves in the bits above must not matter. */
            uint64_t junk = bits < 64 ? random_bits(&random) << bits : 0;
            assert_true(kt_ticks_delta(start | junk, end, bits) == span);
            assert_true(kt_ticks_delta(start, end | junk, bits) == span);
        }
    }
}

static void wrap_time_of_common_widths(void **state)
{
    kt_clock_info clock = make_clock(32, 52.083333);
    /* 4294967296 * 52.083333 ns = 223.7 s */
    EXPECT_NUMBER(kt_ticks_wrap_ns(&clock), 4294967296.0 * 52.083333);
    clock = make_clock(36, 1);
    EXPECT_NUMBER(kt_ticks_wrap_ns(&clock), 68719476736.0);
    clock = make_clock(64, 1);
    assert_true(isinf(kt_ticks_wrap_ns(&clock)));
}

/* A span that fits into one wrap, seen by a host that knows it within 10 %. */
static void spans_within_one_wrap_are_exact(void **state)
{
    uint64_t random = 2;
    for (uint32_t bits = 1; bits <= 64; bits++) {
        kt_clock_info clock = make_clock(bits, 0.5);
        for (int i = 0; i < 2000; i++) {
            uint64_t start = low_bits(random_bits(&random), bits);
            uint64_t span = low_bits(random_bits(&random) >> (random % 64), bits) >> 1;
            uint64_t end = low_bits(start + span, bits);
            double span_ns = -1, true_ns = (double)span * 0.5; /* halves: no rounding */
            kt_timestamp_state got =
                kt_ticks_span(&clock, start, end, true_ns * 0.9, true_ns * 1.1, &span_ns);
            if (start == 0 && end == 0) {
                assert_int_equal(got, KT_TIMESTAMP_ZERO);
                continue;
            }
            assert_int_equal(got, KT_TIMESTAMP_OK);
            EXPECT_NUMBER(span_ns, true_ns);
        }
    }
}

/*
 * What a span can be, by trying out every number of wraps in whole numbers: the only one that fits
 * into what the host saw, or none. For periods of 1 ns.
 */
static kt_timestamp_state model(uint32_t bits, uint64_t start, uint64_t end, uint64_t least,
                                uint64_t most, uint64_t *span)
{
    uint64_t wrap = UINT64_C(1) << bits, fitting = 0, likely = 0;
    for (uint64_t candidate = 0; candidate <= most; candidate++) {
        if ((start + candidate) % wrap != end % wrap)
            continue;
        if (fitting++ == 0)
            *span = candidate;
    }
    if (fitting == 1)
        return KT_TIMESTAMP_OK;
    if (fitting == 0) {
        for (uint64_t back = 0; back <= most; back++)
            if ((end + back) % wrap == start % wrap)
                return KT_TIMESTAMP_NEGATIVE;
        return KT_TIMESTAMP_AMBIGUOUS;
    }
    for (uint64_t candidate = least; candidate <= most; candidate++) {
        if ((start + candidate) % wrap != end % wrap)
            continue;
        if (likely++ == 0)
            *span = candidate;
    }
    return likely == 1 ? KT_TIMESTAMP_OK : KT_TIMESTAMP_AMBIGUOUS;
}

static void narrow_counters_agree_with_trying_everything(void **state)
{
    uint64_t random = 3;
    unsigned seen[KT_TIMESTAMP_STATE_COUNT] = {0};
    for (int i = 0; i < 60000; i++) {
        uint32_t bits = 1 + (uint32_t)(random_bits(&random) % 6);
        uint64_t start = low_bits(random_bits(&random), bits);
        uint64_t end = low_bits(random_bits(&random), bits);
        uint64_t most = random_bits(&random) % 200;
        uint64_t least = random_bits(&random) % (most + 1);
        if (random & 1) /* a host that knows it well */
            least = most - (random >> 8) % (most < 9 ? most + 1 : 9);
        if (start == 0 && end == 0)
            continue;
        kt_clock_info clock = make_clock(bits, 1);
        uint64_t expected_span = 0;
        double span_ns = -1;
        kt_timestamp_state expected = model(bits, start, end, least, most, &expected_span);
        kt_timestamp_state got =
            kt_ticks_span(&clock, start, end, (double)least, (double)most, &span_ns);
        if (got != expected)
            print_error("%u bits, %u to %u, %u..%u ns\n", bits, (unsigned)start, (unsigned)end,
                        (unsigned)least, (unsigned)most);
        assert_int_equal(got, expected);
        if (got == KT_TIMESTAMP_OK)
            EXPECT_NUMBER(span_ns, (double)expected_span);
        seen[got]++;
    }
    /* All the ways that it can end have been taken, so that agreeing means something. */
    assert_true(seen[KT_TIMESTAMP_OK] > 1000);
    assert_true(seen[KT_TIMESTAMP_NEGATIVE] > 100);
    assert_true(seen[KT_TIMESTAMP_AMBIGUOUS] > 1000);
}

static void zero_timestamps_are_no_timestamps(void **state)
{
    for (uint32_t bits = 1; bits <= 64; bits++) {
        kt_clock_info clock = make_clock(bits, 1);
        double span_ns = -1;
        assert_int_equal(kt_ticks_span(&clock, 0, 0, 0, 1e12, &span_ns), KT_TIMESTAMP_ZERO);
        EXPECT_NUMBER(span_ns, -1); /* written only if ok */
    }
    /* The same tick twice is a span of nothing, on a counter that counts. */
    kt_clock_info clock = make_clock(64, 1);
    double span_ns = -1;
    assert_int_equal(kt_ticks_span(&clock, 5, 5, 0, 1000, &span_ns), KT_TIMESTAMP_OK);
    EXPECT_NUMBER(span_ns, 0);
}

static void backwards_is_negative_on_64_bits(void **state)
{
    uint64_t random = 4;
    kt_clock_info clock = make_clock(64, 1);
    for (int i = 0; i < 2000; i++) {
        uint64_t back = 1 + (random_bits(&random) >> (2 + random % 62));
        uint64_t start = random_bits(&random);
        double span_ns = -1;
        assert_int_equal(kt_ticks_span(&clock, start, start - back, 0, 1e6, &span_ns),
                         KT_TIMESTAMP_NEGATIVE);
        EXPECT_NUMBER(span_ns, -1);
    }
    /* Further ahead than the host saw it take, and not back either. */
    double span_ns = -1;
    assert_int_equal(kt_ticks_span(&clock, 1, 1 + (UINT64_C(1) << 62), 0, 1e6, &span_ns),
                     KT_TIMESTAMP_AMBIGUOUS);
}

static void several_wraps_need_the_lower_bound(void **state)
{
    /* 32 bits of 1 ns wrap after 4.294967296 s; the true span is 2 wraps and 1000 ticks. */
    kt_clock_info clock = make_clock(32, 1);
    double true_ns = 2 * power_of_two(32) + 1000, span_ns = -1;
    assert_int_equal(kt_ticks_span(&clock, 7, 1007, 0, true_ns + 5, &span_ns),
                     KT_TIMESTAMP_AMBIGUOUS);
    assert_int_equal(kt_ticks_span(&clock, 7, 1007, true_ns - 5e9, true_ns + 5, &span_ns),
                     KT_TIMESTAMP_AMBIGUOUS);
    EXPECT_NUMBER(span_ns, -1);
    assert_int_equal(kt_ticks_span(&clock, 7, 1007, true_ns - 4e9, true_ns + 5, &span_ns),
                     KT_TIMESTAMP_OK);
    EXPECT_NUMBER(span_ns, true_ns);
}

/* Up to 2047 ticks the product fits into a long double, so that it is rounded just once. */
static void fractional_periods_are_rounded_once(void **state)
{
    kt_clock_info clock = make_clock(32, 52.083333);
    for (uint64_t ticks = 1; ticks < 2048; ticks++) {
        uint64_t start = UINT64_C(4294967296) - ticks / 2 - 1; /* wraps in between */
        double span_ns = -1, expected = (double)((long double)ticks * (long double)52.083333);
        uint64_t end = low_bits(start + ticks, 32);
        assert_int_equal(kt_ticks_span(&clock, start, end, 0, 2e5, &span_ns), KT_TIMESTAMP_OK);
        EXPECT_NUMBER(span_ns, expected);
    }
    /* 4800 ticks of 52.083333 ns: 249 999.9984 ns, by hand */
    double span_ns = -1;
    assert_int_equal(kt_ticks_span(&clock, 100, 4900, 0, 3e5, &span_ns), KT_TIMESTAMP_OK);
    EXPECT_NEAR(span_ns, 249999.9984, 1e-9);
}

/* A counter that shows 1000 has 10 bits or more. */
static void unknown_widths_give_no_wrong_span(void **state)
{
    assert_true(kt_ticks_mask(0) == UINT64_MAX);
    kt_clock_info clock = make_clock(0, 2);
    assert_true(isinf(kt_ticks_wrap_ns(&clock)));
    static const struct {
        uint64_t start, end;
        double most_ns;
        uint32_t bits_min;
        kt_timestamp_state state;
        double span_ns;
    } rows[] = {
        {900, 1000, 2000, 0, KT_TIMESTAMP_OK, 200},
        {900, 1000, 2247, 0, KT_TIMESTAMP_OK, 200},
        {900, 1000, 2248, 0, KT_TIMESTAMP_AMBIGUOUS, -1}, /* 100 + 1024 ticks are 2248 ns */
        {900, 1000, 4295, 11, KT_TIMESTAMP_OK, 200},
        {900, 1000, 4296, 11, KT_TIMESTAMP_AMBIGUOUS, -1},
        {900, 1024, 4000, 0, KT_TIMESTAMP_OK, 248}, /* 1024 takes 11 bits */
        {900, 1000, 199, 0, KT_TIMESTAMP_AMBIGUOUS, -1},
        {1000, 900, 2000, 0, KT_TIMESTAMP_AMBIGUOUS, -1}, /* it wrapped, or ran back */
        {1000, 900, 1e18, 0, KT_TIMESTAMP_AMBIGUOUS, -1},
        {UINT64_MAX - 4, 5, 1e6, 0, KT_TIMESTAMP_AMBIGUOUS, -1},
        {0, 0, 1e6, 0, KT_TIMESTAMP_ZERO, -1},
        {UINT64_MAX - 10, UINT64_MAX, 1e18, 0, KT_TIMESTAMP_OK, 20},
        {UINT64_MAX - 10, UINT64_MAX, 1e18, 64, KT_TIMESTAMP_OK, 20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double span_ns = -1;
        clock.valid_bits_min = rows[i].bits_min;
        assert_int_equal(
            kt_ticks_span(&clock, rows[i].start, rows[i].end, 0, rows[i].most_ns, &span_ns),
            rows[i].state);
        EXPECT_NUMBER(span_ns, rows[i].span_ns);
    }
}

/* Whatever a counter's true width: what is told of it without knowing that is true. */
static void unknown_widths_agree_with_known_ones(void **state)
{
    uint64_t random = 12;
    kt_clock_info clock = make_clock(0, 1);
    int reported = 0, refused = 0;
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = 8 + (uint32_t)(random_bits(&random) % 56);
        uint64_t true_ticks = random_bits(&random) >> (random_bits(&random) % 63);
        uint64_t start = low_bits(random_bits(&random), bits);
        uint64_t end = low_bits(start + true_ticks, bits);
        double span_ns = -1, most_ns = (double)true_ticks * (1 + random_share(&random)) + 1;
        kt_timestamp_state answer = kt_ticks_span(&clock, start, end, 0, most_ns, &span_ns);
        reported += answer == KT_TIMESTAMP_OK;
        refused += answer == KT_TIMESTAMP_AMBIGUOUS;
        if (answer == KT_TIMESTAMP_OK)
            EXPECT_NUMBER(span_ns, (double)true_ticks);
    }
    assert_true(reported > 1000);
    assert_true(refused > 1000);
}

static void without_a_period_there_is_no_span(void **state)
{
    for (uint32_t bits = 0; bits <= 64; bits += 32) {
        kt_clock_info clock = make_clock(bits, NAN);
        double span_ns = -1;
        assert_int_equal(kt_ticks_span(&clock, 5, 6, 0, 1e9, &span_ns), KT_TIMESTAMP_AMBIGUOUS);
        assert_int_equal(kt_ticks_span(&clock, 0, 0, 0, 1e9, &span_ns), KT_TIMESTAMP_ZERO);
        EXPECT_NUMBER(span_ns, -1);
    }
}

static void distances_are_the_shorter_way_round(void **state)
{
    static const struct {
        uint64_t a, b, ticks;
        uint32_t bits;
    } rows[] = {
        {10, 14, 4, 32}, {14, 10, 4, 32},  {7, 7, 0, 32},
        {250, 4, 10, 8}, /* over the end: 256 - 250 + 4 */
        {4, 250, 10, 8}, {0, 128, 128, 8}, {UINT64_MAX, 1, 2, 64},
        {10, 14, 4, 0},  {14, 10, 0, 0}, /* who knows where it wrapped */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(kt_ticks_distance(rows[i].a, rows[i].b, rows[i].bits), rows[i].ticks);
}

static void divisors_agree_with_trying_all(void **state)
{
    for (uint64_t a = 0; a < 60; a++)
        for (uint64_t b = 0; b < 60; b++) {
            uint64_t greatest = a > b ? a : b; /* all divide 0 */
            while (greatest && (a % greatest || b % greatest))
                greatest--;
            assert_int_equal(kt_common_divisor(a, b), greatest);
        }
}

/* ---- distances in ms as floats ---- */

/* What drivers make of whole ns. */
static void expect_whole(uint64_t ns, double tolerance_ns)
{
    const float each[] = {(float)ns / 1e6F, (float)((double)ns / 1e6), (float)ns * 1e-6F};
    for (int i = 0; i < 3; i++) {
        double made_ns = kt_elapsed_ns(each[i]);
        EXPECT_NEAR(made_ns, (double)ns, tolerance_ns);
        EXPECT_NUMBER(made_ns, nearbyint(made_ns));
    }
}

static void whole_ns_come_back_as_they_were(void **state)
{
    for (uint64_t ns = 0; ns < 1 << 20; ns++)
        expect_whole(ns, 0);
    for (uint64_t ns = 1 << 20; ns < 8000000;
         ns += 37) /* where a float of ms still tells each of them */
        expect_whole(ns, 0);
    /* A float has 24 bits, and is rounded twice, or three times; an hour is 2^42 ns. */
    for (uint64_t ns = 8000000; ns < UINT64_C(1) << 42; ns += ns / 997)
        expect_whole(ns, ceil(1.5 * ldexp((double)ns, -23)));
}

static void what_is_not_whole_is_left_as_it_is(void **state)
{
    /* Halves and thirds up to 1 ms, which a float tells from whole ones: 2^-24 of 1 ms is 0.06
     * ns. */
    for (int ns = 0; ns < 1000000; ns += 17)
        for (int part = 1; part < 6; part++) {
            double exact_ns = ns + part / 6.0;
            float ms = (float)(exact_ns * 1e-6);
            EXPECT_NUMBER(kt_elapsed_ns(ms), (double)ms * 1e6);
            EXPECT_NEAR(kt_elapsed_ns(ms), exact_ns, ldexp(exact_ns, -23));
        }
    assert_true(isnan(kt_elapsed_ns(NAN)));
    EXPECT_NUMBER(kt_elapsed_ns(-0.002F), -2000);
}

static void steps_of_floats_are_those_of_their_exponent(void **state)
{
    for (int exponent = -140; exponent < 128; exponent++) {
        double step_ns = ldexp(1e6, exponent < -126 ? -149 : exponent - 23);
        double reported_ns = step_ns >= 1 ? step_ns : 0;
        float first = ldexpf(1, exponent), last = nextafterf(ldexpf(1, exponent + 1), 0);
        EXPECT_NUMBER(kt_elapsed_step_ns(first), reported_ns);
        EXPECT_NUMBER(kt_elapsed_step_ns(-first), reported_ns);
        if (exponent < 127)
            EXPECT_NUMBER(kt_elapsed_step_ns(last), reported_ns);
    }
    EXPECT_NUMBER(kt_elapsed_step_ns(0), 0);
    EXPECT_NUMBER(kt_elapsed_step_ns(NAN), 0);
    EXPECT_NUMBER(kt_elapsed_step_ns(INFINITY), 0);
    EXPECT_NUMBER(kt_elapsed_step_ns(10), 0);
    EXPECT_NUMBER(kt_elapsed_step_ns(16), 1.9073486328125);
    EXPECT_NUMBER(kt_elapsed_step_ns(262.144F), 30.517578125);
    EXPECT_NUMBER(kt_elapsed_step_ns(8192), 976.5625);
}

static void spans_of_distances_have_a_state(void **state)
{
    static const struct {
        float ms;
        double most_ns;
        kt_timestamp_state state;
        double span_ns; /* -1: it stays as it was */
    } rows[] = {
        {0.002048F, 1e6, KT_TIMESTAMP_OK, 2048},
        {0, 1e6, KT_TIMESTAMP_OK, 0},
        {0, 0, KT_TIMESTAMP_OK, 0},
        {-0.0F, 0, KT_TIMESTAMP_OK, 0},
        {0.5F, 5e5, KT_TIMESTAMP_OK, 5e5},
        {0.5F, 499999, KT_TIMESTAMP_AMBIGUOUS, -1},
        {0.5F, INFINITY, KT_TIMESTAMP_OK, 5e5},
        {NAN, 1e6, KT_TIMESTAMP_ZERO, -1},
        {NAN, NAN, KT_TIMESTAMP_ZERO, -1},
        {0.5F, NAN, KT_TIMESTAMP_AMBIGUOUS, -1},
        {-1e-6F, 1e6, KT_TIMESTAMP_NEGATIVE, -1},
        {-INFINITY, 1e6, KT_TIMESTAMP_NEGATIVE, -1},
        {INFINITY, INFINITY, KT_TIMESTAMP_AMBIGUOUS, -1},
        {FLT_MAX, 1e12, KT_TIMESTAMP_AMBIGUOUS, -1},
        {FLT_TRUE_MIN, 1e6, KT_TIMESTAMP_OK, 0}, /* the least there is, and no ns */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double span_ns = -1;
        assert_int_equal(kt_elapsed_span(rows[i].ms, rows[i].most_ns, &span_ns), rows[i].state);
        EXPECT_NEAR(span_ns, rows[i].span_ns, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mask_has_just_the_valid_bits),
        cmocka_unit_test(delta_undoes_an_addition_on_the_counter),
        cmocka_unit_test(distances_are_the_shorter_way_round),
        cmocka_unit_test(divisors_agree_with_trying_all),
        cmocka_unit_test(wrap_time_of_common_widths),
        cmocka_unit_test(spans_within_one_wrap_are_exact),
        cmocka_unit_test(narrow_counters_agree_with_trying_everything),
        cmocka_unit_test(zero_timestamps_are_no_timestamps),
        cmocka_unit_test(backwards_is_negative_on_64_bits),
        cmocka_unit_test(several_wraps_need_the_lower_bound),
        cmocka_unit_test(fractional_periods_are_rounded_once),
        cmocka_unit_test(unknown_widths_give_no_wrong_span),
        cmocka_unit_test(unknown_widths_agree_with_known_ones),
        cmocka_unit_test(without_a_period_there_is_no_span),
        cmocka_unit_test(whole_ns_come_back_as_they_were),
        cmocka_unit_test(what_is_not_whole_is_left_as_it_is),
        cmocka_unit_test(steps_of_floats_are_those_of_their_exponent),
        cmocka_unit_test(spans_of_distances_have_a_state),
    };
    return cmocka_run_group_tests_name("ticks", tests, NULL, NULL);
}
