/* SPDX-License-Identifier: MIT */
/* The summary of samples, against hand-made values and slower, plainer algorithms. */
#include "bench/calibrate/noise.h"
#include "statistics/interval.h"
#include "statistics/sample_warnings.h"
#include "tests/unit/testing.h"

#include <kerntime/stats.h>
#include <stdlib.h>

static kt_summary summarize(const double *samples, size_t n)
{
    static double scratch[1024];
    kt_summary summary;
    kt_summarize(samples, n, 0, scratch, &summary);
    return summary;
}

static void small_lists_by_hand(void **state)
{
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
    /* With the extremes six samples reach 1 - 2/64, with their neighbours 1 - 14/64. For 0.95
     * Hettmansperger and Sheather take I = (62/64 - 0.95) / (12/64) = 0.1 and 5 I / (1 + 4 I) =
     * 5/14 of the way inwards. */
    EXPECT_NEAR(s.ci95_low, 1 + 5.0 / 14, 1e-12);
    EXPECT_NEAR(s.ci95_high, 9 - 4 * 5.0 / 14, 1e-12);
    assert_int_equal(s.warnings, 0);
}

static void nothing_gives_nothing(void **state)
{
    kt_summary s;
    kt_summarize(NULL, 0, 0, NULL, &s);
    assert_int_equal(s.n, 0);
    assert_int_equal(s.warnings, 0);
    const kt_summary_field *field;
    size_t i = 0;
    for (; (field = kt_summary_get_field(i)) != NULL; i++)
        EXPECT_NUMBER(kt_summary_get(&s, field), NAN);
    assert_int_equal(i * sizeof(double),
                     offsetof(kt_summary, warnings) - sizeof s.n); /* all of them */
}

static void type_7_percentile_hits_whole_ranks(void **state)
{
    double samples[21];
    for (int i = 0; i < 21; i++)
        samples[i] = 10.0 * (20 - i);
    EXPECT_NEAR(summarize(samples, 21).p95, 190,
                1e-12); /* 0.95 * 20 = 19: the 20th of 0, 10 .. 200 */
}

/* 0.1 is no binary fraction: sums of it are not multiples of it. */
static void equal_samples_have_an_exact_mean(void **state)
{
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

static kt_summary summarize_with_resolution(const double *samples, size_t n, double resolution)
{
    static double scratch[2000];
    kt_summary summary;
    kt_summarize(samples, n, resolution, scratch, &summary);
    return summary;
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

/* As in the paper: d counts from 1, `gamma` is the confidence of (X_d, X_n-d+1), exactly. */
static double paper_rank(size_t n, double confidence)
{
    uint64_t row[64], tail = 0;
    binomial_row(n, row);
    double all = (double)((uint64_t)1 << n);
    size_t d = 0;
    double gamma = 1;
    for (;;) {
        tail += row[d];
        double next = 1 - 2 * (double)tail / all;
        if (next < confidence)
            break;
        gamma = next;
        d++;
    }
    double next = 1 - 2 * (double)tail / all, share = (gamma - confidence) / (gamma - next);
    double lambda = (double)(n - d) * share / ((double)d + ((double)n - 2 * (double)d) * share);
    return (double)d - 1 + lambda;
}

static void median_ranks_are_those_of_the_paper(void **state)
{
    double low = -1, high = -1;
    for (size_t n = 1; n < 6; n++)
        assert_false(kt_interval_ranks(n, 0.5, 1, &low, &high));
    EXPECT_NUMBER(low, -1);
    for (size_t n = 6; n <= 60; n++) {
        assert_true(kt_interval_ranks(n, 0.5, 1, &low, &high));
        EXPECT_NEAR(low, paper_rank(n, 0.95), 1e-9);
        EXPECT_NEAR(low + high, (double)n - 1, 1e-9);
    }
}

/* The binomial (n, 1/2) is nearly normal: mean n / 2, deviation sqrt(n) / 2. */
static void huge_n_agrees_with_the_normal_law(void **state)
{
    static const size_t sizes[] = {1000, 1029, 1075, 5000, 100000, 1000001};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double n = (double)sizes[i], low, high;
        assert_true(kt_interval_ranks(sizes[i], 0.5, 1, &low, &high));
        EXPECT_NEAR(low, (n - 1) / 2 - 1.959963984540054 * sqrt(n) / 2, 0.6);
        EXPECT_NEAR(low + high, n - 1, 1e-6);
        assert_true(kt_interval_ranks(sizes[i], 0.95, 1, &low, &high));
        double deviation = sqrt(n * 0.95 * 0.05);
        EXPECT_NEAR(low, 0.95 * (n - 1) - 1.959963984540054 * deviation, 1.6);
        EXPECT_NEAR(high, 0.95 * (n - 1) + 1.959963984540054 * deviation, 1.6);
    }
}

/* Binomial (n, p) from factorials: P(at most k below). */
static double at_most(size_t n, double p, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i <= k; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
                   (double)i * log(p) + (double)(n - i) * log(1 - p));
    return sum;
}

/* The interpolated ranks lie between the two order statistics whose probabilities enclose 2.5 %. */
static void ranks_of_the_95th_percentile(void **state)
{
    double low, high;
    assert_false(kt_interval_ranks(71, 0.95, 1, &low, &high)); /* 0.95^71 = 0.0262 */
    for (size_t n = 72; n <= 400; n += 7) {
        assert_true(kt_interval_ranks(n, 0.95, 1, &low, &high));
        assert_true(at_most(n, 0.95, (size_t)floor(low)) <= 0.025 + 1e-9);
        assert_true(at_most(n, 0.95, (size_t)floor(low) + 1) > 0.025 - 1e-9);
        /* Rank r is below the percentile if at least r + 1 samples are. */
        assert_true(1 - at_most(n, 0.95, (size_t)ceil(high)) <= 0.025 + 1e-9);
        assert_true(1 - at_most(n, 0.95, (size_t)ceil(high) - 1) > 0.025 - 1e-9);
    }
}

static void inflation_stretches_the_ranks_by_its_root(void **state)
{
    double low, high, low4, high4;
    assert_true(kt_interval_ranks(100, 0.5, 1, &low, &high));
    assert_true(kt_interval_ranks(100, 0.5, 4, &low4, &high4));
    EXPECT_NEAR(49.5 - low4, 2 * (49.5 - low), 1e-9);
    EXPECT_NEAR(high4 - 49.5, 2 * (high - 49.5), 1e-9);
    assert_false(kt_interval_ranks(100, 0.5, 36, &low, &high)); /* worth less than 3 */
}

/* The formula as it stands in sample_warnings.h, by plain sums. */
static double plain_inflation(const double *values, size_t n)
{
    double mean = 0, sum = 0, previous = INFINITY, lag0 = 0;
    size_t lags = 0;
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t lag = 0; lag + 1 < n; lag += 2) {
        double pair = 0;
        for (size_t k = lag; k <= lag + 1; k++)
            for (size_t i = 0; i + k < n; i++)
                pair += (values[i] - mean) * (values[i + k] - mean);
        if (lag == 0)
            for (size_t i = 0; i < n; i++)
                lag0 += (values[i] - mean) * (values[i] - mean);
        previous = fmin(previous, pair);
        if (previous <= 0)
            break;
        sum += previous;
        lags = lag + 1;
    }
    double inflation = (2 * sum / lag0 - 1) * (1 + (2 * (double)lags + 1) / (double)n);
    return fmax(1, inflation);
}

static void inflation_by_plain_sums(void **state)
{
    const noise of = {.value = 1, .spread = 1, .correlation = 0.6};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        noise_run run = noise_begin(&of, seed);
        double values[120], copy[120];
        size_t n = 20 + (size_t)(seed % 100);
        for (size_t i = 0; i < n; i++)
            copy[i] = values[i] = noise_next(&run);
        EXPECT_NEAR(kt_inflation(copy, n), plain_inflation(values, n), 1e-9);
    }
    double alternating[40], equal[40];
    for (int i = 0; i < 40; i++) {
        alternating[i] = i % 2;
        equal[i] = 7;
    }
    EXPECT_NUMBER(kt_inflation(alternating, 40), 1);
    EXPECT_NUMBER(kt_inflation(equal, 40), 1);
}

/* Each value repeated 500 times: the mean varies as if there were 500 times fewer. The lags reach
 * further than one pass sums. */
static void inflation_of_long_stays(void **state)
{
    enum { STAY = 500, VALUES = 200 };
    static double values[STAY * VALUES];
    uint64_t random = 5;
    for (size_t i = 0; i < VALUES; i++) {
        double value = random_share(&random);
        for (size_t k = 0; k < STAY; k++)
            values[i * STAY + k] = value;
    }
    EXPECT_NEAR(kt_inflation(values, STAY * VALUES) / STAY, 1, 0.2);
}

static void steps_that_can_be_seen(void **state)
{
    const double tied[] = {10, 16, 12, 22, 12, 10};
    EXPECT_NUMBER(summarize(tied, 6).resolution, 2);
    EXPECT_NUMBER(summarize_with_resolution(tied, 6, 0.5).resolution, 0.5); /* known beats seen */
    EXPECT_NUMBER(summarize((double[]){10, 16, 12, 22, 13, 11}, 6).resolution, 0); /* no ties */
    EXPECT_NUMBER(summarize((double[]){5, 5, 5}, 3).resolution, 0); /* no differences */
    /* Ticks of 52.083 ns, times a period, differ in their last digits. */
    const double ticks[] = {1000 * 52.083333, 1001 * 52.083333, 1000 * 52.083333 * (1 + 1e-15),
                            1002 * 52.083333};
    EXPECT_NEAR(summarize(ticks, 4).resolution, 52.083333, 1e-6);
}

static void a_coarse_clock_widens_by_half_a_step(void **state)
{
    double samples[40];
    for (int i = 0; i < 40; i++)
        samples[i] = 1000;
    kt_summary s = summarize_with_resolution(samples, 40, 10);
    EXPECT_NUMBER(s.ci95_low, 995);
    EXPECT_NUMBER(s.ci95_high, 1005);
    EXPECT_NEAR(s.robust_stddev, 10 / sqrt(12), 1e-12);
    assert_int_equal(s.warnings, KT_WARNING_COARSE_CLOCK);
    assert_int_equal(summarize_with_resolution(samples, 40, 1).warnings,
                     0); /* 0.1 %: no more than that */
    /* Twice as fine as what they spread over: the samples set the width. */
    for (int i = 0; i < 40; i++)
        samples[i] = 1000 + 10 * (i * 7 % 40);
    assert_int_equal(summarize_with_resolution(samples, 40, 10).warnings, 0);
}

/* Below half a step it ends at 0; only what is itself below 0 may lead there. */
static void no_interval_of_durations_begins_below_0(void **state)
{
    double samples[80] = {0};
    kt_summary s = summarize_with_resolution(samples, 80, 10);
    EXPECT_NUMBER(s.ci95_low, 0);
    EXPECT_NUMBER(s.ci95_high, 5);
    EXPECT_NUMBER(s.p95_ci95_low, 0);
    EXPECT_NUMBER(s.p95_ci95_high, 5);
    for (int i = 0; i < 80; i++)
        samples[i] = 5;
    EXPECT_NUMBER(summarize_with_resolution(samples, 80, 10).ci95_low, 0);
    EXPECT_NUMBER(summarize_with_resolution(samples, 80, 8).ci95_low, 1);
    for (int i = 0; i < 80; i++)
        samples[i] = -3;
    EXPECT_NUMBER(summarize_with_resolution(samples, 80, 10).ci95_low, -8);
}

/* 1 .. 12 in a shuffled order and three far ones: quartiles of 15 samples at ranks 3.5 and 10.5. */
static void outliers_beyond_the_outer_fences(void **state)
{
    /* Sorted: -20 1 2 3 4 5 6 7 8 9 10 11 12 29 30: quartiles 3.5, 10.5, fences -17.5 and 31.5. */
    double samples[15] = {7, 1, 30, 3, 12, 5, -20, 2, 9, 10, 4, 6, 11, 8, 29};
    kt_summary s = summarize(samples, 15);
    assert_int_equal(s.outliers_low, 1);
    assert_int_equal(s.outliers_high, 0);
    samples[2] = 31.5; /* on the fence is within */
    assert_int_equal(summarize(samples, 15).outliers_high, 0);
    samples[2] = 31.6;
    assert_int_equal(summarize(samples, 15).outliers_high, 1);
    /* Equal samples with a single other: beyond three steps of a known resolution. */
    double equal[10] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 106};
    assert_int_equal(summarize_with_resolution(equal, 10, 2).outliers_high, 0);
    assert_int_equal(summarize_with_resolution(equal, 10, 1.9).outliers_high, 1);
}

static void drift_by_hand(void **state)
{
    double samples[60], reversed[60];
    for (int i = 0; i < 60; i++)
        reversed[59 - i] = samples[i] = 1000 + i % 2 + i; /* up by 59 and the ripple */
    kt_summary s = summarize(samples, 60);
    assert_int_equal(s.warnings & KT_WARNING_DRIFT, KT_WARNING_DRIFT);
    /* Medians of the first and last 20 are 40 apart, in 40 samples. */
    EXPECT_NEAR(s.drift, 59 / s.median, 1e-12);
    EXPECT_NUMBER(s.ci95_low, NAN);
    EXPECT_NUMBER(s.ci95_high, NAN);
    EXPECT_NUMBER(s.p95_ci95_low, NAN);
    EXPECT_NUMBER(s.inflation, 1); /* around the line they alternate */
    kt_summary r = summarize(reversed, 60);
    EXPECT_NEAR(r.drift, -59 / s.median, 1e-12);
    EXPECT_NUMBER(r.median, s.median);
    /* The same change of a 20 times longer time is not worth a name. */
    for (int i = 0; i < 60; i++)
        samples[i] += 19000;
    s = summarize(samples, 60);
    assert_int_equal(s.warnings & KT_WARNING_DRIFT, 0);
    EXPECT_NUMBER(s.drift, NAN);
    assert_int_equal(summarize(reversed, 29).warnings & KT_WARNING_DRIFT, 0); /* too few */
}

/* Stays of `stay` samples on 1000 and on 1080, with a ripple of 0..4. */
static kt_summary two_levels(double *samples, size_t n, size_t stay)
{
    for (size_t i = 0; i < n; i++)
        samples[i] = 1000 + (double)(i * 7 % 5) + (i / stay % 2 ? 80 : 0);
    return summarize(samples, n);
}

static void levels_by_hand(void **state)
{
    double samples[300];
    kt_summary s = two_levels(samples, 300, 1);
    assert_int_equal(s.warnings, KT_WARNING_BIMODAL);
    EXPECT_NUMBER(s.cluster_low, 1002);
    EXPECT_NUMBER(s.cluster_high, 1082);
    EXPECT_NUMBER(s.cluster_high_share, 0.5);
    assert_false(isnan(s.ci95_low)); /* they switch each time, so the shares are known */
    assert_int_equal(s.outliers_low + s.outliers_high, 0);
    s = two_levels(samples, 300, 50);
    assert_int_equal(s.warnings & KT_WARNING_BIMODAL, KT_WARNING_BIMODAL);
    EXPECT_NUMBER(s.cluster_high_share, 0.5);
    EXPECT_NUMBER(s.ci95_low, NAN); /* five switches tell nothing about the shares */
    EXPECT_NUMBER(s.p95_ci95_high, NAN);
    /* Three far ones are no level. */
    s = two_levels(samples, 100, 97);
    assert_int_equal(s.warnings & KT_WARNING_BIMODAL, 0);
    EXPECT_NUMBER(s.cluster_low, NAN);
    assert_int_equal(s.outliers_high, 3);
    /* Neighbouring steps of a clock are none either. */
    for (int i = 0; i < 100; i++)
        samples[i] = i % 2 ? 1000 : 1080;
    assert_int_equal(summarize_with_resolution(samples, 100, 80).warnings, KT_WARNING_COARSE_CLOCK);
    assert_int_equal(summarize_with_resolution(samples, 100, 30).warnings, KT_WARNING_BIMODAL);
}

static const noise kinds[] = {
    {.shape = NOISE_LOGNORMAL, .value = 4096, .spread = 0.02},
    {.value = 4096, .spread = 0.02, .correlation = 0.7},
    {.value = 4096, .spread = 0.01, .level = 0.08, .level_share = 0.3},
    {.value = 4096, .spread = 0.01, .level = 0.08, .level_share = 0.5, .level_dwell = 20},
    {.value = 4096, .spread = 0.01, .drift = 0.05, .drift_samples = 150},
    {.value = 4096, .spread = 0.01, .resolution = 0.0078125},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* Times in another unit, four times as small: no digit changes. */
static void a_unit_changes_nothing(void **state)
{
    for (size_t k = 0; k < KINDS; k++) {
        noise_run run = noise_begin(&kinds[k], 9);
        double samples[150], scaled[150];
        for (int i = 0; i < 150; i++)
            scaled[i] = 4 * (samples[i] = noise_next(&run));
        kt_summary s = summarize_with_resolution(samples, 150, run.resolution);
        kt_summary t = summarize_with_resolution(scaled, 150, 4 * run.resolution);
        assert_int_equal(t.warnings, s.warnings);
        const kt_summary_field *field;
        for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
            EXPECT_NUMBER(kt_summary_get(&t, field),
                          (strcmp(field->unit, "ns") == 0 ? 4 : 1) * kt_summary_get(&s, field));
    }
}

/* Backwards in time: a drift turns its sign, all else is the same. */
static void time_may_run_backwards(void **state)
{
    for (size_t k = 0; k < KINDS; k++) {
        noise_run run = noise_begin(&kinds[k], 11);
        double samples[150], reversed[150];
        for (int i = 0; i < 150; i++)
            reversed[149 - i] = samples[i] = noise_next(&run);
        kt_summary s = summarize_with_resolution(samples, 150, run.resolution);
        kt_summary r = summarize_with_resolution(reversed, 150, run.resolution);
        assert_int_equal(r.warnings, s.warnings);
        EXPECT_NEAR(r.inflation, s.inflation, 1e-9);
        EXPECT_NEAR(r.ci95_low, s.ci95_low, 1e-6);
        EXPECT_NEAR(r.ci95_high, s.ci95_high, 1e-6);
        EXPECT_NEAR(r.drift, -s.drift, 1e-12);
        EXPECT_NUMBER(r.cluster_high_share, s.cluster_high_share);
    }
}

/* What does not know of time does not change when it is shuffled. */
static void order_is_for_those_who_ask_for_it(void **state)
{
    uint64_t random = 12;
    for (size_t k = 0; k < KINDS; k++) {
        noise_run run = noise_begin(&kinds[k], 13);
        double samples[150];
        for (int i = 0; i < 150; i++)
            samples[i] = noise_next(&run);
        kt_summary s = summarize_with_resolution(samples, 150, run.resolution);
        for (size_t i = 149; i > 0; i--) {
            size_t j = (size_t)(random_bits(&random) % (i + 1));
            double swap = samples[i];
            samples[i] = samples[j];
            samples[j] = swap;
        }
        kt_summary t = summarize_with_resolution(samples, 150, run.resolution);
        EXPECT_NUMBER(t.median, s.median);
        EXPECT_NUMBER(t.mad, s.mad);
        EXPECT_NUMBER(t.p95, s.p95);
        EXPECT_NUMBER(t.resolution, s.resolution);
        EXPECT_NUMBER(t.robust_stddev, s.robust_stddev);
        EXPECT_NUMBER(t.cluster_high_share, s.cluster_high_share);
        assert_int_equal(t.outliers_high, s.outliers_high);
        assert_int_equal(t.warnings & KT_WARNING_BIMODAL, s.warnings & KT_WARNING_BIMODAL);
    }
}

/* The interval of p95 misses it in about one of twenty runs. */
static void the_percentile_is_covered(void **state)
{
    const noise of = {.shape = NOISE_UNIFORM, .value = 100, .spread = 0.1};
    const double truth = 100 * (1 + 0.1 * 0.45 * 3.4641016151377544);
    int covered = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        noise_run run = noise_begin(&of, seed);
        double samples[200];
        for (int i = 0; i < 200; i++)
            samples[i] = noise_next(&run);
        kt_summary s = summarize(samples, 200);
        covered += s.p95_ci95_low <= truth && truth <= s.p95_ci95_high;
    }
    assert_true(covered >= 935);
    assert_int_equal(covered, 939);
}

/* 0.99^367 = 0.02501, 0.99^368 = 0.02476: of fewer samples the largest may be below p99 too often.
 */
static void the_99th_percentile_needs_368_samples(void **state)
{
    double samples[368];
    for (int i = 0; i < 368; i++)
        samples[i] = i * 53 % 368; /* each of 0 .. 367 once, in no order */
    kt_summary s = summarize(samples, 368);
    EXPECT_NEAR(s.p99, 363.33, 1e-9); /* rank 0.99 * 367 */
    assert_true(at_most(368, 0.99, (size_t)s.p99_ci95_low) <= 0.025);
    assert_true(at_most(368, 0.99, (size_t)s.p99_ci95_low + 1) > 0.025);
    assert_true(s.p99_ci95_high > 366 && s.p99_ci95_high <= 367);
    s = summarize(samples, 367);
    assert_false(isnan(s.p99));
    EXPECT_NUMBER(s.p99_ci95_low, NAN);
    EXPECT_NUMBER(s.p99_ci95_high, NAN);
}

/* A million samples on a few values take no longer than others: 1 s, not the minutes that looking
 * at each tie of each sample would take, after which the test is ended. */
static void a_million_ties_are_no_trouble(void **state)
{
    const size_t n = 1000000;
    double *samples = malloc(2 * n * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = 1000.0 * (double)(1 + i % 3);
    kt_summary s;
    kt_summarize(samples, n, 0, samples + n, &s);
    free(samples);
    EXPECT_NUMBER(s.median, 2000);
    EXPECT_NUMBER(s.resolution, 1000);
    EXPECT_NUMBER(s.drift, NAN);
}

static void numbers_that_are_no_times(void **state)
{
    double samples[100] = {0};
    kt_summary s = summarize(samples, 100); /* all 0 */
    EXPECT_NUMBER(s.ci95_low, 0);
    EXPECT_NUMBER(s.drift, NAN);
    for (int i = 0; i < 100; i++)
        samples[i] = i % 10 ? 1e-300 * (i * 7 % 10) : 1e300;
    s = summarize(samples, 100);
    assert_true(s.ci95_low <= s.median && s.median <= s.ci95_high);
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
        cmocka_unit_test(median_ranks_are_those_of_the_paper),
        cmocka_unit_test(huge_n_agrees_with_the_normal_law),
        cmocka_unit_test(ranks_of_the_95th_percentile),
        cmocka_unit_test(inflation_stretches_the_ranks_by_its_root),
        cmocka_unit_test(inflation_by_plain_sums),
        cmocka_unit_test(inflation_of_long_stays),
        cmocka_unit_test(steps_that_can_be_seen),
        cmocka_unit_test(a_coarse_clock_widens_by_half_a_step),
        cmocka_unit_test(no_interval_of_durations_begins_below_0),
        cmocka_unit_test(outliers_beyond_the_outer_fences),
        cmocka_unit_test(drift_by_hand),
        cmocka_unit_test(levels_by_hand),
        cmocka_unit_test(a_unit_changes_nothing),
        cmocka_unit_test(time_may_run_backwards),
        cmocka_unit_test(order_is_for_those_who_ask_for_it),
        cmocka_unit_test(the_percentile_is_covered),
        cmocka_unit_test(the_99th_percentile_needs_368_samples),
        cmocka_unit_test(a_million_ties_are_no_trouble),
        cmocka_unit_test(numbers_that_are_no_times),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
