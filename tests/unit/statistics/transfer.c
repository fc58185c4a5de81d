/* SPDX-License-Identifier: MIT */
/* Lines through the times of copies whose truth is known: shapes of real machines, wild times, and
 * what is no copy. */
#include "tests/unit/statistics/transfer.h"

/* ---- shapes ---- */

static void one_line(void **state)
{
    kt_transfer_model m = fit_shape(pcie, 12);
    expect_model(&m, 10000, 25, 1e-9, size_at(0), size_at(17));
    EXPECT_NEAR(m.half_bytes, 250000, 1e-3);
    assert_int_equal(m.points, 18);
    assert_true(isnan(m.below) && isnan(m.above));
}

/* One core: level 2 and 3 caches alike up to 32 MiB of both memories, then the memory. */
static double cached_copy(double bytes)
{
    return bytes <= 16 * MIB ? 100 + bytes / 40 : 100 + bytes / 12;
}

static void caches_end(void **state)
{
    kt_transfer_model m = fit_shape(cached_copy, 12);
    expect_model(&m, 100, 40, 1e-6, 8 * KIB, 16 * MIB);
    assert_int_equal(m.points, 12);
    assert_true(isnan(m.below));
    /* 1 GiB at 12 GB/s is 40 / 12 times as long, but for the latency; at the smaller sizes that is
     * more. */
    EXPECT_NEAR(m.above, 40. / 12 - 1, 1e-4);
}

/* A driver that waits 1 us, then copies like a core. Six sizes are of the memory: fewer than of the
 * caches. */
static double pocl_write(double bytes)
{
    return bytes <= 16 * MIB ? 1000 + bytes / 30 : 1000 + bytes / 10;
}

static void a_driver_before_caches(void **state)
{
    kt_transfer_model m = fit_shape(pocl_write, 12);
    expect_model(&m, 1000, 30, 1e-6, 8 * KIB, 16 * MIB);
    EXPECT_NEAR(m.above, 2, 1e-3);
}

/* Small ones go through a buffer of the driver; 14 of 18 sizes do not. */
static double staged(double bytes)
{
    return bytes <= 64 * KIB ? 3000 + bytes / 6 : 20000 + bytes / 12;
}

static void small_ones_are_staged(void **state)
{
    kt_transfer_model m = fit_shape(staged, 20);
    expect_model(&m, 20000, 12, 1e-6, 128 * KIB, GIB);
    assert_int_equal(m.points, 14);
    /* 8 KiB: 4365 ns of 20683, the farthest off of four. */
    EXPECT_NEAR(m.below, (3000 + 8192 / 6.) / (20000 + 8192 / 12.) - 1, 1e-6);
    assert_true(isnan(m.above));
}

/* Pageable memory is pinned piece by piece above 8 MiB. */
static double paged(double bytes)
{
    return bytes <= 8 * MIB ? 8000 + bytes / 12 : 8000 + 8 * MIB / 12 + (bytes - 8 * MIB) / 3;
}

static void large_ones_are_paged(void **state)
{
    kt_transfer_model m = fit_shape(paged, 20);
    expect_model(&m, 8000, 12, 1e-6, 8 * KIB, 8 * MIB);
    assert_int_equal(m.points, 11);
    /* 1 GiB: (8 MiB / 12 + 1016 MiB / 3) / (1024 MiB / 12), and next to nothing of latency. */
    EXPECT_NEAR(m.above, (8. / 12 + 1016. / 3) / (1024. / 12) - 1, 1e-3);
}

/* Two lines of nine sizes each: that of the larger ones. */
static double two_halves(double bytes)
{
    return bytes <= 2 * MIB ? 1000 + bytes / 2 : 1000 + bytes / 8;
}

static void of_two_equal_ones_the_larger_sizes(void **state)
{
    kt_transfer_model m = fit_shape(two_halves, 20);
    expect_model(&m, 1000, 8, 1e-6, 4 * MIB, GIB);
    assert_int_equal(m.points, 9);
    EXPECT_NEAR(m.below, (1000 + MIB) / (1000 + MIB / 4) - 1, 0.01);
}

/* No two sizes have the same bandwidth. */
static double ever_slower(double bytes)
{
    return bytes * bytes * 1e-6;
}

static double jagged(double bytes)
{
    return (int)log2(bytes) % 2 ? bytes : 3 * bytes;
}

static void no_line(void **state)
{
    kt_transfer_model m = fit_shape(ever_slower, 20);
    expect_none(&m, KT_TRANSFER_NO_LINE);
    m = fit_shape(jagged, 20);
    expect_none(&m, KT_TRANSFER_NO_LINE);
}

static void no_latency_to_be_seen(void **state)
{
    kt_transfer_point points[SIZES];
    for (int i = 0; i < SIZES; i++) /* by turns 1 % longer and shorter; the first one shorter */
        points[i] = (kt_transfer_point){size_at(i), size_at(i) / 10 * (i % 2 ? 1.01 : 0.99), 0};
    kt_transfer_model m = fit(points, SIZES, 12);
    assert_int_equal(m.state, KT_TRANSFER_OK);
    assert_true(m.latency_ns >= 0 && m.latency_ns < 20);
    EXPECT_NUMBER(m.latency_low_ns, 0);
    assert_true(m.latency_high_ns > 0);
    EXPECT_NEAR(m.gb_per_s, 10, 0.05);
    for (int i = 0; i < SIZES;
         i++) /* a line that would cross zero below: 8 KiB would take 719 ns */
        points[i].time_ns = size_at(i) / 10 - 100;
    m = fit(points, SIZES, 12);
    EXPECT_NUMBER(m.latency_ns, 0);
    EXPECT_NUMBER(m.latency_low_ns, 0);
    EXPECT_NUMBER(m.half_bytes, 0);
    assert_true(m.gb_per_s > 10 && m.gb_per_s < 10.5);
    assert_true(m.gb_per_s_low < 10);
}

/* ---- wild times ---- */

/* Whichever size it is, and however it is off, it neither cuts the run nor bends the line. */
static void one_wild_size(void **state)
{
    static const double factors[] = {0.01, 0.5, 1.3, 5, 1000};
    for (int wild = 0; wild < SIZES; wild++)
        for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++) {
            kt_transfer_point points[SIZES];
            sweep(pcie, points, 0.001);
            points[wild].time_ns *= factors[k];
            kt_transfer_model m = fit(points, SIZES, 20);
            /* Next to either end it cuts off the end: of a single size beyond it nobody knows
             * whether it is there by chance. */
            int from = wild < 2 ? wild + 1 : 0, to = wild > 15 ? wild - 1 : 17;
            expect_model(&m, 10000, 25, 1e-9, size_at(from), size_at(to));
            assert_int_equal(m.points, from == 0 && to == 17 ? 17 : to - from + 1);
            EXPECT_NEAR(m.below, wild < 2 ? factors[k] - 1 : NAN, 1e-6);
            EXPECT_NEAR(m.above, wild > 15 ? factors[k] - 1 : NAN, 1e-6);
        }
}

/* Another line crosses this one at 32 KiB: it is not taken for a part of it, since at 64 KiB they
 * are apart again. */
static double crossing(double bytes)
{
    return bytes <= 64 * KIB ? 5000 + bytes / 5 : 10000 + bytes / 25;
}

static void a_size_by_chance_on_the_line(void **state)
{
    kt_transfer_model m = fit_shape(crossing, 20);
    expect_model(&m, 10000, 25, 1e-9, 128 * KIB, GIB);
    assert_int_equal(m.points, 14);
}

/* A single one is passed over, a pair ends the run. */
static void two_wild_neighbours(void **state)
{
    kt_transfer_point points[SIZES];
    sweep(pcie, points, 0.001);
    points[4].time_ns *= 3;
    points[12].time_ns *= 3;
    kt_transfer_model m = fit(points, SIZES, 20);
    expect_model(&m, 10000, 25, 1e-9, size_at(0), size_at(17));
    assert_int_equal(m.points, 16);
    points[5].time_ns *= 3;
    m = fit(points, SIZES, 20);
    expect_model(&m, 10000, 25, 1e-9, size_at(6), size_at(17));
    assert_int_equal(m.points, 11);
    EXPECT_NEAR(m.below, 2, 1e-6);
}

/* Four on a line carry one between them, not two. */
static void not_too_many_are_passed_over(void **state)
{
    kt_transfer_point points[6];
    for (int i = 0; i < 6; i++)
        points[i] = (kt_transfer_point){size_at(i), pcie(size_at(i)), 0};
    points[2].time_ns *= 3;
    kt_transfer_model m = fit(points, 5, 20);
    expect_model(&m, 10000, 25, 1e-9, size_at(0), size_at(4));
    assert_int_equal(m.points, 4);
    points[4].time_ns *= 3;
    m = fit(points, 6, 20);
    expect_none(&m, KT_TRANSFER_NO_LINE);
}

/* ---- points ---- */

static void several_of_one_size_are_one(void **state)
{
    kt_transfer_point points[3 * SIZES], shuffled[3 * SIZES];
    for (int run = 0; run < 3; run++) {
        sweep(pcie, points + (ptrdiff_t)run * SIZES, 0);
        for (int i = 0; i < SIZES;
             i++) /* of three runs the middle one is right, and so is the mean */
            points[run * SIZES + i].time_ns *= 1 + 0.01 * (run - 1);
    }
    kt_transfer_model m = fit(points, (size_t)3 * SIZES, 20);
    expect_model(&m, 10000, 25, 1e-9, size_at(0), size_at(17));
    assert_int_equal(m.points, SIZES);
    /* Nothing scatters around the line, but each time is known to 1 % / sqrt(3) only. */
    assert_true(m.gb_per_s_high > 25 * (1 + 0.01 / 3));
    assert_true(m.latency_high_ns > 10000 * (1 + 0.01 / 3));
    for (int i = 0; i < 3 * SIZES; i++)
        shuffled[i] = points[i * 23 % (3 * SIZES)];
    kt_transfer_model other = fit(shuffled, (size_t)3 * SIZES, 20);
    EXPECT_NEAR(other.latency_ns, m.latency_ns, 1e-9 * m.latency_ns);
    EXPECT_NEAR(other.latency_high_ns, m.latency_high_ns, 1e-9 * m.latency_high_ns);
    EXPECT_NEAR(other.gb_per_s_low, m.gb_per_s_low, 1e-9 * m.gb_per_s_low);
}

static void what_is_no_number_is_left_out(void **state)
{
    static const double none[] = {NAN, INFINITY, -INFINITY, 0, -5};
    kt_transfer_point points[SIZES + 10];
    size_t count = sweep(pcie, points, 0);
    for (int i = 0; i < 5; i++) {
        points[count++] = (kt_transfer_point){none[i], 1000, 1};
        points[count++] = (kt_transfer_point){3e5, none[i], 1};
        points[i].error_ns = none[i];
    }
    kt_transfer_model m = fit(points, count, 20);
    expect_model(&m, 10000, 25, 1e-9, size_at(0), size_at(17));
    assert_int_equal(m.points, SIZES);
}

static void too_few(void **state)
{
    kt_transfer_point points[SIZES];
    sweep(pcie, points, 0.001);
    for (size_t count = 0; count < KT_TRANSFER_SIZES_MIN; count++) {
        kt_transfer_model m = fit(points, count, 20);
        expect_none(&m, KT_TRANSFER_NONE);
    }
    for (int i = 1; i < SIZES; i++)
        points[i].bytes = points[0].bytes;
    kt_transfer_model m = fit(points, SIZES, 20);
    expect_none(&m, KT_TRANSFER_NONE);
}

static void the_first_64_sizes(void **state)
{
    kt_transfer_point points[100];
    for (int i = 0; i < 100; i++) {
        double bytes = 1e6 * (i + 1);
        points[i] = (kt_transfer_point){bytes, i < 64 ? pcie(bytes) : 1, 0};
    }
    kt_transfer_model m = fit(points, 100, 20);
    expect_model(&m, 10000, 25, 1e-9, 1e6, 64e6);
    assert_int_equal(m.points, 64);
}

/* Of all that can be, in whatever unit. */
static void huge_and_tiny_numbers(void **state)
{
    static const double units[] = {1e-100, 1e-6, 1, 1e6, 1e100};
    for (size_t i = 0; i < 5; i++) {
        kt_transfer_point points[SIZES];
        for (int k = 0; k < SIZES; k++)
            points[k] = (kt_transfer_point){size_at(k) * units[i], pcie(size_at(k)) * units[i], 0};
        kt_transfer_model m = fit(points, SIZES, 20);
        expect_model(&m, 10000 * units[i], 25, 1e-9, size_at(0) * units[i], size_at(17) * units[i]);
    }
    const kt_transfer_point most[] = {{5e-324, 5e-324, 5e-324},
                                      {1, 1, 1e308},
                                      {1e308, 1e308, 0},
                                      {1.7e308, 1.7e308, 1.7e308},
                                      {3, 1e-320, 0}};
    kt_transfer_model m = fit(most, 5, 20);
    assert_true(m.state != KT_TRANSFER_OK || m.latency_ns >= 0);
}

/* ---- what is no copy ---- */

static double flat(double bytes)
{
    return 40;
}

static double flat_and_slow(double bytes)
{
    return 3000 + 0 * bytes;
}

static void no_memory_is_as_fast(void **state)
{
    kt_transfer_model m = fit_shape(flat, 12);
    expect_none(&m, KT_TRANSFER_ZERO_COPY);
    m = fit_shape(flat, NAN);
    expect_none(&m, KT_TRANSFER_ZERO_COPY);
    m = fit_shape(flat_and_slow, 12);
    expect_none(&m, KT_TRANSFER_ZERO_COPY);
    /* Two maps, the second with a cost of each page: 4 KiB in 10 ns are 410 GB/s. */
    kt_transfer_point points[SIZES];
    for (int i = 0; i < SIZES; i++)
        points[i] = (kt_transfer_point){size_at(i), 3000 + size_at(i) / 410, 30};
    m = fit(points, SIZES, 12);
    expect_none(&m, KT_TRANSFER_ZERO_COPY);
    m = fit(points, SIZES, 100); /* but that could be a memory */
    expect_model(&m, 3000, 410, 1e-6, size_at(0), size_at(17));
}

/* One wild time more or less does not hide it. */
static void zero_copy_but_for_one(void **state)
{
    for (int wild = 0; wild < SIZES; wild++) {
        kt_transfer_point points[SIZES];
        sweep(flat, points, 0.01);
        points[wild].time_ns = 1e9;
        kt_transfer_model m = fit(points, SIZES, 12);
        expect_none(&m, KT_TRANSFER_ZERO_COPY);
    }
}

static void one_size_alone(void **state)
{
    const kt_transfer_point map = {32 * MIB, 40, 1}, copy = {32 * MIB, 3e6, 1};
    kt_transfer_model m = fit(&map, 1, 12);
    expect_none(&m, KT_TRANSFER_ZERO_COPY);
    m = fit(&map, 1, NAN); /* 839 TB/s */
    expect_none(&m, KT_TRANSFER_ZERO_COPY);
    m = fit(&copy, 1, 12);
    expect_none(&m, KT_TRANSFER_NONE);
}

/* Times of small copies hardly grow, and may even shrink: that does not make them none. */
/* Small copies by all cores wait for one that others hold, 8 ms long; the larger ones come in
 * between. */
static void times_that_shrink_are_no_zero_copy(void **state)
{
    const kt_transfer_point points[] = {
        {64 * KIB, 8e6, 1e4}, {256 * KIB, 7.9e6, 1e4}, {MIB, 3e5, 1e4}, {4 * MIB, 3.5e5, 1e4}};
    assert_int_not_equal(fit(points, 4, 30).state, KT_TRANSFER_ZERO_COPY);
    assert_int_not_equal(fit(points, 4, NAN).state, KT_TRANSFER_ZERO_COPY);
}

static void latency_alone_is_no_zero_copy(void **state)
{
    static const double factors[][4] = {
        {1, 1, 1, 1}, {1.05, 1, 1, 0.95}, {1.08, 1.05, 0.97, 0.92}, {3, 1, 1, 1}, {1, 1, 1, 0.5}};
    for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++) {
        kt_transfer_point points[4];
        for (int i = 0; i < 4; i++) /* 8 to 64 KiB: 10.3 to 12.6 us */
            points[i] = (kt_transfer_point){size_at(i), pcie(size_at(i)) * factors[k][i], 0};
        for (size_t count = 1; count <= 4; count++) {
            assert_int_not_equal(fit(points, count, 25).state, KT_TRANSFER_ZERO_COPY);
            assert_int_not_equal(fit(points, count, NAN).state, KT_TRANSFER_ZERO_COPY);
        }
        for (int i = 0; i < 4; i++) /* a clock of 10 us */
            points[i].time_ns = 10000;
        kt_transfer_model m = fit(points, 4, 25);
        expect_flat(&m, 10000, 0, size_at(0), size_at(3));
    }
}

/* Too few bytes to rule out a copy, and times that do not grow. Four with an error of 100 ns: 1.96
 * * 100 / 2 ns; with a scatter of 10 ns about their mean (30 ns * sqrt(4 / 3 / 4) / 3 = 5.77), 3.18
 * times that. */
static void one_time_is_flat(void **state)
{
    kt_transfer_point points[4];
    for (int i = 0; i < 4; i++)
        points[i] = (kt_transfer_point){size_at(i), 5000, 100};
    kt_transfer_model m = fit(points, 4, 100);
    expect_flat(&m, 5000, 97.998, 8 * KIB, 64 * KIB);
    for (int i = 0; i < 4; i++)
        points[i] = (kt_transfer_point){size_at(i), i == 0 || i == 3 ? 5010 : 4990, 0};
    m = fit(points, 4, 100);
    expect_flat(&m, 5000, 3.18245 * 10 / sqrt(3), 8 * KIB, 64 * KIB);
    assert_int_equal(fit(points, 3, 100).state, KT_TRANSFER_NONE);
    points[3].time_ns = 9000; /* that is another time */
    assert_int_equal(fit(points, 4, 100).state, KT_TRANSFER_NO_LINE);
    /* They surely grow: 57,344 bytes in 400 ns are 143 GB/s. */
    for (int i = 0; i < 4; i++)
        points[i] = (kt_transfer_point){size_at(i), 5000 + size_at(i) / 143.36, 1};
    m = fit(points, 4, 100);
    expect_model(&m, 5000, 143.36, 1e-6, 8 * KIB, 64 * KIB);
}

/* ---- further lines ---- */

static double two_regimes(double bytes)
{
    return bytes <= 2 * MIB ? 20000 + bytes / 24 : 50000 + bytes / 7;
}

static double three_regimes(double bytes)
{
    return bytes <= 64 * KIB ? 1000 + bytes : bytes <= 16 * MIB ? 90000 + bytes / 24 : bytes / 7;
}

static size_t fit_lines(shape of, kt_transfer_model *lines)
{
    kt_transfer_point points[SIZES];
    size_t count = kt_transfer_fit_lines(points, sweep(of, points, 0.001), 100, lines);
    for (size_t i = 0; i < count; i++)
        assert_true(count == 1 || lines[i].state == KT_TRANSFER_OK);
    return count;
}

/* 8 KiB to 2 MiB and 4 MiB to 1 GiB; 8 to 64 KiB, 128 KiB to 16 MiB and 32 MiB to 1 GiB. What is
 * off is told of all other sizes. */
static void each_regime_has_its_line(void **state)
{
    kt_transfer_model lines[KT_TRANSFER_LINES_MAX];
    assert_int_equal(fit_lines(two_regimes, lines), 2);
    expect_model(&lines[0], 20000, 24, 1e-6, 8 * KIB, 2 * MIB);
    expect_model(&lines[1], 50000, 7, 1e-6, 4 * MIB, GIB);
    assert_true(isnan(lines[0].below) && isnan(lines[1].above));
    EXPECT_NEAR(lines[0].above, two_regimes(GIB) / (20000 + GIB / 24) - 1, 1e-6);
    EXPECT_NEAR(lines[1].below, two_regimes(2 * MIB) / (50000 + 2 * MIB / 7) - 1, 1e-6);

    assert_int_equal(fit_lines(three_regimes, lines), 3);
    expect_model(&lines[0], 1000, 1, 1e-6, 8 * KIB, 64 * KIB);
    expect_model(&lines[1], 90000, 24, 1e-6, 128 * KIB, 16 * MIB);
    EXPECT_NEAR(lines[2].gb_per_s, 7, 1e-6);
    EXPECT_NUMBER(lines[2].from_bytes, 32 * MIB);
    EXPECT_NEAR(lines[0].above, three_regimes(16 * MIB) / (1000 + 16 * MIB) - 1, 1e-6);

    assert_int_equal(fit_lines(pcie, lines), 1);
    assert_int_equal(fit_lines(flat, lines), 1);
    expect_none(&lines[0], KT_TRANSFER_ZERO_COPY);
    assert_int_equal(fit_lines(jagged, lines), 1);
    expect_none(&lines[0], KT_TRANSFER_NO_LINE);
}

/* Small copies by all cores within their caches are many times as fast as the memory, and copies
 * nevertheless. */
static double many_caches(double bytes)
{
    return bytes <= 16 * MIB ? 200 + bytes / 2000 : 200 + bytes / 100;
}

static void caches_are_no_zero_copy(void **state)
{
    kt_transfer_model m = fit_shape(many_caches, 100);
    /* What is beyond belief has no part in the line. */
    expect_model(&m, 200, 100, 0.05, 32 * MIB, GIB);
    m = fit_shape(many_caches, NAN);
    expect_model(&m, 200, 2000, 1e-6, 8 * KIB, 16 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line),
        cmocka_unit_test(caches_end),
        cmocka_unit_test(a_driver_before_caches),
        cmocka_unit_test(small_ones_are_staged),
        cmocka_unit_test(large_ones_are_paged),
        cmocka_unit_test(of_two_equal_ones_the_larger_sizes),
        cmocka_unit_test(no_line),
        cmocka_unit_test(no_latency_to_be_seen),
        cmocka_unit_test(one_wild_size),
        cmocka_unit_test(a_size_by_chance_on_the_line),
        cmocka_unit_test(two_wild_neighbours),
        cmocka_unit_test(not_too_many_are_passed_over),
        cmocka_unit_test(several_of_one_size_are_one),
        cmocka_unit_test(what_is_no_number_is_left_out),
        cmocka_unit_test(too_few),
        cmocka_unit_test(the_first_64_sizes),
        cmocka_unit_test(huge_and_tiny_numbers),
        cmocka_unit_test(no_memory_is_as_fast),
        cmocka_unit_test(zero_copy_but_for_one),
        cmocka_unit_test(one_size_alone),
        cmocka_unit_test(times_that_shrink_are_no_zero_copy),
        cmocka_unit_test(latency_alone_is_no_zero_copy),
        cmocka_unit_test(one_time_is_flat),
        cmocka_unit_test(each_regime_has_its_line),
        cmocka_unit_test(caches_are_no_zero_copy),
    };
    return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
