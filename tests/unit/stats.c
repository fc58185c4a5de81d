/* The summary of samples, against hand-made values and slower, plainer algorithms. */
#include "testing.h"

#include <kerntime/stats.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

static kt_summary summarize(const double *samples, size_t n)
{
    static double scratch[1024];
    kt_summary summary;
    kt_summarize(samples, n, 0, scratch, &summary);
    return summary;
}

static void small_lists_by_hand(void **state)
{
    (void)state;
    kt_summary s = summarize((double[]){7}, 1);
    assert_int_equal(s.n, 1);
    EXPECT_NUMBER(s.min, 7);
    EXPECT_NUMBER(s.max, 7);
    EXPECT_NUMBER(s.mean, 7);
    EXPECT_NUMBER(s.median, 7);
    EXPECT_NUMBER(s.stddev, NAN); /* one sample has no spread */
    EXPECT_NUMBER(s.mad, 0);
    EXPECT_NUMBER(s.p95, 7);
    EXPECT_NUMBER(s.ci95_low, NAN);
    EXPECT_NUMBER(s.ci95_high, NAN);

    s = summarize((double[]){4, 1}, 2);
    EXPECT_NUMBER(s.median, 2.5);
    EXPECT_NUMBER(s.mean, 2.5);
    EXPECT_NEAR(s.stddev, 2.1213203435596424, 1e-15); /* sqrt(2 * 1.5^2 / 1) = 3 / sqrt(2) */
    EXPECT_NUMBER(s.mad, 1.5);
    EXPECT_NEAR(s.p95, 3.85, 1e-15); /* rank 0.95 between 1 and 4 */

    /* Sorted 1 2 4 8 16: mean 31/5; squares of the distances 27.04 17.64 4.84 3.24 96.04 sum to
     * 148.8; distances from the median 3 2 0 4 12, sorted 0 2 3 4 12; p95 at rank 3.8. */
    s = summarize((double[]){16, 1, 4, 2, 8}, 5);
    EXPECT_NUMBER(s.min, 1);
    EXPECT_NUMBER(s.max, 16);
    EXPECT_NUMBER(s.median, 4);
    EXPECT_NEAR(s.mean, 6.2, 1e-15);
    EXPECT_NEAR(s.stddev, 6.0991802727907625, 1e-14); /* sqrt(148.8 / 4) = sqrt(37.2) */
    EXPECT_NUMBER(s.mad, 3);
    EXPECT_NEAR(s.p95, 14.4, 1e-12); /* 8 + 0.8 * 8 */
    EXPECT_NUMBER(s.ci95_low, NAN);

    /* Sorted 1 2 3 4 5 9: distances from 3.5: 2.5 1.5 .5 .5 1.5 5.5, their median 1.5. */
    s = summarize((double[]){9, 5, 1, 2, 4, 3}, 6);
    EXPECT_NUMBER(s.median, 3.5);
    EXPECT_NUMBER(s.mean, 4);
    EXPECT_NUMBER(s.mad, 1.5);
    EXPECT_NUMBER(s.ci95_low, 1); /* six samples just reach 1 - 2/64 = 96.9 % with the extremes */
    EXPECT_NUMBER(s.ci95_high, 9);
}

static void nothing_gives_nothing(void **state)
{
    (void)state;
    kt_summary s;
    kt_summarize(NULL, 0, 0, NULL, &s);
    assert_int_equal(s.n, 0);
    const double all[] = {s.min, s.max, s.mean,     s.median,   s.stddev,
                          s.mad, s.p95, s.ci95_low, s.ci95_high};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        EXPECT_NUMBER(all[i], NAN);
}

static void type_7_percentile_hits_whole_ranks(void **state)
{
    (void)state;
    double samples[21];
    for (int i = 0; i < 21; i++)
        samples[i] = 10.0 * (20 - i);
    EXPECT_NEAR(summarize(samples, 21).p95, 190,
                1e-12); /* 0.95 * 20 = 19: the 20th of 0, 10 .. 200 */
}

/* 0.1 is no binary fraction: sums of it are not multiples of it. */
static void equal_samples_have_an_exact_mean(void **state)
{
    (void)state;
    double samples[1000];
    const double values[] = {0.1, 52.083333, 1e9 / 3, 123456789.123456789};
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        for (size_t n = 1; n <= 1000; n++) {
            samples[n - 1] = values[v];
            kt_summary s = summarize(samples, n);
            EXPECT_NUMBER(s.mean, values[v]);
            EXPECT_NUMBER(s.median, values[v]);
            EXPECT_NUMBER(s.p95, values[v]);
            EXPECT_NUMBER(s.mad, 0);
            EXPECT_NUMBER(s.stddev, n > 1 ? 0 : NAN);
        }
    }
}

/* Small differences between large numbers: 1e12 + 0, 1, 2 has the spread of 0, 1, 2, which is 1. */
static void large_times_keep_their_small_spread(void **state)
{
    (void)state;
    kt_summary s = summarize((double[]){1e12 + 2, 1e12, 1e12 + 1}, 3);
    EXPECT_NUMBER(s.mean, 1e12 + 1);
    EXPECT_NUMBER(s.stddev, 1);
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double middle(const double *values, size_t n)
{
    double sorted[300];
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

static void mad_is_the_median_of_distances(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 3000; round++) {
        double samples[300], distances[300];
        size_t n = 1 + (size_t)(random_bits(&random) % 299);
        /* Whole numbers, few of them different, so that ties are common and halves exact. */
        uint64_t values = 1 + random_bits(&random) % 1000;
        for (size_t i = 0; i < n; i++)
            samples[i] = (double)(random_bits(&random) % values);
        double center = middle(samples, n);
        for (size_t i = 0; i < n; i++)
            distances[i] = fabs(samples[i] - center);
        kt_summary s = summarize(samples, n);
        EXPECT_NUMBER(s.median, center);
        EXPECT_NUMBER(s.mad, middle(distances, n));
    }
}

/* Pascal's triangle: row n holds how many of the 2^n outcomes have k of n samples below the median.
 */
static void binomial_row(size_t n, uint64_t *row)
{
    memset(row, 0, (n + 1) * sizeof *row);
    row[0] = 1;
    for (size_t i = 1; i <= n; i++)
        for (size_t k = i; k > 0; k--)
            row[k] += row[k - 1];
}

/* Ranks (j, n - 1 - j) miss the median if at most j samples lie on one side: two tails, each of
 * which may hold 1 / `parts` of the outcomes. -1: not even the extremes will do. */
static int exact_rank(size_t n, unsigned parts)
{
    uint64_t row[64];
    binomial_row(n, row);
    wide tail = 0;
    int rank = -1;
    for (size_t j = 0; 2 * j < n; j++) {
        tail += row[j];
        if (tail * parts > (wide)1 << n)
            break;
        rank = (int)j;
    }
    return rank;
}

static void interval_ranks_agree_with_exact_arithmetic(void **state)
{
    (void)state;
    static const struct {
        double confidence;
        unsigned parts; /* 2 / (1 - confidence) */
    } cases[] = {{0.8, 10}, {0.9, 20}, {0.95, 40}, {0.99, 200}, {0.999, 2000}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t n = 0; n <= 60; n++) {
            int rank = n ? exact_rank(n, cases[c].parts) : -1;
            size_t low = 999, high = 999;
            int has = kt_median_interval(n, cases[c].confidence, &low, &high);
            assert_int_equal(has, rank >= 0);
            assert_int_equal(low, has ? (size_t)rank : 999);
            assert_int_equal(high, has ? n - 1 - (size_t)rank : 999);
        }
    }
}

/* Hollander and Wolfe, and every table of the sign test: order statistics counted from 1 there. */
static void interval_ranks_of_the_tables(void **state)
{
    (void)state;
    static const size_t table[][3] = {{6, 1, 6},   {7, 1, 7},    {8, 1, 8},    {9, 2, 8},
                                      {10, 2, 9},  {12, 3, 10},  {15, 4, 12},  {20, 6, 15},
                                      {25, 8, 18}, {30, 10, 21}, {40, 14, 27}, {50, 18, 33}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t low = 0, high = 0;
        assert_int_equal(kt_median_interval(table[i][0], 0.95, &low, &high), 1);
        assert_int_equal(low + 1, table[i][1]);
        assert_int_equal(high + 1, table[i][2]);
    }
    size_t low, high;
    for (size_t n = 0; n < 6; n++)
        assert_int_equal(kt_median_interval(n, 0.95, &low, &high), 0);
}

/* The binomial (n, 1/2) is nearly normal: mean n / 2, deviation sqrt(n) / 2, half a step of
 * continuity. */
static void huge_n_agrees_with_the_normal_law(void **state)
{
    (void)state;
    static const size_t sizes[] = {1000, 1029, 1075, 5000, 100000, 1000001};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double n = (double)sizes[i];
        size_t low = 0, high = 0;
        assert_int_equal(kt_median_interval(sizes[i], 0.95, &low, &high), 1);
        EXPECT_NEAR((double)low, n / 2 - 1.959963984540054 * sqrt(n) / 2 - 0.5, 1.01);
        assert_int_equal(low + high, sizes[i] - 1);
    }
}

/* How often the interval of 11 samples holds the true median of a skewed law. By the binomial it
 * misses when at most 1 sample lies on one side: 2 * (1 + 11) of 2048. */
static void interval_covers_the_median_as_often_as_promised(void **state)
{
    (void)state;
    const int rounds = 20000;
    const double promised = 1 - 24.0 / 2048, median = log(2); /* of the exponential law */
    uint64_t random = 6;
    int covered = 0;
    for (int round = 0; round < rounds; round++) {
        double samples[11];
        for (int i = 0; i < 11; i++)
            samples[i] = -log(1 - random_share(&random));
        kt_summary s = summarize(samples, 11);
        covered += s.ci95_low <= median && median <= s.ci95_high;
    }
    double deviation = sqrt(promised * (1 - promised) / rounds);
    EXPECT_NEAR((double)covered / rounds, promised, 4 * deviation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_lists_by_hand),
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(type_7_percentile_hits_whole_ranks),
        cmocka_unit_test(equal_samples_have_an_exact_mean),
        cmocka_unit_test(large_times_keep_their_small_spread),
        cmocka_unit_test(mad_is_the_median_of_distances),
        cmocka_unit_test(interval_ranks_agree_with_exact_arithmetic),
        cmocka_unit_test(interval_ranks_of_the_tables),
        cmocka_unit_test(huge_n_agrees_with_the_normal_law),
        cmocka_unit_test(interval_covers_the_median_as_often_as_promised),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
